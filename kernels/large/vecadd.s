# Made from vecadd.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S -DROOM=65536 vecadd.c
	.file	"vecadd.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	lui	a5,%hi(.LANCHOR0)
	lw	t1,%lo(.LANCHOR0)(a5)
	bgeu	a0,t1,.L1
	li	a4,262144
	lui	a5,%hi(a)
	slli	a3,a0,2
	addi	a5,a5,%lo(a)
	addi	a4,a4,-4
	sub	a4,a4,a3
	addi	a2,a3,16
	add	a3,a3,a5
	lui	a5,%hi(b)
	addi	a5,a5,%lo(b)
	add	a4,a4,a5
	lui	a5,%hi(result)
	addi	a5,a5,%lo(result)
	slli	a6,a1,2
	add	a2,a2,a5
.L3:
	lw	a5,0(a3)
	lw	a7,0(a4)
	add	a0,a0,a1
	add	a3,a3,a6
	add	a5,a5,a7
	sw	a5,0(a2)
	sub	a4,a4,a6
	add	a2,a2,a6
	bltu	a0,t1,.L3
.L1:
	ret
	.size	kernel, .-kernel
	.globl	result
	.globl	b
	.globl	a
	.globl	size
	.data
	.align	2
	.set	.LANCHOR0,. + 0
	.type	size, @object
	.size	size, 4
size:
	.word	1000
	.bss
	.align	2
	.type	result, @object
	.size	result, 262176
result:
	.zero	262176
	.type	b, @object
	.size	b, 262144
b:
	.zero	262144
	.type	a, @object
	.size	a, 262144
a:
	.zero	262144
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
