	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p1_m2p0_a2p1_zicsr2p0_zmmul1p0"
	.file	"program.c"
	.p2align	2                               # -- Begin function f0
	.type	f0,@function
f0:                                     # @f0
# %bb.0:
	srli	a3, a0, 1
	addi	a4, a0, 27
	xor	a3, a3, a4
	andi	a4, a3, 7
	addi	a4, a4, 1
	divu	a5, a3, a4
	sub	a5, a5, a0
	lui	a3, 146682
	addi	a3, a3, -2030
	bltu	a5, a3, .LBB0_2
# %bb.1:
	mv	a5, a3
.LBB0_2:
	andi	a1, a1, 7
	addi	a1, a1, 1
	li	a3, 31
	li	a4, 3
	divu	a1, a3, a1
	mv	a3, a0
	bltu	a0, a4, .LBB0_4
# %bb.3:
	li	a3, 3
.LBB0_4:
	srl	a1, a1, a3
	andi	a2, a2, 7
	add	a5, a1, a5
	beqz	a2, .LBB0_12
# %bb.5:
	andi	a1, a0, 7
	addi	a1, a1, 1
	divu	a1, a0, a1
	lui	a0, 146682
	addi	a3, a0, -2030
	li	a4, 15
	mv	a0, a5
	li	a7, 3
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	srli	a5, a1, 1
	addi	a6, a1, 27
	xor	a5, a5, a6
	andi	a6, a5, 7
	addi	a6, a6, 1
	divu	a5, a5, a6
	sub	a5, a5, a1
	bltu	a5, a3, .LBB0_8
# %bb.7:                                #   in Loop: Header=BB0_6 Depth=1
	mv	a5, a3
.LBB0_8:                                #   in Loop: Header=BB0_6 Depth=1
	mv	a6, a1
	bltu	a1, a7, .LBB0_10
# %bb.9:                                #   in Loop: Header=BB0_6 Depth=1
	li	a6, 3
.LBB0_10:                               #   in Loop: Header=BB0_6 Depth=1
	addi	a2, a2, -1
	srl	a6, a4, a6
	andi	a2, a2, 7
	add	a5, a6, a5
	beqz	a2, .LBB0_13
# %bb.11:                               #   in Loop: Header=BB0_6 Depth=1
	andi	a6, a1, 7
	addi	a6, a6, 1
	divu	a1, a1, a6
	add	a0, a5, a0
	j	.LBB0_6
.LBB0_12:
	li	a0, 0
.LBB0_13:
	add	a0, a5, a0
	ret
.Lfunc_end0:
	.size	f0, .Lfunc_end0-f0
                                        # -- End function
	.globl	kernel                          # -- Begin function kernel
	.p2align	2
	.type	kernel,@function
kernel:                                 # @kernel
# %bb.0:
	addi	sp, sp, -48
	sw	s0, 44(sp)                      # 4-byte Folded Spill
	sw	s1, 40(sp)                      # 4-byte Folded Spill
	sw	s2, 36(sp)                      # 4-byte Folded Spill
	sw	s3, 32(sp)                      # 4-byte Folded Spill
	sw	s4, 28(sp)                      # 4-byte Folded Spill
	sw	s5, 24(sp)                      # 4-byte Folded Spill
	sw	s6, 20(sp)                      # 4-byte Folded Spill
	sw	s7, 16(sp)                      # 4-byte Folded Spill
	sw	s8, 12(sp)                      # 4-byte Folded Spill
	sw	s9, 8(sp)                       # 4-byte Folded Spill
	sw	s10, 4(sp)                      # 4-byte Folded Spill
	li	a3, 0
	xori	a2, a1, 2
	mul	a6, a2, a1
	slli	a2, a1, 3
	add	a4, a2, a1
	andi	a4, a4, 63
	slli	a5, a4, 2
	lui	a4, %hi(table)
	addi	a4, a4, %lo(table)
	add	a5, a4, a5
	lw	a5, 0(a5)
	srli	a7, a1, 2
	lui	t0, 349525
	addi	t0, t0, 1366
	mulhu	t0, a7, t0
	slli	t1, t0, 1
	sub	a7, a7, t0
	sub	a7, a7, t1
	sltiu	a7, a7, 2
	xori	a7, a7, 1
	add	a6, a6, a7
	andi	a7, a0, 3
	andi	t0, a0, 2
	andi	t1, a0, 5
	li	s0, 60
	lui	t2, 699051
	addi	t2, t2, -1365
	li	t3, 4
	li	t4, 3
	lui	t5, %hi(.LJTI1_0)
	addi	t5, t5, %lo(.LJTI1_0)
	lui	t6, 146682
	addi	s1, t6, -2030
	li	s2, 15
	lui	s3, 1013131
	addi	s3, s3, -1865
	mv	s4, a1
	li	s10, 3
	j	.LBB1_4
.LBB1_1:                                #   in Loop: Header=BB1_4 Depth=1
	li	s5, 0
.LBB1_2:                                #   in Loop: Header=BB1_4 Depth=1
	add	s4, s4, s5
	add	s4, s8, s4
.LBB1_3:                                #   in Loop: Header=BB1_4 Depth=1
	sub	s5, a1, a6
	sub	a6, a3, a6
	andi	a6, a6, 7
	addi	a3, a3, 1
	srl	a6, s5, a6
	beq	a3, t4, .LBB1_26
.LBB1_4:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB1_11 Depth 2
                                        #     Child Loop BB1_20 Depth 2
	mulhu	s5, s4, t2
	srli	s5, s5, 2
	slli	s6, s5, 3
	slli	s5, s5, 1
	sub	s5, s5, s6
	add	s5, s4, s5
	bltu	t3, s5, .LBB1_14
# %bb.5:                                #   in Loop: Header=BB1_4 Depth=1
	slli	s5, s5, 2
	add	s5, s5, t5
	lw	s5, 0(s5)
	jr	s5
.LBB1_6:                                #   in Loop: Header=BB1_4 Depth=1
	andi	s5, s4, 7
	addi	s5, s5, 1
	divu	s5, a1, s5
	andi	s5, s5, 8
	or	s6, s5, t0
	andi	s5, a5, 63
	slli	s5, s5, 2
	add	s5, a4, s5
	beqz	s6, .LBB1_15
# %bb.7:                                #   in Loop: Header=BB1_4 Depth=1
	lw	s5, 0(s5)
	and	s6, s4, a1
	add	s4, s6, s4
	sub	s4, s4, s5
	add	a5, a5, a0
	j	.LBB1_16
.LBB1_8:                                #   in Loop: Header=BB1_4 Depth=1
	slli	s5, a3, 3
	add	s5, s5, a0
	andi	s5, s5, 63
	slli	s5, s5, 2
	add	s5, a4, s5
	lw	s5, 0(s5)
	add	s4, s5, s4
	j	.LBB1_3
.LBB1_9:                                #   in Loop: Header=BB1_4 Depth=1
	beqz	s0, .LBB1_3
# %bb.10:                               #   in Loop: Header=BB1_4 Depth=1
	and	s5, a3, s4
	mv	s6, s0
.LBB1_11:                               #   Parent Loop BB1_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	bne	s5, a7, .LBB1_3
# %bb.12:                               #   in Loop: Header=BB1_11 Depth=2
	addi	s6, s6, -1
	bnez	s6, .LBB1_11
# %bb.13:                               #   in Loop: Header=BB1_4 Depth=1
	li	s0, 0
	mv	a5, s3
	j	.LBB1_3
.LBB1_14:                               #   in Loop: Header=BB1_4 Depth=1
	addi	a6, a6, 1
	j	.LBB1_3
.LBB1_15:                               #   in Loop: Header=BB1_4 Depth=1
	lw	s4, 0(s5)
	srl	s5, a6, t1
	sub	s4, s4, s5
	xor	a5, s4, a5
	andi	s4, a5, 63
	slli	s4, s4, 2
	add	s4, a4, s4
	lw	s4, 0(s4)
.LBB1_16:                               #   in Loop: Header=BB1_4 Depth=1
	mul	s5, a3, a0
	srli	s6, s5, 1
	addi	s7, s5, 27
	xor	s6, s6, s7
	andi	s7, s6, 7
	addi	s7, s7, 1
	divu	s6, s6, s7
	sub	s8, s6, s5
	bltu	s8, s1, .LBB1_18
# %bb.17:                               #   in Loop: Header=BB1_4 Depth=1
	mv	s8, s1
.LBB1_18:                               #   in Loop: Header=BB1_4 Depth=1
	andi	s6, s0, 3
	sltiu	s7, s5, 3
	neg	s7, s7
	srl	s9, t3, s5
	and	s7, s7, s9
	add	s8, s8, s7
	beqz	s6, .LBB1_1
# %bb.19:                               #   in Loop: Header=BB1_4 Depth=1
	andi	s7, s5, 7
	addi	s7, s7, 1
	divu	s7, s5, s7
	mv	s5, s8
.LBB1_20:                               #   Parent Loop BB1_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	srli	s8, s7, 1
	addi	s9, s7, 27
	xor	s8, s8, s9
	andi	s9, s8, 7
	addi	s9, s9, 1
	divu	s8, s8, s9
	sub	s8, s8, s7
	addi	s9, t6, -2030
	bltu	s8, s9, .LBB1_22
# %bb.21:                               #   in Loop: Header=BB1_20 Depth=2
	mv	s8, s9
.LBB1_22:                               #   in Loop: Header=BB1_20 Depth=2
	mv	s9, s7
	bltu	s7, s10, .LBB1_24
# %bb.23:                               #   in Loop: Header=BB1_20 Depth=2
	li	s9, 3
.LBB1_24:                               #   in Loop: Header=BB1_20 Depth=2
	addi	s6, s6, -1
	srl	s9, s2, s9
	andi	s6, s6, 7
	add	s8, s8, s9
	beqz	s6, .LBB1_2
# %bb.25:                               #   in Loop: Header=BB1_20 Depth=2
	andi	s9, s7, 7
	addi	s9, s9, 1
	divu	s7, s7, s9
	add	s5, s8, s5
	j	.LBB1_20
.LBB1_26:
	slli	a1, s4, 1
	add	a1, a1, s4
	slli	a3, a5, 2
	add	a3, a3, a5
	sub	a2, a2, a0
	add	a1, a2, a1
	add	a1, a1, a6
	lui	a2, 633493
	addi	a2, a2, 822
	add	a2, a3, a2
	add	a1, a1, a2
	slli	a0, a0, 2
	lui	a2, %hi(out)
	addi	a2, a2, %lo(out)
	add	a0, a2, a0
	sw	a1, 0(a0)
	lw	s0, 44(sp)                      # 4-byte Folded Reload
	lw	s1, 40(sp)                      # 4-byte Folded Reload
	lw	s2, 36(sp)                      # 4-byte Folded Reload
	lw	s3, 32(sp)                      # 4-byte Folded Reload
	lw	s4, 28(sp)                      # 4-byte Folded Reload
	lw	s5, 24(sp)                      # 4-byte Folded Reload
	lw	s6, 20(sp)                      # 4-byte Folded Reload
	lw	s7, 16(sp)                      # 4-byte Folded Reload
	lw	s8, 12(sp)                      # 4-byte Folded Reload
	lw	s9, 8(sp)                       # 4-byte Folded Reload
	lw	s10, 4(sp)                      # 4-byte Folded Reload
	addi	sp, sp, 48
	ret
.Lfunc_end1:
	.size	kernel, .Lfunc_end1-kernel
	.section	.rodata,"a",@progbits
	.p2align	2, 0x0
.LJTI1_0:
	.word	.LBB1_6
	.word	.LBB1_16
	.word	.LBB1_3
	.word	.LBB1_9
	.word	.LBB1_8
                                        # -- End function
	.type	table,@object                   # @table
	.globl	table
	.p2align	2, 0x0
table:
	.word	4149782711                      # 0xf758a8b7
	.word	2943372870                      # 0xaf704e46
	.word	51697023                        # 0x314d57f
	.word	1574040519                      # 0x5dd1f3c7
	.word	2727316197                      # 0xa28f8ae5
	.word	864929360                       # 0x338dc650
	.word	3462767897                      # 0xce65a519
	.word	2058979897                      # 0x7ab98a39
	.word	4109884031                      # 0xf4f7da7f
	.word	3237363721                      # 0xc0f64009
	.word	3174774201                      # 0xbd3b35b9
	.word	1788758563                      # 0x6a9e4a23
	.word	3015407071                      # 0xb3bb75df
	.word	1809876121                      # 0x6be08499
	.word	2207241580                      # 0x838fd56c
	.word	1018575331                      # 0x3cb639e3
	.word	1130402718                      # 0x4360939e
	.word	2009019998                      # 0x77bf365e
	.word	376215026                       # 0x166c95f2
	.word	3713509587                      # 0xdd57a8d3
	.word	3439227772                      # 0xccfe737c
	.word	2740209285                      # 0xa3544685
	.word	1965494089                      # 0x75270f49
	.word	1298300779                      # 0x4d627f6b
	.word	2869501922                      # 0xab091fe2
	.word	3570465655                      # 0xd4d0fb77
	.word	446160008                       # 0x1a97dc88
	.word	600807442                       # 0x23cf9812
	.word	971639102                       # 0x39ea093e
	.word	2363678119                      # 0x8ce2dda7
	.word	1969972321                      # 0x756b6461
	.word	247284922                       # 0xebd44ba
	.word	573821102                       # 0x2233d0ae
	.word	1032201221                      # 0x3d862405
	.word	4253487488                      # 0xfd871180
	.word	2445684097                      # 0x91c62d81
	.word	2301274208                      # 0x892aa860
	.word	3533545488                      # 0xd29da010
	.word	3073004322                      # 0xb72a5322
	.word	1392898973                      # 0x5305f39d
	.word	2582319713                      # 0x99eb1261
	.word	3323581592                      # 0xc619d498
	.word	2347937957                      # 0x8bf2b0a5
	.word	1714938490                      # 0x6637e27a
	.word	3081440138                      # 0xb7ab0b8a
	.word	429793161                       # 0x199e1f89
	.word	2593372891                      # 0x9a93badb
	.word	2951596497                      # 0xafedc9d1
	.word	544535621                       # 0x2074f445
	.word	1005806748                      # 0x3bf3649c
	.word	94163021                        # 0x59cd04d
	.word	4172743429                      # 0xf8b70305
	.word	1516937444                      # 0x5a6aa0e4
	.word	2253536909                      # 0x86523e8d
	.word	1620664476                      # 0x6099609c
	.word	461861948                       # 0x1b87743c
	.word	3531105688                      # 0xd2786598
	.word	1823102190                      # 0x6caa54ee
	.word	2297707745                      # 0x88f43ce1
	.word	3864786114                      # 0xe65bf4c2
	.word	3363995898                      # 0xc88280fa
	.word	2311052416                      # 0x89bfdc80
	.word	2659528956                      # 0x9e8530fc
	.word	315206696                       # 0x12c9ac28
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

	.type	out,@object                     # @out
	.bss
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

	.type	count,@object                   # @count
	.globl	count
	.p2align	2, 0x0
count:
	.zero	32
	.size	count, 32

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
