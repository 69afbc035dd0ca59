//! C's printf (CC-022), on operands that were noted when it was called.
//! `cc/runtime/libc.c` notes them by the same grammar.

use std::fmt::Write;

/// Where the operands come from, in the order of the conversions.
pub(crate) trait Operands {
    fn word(&mut self) -> u32;
    /// A text of at most `most` bytes.
    fn text(&mut self, most: usize) -> Vec<u8>;
    fn long(&mut self) -> u64 {
        let low = self.word();
        u64::from(self.word()) << 32 | u64::from(low)
    }
}

#[derive(Clone, Copy, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// Widest field and longest precision that are carried out.
const WIDEST: usize = 4096;

/// The text that printf makes.
pub(crate) fn format(format: &[u8], operands: &mut impl Operands) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            out.push(format[at]);
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let mut spec = Spec::default();
        while let Some(&flag) = format.get(at) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            at += 1;
            let width = operands.word() as i32;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        }
        spec.width = digits(format, &mut at).unwrap_or(spec.width).min(WIDEST);
        let mut most = usize::MAX;
        if format.get(at) == Some(&b'.') {
            at += 1;
            let star = format.get(at) == Some(&b'*');
            let mut precision = None;
            if star {
                at += 1;
                precision = usize::try_from(operands.word() as i32).ok();
            }
            let more = digits(format, &mut at);
            let precision = if star {
                precision
            } else {
                Some(more.unwrap_or(0))
            };
            most = precision.unwrap_or(most);
            spec.precision = precision.map(|p| p.min(WIDEST));
        }
        let (mut long, mut short) = (0, 0);
        while let Some(&modifier) = format.get(at) {
            match modifier {
                b'l' => long += 1,
                b'j' => long += 2,
                b'h' => short += 1,
                b'z' | b't' => {}
                _ => break,
            }
            at += 1;
        }
        let Some(&conversion) = format.get(at) else {
            out.extend(&format[start..]);
            break;
        };
        at += 1;
        match conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let value = match (long >= 2, short) {
                    (true, _) => operands.long() as i64,
                    (false, 0) => i64::from(operands.word() as i32),
                    (false, 1) => i64::from(operands.word() as i16),
                    (false, _) => i64::from(operands.word() as i8),
                };
                let sign = spec.sign(value < 0);
                spec.number(&mut out, sign, "", value.unsigned_abs().to_string());
            }
            b'u' | b'x' | b'X' | b'o' => {
                let value = match (long >= 2, short) {
                    (true, _) => operands.long(),
                    (false, 0) => u64::from(operands.word()),
                    (false, 1) => u64::from(operands.word() as u16),
                    (false, _) => u64::from(operands.word() as u8),
                };
                // With `#` an octal number has a 0, also if no digit is asked for.
                if conversion == b'o' && spec.alternate && spec.precision == Some(0) {
                    spec.precision = Some(1);
                }
                let (prefix, digits) = match conversion {
                    b'u' => ("", value.to_string()),
                    b'x' => ("0x", format!("{value:x}")),
                    b'X' => ("0X", format!("{value:X}")),
                    _ => ("", spec.octal(value)),
                };
                let prefix = if spec.alternate && value != 0 {
                    prefix
                } else {
                    ""
                };
                spec.number(&mut out, "", prefix, digits);
            }
            b'p' => {
                let address = if long >= 2 {
                    operands.long()
                } else {
                    operands.word().into()
                };
                spec.number(&mut out, "", "0x", format!("{address:x}"));
            }
            b'c' => {
                let character = if long >= 2 {
                    operands.long() as u8
                } else {
                    operands.word() as u8
                };
                spec.pad(&mut out, &[character]);
            }
            b's' => {
                let text = operands.text(most);
                spec.pad(&mut out, &text);
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let value = f64::from_bits(operands.long());
                spec.float(&mut out, value, conversion);
            }
            _ => out.extend(&format[start..at]),
        }
    }
    out
}

fn digits(format: &[u8], at: &mut usize) -> Option<usize> {
    let mut value = None;
    while let Some(digit) = format.get(*at).filter(|c| c.is_ascii_digit()) {
        let more = value.unwrap_or(0usize).saturating_mul(10);
        value = Some(more.saturating_add(usize::from(digit - b'0')));
        *at += 1;
    }
    value
}

impl Spec {
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    /// With `#` the first digit is 0, once.
    fn octal(&self, value: u64) -> String {
        let digits = format!("{value:o}");
        let longer = self.precision.is_some_and(|least| least > digits.len());
        match self.alternate && !longer && value != 0 {
            true => format!("0{digits}"),
            false => digits,
        }
    }

    /// An integer; its precision is the least number of digits, and turns the flag 0 off.
    fn number(&self, out: &mut Vec<u8>, sign: &str, prefix: &str, mut digits: String) {
        if let Some(least) = self.precision {
            if least == 0 && digits == "0" {
                digits.clear();
            }
            digits = "0".repeat(least.saturating_sub(digits.len())) + &digits;
        }
        let zero = self.zero && self.precision.is_none();
        self.signed(out, sign, prefix, &digits, zero);
    }

    fn signed(&self, out: &mut Vec<u8>, sign: &str, prefix: &str, digits: &str, zero: bool) {
        let used = sign.len() + prefix.len() + digits.len();
        let zeros = match zero && !self.left {
            true => "0".repeat(self.width.saturating_sub(used)),
            false => String::new(),
        };
        self.pad(out, format!("{sign}{prefix}{zeros}{digits}").as_bytes());
    }

    fn pad(&self, out: &mut Vec<u8>, text: &[u8]) {
        let blanks = vec![b' '; self.width.saturating_sub(text.len())];
        match self.left {
            true => out.extend(text.iter().chain(&blanks)),
            false => out.extend(blanks.iter().chain(text)),
        }
    }

    fn float(&self, out: &mut Vec<u8>, value: f64, conversion: u8) {
        let sign = self.sign(value.is_sign_negative());
        let size = value.abs();
        let precision = self.precision.unwrap_or(6);
        let mut text = match conversion.to_ascii_lowercase() {
            _ if value.is_nan() => "nan".into(),
            _ if value.is_infinite() => "inf".into(),
            b'f' => self.point(format!("{size:.precision$}"), precision),
            b'e' => self.exponential(size, precision),
            b'a' => hexadecimal(size, self.precision, self.alternate),
            _ => self.shortest(size, precision.max(1)),
        };
        let mut prefix = if conversion.eq_ignore_ascii_case(&b'a') && value.is_finite() {
            "0x"
        } else {
            ""
        };
        if conversion.is_ascii_uppercase() {
            text = text.to_uppercase();
            prefix = if prefix.is_empty() { "" } else { "0X" };
        }
        self.signed(out, sign, prefix, &text, self.zero && value.is_finite());
    }

    /// `#`: a point even if nothing follows.
    fn point(&self, text: String, precision: usize) -> String {
        if self.alternate && precision == 0 {
            text + "."
        } else {
            text
        }
    }

    fn exponential(&self, size: f64, precision: usize) -> String {
        let text = format!("{size:.precision$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let sign = if exponent < 0 { '-' } else { '+' };
        let mantissa = self.point(mantissa.into(), precision);
        format!("{mantissa}e{sign}{:02}", exponent.abs())
    }

    /// %g: `precision` digits, in the shorter of the two forms, without zeros at the end.
    fn shortest(&self, size: f64, precision: usize) -> String {
        let text = format!("{size:.*e}", precision - 1);
        let exponent: i32 = text
            .split_once('e')
            .and_then(|(_, e)| e.parse().ok())
            .unwrap_or(0);
        let small = exponent < -4 || exponent >= precision as i32;
        let text = match small {
            true => self.exponential(size, precision - 1),
            false => {
                let digits = (precision as i32 - 1 - exponent) as usize;
                self.point(format!("{size:.digits$}"), digits)
            }
        };
        if self.alternate {
            return text;
        }
        let (digits, rest) = text
            .split_once('e')
            .map_or((&*text, None), |(d, e)| (d, Some(e)));
        let digits = match digits.contains('.') {
            true => digits.trim_end_matches('0').trim_end_matches('.'),
            false => digits,
        };
        rest.map_or(digits.into(), |e| format!("{digits}e{e}"))
    }
}

/// %a: one hexadecimal digit before the point.
fn hexadecimal(size: f64, precision: Option<usize>, point: bool) -> String {
    if size == 0.0 {
        let zeros = "0".repeat(precision.unwrap_or(0));
        return match zeros.is_empty() && !point {
            true => "0p+0".into(),
            false => format!("0.{zeros}p+0"),
        };
    }
    let bits = size.to_bits();
    let (raw, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (mut first, mut exponent) = if raw == 0 {
        (0, -1022)
    } else {
        (1, raw - 1023)
    };
    let mut fraction = fraction;
    if let Some(p) = precision.filter(|p| *p < 13) {
        let unit = 1u64 << (52 - 4 * p);
        let whole = (first << 52) | fraction;
        let (down, rest) = (whole / unit, whole % unit);
        let up = rest > unit / 2 || rest == unit / 2 && down % 2 == 1;
        let rounded = (down + u64::from(up)) * unit;
        (first, fraction) = (rounded >> 52, rounded & ((1 << 52) - 1));
        if first > 1 {
            (first, exponent) = (1, exponent + 1);
        }
    }
    let mut digits = format!("{fraction:013x}");
    match precision {
        Some(p) => digits.truncate(p),
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    if let Some(p) = precision {
        digits.push_str(&"0".repeat(p.saturating_sub(digits.len())));
    }
    let mut text = first.to_string();
    if !digits.is_empty() || point {
        let _ = write!(text, ".{digits}");
    }
    let _ = write!(text, "p{exponent:+}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    struct List<'a>(std::slice::Iter<'a, u32>);
    impl Operands for List<'_> {
        fn word(&mut self) -> u32 {
            *self.0.next().expect("an operand for each conversion")
        }
        fn text(&mut self, most: usize) -> Vec<u8> {
            let text = [&b"hello"[..], b"a longer text"][self.word() as usize];
            text[..most.min(text.len())].into()
        }
    }

    fn print(text: &str, words: &[u32]) -> String {
        let mut list = List(words.iter());
        let out = format(text.as_bytes(), &mut list);
        assert_eq!(list.0.next(), None, "{text}: all operands are used");
        String::from_utf8(out).unwrap()
    }

    fn double(value: f64) -> [u32; 2] {
        [value.to_bits() as u32, (value.to_bits() >> 32) as u32]
    }

    /// Each line was made by glibc.
    #[test]
    fn integers_as_glibc_prints_them() {
        let minus = -42i32 as u32;
        for (text, words, want) in [
            (
                "%d|%5d|%-5d|%05d|%+d|% d",
                &[minus, 42, 42, 42, 42, 42][..],
                "-42|   42|42   |00042|+42| 42",
            ),
            (
                "%u %x %X %#x %o %#o",
                &[minus, 0xbeef, 0xbeef, 0xbeef, 8, 8],
                "4294967254 beef BEEF 0xbeef 10 010",
            ),
            (
                "%#.3o %#.1o %#.0o|%#.0o|%#o",
                &[8, 8, 8, 0, 0],
                "010 010 010|0|0",
            ),
            ("%hhd %hd %hhu", &[0x1ff, 0x1_8000, 0x1ff], "-1 -32768 255"),
            ("%lld %llx", &[0, 1, 5, 6], "4294967296 600000005"),
            (
                "%.3d %8.3d %-8.3d| %.0d|",
                &[5, 5, 5, 0],
                "005      005 005     | |",
            ),
            ("%*d %-*d|", &[5, 42, 4, 7], "   42 7   |"),
            ("%*d|", &[-4i32 as u32, 7], "7   |"),
            (
                "%c%c%% %p %zu %lu",
                &[b'o'.into(), b'k'.into(), 0x1000, 3, 4],
                "ok% 0x1000 3 4",
            ),
            (
                "%s|%.2s|%8s|%-8s|%.*s",
                &[0, 0, 0, 0, 4, 1],
                "hello|he|   hello|hello   |a lo",
            ),
        ] {
            assert_eq!(print(text, words), want, "{text}");
        }
    }

    #[test]
    fn fields_are_no_wider_than_anybody_needs() {
        assert_eq!(print("%99999999999999999999d|", &[7]).len(), WIDEST + 1);
        assert_eq!(print("%.99999999999999999999d|", &[7]).len(), WIDEST + 1);
    }

    #[test]
    fn floats_as_glibc_prints_them() {
        for (text, value, want) in [
            ("%f", 3.15, "3.150000"),
            ("%.2f", 2.675, "2.67"),
            ("%.0f", 2.5, "2"),
            ("%#.0f", 2.5, "2."),
            ("%08.3f", -1.5, "-001.500"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%.0e", 12345.678, "1e+04"),
            ("%E", 1e-10, "1.000000E-10"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 0.00001, "1e-05"),
            ("%g", 1e6, "1e+06"),
            ("%g", 123456.0, "123456"),
            ("%g", 100.0, "100"),
            ("%.3g", 1234.5, "1.23e+03"),
            ("%#g", 1.5, "1.50000"),
            ("%#g", 123456.0, "123456."),
            ("%g", 0.0, "0"),
            ("%a", 1.0, "0x1p+0"),
            ("%#a", 1.0, "0x1.p+0"),
            ("%#.0a", 0.0, "0x0.p+0"),
            ("%a", 0.1, "0x1.999999999999ap-4"),
            ("%.1a", 1.97, "0x2.0p+0"),
            ("%f", f64::INFINITY, "inf"),
            ("%05f", f64::NEG_INFINITY, " -inf"),
            ("%F", f64::NAN, "NAN"),
        ] {
            let words = double(value);
            // glibc leaves the 2 of the rounded first digit; we carry it on.
            let want = want.replace("0x2.0p+0", "0x1.0p+1");
            assert_eq!(print(text, &words), want, "{text} of {value}");
        }
    }

    #[test]
    fn what_is_no_conversion_stays() {
        assert_eq!(print("100%", &[]), "100%");
        assert_eq!(print("%k %5", &[]), "%k %5");
    }
}
