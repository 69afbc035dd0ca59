// C interface of one Verilated weft_control; compiled once per model (`handle.h`).
#include "handle.h"
#include "shim.h"

extern "C" {

void FN(settle)(void* p, const WeftIn* in, WeftOut* out) {
    Handle* h = static_cast<Handle*>(p);
    MODEL* m = h->model;
    h->enter();
    m->reset = in->reset;
    m->cfg_yield_every = in->cfg_yield_every;
    m->cfg_forced_yield = in->cfg_forced_yield;
    m->cfg_yield_random = in->cfg_yield_random;
    m->cfg_yield_threshold = in->cfg_yield_threshold;
    m->cfg_yield_seed = in->cfg_yield_seed;
    m->cfg_path = in->cfg_path;
    m->cfg_lanes = in->cfg_lanes;
    m->cfg_recenter = in->cfg_recenter;
    m->launch_valid = in->launch_valid;
    m->launch_warp = in->launch_warp;
    m->launch_pc = in->launch_pc;
    m->launch_mask = in->launch_mask;
    m->launch_base = in->launch_base;
    m->launch_size = in->launch_size;
    m->issue_ready = in->issue_ready;
    m->resolve_valid = in->resolve_valid;
    m->resolve_warp = in->resolve_warp;
    m->resolve_op = in->resolve_op;
    m->resolve_kind = in->resolve_kind;
    m->resolve_mask = in->resolve_mask;
    m->resolve_target = in->resolve_target;
    m->spill_request_ready = in->spill_request_ready;
    m->spill_response_valid = in->spill_response_valid;
    m->spill_response_write = in->spill_response_write;
    m->spill_response_tag = in->spill_response_tag;
    put(m->spill_response_data, in->spill_response_data);
    m->config_valid = in->config_valid;
    m->config_write = in->config_write;
    m->config_warp = in->config_warp;
    m->config_register = in->config_register;
    m->config_data = in->config_data;
    m->eval();
    h->stale = false;
    out->launch_ready = m->launch_ready;
    out->issue_valid = m->issue_valid;
    out->issue_warp = m->issue_warp;
    out->issue_pc = m->issue_pc;
    out->issue_mask = m->issue_mask;
    out->resolve_ready = m->resolve_ready;
    out->retire_valid = m->retire_valid;
    out->retire_warp = m->retire_warp;
    out->retire_op = m->retire_op;
    out->retire_pc = m->retire_pc;
    out->retire_next_pc = m->retire_next_pc;
    out->retire_next_mask = m->retire_next_mask;
    out->retire_done = m->retire_done;
    out->retire_blocked = m->retire_blocked;
    out->retire_depth = m->retire_depth;
    out->retire_front_kind = m->retire_front_kind;
    out->retire_front_mask = m->retire_front_mask;
    out->retire_front_pc = m->retire_front_pc;
    out->retire_front_below = m->retire_front_below;
    out->retire_dropped = m->retire_dropped;
    out->exception_valid = m->exception_valid;
    out->exception_warp = m->exception_warp;
    out->exception_pc = m->exception_pc;
    out->exception_cause = m->exception_cause;
    out->status_busy = m->status_busy;
    out->status_moving = m->status_moving;
    out->status_dropped = m->status_dropped;
    out->status_recentered = m->status_recentered;
    out->spill_request_valid = m->spill_request_valid;
    out->spill_request_write = m->spill_request_write;
    out->spill_request_last = m->spill_request_last;
    out->spill_request_tag = m->spill_request_tag;
    out->spill_request_address = m->spill_request_address;
    get(m->spill_request_data, out->spill_request_data);
    out->spill_response_ready = m->spill_response_ready;
    out->config_ready = m->config_ready;
    out->config_done = m->config_done;
    out->config_result = m->config_result;
}
}
