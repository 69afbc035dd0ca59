//! `weft completions` and `weft man`: the command line for shells and for `man`, from its own description.

use crate::cli::{CompletionsArgs, ManArgs};
use crate::parse;
use anyhow::{Context, Result};
use std::fs;

/// The program by its own name; `cargo weft` builds it first.
fn command() -> clap::Command {
    parse::command().name("weft").bin_name("weft")
}

/// The script, on standard output.
pub fn completions(args: &CompletionsArgs) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "weft", &mut script);
    print!("{}", String::from_utf8_lossy(&script));
}

/// A page for the program and one for each command.
pub fn man(args: &ManArgs) -> Result<()> {
    let what = || format!("-o {}", args.output.display());
    fs::create_dir_all(&args.output).with_context(what)?;
    clap_mangen::generate_to(command(), &args.output).with_context(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_and_every_option_completes() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("man");
        man(&ManArgs {
            output: output.clone(),
        })
        .unwrap();
        let mut script = Vec::new();
        clap_complete::generate(
            clap_complete::Shell::Bash,
            &mut command(),
            "weft",
            &mut script,
        );
        let script = String::from_utf8(script).unwrap();
        let mut command = command();
        command.build();
        for sub in command
            .get_subcommands()
            .filter(|sub| sub.get_name() != "help")
        {
            let page =
                fs::read_to_string(output.join(format!("weft-{}.1", sub.get_name()))).unwrap();
            for option in sub.get_arguments().filter_map(|arg| arg.get_long()) {
                assert!(script.contains(&format!("--{option}")), "{option}");
                assert!(
                    page.replace('\\', "").contains(&format!("--{option}")),
                    "{option}"
                );
            }
        }
    }
}
