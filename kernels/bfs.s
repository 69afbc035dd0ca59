# Made from bfs.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S bfs.c
	.file	"bfs.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	li	a5,33
	bgtu	a0,a5,.L15
	addi	sp,sp,-32
	slli	a5,a0,3
	sw	s1,24(sp)
	slli	a4,a0,4
	slli	s1,a1,3
	add	a5,a5,a0
	lui	t4,%hi(.LANCHOR0)
	addi	t4,t4,%lo(.LANCHOR0)
	sw	s0,28(sp)
	add	a4,a4,a0
	slli	s0,a1,4
	add	s1,s1,a1
	slli	a5,a5,2
	lui	t5,%hi(.LANCHOR1)
	slli	a4,a4,1
	addi	t2,t4,1156
	addi	t1,t4,1190
	add	s0,s0,a1
	slli	s1,s1,2
	sub	a5,a5,a0
	addi	t5,t5,%lo(.LANCHOR1)
	sw	s2,20(sp)
	sw	s3,16(sp)
	sw	s4,12(sp)
	sw	s5,8(sp)
	sw	s6,4(sp)
	mv	t0,a0
	mv	s2,a1
	slli	s0,s0,1
	add	t4,t4,a4
	sub	s1,s1,a1
	add	t2,t2,a5
	add	t1,t1,a4
	li	t3,-1
	addi	t6,t5,-1644
	li	a7,255
	li	s3,33
.L8:
	addi	a5,t1,-34
	mv	a6,a5
.L3:
	sb	t3,0(a5)
	addi	a5,a5,1
	bne	a5,t1,.L3
	sb	zero,0(t2)
	sb	t0,0(t4)
	li	s4,0
	li	a0,1
.L7:
	add	a5,t4,s4
	lbu	a4,0(a5)
	addi	a3,a4,1
	slli	a5,a4,2
	slli	a3,a3,2
	add	a5,t5,a5
	add	a3,t5,a3
	lw	a5,-1784(a5)
	lw	a1,-1784(a3)
	bgeu	a5,a1,.L4
	slli	a5,a5,2
	slli	a1,a1,2
	add	a5,t6,a5
	add	a1,a1,t6
	add	s5,a6,a4
.L6:
	lw	a3,0(a5)
	addi	a5,a5,4
	add	a4,a6,a3
	lbu	a2,0(a4)
	beq	a2,a7,.L19
	bne	a1,a5,.L6
.L4:
	addi	s4,s4,1
	bne	s4,a0,.L7
	add	t0,t0,s2
	add	t4,t4,s0
	add	t2,t2,s1
	add	t1,t1,s0
	bleu	t0,s3,.L8
	lw	s0,28(sp)
	lw	s1,24(sp)
	lw	s2,20(sp)
	lw	s3,16(sp)
	lw	s4,12(sp)
	lw	s5,8(sp)
	lw	s6,4(sp)
	addi	sp,sp,32
	jr	ra
.L19:
	lbu	a2,0(s5)
	add	s6,t4,a0
	sb	a3,0(s6)
	addi	a3,a2,1
	sb	a3,0(a4)
	addi	a0,a0,1
	bne	a1,a5,.L6
	j	.L4
.L15:
	ret
	.size	kernel, .-kernel
	.globl	queue
	.globl	distance
	.globl	columns
	.globl	rows
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.set	.LANCHOR1,. + 4096
	.type	queue, @object
	.size	queue, 1156
queue:
	.zero	1156
	.type	distance, @object
	.size	distance, 1156
distance:
	.zero	1156
	.type	rows, @object
	.size	rows, 140
rows:
	.zero	140
	.type	columns, @object
	.size	columns, 624
columns:
	.zero	624
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
