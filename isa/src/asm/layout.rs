//! Addresses and bytes: sections of all units become one image.
//!
//! Sizes depend on addresses (padding, branches and calls out of reach) and addresses on sizes, so
//! both are found by repetition; branches and calls only ever grow.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use super::error::{closest, Fault, Span};
use super::expr::{high_part, low_part, Expr, ExprKind, Operator, Relocation, Scope};
use super::instructions::fits_word;
use super::unit::{
    is_visible, written, Common, Field, Item, Meaning, Output, Section, Slot, Symbol, Unit,
};
use crate::fields::{imm_b, imm_i, imm_j, imm_s, imm_shift};
use crate::names::register_number;
use crate::{encode, AluOp, BranchCond, EncodeError, Instr, Program, Segment};
use crate::{IMAGE_BASE, IMAGE_LIMIT};

/// Alignment of the four output sections.
const OUTPUT_ALIGN: u64 = 16;
/// Rounds after which sizes and addresses must agree.
const MOST_ROUNDS: usize = 1000;
/// Symbols defined by symbols defined by …
const MOST_INDIRECTION: usize = 100;

/// Places all units and resolves their symbols.
///
/// # Errors
/// Undefined and doubly defined symbols, values that do not fit, an image beyond the code space.
pub(super) fn link(units: Vec<Unit>) -> Result<Program, Vec<Fault>> {
    let faults = units.iter().filter_map(constructors).collect();
    lay_out(units, faults)
}

/// What is wrong with one file of several: symbols that another file can define may be missing.
pub(super) fn check(unit: Unit, source: &str) -> Vec<Fault> {
    let mut faults = lay_out(vec![unit], Vec::new()).err().unwrap_or_default();
    faults.retain(|fault| {
        let name = fault.message.strip_prefix("undefined symbol `");
        let name = name.and_then(|name| name.strip_suffix('`'));
        let is_local =
            |name: &str| name.starts_with(|c: char| c.is_ascii_digit()) || name.starts_with(".L");
        // A function may be called as a register is; only where no register could stand it is surely meant.
        let is_register =
            |name: &str| register_number(name).is_some() && !takes_symbol(source, fault.span.start);
        name.is_none_or(|name| is_local(name) || is_register(name))
    });
    faults
}

/// Whether what stands there is an operand of a statement that takes no register in its place: `call s1`, `.word a0`.
fn takes_symbol(source: &str, at: usize) -> bool {
    let before = source.get(..at).unwrap_or_default();
    let statement = before.rsplit(['\n', ';']).next().unwrap_or_default();
    // Behind labels.
    let mut words = statement.split_whitespace();
    let name = words.find(|word| !word.ends_with(':'));
    name.is_some_and(|name| name.starts_with('.') || ["call", "tail", "la", "lla"].contains(&name))
}

fn lay_out(mut units: Vec<Unit>, mut faults: Vec<Fault>) -> Result<Program, Vec<Fault>> {
    let commons = common_storage(&units);
    units.push(commons);
    let globals = global_symbols(&units, &mut faults);
    let mut image = Image::new(&units, globals);
    image.settle().map_err(|fault| vec![fault])?;
    image.find_high_parts();
    let program = image.emit(&mut faults);
    if faults.is_empty() {
        Ok(program)
    } else {
        Err(faults)
    }
}

/// CC-042: addresses of functions that are to run before the program. Nobody would call them.
fn constructors(unit: &Unit) -> Option<Fault> {
    let is = |name: &str, base: &str| {
        name.strip_prefix(base)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let names = [".init_array", ".preinit_array", ".ctors"];
    let section = unit
        .sections
        .iter()
        .find(|s| names.iter().any(|n| is(&s.name, n)) && !s.items.is_empty())?;
    let message = format!("constructors in {} would not be run", section.name);
    let (_, span) = section.items.first()?;
    Some(Fault::new(*span, message).help(
        "`weft cc` links a program that runs them; `weft run` takes the C and C++ files themselves",
    ))
}

/// A unit that holds the `.comm` symbols which no unit defines: the largest size and alignment win.
fn common_storage(units: &[Unit]) -> Unit {
    let mut merged: BTreeMap<&str, Common> = BTreeMap::new();
    for common in units.iter().flat_map(|unit| &unit.commons) {
        let is_defined = units
            .iter()
            .any(|unit| unit.symbols.contains_key(&common.name) && unit.is_global(&common.name));
        if is_defined {
            continue;
        }
        let entry = merged.entry(&common.name).or_insert_with(|| common.clone());
        entry.size = entry.size.max(common.size);
        entry.align = entry.align.max(common.align);
    }
    let mut section = Section {
        name: "COMMON".into(),
        output: Some(Output::Bss),
        align: 1,
        items: Vec::new(),
        extents: Vec::new(),
    };
    let mut unit = Unit::default();
    for (name, common) in merged {
        let Common {
            size, align, span, ..
        } = common;
        section.align = section.align.max(align);
        section.items.push((
            Item::Align {
                bytes: align,
                fill: None,
                most: None,
            },
            span,
        ));
        let meaning = Meaning::Label {
            section: 0,
            item: section.items.len(),
        };
        unit.symbols
            .insert(name.to_string(), Symbol { meaning, span });
        unit.globals.insert(name.to_string());
        let size = Expr::number(span, size.into());
        section.items.push((Item::Space { size, fill: None }, span));
    }
    unit.sections.push(section);
    unit
}

/// Defining unit of every global symbol; a strong definition wins over weak ones.
fn global_symbols(units: &[Unit], faults: &mut Vec<Fault>) -> HashMap<String, usize> {
    let mut globals: HashMap<String, usize> = HashMap::new();
    for (index, unit) in units.iter().enumerate() {
        for (name, symbol) in &unit.symbols {
            if !unit.is_global(name) {
                continue;
            }
            match globals.get(name).copied() {
                None => {}
                Some(other) if units[other].weak.contains(name) => {}
                Some(_) if unit.weak.contains(name) => continue,
                Some(_) => {
                    let message = format!("`{name}` is already defined in another file");
                    faults.push(Fault::new(symbol.span, message));
                    continue;
                }
            }
            globals.insert(name.clone(), index);
        }
    }
    globals
}

struct Image<'a> {
    units: &'a [Unit],
    globals: HashMap<String, usize>,
    /// `addresses[unit][section][item]`, with one more for the section's end.
    addresses: Vec<Vec<Vec<u64>>>,
    /// Which branches and calls take the long form.
    long: Vec<Vec<Vec<bool>>>,
    /// Start and end of each output section.
    outputs: [(u64, u64); 4],
    /// Targets of the `%pcrel_hi` instructions, by address.
    high_parts: HashMap<u64, i128>,
}

/// Where an expression stands.
struct Place<'a> {
    image: &'a Image<'a>,
    unit: usize,
    /// Address of the statement.
    here: u64,
    /// Address of the instruction.
    pc: u64,
    depth: Cell<usize>,
}

impl Scope for Place<'_> {
    fn symbol(&self, name: &str, span: Span) -> Result<i128, Fault> {
        self.depth.set(self.depth.get() + 1);
        if self.depth.get() > MOST_INDIRECTION {
            return Err(Fault::new(
                span,
                format!("`{}` is defined by itself", written(name)),
            ));
        }
        let value = self.image.symbol(self, name, span);
        self.depth.set(self.depth.get() - 1);
        value
    }

    fn here(&self, _: Span) -> Result<i128, Fault> {
        Ok(self.here.into())
    }

    fn relocation(&self, relocation: Relocation, argument: &Expr) -> Result<i128, Fault> {
        let value = argument.value(self)?;
        match relocation {
            Relocation::Hi => Ok(high_part(value)),
            Relocation::Lo => Ok(low_part(value)),
            Relocation::PcrelHi => Ok(high_part(value - i128::from(self.pc))),
            Relocation::PcrelLo => {
                let target = u64::try_from(value).ok();
                let target = target.and_then(|address| self.image.high_parts.get(&address));
                match target {
                    Some(target) => Ok(low_part(target - value)),
                    None => {
                        let message = "this label does not mark an instruction with %pcrel_hi";
                        Err(Fault::new(argument.span, message))
                    }
                }
            }
        }
    }
}

impl<'a> Image<'a> {
    fn new(units: &'a [Unit], globals: HashMap<String, usize>) -> Image<'a> {
        let per_item = |section: &Section| section.items.len() + 1;
        let shape = |unit: &Unit| unit.sections.iter().map(per_item).collect::<Vec<_>>();
        let shapes: Vec<Vec<usize>> = units.iter().map(shape).collect();
        let zeros = |unit: &Vec<usize>| unit.iter().map(|&count| vec![0; count]).collect();
        let short = |unit: &Vec<usize>| unit.iter().map(|&count| vec![false; count]).collect();
        Image {
            units,
            globals,
            addresses: shapes.iter().map(zeros).collect(),
            long: shapes.iter().map(short).collect(),
            outputs: [(0, 0); 4],
            high_parts: HashMap::new(),
        }
    }

    fn place(&'a self, unit: usize, here: u64) -> Place<'a> {
        Place {
            image: self,
            unit,
            here,
            pc: here,
            depth: Cell::new(0),
        }
    }

    /// Unit and definition that a name means to a unit.
    fn resolve(&self, unit: usize, name: &str) -> Option<(usize, &'a Symbol)> {
        let global = self
            .globals
            .get(name)
            .map(|&owner| (owner, &self.units[owner].symbols[name]));
        let own = self.units[unit]
            .symbols
            .get(name)
            .map(|symbol| (unit, symbol));
        match self.units[unit].weak.contains(name) {
            true => global.or(own),
            false => own.or(global),
        }
    }

    fn symbol(&self, place: &Place, name: &str, span: Span) -> Result<i128, Fault> {
        match self.resolve(place.unit, name) {
            Some((
                owner,
                Symbol {
                    meaning: Meaning::Label { section, item },
                    ..
                },
            )) => {
                if self.units[owner].sections[*section].output.is_none() {
                    let section = &self.units[owner].sections[*section].name;
                    let name = written(name);
                    let message = format!("`{name}` lies in {section}, which is not loaded");
                    return Err(Fault::new(span, message));
                }
                Ok(self.addresses[owner][*section][*item].into())
            }
            Some((
                owner,
                Symbol {
                    meaning: Meaning::Value(value),
                    ..
                },
            )) => {
                let depth = Cell::new(place.depth.get());
                value.value(&Place {
                    image: self,
                    unit: owner,
                    depth,
                    ..*place
                })
            }
            None => match self.boundary(name) {
                Some(address) => Ok(address.into()),
                None if self.units[place.unit].weak.contains(name) => Ok(0),
                None => Err(self.undefined(place.unit, name, span)),
            },
        }
    }

    /// Symbols that the layout defines.
    fn boundary(&self, name: &str) -> Option<u64> {
        let [text, rodata, data, bss] = self.outputs;
        Some(match name {
            "_etext" | "etext" => text.1,
            "__data_start" => data.0,
            "_edata" | "edata" => data.1,
            "__bss_start" => bss.0,
            "_end" | "end" | "__bss_end" => bss.1,
            "__rodata_start" => rodata.0,
            "__global_pointer$" => data.0 + 0x800,
            _ => return None,
        })
    }

    fn undefined(&self, unit: usize, name: &str, span: Span) -> Fault {
        let fault = Fault::new(span, format!("undefined symbol `{}`", written(name)));
        if register_number(name).is_some() {
            return fault.help(format!(
                "`{name}` is a register; a symbol or number belongs here"
            ));
        }
        let own = self.units[unit].symbols.keys().map(String::as_str);
        let known = own.chain(self.globals.keys().map(String::as_str));
        let near = closest(name, known.filter(|name| is_visible(name)));
        fault.maybe_help(near.map(|near| format!("did you mean `{near}`?")))
    }

    /// Repeats until sizes and addresses agree.
    fn settle(&mut self) -> Result<(), Fault> {
        for round in 0..MOST_ROUNDS {
            let grown = round > 0 && self.lengthen();
            let addresses = self.assign_addresses()?;
            let settled = !grown && addresses == self.addresses;
            self.addresses = addresses;
            if settled {
                return Ok(());
            }
        }
        let message = "the size of this depends on itself and does not settle";
        Err(Fault::new(self.unsettled_span(), message))
    }

    /// The first `.space` whose size is not what its neighbours' addresses say.
    fn unsettled_span(&self) -> Span {
        let start = Span {
            file: 0,
            start: 0,
            end: 0,
        };
        let sections = Output::ALL
            .into_iter()
            .flat_map(|output| self.sections_of(output));
        let unsettled = sections.flat_map(|(u, s, section)| {
            let addresses = &self.addresses[u][s];
            section
                .items
                .iter()
                .zip(addresses.windows(2))
                .filter_map(move |((item, span), at)| {
                    let is_space = matches!(item, Item::Space { .. });
                    (is_space && self.size(u, at[0], item, false) != at[1] - at[0]).then_some(*span)
                })
        });
        unsettled.into_iter().next().unwrap_or(start)
    }

    /// Marks branches and calls that are out of reach; true when there are new ones.
    fn lengthen(&mut self) -> bool {
        let mut grown = Vec::new();
        for (u, unit) in self.units.iter().enumerate() {
            for (s, section) in unit.sections.iter().enumerate() {
                for (i, (item, _)) in section.items.iter().enumerate() {
                    if !self.long[u][s][i] && self.is_out_of_reach(u, self.addresses[u][s][i], item)
                    {
                        grown.push((u, s, i));
                    }
                }
            }
        }
        for &(u, s, i) in &grown {
            self.long[u][s][i] = true;
        }
        !grown.is_empty()
    }

    fn is_out_of_reach(&self, unit: usize, address: u64, item: &Item) -> bool {
        let fits: fn(i32) -> Result<u32, EncodeError> = match item {
            Item::Branch { .. } => imm_b,
            Item::Call { .. } => imm_j,
            _ => return false,
        };
        let (Item::Branch { target, .. } | Item::Call { target, .. }) = item else {
            return false;
        };
        let target = target.value(&self.place(unit, address));
        target.is_ok_and(|target| fits(distance(target, address)).is_err())
    }

    /// Addresses by the current sizes; the outputs' limits are set on the way.
    fn assign_addresses(&mut self) -> Result<Vec<Vec<Vec<u64>>>, Fault> {
        let mut addresses = self.addresses.clone();
        let mut outputs = self.outputs;
        let mut at = u64::from(IMAGE_BASE);
        for (limits, output) in outputs.iter_mut().zip(Output::ALL) {
            at = at.next_multiple_of(OUTPUT_ALIGN);
            let start = at;
            for (u, s, section) in self.sections_of(output) {
                at = at.next_multiple_of(section.align.into());
                for (i, (item, span)) in section.items.iter().enumerate() {
                    addresses[u][s][i] = at;
                    at += self.size(u, at, item, self.long[u][s][i]);
                    if at > u64::from(IMAGE_LIMIT) {
                        let message = format!("the program does not fit below {IMAGE_LIMIT:#x}");
                        return Err(Fault::new(*span, message));
                    }
                }
                addresses[u][s][section.items.len()] = at;
            }
            *limits = (start, at);
        }
        self.outputs = outputs;
        Ok(addresses)
    }

    /// Input sections of an output section, in the order of their addresses.
    fn sections_of(&self, output: Output) -> impl Iterator<Item = (usize, usize, &'a Section)> {
        let units = self.units;
        units.iter().enumerate().flat_map(move |(u, unit)| {
            let sections = unit.sections.iter().enumerate();
            sections
                .filter(move |(_, section)| section.output == Some(output))
                .map(move |(s, section)| (u, s, section))
        })
    }

    fn size(&self, unit: usize, at: u64, item: &Item, long: bool) -> u64 {
        match item {
            Item::Code(slots) => 4 * slots.len() as u64,
            Item::Branch { .. } | Item::Call { .. } => {
                if long {
                    8
                } else {
                    4
                }
            }
            Item::Data { width, values } => (width * values.len()) as u64,
            Item::Bytes(bytes) => bytes.len() as u64,
            // What is wrong with the size is reported when the bytes are made.
            Item::Space { size, .. } => {
                let size = size.value(&self.place(unit, at)).unwrap_or(0);
                size.clamp(0, i128::from(IMAGE_LIMIT)) as u64
            }
            Item::Align { bytes, most, .. } => {
                let padding = at.next_multiple_of((*bytes).into()) - at;
                match most {
                    Some(most) if padding > u64::from(*most) => 0,
                    _ => padding,
                }
            }
        }
    }

    /// Notes the target of every `%pcrel_hi`, for `%pcrel_lo` to find.
    fn find_high_parts(&mut self) {
        let mut found = HashMap::new();
        for (u, s, section) in self.sections_of(Output::Text) {
            for (i, (item, _)) in section.items.iter().enumerate() {
                let Item::Code(slots) = item else { continue };
                let here = self.addresses[u][s][i];
                for (slot, pc) in slots.iter().zip((here..).step_by(4)) {
                    let Some((_, Expr { kind, .. })) = &slot.field else {
                        continue;
                    };
                    let ExprKind::Relocation(Relocation::PcrelHi, target) = kind else {
                        continue;
                    };
                    let place = Place {
                        pc,
                        ..self.place(u, here)
                    };
                    if let Ok(target) = target.value(&place) {
                        found.insert(pc, target);
                    }
                }
            }
        }
        self.high_parts = found;
    }

    fn emit(&self, faults: &mut Vec<Fault>) -> Program {
        let mut segments = Vec::new();
        for ((start, end), output) in self.outputs.into_iter().zip(Output::ALL) {
            let bytes = self.output_bytes(output, start, faults);
            if end > start {
                segments.push(Segment {
                    address: start as u32,
                    bytes,
                });
            }
        }
        let (start, end) = self.outputs[0];
        let text = (start as u32, end as u32);
        Program {
            entry: self.entry().unwrap_or(text.0),
            segments,
            symbols: self.symbols(),
            text,
        }
    }

    fn output_bytes(&self, output: Output, start: u64, faults: &mut Vec<Fault>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (u, s, section) in self.sections_of(output) {
            for (i, (item, span)) in section.items.iter().enumerate() {
                let (at, next) = (self.addresses[u][s][i], self.addresses[u][s][i + 1]);
                pad(&mut bytes, (at - start) as usize, output, None);
                let stop = (next - start) as usize;
                let long = self.long[u][s][i];
                let emitted = self.item_bytes(u, at, item, *span, long).and_then(|new| {
                    if output == Output::Bss && new.iter().any(|&byte| byte != 0) {
                        return Err(Fault::new(*span, ".bss holds only zeros"));
                    }
                    bytes.extend(new);
                    Ok(())
                });
                if let Err(fault) = emitted {
                    faults.push(fault);
                }
                let fill = match item {
                    Item::Align { fill, .. } => *fill,
                    _ => None,
                };
                pad(&mut bytes, stop, output, fill);
            }
        }
        bytes
    }

    /// Bytes of an item; padding is left to the caller.
    fn item_bytes(
        &self,
        unit: usize,
        at: u64,
        item: &Item,
        span: Span,
        long: bool,
    ) -> Result<Vec<u8>, Fault> {
        let place = self.place(unit, at);
        match item {
            Item::Bytes(bytes) => Ok(bytes.clone()),
            Item::Align { .. } => Ok(Vec::new()),
            Item::Data { width, values } => data_bytes(*width, values, &place),
            Item::Space { size, fill } => space_bytes(size, fill.as_ref(), &place),
            Item::Code(_) | Item::Branch { .. } | Item::Call { .. } if at % 4 != 0 => {
                Err(Fault::new(
                    span,
                    format!("instruction at the unaligned address {at:#x}"),
                )
                .help(".align 2 before it"))
            }
            Item::Code(slots) => {
                let addresses = (at..).step_by(4);
                let words = slots.iter().zip(addresses).map(|(slot, pc)| {
                    slot_word(
                        slot,
                        &Place {
                            pc,
                            ..self.place(unit, at)
                        },
                    )
                });
                words_to_bytes(words)
            }
            Item::Branch {
                cond,
                rs1,
                rs2,
                target,
            } => {
                let slots = branch_slots(*cond, *rs1, *rs2, target, long);
                self.slots_to_bytes(&slots, span, &place)
            }
            Item::Call {
                link,
                scratch,
                target,
            } => {
                let slots = call_slots(*link, *scratch, target, long);
                self.slots_to_bytes(&slots, span, &place)
            }
        }
    }

    fn slots_to_bytes(
        &self,
        slots: &[(Instr, Option<(Field, Expr)>)],
        span: Span,
        place: &Place,
    ) -> Result<Vec<u8>, Fault> {
        let words = slots
            .iter()
            .zip((place.here..).step_by(4))
            .map(|((instr, field), pc)| {
                let word = encode(*instr).map_err(|error| Fault::new(span, error.to_string()))?;
                let slot = Slot {
                    word,
                    field: field.clone(),
                };
                slot_word(
                    &slot,
                    &Place {
                        pc,
                        ..self.place(place.unit, place.here)
                    },
                )
            });
        words_to_bytes(words)
    }

    /// Address of `_start`, wherever it is defined.
    fn entry(&self) -> Option<u32> {
        (0..self.units.len()).find_map(|unit| self.label_address(unit, "_start"))
    }

    fn label_address(&self, unit: usize, name: &str) -> Option<u32> {
        self.address_through(unit, name, MOST_INDIRECTION)
    }

    /// Of a label, and of what `.set` puts a number of bytes behind one, as Clang's merged globals are.
    fn address_through(&self, unit: usize, name: &str, most: usize) -> Option<u32> {
        let (owner, symbol) = self.resolve(unit, name)?;
        let value = match &symbol.meaning {
            Meaning::Label { section, item } => {
                self.units[owner].sections[*section].output?;
                return Some(self.addresses[owner][*section][*item] as u32);
            }
            Meaning::Value(value) => value,
        };
        let (base, behind) = match &value.kind {
            ExprKind::Binary(Operator::Add, base, behind) => match behind.kind {
                ExprKind::Number(behind) => (base.as_ref(), behind),
                _ => return None,
            },
            _ => (value, 0),
        };
        match &base.kind {
            ExprKind::Symbol(next) if most > 0 => {
                let base = self.address_through(owner, next, most - 1)?;
                Some(base.wrapping_add(behind as u32))
            }
            _ => None,
        }
    }

    /// Labels of all units (global ones first where names meet) and the boundaries.
    fn symbols(&self) -> BTreeMap<String, u32> {
        let mut symbols = BTreeMap::new();
        for (unit, definitions) in self.units.iter().enumerate() {
            for name in definitions.symbols.keys().filter(|name| is_visible(name)) {
                let is_shadowed = self.globals.get(name).is_some_and(|&owner| owner != unit);
                if let (false, Some(address)) = (is_shadowed, self.label_address(unit, name)) {
                    symbols.entry(name.clone()).or_insert(address);
                }
            }
        }
        for name in ["_end", "__bss_start"] {
            if let Some(address) = self.boundary(name) {
                symbols.entry(name.to_string()).or_insert(address as u32);
            }
        }
        symbols
    }
}

/// Signed distance modulo 2³².
fn distance(target: i128, pc: u64) -> i32 {
    (target - i128::from(pc)) as i32
}

/// A conditional branch, or the inverted branch over a jump.
fn branch_slots(
    cond: BranchCond,
    rs1: u8,
    rs2: u8,
    target: &Expr,
    long: bool,
) -> Vec<(Instr, Option<(Field, Expr)>)> {
    if !long {
        let instr = Instr::Branch {
            cond,
            rs1,
            rs2,
            offset: 0,
        };
        return vec![(instr, Some((Field::B, target.clone())))];
    }
    let inverted = match cond {
        BranchCond::Eq => BranchCond::Ne,
        BranchCond::Ne => BranchCond::Eq,
        BranchCond::Lt => BranchCond::Ge,
        BranchCond::Ge => BranchCond::Lt,
        BranchCond::Ltu => BranchCond::Geu,
        BranchCond::Geu => BranchCond::Ltu,
    };
    vec![
        (
            Instr::Branch {
                cond: inverted,
                rs1,
                rs2,
                offset: 8,
            },
            None,
        ),
        (
            Instr::Jal { rd: 0, offset: 0 },
            Some((Field::J, target.clone())),
        ),
    ]
}

fn call_slots(
    link: u8,
    scratch: u8,
    target: &Expr,
    long: bool,
) -> Vec<(Instr, Option<(Field, Expr)>)> {
    if !long {
        return vec![(
            Instr::Jal {
                rd: link,
                offset: 0,
            },
            Some((Field::J, target.clone())),
        )];
    }
    let high = target.clone().relocated(Relocation::PcrelHi);
    let low = target.clone().low_of_distance();
    vec![
        (
            Instr::Auipc {
                rd: scratch,
                imm: 0,
            },
            Some((Field::U, high)),
        ),
        (
            Instr::Jalr {
                rd: link,
                rs1: scratch,
                offset: 0,
            },
            Some((Field::I, low)),
        ),
    ]
}

fn words_to_bytes(words: impl Iterator<Item = Result<u32, Fault>>) -> Result<Vec<u8>, Fault> {
    let words = words.collect::<Result<Vec<u32>, Fault>>()?;
    Ok(words.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// The word with its field filled in.
fn slot_word(slot: &Slot, place: &Place) -> Result<u32, Fault> {
    let Some((field, expr)) = &slot.field else {
        return Ok(slot.word);
    };
    let value = expr.value(place)?;
    if !fits_word(&value) {
        return Err(Fault::new(
            expr.span,
            format!("{value} does not fit 32 bits"),
        ));
    }
    let offset = distance(value, place.pc);
    let bits = match field {
        Field::I => imm_i(value as u32 as i32),
        Field::S => imm_s(value as u32 as i32),
        Field::Shift => imm_shift(value as u32 as i32),
        Field::B => imm_b(offset),
        Field::J => imm_j(offset),
        Field::U if (0..=0xF_FFFF).contains(&value) => Ok((value as u32) << 12),
        Field::U => Err(EncodeError::Range {
            value: value as i64,
            min: 0,
            max: 0xF_FFFF,
        }),
        Field::Word => Ok(value as u32),
    };
    let bits = bits.map_err(|error| field_fault(*field, expr.span, error))?;
    Ok(slot.word | bits)
}

fn field_fault(field: Field, span: Span, error: EncodeError) -> Fault {
    match (field, error) {
        (Field::B | Field::J, EncodeError::Range { value, min, max }) => Fault::new(
            span,
            format!("the target is {value} bytes away; this instruction reaches {min} to {max}"),
        ),
        (Field::B | Field::J, EncodeError::OddOffset(offset)) => Fault::new(
            span,
            format!("the target is {offset} bytes away, an odd distance"),
        ),
        (Field::I | Field::S, EncodeError::Range { .. }) => {
            Fault::new(span, error.to_string()).help("li loads larger constants into a register")
        }
        _ => Fault::new(span, error.to_string()),
    }
}

/// Integers of one directive; `.` is the address of each, as in GNU as.
fn data_bytes(width: usize, values: &[Expr], place: &Place) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::with_capacity(width * values.len());
    for expr in values {
        let here = place.here + bytes.len() as u64;
        let value = expr.value(&place.image.place(place.unit, here))?;
        let bits = 8 * width as u32;
        if !(-(1i128 << (bits - 1))..1i128 << bits).contains(&value) {
            return Err(Fault::new(
                expr.span,
                format!("{value} does not fit {bits} bits"),
            ));
        }
        bytes.extend_from_slice(&value.to_le_bytes()[..width]);
    }
    Ok(bytes)
}

fn space_bytes(size: &Expr, fill: Option<&Expr>, place: &Place) -> Result<Vec<u8>, Fault> {
    let bytes = size.value(place)?;
    let count = usize::try_from(bytes)
        .map_err(|_| Fault::new(size.span, format!("a size cannot be {bytes}")))?;
    let fill = match fill {
        Some(fill) => fill.value(place)? as u8,
        None => 0,
    };
    Ok(vec![fill; count])
}

/// Extends `bytes` to a length: code with `nop`, data with zeros, or with the given byte.
fn pad(bytes: &mut Vec<u8>, length: usize, output: Output, fill: Option<u8>) {
    let missing = length.saturating_sub(bytes.len());
    if output == Output::Text && fill.is_none() {
        const NOP: Instr = Instr::OpImm {
            op: AluOp::Add,
            rd: 0,
            rs1: 0,
            imm: 0,
        };
        bytes.resize(bytes.len() + missing % 4, 0);
        let nop = encode(NOP).unwrap_or(0).to_le_bytes();
        while bytes.len() < length {
            bytes.extend(nop);
        }
    }
    bytes.resize(bytes.len().max(length), fill.unwrap_or(0));
}
