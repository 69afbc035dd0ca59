# Made from styles.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S styles.c
	.file	"styles.c"
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
	.globl	kernel
	.type	kernel, @function
kernel:
	lui	a5,%hi(a)
	lui	a4,%hi(b)
	slli	a0,a0,2
	addi	a5,a5,%lo(a)
	addi	a4,a4,%lo(b)
	add	a2,a5,a0
	add	a3,a4,a0
	lw	a2,0(a2)
	lw	a3,0(a3)
 #APP
# 10 "styles.c" 1
	.insn j 0x0B, x0, .L2
# 0 "" 2
 #NO_APP
	ble	a2,a3,.L3
	mul	a2,a2,a2
	sub	a3,a2,a3
 #APP
# 15 "styles.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
.L2:
	lui	a2,%hi(with_tokens)
	addi	a2,a2,%lo(with_tokens)
	add	a2,a2,a0
	add	a6,a5,a0
	add	a1,a4,a0
	sw	a3,0(a2)
	lw	a6,0(a6)
	lw	a1,0(a1)
	li	a3,0
 #APP
# 22 "styles.c" 1
	mv a3, a3
# 0 "" 2
 #NO_APP
	mv	a2,a3
	sgt	a7,a6,a1
 #APP
# 23 "styles.c" 1
	.insn r 0x5B, 4, 0, x1, a7, x0
# 0 "" 2
# 24 "styles.c" 1
	.insn r 0x5B, 3, 8 + 0, x0, x1, x0
# 0 "" 2
# 25 "styles.c" 1
	.insn b 0x5B, 5, x8, x0, .L5
# 0 "" 2
 #NO_APP
	mul	a2,a6,a6
	sub	a2,a2,a1
 #APP
# 26 "styles.c" 1
	mv a3, a2
# 0 "" 2
 #NO_APP
	mv	a2,a3
.L5:
 #APP
# 28 "styles.c" 1
	.insn r 0x5B, 3, 3, x8, x0, x8
# 0 "" 2
# 29 "styles.c" 1
	.insn b 0x5B, 5, x8, x0, .L6
# 0 "" 2
 #NO_APP
	mul	a1,a1,a1
	sub	a1,a1,a6
 #APP
# 30 "styles.c" 1
	mv a2, a1
# 0 "" 2
 #NO_APP
.L6:
 #APP
# 32 "styles.c" 1
	.insn r 0x5B, 3, 1, x8, x8, x0
# 0 "" 2
 #NO_APP
	add	a4,a4,a0
	lw	a1,0(a4)
	add	a5,a5,a0
	lw	a4,0(a5)
	mul	a5,a1,a1
	lui	a3,%hi(with_exec)
	addi	a3,a3,%lo(with_exec)
	add	a3,a3,a0
	sw	a2,0(a3)
	sgt	a3,a4,a1
	sub	a5,a5,a4
 #APP
# 39 "styles.c" 1
	.insn r 0x5B, 4, 0, x1, a3, x0
# 0 "" 2
 #NO_APP
	mul	a4,a4,a4
 #APP
# 40 "styles.c" 1
	.insn i 0x5B, 6, x0, 1(x1)
	sub a5, a4, a1
# 0 "" 2
 #NO_APP
	lui	a4,%hi(predicated)
	addi	a4,a4,%lo(predicated)
	add	a4,a4,a0
	sw	a5,0(a4)
	ret
.L3:
	mul	a3,a3,a3
	sub	a3,a3,a2
 #APP
# 15 "styles.c" 1
	.insn b 0x2B, 0, x0, x0, .L2
# 0 "" 2
 #NO_APP
	.size	kernel, .-kernel
	.globl	predicated
	.globl	with_exec
	.globl	with_tokens
	.globl	b
	.globl	a
	.bss
	.align	2
	.type	predicated, @object
	.size	predicated, 4096
predicated:
	.zero	4096
	.type	with_exec, @object
	.size	with_exec, 4096
with_exec:
	.zero	4096
	.type	with_tokens, @object
	.size	with_tokens, 4096
with_tokens:
	.zero	4096
	.type	b, @object
	.size	b, 4096
b:
	.zero	4096
	.type	a, @object
	.size	a, 4096
a:
	.zero	4096
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
