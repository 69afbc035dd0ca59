//! Values of arguments as `weft cl run --arg` takes them.

use crate::files;
use std::path::{Path, PathBuf};
use weft_cc::opencl::{Argument, Kind};

/// What `--arg` says.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// Numbers, such as `3`, `-1.5`, `1,2,3,4`.
    Numbers(Vec<String>),
    /// `zeros:N`: so many elements.
    Zeros(u32),
    /// `iota:N`: 0, 1, 2 …
    Iota(u32),
    /// `fill:VALUE:N`
    Fill(String, u32),
    /// `random:N` or `random:N:SEED`: whole numbers from 0 to 255.
    Random(u32, u64),
    /// `@FILE`: as `--load` of `weft run` takes it.
    File(PathBuf),
    /// `local:BYTES`
    Local(u32),
    /// `null`
    Null,
}

impl std::str::FromStr for Given {
    type Err = String;

    fn from_str(text: &str) -> Result<Given, String> {
        let parts: Vec<&str> = text.split(':').collect();
        let bytes = |text: &str| text.parse::<crate::options::Size>().map(|size| size.0);
        let elements = "write a number of elements below 2^32, such as 1024, 64K or 16M";
        let count = |text: &str| bytes(text).map_err(|_| elements.to_string());
        Ok(match parts[..] {
            ["null"] => Given::Null,
            ["zeros", n] => Given::Zeros(count(n)?),
            ["iota", n] => Given::Iota(count(n)?),
            ["fill", value, n] => Given::Fill(value.into(), count(n)?),
            ["random", n] => Given::Random(count(n)?, 1),
            ["random", n, seed] => {
                Given::Random(count(n)?, seed.parse().map_err(|_| "SEED is a number")?)
            }
            ["local", n] => Given::Local(bytes(n)?),
            _ => match text.strip_prefix('@') {
                Some(file) if !file.is_empty() => Given::File(file.into()),
                _ if text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
                    || text.split(',').next().is_some_and(is_no_number_of_digits) =>
                {
                    Given::Numbers(text.split(',').map(|n| n.trim().to_string()).collect())
                }
                _ => return Err(
                    "write a number (3, -1.5, 1,2,3,4), zeros:N, iota:N, fill:VALUE:N, random:N[:SEED], @FILE, \
                     local:BYTES or null"
                        .into(),
                ),
            },
        })
    }
}

/// `nan` and `inf`, of float.
fn is_no_number_of_digits(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    ["nan", "inf", "infinity"].contains(&text.as_str())
}

/// What a value is made into.
#[derive(Clone, Debug, PartialEq)]
pub enum Made {
    Bytes(Vec<u8>),
    Buffer(Vec<u8>),
    Local(u32),
    Null,
}

/// A scalar type of OpenCL C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Integer { bytes: usize, signed: bool },
    Float,
}

impl Scalar {
    /// Of a name such as `uint4`, with the number of elements.
    pub fn of(type_name: &str) -> Option<(Scalar, usize)> {
        let name = type_name.trim_end_matches(|c: char| c.is_ascii_digit());
        let width = type_name[name.len()..].parse().unwrap_or(1);
        let integer = |bytes, signed| Scalar::Integer { bytes, signed };
        let scalar = match name {
            "char" => integer(1, true),
            "uchar" | "bool" => integer(1, false),
            "short" => integer(2, true),
            "ushort" | "half" => integer(2, false),
            "int" => integer(4, true),
            "uint" => integer(4, false),
            "long" => integer(8, true),
            "ulong" => integer(8, false),
            "float" => Scalar::Float,
            _ => return None,
        };
        Some((scalar, width))
    }

    pub fn size(self) -> usize {
        match self {
            Scalar::Integer { bytes, .. } => bytes,
            Scalar::Float => 4,
        }
    }

    fn bytes(self, text: &str) -> Result<Vec<u8>, String> {
        let wrong = || format!("`{text}` is no number of this type");
        match self {
            Scalar::Float => {
                let unsigned = text.trim_start_matches(['+', '-']);
                let digits = match is_no_number_of_digits(unsigned) {
                    true => text,
                    false => text.trim_end_matches('f'),
                };
                let value: f32 = digits.parse().map_err(|_| wrong())?;
                match value.is_infinite() && !is_no_number_of_digits(unsigned) {
                    true => Err(format!("`{text}` is more than a float can be")),
                    false => Ok(value.to_le_bytes().to_vec()),
                }
            }
            Scalar::Integer { bytes, signed } => {
                let (sign, digits) = match text.strip_prefix('-') {
                    Some(digits) => (-1, digits),
                    None => (1, text.strip_prefix('+').unwrap_or(text)),
                };
                let number = match digits.strip_prefix("0x") {
                    Some(hex) => i128::from_str_radix(hex, 16),
                    None => digits.parse(),
                };
                let number = sign * number.map_err(|_| wrong())?;
                let bits = 8 * bytes as u32;
                let least = if signed { -(1i128 << (bits - 1)) } else { 0 };
                // What has the bits of a negative number is taken for one.
                if number < least || number >= 1i128 << bits {
                    return Err(wrong());
                }
                Ok(number.to_le_bytes()[..bytes].to_vec())
            }
        }
    }

    /// How elements in memory are shown.
    pub fn shown(self, bytes: &[u8]) -> String {
        match self {
            Scalar::Float => {
                let bytes = bytes.try_into().expect("four bytes");
                format!("{:?}", f32::from_le_bytes(bytes))
            }
            Scalar::Integer { signed, .. } => {
                let mut all = [0; 16];
                let negative = signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
                all.fill(if negative { 0xff } else { 0 });
                all[..bytes.len()].copy_from_slice(bytes);
                i128::from_le_bytes(all).to_string()
            }
        }
    }
}

/// The scalar of an argument: of a pointer that of its elements; words where it is a structure.
pub fn scalar(argument: &Argument) -> (Scalar, usize) {
    let name = argument.type_name.trim_end_matches('*').trim();
    let words = Scalar::Integer {
        bytes: 4,
        signed: false,
    };
    Scalar::of(name).unwrap_or((words, 1))
}

/// An element of three takes the room of four.
fn padded(mut bytes: Vec<u8>, argument: &Argument) -> Vec<u8> {
    bytes.resize((argument.size as usize).max(bytes.len()), 0);
    bytes
}

fn file(path: &Path) -> Result<Vec<u8>, String> {
    let name = path.display().to_string();
    let contents = weft_isa::files::read(path).map_err(|error| format!("{name}: {error}"))?;
    files::bytes_of(&name, &contents)
}

/// What is given for an argument, by its type.
///
/// # Errors
/// It does not fit the type.
pub fn made(given: &Given, argument: &Argument) -> Result<Made, String> {
    let (scalar, width) = scalar(argument);
    let pointer = matches!(argument.kind, Kind::GlobalPointer | Kind::ConstantPointer);
    let elements = |n: u32| n as usize * if width == 3 { 4 } else { width };
    let repeated = |n: u32, mut of: Box<dyn FnMut(usize) -> String>| {
        let numbers = (0..elements(n)).map(|at| scalar.bytes(&of(at)));
        let bytes: Result<Vec<Vec<u8>>, String> = numbers.collect();
        Ok(Made::Buffer(bytes?.concat()))
    };
    match (argument.kind, given) {
        (Kind::LocalPointer, Given::Local(bytes)) => Ok(Made::Local(*bytes)),
        (Kind::LocalPointer, _) => Err("a pointer to local memory wants local:BYTES".into()),
        (_, Given::Local(_)) => Err("local:BYTES is for pointers to local memory".into()),
        (Kind::Value, Given::Numbers(numbers)) => {
            if numbers.len() != width {
                return Err(format!("{} numbers, {width} wanted", numbers.len()));
            }
            let bytes: Result<Vec<Vec<u8>>, String> =
                numbers.iter().map(|text| scalar.bytes(text)).collect();
            Ok(Made::Bytes(padded(bytes?.concat(), argument)))
        }
        (Kind::Value, Given::File(path)) => {
            let bytes = file(path)?;
            match bytes.len() == argument.size as usize {
                true => Ok(Made::Bytes(bytes)),
                false => Err(format!(
                    "{} bytes in {}, {} wanted",
                    bytes.len(),
                    path.display(),
                    argument.size
                )),
            }
        }
        (Kind::Value, _) => Err("a value wants numbers, or @FILE".into()),
        (_, Given::Null) => Ok(Made::Null),
        (_, Given::File(path)) => Ok(Made::Buffer(file(path)?)),
        (_, Given::Zeros(n)) => Ok(Made::Buffer(vec![0; scalar.size() * elements(*n)])),
        (_, Given::Iota(n)) => repeated(*n, Box::new(move |at| wrapped(at, scalar))),
        (_, Given::Fill(value, n)) => {
            let value = value.clone();
            repeated(*n, Box::new(move |_| value.clone()))
        }
        (_, Given::Random(n, seed)) => {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            let next = move |_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                wrapped((state >> 33 & 0xff) as usize, scalar)
            };
            repeated(*n, Box::new(next))
        }
        (_, Given::Numbers(numbers)) if pointer => {
            let bytes: Result<Vec<Vec<u8>>, String> =
                numbers.iter().map(|text| scalar.bytes(text)).collect();
            Ok(Made::Buffer(bytes?.concat()))
        }
        (_, Given::Numbers(_)) => Err("a buffer is wanted".into()),
    }
}

/// A number that the type has.
fn wrapped(number: usize, scalar: Scalar) -> String {
    let number = match scalar {
        Scalar::Integer { bytes: 1, signed } => number % if signed { 128 } else { 256 },
        Scalar::Integer { bytes: 2, .. } => number % 32768,
        _ => number,
    };
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_cc::opencl::{Access, AddressSpace};

    fn argument(type_name: &str, kind: Kind, size: u32) -> Argument {
        Argument {
            name: "a".into(),
            type_name: type_name.into(),
            base_type_name: type_name.into(),
            address_space: AddressSpace::Private,
            access: Access::None,
            is_const: false,
            is_restrict: false,
            is_volatile: false,
            kind,
            offset: 128,
            size,
            align: size,
        }
    }

    fn of(text: &str, type_name: &str, kind: Kind, size: u32) -> Result<Made, String> {
        made(&text.parse()?, &argument(type_name, kind, size))
    }

    #[test]
    fn values_have_the_bytes_of_their_type() {
        let value = |text, ty, size| of(text, ty, Kind::Value, size);
        assert_eq!(value("-3", "char", 1), Ok(Made::Bytes(vec![0xfd])));
        assert_eq!(value("0xffff", "short", 2), Ok(Made::Bytes(vec![0xff; 2])));
        let float = 1.5f32.to_le_bytes().to_vec();
        assert_eq!(value("1.5f", "float", 4), Ok(Made::Bytes(float.clone())));
        let infinite = f32::NEG_INFINITY.to_le_bytes().to_vec();
        assert_eq!(value("-inf", "float", 4), Ok(Made::Bytes(infinite)));
        let nans = [f32::NAN.to_le_bytes(), 1f32.to_le_bytes()].concat();
        assert_eq!(value("nan,1", "float2", 8), Ok(Made::Bytes(nans)));
        let three = [float.clone(), float.clone(), float, vec![0; 4]].concat();
        assert_eq!(value("1.5,1.5,1.5", "float3", 16), Ok(Made::Bytes(three)));
        for (text, ty) in [
            ("256", "uchar"),
            ("-1", "uint"),
            ("1.5", "int"),
            ("1,2", "int"),
            ("zeros:3", "int"),
            ("nan", "int"),
            ("1e400", "float"),
            ("fnan", "float"),
        ] {
            assert!(value(text, ty, 4).is_err(), "{text} {ty}");
        }
    }

    #[test]
    fn buffers_have_elements_of_their_type() {
        let buffer = |text, ty| of(text, ty, Kind::GlobalPointer, 4);
        assert_eq!(buffer("zeros:3", "short*"), Ok(Made::Buffer(vec![0; 6])));
        assert_eq!(buffer("iota:3", "uchar*"), Ok(Made::Buffer(vec![0, 1, 2])));
        assert_eq!(buffer("zeros:2", "float3*"), Ok(Made::Buffer(vec![0; 32])));
        assert_eq!(buffer("fill:-1:2", "int*"), Ok(Made::Buffer(vec![0xff; 8])));
        assert_eq!(buffer("1,2", "ushort*"), Ok(Made::Buffer(vec![1, 0, 2, 0])));
        assert_eq!(buffer("null", "int*"), Ok(Made::Null));
        assert!(buffer("local:4", "int*").is_err());
        assert!(of("zeros:4", "int*", Kind::LocalPointer, 4).is_err());
        assert!("what".parse::<Given>().is_err());
        let count = "iota:99999999999".parse::<Given>().unwrap_err();
        assert!(count.contains("elements"), "{count}");
    }
}
