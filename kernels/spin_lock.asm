# Spin lock with the critical section after the reconvergence point; one lock per warp.
#
# Every thread tries to take its warp's lock. The one that gets it goes to `owner`, where it waits for the
# others, as a compiler would have it: SSY announces `owner` before the loop and SYNC leaves for it. The
# others spin, for a lock that can only be released behind `owner`. A machine that holds the waiting thread
# back until all have arrived never ends: run with `--yield off --forced-yield off` and it livelocks.
#
# With yielding, the spinning threads step back to the other end of the deque, the owner goes on alone,
# and the SYNC token is used up. Whoever takes the lock later finds no token for `owner` and just goes there.
#
# Out: entered[warp], how many threads were in the critical section; order[thread], how many of the warp were
# there before. Check: entered = threads of the warp; order = 0, 1, 2 … in some order within each warp.

    .text
    .globl _start
_start:
    csrr t0, wwarp
    slli t0, t0, 2
    la   s0, lock
    add  s0, s0, t0             # this warp's lock
    la   s1, entered
    add  s1, s1, t0             # and its counter
    li   s2, 1

    ssy  owner
try:
    amoswap.w.aq t1, s2, (s0)
    bnez t1, taken
    sync owner                  # the winner waits here for its warp
taken:
    yield                       # advice: somebody else may have to run first
    j    try

owner:
    lw   t1, 0(s1)              # critical section: not atomic on purpose
    la   t2, order
    slli t3, a0, 2
    add  t2, t2, t3
    sw   t1, 0(t2)
    addi t1, t1, 1
    sw   t1, 0(s1)
    amoswap.w.rl zero, zero, (s0)
    exit

    .bss
    .globl lock
    .globl entered
    .globl order
    .align 2
lock:
    .zero 128                   # up to 32 warps
entered:
    .zero 128
order:
    .zero 4096                  # up to 1,024 threads
