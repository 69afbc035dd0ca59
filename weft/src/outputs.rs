//! What commands write: every file by way of [`weft_testbench::files`], named by its option when something is wrong
//! with it.

use anyhow::{bail, Context, Result};
use std::path::Path;
use weft_testbench::files::{self, Whole};

/// A file that an option names.
pub struct Output {
    pub name: String,
    file: Whole,
}

/// The option as it was given, for messages.
pub fn named(option: &str, path: &Path) -> String {
    format!("{option} {}", path.display())
}

impl Output {
    pub fn create(option: &str, path: &Path) -> Result<Output> {
        let name = named(option, path);
        let file = Whole::create(path).with_context(|| name.clone())?;
        Ok(Output { name, file })
    }

    pub fn finish(self) -> Result<()> {
        self.file.finish().context(self.name)
    }
}

impl std::io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file.
pub fn write(option: &str, path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    files::write(path, contents).with_context(|| named(option, path))
}

/// No output is an input, and no two of them are one file.
pub fn distinct(outputs: &[(&str, Option<&Path>)], inputs: &[(&str, &Path)]) -> Result<()> {
    let given = outputs
        .iter()
        .filter_map(|(option, path)| Some((*option, (*path)?)));
    let given: Vec<_> = given.collect();
    for (n, (option, path)) in given.iter().enumerate() {
        if let Some((input, read)) = inputs.iter().find(|(_, read)| files::is_same(path, read)) {
            bail!(
                "{} would overwrite {}",
                named(option, path),
                named(input, read).trim_start()
            );
        }
        if let Some((other, same)) = given[..n].iter().find(|(_, p)| files::is_same(path, p)) {
            bail!(
                "{} and {} are one file",
                named(other, same),
                named(option, path)
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_neither_an_input_nor_another_output() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        let check = |json: &Path, trace: &Path| {
            let outputs = [
                ("--json", Some(json)),
                ("--trace", Some(trace)),
                ("--wave", None),
            ];
            distinct(&outputs, &[("", &b)]).map_err(|e| e.to_string())
        };
        assert_eq!(check(&a, &folder.path().join("c")), Ok(()));
        assert_eq!(
            check(Path::new("/dev/null"), Path::new("/dev/null")),
            Ok(())
        );
        assert!(check(&a, &a).unwrap_err().ends_with("are one file"));
        assert!(check(&a, &b).unwrap_err().contains("would overwrite"));
    }
}
