	.file	"program.c"
	.option nopic
	.attribute arch, "rv32i2p1_m2p0_a2p1_zicsr2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	2
	.globl	f0
	.type	f0, @function
f0:
	addi	sp,sp,-16
	xori	a5,a0,20
	andi	a6,a1,7
	li	a4,31
	sw	s1,4(sp)
	andi	a5,a5,7
	slli	s1,a0,3
	srl	a4,a4,a6
	add	s1,s1,a1
	addi	a5,a5,1
	li	a3,4
	sw	ra,12(sp)
	sw	s0,8(sp)
	andi	a4,a4,4
	divu	a5,a3,a5
	xor	s1,s1,a1
	beq	a4,zero,.L2
	mul	a4,a0,a5
	andi	a4,a4,1
	beq	a4,zero,.L2
	addi	a6,a6,1
	divu	a3,a3,a6
	andi	a4,a0,1
	xori	a5,a1,1
	addi	a3,a3,4
	add	s1,s1,a3
	bne	a4,zero,.L9
	beq	a2,zero,.L22
	andi	a6,a5,63
	lui	a4,%hi(.LANCHOR0)
	slli	a6,a6,2
	addi	a4,a4,%lo(.LANCHOR0)
	add	a4,a4,a6
	lw	a4,0(a4)
	andi	a4,a4,1
	beq	a4,zero,.L20
	addi	a2,a2,-1
	mul	a2,a2,a3
	add	a5,a0,a5
	xori	s0,a5,29
	add	a5,a2,s1
	add	s1,a5,a3
.L5:
	xor	a0,s1,s0
.L1:
	lw	ra,12(sp)
	lw	s0,8(sp)
	lw	s1,4(sp)
	addi	sp,sp,16
	jr	ra
.L2:
	mul	a3,a5,a5
	add	a4,a0,a5
	bgtu	a4,a3,.L23
.L8:
	xor	a5,a0,a5
	add	s1,a4,s1
	xori	a5,a5,4
.L20:
	add	a5,a5,a0
	andi	a2,a2,7
	xori	s0,a5,29
	beq	a2,zero,.L5
	andi	a4,a0,63
	andi	a3,s0,63
	lui	a5,%hi(.LANCHOR0)
	addi	a5,a5,%lo(.LANCHOR0)
	slli	a3,a3,2
	slli	a4,a4,2
	add	a4,a5,a4
	add	a5,a5,a3
	lw	a4,0(a4)
	lw	a5,0(a5)
	xor	a0,a0,a1
	addi	a2,a2,-1
	add	a1,a4,a5
	addi	a0,a0,25
	call	f0
	add	s1,s1,a0
	j	.L5
.L23:
	mv	a4,a3
	j	.L8
.L9:
	li	a0,4
	j	.L1
.L22:
	add	a5,a0,a5
	xori	s0,a5,29
	j	.L5
	.size	f0, .-f0
	.align	2
	.globl	kernel
	.type	kernel, @function
kernel:
	andi	a4,a0,63
	lui	a5,%hi(.LANCHOR0)
	slli	a4,a4,2
	addi	a5,a5,%lo(.LANCHOR0)
	add	a5,a5,a4
	lw	a5,0(a5)
	andi	a3,a1,7
	li	a4,34
	srl	a4,a4,a3
	andi	a5,a5,7
	srl	a5,a4,a5
	add	a4,a4,a5
	slli	a3,a1,3
	mul	a6,a5,a4
	addi	a3,a3,23
	xor	a7,a1,a5
	and	a1,a1,a4
	mv	a2,a5
	mul	a4,a3,a7
	sub	a6,a6,a1
	add	a3,a4,a6
	slli	a3,a3,3
	bleu	a5,a4,.L25
	mv	a2,a4
.L25:
	add	a4,a3,a2
	slli	a1,a6,1
	slli	a2,a4,2
	add	a1,a1,a6
	lui	a3,%hi(out)
	add	a4,a2,a4
	slli	a0,a0,2
	add	a2,a1,a5
	addi	a5,a3,%lo(out)
	add	a0,a5,a0
	add	a5,a4,a2
	sw	a5,0(a0)
	ret
	.size	kernel, .-kernel
	.globl	calls
	.globl	table
	.globl	data
	.globl	count
	.globl	out
	.globl	guard
	.section	.rodata
	.align	2
	.set	.LANCHOR0,. + 0
	.type	table, @object
	.size	table, 256
table:
	.word	62991463
	.word	715225985
	.word	-773392192
	.word	-513488608
	.word	790142902
	.word	-65579961
	.word	324006798
	.word	2029025756
	.word	1396866
	.word	-1056443963
	.word	1142558517
	.word	734942682
	.word	-359361474
	.word	-1783136285
	.word	-1614327304
	.word	-1296067076
	.word	221969659
	.word	-1122483457
	.word	-1688289441
	.word	397027524
	.word	-1748889324
	.word	1748463922
	.word	-1334668102
	.word	482497887
	.word	-80453704
	.word	1983956227
	.word	-502696515
	.word	-2112457599
	.word	1111765368
	.word	790418538
	.word	519245367
	.word	-1829379389
	.word	-1224088531
	.word	-1668447772
	.word	-1422837723
	.word	-1742363742
	.word	-1457050102
	.word	-2110434569
	.word	1729827326
	.word	-1610562197
	.word	186304705
	.word	24415516
	.word	1837148650
	.word	1229450840
	.word	997679272
	.word	1823881950
	.word	865729677
	.word	-1924456949
	.word	-2043455001
	.word	452329314
	.word	2097950554
	.word	726759853
	.word	-770150717
	.word	1939909808
	.word	707811152
	.word	-1179142005
	.word	1895106109
	.word	1540696244
	.word	-161864257
	.word	1555827660
	.word	1978868327
	.word	-1790989700
	.word	2021667006
	.word	-1464080904
	.type	calls, @object
	.size	calls, 16
calls:
	.word	f0
	.word	f0
	.word	f0
	.word	f0
	.bss
	.align	2
	.type	data, @object
	.size	data, 256
data:
	.zero	256
	.type	count, @object
	.size	count, 32
count:
	.zero	32
	.type	out, @object
	.size	out, 4096
out:
	.zero	4096
	.type	guard, @object
	.size	guard, 16
guard:
	.zero	16
	.ident	"GCC: (12.2.0-14+deb12u1+11+b2) 12.2.0"
