# Made from own_blocks.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S own_blocks.c
	.file	"own_blocks.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	walk
	.type	walk, @function
walk:
	mv	a3,a0
	li	a4,0
	mv	a0,a1
	li	a2,1088
.L2:
	andi	a5,a4,31
	slli	a5,a5,2
	add	a5,a3,a5
	lw	a5,0(a5)
	addi	a4,a4,17
	add	a0,a0,a5
	bne	a4,a2,.L2
	ret
	.size	walk, .-walk
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	sp,sp,-16
	lui	a5,%hi(blocks)
	sw	s1,4(sp)
	addi	a5,a5,%lo(blocks)
	slli	s1,a0,7
	sw	s0,8(sp)
	sw	s2,0(sp)
	sw	ra,12(sp)
	mv	s2,a0
	add	s1,s1,a5
	li	s0,24
	li	a0,0
.L6:
	slli	a1,a0,1
	add	a1,a1,a0
	addi	s0,s0,-1
	mv	a0,s1
	call	walk
	bne	s0,zero,.L6
	lui	a5,%hi(result)
	lw	ra,12(sp)
	lw	s0,8(sp)
	slli	s2,s2,2
	addi	a5,a5,%lo(result)
	add	a5,a5,s2
	sw	a0,0(a5)
	lw	s1,4(sp)
	lw	s2,0(sp)
	addi	sp,sp,16
	jr	ra
	.size	kernel, .-kernel
	.globl	result
	.globl	blocks
	.bss
	.align	2
	.type	result, @object
	.size	result, 2048
result:
	.zero	2048
	.type	blocks, @object
	.size	blocks, 65536
blocks:
	.zero	65536
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
