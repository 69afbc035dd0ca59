# Made from bfs.c by `cargo xtask kernels`:
# riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 -ffreestanding -fno-pic -msmall-data-limit=0 -fno-asynchronous-unwind-tables -S -I.. bfs.c
	.file	"bfs.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
 #APP
	.pushsection .text.level,"axR",@progbits
	.align	2
	.globl	level
level:
	.option	push
	.option	norelax
	la	gp, __global_pointer$
	.option	pop
	.weak	__weft_thread
	lui	t0, %hi(__weft_thread)
	addi	t0, t0, %lo(__weft_thread)
	beqz	t0, 1f
	jalr	t0, 0(t0)
1:
	call	weft_body_level
	.insn	i 0x5B, 2, x0, 0(x0)
	.popsection
 #NO_APP
	.align	2
	.type	next, @function
next:
	lw	a1,32(a0)
	lw	a3,40(a0)
	lw	a4,0(a0)
	addi	a1,a1,1
	andi	a5,a1,1
	addi	a2,a5,4
	slli	a2,a2,2
	add	a2,a0,a2
	lw	a6,8(a2)
	addi	a2,a3,-1
	xori	a5,a5,1
	add	a2,a2,a6
	divu	a2,a2,a3
	addi	a5,a5,4
	slli	a5,a5,2
	sw	a1,32(a0)
	add	a5,a0,a5
	sw	zero,8(a5)
	mul	a3,a3,a2
	sw	a3,36(a0)
	beq	a4,zero,.L1
	beq	a6,zero,.L4
	li	a5,1
	addi	a1,a4,48
	fence iorw,ow; amoadd.w.aq a3,a5,0(a1)
	lw	a5,44(a4)
	bgeu	a3,a5,.L6
	lw	a5,40(a4)
	slli	a3,a3,7
	add	a3,a3,a5
	beq	a3,zero,.L6
	lw	a6,40(a0)
	addi	a4,a3,128
	mv	a5,a3
.L7:
	sw	zero,0(a5)
	addi	a5,a5,4
	bne	a4,a5,.L7
	li	a4,1459617792
	addi	a4,a4,1
	lw	a1,0(a0)
	sw	a4,0(a3)
	lui	a4,%hi(level)
	addi	a4,a4,%lo(level)
	sw	a4,4(a3)
	li	a4,1024
	sw	a4,40(a3)
	li	a4,65536
	li	a5,1
	addi	a4,a4,1024
	sw	a4,44(a3)
	sw	a2,8(a3)
	sw	a5,16(a3)
	sw	a5,12(a3)
	sw	a6,20(a3)
	sw	a5,28(a3)
	sw	a5,24(a3)
	sw	a0,32(a3)
	sw	a5,96(a3)
	addi	a4,a1,36
	fence iorw,ow; amoadd.w.aq zero,a5,0(a4)
	lw	a5,0(a0)
	li	a2,3
	li	a4,-2
	lw	a1,4(a5)
	bleu	a1,a2,.L8
	addi	a1,a5,16
	fence	iorw,iorw
	lw	a4,16(a5)
	fence	iorw,iorw
.L9:
	fence	iorw,iorw
	lw	a2,20(a5)
	fence	iorw,iorw
	addi	a2,a2,-2
	sub	a2,a2,a4
	blt	a2,zero,.L17
	addi	a6,a4,2
	fence iorw,ow;  1: lr.w.aq a2,0(a1); bne a2,a4,1f; sc.w.aq a7,a6,0(a1); bnez a7,1b; 1:
	sub	a6,a2,a4
	mv	a4,a2
	bne	a6,zero,.L9
.L8:
	li	a2,-3
	bleu	a4,a2,.L30
	ebreak
.L30:
	lw	a1,4(a5)
	lw	a6,12(a5)
	addi	a2,a4,1
	remu	a1,a4,a1
	addi	a7,a4,2
	slli	a1,a1,5
	add	a1,a1,a6
	li	a6,131072
	addi	a6,a6,1
	sw	a6,0(a1)
	sw	a3,4(a1)
	lw	a3,4(a5)
	lw	a6,12(a5)
	lw	t1,0(a5)
	remu	a3,a4,a3
	slli	a1,a3,3
	slli	a3,a3,5
	add	a1,a1,t1
	add	a3,a3,a6
	sw	a3,0(a1)
	li	a3,2
	sw	a3,4(a1)
	lw	a3,4(a5)
	lw	a1,12(a5)
	remu	a3,a2,a3
	slli	a3,a3,5
	add	a3,a3,a1
	li	a1,196608
	addi	a1,a1,3
	sw	a1,0(a3)
	lw	a1,4(a5)
	lw	a6,8(a5)
	remu	a1,a2,a1
	slli	a1,a1,2
	add	a1,a1,a6
	sw	a1,4(a3)
	sw	a7,8(a3)
	lw	a1,4(a5)
	lw	a6,0(a5)
	lw	a3,12(a5)
	remu	a2,a2,a1
	slli	a1,a2,3
	slli	a2,a2,5
	add	a1,a1,a6
	add	a3,a2,a3
	sw	a3,0(a1)
	li	a3,3
	sw	a3,4(a1)
 #APP
# 74 "../weft_queue.h" 1
	fence
# 0 "" 2
 #NO_APP
	lw	a1,4(a5)
	addi	a3,a4,-1
	lw	a2,8(a5)
	remu	a5,a3,a1
	slli	a5,a5,2
	add	a5,a5,a2
	sw	a4,0(a5)
.L6:
	lw	a4,0(a0)
.L4:
	li	a3,-1
	addi	a2,a4,36
	fence iorw,ow; amoadd.w.aq a5,a3,0(a2)
	addi	a5,a5,-1
	beq	a5,zero,.L31
.L1:
	ret
.L31:
	lw	a3,4(a4)
	li	a5,2
	bgtu	a3,a5,.L32
	li	a1,-3
	li	a3,-2
.L12:
	addi	a2,a4,20
	j	.L13
.L14:
 #APP
# 212 "../weft_queue.h" 1
	.insn i 0x5B, 1, x0, 0(x0)
# 0 "" 2
 #NO_APP
.L13:
	fence	iorw,iorw
	lw	a5,0(a2)
	fence	iorw,iorw
	sub	a5,a5,a3
	addi	a5,a5,-1
	blt	a5,zero,.L14
	lw	a5,4(a4)
	lw	a0,12(a4)
	li	a2,196608
	remu	a5,a3,a5
	addi	a6,a2,4
	addi	a2,a2,3
	slli	a5,a5,5
	add	a5,a5,a0
	li	a0,65536
	addi	a0,a0,2
	sw	a0,0(a5)
	sw	a6,4(a5)
	lw	a0,28(a4)
	sw	a0,8(a5)
	lw	a0,32(a4)
	sw	a0,12(a5)
	sw	a2,16(a5)
	lw	a2,24(a4)
	sw	a2,20(a5)
	lw	a2,32(a4)
	addi	a2,a2,1
	sw	a2,24(a5)
	lw	a5,4(a4)
	lw	a6,0(a4)
	lw	a0,12(a4)
	remu	a5,a3,a5
	slli	a2,a5,3
	slli	a5,a5,5
	add	a2,a2,a6
	add	a5,a5,a0
	sw	a5,0(a2)
	li	a5,7
	sw	a5,4(a2)
 #APP
# 74 "../weft_queue.h" 1
	fence
# 0 "" 2
 #NO_APP
	lw	a5,4(a4)
	lw	a4,8(a4)
	remu	a5,a1,a5
	slli	a5,a5,2
	add	a5,a5,a4
	sw	a3,0(a5)
	ret
.L32:
	li	a5,1
	addi	a2,a4,16
	fence iorw,ow; amoadd.w.aq a3,a5,0(a2)
	addi	a1,a3,-1
	j	.L12
.L17:
	li	a4,-1
	j	.L8
	.size	next, .-next
	.align	2
	.globl	weft_body_level
	.type	weft_body_level, @function
weft_body_level:
	lw	a4,32(a2)
	andi	a5,a4,1
	slli	a3,a5,2
	add	a3,a2,a3
	lw	a1,24(a3)
	bleu	a1,a0,.L34
	lw	a3,16(a3)
	slli	a0,a0,2
	lw	a1,4(a2)
	add	a3,a3,a0
	lw	a3,0(a3)
	slli	a3,a3,2
	addi	t1,a3,4
	add	a3,a1,a3
	add	a1,a1,t1
	lw	a6,0(a3)
	lw	a3,0(a1)
	bgeu	a6,a3,.L34
	xori	a5,a5,1
	addi	a7,a5,6
	addi	a5,a5,4
	slli	a7,a7,2
	slli	a0,a5,2
	add	a7,a2,a7
	li	t3,-1
	add	a0,a2,a0
	li	t4,1
	j	.L36
.L38:
	lw	a4,32(a2)
.L36:
	lw	a3,8(a2)
	slli	a1,a6,2
	lw	a5,12(a2)
	add	a3,a3,a1
	lw	a1,0(a3)
	addi	a4,a4,1
	slli	a3,a1,2
	add	a5,a5,a3
	fence iorw,ow;  1: lr.w.aq a3,0(a5); bne a3,t3,1f; sc.w.aq t5,a4,0(a5); bnez t5,1b; 1:
	addi	a5,a3,1
	bne	a5,zero,.L35
	lw	a5,0(a0)
	fence iorw,ow; amoadd.w.aq a4,t4,0(a7)
	slli	a4,a4,2
	add	a5,a5,a4
	sw	a1,0(a5)
.L35:
	lw	a5,4(a2)
	addi	a6,a6,1
	add	a5,a5,t1
	lw	a5,0(a5)
	bgtu	a5,a6,.L38
.L34:
 #APP
# 74 "../weft_queue.h" 1
	fence
# 0 "" 2
 #NO_APP
	li	a4,-1
	addi	a3,a2,36
	fence iorw,ow; amoadd.w.aq a5,a4,0(a3)
	addi	a5,a5,-1
	beq	a5,zero,.L39
	ret
.L39:
	mv	a0,a2
	tail	next
	.size	weft_body_level, .-weft_body_level
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	li	a5,-1
	mv	a0,a2
	sw	a5,32(a2)
	tail	next
	.size	kernel, .-kernel
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
