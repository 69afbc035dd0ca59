"""What both benches of this folder need: pauses at random, and how a bench is built and run."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def at_random(random, share):
    """A pause generator: of 100 cycles, so many in which a channel does nothing."""
    while True:
        yield random.randrange(100) < share


def run(simulator, toplevel, bench, build_args):
    """Of `VERILOG KERNEL BUILD` on the command line; ends with 0 if there were tests, and none has failed.

    `build_args`: of the simulator, made when the folder BUILD is there.
    """
    from cocotb_tools.runner import get_results, get_runner

    verilog, kernel, build = (Path(argument).resolve() for argument in sys.argv[1:4])
    build.mkdir(parents=True, exist_ok=True)
    runner = get_runner(simulator)
    runner.build(
        sources=sorted(verilog.glob("*.v")),
        hdl_toplevel=toplevel,
        build_dir=build,
        build_args=build_args(build),
        timescale=("1ns", "1ps"),
        defines={"WEFT_RAM_COLLISIONS": 1},
    )
    path = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    results = runner.test(
        hdl_toplevel=toplevel,
        test_module=bench,
        build_dir=build,
        test_dir=build,
        extra_env={"PYTHONPATH": path, "KERNEL": str(kernel)},
    )
    tests, failed = get_results(results)
    sys.exit(failed != 0 or tests == 0)
