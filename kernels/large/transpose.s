# Made from transpose.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S -DROOM=65536 transpose.c
	.file	"transpose.c"
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
	csrr a6, 0xCCA
# 0 "" 2
 #NO_APP
	divu	t3,a0,a6
	lui	a5,%hi(.LANCHOR0)
	lw	a3,%lo(.LANCHOR0)(a5)
	addi	sp,sp,-16
	sw	s2,4(sp)
	addi	t5,a3,7
	srli	t5,t5,3
	sw	s1,8(sp)
	sw	s0,12(sp)
	sw	s3,0(sp)
 #APP
# 420 "weft.h" 1
	csrr t4, 0xCC8
# 0 "" 2
 #NO_APP
	mul	s2,t5,t5
	divu	s1,a1,a6
	bleu	s2,t3,.L1
	lui	s0,%hi(a)
	lui	t6,%hi(result)
	li	a0,63
	li	a7,-805306368
	addi	s0,s0,%lo(a)
	addi	t6,t6,%lo(result)
.L2:
	mv	a5,t4
	divu	a2,t3,t5
	remu	a1,t3,t5
	slli	a2,a2,3
	slli	a1,a1,3
	bgtu	t4,a0,.L7
.L3:
	srli	t0,a5,3
	andi	t2,a5,7
	add	t1,a2,t0
	add	a5,a5,a6
	add	s3,a1,t2
	bgeu	t1,a3,.L6
	slli	a4,t0,3
	add	a4,a4,t0
	add	a4,a4,t2
	slli	a4,a4,2
	add	a4,a7,a4
	bgeu	s3,a3,.L6
	mul	t1,t1,a3
	add	t1,t1,s3
	slli	t1,t1,2
	add	t1,s0,t1
	lw	t1,0(t1)
	sw	t1,0(a4)
.L6:
	bleu	a5,a0,.L3
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
	mv	a5,t4
	bgtu	t4,a0,.L5
.L4:
	srli	s3,a5,3
	andi	t0,a5,7
	add	t2,a1,s3
	add	a5,a5,a6
	add	t1,a2,t0
	bgeu	t2,a3,.L9
	slli	a4,t0,3
	add	a4,a4,t0
	add	a4,a4,s3
	slli	a4,a4,2
	add	a4,a7,a4
	bgeu	t1,a3,.L9
	mul	t2,t2,a3
	lw	t0,0(a4)
	add	a4,t1,t2
	addi	a4,a4,4
	slli	a4,a4,2
	add	a4,t6,a4
	sw	t0,0(a4)
.L9:
	bleu	a5,a0,.L4
.L5:
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
	add	t3,t3,s1
	bgtu	s2,t3,.L2
.L1:
	lw	s0,12(sp)
	lw	s1,8(sp)
	lw	s2,4(sp)
	lw	s3,0(sp)
	addi	sp,sp,16
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
	.word	31
	.bss
	.align	2
	.type	result, @object
	.size	result, 262176
result:
	.zero	262176
	.type	a, @object
	.size	a, 262144
a:
	.zero	262144
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
