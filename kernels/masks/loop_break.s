# Made from loop_break.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S loop_break.c
	.file	"loop_break.c"
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
	lui	a5,%hi(b)
	addi	a5,a5,%lo(b)
	add	a5,a5,a0
	andi	a3,a3,31
	lw	a2,0(a5)
	beq	a3,zero,.L5
	slli	a4,a2,2
	add	a4,a4,a2
	andi	a5,a2,15
	addi	a4,a4,3
	bne	a5,zero,.L3
	j	.L2
.L4:
	add	a2,a2,a4
	andi	a1,a2,15
	addi	a4,a5,3
	beq	a1,zero,.L2
.L3:
	slli	a5,a4,2
	addi	a3,a3,-1
	add	a5,a5,a4
	bne	a3,zero,.L4
.L2:
	lui	a5,%hi(out)
	addi	a5,a5,%lo(out)
	add	a5,a5,a0
	sw	a2,0(a5)
	ret
.L5:
	li	a2,0
	j	.L2
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
