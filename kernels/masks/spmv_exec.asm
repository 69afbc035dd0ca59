# result = sparse matrix times vector: one thread per row of different length
# Execution mask: exec is narrowed, inverted and restored; a line with "# skip" jumps over code that nobody runs.
        .globl  _start
_start: slli t6, a0, 2
        la   t5, rows
        add  t5, t5, t6
        lw   s2, 0(t5)          # first entry of the row
        lw   s3, 4(t5)          # first of the next one
        la   s5, columns
        la   s6, values
        la   s7, x
        slli s2, s2, 2
        slli s3, s3, 2
        li   s4, 0              # result

        mmov m0, exec
loop:   sltu t0, s2, s3
        mset m1, t0
        mand exec, m1, exec
        mbz  exec, done
        add  t1, s5, s2
        lw   t1, 0(t1)          # column
        slli t1, t1, 2
        add  t1, s7, t1
        lw   t1, 0(t1)
        add  t2, s6, s2
        lw   t2, 0(t2)
        mul  t1, t1, t2
        add  s4, s4, t1
        addi s2, s2, 4
        j    loop
done:   mrestore m0

        la   t5, out
        add  t5, t5, t6
        sw   s4, 0(t5)
        exit

        .bss
        .balign 64
rows:   .zero 4160
columns: .zero 65536
values: .zero 65536
x:      .zero 4096
out:    .zero 4096
