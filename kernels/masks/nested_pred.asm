# if (a > b) { result = a odd ? 3 a : a + b } else { result = b odd ? 5 b : b - a }
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

        slt  t0, s3, s2
        mset m1, t0
        mnot m2, m1
        mbz  m1, else           # skip
        andi t0, s2, 1
        mset m3, t0
        mandn m4, m1, m3
        mand m3, m3, m1
        li   t1, 3
        mpred m3, 1
        mul  s4, s2, t1
        mpred m4, 1
        add  s4, s2, s3
else:   mbz  m2, join           # skip
        andi t0, s3, 1
        mset m3, t0
        mandn m4, m2, m3
        mand m3, m3, m2
        li   t1, 5
        mpred m3, 1
        mul  s4, s3, t1
        mpred m4, 1
        sub  s4, s3, s2
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
