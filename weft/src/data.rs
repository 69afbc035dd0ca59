//! Numbers in text, as words of memory: the kernels' own inputs, and what options and files of users hold.

/// A word as it is written: a float if it has a point or must be one, else an integer.
pub fn number_of(text: &str, float: bool) -> Option<u32> {
    let hex = text.strip_prefix("0x");
    if float || hex.is_none() && text.contains('.') {
        return text.parse::<f32>().ok().map(f32::to_bits);
    }
    match hex {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text
            .parse::<u32>()
            .or_else(|_| text.parse::<i32>().map(|n| n as u32))
            .ok(),
    }
}

/// Contents of a file as bytes of memory: numbers if it is a `.txt`, else byte for byte.
pub fn memory_bytes(name: &str, contents: &[u8]) -> Result<Vec<u8>, String> {
    match name.ends_with(".txt") {
        true => words_of(name, contents, false),
        false => Ok(contents.to_vec()),
    }
}

/// Numbers, one little-endian word each, with comments from `#` to the end of the line: integers, and floats where there
/// is a point, or everywhere.
pub fn words_of(name: &str, contents: &[u8], floats: bool) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(contents).map_err(|_| format!("{name}: not a text file"))?;
    let mut bytes = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        for word in line.split('#').next().unwrap_or("").split_whitespace() {
            let what = if floats { "float" } else { "32-bit integer" };
            let value = number_of(word, floats);
            let value =
                value.ok_or_else(|| format!("{name}:{number}: '{word}' is not a {what}"))?;
            bytes.extend(value.to_le_bytes());
        }
    }
    Ok(bytes)
}
