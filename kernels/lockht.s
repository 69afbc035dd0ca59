# Made from lockht.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S lockht.c
	.file	"lockht.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.type	next_word, @function
next_word:
 #APP
# 34 "lockht.c" 1
	.insn j 0x0B, x0, .L2
# 0 "" 2
 #NO_APP
	beq	a0,a1,.L3
	lui	a4,%hi(text)
	addi	a4,a4,%lo(text)
	add	a4,a0,a4
	li	a3,25
.L4:
	lbu	a5,0(a4)
	ori	a5,a5,32
	addi	a5,a5,-97
	bgtu	a5,a3,.L5
	beq	a0,zero,.L3
	lbu	a5,-1(a4)
	ori	a5,a5,32
	addi	a5,a5,-97
	bgtu	a5,a3,.L3
.L5:
	addi	a0,a0,1
	addi	a4,a4,1
	bne	a1,a0,.L4
.L3:
 #APP
# 37 "lockht.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
.L2:
	ret
	.size	next_word, .-next_word
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	sp,sp,-48
	sw	s3,28(sp)
	sw	ra,44(sp)
	sw	s0,40(sp)
	sw	s1,36(sp)
	sw	s2,32(sp)
	sw	s4,24(sp)
	sw	s5,20(sp)
	sw	s6,16(sp)
	sw	s7,12(sp)
	sw	s8,8(sp)
	slli	s3,a0,4
	li	a5,4096
	bgeu	s3,a5,.L11
	lui	s6,%hi(text)
	lui	s8,%hi(.LANCHOR0)
	lui	s7,%hi(next)
	slli	s4,a1,4
	addi	s0,s3,16
	addi	s6,s6,%lo(text)
	addi	s8,s8,%lo(.LANCHOR0)
	addi	s7,s7,%lo(next)
	lui	s5,%hi(count)
.L13:
	add	a5,s6,s0
	lbu	a5,-16(a5)
	beq	a5,zero,.L11
	mv	a1,s0
	mv	a0,s3
	call	next_word
 #APP
# 92 "lockht.c" 1
	.insn j 0x0B, x1, .L14
# 0 "" 2
 #NO_APP
	addi	s2,s5,%lo(count)
	addi	s1,s3,16
	beq	a0,s0,.L32
.L15:
 #APP
# 94 "lockht.c" 1
	.insn j 0x0B, x2, .L17
# 0 "" 2
# 62 "lockht.c" 1
	.insn j 0x0B, x0, .L18
# 0 "" 2
 #NO_APP
	add	a2,s6,a0
	lbu	a3,0(a2)
	li	a5,25
	ori	a3,a3,32
	addi	a3,a3,-97
	bgtu	a3,a5,.L35
	li	a5,-2128830464
	li	a1,16777216
	addi	a5,a5,-571
	addi	a1,a1,403
	li	a6,25
.L20:
	lbu	a4,1(a2)
	xor	a5,a5,a3
	mul	a5,a5,a1
	ori	a4,a4,32
	addi	a3,a4,-97
	addi	a2,a2,1
	bleu	a3,a6,.L20
	srli	t1,a5,16
	andi	t1,t1,15
 #APP
# 64 "lockht.c" 1
	.insn b 0x2B, 0, x0, x0, .L18
# 0 "" 2
 #NO_APP
.L16:
.L18:
 #APP
# 66 "lockht.c" 1
	.insn j 0x0B, x0, .L21
# 0 "" 2
 #NO_APP
	slli	t1,t1,2
	add	t3,s8,t1
	li	a4,1
	j	.L22
.L23:
 #APP
# 68 "lockht.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L22:
	mv	a5,a4
	amoswap.w.aq a5,a5,0(t3)
	bne	a5,zero,.L23
 #APP
# 69 "lockht.c" 1
	.insn b 0x2B, 0, x0, x0, .L21
# 0 "" 2
 #NO_APP
.L21:
	add	a5,s8,t1
	lw	t4,64(a5)
	li	a7,25
	mv	a6,t4
	beq	t4,zero,.L25
.L24:
	add	a5,s6,a6
	lbu	a5,-1(a5)
	ori	a5,a5,32
	addi	a2,a5,-97
	bgtu	a2,a7,.L37
	add	a3,s6,a0
	mv	a1,a0
	j	.L27
.L28:
	sub	a5,a3,a0
	add	a5,a5,a6
	lbu	a5,0(a5)
	addi	a1,a1,1
	addi	a3,a3,1
	ori	a5,a5,32
	addi	a2,a5,-97
	bgtu	a2,a7,.L26
.L27:
	lbu	a4,0(a3)
	ori	a4,a4,32
	beq	a4,a5,.L28
.L26:
	bleu	a2,a7,.L30
	add	a1,s6,a1
	lbu	a5,0(a1)
	ori	a5,a5,32
	addi	a5,a5,-97
	sltiu	a5,a5,26
	beq	a5,zero,.L25
.L30:
	slli	a6,a6,2
	add	a6,s7,a6
	lw	a6,0(a6)
	bne	a6,zero,.L24
.L25:
	addi	a0,a0,1
	bne	a6,zero,.L31
	add	a5,s8,t1
	lw	a4,128(a5)
	slli	a3,a0,2
	add	a3,s7,a3
	addi	a4,a4,1
	sw	t4,0(a3)
	sw	a0,64(a5)
	sw	a4,128(a5)
	mv	a6,a0
.L31:
	slli	a5,a6,2
	add	a5,s2,a5
	add	t1,s8,t1
	lw	a3,0(a5)
	lw	a4,192(t1)
	addi	a3,a3,1
	addi	a4,a4,1
	sw	a3,0(a5)
	sw	a4,192(t1)
	fence iorw,ow; amoswap.w zero,zero,0(t3)
	mv	a1,s0
	call	next_word
 #APP
# 97 "lockht.c" 1
	.insn b 0x2B, 0, x0, x2, .L17
# 0 "" 2
 #NO_APP
.L17:
	bne	a0,s1,.L15
.L32:
 #APP
# 99 "lockht.c" 1
	.insn b 0x2B, 0, x0, x1, .L14
# 0 "" 2
 #NO_APP
.L14:
	li	a5,4096
	add	s3,s3,s4
	add	s0,s0,s4
	bltu	s3,a5,.L13
.L11:
	lw	ra,44(sp)
	lw	s0,40(sp)
	lw	s1,36(sp)
	lw	s2,32(sp)
	lw	s3,28(sp)
	lw	s4,24(sp)
	lw	s5,20(sp)
	lw	s6,16(sp)
	lw	s7,12(sp)
	lw	s8,8(sp)
	addi	sp,sp,48
	jr	ra
.L37:
	mv	a1,a0
	j	.L26
.L35:
	li	t1,12
 #APP
# 64 "lockht.c" 1
	.insn b 0x2B, 0, x0, x0, .L18
# 0 "" 2
 #NO_APP
	j	.L16
	.size	kernel, .-kernel
	.globl	count
	.globl	next
	.globl	head
	.globl	occurrences
	.globl	words
	.globl	lock
	.globl	text
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	lock, @object
	.size	lock, 64
lock:
	.zero	64
	.type	head, @object
	.size	head, 64
head:
	.zero	64
	.type	words, @object
	.size	words, 64
words:
	.zero	64
	.type	occurrences, @object
	.size	occurrences, 64
occurrences:
	.zero	64
	.type	count, @object
	.size	count, 16388
count:
	.zero	16388
	.type	next, @object
	.size	next, 16388
next:
	.zero	16388
	.type	text, @object
	.size	text, 4096
text:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
