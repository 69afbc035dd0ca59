# All threads walk the same table of 8 KiB: whoever comes first brings the line for the others.
        .globl  _start
_start: la   s1, data
        li   s4, 0              # result
        li   s2, 6              # segments
segment: subv.auto end
        mv   t0, s1
        li   s3, 2048
walk:   lw   t1, 0(t0)
        xor  t1, t1, a0
        add  s4, s4, t1
        addi t0, t0, 4
        addi s3, s3, -1
        bnez s3, walk
        sync end
end:    addi s2, s2, -1
        bnez s2, segment
        la   t0, out
        slli t1, a0, 2
        add  t0, t0, t1
        sw   s4, 0(t0)
        exit

        .bss
        .balign 64
data:   .zero 65536
out:    .zero 1024
