//! A GDB that knows RISC-V, for tests that have a session with it.

use weft_toolbox::which;

const GDBS: [&str; 3] = [
    "gdb-multiarch",
    "riscv64-unknown-elf-gdb",
    "riscv32-unknown-elf-gdb",
];

/// If one is here.
pub fn gdb() -> Option<&'static str> {
    let found = GDBS.into_iter().find(|name| which(name).is_some());
    if found.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "the CI has to have gdb-multiarch"
        );
        println!("SKIPPED: there is none of {}", GDBS.join(", "));
    }
    found
}
