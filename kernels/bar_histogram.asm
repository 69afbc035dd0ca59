# Histogram of the letters of a text with an unordered section instead of atomic adds.
#
# The section is a lock: an impatient barrier that is complete with its first thread, and whoever comes meanwhile joins.
# BOTTOM does not wait for the others.
#
# In: text, up to 2,048 bytes, 0 behind them. Out: counts of the 26 letters. Check: those of the text.

    .equ ROOM, 2048
    .text
    .globl _start
_start:
    la   s0, text
    la   s1, counts
    li   s3, 1 << 14 | 4 << 11 | 1  # a section, timeout or 1 participant; late threads join
    mv   s4, a0
    li   s5, ROOM
next:
    bgeu s4, s5, over
    add  t0, s0, s4
    lbu  t1, 0(t0)
    add  s4, s4, a1
    ori  t2, t1, 0x20
    addi t2, t2, -97
    sltiu t3, t2, 26
    beqz t3, next
    slli t2, t2, 2
    add  t2, t2, s1
    bar.top 3, s3
    lw   t4, 0(t2)
    addi t4, t4, 1
    sw   t4, 0(t2)
    bar.bot.nb 3
    j    next
over:
    exit

    .data
    .align 2
counts:  .zero 4 * 26
text:    .zero ROOM
