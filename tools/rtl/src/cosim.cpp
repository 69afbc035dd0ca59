// Replays `vectors` on the model: for every event all ports in order, each as little-endian 32-bit words.
// Inputs are set, the model is evaluated, outputs are compared; the first mismatch of each port is printed.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct Port {
    const char* name;
    bool input;
    int width;
    void* at;
    int words() const { return (width + 31) / 32; }
    void get(uint32_t* w) const {
        if (width <= 8) w[0] = *static_cast<CData*>(at);
        else if (width <= 16) w[0] = *static_cast<SData*>(at);
        else if (width <= 32) w[0] = *static_cast<IData*>(at);
        else if (width <= 64) std::memcpy(w, at, 8);
        else std::memcpy(w, at, 4 * words());
    }
    void set(const uint32_t* w) const {
        if (width <= 8) *static_cast<CData*>(at) = w[0];
        else if (width <= 16) *static_cast<SData*>(at) = w[0];
        else if (width <= 32) *static_cast<IData*>(at) = w[0];
        else if (width <= 64) std::memcpy(at, w, 8);
        else std::memcpy(at, w, 4 * words());
    }
};

static void hex(const uint32_t* w, int words) {
    std::printf("%x", w[words - 1]);
    for (int i = words - 2; i >= 0; --i) std::printf("_%08x", w[i]);
}

int main(int argc, char** argv) {
    VerilatedContext context;
    if (argc > 1 && argv[1][0] != '-') {
        context.randReset(2);
        context.randSeed(std::atoi(argv[1]));
    }
    Vdut dut{&context};
    const std::vector<Port> ports = {PORTS((&dut))};
    size_t words = 0;
    for (const Port& p : ports) words += p.words();

    std::FILE* in = std::fopen("vectors", "rb");
    if (!in) return 2;
    std::vector<uint32_t> want(words), got(words);
    std::vector<bool> seen(ports.size());
    long event = 0, wrong = 0;
    for (; words && std::fread(want.data(), 4, words, in) == words; ++event) {
        size_t at = 0;
        for (const Port& p : ports) {
            if (p.input) p.set(&want[at]);
            at += p.words();
        }
        dut.eval();
        at = 0;
        for (size_t i = 0; i < ports.size(); at += ports[i++].words()) {
            const Port& p = ports[i];
            if (p.input) continue;
            p.get(&got[at]);
            if (!std::memcmp(&got[at], &want[at], 4 * p.words())) continue;
            ++wrong;
            if (seen[i]) continue;
            seen[i] = true;
            std::printf("%ld %s: verilog ", event, p.name);
            hex(&got[at], p.words());
            std::printf(" rust ");
            hex(&want[at], p.words());
            std::printf("\n");
        }
    }
    dut.final();
    if (wrong) std::printf("%ld differences in %ld events\n", wrong, event);
    else std::printf("%ld events: same\n", event);
    return wrong ? 1 : 0;
}
