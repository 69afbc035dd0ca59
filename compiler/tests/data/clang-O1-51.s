	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p1_m2p0_a2p1_zicsr2p0_zmmul1p0"
	.file	"program.c"
	.globl	kernel                          # -- Begin function kernel
	.p2align	2
	.type	kernel,@function
kernel:                                 # @kernel
# %bb.0:
	li	a2, 29
	mul	a2, a1, a2
	andi	a2, a2, 63
	slli	a3, a2, 2
	lui	a2, %hi(table)
	addi	a2, a2, %lo(table)
	slli	a4, a1, 3
	add	a4, a0, a4
	addi	a5, a4, -32
	li	a6, 57
	sub	a6, a6, a4
	add	a3, a2, a3
	mv	a4, a5
	bltu	a5, a6, .LBB0_2
# %bb.1:
	mv	a4, a6
.LBB0_2:
	lw	a3, 0(a3)
	li	a6, 27
	bltu	a4, a6, .LBB0_4
# %bb.3:
	li	a4, 27
.LBB0_4:
	addi	a6, a3, 7
	andi	a6, a6, 63
	slli	a6, a6, 2
	add	a6, a2, a6
	andi	a7, a3, 63
	slli	a7, a7, 2
	add	a7, a2, a7
	lbu	a7, 0(a7)
	lw	a6, 0(a6)
	andi	a7, a7, 1
	xor	a4, a6, a4
	bnez	a7, .LBB0_26
# %bb.5:
	andi	a6, a0, 7
	addi	a6, a6, 1
	divu	t1, a0, a6
	sub	a6, a0, a3
	andi	a6, a6, 7
	srl	a6, t1, a6
	xor	a5, a6, a5
	andi	a7, a5, 7
	li	a6, 25
	srl	a7, a6, a7
	andi	a7, a7, 15
	beqz	a7, .LBB0_28
# %bb.6:
	addi	sp, sp, -16
	sw	s0, 12(sp)                      # 4-byte Folded Spill
	sw	s1, 8(sp)                       # 4-byte Folded Spill
	sw	s2, 4(sp)                       # 4-byte Folded Spill
	li	a7, 0
	li	t0, 0
	andi	t1, t1, 1
	lui	t2, 699051
	addi	t2, t2, -1365
	mulhu	t2, a0, t2
	srli	t2, t2, 1
	andi	t2, t2, 5
	li	t4, 60
	li	t3, 1
	j	.LBB0_8
.LBB0_7:                                #   in Loop: Header=BB0_8 Depth=1
	addi	t0, t0, 1
	andi	t5, a5, 7
	srl	t5, a6, t5
	andi	t5, t5, 15
	addi	a7, a7, 1
	bgeu	t0, t5, .LBB0_27
.LBB0_8:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_10 Depth 2
                                        #     Child Loop BB0_15 Depth 2
                                        #       Child Loop BB0_19 Depth 3
	andi	t5, t0, 3
	beqz	t5, .LBB0_11
# %bb.9:                                #   in Loop: Header=BB0_8 Depth=1
	andi	t5, a7, 3
.LBB0_10:                               #   Parent Loop BB0_8 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	addi	t5, t5, -1
	xor	a5, a5, a3
	bnez	t5, .LBB0_10
.LBB0_11:                               #   in Loop: Header=BB0_8 Depth=1
	andi	t5, a4, 7
	srl	t5, a4, t5
	andi	t5, t5, 7
	beqz	t5, .LBB0_7
# %bb.12:                               #   in Loop: Header=BB0_8 Depth=1
	li	t5, 0
	slli	t6, t0, 3
	j	.LBB0_15
.LBB0_13:                               #   in Loop: Header=BB0_15 Depth=2
	addi	t4, s1, 1
.LBB0_14:                               #   in Loop: Header=BB0_15 Depth=2
	add	s0, a4, t6
	sub	s1, t5, a1
	andi	s1, s1, 7
	addi	s1, s1, 1
	divu	s0, s0, s1
	addi	t5, t5, 1
	andi	s1, a4, 7
	srl	s1, a4, s1
	andi	s1, s1, 7
	add	a5, s0, a5
	bgeu	t5, s1, .LBB0_7
.LBB0_15:                               #   Parent Loop BB0_8 Depth=1
                                        # =>  This Loop Header: Depth=2
                                        #       Child Loop BB0_19 Depth 3
	andi	a4, a3, 7
	srl	a4, a0, a4
	xor	a4, a4, a5
	beqz	t1, .LBB0_14
# %bb.16:                               #   in Loop: Header=BB0_15 Depth=2
	beqz	t4, .LBB0_14
# %bb.17:                               #   in Loop: Header=BB0_15 Depth=2
	andi	s0, a4, 4
	beqz	s0, .LBB0_14
# %bb.18:                               #   in Loop: Header=BB0_15 Depth=2
	addi	s0, t5, 288
	addi	t4, t4, -1
.LBB0_19:                               #   Parent Loop BB0_8 Depth=1
                                        #     Parent Loop BB0_15 Depth=2
                                        # =>    This Inner Loop Header: Depth=3
	sub	s1, t3, a4
	andi	s1, s1, 7
	beqz	s1, .LBB0_21
# %bb.20:                               #   in Loop: Header=BB0_19 Depth=3
	andi	a4, t4, 63
	slli	a4, a4, 2
	add	a4, a2, a4
	lw	s1, 0(a4)
	li	a4, 0
	and	s1, s1, s0
	add	a5, s1, a5
	xor	a3, a3, t2
.LBB0_21:                               #   in Loop: Header=BB0_19 Depth=3
	andi	s1, a4, 15
	beqz	s1, .LBB0_23
# %bb.22:                               #   in Loop: Header=BB0_19 Depth=3
	andi	a5, a4, 7
	srl	a5, a3, a5
.LBB0_23:                               #   in Loop: Header=BB0_19 Depth=3
	addi	s1, t4, -1
	beqz	t1, .LBB0_13
# %bb.24:                               #   in Loop: Header=BB0_19 Depth=3
	beqz	t4, .LBB0_13
# %bb.25:                               #   in Loop: Header=BB0_19 Depth=3
	andi	s2, a4, 4
	mv	t4, s1
	bnez	s2, .LBB0_19
	j	.LBB0_13
.LBB0_26:
	addi	a4, a4, 39
	j	.LBB0_31
.LBB0_27:
	lw	s0, 12(sp)                      # 4-byte Folded Reload
	lw	s1, 8(sp)                       # 4-byte Folded Reload
	lw	s2, 4(sp)                       # 4-byte Folded Reload
	addi	sp, sp, 16
.LBB0_28:
	slli	a6, a0, 3
	mv	a7, a1
	bltu	a1, a0, .LBB0_30
# %bb.29:
	mv	a7, a0
.LBB0_30:
	add	a5, a7, a5
	add	a5, a5, a6
.LBB0_31:
	andi	a6, a5, 7
	srl	a6, a4, a6
	andi	a6, a6, 3
	beqz	a6, .LBB0_40
# %bb.32:
	li	a6, 0
	mul	a7, a0, a1
	slli	a7, a7, 3
	andi	t0, a0, 8
	srli	t1, a0, 2
	j	.LBB0_34
.LBB0_33:                               #   in Loop: Header=BB0_34 Depth=1
	addi	t2, a3, 58
	andi	t2, t2, 63
	slli	t2, t2, 2
	add	t2, a2, t2
	lw	t2, 0(t2)
	xor	a5, t2, a5
	addi	a6, a6, 1
	andi	t2, a5, 7
	srl	t2, a4, t2
	andi	t2, t2, 3
	bgeu	a6, t2, .LBB0_40
.LBB0_34:                               # =>This Loop Header: Depth=1
                                        #     Child Loop BB0_37 Depth 2
	andi	t2, a4, 1
	beqz	t2, .LBB0_33
# %bb.35:                               #   in Loop: Header=BB0_34 Depth=1
	li	t2, 0
	andi	t3, a5, 63
	slli	t3, t3, 2
	add	t3, a2, t3
	j	.LBB0_37
.LBB0_36:                               #   in Loop: Header=BB0_37 Depth=2
	addi	t2, t2, 1
	slli	t4, a4, 1
	andi	t4, t4, 2
	bgeu	t2, t4, .LBB0_33
.LBB0_37:                               #   Parent Loop BB0_34 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	beqz	t0, .LBB0_36
# %bb.38:                               #   in Loop: Header=BB0_37 Depth=2
	xor	t4, t2, a5
	andi	t4, t4, 1
	bnez	t4, .LBB0_36
# %bb.39:                               #   in Loop: Header=BB0_37 Depth=2
	lw	a3, 0(t3)
	xor	t4, a3, a0
	andi	t4, t4, 7
	srl	t4, t1, t4
	add	a3, a3, a7
	xor	a3, t4, a3
	xor	a4, a4, a1
	j	.LBB0_36
.LBB0_40:
	andi	a1, a0, 63
	slli	a1, a1, 2
	add	a1, a2, a1
	lw	a1, 0(a1)
	xor	a1, a1, a3
	slli	a2, a5, 1
	add	a2, a2, a5
	slli	a3, a4, 2
	add	a3, a3, a4
	add	a1, a3, a1
	add	a1, a1, a2
	slli	a0, a0, 2
	lui	a2, %hi(out)
	addi	a2, a2, %lo(out)
	add	a0, a2, a0
	sw	a1, 0(a0)
	ret
.Lfunc_end0:
	.size	kernel, .Lfunc_end0-kernel
                                        # -- End function
	.type	table,@object                   # @table
	.section	.rodata,"a",@progbits
	.globl	table
	.p2align	2, 0x0
table:
	.word	2952704934                      # 0xaffeb3a6
	.word	3403577972                      # 0xcade7a74
	.word	940625059                       # 0x3810cca3
	.word	884733223                       # 0x34bbf527
	.word	2772651178                      # 0xa5434caa
	.word	2050342388                      # 0x7a35bdf4
	.word	3638621187                      # 0xd8e0f403
	.word	2539586580                      # 0x975f0414
	.word	3799340141                      # 0xe275546d
	.word	2487140453                      # 0x943ec065
	.word	3867865537                      # 0xe68af1c1
	.word	3450683606                      # 0xcdad40d6
	.word	271935320                       # 0x10356758
	.word	1651732222                      # 0x62736efe
	.word	819603624                       # 0x30da28a8
	.word	3813539690                      # 0xe34dff6a
	.word	2198333982                      # 0x8307ea1e
	.word	363685741                       # 0x15ad676d
	.word	2529240026                      # 0x96c123da
	.word	3475923334                      # 0xcf2e6186
	.word	3598703262                      # 0xd67fda9e
	.word	2894996351                      # 0xac8e237f
	.word	1316637023                      # 0x4e7a495f
	.word	1732881553                      # 0x6749ac91
	.word	465239009                       # 0x1bbafbe1
	.word	400608041                       # 0x17e0cb29
	.word	2420993288                      # 0x904d6d08
	.word	1062017998                      # 0x3f4d1bce
	.word	3287499400                      # 0xc3f34288
	.word	1438652471                      # 0x55c01837
	.word	2516413329                      # 0x95fd6b91
	.word	2222732435                      # 0x847c3493
	.word	1200480462                      # 0x478de0ce
	.word	1829248847                      # 0x6d081f4f
	.word	4117076500                      # 0xf5659a14
	.word	50232063                        # 0x2fe7aff
	.word	966332206                       # 0x39990f2e
	.word	1900967887                      # 0x714e77cf
	.word	338504377                       # 0x142d2ab9
	.word	1316821281                      # 0x4e7d1921
	.word	4201776095                      # 0xfa7203df
	.word	2002165264                      # 0x77569e10
	.word	3880317651                      # 0xe748f2d3
	.word	3925661876                      # 0xe9fcd8b4
	.word	2308224266                      # 0x8994b50a
	.word	704195722                       # 0x29f92c8a
	.word	379169826                       # 0x1699ac22
	.word	3411788260                      # 0xcb5bc1e4
	.word	3646573409                      # 0xd95a4b61
	.word	3604034228                      # 0xd6d132b4
	.word	3106507357                      # 0xb9298a5d
	.word	3279981083                      # 0xc3808a1b
	.word	1839183804                      # 0x6d9fb7bc
	.word	1066659317                      # 0x3f93edf5
	.word	764819455                       # 0x2d9637ff
	.word	2709516386                      # 0xa17ff062
	.word	2376428548                      # 0x8da56c04
	.word	4099779414                      # 0xf45dab56
	.word	2537958223                      # 0x97462b4f
	.word	2055257748                      # 0x7a80be94
	.word	1489802874                      # 0x58cc967a
	.word	2279941751                      # 0x87e52677
	.word	500048390                       # 0x1dce2206
	.word	3308719670                      # 0xc5370e36
	.size	table, 256

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
