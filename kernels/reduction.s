# Made from reduction.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S reduction.c
	.file	"reduction.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.type	weft_sync, @function
weft_sync:
 #APP
# 360 "weft.h" 1
	.insn r 0x7B, 0, 0, x0, x0, zero
# 0 "" 2
 #NO_APP
	ret
	.size	weft_sync, .-weft_sync
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	lui	a5,%hi(.LANCHOR0)
	lw	a2,%lo(.LANCHOR0)(a5)
	addi	sp,sp,-32
	sw	s0,24(sp)
	sw	s1,20(sp)
	sw	ra,28(sp)
	sw	s2,16(sp)
	sw	s3,12(sp)
	sw	s4,8(sp)
	sw	s5,4(sp)
	sw	s6,0(sp)
 #APP
# 383 "weft.h" 1
	csrr s1, 0xCC8
# 0 "" 2
# 385 "weft.h" 1
	csrr s0, 0xCCA
# 0 "" 2
 #NO_APP
	bgeu	a0,a2,.L11
	lui	a4,%hi(a)
	slli	a5,a0,2
	addi	a4,a4,%lo(a)
	slli	a6,a1,2
	add	a5,a5,a4
	li	s2,0
	li	a3,0
.L6:
	lw	a4,0(a5)
	add	a0,a0,a1
	add	a5,a5,a6
	add	a3,a3,a4
	bgeu	s2,a4,.L5
	mv	s2,a4
.L5:
	bltu	a0,a2,.L6
.L4:
	slli	a5,s1,2
	li	s4,-805306368
	add	s4,s4,a5
	sw	a3,0(s4)
	li	a5,1
	bleu	s0,a5,.L7
	li	s6,-805306368
	li	s5,1
.L9:
	addi	a5,s0,1
	mv	s3,s0
	srli	s0,a5,1
	call	weft_sync
	add	a4,s1,s0
	slli	a5,a4,2
	add	a5,s6,a5
	bgeu	a4,s3,.L8
	lw	a4,0(a5)
	lw	a5,0(s4)
	add	a5,a5,a4
	sw	a5,0(s4)
.L8:
	bgtu	s0,s5,.L9
.L7:
	beq	s1,zero,.L15
	lui	a5,%hi(.LANCHOR1)
	addi	a5,a5,%lo(.LANCHOR1)
.L10:
	addi	a5,a5,4
 #APP
# 33 "reduction.c" 1
	amomaxu.w zero, s2, (a5)
# 0 "" 2
 #NO_APP
	lw	ra,28(sp)
	lw	s0,24(sp)
	lw	s1,20(sp)
	lw	s2,16(sp)
	lw	s3,12(sp)
	lw	s4,8(sp)
	lw	s5,4(sp)
	lw	s6,0(sp)
	addi	sp,sp,32
	jr	ra
.L15:
	li	a5,-805306368
	lw	a4,0(a5)
	lui	a5,%hi(.LANCHOR1)
	addi	a5,a5,%lo(.LANCHOR1)
	amoadd.w zero,a4,0(a5)
	j	.L10
.L11:
	li	s2,0
	li	a3,0
	j	.L4
	.size	kernel, .-kernel
	.globl	largest
	.globl	sum
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
	.set	.LANCHOR1,. + 0
	.type	sum, @object
	.size	sum, 4
sum:
	.zero	4
	.type	largest, @object
	.size	largest, 4
largest:
	.zero	4
	.type	a, @object
	.size	a, 4096
a:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
