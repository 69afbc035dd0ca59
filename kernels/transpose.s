# Made from transpose.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S transpose.c
	.file	"transpose.c"
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
	lui	a5,%hi(.LANCHOR0)
	sw	s5,52(sp)
	sw	s9,36(sp)
	lw	s5,%lo(.LANCHOR0)(a5)
 #APP
# 385 "weft.h" 1
	csrr s9, 0xCCA
# 0 "" 2
 #NO_APP
	divu	a5,a1,s9
	sw	s11,28(sp)
	sw	s0,72(sp)
	addi	s0,s5,7
	srli	s0,s0,3
	sw	s4,56(sp)
	sw	s3,60(sp)
	sw	ra,76(sp)
	sw	s1,68(sp)
	sw	s2,64(sp)
	sw	s6,48(sp)
	sw	s7,44(sp)
	sw	s8,40(sp)
	sw	s10,32(sp)
 #APP
# 383 "weft.h" 1
	csrr s3, 0xCC8
# 0 "" 2
 #NO_APP
	divu	s11,a0,s9
	sw	a5,12(sp)
	mul	s4,s0,s0
	bleu	s4,s11,.L3
	lui	s2,%hi(a)
	lui	s1,%hi(result)
	li	s8,63
	li	s10,-805306368
	addi	s2,s2,%lo(a)
	addi	s1,s1,%lo(result)
.L4:
	divu	s6,s11,s0
	mv	a5,s3
	remu	s7,s11,s0
	slli	s6,s6,3
	slli	s7,s7,3
	bgtu	s3,s8,.L9
.L5:
	srli	a1,a5,3
	andi	a0,a5,7
	add	a3,s6,a1
	add	a5,a5,s9
	add	a6,s7,a0
	bgeu	a3,s5,.L8
	slli	a4,a1,3
	add	a4,a4,a1
	add	a4,a4,a0
	slli	a4,a4,2
	add	a4,s10,a4
	bgeu	a6,s5,.L8
	mul	a3,a3,s5
	add	a3,a3,a6
	slli	a3,a3,2
	add	a3,s2,a3
	lw	a3,0(a3)
	sw	a3,0(a4)
.L8:
	bleu	a5,s8,.L5
.L9:
	call	weft_sync
	mv	a5,s3
	bgtu	s3,s8,.L7
.L6:
	srli	a6,a5,3
	andi	a1,a5,7
	add	a0,s7,a6
	add	a5,a5,s9
	add	a3,s6,a1
	bgeu	a0,s5,.L11
	slli	a4,a1,3
	add	a4,a4,a1
	add	a4,a4,a6
	slli	a4,a4,2
	add	a4,s10,a4
	bgeu	a3,s5,.L11
	mul	a0,a0,s5
	lw	a1,0(a4)
	add	a4,a3,a0
	addi	a4,a4,4
	slli	a4,a4,2
	add	a4,s1,a4
	sw	a1,0(a4)
.L11:
	bleu	a5,s8,.L6
.L7:
	lw	a5,12(sp)
	add	s11,s11,a5
	call	weft_sync
	bgtu	s4,s11,.L4
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
	.word	31
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
