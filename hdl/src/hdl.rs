//! One import for every module of this crate.

pub use weft_rtl::prelude::*;

/// `block!({ ports, signals, cells } { constants: with values })`: the body of a block's `Default`.
macro_rules! block {
    ({ $($f:ident),* $(,)? } { $($c:ident: $v:expr),* $(,)? }) => {
        Self { $($f: Default::default(),)* $($c: $v,)* }
    };
}
pub(crate) use block;
