//! Function, file and line of an instruction, from the DWARF in an executable (CC-030).

use crate::opencl::WRAPPER;
use crate::written_name;
use addr2line::Context;
use gimli::{EndianRcSlice, LittleEndian};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};
use std::path::Path;
use std::rc::Rc;

type Reader = EndianRcSlice<LittleEndian>;

/// What is known of a program's addresses. Empty for a file without symbols.
#[derive(Default)]
pub struct Lines {
    context: Option<Context<Reader>>,
    /// Functions and labels of code, ascending.
    labels: Vec<(u32, String)>,
    /// End of code.
    end: u32,
}

/// Where an instruction stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Innermost first: functions that were inlined into one another.
    pub frames: Vec<Frame>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub function: Option<String>,
    /// Bytes behind the label, where no line is known.
    pub offset: u32,
    pub file: Option<String>,
    pub line: Option<u32>,
}

impl Lines {
    /// Of an ELF executable; of anything else nothing is known.
    pub fn of_elf(elf: &[u8]) -> Lines {
        let Ok(file) = object::File::parse(elf) else {
            return Lines {
                context: None,
                labels: Vec::new(),
                end: 0,
            };
        };
        let section = |id: gimli::SectionId| -> Result<Reader, gimli::Error> {
            let data = file.section_by_name(id.name()).and_then(|s| s.data().ok());
            Ok(Reader::new(
                Rc::from(data.unwrap_or_default()),
                LittleEndian,
            ))
        };
        let dwarf = gimli::Dwarf::load(section).ok();
        let code = file
            .sections()
            .filter(|s| s.kind() == object::SectionKind::Text);
        let end = code
            .map(|s| (s.address() + s.size()) as u32)
            .max()
            .unwrap_or(0);
        let text = |s: &object::Symbol| {
            !s.is_undefined()
                && matches!(
                    s.kind(),
                    SymbolKind::Text | SymbolKind::Label | SymbolKind::Unknown
                )
        };
        let names = file
            .symbols()
            .filter(text)
            .filter_map(|s| Some((s.address() as u32, s.name().ok()?.to_string())));
        Lines {
            context: dwarf.and_then(|dwarf| Context::from_dwarf(dwarf).ok()),
            labels: sorted(names),
            end,
        }
    }

    /// Of a program of which only symbols are known.
    pub fn of_symbols(symbols: impl IntoIterator<Item = (String, u32)>, text: (u32, u32)) -> Lines {
        let inside = symbols.into_iter().map(|(name, at)| (at, name));
        let inside = inside.filter(|(at, _)| (text.0..text.1).contains(at));
        Lines {
            context: None,
            labels: sorted(inside),
            end: text.1,
        }
    }

    /// Where the instruction at `pc` stands; `None` where nothing is known of it.
    pub fn place(&self, pc: u32) -> Option<Place> {
        let label = self.label(pc);
        let mut frames = Vec::new();
        if let Some(context) = &self.context {
            let mut found = context.find_frames(pc.into()).skip_all_loads().ok();
            while let Some(frame) = found.as_mut().and_then(|f| f.next().ok().flatten()) {
                let name = frame
                    .function
                    .as_ref()
                    .and_then(|f| f.demangle().ok().map(|n| n.into_owned()));
                let (file, line) = frame.location.map_or((None, None), |l| (l.file, l.line));
                if name.is_some() || line.is_some() {
                    frames.push(Frame {
                        function: name.map(|name| written_name(&name).to_string()),
                        offset: 0,
                        file: file.map(relative),
                        line,
                    });
                }
            }
        }
        // What this crate has put around a kernel is no frame of the user's, if there is another one.
        let is_users = |frame: &Frame| frame.file.as_deref() != Some(WRAPPER);
        if frames.iter().any(is_users) {
            frames.retain(is_users);
        }
        if let Some(last) = frames.last_mut().filter(|f| f.function.is_none()) {
            let name = label.as_ref().map(|(name, _)| written_name(name));
            last.function = name.map(String::from);
        }
        if frames.is_empty() {
            let (name, offset) = label?;
            frames.push(Frame {
                function: Some(written_name(name).into()),
                offset,
                file: None,
                line: None,
            });
        }
        Some(Place { frames })
    }

    /// The label that `pc` stands behind, and by how many bytes.
    fn label(&self, pc: u32) -> Option<(&str, u32)> {
        if pc >= self.end {
            return None;
        }
        let behind = self.labels.partition_point(|(at, _)| *at <= pc);
        let (at, name) = self.labels.get(behind.checked_sub(1)?)?;
        Some((name, pc - at))
    }
}

/// By address; of several labels of one place the first by name that the programmer has written.
fn sorted(labels: impl Iterator<Item = (u32, String)>) -> Vec<(u32, String)> {
    let written = |name: &str| !name.is_empty() && !name.starts_with(['$', '.']);
    let mut labels: Vec<_> = labels.filter(|(_, name)| written(name)).collect();
    labels.sort();
    labels.dedup_by_key(|(at, _)| *at);
    labels
}

/// Below the directory of this process its own path, else as it is.
fn relative(file: &str) -> String {
    let here = std::env::current_dir().ok();
    let short = here
        .as_deref()
        .and_then(|here| Path::new(file).strip_prefix(here).ok());
    short.map_or(file.into(), |short| short.display().to_string())
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (n, frame) in self.frames.iter().enumerate() {
            if n > 0 {
                f.write_str(", inlined into ")?;
            }
            write!(f, "{frame}")?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.function.as_deref().unwrap_or("?"))?;
        match (&self.file, self.line) {
            (Some(file), Some(line)) if line > 0 => write!(f, " ({file}:{line})"),
            (Some(file), _) => write!(f, " ({file})"),
            _ if self.offset > 0 => write!(f, "+{:#x}", self.offset),
            _ => Ok(()),
        }
    }
}
