//! Zones between the variables of a program, so that who goes beyond one is found (CHECK-031).

use std::collections::BTreeSet;
use weft_isa::{ZONE, ZONE_BYTES};

/// Sections of variables. In others what stands where has a meaning.
const SECTIONS: [&str; 7] = [
    "data",
    "sdata",
    "bss",
    "sbss",
    "rodata",
    "srodata",
    "weft_shared",
];

/// The assembly of a file of this number, with a zone before each variable, and one behind the last of each section.
/// A variable that is aligned to more than the bytes of a zone has none.
pub fn put(assembly: &str, file: usize) -> String {
    let statements = || assembly.lines().map(statement);
    let of = |directive, (name, rest): (&str, &str)| {
        let first = rest.split(',').next().unwrap_or(rest).trim();
        (name == directive).then(|| first.to_string())
    };
    let objects: BTreeSet<String> = statements()
        .filter(|(_, rest)| rest.contains("@object"))
        .filter_map(|statement| of(".type", statement))
        .collect();
    let locals: BTreeSet<String> = statements()
        .filter_map(|statement| of(".local", statement))
        .collect();
    let mut zones = Zones {
        out: String::with_capacity(assembly.len()),
        file,
        count: 0,
        sections: Vec::new(),
    };
    let mut section = String::new();
    let (mut inside, mut alignment) = (false, 1);
    for line in assembly.lines() {
        let (name, rest) = statement(line);
        if matches!(name, ".section" | ".data" | ".bss" | ".text") {
            section = line.to_string();
        }
        match name {
            ".section" => inside = is_of_variables(rest),
            ".data" | ".bss" => inside = true,
            ".text" => inside = false,
            ".align" | ".p2align" => {
                let power = rest.split(',').next().and_then(|n| n.trim().parse().ok());
                alignment = 1u32.checked_shl(power.unwrap_or(32)).unwrap_or(0);
            }
            ".balign" => alignment = rest.trim().parse().unwrap_or(0),
            ".comm" if zones.common(rest, &locals) => continue,
            _ => {}
        }
        if let Some(label) = line.strip_suffix(':') {
            if inside && objects.contains(label) && (1..=ZONE_BYTES).contains(&alignment) {
                zones.zone();
                zones.uses(&section);
            }
            alignment = 1;
        }
        zones.out.push_str(line);
        zones.out.push('\n');
    }
    for section in std::mem::take(&mut zones.sections) {
        zones.out.push_str(&format!("{section}\n"));
        zones.zone();
    }
    zones.out
}

/// Name and operands of a directive or an instruction.
fn statement(line: &str) -> (&str, &str) {
    let code = line.split('#').next().unwrap_or(line).trim();
    code.split_once(char::is_whitespace).unwrap_or((code, ""))
}

/// By its name; not where equal strings become one.
fn is_of_variables(operands: &str) -> bool {
    let mut parts = operands.split(',');
    let name = parts.next().unwrap_or_default().trim();
    let flags = parts.next().unwrap_or_default();
    let kind = name.trim_start_matches('.').split('.').next();
    kind.is_some_and(|kind| SECTIONS.contains(&kind)) && !flags.contains('M')
}

struct Zones {
    out: String,
    file: usize,
    count: usize,
    /// Directives of those with variables.
    sections: Vec<String>,
}

impl Zones {
    fn zone(&mut self) {
        let (file, count) = (self.file, self.count);
        self.out
            .push_str(&format!("{ZONE}.{file}.{count}:\n\t.zero\t{ZONE_BYTES}\n"));
        self.count += 1;
    }

    fn uses(&mut self, section: &str) {
        if self.sections.iter().all(|known| known != section) {
            self.sections.push(section.into());
        }
    }

    /// A variable that the assembler makes room for: here this is done for it, behind a zone. False: it is left to it.
    fn common(&mut self, operands: &str, locals: &BTreeSet<String>) -> bool {
        let parts: Vec<&str> = operands.split(',').map(str::trim).collect();
        let &[name, size, ref rest @ ..] = parts.as_slice() else {
            return false;
        };
        let alignment = rest.first().copied().unwrap_or("1");
        let fits = alignment
            .parse()
            .is_ok_and(|n: u32| (1..=ZONE_BYTES).contains(&n));
        if !locals.contains(name) || !fits {
            return false;
        }
        self.out.push_str("\t.pushsection\t.bss,\"aw\",@nobits\n");
        self.out.push_str(&format!("\t.balign\t{alignment}\n"));
        self.zone();
        self.uses("\t.bss");
        self.out.push_str(&format!(
            "\t.type\t{name}, @object\n\t.size\t{name}, {size}\n{name}:\n\t.zero\t{size}\n\t.popsection\n"
        ));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "__weft_zone.3.0:\n\t.zero\t64\n";
    const LAST: &str = "__weft_zone.3.1:\n\t.zero\t64\n";

    #[test]
    fn a_zone_stands_between_alignment_and_variable() {
        let gcc = "\t.globl\ta\n\t.bss\n\t.align\t2\n\t.type\ta, @object\n\t.size\ta, 40\na:\n\t.zero\t40\n";
        let zoned = |text: &str| text.replace("a:\n", &format!("{FIRST}a:\n"));
        assert_eq!(put(gcc, 3), zoned(gcc) + "\t.bss\n" + LAST);
        let clang = "\t.type\ta,@object # @a\n\t.section\t.data.a,\"aw\",@progbits\n\t.p2align\t4, 0x0\na:\n\t.word 1\n";
        let section = "\t.section\t.data.a,\"aw\",@progbits\n";
        assert_eq!(put(clang, 3), zoned(clang) + section + LAST);
    }

    #[test]
    fn a_static_variable_gets_its_room_here() {
        let text = "\t.local\tb\n\t.comm\tb,12,4\n";
        let made = put(text, 3);
        assert!(made.contains(FIRST) && made.contains("b:\n\t.zero\t12\n\t.popsection"));
        assert!(!made.contains(".comm"), "{made}");
        let global = "\t.comm\tb,12,4\n";
        assert_eq!(put(global, 3), global);
    }

    #[test]
    fn what_has_its_place_for_a_reason_keeps_it() {
        for text in [
            "\t.text\n\t.type\tf, @function\nf:\n\tret\n",
            "\t.section\t.rodata.str1.4,\"aMS\",@progbits,1\n\t.type\t.Ls,@object\n.Ls:\n\t.string \"x\"\n",
            "\t.section\t.init_array,\"aw\"\n\t.type\tp,@object\np:\n\t.word 0\n",
            "\t.data\n\t.type\ta,@object\n\t.p2align\t7\na:\n\t.zero 4\n",
            "\t.data\nno_object:\n\t.word 0\n",
        ] {
            assert_eq!(put(text, 0), text);
        }
    }
}
