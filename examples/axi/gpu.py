"""weft_gpu between the AXI models of cocotbext-axi, as a cocotb test under Icarus.

Also starts it: `python3 gpu.py VERILOG KERNEL BUILD`. VERILOG is the folder that
`cargo weft verilog --unit gpu --config tiny -o VERILOG` has written (4 warps of 4 threads on 4 lanes), KERNEL what
`cargo weft asm examples/axi/saxpy.s -o KERNEL` has. An AxiLiteMaster launches the kernel through a channel, an AxiRam
that holds every channel back at random is its memory, and `Stays` looks at each channel in each cycle: what is valid stays
as it is until it is taken. Registers: docs/spec/host.md; the steps: docs/integrate.md.
"""

import os
import random
import struct
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge, with_timeout
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam

from bench import at_random, run

ID, STATUS, INTERRUPT, ENABLE, MEMORY_END, THREAD_END = 0x000, 0x00C, 0x010, 0x014, 0x018, 0x01C
CTAS_DONE, CHANNEL, SM = 0x048, 0x100, 0x500
BASE, NUMBER, PUT, CONTROL, DONE = 0x00, 0x04, 0x0C, 0x10, 0x2C
FAULT, FAULT_ADDRESS = 0x3A0, 0x3A8
# Where things are: program, arguments and vectors; private memory; its end.
PROGRAM, WORDS, X, Y, PRIVATE, TOKENS = 0x1000, 0x2000, 0x3000, 0x4004, 0x8000, 0x10000
RING, BLOCK, SEMAPHORE, TASK, END = 0x14000, 0x14100, 0x14200, 0x14400, 0x18000
GUARD, LAUNCH, RELEASE_AFTER_IDLE, INTERRUPT_NOW = 0xDEADBEEF, 0x00020001, 0x00030104, 0x00010006
N, FACTOR, CTAS, CTA_THREADS = 53, 2654435761, 3, 15
CHANNELS = {
    "axi_aw": ("addr", "len", "size", "burst", "id"), "axi_w": ("data", "strb", "last"),
    "axi_ar": ("addr", "len", "size", "burst", "id"), "host_b": ("resp",), "host_r": ("data", "resp"),
}


class Stays:
    """What is valid stays valid, and as it is, until it is ready."""

    def __init__(self, channel):
        self.channel, self.before, self.taken, self.held = channel, None, 0, 0

    def cycle(self, now, ready):
        """`now`: what is valid, or None."""
        assert self.before in (None, now), f"{self.channel}: {self.before} became {now} before it was taken"
        self.taken += now is not None and ready
        self.held += now is not None and not ready
        self.before = None if ready else now


def stays_notices():
    """A channel that takes back or changes what was not taken."""
    for wrong in ([("a", 0), (None, 0)], [("a", 0), ("b", 1)], [("a", 1), ("b", 0), ("c", 0)]):
        stays = Stays("test")
        try:
            for cycle in wrong:
                stays.cycle(*cycle)
        except AssertionError:
            continue
        raise AssertionError(f"not noticed: {wrong}")


async def look(dut, stays, fields):
    """What each edge sees, as soon as the values before it have settled."""
    valid, ready = getattr(dut, stays.channel + "valid"), getattr(dut, stays.channel + "ready")
    signals = [getattr(dut, stays.channel + field) for field in fields]
    while True:
        await RisingEdge(dut.clock)
        await ReadOnly()
        is_valid = valid.value == 1 and dut.reset.value == 0
        stays.cycle(tuple(str(signal.value) for signal in signals) if is_valid else None, ready.value == 1)


class Gpu:
    """The hardware, its memory and its host."""

    def __init__(self, dut, seed):
        self.dut, self.random, self.put = dut, random.Random(seed), 0
        self.channels = [Stays(channel) for channel in CHANNELS]
        self.host = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "host"), dut.clock, dut.reset)
        self.memory = AxiRam(AxiBus.from_prefix(dut, "axi"), dut.clock, dut.reset, size=END)
        read, write = self.memory.read_if, self.memory.write_if
        host = (self.host.read_if.r_channel, self.host.write_if.b_channel, self.host.write_if.w_channel)
        for channel in (read.ar_channel, read.r_channel, write.aw_channel, write.w_channel, write.b_channel, *host):
            channel.set_pause_generator(at_random(self.random, self.random.choice([0, 30, 70])))

    async def start(self):
        """Steps 1 to 5 of docs/integrate.md; THREAD_END is asked for while other registers are written."""
        cocotb.start_soon(Clock(self.dut.clock, 10, "ns").start())
        self.dut.reset.value = 1
        await ClockCycles(self.dut.clock, 10)
        self.dut.reset.value = 0
        for stays in self.channels:
            cocotb.start_soon(look(self.dut, stays, CHANNELS[stays.channel]))
        assert await self.host.read_dword(ID) == 0x57475055
        registers = {
            ENABLE: 1, MEMORY_END: END, THREAD_END: PRIVATE, SM: PRIVATE, SM + 4: 64, SM + 8: TOKENS // 8, SM + 12: 64,
            CHANNEL + BASE: RING, CHANNEL + NUMBER: 4,
        }
        writes = [cocotb.start_soon(self.host.write_dword(*pair)) for pair in registers.items()]
        reads = [cocotb.start_soon(self.host.read_dword(ID)) for _ in range(5)]
        for write in writes:
            await write
        assert [await read for read in reads] == 5 * [0x57475055]
        for address, value in registers.items():
            assert await self.host.read_dword(address) == value, hex(address)
        # Parts of words have no effect.
        for offset, data in ((0, b"\x12"), (1, b"\x34\x56"), (0, b"\xff\xff\xff")):
            await self.host.write(MEMORY_END + offset, data)
        assert await self.host.read_dword(MEMORY_END) == END
        await self.host.write_dword(CHANNEL + CONTROL, 1)

    def store(self, address, words):
        self.memory.write(address, struct.pack(f"<{len(words)}I", *words))

    def load(self, address, count):
        return list(struct.unpack(f"<{count}I", self.memory.read(address, 4 * count)))

    async def launch(self, value):
        """Launches the kernel, and waits for the interrupt behind it; the semaphore gets the value."""
        self.store(TASK, [0x57000001, PROGRAM, CTAS, 1, 1, CTA_THREADS, 1, 1, WORDS, 0, 64] + 21 * [0])
        self.store(BLOCK, [LAUNCH, TASK, RELEASE_AFTER_IDLE, SEMAPHORE, value, INTERRUPT_NOW])
        self.store(RING + 8 * self.put, [BLOCK, 6])
        self.put = (self.put + 1) % 4
        await self.host.write_dword(CHANNEL + PUT, self.put)
        while self.dut.host_interrupt.value != 1:
            await RisingEdge(self.dut.clock)
        await self.host.write_dword(INTERRUPT, 0xFFFFFFFF)
        assert self.load(SEMAPHORE, 1) == [value]


async def saxpy(gpu, value):
    """Fresh vectors between guard words; the whole launch must be right."""
    x, y = ([gpu.random.getrandbits(32) for _ in range(N)] for _ in range(2))
    gpu.store(WORDS, [N, FACTOR, X, Y])
    gpu.store(X, x)
    gpu.store(Y - 4, [GUARD, *y, GUARD])
    await with_timeout(gpu.launch(value), 10, "ms")
    assert await gpu.host.read_dword(STATUS) == 0
    expected = [GUARD, *((FACTOR * a + b) & 0xFFFFFFFF for a, b in zip(x, y)), GUARD]
    assert gpu.load(Y - 4, N + 2) == expected
    assert gpu.load(X, N) == x


@cocotb.test()
async def launches(dut):
    """Right; a vector that is not mapped, which is a fault with its address; right again."""
    stays_notices()
    seed = int(os.environ.get("SEED", "1"))
    gpu = Gpu(dut, seed)
    gpu.memory.write(PROGRAM, Path(os.environ["KERNEL"]).read_bytes())
    await gpu.start()
    await saxpy(gpu, 0x600D)
    gpu.store(WORDS, [N, FACTOR, X, PRIVATE])
    await with_timeout(gpu.launch(0x600E), 10, "ms")
    fault = await gpu.host.read_dword(FAULT)
    assert (fault >> 31, fault & 15) == (1, 6), f"FAULT {fault:#x}"
    assert PRIVATE <= await gpu.host.read_dword(FAULT_ADDRESS) < PRIVATE + 4 * N
    await gpu.host.write_dword(FAULT, 0)
    await saxpy(gpu, 0x600F)
    assert await gpu.host.read_dword(CTAS_DONE) == 3 * CTAS
    assert await gpu.host.read_dword(CHANNEL + DONE) == 3
    counts = {stays.channel: (stays.taken, stays.held) for stays in gpu.channels}
    assert all(taken > 10 for taken, _ in counts.values()) and sum(held for _, held in counts.values()) > 100, counts
    cocotb.log.info("%d elements are right, seed %d; taken and held: %s", N, seed, counts)


if __name__ == "__main__":
    run("icarus", "weft_gpu", "gpu", lambda build: ["-g2012"])
