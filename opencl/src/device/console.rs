//! What the work-items of a launch have printed, and said when they stopped themselves.

use std::io::Write;
use weft_cc::console::Console;

/// To standard output, in the order of the work-items; on standard error what is missing, and who has stopped itself.
pub fn show(console: &Console) {
    let mut out = std::io::stdout().lock();
    // Nobody can be told that nobody reads.
    let _ = out.write_all(&console.text).and_then(|()| out.flush());
    if console.lost > 0 {
        eprintln!(
            "weft: {} calls of printf found no room, {} bytes for all work-items",
            console.lost, console.room
        );
    }
    console
        .stops
        .iter()
        .for_each(|stop| eprintln!("weft: {stop}"));
    if console.head_damaged || console.torn || !console.damaged.is_empty() {
        eprintln!("weft: a kernel has written over the buffer of printf");
    }
}
