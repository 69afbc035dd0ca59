// C interface of one Verilated weft_control. Compiled once per model with MODEL (class), HEADER (its header)
// and FN(x) (function prefix) defined.
#include HEADER
#include <verilated.h>
#include <verilated_vcd_c.h>

#include "shim.h"

namespace {
struct Handle {
    VerilatedContext context;
    MODEL* model = nullptr;
    bool stale = false;  // the clock has fallen, but the model has not been evaluated since
    // The runtime reports $finish, errors and the end of scopes to the thread's current context, not to the
    // model's own: make it current first, or two models in one thread disturb each other.
    void enter() {
        if (Verilated::threadContextp() != &context) Verilated::threadContextp(&context);
    }
};
}  // namespace

extern "C" {

// `seed` = 0: registers and memories without initial value start as zero; else random from the seed.
void* FN(new)(int seed) {
    Handle* h = new Handle;
    h->enter();
    h->context.traceEverOn(true);
    h->context.fatalOnError(false);
    if (seed != 0) {
        h->context.randReset(2);
        h->context.randSeed(seed);
    }
    h->model = new MODEL{&h->context, "weft_control"};
    h->model->clock = 0;
    h->model->eval();  // the first evaluation only records the clock's level
    return h;
}

void FN(delete)(void* p) {
    Handle* h = static_cast<Handle*>(p);
    h->enter();
    h->model->final();
    delete h->model;
    delete h;
}

void FN(settle)(void* p, const WeftIn* in, WeftOut* out) {
    Handle* h = static_cast<Handle*>(p);
    MODEL* m = h->model;
    h->enter();
    m->reset = in->reset;
    m->cfg_yield_every = in->cfg_yield_every;
    m->cfg_forced_yield = in->cfg_forced_yield;
    m->cfg_path = in->cfg_path;
    m->launch_valid = in->launch_valid;
    m->launch_warp = in->launch_warp;
    m->launch_pc = in->launch_pc;
    m->launch_mask = in->launch_mask;
    m->issue_ready = in->issue_ready;
    m->resolve_valid = in->resolve_valid;
    m->resolve_warp = in->resolve_warp;
    m->resolve_op = in->resolve_op;
    m->resolve_kind = in->resolve_kind;
    m->resolve_mask = in->resolve_mask;
    m->resolve_target = in->resolve_target;
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
    out->status_dropped = m->status_dropped;
}

// The rising edge. The clock falls again without an evaluation of its own: nothing is sensitive to the falling
// edge, and the next settle evaluates anyway.
void FN(rise)(void* p) {
    Handle* h = static_cast<Handle*>(p);
    MODEL* m = h->model;
    h->enter();
    if (h->stale) m->eval();
    m->clock = 1;
    m->eval();
}

void FN(fall)(void* p) {
    Handle* h = static_cast<Handle*>(p);
    h->model->clock = 0;
    h->stale = true;
}

// $stop, $error or a failed assertion was executed.
int FN(failed)(void* p) {
    Handle* h = static_cast<Handle*>(p);
    return h->context.gotError() || h->context.gotFinish();
}

// To be called before `vcd` is opened; the file belongs to the caller and must be closed before FN(delete).
void FN(trace)(void* p, VerilatedVcdC* vcd) {
    Handle* h = static_cast<Handle*>(p);
    h->enter();
    h->model->trace(vcd, 99);
}
}
