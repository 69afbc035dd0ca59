//! Random episodes of task management, by seed and number.

use super::cover::Cover;
use super::device::{Device, Shape};
use super::random::{episode, Options};
use crate::case::case_seed;

/// Shapes, in turn.
pub const SHAPES: [Shape; 4] = [
    Shape {
        slots: 3,
        sms: 2,
        warps: 4,
        threads: 4,
        scratchpad: 1,
        mix: false,
    },
    Shape {
        slots: 1,
        sms: 1,
        warps: 4,
        threads: 4,
        scratchpad: 1,
        mix: false,
    },
    Shape {
        slots: 5,
        sms: 3,
        warps: 4,
        threads: 4,
        scratchpad: 1,
        mix: true,
    },
    Shape {
        slots: 4,
        sms: 7,
        warps: 4,
        threads: 4,
        scratchpad: 1,
        mix: false,
    },
];

/// Runs the episode of this number in lockstep with the model.
///
/// # Errors
/// What is different, and when; or the design cannot be made.
pub fn cosim(seed: u64, index: u64, cover: &mut Cover) -> Result<(), String> {
    let shape = SHAPES[index as usize % SHAPES.len()];
    let seed = case_seed(seed, index);
    let device = Device::open(shape, None, seed as u32).map_err(|e| e.to_string())?;
    let options = Options {
        seed,
        cycles: 12_000,
        mutation: None,
    };
    let covered = episode(device, &options);
    cover.add(&covered.map_err(|e| format!("{shape:?}, {e}"))?);
    Ok(())
}
