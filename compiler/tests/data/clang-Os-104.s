	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p1_m2p0_a2p1_zicsr2p0_zmmul1p0"
	.file	"program.c"
	.p2align	2                               # -- Begin function f0
	.type	f0,@function
f0:                                     # @f0
# %bb.0:
	sub	a3, a1, a0
	mul	a3, a3, a3
	xor	a5, a1, a0
	andi	a4, a3, 5
	srl	a6, a0, a4
	andi	a7, a3, 8
	xori	a4, a3, 9
	beqz	a7, .LBB0_4
# %bb.1:
	andi	a7, a1, 7
	addi	a7, a7, 1
	divu	a7, a0, a7
	andi	a7, a7, 8
	bnez	a7, .LBB0_4
# %bb.2:
	mul	a7, a4, a1
	andi	a7, a7, 2
	bnez	a7, .LBB0_4
# %bb.3:
	andi	a7, a1, 63
	slli	a7, a7, 2
	lui	t0, %hi(table)
	addi	t0, t0, %lo(table)
	add	a7, t0, a7
	lw	a7, 0(a7)
	sub	t0, a4, a1
	andi	a7, a7, 7
	addi	a7, a7, 1
	divu	a7, t0, a7
	xor	a4, a7, a4
.LBB0_4:
	andi	a7, a1, 1
	add	a5, a6, a5
	bnez	a7, .LBB0_23
# %bb.5:
	addi	a6, a0, -19
	lui	a7, 699051
	addi	a7, a7, -1365
	mulhu	a7, a6, a7
	srli	a7, a7, 2
	slli	t0, a7, 3
	slli	a7, a7, 1
	sub	a7, a7, t0
	add	a6, a6, a7
	li	a7, 4
	bltu	a7, a6, .LBB0_21
# %bb.6:
	slli	a6, a6, 2
	lui	a7, %hi(.LJTI0_0)
	addi	a7, a7, %lo(.LJTI0_0)
	add	a6, a6, a7
	lw	a6, 0(a6)
	jr	a6
.LBB0_7:
	mul	a2, a0, a0
	andi	a2, a2, 5
	slli	a2, a2, 2
	lui	a6, %hi(count)
	addi	a6, a6, %lo(count)
	add	a2, a6, a2
	li	a6, 11
	sub	a6, a6, a3
	amoadd.w	zero, a6, (a2)
	j	.LBB0_22
.LBB0_8:
	xori	a4, a4, 31
	j	.LBB0_22
.LBB0_9:
	andi	a2, a5, 63
	slli	a2, a2, 2
	lui	a5, %hi(table)
	addi	a5, a5, %lo(table)
	add	a2, a5, a2
	lw	a5, 0(a2)
	bltu	a5, a4, .LBB0_22
# %bb.10:
	mv	a5, a4
	j	.LBB0_22
.LBB0_11:
	andi	a2, a1, 62
	slli	a2, a2, 2
	lui	a6, %hi(table)
	addi	a6, a6, %lo(table)
	add	a2, a6, a2
	lw	a2, 0(a2)
	xori	a6, a1, 4
	bltu	a2, a6, .LBB0_13
# %bb.12:
	mv	a2, a6
.LBB0_13:
	xor	a3, a2, a3
	j	.LBB0_22
.LBB0_14:
	andi	a6, a5, 7
	srl	a6, a5, a6
	lui	a7, 233017
	addi	a7, a7, -455
	mulhu	a7, a6, a7
	srli	a7, a7, 1
	slli	t0, a7, 3
	sub	a6, a6, a7
	sub	a6, a6, t0
	li	a7, 7
	bltu	a7, a6, .LBB0_21
# %bb.15:
	slli	a6, a6, 2
	lui	a7, %hi(.LJTI0_1)
	addi	a7, a7, %lo(.LJTI0_1)
	add	a6, a6, a7
	lw	a6, 0(a6)
	jr	a6
.LBB0_16:
	andi	a2, a0, 7
	addi	a2, a2, 1
	li	a3, 32
	divu	a2, a3, a2
	xori	a3, a2, 15
.LBB0_17:
	add	a4, a4, a5
.LBB0_18:
	li	a6, 36
	mv	a2, a5
	bltu	a5, a6, .LBB0_20
# %bb.19:
	li	a2, 36
.LBB0_20:
	andi	a6, a0, 7
	srl	a2, a2, a6
	add	a5, a2, a5
	j	.LBB0_22
.LBB0_21:
	addi	a3, a3, 1
.LBB0_22:
	add	a0, a1, a0
	sub	a4, a4, a3
	andi	a4, a4, 7
	srl	a0, a0, a4
	xor	a3, a0, a3
.LBB0_23:
	xor	a0, a3, a5
	ret
.LBB0_24:
	and	a2, a4, a0
	j	.LBB0_13
.LBB0_25:
	beqz	a2, .LBB0_31
# %bb.26:
	addi	a6, a5, 11
	addi	a5, a5, -15
	mul	a5, a6, a5
.LBB0_27:                               # =>This Inner Loop Header: Depth=1
	mv	a6, a3
	bltu	a3, a0, .LBB0_29
# %bb.28:                               #   in Loop: Header=BB0_27 Depth=1
	mv	a6, a0
.LBB0_29:                               #   in Loop: Header=BB0_27 Depth=1
	andi	a6, a6, 1
	beqz	a6, .LBB0_31
# %bb.30:                               #   in Loop: Header=BB0_27 Depth=1
	addi	a2, a2, -1
	add	a3, a3, a5
	bnez	a2, .LBB0_27
.LBB0_31:
	li	a5, 30
	mv	a2, a1
	bltu	a1, a5, .LBB0_33
# %bb.32:
	li	a2, 30
.LBB0_33:
	slli	a5, a4, 2
	xor	a5, a5, a2
	j	.LBB0_22
.LBB0_34:
	and	a2, a3, a1
	bltu	a2, a0, .LBB0_13
# %bb.35:
	mv	a2, a0
	j	.LBB0_13
.Lfunc_end0:
	.size	f0, .Lfunc_end0-f0
	.section	.rodata,"a",@progbits
	.p2align	2, 0x0
.LJTI0_0:
	.word	.LBB0_7
	.word	.LBB0_14
	.word	.LBB0_9
	.word	.LBB0_11
	.word	.LBB0_8
.LJTI0_1:
	.word	.LBB0_34
	.word	.LBB0_25
	.word	.LBB0_31
	.word	.LBB0_16
	.word	.LBB0_16
	.word	.LBB0_17
	.word	.LBB0_18
	.word	.LBB0_24
                                        # -- End function
	.text
	.globl	kernel                          # -- Begin function kernel
	.p2align	2
	.type	kernel,@function
kernel:                                 # @kernel
# %bb.0:
	xori	a1, a0, 1
	lui	a2, 652132
	addi	a2, a2, 776
	xor	a2, a0, a2
	lui	a3, 699051
	addi	a3, a3, -1365
	mulhu	a2, a2, a3
	srli	a2, a2, 1
	slli	a3, a1, 1
	add	a1, a3, a1
	slli	a3, a2, 2
	add	a2, a3, a2
	lui	a3, 767065
	addi	a3, a3, 566
	add	a1, a1, a3
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
	.word	2797505528                      # 0xa6be8bf8
	.word	112250559                       # 0x6b0cebf
	.word	223410792                       # 0xd50fa68
	.word	3413575872                      # 0xcb7708c0
	.word	3664044301                      # 0xda64e10d
	.word	2671133449                      # 0x9f364309
	.word	4007212417                      # 0xeed93581
	.word	1207126182                      # 0x47f348a6
	.word	2840909243                      # 0xa954d5bb
	.word	2864735303                      # 0xaac06447
	.word	2475837468                      # 0x9392481c
	.word	1420863386                      # 0x54b0a79a
	.word	4178076715                      # 0xf908642b
	.word	1359423306                      # 0x5107274a
	.word	4120264142                      # 0xf5963dce
	.word	381473179                       # 0x16bcd19b
	.word	579959796                       # 0x22917bf4
	.word	2879338114                      # 0xab9f3682
	.word	3183663585                      # 0xbdc2d9e1
	.word	1791621980                      # 0x6ac9fb5c
	.word	3573665589                      # 0xd501cf35
	.word	1674602077                      # 0x63d0665d
	.word	646755867                       # 0x268cb61b
	.word	3345975970                      # 0xc76f8aa2
	.word	2598538339                      # 0x9ae28c63
	.word	1231588938                      # 0x49688e4a
	.word	931726946                       # 0x37890662
	.word	1441400698                      # 0x55ea077a
	.word	3312547612                      # 0xc571771c
	.word	2109479368                      # 0x7dbc19c8
	.word	3811933825                      # 0xe3357e81
	.word	4071969058                      # 0xf2b55122
	.word	2967628636                      # 0xb0e26b5c
	.word	2928020111                      # 0xae860a8f
	.word	1758297833                      # 0x68cd7ee9
	.word	3467221512                      # 0xcea99a08
	.word	2658808918                      # 0x9e7a3456
	.word	600559946                       # 0x23cbd14a
	.word	4218107929                      # 0xfb6b3819
	.word	381218795                       # 0x16b8efeb
	.word	215357677                       # 0xcd618ed
	.word	1802581606                      # 0x6b713666
	.word	2712881305                      # 0xa1b34899
	.word	3140344076                      # 0xbb2dd90c
	.word	2656245168                      # 0x9e5315b0
	.word	239197926                       # 0xe41dee6
	.word	550333884                       # 0x20cd6dbc
	.word	3784611915                      # 0xe194984b
	.word	1921047376                      # 0x7280db50
	.word	2250023073                      # 0x861ca0a1
	.word	895245465                       # 0x355c5c99
	.word	4220309685                      # 0xfb8cd0b5
	.word	2158914376                      # 0x80ae6b48
	.word	3832856319                      # 0xe474beff
	.word	3984451565                      # 0xed7de7ed
	.word	1127663483                      # 0x4336c77b
	.word	1849805604                      # 0x6e41cb24
	.word	2883282027                      # 0xabdb646b
	.word	4157825032                      # 0xf7d36008
	.word	3710569951                      # 0xdd2acddf
	.word	4022860450                      # 0xefc7faa2
	.word	2807952662                      # 0xa75df516
	.word	3011360740                      # 0xb37db7e4
	.word	3249195928                      # 0xc1aacb98
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
	.addrsig_sym count
