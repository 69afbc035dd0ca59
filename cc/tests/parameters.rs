//! CC-060 to CC-062: what kernels in C take, and which variables there are, as each compiler says it in DWARF.

use weft_cc::each;
use weft_cc::parameters::{of_elf, Class, Field, FieldKind, Kernel, Parameters, Scalar, Signature};

const TEXT: &str = r#"
#include <weft_queue.h>
typedef float real;
typedef const real *input;
enum colour { red, blue };
struct inner { int a, b; };
union either { int a; float b; };
struct job {
    unsigned n;
    real factor;
    input x;
    real *restrict y;
    signed char c;
    char plain;
    unsigned short s;
    long long wide;
    enum colour colour;
    _Bool flag;
    const unsigned char *bytes;
    void *anything;
    struct inner *inners;
    struct inner inside;
    union either either;
    float matrix[2][3];
    volatile int *const fixed;
};
struct bits { unsigned a : 3, b : 5; };
struct later;

int size = 3;
float table[4][5];
struct inner pair[2];
static int hidden;
int unused[100];
_Thread_local int own;
WEFT_SHARED int part[8];

WEFT_KERNEL(of_struct)(unsigned thread, unsigned threads, struct job *job)
{
    job->y[thread] = job->x[thread] * size + table[1][1] + pair[1].a + hidden++ + own++;
    part[thread & 7] = threads;
}
WEFT_KERNEL(of_pointer)(unsigned thread, unsigned threads, const int *p) { table[0][0] = p[thread]; }
WEFT_KERNEL(of_word)(unsigned thread, unsigned threads, int n) { table[0][0] = n; }
WEFT_KERNEL(of_nothing)(unsigned thread, unsigned threads) { table[0][0] = thread; }
WEFT_KERNEL(of_bits)(unsigned thread, unsigned threads, struct bits *bits) { table[0][0] = bits->a; }
WEFT_KERNEL(of_later)(unsigned thread, unsigned threads, struct later *later) { table[0][0] = thread; }
WEFT_KERNEL(of_queue)(unsigned thread, unsigned threads, struct weft_queue *queue) { table[0][0] = thread; }
WEFT_KERNEL(of_long)(unsigned thread, unsigned threads, long long n) { table[0][0] = n; }
WEFT_KERNEL(of_four)(unsigned thread, unsigned threads, int n, int m) { table[0][0] = n + m; }
WEFT_KERNEL(of_float)(float thread, unsigned threads) { table[0][0] = thread; }
static int helper(int kernel) { return kernel; }
void kernel(unsigned thread, unsigned threads, struct inner *inner) { hidden = helper(inner->b); }
"#;

const fn scalar(class: Class, size: u32) -> Scalar {
    Scalar { class, size }
}

const INT: Scalar = scalar(Class::Signed, 4);
const FLOAT: Scalar = scalar(Class::Float, 4);

/// A field by its name: offset, bytes, and what it is.
fn shown(field: &Field) -> (&str, u32, u32, &FieldKind) {
    (&field.name, field.offset, field.size, &field.kind)
}

fn kernel<'a>(signature: &'a Signature, name: &str) -> &'a Result<Parameters, String> {
    let is_it = |kernel: &&Kernel| kernel.name == name;
    let found = signature.kernels.iter().find(is_it);
    &found.unwrap_or_else(|| panic!("{name}")).parameters
}

#[test]
fn what_kernels_take_stands_in_the_executable() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("k.c");
    std::fs::write(&file, TEXT).unwrap();
    for family in each::families() {
        let signature = of_elf(&each::built(family, &file));
        let names: Vec<_> = signature.kernels.iter().map(|k| &*k.name).collect();
        let all = [
            "kernel",
            "of_bits",
            "of_float",
            "of_four",
            "of_later",
            "of_long",
            "of_nothing",
            "of_pointer",
            "of_queue",
            "of_struct",
            "of_word",
        ];
        assert_eq!(names, all, "{family:?}");

        let Ok(Parameters::Struct(size, fields)) = kernel(&signature, "of_struct") else {
            panic!("{family:?}: {signature:?}");
        };
        use FieldKind::{Array, Bytes, Pointer, Scalar as One};
        let pointer = |to, is_const| Pointer { to, is_const };
        let want = [
            ("n", 0, 4, &One(scalar(Class::Unsigned, 4))),
            ("factor", 4, 4, &One(FLOAT)),
            ("x", 8, 4, &pointer(Some(FLOAT), true)),
            ("y", 12, 4, &pointer(Some(FLOAT), false)),
            ("c", 16, 1, &One(scalar(Class::Signed, 1))),
            // As the convention for RISC-V has it.
            ("plain", 17, 1, &One(scalar(Class::Unsigned, 1))),
            ("s", 18, 2, &One(scalar(Class::Unsigned, 2))),
            ("wide", 24, 8, &One(scalar(Class::Signed, 8))),
            ("colour", 32, 4, &One(scalar(Class::Unsigned, 4))),
            ("flag", 36, 1, &One(scalar(Class::Bool, 1))),
            (
                "bytes",
                40,
                4,
                &pointer(Some(scalar(Class::Unsigned, 1)), true),
            ),
            ("anything", 44, 4, &pointer(None, false)),
            ("inners", 48, 4, &pointer(None, false)),
            ("inside", 52, 8, &Bytes),
            ("either", 60, 4, &Bytes),
            ("matrix", 64, 24, &Array(FLOAT, vec![2, 3])),
            ("fixed", 88, 4, &pointer(Some(INT), false)),
        ];
        let found: Vec<_> = fields.iter().map(shown).collect();
        assert_eq!(found, want, "{family:?}");
        assert_eq!(*size, 96);
        let types: Vec<_> = fields.iter().map(|f| &*f.type_name).collect();
        let some = [types[1], types[2], types[3], types[12], types[16]];
        let want = [
            "real",
            "input",
            "real *",
            "struct inner *",
            "volatile int * const",
        ];
        assert_eq!(some, want, "{family:?}");

        let word = |name: &str| match kernel(&signature, name) {
            Ok(Parameters::Word(field)) => (field.name.clone(), field.kind.clone()),
            other => panic!("{family:?}: {name}: {other:?}"),
        };
        assert_eq!(word("of_pointer"), ("p".into(), pointer(Some(INT), true)));
        // Of a struct that is only declared nothing is known.
        assert_eq!(word("of_later"), ("later".into(), pointer(None, false)));
        assert_eq!(word("of_word"), ("n".into(), One(INT)));
        assert_eq!(kernel(&signature, "of_nothing"), &Ok(Parameters::None));
        let Ok(Parameters::Struct(8, fields)) = kernel(&signature, "kernel") else {
            panic!("{family:?}: {signature:?}");
        };
        assert_eq!(
            fields.iter().map(|f| &*f.name).collect::<Vec<_>>(),
            ["a", "b"]
        );
        for (name, why) in [
            ("of_bits", "bit-field"),
            ("of_queue", "work queue"),
            ("of_long", "4 bytes"),
            ("of_four", "more than three"),
            ("of_float", "`thread`"),
        ] {
            let said = kernel(&signature, name).as_ref().expect_err(name);
            assert!(said.contains(why), "{family:?}: {name}: {said}");
        }

        let variables: Vec<_> = signature.variables.iter().map(shown).collect();
        let want = [
            ("pair", 0, 16, &Bytes),
            ("size", 0, 4, &One(INT)),
            ("table", 0, 80, &Array(FLOAT, vec![4, 5])),
        ];
        assert_eq!(variables, want, "{family:?}");
    }
}

#[test]
fn what_is_no_executable_says_nothing() {
    assert_eq!(of_elf(b"text"), Signature::default());
}
