//! Which options an engine has: one table for each command. Refusals and the help come from it.
//!
//! A row is an option, a column what runs the program; `x`: it has the option, `.`: it is refused there.
//! What stands in no row is everybody's ([`EVERYWHERE`]).

use crate::cli::{DeviceName, EngineName, RunArgs};
use anyhow::{bail, Result};

/// Options of one command.
pub struct Table {
    /// What the columns are chosen by.
    chosen_by: &'static str,
    pub columns: &'static [&'static str],
    pub rows: &'static [(&'static str, &'static str)],
}

#[rustfmt::skip]
pub const RUN: Table = Table {
    chosen_by: "--engine",
    columns: &[
        "golden", "golden --cta", "oracle", "oracle --cta", "rtl", "rust-hdl", "lockstep", "sm", "sm --bare", "gpu",
        "gpu --device verilated",
    ],
    rows: &[
        //                golden  oracle  rtl            sm      gpu
        //                |  cta  |  cta  |  rust-hdl    |  bare |  verilated
        //                |  |    |  |    |  |  lockstep |  |    |  |
        ("dut",            ".  .    .  .    .  .  x        .  .    .  ."),
        ("oracle",         ".  .    .  .    x  x  x        x  .    .  ."),
        ("check",          "x  x    .  .    .  .  .        .  .    .  ."),
        ("profile",        "x  x    .  .    .  .  .        x  .    .  ."),
        ("folded",         "x  x    .  .    .  .  .        x  .    .  ."),
        ("tokens",         "x  x    .  .    x  x  x        x  x    .  ."),
        ("yield",          "x  x    .  .    x  x  x        x  x    x  x"),
        ("yield-random",   "x  x    .  .    x  x  x        x  x    .  ."),
        ("yield-seed",     "x  x    .  .    x  x  x        x  x    .  ."),
        ("forced-yield",   "x  x    .  .    x  x  x        x  x    x  x"),
        ("path",           "x  x    .  .    x  x  x        x  x    x  x"),
        ("call-tokens",    "x  x    .  .    x  x  x        .  .    .  ."),
        ("cta-warps",      "x  .    x  .    x  x  x        .  .    .  ."),
        ("lanes",          "x  x    .  .    x  x  x        x  x    x  x"),
        ("mode",           "x  x    .  .    x  x  x        x  x    .  ."),
        ("shared-from",    "x  x    .  .    x  x  x        x  x    .  ."),
        ("stack",          "x  .    x  .    x  x  x        .  .    .  ."),
        ("unit",           ".  .    .  .    x  x  x        .  .    .  ."),
        ("policy",         ".  .    .  .    x  .  x        x  x    .  ."),
        ("dual",           ".  .    .  .    x  .  x        .  .    .  ."),
        ("partitions",     ".  .    .  .    x  .  x        .  .    .  ."),
        ("level",          ".  .    .  .    x  .  x        x  x    x  x"),
        ("level-mix",      ".  .    .  .    x  .  x        x  x    .  ."),
        ("cta",            "x  x    x  x    .  .  .        x  x    x  x"),
        ("scratchpad",     ".  x    .  x    .  .  .        x  x    x  x"),
        ("local",          ".  x    .  x    .  .  .        x  x    x  x"),
        ("arguments",      ".  x    .  x    .  .  .        x  x    x  x"),
        ("cache",          ".  .    .  .    .  .  .        x  x    .  x"),
        ("cache-ways",     ".  .    .  .    .  .  .        x  x    .  x"),
        ("icache",         ".  .    .  .    .  .  .        x  x    .  x"),
        ("registers",      ".  .    .  .    .  .  .        x  x    .  ."),
        ("memory-latency", ".  .    .  .    .  .  .        x  x    .  x"),
        ("bare",           ".  .    .  .    .  .  .        x  x    .  ."),
        ("sms",            ".  .    .  .    .  .  .        .  .    x  x"),
        ("l2",             ".  .    .  .    .  .  .        .  .    .  x"),
        ("l2-ways",        ".  .    .  .    .  .  .        .  .    .  x"),
        ("device",         ".  .    .  .    .  .  .        .  .    x  x"),
        ("float",          "x  x    x  x    .  .  .        x  x    x  x"),
        ("float-lanes",    ".  .    .  .    .  .  .        x  x    .  x"),
        ("work-queue",     ".  .    .  .    .  .  .        .  .    x  x"),
        ("watchdog",       "x  x    .  .    x  x  x        x  x    .  ."),
        ("latency",        ".  .    .  .    x  x  x        .  .    .  ."),
        ("window",         ".  .    .  .    x  x  x        .  .    .  ."),
        ("token-latency",  ".  .    .  .    x  x  x        .  .    .  ."),
        ("driver",         ".  .    .  .    x  x  x        .  .    .  ."),
        ("seed",           ".  .    .  .    x  x  x        x  x    .  x"),
        ("trace",          "x  .    .  .    x  x  x        x  .    .  ."),
        ("wave",           ".  .    .  .    x  x  x        x  x    .  ."),
        ("vcd",            ".  .    .  .    x  x  x        x  x    .  ."),
    ],
};

/// Of the engines rtl, rust-hdl and lockstep, by what runs the program there.
#[rustfmt::skip]
pub const UNIT: Table = Table {
    chosen_by: "--unit",
    columns: &["control", "core"],
    rows: &[
        ("policy",        ".  x"),
        ("dual",          ".  x"),
        ("partitions",    ".  x"),
        ("level",         ".  x"),
        ("level-mix",     ".  x"),
        ("window",        "x  ."),
        ("token-latency", "x  ."),
        ("driver",        "x  ."),
    ],
};

#[rustfmt::skip]
pub const COSIM: Table = Table {
    chosen_by: "--unit",
    columns: &["control", "core", "sm", "host", "tasks", "gpu", "float"],
    rows: &[
        ("engine",      "x  .  .  .  .  .  ."),
        ("dual",        ".  x  .  .  .  .  ."),
        ("partitions",  ".  x  .  .  .  .  ."),
        ("size",        ".  .  x  .  .  .  ."),
        ("sms",         ".  .  .  .  .  x  ."),
        ("sizes",       "x  x  .  .  .  .  ."),
        ("no-minimise", "x  .  .  .  .  .  ."),
        ("coverage",    "x  .  x  x  x  x  x"),
        ("output",      "x  x  x  .  .  .  ."),
    ],
};

#[rustfmt::skip]
pub const BENCH: Table = Table {
    chosen_by: "section",
    columns: &["control", "barrier", "kernels", "issue", "masks", "sm", "sm-speed", "speed", "area", "float-area"],
    rows: &[
        ("engine",   "x  .  x  .  .  .  .  x  .  ."),
        ("warps",    "x  .  .  .  .  .  .  x  .  ."),
        ("threads",  "x  .  .  .  .  .  .  x  .  ."),
        ("window",   "x  .  .  .  .  .  .  x  .  ."),
        ("cycles",   ".  .  .  .  .  .  .  x  .  ."),
        ("programs", ".  .  .  .  .  .  .  x  .  ."),
        ("seed",     ".  .  .  .  .  .  .  x  .  ."),
        ("rounds",   ".  .  .  .  .  x  x  x  .  ."),
        ("units",    ".  .  .  .  .  .  .  .  x  ."),
        ("sizes",    ".  .  .  .  .  .  .  .  x  x"),
        ("seeds",    ".  .  .  .  .  .  .  .  x  ."),
    ],
};

/// Of the golden model alone.
#[rustfmt::skip]
pub const DEBUG: Table = Table {
    chosen_by: "weft debug",
    columns: &["without --cta", "with --cta"],
    rows: &[
        ("cta-warps",  "x  ."),
        ("stack",      "x  ."),
        ("scratchpad", ".  x"),
        ("local",      ".  x"),
        ("arguments",  ".  x"),
    ],
};

/// What every engine of `weft run` has.
#[cfg(test)]
pub const EVERYWHERE: &[&str] = &[
    "engine",
    "warps",
    "threads",
    "grid",
    "memory",
    "limit",
    "kernel",
    "load",
    "dump",
    "save",
    "json",
    "compiler",
    "cflag",
    "lower",
    "subvector",
    "subvector-form",
    "loop-yield",
    "console",
    "heap",
    "save-assembly",
    "lower-report",
    "verbose",
];

impl Table {
    pub fn has(cells: &str, column: usize) -> bool {
        cells.split_whitespace().nth(column) == Some("x")
    }

    /// Refuses the first of these options that none of the columns has.
    pub fn check(&self, given: &[String], chosen: &[&str]) -> Result<()> {
        let columns: Vec<_> = (0..self.columns.len())
            .filter(|&n| chosen.contains(&self.columns[n]))
            .collect();
        for (option, cells) in self.rows {
            if given.iter().any(|g| g == option) && !columns.iter().any(|&n| Table::has(cells, n)) {
                let by = self.chosen_by;
                bail!(
                    "--{option}: {by} {} has nothing of that; take {by} {}",
                    chosen.join(", "),
                    self.who(cells, "or")
                );
            }
        }
        Ok(())
    }

    /// The columns with an `x`, in words.
    fn who(&self, cells: &str, and: &str) -> String {
        let has = |n: &usize| Table::has(cells, *n);
        let mut names: Vec<&str> = Vec::new();
        for n in (0..self.columns.len()).filter(has) {
            // `golden --cta` says nothing new behind `golden`.
            let name = self.columns[n];
            let known = |other: &&str| name.split(' ').next() == Some(*other);
            if !names.iter().any(known) {
                names.push(name);
            }
        }
        match names.split_last() {
            Some((last, before)) if !before.is_empty() => {
                format!("{} {and} {last}", before.join(", "))
            }
            _ => names.concat(),
        }
    }

    /// The help of these options says who has them.
    pub fn explain(&self, mut command: clap::Command) -> clap::Command {
        for (option, cells) in self.rows {
            if cells.split_whitespace().all(|cell| cell == "x") {
                continue;
            }
            let who = self.who(cells, "and");
            command = command.mut_args(|arg| {
                if arg.get_long() != Some(option) {
                    return arg;
                }
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                arg.help(format!("{help} [{} {who}]", self.chosen_by))
            });
        }
        command
    }
}

/// The column of `weft run`.
pub fn column(args: &RunArgs) -> &'static str {
    match (args.engine, args.sm.cta.is_some()) {
        (EngineName::Golden, false) => "golden",
        (EngineName::Golden, true) => "golden --cta",
        (EngineName::Oracle, false) => "oracle",
        (EngineName::Oracle, true) => "oracle --cta",
        (EngineName::Rtl, _) => "rtl",
        (EngineName::RustHdl, _) => "rust-hdl",
        (EngineName::Lockstep, _) => "lockstep",
        (EngineName::Sm, _) if args.sm.bare => "sm --bare",
        (EngineName::Sm, _) => "sm",
        (EngineName::Gpu, _) if args.gpu.device == DeviceName::Verilated => {
            "gpu --device verilated"
        }
        (EngineName::Gpu, _) => "gpu",
    }
}

/// Refuses what the hardware that runs the program has not: `core`, or `control`.
pub fn check_unit(args: &RunArgs, unit: &str) -> Result<()> {
    UNIT.check(&args.given, &[unit])
}

/// Of these options, the first that only a core has.
pub fn of_core(args: &RunArgs) -> Option<&'static str> {
    let rows = UNIT.rows.iter().filter(|(_, cells)| !Table::has(cells, 0));
    let given = |option: &&str| args.given.iter().any(|g| g == option);
    rows.map(|(option, _)| *option).find(given)
}
