# Made from lclist.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S lclist.c
	.file	"lclist.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.type	change, @function
change:
 #APP
# 29 "lclist.c" 1
	.insn j 0x0B, x0, .L2
# 0 "" 2
 #NO_APP
	lui	a5,%hi(.LANCHOR0)
	addi	t1,a5,%lo(.LANCHOR0)
	li	a5,1
	j	.L3
.L4:
 #APP
# 31 "lclist.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L3:
	mv	a4,a5
	amoswap.w.aq a4,a4,0(t1)
	bne	a4,zero,.L4
 #APP
# 32 "lclist.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
.L2:
	lui	t3,%hi(.LANCHOR1)
	addi	t3,t3,%lo(.LANCHOR1)
	lw	a7,0(t3)
 #APP
# 29 "lclist.c" 1
	.insn j 0x0B, x0, .L5
# 0 "" 2
 #NO_APP
	slli	a6,a7,2
	add	a4,t1,a6
	li	a5,1
	j	.L6
.L7:
 #APP
# 31 "lclist.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L6:
	mv	a2,a5
	amoswap.w.aq a2,a2,0(a4)
	bne	a2,zero,.L7
 #APP
# 32 "lclist.c" 1
	.insn b 0x2B, 0, x0, x0, .L5
# 0 "" 2
 #NO_APP
.L5:
 #APP
# 48 "lclist.c" 1
	.insn j 0x0B, x1, .L9
# 0 "" 2
 #NO_APP
	bgeu	a7,a0,.L10
	li	a3,1
.L14:
	slli	a2,a2,2
	add	a2,t1,a2
	fence iorw,ow; amoswap.w zero,zero,0(a2)
	add	a6,t3,a6
	mv	a2,a7
	lw	a7,0(a6)
 #APP
# 29 "lclist.c" 1
	.insn j 0x0B, x0, .L11
# 0 "" 2
 #NO_APP
	slli	a6,a7,2
	add	a5,t1,a6
	j	.L12
.L13:
 #APP
# 31 "lclist.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L12:
	mv	a4,a3
	amoswap.w.aq a4,a4,0(a5)
	bne	a4,zero,.L13
 #APP
# 32 "lclist.c" 1
	.insn b 0x2B, 0, x0, x0, .L11
# 0 "" 2
 #NO_APP
.L11:
	bgtu	a0,a7,.L14
.L10:
 #APP
# 55 "lclist.c" 1
	.insn b 0x2B, 0, x0, x1, .L9
# 0 "" 2
 #NO_APP
.L9:
	beq	a1,zero,.L15
	bne	a7,a0,.L21
	slli	a2,a2,2
	slli	a5,a7,2
.L16:
	add	a5,t1,a5
	lw	a4,148(a5)
	addi	a4,a4,1
	sw	a4,148(a5)
.L17:
	add	a6,t1,a6
	fence iorw,ow; amoswap.w zero,zero,0(a6)
	add	a5,t1,a2
	fence iorw,ow; amoswap.w zero,zero,0(a5)
	ret
.L21:
	slli	a5,a0,2
	add	a4,t3,a5
	slli	a2,a2,2
	sw	a7,0(a4)
	add	t3,t3,a2
	sw	a0,0(t3)
	li	a4,1
	addi	a3,t1,144
	amoadd.w zero,a4,0(a3)
	j	.L16
.L15:
	slli	a0,a0,2
	add	a4,t1,a0
	lw	a5,148(a4)
	slli	a2,a2,2
	addi	a5,a5,-1
	sw	a5,148(a4)
	bne	a5,zero,.L17
	add	a0,t3,a0
	lw	a5,0(a0)
	add	t3,t3,a2
	addi	a4,t1,292
	sw	a5,0(t3)
	sw	zero,0(a0)
	li	a5,1
	amoadd.w zero,a5,0(a4)
	add	a6,t1,a6
	fence iorw,ow; amoswap.w zero,zero,0(a6)
	add	a5,t1,a2
	fence iorw,ow; amoswap.w zero,zero,0(a5)
	ret
	.size	change, .-change
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	sp,sp,-32
	sw	s0,24(sp)
	sw	s2,16(sp)
	sw	ra,28(sp)
	sw	s1,20(sp)
	sw	s3,12(sp)
	sw	s4,8(sp)
	sw	s5,4(sp)
	sw	s6,0(sp)
	li	a5,155
	mv	s0,a0
	mv	s2,a1
	bgtu	a0,a5,.L24
	lui	s1,%hi(.LANCHOR0+296)
	slli	a5,a0,2
	addi	s1,s1,%lo(.LANCHOR0+296)
	slli	s5,a1,2
	add	s1,s1,a5
	mv	s3,a0
	li	s4,155
.L25:
	lw	a0,0(s1)
	li	a1,1
	add	s3,s3,s2
	addi	a0,a0,1
	call	change
	add	s1,s1,s5
	bleu	s3,s4,.L25
.L24:
	li	a5,155
	bgtu	s0,a5,.L23
	lui	s1,%hi(.LANCHOR0)
	addi	s1,s1,%lo(.LANCHOR0)
	addi	s4,s1,296
	slli	s3,s0,2
	slli	s6,s2,2
	add	s3,s4,s3
	li	s5,155
.L31:
	addi	a5,s1,924
	li	a4,0
.L27:
	lw	a2,0(a5)
	mv	a3,a4
	addi	a5,a5,4
	addi	a4,a4,1
	bleu	a2,s0,.L27
	lw	a4,920(s1)
	lw	a0,924(s1)
	bgeu	a4,a0,.L30
	slli	a5,a4,2
	add	a5,s4,a5
	j	.L29
.L41:
	beq	a4,a0,.L30
.L29:
	lw	a2,0(a5)
	addi	a4,a4,1
	addi	a5,a5,4
	bne	a2,a3,.L41
	lw	a0,0(s3)
	li	a1,0
	addi	a0,a0,1
	call	change
.L30:
	add	s0,s0,s2
	add	s3,s3,s6
	bleu	s0,s5,.L31
.L23:
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
	.size	kernel, .-kernel
	.globl	removed
	.globl	entered
	.globl	count
	.globl	next
	.globl	lock
	.globl	columns
	.globl	rows
	.data
	.align	2
	.set	.LANCHOR1,. + 0
	.type	next, @object
	.size	next, 144
next:
	.word	35
	.zero	140
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	lock, @object
	.size	lock, 144
lock:
	.zero	144
	.type	entered, @object
	.size	entered, 4
entered:
	.zero	4
	.type	count, @object
	.size	count, 144
count:
	.zero	144
	.type	removed, @object
	.size	removed, 4
removed:
	.zero	4
	.type	columns, @object
	.size	columns, 624
columns:
	.zero	624
	.type	rows, @object
	.size	rows, 140
rows:
	.zero	140
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
