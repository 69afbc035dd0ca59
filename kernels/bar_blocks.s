# Made from bar_blocks.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S bar_blocks.c
	.file	"bar_blocks.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	a6,a1,2047
	divu	a6,a6,a1
	addi	sp,sp,-16
	li	a5,4096
	addi	a5,a5,-2048
	sw	s0,12(sp)
	mv	a4,a5
	mul	a3,a6,a0
	bgtu	a3,a5,.L2
	mv	a4,a3
.L2:
	li	a5,4096
	add	t4,a6,a3
	addi	a5,a5,-2048
	bleu	t4,a5,.L3
	mv	t4,a5
.L3:
	lui	t6,%hi(.LANCHOR0)
	addi	t6,t6,%lo(.LANCHOR0)
	li	a5,1
	amoadd.w zero,a5,0(t6)
 #APP
# 34 "bar_blocks.c" 1
	.insn r 0x7B, 3, 0, x1, x0, zero
# 0 "" 2
 #NO_APP
	bleu	t4,a4,.L16
	lui	t1,%hi(text)
	addi	t1,t1,%lo(text)
	li	t0,65536
	add	a2,a4,t1
	li	t5,0
	add	t1,t4,t1
	li	t3,0
	li	t2,97
	li	s0,16
	addi	t0,t0,1041
.L7:
	lbu	a5,0(a2)
	addi	a2,a2,1
	ori	a5,a5,32
	addi	a3,a5,-101
	addi	a6,a5,-97
	andi	a3,a3,0xff
	sltiu	a6,a6,26
	srl	a7,t0,a3
	andi	a7,a7,1
	add	t3,t3,a6
	beq	a5,t2,.L5
	bgtu	a3,s0,.L6
	bne	a7,zero,.L5
.L6:
	bne	t1,a2,.L7
.L4:
 #APP
# 41 "bar_blocks.c" 1
	.insn r 0x7B, 4, 0, x1, zero, x0
# 0 "" 2
 #NO_APP
	li	t1,32768
	lw	s0,0(t6)
	li	t2,1
 #APP
# 45 "bar_blocks.c" 1
	.ifndef weft_bar_top_2
	.pushsection .text.weft_bar_top_2,"ax",@progbits
	.align 2
	.weak weft_bar_top_2
weft_bar_top_2:
	.insn r 0x7B, 0, 1, x2, t2, t1
	jr t0
	.popsection
	.endif
	jal t0, weft_bar_top_2
# 0 "" 2
 #NO_APP
	lw	a2,4(t6)
	add	t3,a2,t3
	sw	t3,4(t6)
 #APP
# 48 "bar_blocks.c" 1
	.insn r 0x7B, 1, 0, x2, x0, x0
# 0 "" 2
 #NO_APP
	mv	t2,t5
 #APP
# 50 "bar_blocks.c" 1
	.ifndef weft_bar_top_3
	.pushsection .text.weft_bar_top_3,"ax",@progbits
	.align 2
	.weak weft_bar_top_3
weft_bar_top_3:
	.insn r 0x7B, 0, 1, x3, t2, t1
	jr t0
	.popsection
	.endif
	jal t0, weft_bar_top_3
# 0 "" 2
 #NO_APP
	beq	t5,zero,.L8
	lui	a5,%hi(.LANCHOR1)
	addi	a5,a5,%lo(.LANCHOR1)
	lw	a6,0(a5)
	li	a3,1024
	beq	a6,a3,.L28
	lw	a5,8(t6)
	add	a5,a5,t5
	sw	a5,8(t6)
 #APP
# 55 "bar_blocks.c" 1
	.insn r 0x7B, 1, 0, x3, x0, x0
# 0 "" 2
 #NO_APP
.L8:
	bleu	t4,a4,.L15
	lui	a3,%hi(text)
	addi	a3,a3,%lo(text)
	lui	t1,%hi(letters)
	add	a5,a4,a3
	add	a6,t4,a3
	li	t3,25
	addi	t1,t1,%lo(letters)
.L14:
	lbu	a4,0(a5)
	add	a7,t1,a2
	addi	a5,a5,1
	ori	a4,a4,32
	addi	a3,a4,-97
	andi	a3,a3,0xff
	bgtu	a3,t3,.L13
	sb	a4,0(a7)
	addi	a2,a2,1
.L13:
	bne	a6,a5,.L14
.L15:
	li	t1,0
	li	t2,1
 #APP
# 396 "weft.h" 1
	.ifndef weft_bar_top_0
	.pushsection .text.weft_bar_top_0,"ax",@progbits
	.align 2
	.weak weft_bar_top_0
weft_bar_top_0:
	.insn r 0x7B, 0, 1, x0, t2, t1
	jr t0
	.popsection
	.endif
	jal t0, weft_bar_top_0
# 0 "" 2
 #NO_APP
	li	a4,0
	bne	a1,s0,.L12
	lw	a4,4(t6)
.L12:
	lui	a5,%hi(seen)
	lw	s0,12(sp)
	slli	a0,a0,2
	addi	a5,a5,%lo(seen)
	add	a5,a5,a0
	sw	a4,0(a5)
	addi	sp,sp,16
	jr	ra
.L5:
	addi	t5,t5,1
	bne	t1,a2,.L7
	j	.L4
.L28:
	sw	a0,0(a5)
	lw	a5,8(t6)
	add	a5,a5,t5
	sw	a5,8(t6)
 #APP
# 55 "bar_blocks.c" 1
	.insn r 0x7B, 1, 0, x3, x0, x0
# 0 "" 2
 #NO_APP
	j	.L8
.L16:
	li	t5,0
	li	t3,0
	j	.L4
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
