# Made from bitonic.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S bitonic.c
	.file	"bitonic.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
 #APP
# 422 "weft.h" 1
	csrr t3, 0xCCA
# 0 "" 2
 #NO_APP
	divu	t5,a0,t3
	addi	sp,sp,-48
	sw	s2,36(sp)
	lui	s2,%hi(.LANCHOR0)
	addi	s2,s2,%lo(.LANCHOR0)
	lw	a5,0(s2)
	sw	s6,20(sp)
	sw	s0,44(sp)
	sw	s1,40(sp)
	sw	s3,32(sp)
	sw	s4,28(sp)
	sw	s5,24(sp)
	sw	s7,16(sp)
	sw	s8,12(sp)
	sw	s9,8(sp)
 #APP
# 420 "weft.h" 1
	csrr t4, 0xCC8
# 0 "" 2
 #NO_APP
	slli	t5,t5,6
	divu	s6,a1,t3
	bgeu	t5,a5,.L1
	slli	a5,t4,2
	li	s3,805306368
	li	s5,-805306368
	lui	s8,%hi(a)
	lui	s7,%hi(result)
	slli	s6,s6,6
	slli	s1,t3,2
	add	s5,s5,a5
	li	t6,63
	addi	s8,s8,%lo(a)
	li	a6,31
	li	a1,-805306368
	addi	s7,s7,%lo(result)
	addi	s4,s3,16
.L3:
	bgtu	t4,t6,.L18
	slli	t1,t5,2
	add	t1,t1,s8
	mv	a3,s5
	mv	a4,t4
.L5:
	lw	a7,0(s2)
	add	a5,a3,s3
	add	a0,t5,a4
	add	a5,t1,a5
	add	a4,a4,t3
	li	a2,-1
	bleu	a7,a0,.L4
	lw	a2,0(a5)
.L4:
	sw	a2,0(a3)
	add	a3,a3,s1
	bleu	a4,t6,.L5
.L18:
	li	s0,6
	li	a7,2
.L12:
	srli	a0,a7,1
.L7:
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
	addi	t2,a0,-1
	mv	a3,t4
	bgtu	t4,a6,.L11
.L10:
	and	a4,t2,a3
	slli	a5,a3,1
	sub	a5,a5,a4
	add	a4,a5,a0
	slli	a2,a5,2
	slli	a4,a4,2
	add	a2,a1,a2
	add	a4,a1,a4
	lw	t0,0(a2)
	lw	s9,0(a4)
	and	a5,a5,a7
	seqz	a5,a5
	sgtu	t1,t0,s9
	xori	t1,t1,1
	add	a3,a3,t3
	beq	t1,a5,.L9
	sw	s9,0(a2)
	sw	t0,0(a4)
.L9:
	bleu	a3,a6,.L10
.L11:
	srli	a0,a0,1
	bne	a0,zero,.L7
	addi	s0,s0,-1
	slli	a7,a7,1
	bne	s0,zero,.L12
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
	bgtu	t4,t6,.L16
	lw	a7,0(s2)
	slli	a0,t5,2
	add	a0,a0,s7
	mv	a3,s5
	mv	a4,t4
.L15:
	add	a5,a3,s4
	add	a2,t5,a4
	add	a5,a0,a5
	add	a4,a4,t3
	bleu	a7,a2,.L14
	lw	a2,0(a3)
	sw	a2,0(a5)
.L14:
	add	a3,a3,s1
	bleu	a4,t6,.L15
.L16:
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
	lw	a5,0(s2)
	add	t5,t5,s6
	bgtu	a5,t5,.L3
.L1:
	lw	s0,44(sp)
	lw	s1,40(sp)
	lw	s2,36(sp)
	lw	s3,32(sp)
	lw	s4,28(sp)
	lw	s5,24(sp)
	lw	s6,20(sp)
	lw	s7,16(sp)
	lw	s8,12(sp)
	lw	s9,8(sp)
	addi	sp,sp,48
	jr	ra
	.size	kernel, .-kernel
	.globl	result
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
	.type	result, @object
	.size	result, 4128
result:
	.zero	4128
	.type	a, @object
	.size	a, 4096
a:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
