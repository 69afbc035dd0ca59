//! Where generated files go.

use std::path::PathBuf;

/// The build directory of the workspace: `CARGO_TARGET_DIR`, or `target` beside the outermost `Cargo.lock`.
pub fn target_dir() -> PathBuf {
    if let Some(dir) = std::env::var_os("CARGO_TARGET_DIR") {
        return PathBuf::from(dir);
    }
    ancestors()
        .into_iter()
        .rfind(|d| d.join("Cargo.lock").is_file())
        .unwrap_or_else(std::env::temp_dir)
        .join("target")
}

/// The working directory and its parents, then this crate's folder and its parents.
pub(crate) fn ancestors() -> Vec<PathBuf> {
    let cwd = std::env::current_dir().unwrap_or_default();
    let home = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut v: Vec<PathBuf> = cwd.ancestors().map(PathBuf::from).collect();
    for d in home.ancestors() {
        if !v.iter().any(|x| x == d) {
            v.push(d.into());
        }
    }
    v
}
