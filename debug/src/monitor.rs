//! What GDB has no words for: `monitor …` (DEBUG-030), and the text beside each thread.

use crate::session::Session;
use crate::thread::Thread;
use std::fmt::Write;
use weft_sim::{kind_name, Machine, Standing, Stuck};

const HELP: &str = "\
warps       each warp: where it stands, who is active, who is off and why
tokens N    the tokens of warp N, front to back
barriers    who waits at which barrier
why         what the latest stop means, in words
help        this
";

/// What `monitor` prints, line by line.
pub fn answer(session: &Session, command: &str) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        ["warps"] => warps(session),
        ["tokens", warp] => match warp.parse::<usize>() {
            Ok(warp) if warp < session.machine().config().warps => tokens(session.machine(), warp),
            _ => format!(
                "tokens N: a warp from 0 to {}\n",
                session.machine().config().warps - 1
            ),
        },
        ["barriers"] => barriers(session.machine()),
        ["why"] => format!("{}\n", session.why()),
        ["help"] | [] => HELP.into(),
        _ => format!("`{command}` is no command of weft; there are:\n{HELP}"),
    }
}

/// Of one thread: `warp 0, lane 3, off: DIV`.
pub fn thread(session: &Session, thread: Thread) -> String {
    let Thread { warp, lane } = thread;
    let machine = session.seen_by(thread);
    let ahead = match std::ptr::eq(machine, session.machine()) {
        true => "",
        false => ", ahead of the others",
    };
    let what = match machine.standing_of(warp, lane) {
        Standing::Absent => "absent".into(),
        Standing::Active { .. } if machine.faults().iter().any(|f| f.warp == warp) => {
            "stopped by a fault".into()
        }
        Standing::Active { .. } if machine.is_held(warp) => "held at a barrier".into(),
        Standing::Active { .. } => "active".into(),
        Standing::Off { reason, .. } => format!("off: {}", kind_name(reason)),
        Standing::Ended => "ended".into(),
    };
    let part = session.part().map(|p| format!("{p}, ")).unwrap_or_default();
    format!("{part}warp {warp}, lane {lane}, {what}{ahead}")
}

fn warps(session: &Session) -> String {
    let machine = session.machine();
    let mut text = session.part().map(|p| p + "\n").unwrap_or_default();
    for warp in 0..machine.config().warps {
        let control = machine.warp(warp);
        let fault = machine.faults().iter().find(|f| f.warp == warp);
        let state = match fault {
            Some(_) => "faulted",
            None if control.is_done() => "done",
            None if machine.is_held(warp) => "held at a barrier",
            None if control.is_blocked() => "waits",
            None => "runs",
        };
        let _ = write!(text, "warp {warp}: {state}");
        if !control.is_done() && !control.is_blocked() {
            let _ = write!(text, " at {:#x}", control.pc() * 4);
        }
        let _ = write!(text, ", active {:#x}", control.active());
        for reason in 0..16u8 {
            let off = control.waiting_for(reason);
            if off != 0 {
                let _ = write!(text, ", {} {off:#x}", kind_name(reason));
            }
        }
        let _ = writeln!(text, ", {} tokens", control.deque().iter().count());
        if let Some(fault) = fault {
            let _ = writeln!(text, "  {fault}");
        }
    }
    text
}

fn tokens(machine: &Machine, warp: usize) -> String {
    let mut text = String::new();
    for token in machine.tokens(warp) {
        let (kind, mask) = (kind_name(token.kind), token.mask);
        let _ = writeln!(
            text,
            "{kind:<9} mask {mask:#x}, goes to {:#x}",
            token.address * 4
        );
    }
    match text.is_empty() {
        true => format!("warp {warp} has none\n"),
        false => text,
    }
}

fn barriers(machine: &Machine) -> String {
    let mut lines = Stuck::lines(&machine.stuck());
    lines.extend(machine.barrier_errors().iter().map(|e| format!("{e:?}")));
    match lines.is_empty() {
        true => "nobody waits at a barrier\n".into(),
        false => lines.join("\n") + "\n",
    }
}
