# bitonic sort of 16 numbers per thread
# Execution mask: exec is narrowed, inverted and restored; a line with "# skip" jumps over code that nobody runs.
        .globl  _start
_start: la   s1, out
        slli t6, a0, 6
        add  s1, s1, t6         # 16 words per thread
        li   s11, 16
        li   s2, 2              # k
stage:  srli s3, s2, 1          # j
pass:   li   s4, 0              # i
pair:   xor  s5, s4, s3         # partner of i
        bge  s4, s5, next       # the same for all threads, as k, j and i are
        slli t1, s4, 2
        add  t1, s1, t1
        slli t2, s5, 2
        add  t2, s1, t2
        lw   s6, 0(t1)
        lw   s7, 0(t2)
        and  t3, s4, s2
        snez t3, t3             # descending
        slt  t0, s7, s6
        xor  t0, t0, t3         # swap

        mset m1, t0
        mand.save m0, m1
        mbz  exec, join         # skip
        sw   s7, 0(t1)
        sw   s6, 0(t2)
join:   mrestore m0

next:   addi s4, s4, 1
        blt  s4, s11, pair
        srli s3, s3, 1
        bnez s3, pass
        slli s2, s2, 1
        bge  s11, s2, stage
        exit

        .bss
        .balign 64
out:    .zero 65536
