# y[i] = factor * x[i] + y[i], thread by thread. a0: number of the thread, a1: of all threads, a2: address of
# {n, factor, address of x, address of y}.
    .globl _start
_start:
    lw t0, 0(a2)
    lw t1, 4(a2)
    lw t2, 8(a2)
    lw t3, 12(a2)
    bgeu a0, t0, end
next:
    slli t4, a0, 2
    add t5, t2, t4
    add t6, t3, t4
    lw a3, 0(t5)
    lw a4, 0(t6)
    mul a3, a3, t1
    add a3, a3, a4
    sw a3, 0(t6)
    add a0, a0, a1
    bltu a0, t0, next
end:
    ecall
