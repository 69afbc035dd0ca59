# Stable compaction: the letters of a text, in their order, appended to a list inside an ordered section.
#
# In each round the threads of the CTA look at as many neighbouring bytes. Those that have a letter take part in the section,
# one after the other in the order of their numbers; the others go on to the next round and wait there.
#
# In: text, up to 2,048 bytes, 0 behind them. Out: letters, length. Check: what a sequential filter gives, byte for byte.

    .equ ROOM, 2048
    .text
    .globl _start
_start:
    la   s0, text
    la   s1, letters
    la   s2, length
    li   s3, 2 << 14            # an ordered section, of all threads of the CTA
    mv   s4, a0                 # where this thread looks
    li   s5, ROOM
    addi s5, s5, -1
    add  s5, s5, a1             # all threads make the same number of rounds
    remu t0, s5, a1
    sub  s5, s5, t0
round:
    li   t1, 0
    li   t2, 0
    li   t3, ROOM
    bgeu s4, t3, look           # beyond the end: nothing
    add  t0, s0, s4
    lbu  t1, 0(t0)
    ori  t2, t1, 0x20
    addi t2, t2, -97            # 'a'
    sltiu t2, t2, 26            # is it a letter?
look:
    bar.top.nez 0, t2, s3
    beqz t2, behind
    lw   t4, 0(s2)
    add  t5, s1, t4
    sb   t1, 0(t5)
    addi t4, t4, 1
    sw   t4, 0(s2)
    bar.bot 0
behind:
    add  s4, s4, a1
    sub  t6, s4, a0
    bltu t6, s5, round
    exit

    .data
    .align 2
length:  .word 0
text:    .zero ROOM
letters: .zero ROOM
