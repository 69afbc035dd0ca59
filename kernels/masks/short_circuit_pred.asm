# result = (a > 64 && b > 64) || c > 200 ? (a + b) c : a - c
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

        li   t1, 64
        slt  t0, t1, s2
        mset m1, t0
        slt  t0, t1, s3
        mset m2, t0
        mand m1, m1, m2
        li   t1, 200
        slt  t0, t1, s5
        mset m2, t0
        mor  m1, m1, m2
        mnot m2, m1
        mbz  m1, else           # skip
        add  t1, s2, s3
        mpred m1, 1
        mul  s4, t1, s5
else:   mbz  m2, join           # skip
        mpred m2, 1
        sub  s4, s2, s5
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
