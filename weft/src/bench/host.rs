//! The machine on which something is timed.

use serde::{Deserialize, Serialize};

/// Where it was timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Host {
    pub processor: String,
    pub processors: usize,
    /// Programs that wanted a processor in the minute before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
}

impl Host {
    /// The machine, before it is measured.
    pub fn here() -> Host {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let processor = read("/proc/cpuinfo");
        let model = processor.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == "model name").then(|| value.trim().to_string())
        });
        Host {
            processor: model.unwrap_or_else(|| std::env::consts::ARCH.into()),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            load: read("/proc/loadavg")
                .split(' ')
                .next()
                .and_then(|n| n.parse().ok()),
        }
    }
}
