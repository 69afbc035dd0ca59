//! Names of registers, control and status registers, and fence operands.

/// ABI names by register number.
pub const REGISTER_NAMES: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];

/// Control and status registers of `docs/spec/isa.md`, ascending.
pub const CSRS: [(u16, &str); 46] = [
    (0x001, "fflags"),
    (0x002, "frm"),
    (0x003, "fcsr"),
    (0x800, "wlevel"),
    (0xC00, "cycle"),
    (0xC01, "time"),
    (0xC02, "instret"),
    (0xC80, "cycleh"),
    (0xC81, "timeh"),
    (0xC82, "instreth"),
    (0xCC0, "wtid"),
    (0xCC1, "wlane"),
    (0xCC2, "wwarp"),
    (0xCC3, "wcta"),
    (0xCC4, "wsize"),
    (0xCC5, "wmask"),
    (0xCC6, "wmaskh"),
    (0xCC7, "wwidth"),
    (0xCC8, "wthread"),
    (0xCC9, "wblock"),
    (0xCCA, "wctasize"),
    (0xCD0, "wissue"),
    (0xCD1, "wunit"),
    (0xCD2, "whazard"),
    (0xCD3, "wfetch"),
    (0xCD4, "wcontrol"),
    (0xCD5, "widle"),
    (0xCD7, "wready"),
    (0xCD8, "winstret"),
    (0xCE0, "sissue"),
    (0xCE1, "sunit"),
    (0xCE2, "shazard"),
    (0xCE3, "sfetch"),
    (0xCE4, "scontrol"),
    (0xCE5, "sidle"),
    (0xCE6, "sdual"),
    (0xCF0, "wctax"),
    (0xCF1, "wctay"),
    (0xCF2, "wctaz"),
    (0xCF4, "wgridx"),
    (0xCF5, "wgridy"),
    (0xCF6, "wgridz"),
    (0xCF8, "wdimx"),
    (0xCF9, "wdimy"),
    (0xCFA, "wdimz"),
    (0xF14, "mhartid"),
];

/// ABI name of a register.
///
/// # Panics
/// When `register` is above 31.
pub fn register_name(register: u8) -> &'static str {
    REGISTER_NAMES[usize::from(register)]
}

/// Register number of an ABI name (`a0`, `fp`) or a numeric name (`x10`).
pub fn register_number(name: &str) -> Option<u8> {
    if name == "fp" {
        return Some(8);
    }
    if let Some(number) = REGISTER_NAMES.iter().position(|&known| known == name) {
        return u8::try_from(number).ok();
    }
    let digits = name.strip_prefix('x')?;
    let canonical = digits == "0" || !digits.starts_with('0');
    if !canonical || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok().filter(|&number| number < 32)
}

/// Name of a control and status register, `None` when the specification has no such number.
pub fn csr_name(number: u16) -> Option<&'static str> {
    CSRS.iter()
        .find(|&&(known, _)| known == number)
        .map(|&(_, name)| name)
}

/// Number of a named control and status register.
pub fn csr_number(name: &str) -> Option<u16> {
    CSRS.iter()
        .find(|&&(_, known)| known == name)
        .map(|&(number, _)| number)
}

/// Order of the bits in a fence operand, from the most significant.
const FENCE_LETTERS: [(u16, char); 4] = [(8, 'i'), (4, 'o'), (2, 'r'), (1, 'w')];

/// `iorw` and its subsets; `None` for the empty set, which has no GNU spelling.
pub(crate) fn fence_set_name(bits: u16) -> Option<String> {
    let letters = FENCE_LETTERS.iter().filter(|&&(bit, _)| bits & bit != 0);
    let name: String = letters.map(|&(_, letter)| letter).collect();
    (!name.is_empty()).then_some(name)
}

/// The bits of `iorw` or of a subset, letters in that order.
pub(crate) fn fence_set_bits(name: &str) -> Option<u16> {
    (1..16).find(|&bits| fence_set_name(bits).as_deref() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn register_names_and_numbers_agree() {
        for number in 0..32 {
            assert_eq!(register_number(register_name(number)), Some(number));
            assert_eq!(register_number(&format!("x{number}")), Some(number));
        }
        assert_eq!(register_number("fp"), Some(8));
        for wrong in ["x32", "x01", "x", "x+1", "a8", "A0", "", "x256"] {
            assert_eq!(register_number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn csr_names_and_numbers_agree() {
        for (number, name) in CSRS {
            assert_eq!(csr_name(number), Some(name));
            assert_eq!(csr_number(name), Some(number));
        }
        assert_eq!(csr_name(0x300), None);
    }

    #[test]
    fn fence_sets_are_spelled_in_order() {
        assert_eq!(fence_set_name(0b1111).as_deref(), Some("iorw"));
        assert_eq!(fence_set_bits("rw"), Some(0b0011));
        assert_eq!(fence_set_bits("wr"), None);
        assert_eq!(fence_set_name(0), None);
    }
}
