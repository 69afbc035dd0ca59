//! CC-011: the constructors of a C++ program run once for each time that it is loaded, before anything of it is
//! launched, whatever is launched first and how often. Skipped by name where there is no compiler.

use weft_cc::each;
use weft_driver::{Error, Golden, Gpu, Grid, Settings};
use weft_sim::host::Size;

/// A table that a constructor fills, and a count of constructions, for kernels of either kind.
const TABLE: &str = r#"
#include <weft_queue.h>
extern "C" { volatile unsigned made; unsigned result[64], other[64]; }
struct Table {
    unsigned value[4];
    Table() { made = made + 1; for (unsigned i = 0; i < 4; i++) value[i] = 10 * (i + 1); }
};
static Table table;
extern "C" {
WEFT_KERNEL(named)(unsigned thread, unsigned, void *) { result[thread] += table.value[thread & 3]; }
WEFT_KERNEL(second)(unsigned thread, unsigned, void *) { other[thread] += table.value[3 - (thread & 3)]; }
void kernel(unsigned thread, unsigned) { result[thread] += table.value[thread & 3]; }
}
"#;

fn gpu(channels: usize) -> Gpu<Golden> {
    let size = Size {
        warps: 4,
        threads: 8,
        lanes: 8,
        channels,
        ..Size::default()
    };
    let settings = Settings {
        limit: Some(10_000_000),
        ..Settings::default()
    };
    Gpu::open_with(Golden::new(size, 4 << 20), settings).unwrap()
}

fn words(gpu: &mut Gpu<Golden>, at: u32, count: u32) -> Vec<u32> {
    (0..count).map(|n| gpu.word(at + 4 * n).unwrap()).collect()
}

fn table(thread: u32) -> u32 {
    10 * (thread % 4 + 1)
}

#[test]
fn constructors_run_once_whatever_is_launched_first() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("table.cpp");
    std::fs::write(&file, TABLE).unwrap();
    for family in each::families() {
        let elf = each::built(family, &file);
        for first in ["named", "kernel", "second"] {
            let mut gpu = gpu(2);
            let module = gpu.load_elf(&elf).unwrap();
            let address = |name: &str| gpu.symbol(module, name).unwrap();
            let [made, result, other] = ["made", "result", "other"].map(address);
            let kernels = ["named", "kernel", "second"].map(|name| match name {
                "kernel" => module.entry(),
                name => address(name),
            });
            assert_eq!(words(&mut gpu, made, 1), [1], "{family:?}: at loading");
            let stream = gpu.stream().unwrap();
            let begin = ["named", "kernel", "second"]
                .iter()
                .position(|n| *n == first);
            for n in 0..6 {
                let kernel = kernels[(begin.unwrap() + n) % 3];
                gpu.launch(stream, kernel, &Grid::of(5, 11)).unwrap();
            }
            gpu.synchronize().unwrap();
            assert_eq!(words(&mut gpu, made, 1), [1], "{family:?}, {first} first");
            let four: Vec<u32> = (0..55).map(|t| 4 * table(t)).collect();
            let two: Vec<u32> = (0..55).map(|t| 2 * table(3 - t % 4)).collect();
            assert_eq!(
                words(&mut gpu, result, 55),
                four,
                "{family:?}, {first} first"
            );
            assert_eq!(words(&mut gpu, other, 55), two, "{family:?}, {first} first");
            // The stream that constructed is not one less for the host: one channel is for the work queue.
            gpu.work_queue(4, 1).unwrap();
            assert!(matches!(gpu.stream(), Err(Error::NoChannel(2))));
        }
    }
}

#[test]
fn a_constructor_that_fails_is_an_error_of_loading() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("fails.cpp");
    let source =
        "unsigned *volatile where;\nstruct Bad {\n    Bad() { *where = 1; }\n};\nstatic Bad bad;\n\
                  extern \"C\" void kernel(unsigned, unsigned) {}\n";
    std::fs::write(&file, source).unwrap();
    for family in each::families() {
        let elf = each::built(family, &file);
        let error = gpu(2).load_elf(&elf).unwrap_err();
        let said = error.to_string();
        assert!(matches!(error, Error::Fault(_)), "{family:?}: {said}");
        assert!(
            said.contains("kernel __weft_construct") && said.contains("fails.cpp:3"),
            "{said}"
        );
    }
}
