# Made from collatz_tokens.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S collatz_tokens.c
	.file	"collatz_tokens.c"
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
 #APP
# 15 "collatz_tokens.c" 1
	.insn j 0x0B, x1, .L2
# 0 "" 2
 #NO_APP
	li	a4,1
	beq	a5,a4,.L9
	li	a4,0
	li	a2,1
.L7:
 #APP
# 17 "collatz_tokens.c" 1
	.insn j 0x0B, x2, .L4
# 0 "" 2
 #NO_APP
	andi	a3,a5,1
	beq	a3,zero,.L5
	slli	a3,a5,1
	add	a5,a3,a5
	addi	a5,a5,1
.L6:
	addi	a4,a4,1
 #APP
# 20 "collatz_tokens.c" 1
	.insn b 0x2B, 0, x0, x2, .L4
# 0 "" 2
 #NO_APP
.L4:
	bne	a5,a2,.L7
 #APP
# 22 "collatz_tokens.c" 1
	.insn b 0x2B, 0, x0, x1, .L2
# 0 "" 2
 #NO_APP
.L2:
	lui	a5,%hi(steps)
	slli	a0,a0,2
	addi	a5,a5,%lo(steps)
	add	a5,a5,a0
	sw	a4,0(a5)
	ret
.L5:
	srli	a5,a5,1
	j	.L6
.L9:
	li	a4,0
 #APP
# 22 "collatz_tokens.c" 1
	.insn b 0x2B, 0, x0, x1, .L2
# 0 "" 2
 #NO_APP
	.size	kernel, .-kernel
	.globl	steps
	.bss
	.align	2
	.type	steps, @object
	.size	steps, 4096
steps:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
