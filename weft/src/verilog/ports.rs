//! The ports of a unit: which parameter gives each its width, and the table of them, for readers and for programs.

use super::{header, meanings, Request};
use anyhow::{ensure, Context, Result};
use serde::Serialize;
use weft_generate::{TopPort, Unit, Verilog};

/// A size that is fixed when the Verilog is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Parameter {
    pub name: &'static str,
    pub value: usize,
    pub meaning: &'static str,
}

/// A port and the parameter that is its width, where it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Port {
    pub port: TopPort,
    pub parameter: Option<&'static str>,
}

/// Ports whose names begin alike, what they are for, and where the rules stand: page and paragraph.
struct Interface {
    name: &'static str,
    /// A port belongs to the interface with the longest of these that its name begins with.
    prefixes: &'static [&'static str],
    meaning: &'static str,
    rules: &'static [(&'static str, &'static str)],
}

const INTERFACES: &[Interface] = &[
    Interface {
        name: "clock",
        prefixes: &["clock"],
        meaning: "Everything happens at its rising edge.",
        rules: &[("control.md", "Ports")],
    },
    Interface {
        name: "reset",
        prefixes: &["reset"],
        meaning: "Synchronous, active high. Scheduler and core: for half as many cycles as \
            there are warps, at least.",
        rules: &[("control.md", "Ports"), ("scheduler.md", "Ports")],
    },
    Interface {
        name: "cfg",
        prefixes: &["cfg"],
        meaning: "Policies: levels, to be changed only while no warp is busy.",
        rules: &[
            ("convergence.md", "CONV-011"),
            ("convergence.md", "CONV-050"),
            ("convergence.md", "CONV-052"),
            ("convergence.md", "CONV-055"),
            ("spill.md", "SPILL-022"),
            ("spill.md", "SPILL-023"),
        ],
    },
    Interface {
        name: "cfg_policy",
        prefixes: &["cfg_policy"],
        meaning: "Which warp goes first: 0 age, 1 loose round robin, 2 greedy then oldest, 3 \
            as 0. May change in any cycle, but to and from 1 only while no warp runs.",
        rules: &[("scheduler.md", "SCHED-011")],
    },
    Interface {
        name: "cfg_level",
        prefixes: &["cfg_level"],
        meaning: "How the level of a warp is made: 0 always 0, 1 set by the program, 2 of its \
            CTA, 3 the larger of the two. Counts for levels that are set from then on.",
        rules: &[("cta.md", "CTA-020"), ("cta.md", "CTA-021")],
    },
    Interface {
        name: "cfg_token",
        prefixes: &["cfg_token"],
        meaning: "The token allocation of warp slot w is at base + 1,024 w, counted in tokens, \
            with so many tokens as size says.",
        rules: &[
            ("cta.md", "CTA-020"),
            ("spill.md", "SPILL-010"),
            ("spill.md", "SPILL-012"),
        ],
    },
    Interface {
        name: "cfg_slots",
        prefixes: &["cfg_slots"],
        meaning: "Warp slots that may be given to CTAs, a bit each: all, unless some have no \
            registers. May change while no CTA is being placed.",
        rules: &[("subvector.md", "SUBV-054")],
    },
    Interface {
        name: "cfg_interval",
        prefixes: &["cfg_interval"],
        meaning: "Four bits per class, class 0 lowest: cycles from one instruction of the \
            class to the next; 0 or 1 is every cycle, an odd number counts as the next \
            even one. A level, to be changed only when nothing was granted in the last \
            16 cycles.",
        rules: &[("scheduler.md", "Functional units (`weft_units`)")],
    },
    Interface {
        name: "cfg_priority",
        prefixes: &["cfg_priority"],
        meaning: "Two bits per barrier id, id 0 lowest: of the barriers that can have a turn \
            the one with the larger number goes first.",
        rules: &[("barrier.md", "BAR-061")],
    },
    Interface {
        name: "op",
        prefixes: &["op"],
        meaning:
            "Barrier unit: takes a barrier operation of a warp: active threads, and those that \
            participate; or that a block was launched, or stopped by an exception. Mask unit: \
            an instruction of a warp, which it must take; those of one warp are three cycles \
            apart at least.",
        rules: &[
            ("barrier.md", "Instructions"),
            ("barrier.md", "Ports"),
            ("masks.md", "Ports"),
        ],
    },
    Interface {
        name: "result",
        prefixes: &["result"],
        meaning:
            "What the instruction of two cycles ago came to: the threads that are to be on, \
            whether the warp jumps, a word for rd, the write mask. Float unit: a row of results, \
            in the order of the passes.",
        rules: &[
            ("masks.md", "Ports"),
            ("masks.md", "MASK-031"),
            ("float.md", "FLOAT-050"),
        ],
    },
    Interface {
        name: "cfg_threshold",
        prefixes: &["cfg_threshold", "cfg_force"],
        meaning: "Who selects the mode, and from which miss rate on it is sub-vector mode.",
        rules: &[("subvector.md", "SUBV-011"), ("subvector.md", "SUBV-013")],
    },
    Interface {
        name: "cfg_shared_from",
        prefixes: &["cfg_shared_from"],
        meaning: "The first register that the parts of a warp share. A level, to be changed only \
            while no warp runs.",
        rules: &[("subvector.md", "SUBV-020"), ("subvector.md", "SUBV-042")],
    },
    Interface {
        name: "access",
        prefixes: &["access"],
        meaning: "An access to the data cache: it missed; it was made in regular mode.",
        rules: &[("subvector.md", "SUBV-040")],
    },
    Interface {
        name: "ask",
        prefixes: &["ask", "answer", "decision"],
        meaning: "A mode-selecting instruction, and in the next cycle whether it selects \
            sub-vector mode; what a window of accesses has decided.",
        rules: &[("subvector.md", "SUBV-012"), ("subvector.md", "SUBV-041")],
    },
    Interface {
        name: "map",
        prefixes: &["map"],
        meaning: "The registers of an instruction for one part of a warp.",
        rules: &[("subvector.md", "SUBV-021")],
    },
    Interface {
        name: "row",
        prefixes: &["row", "warp_rows"],
        meaning: "One cycle later: where they stand in the register file, and which are shared \
            and must not be used. How many rows a warp takes.",
        rules: &[("subvector.md", "SUBV-043"), ("subvector.md", "SUBV-044")],
    },
    Interface {
        name: "verdict",
        prefixes: &["verdict"],
        meaning: "What becomes of the threads, once for each operation but launches and \
            stops, in their order.",
        rules: &[("barrier.md", "Ports")],
    },
    Interface {
        name: "error",
        prefixes: &["error"],
        meaning: "Pulse: threads that leave a section they are not in (1), a count above the \
            threads of the CTA (2), threads that enter a section inside one (3).",
        rules: &[
            ("barrier.md", "BAR-020"),
            ("barrier.md", "BAR-027"),
            ("barrier.md", "BAR-042"),
        ],
    },
    Interface {
        name: "event",
        prefixes: &["event"],
        meaning: "Pulse: a barrier is complete (0), complete by timeout (1), idle (2), or \
            starts again with its late threads (3).",
        rules: &[("barrier.md", "Ports")],
    },
    Interface {
        name: "expired",
        prefixes: &["expired"],
        meaning: "Pulse: the timer of a barrier has run out.",
        rules: &[("barrier.md", "BAR-070")],
    },
    Interface {
        name: "cfg_slow",
        prefixes: &["cfg_slow"],
        meaning: "Bit c: class c takes an instruction less often than every cycle.",
        rules: &[("scheduler.md", "SCHED-021")],
    },
    Interface {
        name: "unit",
        prefixes: &["unit"],
        meaning: "One bit for each class of instructions, 0 ALU, 1 multiply, 2 load and store, \
            3 special, 4 barrier. `unit_free`: one may go as a second \
            instruction in this cycle. `unit_ahead`: a grant may be made in the next one. \
            `unit_ready`: from the unit; 0 stops further grants, and up to four \
            instructions that are already granted still come.",
        rules: &[
            ("scheduler.md", "SCHED-010"),
            ("scheduler.md", "Functional units (`weft_units`)"),
        ],
    },
    Interface {
        name: "hold",
        prefixes: &["hold"],
        meaning: "One bit per warp: it waits at a barrier as a whole, asleep or awake, and issues nothing.",
        rules: &[
            ("scheduler.md", "SCHED-010"),
            ("barrier.md", "BAR-032"),
            ("barrier.md", "BAR-084"),
        ],
    },
    Interface {
        name: "granted",
        prefixes: &["granted"],
        meaning: "Bit c: in the cycle before, an instruction of class c was granted.",
        rules: &[
            ("scheduler.md", "SCHED-011"),
            ("scheduler.md", "Functional units (`weft_units`)"),
        ],
    },
    Interface {
        name: "cta",
        prefixes: &["cta"],
        meaning: "Takes a CTA to run: address, threads, level, and an id that comes back. \
            `cta_refused`, a pulse: it has no threads or more than there is room for; \
            nothing is started. `cta_done`, a pulse: all its warps have ended, `failed` \
            if one of them did by an exception. Task management: offers a CTA, whose words the SM \
            has been told, for this place.",
        rules: &[
            ("cta.md", "CTA-010"),
            ("cta.md", "CTA-011"),
            ("cta.md", "CTA-020"),
            ("cta.md", "CTA-030"),
        ],
    },
    Interface {
        name: "program",
        prefixes: &["program"],
        meaning: "The program sets the level of its warp.",
        rules: &[("cta.md", "CTA-021")],
    },
    Interface {
        name: "where",
        prefixes: &["where"],
        meaning: "Which block of which CTA slot stands on a warp slot, and the logical id of \
            its lane 0; in the same cycle.",
        rules: &[("cta.md", "CTA-031")],
    },
    Interface {
        name: "find",
        prefixes: &["find"],
        meaning: "The warp slot of a block; one cycle later.",
        rules: &[("cta.md", "CTA-031")],
    },
    Interface {
        name: "launch",
        prefixes: &["launch"],
        meaning: "Starts a warp.",
        rules: &[
            ("control.md", "Ports"),
            ("convergence.md", "CONV-080"),
            ("spill.md", "SPILL-024"),
        ],
    },
    Interface {
        name: "start",
        prefixes: &["start"],
        meaning: "The warp goes on at this place: a control operation has retired, or \
            (`start_launch`) the warp was launched.",
        rules: &[("scheduler.md", "SCHED-028"), ("supply.md", "SUPPLY-060")],
    },
    Interface {
        name: "predict",
        prefixes: &["predict"],
        meaning: "A start of this warp is to be expected, here; 0 if nobody predicts.",
        rules: &[("supply.md", "SUPPLY-070")],
    },
    Interface {
        name: "stop",
        prefixes: &["stop"],
        meaning: "The warp has ended, or was stopped by an exception. Not together with a \
            start of the same warp.",
        rules: &[("scheduler.md", "SCHED-029"), ("supply.md", "SUPPLY-060")],
    },
    Interface {
        name: "level",
        prefixes: &["level"],
        meaning: "Sets the priority level of a warp; 0 after reset, larger goes first.",
        rules: &[("scheduler.md", "SCHED-012")],
    },
    Interface {
        name: "flush",
        prefixes: &["flush"],
        meaning: "Forgets all instruction lines; only while no warp runs, 4 cycles after the last \
            stop at the earliest (6 with 64 warps), and no line is awaited.",
        rules: &[("supply.md", "SUPPLY-060")],
    },
    Interface {
        name: "fetch",
        prefixes: &["fetch"],
        meaning: "Asks for the 512-bit line with the instructions 16 × line to 16 × line + 15.",
        rules: &[("supply.md", "SUPPLY-020"), ("supply.md", "SUPPLY-021")],
    },
    Interface {
        name: "line",
        prefixes: &["line"],
        meaning: "Takes a line that was asked for, at once, after any latency from one cycle \
            on and in any order. Slot: bit 0 of the line number; instruction i is in the \
            bits from 32 i on.",
        rules: &[("supply.md", "SUPPLY-022")],
    },
    Interface {
        name: "decode",
        prefixes: &["decode"],
        meaning: "Two instruction words to decode, and one cycle later their decoded forms: \
            class in bits 2 to 0, `control` 3, `drain` 4, `rd` 10 to 5, `rs1` 16 to 11, \
            `rs2` 22 to 17; the highest bit of a register says that it is used.",
        rules: &[
            ("supply.md", "SUPPLY-030"),
            ("supply.md", "SUPPLY-040"),
            ("scheduler.md", "Ports"),
        ],
    },
    Interface {
        name: "issue",
        prefixes: &["issue"],
        meaning: "Offers an instruction to execute, with the threads that execute it. Where \
            there is no `issue_ready` it must be taken.",
        rules: &[
            ("control.md", "Ports"),
            ("core.md", "CORE-030"),
            ("scheduler.md", "SCHED-020"),
            ("scheduler.md", "SCHED-022"),
        ],
    },
    Interface {
        name: "second",
        prefixes: &["second"],
        meaning: "With it, the instruction at `issue_pc` + 1, of the same warp and threads; \
            only where two can go in one cycle.",
        rules: &[("scheduler.md", "SCHED-021"), ("scheduler.md", "SCHED-022")],
    },
    Interface {
        name: "done",
        prefixes: &["done0", "done1"],
        meaning: "An instruction is complete: once for every issued one, in any order, in the \
            cycle of its issue at the earliest, whether or not it writes a register. \
            `done0` is for the even warps of a partition, `done1` for its odd ones; `rd` as \
            in the decoded form.",
        rules: &[
            ("scheduler.md", "Ports"),
            ("scheduler.md", "SCHED-023"),
            ("core.md", "CORE-010"),
        ],
    },
    Interface {
        name: "resolve",
        prefixes: &["resolve"],
        meaning: "Takes what an issued instruction turned out to be: one answer for each; in \
            the core, for each `control` instruction and each fault, with the \
            instruction's own address in `resolve_pc` (in the convergence unit alone, \
            `resolve_moved` says that this address counts, not the warp's).",
        rules: &[
            ("control.md", "Ports"),
            ("convergence.md", "Operations"),
            ("core.md", "CORE-010"),
            ("core.md", "CORE-012"),
        ],
    },
    Interface {
        name: "retire",
        prefixes: &["retire"],
        meaning: "Pulse: an operation is complete; where the warp goes on, and its deque.",
        rules: &[("control.md", "Order"), ("control.md", "Timing")],
    },
    Interface {
        name: "exception",
        prefixes: &["exception"],
        meaning: "Pulse: an operation that cannot be carried out, and why.",
        rules: &[
            ("control.md", "Ports"),
            ("spill.md", "SPILL-023"),
            ("spill.md", "SPILL-024"),
        ],
    },
    Interface {
        name: "status",
        prefixes: &["status"],
        meaning: "Which warps run, and counters.",
        rules: &[
            ("control.md", "Ports"),
            ("spill.md", "SPILL-021"),
            ("spill.md", "SPILL-032"),
        ],
    },
    Interface {
        name: "status of the scheduler",
        prefixes: &["status_running", "status_flight"],
        meaning: "Bit w: warp w runs; instructions of it are issued and not done.",
        rules: &[
            ("scheduler.md", "SCHED-028"),
            ("scheduler.md", "SCHED-029"),
            ("scheduler.md", "SCHED-023"),
        ],
    },
    Interface {
        name: "counter",
        prefixes: &["counter"],
        meaning: "Where the cycles went. Select: the warp in the upper bits, the index in the \
            lowest four; the value comes three cycles later. Clear: all to 0; hold: \
            nothing is counted.",
        rules: &[
            ("scheduler.md", "Counters"),
            ("scheduler.md", "SCHED-040"),
            ("scheduler.md", "SCHED-041"),
            ("scheduler.md", "SCHED-042"),
        ],
    },
    Interface {
        name: "spill",
        prefixes: &["spill"],
        meaning: "Memory for the tokens that do not stand on chip.",
        rules: &[("spill.md", "Memory port"), ("spill.md", "SPILL-012")],
    },
    Interface {
        name: "request",
        prefixes: &["request"],
        meaning: "A token to read or write; to be connected to `spill_request_*`.",
        rules: &[("spill.md", "Memory port"), ("spill.md", "A memory for tokens")],
    },
    Interface {
        name: "response",
        prefixes: &["response"],
        meaning: "Its answer, from the next cycle on; to be connected to `spill_response_*`.",
        rules: &[("spill.md", "Memory port"), ("spill.md", "A memory for tokens")],
    },
    Interface {
        name: "busy",
        prefixes: &["busy", "done"],
        meaning: "`busy`: a launch runs, or something of it is on its way. `done`: it is over, an \
            interrupt line.",
        rules: &[("sm.md", "SM-014"), ("sm.md", "Ports")],
    },
    Interface {
        name: "axi",
        prefixes: &["axi"],
        meaning: "AXI4 manager: instructions, data and tokens in memory.",
        rules: &[
            ("sm.md", "Ports"),
            ("sm.md", "SM-030"),
            ("sm.md", "SM-031"),
        ],
    },
    Interface {
        name: "host",
        prefixes: &["host"],
        meaning: "AXI4-Lite subordinate: registers of the launcher, or of the host front end.",
        rules: &[("sm.md", "Ports"), ("host.md", "Ports")],
    },
    Interface {
        name: "interrupt",
        prefixes: &["interrupt"],
        meaning: "The interrupt line, and pulses that set bits of INTERRUPT.",
        rules: &[("host.md", "Ports")],
    },
    Interface {
        name: "forget",
        prefixes: &["forget"],
        meaning: "The SMs forget lines.",
        rules: &[("host.md", "Ports")],
    },
    Interface {
        name: "init",
        prefixes: &["init"],
        meaning: "Trace: the registers of a warp are set: the grid's number of its lane 0, its \
            CTA slot.",
        rules: &[("sm.md", "Trace"), ("sm.md", "SM-023")],
    },
    Interface {
        name: "write",
        prefixes: &["write"],
        meaning: "Trace: a row of a register is written.",
        rules: &[("sm.md", "Trace"), ("sm.md", "SM-020")],
    },
    Interface {
        name: "fault",
        prefixes: &["fault"],
        meaning: "Trace: a thread has a fault. Host front end and task management: FAULT is valid.",
        rules: &[
            ("sm.md", "Trace"),
            ("sm.md", "SM-013"),
            ("host.md", "Ports"),
        ],
    },
    Interface {
        name: "effect",
        prefixes: &["effect"],
        meaning: "Trace: accesses to memory take effect, in ascending order of lanes.",
        rules: &[("sm.md", "Trace"), ("sm.md", "SM-021")],
    },
    Interface {
        name: "mode",
        prefixes: &["mode"],
        meaning: "Trace: what selects the mode of `subv.auto`, and what it selects.",
        rules: &[("subvector.md", "SUBV-050"), ("subvector.md", "SUBV-052")],
    },
    Interface {
        name: "cache_events",
        prefixes: &["cache_events"],
        meaning: "Trace: what the data cache does in this cycle, a bit per event.",
        rules: &[("memory.md", "MEM-066")],
    },
    Interface {
        name: "faulted",
        prefixes: &["faulted"],
        meaning: "Trace: warps of which a fault is known.",
        rules: &[("sm.md", "Trace"), ("sm.md", "SM-022")],
    },
    Interface {
        name: "memory",
        prefixes: &["memory"],
        meaning: "Reads and writes whole words, one after the other: the request holds until it is \
            taken, and `memory_done` is its response.",
        rules: &[("host.md", "Ports"), ("tasks.md", "Ports"), ("host.md", "HOST-071")],
    },
    Interface {
        name: "task launch",
        prefixes: &[
            "launch_request",
            "launch_descriptor",
            "launch_private",
            "launch_domain",
            "launch_done",
            "launch_code",
            "launch_place",
        ],
        meaning: "LAUNCH of a channel: holds until `launch_done`, a pulse, which comes with what is \
            wrong, 0 if nothing, and where.",
        rules: &[("host.md", "Ports"), ("tasks.md", "TASK-020"), ("tasks.md", "TASK-030")],
    },
    Interface {
        name: "task settings",
        prefixes: &["memory_end", "thread_end", "memory_timeout", "memory_lost", "memory_given_up", "now"],
        meaning: "MEMORY_END and THREAD_END, to be changed only while idle; MEMORY_TIMEOUT, whether it is over, and a pulse \
            when it is; cycles since reset.",
        rules: &[("host.md", "HOST-001"), ("tasks.md", "Ports")],
    },
    Interface {
        name: "reg",
        prefixes: &["reg"],
        meaning: "The registers from 0x300 on: a write is a pulse, a read is answered one cycle later.",
        rules: &[("host.md", "Ports"), ("tasks.md", "Registers")],
    },
    Interface {
        name: "tasks",
        prefixes: &["idle", "tasks", "task_error", "count"],
        meaning: "What STATUS, INTERRUPT and the counters of the host port show: levels, and pulses. \
            Float unit: nothing is inside.",
        rules: &[("host.md", "Ports"), ("tasks.md", "TASK-080"), ("tasks.md", "Ports")],
    },
    Interface {
        name: "word",
        prefixes: &["word"],
        meaning: "What an SM is told of the CTA that comes next, word by word.",
        rules: &[("tasks.md", "Port of an SM")],
    },
    Interface {
        name: "end",
        prefixes: &["end"],
        meaning: "A CTA of the SM has ended, and each of its writes has its response.",
        rules: &[("tasks.md", "TASK-057")],
    },
    Interface {
        name: "report",
        prefixes: &["report"],
        meaning: "A thread of the SM has a fault: before the end of its CTA.",
        rules: &[("tasks.md", "TASK-063"), ("tasks.md", "TASK-064")],
    },
    Interface {
        name: "pass",
        prefixes: &["third", "pass", "a", "b", "free"],
        meaning: "What one instruction computes for the threads of a part, and whether there is room.",
        rules: &[("float.md", "Ports"), ("float.md", "FLOAT-020")],
    },
    Interface {
        name: "complete",
        prefixes: &["complete"],
        meaning: "An instruction is complete: its rows have been taken before.",
        rules: &[("float.md", "FLOAT-053")],
    },
    Interface {
        name: "trace",
        prefixes: &["trace"],
        meaning: "A step of the host front end or of task management is over.",
        rules: &[("host.md", "HOST-090"), ("tasks.md", "TASK-090")],
    },
    Interface {
        name: "steps",
        prefixes: &["step", "task", "l2_events"],
        meaning: "Trace: a step of the host front end, or of task management, is over; what the L2 does.",
        rules: &[
            ("gpu.md", "Ports"),
            ("host.md", "HOST-090"),
            ("tasks.md", "TASK-090"),
            ("l2.md", "SHARED-051"),
        ],
    },
    Interface {
        name: "config",
        prefixes: &["config"],
        meaning: "Registers of a warp, for a driver.",
        rules: &[("spill.md", "Configuration port")],
    },
    Interface {
        name: "wake",
        prefixes: &["wake"],
        meaning: "A warp becomes ready: a pulse. Of the barrier unit: threads wake, and go on \
            at this address.",
        rules: &[("control.md", "CTRL-010"), ("barrier.md", "Ports")],
    },
];

/// What the text says of this unit: ports of the same name are other ones elsewhere, which it marks.
fn meaning(text: &str, unit: Unit) -> String {
    let marks = [
        "Barrier unit: ",
        "Of the barrier unit: ",
        "Mask unit: ",
        "Task management: ",
        "Float unit: ",
    ];
    let mut parts: Vec<_> = marks
        .iter()
        .filter_map(|mark| Some((text.find(mark)?, *mark)))
        .collect();
    parts.sort();
    let ends = parts.iter().skip(1).map(|(at, _)| *at).chain([text.len()]);
    let own = match unit {
        Unit::Barrier | Unit::Core | Unit::Sm => "arrier unit: ",
        Unit::Masks => "Mask unit: ",
        Unit::Tasks => "Task management: ",
        Unit::Float => "Float unit: ",
        _ => "",
    };
    let marked = parts
        .iter()
        .zip(ends)
        .find(|((_, mark), _)| !own.is_empty() && mark.ends_with(own));
    let said = match (marked, parts.first()) {
        (Some(((at, mark), end)), _) => &text[at + mark.len()..end],
        (None, Some((first, _))) if *first > 0 => &text[..*first],
        _ => text,
    };
    let mut letters = said.trim().chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The interface of the port of this name. A prefix ends where a word does; `done0` and `done1` are `done`.
fn interface(name: &str) -> Option<&'static Interface> {
    let name = first_of(name);
    let begins = |prefix: &str| match name.strip_prefix(prefix) {
        Some(rest) => rest.is_empty() || rest.starts_with(|c: char| c == '_' || c.is_ascii_digit()),
        None => false,
    };
    let length = |i: &Interface| {
        let fitting = i.prefixes.iter().filter(|p| begins(p));
        fitting.map(|p| p.len()).max()
    };
    let fitting = INTERFACES.iter().filter(|i| length(i).is_some());
    fitting.max_by_key(|i| length(i))
}

/// The parameters of a unit of this size, as the specification calls them (`docs/spec/control.md`, `scheduler.md`).
pub(super) fn parameters(request: &Request) -> Vec<Parameter> {
    let (unit, config) = (request.unit, request.config());
    let warp = config.warps.ilog2() as usize;
    let place = (config.front + config.back).ilog2() as usize + 1;
    let parameter = |name, value, meaning| Parameter {
        name,
        value,
        meaning,
    };
    let mut all = vec![
        parameter("NW", config.warps, "warps"),
        parameter("WI", warp, "bits of a warp's number"),
        parameter("W", config.threads, "threads per warp"),
    ];
    if unit.has_window() {
        let token = if config.threads > 32 { 128 } else { 64 };
        all.extend([
            parameter("K", config.front, "front places of the token window"),
            parameter("B", config.back, "back places of the token window"),
            parameter("M", token, "bits of a token in memory"),
            parameter("TA", warp + place, "bits of the memory port's tag"),
        ]);
    }
    if matches!(unit, Unit::Sm | Unit::Host | Unit::Gpu) {
        let bits = if unit == Unit::Sm { 8 } else { 12 };
        all.push(parameter("HA", bits, "bits of an address of the host port"));
    }
    if matches!(unit, Unit::Sm | Unit::Gpu) {
        // The arbiter's number of a manager is ahead of the SM's ID (HOST-100).
        let manager = match unit {
            Unit::Gpu => request.design.number("MANAGER_BITS"),
            _ => 0,
        };
        let lanes = request.design.value("lanes");
        let parts = (config.threads / lanes).max(2).ilog2() as usize;
        all.extend([
            parameter("L", lanes, "lanes"),
            parameter("PB", parts, "bits of a part's number"),
            parameter(
                "ID",
                request.design.number("MISS_BITS") + 1 + manager,
                "bits of an AXI ID",
            ),
            parameter(
                "D",
                request.design.value("data"),
                "bits of the memory port's data",
            ),
        ]);
    }
    if matches!(unit, Unit::Tasks | Unit::Gpu) {
        all.extend([
            parameter("T", request.design.value("slots"), "task slots"),
            parameter("S", request.design.value("sms"), "SMs"),
        ]);
    }
    if unit == Unit::Wavefront {
        let part = config.threads.ilog2() as usize;
        all.extend([
            parameter("PB", part, "bits of a part's number"),
            parameter("RB", warp + part + 5, "bits of a register row's number"),
        ]);
    }
    if unit == Unit::Float {
        let of = |name| request.design.value(name);
        all.extend([
            parameter("L", of("lanes"), "lanes of the datapath"),
            parameter("F", of("float"), "lanes of float"),
            parameter("LW", 32 * of("lanes"), "bits of a row"),
            parameter(
                "PB",
                (of("threads") / of("lanes")).max(2).ilog2() as usize,
                "bits of a part's number",
            ),
        ]);
    }
    if matches!(unit, Unit::Core | Unit::Scheduler) {
        all.extend([
            parameter(
                "LB",
                request.design.value("level_bits"),
                "bits of a priority level",
            ),
            parameter("SB", warp + 4, "bits of a counter's number"),
        ]);
        let dual = "1: up to two instructions of one warp per cycle";
        all.push(parameter("DUAL", usize::from(request.design.dual()), dual));
        if unit == Unit::Core {
            all.push(parameter(
                "S",
                request.design.value("partitions"),
                "partitions",
            ));
        }
    }
    all
}

/// The name of a port of an array as that of its first one, which has no number: `p1_report_warp` is `report_warp`.
fn first_of(name: &str) -> &str {
    let further = name.strip_prefix('p').and_then(|rest| rest.split_once('_'));
    let further = further.filter(|(p, _)| !p.is_empty() && p.bytes().all(|c| c.is_ascii_digit()));
    further.map_or(name, |(_, port)| port)
}

/// The parameter that is the width of the port of this name.
fn parameter_of(name: &str) -> Option<&'static str> {
    match first_of(name) {
        "status_busy" | "status_moving" | "status_running" | "status_flight" | "hold"
        | "faulted" | "cfg_slots" => Some("NW"),
        "write_mask" | "effect_mask" => Some("L"),
        "axi_wdata" | "axi_rdata" => Some("D"),
        "axi_awid" | "axi_bid" | "axi_arid" | "axi_rid" => Some("ID"),
        "request_data" | "response_data" => Some("M"),
        "op_active" | "op_exec" | "op_ballot" | "resolve_active" | "result_write" => Some("W"),
        "spill_request_data" | "spill_response_data" => Some("M"),
        "where_block" | "find_block" | "op_block" => Some("WI"),
        "cta_level" | "program_level" | "level_value" => Some("LB"),
        "counter_select" => Some("SB"),
        "host_awaddr" | "host_araddr" => Some("HA"),
        "map_part" | "write_part" | "effect_part" => Some("PB"),
        "map_base" | "row_rs1" | "row_rs2" | "row_rd" | "warp_rows" => Some("RB"),
        // Of a CTA, in eight bits whatever WI is.
        "report_warp" => None,
        name => [("_warp", "WI"), ("_mask", "W"), ("_tag", "TA")]
            .into_iter()
            .find(|(end, _)| name.ends_with(end))
            .map(|(_, parameter)| parameter),
    }
}

/// The parameters of those whose names mean something else elsewhere.
fn parameter_of_float(name: &str) -> Option<&'static str> {
    match name {
        "pass_mask" | "result_mask" => Some("L"),
        "a" | "b" | "result_data" => Some("LW"),
        "pass_part" | "result_part" => Some("PB"),
        name => parameter_of(name),
    }
}

/// The ports that the generated top module has, with their parameters, which must agree with it.
pub(super) fn of(request: &Request, verilog: &Verilog) -> Result<Vec<Port>> {
    let parameters = parameters(request);
    let port = |port: &TopPort| {
        let parameter = match request.unit {
            Unit::Float => parameter_of_float(&port.name),
            _ => parameter_of(&port.name),
        };
        if let Some(name) = parameter {
            let value = parameters.iter().find(|p| p.name == name).map(|p| p.value);
            ensure!(
                value == Some(port.width),
                "{}: {} has {} bits, but {name} is {value:?}",
                verilog.top,
                port.name,
                port.width
            );
        }
        Ok(Port {
            port: port.clone(),
            parameter,
        })
    };
    verilog.ports.iter().map(port).collect()
}

/// A table for each interface, in the order of its first port.
pub(super) fn markdown(request: &Request, ports: &[Port]) -> Result<String> {
    let mut text = format!(
        "\n# Ports of `{}`\n\nConfiguration {}: {}. *dir* is seen from the module. The rules are in `docs/spec` of Weft {}.\n",
        request.design.top(),
        header::name(request),
        header::words(request),
        env!("CARGO_PKG_VERSION")
    );
    text.push_str("\n| parameter | value | meaning |\n| --- | --- | --- |\n");
    for p in parameters(request) {
        text.push_str(&format!("| {} | {} | {} |\n", p.name, p.value, p.meaning));
    }
    let meanings = meanings::of(request.unit);
    for (interface, ports) in sections(ports)? {
        text.push_str(&format!(
            "\n## {}\n\n{} See {}.\n\n| port | meaning | dir | width |\n| --- | --- | --- | --- |\n",
            interface.name,
            meaning(interface.meaning, request.unit),
            places(interface)
        ));
        for port in ports {
            let TopPort { name, input, width } = &port.port;
            let dir = if *input { "in" } else { "out" };
            let meaning = meanings::meaning(&meanings, name).unwrap_or_default();
            let row = match port.parameter {
                Some(parameter) => {
                    format!("| `{name}` | {meaning} | {dir} | {parameter} = {width} |\n")
                }
                None => format!("| `{name}` | {meaning} | {dir} | {width} |\n"),
            };
            text.push_str(&row);
        }
    }
    Ok(text)
}

/// The ports of each interface, in the order of its first one.
fn sections(ports: &[Port]) -> Result<Vec<(&'static Interface, Vec<&Port>)>> {
    let mut sections: Vec<(&Interface, Vec<&Port>)> = vec![];
    for port in ports {
        let name = &port.port.name;
        let interface =
            interface(name).with_context(|| format!("no interface has a port {name}"))?;
        match sections.iter_mut().find(|(i, _)| i.name == interface.name) {
            Some((_, ports)) => ports.push(port),
            None => sections.push((interface, vec![port])),
        }
    }
    Ok(sections)
}

/// The same for programs.
#[derive(Serialize)]
struct Table<'a> {
    /// The lines at the beginning of every file.
    about: &'a [String],
    top: &'a str,
    parameters: Vec<Parameter>,
    ports: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    /// Seen from the module: `in`, `out`.
    direction: &'static str,
    width: usize,
    /// The parameter that is the width, where there is one.
    parameter: Option<&'static str>,
    section: &'static str,
    /// Of the section.
    meaning: String,
    /// Of the port itself, where it has a line of its own.
    port: Option<String>,
}

/// What [`markdown`] says, as JSON; the ports in the order of their declaration.
pub(super) fn json(request: &Request, ports: &[Port], about: &[String]) -> Result<String> {
    let meanings = meanings::of(request.unit);
    let rows = ports.iter().map(|port| {
        let name = &port.port.name;
        let interface =
            interface(name).with_context(|| format!("no interface has a port {name}"))?;
        Ok(Row {
            name,
            direction: if port.port.input { "in" } else { "out" },
            width: port.port.width,
            parameter: port.parameter,
            section: interface.name,
            meaning: meaning(interface.meaning, request.unit),
            port: meanings::meaning(&meanings, name).map(String::from),
        })
    });
    let table = Table {
        about,
        top: request.design.top(),
        parameters: parameters(request),
        ports: rows.collect::<Result<_>>()?,
    };
    Ok(serde_json::to_string_pretty(&table)? + "\n")
}

/// `control.md`: Ports; `convergence.md`: CONV-011, CONV-050
fn places(interface: &Interface) -> String {
    let mut text = String::new();
    let mut page = "";
    for &(next, paragraph) in interface.rules {
        if next == page {
            text.push_str(&format!(", {paragraph}"));
        } else {
            let gap = if page.is_empty() { "" } else { "; " };
            text.push_str(&format!("{gap}`{next}`: {paragraph}"));
        }
        page = next;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::request;
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use weft_generate::{verilog, verilog_of_all, Config, Design};

    /// In every variant of every unit:
    ///
    /// - a port with a parameter has its width, and one without has the same width in all;
    /// - every port is in the table once, in an interface with a meaning;
    /// - every interface is there for some port.
    #[test]
    fn every_port_of_every_variant_is_described() {
        let mut fixed = BTreeMap::new();
        let mut used = BTreeSet::new();
        // Every parameter is another one in the second size, dual issue too; the third has two partitions.
        let sizes = [("4x4k4b2", false), ("8x8k8b4", true), ("32x4k4b2", true)];
        for &unit in Unit::ALL {
            let sizes = if unit == Unit::Core {
                &sizes[..]
            } else {
                &sizes[..2]
            };
            let designs = sizes.iter().map(|(size, dual)| {
                let design = |dual| Design::of(unit, size.parse().unwrap(), dual);
                // Not every unit knows dual issue.
                design(*dual).or_else(|_| design(false)).unwrap()
            });
            let designs: Vec<_> = designs.collect();
            assert_ne!(designs[0], designs[1], "{unit:?}");
            for (design, verilog) in designs.iter().zip(verilog_of_all(&designs).unwrap()) {
                let config = design.config();
                let request = request(unit, config, design.dual());
                let ports = of(&request, &verilog).unwrap();
                let table = markdown(&request, &ports).unwrap();
                for port in ports {
                    let TopPort { name, input, width } = port.port;
                    if port.parameter.is_none() {
                        let first = *fixed.entry(name.clone()).or_insert(width);
                        assert_eq!(first, width, "{unit:?} {config}: {name}");
                    }
                    let dir = if input { "in" } else { "out" };
                    let rows: Vec<_> = table
                        .lines()
                        .filter(|l| {
                            l.starts_with(&format!("| `{name}` | "))
                                && l.contains(&format!(" | {dir} | "))
                        })
                        .collect();
                    assert_eq!(rows.len(), 1, "{unit:?} {config}: {name}");
                    let cell = rows[0].trim_end_matches(" |").rsplit(' ').next();
                    assert_eq!(cell, Some(width.to_string().as_str()), "{}", rows[0]);
                    used.insert(interface(&name).unwrap().name);
                }
            }
        }
        assert_eq!(fixed["launch_pc"], 22);
        for interface in INTERFACES {
            assert!(used.contains(interface.name), "{}", interface.name);
            assert!(interface.meaning.ends_with('.') && !interface.rules.is_empty());
        }
    }

    #[test]
    fn a_table_says_nothing_of_other_units() {
        let of = |name, unit| meaning(interface(name).unwrap().meaning, unit);
        assert!(of("op_code", Unit::Core).starts_with("Takes a barrier operation"));
        assert!(of("op_code", Unit::Masks).starts_with("An instruction of a warp"));
        for unit in [Unit::Core, Unit::Barrier] {
            assert!(!of("op_code", unit).contains("Mask unit"));
            assert_eq!(
                of("wake_pc", unit),
                "Threads wake, and go on at this address."
            );
        }
        assert_eq!(
            of("wake_valid", Unit::Scheduler),
            "A warp becomes ready: a pulse."
        );
        assert!(of("reset", Unit::Core).contains("Scheduler and core"));
    }

    /// Else the table would show one of them and never the other.
    #[test]
    fn no_prefix_belongs_to_two_interfaces() {
        let mut all: Vec<_> = INTERFACES.iter().flat_map(|i| i.prefixes).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn a_port_belongs_to_the_longest_prefix() {
        for (port, name) in [
            ("cfg_path", "cfg"),
            ("cfg_policy", "cfg_policy"),
            ("decode1", "decode"),
            ("decode_word1", "decode"),
            ("done1_rd", "done"),
            ("done", "busy"),
            ("p1_done0_rd", "done"),
            ("config_done", "config"),
            ("status_flight", "status of the scheduler"),
            ("status_busy", "status"),
        ] {
            assert_eq!(interface(port).map(|i| i.name), Some(name));
        }
        assert!(interface("units_free").is_none());
    }

    /// Rows and effects of the SM are as wide as its lanes, masks of a warp as its threads.
    #[test]
    fn an_sm_with_fewer_lanes_than_threads_has_ports_of_both_widths() {
        let sizes = [("warps", 4), ("threads", 8), ("lanes", 4)];
        let mut request = request(Unit::Sm, Config::NAMED[0].1, false);
        request.design = Design::new(Unit::Sm, &sizes).unwrap();
        let all = parameters(&request);
        let width = |port| {
            let name = parameter_of(port).unwrap();
            all.iter().find(|p| p.name == name).unwrap().value
        };
        assert_eq!(width("write_mask"), 4);
        assert_eq!(width("effect_mask"), 4);
        assert_eq!(width("issue_mask"), 8);
    }

    /// A port of an array has the width of the first one, whatever other arrays are called.
    #[test]
    fn a_further_port_of_an_array_has_the_parameter_of_the_first() {
        for (port, parameter) in [
            ("report_warp", None),
            ("p1_report_warp", None),
            ("p3_report_warp", None),
            ("issue_warp", Some("WI")),
            ("p1_issue_warp", Some("WI")),
            ("p1_hold", Some("NW")),
            ("program_warp", Some("WI")),
        ] {
            assert_eq!(parameter_of(port), parameter, "{port}");
        }
        let sizes = [("warps", 4), ("threads", 4), ("sms", 2)];
        let mut request = request(Unit::Tasks, Config::NAMED[0].1, false);
        request.design = Design::new(Unit::Tasks, &sizes).unwrap();
        let ports = of(&request, &verilog(&request.design).unwrap()).unwrap();
        let warp = ports.iter().find(|p| p.port.name == "p1_report_warp");
        assert_eq!(warp.unwrap().port.width, 8);
        assert!(markdown(&request, &ports)
            .unwrap()
            .contains("`p1_report_warp`"));
    }

    #[test]
    fn a_width_that_is_not_the_parameter_is_an_error() {
        let tiny = Config::NAMED[0].1;
        let design = Design::of(Unit::Scheduler, tiny, false).unwrap();
        let mut verilog = verilog(&design).unwrap();
        let port = verilog
            .ports
            .iter_mut()
            .find(|p| p.name == "fetch_warp")
            .unwrap();
        port.width += 1;
        let request = request(Unit::Scheduler, tiny, false);
        let error = of(&request, &verilog).unwrap_err().to_string();
        assert!(error.contains("fetch_warp has 3 bits, but WI"), "{error}");
    }

    #[test]
    fn an_interface_nobody_has_described_is_an_error() {
        let tiny = Config::NAMED[0].1;
        let port = Port {
            port: TopPort {
                name: "debug_halt".into(),
                input: true,
                width: 1,
            },
            parameter: None,
        };
        let error = markdown(&request(Unit::Control, tiny, false), &[port]).unwrap_err();
        assert!(error.to_string().contains("debug"), "{error}");
    }

    /// The pages and paragraphs that the table names are there.
    #[test]
    fn rules_are_where_the_table_says() {
        let pages = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/spec");
        for (page, paragraph) in INTERFACES.iter().flat_map(|i| i.rules) {
            let text = std::fs::read_to_string(pages.join(page)).unwrap();
            let heading = |l: &str| l.starts_with('#') && l.ends_with(&format!(" {paragraph}"));
            let number = format!("**{paragraph}");
            assert!(
                text.lines().any(heading) || text.contains(&number),
                "{page}: {paragraph}"
            );
        }
    }
}
