# A speed bump: warps that walk over the lines of a text at their own pace are kept together, so that a line is there for all of
# them when the first has fetched it; but nobody waits for long.
#
# The barrier is impatient: all go on when all have come, else whoever has come when the time is over. A thread has between 0 and
# 15 steps of work per line, the same for 32 threads in a row, four times over the text. Without the barrier the warps drift apart
# by many lines.
#
# In: text, 1,472 bytes or more. Out: sums[thread]. Check: four times the sum of its words, word (thread mod 16) of every line.

    .equ LINES, 23
    .equ ROOM, 2048
    .equ MOST, 1024
    .text
    .globl _start
_start:
    li   s1, 4 << 11 | 8 << 21  # simple; all of them, or 8 ticks after the first
    li   s2, 4                  # rounds
    li   s3, 0                  # sum
    srli s6, a0, 5
    andi s7, a0, 15
    slli s7, s7, 2
round:
    la   s0, text
    add  s0, s0, s7
    li   s4, LINES
line:
    bar.top 6, s1
    lw   t0, 0(s0)
    add  s3, s3, t0
    slli s5, s4, 1              # work: (7 * group + 3 * line) mod 16
    add  s5, s5, s4
    slli t1, s6, 3
    sub  t1, t1, s6
    add  s5, s5, t1
    andi s5, s5, 15
    beqz s5, next
work:
    addi s5, s5, -1
    bnez s5, work
next:
    addi s0, s0, 64
    addi s4, s4, -1
    bnez s4, line
    addi s2, s2, -1
    bnez s2, round
    la   t1, sums
    slli t2, a0, 2
    add  t1, t1, t2
    sw   s3, 0(t1)
    exit

    .data
    .align 6
text:    .zero ROOM
sums:    .zero 4 * MOST
