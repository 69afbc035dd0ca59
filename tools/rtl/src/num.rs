//! Unsigned numbers of any width.

use rust_hdl_core::prelude::VerilogLiteral;

/// Hexadecimal digits without leading zeros; zero is the empty string.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Num(String);

impl Num {
    pub fn of(v: &VerilogLiteral) -> Self {
        let text = format!("{v:x}");
        let digits = text.split("'h").nth(1).unwrap_or_default();
        Self(digits.trim_start_matches('0').into())
    }

    /// Bits needed to hold it.
    pub fn bits(&self) -> usize {
        match self.0.chars().next().and_then(|c| c.to_digit(16)) {
            None => 0,
            Some(d) => self.0.len() * 4 - (d.leading_zeros() as usize - 28),
        }
    }

    pub fn small(&self) -> Option<u64> {
        if self.0.is_empty() {
            return Some(0);
        }
        u64::from_str_radix(&self.0, 16).ok()
    }

    /// Verilog literal of exactly `width` bits; `None` when it does not fit.
    pub fn sized(&self, width: usize) -> Option<String> {
        if self.bits() > width {
            return None;
        }
        Some(match self.small() {
            Some(v) if width == 1 => format!("1'b{v}"),
            Some(v) if v < 16 => format!("{width}'d{v}"),
            _ => format!("{width}'h{}", self.0),
        })
    }

    /// 32-bit words, lowest first.
    #[cfg(feature = "cosim")]
    pub fn words(&self, width: usize) -> Vec<u32> {
        let mut out = vec![0; width.div_ceil(32)];
        for (i, d) in self.0.chars().rev().enumerate() {
            let d = d.to_digit(16).expect("hexadecimal digit");
            if d != 0 {
                out[i / 8] |= d << (i % 8 * 4);
            }
        }
        out
    }
}

impl From<u64> for Num {
    fn from(v: u64) -> Self {
        Self(if v == 0 {
            String::new()
        } else {
            format!("{v:x}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Num;
    use rust_hdl_core::prelude::VerilogLiteral;

    #[test]
    fn literals() {
        let n = |v: u64| Num::of(&VerilogLiteral::from(v));
        assert_eq!(n(0).bits(), 0);
        assert_eq!(n(1).bits(), 1);
        assert_eq!(n(0x80).bits(), 8);
        assert_eq!(n(0x1ff).bits(), 9);
        assert_eq!(n(5).sized(3).as_deref(), Some("3'd5"));
        assert_eq!(n(5).sized(2), None);
        assert_eq!(n(0xff).sized(100).as_deref(), Some("100'hff"));
        assert_eq!(n(0x1_2345_6789).words(40), [0x2345_6789, 1]);
        assert_eq!(Num::from(77).small(), Some(77));
    }
}
