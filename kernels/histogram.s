# Made from histogram.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S histogram.c
	.file	"histogram.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	li	a5,4096
	bgeu	a0,a5,.L1
	lui	t5,%hi(text)
	addi	t5,t5,%lo(text)
	lui	t3,%hi(.LANCHOR0)
	add	a7,t5,a0
	addi	t1,a0,1
	li	a2,25
	addi	t3,t3,%lo(.LANCHOR0)
	li	t4,1
	li	a6,4096
	j	.L3
.L21:
	lbu	a5,-1(a7)
	ori	a5,a5,32
	addi	a5,a5,-97
	bgtu	a5,a2,.L20
.L7:
	add	a0,a0,a1
	add	a7,a7,a1
	add	t1,t1,a1
	bgeu	a0,a6,.L1
.L3:
	lbu	a5,0(a7)
	beq	a5,zero,.L1
	ori	a5,a5,32
	addi	a5,a5,-97
	bgtu	a5,a2,.L4
	slli	a5,a5,2
	add	a5,t3,a5
	amoadd.w zero,t4,0(a5)
	li	a4,1
	bne	a0,zero,.L21
.L6:
	add	a3,t5,a4
.L10:
	lbu	a5,0(a3)
	addi	a3,a3,1
	ori	a5,a5,32
	addi	a5,a5,-97
	bgtu	a5,a2,.L9
	addi	a4,a4,1
	bne	a4,a6,.L10
.L9:
	lw	a5,108(t3)
	sub	a4,a4,a0
.L12:
	bleu	a4,a5,.L7
	addi	t0,t3,108
	 1: lr.w a3,0(t0); bne a3,a5,1f; sc.w t6,a4,0(t0); bnez t6,1b; 1:
	sub	t6,a3,a5
	mv	a5,a3
	bne	t6,zero,.L12
	add	a0,a0,a1
	add	a7,a7,a1
	add	t1,t1,a1
	bltu	a0,a6,.L3
.L1:
	ret
.L4:
	lui	a5,%hi(.LANCHOR0)
	addi	a5,a5,%lo(.LANCHOR0)
	li	a4,1
	addi	a5,a5,104
	amoadd.w zero,a4,0(a5)
	j	.L7
.L20:
	li	a5,4096
	beq	t1,a5,.L14
	mv	a4,t1
	j	.L6
.L14:
	li	a4,4096
	j	.L9
	.size	kernel, .-kernel
	.globl	longest
	.globl	others
	.globl	letters
	.globl	text
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	letters, @object
	.size	letters, 104
letters:
	.zero	104
	.type	others, @object
	.size	others, 4
others:
	.zero	4
	.type	longest, @object
	.size	longest, 4
longest:
	.zero	4
	.type	text, @object
	.size	text, 4096
text:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
