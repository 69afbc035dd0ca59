# result = a > b ? a * a - b : b * b - a, the example of the article on branch divergence
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
        bge  s3, s2, else
        mul  s4, s2, s2
        sub  s4, s4, s3
        sync join
else:   mul  s4, s3, s3
        sub  s4, s4, s2
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
