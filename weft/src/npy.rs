//! Arrays in files of numpy, format 1 to 3: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.
//!
//! By hand: the crates that read them bring a parser of Python's literals and, with it, assembly to be built.

/// The elements of an array, as they lie in memory there; records are structs as their dtype has them.
pub fn elements(file: &[u8]) -> Result<&[u8], String> {
    let rest = file
        .strip_prefix(b"\x93NUMPY")
        .ok_or("not a file of numpy")?;
    let short = || "it ends in its header".to_string();
    let (version, rest) = rest.split_first_chunk::<2>().ok_or_else(short)?;
    let (length, rest) = match version[0] {
        1 => {
            let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
            (u16::from_le_bytes(*length).into(), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk().ok_or_else(short)?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        other => return Err(format!("version {other} of the format")),
    };
    let (header, elements) = rest.split_at_checked(length).ok_or_else(short)?;
    let header = std::str::from_utf8(header).map_err(|_| "its header is no text")?;
    let after = |key: &str| header.split_once(key).map(|(_, rest)| rest.trim_start());
    let missing = |key: &str| format!("its header has no {key}: {}", header.trim_end());
    let descr = after("'descr':").ok_or_else(|| missing("descr"))?;
    let order = after("'fortran_order':").ok_or_else(|| missing("fortran_order"))?;
    let shape = after("'shape':").ok_or_else(|| missing("shape"))?;
    let shape = shape.strip_prefix('(').and_then(|s| s.split_once(')'));
    let shape = shape.ok_or_else(|| missing("shape"))?.0;
    let mut sizes = Vec::new();
    for size in shape.split(',').map(str::trim).filter(|s| !s.is_empty()) {
        sizes.push(size.parse::<usize>().map_err(|_| missing("shape"))?);
    }
    if header.contains("'>") || header.contains("'|O") {
        return Err("big-endian, or objects of Python; save plain little-endian numbers".into());
    }
    if sizes.len() > 1 && order.starts_with("True") {
        return Err("in Fortran's order; save numpy.ascontiguousarray of it".into());
    }
    let count = sizes
        .iter()
        .try_fold(1usize, |all, size| all.checked_mul(*size));
    let fits = count.is_some_and(|count| match (plain_size(descr), count) {
        (Some(each), _) => count.checked_mul(each) == Some(elements.len()),
        (None, 0) => elements.is_empty(),
        (None, _) => elements.len() % count == 0,
    });
    match fits {
        true => Ok(elements),
        false => Err(format!(
            "{} bytes are no ({shape}) elements",
            elements.len()
        )),
    }
}

/// Bytes of an element of a plain type, such as `'<f4'`; `None`: it is a record.
fn plain_size(descr: &str) -> Option<usize> {
    let name = descr.strip_prefix('\'')?.split_once('\'')?.0;
    name.trim_start_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .ok()
}

/// A file with these words as elements of this type, one behind the other.
pub fn file(descr: &str, words: &[u8]) -> Vec<u8> {
    let count = words.len() / 4;
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}");
    // With what stands before it a multiple of 64, and a line's end.
    let length = (header.len() + 11).next_multiple_of(64) - 10;
    header.extend(std::iter::repeat_n(' ', length - header.len() - 1));
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(words);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for count in [0, 1, 3, 1000] {
            let words: Vec<u8> = (0..4 * count).map(|n| n as u8).collect();
            let file = file("<u4", &words);
            assert_eq!((file.len() - words.len()) % 64, 0);
            assert_eq!(elements(&file), Ok(&words[..]));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let right = file("<u4", &[1, 2, 3, 4, 5, 6, 7, 8]);
        let changed = |from: &str, to: &str| {
            // The header is ASCII, its length stays.
            let text: String = right.iter().map(|&b| char::from(b)).collect();
            let text = text.replace(from, to);
            let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
            elements(&bytes).map(<[u8]>::to_vec)
        };
        for (from, to, error) in [
            ("NUMPY", "NUMPI", "not a file of numpy"),
            ("<u4", ">u4", "big-endian"),
            ("<u4", "<u8", "8 bytes are no (2,) elements"),
            ("(2,), }", "(1,2),}", ""),
            (
                "False, 'shape': (2,), }",
                "True,  'shape': (1,2),}",
                "Fortran",
            ),
            ("'shape'", "'shade'", "no shape"),
            ("'descr'", "'descs'", "no descr"),
        ] {
            match changed(from, to) {
                Ok(_) => assert_eq!(error, "", "{from} {to}"),
                Err(said) => assert!(!error.is_empty() && said.contains(error), "{said}"),
            }
        }
        for length in 0..right.len() {
            assert!(elements(&right[..length]).is_err(), "{length}");
        }
        // Records: what they hold is not looked at. Eight spaces less, so the header's length stays.
        let rest = ", 'fortran_order': False, 'shape': (2,), }";
        let (plain, record) = (
            format!("'<u4'{rest}        "),
            format!("[('a','<f4')]{rest}"),
        );
        assert_eq!(changed(&plain, &record), Ok(vec![1, 2, 3, 4, 5, 6, 7, 8]));
    }
}
