# Made from reduction.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S -DROOM=65536 reduction.c
	.file	"reduction.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	lui	a5,%hi(.LANCHOR0)
	lw	t1,%lo(.LANCHOR0)(a5)
 #APP
# 420 "weft.h" 1
	csrr a7, 0xCC8
# 0 "" 2
# 422 "weft.h" 1
	csrr a5, 0xCCA
# 0 "" 2
 #NO_APP
	bgeu	a0,t1,.L9
	lui	a3,%hi(a)
	slli	a4,a0,2
	addi	a3,a3,%lo(a)
	slli	t3,a1,2
	add	a4,a4,a3
	li	a6,0
	li	a2,0
.L4:
	lw	a3,0(a4)
	add	a0,a0,a1
	add	a4,a4,t3
	add	a2,a2,a3
	bgeu	a6,a3,.L3
	mv	a6,a3
.L3:
	bltu	a0,t1,.L4
.L2:
	slli	a4,a7,2
	li	a0,-805306368
	add	a0,a0,a4
	sw	a2,0(a0)
	li	a4,1
	bleu	a5,a4,.L5
	li	t3,-805306368
.L7:
	addi	a4,a5,1
	mv	a1,a5
	li	t1,0
	srli	a5,a4,1
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
	add	a3,a7,a5
	slli	a4,a3,2
	add	a4,t3,a4
	li	a2,1
	bgeu	a3,a1,.L6
	lw	a3,0(a4)
	lw	a4,0(a0)
	add	a4,a4,a3
	sw	a4,0(a0)
.L6:
	bgtu	a5,a2,.L7
.L5:
	beq	a7,zero,.L13
	lui	a5,%hi(.LANCHOR1)
	addi	a5,a5,%lo(.LANCHOR1)
	addi	a5,a5,4
 #APP
# 35 "reduction.c" 1
	amomaxu.w zero, a6, (a5)
# 0 "" 2
 #NO_APP
	ret
.L13:
	li	a5,-805306368
	lw	a4,0(a5)
	lui	a5,%hi(.LANCHOR1)
	addi	a5,a5,%lo(.LANCHOR1)
	amoadd.w zero,a4,0(a5)
	addi	a5,a5,4
 #APP
# 35 "reduction.c" 1
	amomaxu.w zero, a6, (a5)
# 0 "" 2
 #NO_APP
	ret
.L9:
	li	a6,0
	li	a2,0
	j	.L2
	.size	kernel, .-kernel
	.globl	largest
	.globl	sum
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
	.set	.LANCHOR1,. + 0
	.type	sum, @object
	.size	sum, 4
sum:
	.zero	4
	.type	largest, @object
	.size	largest, 4
largest:
	.zero	4
	.type	a, @object
	.size	a, 262144
a:
	.zero	262144
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
