	.file	"atomics.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
 #APP
	.pushsection .text,"ax",@progbits
	.align	2
	.globl	_start
_start:
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	call	kernel
	.insn	i 0x5B, 2, x0, 0(x0)
	.popsection
 #NO_APP
	.align	2
	.globl	collatz
	.type	collatz, @function
collatz:
	mv	a5,a0
 #APP
# 11 "atomics.c" 1
	.insn j 0x0B, x1, .L2
# 0 "" 2
 #NO_APP
	li	a4,1
	li	a0,0
	bleu	a5,a4,.L3
	li	a3,1
.L7:
 #APP
# 13 "atomics.c" 1
	.insn j 0x0B, x0, .L4
# 0 "" 2
 #NO_APP
	andi	a4,a5,1
	beq	a4,zero,.L5
	slli	a4,a5,1
	add	a5,a4,a5
	addi	a5,a5,1
 #APP
# 18 "atomics.c" 1
	.insn b 0x2B, 0, x0, x0, .L4
# 0 "" 2
 #NO_APP
.L8:
.L4:
	addi	a0,a0,1
	bgtu	a5,a3,.L7
.L3:
 #APP
# 21 "atomics.c" 1
	.insn b 0x2B, 0, x0, x1, .L2
# 0 "" 2
 #NO_APP
.L2:
	ret
.L5:
	srli	a5,a5,1
 #APP
# 18 "atomics.c" 1
	.insn b 0x2B, 0, x0, x0, .L4
# 0 "" 2
 #NO_APP
	j	.L8
	.size	collatz, .-collatz
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	a5,a0,1
 #APP
# 11 "atomics.c" 1
	.insn j 0x0B, x1, .L13
# 0 "" 2
 #NO_APP
	li	a4,1
	bleu	a5,a4,.L25
	li	a4,0
	li	a2,1
.L18:
 #APP
# 13 "atomics.c" 1
	.insn j 0x0B, x0, .L15
# 0 "" 2
 #NO_APP
	andi	a3,a5,1
	beq	a3,zero,.L16
	slli	a3,a5,1
	add	a5,a3,a5
	addi	a5,a5,1
 #APP
# 18 "atomics.c" 1
	.insn b 0x2B, 0, x0, x0, .L15
# 0 "" 2
 #NO_APP
.L19:
.L15:
	addi	a4,a4,1
	bgtu	a5,a2,.L18
 #APP
# 21 "atomics.c" 1
	.insn b 0x2B, 0, x0, x1, .L13
# 0 "" 2
 #NO_APP
.L13:
	lui	a5,%hi(.LANCHOR0)
	andi	a4,a4,15
	addi	a5,a5,%lo(.LANCHOR0)
	slli	a4,a4,2
	add	a4,a5,a4
	li	a3,1
	fence iorw,ow; amoadd.w.aq zero,a3,0(a4)
 #APP
# 187 "../../../kernels/weft.h" 1
	csrr a4, 0xCC1
# 0 "" 2
 #NO_APP
	sll	a3,a3,a4
	addi	a4,a5,64
	amoor.w zero,a3,0(a4)
	lw	a4,68(a5)
	fence	iorw,iorw
.L23:
	bleu	a0,a4,.L22
	addi	a6,a5,68
	 1: lr.w.aq a3,0(a6); bne a3,a4,1f; sc.w.aq a2,a0,0(a6); bnez a2,1b; 1:
	sub	a2,a3,a4
	mv	a4,a3
	bne	a2,zero,.L23
.L22:
	li	a3,1
	j	.L21
.L24:
 #APP
# 34 "atomics.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L21:
	mv	a4,a3
	addi	a2,a5,72
	amoswap.w.aq a4,a4,0(a2)
	bne	a4,zero,.L24
 #APP
# 195 "../../../kernels/weft.h" 1
	csrr a4, 0xCC7
# 0 "" 2
# 193 "../../../kernels/weft.h" 1
	csrr a3, 0xCC4
# 0 "" 2
 #NO_APP
	divu	a3,a3,a4
	lw	a4,76(a5)
 #APP
# 185 "../../../kernels/weft.h" 1
	csrr a2, 0xCC0
# 0 "" 2
 #NO_APP
	add	a4,a1,a4
	add	a4,a4,a2
	add	a4,a4,a3
	sw	a4,76(a5)
	addi	a5,a5,72
	fence iorw,ow; amoswap.w zero,zero,0(a5)
	fence	iorw,iorw
	ret
.L16:
	srli	a5,a5,1
 #APP
# 18 "atomics.c" 1
	.insn b 0x2B, 0, x0, x0, .L15
# 0 "" 2
 #NO_APP
	j	.L19
.L25:
	li	a4,0
 #APP
# 21 "atomics.c" 1
	.insn b 0x2B, 0, x0, x1, .L13
# 0 "" 2
 #NO_APP
	.size	kernel, .-kernel
	.globl	largest
	.globl	latest
	.globl	guarded
	.globl	lock
	.globl	histogram
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	histogram, @object
	.size	histogram, 64
histogram:
	.zero	64
	.type	latest, @object
	.size	latest, 4
latest:
	.zero	4
	.type	largest, @object
	.size	largest, 4
largest:
	.zero	4
	.type	lock, @object
	.size	lock, 4
lock:
	.zero	4
	.type	guarded, @object
	.size	guarded, 4
guarded:
	.zero	4
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
