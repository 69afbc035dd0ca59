# Entry of a program that `weft cc` links: runs the constructors once, then kernel(thread, threads) in every thread.
#
# The machine starts each thread with a0 = its number, a1 = the number of threads and its own stack in sp.
# CC-011. Thread 0 runs the constructors (`.init_array`), unless a launch before this one has taken them.
# The other threads of its warp wait for it at a token; those of other warps look at a flag and yield. The flag is read
# by an atomic, which sees what another thread has written whatever caches there are.
# A program without constructors goes straight to its kernel.
# CC-015. With WEFT_TLS each thread begins with a copy of the thread-local variables, below its stack.

    .option nopic

    # gp; the constructors' array, s0 to s1; `none` where it is empty.
    .macro  BEGIN none
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    .ifdef  WEFT_TLS
    jal     t0, __weft_thread
    .endif
    la      s0, __init_array_start
    la      s1, __init_array_end
    beq     s0, s1, \none
    .endm

    .section .text.weft_start, "ax", @progbits
    # A program of WEFT_KERNELs has none; `weft` then begins at one of these.
    .weak   kernel
    .globl  _start
    .type   _start, @function
_start:
    BEGIN   kernels
    la      s4, kernels

    # `weft run` refuses a program that has constructors and not this label. Behind them it goes on at s4.
    .globl  __weft_constructors
__weft_constructors:
    .insn   j 0x0B, x0, together            # push sync, together
    bnez    a0, leave
    la      t0, taken
    li      t1, 1
    amoswap.w t1, t1, (t0)
    bnez    t1, leave
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
    bnez    t1, go
    .insn   i 0x5B, 1, x0, 0(x0)            # yield
    j       wait
go:
    jr      s4

kernels:
    call    kernel
done:
    .insn   i 0x5B, 2, x0, 0(x0)            # exit
    .size   _start, . - _start

    # The constructors alone: the driver launches it when it has loaded the program.
    .globl  __weft_construct
    .type   __weft_construct, @function
__weft_construct:
    la      s4, done
    # The constructors, then whatever s4 says: `weft run --kernel`.
    .globl  __weft_begin
__weft_begin:
    BEGIN   go
    j       __weft_constructors
    .size   __weft_construct, . - __weft_construct

    .ifdef  WEFT_TLS
    # Called by `jal t0`, from WEFT_KERNEL, too. The template's addresses are relative to tp from here on.
    .globl  __weft_thread
    .type   __weft_thread, @function
__weft_thread:
    la      t1, __weft_tls_start
    la      t2, __weft_tls_end
    sub     t3, t2, t1
    sub     sp, sp, t3
    sub     tp, sp, t1
    mv      t3, sp
    # The linker may have left out all of them.
    beq     t1, t2, copied
copy:
    lw      t4, 0(t1)
    sw      t4, 0(t3)
    addi    t1, t1, 4
    addi    t3, t3, 4
    bltu    t1, t2, copy
copied:
    jr      t0
    .size   __weft_thread, . - __weft_thread
    .endif

    .section .bss.weft_start, "aw", @nobits
    .balign 4
taken:
    .zero   4
constructed:
    .zero   4
