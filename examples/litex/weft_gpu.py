"""weft_gpu beside a VexRiscv in a SoC of LiteX: `python3 weft_gpu.py VERILOG BUILD [HOST.bin]`.

VERILOG is the folder that `cargo weft verilog --unit gpu --config tiny -o VERILOG` has written. Without HOST.bin the
headers of the SoC go to BUILD/generated, with which the host's program is compiled; with it, the SoC's Verilog to BUILD,
with that program in its ROM. `run.sh` does both and simulates it.
"""

import os
import sys
from pathlib import Path

from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration import export
from litex.soc.integration.common import get_mem_data
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.csr import AutoCSR, CSRStorage
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockDomain

from weft import Weft, Words

IO = [
    ("clock", 0, Pins(1)),
    ("reset", 0, Pins(1)),
    ("console", 0, Subsignal("letter", Pins(8)), Subsignal("written", Pins(1))),
]


class Console(LiteXModule, AutoCSR):
    """A letter for whoever stands at the pins."""

    def __init__(self, pads):
        self.letter = CSRStorage(8)
        self.comb += [pads.letter.eq(self.letter.storage), pads.written.eq(self.letter.re)]


class WeftGpu(LiteXModule, AutoCSR):
    """`core`: weft_gpu. `words.bus`: its accesses of memory. `ev`: its interrupt line, a level."""

    def __init__(self, platform, verilog, base):
        self.core = Weft(platform, verilog, "weft_gpu", ["host_interrupt"])
        self.words = Words(self.core.bus, base)
        self.ev = EventManager()
        self.ev.interrupt = EventSourceLevel()
        self.ev.finalize()
        self.comb += self.ev.interrupt.trigger.eq(self.core.signals["host_interrupt"])


class Soc(SoCCore):
    """A VexRiscv without a data cache, with a ROM and a RAM of its own; main memory, in which the GPU's addresses begin;
    the GPU's registers at 0x90000000, its interrupt at the CPU's line 0."""

    def __init__(self, platform, verilog, rom):
        self.crg = LiteXModule()
        self.crg.cd_sys = ClockDomain()
        super().__init__(
            platform, 50e6, cpu_type="vexriscv", cpu_variant="lite", integrated_rom_size=0x8000,
            integrated_rom_init=rom, integrated_sram_size=0x4000, integrated_main_ram_size=0x40000, with_uart=False,
            with_timer=False, ident="weft",
        )
        self.comb += self.crg.cd_sys.clk.eq(platform.request("clock"))
        self.comb += self.crg.cd_sys.rst.eq(platform.request("reset"))
        self.console = Console(platform.request("console"))
        self.weft = WeftGpu(platform, verilog, base=self.mem_map["main_ram"])
        self.irq.add("weft", use_loc_if_exists=True)
        self.bus.add_master("weft", self.weft.words.bus)
        control = SoCRegion(origin=0x9000_0000, size=0x1000, cached=False)
        self.bus.add_slave("weft_control", self.weft.core.control, control)


def main():
    verilog, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    host = [Path(name).resolve() for name in sys.argv[3:]]
    # LiteX writes the first contents of memories where it is started.
    generated = build / "generated"
    generated.mkdir(parents=True, exist_ok=True)
    os.chdir(build)
    platform = SimPlatform("SIM", IO)
    rom = get_mem_data(str(host[0]), data_width=32, endianness="little") if host else []
    soc = Soc(platform, verilog, rom)
    soc.finalize()
    if host:
        platform.get_verilog(soc, name="soc").write(str(build / "soc.v"))
        sources = [file for file, *_ in platform.sources] + [str(build / "soc.v")]
        (build / "soc.f").write_text("\n".join(sources) + "\n")
    (generated / "csr.h").write_text(export.get_csr_header(soc.csr_regions, soc.constants, with_access_functions=False))
    (generated / "mem.h").write_text(export.get_mem_header(soc.mem_regions))


if __name__ == "__main__":
    main()
