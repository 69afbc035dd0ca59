//! Data files: what `--load` puts into memory.

/// Contents of a file as bytes of memory. `.txt` holds unsigned integers, one little-endian word each, with comments
/// from `#` to the end of the line; any other file is taken byte for byte.
pub fn memory_bytes(name: &str, contents: &[u8]) -> Result<Vec<u8>, String> {
    if !name.ends_with(".txt") {
        return Ok(contents.to_vec());
    }
    let text = std::str::from_utf8(contents).map_err(|_| format!("{name}: not a text file"))?;
    let mut bytes = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        for word in line.split('#').next().unwrap_or("").split_whitespace() {
            let value = match word.strip_prefix("0x") {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => word
                    .parse::<u32>()
                    .or_else(|_| word.parse::<i32>().map(|n| n as u32)),
            };
            let value =
                value.map_err(|_| format!("{name}:{number}: '{word}' is not a 32-bit integer"))?;
            bytes.extend(value.to_le_bytes());
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn txt_is_words_and_the_rest_is_bytes() {
        assert_eq!(memory_bytes("a.bin", b"1 2"), Ok(b"1 2".to_vec()));
        let words = memory_bytes("a.txt", b"# two\n1 0xff\n-1 # last\n");
        assert_eq!(
            words,
            Ok(vec![1, 0, 0, 0, 0xff, 0, 0, 0, 0xff, 0xff, 0xff, 0xff])
        );
    }

    #[test]
    fn a_wrong_word_names_its_line() {
        assert_eq!(
            memory_bytes("a.txt", b"1\n2 x\n"),
            Err("a.txt:2: 'x' is not a 32-bit integer".into())
        );
    }
}
