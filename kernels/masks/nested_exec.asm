# if (a > b) { result = a odd ? 3 a : a + b } else { result = b odd ? 5 b : b - a }
# Execution mask: exec is narrowed, inverted and restored; a line with "# skip" jumps over code that nobody runs.
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
        mand.save m0, m1
        mbz  exec, else         # skip
        andi t0, s2, 1
        mset m1, t0
        mand.save m2, m1
        mbz  exec, even1        # skip
        li   t1, 3
        mul  s4, s2, t1
even1:  mandn exec, m2, exec
        mbz  exec, join1        # skip
        add  s4, s2, s3
join1:  mrestore m2
else:   mandn exec, m0, exec
        mbz  exec, join         # skip
        andi t0, s3, 1
        mset m1, t0
        mand.save m2, m1
        mbz  exec, even2        # skip
        li   t1, 5
        mul  s4, s3, t1
even2:  mandn exec, m2, exec
        mbz  exec, join2        # skip
        sub  s4, s3, s2
join2:  mrestore m2
join:   mrestore m0

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
