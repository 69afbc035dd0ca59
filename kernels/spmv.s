# Made from spmv.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S spmv.c
	.file	"spmv.c"
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
	lw	t6,%lo(.LANCHOR0)(a5)
	bgeu	a0,t6,.L1
	lui	t5,%hi(.LANCHOR1)
	addi	t5,t5,%lo(.LANCHOR1)
	slli	t3,a0,2
	add	t4,t5,t3
	lui	t1,%hi(x)
	mv	t3,t4
	slli	t0,a1,2
	addi	t4,t4,156
	addi	t5,t5,308
	addi	t1,t1,%lo(x)
.L5:
	lw	a4,0(t3)
	lw	a6,4(t3)
	addi	a7,a0,1
	bgeu	a4,a6,.L7
	slli	a4,a4,2
	slli	a6,a6,2
	add	a4,t5,a4
	add	a6,a6,t5
	li	a2,0
.L4:
	lw	a5,0(a4)
	addi	a4,a4,4
	slli	a3,a5,2
	add	a3,t1,a3
	lw	a3,0(a3)
	slli	a5,a5,1
	add	a5,a5,a7
	mul	a5,a5,a3
	add	a2,a2,a5
	bne	a6,a4,.L4
	sw	a2,0(t4)
	add	a0,a0,a1
	add	t3,t3,t0
	add	t4,t4,t0
	bltu	a0,t6,.L5
.L1:
	ret
.L7:
	li	a2,0
	sw	a2,0(t4)
	add	a0,a0,a1
	add	t3,t3,t0
	add	t4,t4,t0
	bltu	a0,t6,.L5
	j	.L1
	.size	kernel, .-kernel
	.globl	result
	.globl	x
	.globl	columns
	.globl	rows
	.globl	size
	.data
	.align	2
	.set	.LANCHOR0,. + 0
	.type	size, @object
	.size	size, 4
size:
	.word	34
	.bss
	.align	2
	.set	.LANCHOR1,. + 0
	.type	rows, @object
	.size	rows, 140
rows:
	.zero	140
	.type	result, @object
	.size	result, 168
result:
	.zero	168
	.type	columns, @object
	.size	columns, 624
columns:
	.zero	624
	.type	x, @object
	.size	x, 4096
x:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
