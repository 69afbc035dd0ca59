	.file	"switch.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	choose
	.type	choose, @function
choose:
	li	a5,7
	bgtu	a0,a5,.L12
	lui	a5,%hi(.L4)
	slli	a0,a0,2
	addi	a5,a5,%lo(.L4)
	add	a5,a0,a5
	lw	a5,0(a5)
	jr	a5
	.section	.rodata
	.align	2
	.align	2
.L4:
	.word	.L11
	.word	.L10
	.word	.L9
	.word	.L8
	.word	.L7
	.word	.L6
	.word	.L5
	.word	.L3
	.text
.L5:
	slli	a0,a1,3
	ret
.L3:
	srli	a0,a1,5
	ret
.L11:
	addi	a0,a1,1
	ret
.L10:
	slli	a5,a1,1
	add	a0,a5,a1
	ret
.L9:
	li	a5,7
	div	a0,a1,a5
	ret
.L8:
	li	a5,10
	rem	a0,a1,a5
	ret
.L7:
	li	a5,348160
	addi	a5,a5,1365
	xor	a0,a1,a5
	ret
.L6:
	neg	a0,a1
	ret
.L12:
	li	a0,0
	ret
	.size	choose, .-choose
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	li	a5,5
	remu	a5,a0,a5
	lui	t1,%hi(.LANCHOR0)
	addi	t1,t1,%lo(.LANCHOR0)
	addi	sp,sp,-16
	sw	s0,8(sp)
	sw	ra,12(sp)
	lui	s0,%hi(.LANCHOR1)
	addi	s0,s0,%lo(.LANCHOR1)
	slli	a5,a5,2
	add	a5,t1,a5
	lw	a7,0(a5)
	lbu	a5,0(a7)
	beq	a5,zero,.L15
	lui	s0,%hi(.LANCHOR1)
	li	a3,0
	addi	s0,s0,%lo(.LANCHOR1)
.L16:
	andi	a4,a3,15
	add	a4,s0,a4
	lbu	a6,0(a4)
	addi	a3,a3,1
	add	a2,a7,a3
	add	a5,a5,a6
	sb	a5,0(a4)
	lbu	a5,0(a2)
	bne	a5,zero,.L16
.L15:
	li	a5,7
	remu	a6,a1,a5
	lui	a4,%hi(.LANCHOR2)
	andi	a1,a0,3
	addi	a4,a4,%lo(.LANCHOR2)
	slli	a1,a1,1
	add	a1,a4,a1
	lw	a3,24(t1)
	addi	a7,a0,1
	lw	t3,16(s0)
	lw	a5,28(t1)
	lhu	a1,0(a1)
	sltu	a2,a7,a0
	addi	a2,a2,1
	add	a1,a1,t3
	andi	a0,a0,7
	add	a4,a4,a6
	lb	a4,8(a4)
	mul	a2,a3,a2
	add	a1,a1,a4
	mul	a5,a5,a7
	mulhu	a4,a3,a7
	add	a5,a5,a2
	mul	a3,a3,a7
	add	a5,a5,a4
	sw	a5,28(t1)
	sw	a3,24(t1)
	call	choose
	lw	ra,12(sp)
	sw	a0,16(s0)
	lw	s0,8(sp)
	addi	sp,sp,16
	jr	ra
	.size	kernel, .-kernel
	.globl	total
	.globl	out
	.globl	product
	.globl	names
	.section	.rodata.str1.4,"aMS",@progbits,1
	.align	2
.LC0:
	.string	"zero"
	.align	2
.LC1:
	.string	"one"
	.align	2
.LC2:
	.string	"two"
	.align	2
.LC3:
	.string	"tab\t\"quoted\" \\ \001"
	.align	2
.LC4:
	.string	"four"
	.data
	.align	3
	.set	.LANCHOR0,. + 0
	.type	names, @object
	.size	names, 20
names:
	.word	.LC0
	.word	.LC1
	.word	.LC2
	.word	.LC3
	.word	.LC4
	.zero	4
	.type	product, @object
	.size	product, 8
product:
	.word	-1698898192
	.word	305419896
	.bss
	.align	2
	.set	.LANCHOR1,. + 0
	.type	out, @object
	.size	out, 16
out:
	.zero	16
	.type	total, @object
	.size	total, 4
total:
	.zero	4
	.section	.rodata
	.align	2
	.set	.LANCHOR2,. + 0
	.type	weights, @object
	.size	weights, 8
weights:
	.half	1
	.half	-1
	.half	3
	.half	-32768
	.type	counts, @object
	.size	counts, 7
counts:
	.string	"\377\002\375"
	.zero	3
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
