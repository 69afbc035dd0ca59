_start: jal ra, count
        bnez a0, owned
        lw t3, 4(a2)
        beqz t3, owned
        lw s0, 44(a2)
spawn:  fence
        li t2, TICKET
        li t1, 1
        amoadd.w t5, t1, (t2)
        lw t4, 8(a2)
        and t5, t5, t4
        slli t5, t5, 2
        li t4, SPAWN
        add t5, t5, t4
wait:   lr.w t6, (t5)
        beqz t6, free
taken:  j wait
free:   sc.w t6, t3, (t5)
        bnez t6, wait
        mv t3, s0
        li s0, 0
        bnez t3, spawn
owned:  lw s0, 12(a2)
        beqz s0, end
        csrr t0, 0xCC8
        bnez t0, end
        csrr s1, 0xCC3
        lw s7, 4(s0)
        lw t0, 16(a2)
        bgeu s1, t0, piece
        lw s3, 20(a2)
        mul t0, s1, s3
        slli t0, t0, 7
        lw s4, 24(a2)
        add s4, s4, t0
        addi s5, s3, 1
        lw t0, 28(a2)
        addi t1, s0, 16
        beqz t0, take
try:    fence
        lw s6, 16(s0)
        lw t2, 20(s0)
        sub t2, t2, s6
        sub t2, t2, s5
        bltz t2, try
        lr.w t3, (t1)
        bne t3, s6, try
        add t3, s6, s5
        sc.w t4, t3, (t1)
        bnez t4, try
        j fill
take:   amoadd.w s6, s5, (t1)
room:   fence
        lw t2, 20(s0)
        sub t2, t2, s6
        sub t2, t2, s5
        bltz t2, room
fill:   li s8, 0
each:   add t0, s6, s8
        jal ra, place
        beq s8, s3, last
        li t4, LAUNCH
        sw t4, 0(t2)
        sw s4, 4(t2)
        addi s4, s4, 128
        li t4, 2
        sw t4, 4(t3)
        addi s8, s8, 1
        j each
last:   li t4, ACQUIRE
        sw t4, 0(t2)
        slli t5, t1, 2
        lw t6, 8(s0)
        add t5, t5, t6
        sw t5, 4(t2)
        addi t6, t0, 1
        sw t6, 8(t2)
        li t4, 3
        sw t4, 4(t3)
        jal ra, pass
piece:  lw t0, 32(a2)
        bgeu s1, t0, end
        lw t1, 36(a2)
        li t0, -1
        amoadd.w t0, t0, (t1)
        li t1, 1
        bne t0, t1, end
        addi t0, s0, 16
        amoadd.w s6, t1, (t0)
close:  fence
        lw t2, 20(s0)
        sub t2, t2, s6
        addi t2, t2, -1
        bltz t2, close
        mv t0, s6
        jal ra, place
        li t4, 7
        sw t4, 4(t3)
        li t4, IDLE
        sw t4, 0(t2)
        li t4, RELEASE
        sw t4, 4(t2)
        lw t4, 28(s0)
        sw t4, 8(t2)
        lw t5, 40(a2)
        sw t5, 12(t2)
        li t4, ACQUIRE
        sw t4, 16(t2)
        lw t4, 24(s0)
        sw t4, 20(t2)
        addi t5, t5, 1
        sw t5, 24(t2)
        jal ra, pass
end:    ecall

faults: csrr t0, 0xCC3
        lw t1, 16(a2)
        srl t1, t1, t0
        andi t1, t1, 1
        beqz t1, none
        csrr t0, 0xCC9
        lw t1, 20(a2)
        srl t1, t1, t0
        andi t1, t1, 1
        beqz t1, none
        lw t1, 24(a2)
        add t1, t1, t0
        andi t1, t1, 3
        csrr t0, 0xCC1
        bltu t0, t1, end
        lw t1, 28(a2)
        addi t1, t1, -1
        bltz t1, misses
        beqz t1, store
        addi t1, t1, -2
        bltz t1, word
        beqz t1, break
bad:    lr.w t3, (x0)
misses: lw t3, 2(a2)
store:  sb t3, -1(x0)
word:   .word 0
break:  ebreak

count:  lw t0, 0(a2)
        li t1, 1
        amoadd.w x0, t1, (t0)
        li t2, SHARED
        amoadd.w x0, t1, (t2)
        addi t2, t0, 4
        amoadd.w x0, a0, (t2)
        li t3, 0x9e3779b1
        mul t3, t3, a0
        addi t2, t0, 8
        amoxor.w x0, t3, (t2)
        addi t2, t0, 12
retry:  lr.w t3, (t2)
        add t3, t3, a0
        sc.w t4, t3, (t2)
        bnez t4, retry
        slli t2, a0, 2
        add t2, t2, t0
        addi t3, a0, 7
        sw t3, 32(t2)
        ret

place:  remu t1, t0, s7
        slli t2, t1, 5
        lw t3, 12(s0)
        add t2, t2, t3
        slli t3, t1, 3
        lw t4, 0(s0)
        add t3, t3, t4
        sw t2, 0(t3)
        ret

pass:   fence
        addi t0, s6, -1
        remu t0, t0, s7
        slli t0, t0, 2
        lw t1, 8(s0)
        add t0, t0, t1
        sw s6, 0(t0)
        ret

none:   jal ra, count
        ecall

queue:  jal ra, count
        csrr t0, 0xCC8
        bnez t0, over
        csrr s1, 0xCF0
        csrr s2, 0xCF1
        lw s3, 12(a2)
        lw s4, 16(a2)
        lw s5, 20(a2)
        lw s6, 24(a2)
        lw s7, 0(a2)
entry:  beqz s2, over
        fence
        and t0, s1, s4
        mul t0, t0, s5
        add t0, t0, s3
        lw s8, 0(t0)
        addi t1, s7, 16
        amoadd.w x0, s8, (t1)
        addi t1, s7, 20
        li t2, 1
        amoadd.w x0, t2, (t1)
        beqz s6, more
        beqz s8, done
        addi t1, s6, 92
        amoadd.w x0, t2, (t1)
        addi t1, s6, 80
        amoadd.w t3, t2, (t1)
        and t0, t3, s4
        mul t0, t0, s5
        add t0, t0, s3
        addi s8, s8, -1
        sw s8, 0(t0)
turn:   fence
        lw t4, 84(s6)
        bne t4, t3, turn
        addi t4, t4, 1
        sw t4, 84(s6)
        fence
done:   li t2, -1
        addi t1, s6, 92
        amoadd.w x0, t2, (t1)
more:   addi s1, s1, 1
        addi s2, s2, -1
        j entry
over:   ecall
endless: lw t0, 0(a2)
        csrr t1, 0xCC8
        beqz t1, around
        bar.sync 0
around: amoadd.w t2, x0, (t0)
        j around
