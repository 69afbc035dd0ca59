//! The two parts that figures are made for.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use weft_toolbox::Group;

/// A family, with the part and the settings of `docs` figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Lattice ECP5, LFE5U-85F, speed grade 6.
    Ecp5,
    /// Lattice iCE40, HX8K.
    Ice40,
}

impl Target {
    pub const ALL: [Target; 2] = [Target::Ecp5, Target::Ice40];

    /// What installs its place and route, and what packs its bitstreams.
    pub(crate) const fn nextpnr_group(self) -> Group {
        match self {
            Target::Ecp5 => Group::NextpnrEcp5,
            Target::Ice40 => Group::NextpnrIce40,
        }
    }

    /// `ecp5`, as in the commands of Yosys and `weft synth`.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Ecp5 => "ecp5",
            Target::Ice40 => "ice40",
        }
    }

    /// The part as a person writes it.
    pub const fn part(self) -> &'static str {
        match self {
            Target::Ecp5 => "LFE5U-85F CABGA381, speed grade 6",
            Target::Ice40 => "iCE40 HX8K CT256",
        }
    }

    /// Arguments by which nextpnr knows the part. The frequency is a goal for the placer, not a requirement.
    pub(crate) const fn nextpnr_arguments(self) -> &'static [&'static str] {
        match self {
            Target::Ecp5 => &[
                "--85k",
                "--package",
                "CABGA381",
                "--speed",
                "6",
                "--freq",
                "200",
                "--timing-allow-fail",
                "--quiet",
            ],
            Target::Ice40 => &[
                "--hx8k",
                "--package",
                "ct256",
                "--freq",
                "200",
                "--timing-allow-fail",
                "--quiet",
            ],
        }
    }

    /// nextpnr's name for the cell that holds a LUT (and on the iCE40 a flip-flop too).
    pub(crate) const fn logic_cell(self) -> &'static str {
        match self {
            Target::Ecp5 => "TRELLIS_COMB",
            Target::Ice40 => "ICESTORM_LC",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|t| t.name() == name)
            .ok_or_else(|| format!("no target {name:?}; there are ecp5 and ice40"))
    }
}
