//! OpenCL C: what is said of kernels (docs/spec/opencl.md). Results are tested in `weft/tests/opencl.rs`.

use weft_cc::opencl::{build, AddressSpace, Kind, Options, Program, Source};
use weft_toolbox::Toolbox;

fn built(text: &str) -> Program {
    let source = Source::new("dir/k.cl", text);
    build(&Toolbox::here(), &source, &Options::default(), &mut |_| ())
        .unwrap_or_else(|failure| panic!("{failure}\n{}", failure.log))
}

/// CL-010 to CL-014.
#[test]
fn kernels_are_described() {
    let program = built(
        "typedef struct { int a; float4 b; } pair;
         kernel void first(global const float *restrict a, constant int *c, char n, pair p, local long *l, float3 v)
         { __local int q[5]; q[n] = c[0]; barrier(CLK_LOCAL_MEM_FENCE); l[0] = a[0] + p.b.x + q[0] + v.z; }
         kernel __attribute__((reqd_work_group_size(8, 4, 1))) void second(volatile global uint *a)
         { __local int r[20]; r[get_local_id(0)] = 3; barrier(1); a[get_global_id(0)] = r[0]; }
         kernel void none() {}",
    );
    let names: Vec<_> = program.kernels.iter().map(|k| k.name.as_str()).collect();
    assert_eq!(names, ["first", "second", "none"]);
    let first = program.kernel("first").unwrap();
    let told: Vec<_> = first
        .arguments
        .iter()
        .map(|a| {
            (
                a.name.as_str(),
                a.type_name.as_str(),
                a.kind,
                a.offset,
                a.size,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("a", "float*", Kind::GlobalPointer, 128, 4),
            ("c", "int*", Kind::ConstantPointer, 132, 4),
            ("n", "char", Kind::Value, 136, 1),
            ("p", "pair", Kind::Value, 144, 32),
            ("l", "long*", Kind::LocalPointer, 176, 4),
            ("v", "float3", Kind::Value, 192, 16),
        ]
    );
    assert_eq!(first.block_size, 128 + 80);
    assert!(first.arguments[0].is_const && first.arguments[0].is_restrict);
    assert_eq!(first.arguments[0].address_space, AddressSpace::Global);
    assert_eq!(first.local_bytes, 32);
    let second = program.kernel("second").unwrap();
    assert_eq!(second.required_size, Some([8, 4, 1]));
    assert!(second.arguments[0].is_volatile);
    assert_eq!(second.local_bytes, 80);
    assert_eq!(program.kernel("none").unwrap().block_size, 128);
    for kernel in &program.kernels {
        weft_isa::elf::load_elf(&kernel.elf).unwrap();
        assert!(kernel.private_bytes >= 512 && kernel.private_bytes % 16 == 0);
    }
}

/// CL-012: two `__local` variables that one loop goes through, which Clang would make one variable of.
#[test]
fn local_variables_stand_in_the_scratchpad_whoever_reaches_them() {
    let program = built(
        "kernel void k(global int *out, global const int *in, uint n)
         {
             local int a[8][8], b[8][8];
             uint x = get_local_id(0), y = get_local_id(1);
             int sum = 0;
             for (uint t = 0; t < n; t += 8) {
                 a[y][x] = in[y * n + t + x];
                 b[y][x] = in[(t + y) * n + x];
                 barrier(CLK_LOCAL_MEM_FENCE);
                 #pragma unroll 1
                 for (uint i = 0; i < 8; i++)
                     sum += a[y][i] * b[i][x];
                 barrier(CLK_LOCAL_MEM_FENCE);
             }
             out[8 * y + x] = sum;
         }",
    );
    let kernel = program.kernel("k").unwrap();
    assert_eq!(kernel.local_bytes, 512);
    let image = weft_isa::elf::load_elf(&kernel.elf).unwrap();
    for name in ["k.a", "k.b"] {
        assert!(image.symbols[name] >= weft_cc::SCRATCHPAD, "{name}");
    }
}

/// CL-005.
#[test]
fn errors_have_the_place_in_the_users_file() {
    let source = Source::new(
        "dir/k.cl",
        "kernel void k(global int *a)\n{\n  a[0] = nope;\n}\n",
    );
    let failure = build(&Toolbox::here(), &source, &Options::default(), &mut |_| ()).unwrap_err();
    assert!(
        failure.log.contains("dir/k.cl:3:10: error"),
        "{}",
        failure.log
    );
    let source = Source::new(
        "",
        "int f(int);\nkernel void k(global int *a) { a[0] = f(1); }\n",
    );
    let failure = build(&Toolbox::here(), &source, &Options::default(), &mut |_| ()).unwrap_err();
    assert!(
        failure.log.contains("nothing defines `f`"),
        "{}",
        failure.log
    );
}

/// CL-002, CL-003: identifiers are the source's own, whatever they are called; `inline` has a body, inlined or not.
#[test]
fn identifiers_may_be_those_of_registers_and_of_c() {
    let steps = (0..60).map(|n| {
        format!(
            "x = x * {n}u + o[x & 3]; if (x & {}u) x ^= o[x & 1];",
            1 << (n % 9)
        )
    });
    let body: String = steps.collect();
    let program = built(&format!(
        "__attribute__((noinline)) uint s0(uint x) {{ return rotate(x, 25u) ^ (x >> 3); }}
         __attribute__((noinline)) uint tail(uint x) {{ return s0(x) + 1; }}
         inline uint large(uint x, global uint *o) {{ {body} return x; }}
         __attribute__((noinline)) int exit(int x) {{ return x + 1; }}
         constant int abort = 3;
         constant uint a0[3] = {{ 5, 6, 7 }};
         kernel void memset(global uint *o) {{ o[0] = s0(o[1]) + tail(o[2]) + a0[o[3] % 3]; }}
         kernel void strlen(global uint *o) {{ o[0] = large(o[1], o) + large(o[2], o) + exit(o[3]) + abort; }}
         kernel void clear(global int *o) {{ int t[100]; for (int i = 0; i < 100; i++) t[i] = 0; t[o[0]] = 1; o[1] = t[o[2]]; }}"
    ));
    let names: Vec<_> = program.kernels.iter().map(|k| k.name.as_str()).collect();
    assert_eq!(names, ["memset", "strlen", "clear"]);
}

/// CL-019: structures without a name are handed over, and what is wrong elsewhere keeps its place.
#[test]
fn a_structure_without_a_name_is_an_argument() {
    let program = built(
        "typedef int t;
         kernel void a(struct { t a; char c[3]; } p, global int *o, union { long l; int i; } u) { *o = p.a + u.i; }
         kernel void b(enum { E, F } e, const struct { struct { float4 v; } in[2]; } p, global int *o) { *o = e + p.in[1].v.x; }
         kernel void c(global struct { int i; } *p) { p->i = 1; }",
    );
    let sizes = program.kernels.iter().map(|kernel| {
        let arguments = kernel.arguments.iter();
        arguments.map(|a| (a.size, a.align)).collect::<Vec<_>>()
    });
    let want = [
        vec![(8, 4), (4, 4), (8, 8)],
        vec![(4, 4), (32, 16), (4, 4)],
        vec![(4, 4)],
    ];
    assert!(sizes.eq(want), "{:?}", program.kernels);
}

/// CL-005, CL-008: what cannot be handed over is refused with the kernel's place.
#[test]
fn arguments_that_there_cannot_be_are_refused_with_the_place() {
    for (text, says) in [
        (
            "kernel void a(global int *o) {}\nkernel void k(sampler_t s, global int *o) { *o = 1; }\n",
            "dir/k.cl:2: error: kernel `k`, argument `s`: there are no samplers",
        ),
        (
            "\nkernel void k(global int *o, read_only image2d_t i) { *o = 1; }\n",
            "dir/k.cl:2: error: kernel `k`, argument `i`: there are no images",
        ),
        (
            "#define V struct { int a; }\nkernel void k(global int *o, V v) { *o = v.a; }\n",
            "dir/k.cl:2: error: kernel `k`, argument `v`: a structure without a name, from a macro or another file",
        ),
    ] {
        let source = Source::new("dir/k.cl", text);
        let failure = build(&Toolbox::here(), &source, &Options::default(), &mut |_| ()).unwrap_err();
        assert!(failure.log.starts_with(says), "{}", failure.log);
        assert!(!failure.log.contains("wrapper"), "{}", failure.log);
    }
}
