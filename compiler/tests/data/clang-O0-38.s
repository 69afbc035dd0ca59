	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p1_m2p0_a2p1_zicsr2p0_zmmul1p0"
	.file	"program.c"
	.p2align	2                               # -- Begin function f0
	.type	f0,@function
f0:                                     # @f0
# %bb.0:
	addi	sp, sp, -64
	sw	ra, 60(sp)                      # 4-byte Folded Spill
	sw	s0, 56(sp)                      # 4-byte Folded Spill
	addi	s0, sp, 64
	sw	a0, -12(s0)
	sw	a1, -16(s0)
	sw	a2, -20(s0)
	lw	a0, -16(s0)
	lw	a1, -12(s0)
	and	a0, a0, a1
	xori	a0, a0, 19
	sw	a0, -24(s0)
	lui	a0, %hi(table)
	addi	a0, a0, %lo(table)
	lw	a0, 92(a0)
	sw	a0, -44(s0)                     # 4-byte Folded Spill
	lw	a0, -12(s0)
	lw	a1, -16(s0)
	bgeu	a0, a1, .LBB0_2
	j	.LBB0_1
.LBB0_1:
	lw	a0, -12(s0)
	sw	a0, -48(s0)                     # 4-byte Folded Spill
	j	.LBB0_3
.LBB0_2:
	lw	a0, -16(s0)
	sw	a0, -48(s0)                     # 4-byte Folded Spill
	j	.LBB0_3
.LBB0_3:
	lw	a0, -44(s0)                     # 4-byte Folded Reload
	lw	a1, -48(s0)                     # 4-byte Folded Reload
	and	a0, a0, a1
	sw	a0, -28(s0)
	lw	a0, -16(s0)
	andi	a0, a0, 63
	slli	a1, a0, 2
	lui	a0, %hi(table)
	addi	a0, a0, %lo(table)
	add	a0, a0, a1
	lw	a0, 0(a0)
	lw	a1, -28(s0)
	lw	a2, -12(s0)
	xor	a1, a1, a2
	sub	a0, a0, a1
	sw	a0, -32(s0)
	lw	a0, -24(s0)
	addi	a0, a0, -16
	sw	a0, -52(s0)                     # 4-byte Folded Spill
	lw	a0, -12(s0)
	lw	a1, -32(s0)
	bgeu	a0, a1, .LBB0_5
	j	.LBB0_4
.LBB0_4:
	lw	a0, -12(s0)
	sw	a0, -56(s0)                     # 4-byte Folded Spill
	j	.LBB0_6
.LBB0_5:
	lw	a0, -32(s0)
	sw	a0, -56(s0)                     # 4-byte Folded Spill
	j	.LBB0_6
.LBB0_6:
	lw	a0, -52(s0)                     # 4-byte Folded Reload
	lw	a1, -56(s0)                     # 4-byte Folded Reload
	bgeu	a0, a1, .LBB0_8
	j	.LBB0_7
.LBB0_7:
	lw	a0, -24(s0)
	addi	a0, a0, -16
	sw	a0, -60(s0)                     # 4-byte Folded Spill
	j	.LBB0_12
.LBB0_8:
	lw	a0, -12(s0)
	lw	a1, -32(s0)
	bgeu	a0, a1, .LBB0_10
	j	.LBB0_9
.LBB0_9:
	lw	a0, -12(s0)
	sw	a0, -64(s0)                     # 4-byte Folded Spill
	j	.LBB0_11
.LBB0_10:
	lw	a0, -32(s0)
	sw	a0, -64(s0)                     # 4-byte Folded Spill
	j	.LBB0_11
.LBB0_11:
	lw	a0, -64(s0)                     # 4-byte Folded Reload
	sw	a0, -60(s0)                     # 4-byte Folded Spill
	j	.LBB0_12
.LBB0_12:
	lw	a1, -60(s0)                     # 4-byte Folded Reload
	lw	a0, -32(s0)
	add	a0, a0, a1
	sw	a0, -32(s0)
	lw	a1, -16(s0)
	lw	a0, -32(s0)
	xor	a0, a0, a1
	sw	a0, -32(s0)
	lw	a0, -32(s0)
	lw	a1, -12(s0)
	andi	a1, a1, 7
	addi	a1, a1, 1
	divu	a0, a0, a1
	lui	a1, 699051
	addi	a1, a1, -1365
	mul	a1, a0, a1
	lui	a0, 349525
	addi	a0, a0, 1365
	bltu	a0, a1, .LBB0_14
	j	.LBB0_13
.LBB0_13:
	j	.LBB0_16
.LBB0_14:
	j	.LBB0_15
.LBB0_15:
	lw	a0, -12(s0)
	lw	a1, -16(s0)
	andi	a1, a1, 39
	sub	a0, a0, a1
	lw	a1, -24(s0)
	add	a0, a0, a1
	addi	a0, a0, 72
	sw	a0, -24(s0)
	j	.LBB0_16
.LBB0_16:
	lw	a0, -24(s0)
	addi	a1, a0, -8
	lw	a0, -32(s0)
	addi	a0, a0, -26
	bgeu	a0, a1, .LBB0_33
	j	.LBB0_17
.LBB0_17:
	lbu	a0, -16(s0)
	andi	a0, a0, 4
	beqz	a0, .LBB0_24
	j	.LBB0_18
.LBB0_18:
	li	a0, 1
	bnez	a0, .LBB0_24
	j	.LBB0_19
.LBB0_19:
	lw	a0, -16(s0)
	slli	a1, a0, 2
	li	a0, 0
	sub	a0, a0, a1
	andi	a0, a0, 8
	bnez	a0, .LBB0_21
	j	.LBB0_20
.LBB0_20:
	lw	a0, -32(s0)
	andi	a1, a0, 7
	srl	a0, a0, a1
	andi	a0, a0, 2
	beqz	a0, .LBB0_22
	j	.LBB0_21
.LBB0_21:
	j	.LBB0_23
.LBB0_22:
	lw	a0, -16(s0)
	lui	a1, 838861
	addi	a1, a1, -819
	mulhu	a0, a0, a1
	srli	a0, a0, 2
	lw	a1, -28(s0)
	andi	a1, a1, 7
	addi	a1, a1, 1
	divu	a0, a0, a1
	sw	a0, -28(s0)
	lw	a0, -24(s0)
	lw	a2, -32(s0)
	li	a1, 22
	sub	a1, a1, a2
	xor	a1, a0, a1
	add	a0, a0, a1
	sw	a0, -24(s0)
	j	.LBB0_23
.LBB0_23:
	j	.LBB0_24
.LBB0_24:
	li	a0, 0
	sw	a0, -36(s0)
	j	.LBB0_25
.LBB0_25:                               # =>This Inner Loop Header: Depth=1
	lw	a0, -36(s0)
	lw	a1, -28(s0)
	addi	a1, a1, 32
	andi	a1, a1, 7
	bgeu	a0, a1, .LBB0_28
	j	.LBB0_26
.LBB0_26:                               #   in Loop: Header=BB0_25 Depth=1
	lw	a0, -36(s0)
	andi	a0, a0, 63
	slli	a0, a0, 2
	lui	a1, %hi(table)
	addi	a1, a1, %lo(table)
	add	a0, a1, a0
	lw	a0, 0(a0)
	lw	a2, -32(s0)
	andi	a2, a2, 63
	slli	a2, a2, 2
	add	a1, a1, a2
	lw	a1, 0(a1)
	xor	a1, a0, a1
	lw	a0, -28(s0)
	add	a0, a0, a1
	sw	a0, -28(s0)
	j	.LBB0_27
.LBB0_27:                               #   in Loop: Header=BB0_25 Depth=1
	lw	a0, -36(s0)
	addi	a0, a0, 1
	sw	a0, -36(s0)
	j	.LBB0_25
.LBB0_28:
	li	a0, 0
	sw	a0, -40(s0)
	j	.LBB0_29
.LBB0_29:                               # =>This Inner Loop Header: Depth=1
	lw	a0, -40(s0)
	lw	a1, -16(s0)
	andi	a1, a1, 7
	bgeu	a0, a1, .LBB0_32
	j	.LBB0_30
.LBB0_30:                               #   in Loop: Header=BB0_29 Depth=1
	lw	a2, -28(s0)
	lw	a0, -12(s0)
	add	a0, a2, a0
	lw	a1, -40(s0)
	and	a1, a1, a2
	sub	a0, a0, a1
	sw	a0, -28(s0)
	j	.LBB0_31
.LBB0_31:                               #   in Loop: Header=BB0_29 Depth=1
	lw	a0, -40(s0)
	addi	a0, a0, 1
	sw	a0, -40(s0)
	j	.LBB0_29
.LBB0_32:
	j	.LBB0_34
.LBB0_33:
	lw	a0, -12(s0)
	lw	a2, -16(s0)
	xor	a0, a0, a2
	slli	a1, a0, 3
	lw	a0, -28(s0)
	andi	a3, a0, 7
	srl	a2, a2, a3
	add	a1, a1, a2
	xor	a0, a0, a1
	sw	a0, -28(s0)
	lw	a0, -16(s0)
	slli	a0, a0, 3
	addi	a1, a0, 13
	lw	a0, -28(s0)
	xor	a0, a0, a1
	sw	a0, -28(s0)
	li	a0, 5
	sw	a0, -24(s0)
	j	.LBB0_34
.LBB0_34:
	lw	a0, -20(s0)
	beqz	a0, .LBB0_37
	j	.LBB0_35
.LBB0_35:
	lw	a0, -28(s0)
	lw	a1, -12(s0)
	add	a0, a0, a1
	andi	a0, a0, 1
	beqz	a0, .LBB0_37
	j	.LBB0_36
.LBB0_36:
	lw	a0, -20(s0)
	addi	a0, a0, -1
	sw	a0, -20(s0)
	j	.LBB0_15
.LBB0_37:
	lw	a0, -24(s0)
	lw	a1, -28(s0)
	xor	a0, a0, a1
	lw	ra, 60(sp)                      # 4-byte Folded Reload
	lw	s0, 56(sp)                      # 4-byte Folded Reload
	addi	sp, sp, 64
	ret
.Lfunc_end0:
	.size	f0, .Lfunc_end0-f0
                                        # -- End function
	.globl	kernel                          # -- Begin function kernel
	.p2align	2
	.type	kernel,@function
kernel:                                 # @kernel
# %bb.0:
	addi	sp, sp, -64
	sw	ra, 60(sp)                      # 4-byte Folded Spill
	sw	s0, 56(sp)                      # 4-byte Folded Spill
	addi	s0, sp, 64
	sw	a0, -12(s0)
	sw	a1, -16(s0)
	li	a0, 60
	sw	a0, -20(s0)
	lw	a1, -16(s0)
	slli	a0, a1, 3
	add	a1, a1, a1
	add	a0, a0, a1
	sw	a0, -24(s0)
	li	a0, 17
	sw	a0, -28(s0)
	li	a0, 1
	bnez	a0, .LBB1_2
	j	.LBB1_1
.LBB1_1:
	lw	a0, -24(s0)
	sw	a0, -44(s0)                     # 4-byte Folded Spill
	j	.LBB1_3
.LBB1_2:
	lw	a0, -24(s0)
	sw	a0, -44(s0)                     # 4-byte Folded Spill
	j	.LBB1_3
.LBB1_3:
	lw	a0, -44(s0)                     # 4-byte Folded Reload
	lw	a1, -12(s0)
	lw	a2, -16(s0)
	xor	a1, a1, a2
	add	a0, a0, a1
	sw	a0, -32(s0)
	lw	a0, -28(s0)
	lw	a1, -32(s0)
	andi	a2, a1, 7
	srl	a0, a0, a2
	andi	a0, a0, 3
	slli	a2, a0, 2
	lui	a0, %hi(calls)
	addi	a0, a0, %lo(calls)
	add	a0, a0, a2
	lw	a3, 0(a0)
	lw	a0, -16(s0)
	mul	a0, a0, a1
	lw	a1, -24(s0)
	lw	a2, -20(s0)
	andi	a2, a2, 3
	jalr	a3
	mv	a1, a0
	lw	a0, -28(s0)
	add	a0, a0, a1
	sw	a0, -28(s0)
	lw	a0, -28(s0)
	lw	a1, -16(s0)
	bgeu	a0, a1, .LBB1_5
	j	.LBB1_4
.LBB1_4:
	lw	a0, -28(s0)
	sw	a0, -48(s0)                     # 4-byte Folded Spill
	j	.LBB1_6
.LBB1_5:
	lw	a0, -16(s0)
	sw	a0, -48(s0)                     # 4-byte Folded Spill
	j	.LBB1_6
.LBB1_6:
	lw	a0, -48(s0)                     # 4-byte Folded Reload
	andi	a0, a0, 63
	slli	a1, a0, 2
	lui	a0, %hi(table)
	addi	a0, a0, %lo(table)
	add	a0, a0, a1
	lw	a1, 0(a0)
	lw	a0, -28(s0)
	xor	a0, a0, a1
	sw	a0, -28(s0)
	j	.LBB1_7
.LBB1_7:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB1_11 Depth 2
	lw	a0, -20(s0)
	li	a1, 0
	sw	a1, -52(s0)                     # 4-byte Folded Spill
	beqz	a0, .LBB1_9
	j	.LBB1_8
.LBB1_8:                                #   in Loop: Header=BB1_7 Depth=1
	li	a0, 0
	sw	a0, -52(s0)                     # 4-byte Folded Spill
	j	.LBB1_9
.LBB1_9:                                #   in Loop: Header=BB1_7 Depth=1
	lw	a0, -52(s0)                     # 4-byte Folded Reload
	andi	a0, a0, 1
	beqz	a0, .LBB1_16
	j	.LBB1_10
.LBB1_10:                               #   in Loop: Header=BB1_7 Depth=1
	lw	a0, -20(s0)
	addi	a0, a0, -1
	sw	a0, -20(s0)
	j	.LBB1_11
.LBB1_11:                               #   Parent Loop BB1_7 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	lw	a0, -20(s0)
	li	a1, 0
	sw	a1, -56(s0)                     # 4-byte Folded Spill
	beqz	a0, .LBB1_13
	j	.LBB1_12
.LBB1_12:                               #   in Loop: Header=BB1_11 Depth=2
	lw	a1, -20(s0)
	lw	a0, -16(s0)
	slli	a0, a0, 3
	addi	a0, a0, 13
	sltu	a0, a0, a1
	sw	a0, -56(s0)                     # 4-byte Folded Spill
	j	.LBB1_13
.LBB1_13:                               #   in Loop: Header=BB1_11 Depth=2
	lw	a0, -56(s0)                     # 4-byte Folded Reload
	andi	a0, a0, 1
	beqz	a0, .LBB1_15
	j	.LBB1_14
.LBB1_14:                               #   in Loop: Header=BB1_11 Depth=2
	lw	a0, -20(s0)
	addi	a0, a0, -1
	sw	a0, -20(s0)
	lw	a1, -28(s0)
	li	a0, 0
	sub	a0, a0, a1
	andi	a0, a0, 7
	slli	a1, a0, 2
	lui	a0, %hi(count)
	addi	a0, a0, %lo(count)
	add	a0, a0, a1
	lw	a1, -16(s0)
	andi	a1, a1, 4
	sw	a1, -36(s0)
	lw	a1, -36(s0)
	amoadd.w	a0, a1, (a0)
	sw	a0, -40(s0)
	j	.LBB1_11
.LBB1_15:                               #   in Loop: Header=BB1_7 Depth=1
	j	.LBB1_7
.LBB1_16:
	lw	a0, -24(s0)
	lw	a2, -28(s0)
	slli	a1, a2, 1
	add	a1, a1, a2
	add	a0, a0, a1
	lw	a2, -32(s0)
	slli	a1, a2, 2
	add	a1, a1, a2
	add	a0, a0, a1
	lw	a1, -12(s0)
	slli	a2, a1, 2
	lui	a1, %hi(out)
	addi	a1, a1, %lo(out)
	add	a1, a1, a2
	sw	a0, 0(a1)
	lw	ra, 60(sp)                      # 4-byte Folded Reload
	lw	s0, 56(sp)                      # 4-byte Folded Reload
	addi	sp, sp, 64
	ret
.Lfunc_end1:
	.size	kernel, .Lfunc_end1-kernel
                                        # -- End function
	.type	table,@object                   # @table
	.section	.rodata,"a",@progbits
	.globl	table
	.p2align	2, 0x0
table:
	.word	2586542843                      # 0x9a2b82fb
	.word	4206618741                      # 0xfabbe875
	.word	2611835595                      # 0x9bad72cb
	.word	3041271165                      # 0xb5461d7d
	.word	1331357847                      # 0x4f5ae897
	.word	2185986948                      # 0x824b8384
	.word	1006144924                      # 0x3bf88d9c
	.word	1309771152                      # 0x4e118590
	.word	2347349680                      # 0x8be9b6b0
	.word	472798207                       # 0x1c2e53ff
	.word	2852923105                      # 0xaa0c26e1
	.word	3568028905                      # 0xd4abcce9
	.word	2475106744                      # 0x938721b8
	.word	2722968168                      # 0xa24d3268
	.word	2324674862                      # 0x8a8fb92e
	.word	1861329913                      # 0x6ef1a3f9
	.word	4224400866                      # 0xfbcb3de2
	.word	3606128444                      # 0xd6f1273c
	.word	3647641684                      # 0xd96a9854
	.word	2936033354                      # 0xaf00504a
	.word	2249848861                      # 0x8619f81d
	.word	1396341695                      # 0x533a7bbf
	.word	1042213617                      # 0x3e1eeaf1
	.word	1944009895                      # 0x73df3ca7
	.word	3902290661                      # 0xe8983ae5
	.word	784884681                       # 0x2ec863c9
	.word	3700292589                      # 0xdc8dfbed
	.word	3510791985                      # 0xd1426f31
	.word	2061815148                      # 0x7ae4cd6c
	.word	778336728                       # 0x2e6479d8
	.word	3334641621                      # 0xc6c297d5
	.word	3134312608                      # 0xbad1d0a0
	.word	3262953052                      # 0xc27cb65c
	.word	1145715555                      # 0x444a3b63
	.word	2526899683                      # 0x969d6de3
	.word	3715985113                      # 0xdd7d6ed9
	.word	2242456634                      # 0x85a92c3a
	.word	2909165459                      # 0xad665793
	.word	3541600754                      # 0xd31889f2
	.word	3353223365                      # 0xc7de20c5
	.word	2428125187                      # 0x90ba4003
	.word	69215218                        # 0x42023f2
	.word	267733956                       # 0xff54bc4
	.word	3283564577                      # 0xc3b73821
	.word	4261857441                      # 0xfe06c8a1
	.word	3742669585                      # 0xdf149b11
	.word	579435948                       # 0x22897dac
	.word	3441342486                      # 0xcd1eb816
	.word	304286496                       # 0x12230b20
	.word	2349938916                      # 0x8c1138e4
	.word	3498017185                      # 0xd07f81a1
	.word	337050314                       # 0x1416faca
	.word	1680011575                      # 0x6422f137
	.word	293779003                       # 0x1182b63b
	.word	3549588682                      # 0xd3926cca
	.word	1190917042                      # 0x46fbf3b2
	.word	850644270                       # 0x32b3cd2e
	.word	241791038                       # 0xe69703e
	.word	2612759453                      # 0x9bbb8b9d
	.word	2579643457                      # 0x99c23c41
	.word	3864825629                      # 0xe65c8f1d
	.word	2209047680                      # 0x83ab6480
	.word	3580284583                      # 0xd566cea7
	.word	3209265513                      # 0xbf498169
	.size	table, 256

	.type	calls,@object                   # @calls
	.globl	calls
	.p2align	2, 0x0
calls:
	.word	f0
	.word	f0
	.word	f0
	.word	f0
	.size	calls, 16

	.type	count,@object                   # @count
	.bss
	.globl	count
	.p2align	2, 0x0
count:
	.zero	32
	.size	count, 32

	.type	out,@object                     # @out
	.globl	out
	.p2align	2, 0x0
out:
	.zero	4096
	.size	out, 4096

	.type	guard,@object                   # @guard
	.globl	guard
	.p2align	2, 0x0
guard:
	.zero	16
	.size	guard, 16

	.type	data,@object                    # @data
	.globl	data
	.p2align	2, 0x0
data:
	.zero	256
	.size	data, 256

	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym f0
	.addrsig_sym table
	.addrsig_sym calls
	.addrsig_sym count
	.addrsig_sym out
