"""The package's types, as a checker of its users' sees them; where mypy is installed."""

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import weft

USE = '''
import numpy as np
import weft

def use(module: weft.Module, device: weft.Device) -> int:
    weft.Device("golden", warps=np.int64(2), memory=1 << 20).close()
    array = device.array(np.arange(12, dtype=np.int32).reshape(3, 4))
    array[1:3].copy_from(np.zeros((2, 4), np.int32))
    module.variables["name"].copy_from(b"weft")
    counters = module.saxpy[2, (16, 1)](3, array, None, weft.local(4), y=np.zeros(3, np.float32))
    try:
        module["log"][1, 1]()
    except weft.LaunchError as error:
        return error.line or 0
    return len(counters) + len(array)
'''


def test_types_hold(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("there is no mypy")
    package = pathlib.Path(weft.__file__).parent
    (tmp_path / "weft").mkdir()
    for name in (*package.glob("*.py"), *package.glob("*.pyi")):
        shutil.copy(name, tmp_path / "weft")
    (tmp_path / "use.py").write_text(USE)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "weft", "use.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_sizes_may_be_numbers_of_numpy():
    with weft.Device("golden", warps=np.int64(2), memory=np.uint32(1 << 20)) as device:
        assert (device.sizes["warps"], device.sizes["memory"]) == (2, 1 << 20)
