	.file	"program.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
.Ltext0:
	.file 0 "/work/wt/compiler" "/tmp/program.c"
	.align	2
	.type	f0, @function
f0:
.LFB0:
	.file 1 "/tmp/program.c"
	.loc 1 6 59
	.cfi_startproc
.LVL0:
	.loc 1 11 8 is_stmt 0
	li	t5,600809472
.LBB2:
	.loc 1 14 22
	lui	t2,%hi(.LANCHOR0)
.LBE2:
	.loc 1 6 59
	mv	t1,a0
	.loc 1 11 8
	addi	t5,t5,-2030
	.loc 1 6 59
	li	a0,0
.LVL1:
.LBB7:
	.loc 1 14 22
	addi	t2,t2,%lo(.LANCHOR0)
.LBB3:
	.loc 1 15 58
	li	a6,27
.LBE3:
.LBE7:
	.loc 1 24 17
	li	t0,31
	.loc 1 24 50
	li	t6,3
	j	.L25
.LVL2:
.L38:
	.loc 1 23 5 is_stmt 1
	.loc 1 24 5
	.loc 1 25 5
	.loc 1 24 23 is_stmt 0
	andi	a5,a1,7
.LVL3:
	.loc 1 24 28
	addi	a5,a5,1
.LVL4:
	.loc 1 24 17
	divu	a5,t0,a5
.LVL5:
	.loc 1 25 14
	andi	a2,a2,7
	.loc 1 24 50
	mv	a4,t1
	bleu	t1,t6,.L30
	li	a4,3
.L30:
	.loc 1 24 34
	srl	a5,a5,a4
	.loc 1 24 8
	add	a5,a5,t4
	add	a0,a0,a5
	.loc 1 25 8
	beq	a2,zero,.L33
	.loc 1 25 19 is_stmt 1
	.loc 1 25 44 is_stmt 0
	andi	a5,t1,7
	.loc 1 25 49
	addi	a5,a5,1
	.loc 1 25 25
	addi	a2,a2,-1
	li	a1,9
.LVL6:
	divu	t1,t1,a5
.LVL7:
.L25:
	.loc 1 7 5 is_stmt 1
	.loc 1 7 49 is_stmt 0
	addi	a4,t1,27
	.loc 1 7 23
	srli	a5,t1,1
	.loc 1 7 14
	xor	a5,a5,a4
.LVL8:
	.loc 1 8 5 is_stmt 1
	.loc 1 8 30 is_stmt 0
	andi	a4,a5,7
	.loc 1 8 35
	addi	a4,a4,1
	.loc 1 8 14
	divu	a5,a5,a4
.LVL9:
	.loc 1 9 5 is_stmt 1
	.loc 1 10 5
	.loc 1 11 5
	.loc 1 11 15 is_stmt 0
	sub	t4,a5,t1
	.loc 1 11 8
	bleu	t4,t5,.L26
	mv	t4,t5
.L26:
.LVL10:
	.loc 1 12 5 is_stmt 1
	.loc 1 12 35 is_stmt 0
	andi	a4,a5,2
	.loc 1 12 8
	beq	a4,zero,.L38
	.loc 1 6 59
	addi	sp,sp,-16
	.cfi_def_cfa_offset 16
	sw	s0,12(sp)
	sw	s1,8(sp)
	.cfi_offset 8, -4
	.cfi_offset 9, -8
.LVL11:
.L28:
.LBB8:
	.loc 1 13 34 is_stmt 1
	.loc 1 13 42 is_stmt 0
	slli	s0,t4,1
	.loc 1 13 49
	andi	s0,s0,14
	.loc 1 13 34
	beq	s0,zero,.L3
	.loc 1 14 26
	andi	a4,t4,63
	.loc 1 14 22
	slli	a4,a4,2
	add	a4,t2,a4
	lw	s1,0(a4)
.LBB4:
	.loc 1 16 33
	slli	a7,a1,3
	.loc 1 16 39
	addi	a7,a7,20
.LBE4:
	.loc 1 13 23
	li	t3,0
.LVL12:
.L8:
	.loc 1 14 13 is_stmt 1
	.loc 1 14 16 is_stmt 0
	bgtu	s1,a5,.L3
.LVL13:
.LBB5:
	.loc 1 15 38 is_stmt 1
	.loc 1 15 58 is_stmt 0
	bleu	a5,a6,.L39
.L23:
	.loc 1 15 27
	li	a3,0
.LVL14:
.L6:
	.loc 1 16 17 is_stmt 1
	.loc 1 16 27 is_stmt 0
	and	a4,a7,a3
	.loc 1 16 20
	add	a5,a5,a4
.LVL15:
	.loc 1 17 17 is_stmt 1
	.loc 1 18 17
.LDL1:
	.loc 1 19 22
	.loc 1 15 74
	.loc 1 15 58 is_stmt 0
	mv	a4,a5
	.loc 1 15 74
	addi	a3,a3,1
.LVL16:
	.loc 1 15 38 is_stmt 1
	.loc 1 15 58 is_stmt 0
	bleu	a5,a6,.L7
	li	a4,27
.L7:
	.loc 1 15 65
	andi	a4,a4,15
	.loc 1 15 38
	bgtu	a4,a3,.L6
.LBE5:
	.loc 1 13 58 is_stmt 1 discriminator 2
	addi	t3,t3,1
.LVL17:
	.loc 1 13 34 discriminator 2
	bne	s0,t3,.L8
.LVL18:
.L3:
.LBE8:
	.loc 1 23 5
	.loc 1 24 5
	.loc 1 25 5
	.loc 1 24 23 is_stmt 0
	andi	a5,a1,7
.LVL19:
	.loc 1 24 28
	addi	a5,a5,1
.LVL20:
	.loc 1 24 17
	divu	a5,t0,a5
.LVL21:
	.loc 1 25 14
	andi	a2,a2,7
	.loc 1 24 50
	mv	a4,t1
	bleu	t1,t6,.L9
	li	a4,3
.L9:
	.loc 1 24 34
	srl	a5,a5,a4
	.loc 1 24 8
	add	a5,a5,t4
	add	a0,a0,a5
	.loc 1 25 8
	beq	a2,zero,.L40
	.loc 1 25 19 is_stmt 1 discriminator 1
	.loc 1 25 44 is_stmt 0 discriminator 1
	andi	a5,t1,7
	.loc 1 25 49 discriminator 1
	addi	a5,a5,1
	.loc 1 25 25 discriminator 1
	addi	a2,a2,-1
	li	a1,9
.LVL22:
	divu	t1,t1,a5
	.loc 1 7 5 is_stmt 1 discriminator 1
	.loc 1 7 49 is_stmt 0 discriminator 1
	addi	a4,t1,27
	.loc 1 7 23 discriminator 1
	srli	a5,t1,1
	.loc 1 7 14 discriminator 1
	xor	a5,a5,a4
.LVL23:
	.loc 1 8 5 is_stmt 1 discriminator 1
	.loc 1 8 30 is_stmt 0 discriminator 1
	andi	a4,a5,7
	.loc 1 8 35 discriminator 1
	addi	a4,a4,1
	.loc 1 8 14 discriminator 1
	divu	a5,a5,a4
.LVL24:
	.loc 1 9 5 is_stmt 1 discriminator 1
	.loc 1 10 5 discriminator 1
	.loc 1 11 5 discriminator 1
	.loc 1 11 15 is_stmt 0 discriminator 1
	sub	t4,a5,t1
	.loc 1 11 8 discriminator 1
	bleu	t4,t5,.L2
	.loc 1 11 8
	mv	t4,t5
.L2:
.LVL25:
	.loc 1 12 5 is_stmt 1
	.loc 1 12 35 is_stmt 0
	andi	a4,a5,2
	.loc 1 12 8
	beq	a4,zero,.L3
	j	.L28
.LVL26:
.L39:
.LBB9:
.LBB6:
	.loc 1 15 65
	andi	a4,a5,15
	.loc 1 15 38
	bne	a4,zero,.L23
.LBE6:
	.loc 1 13 58 is_stmt 1
	addi	t3,t3,1
.LVL27:
	.loc 1 13 34
	bne	s0,t3,.L8
	j	.L3
.LVL28:
.L33:
	.cfi_def_cfa_offset 0
	.cfi_restore 8
	.cfi_restore 9
.LBE9:
	.loc 1 27 1 is_stmt 0
	ret
.LVL29:
.L40:
	.cfi_def_cfa_offset 16
	.cfi_offset 8, -4
	.cfi_offset 9, -8
	lw	s0,12(sp)
	.cfi_restore 8
	lw	s1,8(sp)
	.cfi_restore 9
	addi	sp,sp,16
	.cfi_def_cfa_offset 0
	jr	ra
	.cfi_endproc
.LFE0:
	.size	f0, .-f0
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
.LFB1:
	.loc 1 29 37 is_stmt 1
	.cfi_startproc
.LVL30:
	.loc 1 30 5
	.loc 1 31 5
	.loc 1 33 41 is_stmt 0
	li	a5,3
	.loc 1 34 17
	srli	a4,a1,2
	.loc 1 33 41
	remu	a4,a4,a5
	.loc 1 29 37
	addi	sp,sp,-80
	.cfi_def_cfa_offset 80
	sw	s1,68(sp)
	.cfi_offset 9, -12
	.loc 1 31 23
	xori	s1,a1,2
	.loc 1 33 29
	slli	a5,a1,3
	.loc 1 33 41
	add	a5,a5,a1
	.loc 1 29 37
	sw	s9,36(sp)
	.loc 1 33 41
	andi	a5,a5,63
	.cfi_offset 25, -44
	.loc 1 33 14
	lui	s9,%hi(.LANCHOR0)
	addi	s9,s9,%lo(.LANCHOR0)
	slli	a5,a5,2
	add	a5,s9,a5
	.loc 1 29 37
	sw	s7,44(sp)
	sw	s8,40(sp)
	.cfi_offset 23, -36
	.cfi_offset 24, -40
.LBB10:
	.loc 1 45 9
	lui	s7,%hi(.L45)
.LBE10:
	.loc 1 33 14
	lw	s8,0(a5)
	li	a5,60
	.loc 1 29 37
	sw	s0,72(sp)
	sw	s2,64(sp)
	sw	s3,60(sp)
	sw	s4,56(sp)
	sw	s5,52(sp)
	sw	s6,48(sp)
	sw	s10,32(sp)
	sw	s11,28(sp)
	sw	ra,76(sp)
	.cfi_offset 8, -8
	.cfi_offset 18, -16
	.cfi_offset 19, -20
	.cfi_offset 20, -24
	.cfi_offset 21, -28
	.cfi_offset 22, -32
	.cfi_offset 26, -48
	.cfi_offset 27, -52
	.cfi_offset 1, -4
	.loc 1 29 37
	mv	s0,a1
	mv	s4,a0
	.loc 1 33 14
	mv	s3,a1
	li	s6,0
	li	s2,0
	sw	a5,12(sp)
.LBB11:
	.loc 1 45 22
	li	s5,6
	.loc 1 45 9
	li	s11,4
.LBE11:
	.loc 1 31 14
	mul	s1,s1,a1
.LVL31:
	.loc 1 32 5 is_stmt 1
	.loc 1 33 5
	.loc 1 34 5
	.loc 1 42 16 is_stmt 0
	addi	a4,a4,-2
	seqz	a4,a4
.LBB12:
	.loc 1 45 9
	addi	s7,s7,%lo(.L45)
	.loc 1 44 30
	li	s10,3
.LBE12:
	.loc 1 42 16
	add	s1,s1,a4
.LVL32:
.L51:
.LBB13:
	.loc 1 45 9 is_stmt 1
	.loc 1 45 22 is_stmt 0
	remu	a5,s3,s5
	.loc 1 45 9
	bgtu	a5,s11,.L43
	slli	a5,a5,2
	add	a5,a5,s7
	lw	a5,0(a5)
	jr	a5
	.section	.rodata
	.align	2
	.align	2
.L45:
	.word	.L49
	.word	.L48
	.word	.L47
	.word	.L46
	.word	.L44
	.text
.L58:
	.loc 1 48 17 is_stmt 1
	.loc 1 48 27 is_stmt 0
	and	a5,s0,s3
	add	a5,a5,s3
	.loc 1 48 20
	sub	s3,a5,a1
.LVL33:
	.loc 1 49 17 is_stmt 1
	.loc 1 49 20 is_stmt 0
	add	s8,s8,s4
.LVL34:
.L48:
	.loc 1 55 13 is_stmt 1
	.loc 1 55 19 is_stmt 0
	li	a2,0
	li	a1,14
	mv	a0,s6
	call	f0
.LVL35:
	.loc 1 55 16
	add	s3,s3,a0
.LVL36:
.L47:
	.loc 1 71 9 is_stmt 1 discriminator 2
	.loc 1 71 32 is_stmt 0 discriminator 2
	sub	a5,s2,s1
	.loc 1 71 38 discriminator 2
	andi	a5,a5,7
	.loc 1 71 18 discriminator 2
	sub	s1,s0,s1
.LVL37:
	.loc 1 44 47 discriminator 2
	addi	s2,s2,1
.LVL38:
	.loc 1 71 12 discriminator 2
	srl	s1,s1,a5
.LVL39:
	.loc 1 44 47 is_stmt 1 discriminator 2
	.loc 1 44 30 discriminator 2
	add	s6,s6,s4
	bne	s2,s10,.L51
.L57:
.LBE13:
	.loc 1 73 5
.LVL40:
	.loc 1 74 5
	.loc 1 75 5
	.loc 1 74 17 is_stmt 0
	addi	a5,s0,7
	.loc 1 73 8
	li	a4,864927744
	addi	a4,a4,1616
	.loc 1 74 22
	slli	a5,a5,3
	.loc 1 73 8
	add	s3,s3,a4
.LVL41:
	.loc 1 75 26
	sub	a5,a5,s4
	.loc 1 75 31
	slli	a4,s8,2
	add	a4,a4,s8
	.loc 1 75 22
	slli	a3,s3,1
	.loc 1 75 26
	addi	a5,a5,14
	add	a5,a5,a4
	.loc 1 75 22
	add	a3,a3,s3
	.loc 1 75 12
	lui	a4,%hi(out)
	.loc 1 76 1
	lw	ra,76(sp)
	.cfi_remember_state
	.cfi_restore 1
	lw	s0,72(sp)
	.cfi_restore 8
.LVL42:
	.loc 1 75 12
	slli	s4,s4,2
.LVL43:
	.loc 1 75 26
	add	a5,a5,a3
	.loc 1 75 12
	addi	a4,a4,%lo(out)
	add	a4,a4,s4
	.loc 1 75 26
	add	a5,a5,s1
	.loc 1 75 12
	sw	a5,0(a4)
	.loc 1 76 1
	lw	s1,68(sp)
	.cfi_restore 9
.LVL44:
	lw	s2,64(sp)
	.cfi_restore 18
.LVL45:
	lw	s3,60(sp)
	.cfi_restore 19
.LVL46:
	lw	s4,56(sp)
	.cfi_restore 20
	lw	s5,52(sp)
	.cfi_restore 21
	lw	s6,48(sp)
	.cfi_restore 22
	lw	s7,44(sp)
	.cfi_restore 23
	lw	s8,40(sp)
	.cfi_restore 24
.LVL47:
	lw	s9,36(sp)
	.cfi_restore 25
	lw	s10,32(sp)
	.cfi_restore 26
	lw	s11,28(sp)
	.cfi_restore 27
	addi	sp,sp,80
	.cfi_def_cfa_offset 0
.LVL48:
	jr	ra
.LVL49:
.L46:
	.cfi_restore_state
.LBB14:
	.loc 1 61 25 is_stmt 1
	lw	a5,12(sp)
	beq	a5,zero,.L47
	.loc 1 61 34 is_stmt 0
	and	a5,s3,s2
	.loc 1 61 45
	xor	a5,a5,s4
	andi	a5,a5,3
	.loc 1 61 25
	bne	a5,zero,.L47
	.loc 1 71 32
	sub	a5,s2,s1
	.loc 1 63 20
	li	s8,-145182720
.LVL50:
	.loc 1 71 18
	sub	s1,s0,s1
.LVL51:
	.loc 1 71 38
	andi	a5,a5,7
	.loc 1 61 25
	sw	zero,12(sp)
.LVL52:
	.loc 1 44 47
	addi	s2,s2,1
.LVL53:
	.loc 1 63 20
	addi	s8,s8,-1865
.LVL54:
	.loc 1 71 9 is_stmt 1
	.loc 1 71 12 is_stmt 0
	srl	s1,s1,a5
.LVL55:
	.loc 1 44 47 is_stmt 1
	.loc 1 44 30
	add	s6,s6,s4
	bne	s2,s10,.L51
	j	.L57
.L49:
	.loc 1 47 13
	.loc 1 47 27 is_stmt 0
	andi	a5,s3,7
	.loc 1 47 32
	addi	a5,a5,1
	.loc 1 47 20
	divu	a5,s0,a5
	.loc 1 48 44
	andi	a4,s8,63
	.loc 1 48 40
	slli	a4,a4,2
	.loc 1 47 60
	andi	a2,s4,2
	.loc 1 48 40
	add	a4,s9,a4
	lw	a1,0(a4)
	.loc 1 47 38
	andi	a5,a5,8
	.loc 1 47 42
	or	a5,a5,a2
	bne	a5,zero,.L58
	.loc 1 51 17 is_stmt 1
	.loc 1 51 51 is_stmt 0
	andi	a5,s4,7
	.loc 1 51 45
	srl	a5,s1,a5
	.loc 1 51 39
	sub	a1,a1,a5
	.loc 1 51 20
	xor	s8,s8,a1
.LVL56:
	.loc 1 52 17 is_stmt 1
	.loc 1 52 31 is_stmt 0
	andi	a5,s8,63
	.loc 1 52 20
	slli	a5,a5,2
	add	a5,s9,a5
	lw	s3,0(a5)
.LVL57:
	.loc 1 55 13 is_stmt 1
	.loc 1 55 19 is_stmt 0
	li	a2,0
	li	a1,14
	mv	a0,s6
	call	f0
.LVL58:
	.loc 1 55 16
	add	s3,s3,a0
.LVL59:
	j	.L47
.L44:
	.loc 1 67 13 is_stmt 1
	.loc 1 67 36 is_stmt 0
	slli	a5,s2,3
	add	a5,a5,s4
	.loc 1 67 41
	andi	a5,a5,63
	.loc 1 67 24
	slli	a5,a5,2
	add	a5,s9,a5
	.loc 1 67 16
	lw	a5,0(a5)
	.loc 1 44 30
	add	s6,s6,s4
	.loc 1 67 16
	add	s3,s3,a5
.LVL60:
	.loc 1 68 13 is_stmt 1
	.loc 1 71 9
	.loc 1 71 32 is_stmt 0
	sub	a5,s2,s1
	.loc 1 71 38
	andi	a5,a5,7
	.loc 1 71 18
	sub	s1,s0,s1
.LVL61:
	.loc 1 44 47
	addi	s2,s2,1
.LVL62:
	.loc 1 71 12
	srl	s1,s1,a5
.LVL63:
	.loc 1 44 47 is_stmt 1
	.loc 1 44 30
	bne	s2,s10,.L51
	j	.L57
.L43:
	.loc 1 69 18
	.loc 1 69 20 is_stmt 0
	addi	s1,s1,1
.LVL64:
	.loc 1 71 9 is_stmt 1
	.loc 1 71 32 is_stmt 0
	sub	a5,s2,s1
	.loc 1 71 38
	andi	a5,a5,7
	.loc 1 71 18
	sub	s1,s0,s1
.LVL65:
	.loc 1 44 47
	addi	s2,s2,1
.LVL66:
	.loc 1 71 12
	srl	s1,s1,a5
.LVL67:
	.loc 1 44 47 is_stmt 1
	.loc 1 44 30
	add	s6,s6,s4
	bne	s2,s10,.L51
	j	.L57
.LBE14:
	.cfi_endproc
.LFE1:
	.size	kernel, .-kernel
	.globl	calls
	.globl	table
	.globl	data
	.globl	count
	.globl	out
	.globl	guard
	.bss
	.align	2
	.type	data, @object
	.size	data, 256
data:
	.zero	256
	.type	count, @object
	.size	count, 32
count:
	.zero	32
	.type	out, @object
	.size	out, 4096
out:
	.zero	4096
	.type	guard, @object
	.size	guard, 16
guard:
	.zero	16
	.section	.rodata
	.align	2
	.set	.LANCHOR0,. + 0
	.type	table, @object
	.size	table, 256
table:
	.word	-145184585
	.word	-1351594426
	.word	51697023
	.word	1574040519
	.word	-1567651099
	.word	864929360
	.word	-832199399
	.word	2058979897
	.word	-185083265
	.word	-1057603575
	.word	-1120193095
	.word	1788758563
	.word	-1279560225
	.word	1809876121
	.word	-2087725716
	.word	1018575331
	.word	1130402718
	.word	2009019998
	.word	376215026
	.word	-581457709
	.word	-855739524
	.word	-1554758011
	.word	1965494089
	.word	1298300779
	.word	-1425465374
	.word	-724501641
	.word	446160008
	.word	600807442
	.word	971639102
	.word	-1931289177
	.word	1969972321
	.word	247284922
	.word	573821102
	.word	1032201221
	.word	-41479808
	.word	-1849283199
	.word	-1993693088
	.word	-761421808
	.word	-1221962974
	.word	1392898973
	.word	-1712647583
	.word	-971385704
	.word	-1947029339
	.word	1714938490
	.word	-1213527158
	.word	429793161
	.word	-1701594405
	.word	-1343370799
	.word	544535621
	.word	1005806748
	.word	94163021
	.word	-122223867
	.word	1516937444
	.word	-2041430387
	.word	1620664476
	.word	461861948
	.word	-763861608
	.word	1823102190
	.word	-1997259551
	.word	-430181182
	.word	-930971398
	.word	-1983914880
	.word	-1635438340
	.word	315206696
	.type	calls, @object
	.size	calls, 16
calls:
	.word	f0
	.word	f0
	.word	f0
	.word	f0
	.text
.Letext0:
	.section	.debug_info,"",@progbits
.Ldebug_info0:
	.4byte	0x290
	.2byte	0x5
	.byte	0x1
	.byte	0x4
	.4byte	.Ldebug_abbrev0
	.byte	0xc
	.4byte	.LASF12
	.byte	0x1d
	.4byte	.LASF0
	.4byte	.LASF1
	.4byte	.Ltext0
	.4byte	.Letext0-.Ltext0
	.4byte	.Ldebug_line0
	.byte	0xd
	.byte	0x4
	.byte	0x7
	.4byte	.LASF13
	.byte	0x2
	.4byte	0x26
	.4byte	0x3d
	.byte	0x4
	.4byte	0x26
	.byte	0x3
	.byte	0
	.byte	0x6
	.4byte	0x26
	.byte	0x5
	.4byte	.LASF2
	.byte	0x1
	.byte	0xa
	.4byte	0x2d
	.byte	0x5
	.byte	0x3
	.4byte	guard
	.byte	0x2
	.4byte	0x26
	.4byte	0x64
	.byte	0xe
	.4byte	0x26
	.2byte	0x3ff
	.byte	0
	.byte	0xf
	.string	"out"
	.byte	0x1
	.byte	0x2
	.byte	0xa
	.4byte	0x53
	.byte	0x5
	.byte	0x3
	.4byte	out
	.byte	0x2
	.4byte	0x26
	.4byte	0x86
	.byte	0x4
	.4byte	0x26
	.byte	0x7
	.byte	0
	.byte	0x5
	.4byte	.LASF3
	.byte	0x3
	.byte	0xa
	.4byte	0x76
	.byte	0x5
	.byte	0x3
	.4byte	count
	.byte	0x2
	.4byte	0x26
	.4byte	0xa7
	.byte	0x4
	.4byte	0x26
	.byte	0x3f
	.byte	0
	.byte	0x5
	.4byte	.LASF4
	.byte	0x4
	.byte	0xa
	.4byte	0x97
	.byte	0x5
	.byte	0x3
	.4byte	data
	.byte	0x2
	.4byte	0x3d
	.4byte	0xc8
	.byte	0x4
	.4byte	0x26
	.byte	0x3f
	.byte	0
	.byte	0x6
	.4byte	0xb8
	.byte	0x5
	.4byte	.LASF5
	.byte	0x5
	.byte	0x10
	.4byte	0xc8
	.byte	0x5
	.byte	0x3
	.4byte	table
	.byte	0x2
	.4byte	0xf9
	.4byte	0xee
	.byte	0x4
	.4byte	0x26
	.byte	0x3
	.byte	0
	.byte	0x6
	.4byte	0xde
	.byte	0x10
	.byte	0x4
	.4byte	0xfe
	.byte	0x6
	.4byte	0xf3
	.byte	0x11
	.4byte	0x26
	.4byte	0x117
	.byte	0x8
	.4byte	0x26
	.byte	0x8
	.4byte	0x26
	.byte	0x8
	.4byte	0x26
	.byte	0
	.byte	0x5
	.4byte	.LASF6
	.byte	0x1c
	.byte	0x12
	.4byte	0xee
	.byte	0x5
	.byte	0x3
	.4byte	calls
	.byte	0x12
	.4byte	.LASF14
	.byte	0x1
	.byte	0x1d
	.byte	0x6
	.4byte	.LFB1
	.4byte	.LFE1-.LFB1
	.byte	0x1
	.byte	0x9c
	.4byte	0x1f6
	.byte	0x7
	.string	"t"
	.byte	0x1d
	.byte	0x16
	.4byte	0x26
	.4byte	.LLST10
	.byte	0x7
	.string	"n"
	.byte	0x1d
	.byte	0x22
	.4byte	0x26
	.4byte	.LLST11
	.byte	0x13
	.4byte	.LASF7
	.byte	0x1
	.byte	0x1e
	.byte	0xe
	.4byte	0x26
	.4byte	.LLST12
	.byte	0x1
	.string	"v0"
	.byte	0x1f
	.byte	0xe
	.4byte	0x26
	.4byte	.LLST13
	.byte	0x1
	.string	"v1"
	.byte	0x20
	.byte	0xe
	.4byte	0x26
	.4byte	.LLST14
	.byte	0x1
	.string	"v2"
	.byte	0x21
	.byte	0xe
	.4byte	0x26
	.4byte	.LLST15
	.byte	0xa
	.4byte	.LASF8
	.byte	0x25
	.byte	0xa
	.4byte	.LASF9
	.byte	0x28
	.byte	0xb
	.4byte	.LASF10
	.byte	0x3a
	.byte	0xd
	.4byte	.L47
	.byte	0x9
	.4byte	.LLRL16
	.byte	0x1
	.string	"i6"
	.byte	0x2c
	.byte	0x13
	.4byte	0x26
	.4byte	.LLST17
	.byte	0x14
	.4byte	.LVL35
	.4byte	0x1f6
	.4byte	0x1da
	.byte	0x3
	.byte	0x1
	.byte	0x5a
	.byte	0x2
	.byte	0x86
	.byte	0
	.byte	0x3
	.byte	0x1
	.byte	0x5b
	.byte	0x1
	.byte	0x3e
	.byte	0x3
	.byte	0x1
	.byte	0x5c
	.byte	0x1
	.byte	0x30
	.byte	0
	.byte	0x15
	.4byte	.LVL58
	.4byte	0x1f6
	.byte	0x3
	.byte	0x1
	.byte	0x5a
	.byte	0x2
	.byte	0x86
	.byte	0
	.byte	0x3
	.byte	0x1
	.byte	0x5b
	.byte	0x1
	.byte	0x3e
	.byte	0x3
	.byte	0x1
	.byte	0x5c
	.byte	0x1
	.byte	0x30
	.byte	0
	.byte	0
	.byte	0
	.byte	0x16
	.string	"f0"
	.byte	0x1
	.byte	0x6
	.byte	0x11
	.4byte	0x26
	.4byte	.LFB0
	.4byte	.LFE0-.LFB0
	.byte	0x1
	.byte	0x9c
	.byte	0x7
	.string	"a"
	.byte	0x6
	.byte	0x1d
	.4byte	0x26
	.4byte	.LLST0
	.byte	0x7
	.string	"b"
	.byte	0x6
	.byte	0x29
	.4byte	0x26
	.4byte	.LLST1
	.byte	0x17
	.4byte	.LASF7
	.byte	0x1
	.byte	0x6
	.byte	0x35
	.4byte	0x26
	.4byte	.LLST2
	.byte	0x1
	.string	"v0"
	.byte	0x7
	.byte	0xe
	.4byte	0x26
	.4byte	.LLST3
	.byte	0x1
	.string	"v1"
	.byte	0x8
	.byte	0xe
	.4byte	0x26
	.4byte	.LLST4
	.byte	0x1
	.string	"v2"
	.byte	0x9
	.byte	0xe
	.4byte	0x26
	.4byte	.LLST5
	.byte	0xb
	.4byte	.LASF11
	.byte	0x13
	.byte	0x11
	.4byte	.LDL1
	.byte	0x9
	.4byte	.LLRL6
	.byte	0x1
	.string	"i1"
	.byte	0xd
	.byte	0x17
	.4byte	0x26
	.4byte	.LLST7
	.byte	0x9
	.4byte	.LLRL8
	.byte	0x1
	.string	"i2"
	.byte	0xf
	.byte	0x1b
	.4byte	0x26
	.4byte	.LLST9
	.byte	0
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_abbrev,"",@progbits
.Ldebug_abbrev0:
	.byte	0x1
	.byte	0x34
	.byte	0
	.byte	0x3
	.byte	0x8
	.byte	0x3a
	.byte	0x21
	.byte	0x1
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x49
	.byte	0x13
	.byte	0x2
	.byte	0x17
	.byte	0
	.byte	0
	.byte	0x2
	.byte	0x1
	.byte	0x1
	.byte	0x49
	.byte	0x13
	.byte	0x1
	.byte	0x13
	.byte	0
	.byte	0
	.byte	0x3
	.byte	0x49
	.byte	0
	.byte	0x2
	.byte	0x18
	.byte	0x7e
	.byte	0x18
	.byte	0
	.byte	0
	.byte	0x4
	.byte	0x21
	.byte	0
	.byte	0x49
	.byte	0x13
	.byte	0x2f
	.byte	0xb
	.byte	0
	.byte	0
	.byte	0x5
	.byte	0x34
	.byte	0
	.byte	0x3
	.byte	0xe
	.byte	0x3a
	.byte	0x21
	.byte	0x1
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x49
	.byte	0x13
	.byte	0x3f
	.byte	0x19
	.byte	0x2
	.byte	0x18
	.byte	0
	.byte	0
	.byte	0x6
	.byte	0x26
	.byte	0
	.byte	0x49
	.byte	0x13
	.byte	0
	.byte	0
	.byte	0x7
	.byte	0x5
	.byte	0
	.byte	0x3
	.byte	0x8
	.byte	0x3a
	.byte	0x21
	.byte	0x1
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x49
	.byte	0x13
	.byte	0x2
	.byte	0x17
	.byte	0
	.byte	0
	.byte	0x8
	.byte	0x5
	.byte	0
	.byte	0x49
	.byte	0x13
	.byte	0
	.byte	0
	.byte	0x9
	.byte	0xb
	.byte	0x1
	.byte	0x55
	.byte	0x17
	.byte	0
	.byte	0
	.byte	0xa
	.byte	0xa
	.byte	0
	.byte	0x3
	.byte	0xe
	.byte	0x3a
	.byte	0x21
	.byte	0x1
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0x21
	.byte	0x9
	.byte	0
	.byte	0
	.byte	0xb
	.byte	0xa
	.byte	0
	.byte	0x3
	.byte	0xe
	.byte	0x3a
	.byte	0x21
	.byte	0x1
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x11
	.byte	0x1
	.byte	0
	.byte	0
	.byte	0xc
	.byte	0x11
	.byte	0x1
	.byte	0x25
	.byte	0xe
	.byte	0x13
	.byte	0xb
	.byte	0x3
	.byte	0x1f
	.byte	0x1b
	.byte	0x1f
	.byte	0x11
	.byte	0x1
	.byte	0x12
	.byte	0x6
	.byte	0x10
	.byte	0x17
	.byte	0
	.byte	0
	.byte	0xd
	.byte	0x24
	.byte	0
	.byte	0xb
	.byte	0xb
	.byte	0x3e
	.byte	0xb
	.byte	0x3
	.byte	0xe
	.byte	0
	.byte	0
	.byte	0xe
	.byte	0x21
	.byte	0
	.byte	0x49
	.byte	0x13
	.byte	0x2f
	.byte	0x5
	.byte	0
	.byte	0
	.byte	0xf
	.byte	0x34
	.byte	0
	.byte	0x3
	.byte	0x8
	.byte	0x3a
	.byte	0xb
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x49
	.byte	0x13
	.byte	0x3f
	.byte	0x19
	.byte	0x2
	.byte	0x18
	.byte	0
	.byte	0
	.byte	0x10
	.byte	0xf
	.byte	0
	.byte	0xb
	.byte	0xb
	.byte	0x49
	.byte	0x13
	.byte	0
	.byte	0
	.byte	0x11
	.byte	0x15
	.byte	0x1
	.byte	0x27
	.byte	0x19
	.byte	0x49
	.byte	0x13
	.byte	0x1
	.byte	0x13
	.byte	0
	.byte	0
	.byte	0x12
	.byte	0x2e
	.byte	0x1
	.byte	0x3f
	.byte	0x19
	.byte	0x3
	.byte	0xe
	.byte	0x3a
	.byte	0xb
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x27
	.byte	0x19
	.byte	0x11
	.byte	0x1
	.byte	0x12
	.byte	0x6
	.byte	0x40
	.byte	0x18
	.byte	0x7a
	.byte	0x19
	.byte	0x1
	.byte	0x13
	.byte	0
	.byte	0
	.byte	0x13
	.byte	0x34
	.byte	0
	.byte	0x3
	.byte	0xe
	.byte	0x3a
	.byte	0xb
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x49
	.byte	0x13
	.byte	0x2
	.byte	0x17
	.byte	0
	.byte	0
	.byte	0x14
	.byte	0x48
	.byte	0x1
	.byte	0x7d
	.byte	0x1
	.byte	0x7f
	.byte	0x13
	.byte	0x1
	.byte	0x13
	.byte	0
	.byte	0
	.byte	0x15
	.byte	0x48
	.byte	0x1
	.byte	0x7d
	.byte	0x1
	.byte	0x7f
	.byte	0x13
	.byte	0
	.byte	0
	.byte	0x16
	.byte	0x2e
	.byte	0x1
	.byte	0x3
	.byte	0x8
	.byte	0x3a
	.byte	0xb
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x27
	.byte	0x19
	.byte	0x49
	.byte	0x13
	.byte	0x11
	.byte	0x1
	.byte	0x12
	.byte	0x6
	.byte	0x40
	.byte	0x18
	.byte	0x7a
	.byte	0x19
	.byte	0
	.byte	0
	.byte	0x17
	.byte	0x5
	.byte	0
	.byte	0x3
	.byte	0xe
	.byte	0x3a
	.byte	0xb
	.byte	0x3b
	.byte	0xb
	.byte	0x39
	.byte	0xb
	.byte	0x49
	.byte	0x13
	.byte	0x2
	.byte	0x17
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_loclists,"",@progbits
	.4byte	.Ldebug_loc3-.Ldebug_loc2
.Ldebug_loc2:
	.2byte	0x5
	.byte	0x4
	.byte	0
	.4byte	0
.Ldebug_loc0:
.LLST10:
	.byte	0x7
	.4byte	.LVL30
	.4byte	.LVL32
	.byte	0x1
	.byte	0x5a
	.byte	0x7
	.4byte	.LVL32
	.4byte	.LVL43
	.byte	0x1
	.byte	0x64
	.byte	0x7
	.4byte	.LVL43
	.4byte	.LVL49
	.byte	0x4
	.byte	0xa3
	.byte	0x1
	.byte	0x5a
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL49
	.4byte	.LFE1
	.byte	0x1
	.byte	0x64
	.byte	0
.LLST11:
	.byte	0x7
	.4byte	.LVL30
	.4byte	.LVL32
	.byte	0x1
	.byte	0x5b
	.byte	0x7
	.4byte	.LVL32
	.4byte	.LVL42
	.byte	0x1
	.byte	0x58
	.byte	0x7
	.4byte	.LVL42
	.4byte	.LVL49
	.byte	0x4
	.byte	0xa3
	.byte	0x1
	.byte	0x5b
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL49
	.4byte	.LFE1
	.byte	0x1
	.byte	0x58
	.byte	0
.LLST12:
	.byte	0x7
	.4byte	.LVL30
	.4byte	.LVL31
	.byte	0x3
	.byte	0x8
	.byte	0x3c
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL32
	.4byte	.LVL48
	.byte	0x3
	.byte	0x91
	.byte	0xbc,0x7f
	.byte	0x7
	.4byte	.LVL48
	.4byte	.LVL49
	.byte	0x3
	.byte	0x72
	.byte	0xbc,0x7f
	.byte	0x7
	.4byte	.LVL49
	.4byte	.LVL52
	.byte	0x3
	.byte	0x91
	.byte	0xbc,0x7f
	.byte	0x7
	.4byte	.LVL54
	.4byte	.LFE1
	.byte	0x3
	.byte	0x91
	.byte	0xbc,0x7f
	.byte	0
.LLST13:
	.byte	0x7
	.4byte	.LVL32
	.4byte	.LVL37
	.byte	0x1
	.byte	0x59
	.byte	0x7
	.4byte	.LVL39
	.4byte	.LVL40
	.byte	0x1
	.byte	0x59
	.byte	0x7
	.4byte	.LVL40
	.4byte	.LVL42
	.byte	0xd
	.byte	0x78
	.byte	0x7
	.byte	0x33
	.byte	0x24
	.byte	0x79
	.byte	0
	.byte	0x22
	.byte	0x84
	.byte	0
	.byte	0x1c
	.byte	0x23
	.byte	0xe
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL42
	.4byte	.LVL43
	.byte	0x10
	.byte	0xa3
	.byte	0x1
	.byte	0x5b
	.byte	0x23
	.byte	0x7
	.byte	0x33
	.byte	0x24
	.byte	0x79
	.byte	0
	.byte	0x22
	.byte	0x84
	.byte	0
	.byte	0x1c
	.byte	0x23
	.byte	0xe
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL43
	.4byte	.LVL44
	.byte	0x11
	.byte	0xa3
	.byte	0x1
	.byte	0x5b
	.byte	0x23
	.byte	0x7
	.byte	0x33
	.byte	0x24
	.byte	0xa3
	.byte	0x1
	.byte	0x5a
	.byte	0x1c
	.byte	0x79
	.byte	0
	.byte	0x22
	.byte	0x23
	.byte	0xe
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL49
	.4byte	.LVL51
	.byte	0x1
	.byte	0x59
	.byte	0x7
	.4byte	.LVL55
	.4byte	.LVL61
	.byte	0x1
	.byte	0x59
	.byte	0x7
	.4byte	.LVL63
	.4byte	.LVL65
	.byte	0x1
	.byte	0x59
	.byte	0x7
	.4byte	.LVL67
	.4byte	.LFE1
	.byte	0x1
	.byte	0x59
	.byte	0
.LLST14:
	.byte	0x7
	.4byte	.LVL32
	.4byte	.LVL40
	.byte	0x1
	.byte	0x63
	.byte	0x7
	.4byte	.LVL40
	.4byte	.LVL41
	.byte	0x7
	.byte	0x83
	.byte	0xd0,0x8c,0xb7,0x9c,0x3
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL41
	.4byte	.LVL46
	.byte	0x1
	.byte	0x63
	.byte	0x7
	.4byte	.LVL49
	.4byte	.LFE1
	.byte	0x1
	.byte	0x63
	.byte	0
.LLST15:
	.byte	0x7
	.4byte	.LVL32
	.4byte	.LVL47
	.byte	0x1
	.byte	0x68
	.byte	0x7
	.4byte	.LVL49
	.4byte	.LVL50
	.byte	0x1
	.byte	0x68
	.byte	0x7
	.4byte	.LVL54
	.4byte	.LFE1
	.byte	0x1
	.byte	0x68
	.byte	0
.LLST17:
	.byte	0x7
	.4byte	.LVL32
	.4byte	.LVL38
	.byte	0x1
	.byte	0x62
	.byte	0x7
	.4byte	.LVL38
	.4byte	.LVL39
	.byte	0x3
	.byte	0x82
	.byte	0x7f
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL39
	.4byte	.LVL45
	.byte	0x1
	.byte	0x62
	.byte	0x7
	.4byte	.LVL49
	.4byte	.LVL53
	.byte	0x1
	.byte	0x62
	.byte	0x7
	.4byte	.LVL53
	.4byte	.LVL55
	.byte	0x3
	.byte	0x82
	.byte	0x7f
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL55
	.4byte	.LVL62
	.byte	0x1
	.byte	0x62
	.byte	0x7
	.4byte	.LVL62
	.4byte	.LVL63
	.byte	0x3
	.byte	0x82
	.byte	0x7f
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL63
	.4byte	.LVL66
	.byte	0x1
	.byte	0x62
	.byte	0x7
	.4byte	.LVL66
	.4byte	.LVL67
	.byte	0x3
	.byte	0x82
	.byte	0x7f
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL67
	.4byte	.LFE1
	.byte	0x1
	.byte	0x62
	.byte	0
.LLST0:
	.byte	0x7
	.4byte	.LVL0
	.4byte	.LVL1
	.byte	0x1
	.byte	0x5a
	.byte	0x7
	.4byte	.LVL1
	.4byte	.LVL2
	.byte	0x1
	.byte	0x56
	.byte	0x7
	.4byte	.LVL2
	.4byte	.LFE0
	.byte	0x4
	.byte	0xa3
	.byte	0x1
	.byte	0x5a
	.byte	0x9f
	.byte	0
.LLST1:
	.byte	0x7
	.4byte	.LVL0
	.4byte	.LVL2
	.byte	0x1
	.byte	0x5b
	.byte	0x7
	.4byte	.LVL2
	.4byte	.LFE0
	.byte	0x4
	.byte	0xa3
	.byte	0x1
	.byte	0x5b
	.byte	0x9f
	.byte	0
.LLST2:
	.byte	0x7
	.4byte	.LVL0
	.4byte	.LVL2
	.byte	0x1
	.byte	0x5c
	.byte	0x7
	.4byte	.LVL2
	.4byte	.LFE0
	.byte	0x4
	.byte	0xa3
	.byte	0x1
	.byte	0x5c
	.byte	0x9f
	.byte	0
.LLST3:
	.byte	0x7
	.4byte	.LVL2
	.4byte	.LVL3
	.byte	0x27
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7b
	.byte	0
	.byte	0x37
	.byte	0x1a
	.byte	0x23
	.byte	0x1
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL3
	.4byte	.LVL4
	.byte	0x23
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7f
	.byte	0x1
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL4
	.4byte	.LVL5
	.byte	0x23
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7f
	.byte	0
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL5
	.4byte	.LVL6
	.byte	0x27
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7b
	.byte	0
	.byte	0x37
	.byte	0x1a
	.byte	0x23
	.byte	0x1
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL8
	.4byte	.LVL10
	.byte	0x1
	.byte	0x5f
	.byte	0x7
	.4byte	.LVL10
	.4byte	.LVL18
	.byte	0x1
	.byte	0x6d
	.byte	0x7
	.4byte	.LVL18
	.4byte	.LVL19
	.byte	0x27
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7b
	.byte	0
	.byte	0x37
	.byte	0x1a
	.byte	0x23
	.byte	0x1
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL19
	.4byte	.LVL20
	.byte	0x23
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7f
	.byte	0x1
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL20
	.4byte	.LVL21
	.byte	0x23
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7f
	.byte	0
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL21
	.4byte	.LVL22
	.byte	0x27
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7b
	.byte	0
	.byte	0x37
	.byte	0x1a
	.byte	0x23
	.byte	0x1
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL23
	.4byte	.LVL25
	.byte	0x1
	.byte	0x5f
	.byte	0x7
	.4byte	.LVL25
	.4byte	.LVL28
	.byte	0x1
	.byte	0x6d
	.byte	0x7
	.4byte	.LVL28
	.4byte	.LFE0
	.byte	0x27
	.byte	0x4f
	.byte	0xa8
	.byte	0x26
	.byte	0x7b
	.byte	0
	.byte	0x37
	.byte	0x1a
	.byte	0x23
	.byte	0x1
	.byte	0xa8
	.byte	0x26
	.byte	0x1b
	.byte	0xa8
	.byte	0
	.byte	0x76
	.byte	0
	.byte	0x12
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x33
	.byte	0x16
	.byte	0x14
	.byte	0x40
	.byte	0x4b
	.byte	0x24
	.byte	0x22
	.byte	0x2d
	.byte	0x28
	.2byte	0x1
	.byte	0x16
	.byte	0x13
	.byte	0x25
	.byte	0x8d
	.byte	0
	.byte	0x22
	.byte	0x9f
	.byte	0
.LLST4:
	.byte	0x7
	.4byte	.LVL2
	.4byte	.LVL7
	.byte	0x2
	.byte	0x30
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL9
	.4byte	.LVL18
	.byte	0x1
	.byte	0x5f
	.byte	0x7
	.4byte	.LVL18
	.4byte	.LVL24
	.byte	0x2
	.byte	0x30
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL24
	.4byte	.LVL28
	.byte	0x1
	.byte	0x5f
	.byte	0x7
	.4byte	.LVL28
	.4byte	.LFE0
	.byte	0x2
	.byte	0x30
	.byte	0x9f
	.byte	0
.LLST5:
	.byte	0x7
	.4byte	.LVL2
	.4byte	.LVL6
	.byte	0xb
	.byte	0x76
	.byte	0x1b
	.byte	0x76
	.byte	0
	.byte	0x31
	.byte	0x25
	.byte	0x27
	.byte	0x7b
	.byte	0
	.byte	0x1a
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL9
	.4byte	.LVL11
	.byte	0xb
	.byte	0x76
	.byte	0x1b
	.byte	0x76
	.byte	0
	.byte	0x31
	.byte	0x25
	.byte	0x27
	.byte	0x7b
	.byte	0
	.byte	0x1a
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL24
	.4byte	.LVL26
	.byte	0xb
	.byte	0x76
	.byte	0x1b
	.byte	0x76
	.byte	0
	.byte	0x31
	.byte	0x25
	.byte	0x27
	.byte	0x7b
	.byte	0
	.byte	0x1a
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL28
	.4byte	.LVL29
	.byte	0xb
	.byte	0x76
	.byte	0x1b
	.byte	0x76
	.byte	0
	.byte	0x31
	.byte	0x25
	.byte	0x27
	.byte	0x7b
	.byte	0
	.byte	0x1a
	.byte	0x9f
	.byte	0
.LLST7:
	.byte	0x7
	.4byte	.LVL11
	.4byte	.LVL12
	.byte	0x2
	.byte	0x30
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL12
	.4byte	.LVL18
	.byte	0x1
	.byte	0x6c
	.byte	0x7
	.4byte	.LVL26
	.4byte	.LVL28
	.byte	0x1
	.byte	0x6c
	.byte	0
.LLST9:
	.byte	0x7
	.4byte	.LVL13
	.4byte	.LVL14
	.byte	0x2
	.byte	0x30
	.byte	0x9f
	.byte	0x7
	.4byte	.LVL14
	.4byte	.LVL18
	.byte	0x1
	.byte	0x5d
	.byte	0x7
	.4byte	.LVL26
	.4byte	.LVL28
	.byte	0x2
	.byte	0x30
	.byte	0x9f
	.byte	0
.Ldebug_loc3:
	.section	.debug_aranges,"",@progbits
	.4byte	0x1c
	.2byte	0x2
	.4byte	.Ldebug_info0
	.byte	0x4
	.byte	0
	.2byte	0
	.2byte	0
	.4byte	.Ltext0
	.4byte	.Letext0-.Ltext0
	.4byte	0
	.4byte	0
	.section	.debug_rnglists,"",@progbits
.Ldebug_ranges0:
	.4byte	.Ldebug_ranges3-.Ldebug_ranges2
.Ldebug_ranges2:
	.2byte	0x5
	.byte	0x4
	.byte	0
	.4byte	0
.LLRL6:
	.byte	0x6
	.4byte	.LBB2
	.4byte	.LBE2
	.byte	0x6
	.4byte	.LBB7
	.4byte	.LBE7
	.byte	0x6
	.4byte	.LBB8
	.4byte	.LBE8
	.byte	0x6
	.4byte	.LBB9
	.4byte	.LBE9
	.byte	0
.LLRL8:
	.byte	0x6
	.4byte	.LBB3
	.4byte	.LBE3
	.byte	0x6
	.4byte	.LBB4
	.4byte	.LBE4
	.byte	0x6
	.4byte	.LBB5
	.4byte	.LBE5
	.byte	0x6
	.4byte	.LBB6
	.4byte	.LBE6
	.byte	0
.LLRL16:
	.byte	0x6
	.4byte	.LBB10
	.4byte	.LBE10
	.byte	0x6
	.4byte	.LBB11
	.4byte	.LBE11
	.byte	0x6
	.4byte	.LBB12
	.4byte	.LBE12
	.byte	0x6
	.4byte	.LBB13
	.4byte	.LBE13
	.byte	0x6
	.4byte	.LBB14
	.4byte	.LBE14
	.byte	0
.Ldebug_ranges3:
	.section	.debug_line,"",@progbits
.Ldebug_line0:
	.section	.debug_str,"MS",@progbits,1
.LASF13:
	.string	"unsigned int"
.LASF2:
	.string	"guard"
.LASF7:
	.string	"fuel"
.LASF12:
	.string	"GNU C17 12.2.0 -mabi=ilp32 -mcmodel=medlow -mno-small-data-limit= 0 -misa-spec=20191213 -march=rv32ima_zicsr -g -O2 -ffreestanding -fno-pic -fasynchronous-unwind-tables"
.LASF6:
	.string	"calls"
.LASF4:
	.string	"data"
.LASF8:
	.string	"out4"
.LASF3:
	.string	"count"
.LASF5:
	.string	"table"
.LASF10:
	.string	"out7"
.LASF14:
	.string	"kernel"
.LASF11:
	.string	"out3"
.LASF9:
	.string	"out5"
	.section	.debug_line_str,"MS",@progbits,1
.LASF1:
	.string	"/work/wt/compiler"
.LASF0:
	.string	"/tmp/program.c"
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
