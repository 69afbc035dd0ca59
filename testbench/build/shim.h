// Inputs and outputs of weft_control as they cross from Rust to C++; mirrored by `Raw*` in src/verilated.rs.
#pragma once
#include <cstdint>

struct WeftIn {
    uint64_t spill_response_data[2];  // the low word first; of 64-bit tokens only the first
    uint64_t launch_mask, resolve_mask;
    uint32_t launch_pc, launch_base, resolve_target, config_data;
    uint16_t cfg_yield_every, cfg_forced_yield, cfg_yield_threshold, cfg_yield_seed;
    uint16_t launch_size, spill_response_tag;
    uint8_t cfg_yield_random, cfg_path, cfg_lanes, cfg_recenter, reset, launch_valid, launch_warp, issue_ready;
    uint8_t resolve_valid, resolve_warp, resolve_op, resolve_kind;
    uint8_t spill_request_ready, spill_response_valid, spill_response_write;
    uint8_t config_valid, config_write, config_warp, config_register;
};

struct WeftOut {
    uint64_t spill_request_data[2];
    uint64_t issue_mask, retire_next_mask, retire_front_mask, status_busy, status_moving;
    uint32_t issue_pc, retire_pc, retire_next_pc, retire_front_pc, exception_pc;
    uint32_t status_dropped, status_recentered, spill_request_address, config_result;
    uint16_t retire_depth, spill_request_tag;
    uint8_t launch_ready, issue_valid, issue_warp, resolve_ready;
    uint8_t retire_valid, retire_warp, retire_op, retire_done, retire_blocked;
    uint8_t retire_front_kind, retire_front_below, retire_dropped;
    uint8_t exception_valid, exception_warp, exception_cause;
    uint8_t spill_request_valid, spill_request_write, spill_request_last, spill_response_ready;
    uint8_t config_ready, config_done;
};
