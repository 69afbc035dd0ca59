# Entry for kernels written in C: calls kernel(thread, threads) and ends the thread.
#
# The machine starts a thread with a0 = its number, a1 = the number of threads and its own stack in sp,
# which is already what the calling convention wants. `ecall` ends the thread, so the file needs
# nothing but plain RV32.

    .text
    .globl _start
_start:
    call kernel
    ecall
