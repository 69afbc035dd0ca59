// One Verilated model behind the C interface that every simulated design has, also those of rust-hdl
// (hdl/src/simulation.rs): ports as arrays of 64-bit words.
// Included by a generated file that defines MODEL (class), INSTANCE (name of the top module, a string), INPUTS (words of
// its inputs) and the functions weft_put and weft_get, which know the ports, and weft_rise, which evaluates a rising edge
// of the clock behind a settle.
#pragma once
#include <verilated.h>
#if VM_TRACE
#include <verilated_vcd_c.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>

#if VM_TRACE
// testbench/runtime
struct Wave;
extern "C" int weft_wave_open(const char*, uint64_t, void (*)(void*, VerilatedVcdC*), void*, Wave**);
extern "C" void weft_wave_dump(Wave*);
extern "C" void weft_wave_close(Wave*);
#endif

namespace {
// Verilator's runtime registers contexts in a global list without a lock of its own.
std::mutex creation;

struct Handle {
    VerilatedContext context;
    MODEL* model = nullptr;
    bool settled = false;              // by the inputs of the latest settle
    uint64_t inputs[INPUTS + 1] = {};  // of the latest settle
#if VM_TRACE
    Wave* wave = nullptr;
    void dump() {
        if (wave) weft_wave_dump(wave);
    }
#else
    void dump() {}
#endif
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

void weft_put(MODEL* m, const uint64_t* in);
void weft_get(const MODEL* m, uint64_t* out);
void weft_rise(MODEL* m);
}  // namespace

// All else is hidden (-fvisibility=hidden).
#pragma GCC visibility push(default)
extern "C" {

// `seed` = 0: registers and memories without initial value start as zero; else random from the seed.
// `fault` chooses one of the broken copies in it.
void* weft_new(int seed, int fault) {
    std::lock_guard<std::mutex> lock(creation);
    Handle* h = new Handle;
    h->enter();
    if (fault != 0) {
        const std::string name = "+weft_fault=" + std::to_string(fault);
        const char* arguments[] = {INSTANCE, name.c_str()};
        h->context.commandArgs(2, arguments);
    }
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

void weft_delete(void* p) {
    std::lock_guard<std::mutex> lock(creation);
    Handle* h = static_cast<Handle*>(p);
    h->enter();
#if VM_TRACE
    // The file must be closed while the model it reads is alive.
    if (h->wave) weft_wave_close(h->wave);
#endif
    h->model->final();
    delete h->model;
    delete h;
}

// Evaluates the logic behind the inputs, if they are others than before: an edge leaves it evaluated.
void weft_settle(void* p, const uint64_t* in, uint64_t* out) {
    Handle* h = static_cast<Handle*>(p);
    if (!h->settled || std::memcmp(h->inputs, in, INPUTS * sizeof *in) != 0) {
        h->enter();
        weft_put(h->model, in);
        h->model->eval();
        std::memcpy(h->inputs, in, INPUTS * sizeof *in);
        h->settled = true;
    }
    weft_get(h->model, out);
}

// A clock edge; the outputs are then those of the new state.
void weft_edge(void* p, uint64_t* out) {
    Handle* h = static_cast<Handle*>(p);
    h->enter();
    h->dump();
    weft_rise(h->model);
    h->dump();
    weft_get(h->model, out);
    h->model->clock = 0;
}

// $stop, $error or a failed assertion was executed.
int weft_failed(void* p) {
    Handle* h = static_cast<Handle*>(p);
    return h->context.gotError() || h->context.gotFinish();
}

// Writes waves to a file, from the cycle `from` on. 0, or an error number. Only in a model that was made for waves.
int weft_wave(void* p, const char* path, uint64_t from) {
#if VM_TRACE
    Handle* h = static_cast<Handle*>(p);
    h->enter();
    auto trace = [](void* model, VerilatedVcdC* vcd) { static_cast<MODEL*>(model)->trace(vcd, 99); };
    return weft_wave_open(path, from, trace, h->model, &h->wave);
#else
    (void)p;
    (void)path;
    (void)from;
    return 95;  // EOPNOTSUPP
#endif
}
}
#pragma GCC visibility pop
