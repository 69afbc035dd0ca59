# Nested loops and if/else with break, continue, and a break out of two loops, all with tokens.
#
# What each thread computes, in C:
#
#     acc = 0;
#     for (i = 0; i < (thread & 7) + 3; ++i) {
#         x = thread * 2654435761u + i * 40503u;
#         x ^= x >> 15;
#         if (x % 3 == 0) continue;
#         for (j = 0; ; ++j) {
#             x = x * 1664525u + 1013904223u;
#             if (x >> 28 < 2) break;
#             if (x & 0x100) {
#                 acc += x >> 16;
#                 if (x & 0x200) continue;              // crosses the SYNC token of this if
#                 acc ^= j;
#             } else
#                 acc = (acc << 1 | acc >> 31) + j;
#             if (j == 20) goto out;                    // crosses the CONTINUE and BREAK tokens of the inner loop
#         }
#         if (acc & 1) acc += i; else acc -= x;
#     }
#     out: result[thread] = acc;
#
# Out: result[thread]. Check: the same loops in Rust.

    .text
    .globl _start
_start:
    mv   s0, a0                 # thread
    andi s3, a0, 7
    addi s3, s3, 3              # trip count of the outer loop
    li   s1, 0                  # acc
    li   s6, 1664525
    li   s7, 1013904223
    li   s8, 2654435761
    li   s9, 40503

    pbk  out
    li   s2, 0                  # i
outer:
    sltu t0, s2, s3
    brk.eqz t0, out
    pcnt next_i
    mul  s4, s0, s8             # x
    mul  t0, s2, s9
    add  s4, s4, t0
    srli t0, s4, 15
    xor  s4, s4, t0
    li   t1, 3
    remu t0, s4, t1
    cont.eqz t0, next_i

    pbk  inner_end
    li   s5, 0                  # j
inner:
    pcnt next_j
    mul  s4, s4, s6
    add  s4, s4, s7
    srli t0, s4, 28
    sltiu t0, t0, 2
    brk.nez t0, inner_end
    ssy  joined
    andi t0, s4, 0x100
    beqz t0, rotate
    srli t0, s4, 16
    add  s1, s1, t0
    andi t0, s4, 0x200
    cont.nez t0, next_j
    xor  s1, s1, s5
    sync joined
rotate:
    slli t0, s1, 1
    srli t1, s1, 31
    or   t0, t0, t1
    add  s1, t0, s5
    sync joined
joined:
    li   t1, 20
    xor  t0, s5, t1
    brk.eqz t0, out
    cont next_j
next_j:
    addi s5, s5, 1
    j    inner

inner_end:
    ssy  chosen
    andi t0, s1, 1
    beqz t0, minus
    add  s1, s1, s2
    sync chosen
minus:
    sub  s1, s1, s4
    sync chosen
chosen:
    cont next_i
next_i:
    addi s2, s2, 1
    j    outer

out:
    la   t0, result
    slli t1, s0, 2
    add  t0, t0, t1
    sw   s1, 0(t0)
    exit

    .bss
    .globl result
    .align 2
result:
    .zero 4096                  # up to 1,024 threads
