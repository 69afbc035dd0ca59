# Made from bar_blocks.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S bar_blocks.c
	.file	"bar_blocks.c"
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
	addi	a6,a1,2047
	divu	a6,a6,a1
	addi	sp,sp,-32
	li	a5,4096
	sw	s1,20(sp)
	sw	s2,16(sp)
	addi	a5,a5,-2048
	sw	ra,28(sp)
	sw	s0,24(sp)
	sw	s3,12(sp)
	mv	s1,a1
	mv	s2,a0
	mv	a4,a5
	mul	a3,a6,a0
	bgtu	a3,a5,.L4
	mv	a4,a3
.L4:
	li	a5,4096
	add	t3,a6,a3
	addi	a5,a5,-2048
	bleu	t3,a5,.L5
	mv	t3,a5
.L5:
	lui	s0,%hi(.LANCHOR0)
	addi	s0,s0,%lo(.LANCHOR0)
	li	a5,1
	amoadd.w zero,a5,0(s0)
 #APP
# 34 "bar_blocks.c" 1
	.insn r 0x7B, 3, 0, x1, x0, zero
# 0 "" 2
 #NO_APP
	bleu	t3,a4,.L18
	lui	t5,%hi(text)
	addi	t5,t5,%lo(text)
	li	a1,65536
	add	a2,a4,t5
	li	t4,0
	add	t5,t3,t5
	li	t1,0
	li	a0,97
	li	t6,16
	addi	a1,a1,1041
.L9:
	lbu	a5,0(a2)
	addi	a2,a2,1
	ori	a5,a5,32
	addi	a3,a5,-101
	addi	a6,a5,-97
	andi	a3,a3,0xff
	sltiu	a6,a6,26
	srl	a7,a1,a3
	andi	a7,a7,1
	add	t1,t1,a6
	beq	a5,a0,.L7
	bgtu	a3,t6,.L8
	bne	a7,zero,.L7
.L8:
	bne	t5,a2,.L9
.L6:
 #APP
# 41 "bar_blocks.c" 1
	.insn r 0x7B, 4, 0, x1, zero, x0
# 0 "" 2
 #NO_APP
	li	a5,32768
	lw	s3,0(s0)
 #APP
# 45 "bar_blocks.c" 1
	.insn r 0x7B, 0, 0, x2, x0, a5
# 0 "" 2
 #NO_APP
	lw	a2,4(s0)
	add	t1,a2,t1
	sw	t1,4(s0)
 #APP
# 48 "bar_blocks.c" 1
	.insn r 0x7B, 1, 0, x2, x0, x0
# 0 "" 2
# 50 "bar_blocks.c" 1
	.insn r 0x7B, 0, 1, x3, t4, a5
# 0 "" 2
 #NO_APP
	beq	t4,zero,.L10
	lui	a5,%hi(.LANCHOR1)
	addi	a5,a5,%lo(.LANCHOR1)
	lw	a1,0(a5)
	li	a3,1024
	beq	a1,a3,.L29
	lw	a5,8(s0)
	add	a5,a5,t4
	sw	a5,8(s0)
 #APP
# 55 "bar_blocks.c" 1
	.insn r 0x7B, 1, 0, x3, x0, x0
# 0 "" 2
 #NO_APP
.L10:
	bleu	t3,a4,.L17
	lui	a3,%hi(text)
	addi	a3,a3,%lo(text)
	lui	a0,%hi(letters)
	add	a5,a4,a3
	add	a6,t3,a3
	li	a7,25
	addi	a0,a0,%lo(letters)
.L16:
	lbu	a4,0(a5)
	add	a1,a0,a2
	addi	a5,a5,1
	ori	a4,a4,32
	addi	a3,a4,-97
	andi	a3,a3,0xff
	bgtu	a3,a7,.L15
	sb	a4,0(a1)
	addi	a2,a2,1
.L15:
	bne	a6,a5,.L16
.L17:
	call	weft_sync
	li	a4,0
	bne	s1,s3,.L14
	lw	a4,4(s0)
.L14:
	lui	a5,%hi(seen)
	lw	ra,28(sp)
	lw	s0,24(sp)
	slli	s2,s2,2
	addi	a5,a5,%lo(seen)
	add	a5,a5,s2
	sw	a4,0(a5)
	lw	s1,20(sp)
	lw	s2,16(sp)
	lw	s3,12(sp)
	addi	sp,sp,32
	jr	ra
.L7:
	addi	t4,t4,1
	bne	t5,a2,.L9
	j	.L6
.L29:
	sw	s2,0(a5)
	lw	a5,8(s0)
	add	a5,a5,t4
	sw	a5,8(s0)
 #APP
# 55 "bar_blocks.c" 1
	.insn r 0x7B, 1, 0, x3, x0, x0
# 0 "" 2
 #NO_APP
	j	.L10
.L18:
	li	t4,0
	li	t1,0
	j	.L6
	.size	kernel, .-kernel
	.globl	seen
	.globl	blocks
	.globl	first
	.globl	vowels
	.globl	total
	.globl	letters
	.globl	text
	.data
	.align	2
	.set	.LANCHOR1,. + 0
	.type	first, @object
	.size	first, 4
first:
	.word	1024
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	blocks, @object
	.size	blocks, 4
blocks:
	.zero	4
	.type	total, @object
	.size	total, 4
total:
	.zero	4
	.type	vowels, @object
	.size	vowels, 4
vowels:
	.zero	4
	.type	seen, @object
	.size	seen, 4096
seen:
	.zero	4096
	.type	letters, @object
	.size	letters, 2048
letters:
	.zero	2048
	.type	text, @object
	.size	text, 2048
text:
	.zero	2048
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
