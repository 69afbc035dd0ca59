//! What is proved: which harness, how, how deep. `docs/formal.md` says it in words.

/// How a harness is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// For ever: k-induction, with this k.
    Induction(u32),
    /// In the first cycles, this many.
    Bounded(u32),
    /// One step of an induction: so many cycles from any state in which the invariant of the harness holds.
    Step(u32),
    /// Every `cover` of the harness is reached within so many cycles: the assumptions leave room for what matters.
    Cover(u32),
}

pub struct Proof {
    pub name: &'static str,
    /// Harness `hdl/formal/<harness>.sv`; also the name of its module.
    pub harness: &'static str,
    pub mode: Mode,
    pub defines: &'static [&'static str],
    /// Only with `--all`.
    pub long: bool,
    /// Given up after so many seconds.
    pub patience: u32,
}

/// A defect that a proof must find.
pub struct Defect {
    pub name: &'static str,
    pub harness: &'static str,
    /// The proof must fail within so many cycles.
    pub depth: u32,
    pub defines: &'static [&'static str],
    pub find: &'static str,
    pub replace: &'static str,
    pub long: bool,
}

/// What a harness is about and which registers it looks into: its wire and the path below the unit.
pub struct Harness {
    pub name: &'static str,
    /// Top module of the generated Verilog, if it is about some.
    pub unit: Option<&'static str>,
    /// It uses `reference.sv`.
    pub reference: bool,
    pub inside: fn() -> Vec<(String, String)>,
}

pub const HARNESSES: &[Harness] = &[
    Harness {
        name: "rules",
        unit: None,
        reference: true,
        inside: Vec::new,
    },
    Harness {
        name: "picker",
        unit: Some("weft_picker"),
        reference: false,
        inside: inside_picker,
    },
    Harness {
        name: "warp_queue",
        unit: Some("weft_warp_queue"),
        reference: false,
        inside: inside_warp_queue,
    },
    Harness {
        name: "mover",
        unit: Some("weft_mover"),
        reference: false,
        inside: inside_mover,
    },
    Harness {
        name: "deque",
        unit: Some("weft_convergence"),
        reference: true,
        inside: inside_convergence,
    },
];

fn registers(names: &str) -> impl Iterator<Item = (String, String)> + '_ {
    names
        .split_whitespace()
        .map(|name| (name.into(), format!("{name}_q")))
}

fn words(memory: &str, count: usize) -> impl Iterator<Item = (String, String)> + '_ {
    (0..count).map(move |i| (format!("{memory}{i}"), format!("{memory}.mem[{i}]")))
}

fn inside_warp_queue() -> Vec<(String, String)> {
    let entries = words("queue", 4).map(|(wire, path)| (wire.replace("queue", "entry"), path));
    registers("first last queued").chain(entries).collect()
}

fn inside_picker() -> Vec<(String, String)> {
    let levels = (0..4).map(|i| (format!("level{i}"), format!("level_{i}_q")));
    let pairs = ("pairs".to_string(), "order.ahead".to_string());
    registers("former greedy")
        .chain(levels)
        .chain([pairs])
        .collect()
}

fn inside_mover() -> Vec<(String, String)> {
    let registers = registers(
        "j_valid j_warp j_ends first last offered warp done done_warp poke poke_for j_tags tags j_count j_ring j_at queued place left \
         answering j_head j_lead position",
    );
    let memories = [
        "queue_warp",
        "queue_tags",
        "queue_position",
        "queue_place",
        "queue_count",
        "total",
        "answered",
        "base",
    ];
    let memories = memories.into_iter().flat_map(|memory| words(memory, 2));
    registers.chain(memories).collect()
}

fn inside_convergence() -> Vec<(String, String)> {
    let of_warp = |wire: &str, memory: &str| (wire.to_string(), format!("{memory}.mem[0]"));
    let plain = "head depth stored size fore rear solid taken rear_taken ring last front_mask front_pc front_tags";
    let mut all: Vec<_> = plain.split(' ').map(|name| of_warp(name, name)).collect();
    all.push(of_warp("base", "mover.base"));
    all.push(of_warp("state_active", "active"));
    all.push(of_warp("state_pc", "pc"));
    all.push(of_warp("state_blocked", "blocked"));
    all.extend((0..4).map(|i| of_warp(&format!("reason{i}"), &format!("reason_{i}"))));
    for part in ["tags", "mask", "pc"] {
        for place in 0..3 {
            all.push((
                format!("{part}{place}"),
                format!("token_{part}.mem[{place}]"),
            ));
            all.push((
                format!("mover_{part}{place}"),
                format!("mover_{part}.mem[{place}]"),
            ));
        }
    }
    all
}
