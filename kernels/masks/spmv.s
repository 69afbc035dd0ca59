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
	addi	a4,a0,1
	lui	a5,%hi(rows)
	addi	a5,a5,%lo(rows)
	slli	a7,a0,2
	slli	a4,a4,2
	add	a3,a5,a7
	add	a5,a5,a4
	lw	a3,0(a3)
	lw	a0,0(a5)
	bgeu	a3,a0,.L4
	lui	a5,%hi(values)
	lui	a2,%hi(columns)
	slli	a3,a3,2
	addi	a5,a5,%lo(values)
	addi	a2,a2,%lo(columns)
	slli	a0,a0,2
	lui	a6,%hi(x)
	add	a4,a3,a5
	add	a0,a0,a5
	add	a3,a3,a2
	addi	a6,a6,%lo(x)
	li	a2,0
.L3:
	lw	a5,0(a3)
	lw	a1,0(a4)
	addi	a4,a4,4
	slli	a5,a5,2
	add	a5,a6,a5
	lw	a5,0(a5)
	addi	a3,a3,4
	mul	a5,a5,a1
	add	a2,a2,a5
	bne	a4,a0,.L3
	lui	a5,%hi(out)
	addi	a5,a5,%lo(out)
	add	a5,a5,a7
	sw	a2,0(a5)
	ret
.L4:
	lui	a5,%hi(out)
	addi	a5,a5,%lo(out)
	li	a2,0
	add	a5,a5,a7
	sw	a2,0(a5)
	ret
	.size	kernel, .-kernel
	.globl	out
	.globl	x
	.globl	values
	.globl	columns
	.globl	rows
	.bss
	.align	2
	.type	out, @object
	.size	out, 2048
out:
	.zero	2048
	.type	x, @object
	.size	x, 2048
x:
	.zero	2048
	.type	values, @object
	.size	values, 16384
values:
	.zero	16384
	.type	columns, @object
	.size	columns, 16384
columns:
	.zero	16384
	.type	rows, @object
	.size	rows, 2052
rows:
	.zero	2052
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
