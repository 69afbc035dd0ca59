# for (n = a % 32; n > 0; n--) { result += b; b = 5 b + 3; if (result % 16 == 0) break }
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

        andi s2, s2, 31
        pbk  done
loop:   brk.eqz s2, done
        add  s4, s4, s3
        slli t1, s3, 2
        add  s3, s3, t1
        addi s3, s3, 3
        andi t0, s4, 15
        brk.eqz t0, done
        addi s2, s2, -1
        j    loop
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
