	.text
	.attribute	4, 16
	.attribute	5, "rv32i2p1_m2p0_a2p1_zicsr2p0_zmmul1p0"
	.file	"program.c"
	.file	0 "/work/wt/compiler" "/tmp/program.c" md5 0x26fe57248fb40ad6f4c046e35a6ba03e
	.p2align	2                               # -- Begin function f0
	.type	f0,@function
f0:                                     # @f0
.Lfunc_begin0:
	.cfi_startproc
# %bb.0:
	#DEBUG_VALUE: f0:a <- $x10
	#DEBUG_VALUE: f0:b <- $x11
	#DEBUG_VALUE: f0:fuel <- $x12
	.loc	0 7 23 prologue_end             # /tmp/program.c:7:23
	srli	a3, a0, 1
	.loc	0 7 49 is_stmt 0                # /tmp/program.c:7:49
	addi	a4, a0, 27
	.loc	0 7 42                          # /tmp/program.c:7:42
	xor	a3, a3, a4
.Ltmp0:
	#DEBUG_VALUE: f0:v0 <- $x13
	.loc	0 8 30 is_stmt 1                # /tmp/program.c:8:30
	andi	a4, a3, 7
	.loc	0 8 35 is_stmt 0                # /tmp/program.c:8:35
	addi	a4, a4, 1
	.loc	0 8 23                          # /tmp/program.c:8:23
	divu	a5, a3, a4
.Ltmp1:
	#DEBUG_VALUE: f0:v2 <- [DW_OP_LLVM_arg 0, DW_OP_LLVM_arg 0, DW_OP_and, DW_OP_stack_value] undef
	#DEBUG_VALUE: f0:v1 <- $x15
	#DEBUG_VALUE: f0:v0 <- $x15
	.loc	0 11 15 is_stmt 1               # /tmp/program.c:11:15
	sub	a5, a5, a0
.Ltmp2:
	.loc	0 0 15 is_stmt 0                # /tmp/program.c:0:15
	lui	a3, 146682
	addi	a3, a3, -2030
	.loc	0 11 11                         # /tmp/program.c:11:11
	bltu	a5, a3, .LBB0_2
.Ltmp3:
# %bb.1:
	#DEBUG_VALUE: f0:fuel <- $x12
	#DEBUG_VALUE: f0:b <- $x11
	#DEBUG_VALUE: f0:a <- $x10
	.loc	0 0 11                          # /tmp/program.c:0:11
	mv	a5, a3
.Ltmp4:
.LBB0_2:
	#DEBUG_VALUE: f0:fuel <- $x12
	#DEBUG_VALUE: f0:b <- $x11
	#DEBUG_VALUE: f0:a <- $x10
	#DEBUG_VALUE: f0:v0 <- $x15
	#DEBUG_VALUE: f0:v1 <- 0
	.loc	0 24 17 is_stmt 1               # /tmp/program.c:24:17
	andi	a1, a1, 7
.Ltmp5:
	addi	a1, a1, 1
	li	a3, 31
	li	a4, 3
	divu	a1, a3, a1
	mv	a3, a0
	.loc	0 24 39 is_stmt 0               # /tmp/program.c:24:39
	bltu	a0, a4, .LBB0_4
.Ltmp6:
# %bb.3:
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x15
	#DEBUG_VALUE: f0:fuel <- $x12
	#DEBUG_VALUE: f0:a <- $x10
	.loc	0 0 39                          # /tmp/program.c:0:39
	li	a3, 3
.Ltmp7:
.LBB0_4:
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x15
	#DEBUG_VALUE: f0:fuel <- $x12
	#DEBUG_VALUE: f0:a <- $x10
	.loc	0 24 34                         # /tmp/program.c:24:34
	srl	a1, a1, a3
.Ltmp8:
	.loc	0 25 14 is_stmt 1               # /tmp/program.c:25:14
	andi	a2, a2, 7
.Ltmp9:
	.loc	0 24 8                          # /tmp/program.c:24:8
	add	a5, a1, a5
.Ltmp10:
	#DEBUG_VALUE: f0:v0 <- $x15
	.loc	0 25 9                          # /tmp/program.c:25:9
	beqz	a2, .LBB0_12
.Ltmp11:
# %bb.5:
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x15
	#DEBUG_VALUE: f0:a <- $x10
	.loc	0 25 44 is_stmt 0               # /tmp/program.c:25:44
	andi	a1, a0, 7
	.loc	0 25 49                         # /tmp/program.c:25:49
	addi	a1, a1, 1
	.loc	0 25 31                         # /tmp/program.c:25:31
	divu	a1, a0, a1
	#DEBUG_VALUE: f0:v0 <- $x15
	lui	a0, 146682
.Ltmp12:
	.loc	0 0 31                          # /tmp/program.c:0:31
	addi	a3, a0, -2030
	li	a4, 15
	mv	a0, a5
.Ltmp13:
	#DEBUG_VALUE: f0:v0 <- $x10
	li	a7, 3
.Ltmp14:
.LBB0_6:                                # =>This Inner Loop Header: Depth=1
	#DEBUG_VALUE: f0:v0 <- $x10
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:a <- $x11
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x12
	.loc	0 7 23 is_stmt 1                # /tmp/program.c:7:23
	srli	a5, a1, 1
	.loc	0 7 49 is_stmt 0                # /tmp/program.c:7:49
	addi	a6, a1, 27
	.loc	0 7 42                          # /tmp/program.c:7:42
	xor	a5, a5, a6
.Ltmp15:
	#DEBUG_VALUE: f0:v0 <- $x15
	.loc	0 8 30 is_stmt 1                # /tmp/program.c:8:30
	andi	a6, a5, 7
	.loc	0 8 35 is_stmt 0                # /tmp/program.c:8:35
	addi	a6, a6, 1
	.loc	0 8 23                          # /tmp/program.c:8:23
	divu	a5, a5, a6
.Ltmp16:
	#DEBUG_VALUE: f0:v2 <- [DW_OP_LLVM_arg 0, DW_OP_LLVM_arg 0, DW_OP_and, DW_OP_stack_value] undef
	#DEBUG_VALUE: f0:v1 <- $x15
	#DEBUG_VALUE: f0:v0 <- $x15
	.loc	0 11 15 is_stmt 1               # /tmp/program.c:11:15
	sub	a5, a5, a1
.Ltmp17:
	.loc	0 11 11 is_stmt 0               # /tmp/program.c:11:11
	bltu	a5, a3, .LBB0_8
.Ltmp18:
# %bb.7:                                #   in Loop: Header=BB0_6 Depth=1
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x12
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x11
	.loc	0 0 11                          # /tmp/program.c:0:11
	mv	a5, a3
.Ltmp19:
.LBB0_8:                                #   in Loop: Header=BB0_6 Depth=1
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x12
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x11
	#DEBUG_VALUE: f0:v0 <- $x15
	#DEBUG_VALUE: f0:v1 <- 0
	mv	a6, a1
	.loc	0 24 39 is_stmt 1               # /tmp/program.c:24:39
	bltu	a1, a7, .LBB0_10
.Ltmp20:
# %bb.9:                                #   in Loop: Header=BB0_6 Depth=1
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x12
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x11
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x15
	.loc	0 0 39 is_stmt 0                # /tmp/program.c:0:39
	li	a6, 3
.Ltmp21:
.LBB0_10:                               #   in Loop: Header=BB0_6 Depth=1
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x12
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x11
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x15
	addi	a2, a2, -1
.Ltmp22:
	.loc	0 24 34                         # /tmp/program.c:24:34
	srl	a6, a4, a6
.Ltmp23:
	.loc	0 25 14 is_stmt 1               # /tmp/program.c:25:14
	andi	a2, a2, 7
.Ltmp24:
	.loc	0 24 8                          # /tmp/program.c:24:8
	add	a5, a6, a5
.Ltmp25:
	#DEBUG_VALUE: f0:v0 <- $x15
	.loc	0 25 9                          # /tmp/program.c:25:9
	beqz	a2, .LBB0_13
.Ltmp26:
# %bb.11:                               #   in Loop: Header=BB0_6 Depth=1
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x11
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x15
	.loc	0 25 44 is_stmt 0               # /tmp/program.c:25:44
	andi	a6, a1, 7
	.loc	0 25 49                         # /tmp/program.c:25:49
	addi	a6, a6, 1
	.loc	0 25 31                         # /tmp/program.c:25:31
	divu	a1, a1, a6
.Ltmp27:
	.loc	0 25 22                         # /tmp/program.c:25:22
	add	a0, a5, a0
.Ltmp28:
	#DEBUG_VALUE: f0:v0 <- $x10
	.loc	0 25 25                         # /tmp/program.c:25:25
	j	.LBB0_6
.Ltmp29:
.LBB0_12:
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x15
	#DEBUG_VALUE: f0:a <- $x10
	.loc	0 0 25                          # /tmp/program.c:0:25
	li	a0, 0
.Ltmp30:
.LBB0_13:
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x15
	#DEBUG_VALUE: f0:v0 <- $x15
	add	a0, a5, a0
	.loc	0 26 5 is_stmt 1                # /tmp/program.c:26:5
	ret
.Ltmp31:
.Lfunc_end0:
	.size	f0, .Lfunc_end0-f0
	.cfi_endproc
                                        # -- End function
	.globl	kernel                          # -- Begin function kernel
	.p2align	2
	.type	kernel,@function
kernel:                                 # @kernel
.Lfunc_begin1:
	.loc	0 29 0                          # /tmp/program.c:29:0
	.cfi_startproc
# %bb.0:
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: kernel:n <- $x11
	addi	sp, sp, -48
	.cfi_def_cfa_offset 48
	sw	s0, 44(sp)                      # 4-byte Folded Spill
	sw	s1, 40(sp)                      # 4-byte Folded Spill
	sw	s2, 36(sp)                      # 4-byte Folded Spill
	sw	s3, 32(sp)                      # 4-byte Folded Spill
	sw	s4, 28(sp)                      # 4-byte Folded Spill
	sw	s5, 24(sp)                      # 4-byte Folded Spill
	sw	s6, 20(sp)                      # 4-byte Folded Spill
	sw	s7, 16(sp)                      # 4-byte Folded Spill
	sw	s8, 12(sp)                      # 4-byte Folded Spill
	sw	s9, 8(sp)                       # 4-byte Folded Spill
	sw	s10, 4(sp)                      # 4-byte Folded Spill
	.cfi_offset s0, -4
	.cfi_offset s1, -8
	.cfi_offset s2, -12
	.cfi_offset s3, -16
	.cfi_offset s4, -20
	.cfi_offset s5, -24
	.cfi_offset s6, -28
	.cfi_offset s7, -32
	.cfi_offset s8, -36
	.cfi_offset s9, -40
	.cfi_offset s10, -44
.Ltmp32:
	#DEBUG_VALUE: kernel:fuel <- 60
	li	a3, 0
.Ltmp33:
	.loc	0 31 23 prologue_end            # /tmp/program.c:31:23
	xori	a2, a1, 2
	.loc	0 31 29 is_stmt 0               # /tmp/program.c:31:29
	mul	a6, a2, a1
.Ltmp34:
	#DEBUG_VALUE: kernel:v1 <- $x11
	#DEBUG_VALUE: kernel:v0 <- $x16
	.loc	0 33 35 is_stmt 1               # /tmp/program.c:33:35
	slli	a2, a1, 3
	add	a4, a2, a1
	.loc	0 33 41 is_stmt 0               # /tmp/program.c:33:41
	andi	a4, a4, 63
	.loc	0 33 19                         # /tmp/program.c:33:19
	slli	a5, a4, 2
	lui	a4, %hi(table)
	addi	a4, a4, %lo(table)
	add	a5, a4, a5
	lw	a5, 0(a5)
.Ltmp35:
	#DEBUG_VALUE: kernel:v2 <- $x15
	.loc	0 34 17 is_stmt 1               # /tmp/program.c:34:17
	srli	a7, a1, 2
	lui	t0, 349525
	addi	t0, t0, 1366
	.loc	0 34 37 is_stmt 0               # /tmp/program.c:34:37
	mulhu	t0, a7, t0
	slli	t1, t0, 1
	sub	a7, a7, t0
	sub	a7, a7, t1
	.loc	0 34 5                          # /tmp/program.c:34:5
	sltiu	a7, a7, 2
	xori	a7, a7, 1
	add	a6, a6, a7
.Ltmp36:
	#DEBUG_VALUE: i6 <- 0
	#DEBUG_VALUE: kernel:v0 <- $x16
	.loc	0 0 5                           # /tmp/program.c:0:5
	andi	a7, a0, 3
	andi	t0, a0, 2
	andi	t1, a0, 5
	li	s0, 60
	lui	t2, 699051
	addi	t2, t2, -1365
	li	t3, 4
	li	t4, 3
	lui	t5, %hi(.LJTI1_0)
	addi	t5, t5, %lo(.LJTI1_0)
	lui	t6, 146682
	addi	s1, t6, -2030
	li	s2, 15
	lui	s3, 1013131
	addi	s3, s3, -1865
	mv	s4, a1
	li	s10, 3
	j	.LBB1_4
.Ltmp37:
.LBB1_1:                                #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: f0:fuel <- $x22
	#DEBUG_VALUE: f0:v0 <- $x24
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:a <- $x21
	#DEBUG_VALUE: f0:b <- 14
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	li	s5, 0
.Ltmp38:
.LBB1_2:                                #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: f0:v0 <- $x24
	add	s4, s4, s5
.Ltmp39:
	.loc	0 55 16 is_stmt 1               # /tmp/program.c:55:16
	add	s4, s8, s4
.Ltmp40:
	#DEBUG_VALUE: kernel:v1 <- $x20
.LBB1_3:                                #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:v2 <- $x15
	.loc	0 71 18                         # /tmp/program.c:71:18
	sub	s5, a1, a6
	.loc	0 71 32 is_stmt 0               # /tmp/program.c:71:32
	sub	a6, a3, a6
.Ltmp41:
	.loc	0 71 38                         # /tmp/program.c:71:38
	andi	a6, a6, 7
.Ltmp42:
	.loc	0 44 47 is_stmt 1               # /tmp/program.c:44:47
	addi	a3, a3, 1
.Ltmp43:
	#DEBUG_VALUE: i6 <- $x13
	.loc	0 71 24                         # /tmp/program.c:71:24
	srl	a6, s5, a6
.Ltmp44:
	#DEBUG_VALUE: kernel:v0 <- $x16
	.loc	0 44 5                          # /tmp/program.c:44:5
	beq	a3, t4, .LBB1_26
.Ltmp45:
.LBB1_4:                                # =>This Loop Header: Depth=1
                                        #     Child Loop BB1_11 Depth 2
                                        #     Child Loop BB1_20 Depth 2
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: i6 <- $x13
	.loc	0 45 22                         # /tmp/program.c:45:22
	mulhu	s5, s4, t2
	srli	s5, s5, 2
	slli	s6, s5, 3
	slli	s5, s5, 1
	sub	s5, s5, s6
	add	s5, s4, s5
	.loc	0 45 9 is_stmt 0                # /tmp/program.c:45:9
	bltu	t3, s5, .LBB1_14
.Ltmp46:
# %bb.5:                                #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	slli	s5, s5, 2
	add	s5, s5, t5
	lw	s5, 0(s5)
	jr	s5
.Ltmp47:
.LBB1_6:                                #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 47 27 is_stmt 1               # /tmp/program.c:47:27
	andi	s5, s4, 7
	.loc	0 47 32 is_stmt 0               # /tmp/program.c:47:32
	addi	s5, s5, 1
	.loc	0 47 20                         # /tmp/program.c:47:20
	divu	s5, a1, s5
	.loc	0 47 38                         # /tmp/program.c:47:38
	andi	s5, s5, 8
	.loc	0 47 42                         # /tmp/program.c:47:42
	or	s6, s5, t0
	andi	s5, a5, 63
.Ltmp48:
	.loc	0 51 24 is_stmt 1               # /tmp/program.c:51:24
	slli	s5, s5, 2
	add	s5, a4, s5
.Ltmp49:
	.loc	0 47 42                         # /tmp/program.c:47:42
	beqz	s6, .LBB1_15
.Ltmp50:
# %bb.7:                                #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 48 35                         # /tmp/program.c:48:35
	lw	s5, 0(s5)
	.loc	0 48 27 is_stmt 0               # /tmp/program.c:48:27
	and	s6, s4, a1
	.loc	0 48 33                         # /tmp/program.c:48:33
	add	s4, s6, s4
.Ltmp51:
	.loc	0 48 20                         # /tmp/program.c:48:20
	sub	s4, s4, s5
.Ltmp52:
	#DEBUG_VALUE: kernel:v1 <- $x20
	.loc	0 49 20 is_stmt 1               # /tmp/program.c:49:20
	add	a5, a5, a0
.Ltmp53:
	#DEBUG_VALUE: kernel:v2 <- $x15
	.loc	0 50 13                         # /tmp/program.c:50:13
	j	.LBB1_16
.Ltmp54:
.LBB1_8:                                #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 67 30                         # /tmp/program.c:67:30
	slli	s5, a3, 3
	.loc	0 67 36 is_stmt 0               # /tmp/program.c:67:36
	add	s5, s5, a0
	.loc	0 67 41                         # /tmp/program.c:67:41
	andi	s5, s5, 63
	.loc	0 67 19                         # /tmp/program.c:67:19
	slli	s5, s5, 2
	add	s5, a4, s5
	lw	s5, 0(s5)
	.loc	0 67 16                         # /tmp/program.c:67:16
	add	s4, s5, s4
.Ltmp55:
	#DEBUG_VALUE: kernel:v1 <- $x20
	.loc	0 68 13 is_stmt 1               # /tmp/program.c:68:13
	j	.LBB1_3
.Ltmp56:
.LBB1_9:                                #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	.loc	0 61 25                         # /tmp/program.c:61:25
	beqz	s0, .LBB1_3
.Ltmp57:
# %bb.10:                               #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 61 34 is_stmt 0               # /tmp/program.c:61:34
	and	s5, a3, s4
	mv	s6, s0
.Ltmp58:
.LBB1_11:                               #   Parent Loop BB1_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: kernel:fuel <- $x22
	#DEBUG_VALUE: kernel:v2 <- undef
	.loc	0 0 34                          # /tmp/program.c:0:34
	bne	s5, a7, .LBB1_3
.Ltmp59:
# %bb.12:                               #   in Loop: Header=BB1_11 Depth=2
	#DEBUG_VALUE: kernel:fuel <- $x22
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 62 21 is_stmt 1               # /tmp/program.c:62:21
	addi	s6, s6, -1
.Ltmp60:
	#DEBUG_VALUE: kernel:v2 <- undef
	#DEBUG_VALUE: kernel:fuel <- $x22
	.loc	0 0 21 is_stmt 0                # /tmp/program.c:0:21
	bnez	s6, .LBB1_11
.Ltmp61:
# %bb.13:                               #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: kernel:fuel <- $x22
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	li	s0, 0
	mv	a5, s3
	.loc	0 61 25 is_stmt 1               # /tmp/program.c:61:25
	j	.LBB1_3
.Ltmp62:
.LBB1_14:                               #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 69 20                         # /tmp/program.c:69:20
	addi	a6, a6, 1
.Ltmp63:
	#DEBUG_VALUE: kernel:v0 <- $x16
	.loc	0 0 20 is_stmt 0                # /tmp/program.c:0:20
	j	.LBB1_3
.Ltmp64:
.LBB1_15:                               #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 51 24 is_stmt 1               # /tmp/program.c:51:24
	lw	s4, 0(s5)
.Ltmp65:
	.loc	0 51 45 is_stmt 0               # /tmp/program.c:51:45
	srl	s5, a6, t1
	.loc	0 51 39                         # /tmp/program.c:51:39
	sub	s4, s4, s5
	.loc	0 51 20                         # /tmp/program.c:51:20
	xor	a5, s4, a5
.Ltmp66:
	#DEBUG_VALUE: kernel:v2 <- $x15
	.loc	0 52 31 is_stmt 1               # /tmp/program.c:52:31
	andi	s4, a5, 63
	.loc	0 52 22 is_stmt 0               # /tmp/program.c:52:22
	slli	s4, s4, 2
	add	s4, a4, s4
	lw	s4, 0(s4)
.Ltmp67:
	#DEBUG_VALUE: kernel:v1 <- $x20
.LBB1_16:                               #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:v2 <- $x15
	.loc	0 55 57 is_stmt 1               # /tmp/program.c:55:57
	mul	s5, a3, a0
.Ltmp68:
	#DEBUG_VALUE: f0:b <- 14
	#DEBUG_VALUE: f0:a <- $x21
	#DEBUG_VALUE: f0:fuel <- undef
	.loc	0 7 23                          # /tmp/program.c:7:23
	srli	s6, s5, 1
	.loc	0 7 49 is_stmt 0                # /tmp/program.c:7:49
	addi	s7, s5, 27
	.loc	0 7 42                          # /tmp/program.c:7:42
	xor	s6, s6, s7
.Ltmp69:
	#DEBUG_VALUE: f0:v0 <- $x22
	.loc	0 8 30 is_stmt 1                # /tmp/program.c:8:30
	andi	s7, s6, 7
	.loc	0 8 35 is_stmt 0                # /tmp/program.c:8:35
	addi	s7, s7, 1
	.loc	0 8 23                          # /tmp/program.c:8:23
	divu	s6, s6, s7
.Ltmp70:
	#DEBUG_VALUE: f0:v2 <- [DW_OP_LLVM_arg 0, DW_OP_LLVM_arg 0, DW_OP_and, DW_OP_stack_value] undef
	#DEBUG_VALUE: f0:v1 <- $x22
	#DEBUG_VALUE: f0:v0 <- $x22
	.loc	0 11 15 is_stmt 1               # /tmp/program.c:11:15
	sub	s8, s6, s5
	.loc	0 11 11 is_stmt 0               # /tmp/program.c:11:11
	bltu	s8, s1, .LBB1_18
.Ltmp71:
# %bb.17:                               #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: f0:v1 <- $x22
	#DEBUG_VALUE: f0:v0 <- $x22
	#DEBUG_VALUE: f0:a <- $x21
	#DEBUG_VALUE: f0:b <- 14
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 0 11                          # /tmp/program.c:0:11
	mv	s8, s1
.Ltmp72:
.LBB1_18:                               #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: f0:v1 <- $x22
	#DEBUG_VALUE: f0:v0 <- $x22
	#DEBUG_VALUE: f0:a <- $x21
	#DEBUG_VALUE: f0:b <- 14
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 55 0 is_stmt 1                # /tmp/program.c:55:0
	andi	s6, s0, 3
.Ltmp73:
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:v0 <- $x24
	#DEBUG_VALUE: f0:fuel <- $x22
	.loc	0 24 39                         # /tmp/program.c:24:39
	sltiu	s7, s5, 3
	neg	s7, s7
	srl	s9, t3, s5
	and	s7, s7, s9
	.loc	0 24 8 is_stmt 0                # /tmp/program.c:24:8
	add	s8, s8, s7
.Ltmp74:
	#DEBUG_VALUE: f0:v0 <- $x24
	.loc	0 25 9 is_stmt 1                # /tmp/program.c:25:9
	beqz	s6, .LBB1_1
.Ltmp75:
# %bb.19:                               #   in Loop: Header=BB1_4 Depth=1
	#DEBUG_VALUE: f0:fuel <- $x22
	#DEBUG_VALUE: f0:v0 <- $x24
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: f0:a <- $x21
	#DEBUG_VALUE: f0:b <- 14
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 25 44 is_stmt 0               # /tmp/program.c:25:44
	andi	s7, s5, 7
	.loc	0 25 49                         # /tmp/program.c:25:49
	addi	s7, s7, 1
	.loc	0 25 31                         # /tmp/program.c:25:31
	divu	s7, s5, s7
	#DEBUG_VALUE: f0:v0 <- $x24
	mv	s5, s8
.Ltmp76:
	#DEBUG_VALUE: f0:v0 <- $x21
	#DEBUG_VALUE: f0:v0 <- $x21
.LBB1_20:                               #   Parent Loop BB1_4 Depth=1
                                        # =>  This Inner Loop Header: Depth=2
	#DEBUG_VALUE: f0:v0 <- $x21
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x22
	#DEBUG_VALUE: f0:a <- $x23
	#DEBUG_VALUE: f0:b <- 9
	.loc	0 7 23 is_stmt 1                # /tmp/program.c:7:23
	srli	s8, s7, 1
	.loc	0 7 49 is_stmt 0                # /tmp/program.c:7:49
	addi	s9, s7, 27
	.loc	0 7 42                          # /tmp/program.c:7:42
	xor	s8, s8, s9
.Ltmp77:
	#DEBUG_VALUE: f0:v0 <- $x24
	.loc	0 8 30 is_stmt 1                # /tmp/program.c:8:30
	andi	s9, s8, 7
	.loc	0 8 35 is_stmt 0                # /tmp/program.c:8:35
	addi	s9, s9, 1
	.loc	0 8 23                          # /tmp/program.c:8:23
	divu	s8, s8, s9
.Ltmp78:
	#DEBUG_VALUE: f0:v2 <- [DW_OP_LLVM_arg 0, DW_OP_LLVM_arg 0, DW_OP_and, DW_OP_stack_value] undef
	#DEBUG_VALUE: f0:v1 <- $x24
	#DEBUG_VALUE: f0:v0 <- $x24
	.loc	0 11 15 is_stmt 1               # /tmp/program.c:11:15
	sub	s8, s8, s7
.Ltmp79:
	.loc	0 0 15 is_stmt 0                # /tmp/program.c:0:15
	addi	s9, t6, -2030
	.loc	0 11 11                         # /tmp/program.c:11:11
	bltu	s8, s9, .LBB1_22
.Ltmp80:
# %bb.21:                               #   in Loop: Header=BB1_20 Depth=2
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x23
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x22
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 0 11                          # /tmp/program.c:0:11
	mv	s8, s9
.Ltmp81:
.LBB1_22:                               #   in Loop: Header=BB1_20 Depth=2
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x23
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x22
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: f0:v0 <- $x24
	#DEBUG_VALUE: f0:v1 <- 0
	mv	s9, s7
	.loc	0 24 39 is_stmt 1               # /tmp/program.c:24:39
	bltu	s7, s10, .LBB1_24
.Ltmp82:
# %bb.23:                               #   in Loop: Header=BB1_20 Depth=2
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x23
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x22
	#DEBUG_VALUE: f0:v0 <- $x24
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 0 39 is_stmt 0                # /tmp/program.c:0:39
	li	s9, 3
.Ltmp83:
.LBB1_24:                               #   in Loop: Header=BB1_20 Depth=2
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x23
	#DEBUG_VALUE: f0:fuel <- [DW_OP_plus_uconst 7, DW_OP_stack_value] $x22
	#DEBUG_VALUE: f0:v0 <- $x24
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	addi	s6, s6, -1
.Ltmp84:
	.loc	0 24 34                         # /tmp/program.c:24:34
	srl	s9, s2, s9
.Ltmp85:
	.loc	0 25 14 is_stmt 1               # /tmp/program.c:25:14
	andi	s6, s6, 7
.Ltmp86:
	.loc	0 24 8                          # /tmp/program.c:24:8
	add	s8, s8, s9
.Ltmp87:
	#DEBUG_VALUE: f0:v0 <- $x24
	.loc	0 25 9                          # /tmp/program.c:25:9
	beqz	s6, .LBB1_2
.Ltmp88:
# %bb.25:                               #   in Loop: Header=BB1_20 Depth=2
	#DEBUG_VALUE: f0:b <- 9
	#DEBUG_VALUE: f0:a <- $x23
	#DEBUG_VALUE: f0:v0 <- $x24
	#DEBUG_VALUE: f0:v1 <- 0
	#DEBUG_VALUE: i6 <- $x13
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	.loc	0 25 44 is_stmt 0               # /tmp/program.c:25:44
	andi	s9, s7, 7
	.loc	0 25 49                         # /tmp/program.c:25:49
	addi	s9, s9, 1
	.loc	0 25 31                         # /tmp/program.c:25:31
	divu	s7, s7, s9
.Ltmp89:
	.loc	0 25 22                         # /tmp/program.c:25:22
	add	s5, s8, s5
.Ltmp90:
	#DEBUG_VALUE: f0:v0 <- $x21
	.loc	0 25 25                         # /tmp/program.c:25:25
	j	.LBB1_20
.Ltmp91:
.LBB1_26:
	#DEBUG_VALUE: kernel:v1 <- $x20
	#DEBUG_VALUE: kernel:fuel <- $x8
	#DEBUG_VALUE: kernel:v2 <- $x15
	#DEBUG_VALUE: kernel:v0 <- $x16
	#DEBUG_VALUE: kernel:n <- $x11
	#DEBUG_VALUE: kernel:t <- $x10
	#DEBUG_VALUE: kernel:v0 <- undef
	#DEBUG_VALUE: kernel:v1 <- [DW_OP_plus_uconst 864929360, DW_OP_stack_value] $x20
	.loc	0 75 22 is_stmt 1               # /tmp/program.c:75:22
	slli	a1, s4, 1
.Ltmp92:
	add	a1, a1, s4
	.loc	0 75 31 is_stmt 0               # /tmp/program.c:75:31
	slli	a3, a5, 2
	add	a3, a3, a5
	.loc	0 74 28 is_stmt 1               # /tmp/program.c:74:28
	sub	a2, a2, a0
	add	a1, a2, a1
	.loc	0 74 8 is_stmt 0                # /tmp/program.c:74:8
	add	a1, a1, a6
	lui	a2, 633493
	addi	a2, a2, 822
	.loc	0 75 17 is_stmt 1               # /tmp/program.c:75:17
	add	a2, a3, a2
	.loc	0 75 26 is_stmt 0               # /tmp/program.c:75:26
	add	a1, a1, a2
	.loc	0 75 5                          # /tmp/program.c:75:5
	slli	a0, a0, 2
.Ltmp93:
	lui	a2, %hi(out)
	addi	a2, a2, %lo(out)
	add	a0, a2, a0
	.loc	0 75 12                         # /tmp/program.c:75:12
	sw	a1, 0(a0)
	lw	s0, 44(sp)                      # 4-byte Folded Reload
.Ltmp94:
	.loc	0 0 12                          # /tmp/program.c:0:12
	lw	s1, 40(sp)                      # 4-byte Folded Reload
	lw	s2, 36(sp)                      # 4-byte Folded Reload
	lw	s3, 32(sp)                      # 4-byte Folded Reload
	lw	s4, 28(sp)                      # 4-byte Folded Reload
.Ltmp95:
	lw	s5, 24(sp)                      # 4-byte Folded Reload
	lw	s6, 20(sp)                      # 4-byte Folded Reload
	lw	s7, 16(sp)                      # 4-byte Folded Reload
	lw	s8, 12(sp)                      # 4-byte Folded Reload
	lw	s9, 8(sp)                       # 4-byte Folded Reload
	lw	s10, 4(sp)                      # 4-byte Folded Reload
	.loc	0 76 1 epilogue_begin is_stmt 1 # /tmp/program.c:76:1
	addi	sp, sp, 48
	ret
.Ltmp96:
.Lfunc_end1:
	.size	kernel, .Lfunc_end1-kernel
	.cfi_endproc
	.section	.rodata,"a",@progbits
	.p2align	2, 0x0
.LJTI1_0:
	.word	.LBB1_6
	.word	.LBB1_16
	.word	.LBB1_3
	.word	.LBB1_9
	.word	.LBB1_8
                                        # -- End function
	.type	table,@object                   # @table
	.globl	table
	.p2align	2, 0x0
table:
	.word	4149782711                      # 0xf758a8b7
	.word	2943372870                      # 0xaf704e46
	.word	51697023                        # 0x314d57f
	.word	1574040519                      # 0x5dd1f3c7
	.word	2727316197                      # 0xa28f8ae5
	.word	864929360                       # 0x338dc650
	.word	3462767897                      # 0xce65a519
	.word	2058979897                      # 0x7ab98a39
	.word	4109884031                      # 0xf4f7da7f
	.word	3237363721                      # 0xc0f64009
	.word	3174774201                      # 0xbd3b35b9
	.word	1788758563                      # 0x6a9e4a23
	.word	3015407071                      # 0xb3bb75df
	.word	1809876121                      # 0x6be08499
	.word	2207241580                      # 0x838fd56c
	.word	1018575331                      # 0x3cb639e3
	.word	1130402718                      # 0x4360939e
	.word	2009019998                      # 0x77bf365e
	.word	376215026                       # 0x166c95f2
	.word	3713509587                      # 0xdd57a8d3
	.word	3439227772                      # 0xccfe737c
	.word	2740209285                      # 0xa3544685
	.word	1965494089                      # 0x75270f49
	.word	1298300779                      # 0x4d627f6b
	.word	2869501922                      # 0xab091fe2
	.word	3570465655                      # 0xd4d0fb77
	.word	446160008                       # 0x1a97dc88
	.word	600807442                       # 0x23cf9812
	.word	971639102                       # 0x39ea093e
	.word	2363678119                      # 0x8ce2dda7
	.word	1969972321                      # 0x756b6461
	.word	247284922                       # 0xebd44ba
	.word	573821102                       # 0x2233d0ae
	.word	1032201221                      # 0x3d862405
	.word	4253487488                      # 0xfd871180
	.word	2445684097                      # 0x91c62d81
	.word	2301274208                      # 0x892aa860
	.word	3533545488                      # 0xd29da010
	.word	3073004322                      # 0xb72a5322
	.word	1392898973                      # 0x5305f39d
	.word	2582319713                      # 0x99eb1261
	.word	3323581592                      # 0xc619d498
	.word	2347937957                      # 0x8bf2b0a5
	.word	1714938490                      # 0x6637e27a
	.word	3081440138                      # 0xb7ab0b8a
	.word	429793161                       # 0x199e1f89
	.word	2593372891                      # 0x9a93badb
	.word	2951596497                      # 0xafedc9d1
	.word	544535621                       # 0x2074f445
	.word	1005806748                      # 0x3bf3649c
	.word	94163021                        # 0x59cd04d
	.word	4172743429                      # 0xf8b70305
	.word	1516937444                      # 0x5a6aa0e4
	.word	2253536909                      # 0x86523e8d
	.word	1620664476                      # 0x6099609c
	.word	461861948                       # 0x1b87743c
	.word	3531105688                      # 0xd2786598
	.word	1823102190                      # 0x6caa54ee
	.word	2297707745                      # 0x88f43ce1
	.word	3864786114                      # 0xe65bf4c2
	.word	3363995898                      # 0xc88280fa
	.word	2311052416                      # 0x89bfdc80
	.word	2659528956                      # 0x9e8530fc
	.word	315206696                       # 0x12c9ac28
	.size	table, 256

	.type	calls,@object                   # @calls
	.globl	calls
	.p2align	2, 0x0
calls:
	.word	f0
	.word	f0
	.word	f0
	.word	f0
	.size	calls, 16

	.type	out,@object                     # @out
	.bss
	.globl	out
	.p2align	2, 0x0
out:
	.zero	4096
	.size	out, 4096

	.type	guard,@object                   # @guard
	.globl	guard
	.p2align	2, 0x0
guard:
	.zero	16
	.size	guard, 16

	.type	count,@object                   # @count
	.globl	count
	.p2align	2, 0x0
count:
	.zero	32
	.size	count, 32

	.type	data,@object                    # @data
	.globl	data
	.p2align	2, 0x0
data:
	.zero	256
	.size	data, 256

	.section	.debug_loclists,"",@progbits
	.word	.Ldebug_list_header_end0-.Ldebug_list_header_start0 # Length
.Ldebug_list_header_start0:
	.half	5                               # Version
	.byte	4                               # Address size
	.byte	0                               # Segment selector size
	.word	16                              # Offset entry count
.Lloclists_table_base0:
	.word	.Ldebug_loc0-.Lloclists_table_base0
	.word	.Ldebug_loc1-.Lloclists_table_base0
	.word	.Ldebug_loc2-.Lloclists_table_base0
	.word	.Ldebug_loc3-.Lloclists_table_base0
	.word	.Ldebug_loc4-.Lloclists_table_base0
	.word	.Ldebug_loc5-.Lloclists_table_base0
	.word	.Ldebug_loc6-.Lloclists_table_base0
	.word	.Ldebug_loc7-.Lloclists_table_base0
	.word	.Ldebug_loc8-.Lloclists_table_base0
	.word	.Ldebug_loc9-.Lloclists_table_base0
	.word	.Ldebug_loc10-.Lloclists_table_base0
	.word	.Ldebug_loc11-.Lloclists_table_base0
	.word	.Ldebug_loc12-.Lloclists_table_base0
	.word	.Ldebug_loc13-.Lloclists_table_base0
	.word	.Ldebug_loc14-.Lloclists_table_base0
	.word	.Ldebug_loc15-.Lloclists_table_base0
.Ldebug_loc0:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin0-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp12-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	90                              # DW_OP_reg10
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp14-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp27-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	91                              # DW_OP_reg11
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp29-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp30-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	90                              # DW_OP_reg10
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc1:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin0-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp5-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	91                              # DW_OP_reg11
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp14-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp29-.Lfunc_begin0          #   ending offset
	.byte	2                               # Loc expr size
	.byte	57                              # DW_OP_lit9
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc2:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin0-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp9-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	92                              # DW_OP_reg12
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp14-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp22-.Lfunc_begin0          #   ending offset
	.byte	3                               # Loc expr size
	.byte	124                             # DW_OP_breg12
	.byte	7                               # 7
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc3:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp0-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp1-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	93                              # DW_OP_reg13
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp1-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp2-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp4-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp13-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp13-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp15-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	90                              # DW_OP_reg10
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp15-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp17-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp19-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp28-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp28-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp29-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	90                              # DW_OP_reg10
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp29-.Lfunc_begin0          #   starting offset
	.uleb128 .Lfunc_end0-.Lfunc_begin0      #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc4:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp1-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp2-.Lfunc_begin0           #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp4-.Lfunc_begin0           #   starting offset
	.uleb128 .Ltmp16-.Lfunc_begin0          #   ending offset
	.byte	2                               # Loc expr size
	.byte	48                              # DW_OP_lit0
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp16-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp17-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp19-.Lfunc_begin0          #   starting offset
	.uleb128 .Lfunc_end0-.Lfunc_begin0      #   ending offset
	.byte	2                               # Loc expr size
	.byte	48                              # DW_OP_lit0
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc5:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin1-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp93-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	90                              # DW_OP_reg10
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc6:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Lfunc_begin1-.Lfunc_begin0    #   starting offset
	.uleb128 .Ltmp92-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	91                              # DW_OP_reg11
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc7:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp32-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp37-.Lfunc_begin0          #   ending offset
	.byte	3                               # Loc expr size
	.byte	16                              # DW_OP_constu
	.byte	60                              # 60
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp37-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp58-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	88                              # DW_OP_reg8
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp58-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp62-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	102                             # DW_OP_reg22
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp62-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp94-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	88                              # DW_OP_reg8
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc8:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp34-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp37-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	91                              # DW_OP_reg11
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp37-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp39-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	100                             # DW_OP_reg20
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp40-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp51-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	100                             # DW_OP_reg20
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp52-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp65-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	100                             # DW_OP_reg20
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp67-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp91-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	100                             # DW_OP_reg20
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp91-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp95-.Lfunc_begin0          #   ending offset
	.byte	7                               # Loc expr size
	.byte	132                             # DW_OP_breg20
	.byte	208                             # 864929360
	.byte	140                             # 
	.byte	183                             # 
	.byte	156                             # 
	.byte	3                               # 
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc9:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp34-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp41-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	96                              # DW_OP_reg16
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp44-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp91-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	96                              # DW_OP_reg16
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc10:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp35-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp58-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp62-.Lfunc_begin0          #   starting offset
	.uleb128 .Lfunc_end1-.Lfunc_begin0      #   ending offset
	.byte	1                               # Loc expr size
	.byte	95                              # DW_OP_reg15
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc11:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp73-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp76-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	102                             # DW_OP_reg22
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp76-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp84-.Lfunc_begin0          #   ending offset
	.byte	3                               # Loc expr size
	.byte	134                             # DW_OP_breg22
	.byte	7                               # 7
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc12:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp69-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp71-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	102                             # DW_OP_reg22
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp73-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp76-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	104                             # DW_OP_reg24
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp76-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp77-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	101                             # DW_OP_reg21
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp77-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp79-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	104                             # DW_OP_reg24
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp81-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp90-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	104                             # DW_OP_reg24
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp90-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp91-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	101                             # DW_OP_reg21
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc13:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp70-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp71-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	102                             # DW_OP_reg22
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp73-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp78-.Lfunc_begin0          #   ending offset
	.byte	2                               # Loc expr size
	.byte	48                              # DW_OP_lit0
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp78-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp79-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	104                             # DW_OP_reg24
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp81-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp91-.Lfunc_begin0          #   ending offset
	.byte	2                               # Loc expr size
	.byte	48                              # DW_OP_lit0
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc14:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp68-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp71-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	101                             # DW_OP_reg21
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp72-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp76-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	101                             # DW_OP_reg21
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp76-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp89-.Lfunc_begin0          #   ending offset
	.byte	1                               # Loc expr size
	.byte	103                             # DW_OP_reg23
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_loc15:
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp68-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp71-.Lfunc_begin0          #   ending offset
	.byte	2                               # Loc expr size
	.byte	62                              # DW_OP_lit14
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp72-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp76-.Lfunc_begin0          #   ending offset
	.byte	2                               # Loc expr size
	.byte	62                              # DW_OP_lit14
	.byte	159                             # DW_OP_stack_value
	.byte	4                               # DW_LLE_offset_pair
	.uleb128 .Ltmp76-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp91-.Lfunc_begin0          #   ending offset
	.byte	2                               # Loc expr size
	.byte	57                              # DW_OP_lit9
	.byte	159                             # DW_OP_stack_value
	.byte	0                               # DW_LLE_end_of_list
.Ldebug_list_header_end0:
	.section	.debug_abbrev,"",@progbits
	.byte	1                               # Abbreviation Code
	.byte	17                              # DW_TAG_compile_unit
	.byte	1                               # DW_CHILDREN_yes
	.byte	37                              # DW_AT_producer
	.byte	37                              # DW_FORM_strx1
	.byte	19                              # DW_AT_language
	.byte	5                               # DW_FORM_data2
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	114                             # DW_AT_str_offsets_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	16                              # DW_AT_stmt_list
	.byte	23                              # DW_FORM_sec_offset
	.byte	27                              # DW_AT_comp_dir
	.byte	37                              # DW_FORM_strx1
	.byte	17                              # DW_AT_low_pc
	.byte	27                              # DW_FORM_addrx
	.byte	18                              # DW_AT_high_pc
	.byte	6                               # DW_FORM_data4
	.byte	115                             # DW_AT_addr_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	116                             # DW_AT_rnglists_base
	.byte	23                              # DW_FORM_sec_offset
	.ascii	"\214\001"                      # DW_AT_loclists_base
	.byte	23                              # DW_FORM_sec_offset
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	2                               # Abbreviation Code
	.byte	52                              # DW_TAG_variable
	.byte	0                               # DW_CHILDREN_no
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	63                              # DW_AT_external
	.byte	25                              # DW_FORM_flag_present
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	2                               # DW_AT_location
	.byte	24                              # DW_FORM_exprloc
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	3                               # Abbreviation Code
	.byte	1                               # DW_TAG_array_type
	.byte	1                               # DW_CHILDREN_yes
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	4                               # Abbreviation Code
	.byte	33                              # DW_TAG_subrange_type
	.byte	0                               # DW_CHILDREN_no
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	55                              # DW_AT_count
	.byte	11                              # DW_FORM_data1
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	5                               # Abbreviation Code
	.byte	38                              # DW_TAG_const_type
	.byte	0                               # DW_CHILDREN_no
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	6                               # Abbreviation Code
	.byte	36                              # DW_TAG_base_type
	.byte	0                               # DW_CHILDREN_no
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	62                              # DW_AT_encoding
	.byte	11                              # DW_FORM_data1
	.byte	11                              # DW_AT_byte_size
	.byte	11                              # DW_FORM_data1
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	7                               # Abbreviation Code
	.byte	36                              # DW_TAG_base_type
	.byte	0                               # DW_CHILDREN_no
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	11                              # DW_AT_byte_size
	.byte	11                              # DW_FORM_data1
	.byte	62                              # DW_AT_encoding
	.byte	11                              # DW_FORM_data1
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	8                               # Abbreviation Code
	.byte	15                              # DW_TAG_pointer_type
	.byte	0                               # DW_CHILDREN_no
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	9                               # Abbreviation Code
	.byte	21                              # DW_TAG_subroutine_type
	.byte	1                               # DW_CHILDREN_yes
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	39                              # DW_AT_prototyped
	.byte	25                              # DW_FORM_flag_present
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	10                              # Abbreviation Code
	.byte	5                               # DW_TAG_formal_parameter
	.byte	0                               # DW_CHILDREN_no
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	11                              # Abbreviation Code
	.byte	33                              # DW_TAG_subrange_type
	.byte	0                               # DW_CHILDREN_no
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	55                              # DW_AT_count
	.byte	5                               # DW_FORM_data2
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	12                              # Abbreviation Code
	.byte	46                              # DW_TAG_subprogram
	.byte	1                               # DW_CHILDREN_yes
	.byte	17                              # DW_AT_low_pc
	.byte	27                              # DW_FORM_addrx
	.byte	18                              # DW_AT_high_pc
	.byte	6                               # DW_FORM_data4
	.byte	64                              # DW_AT_frame_base
	.byte	24                              # DW_FORM_exprloc
	.byte	122                             # DW_AT_call_all_calls
	.byte	25                              # DW_FORM_flag_present
	.byte	49                              # DW_AT_abstract_origin
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	13                              # Abbreviation Code
	.byte	5                               # DW_TAG_formal_parameter
	.byte	0                               # DW_CHILDREN_no
	.byte	2                               # DW_AT_location
	.byte	34                              # DW_FORM_loclistx
	.byte	49                              # DW_AT_abstract_origin
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	14                              # Abbreviation Code
	.byte	52                              # DW_TAG_variable
	.byte	0                               # DW_CHILDREN_no
	.byte	2                               # DW_AT_location
	.byte	34                              # DW_FORM_loclistx
	.byte	49                              # DW_AT_abstract_origin
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	15                              # Abbreviation Code
	.byte	52                              # DW_TAG_variable
	.byte	0                               # DW_CHILDREN_no
	.byte	49                              # DW_AT_abstract_origin
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	16                              # Abbreviation Code
	.byte	46                              # DW_TAG_subprogram
	.byte	1                               # DW_CHILDREN_yes
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	39                              # DW_AT_prototyped
	.byte	25                              # DW_FORM_flag_present
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	32                              # DW_AT_inline
	.byte	33                              # DW_FORM_implicit_const
	.byte	1
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	17                              # Abbreviation Code
	.byte	5                               # DW_TAG_formal_parameter
	.byte	0                               # DW_CHILDREN_no
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	18                              # Abbreviation Code
	.byte	52                              # DW_TAG_variable
	.byte	0                               # DW_CHILDREN_no
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	19                              # Abbreviation Code
	.byte	11                              # DW_TAG_lexical_block
	.byte	1                               # DW_CHILDREN_yes
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	20                              # Abbreviation Code
	.byte	10                              # DW_TAG_label
	.byte	0                               # DW_CHILDREN_no
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	21                              # Abbreviation Code
	.byte	46                              # DW_TAG_subprogram
	.byte	1                               # DW_CHILDREN_yes
	.byte	17                              # DW_AT_low_pc
	.byte	27                              # DW_FORM_addrx
	.byte	18                              # DW_AT_high_pc
	.byte	6                               # DW_FORM_data4
	.byte	64                              # DW_AT_frame_base
	.byte	24                              # DW_FORM_exprloc
	.byte	122                             # DW_AT_call_all_calls
	.byte	25                              # DW_FORM_flag_present
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	39                              # DW_AT_prototyped
	.byte	25                              # DW_FORM_flag_present
	.byte	63                              # DW_AT_external
	.byte	25                              # DW_FORM_flag_present
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	22                              # Abbreviation Code
	.byte	5                               # DW_TAG_formal_parameter
	.byte	0                               # DW_CHILDREN_no
	.byte	2                               # DW_AT_location
	.byte	34                              # DW_FORM_loclistx
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	23                              # Abbreviation Code
	.byte	52                              # DW_TAG_variable
	.byte	0                               # DW_CHILDREN_no
	.byte	2                               # DW_AT_location
	.byte	34                              # DW_FORM_loclistx
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	24                              # Abbreviation Code
	.byte	11                              # DW_TAG_lexical_block
	.byte	1                               # DW_CHILDREN_yes
	.byte	17                              # DW_AT_low_pc
	.byte	27                              # DW_FORM_addrx
	.byte	18                              # DW_AT_high_pc
	.byte	6                               # DW_FORM_data4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	25                              # Abbreviation Code
	.byte	52                              # DW_TAG_variable
	.byte	0                               # DW_CHILDREN_no
	.byte	2                               # DW_AT_location
	.byte	24                              # DW_FORM_exprloc
	.byte	3                               # DW_AT_name
	.byte	37                              # DW_FORM_strx1
	.byte	58                              # DW_AT_decl_file
	.byte	11                              # DW_FORM_data1
	.byte	59                              # DW_AT_decl_line
	.byte	11                              # DW_FORM_data1
	.byte	73                              # DW_AT_type
	.byte	19                              # DW_FORM_ref4
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	26                              # Abbreviation Code
	.byte	29                              # DW_TAG_inlined_subroutine
	.byte	1                               # DW_CHILDREN_yes
	.byte	49                              # DW_AT_abstract_origin
	.byte	19                              # DW_FORM_ref4
	.byte	85                              # DW_AT_ranges
	.byte	35                              # DW_FORM_rnglistx
	.byte	88                              # DW_AT_call_file
	.byte	11                              # DW_FORM_data1
	.byte	89                              # DW_AT_call_line
	.byte	11                              # DW_FORM_data1
	.byte	87                              # DW_AT_call_column
	.byte	11                              # DW_FORM_data1
	.byte	0                               # EOM(1)
	.byte	0                               # EOM(2)
	.byte	0                               # EOM(3)
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.word	.Ldebug_info_end0-.Ldebug_info_start0 # Length of Unit
.Ldebug_info_start0:
	.half	5                               # DWARF version number
	.byte	1                               # DWARF Unit Type
	.byte	4                               # Address Size (in bytes)
	.word	.debug_abbrev                   # Offset Into Abbrev. Section
	.byte	1                               # Abbrev [1] 0xc:0x1d7 DW_TAG_compile_unit
	.byte	0                               # DW_AT_producer
	.half	29                              # DW_AT_language
	.byte	1                               # DW_AT_name
	.word	.Lstr_offsets_base0             # DW_AT_str_offsets_base
	.word	.Lline_table_start0             # DW_AT_stmt_list
	.byte	2                               # DW_AT_comp_dir
	.byte	6                               # DW_AT_low_pc
	.word	.Lfunc_end1-.Lfunc_begin0       # DW_AT_high_pc
	.word	.Laddr_table_base0              # DW_AT_addr_base
	.word	.Lrnglists_table_base0          # DW_AT_rnglists_base
	.word	.Lloclists_table_base0          # DW_AT_loclists_base
	.byte	2                               # Abbrev [2] 0x2b:0xb DW_TAG_variable
	.byte	3                               # DW_AT_name
	.word	54                              # DW_AT_type
                                        # DW_AT_external
	.byte	0                               # DW_AT_decl_file
	.byte	5                               # DW_AT_decl_line
	.byte	2                               # DW_AT_location
	.byte	161
	.byte	0
	.byte	3                               # Abbrev [3] 0x36:0xc DW_TAG_array_type
	.word	66                              # DW_AT_type
	.byte	4                               # Abbrev [4] 0x3b:0x6 DW_TAG_subrange_type
	.word	75                              # DW_AT_type
	.byte	64                              # DW_AT_count
	.byte	0                               # End Of Children Mark
	.byte	5                               # Abbrev [5] 0x42:0x5 DW_TAG_const_type
	.word	71                              # DW_AT_type
	.byte	6                               # Abbrev [6] 0x47:0x4 DW_TAG_base_type
	.byte	4                               # DW_AT_name
	.byte	7                               # DW_AT_encoding
	.byte	4                               # DW_AT_byte_size
	.byte	7                               # Abbrev [7] 0x4b:0x4 DW_TAG_base_type
	.byte	5                               # DW_AT_name
	.byte	8                               # DW_AT_byte_size
	.byte	7                               # DW_AT_encoding
	.byte	2                               # Abbrev [2] 0x4f:0xb DW_TAG_variable
	.byte	6                               # DW_AT_name
	.word	90                              # DW_AT_type
                                        # DW_AT_external
	.byte	0                               # DW_AT_decl_file
	.byte	28                              # DW_AT_decl_line
	.byte	2                               # DW_AT_location
	.byte	161
	.byte	1
	.byte	3                               # Abbrev [3] 0x5a:0xc DW_TAG_array_type
	.word	102                             # DW_AT_type
	.byte	4                               # Abbrev [4] 0x5f:0x6 DW_TAG_subrange_type
	.word	75                              # DW_AT_type
	.byte	4                               # DW_AT_count
	.byte	0                               # End Of Children Mark
	.byte	5                               # Abbrev [5] 0x66:0x5 DW_TAG_const_type
	.word	107                             # DW_AT_type
	.byte	8                               # Abbrev [8] 0x6b:0x5 DW_TAG_pointer_type
	.word	112                             # DW_AT_type
	.byte	9                               # Abbrev [9] 0x70:0x15 DW_TAG_subroutine_type
	.word	71                              # DW_AT_type
                                        # DW_AT_prototyped
	.byte	10                              # Abbrev [10] 0x75:0x5 DW_TAG_formal_parameter
	.word	71                              # DW_AT_type
	.byte	10                              # Abbrev [10] 0x7a:0x5 DW_TAG_formal_parameter
	.word	71                              # DW_AT_type
	.byte	10                              # Abbrev [10] 0x7f:0x5 DW_TAG_formal_parameter
	.word	71                              # DW_AT_type
	.byte	0                               # End Of Children Mark
	.byte	2                               # Abbrev [2] 0x85:0xb DW_TAG_variable
	.byte	7                               # DW_AT_name
	.word	144                             # DW_AT_type
                                        # DW_AT_external
	.byte	0                               # DW_AT_decl_file
	.byte	1                               # DW_AT_decl_line
	.byte	2                               # DW_AT_location
	.byte	161
	.byte	2
	.byte	3                               # Abbrev [3] 0x90:0xc DW_TAG_array_type
	.word	71                              # DW_AT_type
	.byte	4                               # Abbrev [4] 0x95:0x6 DW_TAG_subrange_type
	.word	75                              # DW_AT_type
	.byte	4                               # DW_AT_count
	.byte	0                               # End Of Children Mark
	.byte	2                               # Abbrev [2] 0x9c:0xb DW_TAG_variable
	.byte	8                               # DW_AT_name
	.word	167                             # DW_AT_type
                                        # DW_AT_external
	.byte	0                               # DW_AT_decl_file
	.byte	2                               # DW_AT_decl_line
	.byte	2                               # DW_AT_location
	.byte	161
	.byte	3
	.byte	3                               # Abbrev [3] 0xa7:0xd DW_TAG_array_type
	.word	71                              # DW_AT_type
	.byte	11                              # Abbrev [11] 0xac:0x7 DW_TAG_subrange_type
	.word	75                              # DW_AT_type
	.half	1024                            # DW_AT_count
	.byte	0                               # End Of Children Mark
	.byte	2                               # Abbrev [2] 0xb4:0xb DW_TAG_variable
	.byte	9                               # DW_AT_name
	.word	191                             # DW_AT_type
                                        # DW_AT_external
	.byte	0                               # DW_AT_decl_file
	.byte	3                               # DW_AT_decl_line
	.byte	2                               # DW_AT_location
	.byte	161
	.byte	4
	.byte	3                               # Abbrev [3] 0xbf:0xc DW_TAG_array_type
	.word	71                              # DW_AT_type
	.byte	4                               # Abbrev [4] 0xc4:0x6 DW_TAG_subrange_type
	.word	75                              # DW_AT_type
	.byte	8                               # DW_AT_count
	.byte	0                               # End Of Children Mark
	.byte	2                               # Abbrev [2] 0xcb:0xb DW_TAG_variable
	.byte	10                              # DW_AT_name
	.word	214                             # DW_AT_type
                                        # DW_AT_external
	.byte	0                               # DW_AT_decl_file
	.byte	4                               # DW_AT_decl_line
	.byte	2                               # DW_AT_location
	.byte	161
	.byte	5
	.byte	3                               # Abbrev [3] 0xd6:0xc DW_TAG_array_type
	.word	71                              # DW_AT_type
	.byte	4                               # Abbrev [4] 0xdb:0x6 DW_TAG_subrange_type
	.word	75                              # DW_AT_type
	.byte	64                              # DW_AT_count
	.byte	0                               # End Of Children Mark
	.byte	12                              # Abbrev [12] 0xe2:0x30 DW_TAG_subprogram
	.byte	6                               # DW_AT_low_pc
	.word	.Lfunc_end0-.Lfunc_begin0       # DW_AT_high_pc
	.byte	1                               # DW_AT_frame_base
	.byte	82
                                        # DW_AT_call_all_calls
	.word	274                             # DW_AT_abstract_origin
	.byte	13                              # Abbrev [13] 0xee:0x6 DW_TAG_formal_parameter
	.byte	0                               # DW_AT_location
	.word	282                             # DW_AT_abstract_origin
	.byte	13                              # Abbrev [13] 0xf4:0x6 DW_TAG_formal_parameter
	.byte	1                               # DW_AT_location
	.word	290                             # DW_AT_abstract_origin
	.byte	13                              # Abbrev [13] 0xfa:0x6 DW_TAG_formal_parameter
	.byte	2                               # DW_AT_location
	.word	298                             # DW_AT_abstract_origin
	.byte	14                              # Abbrev [14] 0x100:0x6 DW_TAG_variable
	.byte	3                               # DW_AT_location
	.word	306                             # DW_AT_abstract_origin
	.byte	14                              # Abbrev [14] 0x106:0x6 DW_TAG_variable
	.byte	4                               # DW_AT_location
	.word	314                             # DW_AT_abstract_origin
	.byte	15                              # Abbrev [15] 0x10c:0x5 DW_TAG_variable
	.word	322                             # DW_AT_abstract_origin
	.byte	0                               # End Of Children Mark
	.byte	16                              # Abbrev [16] 0x112:0x51 DW_TAG_subprogram
	.byte	11                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	6                               # DW_AT_decl_line
                                        # DW_AT_prototyped
	.word	71                              # DW_AT_type
                                        # DW_AT_inline
	.byte	17                              # Abbrev [17] 0x11a:0x8 DW_TAG_formal_parameter
	.byte	12                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	6                               # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	17                              # Abbrev [17] 0x122:0x8 DW_TAG_formal_parameter
	.byte	13                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	6                               # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	17                              # Abbrev [17] 0x12a:0x8 DW_TAG_formal_parameter
	.byte	14                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	6                               # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	18                              # Abbrev [18] 0x132:0x8 DW_TAG_variable
	.byte	15                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	7                               # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	18                              # Abbrev [18] 0x13a:0x8 DW_TAG_variable
	.byte	16                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	8                               # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	18                              # Abbrev [18] 0x142:0x8 DW_TAG_variable
	.byte	17                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	9                               # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	19                              # Abbrev [19] 0x14a:0x18 DW_TAG_lexical_block
	.byte	18                              # Abbrev [18] 0x14b:0x8 DW_TAG_variable
	.byte	18                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	13                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	19                              # Abbrev [19] 0x153:0xe DW_TAG_lexical_block
	.byte	18                              # Abbrev [18] 0x154:0x8 DW_TAG_variable
	.byte	19                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	15                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	20                              # Abbrev [20] 0x15c:0x4 DW_TAG_label
	.byte	20                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	19                              # DW_AT_decl_line
	.byte	0                               # End Of Children Mark
	.byte	0                               # End Of Children Mark
	.byte	0                               # End Of Children Mark
	.byte	21                              # Abbrev [21] 0x163:0x7f DW_TAG_subprogram
	.byte	7                               # DW_AT_low_pc
	.word	.Lfunc_end1-.Lfunc_begin1       # DW_AT_high_pc
	.byte	1                               # DW_AT_frame_base
	.byte	82
                                        # DW_AT_call_all_calls
	.byte	21                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	29                              # DW_AT_decl_line
                                        # DW_AT_prototyped
                                        # DW_AT_external
	.byte	22                              # Abbrev [22] 0x16e:0x9 DW_TAG_formal_parameter
	.byte	5                               # DW_AT_location
	.byte	22                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	29                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	22                              # Abbrev [22] 0x177:0x9 DW_TAG_formal_parameter
	.byte	6                               # DW_AT_location
	.byte	23                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	29                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	23                              # Abbrev [23] 0x180:0x9 DW_TAG_variable
	.byte	7                               # DW_AT_location
	.byte	14                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	30                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	23                              # Abbrev [23] 0x189:0x9 DW_TAG_variable
	.byte	8                               # DW_AT_location
	.byte	16                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	32                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	23                              # Abbrev [23] 0x192:0x9 DW_TAG_variable
	.byte	9                               # DW_AT_location
	.byte	15                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	31                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	23                              # Abbrev [23] 0x19b:0x9 DW_TAG_variable
	.byte	10                              # DW_AT_location
	.byte	17                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	33                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	24                              # Abbrev [24] 0x1a4:0x3d DW_TAG_lexical_block
	.byte	8                               # DW_AT_low_pc
	.word	.Ltmp91-.Ltmp39                 # DW_AT_high_pc
	.byte	25                              # Abbrev [25] 0x1aa:0xa DW_TAG_variable
	.byte	1                               # DW_AT_location
	.byte	93
	.byte	24                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	44                              # DW_AT_decl_line
	.word	71                              # DW_AT_type
	.byte	20                              # Abbrev [20] 0x1b4:0x4 DW_TAG_label
	.byte	25                              # DW_AT_name
	.byte	0                               # DW_AT_decl_file
	.byte	58                              # DW_AT_decl_line
	.byte	26                              # Abbrev [26] 0x1b8:0x28 DW_TAG_inlined_subroutine
	.word	274                             # DW_AT_abstract_origin
	.byte	0                               # DW_AT_ranges
	.byte	0                               # DW_AT_call_file
	.byte	55                              # DW_AT_call_line
	.byte	19                              # DW_AT_call_column
	.byte	13                              # Abbrev [13] 0x1c1:0x6 DW_TAG_formal_parameter
	.byte	14                              # DW_AT_location
	.word	282                             # DW_AT_abstract_origin
	.byte	13                              # Abbrev [13] 0x1c7:0x6 DW_TAG_formal_parameter
	.byte	15                              # DW_AT_location
	.word	290                             # DW_AT_abstract_origin
	.byte	13                              # Abbrev [13] 0x1cd:0x6 DW_TAG_formal_parameter
	.byte	11                              # DW_AT_location
	.word	298                             # DW_AT_abstract_origin
	.byte	14                              # Abbrev [14] 0x1d3:0x6 DW_TAG_variable
	.byte	12                              # DW_AT_location
	.word	306                             # DW_AT_abstract_origin
	.byte	14                              # Abbrev [14] 0x1d9:0x6 DW_TAG_variable
	.byte	13                              # DW_AT_location
	.word	314                             # DW_AT_abstract_origin
	.byte	0                               # End Of Children Mark
	.byte	0                               # End Of Children Mark
	.byte	0                               # End Of Children Mark
	.byte	0                               # End Of Children Mark
.Ldebug_info_end0:
	.section	.debug_rnglists,"",@progbits
	.word	.Ldebug_list_header_end1-.Ldebug_list_header_start1 # Length
.Ldebug_list_header_start1:
	.half	5                               # Version
	.byte	4                               # Address size
	.byte	0                               # Segment selector size
	.word	1                               # Offset entry count
.Lrnglists_table_base0:
	.word	.Ldebug_ranges0-.Lrnglists_table_base0
.Ldebug_ranges0:
	.byte	4                               # DW_RLE_offset_pair
	.uleb128 .Ltmp68-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp71-.Lfunc_begin0          #   ending offset
	.byte	4                               # DW_RLE_offset_pair
	.uleb128 .Ltmp73-.Lfunc_begin0          #   starting offset
	.uleb128 .Ltmp91-.Lfunc_begin0          #   ending offset
	.byte	0                               # DW_RLE_end_of_list
.Ldebug_list_header_end1:
	.section	.debug_str_offsets,"",@progbits
	.word	108                             # Length of String Offsets Set
	.half	5
	.half	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.asciz	"Debian clang version 19.1.7 (3~deb12u1)" # string offset=0
.Linfo_string1:
	.asciz	"/tmp/program.c"                # string offset=40
.Linfo_string2:
	.asciz	"/work/wt/compiler"             # string offset=55
.Linfo_string3:
	.asciz	"table"                         # string offset=73
.Linfo_string4:
	.asciz	"unsigned int"                  # string offset=79
.Linfo_string5:
	.asciz	"__ARRAY_SIZE_TYPE__"           # string offset=92
.Linfo_string6:
	.asciz	"calls"                         # string offset=112
.Linfo_string7:
	.asciz	"guard"                         # string offset=118
.Linfo_string8:
	.asciz	"out"                           # string offset=124
.Linfo_string9:
	.asciz	"count"                         # string offset=128
.Linfo_string10:
	.asciz	"data"                          # string offset=134
.Linfo_string11:
	.asciz	"f0"                            # string offset=139
.Linfo_string12:
	.asciz	"a"                             # string offset=142
.Linfo_string13:
	.asciz	"b"                             # string offset=144
.Linfo_string14:
	.asciz	"fuel"                          # string offset=146
.Linfo_string15:
	.asciz	"v0"                            # string offset=151
.Linfo_string16:
	.asciz	"v1"                            # string offset=154
.Linfo_string17:
	.asciz	"v2"                            # string offset=157
.Linfo_string18:
	.asciz	"i1"                            # string offset=160
.Linfo_string19:
	.asciz	"i2"                            # string offset=163
.Linfo_string20:
	.asciz	"out3"                          # string offset=166
.Linfo_string21:
	.asciz	"kernel"                        # string offset=171
.Linfo_string22:
	.asciz	"t"                             # string offset=178
.Linfo_string23:
	.asciz	"n"                             # string offset=180
.Linfo_string24:
	.asciz	"i6"                            # string offset=182
.Linfo_string25:
	.asciz	"out7"                          # string offset=185
	.section	.debug_str_offsets,"",@progbits
	.word	.Linfo_string0
	.word	.Linfo_string1
	.word	.Linfo_string2
	.word	.Linfo_string3
	.word	.Linfo_string4
	.word	.Linfo_string5
	.word	.Linfo_string6
	.word	.Linfo_string7
	.word	.Linfo_string8
	.word	.Linfo_string9
	.word	.Linfo_string10
	.word	.Linfo_string11
	.word	.Linfo_string12
	.word	.Linfo_string13
	.word	.Linfo_string14
	.word	.Linfo_string15
	.word	.Linfo_string16
	.word	.Linfo_string17
	.word	.Linfo_string18
	.word	.Linfo_string19
	.word	.Linfo_string20
	.word	.Linfo_string21
	.word	.Linfo_string22
	.word	.Linfo_string23
	.word	.Linfo_string24
	.word	.Linfo_string25
	.section	.debug_addr,"",@progbits
	.word	.Ldebug_addr_end0-.Ldebug_addr_start0 # Length of contribution
.Ldebug_addr_start0:
	.half	5                               # DWARF version number
	.byte	4                               # Address size
	.byte	0                               # Segment selector size
.Laddr_table_base0:
	.word	table
	.word	calls
	.word	guard
	.word	out
	.word	count
	.word	data
	.word	.Lfunc_begin0
	.word	.Lfunc_begin1
	.word	.Ltmp39
.Ldebug_addr_end0:
	.ident	"Debian clang version 19.1.7 (3~deb12u1)"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym f0
	.section	.debug_line,"",@progbits
.Lline_table_start0:
