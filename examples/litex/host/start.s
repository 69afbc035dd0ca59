# The host's first instructions: stack, variables, main; then the end of the simulation: letter 4, or 5 if main said so.
        .section .text.start, "ax"
        .globl _start
_start: la      sp, stack_end
        la      t0, data_from
        la      t1, data_begin
        la      t2, data_end
1:      bgeu    t1, t2, 2f
        lw      t3, 0(t0)
        sw      t3, 0(t1)
        addi    t0, t0, 4
        addi    t1, t1, 4
        j       1b
2:      la      t2, zero_end
3:      bgeu    t1, t2, 4f
        sw      zero, 0(t1)
        addi    t1, t1, 4
        j       3b
4:      call    main
        snez    a0, a0
        addi    a0, a0, 4
        call    letter
5:      j       5b

        .section .rodata
        .globl kernel_elf, kernel_elf_end
        .balign 4
kernel_elf:
        .incbin "kernel.elf"
kernel_elf_end:
