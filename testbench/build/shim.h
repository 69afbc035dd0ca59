// Inputs and outputs of weft_control as they cross from Rust to C++; mirrored by `Raw*` in src/verilated.rs.
#pragma once
#include <cstdint>

struct WeftIn {
    uint64_t launch_mask, resolve_mask;
    uint32_t launch_pc, resolve_target;
    uint16_t cfg_yield_every, cfg_forced_yield;
    uint8_t cfg_path, reset, launch_valid, launch_warp, issue_ready;
    uint8_t resolve_valid, resolve_warp, resolve_op, resolve_kind;
};

struct WeftOut {
    uint64_t issue_mask, retire_next_mask, retire_front_mask, status_busy;
    uint32_t issue_pc, retire_pc, retire_next_pc, retire_front_pc, exception_pc, status_dropped;
    uint8_t launch_ready, issue_valid, issue_warp, resolve_ready;
    uint8_t retire_valid, retire_warp, retire_op, retire_done;
    uint8_t retire_depth, retire_front_kind, retire_front_below, retire_dropped;
    uint8_t exception_valid, exception_warp, exception_cause;
};
