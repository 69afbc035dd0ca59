# A speed bump: threads that walk over an array at their own pace are grouped, but never wait for long.
#
# The barrier is impatient: whoever has come within a tick goes on together. Each thread makes as many steps as its number
# says, so no two have the same way; without the timeout the first ones would wait for ever for threads that have long ended.
#
# Out: sums[thread]. Check: the sum of the first (thread mod 16) + 1 values of the array.

    .equ MOST, 1024
    .text
    .globl _start
_start:
    la   s0, array
    li   s1, 3 << 11 | 1 << 21  # simple, timeout of 1 tick after the first
    andi s2, a0, 15
    addi s2, s2, 1
    li   s3, 0
step:
    bar.top 6, s1
    lw   t0, 0(s0)
    add  s3, s3, t0
    addi s0, s0, 4
    addi s2, s2, -1
    bnez s2, step
    la   t1, sums
    slli t2, a0, 2
    add  t1, t1, t2
    sw   s3, 0(t1)
    exit

    .data
    .align 2
array:   .word 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3
sums:    .zero 4 * MOST
