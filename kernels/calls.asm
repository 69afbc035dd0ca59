# Recursion, calls through a table, and a long jump out of the deepest call, with CALL and LONGJMP tokens.
#
# PCAL announces a return address before the call, and WRET leaves for the address in a register, so the
# threads of a warp that return to one place continue together however deep they went. The first call is
# through a table with four functions in turn, so one `jalr` has four targets within a warp.
#
#     n = thread * 7 & 15;
#     switch (thread & 3) {
#     case 0: value = n + (n - 1) + … + 1; break;
#     case 1: value = n! mod 2^32; break;
#     case 2: value = nodes of the call tree of Fibonacci(n % 10); break;
#     case 3: value = 1000 + n; break;            // dives n calls deep, then jumps straight out
#     }
#     result[thread] = value;
#
# Out: result[thread]. Check: the same in Rust.

    .text
    .globl _start
_start:
    mv   s0, a0
    mv   s1, sp                 # where the long jump cuts the stack
    li   t0, 7
    mul  t0, a0, t0
    andi t1, a0, 3
    slli t1, t1, 2
    la   t2, table
    add  t2, t2, t1
    lw   t2, 0(t2)
    andi a0, t0, 15
    mv   a1, a0

    plongjmp finish
    pcal returned
    jalr ra, 0(t2)
returned:
    longjmp finish              # meets those who jumped out
finish:
    mv   sp, s1
    la   t0, result
    slli t1, s0, 2
    add  t0, t0, t1
    sw   a0, 0(t0)
    exit

sum:                            # a0 + … + 1
    bnez a0, sum_more
    wret ra
sum_more:
    addi sp, sp, -16
    sw   ra, 12(sp)
    sw   a0, 8(sp)
    addi a0, a0, -1
    pcal sum_back
    jal  ra, sum
sum_back:
    lw   t0, 8(sp)
    lw   ra, 12(sp)
    addi sp, sp, 16
    add  a0, a0, t0
    wret ra

factorial:
    bnez a0, factorial_more
    li   a0, 1
    wret ra
factorial_more:
    addi sp, sp, -16
    sw   ra, 12(sp)
    sw   a0, 8(sp)
    addi a0, a0, -1
    pcal factorial_back
    jal  ra, factorial
factorial_back:
    lw   t0, 8(sp)
    lw   ra, 12(sp)
    addi sp, sp, 16
    mul  a0, a0, t0
    wret ra

tree:                           # starts the tree with a0 % 10
    li   t0, 10
    remu a0, a0, t0
node:                           # 1 + node(n - 1) + node(n - 2), a leaf for n < 2
    li   t0, 2
    bgeu a0, t0, node_more
    li   a0, 1
    wret ra
node_more:
    addi sp, sp, -16
    sw   ra, 12(sp)
    sw   a0, 8(sp)
    addi a0, a0, -1
    pcal node_left
    jal  ra, node
node_left:
    sw   a0, 4(sp)
    lw   a0, 8(sp)
    addi a0, a0, -2
    pcal node_right
    jal  ra, node
node_right:
    lw   t0, 4(sp)
    lw   ra, 12(sp)
    addi sp, sp, 16
    add  a0, a0, t0
    addi a0, a0, 1
    wret ra

dive:                           # a1 keeps the depth
    bnez a0, dive_more
    addi a0, a1, 1000
    longjmp finish              # past all the returns
dive_more:
    addi sp, sp, -16
    sw   ra, 12(sp)
    addi a0, a0, -1
    pcal dive_back
    jal  ra, dive
dive_back:
    ebreak                      # nobody returns from a dive

    .section .rodata
    .align 2
table:
    .word sum
    .word factorial
    .word tree
    .word dive

    .bss
    .globl result
    .align 2
result:
    .zero 4096                  # up to 1,024 threads
