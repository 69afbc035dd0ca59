//! Data put into a program's image before it runs: `--load`.

use crate::options::Place;
use anyhow::{bail, ensure, Result};
use weft_isa::{Program, Segment};

/// Writes bytes into the image, over what is there.
///
/// # Errors
/// The symbol is not defined, or the bytes reach beyond it: over the next symbol or over code.
pub fn overlay(program: &mut Program, place: &Place, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let address = resolve(program, place)?;
    let room = match place {
        Place::Symbol(_) => room(program, address),
        Place::Address(_) => u64::from(u32::MAX),
    };
    ensure!(
        bytes.len() as u64 <= room,
        "{} bytes do not fit at `{place}`: the next symbol is {room} bytes behind it",
        bytes.len()
    );
    let end = u64::from(address) + bytes.len() as u64;
    ensure!(
        end <= 1 << 32,
        "{} bytes at {address:#x} reach beyond 4 GiB",
        bytes.len()
    );
    let (text, text_end) = program.text;
    ensure!(
        end <= u64::from(text) || address >= text_end,
        "{} bytes at {address:#x} would overwrite the code at {text:#x}..{text_end:#x}",
        bytes.len()
    );
    let new = merge(
        std::mem::take(&mut program.segments),
        Segment {
            address,
            bytes: bytes.to_vec(),
        },
    );
    program.segments = new;
    Ok(())
}

/// The address that a place means.
pub fn resolve(program: &Program, place: &Place) -> Result<u32> {
    match place {
        Place::Address(address) => Ok(*address),
        Place::Symbol(name) => match program.symbols.get(name) {
            Some(&address) => Ok(address),
            None => bail!(
                "the program has no symbol `{name}`{}",
                similar(program, name)
            ),
        },
    }
}

fn similar(program: &Program, name: &str) -> String {
    let lower = name.to_lowercase();
    let close = |s: &&String| {
        let s = s.to_lowercase();
        s.contains(&lower) || lower.contains(&s)
    };
    match program.symbols.keys().find(close) {
        Some(other) => format!("; there is `{other}`"),
        None => String::new(),
    }
}

/// Puts bytes behind the image, under a name; their address.
pub fn append(program: &mut Program, symbol: &str, bytes: Vec<u8>) -> Result<u32> {
    let end = |s: &Segment| s.address + s.bytes.len() as u32;
    let address = program.segments.iter().map(end).max().unwrap_or_default();
    let address = address.next_multiple_of(64);
    let room = u64::from(weft_isa::IMAGE_LIMIT.saturating_sub(address));
    ensure!(
        (bytes.len() as u64) < room,
        "the program leaves no room for {} bytes behind it",
        bytes.len()
    );
    program.segments.push(Segment { address, bytes });
    program.symbols.insert(symbol.into(), address);
    Ok(address)
}

/// Bytes from an address to the next symbol, or to the end of what is loaded there.
pub fn extent(program: &Program, address: u32) -> Option<u32> {
    let end = |s: &Segment| s.address + s.bytes.len() as u32;
    let around = |s: &&Segment| (s.address..end(s)).contains(&address);
    let end = end(program.segments.iter().find(around)?);
    let room = room(program, address).min(u64::from(end - address));
    Some(room as u32).filter(|&bytes| bytes > 0)
}

/// Bytes from an address to the next symbol; without limit behind the last one.
fn room(program: &Program, address: u32) -> u64 {
    // The linker's symbol stands 0x800 behind the beginning of the data, in the middle of something.
    let symbols = program.symbols.iter();
    let symbols = symbols.filter(|(name, _)| *name != "__global_pointer$");
    let next = symbols.map(|(_, &a)| a).filter(|&a| a > address).min();
    next.map_or(u64::from(u32::MAX), |a| u64::from(a - address))
}

/// The segments with `new` written over them, ascending and not overlapping.
fn merge(segments: Vec<Segment>, new: Segment) -> Vec<Segment> {
    let (start, end) = (
        u64::from(new.address),
        u64::from(new.address) + new.bytes.len() as u64,
    );
    let mut merged = Vec::new();
    for segment in segments {
        let first = u64::from(segment.address);
        let last = first + segment.bytes.len() as u64;
        if last <= start || first >= end {
            merged.push(segment);
            continue;
        }
        if first < start {
            let bytes = segment.bytes[..(start - first) as usize].to_vec();
            merged.push(Segment {
                address: segment.address,
                bytes,
            });
        }
        if last > end {
            let bytes = segment.bytes[(end - first) as usize..].to_vec();
            merged.push(Segment {
                address: end as u32,
                bytes,
            });
        }
    }
    merged.push(new);
    merged.sort_by_key(|s| s.address);
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let symbols = [("start", 0x1000), ("data", 0x1010), ("more", 0x1018)];
        Program {
            entry: 0x1000,
            segments: vec![
                Segment {
                    address: 0x1000,
                    bytes: vec![1; 8],
                },
                Segment {
                    address: 0x1010,
                    bytes: vec![2; 16],
                },
            ],
            symbols: symbols.iter().map(|&(n, a)| (n.to_string(), a)).collect(),
            text: (0x1000, 0x1008),
        }
    }

    fn symbol(name: &str) -> Place {
        Place::Symbol(name.into())
    }

    #[test]
    fn the_global_pointer_ends_nothing() {
        let mut p = program();
        p.symbols.insert("__global_pointer$".into(), 0x1014);
        overlay(&mut p, &symbol("data"), &[9; 8]).unwrap();
        let error = overlay(&mut p, &symbol("data"), &[9; 9]).unwrap_err();
        assert!(error.to_string().contains("8 bytes behind it"), "{error}");
    }

    #[test]
    fn bytes_replace_what_is_there() {
        let mut p = program();
        overlay(&mut p, &Place::Address(0x1014), &[9; 4]).unwrap();
        let all: Vec<_> = p
            .segments
            .iter()
            .map(|s| (s.address, s.bytes.clone()))
            .collect();
        let want = [
            (0x1000, vec![1; 8]),
            (0x1010, vec![2; 4]),
            (0x1014, vec![9; 4]),
            (0x1018, vec![2; 8]),
        ];
        assert_eq!(all, want);
    }

    #[test]
    fn bytes_may_lie_where_nothing_was() {
        let mut p = program();
        overlay(&mut p, &symbol("more"), &[9; 100]).unwrap();
        let last = p.segments.last().unwrap();
        assert_eq!((last.address, last.bytes.len()), (0x1018, 100));
        overlay(&mut p, &symbol("data"), &[]).unwrap();
        assert_eq!(p.segments.len(), 3);
    }

    #[test]
    fn bytes_that_do_not_fit_are_refused() {
        let complain = |place: Place, n| {
            overlay(&mut program(), &place, &vec![0; n])
                .unwrap_err()
                .to_string()
        };
        assert!(complain(symbol("data"), 9).contains("9 bytes do not fit at `data`"));
        assert!(complain(symbol("dat"), 9).contains("no symbol `dat`; there is `data`"));
        assert!(complain(Place::Address(0x1004), 1).contains("overwrite the code"));
        assert!(complain(Place::Address(0xffff_fffc), 5).contains("beyond 4 GiB"));
    }
}
