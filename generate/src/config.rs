//! Sizes of what has a token window, in four numbers, and the named configurations.

/// Warps, threads per warp, and the token window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    pub warps: usize,
    pub threads: usize,
    /// K, places of the front ring of the token window.
    pub front: usize,
    /// B, places of its back ring.
    pub back: usize,
}

impl std::fmt::Display for Config {
    /// `16x32k8b2`: warps, threads, front and back places.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}x{}k{}b{}",
            self.warps, self.threads, self.front, self.back
        )
    }
}

impl Config {
    /// Named configurations. Every unit comes in each of them, but for what [`Unit`](crate::Unit) says is impossible.
    pub const NAMED: [(&'static str, Config); 5] = [
        ("tiny", Config::new(4, 4, 4, 2)),
        ("compact", Config::new(8, 4, 4, 2)),
        ("small", Config::new(8, 8, 4, 1)),
        ("default", Config::new(16, 32, 8, 2)),
        ("max", Config::new(32, 32, 8, 2)),
    ];

    pub const fn new(warps: usize, threads: usize, front: usize, back: usize) -> Config {
        Config {
            warps,
            threads,
            front,
            back,
        }
    }

    /// With the usual token window of so many warps and threads: that of the named configuration, else 4 and 2 places
    /// up to 16 threads, 8 and 2 above.
    pub fn usual(warps: usize, threads: usize) -> Config {
        let alike = |c: &Config| (c.warps, c.threads) == (warps, threads);
        let mut named = Config::NAMED.iter().map(|(_, config)| *config);
        named.find(alike).unwrap_or(match threads {
            0..=16 => Config::new(warps, threads, 4, 2),
            _ => Config::new(warps, threads, 8, 2),
        })
    }
}

impl std::str::FromStr for Config {
    type Err = String;

    /// `16x32k8b2`, or `16x32` with the [usual](Config::usual) window.
    fn from_str(text: &str) -> Result<Config, String> {
        let number = |text: &str| text.parse::<usize>().ok();
        let parsed = text.split_once('x').and_then(|(warps, rest)| {
            let warps = number(warps)?;
            let Some((threads, window)) = rest.split_once('k') else {
                return Some(Config::usual(warps, number(rest)?));
            };
            let (front, back) = window.split_once('b')?;
            Some(Config::new(
                warps,
                number(threads)?,
                number(front)?,
                number(back)?,
            ))
        });
        parsed.ok_or_else(|| {
            "write WARPSxTHREADS or WARPSxTHREADSkFRONTbBACK, such as 16x32k8b2".into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_written_as_it_is_read() {
        for size in [Config::new(4, 4, 2, 1), Config::new(12, 1, 3, 5)] {
            assert_eq!(size.to_string().parse(), Ok(size));
        }
        assert_eq!("16x32".parse(), Ok(Config::new(16, 32, 8, 2)));
        assert_eq!("8x8".parse(), Ok(Config::new(8, 8, 4, 1)));
        assert_eq!("4x16".parse(), Ok(Config::new(4, 16, 4, 2)));
        for wrong in ["", "16", "16x", "x32", "16x32k8", "16x32kb", "16x32k8b2x"] {
            let error = wrong.parse::<Config>().unwrap_err();
            assert!(error.contains("16x32k8b2"), "{wrong}: {error}");
        }
    }
}
