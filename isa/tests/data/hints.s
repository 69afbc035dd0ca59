	.file	"hints.c"
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
	.globl	twice
	.type	twice, @function
twice:
 #APP
# 11 "hints.c" 1
	.insn j 0x0B, x0, .L2
# 0 "" 2
 #NO_APP
	lui	a5,%hi(.LANCHOR0)
	andi	a4,a0,1
	addi	a5,a5,%lo(.LANCHOR0)
	beq	a4,zero,.L3
	sw	a0,4(a5)
 #APP
# 19 "hints.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
.L10:
.L2:
	beq	a4,zero,.L5
	lw	a3,12(a5)
.L6:
	srli	a0,a0,4
 #APP
# 11 "hints.c" 1
	.insn j 0x0B, x0, .L7
# 0 "" 2
 #NO_APP
	andi	a4,a0,1
	beq	a4,zero,.L8
	sw	a0,4(a5)
 #APP
# 19 "hints.c" 1
	.insn b 0x2B, 0, x0, x0, .L7
# 0 "" 2
 #NO_APP
.L7:
	beq	a4,zero,.L11
	lw	a4,12(a5)
	slli	a5,a4,1
	add	a5,a5,a4
	add	a0,a5,a3
	ret
.L8:
	sw	a0,8(a5)
 #APP
# 19 "hints.c" 1
	.insn b 0x2B, 0, x0, x0, .L7
# 0 "" 2
 #NO_APP
.L11:
	lw	a4,16(a5)
	slli	a5,a4,1
	add	a5,a5,a4
	add	a0,a5,a3
	ret
.L5:
	lw	a3,16(a5)
	j	.L6
.L3:
	sw	a0,8(a5)
 #APP
# 19 "hints.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
	j	.L10
	.size	twice, .-twice
	.align	2
	.globl	search
	.type	search, @function
search:
	mv	a1,a0
 #APP
# 28 "hints.c" 1
	.insn j 0x0B, x1, .L15
# 0 "" 2
 #NO_APP
	lui	a3,%hi(.LANCHOR0)
	li	a0,0
	addi	a3,a3,%lo(.LANCHOR0)
	li	a2,64
.L19:
 #APP
# 30 "hints.c" 1
	.insn j 0x0B, x2, .L16
# 0 "" 2
 #NO_APP
	slli	a5,a0,2
	add	a5,a3,a5
	lw	a4,0(a5)
	andi	a4,a4,128
	bne	a4,zero,.L17
	lw	a4,0(a5)
	beq	a4,a1,.L18
	lw	a4,0(a5)
	addi	a4,a4,1
	sw	a4,0(a5)
.L17:
 #APP
# 39 "hints.c" 1
	.insn b 0x2B, 0, x0, x2, .L16
# 0 "" 2
 #NO_APP
.L16:
	addi	a0,a0,1
	bne	a0,a2,.L19
	li	a0,-1
.L18:
 #APP
# 41 "hints.c" 1
	.insn b 0x2B, 0, x0, x1, .L15
# 0 "" 2
 #NO_APP
.L15:
	ret
	.size	search, .-search
	.align	2
	.globl	nested
	.type	nested, @function
nested:
	mv	t1,a0
 #APP
# 48 "hints.c" 1
	.insn j 0x0B, x7, .L23
# 0 "" 2
 #NO_APP
	beq	a0,zero,.L36
	li	a7,0
	li	a0,0
	li	a2,5
	li	a3,2
	li	a6,7
	li	a1,3
.L35:
 #APP
# 50 "hints.c" 1
	.insn j 0x0B, x1, .L25
# 0 "" 2
 #NO_APP
	remu	a5,a7,a2
	beq	a5,a3,.L26
	remu	a5,a7,a6
	beq	a5,a1,.L38
	mv	a5,a7
	j	.L27
.L28:
	remu	a4,a5,a6
	beq	a4,a1,.L38
.L27:
	slli	a4,a5,1
	add	a4,a4,a5
	add	a0,a0,a5
	addi	a5,a4,1
	remu	a4,a5,a2
	bne	a4,a3,.L28
.L26:
 #APP
# 60 "hints.c" 1
	.insn b 0x2B, 0, x0, x1, .L25
# 0 "" 2
 #NO_APP
.L25:
 #APP
# 11 "hints.c" 1
	.insn j 0x0B, x0, .L29
# 0 "" 2
 #NO_APP
	lui	a5,%hi(.LANCHOR0)
	andi	a4,a0,1
	addi	a5,a5,%lo(.LANCHOR0)
	beq	a4,zero,.L30
	sw	a0,4(a5)
 #APP
# 19 "hints.c" 1
	.insn b 0x2B, 0, x0, x0, .L29
# 0 "" 2
 #NO_APP
.L38:
.L24:
	li	a0,100
 #APP
# 64 "hints.c" 1
	.insn b 0x2B, 0, x0, x7, .L23
# 0 "" 2
 #NO_APP
.L23:
	ret
.L30:
	sw	a0,8(a5)
 #APP
# 19 "hints.c" 1
	.insn b 0x2B, 0, x0, x0, .L29
# 0 "" 2
 #NO_APP
.L29:
	beq	a4,zero,.L33
	lw	a5,12(a5)
.L34:
	addi	a7,a7,1
	xor	a0,a0,a5
	bne	t1,a7,.L35
 #APP
# 64 "hints.c" 1
	.insn b 0x2B, 0, x0, x7, .L23
# 0 "" 2
 #NO_APP
.L33:
	lw	a5,16(a5)
	j	.L34
.L36:
	li	a0,0
 #APP
# 64 "hints.c" 1
	.insn b 0x2B, 0, x0, x7, .L23
# 0 "" 2
 #NO_APP
	.size	nested, .-nested
	.align	2
	.globl	free_leaves
	.type	free_leaves, @function
free_leaves:
 #APP
# 70 "hints.c" 1
	.insn j 0x0B, x4, .L41
# 0 "" 2
# 71 "hints.c" 1
	.insn j 0x0B, x5, .L42
# 0 "" 2
 #NO_APP
	addi	a5,a0,-3
	seqz	a5,a5
 #APP
# 72 "hints.c" 1
	.insn b 0x2B, 1, a5, x4, .L46
# 0 "" 2
 #NO_APP
	li	a5,0
 #APP
# 73 "hints.c" 1
	.insn b 0x2B, 2, a5, x5, .L47
# 0 "" 2
 #NO_APP
	lui	a5,%hi(.LANCHOR0)
	addi	a5,a5,%lo(.LANCHOR0)
	sw	a0,0(a5)
 #APP
# 75 "hints.c" 1
	.insn b 0x2B, 0, x0, x4, .L41
# 0 "" 2
 #NO_APP
.L46:
	lui	a5,%hi(.LANCHOR0)
	addi	a5,a5,%lo(.LANCHOR0)
.L41:
	sw	a0,20(a5)
 #APP
# 78 "hints.c" 1
	.insn b 0x2B, 0, x0, x5, .L42
# 0 "" 2
 #NO_APP
.L47:
	lui	a5,%hi(.LANCHOR0)
	addi	a5,a5,%lo(.LANCHOR0)
.L42:
	lw	a0,24(a5)
	ret
	.size	free_leaves, .-free_leaves
	.align	2
	.globl	recursive
	.type	recursive, @function
recursive:
	addi	sp,sp,-16
	sw	s0,8(sp)
	sw	ra,12(sp)
	li	a5,1
	mv	s0,a0
	bleu	a0,a5,.L50
 #APP
# 88 "hints.c" 1
	.insn j 0x0B, x3, .L52
# 0 "" 2
 #NO_APP
	addi	a0,a0,-1
	call	recursive
	mv	a5,a0
	addi	a0,s0,-2
	mv	s0,a5
	call	recursive
	add	a0,s0,a0
 #APP
# 90 "hints.c" 1
	.insn b 0x2B, 0, x0, x3, .L52
# 0 "" 2
 #NO_APP
.L52:
 #APP
# 200 "../../../kernels/weft.h" 1
	csrr a5, 0xCC5
# 0 "" 2
# 201 "../../../kernels/weft.h" 1
	csrr a4, 0xCC6
# 0 "" 2
 #NO_APP
	add	a0,a0,a5
.L50:
	lw	ra,12(sp)
	lw	s0,8(sp)
	addi	sp,sp,16
	jr	ra
	.size	recursive, .-recursive
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
 #APP
# 189 "../../../kernels/weft.h" 1
	csrr a4, 0xCC2
# 0 "" 2
# 187 "../../../kernels/weft.h" 1
	csrr a5, 0xCC1
# 0 "" 2
 #NO_APP
	add	a5,a5,a4
 #APP
# 191 "../../../kernels/weft.h" 1
	csrr a4, 0xCC3
# 0 "" 2
 #NO_APP
	add	a5,a5,a4
	addi	sp,sp,-16
 #APP
# 195 "../../../kernels/weft.h" 1
	csrr a4, 0xCC7
# 0 "" 2
 #NO_APP
	add	a5,a5,a4
	sw	s0,8(sp)
	mv	s0,a0
 #APP
# 193 "../../../kernels/weft.h" 1
	csrr a0, 0xCC4
# 0 "" 2
 #NO_APP
	add	a0,a5,a0
	sw	ra,12(sp)
	sw	s1,4(sp)
	sw	s2,0(sp)
	mv	s2,a1
	call	twice
	mv	s1,a0
	mv	a0,s0
	call	search
	mv	a5,a0
	mv	a0,s2
	add	s1,s1,a5
	call	nested
	mv	a5,a0
 #APP
# 70 "hints.c" 1
	.insn j 0x0B, x4, .L56
# 0 "" 2
# 71 "hints.c" 1
	.insn j 0x0B, x5, .L57
# 0 "" 2
 #NO_APP
	addi	a4,s0,-3
	seqz	a4,a4
 #APP
# 72 "hints.c" 1
	.insn b 0x2B, 1, a4, x4, .L62
# 0 "" 2
 #NO_APP
	li	a4,0
 #APP
# 73 "hints.c" 1
	.insn b 0x2B, 2, a4, x5, .L63
# 0 "" 2
 #NO_APP
	lui	s2,%hi(.LANCHOR0)
	addi	s2,s2,%lo(.LANCHOR0)
	sw	s0,0(s2)
 #APP
# 75 "hints.c" 1
	.insn b 0x2B, 0, x0, x4, .L56
# 0 "" 2
 #NO_APP
.L62:
	lui	s2,%hi(.LANCHOR0)
	addi	s2,s2,%lo(.LANCHOR0)
.L56:
	sw	s0,20(s2)
 #APP
# 78 "hints.c" 1
	.insn b 0x2B, 0, x0, x5, .L57
# 0 "" 2
 #NO_APP
.L63:
	lui	s2,%hi(.LANCHOR0)
	addi	s2,s2,%lo(.LANCHOR0)
.L57:
	lw	a4,24(s2)
	andi	a0,s0,7
	andi	s0,s0,63
	add	s1,s1,a4
	add	s1,s1,a5
	slli	s0,s0,2
	call	recursive
	add	s1,s1,a0
	add	s0,s2,s0
	sw	s1,0(s0)
 #APP
# 98 "hints.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
	li	a5,3
 #APP
# 185 "../../../kernels/weft.h" 1
	csrr a4, 0xCC0
# 0 "" 2
 #NO_APP
	beq	a4,a5,.L67
	lw	ra,12(sp)
	lw	s0,8(sp)
	li	a5,1
	sw	a5,36(s2)
	lw	s1,4(sp)
	lw	s2,0(sp)
	addi	sp,sp,16
	jr	ra
.L67:
 #APP
# 100 "hints.c" 1
	.insn i 0x5B, 2, x0, 0(x0)
# 0 "" 2
 #NO_APP
	.size	kernel, .-kernel
	.globl	words
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	words, @object
	.size	words, 256
words:
	.zero	256
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
