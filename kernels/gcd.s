# Made from gcd.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S gcd.c
	.file	"gcd.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	li	a5,63
	bgtu	a0,a5,.L1
	lui	a4,%hi(.LANCHOR0)
	slli	a5,a0,3
	addi	a4,a4,%lo(.LANCHOR0)
	add	a4,a4,a5
	lw	a5,4(a4)
	lw	a3,0(a4)
	beq	a5,zero,.L5
.L4:
	mv	a4,a5
	remu	a5,a3,a5
	mv	a3,a4
	bne	a5,zero,.L4
.L3:
	lui	a5,%hi(divisor)
	slli	a0,a0,2
	addi	a5,a5,%lo(divisor)
	add	a5,a5,a0
	sw	a4,0(a5)
.L1:
	ret
.L5:
	mv	a4,a3
	j	.L3
	.size	kernel, .-kernel
	.globl	divisor
	.globl	pairs
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	pairs, @object
	.size	pairs, 512
pairs:
	.zero	512
	.type	divisor, @object
	.size	divisor, 4096
divisor:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
