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
	lui	a5,%hi(out)
	slli	t1,a0,6
	addi	a5,a5,%lo(out)
	add	t1,t1,a5
	li	t5,4
	li	t3,2
	li	t4,16
.L6:
	srai	a7,t3,1
.L2:
	mv	a2,t1
	li	a5,0
.L4:
	xor	a1,a7,a5
	and	a4,t3,a5
	slli	a3,a1,2
	add	a3,t1,a3
	snez	a4,a4
	ble	a1,a5,.L3
	lw	a1,0(a2)
	lw	a0,0(a3)
	sgt	a6,a1,a0
	beq	a6,a4,.L3
	sw	a0,0(a2)
	sw	a1,0(a3)
.L3:
	addi	a5,a5,1
	addi	a2,a2,4
	bne	a5,t4,.L4
	srai	a7,a7,1
	bne	a7,zero,.L2
	addi	t5,t5,-1
	slli	t3,t3,1
	bne	t5,zero,.L6
	ret
	.size	kernel, .-kernel
	.globl	out
	.bss
	.align	2
	.type	out, @object
	.size	out, 32768
out:
	.zero	32768
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
