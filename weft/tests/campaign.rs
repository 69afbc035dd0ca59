//! Campaigns of random programs in parts: `weft cosim --shard`, `weft cosim merge`, and the scripts of `tools/campaign`.

use serde_json::{json, Value};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seven programs in three parts: 0 and 1, 2 and 3, 4 to 6.
const OPTIONS: &str = "--unit host --seed 5 --programs 7";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path(name)).unwrap()).unwrap()
    }

    /// A report with something changed.
    fn altered(&self, name: &str, new: &str, alter: impl FnOnce(&mut Value)) {
        let mut report = self.json(name);
        alter(&mut report["runs"][0]);
        fs::write(self.path(new), report.to_string()).unwrap();
    }

    /// `weft cosim` with these words, in this folder: exit code, standard output, standard error.
    fn cosim(&self, words: &str) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_weft"));
        command.arg("cosim").args(words.split(' '));
        said(command.current_dir(self.0.path()).output().unwrap())
    }

    fn part(&self, k: u64) {
        let words = format!("{OPTIONS} --shard {k}/3 --json {k}.json");
        let (code, out, error) = self.cosim(&words);
        assert_eq!(code, Some(0), "{out}{error}");
    }

    /// A script of `tools/campaign` with this program in place of weft.
    fn script(&self, name: &str, weft: &Path, words: &str) -> (Option<i32>, String, String) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/campaign");
        let mut command = Command::new(root.join(name));
        command.args(words.split(' ')).env("WEFT", weft);
        said(command.current_dir(self.0.path()).output().unwrap())
    }
}

fn said(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// The only run of a report, without what a clock says.
fn timeless(report: &Value) -> Value {
    let mut run = report["runs"][0].clone();
    assert_eq!(report["runs"].as_array().unwrap().len(), 1);
    run["seconds"] = json!(0);
    run
}

#[test]
fn parts_of_a_campaign_are_the_whole() {
    let folder = Folder::new();
    let (code, out, error) = folder.cosim(&format!("{OPTIONS} --json whole.json"));
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("7 programs of seed 5 equal"), "{out}");
    (1..=3).for_each(|k| folder.part(k));
    let part = folder.json("2.json");
    assert_eq!(part["programs"], 2);
    assert_eq!(part["runs"][0]["ran"], json!([[2, 4]]));
    assert_eq!(part["runs"][0]["whole"], json!([[0, 7]]));

    let (code, out, error) =
        folder.cosim("merge 3.json 1.json 2.json --json all.json --page all.html");
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
    assert!(
        out.starts_with("host, seed 5: 7 of 7 programs equal, 0 not"),
        "{out}"
    );
    assert_eq!(
        timeless(&folder.json("all.json")),
        timeless(&folder.json("whole.json"))
    );
    let page = fs::read_to_string(folder.path("all.html")).unwrap();
    assert!(page.contains("7 random programs") && page.contains("HOST-004"));

    // More parts than programs: some have none, and say so.
    let (code, out, _) = folder.cosim(&format!("{OPTIONS} --shard 1/9 --json none.json"));
    assert!(code == Some(0) && out.contains("no program"), "{out}");
    let (code, _, error) = folder.cosim("merge all.json none.json");
    assert_eq!((code, error.as_str()), (Some(0), ""));
}

/// Of the float unit three sizes go round, so a part has others than the whole has.
#[test]
fn parts_of_the_float_unit_are_the_whole() {
    let folder = Folder::new();
    let options = "--unit float --seed 5 --programs 5";
    let (code, out, error) = folder.cosim(&format!("{options} --coverage --json whole.json"));
    assert_eq!(code, Some(0), "{error}");
    assert!(
        out.contains("weft_float: 5 programs of seed 5 equal") && out.contains("fmadd.s rmm"),
        "{out}"
    );
    for k in 1..=2 {
        let (code, out, error) = folder.cosim(&format!("{options} --shard {k}/2 --json {k}.json"));
        assert_eq!(code, Some(0), "{out}{error}");
    }
    let (code, out, _) = folder.cosim("merge 1.json 2.json --json all.json");
    assert!(
        code == Some(0) && out.starts_with("float, seed 5: 5 of 5 programs equal, 0 not"),
        "{out}"
    );
    assert_eq!(
        timeless(&folder.json("all.json")),
        timeless(&folder.json("whole.json"))
    );
}

#[test]
fn what_is_missing_twice_or_wrong_is_said() {
    let folder = Folder::new();
    (1..=3).for_each(|k| folder.part(k));
    let merge = |words: &str, code: i32| {
        let (ended, out, error) = folder.cosim(&format!("merge {words}"));
        assert_eq!(ended, Some(code), "{out}{error}");
        error
    };
    let error = merge("1.json 3.json", 2);
    assert!(
        error.contains("host, seed 5: programs 2 to 3 were not run"),
        "{error}"
    );

    fs::copy(folder.path("2.json"), folder.path("again.json")).unwrap();
    let error = merge("1.json 2.json 3.json again.json", 0);
    assert!(
        error.contains("again.json: the same as 2.json, and counted once"),
        "{error}"
    );

    folder.altered("2.json", "other.json", |run| {
        run["bins"]["read"] = json!(9_999_999)
    });
    let error = merge("1.json 2.json 3.json other.json", 2);
    assert!(
        error.contains("2.json and other.json") && error.contains("do not"),
        "{error}"
    );

    folder.altered("2.json", "over.json", |run| run["ran"] = json!([[3, 5]]));
    let error = merge("2.json over.json", 2);
    assert!(error.contains("overlap in programs 3 of host"), "{error}");

    folder.altered("2.json", "failed.json", |run| {
        run["ran"] = json!([[2, 3]]);
        let failure = json!({"index": 3, "error": "they differ", "setup": "", "replay": "cargo weft cosim --first 3",
            "waves": null, "listing": null, "minimised": null});
        run["failures"] = json!([failure]);
    });
    let error = merge("1.json failed.json 3.json", 1);
    assert!(
        error.contains("program 3: they differ\n  replay: cargo weft cosim --first 3"),
        "{error}"
    );

    fs::write(folder.path("text.json"), "{}").unwrap();
    for file in ["text.json", "nowhere.json"] {
        let error = merge(&format!("1.json {file}"), 2);
        assert!(error.contains(file), "{error}");
    }
    let error = merge("1.json 2.json 3.json --json 2.json", 2);
    assert!(error.contains("would overwrite"), "{error}");
    for words in ["--shard 0/3", "--shard 4/3", "--shard 3"] {
        let (code, _, error) = folder.cosim(words);
        assert!(code == Some(2) && error.contains("K/N"), "{error}");
    }
}

#[test]
fn a_part_that_is_killed_leaves_nothing_and_is_run_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let weft = Path::new(env!("CARGO_BIN_EXE_weft"));
    // Writes its report, and is killed before it ends.
    let dies = folder.path("dies");
    let text = format!("#!/bin/sh\n{} \"$@\"\nkill -9 $$\n", weft.display());
    fs::write(&dies, text).unwrap();
    fs::set_permissions(&dies, fs::Permissions::from_mode(0o755)).unwrap();
    let words = format!("parts 1 2 {OPTIONS}");
    let (code, _, error) = folder.script("shard.sh", &dies, &words);
    assert_eq!(code, Some(75), "{error}");
    assert!(error.contains("part 1 of 2: killed by signal 9"), "{error}");
    let (code, _, error) = folder.script("merge.sh", weft, "parts");
    assert!(code == Some(2) && error.contains("no part"), "{error}");

    let (code, out, error) = folder.script("parallel.sh", weft, &format!("parts 2 1 {OPTIONS}"));
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(out.contains("7 of 7 programs equal"), "{out}");
    for file in [
        "1.json",
        "2.json",
        "1.log",
        "campaign.json",
        "campaign.html",
    ] {
        assert!(folder.path("parts").join(file).exists(), "{file}");
    }
    assert_eq!(fs::read_dir(folder.path("parts")).unwrap().count(), 6);
    let (code, out, _) = folder.script("shard.sh", &dies, &words);
    assert!(code == Some(0) && out.contains("there already"), "{out}");

    let (code, out, error) = folder.script("shard.sh", weft, "parts 3 3 --unit host --sizes 4x4");
    assert!(code == Some(2) && out.contains("--sizes"), "{out}{error}");
    assert!(!folder.path("parts").join("3.json").exists());
}

/// The job array under a real Slurm, with a part that is killed and one that is requeued.
#[test]
#[ignore = "needs Slurm and root: a run of cargo xtask long"]
fn slurm_runs_a_campaign_whatever_is_killed() {
    let folder = Folder::new();
    let weft = Path::new(env!("CARGO_BIN_EXE_weft"));
    let (code, out, error) = folder.script("trial.sh", weft, "400");
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(out.contains("the parts together are the whole"), "{out}");
}
