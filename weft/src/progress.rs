//! Progress on standard error: a moving line on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// For work in steps of unknown length.
pub struct Lines {
    spinner: Option<ProgressBar>,
}

impl Lines {
    pub fn new() -> Lines {
        let spinner = std::io::stderr().is_terminal().then(|| {
            let spinner = ProgressBar::new_spinner();
            spinner.enable_steady_tick(Duration::from_millis(120));
            spinner
        });
        Lines { spinner }
    }

    pub fn show(&self, line: &str) {
        match &self.spinner {
            Some(spinner) => spinner.set_message(line.to_string()),
            None => eprintln!("{line}"),
        }
    }

    pub fn end(&self) {
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
    }
}

/// For work in a known number of steps: a bar on a terminal, nothing elsewhere.
pub fn bar(steps: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:40} {pos}/{len} programs, {per_sec}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(steps).with_style(style)
}
