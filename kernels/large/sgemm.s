# Made from sgemm.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S -DROOM=65536 sgemm.c
	.file	"sgemm.c"
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
	lw	t3,%lo(.LANCHOR0)(a5)
	mul	t6,t3,t3
	bleu	t6,a0,.L1
	beq	t3,zero,.L3
	divu	a5,a0,t3
	addi	t4,a0,4
	lui	a4,%hi(result)
	slli	t4,t4,2
	addi	a4,a4,%lo(result)
	lui	t5,%hi(a)
	lui	t0,%hi(b)
	slli	t2,a1,2
	add	t4,t4,a4
	slli	t1,t3,2
	addi	t5,t5,%lo(a)
	addi	t0,t0,%lo(b)
	remu	a3,a0,t3
.L7:
	slli	a3,a3,2
	add	a3,t0,a3
	li	a2,0
	mul	a5,a5,t3
	add	a7,a5,t3
	slli	a7,a7,2
	slli	a5,a5,2
	add	a5,t5,a5
	add	a7,t5,a7
.L4:
	lw	a4,0(a5)
	lw	a6,0(a3)
	addi	a5,a5,4
	add	a3,a3,t1
	mul	a4,a4,a6
	add	a2,a2,a4
	bne	a5,a7,.L4
	sw	a2,0(t4)
	add	a0,a0,a1
	add	t4,t4,t2
	bleu	t6,a0,.L1
	divu	a5,a0,t3
	remu	a3,a0,t3
	j	.L7
.L1:
	ret
.L3:
	addi	a5,a0,4
	lui	a4,%hi(result)
	slli	a5,a5,2
	addi	a4,a4,%lo(result)
	add	a5,a4,a5
	sw	zero,0(a5)
	ret
	.size	kernel, .-kernel
	.globl	result
	.globl	b
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
	.type	b, @object
	.size	b, 262144
b:
	.zero	262144
	.type	a, @object
	.size	a, 262144
a:
	.zero	262144
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
