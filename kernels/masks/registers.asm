# 16 values of a thread that are all in use at once, in the room of 20 registers per thread. Regular mode (x16 and up are
# shared, so not to be used) keeps 12 of them in memory; in sub-vector mode x16 to x31 are shared by the parts and hold all of them (16 x 4 parts + 16 rows = 20 x 4).
        .globl  _start
_start: la   s1, data
        slli t0, a0, 2
        add  s1, s1, t0
        la   sp, middle         # spilled values lie side by side for the threads
        add  sp, sp, t0
        li   s0, 0              # result
        li   a3, 400            # segments
segment: mpop a4, exec
        subv.auto end
        mpop a5, exec
        li   a2, 2              # rounds
        bne  a4, a5, part       # the mode, the same for all threads

        # Regular: v0 to v3 in ra, gp, tp, a1, the others in memory.
        lw   ra, 0(s1)
        lw   gp, 128(s1)
        lw   tp, 256(s1)
        lw   a1, 384(s1)
        lw   t1, 512(s1)
        sw   t1, -2048(sp)
        lw   t1, 640(s1)
        sw   t1, -1536(sp)
        lw   t1, 768(s1)
        sw   t1, -1024(sp)
        lw   t1, 896(s1)
        sw   t1, -512(sp)
        lw   t1, 1024(s1)
        sw   t1, 0(sp)
        lw   t1, 1152(s1)
        sw   t1, 512(sp)
        lw   t1, 1280(s1)
        sw   t1, 1024(sp)
        lw   t1, 1408(s1)
        sw   t1, 1536(sp)
        lw   t1, 1536(s1)
        sw   t1, -512(s1)
        lw   t1, 1664(s1)
        sw   t1, -1024(s1)
        lw   t1, 1792(s1)
        sw   t1, -1536(s1)
        lw   t1, 1920(s1)
        sw   t1, -2048(s1)
spilled:
        lw   t2, -1536(sp)
        slli t0, ra, 1
        add  ra, ra, t0
        add  ra, ra, t2
        lw   t2, -1024(sp)
        slli t0, gp, 1
        add  gp, gp, t0
        add  gp, gp, t2
        lw   t2, -512(sp)
        slli t0, tp, 1
        add  tp, tp, t0
        add  tp, tp, t2
        lw   t2, 0(sp)
        slli t0, a1, 1
        add  a1, a1, t0
        add  a1, a1, t2
        lw   t1, -2048(sp)
        lw   t2, 512(sp)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, t2
        sw   t1, -2048(sp)
        lw   t1, -1536(sp)
        lw   t2, 1024(sp)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, t2
        sw   t1, -1536(sp)
        lw   t1, -1024(sp)
        lw   t2, 1536(sp)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, t2
        sw   t1, -1024(sp)
        lw   t1, -512(sp)
        lw   t2, -512(s1)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, t2
        sw   t1, -512(sp)
        lw   t1, 0(sp)
        lw   t2, -1024(s1)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, t2
        sw   t1, 0(sp)
        lw   t1, 512(sp)
        lw   t2, -1536(s1)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, t2
        sw   t1, 512(sp)
        lw   t1, 1024(sp)
        lw   t2, -2048(s1)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, t2
        sw   t1, 1024(sp)
        lw   t1, 1536(sp)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, ra
        sw   t1, 1536(sp)
        lw   t1, -512(s1)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, gp
        sw   t1, -512(s1)
        lw   t1, -1024(s1)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, tp
        sw   t1, -1024(s1)
        lw   t1, -1536(s1)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, a1
        sw   t1, -1536(s1)
        lw   t1, -2048(s1)
        lw   t2, -2048(sp)
        slli t0, t1, 1
        add  t1, t1, t0
        add  t1, t1, t2
        sw   t1, -2048(s1)
        addi a2, a2, -1
        bnez a2, spilled
        add  s0, s0, ra
        add  s0, s0, gp
        add  s0, s0, tp
        add  s0, s0, a1
        lw   t1, -2048(sp)
        add  s0, s0, t1
        lw   t1, -1536(sp)
        add  s0, s0, t1
        lw   t1, -1024(sp)
        add  s0, s0, t1
        lw   t1, -512(sp)
        add  s0, s0, t1
        lw   t1, 0(sp)
        add  s0, s0, t1
        lw   t1, 512(sp)
        add  s0, s0, t1
        lw   t1, 1024(sp)
        add  s0, s0, t1
        lw   t1, 1536(sp)
        add  s0, s0, t1
        lw   t1, -512(s1)
        add  s0, s0, t1
        lw   t1, -1024(s1)
        add  s0, s0, t1
        lw   t1, -1536(s1)
        add  s0, s0, t1
        lw   t1, -2048(s1)
        add  s0, s0, t1
        sync end

        # Sub-vector: v0 to v15 in x16 to x31.
part:
        lw   x16, 0(s1)
        lw   x17, 128(s1)
        lw   x18, 256(s1)
        lw   x19, 384(s1)
        lw   x20, 512(s1)
        lw   x21, 640(s1)
        lw   x22, 768(s1)
        lw   x23, 896(s1)
        lw   x24, 1024(s1)
        lw   x25, 1152(s1)
        lw   x26, 1280(s1)
        lw   x27, 1408(s1)
        lw   x28, 1536(s1)
        lw   x29, 1664(s1)
        lw   x30, 1792(s1)
        lw   x31, 1920(s1)
kept:
        slli t0, x16, 1
        add  x16, x16, t0
        add  x16, x16, x21
        slli t0, x17, 1
        add  x17, x17, t0
        add  x17, x17, x22
        slli t0, x18, 1
        add  x18, x18, t0
        add  x18, x18, x23
        slli t0, x19, 1
        add  x19, x19, t0
        add  x19, x19, x24
        slli t0, x20, 1
        add  x20, x20, t0
        add  x20, x20, x25
        slli t0, x21, 1
        add  x21, x21, t0
        add  x21, x21, x26
        slli t0, x22, 1
        add  x22, x22, t0
        add  x22, x22, x27
        slli t0, x23, 1
        add  x23, x23, t0
        add  x23, x23, x28
        slli t0, x24, 1
        add  x24, x24, t0
        add  x24, x24, x29
        slli t0, x25, 1
        add  x25, x25, t0
        add  x25, x25, x30
        slli t0, x26, 1
        add  x26, x26, t0
        add  x26, x26, x31
        slli t0, x27, 1
        add  x27, x27, t0
        add  x27, x27, x16
        slli t0, x28, 1
        add  x28, x28, t0
        add  x28, x28, x17
        slli t0, x29, 1
        add  x29, x29, t0
        add  x29, x29, x18
        slli t0, x30, 1
        add  x30, x30, t0
        add  x30, x30, x19
        slli t0, x31, 1
        add  x31, x31, t0
        add  x31, x31, x20
        addi a2, a2, -1
        bnez a2, kept
        add  s0, s0, x16
        add  s0, s0, x17
        add  s0, s0, x18
        add  s0, s0, x19
        add  s0, s0, x20
        add  s0, s0, x21
        add  s0, s0, x22
        add  s0, s0, x23
        add  s0, s0, x24
        add  s0, s0, x25
        add  s0, s0, x26
        add  s0, s0, x27
        add  s0, s0, x28
        add  s0, s0, x29
        add  s0, s0, x30
        add  s0, s0, x31
        sync end
end:    addi a3, a3, -1
        bnez a3, segment
        la   t0, out
        slli t1, a0, 2
        add  t0, t0, t1
        sw   s0, 0(t0)
        exit

        .bss
        .balign 64
        .zero 2048
middle: .zero 2048
        .zero 2048
data:   .zero 65536
out:    .zero 1024
