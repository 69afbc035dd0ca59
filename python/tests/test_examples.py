"""What the pages show runs."""

import json
import os
import re
import runpy

import pytest

from conftest import ROOT


def test_the_script(capsys):
    runpy.run_path(str(ROOT / "examples/python/saxpy.py"))
    assert re.match(r"saxpy of 1048576 is right after \d+ instructions of warps, 9\d\.\d% ", capsys.readouterr().out)


def cells():
    """The notebook's code."""
    notebook = json.loads((ROOT / "examples/python/cycles.ipynb").read_text())
    assert notebook["nbformat"] == 4
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_the_notebook():
    if not os.environ.get("WEFT_TEST_VERILATED"):
        pytest.skip("there is no Verilator")
    names = {}
    for cell in cells():
        # matplotlib is not installed for the tests.
        if "plt" not in cell:
            exec(compile(cell, "cycles.ipynb", "exec"), names)
    for cycles in (names["few"], names["many"]):
        assert len(cycles) == len(names["sizes"]) and 0 < cycles[0] and cycles == sorted(cycles)
