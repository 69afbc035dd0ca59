# Each thread walks a block of its own, 128 bytes, again and again: 4 warps of 32 threads need 16 KiB,
# their parts of 8 threads 4 KiB.
        .globl  _start
_start: la   s1, data
        slli t0, a0, 7
        add  s1, s1, t0
        li   s4, 0              # result
        li   s2, 240            # segments
segment: subv.auto end
        li   s3, 64             # twice over the block
walk:   slli t0, s3, 6          # not in order, so that all its lines stay in use
        srli t1, s3, 2
        add  t0, t0, t1
        slli t1, s3, 2
        add  t0, t0, t1
        andi t0, t0, 124
        add  t0, s1, t0
        lw   t1, 0(t0)
        add  s4, s4, t1
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
