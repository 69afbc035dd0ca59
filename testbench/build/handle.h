// What every Verilated model has in common behind its C interface. Included once per model, with MODEL (class), HEADER (its
// header), INSTANCE (name of the top module, a string) and FN(x) (function prefix) defined.
#pragma once
#include HEADER
#include <verilated.h>
#if VM_TRACE
#include <verilated_vcd_c.h>
#else
class VerilatedVcdC;
#endif

#include <cstddef>
#include <cstdint>
#include <mutex>

// Verilator's runtime registers contexts in a global list without a lock of its own. One lock for all models.
inline std::mutex& weft_creation() {
    static std::mutex lock;
    return lock;
}

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

// A port as 64-bit words, the low one first. Verilator has plain words up to 64 bits, and arrays of 32-bit words above.
template <typename T>
void put(T& port, const uint64_t* words) {
    port = static_cast<T>(words[0]);
}
template <typename T>
void get(const T& port, uint64_t* words) {
    words[0] = port;
}
template <std::size_t N>
void put(VlWide<N>& port, const uint64_t* words) {
    for (std::size_t n = 0; n < N; ++n) port[n] = static_cast<EData>(words[n / 2] >> (n % 2 * 32));
}
template <std::size_t N>
void get(const VlWide<N>& port, uint64_t* words) {
    for (std::size_t n = 0; n < N; n += 2)
        words[n / 2] = port[n] | (n + 1 < N ? static_cast<uint64_t>(port[n + 1]) << 32 : 0);
}
}  // namespace

extern "C" {

// `seed` = 0: registers and memories without initial value start as zero; else random from the seed.
void* FN(new)(int seed) {
    std::lock_guard<std::mutex> lock(weft_creation());
    Handle* h = new Handle;
    h->enter();
    h->context.traceEverOn(VM_TRACE);
    h->context.fatalOnError(false);
    if (seed != 0) {
        h->context.randReset(2);
        h->context.randSeed(seed);
    }
    h->model = new MODEL{&h->context, INSTANCE};
    h->model->clock = 0;
    h->model->eval();  // the first evaluation only records the clock's level
    return h;
}

void FN(delete)(void* p) {
    std::lock_guard<std::mutex> lock(weft_creation());
    Handle* h = static_cast<Handle*>(p);
    h->enter();
    h->model->final();
    delete h->model;
    delete h;
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

// To be called before `vcd` is opened; the file belongs to the caller and must be closed before FN(delete). Of a model without waves
// it stays empty.
void FN(trace)(void* p, VerilatedVcdC* vcd) {
#if VM_TRACE
    Handle* h = static_cast<Handle*>(p);
    h->enter();
    h->model->trace(vcd, 99);
#else
    (void)p;
    (void)vcd;
#endif
}
}
