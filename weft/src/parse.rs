//! The command line: what was asked for, refused where what runs has nothing of it ([`crate::takes`]).

use crate::bench;
use crate::cli::{Cli, Command, CosimArgs, CosimUnit};
use crate::takes::{column, BENCH, COSIM, DEBUG, RUN};
use anyhow::Result;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

fn unit_of(args: &CosimArgs) -> &'static str {
    match args.unit {
        CosimUnit::Control => "control",
        CosimUnit::Core => "core",
        CosimUnit::Sm => "sm",
        CosimUnit::Host => "host",
        CosimUnit::Tasks => "tasks",
        CosimUnit::Gpu => "gpu",
        CosimUnit::Float => "float",
    }
}

/// The command line, with who has what in its help.
pub fn command() -> clap::Command {
    let command = Cli::command();
    let command = command.mut_subcommand("run", |run| RUN.explain(run));
    let command = command.mut_subcommand("debug", |debug| DEBUG.explain(debug));
    let command = command.mut_subcommand("cosim", |cosim| COSIM.explain(cosim));
    command.mut_subcommand("bench", |bench| BENCH.explain(bench))
}

/// What was asked for, on what has it.
///
/// # Errors
/// An option that what runs has not.
pub fn parse(matches: &ArgMatches) -> Result<Cli> {
    let mut cli = Cli::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
    let given = given(matches);
    match &mut cli.command {
        Command::Run(args) => {
            RUN.check(&given, &[column(args)])?;
            args.given = given;
        }
        Command::Debug(args) => {
            let column = usize::from(args.cta.is_some());
            DEBUG.check(&given, &[DEBUG.columns[column]])?;
        }
        Command::Cosim(args) if args.command.is_none() => COSIM.check(&given, &[unit_of(args)])?,
        Command::Bench(args) if args.from.is_none() => {
            let sections = bench::sections(args)?;
            let names: Vec<_> = sections.iter().map(|section| section.name()).collect();
            BENCH.check(&given, &names)?;
        }
        _ => {}
    }
    Ok(cli)
}

/// Options of the subcommand that were given, with another value than they have anyway.
fn given(matches: &ArgMatches) -> Vec<String> {
    let Some((name, matches)) = matches.subcommand() else {
        return Vec::new();
    };
    let mut command = Cli::command();
    command.build();
    let Some(command) = command.find_subcommand(name) else {
        return Vec::new();
    };
    let asked = |arg: &&clap::Arg| {
        let id = arg.get_id().as_str();
        let known = matches.ids().any(|known| known.as_str() == id);
        if !known || matches.value_source(id) != Some(ValueSource::CommandLine) {
            return false;
        }
        let values = matches.get_raw(id).into_iter().flatten();
        let usual = arg.get_default_values().iter().map(|v| v.to_os_string());
        values.map(std::ffi::OsStr::to_os_string).ne(usual)
    };
    let args = command.get_arguments().filter(asked);
    args.filter_map(|arg| arg.get_long().map(str::to_string))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::takes::{Table, EVERYWHERE, UNIT};

    fn tables() -> [(&'static str, &'static Table); 5] {
        [
            ("debug", &DEBUG),
            ("run", &RUN),
            ("run", &UNIT),
            ("cosim", &COSIM),
            ("bench", &BENCH),
        ]
    }

    /// G45: every option of `weft run` stands under a heading, and no line of the help is wider than a terminal.
    #[test]
    fn the_help_is_in_groups_and_narrow() {
        let mut command = command();
        command.build();
        let run = command.find_subcommand_mut("run").unwrap();
        for arg in run
            .get_arguments()
            .filter(|arg| arg.get_id() != "help" && !arg.is_positional())
        {
            assert!(arg.get_help_heading().is_some(), "{arg}");
        }
        for text in [
            run.render_help().to_string(),
            run.render_long_help().to_string(),
        ] {
            let wide = text.lines().find(|line| line.chars().count() > 80);
            assert_eq!(wide, None);
        }
    }

    /// Every row is an option of its command, with a cell for each column.
    #[test]
    fn the_tables_are_whole() {
        for (name, table) in tables() {
            let command = Cli::command();
            let command = command.find_subcommand(name).unwrap();
            for (option, cells) in table.rows {
                assert!(
                    command
                        .get_arguments()
                        .any(|a| a.get_long() == Some(option)),
                    "{option}"
                );
                assert_eq!(
                    cells.split_whitespace().count(),
                    table.columns.len(),
                    "{option}"
                );
                assert!(cells.contains('x'), "{option}: nobody has it");
            }
        }
    }

    /// G12: no option of `weft run` that nobody has thought of.
    #[test]
    fn every_option_is_in_the_table() {
        let command = Cli::command();
        let run = command.find_subcommand("run").unwrap();
        for option in run.get_arguments().filter_map(|arg| arg.get_long()) {
            let row = RUN.rows.iter().any(|(name, _)| *name == option);
            assert_ne!(row, EVERYWHERE.contains(&option), "{option}");
        }
    }

    /// Every option on every engine: taken where the table has it, else refused, with those that have it.
    #[test]
    fn every_option_is_taken_or_refused_on_every_engine() {
        let values = [
            ("dut", "rust-hdl"),
            ("tokens", "99"),
            ("yield", "every:3"),
            ("yield-random", "9"),
            ("yield-seed", "7"),
            ("float", "hard"),
            ("forced-yield", "9"),
            ("path", "taken"),
            ("cta-warps", "2"),
            ("lanes", "4"),
            ("mode", "regular"),
            ("shared-from", "24"),
            ("stack", "8K"),
            ("unit", "core"),
            ("policy", "greedy-then-oldest"),
            ("partitions", "2"),
            ("level", "2"),
            ("level-mix", "1"),
            ("cta", "8"),
            ("scratchpad", "64"),
            ("local", "64"),
            ("arguments", "4"),
            ("cache", "8"),
            ("cache-ways", "1"),
            ("icache", "8"),
            ("registers", "4"),
            ("memory-latency", "9"),
            ("sms", "2"),
            ("l2", "8"),
            ("l2-ways", "2"),
            ("device", "verilated"),
            ("kernel", "k"),
            ("work-queue", "8"),
            ("watchdog", "9"),
            ("latency", "9"),
            ("window", "4,2"),
            ("token-latency", "9"),
            ("seed", "9"),
            ("trace", "t.json"),
            ("folded", "t.folded"),
            ("float-lanes", "2"),
            ("wave", "w.fst"),
            ("vcd", "w.vcd"),
        ];
        for column in RUN.columns {
            for (option, cells) in RUN.rows {
                // What chooses a column.
                if ["cta", "bare", "device"].contains(option) && column.contains(option) {
                    continue;
                }
                let mut words = vec!["weft", "run", "p.s", "--engine"];
                words.extend(column.split(' '));
                if column.ends_with("--cta") {
                    words.push("8");
                }
                let option_word = format!("--{option}");
                words.push(&option_word);
                let value = values.iter().find(|(name, _)| name == option);
                words.extend(value.map(|(_, value)| *value));
                if *option == "yield-seed" {
                    words.extend(["--yield-random", "9"]);
                }
                if *option == "folded" {
                    words.push("--profile");
                }
                let came = command()
                    .try_get_matches_from(&words)
                    .map_err(anyhow::Error::from);
                let came = came.and_then(|matches| parse(&matches));
                let n = RUN.columns.iter().position(|c| c == column).unwrap();
                // These two move to the column beside.
                let moves = ["cta", "bare", "device"].contains(option);
                match came {
                    Ok(_) => assert!(Table::has(cells, n), "{words:?} is taken"),
                    Err(error) => {
                        let error = error.to_string();
                        assert!(!Table::has(cells, n) || moves, "{words:?}: {error}");
                        assert!(
                            error.contains("has nothing of that; take --engine"),
                            "{words:?}: {error}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_refusal_names_who_has_it() {
        let words = "weft run p.s --engine gpu --oracle".split(' ');
        let matches = command().try_get_matches_from(words).unwrap();
        let error = parse(&matches).err().unwrap().to_string();
        assert_eq!(
            error,
            "--oracle: --engine gpu has nothing of that; take --engine rtl, rust-hdl, lockstep or sm"
        );
        // The value that it has anyway asks for nothing.
        let words = "weft run p.s --engine golden --seed 1 --latency 1".split(' ');
        assert!(parse(&command().try_get_matches_from(words).unwrap()).is_ok());
    }

    #[test]
    fn cosim_and_bench_refuse_what_their_units_have_not() {
        for (words, error) in [
            ("cosim --size 4x4l4", "--size: --unit control has nothing of that; take --unit sm"),
            ("cosim --unit sm --sizes 4x4", "--sizes: --unit sm has nothing of that; take --unit control or core"),
            ("cosim --unit tasks --sms 5", "--sms: --unit tasks has nothing of that; take --unit gpu"),
            ("cosim --unit core --coverage", "--coverage: --unit core has nothing of that; take --unit control, sm, host, tasks, gpu or float"),
            ("cosim --unit float --size 4x4l4", "--size: --unit float has nothing of that; take --unit sm"),
            ("cosim --unit tasks -o here", "--output: --unit tasks has nothing of that; take --unit control, core or sm"),
            ("bench --only masks --rounds 2", "--rounds: section masks has nothing of that; take section sm, sm-speed or speed"),
        ] {
            let words = std::iter::once("weft").chain(words.split(' '));
            let matches = command().try_get_matches_from(words).unwrap();
            assert_eq!(parse(&matches).err().unwrap().to_string(), error);
        }
    }
}
