//! printf of OpenCL C (CL-030), on operands that were noted when it was called (`__weft_opencl_printf` in
//! `cc/runtime/opencl_print.c`): C's, with floats of one word, `l` for 64 bits, and vectors (`%v4hlf`), whose elements are parted by
//! commas.

use crate::printf::{self, Operands};

/// What stands between `%` and the letter.
struct Conversion<'a> {
    /// Flags, width and precision, with the `%`.
    field: &'a [u8],
    /// 0: no vector.
    elements: usize,
    /// Of an element.
    bytes: usize,
    letter: u8,
}

fn conversion(text: &[u8]) -> Option<(Conversion<'_>, usize)> {
    let while_in = |at: usize, set: &[u8]| {
        let rest = &text[at..];
        at + rest.iter().take_while(|c| set.contains(c)).count()
    };
    let field = while_in(1, b"-+ #.0123456789");
    let mut at = field;
    let mut elements = 0;
    if text.get(at) == Some(&b'v') {
        let end = while_in(at + 1, b"0123456789");
        elements = std::str::from_utf8(&text[at + 1..end]).ok()?.parse().ok()?;
        at = end;
    }
    let (length, bytes) = match &text[at..] {
        [b'h', b'l', ..] => (2, 4),
        [b'h', b'h', ..] => (2, 1),
        [b'h', ..] => (1, 2),
        [b'l', ..] => (1, 8),
        _ => (0, 4),
    };
    at += length;
    let conversion = Conversion {
        field: &text[..field],
        elements,
        bytes,
        letter: *text.get(at)?,
    };
    Some((conversion, at + 1))
}

/// Operands of one element, as C's printf takes them.
struct Element(Vec<u32>);

impl Operands for Element {
    fn word(&mut self) -> u32 {
        if self.0.is_empty() {
            return 0;
        }
        self.0.remove(0)
    }

    fn text(&mut self, _most: usize) -> Vec<u8> {
        Vec::new()
    }
}

/// A text, once.
struct Text(Vec<u8>);

impl Operands for Text {
    fn word(&mut self) -> u32 {
        0
    }

    fn text(&mut self, most: usize) -> Vec<u8> {
        self.0.truncate(most);
        std::mem::take(&mut self.0)
    }
}

/// The text that printf makes.
pub(crate) fn format(format: &[u8], operands: &mut impl Operands) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let rest = &format[at..];
        let found = (rest[0] == b'%').then(|| conversion(rest)).flatten();
        let Some((conversion, length)) = found else {
            out.push(rest[0]);
            at += 1;
            continue;
        };
        at += length;
        match conversion.letter {
            b'%' => out.push(b'%'),
            b's' => {
                let text = operands.text(usize::MAX);
                let field = [conversion.field, b"s"].concat();
                out.extend(printf::format(&field, &mut Text(text)));
            }
            _ => vector(&mut out, &conversion, operands),
        }
    }
    out
}

fn vector(out: &mut Vec<u8>, conversion: &Conversion, operands: &mut impl Operands) {
    let Conversion {
        field,
        elements,
        bytes,
        letter,
    } = *conversion;
    let is_float = b"eEfFgGaA".contains(&letter);
    let is_vector = elements > 0;
    // A scalar has been made an int; a vector lies there as in memory.
    let size = match (is_vector, bytes) {
        (false, 1 | 2) => 4,
        (_, bytes) => bytes,
    };
    let count = elements.max(1);
    let room = if count == 3 { 4 } else { count };
    let words: Vec<u32> = (0..(size * room).div_ceil(4))
        .map(|_| operands.word())
        .collect();
    let raw: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    for (number, element) in raw.chunks(size).take(count).enumerate() {
        if number > 0 {
            out.push(b',');
        }
        let mut eight = [0; 8];
        eight[..size].copy_from_slice(element);
        let value = u64::from_le_bytes(eight);
        let long = |value: u64| vec![value as u32, (value >> 32) as u32];
        let (length, words): (&[u8], _) = match (is_float, bytes) {
            (true, 8) => (b"", long(value)),
            (true, _) => (b"", long(f64::from(f32::from_bits(value as u32)).to_bits())),
            (false, 8) => (b"ll", long(value)),
            (false, 1) => (b"hh", vec![value as u32]),
            (false, 2) => (b"h", vec![value as u32]),
            (false, _) => (b"", vec![value as u32]),
        };
        let field = [field, length, &[letter]].concat();
        out.extend(printf::format(&field, &mut Element(words)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(text: &str, words: &[u32]) -> String {
        let text = format(text.as_bytes(), &mut Element(words.to_vec()));
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn floats_are_one_word_and_vectors_have_commas() {
        let f = |x: f32| x.to_bits();
        assert_eq!(
            print("%f|%5.1f|%%|%d", &[f(0.5), f(-2.25), 7]),
            "0.500000| -2.2|%|7"
        );
        let four = [f(1.0), f(2.0), f(3.0), f(4.5)];
        assert_eq!(print("%v4f", &four), "1.000000,2.000000,3.000000,4.500000");
        assert_eq!(print("%.1v3hlf!", &four), "1.0,2.0,3.0!");
        assert_eq!(
            print("%v4hhd %v4hhx", &[0x80_02_01_ff, 0x0403_02ff]),
            "-1,1,2,-128 ff,2,3,4"
        );
        assert_eq!(print("%v2hd", &[0xffff_0005]), "5,-1");
        assert_eq!(print("%ld %lx", &[!0, !0, 5, 1]), "-1 100000005");
        assert_eq!(print("%2v2ld|", &[1, 0, 2, 0]), " 1, 2|");
        assert_eq!(print("%hhd %c", &[0x1ff, 65]), "-1 A");
        assert_eq!(print("5 %y %", &[]), "5 %y %");
    }
}
