"""A unit of Weft with an AXI4 port and a host port, as a LiteX core; for weft_sm.py and weft_gpu.py."""

import re
from pathlib import Path

from litex.gen import LiteXModule
from litex.soc.interconnect import wishbone
from litex.soc.interconnect.axi import AXIInterface, AXILiteInterface
from migen import FSM, Case, ClockSignal, If, Instance, NextState, NextValue, ResetSignal, Signal

CHANNELS = ("aw", "w", "b", "ar", "r")


def ports(verilog, top):
    """Width of each port whose direction and name Verilog gives: `input  wire [7:0] host_awaddr`."""
    text = (verilog / f"{top}.v").read_text()
    header = text[text.index(f"module {top} ") : text.index(");")]
    found = re.findall(r"(input|output)\s+(?:wire|reg)\s*(?:\[(\d+):0\])?\s*(\w+)", header)
    return {name: (direction, int(high or 0) + 1) for direction, high, name in found}


class Weft(LiteXModule):
    """`bus`: AXI4 manager. `control`: AXI4-Lite subordinate, the registers. `signals`: outputs besides, by name."""

    def __init__(self, platform, verilog, top, signals):
        verilog = Path(verilog)
        known = ports(verilog, top)
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
        self.signals = {name: Signal() for name in signals}
        pins |= {f"o_{name}": signal for name, signal in self.signals.items()}
        self.specials += Instance(top, **pins)
        for file in sorted(verilog.glob("*.v")):
            platform.add_source(str(file))


class Words(LiteXModule):
    """`bus`: the accesses of an AXI4 manager, word by word on Wishbone, each behind the one before.

    `base`: where the manager's address 0 is. LiteX' own way from AXI4 to narrower buses changes the ID of a beat that waits
    (docs/litex.md)."""

    def __init__(self, axi, base):
        self.bus = bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        halves = axi.data_width // 32
        address, left, name, response = Signal(32), Signal(8), Signal(axi.id_width), Signal(2)
        half, data = Signal(max=max(halves, 2)), Signal(axi.data_width)
        # A beat is over, or a word of it.
        last_half = Signal()
        self.comb += last_half.eq(half == halves - 1)
        beat = [NextValue(half, 0), NextValue(left, left - 1)]
        word = [NextValue(address, address + 4), NextValue(half, half + 1)]
        fsm = self.fsm = FSM(reset_state="IDLE")

        def begins(channel, state):
            return [
                channel.ready.eq(1), NextValue(address, channel.addr + base), NextValue(left, channel.len),
                NextValue(name, channel.id), NextValue(half, 0), NextValue(response, 0), NextState(state),
            ]

        fsm.act("IDLE", If(axi.ar.valid, *begins(axi.ar, "READ")).Elif(axi.aw.valid, *begins(axi.aw, "WRITE")))
        self.comb += [bus.adr.eq(address[2:]), axi.r.data.eq(data), axi.r.id.eq(name), axi.r.resp.eq(response)]
        self.comb += [axi.b.id.eq(name), axi.b.resp.eq(response), axi.r.last.eq(left == 0)]
        self.comb += [Case(half, {n: bus.dat_w.eq(axi.w.data[32 * n :]) for n in range(halves)})]
        fsm.act(
            "READ",
            bus.cyc.eq(1), bus.stb.eq(1), bus.sel.eq(15),
            If(
                bus.ack | bus.err,
                *word, If(bus.err, NextValue(response, 2)), If(last_half, NextState("DATA")),
                Case(half, {n: NextValue(data[32 * n : 32 * n + 32], bus.dat_r) for n in range(halves)}),
            ),
        )
        fsm.act(
            "DATA",
            axi.r.valid.eq(1),
            If(axi.r.ready, *beat, NextValue(response, 0), If(left == 0, NextState("IDLE")).Else(NextState("READ"))),
        )
        fsm.act(
            "WRITE",
            bus.cyc.eq(axi.w.valid), bus.stb.eq(axi.w.valid), bus.we.eq(1),
            Case(half, {n: bus.sel.eq(axi.w.strb[4 * n : 4 * n + 4]) for n in range(halves)}),
            If(
                axi.w.valid & (bus.ack | bus.err),
                *word, If(bus.err, NextValue(response, 2)),
                If(last_half, axi.w.ready.eq(1), *beat, If(left == 0, NextState("RESPONSE"))),
            ),
        )
        fsm.act("RESPONSE", axi.b.valid.eq(1), If(axi.b.ready, NextState("IDLE")))
