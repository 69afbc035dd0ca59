//! Values of command-line options, and how they are written.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

/// `--yield`: when a YIELD instruction fires. `docs/spec/convergence.md`, CONV-050.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YieldEvery(pub u16);

impl FromStr for YieldEvery {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(YieldEvery(0)),
            "always" => Ok(YieldEvery(1)),
            _ => text
                .strip_prefix("every:")
                .and_then(|n| n.parse().ok())
                .filter(|&n| n > 0)
                .map(YieldEvery)
                .ok_or_else(|| "write off, always, or every:N with N from 1 to 65535".into()),
        }
    }
}

impl std::fmt::Display for YieldEvery {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("off"),
            1 => f.write_str("always"),
            n => write!(f, "every:{n}"),
        }
    }
}

/// `--forced-yield`: CONV-055.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedYield(pub u16);

impl FromStr for ForcedYield {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(ForcedYield(0)),
            _ => text
                .parse()
                .ok()
                .filter(|&n| n > 0)
                .map(ForcedYield)
                .ok_or_else(|| "write off, or a number of backward jumps from 1 to 65535".into()),
        }
    }
}

impl std::fmt::Display for ForcedYield {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.0 {
            0 => f.write_str("off"),
            n => write!(f, "{n}"),
        }
    }
}

/// `--grid`, `--cta`: one to three sizes, such as 4, 4x2 or 4x2x3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent(pub [u32; 3]);

impl Extent {
    pub fn product(self) -> u64 {
        let sizes = self.0.iter().map(|&n| u64::from(n));
        sizes.fold(1, u64::saturating_mul)
    }
}

impl FromStr for Extent {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let mut sizes = [1; 3];
        let parts: Vec<&str> = text.split('x').collect();
        for (size, part) in sizes.iter_mut().zip(&parts) {
            *size = part.parse().unwrap_or(0);
        }
        match parts.len() <= 3 && !sizes.contains(&0) {
            true => Ok(Extent(sizes)),
            false => Err("write one to three sizes from 1, such as 64, 4x2 or 4x2x3".into()),
        }
    }
}

impl std::fmt::Display for Extent {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let [x, y, z] = self.0;
        match (y, z) {
            (1, 1) => write!(f, "{x}"),
            (_, 1) => write!(f, "{x}x{y}"),
            _ => write!(f, "{x}x{y}x{z}"),
        }
    }
}

/// `--global`, `--local`, `--offset` of `weft cl run`: one to three numbers, such as 64, 8,8 or 4,4,2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes(pub Vec<u32>);

impl Sizes {
    /// The missing ones are `rest`.
    pub fn padded(&self, rest: u32) -> [u32; 3] {
        std::array::from_fn(|d| self.0.get(d).copied().unwrap_or(rest))
    }
}

impl FromStr for Sizes {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let sizes: Result<Vec<u32>, _> = text.split([',', 'x']).map(str::parse).collect();
        let sizes = sizes.ok().filter(|sizes| sizes.len() <= 3);
        let wrong =
            || "write one to three numbers below 4294967296, such as 64, 8,8 or 4,4,2".to_string();
        sizes.map(Sizes).ok_or_else(wrong)
    }
}

/// `--latency`: cycles from issue to resolve in the datapath around the control plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyOption {
    Fixed(u32),
    /// 0 to the number, drawn for every instruction from the seed.
    Random(u32),
}

impl FromStr for LatencyOption {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, make): (&str, fn(u32) -> Self) = match text.strip_prefix("random:") {
            Some(rest) => (rest, LatencyOption::Random),
            None => (text, LatencyOption::Fixed),
        };
        match number.parse::<u32>() {
            Ok(n) if n <= 10_000 => Ok(make(n)),
            _ => Err("write a number of cycles up to 10000, or random:N".into()),
        }
    }
}

impl std::fmt::Display for LatencyOption {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            LatencyOption::Fixed(n) => write!(f, "{n}"),
            LatencyOption::Random(n) => write!(f, "random:{n}"),
        }
    }
}

/// `--memory`, `--stack`: bytes, with K or M for 1,024 and 1,048,576.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u32);

/// Bytes of memory that are simulated: local memories and tokens of an SM stand behind it, below 4 GiB.
pub const MOST_MEMORY: u32 = 1 << 30;

/// `--memory`
pub fn memory_size(text: &str) -> Result<Size, String> {
    match text.parse::<Size>()? {
        Size(bytes) if bytes > MOST_MEMORY => Err(format!(
            "up to {} MiB are simulated here",
            MOST_MEMORY >> 20
        )),
        size => Ok(size),
    }
}

impl FromStr for Size {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = match text.as_bytes().last() {
            Some(b'K' | b'k') => (&text[..text.len() - 1], 1u32 << 10),
            Some(b'M' | b'm') => (&text[..text.len() - 1], 1u32 << 20),
            Some(b'G' | b'g') => (&text[..text.len() - 1], 1u32 << 30),
            _ => (text, 1),
        };
        let n = match number.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        };
        n.and_then(|n| n.checked_mul(unit))
            .map(Size)
            .ok_or_else(|| "write a number of bytes below 4 GiB, such as 65536, 64K or 16M".into())
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.0 {
            n if n != 0 && n % (1 << 20) == 0 => write!(f, "{}M", n >> 20),
            n if n != 0 && n % (1 << 10) == 0 => write!(f, "{}K", n >> 10),
            n => write!(f, "{n}"),
        }
    }
}

/// `--load SYMBOL=FILE[:float]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    pub place: Place,
    pub file: PathBuf,
    /// The numbers of a text are floats, those without a point, too.
    pub floats: bool,
}

impl FromStr for Load {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((place, file)) if !file.is_empty() => {
                let name = file.strip_suffix(":float");
                Ok(Load {
                    place: place.parse()?,
                    file: name.unwrap_or(file).into(),
                    floats: name.is_some(),
                })
            }
            _ => Err("write SYMBOL=FILE or 0xADDRESS=FILE".into()),
        }
    }
}

/// How `--dump` shows a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    #[default]
    Unsigned,
    Hex,
    Signed,
    Float,
}

impl Shown {
    pub fn word(self, word: u32) -> String {
        match self {
            Shown::Unsigned => word.to_string(),
            Shown::Hex => format!("{word:#010x}"),
            Shown::Signed => (word as i32).to_string(),
            Shown::Float => format!("{:?}", f32::from_bits(word)),
        }
    }
}

/// `--dump SYMBOL[:WORDS][:AS]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    pub place: Place,
    /// `None`: all that the symbol names.
    pub words: Option<u32>,
    pub shown: Shown,
}

impl FromStr for Dump {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (mut rest, mut shown, mut words) = (text, None, None);
        if let Some((before, last)) = rest.rsplit_once(':') {
            shown = match last {
                "unsigned" => Some(Shown::Unsigned),
                "hex" => Some(Shown::Hex),
                "signed" => Some(Shown::Signed),
                "float" => Some(Shown::Float),
                _ => None,
            };
            if shown.is_some() {
                rest = before;
            }
        }
        if let Some((before, last)) = rest.rsplit_once(':') {
            let number = last.parse().map_err(|_| {
                "write SYMBOL, SYMBOL:WORDS or 0xADDRESS:WORDS, with :hex, :signed or :float behind it if wanted"
            })?;
            if number == 0 || number > 1 << 20 {
                return Err("WORDS must be 1 to 1048576".into());
            }
            (rest, words) = (before, Some(number));
        }
        let place: Place = rest.parse()?;
        if words.is_none() && matches!(place, Place::Address(_)) {
            return Err("an address says nothing of a size: write 0xADDRESS:WORDS".into());
        }
        Ok(Dump {
            place,
            words,
            shown: shown.unwrap_or_default(),
        })
    }
}

impl std::fmt::Display for Dump {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.words {
            Some(words) => write!(f, "{}:{words}", self.place),
            None => self.place.fmt(f),
        }
    }
}

/// `--save SYMBOL[:WORDS][:AS]=FILE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Save {
    pub what: Dump,
    pub file: PathBuf,
}

impl FromStr for Save {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((what, file)) if !file.is_empty() => Ok(Save {
                what: what.parse()?,
                file: file.into(),
            }),
            _ => Err("write SYMBOL=FILE, SYMBOL:WORDS=FILE or 0xADDRESS:WORDS=FILE".into()),
        }
    }
}

/// `--arguments`: a word, the address of something with a name, or that of a struct of such words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Word(u32),
    Symbol(String),
    Struct(Vec<Argument>),
}

impl FromStr for Argument {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(inside) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
            let words = inside.split(',').map(|word| match word.trim().parse()? {
                Argument::Struct(_) => Err("a struct in a struct: write its words".into()),
                word => Ok(word),
            });
            return Ok(Argument::Struct(words.collect::<Result<_, String>>()?));
        }
        let is_name = text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '.');
        match crate::data::number_of(text, false) {
            Some(word) => Ok(Argument::Word(word)),
            None if is_name => Ok(Argument::Symbol(text.into())),
            None => Err(
                "write a number of 32 bits, such as 7, -1, 2.5 or 0x2000, the name of a symbol, or words of a struct, \
                 such as {input,64,2.5}"
                    .into(),
            ),
        }
    }
}

impl std::fmt::Display for Argument {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Argument::Word(word) => write!(f, "{word}"),
            Argument::Symbol(name) => f.write_str(name),
            Argument::Struct(words) => {
                let words: Vec<_> = words.iter().map(Argument::to_string).collect();
                write!(f, "{{{}}}", words.join(","))
            }
        }
    }
}

/// `--window 8,2`: places of the front and the back ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub front: usize,
    pub back: usize,
}

impl FromStr for Window {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text
            .split_once(',')
            .and_then(|(k, b)| Some((k.parse().ok()?, b.parse().ok()?)));
        let (front, back) = parsed.ok_or("write FRONT,BACK, such as 8,2")?;
        Ok(Window { front, back })
    }
}

/// A symbol of the program or an address in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Symbol(String),
    Address(u32),
}

impl FromStr for Place {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("a symbol is missing".into());
        }
        match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16)
                .map(Place::Address)
                .map_err(|_| format!("{text} is not an address")),
            None => Ok(Place::Symbol(text.into())),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Place::Symbol(name) => f.write_str(name),
            Place::Address(a) => write!(f, "{a:#x}"),
        }
    }
}

/// A part of a campaign: the K-th of N, from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub k: u64,
    pub n: u64,
}

impl Shard {
    /// Of these programs its own: neighbours, so that all shards together have each program once, and no shard has more
    /// than one program over another.
    pub fn of(self, programs: Range<u64>) -> Range<u64> {
        let count = u128::from(programs.end - programs.start);
        let edge = |k: u64| programs.start + (count * u128::from(k) / u128::from(self.n)) as u64;
        edge(self.k - 1)..edge(self.k)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let number = |text: &str| text.parse::<u64>().ok();
        let parts = text.split_once('/');
        match parts.and_then(|(k, n)| Some((number(k)?, number(n)?))) {
            Some((k, n)) if (1..=n).contains(&k) => Ok(Shard { k, n }),
            _ => Err("K/N, the K-th of N parts, from 1/N to N/N".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yield_is_off_always_or_every() {
        assert_eq!("off".parse(), Ok(YieldEvery(0)));
        assert_eq!("always".parse(), Ok(YieldEvery(1)));
        assert_eq!("every:12".parse(), Ok(YieldEvery(12)));
        for wrong in ["", "every", "every:", "every:0", "every:65536", "12", "-1"] {
            assert!(wrong.parse::<YieldEvery>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn options_print_as_they_are_written() {
        for text in ["off", "always", "every:7"] {
            assert_eq!(text.parse::<YieldEvery>().unwrap().to_string(), text);
        }
        for text in ["off", "1024"] {
            assert_eq!(text.parse::<ForcedYield>().unwrap().to_string(), text);
        }
        for text in ["0", "3", "random:20"] {
            assert_eq!(text.parse::<LatencyOption>().unwrap().to_string(), text);
        }
        for text in ["16M", "4K", "4097"] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn sizes_have_limits() {
        assert_eq!("1G".parse(), Ok(Size(1 << 30)));
        assert_eq!("0x1000".parse(), Ok(Size(4096)));
        for wrong in ["", "K", "4G", "5000M", "x"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn arguments_are_words_and_names() {
        let of = |text: &str| text.parse::<Argument>();
        for (text, word) in [("7", 7), ("0x2000", 0x2000), ("-1", !0), ("4294967295", !0)] {
            assert_eq!(of(text), Ok(Argument::Word(word)), "{text}");
        }
        assert_eq!(of("_end"), Ok(Argument::Symbol("_end".into())));
        for wrong in ["", "0x", "4294967296", "7up", "-x"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_are_shown_as_asked() {
        let word = (-1.5f32).to_bits();
        let all = [Shown::Unsigned, Shown::Hex, Shown::Signed, Shown::Float];
        let want = ["3217031168", "0xbfc00000", "-1077936128", "-1.5"];
        assert_eq!(all.map(|shown| shown.word(word)), want);
    }

    #[test]
    fn load_and_dump_take_symbols_and_addresses() {
        let load: Load = "rows=kernels/data/karate_rows.txt".parse().unwrap();
        assert_eq!(load.place, Place::Symbol("rows".into()));
        assert_eq!(load.file, PathBuf::from("kernels/data/karate_rows.txt"));
        let dump: Dump = "0x2000:4".parse().unwrap();
        assert_eq!(
            dump,
            Dump {
                place: Place::Address(0x2000),
                words: Some(4),
                shown: Shown::Unsigned
            }
        );
        for (text, shown) in [
            ("a:2:hex", Shown::Hex),
            ("a:2:signed", Shown::Signed),
            ("a:2:float", Shown::Float),
            ("a:2:unsigned", Shown::Unsigned),
        ] {
            let dump: Dump = text.parse().unwrap();
            assert_eq!((dump.words, dump.shown), (Some(2), shown), "{text}");
            let all: Dump = text.replace(":2", "").parse().unwrap();
            assert_eq!((all.words, all.shown), (None, shown), "{text}");
        }
        let save: Save = "c:2:float=c.npy".parse().unwrap();
        assert_eq!(
            (save.what, save.file),
            ("c:2:float".parse().unwrap(), "c.npy".into())
        );
        let argument: Argument = "{a, 3,-2.0,0x10}".parse().unwrap();
        assert_eq!(argument.to_string(), "{a,3,3221225472,16}");
        for wrong in ["{a,{3}}", "{}", "{a,}", "{a"] {
            assert!(wrong.parse::<Argument>().is_err(), "{wrong}");
        }
        for wrong in ["c", "c=", "=c", "0x2000=c"] {
            assert!(wrong.parse::<Save>().is_err(), "{wrong}");
        }
        for wrong in ["rows", "rows=", "=file", "0xzz=file"] {
            assert!(wrong.parse::<Load>().is_err(), "{wrong}");
        }
        for wrong in [
            "",
            "0x2000",
            "rows:",
            "rows:0",
            ":3",
            "0x2000:hex",
            "rows:2:octal",
        ] {
            assert!(wrong.parse::<Dump>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn shards_have_each_program_once() {
        for (n, programs) in [
            (1, 5..9),
            (3, 0..10),
            (7, 3..3),
            (8, 0..5),
            (5, 0..u64::MAX),
        ] {
            let mut next = programs.start;
            let count = programs.end - programs.start;
            for k in 1..=n {
                let own = Shard { k, n }.of(programs.clone());
                assert_eq!(own.start, next);
                let size = own.end - own.start;
                assert!(size == count / n || size == count / n + 1, "{own:?}");
                next = own.end;
            }
            assert_eq!(next, programs.end);
        }
    }

    #[test]
    fn a_shard_is_one_of_those_that_there_are() {
        assert_eq!("2/3".parse(), Ok(Shard { k: 2, n: 3 }));
        for text in ["", "2", "0/3", "4/3", "1/0", "a/3", "1/3/2", "-1/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
