# Made from mandelbrot.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S mandelbrot.c
	.file	"mandelbrot.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	lui	a4,%hi(a)
	lui	a5,%hi(b)
	slli	t5,a0,2
	addi	a4,a4,%lo(a)
	addi	a5,a5,%lo(b)
	add	a4,a4,t5
	add	a5,a5,t5
	lw	t1,0(a4)
	lw	a7,0(a5)
	li	a3,0
	addi	t1,t1,-128
	addi	a7,a7,-128
	slli	t1,t1,4
	slli	a7,a7,4
	li	a5,0
	li	a1,0
	li	a4,0
	li	a2,0
	li	t3,24
	li	t4,4096
.L2:
	mul	a4,a2,a4
	sub	a5,a5,a3
	addi	a1,a1,1
	add	a2,a5,t1
	srai	a4,a4,9
	add	a4,a4,a7
	beq	a1,t3,.L3
	mul	a5,a2,a2
	mul	a3,a4,a4
	srai	a5,a5,10
	srai	a3,a3,10
	add	a6,a5,a3
	blt	a6,t4,.L2
.L3:
	lui	a0,%hi(out)
	addi	a0,a0,%lo(out)
	add	a0,a0,t5
	sw	a1,0(a0)
	ret
	.size	kernel, .-kernel
	.globl	out
	.globl	b
	.globl	a
	.bss
	.align	2
	.type	out, @object
	.size	out, 4096
out:
	.zero	4096
	.type	b, @object
	.size	b, 4096
b:
	.zero	4096
	.type	a, @object
	.size	a, 4096
a:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
