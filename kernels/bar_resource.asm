# A resource that only one thread of the whole machine may use, whatever barrier it comes through: exclusive sections.
#
# Even threads come through barrier 4, odd ones through barrier 5. Inside, a thread writes its number into the log, computes a
# while, and writes it again.
#
# Out: log, two words per thread. Check: both words of a thread stand together, each thread once, each barrier's in order.

    .equ MOST, 1024
    .text
    .globl _start
_start:
    la   s0, log
    la   s1, length
    li   s2, 1 << 16 | 1 << 14  # exclusive section of all threads of the CTA
    andi t0, a0, 1
    xori t1, t0, 1
    bar.top.nez 4, t1, s2
    beqz t1, odd
    jal  ra, use
    bar.bot 4
odd:
    bar.top.nez 5, t0, s2
    beqz t0, over
    jal  ra, use
    bar.bot.nb 5
over:
    exit
use:
    lw   t2, 0(s1)
    slli t3, t2, 2
    add  t3, t3, s0
    sw   a0, 0(t3)
    andi t4, a0, 7
1:  addi t4, t4, -1
    bgez t4, 1b
    sw   a0, 4(t3)
    addi t2, t2, 2
    sw   t2, 0(s1)
    ret

    .data
    .align 2
length:  .word 0
log:     .zero 8 * MOST
