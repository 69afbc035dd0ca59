"""Kernels in C, against numpy (CC-060 to CC-062)."""

import numpy as np
import pytest

import weft
from conftest import SIZES, WIDTH

TEXT = r"""
#include <weft_queue.h>
#include <stdio.h>

struct saxpy { unsigned n; float a; const float *x; float *y; };
WEFT_KERNEL(saxpy)(unsigned thread, unsigned threads, struct saxpy *k)
{
    for (unsigned i = thread; i < k->n; i += threads)
        k->y[i] += k->a * k->x[i];
}

/* The sum of each CTA's elements, in a tree in its scratchpad. */
WEFT_SHARED int part[512];
struct reduce { int *sums; const int *in; unsigned n; };
WEFT_KERNEL(reduce)(unsigned thread, unsigned threads, struct reduce *k)
{
    unsigned own = weft_thread();
    part[own] = thread < k->n ? k->in[thread] : 0;
    for (unsigned left = weft_cta_size(); left > 1;) {
        unsigned half = (left + 1) / 2;
        weft_sync();
        if (own + half < left)
            part[own] += part[own + half];
        left = half;
    }
    if (own == 0)
        k->sums[weft_cta()] = part[0];
}

struct values {
    signed char c; unsigned char u; short s; unsigned short v; int i; unsigned w; long long l; unsigned long long m;
    _Bool flag; float f; int row[2][3]; struct { short a, b; } both; long long *out;
};
WEFT_KERNEL(values)(unsigned thread, unsigned threads, struct values *k)
{
    long long all[] = {k->c, k->u, k->s, k->v, k->i, k->w, k->l, (long long)k->m, k->flag, (long long)(4 * k->f),
                       k->row[1][2], k->both.b};
    for (unsigned i = thread; i < sizeof all / sizeof all[0]; i += threads)
        k->out[i] = all[i];
}
WEFT_KERNEL(increment)(unsigned thread, unsigned threads, unsigned *p) { p[thread]++; }
WEFT_KERNEL(anything)(unsigned thread, unsigned threads, void *p) { ((unsigned char *)p)[thread]++; }
WEFT_KERNEL(say)(unsigned thread, unsigned threads, short n) { printf("%u of %u: %d\n", thread, threads, n); }
WEFT_KERNEL(work)(unsigned thread, unsigned threads, struct weft_queue *queue) { }

unsigned size = 3;
float table[4][8];
static unsigned calls;
void kernel(unsigned thread, unsigned threads)
{
    if (thread < size)
        for (unsigned row = 0; row < 4; ++row)
            table[row][thread] += 10 * row + thread;
    if (thread == 0)
        printf("call %u\n", ++calls);
}
"""


@pytest.fixture(scope="module")
def module(golden):
    return weft.compile(TEXT, "c", golden)


@pytest.mark.parametrize("n", SIZES)
def test_saxpy(module, guarded, n):
    x = np.arange(n, dtype=np.float32)
    y, given = guarded(np.ones(n, np.float32)), guarded(x)
    counters = module.saxpy[2, WIDTH](n, 2.5, given.array, y.array)
    assert (y.read() == 2.5 * x + 1).all() and (given.read() == x).all()
    assert counters["ctas"] == 2


@pytest.mark.parametrize("cta", [1, 13, WIDTH - 1, WIDTH, WIDTH + 1, 509])
def test_shared_memory_of_several_ctas(module, guarded, cta):
    values = np.random.default_rng(cta).integers(-1000, 1000, 7 * cta, np.int32)
    sums = guarded(np.zeros(7, np.int32))
    module.reduce[7, cta](sums.array, guarded(values).array, n=values.size)
    assert (sums.read() == values.reshape(7, cta).sum(axis=1)).all()


def test_each_value_comes_as_it_is(module):
    types = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")
    for at in ("min", "max"):
        values = [getattr(np.iinfo(t), at) for t in types]
        out = np.zeros(12, np.int64)
        both = np.array([(5, -6)], np.dtype([("a", "i2"), ("b", "i2")]))[0]
        module.values[1, 5](*values, at == "max", -1.25, [[1, 2, 3], [4, 5, -7]], both, out)
        want = [*values[:7], np.uint64(values[7]).astype(np.int64), at == "max", -5, -7, -6]
        assert out.tolist() == want


def test_a_kernel_may_take_one_pointer_or_one_value(module, capsys):
    out = np.zeros(12, np.uint32)
    module.increment[3, 4](out)
    assert (out == 1).all()
    pairs = np.zeros(2, np.dtype([("a", "u1"), ("b", "u1")]))
    module.anything[1, 3](pairs)
    assert pairs.tolist() == [(1, 1), (1, 0)]
    with pytest.raises(TypeError, match="Python's objects"):
        module.anything[1, 1](np.array([None]))
    module.say[1, 2](-300)
    assert capsys.readouterr().out == "0 of 2: -300\n1 of 2: -300\n"
    with pytest.raises(ValueError, match=r"say: argument 1, `short n`: 40000 is out of range: -32768 to 32767"):
        module.say[1, 2](40000)


def test_variables_are_arrays(golden, capsys):
    module = weft.compile(TEXT, "c", golden)
    variables = module.variables
    assert list(variables) == ["size", "table"]
    table = variables["table"]
    assert (table.shape, table.dtype, table.nbytes) == ((4, 8), np.float32, 128)
    table.copy_from(np.ones((4, 8), np.float32))
    variables["size"].copy_from(np.uint32(5))
    module.kernel[1, 8]()
    module.kernel[1, 8]()
    want = np.ones((4, 8), np.float32)
    want[:, :5] += 2 * (10 * np.arange(4)[:, None] + np.arange(5))
    assert (table.to_numpy() == want).all() and (table[1:2].to_numpy() == want[1:2]).all()
    assert capsys.readouterr().out == "call 1\ncall 2\n"
    with pytest.raises(KeyError, match="no variable 'calls'; there are size, table; static ones, and those that no kernel uses, are not"):
        variables["calls"]


def test_a_variable_has_the_type_that_c_gives_it(golden):
    module = weft.compile(
        """double d = 2.5, three[3]; unsigned char b[5]; char c[2][2]; _Bool flag; int *p; struct { int a, b; } both;
        void kernel(unsigned t, unsigned n, double *x)
        {
            three[t] = 2 * x[t], b[t]++;
            if (t == 0)
                d *= 3, flag = !flag, p = 0, both.b = 1, c[1][0] = 'C';
        }
        """,
        "c",
        golden,
    )
    variables = module.variables
    assert [(name, of.dtype.name, of.shape) for name, of in variables.items()] == [
        ("b", "uint8", (5,)),
        ("both", "uint8", (8,)),
        ("c", "uint8", (2, 2)),
        ("d", "float64", ()),
        ("flag", "bool", ()),
        ("three", "float64", (3,)),
    ]
    variables["b"].copy_from(b"hello")
    variables["c"].copy_from(bytearray(b"abcd"))
    x = golden.array(np.arange(3) / 4)
    module.kernel[1, 1](x)
    module.kernel[1, 3](np.arange(3) / 4)
    assert variables["d"].to_numpy() == 22.5 and (variables["three"].to_numpy() == np.arange(3) / 2).all()
    assert variables["b"].to_numpy().tobytes() == b"jfmlo" and variables["c"].to_numpy().tobytes() == b"abCd"
    assert not variables["flag"].to_numpy() and variables["both"].to_numpy().tolist() == [0, 0, 0, 0, 1, 0, 0, 0]
    variables["flag"].copy_from(True)
    variables["d"].copy_from(-0.125)
    assert variables["flag"].to_numpy() and variables["d"].to_numpy() == -0.125
    with pytest.raises(KeyError, match=r"`int \*p` is a pointer of the device"):
        variables["p"]
    for wrong, kind, text in [(b"hell", ValueError, "4 bytes into 5"), ("hello", TypeError, r"a text; .encode\(\)")]:
        with pytest.raises(kind, match=text):
            variables["b"].copy_from(wrong)


def test_an_array_of_bytes_takes_bytes(golden):
    module = weft.compile(
        """struct k { unsigned char name[5]; double scale; int *out; };
        void kernel(unsigned t, unsigned n, struct k *k) { k->out[t] = k->scale * k->name[t]; }
        """,
        "c",
        golden,
    )
    out = np.zeros(5, np.int32)
    module.kernel[1, 5](b"hello", 2, out)
    assert out.tolist() == [2 * byte for byte in b"hello"]
    with pytest.raises(ValueError, match=r"argument 1, `unsigned char name\[5\]`: 5 bytes are wanted, not 4"):
        module.kernel[1, 5](b"hell", 2, out)


def test_modules_do_not_share_variables(golden):
    one, other = (weft.compile(TEXT, "c", golden) for _ in range(2))
    one.variables["size"].copy_from(np.uint32(8))
    assert other.variables["size"].to_numpy() == 3
    other.kernel[1, 8]()
    assert one.variables["table"].to_numpy().max() == 0


def test_modules_that_are_dropped_make_room(golden):
    # 16 MiB are there for programs, and each of these has 4 MiB for printf.
    def large():
        module = weft.compile(TEXT, "c", golden, console=4 << 20)
        module.kernel[1, 1]()
        return module

    for _ in range(5):
        large()
    modules = []
    with pytest.raises(MemoryError):
        for _ in range(5):
            modules.append(large())
    assert len(modules) >= 2
    modules.clear()
    large()


def test_what_python_cannot_give_is_told(module):
    with pytest.raises(TypeError, match="work cannot be launched from Python: `queue`: a work queue"):
        module.work[1, 1]()


def test_files_and_options(golden, tmp_path):
    (tmp_path / "k.h").write_text("#define M 5\n")
    (tmp_path / "k.c").write_text(
        '#include "k.h"\nvoid kernel(unsigned thread, unsigned threads, int *p) { p[thread] = N + M; }'
    )
    out = np.zeros(3, np.int32)
    weft.compile(tmp_path / "k.c", device=golden, options="-DN=37 -O3").kernel[1, 3](out)
    assert (out == 42).all()
    soft = weft.compile("void kernel(unsigned t, unsigned n, float *p) { p[t] *= 3; }", "c", golden, float="soft")
    hard = weft.compile("void kernel(unsigned t, unsigned n, float *p) { p[t] *= 3; }", "c", golden)
    counts = []
    for module in (soft, hard):
        values = np.arange(4, dtype=np.float32)
        counts.append(module.kernel[1, 4](values)["instructions"])
        assert (values == 3 * np.arange(4)).all()
    assert counts[0] > 2 * counts[1]
