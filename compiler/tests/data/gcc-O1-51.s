	.file	"program.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	sp,sp,-32
	sw	s0,28(sp)
	sw	s1,24(sp)
	sw	s2,20(sp)
	sw	s3,16(sp)
	sw	s4,12(sp)
	mv	t5,a0
	mv	t2,a1
	slli	a5,a1,3
	sub	a5,a5,a1
	slli	a5,a5,2
	add	a5,a5,a1
	andi	a5,a5,63
	slli	a5,a5,2
	lui	a4,%hi(.LANCHOR0)
	addi	a4,a4,%lo(.LANCHOR0)
	add	a5,a4,a5
	lw	a0,0(a5)
	addi	a1,a1,-4
	slli	a1,a1,3
	add	a1,a1,t5
	li	a3,25
	sub	a3,a3,a1
	mv	a5,a1
	li	a4,27
	bleu	a1,a4,.L2
	li	a5,27
.L2:
	bleu	a3,a5,.L3
	mv	a3,a5
.L3:
	lui	a4,%hi(.LANCHOR0)
	addi	a4,a4,%lo(.LANCHOR0)
	addi	a5,a0,7
	andi	a5,a5,63
	slli	a5,a5,2
	add	a5,a4,a5
	lw	a5,0(a5)
	xor	a3,a3,a5
	andi	a5,a0,63
	slli	a5,a5,2
	add	a4,a4,a5
	lw	t1,0(a4)
	andi	t1,t1,1
	beq	t1,zero,.L4
	addi	a3,a3,39
.L20:
	andi	a5,a1,7
	srl	a5,a3,a5
	andi	a5,a5,3
	beq	a5,zero,.L5
	mul	t3,t2,t5
	slli	t3,t3,3
	srli	t4,t5,2
	li	a7,0
	andi	a6,t5,8
	lui	t1,%hi(.LANCHOR0)
	addi	t1,t1,%lo(.LANCHOR0)
	j	.L6
.L4:
	andi	t6,t5,7
	addi	t6,t6,1
	divu	t6,t5,t6
	sub	a2,a1,a0
	andi	a2,a2,7
	srl	a2,t6,a2
	xor	a2,a2,a1
	andi	a4,a2,7
	li	a5,25
	srl	a5,a5,a4
	andi	a5,a5,15
	beq	a5,zero,.L7
	li	t3,3
	divu	t3,t5,t3
	andi	t3,t3,5
	mv	s1,t1
	li	a1,60
	li	s3,2
	li	s4,288
	andi	t6,t6,1
	li	a7,17
	lui	t4,%hi(.LANCHOR0)
	addi	t4,t4,%lo(.LANCHOR0)
	li	t0,-288
	sub	t0,t0,t2
	li	s2,25
	j	.L8
.L35:
	mv	a4,a2
	j	.L18
.L34:
	andi	a4,a3,15
	beq	a4,zero,.L13
	andi	a2,a3,7
	srl	a2,a0,a2
.L14:
	addi	a5,a5,1
	bne	a5,a4,.L14
.L13:
	beq	a1,zero,.L11
	andi	a5,a3,4
	beq	a5,zero,.L11
.L15:
	addi	a1,a1,-1
	sub	a5,a7,a3
	andi	a5,a5,7
	beq	a5,zero,.L34
	andi	a5,a1,63
	slli	a5,a5,2
	add	a5,t4,a5
	lw	a5,0(a5)
	and	a5,a6,a5
	add	a2,a2,a5
	xor	a0,a0,t3
	mv	a3,t1
	j	.L13
.L11:
	add	a5,s0,a3
	add	a4,t0,a6
	andi	a4,a4,7
	addi	a4,a4,1
	divu	a5,a5,a4
	add	a2,a2,a5
	addi	a4,a6,1
	addi	a6,a6,-287
	andi	a5,a3,7
	srl	a5,a3,a5
	andi	a5,a5,7
	bgeu	a6,a5,.L10
	mv	a6,a4
.L16:
	andi	a3,a0,7
	srl	a3,t5,a3
	xor	a3,a3,a2
	beq	a1,zero,.L11
	andi	a5,a3,4
	beq	a5,zero,.L11
	bne	t6,zero,.L15
	j	.L11
.L25:
	mv	a2,a4
.L10:
	addi	s1,s1,1
	andi	a5,a2,7
	srl	a5,s2,a5
	andi	a5,a5,15
	bleu	a5,s1,.L7
.L8:
	andi	a5,s1,3
	mv	a4,a2
	beq	a5,zero,.L18
	xor	a4,a0,a2
	andi	a6,s1,2
	beq	a6,zero,.L18
	bleu	a5,s3,.L35
.L18:
	andi	a5,a3,7
	srl	a5,a3,a5
	andi	a5,a5,7
	beq	a5,zero,.L25
	slli	s0,s1,3
	mv	a2,a4
	mv	a6,s4
	j	.L16
.L7:
	slli	a1,t5,3
	mv	a5,t2
	bleu	t2,t5,.L19
	mv	a5,t5
.L19:
	add	a1,a1,a5
	add	a1,a1,a2
	j	.L20
.L21:
	addi	a5,a5,1
	slli	a4,a3,1
	andi	a4,a4,2
	bleu	a4,a5,.L23
.L22:
	xor	a4,a1,a5
	andi	a4,a4,1
	bne	a4,zero,.L21
	beq	a6,zero,.L21
	lw	a4,0(a2)
	add	a4,t3,a4
	xor	a0,t5,a4
	andi	a0,a0,7
	srl	a0,t4,a0
	xor	a0,a0,a4
	xor	a3,a3,t2
	j	.L21
.L23:
	addi	a5,a0,-6
	andi	a5,a5,63
	slli	a5,a5,2
	add	a5,t1,a5
	lw	a5,0(a5)
	xor	a1,a1,a5
	addi	a7,a7,1
	andi	a5,a1,7
	srl	a5,a3,a5
	andi	a5,a5,3
	bleu	a5,a7,.L5
.L6:
	andi	a4,a3,1
	li	a5,0
	andi	a2,a1,63
	slli	a2,a2,2
	add	a2,t1,a2
	bne	a4,zero,.L22
	j	.L23
.L5:
	lui	a4,%hi(out)
	slli	a5,t5,2
	addi	a4,a4,%lo(out)
	add	a4,a4,a5
	andi	a5,t5,63
	slli	a5,a5,2
	lui	a2,%hi(.LANCHOR0)
	addi	a2,a2,%lo(.LANCHOR0)
	add	a5,a2,a5
	lw	a5,0(a5)
	xor	a5,a0,a5
	slli	a2,a1,1
	add	a2,a2,a1
	add	a5,a5,a2
	slli	a2,a3,2
	add	a3,a2,a3
	add	a5,a5,a3
	sw	a5,0(a4)
	lw	s0,28(sp)
	lw	s1,24(sp)
	lw	s2,20(sp)
	lw	s3,16(sp)
	lw	s4,12(sp)
	addi	sp,sp,32
	jr	ra
	.size	kernel, .-kernel
	.globl	table
	.globl	data
	.globl	count
	.globl	out
	.globl	guard
	.section	.rodata
	.align	2
	.set	.LANCHOR0,. + 0
	.type	table, @object
	.size	table, 256
table:
	.word	-1342262362
	.word	-891389324
	.word	940625059
	.word	884733223
	.word	-1522316118
	.word	2050342388
	.word	-656346109
	.word	-1755380716
	.word	-495627155
	.word	-1807826843
	.word	-427101759
	.word	-844283690
	.word	271935320
	.word	1651732222
	.word	819603624
	.word	-481427606
	.word	-2096633314
	.word	363685741
	.word	-1765727270
	.word	-819043962
	.word	-696264034
	.word	-1399970945
	.word	1316637023
	.word	1732881553
	.word	465239009
	.word	400608041
	.word	-1873974008
	.word	1062017998
	.word	-1007467896
	.word	1438652471
	.word	-1778553967
	.word	-2072234861
	.word	1200480462
	.word	1829248847
	.word	-177890796
	.word	50232063
	.word	966332206
	.word	1900967887
	.word	338504377
	.word	1316821281
	.word	-93191201
	.word	2002165264
	.word	-414649645
	.word	-369305420
	.word	-1986743030
	.word	704195722
	.word	379169826
	.word	-883179036
	.word	-648393887
	.word	-690933068
	.word	-1188459939
	.word	-1014986213
	.word	1839183804
	.word	1066659317
	.word	764819455
	.word	-1585450910
	.word	-1918538748
	.word	-195187882
	.word	-1757009073
	.word	2055257748
	.word	1489802874
	.word	-2015025545
	.word	500048390
	.word	-986247626
	.bss
	.align	2
	.type	data, @object
	.size	data, 256
data:
	.zero	256
	.type	count, @object
	.size	count, 32
count:
	.zero	32
	.type	out, @object
	.size	out, 4096
out:
	.zero	4096
	.type	guard, @object
	.size	guard, 16
guard:
	.zero	16
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
