# result = iterations, up to 24, until |z| reaches 2 for c = ((a, b) - 128) / 64; 10 bits behind the point
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

        addi s2, s2, -128
        addi s3, s3, -128
        slli s2, s2, 4
        slli s3, s3, 4
        li   s6, 0              # z
        li   s7, 0
        li   s8, 4096
        mmov m1, exec
loop:   mul  t1, s6, s6
        srai t1, t1, 10
        mul  t2, s7, s7
        srai t2, t2, 10
        add  t3, t1, t2
        slt  t0, t3, s8
        mset m2, t0
        mand m1, m1, m2
        mbz  m1, done           # skip
        mul  t3, s6, s7
        srai t3, t3, 9
        mpred m1, 5
        add  s7, t3, s3
        sub  s6, t1, t2
        add  s6, s6, s2
        addi s4, s4, 1
        slti t0, s4, 24
        mset m2, t0
        mand m1, m1, m2
        mbnz m1, loop
done:

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
