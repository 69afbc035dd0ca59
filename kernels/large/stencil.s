# Made from stencil.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S -DROOM=65536 stencil.c
	.file	"stencil.c"
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
	lw	a3,%lo(.LANCHOR0)(a5)
	mul	t0,a3,a3
	bleu	t0,a0,.L1
	lui	a5,%hi(a)
	slli	a4,a0,2
	addi	a5,a5,%lo(a)
	addi	a7,a4,16
	neg	t4,a3
	add	a4,a4,a5
	lui	a5,%hi(result)
	slli	t4,t4,2
	addi	a5,a5,%lo(result)
	slli	t1,a1,2
	add	a7,a7,a5
	neg	t2,t4
.L7:
	remu	a2,a0,a3
	lw	a5,0(a4)
	add	t6,a4,t4
	add	t5,a4,t2
	slli	a5,a5,2
	divu	a6,a0,a3
	addi	t3,a2,1
	beq	a2,zero,.L3
	lw	a2,-4(a4)
	sub	a5,a5,a2
.L3:
	bgeu	t3,a3,.L4
	lw	a2,4(a4)
	sub	a5,a5,a2
.L4:
	bgtu	a3,a0,.L5
	lw	a2,0(t6)
	sub	a5,a5,a2
.L5:
	addi	a2,a6,1
	add	a0,a0,a1
	add	a4,a4,t1
	bgeu	a2,a3,.L6
	lw	a2,0(t5)
	sub	a5,a5,a2
.L6:
	sw	a5,0(a7)
	add	a7,a7,t1
	bgtu	t0,a0,.L7
.L1:
	ret
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
