"""Kernels in OpenCL C, against numpy."""

import struct

import numpy as np
import pytest

import weft
from conftest import ROOT, SIZES, WIDTH

KERNELS = ROOT / "kernels/opencl"
TEXT = r"""
typedef float real;
typedef uint4 four;
typedef struct { int a; float b; } pair;

kernel void saxpy(float a, global const float *x, global float *y, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] += a * x[i];
}
kernel void places(global uint *out)
{
    size_t i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    out[i] = (get_work_dim() << 24) + (get_local_size(0) << 16) + (get_local_size(1) << 8) + get_local_size(2);
}
kernel void values(global long *out, char c, uchar u, short s, ushort v, int i, uint w, long l, ulong m)
{
    out[0] = c; out[1] = u; out[2] = s; out[3] = v; out[4] = i; out[5] = w; out[6] = l; out[7] = (long)m;
}
kernel void types(global real *out, real a, four b, float3 c, pair d, constant float *e, global four *f)
{
    out[0] = a + b.x + 10 * b.w + c.z + d.a * d.b + e[1];
    f[0] = b + 1;
}
kernel void copy(global const int *from, global int *to) { to[get_global_id(0)] = from[get_global_id(0)]; }
kernel void say(float x) { printf("%d: %.2f %s\n", (int)get_global_id(0), x + get_global_id(0), "é"); }
kernel void say_nothing(global int *p) { if (p[0] == 12345) printf("never\n"); p[0]++; }
kernel void null(global int *out, global const int *maybe) { out[0] = maybe ? maybe[0] : -1; }
"""


@pytest.fixture(scope="module")
def module(golden):
    return weft.compile(TEXT, "opencl", golden)


@pytest.fixture(scope="module")
def matrix(golden):
    return weft.compile(str(KERNELS / "matrix.cl"), device=golden)


@pytest.fixture(scope="module")
def group(golden):
    return weft.compile(KERNELS / "group.cl", device=golden)


@pytest.mark.parametrize("n", SIZES)
def test_saxpy(module, guarded, n):
    x = np.arange(n, dtype=np.float32)
    y, given = guarded(np.ones(n, np.float32)), guarded(x)
    counters = module.saxpy[-(-n // WIDTH), WIDTH](2.5, given.array, y.array, n)
    assert (y.read() == 2.5 * x + 1).all() and (given.read() == x).all()
    assert counters["ctas"] == -(-n // WIDTH) and counters["launches"] == 1
    assert counters["cycles"] is None and counters["seconds"] > 0
    width = counters["thread_instructions"] / counters["instructions"]
    assert counters["simd_efficiency"] == pytest.approx(width / WIDTH)
    assert n % WIDTH == 0 or counters["simd_efficiency"] < 1


@pytest.mark.parametrize("m, n, k", [(1, 1, 1), (7, 13, 5), (31, 33, 32)])
@pytest.mark.parametrize("kernel", ["sgemm", "sgemm_tiled", "sgemm_rows"])
def test_sgemm(golden, matrix, guarded, m, n, k, kernel):
    random = np.random.default_rng(m)
    a, b = (random.random(sides, np.float32) for sides in ((m, k), (k, n)))
    c = guarded(np.zeros((m, n), np.float32))
    grid = (-(-n // 8), -(-m // 8))
    matrix[kernel][grid, (8, 8)](c.array, golden.array(a), golden.array(b), m, n, k)
    np.testing.assert_allclose(c.read(), a @ b, rtol=1e-5)


@pytest.mark.parametrize("cta", [1, 13, WIDTH - 1, WIDTH, WIDTH + 1, 100])
def test_reduction_in_local_memory(group, guarded, cta):
    groups = 5
    values = np.random.default_rng(cta).integers(-1000, 1000, groups * cta, np.int32)
    n = values.size - 1 if cta > 1 else values.size
    sums = guarded(np.zeros(groups, np.int32))
    group.reduce[groups, cta](sums.array, guarded(values).array, weft.local(4 * cta), n)
    values[n:] = 0
    assert (sums.read() == values.reshape(groups, cta).sum(axis=1)).all()


def test_two_local_arguments(group):
    values = np.arange(64, dtype=np.int32)
    out = np.zeros_like(values)
    group.scan[2, 32](out, values, weft.local(128), weft.local(128), 64)
    assert (out == values.reshape(2, 32).cumsum(axis=1).ravel()).all()


def test_up_to_three_dimensions(module):
    for grid, cta, dimensions in [(6, 4, 1), ((3, 2), (2, 4), 2), ([1, 2, 3], (4, 1, 2), 3), (2, (1, 2, 3), 3)]:
        sides = [list(np.atleast_1d(of)) + [1] * (3 - np.size(of)) for of in (grid, cta)]
        out = np.zeros(np.prod(sides), np.uint32)
        module.places[grid, cta](out)
        x, y, z = sides[1]
        assert (out == (dimensions << 24) + (x << 16) + (y << 8) + z).all()


def test_each_value_comes_as_it_is(module):
    for at, values in enumerate(zip(*[(np.iinfo(t).min, np.iinfo(t).max, 1) for t in
                                      ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")])):
        out = np.zeros(8, np.int64)
        numpys = [np.int64(v) if v < 1 << 63 else np.uint64(v) for v in values]
        module.values[1, 1](out, *(values if at else numpys))
        assert out.tolist() == [*values[:7], np.uint64(values[7]).astype(np.int64)]


def test_types_behind_names(module):
    out, four = np.zeros(1, np.float32), np.zeros(4, np.uint32)
    pair = np.array([(3, 0.5)], np.dtype([("a", "i4"), ("b", "f4")]))[0]
    table = np.array([1, 2], np.float32)
    module.types[1, 1](out, 0.25, (1, 2, 3, 4), np.array([0, 0, 100], np.float32), pair, table, f=four)
    assert out[0] == 0.25 + 1 + 40 + 100 + 1.5 + 2
    assert four.tolist() == [2, 3, 4, 5]
    assert repr(module.types) == "types(real *out, real a, four b, float3 c, pair d, float *e, four *f)"


def test_numpy_arrays_are_copied_in_and_out(module):
    strided = np.zeros(40, np.int32)
    module.copy[1, 20](np.arange(20, dtype=np.int32)[::-1], strided[::2])
    assert (strided[::2] == np.arange(20)[::-1]).all() and (strided[1::2] == 0).all()
    # What is const need not be writable, and what is not must be.
    fixed = np.arange(20, dtype=np.int32)
    fixed.flags.writeable = False
    out = np.zeros(20, np.int32)
    module.copy[1, 20](fixed, out)
    assert (out == fixed).all()
    with pytest.raises(ValueError, match=r"argument 2, `int \*to`: .*read-only"):
        module.copy[1, 20](out, fixed)
    # The same array twice is the same memory; parts that overlap are not.
    module.copy[1, 20](out, out)
    with pytest.raises(ValueError, match="argument 2, .*shares memory"):
        module.copy[1, 5](out[:10], out[5:15])


def test_null_and_names(module):
    out = np.zeros(1, np.int32)
    module.null[1, 1](out, None)
    assert out[0] == -1
    module.null[1, 1](maybe=np.array([7], np.int32), out=out)
    assert out[0] == 7


def test_what_is_printed_goes_to_stdout(module, capsys):
    module.say[2, 2](0.5)
    assert capsys.readouterr().out == "0: 0.50 é\n1: 1.50 é\n2: 2.50 é\n3: 3.50 é\n"
    module.say_nothing[1, 1](np.zeros(1, np.int32))
    assert capsys.readouterr().out == ""


def test_a_range_may_be_several_launches(golden, capsys):
    # 65,535 CTAs along a direction are the most of one launch.
    module = weft.compile(
        """kernel void count(global uchar *p) {
            p[get_global_id(0)] += 1 + get_group_id(0) % 3;
            if (get_global_id(0) % 65535 == 7 && get_global_size(0) > 65535)
                printf("%d of %d\\n", (int)get_global_id(0), (int)get_num_groups(0));
        }""",
        "opencl",
        golden,
        console=8 << 20,
    )
    out = np.zeros(70_000, np.uint8)
    counters = module.count[70_000, 1](out)
    assert (out == 1 + np.arange(70_000) % 3).all()
    assert (counters["launches"], counters["ctas"]) == (2, 70_000)
    assert capsys.readouterr().out == "7 of 70000\n65542 of 70000\n"


def test_output_without_room_is_told(golden, capsys):
    module = weft.compile(TEXT, "opencl", golden, console=16)
    with pytest.warns(UserWarning, match="say: 128 calls of printf found no room, 16 bytes for all work-items"):
        module.say[4, 32](0.5)


def test_a_module_is_a_mapping(module, golden):
    assert list(module)[:2] == ["saxpy", "places"] and len(module) == 8 and "copy" in dir(module)
    assert module["copy"] is module.copy and "copy" in module
    assert module.copy.device is golden and module.device is golden
    kinds = [(p.name, p.kind, p.dtype, p.is_const) for p in module.saxpy.parameters]
    f4, u4 = np.dtype("f4"), np.dtype("u4")
    assert kinds == [("a", "value", f4, False), ("x", "pointer", f4, True), ("y", "pointer", f4, False), ("n", "value", u4, False)]
    with pytest.raises(AttributeError, match="<source> has no kernel 'sax'; there are saxpy"):
        module.sax
    with pytest.raises(KeyError):
        module["sax"]


def test_options_are_the_compilers(golden, tmp_path):
    text = '#include "k.h"\nkernel void k(global int *p) { *p = N + M; }'
    (tmp_path / "k.h").write_text("#define M 5\n")
    (tmp_path / "k.cl").write_text(text)
    out = np.zeros(1, np.int32)
    for options in ("-DN=37 -cl-mad-enable", ["-D", "N=37"]):
        weft.compile(tmp_path / "k.cl", device=golden, options=options).k[1, 1](out)
        assert out[0] == 42
    with pytest.raises(ValueError, match="-fnothing"):
        weft.compile(text, "opencl", golden, "-fnothing")


def test_modules_come_and_go(golden):
    # 16 MiB are there for programs, and each of these has 4 MiB for printf.
    out = np.zeros(1, np.int32)
    text = 'kernel void k(global int *p) { *p += N; if (*p < 0) printf("no"); }\n'
    modules = [weft.compile(text, "opencl", golden, f"-DN={n}", console=4 << 20) for n in range(6)]
    for module in modules:
        module.k[1, 1](out)
    modules[0].k[1, 1](out)
    assert out[0] == sum(range(6))


def test_a_structure_needs_no_name(golden):
    text = """typedef float real;
kernel void k(const struct {
    int a[2]; /* } */ struct { real x; } in;
    float4 v; // )
} p, union { int i; float f; } __attribute__((aligned(16))) u,
    enum { P = 7, Q } e, struct { char c; } small, global float *o)
{
    o[get_global_id(0)] = p.a[1] + p.in.x + p.v.w + u.f + (e == Q) + small.c;
    if (get_global_id(0) == 2)
        ((global float *)0xF0000000)[0] = 1;
}
"""
    module = weft.compile(text, "opencl", golden)
    assert [parameter.size for parameter in module.k.parameters] == [32, 16, 4, 1, 4]
    out = np.zeros(2, np.float32)
    first, second = struct.pack("iif4x4f", 1, 2, 0.5, 1, 2, 3, 4), struct.pack("f12x", 16)
    module.k[1, 2](first, second, 8, b"\3", out)
    assert out.tolist() == [2 + 0.5 + 4 + 16 + 1 + 3] * 2
    with pytest.raises(weft.LaunchError) as told:
        module.k[1, 3](first, second, 8, b"\3", golden.zeros(3))
    # Lines are those of the source.
    assert (told.value.file, told.value.line) == ("<source>", 10)
