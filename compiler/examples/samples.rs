//! Makes the samples in `tests/data` anew: what installed compilers make of a few random programs.
//!
//! ```sh
//! cargo run -p weft-compiler --example samples
//! ```

#[path = "../tests/support/mod.rs"]
mod support;

use support::c_programs::random;
use support::compilers::{compilers, LEVELS};

fn main() {
    let folder = support::kernels::root().join("compiler/tests/data");
    let scratch = std::env::temp_dir();
    for compiler in compilers() {
        for (seed, level) in (1..).zip(LEVELS) {
            // The shortest of some, so that the files stay small.
            let programs = (20 * seed..20 * seed + 20).map(|seed| (seed, random(seed)));
            let (seed, c) = programs
                .filter(|(_, c)| c.matches("if (").count() > 3)
                .min_by_key(|(_, c)| c.len())
                .expect("programs");
            for (more, name) in [
                (&[][..], ""),
                (&["-g", "-fasynchronous-unwind-tables"][..], "-debug"),
            ] {
                if more.is_empty() || level == "-O2" {
                    let assembly = compiler
                        .run(&c, level, more, &scratch)
                        .expect("it compiles");
                    let path = folder.join(format!("{}{level}-{seed}{name}.s", compiler.name));
                    std::fs::write(&path, assembly).expect("it can be written");
                    println!("{}", path.display());
                }
            }
        }
    }
}
