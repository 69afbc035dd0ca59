# Made from registers.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S registers.c
	.file	"registers.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	lui	a4,%hi(result)
	slli	a5,a0,2
	addi	a4,a4,%lo(result)
	lui	a2,%hi(values)
	add	a3,a5,a4
	addi	a2,a2,%lo(values)
	li	a4,4096
	add	a5,a5,a2
	lw	a0,0(a3)
	addi	a2,a4,-2000
	addi	sp,sp,-64
	addi	a1,a4,-2048
	add	a7,a5,a2
	sw	s0,60(sp)
	sw	s1,56(sp)
	sw	s2,52(sp)
	sw	s3,48(sp)
	sw	s4,44(sp)
	sw	s5,40(sp)
	sw	s6,36(sp)
	sw	s7,32(sp)
	sw	s8,28(sp)
	sw	s9,24(sp)
	sw	s10,20(sp)
	sw	s11,16(sp)
	add	a4,a5,a1
	sw	a3,12(sp)
	sw	a7,8(sp)
.L3:
	lw	a5,-2048(a4)
	lw	s5,-1792(a4)
	lw	s3,-1536(a4)
	lw	s1,-1280(a4)
	lw	t2,-1024(a4)
	lw	t6,-768(a4)
	lw	t4,-512(a4)
	lw	t1,-256(a4)
	lw	a6,0(a4)
	lw	a1,256(a4)
	lw	a3,512(a4)
	lw	s11,768(a4)
	lw	s10,1024(a4)
	lw	s9,1280(a4)
	lw	t5,1536(a4)
	lw	t3,1792(a4)
	li	t0,8
	sw	a0,0(sp)
	sw	a4,4(sp)
.L2:
	slli	a0,t4,1
	add	a0,a0,t4
	slli	s8,a5,1
	add	t4,a0,s9
	slli	s7,s5,1
	slli	a0,t1,1
	add	a5,s8,a5
	add	a5,a5,t1
	slli	s6,s3,1
	add	t1,a0,t1
	add	s5,s7,s5
	slli	a0,a6,1
	add	s5,s5,a6
	slli	s4,s1,1
	add	a6,a0,a6
	add	s3,s6,s3
	slli	a0,a1,1
	add	s3,s3,a1
	slli	s2,t2,1
	add	a1,a0,a1
	add	s1,s4,s1
	slli	a0,a3,1
	add	s1,s1,a3
	slli	s0,t6,1
	add	a3,a0,a3
	add	t2,s2,t2
	slli	a0,s11,1
	slli	a2,t5,1
	slli	a4,t3,1
	add	t2,t2,s11
	slli	a7,s9,1
	add	s11,a0,s11
	add	t6,s0,t6
	slli	a0,s10,1
	add	t6,t6,s10
	add	s9,a7,s9
	add	s10,a0,s10
	add	a2,a2,t5
	add	a4,a4,t3
	addi	t0,t0,-1
	add	t1,t1,t5
	add	a6,a6,t3
	add	a1,a1,a5
	add	a3,a3,s5
	add	s11,s11,s3
	add	s10,s10,s1
	add	s9,s9,t2
	add	t5,a2,t6
	add	t3,a4,t4
	bne	t0,zero,.L2
	xor	a5,a5,s5
	xor	a5,a5,s3
	xor	a5,a5,s1
	xor	a5,a5,t2
	xor	a5,a5,t6
	xor	a5,a5,t4
	xor	a5,a5,t1
	xor	a5,a5,a6
	xor	a5,a5,a1
	xor	a5,a5,a3
	xor	a5,a5,s11
	xor	a5,a5,s10
	lw	a0,0(sp)
	xor	a5,a5,s9
	xor	a5,a5,t5
	xor	a5,a5,t3
	lw	a4,4(sp)
	add	a0,a0,a5
	lw	a5,8(sp)
	addi	a4,a4,4
	bne	a4,a5,.L3
	lw	a3,12(sp)
	lw	s0,60(sp)
	lw	s1,56(sp)
	sw	a0,0(a3)
	lw	s2,52(sp)
	lw	s3,48(sp)
	lw	s4,44(sp)
	lw	s5,40(sp)
	lw	s6,36(sp)
	lw	s7,32(sp)
	lw	s8,28(sp)
	lw	s9,24(sp)
	lw	s10,20(sp)
	lw	s11,16(sp)
	addi	sp,sp,64
	jr	ra
	.size	kernel, .-kernel
	.globl	result
	.globl	values
	.bss
	.align	2
	.type	result, @object
	.size	result, 2048
result:
	.zero	2048
	.type	values, @object
	.size	values, 6192
values:
	.zero	6192
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
