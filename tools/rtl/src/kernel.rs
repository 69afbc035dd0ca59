//! A kernel in parts, and clock and hold lines by rule: what `#[module]` writes calls (`weft-rtl-macros`).
//!
//! A part is what `#[hdl_gen]` makes of one function.
//! A kernel that is too long for one reading has several, each with a name, maybe in a file of its own;
//! they follow each other in the order in which `#[module(kernel(…))]` names them, as if they were written in one.

use rust_hdl_core::ast::{Verilog, VerilogExpression, VerilogStatement};
use rust_hdl_core::prelude::{logic, Clock, Synth};
use rust_hdl_widgets::prelude::DFF;

/// The name of the part of a kernel that has only one.
pub struct Whole;

/// A part of a kernel. Its three functions are those of `Logic`, and are written by `#[hdl_gen]`.
pub trait Part<NAME = Whole> {
    fn update(&mut self);
    fn connect(&mut self);
    fn hdl(&self) -> Verilog;
}

/// A block with a clock that the block around it drives; or one without, for which nothing is done.
pub trait Clocked {
    fn drive_clock(&mut self, _clock: Clock) {}
    fn connect_clock(&mut self) {}
    /// The same as statements. `name`: of the instance.
    fn clock_hdl(&self, _name: &str, _code: &mut Vec<VerilogStatement>) {}
}

/// A register, or several, with the value of the former cycle if nothing else is said.
pub trait Held: Clocked {
    fn hold(&mut self);
    fn connect_hold(&mut self);
    /// The same as statements. `name`: of the instance.
    fn hold_hdl(&self, name: &str, code: &mut Vec<VerilogStatement>);
}

impl<T: Synth> Clocked for DFF<T> {
    fn drive_clock(&mut self, clock: Clock) {
        self.clock.next = clock;
    }
    fn connect_clock(&mut self) {
        logic::logic_connect_fn(&mut self.clock);
    }
    fn clock_hdl(&self, name: &str, code: &mut Vec<VerilogStatement>) {
        code.push(assigned(&format!("{name}$clock"), "clock"));
    }
}

impl<T: Synth> Held for DFF<T> {
    fn hold(&mut self) {
        self.d.next = self.q.val();
    }
    fn connect_hold(&mut self) {
        logic::logic_connect_fn(&mut self.d);
    }
    fn hold_hdl(&self, name: &str, code: &mut Vec<VerilogStatement>) {
        code.push(assigned(&format!("{name}$d"), &format!("{name}$q")));
    }
}

/// Arrays and vectors: each of their members, named by its index.
macro_rules! each {
    ($list:ty, $($n:tt)*) => {
        impl<T: Clocked, $($n)*> Clocked for $list {
            fn drive_clock(&mut self, clock: Clock) {
                self.iter_mut().for_each(|x| x.drive_clock(clock));
            }
            fn connect_clock(&mut self) {
                self.iter_mut().for_each(Clocked::connect_clock);
            }
            fn clock_hdl(&self, name: &str, code: &mut Vec<VerilogStatement>) {
                for (n, x) in self.iter().enumerate() {
                    x.clock_hdl(&format!("{name}${n}"), code);
                }
            }
        }
        impl<T: Held, $($n)*> Held for $list {
            fn hold(&mut self) {
                self.iter_mut().for_each(Held::hold);
            }
            fn connect_hold(&mut self) {
                self.iter_mut().for_each(Held::connect_hold);
            }
            fn hold_hdl(&self, name: &str, code: &mut Vec<VerilogStatement>) {
                for (n, x) in self.iter().enumerate() {
                    x.hold_hdl(&format!("{name}${n}"), code);
                }
            }
        }
    };
}
each!([T; N], const N: usize);
each!(Vec<T>,);

/// `target = value`, two signals by their names.
pub fn assigned(target: &str, value: &str) -> VerilogStatement {
    let signal = |name: &str| VerilogExpression::Signal(name.into());
    VerilogStatement::Assignment(signal(target), signal(value))
}

/// The statements of a part.
///
/// # Panics
/// The part is not written by `#[hdl_gen]`.
pub fn statements(part: Verilog) -> Vec<VerilogStatement> {
    match part {
        Verilog::Combinatorial(code) => code,
        _ => panic!("a part of a kernel that #[hdl_gen] has not written"),
    }
}
