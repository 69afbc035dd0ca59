# result = (a > 64 && b > 64) || c > 200 ? (a + b) c : a - c
# Tokens: the threads of each path wait for the others at the end.
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

        ssy  join
        li   t1, 64
        bge  t1, s2, second
        blt  t1, s3, then
second: li   t1, 200
        bge  t1, s5, else
then:   add  s4, s2, s3
        mul  s4, s4, s5
        sync join
else:   sub  s4, s2, s5
        sync join
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
