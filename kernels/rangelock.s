# Made from rangelock.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S rangelock.c
	.file	"rangelock.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.type	next_word, @function
next_word:
 #APP
# 41 "rangelock.c" 1
	.insn j 0x0B, x0, .L2
# 0 "" 2
 #NO_APP
	lui	a6,%hi(text)
	addi	a6,a6,%lo(text)
	beq	a0,a1,.L4
	li	a7,1
	li	a2,25
	li	t1,6
	sub	a7,a7,a6
.L3:
	beq	a0,zero,.L9
	add	a5,a6,a0
	lbu	a5,-1(a5)
	mv	a3,a0
	ori	a5,a5,32
	addi	a5,a5,-97
	bgtu	a5,a2,.L5
.L6:
	addi	a0,a0,1
	bne	a1,a0,.L3
.L4:
 #APP
# 44 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
.L2:
	ret
.L9:
	li	a3,0
.L5:
	add	a4,a6,a3
	lbu	a5,0(a4)
	ori	a5,a5,32
	addi	a5,a5,-97
	bgtu	a5,a2,.L7
.L8:
	lbu	a5,1(a4)
	mv	a3,a4
	addi	a4,a4,1
	ori	a5,a5,32
	addi	a5,a5,-97
	bleu	a5,a2,.L8
	add	a3,a7,a3
.L7:
	sub	a3,a3,a0
	bleu	a3,t1,.L6
 #APP
# 44 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
	.size	next_word, .-next_word
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	addi	sp,sp,-80
	sw	s10,32(sp)
	sw	ra,76(sp)
	sw	s0,72(sp)
	sw	s1,68(sp)
	sw	s2,64(sp)
	sw	s3,60(sp)
	sw	s4,56(sp)
	sw	s5,52(sp)
	sw	s6,48(sp)
	sw	s7,44(sp)
	sw	s8,40(sp)
	sw	s9,36(sp)
	sw	s11,28(sp)
	slli	s10,a0,4
	li	a5,4096
	bgeu	s10,a5,.L14
	lui	a5,%hi(text)
	addi	a5,a5,%lo(text)
	slli	s8,a1,4
	addi	s2,s10,16
	sw	a5,12(sp)
	lui	a5,%hi(.LANCHOR0)
	mv	s9,s10
	addi	s11,a5,%lo(.LANCHOR0)
	li	s1,17
	mv	s7,s8
	mv	s10,s2
.L16:
	lw	a5,12(sp)
	add	a5,a5,s10
	lbu	a5,-16(a5)
	beq	a5,zero,.L14
	mv	a1,s10
	mv	a0,s9
	call	next_word
 #APP
# 101 "rangelock.c" 1
	.insn j 0x0B, x1, .L17
# 0 "" 2
 #NO_APP
	li	s0,1
	beq	a0,s10,.L103
	sw	s7,4(sp)
	sw	s9,8(sp)
.L18:
 #APP
# 103 "rangelock.c" 1
	.insn j 0x0B, x2, .L20
# 0 "" 2
 #NO_APP
	li	a5,24
	divu	a6,a0,a5
	addi	a6,a6,56
	andi	a6,a6,63
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L21
# 0 "" 2
 #NO_APP
	li	a4,64
	addi	a5,a6,16
	bleu	a5,a4,.L106
	addi	a5,a6,-48
	mv	s7,s11
	bne	a5,zero,.L23
.L127:
	slli	s7,a6,2
	add	s7,s11,s7
.L23:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L24
# 0 "" 2
 #NO_APP
	j	.L25
.L26:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L25:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(s7)
	bne	a4,zero,.L26
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L24
# 0 "" 2
 #NO_APP
.L24:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L27
# 0 "" 2
 #NO_APP
	li	a7,4
	bgtu	a5,s0,.L28
	addi	a7,a6,1
	sub	a7,a7,a5
	slli	a7,a7,2
.L28:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L29
# 0 "" 2
 #NO_APP
	add	a7,s11,a7
	j	.L30
.L31:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L30:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(a7)
	bne	a4,zero,.L31
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L29
# 0 "" 2
 #NO_APP
.L29:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L32
# 0 "" 2
 #NO_APP
	li	a4,2
	li	t1,8
	bgtu	a5,a4,.L33
	addi	t1,a6,2
	sub	t1,t1,a5
	slli	t1,t1,2
.L33:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L34
# 0 "" 2
 #NO_APP
	add	t1,s11,t1
	j	.L35
.L36:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L35:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(t1)
	bne	a4,zero,.L36
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L34
# 0 "" 2
 #NO_APP
.L34:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L37
# 0 "" 2
 #NO_APP
	li	a4,3
	li	t3,12
	bgtu	a5,a4,.L38
	addi	t3,a6,3
	sub	t3,t3,a5
	slli	t3,t3,2
.L38:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L39
# 0 "" 2
 #NO_APP
	add	t3,s11,t3
	j	.L40
.L41:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L40:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(t3)
	bne	a4,zero,.L41
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L39
# 0 "" 2
 #NO_APP
.L39:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L42
# 0 "" 2
 #NO_APP
	li	a4,4
	li	t4,16
	bgtu	a5,a4,.L43
	addi	t4,a6,4
	sub	t4,t4,a5
	slli	t4,t4,2
.L43:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L44
# 0 "" 2
 #NO_APP
	add	t4,s11,t4
	j	.L45
.L46:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L45:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(t4)
	bne	a4,zero,.L46
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L44
# 0 "" 2
 #NO_APP
.L44:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L47
# 0 "" 2
 #NO_APP
	li	a4,5
	li	t5,20
	bgtu	a5,a4,.L48
	addi	t5,a6,5
	sub	t5,t5,a5
	slli	t5,t5,2
.L48:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L49
# 0 "" 2
 #NO_APP
	add	t5,s11,t5
	j	.L50
.L51:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L50:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(t5)
	bne	a4,zero,.L51
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L49
# 0 "" 2
 #NO_APP
.L49:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L52
# 0 "" 2
 #NO_APP
	li	a4,6
	li	t6,24
	bgtu	a5,a4,.L53
	addi	t6,a6,6
	sub	t6,t6,a5
	slli	t6,t6,2
.L53:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L54
# 0 "" 2
 #NO_APP
	add	t6,s11,t6
	j	.L55
.L56:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L55:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(t6)
	bne	a4,zero,.L56
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L54
# 0 "" 2
 #NO_APP
.L54:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L57
# 0 "" 2
 #NO_APP
	li	a4,7
	li	t0,28
	bgtu	a5,a4,.L58
	addi	t0,a6,7
	sub	t0,t0,a5
	slli	t0,t0,2
.L58:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L59
# 0 "" 2
 #NO_APP
	add	t0,s11,t0
	j	.L60
.L61:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L60:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(t0)
	bne	a4,zero,.L61
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L59
# 0 "" 2
 #NO_APP
.L59:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L62
# 0 "" 2
 #NO_APP
	li	a4,8
	li	t2,32
	bgtu	a5,a4,.L63
	addi	t2,a6,8
	sub	t2,t2,a5
	slli	t2,t2,2
.L63:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L64
# 0 "" 2
 #NO_APP
	add	t2,s11,t2
	j	.L65
.L66:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L65:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(t2)
	bne	a4,zero,.L66
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L64
# 0 "" 2
 #NO_APP
.L64:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L67
# 0 "" 2
 #NO_APP
	li	a4,9
	li	ra,36
	bgtu	a5,a4,.L68
	addi	ra,a6,9
	sub	ra,ra,a5
	slli	ra,ra,2
.L68:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L69
# 0 "" 2
 #NO_APP
	add	ra,s11,ra
	j	.L70
.L71:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L70:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(ra)
	bne	a4,zero,.L71
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L69
# 0 "" 2
 #NO_APP
.L69:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L72
# 0 "" 2
 #NO_APP
	li	a4,10
	li	s2,40
	bgtu	a5,a4,.L73
	addi	s2,a6,10
	sub	s2,s2,a5
	slli	s2,s2,2
.L73:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L74
# 0 "" 2
 #NO_APP
	add	s2,s11,s2
	j	.L75
.L76:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L75:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(s2)
	bne	a4,zero,.L76
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L74
# 0 "" 2
 #NO_APP
.L74:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L77
# 0 "" 2
 #NO_APP
	li	a4,11
	li	s3,44
	bgtu	a5,a4,.L78
	addi	s3,a6,11
	sub	s3,s3,a5
	slli	s3,s3,2
.L78:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L79
# 0 "" 2
 #NO_APP
	add	s3,s11,s3
	j	.L80
.L81:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L80:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(s3)
	bne	a4,zero,.L81
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L79
# 0 "" 2
 #NO_APP
.L79:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L82
# 0 "" 2
 #NO_APP
	li	a4,12
	li	s4,48
	bgtu	a5,a4,.L83
	addi	s4,a6,12
	sub	s4,s4,a5
	slli	s4,s4,2
.L83:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L84
# 0 "" 2
 #NO_APP
	add	s4,s11,s4
	j	.L85
.L86:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L85:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(s4)
	bne	a4,zero,.L86
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L84
# 0 "" 2
 #NO_APP
.L84:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L87
# 0 "" 2
 #NO_APP
	li	a4,13
	li	s5,52
	bgtu	a5,a4,.L88
	addi	s5,a6,13
	sub	s5,s5,a5
	slli	s5,s5,2
.L88:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L89
# 0 "" 2
 #NO_APP
	add	s5,s11,s5
	j	.L90
.L91:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L90:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(s5)
	bne	a4,zero,.L91
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L89
# 0 "" 2
 #NO_APP
.L89:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L92
# 0 "" 2
 #NO_APP
	li	a4,15
	li	s6,56
	beq	a5,a4,.L93
	addi	s6,a6,14
	sub	s6,s6,a5
	slli	s6,s6,2
.L93:
 #APP
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L94
# 0 "" 2
 #NO_APP
	add	s6,s11,s6
	j	.L95
.L96:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L95:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(s6)
	bne	a4,zero,.L96
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L94
# 0 "" 2
 #NO_APP
.L94:
 #APP
# 88 "rangelock.c" 1
	.insn j 0x0B, x0, .L97
# 0 "" 2
# 58 "rangelock.c" 1
	.insn j 0x0B, x1, .L98
# 0 "" 2
 #NO_APP
	addi	a2,a6,15
	sub	a2,a2,a5
	slli	a2,a2,2
	add	a2,s11,a2
	j	.L99
.L100:
 #APP
# 60 "rangelock.c" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L99:
	mv	a4,s0
	amoswap.w.aq a4,a4,0(a2)
	bne	a4,zero,.L100
 #APP
# 61 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L98
# 0 "" 2
 #NO_APP
.L98:
	li	s9,7
	li	s8,16
	sw	a0,0(sp)
.L102:
	add	a5,a6,a4
	andi	a5,a5,63
	slli	a5,a5,2
	add	a3,s11,a5
	mv	a0,a4
	addi	a4,a4,1
	lw	a3,256(a3)
	mv	a1,a4
	bleu	a0,s9,.L101
	sub	a1,s1,a4
.L101:
	add	a5,s11,a5
	add	a3,a3,a1
	sw	a3,256(a5)
	bne	a4,s8,.L102
	lw	a0,0(sp)
	fence iorw,ow; amoswap.w zero,zero,0(a2)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L97
# 0 "" 2
 #NO_APP
.L97:
	fence iorw,ow; amoswap.w zero,zero,0(s6)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L92
# 0 "" 2
 #NO_APP
.L92:
	fence iorw,ow; amoswap.w zero,zero,0(s5)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L87
# 0 "" 2
 #NO_APP
.L87:
	fence iorw,ow; amoswap.w zero,zero,0(s4)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L82
# 0 "" 2
 #NO_APP
.L82:
	fence iorw,ow; amoswap.w zero,zero,0(s3)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L77
# 0 "" 2
 #NO_APP
.L77:
	fence iorw,ow; amoswap.w zero,zero,0(s2)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L72
# 0 "" 2
 #NO_APP
.L72:
	fence iorw,ow; amoswap.w zero,zero,0(ra)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L67
# 0 "" 2
 #NO_APP
.L67:
	fence iorw,ow; amoswap.w zero,zero,0(t2)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L62
# 0 "" 2
 #NO_APP
.L62:
	fence iorw,ow; amoswap.w zero,zero,0(t0)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L57
# 0 "" 2
 #NO_APP
.L57:
	fence iorw,ow; amoswap.w zero,zero,0(t6)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L52
# 0 "" 2
 #NO_APP
.L52:
	fence iorw,ow; amoswap.w zero,zero,0(t5)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L47
# 0 "" 2
 #NO_APP
.L47:
	fence iorw,ow; amoswap.w zero,zero,0(t4)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L42
# 0 "" 2
 #NO_APP
.L42:
	fence iorw,ow; amoswap.w zero,zero,0(t3)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L37
# 0 "" 2
 #NO_APP
.L37:
	fence iorw,ow; amoswap.w zero,zero,0(t1)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L32
# 0 "" 2
 #NO_APP
.L32:
	fence iorw,ow; amoswap.w zero,zero,0(a7)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L27
# 0 "" 2
 #NO_APP
.L27:
	fence iorw,ow; amoswap.w zero,zero,0(s7)
 #APP
# 88 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x0, .L21
# 0 "" 2
 #NO_APP
.L21:
	addi	a5,s11,512
	amoadd.w zero,s0,0(a5)
	mv	a1,s10
	addi	a0,a0,1
	call	next_word
 #APP
# 107 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x2, .L20
# 0 "" 2
 #NO_APP
.L20:
	bne	a0,s10,.L18
	lw	s7,4(sp)
	lw	s9,8(sp)
.L103:
 #APP
# 109 "rangelock.c" 1
	.insn b 0x2B, 0, x0, x1, .L17
# 0 "" 2
 #NO_APP
.L17:
	li	a5,4096
	add	s9,s9,s7
	add	s10,s10,s7
	bltu	s9,a5,.L16
.L14:
	lw	ra,76(sp)
	lw	s0,72(sp)
	lw	s1,68(sp)
	lw	s2,64(sp)
	lw	s3,60(sp)
	lw	s4,56(sp)
	lw	s5,52(sp)
	lw	s6,48(sp)
	lw	s7,44(sp)
	lw	s8,40(sp)
	lw	s9,36(sp)
	lw	s10,32(sp)
	lw	s11,28(sp)
	addi	sp,sp,80
	jr	ra
.L106:
	li	a5,0
	j	.L127
	.size	kernel, .-kernel
	.globl	worked
	.globl	density
	.globl	lock
	.globl	text
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	lock, @object
	.size	lock, 256
lock:
	.zero	256
	.type	density, @object
	.size	density, 256
density:
	.zero	256
	.type	worked, @object
	.size	worked, 4
worked:
	.zero	4
	.type	text, @object
	.size	text, 4096
text:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
