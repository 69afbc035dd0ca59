# Sum over all threads of the CTA in a tree, with bar.sync between its levels; any number of threads.
#
# Thread n brings n * n + 1. Out: sum. Check: the sum of these.

    .equ MOST, 1024
    .text
    .globl _start
_start:
    la   s0, cells
    slli t0, a0, 2
    add  s1, s0, t0             # own cell
    mul  t1, a0, a0
    addi t1, t1, 1
    sw   t1, 0(s1)
    mv   s2, a1                 # cells that are left
level:
    bar.sync 0
    li   t0, 1
    beq  s2, t0, over
    addi s3, s2, 1
    srli s3, s3, 1              # half of them, rounded up
    add  t1, a0, s3             # the upper half is added to the lower one
    bgeu t1, s2, idle
    slli t2, t1, 2
    add  t2, t2, s0
    lw   t3, 0(t2)
    lw   t4, 0(s1)
    add  t4, t4, t3
    sw   t4, 0(s1)
idle:
    mv   s2, s3
    j    level
over:
    bnez a0, out
    lw   t0, 0(s0)
    la   t1, sum
    sw   t0, 0(t1)
out:
    exit

    .data
    .align 2
sum:     .word 0
cells:   .zero 4 * MOST
