"""Steps a kernel on the golden machine from Python, and checks what the threads have computed.

    cargo build --release -p weft-judge
    python3 examples/python/machine.py target/release/libweft_judge.so
"""

import ctypes
import pathlib
import sys
import tempfile

PROGRAM = """
_start:
        addi    a2, a0, 3       # a0: number of the thread
        sltiu   a3, a2, 9
        mul     a4, a2, a2
        exit
"""


def load(path):
    """The library with the types of what is used here (judge/include/weft_judge.h)."""
    weft = ctypes.CDLL(path)
    number, handle, text = ctypes.c_uint32, ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in [
        ("load", handle, [text, number, number, number, number]),
        ("free", None, [handle]),
        ("runnable", ctypes.c_int, [handle, number]),
        ("step", ctypes.c_int, [handle, number]),
        ("record", ctypes.c_uint64, [handle, number]),
        ("register", number, [handle, number, number, number]),
        ("error", text, [handle]),
    ]:
        function = getattr(weft, "weft_machine_" + name)
        function.restype, function.argtypes = result, arguments
    return weft


def main(library):
    weft = load(library)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "program.s")
        source.write_text(PROGRAM)
        machine = weft.weft_machine_load(str(source).encode(), 2, 4, 7, 0)
    if not machine:
        sys.exit(weft.weft_machine_error(None).decode())
    retired = 0
    while any(weft.weft_machine_runnable(machine, warp) == 1 for warp in range(2)):
        for warp in range(2):
            if weft.weft_machine_runnable(machine, warp) == 1:
                if weft.weft_machine_step(machine, warp) != 0:
                    sys.exit(weft.weft_machine_error(machine).decode())
                retired += 1
                print(f"warp {warp}: pc {weft.weft_machine_record(machine, 1)}, "
                      f"mask {weft.weft_machine_record(machine, 2):04b}")
    a3, a4 = 13, 14
    for thread in range(7):
        value = thread + 3
        for register, right in (a3, int(value < 9)), (a4, value * value):
            found = weft.weft_machine_register(machine, thread // 4, thread % 4, register)
            if found != right:
                sys.exit(f"thread {thread}: x{register} is {found}, not {right}")
    weft.weft_machine_free(machine)
    print(f"7 threads are right after {retired} warp instructions")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
