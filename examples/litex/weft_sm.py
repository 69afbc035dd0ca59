"""weft_sm as a LiteX core, and a SoC without a CPU around it: `python3 weft_sm.py VERILOG BUILD`.

VERILOG is the folder that `cargo weft verilog --unit sm --config tiny -o VERILOG` has written. The SoC's Verilog goes
to BUILD: the SM is a master of the SoC's bus, and its registers (docs/spec/memory.md, "Launcher") are a region of it.
"""

import os
import re
import sys
from pathlib import Path

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.axi import AXIInterface, AXILiteInterface
from migen import ClockDomain, ClockSignal, Instance, ResetSignal, Signal

CHANNELS = ("aw", "w", "b", "ar", "r")


def ports(verilog):
    """Width of each port of weft_sm whose direction and name Verilog gives: `input  wire [7:0] host_awaddr`."""
    text = (verilog / "weft_sm.v").read_text()
    header = text[text.index("module weft_sm ") : text.index(");")]
    found = re.findall(r"(input|output)\s+(?:wire|reg)\s*(?:\[(\d+):0\])?\s*(\w+)", header)
    return {name: (direction, int(high or 0) + 1) for direction, high, name in found}


class WeftSM(LiteXModule):
    """`bus`: AXI4 manager. `control`: AXI4-Lite subordinate, 256 bytes. `busy`, `done` (an interrupt line): signals."""

    def __init__(self, platform, verilog):
        verilog = Path(verilog)
        known = ports(verilog)
        self.bus = AXIInterface(
            data_width=known["axi_wdata"][1], address_width=32, id_width=known["axi_awid"][1], addressing="byte"
        )
        self.control = AXILiteInterface(data_width=32, address_width=32, addressing="byte")
        pins = {"i_clock": ClockSignal(), "i_reset": ResetSignal()}
        for prefix, interface in (("axi", self.bus), ("host", self.control)):
            for channel in CHANNELS:
                stream = getattr(interface, channel)
                for name, (direction, width) in known.items():
                    field = name.removeprefix(f"{prefix}_{channel}")
                    # `axi_bid` is of channel b, `axi_araddr` of channel ar.
                    if field != name and hasattr(stream, field):
                        pins[f"{direction[0]}_{name}"] = getattr(stream, field)[:width]
        self.busy, self.done = Signal(), Signal()
        pins["o_busy"], pins["o_done"] = self.busy, self.done
        self.specials += Instance("weft_sm", **pins)
        for file in sorted(verilog.glob("*.v")):
            platform.add_source(str(file))


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
        self.sm = WeftSM(platform, verilog)
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
