//! The seven kernels of `kernels/masks/` from C, lowered in three styles, beside those written by hand.

use crate::run::{run, Run};
use crate::support::styles::{by_hand, from_c, KERNELS};
use weft_compiler::{compile, Options};

/// A kernel in all styles: written by hand, and by the compiler.
pub struct Style {
    pub name: &'static str,
    pub by_hand: Vec<(&'static str, Run)>,
    pub from_c: Vec<(&'static str, Run)>,
}

pub fn measure() -> Result<Vec<Style>, String> {
    let mut found = Vec::new();
    for (name, _) in KERNELS {
        let mut hand = Vec::new();
        for style in ["token", "exec", "pred"] {
            let subject = by_hand(name, style);
            hand.push((style, run(&subject, &subject.source, 1)?));
        }
        let plain = from_c(name);
        let mut lowered = Vec::new();
        for (way, lower) in crate::kernels::WAYS {
            let options = Options {
                lower,
                whole: true,
                ..Options::default()
            };
            let output = compile(&plain.source, &plain.name, &options);
            let assembly = output.map_err(|e| e.to_string())?.assembly;
            lowered.push((way, run(&plain, &assembly, 1)?));
        }
        for (way, run) in hand.iter().chain(&lowered) {
            if run.outputs != hand[0].1.outputs {
                return Err(format!("{name}, {way}: not what the others compute"));
            }
        }
        found.push(Style {
            name,
            by_hand: hand,
            from_c: lowered,
        });
    }
    Ok(found)
}
