"""A datapath of a reader's own on weft_control, as a cocotb test; also starts it: `python3 control.py VERILOG BUILD`.

VERILOG is the folder that `cargo weft verilog --config tiny -o VERILOG` has written (4 warps of 4 threads). The program is that
of examples/control: each thread adds 3 until it has 12 or more, all meet, and add 100.
"""

import sys
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge

WARPS, THREADS, TOKENS = 4, 4, 64
NEXT, BRANCH, PUSH, LEAVE, EXIT, FAULT = 0, 1, 3, 4, 7, 8  # resolve_op
PROGRAM = [
    ("thread", 0),
    ("push", 5),
    ("add", 3),
    ("less", 12, 2),
    ("leave", 5),
    ("add", 100),
    ("exit", 0),
]


class Datapath:
    """Takes an instruction in every cycle in which none waits for its resolve."""

    def __init__(self):
        self.sum = [0] * (WARPS * THREADS)

    def execute(self, warp, pc, mask):
        """What the instruction turned out to be: operation, mask, target."""
        threads = [t for t in range(THREADS) if mask >> t & 1]
        name, *operands = PROGRAM[pc] if pc < len(PROGRAM) else ("illegal", 0)
        if name == "less":
            chosen = sum(1 << t for t in threads if self.sum[warp * THREADS + t] < operands[0])
            return BRANCH, chosen, operands[1]
        if name == "push":
            return PUSH, mask, operands[0]
        if name == "leave":
            return LEAVE, mask, operands[0]
        if name == "exit":
            return EXIT, mask, 0
        if name == "illegal":
            return FAULT, mask, 0
        for t in threads:
            place = warp * THREADS + t
            self.sum[place] = place if name == "thread" else self.sum[place] + operands[0]
        return NEXT, mask, 0


@cocotb.test()
async def threads_are_right(dut):
    # Tie-offs: everything that is not driven below. Yields are forced ones only.
    for port in dut:
        if port._name.startswith(("cfg_", "launch_", "resolve_", "config_", "spill_response_")):
            try:
                port.value = 0
            except Exception:  # An output.
                pass
    dut.issue_ready.value = 0
    dut.spill_request_ready.value = 1
    dut.cfg_yield_every.value = 1
    dut.cfg_forced_yield.value = 64
    dut.cfg_lanes.value = 2
    dut.launch_mask.value = (1 << THREADS) - 1
    dut.launch_size.value = TOKENS
    cocotb.start_soon(Clock(dut.clock, 10, "ns").start())
    dut.reset.value = 1
    for _ in range(10):
        await RisingEdge(dut.clock)
    dut.reset.value = 0

    datapath, memory, resolve, response, launched = Datapath(), {}, None, None, 0
    for cycle in range(2000):
        # Drive this cycle.
        dut.launch_valid.value = int(launched < WARPS)
        if launched < WARPS:
            dut.launch_warp.value = launched
            dut.launch_base.value = launched * TOKENS
        dut.issue_ready.value = int(resolve is None)
        dut.resolve_valid.value = int(resolve is not None)
        if resolve is not None:
            dut.resolve_warp.value, dut.resolve_op.value, dut.resolve_mask.value, dut.resolve_target.value = resolve
            dut.resolve_kind.value = 4 if resolve[1] == FAULT else 0
        dut.spill_response_valid.value = int(response is not None)
        if response is not None:
            dut.spill_response_write.value, dut.spill_response_tag.value, dut.spill_response_data.value = response
        # What stands at the ports before the edge is what this cycle transfers.
        await ReadOnly()
        launches = launched < WARPS and dut.launch_ready.value == 1
        if resolve is not None and dut.resolve_ready.value == 1:
            resolve = None
        elif resolve is None and dut.issue_valid.value == 1:
            warp = int(dut.issue_warp.value)
            resolve = (warp, *datapath.execute(warp, int(dut.issue_pc.value), int(dut.issue_mask.value)))
        answered = response is not None and dut.spill_response_ready.value == 1
        if response is None or answered:
            response = None
        if dut.spill_request_valid.value == 1 and response is None:
            address, write = int(dut.spill_request_address.value), int(dut.spill_request_write.value)
            if write:
                memory[address] = int(dut.spill_request_data.value)
            response = (write, int(dut.spill_request_tag.value), memory.get(address, 0))
        assert dut.exception_valid.value != 1, f"exception {dut.exception_cause.value}"
        idle = launched == WARPS and int(dut.status_busy.value) == 0
        await RisingEdge(dut.clock)
        launched += launches
        if idle:
            break
    expected = []
    for thread in range(WARPS * THREADS):
        value = thread + 3
        while value < 12:
            value += 3
        expected.append(value + 100)
    assert datapath.sum == expected, f"{datapath.sum}, should be {expected}"
    cocotb.log.info("16 threads are right after %d cycles", cycle)


def main():
    from cocotb_tools.runner import get_results, get_runner

    verilog, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    runner = get_runner("icarus")
    runner.build(
        sources=sorted(verilog.glob("*.v")),
        hdl_toplevel="weft_control",
        build_dir=build,
        # The Verilog has no timescale of its own: without this a cycle of 10 ns is less than Icarus can count.
        timescale=("1ns", "1ps"),
        defines={"WEFT_RAM_COLLISIONS": 1},
    )
    results = runner.test(
        hdl_toplevel="weft_control",
        test_module="control",
        build_dir=build,
        test_dir=build,
        extra_env={"PYTHONPATH": str(Path(__file__).resolve().parent)},
    )
    tests, failed = get_results(results)
    sys.exit(failed != 0 or tests == 0)


if __name__ == "__main__":
    main()
