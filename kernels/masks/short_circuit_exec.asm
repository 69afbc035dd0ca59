# result = (a > 64 && b > 64) || c > 200 ? (a + b) c : a - c
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

        li   t1, 64
        slt  t0, t1, s2
        mset m1, t0
        mand.save m0, m1        # a > 64
        mbz  exec, second       # skip
        slt  t0, t1, s3
second: mset m1, t0             # ... and b > 64
        mandn exec, m0, m1      # all others
        mbz  exec, decide       # skip
        li   t1, 200
        slt  t0, t1, s5
decide: mset m2, t0
        mor  m1, m1, m2
        mand exec, m1, m0
        mbz  exec, else         # skip
        add  s4, s2, s3
        mul  s4, s4, s5
else:   mandn exec, m0, m1
        mbz  exec, join         # skip
        sub  s4, s2, s5
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
