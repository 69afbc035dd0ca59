	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p1_m2p0_a2p1_zicsr2p0_zmmul1p0"
	.file	"program.c"
	.globl	f0                              # -- Begin function f0
	.p2align	2
	.type	f0,@function
f0:                                     # @f0
# %bb.0:
	addi	sp, sp, -16
	sw	ra, 12(sp)                      # 4-byte Folded Spill
	sw	s0, 8(sp)                       # 4-byte Folded Spill
	sw	s1, 4(sp)                       # 4-byte Folded Spill
	slli	a3, a0, 3
	add	a3, a3, a1
	andi	a4, a0, 7
	xori	a4, a4, 4
	addi	a4, a4, 1
	li	a5, 4
	divu	a4, a5, a4
	andi	a5, a1, 7
	li	a6, 31
	srl	a6, a6, a5
	andi	a6, a6, 4
	xor	a3, a3, a1
	beqz	a6, .LBB0_2
# %bb.1:
	mul	a6, a4, a0
	andi	a6, a6, 1
	bnez	a6, .LBB0_9
.LBB0_2:
	mul	s0, a4, a4
	add	a5, a4, a0
	bltu	s0, a5, .LBB0_4
# %bb.3:
	mv	s0, a5
.LBB0_4:
	add	s0, s0, a3
	xor	a4, a4, a0
	xori	a4, a4, 4
.LBB0_5:
	add	a4, a4, a0
	andi	a2, a2, 7
	xori	s1, a4, 29
	beqz	a2, .LBB0_7
# %bb.6:
	andi	a3, a0, 63
	slli	a3, a3, 2
	lui	a4, %hi(table)
	addi	a4, a4, %lo(table)
	add	a3, a4, a3
	lw	a3, 0(a3)
	andi	a5, s1, 63
	slli	a5, a5, 2
	add	a4, a4, a5
	lw	a4, 0(a4)
	xor	a0, a1, a0
	addi	a0, a0, 25
	add	a1, a4, a3
	addi	a2, a2, -1
	call	f0
	add	s0, a0, s0
.LBB0_7:
	xor	a0, s0, s1
.LBB0_8:
	lw	ra, 12(sp)                      # 4-byte Folded Reload
	lw	s0, 8(sp)                       # 4-byte Folded Reload
	lw	s1, 4(sp)                       # 4-byte Folded Reload
	addi	sp, sp, 16
	ret
.LBB0_9:
	andi	a6, a0, 1
	li	a4, 4
	bnez	a6, .LBB0_14
# %bb.10:
	addi	a5, a5, 1
	divu	a5, a4, a5
	xori	a4, a1, 1
	add	s0, a3, a5
	addi	s0, s0, 4
	beqz	a2, .LBB0_13
# %bb.11:
	andi	a6, a4, 63
	slli	a6, a6, 2
	lui	a7, %hi(table)
	addi	a7, a7, %lo(table)
	add	a6, a7, a6
	lbu	a6, 0(a6)
	andi	a6, a6, 1
	beqz	a6, .LBB0_5
# %bb.12:
	addi	a2, a2, -1
	addi	a1, a5, 4
	mul	a1, a2, a1
	slli	a5, a5, 1
	add	a3, a3, a5
	add	a1, a3, a1
	addi	s0, a1, 8
.LBB0_13:
	add	a0, a4, a0
	xori	s1, a0, 29
	j	.LBB0_7
.LBB0_14:
	li	a0, 4
	j	.LBB0_8
.Lfunc_end0:
	.size	f0, .Lfunc_end0-f0
                                        # -- End function
	.globl	kernel                          # -- Begin function kernel
	.p2align	2
	.type	kernel,@function
kernel:                                 # @kernel
# %bb.0:
	andi	a2, a0, 63
	slli	a2, a2, 2
	lui	a3, %hi(table)
	addi	a3, a3, %lo(table)
	add	a2, a3, a2
	lw	a2, 0(a2)
	andi	a3, a1, 7
	li	a4, 34
	srl	a3, a4, a3
	andi	a2, a2, 7
	srl	a2, a3, a2
	add	a4, a2, a3
	xor	a3, a2, a1
	slli	a5, a1, 3
	addi	a5, a5, 23
	mul	a3, a3, a5
	mul	a5, a4, a2
	and	a1, a4, a1
	sub	a1, a5, a1
	add	a4, a1, a3
	slli	a4, a4, 3
	mv	a5, a2
	bltu	a2, a3, .LBB1_2
# %bb.1:
	mv	a5, a3
.LBB1_2:
	add	a4, a4, a5
	slli	a3, a1, 1
	add	a1, a1, a2
	add	a1, a3, a1
	slli	a2, a4, 2
	add	a2, a2, a4
	add	a1, a1, a2
	slli	a0, a0, 2
	lui	a2, %hi(out)
	addi	a2, a2, %lo(out)
	add	a0, a2, a0
	sw	a1, 0(a0)
	ret
.Lfunc_end1:
	.size	kernel, .Lfunc_end1-kernel
                                        # -- End function
	.type	table,@object                   # @table
	.section	.rodata,"a",@progbits
	.globl	table
	.p2align	2, 0x0
table:
	.word	62991463                        # 0x3c12c67
	.word	715225985                       # 0x2aa17b81
	.word	3521575104                      # 0xd1e6f8c0
	.word	3781478688                      # 0xe164c920
	.word	790142902                       # 0x2f189fb6
	.word	4229387335                      # 0xfc175447
	.word	324006798                       # 0x134ff38e
	.word	2029025756                      # 0x78f079dc
	.word	1396866                         # 0x155082
	.word	3238523333                      # 0xc107f1c5
	.word	1142558517                      # 0x441a0f35
	.word	734942682                       # 0x2bce55da
	.word	3935605822                      # 0xea94943e
	.word	2511831011                      # 0x95b77fe3
	.word	2680639992                      # 0x9fc751f8
	.word	2998900220                      # 0xb2bf95fc
	.word	221969659                       # 0xd3afcfb
	.word	3172483839                      # 0xbd1842ff
	.word	2606677855                      # 0x9b5ebf5f
	.word	397027524                       # 0x17aa28c4
	.word	2546077972                      # 0x97c21114
	.word	1748463922                      # 0x68377132
	.word	2960299194                      # 0xb07294ba
	.word	482497887                       # 0x1cc2555f
	.word	4214513592                      # 0xfb345fb8
	.word	1983956227                      # 0x7640c503
	.word	3792270781                      # 0xe20975bd
	.word	2182509697                      # 0x82167481
	.word	1111765368                      # 0x42443178
	.word	790418538                       # 0x2f1cd46a
	.word	519245367                       # 0x1ef30e37
	.word	2465587907                      # 0x92f5e2c3
	.word	3070878765                      # 0xb709e42d
	.word	2626519524                      # 0x9c8d81e4
	.word	2872129573                      # 0xab313825
	.word	2552603554                      # 0x9825a3a2
	.word	2837917194                      # 0xa9272e0a
	.word	2184532727                      # 0x823552f7
	.word	1729827326                      # 0x671b11fe
	.word	2684405099                      # 0xa000c56b
	.word	186304705                       # 0xb1ac8c1
	.word	24415516                        # 0x1748d1c
	.word	1837148650                      # 0x6d80a9ea
	.word	1229450840                      # 0x4947ee58
	.word	997679272                       # 0x3b7760a8
	.word	1823881950                      # 0x6cb63ade
	.word	865729677                       # 0x3399fc8d
	.word	2370510347                      # 0x8d4b1e0b
	.word	2251512295                      # 0x863359e7
	.word	452329314                       # 0x1af5ff62
	.word	2097950554                      # 0x7d0c2f5a
	.word	726759853                       # 0x2b5179ad
	.word	3524816579                      # 0xd2186ec3
	.word	1939909808                      # 0x73a0acb0
	.word	707811152                       # 0x2a305750
	.word	3115825291                      # 0xb9b7b88b
	.word	1895106109                      # 0x70f5063d
	.word	1540696244                      # 0x5bd528b4
	.word	4133103039                      # 0xf65a25bf
	.word	1555827660                      # 0x5cbc0bcc
	.word	1978868327                      # 0x75f32267
	.word	2503977596                      # 0x953faa7c
	.word	2021667006                      # 0x788030be
	.word	2830886392                      # 0xa8bbe5f8
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
