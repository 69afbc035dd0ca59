/*
 * Warp control (Xweft) for C and for assembly that runs through the C preprocessor.
 * What the instructions do: docs/spec/isa.md and docs/spec/convergence.md.
 *
 * `weft cc` compiles with it, by GCC or by Clang 16 and newer (docs/spec/toolchain.md). By hand:
 *     riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -mcmodel=medlow -O2 \
 *         -ffreestanding -fno-pic -msmall-data-limit=0
 * The macros write .insn, so no compiler or assembler has to know Xweft.
 *
 * How to use it
 * -------------
 * Push a token where paths part and meet with the matching _HERE macro where they join. Between the
 * two is plain C: if, loops, break, continue, goto, calls.
 *
 *     WEFT_SSY(join);
 *     if (condition) { ... } else { ... }
 *     WEFT_SYNC_HERE(join);               // threads wait here for the others; defines the label
 *
 *     WEFT_PBK(done);
 *     while (...) { ... if (...) break; ... }
 *     WEFT_BRK_HERE(done);
 *
 *     while (...) {
 *         WEFT_PCNT(next);                // inside the loop: a new token for each iteration
 *         if (...) goto skip; ...
 *     skip:
 *         WEFT_CONT_HERE(next);
 *     }
 *
 * What may go wrong, and what may not
 * -----------------------------------
 * Convergence is advice. Wherever the tokens are put, each thread computes what it would compute
 * alone; a badly placed token costs time, never correctness. A LEAVE is a jump, though: the thread
 * goes on at its label, at once or when the warp gathers there, and GCC knows that.
 *
 * A token has an effect only when push and leave name the same address.
 *
 * Reliable under -O0 to -O3 and -Os (isa/tests/header.rs compiles examples and compares addresses):
 *   - A push, and the _HERE macro of its label. The leave jumps to the next instruction, so it is
 *     the label's only way in and GCC has nothing to put between the two. The header turns off three
 *     optimizations that would copy the leave for a path on which GCC knows how a later branch goes
 *     (thread-jumps, split-paths, unswitch-loops), for all functions after the #include.
 *   - Several pushes for one _HERE, pushes in loops, nesting, inlined functions.
 *   - WEFT_YIELD, WEFT_EXIT, WEFT_START and the thread numbers.
 *
 * Not reliable, only correct: everything a compiler makes copies of.
 *   - A loop that GCC unrolls completely (-O3; where it is short from -O1 on): each copy's leave goes to
 *     a label of its own, the push names the first one's, and the threads do not wait for each other.
 *     `#pragma GCC unroll 1` in front of the loop keeps it whole.
 *   - Clang copies code as it likes; the three options above are GCC's.
 *
 * Not reliable, only correct: leaves away from their label, WEFT_SYNC(label), WEFT_BRK_NEZ(condition,
 * label) and so on, with the label placed by WEFT_JOIN(label).
 *   - When a label is reached in several ways, GCC may move code for one of them (a constant, a copy
 *     of a variable) to a stub in front of the label and send the leave there. The stub has another
 *     address than the push names, and the threads do not wait for each other. Compare the labels in
 *     the -S output, or write such a loop in assembly.
 *
 * Limits:
 *   - A push names its label by address (&&label), which needs -fno-pic. A function that is inlined
 *     has labels of its own in each copy.
 *   - GCC may move computations without side effects across pushes and leaves, also from behind the
 *     join to before it. The "memory" clobbers keep loads and stores in place.
 *   - A leave and its label are at most 4 KiB apart (a _HERE: 4 bytes), a push and its label 1 MiB.
 *     The assembler reports what is too far.
 *   - Labels are those of one function: a token for the return of a C function cannot be named. Put
 *     the push before and the _HERE after the call.
 *   - Not in functions declared const or pure, and not with -flto.
 *
 * Masks
 * -----
 * Three ways to write one `if`, with the same result (docs/spec/masks.md; kernels/masks/):
 *
 *     WEFT_SSY(join);                     // tokens: the two paths run one after the other
 *     if (a > b) x = a * a - b; else x = b * b - a;
 *     WEFT_SYNC_HERE(join);
 *
 *     WEFT_MASK_SET(1, a > b);            // exec mask (AMD): both paths run, threads switched off
 *     WEFT_SAVE_EXEC_AND(0, 1);           // m0 = exec; exec &= m1
 *     x = a * a - b;                      // (see below)
 *     WEFT_EXEC_ANDN(0);                  // else: exec = m0 & ~exec
 *     x = b * b - a;
 *     WEFT_EXEC_RESTORE(0);               // exec |= m0
 *
 *     WEFT_MASK_SET(1, a > b);            // predicated (Nyuzi): the mask guards the write-back
 *     x = b * b - a;
 *     WEFT_MASKED_OP("sub", x, 1, a * a, b);  // x = a * a - b where m1
 *
 * Reliable: WEFT_MASK_SET, WEFT_MASK_LOGIC, and WEFT_MASKED_OP, whose prefix and instruction are one
 * asm. An operation under exec (SAVE to RESTORE) is reliable in assembly only: GCC does not know of
 * exec, and may move any computation without side effects into such a region, where threads that are
 * off do not carry it out, and its result is then missing behind RESTORE. In C keep regions short, write
 * what belongs inside with WEFT_ASSIGN (a volatile move with the old value as an operand), fix variables
 * with a value from before by WEFT_ASSIGN(x, x) in front of SAVE, and look at the -S output
 * (kernels/styles.c is an example). Loads and stores stay in place ("memory" clobbers).
 */
#ifndef WEFT_H
#define WEFT_H

/* Token types that software may use; 6 to 9 have no name. */
#define WEFT_KIND_SYNC 0
#define WEFT_KIND_BREAK 1
#define WEFT_KIND_CONTINUE 2
#define WEFT_KIND_CALL 3
#define WEFT_KIND_LONGJMP 4
#define WEFT_KIND_PEXIT 5

/* Control and status registers. */
#define WEFT_CSR_TID 0xCC0
#define WEFT_CSR_LANE 0xCC1
#define WEFT_CSR_WARP 0xCC2
#define WEFT_CSR_CTA 0xCC3
#define WEFT_CSR_SIZE 0xCC4
#define WEFT_CSR_MASK 0xCC5
#define WEFT_CSR_MASKH 0xCC6
#define WEFT_CSR_WIDTH 0xCC7
#define WEFT_CSR_THREAD 0xCC8
#define WEFT_CSR_BLOCK 0xCC9
#define WEFT_CSR_CTASIZE 0xCCA
#define WEFT_CSR_CTAX 0xCF0
#define WEFT_CSR_CTAY 0xCF1
#define WEFT_CSR_CTAZ 0xCF2
#define WEFT_CSR_GRIDX 0xCF4
#define WEFT_CSR_GRIDY 0xCF5
#define WEFT_CSR_GRIDZ 0xCF6
#define WEFT_CSR_DIMX 0xCF8
#define WEFT_CSR_DIMY 0xCF9
#define WEFT_CSR_DIMZ 0xCFA
/* Priority level of the warp, 0 to 15; the largest goes first where the hardware is set to look at it. */
#define WEFT_CSR_LEVEL 0x800
/* Counters of the scheduler: of this warp, and of all warps together. */
#define WEFT_CSR_WARP_ISSUE 0xCD0
#define WEFT_CSR_WARP_UNIT 0xCD1
#define WEFT_CSR_WARP_HAZARD 0xCD2
#define WEFT_CSR_WARP_FETCH 0xCD3
#define WEFT_CSR_WARP_CONTROL 0xCD4
#define WEFT_CSR_WARP_IDLE 0xCD5
#define WEFT_CSR_WARP_READY 0xCD7
#define WEFT_CSR_WARP_INSTRET 0xCD8
#define WEFT_CSR_ALL_ISSUE 0xCE0
#define WEFT_CSR_ALL_UNIT 0xCE1
#define WEFT_CSR_ALL_HAZARD 0xCE2
#define WEFT_CSR_ALL_FETCH 0xCE3
#define WEFT_CSR_ALL_CONTROL 0xCE4
#define WEFT_CSR_ALL_IDLE 0xCE5
#define WEFT_CSR_ALL_DUAL 0xCE6

/* Words of barriers (docs/spec/barrier.md): WEFT_BAR(kind, condition, count), with the rest by |. 0: all live threads of the CTA. */
#define WEFT_BAR(kind, condition, count) ((kind) << 14 | (condition) << 11 | (count))
#define WEFT_BAR_SIMPLE 0
#define WEFT_BAR_SECTION 1
#define WEFT_BAR_ORDERED 2
#define WEFT_BAR_EVERYBODY 0    /* all threads of the CTA have arrived */
#define WEFT_BAR_ARRIVALS 1     /* that many arrivals */
#define WEFT_BAR_PARTICIPANTS 2 /* that many participating arrivals */
#define WEFT_BAR_TIMEOUT 3      /* timeout */
#define WEFT_BAR_MINIMUM 4      /* timeout, or that many participating arrivals */
#define WEFT_BAR_EXCLUSIVE (1 << 16) /* sections: no other section of this SM runs; other SMs are not kept out */
/* Origin of the timeout: 0 first participating arrival, 1 first of any kind, 2 latest participating one, 3 latest of any kind. */
#define WEFT_BAR_ORIGIN(origin) ((origin) << 17)
/* Who comes late to an impatient barrier. */
#define WEFT_BAR_LATE_JOINS (0 << 19)
#define WEFT_BAR_LATE_RUNS (1 << 19)
#define WEFT_BAR_LATE_SKIPS (2 << 19)
#define WEFT_BAR_LATE_PASSES (3 << 19) /* simple barriers: the id is invalid until all have come */
/* In units of 256 cycles, 1 to 2047. */
#define WEFT_BAR_TICKS(ticks) ((ticks) * 0x200000)

#ifdef __ASSEMBLER__

/* In assembly: kind is a number or WEFT_KIND_..., rs1 a register, label a symbol. */
#define WEFT_REGISTER_(kind) x##kind
#define WEFT_REGISTER(kind) WEFT_REGISTER_(kind)

#define WEFT_PUSH(kind, label) .insn j 0x0B, WEFT_REGISTER(kind), label
#define WEFT_LEAVE(kind, label) .insn b 0x2B, 0, x0, WEFT_REGISTER(kind), label
#define WEFT_LEAVE_NEZ(kind, rs1, label) .insn b 0x2B, 1, rs1, WEFT_REGISTER(kind), label
#define WEFT_LEAVE_EQZ(kind, rs1, label) .insn b 0x2B, 2, rs1, WEFT_REGISTER(kind), label
/* Leave for the address in rs1 + offset; WEFT_WRET is the return from a call with a CALL token. */
#define WEFT_LEAVE_R(kind, offset, rs1) .insn i 0x5B, 0, WEFT_REGISTER(kind), offset(rs1)
#define WEFT_WRET(rs1) WEFT_LEAVE_R(WEFT_KIND_CALL, 0, rs1)
#define WEFT_YIELD() .insn i 0x5B, 1, x0, 0(x0)
#define WEFT_EXIT() .insn i 0x5B, 2, x0, 0(x0)
/* Barriers: id is 0 to 7, word, parity and condition are registers. */
#define WEFT_BAR_TOP(id, word) .insn r 0x7B, 0, 0, WEFT_REGISTER(id), x0, word
#define WEFT_BAR_TOP_NEZ(id, condition, word) .insn r 0x7B, 0, 1, WEFT_REGISTER(id), condition, word
#define WEFT_BAR_SYNC(id) WEFT_BAR_TOP(id, x0)
#define WEFT_BAR_BOTTOM(id) .insn r 0x7B, 1, 0, WEFT_REGISTER(id), x0, x0
#define WEFT_BAR_BOTTOM_NB(id) .insn r 0x7B, 1, 1, WEFT_REGISTER(id), x0, x0
#define WEFT_BAR_RESET(id) .insn r 0x7B, 2, 0, WEFT_REGISTER(id), x0, x0
#define WEFT_BAR_ARRIVE(id, word) .insn r 0x7B, 3, 0, WEFT_REGISTER(id), x0, word
#define WEFT_BAR_WAIT(id, parity) .insn r 0x7B, 4, 0, WEFT_REGISTER(id), parity, x0
/* Masks: md, ms, ma, mb are 0 to 7 for m0 to m7, 8 for exec; op is one of WEFT_MOP_... */
#define WEFT_MASK_LOGIC(op, md, ma, mb) \
    .insn r 0x5B, 3, op, WEFT_REGISTER(md), WEFT_REGISTER(ma), WEFT_REGISTER(mb)
#define WEFT_MASK_SAVE(op, md, ms) .insn r 0x5B, 3, 8 + op, WEFT_REGISTER(md), WEFT_REGISTER(ms), x0
#define WEFT_MASK_SET(md, rs1) .insn r 0x5B, 4, 0, WEFT_REGISTER(md), rs1, x0
#define WEFT_MASK_BRANCH(cond, ms, label) \
    .insn b 0x5B, 5, WEFT_REGISTER(ms), WEFT_REGISTER(cond), label
#define WEFT_PREDICATE(ms, count) .insn i 0x5B, 6, x0, count(WEFT_REGISTER(ms))
#define WEFT_SUBV_START(label) .insn j 0x0B, x12, label
#define WEFT_SUBV_AUTO(label) .insn j 0x0B, x28, label
/* Level of the warp from a register; a counter, WEFT_CSR_..., into a register. */
#define WEFT_SET_LEVEL(rs1) csrw WEFT_CSR_LEVEL, rs1
#define WEFT_COUNTER(rd, counter) csrr rd, counter
#define WEFT_JOIN(label) label:
#define WEFT_HERE(kind, label) WEFT_LEAVE(kind, label); WEFT_JOIN(label)

#else

/* Keeps a leave in one place: a second copy would have a label that no push names. */
#ifdef __GNUC__
#pragma GCC optimize("no-thread-jumps", "no-split-paths", "no-unswitch-loops")
#endif

#define WEFT_TEXT_(text) #text
#define WEFT_TEXT(text) WEFT_TEXT_(text)

/* A condition as one register: nonzero or zero. */
#define WEFT_CONDITION(condition) \
    (sizeof(condition) > sizeof(unsigned) ? (unsigned)((condition) != 0) : (unsigned)(condition))

/* Threads of the warp that leave for `label` will meet there. Not a jump, so the label's address is
 * an operand: GCC would use a jump's edge to put code in front of the label. */
#define WEFT_PUSH(kind, label) \
    do { \
        WEFT_KEEP_LABEL_(label); \
        __asm__ volatile(".insn j 0x0B, x" WEFT_TEXT(kind) ", %0" : : "i"(&&label) : "memory"); \
    } while (0)

/* CC-051: of a label that nothing jumps to, Clang takes the address to be 1. This is a jump that never happens. */
#ifdef __clang__
#define WEFT_KEEP_LABEL_(label) __asm__ goto("" : : : : label)
#else
#define WEFT_KEEP_LABEL_(label) ((void)0)
#endif

/* All active threads go to `label`; what follows is not reached. */
#define WEFT_LEAVE(kind, label) \
    do { \
        __asm__ goto(".insn b 0x2B, 0, x0, x" WEFT_TEXT(kind) ", %l0" : : : "memory" : label); \
        __builtin_unreachable(); \
    } while (0)

/* Threads with a true (false) condition go to `label`, the others go on. */
#define WEFT_LEAVE_NEZ(kind, condition, label) \
    __asm__ goto(".insn b 0x2B, 1, %0, x" WEFT_TEXT(kind) ", %l1" \
                 : : "r"(WEFT_CONDITION(condition)) : "memory" : label)
#define WEFT_LEAVE_EQZ(kind, condition, label) \
    __asm__ goto(".insn b 0x2B, 2, %0, x" WEFT_TEXT(kind) ", %l1" \
                 : : "r"(WEFT_CONDITION(condition)) : "memory" : label)

/* A label for leaves elsewhere. The empty asm keeps GCC from merging it with what follows. */
#define WEFT_JOIN(label) \
    label: \
    __asm__ volatile("" : : : "memory")

/*
 * Masks: md, ms, ma, mb are 0 to 7 for m0 to m7, 8 for exec; op is one of WEFT_MOP_...
 * Write them as literal numbers.
 */
#define WEFT_MASK_LOGIC(op, md, ma, mb) \
    __asm__ volatile(".insn r 0x5B, 3, " WEFT_TEXT(op) ", x" WEFT_TEXT(md) ", x" WEFT_TEXT(ma) \
                     ", x" WEFT_TEXT(mb) : : : "memory")
#define WEFT_MASK_SAVE(op, md, ms) \
    __asm__ volatile(".insn r 0x5B, 3, 8 + " WEFT_TEXT(op) ", x" WEFT_TEXT(md) ", x" WEFT_TEXT(ms) \
                     ", x0" : : : "memory")
/* md = the active threads whose condition is true. */
#define WEFT_MASK_SET(md, condition) \
    __asm__ volatile(".insn r 0x5B, 4, 0, x" WEFT_TEXT(md) ", %0, x0" \
                     : : "r"(WEFT_CONDITION(condition)) : "memory")
/* The warp goes to `label` if ms is ...; cond is one of WEFT_MCOND_... */
#define WEFT_MASK_BRANCH(cond, ms, label) \
    __asm__ goto(".insn b 0x5B, 5, x" WEFT_TEXT(ms) ", x" WEFT_TEXT(cond) ", %l0" \
                 : : : "memory" : label)
/* variable = value in the threads that are on; the others keep what they have. */
#define WEFT_ASSIGN(variable, value) \
    __asm__ volatile("mv %0, %1" : "+r"(variable) : "r"(value) : "memory")
/* variable = left op right in the threads of ms, for an instruction `op` with three registers. */
#define WEFT_MASKED_OP(op, variable, ms, left, right) \
    __asm__ volatile(".insn i 0x5B, 6, x0, 1(x" WEFT_TEXT(ms) ")\n\t" op " %0, %1, %2" \
                     : "+r"(variable) : "r"(left), "r"(right) : "memory")
/* Number of ones, and low word, of a mask. */
#define WEFT_MASK_COUNT(ms) WEFT_MASK_READ_(3, ms)
#define WEFT_MASK_LOW(ms) WEFT_MASK_READ_(1, ms)
#define WEFT_MASK_READ_(what, ms) \
    ({ \
        unsigned weft_value_; \
        __asm__ volatile(".insn r 0x5B, 4, " #what ", %0, x" WEFT_TEXT(ms) ", x0" \
                         : "=r"(weft_value_) : : "memory"); \
        weft_value_; \
    })
/* A sub-vector loop from here to WEFT_SYNC_HERE(label); AUTO: if the mode selection says so. */
#define WEFT_SUBV_START(label) __asm__ volatile(".insn j 0x0B, x12, %0" : : "i"(&&label) : "memory")
#define WEFT_SUBV_AUTO(label) __asm__ volatile(".insn j 0x0B, x28, %0" : : "i"(&&label) : "memory")

/* Defines `label` here; threads that come along wait for those of the token. */
#define WEFT_HERE(kind, label) \
    WEFT_LEAVE(kind, label); \
    WEFT_JOIN(label)

/* Lets threads of the warp run that wait elsewhere: call it where a thread waits for another. */
#define WEFT_YIELD() __asm__ volatile(".insn i 0x5B, 1, x0, 0(x0)" : : : "memory")

/*
 * Barriers. id is a literal 0 to 7, word a value of WEFT_BAR.
 *
 * CC-050: the machine knows a barrier by its id and the address of its TOP, and compilers copy code. So the TOP of an
 * id stands in a function of its own, once in the program, whichever file, copy or inlined function calls it: all
 * places with one id are one barrier. Copies of a BOTTOM do no harm: a thread that comes to another one than the first
 * waits there until the group has ended.
 */
#define WEFT_BAR_TOP(id, word) WEFT_BAR_TOP_NEZ(id, 1, word)
/* Threads with a true condition participate; the others go on. */
#define WEFT_BAR_TOP_NEZ(id, condition, word) \
    do { \
        register unsigned weft_word_ __asm__("t1") = (unsigned)(word); \
        register unsigned weft_joins_ __asm__("t2") = WEFT_CONDITION(condition); \
        __asm__ volatile(WEFT_ONCE_("weft_bar_top_" WEFT_TEXT(id), \
                                    ".insn r 0x7B, 0, 1, x" WEFT_TEXT(id) ", t2, t1") \
                         : : "r"(weft_word_), "r"(weft_joins_) : "t0", "memory"); \
    } while (0)
/* Calls `name`, a function of one instruction. The first use in a file brings it along; the linker keeps one of all. */
#define WEFT_ONCE_(name, instruction) \
    ".ifndef " name "\n" \
    "\t.pushsection .text." name ",\"ax\",@progbits\n" \
    "\t.align 2\n" \
    "\t.weak " name "\n" \
    name ":\n" \
    "\t" instruction "\n" \
    "\tjr t0\n" \
    "\t.popsection\n" \
    "\t.endif\n" \
    "\tjal t0, " name
/* All live threads of the CTA meet here. */
#define WEFT_BAR_SYNC(id) WEFT_BAR_TOP(id, 0)
/* Leaves the section; waits until all have run it. */
#define WEFT_BAR_BOTTOM(id) __asm__ volatile(".insn r 0x7B, 1, 0, x" WEFT_TEXT(id) ", x0, x0" : : : "memory")
/* Leaves the section and goes on. */
#define WEFT_BAR_BOTTOM_NB(id) __asm__ volatile(".insn r 0x7B, 1, 1, x" WEFT_TEXT(id) ", x0, x0" : : : "memory")
#define WEFT_BAR_RESET(id) __asm__ volatile(".insn r 0x7B, 2, 0, x" WEFT_TEXT(id) ", x0, x0" : : : "memory")
/* Arrive now, wait later: for the end of the phase with this parity (0, 1, 0 ...). */
#define WEFT_BAR_ARRIVE(id, word) \
    __asm__ volatile(".insn r 0x7B, 3, 0, x" WEFT_TEXT(id) ", x0, %z0" : : "rJ"(word) : "memory")
#define WEFT_BAR_WAIT(id, parity) \
    __asm__ volatile(".insn r 0x7B, 4, 0, x" WEFT_TEXT(id) ", %z0, x0" : : "rJ"(parity) : "memory")

/* Ends the thread. */
#define WEFT_EXIT() \
    do { \
        __asm__ volatile(".insn i 0x5B, 2, x0, 0(x0)" : : : "memory"); \
        __builtin_unreachable(); \
    } while (0)

/*
 * The program's entry, once per program, outside functions:
 *     void kernel(unsigned thread, unsigned threads) { ... }
 *     WEFT_START(kernel)
 * Each thread starts with its stack in sp and a0, a1 = thread number, threads in the grid; it calls
 * the function and ends. The function must not be static.
 */
#define WEFT_START(function) \
    __asm__(".pushsection .text,\"ax\",@progbits\n" \
            "\t.align\t2\n" \
            "\t.globl\t_start\n" \
            "_start:\n" \
            "\t.option\tpush\n" \
            "\t.option\tnorelax\n" \
            "\tla\tgp, __global_pointer$\n" \
            "\t.option\tpop\n" \
            "\tcall\t" #function "\n" \
            "\t.insn\ti 0x5B, 2, x0, 0(x0)\n" \
            "\t.popsection");

#define WEFT_READ_(number) \
    ({ \
        unsigned weft_value_; \
        __asm__("csrr %0, " WEFT_TEXT(number) : "=r"(weft_value_)); \
        weft_value_; \
    })

/* The warp has this level from now on; of threads with different levels the lowest one's counts. Say it where a warp is about to hold up others. */
#define WEFT_SET_LEVEL(level) __asm__ volatile("csrw " WEFT_TEXT(WEFT_CSR_LEVEL) ", %0" : : "r"(level) : "memory")
/* What this thread has written last. */
#define WEFT_LEVEL() WEFT_READ_NOW_(WEFT_CSR_LEVEL)
/* A counter of the scheduler, WEFT_CSR_WARP_... or WEFT_CSR_ALL_...; 0 where there is no scheduler. It counts on: every use reads it again. */
#define WEFT_COUNTER(counter) WEFT_READ_NOW_(counter)
#define WEFT_READ_NOW_(number) \
    ({ \
        unsigned weft_value_; \
        __asm__ volatile("csrr %0, " WEFT_TEXT(number) : "=r"(weft_value_) : : "memory"); \
        weft_value_; \
    })

/* All live threads of the CTA meet, as __syncthreads(). */
static inline void weft_sync(void) { WEFT_BAR_SYNC(0); }

/* A critical section of all threads of the CTA, one at a time in the order of their numbers. */
#define WEFT_SECTION_ENTER(id) WEFT_BAR_TOP(id, WEFT_BAR(WEFT_BAR_ORDERED, WEFT_BAR_EVERYBODY, 0))
/* The same for those with a true condition; the others wait for nobody, and must not come to the _LEAVE. */
#define WEFT_SECTION_ENTER_IF(id, condition) \
    WEFT_BAR_TOP_NEZ(id, condition, WEFT_BAR(WEFT_BAR_ORDERED, WEFT_BAR_EVERYBODY, 0))
#define WEFT_SECTION_LEAVE(id) WEFT_BAR_BOTTOM(id)

/* Thread number in the grid. */
static inline unsigned weft_tid(void) { return WEFT_READ_(WEFT_CSR_TID); }
/* Thread number in the warp. */
static inline unsigned weft_lane(void) { return WEFT_READ_(WEFT_CSR_LANE); }
/* Warp number. */
static inline unsigned weft_warp(void) { return WEFT_READ_(WEFT_CSR_WARP); }
/* CTA number. */
static inline unsigned weft_cta(void) { return WEFT_READ_(WEFT_CSR_CTA); }
/* Threads in the grid. */
static inline unsigned weft_size(void) { return WEFT_READ_(WEFT_CSR_SIZE); }
/* Threads per warp. */
static inline unsigned weft_width(void) { return WEFT_READ_(WEFT_CSR_WIDTH); }

/* Of a launch on the SM (docs/spec/isa.md, ISA-012): number in the CTA, warp in the CTA, threads of the own CTA.
   Without a launch the last CTA of a grid may be smaller: a full one has weft_dim_x() threads. */
static inline unsigned weft_thread(void) { return WEFT_READ_(WEFT_CSR_THREAD); }
static inline unsigned weft_block(void) { return WEFT_READ_(WEFT_CSR_BLOCK); }
static inline unsigned weft_cta_size(void) { return WEFT_READ_(WEFT_CSR_CTASIZE); }
/* Place of the CTA in the grid, CTAs of the grid, threads of a CTA, along x, y and z. */
static inline unsigned weft_cta_x(void) { return WEFT_READ_(WEFT_CSR_CTAX); }
static inline unsigned weft_cta_y(void) { return WEFT_READ_(WEFT_CSR_CTAY); }
static inline unsigned weft_cta_z(void) { return WEFT_READ_(WEFT_CSR_CTAZ); }
static inline unsigned weft_grid_x(void) { return WEFT_READ_(WEFT_CSR_GRIDX); }
static inline unsigned weft_grid_y(void) { return WEFT_READ_(WEFT_CSR_GRIDY); }
static inline unsigned weft_grid_z(void) { return WEFT_READ_(WEFT_CSR_GRIDZ); }
static inline unsigned weft_dim_x(void) { return WEFT_READ_(WEFT_CSR_DIMX); }
static inline unsigned weft_dim_y(void) { return WEFT_READ_(WEFT_CSR_DIMY); }
static inline unsigned weft_dim_z(void) { return WEFT_READ_(WEFT_CSR_DIMZ); }

/* Place of the thread in its CTA along x, y and z. */
static inline unsigned weft_thread_x(void) { return weft_thread() % weft_dim_x(); }
static inline unsigned weft_thread_y(void) { return weft_thread() / weft_dim_x() % weft_dim_y(); }
static inline unsigned weft_thread_z(void) { return weft_thread() / (weft_dim_x() * weft_dim_y()); }

/* The scratchpad of the CTA: words that its threads share, of which nobody knows what they hold at the start.
 * What others have written is there behind a barrier; a loop that waits for it needs volatile or atomics. */
static inline unsigned *weft_scratchpad(void) { return (unsigned *)0xd0000000u; }
/* CC-016: a variable in the scratchpad, outside functions or static: `WEFT_SHARED unsigned sums[64];`.
 * It has no value at the start. `weft run` and the driver give each CTA room for all of them; then do not use weft_scratchpad(). */
#define WEFT_SHARED __attribute__((section(".weft_shared")))
/* Active mask at this instruction. The program's results should not depend on it. */
static inline unsigned long long weft_mask(void)
{
    unsigned low, high;
    __asm__ volatile("csrr %0, " WEFT_TEXT(WEFT_CSR_MASK) : "=r"(low) : : "memory");
    __asm__ volatile("csrr %0, " WEFT_TEXT(WEFT_CSR_MASKH) : "=r"(high) : : "memory");
    return (unsigned long long)high << 32 | low;
}

#endif /* __ASSEMBLER__ */

#define WEFT_EXEC 8
#define WEFT_MOP_AND 0
#define WEFT_MOP_OR 1
#define WEFT_MOP_XOR 2
#define WEFT_MOP_ANDN 3
#define WEFT_MOP_NAND 4
#define WEFT_MOP_NOR 5
#define WEFT_MOP_XNOR 6
#define WEFT_MOP_ORN 7
#define WEFT_MCOND_ZERO 0
#define WEFT_MCOND_NONZERO 1
#define WEFT_MCOND_ONES 2
#define WEFT_MCOND_NOTONES 3

/* In the words of AMD's s_and_saveexec, s_cbranch_execz and so on. */
#define WEFT_SAVE_EXEC_AND(md, ms) WEFT_MASK_SAVE(WEFT_MOP_AND, md, ms)
#define WEFT_EXEC_AND(ms) WEFT_MASK_LOGIC(WEFT_MOP_AND, WEFT_EXEC, ms, WEFT_EXEC)
/* Else: those of the saved mask that are not on now. */
#define WEFT_EXEC_ANDN(saved) WEFT_MASK_LOGIC(WEFT_MOP_ANDN, WEFT_EXEC, saved, WEFT_EXEC)
#define WEFT_EXEC_RESTORE(saved) WEFT_MASK_LOGIC(WEFT_MOP_OR, WEFT_EXEC, WEFT_EXEC, saved)
#define WEFT_BRANCH_EXECZ(label) WEFT_MASK_BRANCH(WEFT_MCOND_ZERO, WEFT_EXEC, label)
#define WEFT_BRANCH_EXECNZ(label) WEFT_MASK_BRANCH(WEFT_MCOND_NONZERO, WEFT_EXEC, label)

/* The same by name of the token type, for C and assembly. */
#define WEFT_SSY(label) WEFT_PUSH(WEFT_KIND_SYNC, label)
#define WEFT_PBK(label) WEFT_PUSH(WEFT_KIND_BREAK, label)
#define WEFT_PCNT(label) WEFT_PUSH(WEFT_KIND_CONTINUE, label)
#define WEFT_PCAL(label) WEFT_PUSH(WEFT_KIND_CALL, label)
#define WEFT_PLONGJMP(label) WEFT_PUSH(WEFT_KIND_LONGJMP, label)
#define WEFT_PPEXIT(label) WEFT_PUSH(WEFT_KIND_PEXIT, label)

#define WEFT_SYNC_HERE(label) WEFT_HERE(WEFT_KIND_SYNC, label)
#define WEFT_BRK_HERE(label) WEFT_HERE(WEFT_KIND_BREAK, label)
#define WEFT_CONT_HERE(label) WEFT_HERE(WEFT_KIND_CONTINUE, label)
#define WEFT_CALL_HERE(label) WEFT_HERE(WEFT_KIND_CALL, label)
#define WEFT_LONGJMP_HERE(label) WEFT_HERE(WEFT_KIND_LONGJMP, label)
#define WEFT_LPEXIT_HERE(label) WEFT_HERE(WEFT_KIND_PEXIT, label)

#define WEFT_SYNC(label) WEFT_LEAVE(WEFT_KIND_SYNC, label)
#define WEFT_SYNC_NEZ(condition, label) WEFT_LEAVE_NEZ(WEFT_KIND_SYNC, condition, label)
#define WEFT_SYNC_EQZ(condition, label) WEFT_LEAVE_EQZ(WEFT_KIND_SYNC, condition, label)
#define WEFT_BRK(label) WEFT_LEAVE(WEFT_KIND_BREAK, label)
#define WEFT_BRK_NEZ(condition, label) WEFT_LEAVE_NEZ(WEFT_KIND_BREAK, condition, label)
#define WEFT_BRK_EQZ(condition, label) WEFT_LEAVE_EQZ(WEFT_KIND_BREAK, condition, label)
#define WEFT_CONT(label) WEFT_LEAVE(WEFT_KIND_CONTINUE, label)
#define WEFT_CONT_NEZ(condition, label) WEFT_LEAVE_NEZ(WEFT_KIND_CONTINUE, condition, label)
#define WEFT_CONT_EQZ(condition, label) WEFT_LEAVE_EQZ(WEFT_KIND_CONTINUE, condition, label)
#define WEFT_LONGJMP(label) WEFT_LEAVE(WEFT_KIND_LONGJMP, label)
#define WEFT_LONGJMP_NEZ(condition, label) WEFT_LEAVE_NEZ(WEFT_KIND_LONGJMP, condition, label)
#define WEFT_LONGJMP_EQZ(condition, label) WEFT_LEAVE_EQZ(WEFT_KIND_LONGJMP, condition, label)
#define WEFT_LPEXIT(label) WEFT_LEAVE(WEFT_KIND_PEXIT, label)
#define WEFT_LPEXIT_NEZ(condition, label) WEFT_LEAVE_NEZ(WEFT_KIND_PEXIT, condition, label)
#define WEFT_LPEXIT_EQZ(condition, label) WEFT_LEAVE_EQZ(WEFT_KIND_PEXIT, condition, label)

#endif /* WEFT_H */
