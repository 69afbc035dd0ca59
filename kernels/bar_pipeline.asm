# A pipeline of two warps: warp 0 fills a buffer of one value per lane, warp 1 adds it up, round after round.
#
# Two split barriers: `full` (1) has the arrivals of the producers, `empty` (2) those of the consumers. Who arrives goes on and
# computes the next value meanwhile. Threads of other warps end at once.
#
# Out: sums[lane]. Check: the sum of (lane + 1) * round^2 over 32 rounds.

    .equ ROUNDS, 32
    .text
    .globl _start
_start:
    csrr t0, wwarp
    csrr s0, wlane
    csrr s1, wwidth
    li   t1, 1 << 11            # so many arrivals
    or   s1, s1, t1
    la   s2, buffer
    slli t2, s0, 2
    add  s2, s2, t2
    addi s0, s0, 1
    li   s3, 0                  # round
    li   s4, ROUNDS
    li   s5, 0                  # sum
    beqz t0, produce
    addi t0, t0, -1
    beqz t0, consume
    exit
produce:
    mul  t3, s3, s3
    mul  t3, t3, s0             # the value, before the buffer is free
    beqz s3, first
    addi t4, s3, -1
    bar.wait 2, t4              # the round before was taken
first:
    sw   t3, 0(s2)
    bar.arrive 1, s1
    addi s3, s3, 1
    bltu s3, s4, produce
    exit
consume:
    bar.wait 1, s3
    lw   t3, 0(s2)
    bar.arrive 2, s1
    add  s5, s5, t3
    addi s3, s3, 1
    bltu s3, s4, consume
    la   t0, sums
    add  t0, t0, t2
    sw   s5, 0(t0)
    exit

    .data
    .align 2
buffer:  .zero 4 * 64
sums:    .zero 4 * 64
