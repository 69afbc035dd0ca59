"""The table of kernels in docs/opencl.md: each on golden and in hardware simulation, its result compared with numpy.

`cargo weft cl kernels` runs this with the package that it has built.
"""

import argparse
import pathlib
import sys

import elements
import groups
import grids
import matrices
import weft
from bench import Bench

CASES = elements.CASES + matrices.CASES + grids.CASES + groups.CASES
#: Work-items of a group, and of the warps that the table is made on.
GROUPS = {"golden": 64, "verilated": 16}
SMALL = {"warps": 4, "threads": 4}


def measured(case, bench, n):
    """Counters of a case whose result is right, or what is wrong with it."""
    bench.clear()
    try:
        case(bench, n)
        bench.guarded()
    except (AssertionError, weft.Error) as error:
        return None, str(error).splitlines()[0]
    return bench.counts, None


def efficiency(threads, instructions, width):
    return f"{threads / instructions / width:.0%}"


def line(case, benches, golden_n, hardware_n):
    """A row of the table, and whether all of it is right."""
    counts, wrong = measured(case, benches["golden"], golden_n)
    cells = [f"`{case.__name__}`", str(golden_n)]
    if wrong:
        print(f"{case.__name__} on golden: {wrong}", file=sys.stderr)
        cells += ["wrong", "–", "–"]
    else:
        share = efficiency(counts["thread_instructions"], counts["instructions"], 32)
        cells += ["right", f"{counts['instructions']:,}", share]
    if "verilated" not in benches:
        return cells, not wrong
    # The same launches on the golden model say how many lanes were at work.
    model, wrong_model = measured(case, benches["small"], hardware_n)
    counts, wrong_hardware = measured(case, benches["verilated"], hardware_n)
    cells.append(str(hardware_n))
    if wrong_model or wrong_hardware:
        print(f"{case.__name__} on verilated: {wrong_model or wrong_hardware}", file=sys.stderr)
        cells += ["wrong", "–", "–", "–", "–"]
    else:
        threads = model["thread_instructions"]
        least = benches["verilated"].roofline(threads)
        cells += ["right", f"{counts['cycles']:,}", f"{counts['instructions']:,}"]
        cells += [efficiency(threads, counts["instructions"], SMALL["threads"]), f"{least / counts['cycles']:.0%}"]
    return cells, not (wrong or wrong_model or wrong_hardware)


def page(rows, with_hardware):
    heads = ["kernel", "n", "golden", "warp instr.", "SIMD"]
    if with_hardware:
        heads += ["n", "verilated", "cycles", "warp instr.", "SIMD", "of the roofline"]
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def main():
    parser = argparse.ArgumentParser(prog="cargo weft cl kernels", description="Runs the kernels of kernels/opencl.")
    parser.add_argument("--table", type=pathlib.Path, metavar="FILE", help="write the table there")
    parser.add_argument("--device", choices=["golden", "both"], default="both", help="[default: both]")
    parser.add_argument("--only", action="append", metavar="KERNEL", help="this one; may be said again")
    parser.add_argument("--golden-size", type=int, default=4096, metavar="N", help="elements, about [default: 4096]")
    parser.add_argument("--verilated-size", type=int, default=256, metavar="N", help="elements, about [default: 256]")
    wanted = parser.parse_args()
    names = [case.__name__ for case in CASES]
    for name in wanted.only or []:
        if name not in names:
            parser.error(f"--only {name}: there are {', '.join(names)}")
    for option in ("golden_size", "verilated_size"):
        if not 1 <= getattr(wanted, option) <= 1 << 20:
            parser.error(f"--{option.replace('_', '-')}: 1 to 1048576")
    benches = {"golden": Bench(weft.Device("golden"), GROUPS["golden"])}
    both = wanted.device == "both"
    if both:
        benches["small"] = Bench(weft.Device("golden", **SMALL, scratchpad=16 << 10), GROUPS["verilated"])
        benches["verilated"] = Bench(weft.Device("verilated"), GROUPS["verilated"])
    rows, right = [], True
    for case in CASES:
        if wanted.only and case.__name__ not in wanted.only:
            continue
        cells, fine = line(case, benches, wanted.golden_size, wanted.verilated_size)
        print("  ".join(f"{cell:>12}" for cell in cells), flush=True)
        rows.append(cells)
        right &= fine
    if wanted.table:
        wanted.table.write_text(page(rows, both))
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
