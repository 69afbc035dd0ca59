"""weft_sm as a LiteX core, and a SoC without a CPU around it: `python3 weft_sm.py VERILOG BUILD`.

VERILOG is the folder that `cargo weft verilog --unit sm --config tiny -o VERILOG` has written. The SoC's Verilog goes
to BUILD: the SM is a master of the SoC's bus, and its registers (docs/spec/memory.md, "Launcher") are a region of it.
"""

import os
import sys
from pathlib import Path

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.axi import AXILiteInterface
from migen import ClockDomain

from weft import Weft


class Soc(SoCCore):
    """64 KiB of memory at 0, the SM's registers at 0xF0000000; a host at AXI4-Lite pins in place of a CPU."""

    mem_map = {**SoCCore.mem_map, "csr": 0xF001_0000}

    def __init__(self, platform, verilog):
        self.crg = LiteXModule()
        self.crg.cd_sys = ClockDomain()
        super().__init__(
            platform, 50e6, cpu_type=None, bus_standard="axi", bus_data_width=64, integrated_sram_size=0,
            with_uart=False, with_timer=False, ident="weft", with_ctrl=False,
        )
        self.comb += self.crg.cd_sys.clk.eq(platform.request("clock"))
        self.comb += self.crg.cd_sys.rst.eq(platform.request("reset"))
        self.add_ram("memory", origin=0, size=0x10000)
        # `done` may go to an interrupt line of a CPU.
        self.sm = Weft(platform, verilog, "weft_sm", ["busy", "done"])
        self.bus.add_master("weft", self.sm.bus)
        # In place of a CPU: whoever stands at these pins.
        host = AXILiteInterface(data_width=32, address_width=32, addressing="byte")
        platform.add_extension(host.get_ios("host"))
        self.comb += host.connect_to_pads(platform.request("host"), mode="slave")
        self.bus.add_master("host", host)
        self.bus.add_slave("weft_control", self.sm.control, SoCRegion(origin=0xF000_0000, size=0x100, cached=False))


def main():
    verilog, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    # LiteX writes the first contents of memories where it is started.
    build.mkdir(parents=True, exist_ok=True)
    os.chdir(build)
    platform = SimPlatform("SIM", [("clock", 0, Pins(1)), ("reset", 0, Pins(1))])
    soc = Soc(platform, verilog)
    soc.finalize()
    platform.get_verilog(soc, name="soc").write(str(build / "soc.v"))


if __name__ == "__main__":
    main()
