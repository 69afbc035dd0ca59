# result = a > b ? a * a - b : b * b - a, the example of the article on branch divergence
# Predicated: every thread passes all the code, masks guard the write-back; "# skip" as in the exec style.
        .globl  _start
_start: slli t6, a0, 2
        la   t5, a
        add  t5, t5, t6
        lw   s2, 0(t5)          # a
        la   t5, b
        add  t5, t5, t6
        lw   s3, 0(t5)          # b
        la   t5, c
        add  t5, t5, t6
        lw   s5, 0(t5)          # c
        li   s4, 0              # result

        slt  t0, s3, s2         # a > b
        mset m1, t0
        mnot m2, m1
        mbz  m1, else           # skip
        mul  t1, s2, s2         # an intermediate result: no guard
        mpred m1, 1
        sub  s4, t1, s3
else:   mbz  m2, join           # skip
        mul  t1, s3, s3
        mpred m2, 1
        sub  s4, t1, s2
join:

        la   t5, out
        add  t5, t5, t6
        sw   s4, 0(t5)
        exit

        .bss
        .balign 64
a:      .zero 4096
b:      .zero 4096
c:      .zero 4096
out:    .zero 4096
