//! One import for every module of this crate.

pub use weft_rtl::prelude::*;

/// `block!({ ports, signals, cells } { constants: with values })`: the body of a block's `Default`.
macro_rules! block {
    ({ $($f:ident),* $(,)? } { $($c:ident: $v:expr),* $(,)? }) => {
        Self { $($f: Default::default(),)* $($c: $v,)* }
    };
}
pub(crate) use block;

/// A block that `#[module]` has not written, inside one that it has: its clock is driven.
macro_rules! clocked {
    ($block:ident<$($parameter:ident),*>) => {
        impl<$(const $parameter: usize),*> kernel::Clocked for $block<$($parameter),*> {
            fn drive_clock(&mut self, clock: Clock) {
                self.clock.next = clock;
            }
            fn connect_clock(&mut self) {
                logic::logic_connect_fn(&mut self.clock);
            }
            fn clock_hdl(&self, name: &str, code: &mut Vec<ast::VerilogStatement>) {
                code.push(kernel::assigned(&format!("{name}$clock"), "clock"));
            }
        }
    };
}
pub(crate) use clocked;
