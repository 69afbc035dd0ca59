"""What goes wrong is told, with the place, and the next kernel runs."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import weft

TEXT = """kernel void fault(global int *p) {
    if (get_global_id(0) == 37)
        p[0x30000000] = 1;
}
kernel void loop(global volatile int *p) { while (p[0] < 1) p[1]++; }
kernel void add(char c, float f, global float *x, global uint *n, local int *l) { x[0] += f + c; n[0]++; l[0] = 0; }
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void four(global int *p) { p[0] = 4; }
kernel void big(local int *l) { l[0] = 1; }
"""
C_TEXT = """#include <weft_queue.h>
#include <assert.h>
WEFT_KERNEL(check)(unsigned thread, unsigned threads, int most)
{
    assert((int)thread < most);
}
WEFT_KERNEL(stray)(unsigned thread, unsigned threads, int *p)
{
    int *place = thread == 5 ? (int *)0x80000000 : &p[thread];
    *place = 0;
}
WEFT_KERNEL(hang)(unsigned thread, unsigned threads)
{
    if (thread == 1)
        WEFT_BAR_WAIT(1, 0);
}
WEFT_KERNEL(loop)(unsigned thread, unsigned threads, volatile int *p)
{
    while (p[0] < 1)
        p[1]++;
}
int count = 7;
WEFT_KERNEL(counted)(unsigned thread, unsigned threads, int *p) { p[0] = count++; }
"""


@pytest.fixture(scope="module")
def module(golden):
    return weft.compile(TEXT, "opencl", golden)


@pytest.fixture(scope="module")
def c_module(golden):
    return weft.compile(C_TEXT, "c", golden)


def test_a_compiler_is_quoted_with_its_places(golden, works, tmp_path):
    text = "kernel void k(global int *p)\n{\n    *p = undefined;\n}\n"
    (tmp_path / "wrong.cl").write_text(text)
    for language, source, place in [
        ("opencl", text, "<source>:3:10"),
        (None, tmp_path / "wrong.cl", "wrong.cl:3:10"),
        ("c", "void kernel(unsigned t, unsigned n)\n{\n    undefined = 1;\n}\n", "<source>:3:5"),
    ]:
        with pytest.raises(weft.CompileError) as told:
            weft.compile(source, language, golden)
        assert f"{place}: error: use of undeclared identifier 'undefined'" in str(told.value)
    with pytest.raises(weft.CompileError, match="entry is missing"):
        weft.compile("int x;", "c", golden)
    with pytest.raises(weft.CompileError, match="nothing|undefined"):
        weft.compile("int f(int); kernel void k(global int *p) { *p = f(1); }", "opencl", golden)
    works()


def test_what_is_compiled_must_be_said(golden, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere.cl"):
        weft.compile("nowhere.cl", device=golden)
    with pytest.raises(ValueError, match="language"):
        weft.compile("kernel void k() {}\n", device=golden)
    with pytest.raises(ValueError, match="language='?\"?cuda"):
        weft.compile("kernel void k() {}\n", "cuda", golden)
    (tmp_path / "k.txt").write_text("kernel void k(global int *p) { *p = 1; }")
    with pytest.raises(ValueError, match="beside this ending"):
        weft.compile(tmp_path / "k.txt", device=golden)
    assert list(weft.compile(tmp_path / "k.txt", "opencl", golden)) == ["k"]
    with pytest.raises(ValueError, match="no_such_compiler"):
        weft.compile("kernel void k() {}\n", "opencl", golden, compiler="no_such_compiler")


def test_a_fault_says_where(module, works):
    with pytest.raises(weft.LaunchError) as told:
        module.fault[4, 16](np.zeros(64, np.int32))
    error = told.value
    assert type(error) is weft.LaunchError
    assert (error.kind, error.kernel, error.cta, error.warp, error.thread) == ("fault", "fault", 2, 0, 5)
    assert error.cause.startswith("access to unmapped address 0xc") and error.pc >= 0x1000
    assert (error.function, error.file, error.line) == ("fault", "<source>", 3)
    assert str(error).startswith("kernel fault, CTA 2, warp 0, thread 5, pc 0x")
    assert "in fault (<source>:3)" in str(error)
    works()


def test_a_fault_in_c_says_where(c_module, works):
    with pytest.raises(weft.LaunchError) as told:
        c_module.stray[1, 8](np.zeros(8, np.int32))
    error = told.value
    assert (error.kind, error.kernel, error.thread, error.function, error.line) == ("fault", "stray", 5, "stray", 10)
    assert "0x80000000" in error.cause
    works()


def test_an_assertion_says_where(c_module, works):
    c_module.check[1, 8](8)
    with pytest.raises(weft.LaunchError) as told:
        c_module.check[2, 4](6)
    error = told.value
    assert error.cause == "assertion failed: (int)thread < most"
    assert (error.file, error.line, error.function) == ("<source>", 5, "check")
    assert str(error) == "".join(f"<source>:5: check: thread {n}: assertion failed: (int)thread < most\n" for n in (6, 7)).strip()
    with pytest.raises(weft.LaunchError) as told:
        c_module.check[2, 32](4)
    lines = str(told.value).splitlines()
    assert len(lines) == 17 and lines[-1] == "44 more threads have stopped themselves"
    works()


def test_who_waits_for_ever_is_told(c_module, works):
    with pytest.raises(weft.LaunchError, match="CTA 0 hangs at a barrier") as told:
        c_module.hang[1, 4]()
    assert (told.value.kind, told.value.cta, told.value.warp) == ("hang", 0, 0)
    works()


def test_an_endless_loop_is_given_up():
    with weft.Device("golden", limit=200_000, memory=1 << 20) as device:
        module, c_module = (weft.compile(text, of, device) for text, of in ((TEXT, "opencl"), (C_TEXT, "c")))
        kept = device.array(np.arange(1000, dtype=np.int32))
        out = np.zeros(1, np.int32)
        for number, kernel in enumerate((module.loop, c_module.loop)):
            c_module.counted[1, 1](out)
            assert out[0] == 7
            with pytest.raises(weft.LimitError, match="kernel loop: the limit of 200000 warp instructions") as told:
                kernel[1, 4](np.zeros(2, np.int32))
            assert told.value.kind == "limit" and isinstance(told.value, weft.LaunchError)
            # Arrays are what they were; variables of modules begin anew.
            assert (kept.to_numpy() == np.arange(1000)).all()
            module.four[1, 4](kept)
            assert kept.to_numpy()[0] == 4
            kept.copy_from(np.arange(1000, dtype=np.int32))


def test_each_argument_is_checked(golden, module, works):
    x, n = np.ones(1, np.float32), np.zeros(1, np.uint32)
    good = {"c": 1, "f": 0.5, "x": x, "n": n, "l": weft.local(4)}
    module.add[1, 1](**good)
    assert (x[0], n[0]) == (2.5, 1)
    other = weft.Device("golden", memory=1 << 20)
    for name, value, kind, text in [
        ("c", 128, ValueError, "argument 1, `char c`: 128 is out of range: -128 to 127"),
        ("c", 1.0, TypeError, "argument 1, `char c`: an integer is wanted, not float"),
        ("c", True, TypeError, "argument 1, `char c`: a number is wanted, not bool"),
        ("c", x, TypeError, "argument 1, `char c`: an integer is wanted, not an array of float32"),
        ("f", "1", TypeError, "argument 2, `float f`: a number is wanted, not str"),
        ("f", 1e39, ValueError, "argument 2, `float f`: 1e[+]39 is out of range for float32"),
        ("f", 10**400, ValueError, "argument 2, `float f`: 1000"),
        ("x", np.ones(1), TypeError, r"argument 3, `float \*x`: elements of float32 are wanted, not float64; convert"),
        ("x", [1.0], TypeError, r"argument 3, `float \*x`: an array is wanted .* not list"),
        ("x", other.zeros(1), ValueError, r"argument 3, `float \*x`: the array is on another device, <weft.Device (\d+): "
         r"golden, .*>; the kernel is on <weft.Device (?!\1:)"),
        ("x", golden.zeros(1, np.float64), TypeError, ".*elements of float32 are wanted, not float64; make it with dtype=numpy.f"),
        ("x", np.ones(1, ">f4"), TypeError, ".*elements' bytes stand in the other order; .astype.numpy.float32"),
        ("n", np.zeros(1, np.int32), TypeError, r"argument 4, `uint \*n`: elements of uint32 are wanted, not int32"),
        ("n", weft.local(4), TypeError, r"argument 4, `uint \*n`: weft.local is for"),
        ("l", 4, TypeError, r"argument 5, `int \*l`: weft.local\(bytes\) is wanted, not int"),
        ("l", np.zeros(4, np.int32), TypeError, r"argument 5, `int \*l`: weft.local"),
    ]:
        with pytest.raises(kind, match="add: " + text):
            module.add[1, 1](**{**good, name: value})
    for arguments, named, text in [
        ((1, 0.5, x, n), {}, "argument 5, `l`, is missing"),
        ((1, 0.5, x, n, weft.local(4), 6), {}, "takes 5 arguments, and 6 were given"),
        ((1,), good, "`c` was given twice"),
        ((), {**good, "z": 1}, "no parameter 'z'"),
    ]:
        with pytest.raises(TypeError, match=text):
            module.add[1, 1](*arguments, **named)
    assert (x[0], n[0]) == (2.5, 1)
    module.add[1, 1](**{**good, "f": float("inf")})
    assert x[0] == np.inf
    for wrong, kind in ((0, ValueError), (-1, ValueError), (1 << 32, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(kind, match="weft.local"):
            weft.local(wrong)
    works()


def test_each_extent_is_checked(module, c_module, works):
    out = np.zeros(1, np.int32)
    for grid, cta, kind, text in [
        (0, 4, ValueError, "grid: 0: 1 at least"),
        (1, -4, ValueError, "cta: -4"),
        (1, 513, ValueError, "cta: 513 threads, and an SM of golden has room for 512"),
        (1, (16, 33), ValueError, "528 threads"),
        (1, (4, 1, 1, 1), TypeError, "one to three"),
        (1.0, 4, TypeError, "grid: "),
        ("4", 4, TypeError, "grid: "),
        (1 << 30, 8, ValueError, "2\\^32"),
        (1, 8, ValueError, "requires 4x1x1"),
    ]:
        with pytest.raises(kind, match="four: .*" + text if "2\\^32" not in text else text):
            module.four[grid, cta](out)
    with pytest.raises(ValueError, match="a grid of 65536x1x1 CTAs of 4x1x1 threads cannot be launched"):
        c_module.check[65536, 4](4)
    with pytest.raises(TypeError, match="four: how many threads"):
        module.four(out)
    with pytest.raises(TypeError, match="two are wanted"):
        module.four[1]
    with pytest.raises(ValueError, match="big: .* bytes of local memory are wanted"):
        module.big[1, 1](weft.local(1 << 20))
    assert out[0] == 0
    module.four[1, 4](out)
    assert out[0] == 4
    works()


def test_other_threads_run_meanwhile(module, works):
    p = np.zeros(2, np.int32)
    seen = []
    ended = threading.Event()

    def count():
        while not ended.is_set():
            seen.append(time.perf_counter())
            time.sleep(0.01)

    thread = threading.Thread(target=count)
    thread.start()
    limited = weft.Device("golden", limit=2_000_000, memory=1 << 20)
    start = time.perf_counter()
    with pytest.raises(weft.LimitError):
        weft.compile(TEXT, "opencl", limited).loop[1, 32](p)
    end = time.perf_counter()
    ended.set()
    thread.join()
    assert sum(start < at < end for at in seen) > (end - start) / 0.05
    works()


def test_ctrl_c_ends_a_launch(module, works):
    # What a shell starts in the background ignores it, and so do its children.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        start = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            module.loop[1, 32](np.zeros(2, np.int32))
        assert time.perf_counter() - start < 20
    finally:
        signal.signal(signal.SIGINT, before)
    works()
