# Made from collatz.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S collatz.c
	.file	"collatz.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	a5,a0,1
	li	a2,0
	beq	a0,zero,.L2
	li	a1,1
.L5:
	slli	a4,a5,1
	andi	a3,a5,1
	add	a4,a4,a5
	srli	a5,a5,1
	beq	a3,zero,.L4
	addi	a5,a4,1
.L4:
	addi	a2,a2,1
	bne	a5,a1,.L5
.L2:
	lui	a5,%hi(steps)
	slli	a0,a0,2
	addi	a5,a5,%lo(steps)
	add	a5,a5,a0
	sw	a2,0(a5)
	ret
	.size	kernel, .-kernel
	.globl	steps
	.bss
	.align	2
	.type	steps, @object
	.size	steps, 4096
steps:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
