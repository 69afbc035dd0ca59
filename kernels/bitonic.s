# Made from bitonic.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S bitonic.c
	.file	"bitonic.c"
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
	addi	sp,sp,-80
	sw	s0,72(sp)
	sw	s8,40(sp)
 #APP
# 385 "weft.h" 1
	csrr s8, 0xCCA
# 0 "" 2
 #NO_APP
	divu	s0,a0,s8
	sw	s4,56(sp)
	lui	s4,%hi(.LANCHOR0)
	addi	s4,s4,%lo(.LANCHOR0)
	lw	a5,0(s4)
	sw	s9,36(sp)
	sw	ra,76(sp)
	sw	s1,68(sp)
	sw	s2,64(sp)
	sw	s3,60(sp)
	sw	s5,52(sp)
	sw	s6,48(sp)
	sw	s7,44(sp)
	sw	s10,32(sp)
	sw	s11,28(sp)
 #APP
# 383 "weft.h" 1
	csrr s9, 0xCC8
# 0 "" 2
 #NO_APP
	slli	s0,s0,6
	divu	a4,a1,s8
	bgeu	s0,a5,.L3
	slli	a5,s9,2
	li	s7,-805306368
	add	a5,s7,a5
	lui	s10,%hi(a)
	sw	a5,0(sp)
	addi	a5,s10,%lo(a)
	sw	a5,8(sp)
	lui	a5,%hi(result)
	slli	a4,a4,6
	addi	a5,a5,%lo(result)
	li	s5,805306368
	sw	a4,4(sp)
	slli	s3,s8,2
	li	s1,63
	sw	a5,12(sp)
.L5:
	bgtu	s9,s1,.L20
	lw	a5,8(sp)
	lw	a3,0(sp)
	slli	a6,s0,2
	add	a6,a6,a5
	mv	a4,s9
.L7:
	lw	a0,0(s4)
	add	a5,a3,s5
	add	a1,s0,a4
	add	a5,a6,a5
	add	a4,a4,s8
	li	a2,-1
	bleu	a0,a1,.L6
	lw	a2,0(a5)
.L6:
	sw	a2,0(a3)
	add	a3,a3,s3
	bleu	a4,s1,.L7
.L20:
	li	s2,6
	li	s7,2
	li	s10,31
	li	s11,-805306368
.L14:
	srli	s6,s7,1
.L9:
	call	weft_sync
	addi	t4,s6,-1
	mv	a3,s9
	bgtu	s9,s10,.L13
.L12:
	and	a4,t4,a3
	slli	a5,a3,1
	sub	a5,a5,a4
	add	a4,a5,s6
	slli	a2,a5,2
	slli	a4,a4,2
	add	a2,s11,a2
	add	a4,s11,a4
	lw	t5,0(a2)
	lw	t6,0(a4)
	and	a5,a5,s7
	seqz	a5,a5
	sgtu	a1,t5,t6
	xori	a1,a1,1
	add	a3,a3,s8
	beq	a1,a5,.L11
	sw	t6,0(a2)
	sw	t5,0(a4)
.L11:
	bleu	a3,s10,.L12
.L13:
	srli	s6,s6,1
	bne	s6,zero,.L9
	addi	s2,s2,-1
	slli	s7,s7,1
	bne	s2,zero,.L14
	call	weft_sync
	bgtu	s9,s1,.L18
	lw	a5,12(sp)
	lw	a0,0(s4)
	lw	a3,0(sp)
	slli	a1,s0,2
	add	a1,a1,a5
	mv	a4,s9
.L17:
	li	a5,805306368
	addi	a5,a5,16
	add	a5,a3,a5
	add	a2,s0,a4
	add	a5,a1,a5
	add	a4,a4,s8
	bleu	a0,a2,.L16
	lw	a2,0(a3)
	sw	a2,0(a5)
.L16:
	add	a3,a3,s3
	bleu	a4,s1,.L17
.L18:
	call	weft_sync
	lw	a4,4(sp)
	lw	a5,0(s4)
	add	s0,s0,a4
	bgtu	a5,s0,.L5
.L3:
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
