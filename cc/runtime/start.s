# Entry of a program that `weft cc` links: runs the constructors once, then kernel(thread, threads) in every thread.
#
# The machine starts each thread with a0 = its number, a1 = the number of threads and its own stack in sp.
# CC-011. Thread 0 runs the constructors (`.init_array`). The other threads of its warp wait for it at a token; those of other
# warps look at a flag and yield. The flag is read by an atomic, which sees what another thread has written
# whatever caches there are. A program without constructors goes straight to its kernel.

    .section .text.weft_start, "ax", @progbits
    .option nopic
    .globl  _start
    .type   _start, @function
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      s0, __init_array_start
    la      s1, __init_array_end
    beq     s0, s1, kernels

    # `weft run` refuses a program that has constructors and not this label.
    .globl  __weft_constructors
__weft_constructors:
    .insn   j 0x0B, x0, together            # push sync, together
    bnez    a0, leave
    mv      s2, a1
    mv      s3, a2
next:
    lw      t0, 0(s0)
    jalr    t0
    addi    s0, s0, 4
    bltu    s0, s1, next
    li      a0, 0
    mv      a1, s2
    mv      a2, s3
    fence
    la      t0, constructed
    li      t1, 1
    amoswap.w zero, t1, (t0)
leave:
    .insn   b 0x2B, 0, x0, x0, together     # leave sync, together
together:
    la      t0, constructed
wait:
    amoor.w t1, zero, (t0)
    bnez    t1, kernels
    .insn   i 0x5B, 1, x0, 0(x0)            # yield
    j       wait

kernels:
    call    kernel
    .insn   i 0x5B, 2, x0, 0(x0)            # exit
    .size   _start, . - _start

    .section .bss.weft_start, "aw", @nobits
    .balign 4
constructed:
    .zero   4
