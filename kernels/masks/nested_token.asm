# if (a > b) { result = a odd ? 3 a : a + b } else { result = b odd ? 5 b : b - a }
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
        ssy  join1
        andi t0, s2, 1
        beqz t0, even1
        li   t1, 3
        mul  s4, s2, t1
        sync join1
even1:  add  s4, s2, s3
        sync join1
join1:  sync join
else:   ssy  join2
        andi t0, s3, 1
        beqz t0, even2
        li   t1, 5
        mul  s4, s3, t1
        sync join2
even2:  sub  s4, s3, s2
        sync join2
join2:  sync join
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
