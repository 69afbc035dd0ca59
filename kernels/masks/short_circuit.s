# Made from short_circuit.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S short_circuit.c
	.file	"short_circuit.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	lui	a5,%hi(a)
	slli	a0,a0,2
	addi	a5,a5,%lo(a)
	add	a5,a5,a0
	lw	a3,0(a5)
	lui	a4,%hi(b)
	lui	a5,%hi(c)
	addi	a4,a4,%lo(b)
	addi	a5,a5,%lo(c)
	add	a4,a4,a0
	add	a5,a5,a0
	li	a2,64
	lw	a1,0(a4)
	lw	a5,0(a5)
	ble	a3,a2,.L2
	ble	a1,a2,.L2
	add	a3,a3,a1
	mul	a4,a3,a5
.L5:
	lui	a5,%hi(out)
	addi	a5,a5,%lo(out)
	add	a5,a5,a0
	sw	a4,0(a5)
	ret
.L2:
	li	a2,200
	sub	a4,a3,a5
	ble	a5,a2,.L5
	add	a3,a3,a1
	mul	a4,a3,a5
	j	.L5
	.size	kernel, .-kernel
	.globl	out
	.globl	c
	.globl	b
	.globl	a
	.bss
	.align	2
	.type	out, @object
	.size	out, 4096
out:
	.zero	4096
	.type	c, @object
	.size	c, 4096
c:
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
