//! Files of waves, as VCD or as FST by their names.
//!
//! Simulators write VCD into a pipe, and a thread here takes it to the file.
//! So a disk that fills up is an error of this file, and none that a simulator has to handle: Verilator's writer would
//! wait for ever, Rust-HDL's would panic.

use crate::files::Whole;
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType,
};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::JoinHandle;
use vcd::{Command, IdCode, ScopeItem, ScopeType, TimescaleUnit, Value, VarType};

/// Value changes that are kept in memory before they are packed.
const PACK: usize = 32 << 20;

/// A file of waves that is being written. Dropped without [`finish`](WaveFile::finish) it leaves nothing behind.
pub struct WaveFile {
    /// The end that simulators open again; closed when they have ended.
    pipe: OwnedFd,
    /// It is to be there in the end.
    wanted: Arc<AtomicBool>,
    thread: JoinHandle<io::Result<()>>,
}

/// Whether a file with this name gets FST.
pub fn is_fst(path: &Path) -> bool {
    path.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("fst"))
}

impl WaveFile {
    /// # Errors
    /// The file cannot be made.
    pub fn create(path: &Path) -> io::Result<WaveFile> {
        let file = Whole::create(path)?;
        let fst = is_fst(path);
        let (read, write) = rustix::pipe::pipe()?;
        let wanted = Arc::new(AtomicBool::new(false));
        let is_wanted = wanted.clone();
        let take = move || {
            let end = |file: Whole| match is_wanted.load(Ordering::Acquire) {
                true => file.finish(),
                false => Ok(()),
            };
            let mut from = BufReader::with_capacity(1 << 16, File::from(read));
            let result = match fst {
                true => to_fst(&mut from, file, end),
                false => to_vcd(&mut from, file, end),
            };
            // The simulator goes on.
            io::copy(&mut from, &mut io::sink())?;
            result
        };
        let thread = std::thread::Builder::new()
            .name("waves".into())
            .spawn(take)?;
        Ok(WaveFile {
            pipe: write,
            wanted,
            thread,
        })
    }

    /// What a simulator is to open as its VCD file.
    pub fn pipe(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.pipe.as_raw_fd()).into()
    }

    /// After the simulator has closed its file.
    ///
    /// # Errors
    /// What could not be written; there is no file then.
    pub fn finish(self) -> io::Result<()> {
        self.wanted.store(true, Ordering::Release);
        drop(self.pipe);
        let ended = self.thread.join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn to_vcd(
    from: &mut impl Read,
    mut file: Whole,
    end: impl FnOnce(Whole) -> io::Result<()>,
) -> io::Result<()> {
    io::copy(from, &mut file)?;
    end(file)
}

fn to_fst(
    from: &mut impl BufRead,
    file: Whole,
    end: impl FnOnce(Whole) -> io::Result<()>,
) -> io::Result<()> {
    let mut parser = vcd::Parser::new(from);
    let header = parser.parse_header()?;
    let (amount, unit) = header.timescale.unwrap_or((1, TimescaleUnit::NS));
    let exponent = match unit {
        TimescaleUnit::S => 0,
        TimescaleUnit::MS => -3,
        TimescaleUnit::US => -6,
        TimescaleUnit::NS => -9,
        TimescaleUnit::PS => -12,
        TimescaleUnit::FS => -15,
    };
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: exponent + amount.max(1).ilog10() as i8,
        version: "Weft".to_string(),
        date: header.date.unwrap_or_default(),
        file_type: FstFileType::Verilog,
    };
    let mut names = FstHeaderWriter::new(file, &info).map_err(io::Error::other)?;
    let mut signals = HashMap::new();
    scopes(&header.items, &mut names, &mut signals)?;
    let mut body = names.finish().map_err(io::Error::other)?;
    let (mut value, mut any) = (Vec::new(), false);
    while let Some(command) = parser.next().transpose()? {
        value.clear();
        let code = match command {
            Command::Timestamp(time) => {
                if body.size() > PACK {
                    body.flush().map_err(io::Error::other)?;
                }
                body.time_change(time).map_err(io::Error::other)?;
                any = true;
                continue;
            }
            Command::ChangeScalar(code, bit) => {
                value.push(digit(bit));
                code
            }
            Command::ChangeVector(code, bits) => {
                value.extend(bits.iter().copied().map(digit));
                code
            }
            _ => continue,
        };
        changed(&mut body, signals.get(&code), &mut value)?;
    }
    if !any {
        body.time_change(0).map_err(io::Error::other)?;
    }
    end(body.finish().map_err(io::Error::other)?)
}

fn scopes(
    items: &[ScopeItem],
    names: &mut FstHeaderWriter<Whole>,
    signals: &mut HashMap<IdCode, (FstSignalId, usize)>,
) -> io::Result<()> {
    for item in items {
        match item {
            ScopeItem::Scope(scope) => {
                let kind = match scope.scope_type {
                    ScopeType::Begin => FstScopeType::Begin,
                    ScopeType::Fork => FstScopeType::Fork,
                    ScopeType::Function => FstScopeType::Function,
                    ScopeType::Task => FstScopeType::Task,
                    _ => FstScopeType::Module,
                };
                names
                    .scope(&scope.identifier, "", kind)
                    .map_err(io::Error::other)?;
                scopes(&scope.children, names, signals)?;
                names.up_scope().map_err(io::Error::other)?;
            }
            ScopeItem::Var(var) => {
                let kind = match var.var_type {
                    VarType::Reg => FstVarType::Reg,
                    VarType::Integer => FstVarType::Integer,
                    VarType::Parameter => FstVarType::Parameter,
                    _ => FstVarType::Wire,
                };
                let name = match &var.index {
                    Some(index) => format!("{} {index}", var.reference),
                    None => var.reference.clone(),
                };
                let alias = signals.get(&var.code).map(|(id, _)| *id);
                let bits = FstSignalType::bit_vec(var.size);
                let direction = FstVarDirection::Implicit;
                let id = names
                    .var(name, bits, kind, direction, alias)
                    .map_err(io::Error::other)?;
                signals.insert(var.code, (id, var.size as usize));
            }
        }
    }
    Ok(())
}

/// VCD leaves out zeros at the left, FST does not.
fn changed<W: Write + io::Seek>(
    body: &mut FstBodyWriter<W>,
    signal: Option<&(FstSignalId, usize)>,
    value: &mut Vec<u8>,
) -> io::Result<()> {
    let Some(&(id, bits)) = signal else {
        return Ok(());
    };
    let fill = match value.first() {
        Some(b'x') => b'x',
        Some(b'z') => b'z',
        _ => b'0',
    };
    if value.len() < bits {
        let missing = bits - value.len();
        value.splice(0..0, std::iter::repeat_n(fill, missing));
    }
    body.signal_change(id, &value[value.len() - bits..])
        .map_err(io::Error::other)
}

fn digit(value: Value) -> u8 {
    match value {
        Value::V0 => b'0',
        Value::V1 => b'1',
        Value::X => b'x',
        Value::Z => b'z',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VCD: &str = "$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! clock $end\n$var wire 8 # count [7:0] $end\n\
                       $scope module inner $end\n$var wire 8 # same [7:0] $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n\
                       #0\n0!\nb101 #\n#5\n1!\n#10\n0!\nb11111111 #\n";

    fn wave(name: &str, text: &str) -> (io::Result<()>, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let wave = WaveFile::create(&path).unwrap();
        let mut simulator = File::create(wave.pipe()).unwrap();
        simulator.write_all(text.as_bytes()).unwrap();
        drop(simulator);
        let result = wave.finish();
        (result, std::fs::read(&path).unwrap_or_default())
    }

    #[test]
    fn vcd_comes_through_as_it_is() {
        let (result, bytes) = wave("a.vcd", VCD);
        result.unwrap();
        assert_eq!(bytes, VCD.as_bytes());
    }

    #[test]
    fn fst_holds_the_same_signals_and_values() {
        let (result, bytes) = wave("a.fst", VCD);
        result.unwrap();
        let mut reader = fst_reader::FstReader::open(io::Cursor::new(bytes)).unwrap();
        let header = reader.get_header();
        assert_eq!((header.timescale_exponent, header.end_time), (-9, 10));
        let mut names = Vec::new();
        reader
            .read_hierarchy(|entry| {
                if let fst_reader::FstHierarchyEntry::Var { name, handle, .. } = entry {
                    names.push((name, handle.get_index()));
                }
            })
            .unwrap();
        let expected = [("clock", 0), ("count [7:0]", 1), ("same [7:0]", 1)];
        assert_eq!(names, expected.map(|(n, i)| (n.to_string(), i)));
        let mut values = Vec::new();
        let filter = fst_reader::FstFilter::all();
        reader
            .read_signals(&filter, |time, handle, value| {
                if let fst_reader::FstSignalValue::String(text) = value {
                    let text = String::from_utf8_lossy(text).into_owned();
                    values.push((time, handle.get_index(), text));
                }
                Ok::<(), io::Error>(())
            })
            .unwrap();
        values.sort();
        let expected = [
            (0, 0, "0"),
            (0, 1, "00000101"),
            (5, 0, "1"),
            (10, 0, "0"),
            (10, 1, "11111111"),
        ];
        assert_eq!(values, expected.map(|(t, i, v)| (t, i, v.to_string())));
    }

    #[test]
    fn a_full_disk_is_an_error_at_the_end_and_nobody_waits() {
        let wave = WaveFile::create(Path::new("/dev/full")).unwrap();
        let mut simulator = File::create(wave.pipe()).unwrap();
        // More than any buffer holds.
        for _ in 0..100 {
            simulator.write_all(&[b' '; 1 << 16]).unwrap();
        }
        drop(simulator);
        let error = wave.finish().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
