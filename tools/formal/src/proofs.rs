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
    /// Name of its harness.
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
    /// `hdl/formal/<file>.sv`; also the name of its module.
    pub file: &'static str,
    /// Top module of the generated Verilog, if it is about some.
    pub unit: Option<&'static str>,
    /// It uses `reference.sv`.
    pub reference: bool,
    /// Modules of which nothing is known: what they give may be anything, at any time.
    pub free: &'static [&'static str],
    pub inside: fn() -> Vec<(String, String)>,
}

pub const HARNESSES: &[Harness] = &[
    Harness {
        name: "rules",
        file: "rules",
        unit: None,
        reference: true,
        free: &[],
        inside: Vec::new,
    },
    Harness {
        name: "picker",
        file: "picker",
        unit: Some("weft_picker"),
        reference: false,
        free: &[],
        inside: inside_picker,
    },
    Harness {
        name: "issue",
        file: "issue",
        unit: Some("weft_scheduler"),
        reference: false,
        free: &["weft_scheduler_supply_lines", "weft_scheduler_counters"],
        inside: inside_scheduler,
    },
    Harness {
        name: "warp_queue",
        file: "warp_queue",
        unit: Some("weft_warp_queue"),
        reference: false,
        free: &[],
        inside: inside_warp_queue,
    },
    Harness {
        name: "barrier_slots",
        file: "barrier_slots",
        unit: Some("weft_barrier_slots"),
        reference: false,
        free: &[
            "weft_barrier_slots_queue_memory",
            "weft_barrier_slots_simple_memory",
        ],
        inside: inside_barrier_slots,
    },
    Harness {
        name: "barrier",
        file: "barrier",
        unit: Some("weft_barrier"),
        reference: false,
        free: BARRIER_MEMORIES,
        inside: inside_barrier,
    },
    Harness {
        name: "wavefront",
        file: "wavefront",
        unit: Some("weft_wavefront"),
        reference: false,
        free: &[],
        inside: inside_wavefront,
    },
    Harness {
        name: "mover",
        file: "mover",
        unit: Some("weft_mover"),
        reference: false,
        free: &[],
        inside: inside_mover,
    },
    Harness {
        name: "tasks",
        file: "tasks",
        unit: Some("weft_tasks"),
        reference: false,
        free: &[
            "weft_tasks_words",
            "weft_tasks_math",
            "weft_tasks_registers",
            "weft_tasks_lists_heads",
            "weft_tasks_pending",
            "weft_tasks_placement_numbers",
            "weft_tasks_placement_records",
            "weft_tasks_slots_tasks",
            "weft_tasks_whose",
        ],
        inside: inside_tasks,
    },
    Harness {
        name: "progress",
        file: "progress",
        unit: Some("weft_tasks"),
        reference: false,
        free: &[
            "weft_tasks_words",
            "weft_tasks_registers",
            "weft_tasks_lists_heads",
            "weft_tasks_pending",
            "weft_tasks_placement_numbers",
            "weft_tasks_placement_records",
            "weft_tasks_slots_tasks",
        ],
        inside: inside_progress,
    },
    Harness {
        name: "host",
        file: "host",
        unit: Some("weft_host"),
        reference: false,
        free: &["weft_host_registers", "weft_host_polls"],
        inside: inside_host,
    },
    Harness {
        name: "memory_port",
        file: "memory_port",
        unit: Some("weft_memory_port"),
        reference: false,
        free: &[],
        inside: inside_memory_port,
    },
    Harness {
        name: "lines",
        file: "lines",
        unit: Some("weft_lines"),
        reference: false,
        free: &[],
        inside: inside_lines,
    },
    Harness {
        name: "pass_queue",
        file: "pass_queue",
        unit: Some("weft_pass_queue"),
        reference: false,
        free: &[],
        inside: inside_pass_queue,
    },
    Harness {
        name: "scratchpad",
        file: "scratchpad",
        unit: Some("weft_scratchpad"),
        reference: false,
        free: &[],
        inside: inside_scratchpad,
    },
    Harness {
        name: "rows",
        file: "rows",
        unit: Some("weft_datapath"),
        reference: false,
        free: &[
            "weft_datapath_control",
            "weft_datapath_control_targets",
            "weft_datapath_csr",
            "weft_datapath_csr_blocks",
            "weft_datapath_csr_firsts",
            "weft_datapath_divide",
            "weft_datapath_first",
            "weft_datapath_held_numbers",
            "weft_datapath_held_threads",
            "weft_datapath_lanes",
            "weft_datapath_levels",
            "weft_datapath_masks",
            "weft_datapath_masks_condition",
            "weft_datapath_masks_left",
            "weft_datapath_queue",
            "weft_datapath_times",
            "weft_datapath_wavefront",
            "weft_datapath_written",
        ],
        inside: inside_rows,
    },
    Harness {
        name: "float",
        file: "float",
        unit: Some("weft_float"),
        reference: false,
        free: &["weft_float_lanes"],
        inside: inside_float,
    },
    Harness {
        name: "pending",
        file: "pending",
        unit: Some("weft_pending"),
        reference: false,
        free: &[],
        inside: inside_pending,
    },
    Harness {
        name: "launcher",
        file: "launcher",
        unit: Some("weft_launcher"),
        reference: false,
        free: &["weft_launcher_bases", "weft_launcher_owners"],
        inside: inside_launcher,
    },
    Harness {
        name: "cta_port",
        file: "cta_port",
        unit: Some("weft_cta_port"),
        reference: false,
        free: &[],
        inside: inside_cta_port,
    },
    Harness {
        name: "cta",
        file: "cta",
        unit: Some("weft_cta"),
        reference: false,
        free: &["weft_cta_found_at"],
        inside: inside_cta,
    },
    Harness {
        name: "core_launch",
        file: "core_launch",
        unit: Some("weft_core"),
        reference: false,
        free: &[
            "weft_core_barrier",
            "weft_core_convergence",
            "weft_core_cta",
            "weft_core_schedulers",
        ],
        inside: inside_core_launch,
    },
    Harness {
        name: "deque",
        file: "deque",
        unit: Some("weft_convergence"),
        reference: true,
        free: &[],
        inside: inside_convergence,
    },
];

/// All memories of the unit; same ones are one module.
const BARRIER_MEMORIES: &[&str] = &[
    "weft_barrier_blocks",
    "weft_barrier_ctas",
    "weft_barrier_flags",
    "weft_barrier_holders",
    "weft_barrier_lives",
    "weft_barrier_phases",
    "weft_barrier_places",
    "weft_barrier_present",
    "weft_barrier_scan_blocks",
    "weft_barrier_seen_rows",
    "weft_barrier_slots_names",
    "weft_barrier_slots_queue_memory",
    "weft_barrier_slots_simple_memory",
    "weft_barrier_tags",
    "weft_barrier_timers_queue_memory",
    "weft_barrier_timers_times",
    "weft_barrier_told",
    "weft_barrier_used",
    "weft_barrier_waiters",
    "weft_barrier_words",
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
    registers("first last").chain(entries).collect()
}

fn inside_scheduler() -> Vec<(String, String)> {
    let ports = ["read_line", "read_word", "read_data"];
    let ports = ports.map(|port| (port.into(), format!("supply.lines_{port}")));
    ports.into()
}

fn inside_wavefront() -> Vec<(String, String)> {
    let own = registers("accesses misses left hold shift part_bits shared_base");
    // The harness calls the configuration itself `shared_from`.
    own.chain([("first_shared".into(), "shared_from_q".into())])
        .collect()
}

fn inside_picker() -> Vec<(String, String)> {
    let levels = (0..4).map(|i| (format!("level{i}"), format!("level_{i}_q")));
    let pairs = ("pairs".to_string(), "order.ahead".to_string());
    registers("greedy").chain(levels).chain([pairs]).collect()
}

fn inside_barrier_slots() -> Vec<(String, String)> {
    // The words of all slots in one wire.
    let part = |wire: &str, i: usize| format!("{wire}[{}:{}]", 7 * i + 6, 7 * i);
    let names = (0..16).flat_map(|i| {
        let own = (part("name", i), format!("name_{i}_q"));
        [own, (part("named", i), format!("names.mem[{i}]"))]
    });
    // So are the slots behind the last one, per level.
    let behind = (0..4).map(|l| {
        let wire = format!("behind[{}:{}]", 16 * l + 15, 16 * l);
        (wire, format!("behind_{l}_q"))
    });
    let head = [
        ("head", "queue.head_q"),
        ("head_valid", "queue.full_q"),
        ("some", "queue.some_q"),
        ("read", "queue.read_q"),
        ("simple_head", "simple.head_q"),
        ("simple_valid", "simple.full_q"),
        ("simple_some", "simple.some_q"),
        ("simple_read", "simple.read_q"),
    ];
    let plain =
        ["first", "enters", "exclusive", "high", "low"].map(|name| (name.into(), name.into()));
    let head = head.map(|(wire, path)| (wire.to_string(), path.to_string()));
    registers("taken waiting alone found blocked at of_level simple_first able calm empty place roomy vacant moved")
        .chain(plain)
        .chain(head)
        .chain(names)
        .chain(behind)
        .collect()
}

fn inside_barrier() -> Vec<(String, String)> {
    let steps = "clearing idle look recount rule answer again evict place purge depart next_id fetch gather tally lower judge close ended \
                 recall timeout aim seek reach mark sift wake finish";
    let state = "checks warp_bit b_static b_dynamic b_invalid b_void completes evicts misuse over is_top is_bottom is_reset is_arrive is_wait is_exit is_launch is_kill full b_section b_reset turns turn_mode plain adds slots_first simple slot first_known b_present";
    let plain = [
        "straight",
        "takes_op",
        "takes_slot",
        "is_used",
        "raw",
        "raw_section",
        "writes",
        "w_flags",
        "w_idle",
    ]
    .map(|name| (name.into(), name.into()));
    let of_slots = [
        ("taken", "taken_q"),
        ("waiting", "waiting_q"),
        ("pick_valid", "pick_valid"),
        ("slots_enters", "enters"),
        ("slots_first_free", "first"),
        ("slots_full", "queue.full_q"),
        ("slots_some", "queue.some_q"),
        ("slots_purges", "purges_q"),
        ("slots_found", "found_q"),
        ("slots_at", "at_q"),
        ("slots_calm", "calm_q"),
        ("slots_empty", "empty_q"),
        ("slots_roomy", "roomy_q"),
        ("slots_vacant", "vacant_q"),
        ("slots_place", "place_q"),
        ("slots_read", "queue.read_q"),
        ("simple_valid", "simple.full_q"),
        ("simple_some", "simple.some_q"),
        ("simple_read", "simple.read_q"),
    ];
    let of_slots = of_slots.map(|(wire, path)| (wire.into(), format!("slots.{path}")));
    registers(steps)
        .chain(registers(state))
        .chain(plain)
        .chain(of_slots)
        .collect()
}

fn inside_tasks() -> Vec<(String, String)> {
    let of = |part: &'static str, names: &'static str| {
        let names = names.split_whitespace();
        names.map(move |name| (format!("{part}_{name}"), format!("{part}.{name}_q")))
    };
    let others = [
        ("ask", "ask"),
        ("starter_number", "starter.its_number_q"),
        ("used", "slots.used_q"),
        ("left", "slots.left_q"),
        ("goes", "slots.goes_q"),
        ("dies", "slots.dies_q"),
        ("runs", "slots.runs_0_q"),
        ("slot_queue", "slots.is_queue_q"),
        ("starter_queue", "starter_queue"),
        ("reader_ctas", "reader.ctas_q"),
        ("reader_waits", "reader_waits"),
        ("reader_known", "reader.naming.known_q"),
        ("scans", "slots.scans_q"),
        ("scan_at", "slots.scan_at_q"),
        ("best", "slots.best_q"),
        ("best_slot", "slots.best_slot_q"),
        ("worst", "slots.worst_q"),
        ("worst_slot", "slots.worst_slot_q"),
        ("loads", "slots_load"),
        ("place_step", "placement.step_q"),
        ("place_at", "placement.at_q"),
        ("place_best", "placement.best_q"),
        ("place_best_sm", "placement.best_sm_q"),
        ("ctas", "placement.ctas_0_q"),
        ("its_slot", "placement.its_slot"),
        ("is_queue", "reader.check.is_queue_q"),
        ("whose_any", "whose_any"),
        ("whose_among", "whose_among"),
        ("whose_place", "whose_place"),
        ("words_write", "words_write_enable"),
        ("words_write_at", "words_write_address"),
        ("words_read_at", "words_read_address"),
        ("words_write_data", "words_write_data"),
        ("words_read_data", "words_read_data"),
    ];
    let others = others.map(|(wire, path)| (wire.into(), path.into()));
    registers("step turn accepted again direct early code source slot from_sm")
        .chain(of("reader", "step asked index fill work op its_code lost"))
        .chain(of("lists", "step asked answers"))
        .chain(of(
            "starter",
            "step index shown shows late late_at lates next_number has_started has_left",
        ))
        .chain(of("looker", "step"))
        .chain(of("completion", "step"))
        .chain(of("spawn", "step"))
        .chain(others)
        .collect()
}

fn inside_progress() -> Vec<(String, String)> {
    let of = |part: &'static str, names: &'static str| {
        let names = names.split_whitespace();
        names.map(move |name| (format!("{part}_{name}"), format!("{part}.{name}_q")))
    };
    let others = [
        ("filled", "lists.filled_q"),
        ("lists_any", "lists_any"),
        ("used", "slots.used_q"),
        ("left", "slots.left_q"),
        ("open", "slots.open_q"),
        ("goes", "slots.goes_q"),
        ("dies", "slots.dies_q"),
        ("runs", "slots.runs_0_q"),
        ("slot_level", "slots.levels_0_q"),
        ("scans", "slots.scans_q"),
        ("scan_at", "slots.scan_at_q"),
        ("best", "slots.best_q"),
        ("best_slot", "slots.best_slot_q"),
        ("worst", "slots.worst_q"),
        ("worst_slot", "slots.worst_slot_q"),
        ("worst_key", "slots.worst_key_q"),
        ("place_step", "placement.step_q"),
        ("place_at", "placement.at_q"),
        ("place_best_sm", "placement.best_sm_q"),
        ("place_best", "placement.best_q"),
        ("place_best_place", "placement.best_place_q"),
        ("place_flip_at", "placement.flip_at_q"),
        ("place_left", "placement.left_q"),
        ("place_runs_of", "placement.runs_of_q"),
        ("taken", "placement.taken_0_q"),
        ("places", "placement.places_0_q"),
        ("ctas", "placement.ctas_0_q"),
        ("used_warps", "placement.used_warps_0_q"),
        ("record_write", "placement.take"),
        ("record_write_at", "placement.best_at"),
        ("record_write_data", "placement.records_write_data"),
        ("record_read_data", "placement.records_read_data"),
        ("reader_waits", "reader_waits"),
        ("reader_known", "reader.naming.known_q"),
        ("lists_top", "lists.its_top_q"),
        ("looks", "looks"),
        ("is_queue", "reader.check.is_queue_q"),
        ("starter_queue", "starter_queue"),
        ("changed", "changed"),
        ("due", "due"),
        ("whose_among", "whose_among"),
        ("whose_place", "whose_place"),
        ("rota_here", "whose.here"),
        ("rota_above", "whose.higher"),
        ("rota_later", "whose.later"),
        ("words_read_data", "words_read_data"),
    ];
    let others = others.map(|(wire, path)| (wire.into(), path.into()));
    registers("step turn accepted again direct early stuck content source slot from_sm from_place")
        .chain(of("reader", "step asked index fill work op"))
        .chain(of("lists", "step asked answers"))
        .chain(of(
            "starter",
            "step index has_started its_warps its_granules",
        ))
        .chain(of("looker", "step"))
        .chain(of("completion", "step"))
        .chain(of("spawn", "step its_number index"))
        .chain(of("math", "busy divides left y is_out"))
        .chain(others)
        .collect()
}

fn inside_host() -> Vec<(String, String)> {
    let of_step = "at then in_block asks m_write answered m_error error_0 error_1 error_2 is_empty old next_get get source_at word_0 word_1 \
                   word_2 m_address m_word left number got more waits current";
    let of_port = "turn aw w w_whole equals aw_address w_data";
    let of = |part: &'static str, names: &'static str| {
        let names = names.split_whitespace();
        names.map(move |name| (name.to_string(), format!("{part}.{name}_q")))
    };
    let others = [
        ("size", "step.command.size"),
        ("wrong", "step.command.wrong"),
        ("takes", "step_takes"),
        ("clearing", "channels.clearing_q"),
        ("clear_at", "channels.clear_at_q"),
        ("enabled", "channels.is_enabled_q"),
        ("inside", "channels.is_inside_q"),
        ("filled", "channels.is_filled_q"),
        ("word", "channels_word"),
        ("words_write", "channels.words_write_enable"),
        ("words_write_at", "channels.words_write_address"),
        ("words_write_data", "channels.words_write_data"),
        ("ring", "channels.words.mem[0]"),
        ("entries", "channels.words.mem[1]"),
        ("gp_get", "channels.words.mem[2]"),
        ("gp_put", "channels.words.mem[3]"),
        ("port_wrong", "port.wrong_q"),
        ("port_found", "port.found_q"),
        ("above_0", "channels.choice.above_0_q"),
        ("above_1", "channels.choice.above_1_q"),
        ("port_takes", "port_takes"),
        ("port_number", "port.number_q"),
        ("port_acts", "port_acts"),
        ("port_act_fails", "port_act_fails"),
    ];
    let others = others.map(|(wire, path)| (wire.into(), path.into()));
    of("step", of_step)
        .chain(of("port", of_port))
        .chain(others)
        .collect()
}

fn inside_memory_port() -> Vec<(String, String)> {
    let of_tokens =
        "first_read last_read first_write last_write second_out second_in half shows is_write";
    let of_tokens = of_tokens
        .split_whitespace()
        .map(|name| (name.to_string(), format!("tokens.{name}_q")));
    let ports = [
        ("token_reads", "tokens_read_valid"),
        ("token_writes", "tokens_write_valid"),
        ("token_read_ready", "tokens_read_ready"),
        ("token_write_ready", "tokens_write_ready"),
        ("token_beat_ready", "tokens_beat_ready"),
        ("token_ack_ready", "tokens_ack_ready"),
    ];
    let ports = ports.map(|(wire, path)| (wire.into(), path.into()));
    let memories = ["read_tags", "read_places", "write_tags"];
    let memories = memories
        .into_iter()
        .flat_map(|memory| words(memory, 2).map(|(wire, path)| (wire, format!("tokens.{path}"))));
    registers("under_way served r r_id r_data r_last r_error b b_id b_error in_burst of_token")
        .chain(of_tokens)
        .chain(ports)
        .chain(memories)
        .collect()
}

fn inside_lines() -> Vec<(String, String)> {
    let of_places = ["line", "sent", "answered"].into_iter().flat_map(|name| {
        (0..8).map(move |place| (format!("{name}{place}"), format!("{name}_{place}_q")))
    });
    registers("used equals writes stores follows")
        .chain(of_places)
        .collect()
}

fn inside_pass_queue() -> Vec<(String, String)> {
    // The words of each memory in one wire.
    let memories = [
        ("heads", "heads"),
        ("addresses", "addresses"),
        ("datas", "data"),
    ];
    let memories = memories.into_iter().flat_map(|(wire, memory)| {
        (0..32).map(move |i| {
            let bits = format!("{wire}[{}:{}]", 2 * i + 1, 2 * i);
            (bits, format!("{memory}.mem[{i}]"))
        })
    });
    let read = [
        ("head_read", "heads_read_data"),
        ("address_read", "addresses_read_data"),
        ("data_read", "data_read_data"),
    ];
    let read = read.map(|(wire, path)| (wire.into(), path.into()));
    registers("stored holds first last shown")
        .chain(memories)
        .chain(read)
        .collect()
}

fn inside_float() -> Vec<(String, String)> {
    // The words of each memory in one wire.
    let memories = [
        ("warps", "warps", 1, 16),
        ("parts", "parts", 1, 16),
        ("lasts", "lasts", 1, 16),
        ("masks", "masks", 2, 16),
        ("rds", "rds", 6, 16),
        ("low_rows", "rows_0", 32, 16),
        ("high_rows", "rows_1", 32, 16),
        ("done_warps", "done_warps", 1, 4),
        ("done_rds", "done_rds", 6, 4),
    ];
    let memories = memories
        .into_iter()
        .flat_map(|(wire, memory, width, words)| {
            (0..words).map(move |i| {
                let bits = match width {
                    1 => format!("{wire}[{i}]"),
                    _ => format!("{wire}[{}:{}]", width * i + width - 1, width * i),
                };
                (bits, format!("{memory}.mem[{i}]"))
            })
        });
    registers("active turn slow out_turn phase done_head done_tail done tail filled head held ready ranks")
        .chain(memories)
        .chain([("word".into(), "lanes_0_result".into())])
        .collect()
}

fn inside_scratchpad() -> Vec<(String, String)> {
    // The words of all banks in one wire.
    let words = (0..32).map(|i| {
        let bits = format!("words[{}:{}]", 32 * i + 31, 32 * i);
        (bits, format!("banks_{}.mem[{}]", i / 8, i % 8))
    });
    let of_atomic = [
        ("old", "old_q"),
        ("operand", "operand_q"),
        ("result", "changed_result"),
    ];
    let of_atomic = of_atomic.map(|(wire, path)| (wire.into(), path.into()));
    let of_lanes = (0..4).flat_map(|i| {
        let word = |wire: &str| format!("{wire}[{}:{}]", 32 * i + 31, 32 * i);
        let bank = format!("read_banks[{}:{}]", 2 * i + 1, 2 * i);
        [
            (bank, format!("read_bank_{i}_q")),
            (word("at_banks"), format!("banks_{i}_read_data")),
        ]
    });
    registers("stage reads read_lanes read_slot read_last scrub_row")
        .chain(words)
        .chain(of_atomic)
        .chain(of_lanes)
        .collect()
}

fn inside_rows() -> Vec<(String, String)> {
    let of_lanes = (0..2).flat_map(|i| {
        let part = |wire: &str, width: usize| match width {
            1 => format!("{wire}[{i}]"),
            width => format!("{wire}[{}:{}]", width * i + width - 1, width * i),
        };
        [
            (part("enable", 1), format!("first_{i}_write_enable")),
            (part("enable_2", 1), format!("second_{i}_write_enable")),
            (part("row", 8), format!("first_{i}_write_address")),
            (part("row_2", 8), format!("second_{i}_write_address")),
            (part("word", 32), format!("first_{i}_write_data")),
            (part("word_2", 32), format!("second_{i}_write_data")),
            (part("values", 32), format!("b_data_{i}_d")),
            (part("products", 32), format!("times_{i}_result")),
        ]
    });
    let others = [
        ("from_lanes", "from_lanes"),
        ("product", "m2_valid_q"),
        ("divides", "divide_takes"),
        ("offers", "divide_result_valid"),
        ("claims", "divide_claims"),
        ("early", "b_valid_q"),
        ("late", "w_valid_q"),
        ("pass_mask", "x_mask_q"),
        ("unsure", "b_unsure_q"),
        ("whole", "written_write_whole"),
        ("grouped", "b_grouped_q"),
        ("bad", "bad"),
        ("taken", "v_taken_q"),
        ("first", "sequencer_pass_first"),
        ("head_form", "queue_head_form"),
        ("head_word", "queue_head_word"),
        ("divides_h", "divides_now"),
        ("lanes_mask", "b_mask_d"),
        ("product_mask", "m2_mask_q"),
        ("divide_mask", "divide_result_mask"),
        ("lanes_row", "x_row_q"),
        ("product_row", "m2_row_q"),
        ("late_row", "result_row"),
        ("quotients", "divide_result_data"),
        ("room", "queue_room"),
        ("free", "divide_free"),
        ("divides_r", "r_divides_q"),
        ("divides_o", "o_divides_q"),
        ("starts_access", "starts_access"),
        ("on_way", "on_way_q"),
    ];
    let others = others.map(|(wire, path)| (wire.into(), path.into()));
    of_lanes.chain(others).collect()
}

fn inside_launcher() -> Vec<(String, String)> {
    // The registers of the launch in one wire, in the order of their addresses, as they are read; then as a launch takes
    // them: name, first bit, bits.
    let settings = (0..20).map(|i| {
        let bits = format!("settings[{}:{}]", 32 * i + 31, 32 * i);
        (bits, format!("settings.mem[{}]", i + 4))
    });
    let whole = "grid_x_size grid_y_size grid_z_size group_x_size group_y_size group_z_size argument scratchpad local_size \
                 local_at token_at";
    let whole = whole.split_whitespace().enumerate();
    let whole = whole.map(|(i, name)| (name, 32 * (i + 1), 32));
    let parts = [
        ("entry", 2, 22),
        ("token_room", 32 * 12, 10),
        ("memory_end", 32 * 13, 32),
        ("level", 32 * 14, 4),
        ("level_mix", 32 * 14 + 8, 2),
        ("policy", 32 * 14 + 16, 2),
        ("yields", 32 * 15, 32),
        ("path", 32 * 16, 2),
        ("yield_random", 32 * 16 + 3, 1),
        ("miss_threshold", 32 * 17, 9),
        ("mode_force", 32 * 17 + 16, 2),
        ("shared_from", 32 * 17 + 24, 6),
        ("priorities", 32 * 18, 16),
        ("randoms", 32 * 19, 32),
    ];
    let acts = whole.chain(parts).map(|(name, first, bits)| {
        let bits = format!("acts[{}:{first}]", first + bits - 1);
        (bits, format!("{name}_q"))
    });
    let state = "aw_full aw_address w_full w_word w_strobes refused failed number ended step quiet slots known bad_tokens \
                 bad_mode";
    registers(state).chain(settings).chain(acts).collect()
}

fn inside_cta_port() -> Vec<(String, String)> {
    // The words of each group in one wire.
    let words = |wire: &'static str, count: usize| {
        (0..count).map(move |i| {
            let bits = format!("{wire}[{}:{}]", 32 * i + 31, 32 * i);
            (bits, format!("{wire}_{i}_q"))
        })
    };
    let of_warps = (0..4).flat_map(|i| {
        let owner = format!("owners[{}:{}]", 4 * i + 3, 4 * i);
        let block = format!("blocks[{}:{}]", 2 * i + 1, 2 * i);
        [
            (owner, format!("owners.mem[{i}]")),
            (block, format!("blocks.mem[{i}]")),
        ]
    });
    let state = "running quiet flushed fresh place ends fails tells told_place told_failed reports its_place its_warp its_thread \
                 its_cause its_pc its_address known domain_id";
    registers(state)
        .chain(words("words", 26))
        .chain(words("now", 7))
        .chain(of_warps)
        .collect()
}

fn inside_cta() -> Vec<(String, String)> {
    // The words of a memory in one wire.
    let memory = |wire: &'static str, memory: &'static str, width: usize, count: usize| {
        (0..count).map(move |i| {
            let bits = match width {
                1 => format!("{wire}[{i}]"),
                width => format!("{wire}[{}:{}]", width * i + width - 1, width * i),
            };
            (bits, format!("{memory}.mem[{i}]"))
        })
    };
    let state = "clearing busy check enough found placing all_out seen seen_free seen_warp launches launch_slot launch_of ended_1 \
                 ended_1_warp ended_1_failed ended_2 ended_2_slot ended_2_failed done done_id done_slot done_failed threads rest \
                 id pc last block scan slot mask";
    registers(state)
        .chain(memory("owned", "owned", 1, 4))
        .chain(memory("owner", "owner", 4, 4))
        .chain(memory("owner_copy", "owner_copy", 4, 4))
        .chain(memory("blocks", "blocks", 2, 4))
        .chain(memory("left", "left", 3, 16))
        .chain(memory("fails", "failed", 1, 16))
        .chain(memory("ids", "ids", 16, 16))
        .collect()
}

fn inside_core_launch() -> Vec<(String, String)> {
    let plain = "cta_launch_valid cta_launch_ready cta_launch_warp cta_launch_pc cta_launch_mask cta_launch_cta cta_launch_block \
                 cta_launch_threads convergence_launch_valid convergence_launch_ready barrier_op_ready";
    let plain = plain
        .split_whitespace()
        .map(|name| (name.into(), name.into()));
    registers("told offer o_code o_warp stop_valid stop_warp stop_failed verdict wake")
        .chain(plain)
        .collect()
}

fn inside_pending() -> Vec<(String, String)> {
    let of_warp = |i: usize| {
        [
            (
                format!("waits[{}:{}]", 6 * i + 5, 6 * i),
                format!("waits_{i}_q"),
            ),
            (
                format!("flies[{}:{}]", 3 * i + 2, 3 * i),
                format!("flies_{i}_q"),
            ),
        ]
    };
    (0..2).flat_map(of_warp).collect()
}

fn inside_mover() -> Vec<(String, String)> {
    let registers = registers(
        "j_valid j_warp j_ends first last offered begun warp done done_warp poke poke_for j_tags tags j_count j_ring j_at place left \
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
    let of_bits = |wire: &str, memory: &str, low: usize, width: usize| {
        let bits = format!("{memory}.mem[0][{}:{low}]", low + width - 1);
        (wire.to_string(), bits)
    };
    let plain = "size dues fore rear solid taken rear_taken ring front_place last_place further_front further_last front_mask front_tags";
    let mut all: Vec<_> = plain.split(' ').map(|name| of_warp(name, name)).collect();
    all.push(of_bits("head", "deque", 0, 10));
    all.push(of_bits("depth", "deque", 10, 10));
    all.push(of_bits("stored", "deque", 20, 10));
    all.push(of_bits("state_blocked", "deque", 30, 1));
    all.push(of_bits("state_pc", "pcs", 0, 22));
    all.push(of_bits("front_pc", "pcs", 22, 22));
    all.push(of_warp("base", "mover.base"));
    all.push(of_warp("state_active", "active"));
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
