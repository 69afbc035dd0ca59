# Made from recursion.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S recursion.c
	.file	"recursion.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
 #APP
	.pushsection .text,"ax",@progbits
	.align	2
	.globl	_start
_start:
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	call	kernel
	.insn	i 0x5B, 2, x0, 0(x0)
	.popsection
 #NO_APP
	.align	2
	.globl	fibonacci
	.type	fibonacci, @function
fibonacci:
	addi	sp,sp,-16
	sw	s0,8(sp)
	sw	ra,12(sp)
	mv	s0,a0
 #APP
# 20 "recursion.c" 1
	.insn j 0x0B, x0, .L2
# 0 "" 2
 #NO_APP
	li	a5,1
	bgtu	a0,a5,.L6
 #APP
# 23 "recursion.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
.L2:
	lw	ra,12(sp)
	mv	a0,s0
	lw	s0,8(sp)
	addi	sp,sp,16
	jr	ra
.L6:
	addi	a0,a0,-1
	call	fibonacci
	mv	a5,a0
	addi	a0,s0,-2
	mv	s0,a5
	call	fibonacci
	add	s0,s0,a0
 #APP
# 23 "recursion.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
	.size	fibonacci, .-fibonacci
	.align	2
	.type	first, @function
first:
	addi	a0,a0,3
	tail	fibonacci
	.size	first, .-first
	.align	2
	.globl	ackermann
	.type	ackermann, @function
ackermann:
	beq	a0,zero,.L22
	addi	sp,sp,-16
	sw	s0,8(sp)
	sw	ra,12(sp)
	mv	s0,a0
.L10:
	mv	a0,s0
	addi	s0,s0,-1
	bne	a1,zero,.L23
	li	a1,1
	bne	s0,zero,.L10
.L9:
	lw	ra,12(sp)
	lw	s0,8(sp)
	addi	a0,a1,1
	addi	sp,sp,16
	jr	ra
.L23:
	addi	a1,a1,-1
	call	ackermann
	mv	a1,a0
	bne	s0,zero,.L10
	j	.L9
.L22:
	addi	a0,a1,1
	ret
	.size	ackermann, .-ackermann
	.align	2
	.type	second, @function
second:
	mv	a1,a0
	li	a0,2
	tail	ackermann
	.size	second, .-second
	.align	2
	.globl	partitions
	.type	partitions, @function
partitions:
	addi	sp,sp,-16
	sw	s2,0(sp)
	sw	ra,12(sp)
	sw	s0,8(sp)
	sw	s1,4(sp)
	li	s2,1
	beq	a0,zero,.L25
	mv	s1,a0
	mv	s0,a0
	bgtu	a0,a1,.L34
.L27:
	li	s2,0
	beq	s0,zero,.L25
.L28:
	mv	a1,s0
	sub	a0,s1,s0
	call	partitions
	addi	s0,s0,-1
	add	s2,s2,a0
	bne	s0,zero,.L28
.L25:
	lw	ra,12(sp)
	lw	s0,8(sp)
	lw	s1,4(sp)
	mv	a0,s2
	lw	s2,0(sp)
	addi	sp,sp,16
	jr	ra
.L34:
	mv	s0,a1
	j	.L27
	.size	partitions, .-partitions
	.align	2
	.type	third, @function
third:
	addi	a1,a0,5
	mv	a0,a1
	tail	partitions
	.size	third, .-third
	.align	2
	.globl	power
	.type	power, @function
power:
	bne	a1,zero,.L44
	li	a0,1
	ret
.L44:
	addi	sp,sp,-16
	sw	s0,8(sp)
	mv	s0,a1
	srli	a1,a1,1
	sw	s1,4(sp)
	sw	ra,12(sp)
	mv	s1,a0
	andi	s0,s0,1
	call	power
	mul	a0,a0,a0
	beq	s0,zero,.L36
	mul	a0,a0,s1
.L36:
	lw	ra,12(sp)
	lw	s0,8(sp)
	lw	s1,4(sp)
	addi	sp,sp,16
	jr	ra
	.size	power, .-power
	.align	2
	.type	fourth, @function
fourth:
	addi	a1,a0,1
	li	a0,3
	tail	power
	.size	fourth, .-fourth
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	sp,sp,-16
	sw	s0,8(sp)
	sw	ra,12(sp)
	mv	s0,a0
 #APP
# 67 "recursion.c" 1
	.insn j 0x0B, x0, .L47
# 0 "" 2
 #NO_APP
	lui	a5,%hi(.LANCHOR0)
	andi	a4,a0,3
	slli	a4,a4,2
	addi	a5,a5,%lo(.LANCHOR0)
	add	a5,a5,a4
	lw	a5,0(a5)
	srli	a0,a0,2
	andi	a0,a0,7
	jalr	a5
 #APP
# 69 "recursion.c" 1
	.insn b 0x2B, 0, x0, x0, .L47
# 0 "" 2
 #NO_APP
.L47:
	lui	a5,%hi(result)
	slli	s0,s0,2
	addi	a5,a5,%lo(result)
	lw	ra,12(sp)
	add	a5,a5,s0
	lw	s0,8(sp)
	sw	a0,0(a5)
	addi	sp,sp,16
	jr	ra
	.size	kernel, .-kernel
	.globl	result
	.section	.rodata
	.align	2
	.set	.LANCHOR0,. + 0
	.type	table, @object
	.size	table, 16
table:
	.word	first
	.word	second
	.word	third
	.word	fourth
	.bss
	.align	2
	.type	result, @object
	.size	result, 4096
result:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
