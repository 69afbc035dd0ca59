//! What random programs of the float unit have met.

use super::bench::Count;
use super::code::{self, due, ALL, MODES};
use super::Pass;
use std::collections::BTreeMap;

/// What may come of operands, and of passes on their way.
const SITUATIONS: [&str; 18] = [
    "exact",
    "rounded",
    "tie",
    "subnormal result",
    "rounded to a subnormal number",
    "infinite of finite operands",
    "largest number in place of infinite",
    "zero of a sum that cancels",
    "no number of numbers",
    "no number of none",
    "integer out of range",
    "integer of no number",
    "zeros of both signs",
    "mask with holes",
    "no destination",
    "row not taken",
    "16 passes inside",
    "reset with something inside",
];

const SIGN: u32 = 1 << 31;
const INFINITE: u32 = 0x7f80_0000;
const LARGEST: u32 = 0x7f7f_ffff;

#[derive(Clone, Debug)]
pub struct Cover {
    counts: BTreeMap<String, u64>,
}

impl Default for Cover {
    fn default() -> Cover {
        let mut names: Vec<String> = SITUATIONS.iter().map(ToString::to_string).collect();
        for code in 0..ALL {
            names.extend(MODES.iter().map(|&mode| instruction(code, mode)));
        }
        Cover {
            counts: names.into_iter().map(|name| (name, 0)).collect(),
        }
    }
}

/// `fmadd.s rtz`; without a mode where none counts.
fn instruction(code: u8, mode: u8) -> String {
    let instr = weft_isa::Instr::Float(code::instruction(code, mode));
    let rounding = code::rounds(code).then(|| format!(" {}", code::rounding(mode).name()));
    let text = instr.to_string();
    let name = text.split(' ').next().unwrap_or_default();
    format!("{name}{}", rounding.unwrap_or_default())
}

impl Cover {
    /// How often each thing has happened, those that never have among them.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        self.counts.clone()
    }

    fn saw(&mut self, what: &str, times: u64) {
        *self.counts.get_mut(what).expect("a situation") += times;
    }

    /// A pass that is sent.
    pub fn see(&mut self, pass: &Pass) {
        self.saw(&instruction(pass.code, pass.rounding), 1);
        self.saw("no destination", u64::from(pass.rd >> 5 == 0));
        self.saw(
            "mask with holes",
            u64::from(pass.mask & (pass.mask + 1) != 0),
        );
        let [a, b, c] = &pass.rows;
        for lane in (0..a.len()).filter(|lane| pass.mask >> lane & 1 == 1) {
            self.see_lane(pass.code, pass.rounding, [a[lane], b[lane], c[lane]]);
        }
    }

    fn see_lane(&mut self, code: u8, mode: u8, operands: [u32; 3]) {
        if !code::rounds(code) {
            let zeros = code::operands(code) == 2 && operands[0] ^ operands[1] == SIGN;
            self.saw(
                "zeros of both signs",
                u64::from(zeros && operands[0] & !SIGN == 0),
            );
            return;
        }
        let is_nan = |word: u32| word & !SIGN > INFINITE;
        let own = &operands[..code::operands(code)];
        let result = due(code, mode, operands);
        if code == code::TO_SIGNED || code == code::TO_UNSIGNED {
            let number = f64::from(f32::from_bits(operands[0])).trunc();
            let range = match code {
                code::TO_SIGNED => -2f64.powi(31)..2f64.powi(31),
                _ => 0.0..2f64.powi(32),
            };
            match is_nan(operands[0]) {
                true => self.saw("integer of no number", 1),
                false => self.saw("integer out of range", u64::from(!range.contains(&number))),
            }
            return;
        }
        let of_numbers = code > code::TO_UNSIGNED || !own.iter().any(|&word| is_nan(word));
        if is_nan(result) {
            let what = ["no number of none", "no number of numbers"][usize::from(of_numbers)];
            return self.saw(what, 1);
        }
        let [even, zero, down, up, away] = [0, 1, 2, 3, 4].map(|mode| due(code, mode, operands));
        let (size, rounded) = (result & !SIGN, down != up);
        let subnormal = (1..1 << 23).contains(&size);
        let finite = own.iter().all(|word| word & !SIGN < INFINITE) || code > code::TO_UNSIGNED;
        let over = finite && [even, down, up].iter().any(|word| word & !SIGN == INFINITE);
        let cancels = code < code::PRODUCT && (zero | down) == SIGN && zero != down;
        for (what, is) in [
            ("exact", !rounded),
            ("rounded", rounded),
            ("tie", even != away),
            ("subnormal result", subnormal),
            ("rounded to a subnormal number", subnormal && rounded),
            ("infinite of finite operands", over && size == INFINITE),
            (
                "largest number in place of infinite",
                over && size == LARGEST,
            ),
            ("zero of a sum that cancels", cancels),
        ] {
            self.saw(what, is.into());
        }
    }

    /// What the bench of a program has counted.
    pub fn add(&mut self, count: &Count) {
        self.saw("row not taken", count.refused);
        self.saw("16 passes inside", u64::from(count.most >= 16));
        self.saw("reset with something inside", count.resets);
    }

    /// What has not happened.
    pub fn missing(&self) -> Vec<&str> {
        let never = self.counts.iter().filter(|(_, times)| **times == 0);
        never.map(|(what, _)| what.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(code: u8, mode: u8, [a, b, c]: [u32; 3]) -> Vec<String> {
        let mut cover = Cover::default();
        cover.see(&Pass {
            code,
            rounding: mode,
            warp: 0,
            part: 0,
            rd: 33,
            last: true,
            mask: 1,
            rows: [vec![a], vec![b], vec![c]],
        });
        let counts = cover.counts().into_iter();
        counts
            .filter(|(_, n)| *n > 0)
            .map(|(name, _)| name)
            .collect()
    }

    #[test]
    fn situations_are_told_apart() {
        let (one, largest, least) = (0x3f80_0000, LARGEST, 1);
        assert_eq!(seen(4, 0, [one, one, 0]), ["exact", "fadd.s rne"]);
        let over = seen(4, 0, [largest, largest, 0]);
        assert!(
            over.contains(&"infinite of finite operands".into()),
            "{over:?}"
        );
        let held = seen(4, 1, [largest, largest, 0]);
        assert!(
            held.contains(&"largest number in place of infinite".into()),
            "{held:?}"
        );
        let cancelled = seen(5, 3, [one, one, 0]);
        assert!(
            cancelled.contains(&"zero of a sum that cancels".into()),
            "{cancelled:?}"
        );
        let half = seen(6, 0, [least, 0x3f00_0000, 0]);
        assert!(
            half.contains(&"tie".into()) && half.contains(&"rounded".into()),
            "{half:?}"
        );
        assert_eq!(
            seen(7, 7, [0, 0, 0]),
            ["fdiv.s dyn", "no number of numbers"]
        );
        assert_eq!(
            seen(9, 0, [0x7fc0_0000, 0, 0]),
            ["fcvt.w.s rne", "integer of no number"]
        );
        assert_eq!(
            seen(10, 0, [one | SIGN, 0, 0]),
            ["fcvt.wu.s rne", "integer out of range"]
        );
        assert_eq!(seen(21, 0, [one, 0, 0]), ["fclass.s"]);
        assert_eq!(seen(16, 0, [0, SIGN, 0]), ["fmin.s", "zeros of both signs"]);
    }
}
