"""A unit of Weft with an AXI4 port and a host port, as a LiteX core; for weft_sm.py and weft_gpu.py."""

import re
from pathlib import Path

from litex.gen import LiteXModule
from litex.soc.interconnect.axi import AXIInterface, AXILiteInterface
from migen import FSM, ClockSignal, If, Instance, NextState, NextValue, ResetSignal, Signal

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


class Beats(LiteXModule):
    """`lite`: the accesses of an AXI4 manager, a beat after the other, each behind the response to the one before.

    `base`: where the manager's address 0 is. For buses other than AXI: LiteX' own way to them has beats under way while
    it tells which one is the last, and lost one of a burst of eight."""

    def __init__(self, bus, base):
        self.lite = lite = AXILiteInterface(data_width=bus.data_width, address_width=32, addressing="byte")
        address, left, name, response = Signal(32), Signal(8), Signal(bus.id_width), Signal(2)
        step = [NextValue(address, address + bus.data_width // 8), NextValue(left, left - 1)]
        fsm = self.fsm = FSM(reset_state="IDLE")

        def begins(channel, state):
            return [
                channel.ready.eq(1), NextValue(address, channel.addr + base), NextValue(left, channel.len),
                NextValue(name, channel.id), NextValue(response, 0), NextState(state),
            ]

        fsm.act("IDLE", If(bus.ar.valid, *begins(bus.ar, "READ")).Elif(bus.aw.valid, *begins(bus.aw, "WRITE")))
        fsm.act("READ", lite.ar.valid.eq(1), lite.ar.addr.eq(address), If(lite.ar.ready, NextState("DATA")))
        fsm.act(
            "DATA",
            bus.r.valid.eq(lite.r.valid), bus.r.data.eq(lite.r.data), bus.r.resp.eq(lite.r.resp), bus.r.id.eq(name),
            bus.r.last.eq(left == 0), lite.r.ready.eq(bus.r.ready),
            If(lite.r.valid & bus.r.ready, *step, If(left == 0, NextState("IDLE")).Else(NextState("READ"))),
        )
        fsm.act("WRITE", lite.aw.valid.eq(1), lite.aw.addr.eq(address), If(lite.aw.ready, NextState("BEAT")))
        fsm.act(
            "BEAT",
            lite.w.valid.eq(bus.w.valid), lite.w.data.eq(bus.w.data), lite.w.strb.eq(bus.w.strb),
            bus.w.ready.eq(lite.w.ready), If(bus.w.valid & lite.w.ready, NextState("WRITTEN")),
        )
        fsm.act(
            "WRITTEN",
            lite.b.ready.eq(1),
            If(
                lite.b.valid,
                *step, NextValue(response, response | lite.b.resp),
                If(left == 0, NextState("RESPONSE")).Else(NextState("WRITE")),
            ),
        )
        fsm.act(
            "RESPONSE",
            bus.b.valid.eq(1), bus.b.resp.eq(response), bus.b.id.eq(name), If(bus.b.ready, NextState("IDLE")),
        )
