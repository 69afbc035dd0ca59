//! Which device there is, and its sizes: `WEFT_DEVICE`, `WEFT_SIZE`, `WEFT_LIMIT`.

use weft_sim::host::Size;
use weft_testbench::gpu::device::TINY;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    Golden,
    Verilated,
}

/// What a device is made like.
#[derive(Clone, Debug)]
pub struct Model {
    pub engine: Engine,
    pub size: Size,
    /// Bytes of memory for buffers; programs, stacks and tokens have theirs beside it.
    pub global: u32,
    /// Bytes of the largest buffer.
    pub largest: u32,
    /// Bytes of stack of a work-item at most.
    pub stack: u32,
    /// Warp instructions of a launch, after which it is given up.
    pub limit: u64,
}

impl Model {
    /// As the environment says.
    ///
    /// # Errors
    /// A value that says nothing.
    pub fn of_environment() -> Result<Model, String> {
        Model::of(|name| std::env::var(name).ok())
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> Result<Model, String> {
        let name = variable("WEFT_DEVICE").unwrap_or_default();
        let mut model = match name.as_str() {
            "" | "golden" => Model {
                engine: Engine::Golden,
                size: Size {
                    scratchpad: 32 << 10,
                    ..Size::default()
                },
                global: 256 << 20,
                largest: 128 << 20,
                stack: 16 << 10,
                limit: 1_000_000_000,
            },
            "verilated" => Model {
                engine: Engine::Verilated,
                size: TINY,
                global: 32 << 20,
                largest: 16 << 20,
                stack: 4 << 10,
                limit: 40_000_000,
            },
            other => return Err(format!("WEFT_DEVICE={other}: golden or verilated")),
        };
        if let Some(size) = variable("WEFT_SIZE") {
            let sides = size.split_once('x');
            let sides = sides.and_then(|(w, t)| Some((w.parse().ok()?, t.parse().ok()?)));
            let fits = |&(warps, threads): &(usize, usize)| {
                (1..=64).contains(&warps)
                    && (4..=64).contains(&threads)
                    && threads.is_power_of_two()
            };
            let (warps, threads) = sides.filter(fits).ok_or_else(|| {
                format!("WEFT_SIZE={size}: WARPSxTHREADS, 1 to 64 and 4 to 64, a power of two")
            })?;
            model.size = Size {
                warps,
                threads,
                lanes: threads.min(8),
                ..model.size
            };
        }
        if let Some(limit) = variable("WEFT_LIMIT") {
            let number = limit.replace('_', "").parse().ok().filter(|&n| n > 0);
            model.limit = number
                .ok_or_else(|| format!("WEFT_LIMIT={limit}: a number of warp instructions"))?;
        }
        model.size = model.size.with_float();
        Ok(model)
    }

    pub fn name(&self) -> &'static str {
        match self.engine {
            Engine::Golden => "Weft golden",
            Engine::Verilated => "Weft verilated",
        }
    }

    /// Work-items of a work-group at most.
    pub fn group(&self) -> u32 {
        (self.size.warps * self.size.threads) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_which() {
        let of = |pairs: &[(&str, &str)]| {
            Model::of(|name| {
                let found = pairs.iter().find(|(of, _)| *of == name);
                found.map(|(_, value)| value.to_string())
            })
        };
        let golden = of(&[]).unwrap();
        assert_eq!((golden.engine, golden.group()), (Engine::Golden, 512));
        let tiny = of(&[("WEFT_DEVICE", "verilated"), ("WEFT_LIMIT", "1_000")]).unwrap();
        assert_eq!((tiny.group(), tiny.limit), (16, 1000));
        assert_eq!(of(&[("WEFT_SIZE", "8x8")]).unwrap().group(), 64);
        for wrong in [
            ("WEFT_DEVICE", "gold"),
            ("WEFT_SIZE", "8"),
            ("WEFT_SIZE", "8x12"),
            ("WEFT_LIMIT", "0"),
        ] {
            let said = of(&[wrong]).unwrap_err();
            assert!(said.starts_with(wrong.0), "{said}");
        }
    }
}
