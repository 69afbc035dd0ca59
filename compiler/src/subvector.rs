//! Segments that use many registers become sub-vector loops (COMP-120 to 124).
//!
//! A segment is an outermost loop, or several of them that adjoin. The forms of code are made on the text, before anything else is looked at; those by
//! instructions are made with the tokens, because their end is a SYNC token.

use crate::flow::{Edge, EdgeKind, Function};
use crate::graph::Shape;
use crate::mutation::Mutation;
use crate::registers::{bit, reads, writes, Liveness, Registers, TEMPORARIES};
use crate::report::SegmentReport;
use crate::source::{rank, Control, Edits, Insn, Source, Target};
use crate::tokens::{finish, Candidate};
use crate::{Form, Options, SubVector, TokenKind};
use weft_isa::{register_name, register_number, Instr};

/// From here on registers can be shared by the parts (`shared_from`, SUBV-020), so local ones are renamed to the
/// highest numbers.
pub(crate) const LOWEST_SHARED: u8 = 16;

/// x16 to x31.
const SHARED: Registers = !0 << LOWEST_SHARED;

/// COMP-051: outside of sub-vector loops no temporary value of a lowering stands in a register that can be shared.
pub(crate) fn reserve_shared(
    source: &Source,
    function: &Function,
    shape: &Shape,
    options: &Options,
    liveness: &mut Liveness,
) {
    let shares = options.subvector != SubVector::Off && options.form.by_instructions();
    if !shares || options.mutation == Some(Mutation::SharedTemporaries) {
        return;
    }
    let inside: Vec<usize> = loops(source, function, shape, options)
        .into_iter()
        .flat_map(|segment| segment.blocks)
        .collect();
    let outside = (0..function.blocks.len()).filter(|block| !inside.contains(block));
    liveness.reserve(outside, SHARED);
}

/// A segment.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    /// Blocks, ascending.
    pub blocks: Vec<usize>,
    /// The first of them that is executed.
    pub header: usize,
    /// The block in front of it.
    pub before: usize,
    /// The block behind it.
    pub join: usize,
    /// Ways out.
    pub out: Vec<Edge>,
    /// Most registers live at once.
    pub registers: usize,
    /// Registers that hold nothing outside, and that it writes.
    local: Registers,
    /// Registers that it does not touch, and whose value nobody needs across it.
    free: Registers,
}

/// Or why it cannot be made a loop.
type Found = Result<Segment, (SegmentReport, &'static str)>;

/// COMP-120: the segments of a function, and what cannot be one.
/// Those that adjoin and use at least so many registers each are one (COMP-128).
pub(crate) fn segments(
    source: &Source,
    function: &Function,
    shape: &Shape,
    threshold: Option<usize>,
) -> Vec<Found> {
    let liveness = Liveness::of(source, function, shape, None);
    let outermost = (0..shape.loops.len()).filter(|&l| shape.loops[l].parent.is_none());
    let region = |blocks, header| region(source, function, &liveness, blocks, header);
    let mut found: Vec<Found> = outermost
        .map(|number| {
            let blocks = 0..function.blocks.len();
            let blocks = blocks.filter(|&b| shape.is_in(number, b)).collect();
            region(blocks, shape.loops[number].header)
        })
        .collect();
    let Some(threshold) = threshold else {
        return found;
    };
    let wanted = |found: &Found| match found {
        Ok(segment) if segment.registers >= threshold => Some(segment.clone()),
        _ => None,
    };
    let pair = |found: &[Found]| {
        let places = || (0..found.len()).filter_map(|n| Some((n, wanted(&found[n])?)));
        places().find_map(|(first, one)| {
            places().find_map(|(second, other)| {
                let between = between(source, function, &one, &other)?;
                let mut blocks = [&one.blocks[..], &between, &other.blocks].concat();
                blocks.sort_unstable();
                Some((first, second, region(blocks, one.header).ok()?))
            })
        })
    };
    while let Some((first, second, joined)) = pair(&found) {
        found[first] = Ok(joined);
        drop(found.remove(second));
    }
    found
}

/// The blocks from one segment to the next, if all ways lead through them, none comes from elsewhere, and what stands there
/// is of one thread alone: parts come there one after the other.
fn between(
    source: &Source,
    function: &Function,
    one: &Segment,
    next: &Segment,
) -> Option<Vec<usize>> {
    use Instr::{Auipc, Load, Lui, Mul, Op, OpImm, Store};
    let alone = |at: usize| {
        let ops = &source.code[at].ops;
        let plain = |instr| {
            matches!(
                instr,
                Lui { .. }
                    | Auipc { .. }
                    | OpImm { .. }
                    | Op { .. }
                    | Mul { .. }
                    | Load { .. }
                    | Store { .. }
            )
        };
        !ops.is_empty() && ops.iter().all(|op| plain(op.instr))
    };
    let mut between = Vec::new();
    let mut block = one.join;
    loop {
        let inside = |b: &usize| one.blocks.contains(b) || between.contains(b);
        let here = &function.blocks[block];
        let [edge] = &here.edges[..] else { return None };
        if inside(&block) || !here.from.iter().all(|edge| inside(&edge.from)) {
            return None;
        }
        let jumps = |at: usize| matches!(source.code[at].control, Control::Jump(_));
        if !here.code().all(|at| jumps(at) || alone(at)) {
            return None;
        }
        between.push(block);
        if block == next.before {
            return (edge.to == next.header).then_some(between);
        }
        block = edge.to;
    }
}

/// Those that become sub-vector loops.
pub(crate) fn loops(
    source: &Source,
    function: &Function,
    shape: &Shape,
    options: &Options,
) -> Vec<Segment> {
    let Some(threshold) = options.subvector.threshold() else {
        return Vec::new();
    };
    let found = segments(source, function, shape, Some(threshold));
    let found = found.into_iter().flatten();
    found
        .filter(|segment| segment.registers >= threshold)
        .collect()
}

/// What these blocks, ascending, are together.
fn region(
    source: &Source,
    function: &Function,
    liveness: &Liveness,
    blocks: Vec<usize>,
    header: usize,
) -> Found {
    let code = || {
        blocks
            .iter()
            .flat_map(|&b| function.blocks[b].code().map(move |at| (b, at)))
    };
    let live = |b, at| liveness.before(source, function, b, at);
    // What the function does not touch takes no room in it: saved registers of its callers.
    let own = function
        .blocks
        .iter()
        .flat_map(|block| block.code())
        .fold(0, |all, at| all | uses(&source.code[at]));
    let registers = code()
        .map(|(b, at)| (live(b, at) & own).count_ones())
        .max()
        .unwrap_or(0) as usize;
    let report = SegmentReport {
        lines: lines(source, function, &blocks),
        registers,
        form: String::new(),
        renamed: Vec::new(),
    };
    let refuse = |why| Err((report.clone(), why));
    let inside = |block: usize| blocks.contains(&block);
    let ways_in: Vec<&Edge> = function.blocks[header]
        .from
        .iter()
        .filter(|edge| !inside(edge.from))
        .collect();
    let out: Vec<Edge> = blocks
        .iter()
        .flat_map(|&b| &function.blocks[b].edges)
        .filter(|edge| !inside(edge.to))
        .copied()
        .collect();
    let [way_in] = ways_in[..] else {
        return refuse("there are several ways in");
    };
    if way_in.kind != EdgeKind::Fall && function.blocks[way_in.from].edges.len() != 1 {
        return refuse("a branch jumps into it");
    }
    let Some(join) = out.first().map(|edge| edge.to) else {
        return refuse("no way leads out");
    };
    if join == function.exit() || out.iter().any(|edge| edge.to != join) {
        return refuse("there are several ways out");
    }
    let special = |at: usize| {
        !matches!(
            source.code[at].control,
            Control::Plain | Control::Branch { .. } | Control::Jump(_)
        )
    };
    if code().any(|(_, at)| special(at)) {
        return refuse("there is a call or an indirect jump in it");
    }
    let touched = code().fold(0, |all, (_, at)| {
        all | reads(&source.code[at]) | writes(&source.code[at])
    });
    let written = code().fold(0, |all, (_, at)| all | writes(&source.code[at]));
    let first = function.blocks[header].first;
    let crossing = live(header, first) | live(join, function.blocks[join].first);
    // What is live at the header but comes from the round before is not local: it has a value when a part begins.
    let local = written & !crossing;
    Ok(Segment {
        blocks,
        header,
        before: way_in.from,
        join,
        out,
        registers,
        local,
        free: !(touched | crossing) & !0x1F,
    })
}

/// Registers that the instruction itself names; of calls and returns none.
fn uses(insn: &Insn) -> Registers {
    match insn.control {
        Control::Call(_) | Control::CallIndirect | Control::Return => 0,
        _ => reads(insn) | writes(insn),
    }
}

fn lines(source: &Source, function: &Function, blocks: &[usize]) -> (usize, usize) {
    let all = || {
        blocks
            .iter()
            .flat_map(|&b| function.blocks[b].code())
            .map(|at| source.code[at].line)
    };
    (all().min().unwrap_or(0), all().max().unwrap_or(0))
}

impl Segment {
    pub fn report(&self, source: &Source, function: &Function, form: String) -> SegmentReport {
        SegmentReport {
            lines: lines(source, function, &self.blocks),
            registers: self.registers,
            form,
            renamed: Vec::new(),
        }
    }

    fn falls_in(&self, function: &Function) -> bool {
        let edges = &function.blocks[self.before].edges;
        edges
            .iter()
            .any(|edge| edge.kind == EdgeKind::Fall && self.blocks.contains(&edge.to))
    }

    /// Its statements stand one behind the other, and the last one falls to the join if that is next.
    fn code(&self, source: &Source, function: &Function) -> Option<(usize, usize)> {
        let mut all: Vec<usize> = self
            .blocks
            .iter()
            .flat_map(|&b| function.blocks[b].code())
            .collect();
        all.sort_unstable();
        let (first, last) = (*all.first()?, *all.last()?);
        let together = all
            .windows(2)
            .all(|pair| source.next(pair[0]) == Some(pair[1]));
        (together && source.next(last) == Some(function.blocks[self.join].first))
            .then_some((first, last))
    }
}

/// What a pass over the text did.
pub(crate) struct Made {
    pub text: String,
    /// By function and first line.
    pub segments: Vec<(String, SegmentReport)>,
}

/// COMP-121 to COMP-124: renames local registers, and writes the forms of code. Lines of the source move with copies.
pub(crate) fn prepare(
    source: &Source,
    functions: &[Function],
    shapes: &[Shape],
    options: &Options,
) -> Option<Made> {
    let threshold = options.subvector.threshold()?;
    let parts = options.threads / options.lanes.max(1);
    let mut edits = Edits::default();
    let mut done = Vec::new();
    for (function, shape) in functions
        .iter()
        .zip(shapes)
        .filter(|(f, _)| f.left_alone.is_none())
    {
        for segment in segments(source, function, shape, Some(threshold)) {
            let name = function.name.clone();
            let segment = match segment {
                Ok(segment) => segment,
                Err((mut report, why)) => {
                    report.form = format!("left as it is: {why}");
                    done.push((name, report));
                    continue;
                }
            };
            if segment.registers < threshold {
                let form = format!("left as it is: fewer than {threshold} registers");
                done.push((name, segment.report(source, function, form)));
                continue;
            }
            let (made, renamed) = match options.form {
                Form::Mode => (
                    "a sub-vector loop by subv.start".to_string(),
                    rename(source, function, &segment, &mut edits),
                ),
                Form::Measured => (
                    "a sub-vector loop by subv.auto".to_string(),
                    rename(source, function, &segment, &mut edits),
                ),
                Form::Loop => (
                    in_a_loop(source, function, &segment, parts, options.lanes, &mut edits),
                    vec![],
                ),
                Form::Copies => (
                    in_copies(source, function, &segment, parts, options.lanes, &mut edits),
                    vec![],
                ),
            };
            let mut report = segment.report(source, function, made);
            report.renamed = renamed;
            done.push((name, report));
        }
    }
    Some(Made {
        text: edits.apply(source),
        segments: done,
    })
}

/// COMP-122: local registers get the highest numbers that the segment does not use otherwise.
fn rename(
    source: &Source,
    function: &Function,
    segment: &Segment,
    edits: &mut Edits,
) -> Vec<(String, String)> {
    let mut names: [u8; 32] = std::array::from_fn(|n| n as u8);
    let mut free: Vec<u8> = (LOWEST_SHARED..32)
        .filter(|&r| (segment.free | segment.local) & bit(r) != 0)
        .collect();
    let mut locals: Vec<u8> = (5..32).filter(|&r| segment.local & bit(r) != 0).collect();
    // Those that are high enough stay.
    locals.retain(|r| {
        let stays = free.contains(r);
        free.retain(|f| f != r);
        !stays
    });
    let mut renamed = Vec::new();
    for local in locals {
        if let Some(new) = free.pop() {
            names[usize::from(local)] = new;
            renamed.push((
                register_name(local).to_string(),
                register_name(new).to_string(),
            ));
        }
    }
    if !renamed.is_empty() {
        for at in segment
            .blocks
            .iter()
            .flat_map(|&b| function.blocks[b].code())
        {
            edits.replace(source, at, &with_other_registers(source, at, &names));
        }
    }
    renamed
}

/// A statement of the source with other register names.
pub(crate) fn with_other_registers(source: &Source, at: usize, names: &[u8; 32]) -> String {
    let statement = source.statement(at);
    let ops = &source.code[at].ops;
    let is_barrier = ops
        .iter()
        .any(|op| matches!(op.instr, Instr::Barrier { .. }));
    if is_barrier && statement.starts_with(".insn") {
        // The number of a barrier stands where a register does: `.insn r opcode, funct3, funct7, number, rs1, rs2`.
        if let Some((comma, _)) = statement.match_indices(',').nth(3) {
            let (number, registers) = statement.split_at(comma);
            return number.to_string() + &with_registers(registers, names);
        }
    }
    with_registers(statement, names)
}

/// Instructions whose last operand is a symbol, which may have a register's name.
const OF_SYMBOLS: [&str; 6] = ["call", "tail", "jal", "j", "la", "lla"];

/// A statement with other register names; the names in `%lo(…)` are symbols.
fn with_registers(statement: &str, names: &[u8; 32]) -> String {
    let mut out = String::new();
    let mut rest = statement;
    // The mnemonic is none.
    let first = rest.find(char::is_whitespace).unwrap_or(rest.len());
    out.push_str(&rest[..first]);
    let of_symbol = OF_SYMBOLS.contains(&&rest[..first]);
    let end = match of_symbol {
        true => rest
            .trim_end()
            .rfind([',', ' ', '\t'])
            .map_or(first, |at| at + 1),
        false => rest.len(),
    };
    let symbol = &rest[end..];
    rest = &rest[first..end];
    while let Some(c) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
        let length = match c {
            '%' => rest.find(')').map_or(rest.len(), |at| at + 1),
            _ if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            _ => c.len_utf8(),
        };
        let piece = &rest[..length];
        match register_number(piece) {
            Some(register) if names[usize::from(register)] != register => {
                out.push_str(register_name(names[usize::from(register)]))
            }
            _ => out.push_str(piece),
        }
        rest = &rest[length..];
    }
    out + symbol
}

/// The registers for the part of a thread and the part whose turn it is.
fn two_free(segment: &Segment) -> Option<(&'static str, &'static str)> {
    let mut free = TEMPORARIES
        .into_iter()
        .filter(|&r| segment.free & bit(r) != 0);
    Some((register_name(free.next()?), register_name(free.next()?)))
}

/// COMP-123: a loop over the parts; threads of other parts jump over the segment.
fn in_a_loop(
    source: &Source,
    function: &Function,
    segment: &Segment,
    parts: u32,
    lanes: u32,
    edits: &mut Edits,
) -> String {
    let Some((own, turn)) = two_free(segment) else {
        return "left as it is: no two registers are free".into();
    };
    if !segment.falls_in(function) || segment.code(source, function).is_none() {
        return "left as it is: its code does not stand together".into();
    }
    if function.blocks[segment.join].from.len() != segment.out.len() {
        return "left as it is: what follows it is reached in other ways too".into();
    }
    let (again, next) = (edits.fresh(source), edits.fresh(source));
    let before = function.blocks[segment.before].last;
    for statement in [
        format!("csrr {own}, wlane"),
        format!("srli {own}, {own}, {}", lanes.ilog2()),
        format!("andi {own}, {own}, {}", parts - 1),
        format!("li {turn}, {}", parts - 1),
        format!("{again}:"),
        format!("bne {own}, {turn}, {next}"),
    ] {
        edits.after(source, before, rank::BLOCK_END, &statement);
    }
    let join = function.blocks[segment.join].first;
    for statement in [
        format!("{next}:"),
        format!("addi {turn}, {turn}, -1"),
        format!("bgez {turn}, {again}"),
    ] {
        edits.before(source, join, rank::LEAVE, &statement);
    }
    format!("a loop over {parts} parts")
}

/// COMP-124: the code once for each part.
fn in_copies(
    source: &Source,
    function: &Function,
    segment: &Segment,
    parts: u32,
    lanes: u32,
    edits: &mut Edits,
) -> String {
    let Some((own, turn)) = two_free(segment) else {
        return "left as it is: no two registers are free".into();
    };
    let Some((first, last)) = segment
        .code(source, function)
        .filter(|_| segment.falls_in(function))
    else {
        return "left as it is: its code does not stand together".into();
    };
    let labels: Vec<(&String, usize)> = source
        .labels
        .iter()
        .map(|(name, &at)| (name, at))
        .filter(|&(_, at)| (first..=last).contains(&at))
        .collect();
    if labels.iter().any(|(name, _)| name.contains('\u{1}')) {
        return "left as it is: there are numeric labels in it".into();
    }
    let before = function.blocks[segment.before].last;
    let join = function.blocks[segment.join].first;
    let mut text = format!(
        "csrr {own}, wlane\n\tsrli {own}, {own}, {}\n\tandi {own}, {own}, {}\n",
        lanes.ilog2(),
        parts - 1
    );
    for part in 0..parts {
        let next = edits.fresh(source);
        text += &format!("\tli {turn}, {part}\n\tbne {own}, {turn}, {next}\n");
        for at in first..=last {
            for (name, _) in labels.iter().filter(|&&(_, place)| place == at) {
                text += &format!("{name}.part{part}:\n");
            }
            let mut statement = source.statement(at).to_string();
            if let Control::Branch {
                target: Target::Code(to),
                ..
            }
            | Control::Jump(Target::Code(to)) = source.code[at].control
            {
                let place = statement.rfind([',', ' ', '\t']).map_or(0, |at| at + 1);
                let old = statement.split_off(place);
                statement += &match to == join {
                    true => next.clone(),
                    false => format!("{old}.part{part}"),
                };
            }
            text += &format!("\t{statement}\n");
        }
        text += &format!("{next}:\n");
    }
    (first..=last).for_each(|at| edits.replace(source, at, ""));
    edits.after(source, before, rank::BLOCK_END, text.trim_end());
    format!("{parts} copies")
}

/// COMP-121: the tokens of the loops by instructions.
pub(crate) fn tokens(
    source: &Source,
    function: &Function,
    shape: &Shape,
    options: &Options,
) -> Vec<Candidate> {
    let push = match options.form {
        Form::Mode => "subv.start",
        Form::Measured => "subv.auto",
        Form::Loop | Form::Copies => return Vec::new(),
    };
    if function.left_alone.is_some() {
        return Vec::new();
    }
    let found = loops(source, function, shape, options).into_iter();
    found
        .filter_map(|segment| {
            let branches: Vec<usize> = segment
                .blocks
                .iter()
                .copied()
                .filter(|&b| shape.immediate_post_dominator(b) == Some(segment.join))
                .collect();
            let whole = function.blocks[segment.join].from.len() == segment.out.len();
            let mut candidate = finish(
                source,
                function,
                TokenKind::Sync,
                segment.before,
                segment.join,
                &branches,
                segment.out.clone(),
                whole,
                None,
            )
            .ok()?;
            candidate.push_as = Some(push);
            Some(candidate)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_keep_their_names_and_registers_do_not() {
        let mut names: [u8; 32] = std::array::from_fn(|n| n as u8);
        names[9] = 30;
        for (statement, want) in [
            ("call\ts1", "call\ts1"),
            ("call s1, s1", "call t5, s1"),
            ("tail s1", "tail s1"),
            ("la\ts1, s1", "la\tt5, s1"),
            ("lui s1, %hi(s1)", "lui t5, %hi(s1)"),
            ("sw s1, %lo(s1)(s1)", "sw t5, %lo(s1)(t5)"),
            ("addi s1, s1, 4", "addi t5, t5, 4"),
            ("ret", "ret"),
        ] {
            assert_eq!(with_registers(statement, &names), want);
        }
    }
}
