//! How a program is built: build options of `clBuildProgram` (CL-004), and what Weft adds.

use super::program::{Failure, FailureKind};
use crate::lower::Lowering;
use crate::Float;

/// What is wanted beside the source.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Zig's Clang, or another Clang by name or path (CL-001).
    pub compiler: Option<String>,
    pub float: Float,
    /// For the compiler, of CL-004, one each: `-DN=3`; see [`Options::parse`].
    pub flags: Vec<String>,
    pub lowering: Lowering,
    /// Bytes of the buffer for printf, all threads together; 1 MiB if nothing is said.
    pub console: Option<u32>,
    /// Commands are told as they are run.
    pub verbose: bool,
    /// The log has colours.
    pub colour: bool,
}

/// Options that are words of their own.
const PLAIN: [&str; 20] = [
    "-w",
    "-Werror",
    "-Wall",
    "-g",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-cl-single-precision-constant",
    "-cl-denorms-are-zero",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-opt-disable",
    "-cl-strict-aliasing",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-uniform-work-group-size",
    "-cl-kernel-arg-info",
];
const STANDARDS: [&str; 5] = [
    "-cl-std=CL1.0",
    "-cl-std=CL1.1",
    "-cl-std=CL1.2",
    "-cl-std=CL2.0",
    "-cl-std=CL3.0",
];

impl Options {
    /// Adds the options of a line as `clBuildProgram` takes it. Words may be quoted.
    ///
    /// # Errors
    /// An option that is none (CL-004).
    pub fn parse(mut self, line: &str) -> Result<Options, Failure> {
        let mut words = words(line).into_iter();
        while let Some(word) = words.next() {
            let known = PLAIN.contains(&word.as_str()) || STANDARDS.contains(&word.as_str());
            let joined = word.starts_with("-D") || word.starts_with("-I");
            if joined && word.len() == 2 {
                match words.next() {
                    Some(next) => self.flags.push(word + &next),
                    None => return Err(refused(&word, "nothing follows")),
                }
            } else if known || joined {
                self.flags.push(word);
            } else {
                return Err(refused(&word, "no build option of OpenCL C 1.2"));
            }
        }
        Ok(self)
    }
}

fn refused(word: &str, why: &str) -> Failure {
    Failure {
        message: format!("{word}: {why}"),
        log: format!("error: {word}: {why}\n"),
        kind: FailureKind::Options,
    }
}

/// Words of a line, as a shell parts them, with quotes of both kinds and backslashes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                word.get_or_insert_default().extend(letters.next());
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Vec<String>, Failure> {
        Options::default().parse(line).map(|options| options.flags)
    }

    #[test]
    fn options_are_those_of_the_standard() {
        let line = r#" -D N=3 -DTEXT="a b" -I 'my dir' -cl-std=CL1.2  -cl-fast-relaxed-math -w -D X=\"y\" "#;
        let want = [
            "-DN=3",
            "-DTEXT=a b",
            "-Imy dir",
            "-cl-std=CL1.2",
            "-cl-fast-relaxed-math",
            "-w",
            "-DX=\"y\"",
        ];
        assert_eq!(parsed(line).unwrap(), want);
        assert_eq!(parsed("").unwrap(), [""; 0]);
        for wrong in ["-o x", "-cl-std=CL9", "-D", "-fplugin=x", "name"] {
            let failure = parsed(wrong).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Options, "{wrong}");
        }
    }
}
