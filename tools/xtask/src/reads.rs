//! What a program and all that it starts look at in the file system, as `strace` tells it.
//!
//! *Why strace:* what a test depends on is then known and not declared, so nobody can forget to declare it.
//! With `--seccomp-bpf` only calls that name a file stop the program: tests take some hundredths longer.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

/// How strace is called; the file to write to follows, then the program.
pub const STRACE: [&str; 8] = [
    "-f",
    "-qq",
    "--seccomp-bpf",
    "--decode-fds=path",
    "-e",
    "trace=%file",
    "-e",
    "signal=none",
];

/// Paths that were named, in a normal form.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Whether they were opened, too: of a folder its names were read then.
    pub read: BTreeMap<PathBuf, bool>,
    /// Made, changed, renamed or removed.
    pub written: BTreeSet<PathBuf>,
    /// A path was named of which nobody can tell where it counts from.
    pub unknown: bool,
}

/// Whether strace is there and may trace.
pub fn available() -> bool {
    let mut trial = Command::new("strace");
    trial.args(STRACE).args(["-o", "/dev/null", "true"]);
    trial.stdin(Stdio::null()).stdout(Stdio::null());
    let status = trial.stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Of what strace has written; `directory` is where the program was started.
///
/// A call that names no folder to start from, and no absolute path, counts from where its process was seen last; the first
/// process of all begins in `directory`.
/// What a call has returned does not matter: the state of the file afterwards tells as much.
pub fn reads(log: &str, directory: &Path) -> Reads {
    let mut places: HashMap<&str, PathBuf> = HashMap::new();
    let mut all = Reads::default();
    for line in log.lines() {
        let Some((process, name, arguments)) = call(line) else {
            continue;
        };
        if places.is_empty() {
            places.insert(process, directory.to_path_buf());
        }
        let mut rest = arguments;
        for number in 0..names(name) {
            let Some((before, text, behind)) = string(rest) else {
                break;
            };
            rest = behind;
            if name.starts_with("symlink") && number == 0 {
                // What the link says, which need not be there.
                continue;
            }
            let from = folder(before).map(|place| PathBuf::from(unescaped(place)));
            if let Some(place) = from.as_ref().filter(|_| before.contains("AT_FDCWD<")) {
                places.insert(process, place.clone());
            }
            let text = PathBuf::from(unescaped(text));
            let Some(from) = from
                .or_else(|| places.get(process).cloned())
                .or_else(|| text.is_absolute().then(PathBuf::new))
            else {
                all.unknown = true;
                continue;
            };
            let path = resolved(&from.join(text));
            if name == "chdir" {
                places.insert(process, path.clone());
            }
            let linked = name.starts_with("link") && number == 0;
            if changes(name, arguments) && !linked {
                all.written.insert(path);
            } else {
                *all.read.entry(path).or_default() |= name.starts_with("open");
            }
        }
    }
    all
}

/// How many paths a call names.
fn names(call: &str) -> usize {
    match ["link", "rename", "symlink"]
        .iter()
        .any(|start| call.starts_with(start))
    {
        true => 2,
        false => 1,
    }
}

/// Process, name and arguments of a line that begins a call.
fn call(line: &str) -> Option<(&str, &str, &str)> {
    let (process, rest) = line.split_once(' ')?;
    let (name, arguments) = rest.trim_start().split_once('(')?;
    let word = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    (word(process) && word(name)).then_some((process, name, arguments))
}

/// The first string: what stands before it, its text, what stands behind it.
fn string(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('"')?;
    let mut escaped = false;
    let end = rest.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })?;
    Some((before, &rest[..end], &rest[end + 1..]))
}

/// The folder that a path counts from, as it stands before it: `AT_FDCWD</w/cc>, ` or `7</w/tree>, `.
fn folder(before: &str) -> Option<&str> {
    let before = before.strip_suffix(">, ")?;
    Some(&before[before.rfind('<')? + 1..])
}

/// Whether this call changes what it names.
fn changes(name: &str, arguments: &str) -> bool {
    const CHANGING: [&str; 14] = [
        "chmod", "chown", "creat", "fchmodat", "fchownat", "link", "mkdir", "mknod", "rename",
        "rmdir", "symlink", "truncate", "unlink", "utime",
    ];
    let flags = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"];
    match name.starts_with("open") {
        true => flags.iter().any(|flag| arguments.contains(flag)),
        false => CHANGING.iter().any(|start| name.starts_with(start)),
    }
}

/// Without `.` and `..`: where a link is on the way, the system knows what `..` is.
fn resolved(path: &Path) -> PathBuf {
    let plain = |part: Component| part != Component::ParentDir;
    match path.components().all(plain) {
        true => normal(path),
        false => path.canonicalize().unwrap_or_else(|_| normal(path)),
    }
}

fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts
}

/// strace writes bytes that are not printable as `\n`, `\t`, `\"`, `\\` or in octal.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let mut digits = String::new();
        while digits.len() < 3 && rest.peek().is_some_and(|b| (b'0'..=b'7').contains(b)) {
            digits.extend(rest.next().map(char::from));
        }
        bytes.push(match u8::from_str_radix(&digits, 8) {
            Ok(value) => value,
            Err(_) => match rest.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                other => other.unwrap_or(b'\\'),
            },
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"
11 access("z.c", R_OK) = -1 ENOENT (No such file or directory)
12 openat(AT_FDCWD</w/cc>, "src/x.c", O_RDONLY|O_CLOEXEC) = 3</w/cc/src/x.c>
12 openat(AT_FDCWD</w/cc>, "../kernels", O_RDONLY|O_DIRECTORY) = 3</w/kernels>
12 openat(7</w/tree>, "a\303\251\".txt", O_RDONLY <unfinished ...>
13 stat("/usr/include", {st_mode=S_IFDIR|0755, ...}) = 0
12 <... openat resumed>) = 3</w/tree/x>
12 access("./y.c", R_OK) = -1 ENOENT (No such file or directory)
12 openat(AT_FDCWD</w/cc>, "new", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</w/cc/new>
12 rename("/w/cc/new", "/w/cc/done") = 0
12 symlink("/w/kernels/k.c", "/w/cc/link.c") = 0
12 link("/w/kernels/l.c", "/w/cc/hard.c") = 0
12 chdir("/w/else") = 0
12 access("y.c", R_OK) = 0
12 execve("/usr/bin/as", ["/usr/bin/as", "-o", "o"], 0x1 /* 2 vars */) = 0
12 +++ exited with 0 +++
"#;

    #[test]
    fn every_path_is_known_and_whether_it_was_changed() {
        let all = reads(LOG, Path::new("/w/start"));
        let read: Vec<_> = all
            .read
            .iter()
            .map(|(path, open)| (path.to_str().unwrap(), *open))
            .collect();
        let right = [
            ("/usr/bin/as", false),
            ("/usr/include", false),
            ("/w/cc/src/x.c", true),
            ("/w/cc/y.c", false),
            ("/w/else", false),
            ("/w/else/y.c", false),
            ("/w/kernels", true),
            ("/w/kernels/l.c", false),
            ("/w/start/z.c", false),
            ("/w/tree/aé\".txt", true),
        ];
        assert_eq!(read, right);
        let written: Vec<_> = all
            .written
            .iter()
            .map(|path| path.to_str().unwrap())
            .collect();
        let right = ["/w/cc/done", "/w/cc/hard.c", "/w/cc/link.c", "/w/cc/new"];
        assert_eq!(written, right);
        assert!(!all.unknown);
        // A child that begins with a path of which nothing tells where it counts from.
        let log = "1 access(\"/a\", F_OK) = 0\n2 execve(\"./p\", [\"p\"], 0x1) = 0\n";
        assert!(reads(log, Path::new("/w")).unknown);
    }
}
