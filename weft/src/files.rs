//! Files of users: what `--load` and arguments take from them, and what `--save` writes.

use crate::data::{memory_bytes, words_of};
use crate::npy;
use crate::options::{Load, Shown};

/// Contents of a file as bytes of memory: of `.npy` the elements, else as [`memory_bytes`] has it.
pub fn bytes_of(name: &str, contents: &[u8]) -> Result<Vec<u8>, String> {
    if name.ends_with(".npy") {
        let elements = npy::elements(contents).map_err(|e| format!("{name}: {e}"));
        return elements.map(<[u8]>::to_vec);
    }
    memory_bytes(name, contents)
}

/// As `--load` says it.
pub fn loaded(load: &Load, contents: &[u8]) -> Result<Vec<u8>, String> {
    let name = load.file.display().to_string();
    match (load.floats, name.ends_with(".txt")) {
        (false, _) => bytes_of(&name, contents),
        (true, true) => words_of(&name, contents, true),
        (true, false) => Err(format!("{name}: only a .txt file is read as float")),
    }
}

/// The contents of a file with these bytes: by its name an array of numpy, numbers, or the bytes.
pub fn file_of(name: &str, bytes: &[u8], shown: Shown) -> Vec<u8> {
    let mut whole = bytes.to_vec();
    if name.ends_with(".txt") || name.ends_with(".npy") {
        whole.resize(bytes.len().next_multiple_of(4), 0);
    }
    if name.ends_with(".npy") {
        let descr = match shown {
            Shown::Float => "<f4",
            Shown::Signed => "<i4",
            Shown::Unsigned | Shown::Hex => "<u4",
        };
        return npy::file(descr, &whole);
    }
    if name.ends_with(".txt") {
        let words = whole.chunks_exact(4);
        let words = words.map(|b| u32::from_le_bytes(b.try_into().expect("four bytes")));
        let lines = words.map(|word| shown.word(word) + "\n");
        return lines.collect::<String>().into_bytes();
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(file: &str, contents: &[u8]) -> Result<Vec<u8>, String> {
        loaded(&format!("x={file}").parse().unwrap(), contents)
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn txt_is_words_and_the_rest_is_bytes() {
        assert_eq!(bytes("a.bin", b"1 2"), Ok(b"1 2".to_vec()));
        let read = bytes("a.txt", b"# two\n1 0xff\n-1 # last\n");
        assert_eq!(read, Ok(words(&[1, 0xff, u32::MAX])));
        let floats = [1.0f32, -2.5, 1e9].map(f32::to_bits);
        assert_eq!(bytes("a.txt:float", b"1 -2.5 1e9"), Ok(words(&floats)));
        assert_eq!(
            bytes("a.txt", b"1.0 -2.5 3"),
            Ok(words(&[floats[0], floats[1], 3]))
        );
    }

    #[test]
    fn a_wrong_word_names_its_line() {
        assert_eq!(
            bytes("a.txt", b"1\n2 x\n"),
            Err("a.txt:2: 'x' is not a 32-bit integer".into())
        );
        assert_eq!(
            bytes("a.txt:float", b"1\n2 x\n"),
            Err("a.txt:2: 'x' is not a float".into())
        );
        assert!(bytes("a.bin:float", b"1").is_err());
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let some = words(&[7, 0x8000_0001, 1.5f32.to_bits()]);
        for (shown, descr) in [
            (Shown::Unsigned, "'<u4'"),
            (Shown::Hex, "'<u4'"),
            (Shown::Signed, "'<i4'"),
            (Shown::Float, "'<f4'"),
        ] {
            let file = file_of("a.npy", &some, shown);
            let text = String::from_utf8_lossy(&file).into_owned();
            assert!(text.contains(descr) && text.contains("(3,)"), "{text}");
            assert_eq!(bytes("a.npy", &file), Ok(some.clone()));
        }
        assert!(bytes("a.npy", b"nothing")
            .unwrap_err()
            .starts_with("a.npy: "));
        let signed = file_of("a.txt", &some, Shown::Signed);
        assert_eq!(signed, b"7\n-2147483647\n1069547520\n");
        let floats = file_of("a.txt", &words(&[1.5f32.to_bits(), 0]), Shown::Float);
        assert_eq!(bytes("a.txt", &floats), Ok(words(&[1.5f32.to_bits(), 0])));
        assert_eq!(file_of("a.bin", &some[..5], Shown::Hex), some[..5]);
        assert_eq!(
            file_of("a.txt", &[1, 0, 0, 0, 2], Shown::Unsigned),
            b"1\n2\n"
        );
    }
}
