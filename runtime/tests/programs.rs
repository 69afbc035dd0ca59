//! Several programs on one GPU, and their variables (HOST-113).

use weft_cc::each;
use weft_driver::{Domain, Error, Golden, Gpu, Grid, Module, Settings};
use weft_sim::host::Size;
use weft_sim::FaultCause;

/// Absolute addresses in words, in constants, and from gp; those that the linker can take from one instruction.
const FIRST: &str = "
#include <weft_queue.h>
int table[4] = {1, 2, 3, 4};
int *last = &table[3];
const char *names[2] = {\"a\", \"b\"};
static int zeros[3000];
int small;
extern int nowhere __attribute__((weak));
int twice(int n) { return 2 * n; }
int (*call)(int) = twice;
WEFT_KERNEL(first)(unsigned thread, unsigned threads, int *out)
{
    if (thread == 0) small = 7;
    zeros[2999] = 0;
    out[thread] = call(table[thread & 3]) + *last + names[thread & 1][0] + zeros[thread] + (&nowhere ? 1000 : 0);
}
void kernel(unsigned thread, unsigned threads) {}
";

const SECOND: &str = "
#include <weft_queue.h>
int table[3] = {10, 20, 30};
WEFT_KERNEL(second)(unsigned thread, unsigned threads, int *out) { out[thread] += table[thread % 3]; }
void kernel(unsigned thread, unsigned threads) {}
";

fn size() -> Size {
    Size {
        warps: 4,
        threads: 8,
        lanes: 8,
        ..Size::default()
    }
}

fn gpu() -> Gpu<Golden> {
    Gpu::open(Golden::new(size(), 1 << 20)).unwrap()
}

fn run(gpu: &mut Gpu<Golden>, module: Module, kernel: &str, out: u32) {
    let kernel = gpu.symbol(module, kernel).unwrap();
    let stream = gpu.stream().unwrap();
    let grid = Grid::of(1, 13).with_arguments(out);
    gpu.launch(stream, kernel, &grid).unwrap();
    gpu.synchronize().unwrap();
}

#[test]
fn two_programs_run_beside_each_other_and_their_variables_have_names() {
    let folder = tempfile::tempdir().unwrap();
    for family in each::families() {
        let build = |name: &str, source: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, source).unwrap();
            each::built(family, &file)
        };
        let (first, second) = (build("first.c", FIRST), build("second.c", SECOND));
        // Whichever comes first has the place that both were linked for.
        for turned in [false, true] {
            let mut gpu = gpu();
            let mut load = |elf| gpu.load_elf(elf).unwrap_or_else(|e| panic!("{e}"));
            let (one, two) = match turned {
                false => {
                    let one = load(&first);
                    (one, load(&second))
                }
                true => {
                    let two = load(&second);
                    (load(&first), two)
                }
            };
            let out = gpu.allocate(4 * 13).unwrap();
            let table = gpu.variable(one, "table").unwrap();
            let other = gpu.variable(two, "table").unwrap();
            assert_eq!((table.size(), other.size()), (16, 12));
            assert_eq!(gpu.read_words(other, 0, 3).unwrap(), [10, 20, 30]);
            gpu.write_words(table, 1, &[200]).unwrap();
            assert!(matches!(
                gpu.write_words(table, 4, &[0]),
                Err(Error::Outside { .. })
            ));
            run(&mut gpu, one, "first", out.address());
            run(&mut gpu, two, "second", out.address());
            let expected: Vec<u32> = (0..13)
                .map(|n| 2 * [1, 200, 3, 4][n & 3] + 4 + 97 + (n as u32 & 1) + [10, 20, 30][n % 3])
                .collect();
            assert_eq!(gpu.read_words(out, 0, 13).unwrap(), expected);
            let small = gpu.variable(one, "small").unwrap();
            assert_eq!(gpu.read_words(small, 0, 1).unwrap(), [7]);
            assert!(matches!(gpu.free(table), Err(Error::NoBuffer(_))));
        }
    }
}

/// The start file calls `kernel` by a weak name.
#[test]
fn programs_without_a_kernel_of_that_name_stand_beside_each_other() {
    let folder = tempfile::tempdir().unwrap();
    for family in each::families() {
        let mut gpu = gpu();
        let out = gpu.reserve(0x8_0000).unwrap().address();
        for (name, add) in [("first", 1), ("second", 20), ("third", 300)] {
            let file = folder.path().join("k.c");
            let source = format!(
                "#include <weft_queue.h>\nint more = {add};\n\
                 WEFT_KERNEL({name})(unsigned thread, unsigned threads, int *out) {{ out[thread] += more; }}\n"
            );
            std::fs::write(&file, source).unwrap();
            let module = gpu.load_elf(&each::built(family, &file)).unwrap();
            run(&mut gpu, module, name, out);
        }
        let words: Vec<u32> = (0..13).map(|n| gpu.word(out + 4 * n).unwrap()).collect();
        assert_eq!(words, [321; 13], "{family:?}");
    }
}

#[test]
fn a_program_without_relocations_is_refused_and_both_are_named() {
    let mut gpu = gpu();
    let program = weft_isa::assemble("_start: ecall", "a.s").unwrap();
    let module = gpu.load_program(&program).unwrap();
    gpu.set_title(module, "a.s");
    let said = gpu.load_program(&program).unwrap_err().to_string();
    let begins =
        "the program's bytes 0x1000 to 0x1004 are not free: a.s stands at 0x1000 to 0x1004";
    assert!(said.starts_with(begins), "{said}");
}

#[test]
fn the_place_of_a_program_that_is_unloaded_is_free() {
    let mut gpu = gpu();
    let program = weft_isa::assemble("_start: sw a0, 0(a2)\n ecall", "a.s").unwrap();
    for _ in 0..2 {
        let module = gpu.load_program(&program).unwrap();
        assert!(gpu.load_program(&program).is_err());
        assert_eq!(gpu.symbol(module, "_start").unwrap(), 0x1000);
        gpu.unload(module).unwrap();
        assert!(matches!(gpu.unload(module), Err(Error::NoBuffer(0x1000))));
        assert!(gpu.symbol(module, "_start").is_err());
    }
    let rest = gpu.reserve(0x1_0001).unwrap();
    assert_eq!(rest.address(), 0x1_0040);
    let full = gpu.allocate(rest.size()).unwrap_err();
    assert!(matches!(full, Error::NoMemory { .. }), "{full}");
    // What is before it is free, and may be taken.
    assert_eq!(gpu.allocate(64).unwrap().address(), 0x1000);
}

/// HOST-004: the same program in two domains; each has its variables, and reaches those of the other one in no way.
#[test]
fn a_program_in_a_domain_reaches_its_window_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("first.c");
    std::fs::write(&file, FIRST).unwrap();
    for family in each::families() {
        let first = each::built(family, &file);
        let settings = Settings {
            domains: 2,
            ..Settings::default()
        };
        let mut gpu = Gpu::open_with(Golden::new(size(), 1 << 20), settings).unwrap();
        let domains = [gpu.domain(64 << 10).unwrap(), gpu.domain(64 << 10).unwrap()];
        assert!(matches!(gpu.domain(64), Err(Error::NoDomain(2))));
        let [own, other] = domains.map(|domain| {
            gpu.enter(domain);
            let module = gpu.load_elf(&first).unwrap_or_else(|e| panic!("{e}"));
            (module, gpu.allocate(4 * 13).unwrap())
        });
        gpu.enter(Domain::COMMON);
        let of_all = gpu.allocate(4 * 13).unwrap();
        run(&mut gpu, own.0, "first", own.1.address());
        let wanted: Vec<u32> = (0..13u32)
            .map(|n| 2 * (n % 4 + 1) + 4 + [0x61, 0x62][n as usize % 2])
            .collect();
        assert_eq!(gpu.read_words(own.1, 0, 13).unwrap(), wanted);
        for out in [other.1, of_all] {
            let kernel = gpu.symbol(own.0, "first").unwrap();
            let stream = gpu.stream().unwrap();
            let grid = Grid::of(1, 13).with_arguments(out.address());
            gpu.launch(stream, kernel, &grid).unwrap();
            let told = gpu.synchronize();
            let Err(Error::Fault(fault)) = told else {
                panic!("{told:?}");
            };
            // Of either warp.
            let place = out.address()..out.address() + 4 * 13;
            let wanted = |address| place.contains(&address);
            assert!(matches!(fault.cause, FaultCause::Unmapped { address } if wanted(address)));
            assert_eq!(gpu.read_words(out, 0, 13).unwrap(), [0; 13]);
        }
        run(&mut gpu, other.0, "first", other.1.address());
        assert_eq!(gpu.read_words(other.1, 0, 13).unwrap(), wanted);
        // What is given back is the domain's again.
        let place = own.1.address();
        gpu.free(own.1).unwrap();
        gpu.enter(domains[0]);
        assert_eq!(gpu.allocate(4 * 13).unwrap().address(), place);
    }
}
