# Made from fn0.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S fn0.c
	.file	"fn0.c"
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
	slli	a0,a0,2
	addi	a4,a4,%lo(a)
	addi	a5,a5,%lo(b)
	add	a4,a4,a0
	add	a5,a5,a0
	lw	a4,0(a4)
	lw	a5,0(a5)
	ble	a4,a5,.L2
	mul	a4,a4,a4
	sub	a5,a4,a5
	lui	a4,%hi(out)
	addi	a4,a4,%lo(out)
	add	a4,a4,a0
	sw	a5,0(a4)
	ret
.L2:
	mul	a5,a5,a5
	sub	a5,a5,a4
	lui	a4,%hi(out)
	addi	a4,a4,%lo(out)
	add	a4,a4,a0
	sw	a5,0(a4)
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
