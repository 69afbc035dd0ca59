/* The golden model of Weft for test benches in C, C++, SystemVerilog (DPI) and Python.
 *
 *   cargo build --release -p weft-judge      makes target/release/libweft_judge.so
 *
 * Two things are here. A *judge* follows one weft_control of yours: tell it every transfer and pulse at the ports,
 * in their order, and it says whether what retires is right (docs/judge.md).
 * A *machine* runs a program by itself, one operation of one warp at a time, and shows what the threads have computed.
 *
 * Functions that return int: 0 right, 1 wrong (the error function says what), -1 misused, or a fault of the model.
 * Misused is also an op, kind or cause that has no 8 bits: nothing is judged then.
 * A handle belongs to one thread at a time. No function keeps a pointer that it was given. */
#ifndef WEFT_JUDGE_H
#define WEFT_JUDGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* warps 1 to 64, threads 4, 8, 16, 32 or 64; the others are the levels at the ports cfg_yield_every, cfg_forced_yield,
 * cfg_path and cfg_lanes. NULL if there is no such unit: weft_judge_error(NULL) says why. */
void *weft_judge_new(uint32_t warps, uint32_t threads, uint32_t yield_every, uint32_t forced_yield, uint32_t path,
                     uint32_t lanes);
void weft_judge_free(void *judge);

/* A transfer at launch_*, issue_*, resolve_*. pc and target are instruction addresses, as at the ports. */
int weft_judge_launch(void *judge, uint32_t warp, uint32_t pc, uint64_t mask, uint32_t size);
int weft_judge_issue(void *judge, uint32_t warp, uint32_t pc, uint64_t mask);
int weft_judge_resolve(void *judge, uint32_t warp, uint32_t op, uint32_t kind, uint64_t mask, uint32_t target);

/* A cycle with retire_valid, with exception_valid. */
int weft_judge_retire(void *judge, uint32_t warp, uint32_t op, uint32_t pc, uint32_t next_pc, uint64_t next_mask,
                      uint32_t done, uint32_t blocked, uint32_t depth, uint32_t dropped);
int weft_judge_exception(void *judge, uint32_t warp, uint32_t pc, uint32_t cause);

/* Operations that have been compared. A test that ends with 0 has judged nothing. */
uint64_t weft_judge_retired(void *judge);
/* The latest error; valid until the next call with this handle. */
const char *weft_judge_error(const void *judge);

/* path: an ELF file for RV32, or assembly text. grid: threads that are launched, 0 for all.
 * NULL if it cannot be loaded: weft_machine_error(NULL) says why. */
void *weft_machine_load(const char *path, uint32_t warps, uint32_t threads, uint32_t grid, uint32_t forced_yield);
void weft_machine_free(void *machine);

/* 1 if the warp can step: it has not ended, and does not sleep as a whole. */
int weft_machine_runnable(void *machine, uint32_t warp);
/* Retires one operation of the warp, or one forced yield. 1: a fault; the warp has stopped. */
int weft_machine_step(void *machine, uint32_t warp);

/* What the latest step retired. */
enum weft_field {
    WEFT_OP, WEFT_PC, WEFT_MASK, WEFT_NEXT_PC, WEFT_NEXT_MASK, WEFT_DONE, WEFT_BLOCKED, WEFT_DEPTH, WEFT_DROPPED
};
uint64_t weft_machine_record(void *machine, uint32_t field);

uint32_t weft_machine_register(void *machine, uint32_t warp, uint32_t lane, uint32_t number);
/* A word of memory, at a byte address that is a multiple of 4. */
uint32_t weft_machine_word(void *machine, uint32_t address);
int weft_machine_set_word(void *machine, uint32_t address, uint32_t value);
const char *weft_machine_error(const void *machine);

#ifdef __cplusplus
}
#endif

#endif
