//! Any exported top under Verilator through flat arrays of words (build/flat.rs): ports are found by name.

use crate::dut::DutError;
use crate::wave::Wave;
use std::ffi::{c_int, c_void};
use std::path::Path;
use verilated::vcd::VcdC;

struct Model {
    top: &'static str,
    size: &'static str,
    /// Name, and what it breaks.
    fault: Option<(&'static str, &'static str)>,
    new: unsafe extern "C" fn(c_int) -> *mut c_void,
    delete: unsafe extern "C" fn(*mut c_void),
    settle: unsafe extern "C" fn(*mut c_void, *const u64, *mut u64),
    read: unsafe extern "C" fn(*mut c_void, *mut u64),
    rise: unsafe extern "C" fn(*mut c_void),
    fall: unsafe extern "C" fn(*mut c_void),
    failed: unsafe extern "C" fn(*mut c_void) -> c_int,
    trace: unsafe extern "C" fn(*mut c_void, *mut VcdC),
    ports: &'static [Port],
}

struct Port {
    name: &'static str,
    input: bool,
    width: usize,
    /// Index of its first word among the inputs or the outputs.
    at: usize,
}

include!(concat!(env!("OUT_DIR"), "/flat.rs"));

/// A struct of ports, found by their names.
macro_rules! ports {
    ($name:ident, $kind:ident, $find:ident: $($port:ident)*) => {
        pub struct $name { $(pub $port: $crate::issue::flat::$kind,)* }

        impl $name {
            pub fn of(flat: &$crate::issue::flat::Flat) -> $name {
                $name { $($port: flat.$find(stringify!($port)),)* }
            }
        }
    };
}
pub(crate) use ports;

/// Sizes of this top that were compiled in.
pub fn sizes(top: &str) -> impl Iterator<Item = &'static str> + '_ {
    let sound = MODELS.iter().filter(|m| m.fault.is_none());
    sound.filter(move |m| m.top == top).map(|m| m.size)
}

/// Broken copies of this top: size, name, and what it breaks.
pub fn faults(top: &str) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> + '_ {
    let of_top = MODELS.iter().filter(move |m| m.top == top);
    of_top.filter_map(|m| m.fault.map(|(name, breaks)| (m.size, name, breaks)))
}

/// An input of one design.
#[derive(Clone, Copy, Debug)]
pub struct In {
    at: usize,
    width: usize,
}

/// An output of one design.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    at: usize,
    words: usize,
}

/// A Verilated design.
pub struct Flat {
    model: &'static Model,
    /// Never null; used by the thread that made it only (the raw pointer keeps `Flat` from being `Send`).
    raw: *mut c_void,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    wave: Wave,
}

impl Flat {
    /// `fault`: a deliberately broken copy. `seed` ≠ 0: random start values for state without an initial value. `wave`: writes
    /// a VCD file from the first cycle on. `None`: no such model was compiled in.
    pub fn open(
        top: &str,
        size: &str,
        fault: Option<&str>,
        seed: u32,
        wave: Option<&Path>,
    ) -> Option<Result<Flat, DutError>> {
        let model = MODELS
            .iter()
            .find(|m| m.top == top && m.size == size && m.fault.map(|f| f.0) == fault)?;
        Some(Flat::new(model, seed, wave))
    }

    /// The waves begin in this cycle.
    pub fn waves_from(&mut self, cycle: u64) {
        self.wave.begin(cycle);
    }

    fn new(model: &'static Model, seed: u32, wave: Option<&Path>) -> Result<Flat, DutError> {
        let words = |input| {
            let ports = model.ports.iter().filter(|p| p.input == input);
            ports.map(|p| p.at + p.width.div_ceil(64)).max()
        };
        // Verilator reads the seed as a positive `int`.
        // SAFETY: the constructor has no preconditions.
        let raw = unsafe { (model.new)((seed & 0x7fff_ffff) as c_int) };
        let mut flat = Flat {
            model,
            raw,
            inputs: vec![0; words(true).unwrap_or(0)],
            outputs: vec![0; words(false).unwrap_or(0)],
            wave: Wave::default(),
        };
        // SAFETY: both objects are alive, and the file is not open yet.
        flat.wave = Wave::open(wave, |vcd| unsafe { (model.trace)(raw, vcd) })?;
        flat.settle();
        Ok(flat)
    }

    fn port(&self, name: &str, input: bool) -> &'static Port {
        let found = self.model.ports.iter().find(|p| p.name == name);
        found.filter(|p| p.input == input).unwrap_or_else(|| {
            panic!(
                "{} ({}) has no {} `{name}`",
                self.model.top,
                self.model.size,
                if input { "input" } else { "output" }
            )
        })
    }

    /// # Panics
    /// When there is no such input.
    pub fn input(&self, name: &str) -> In {
        let port = self.port(name, true);
        In {
            at: port.at,
            width: port.width,
        }
    }

    /// # Panics
    /// When there is no such output.
    pub fn output(&self, name: &str) -> Out {
        let port = self.port(name, false);
        Out {
            at: port.at,
            words: port.width.div_ceil(64),
        }
    }

    /// # Panics
    /// When the value has more bits than the port.
    pub fn set(&mut self, port: In, value: u64) {
        assert!(
            port.width >= 64 || value >> port.width == 0,
            "{value:#x} in {} bits",
            port.width
        );
        self.inputs[port.at] = value;
    }

    /// The low word first; what is above the port's width must be 0.
    pub fn set_words(&mut self, port: In, words: &[u64]) {
        let all = port.width.div_ceil(64);
        self.inputs[port.at..port.at + all].copy_from_slice(words);
    }

    pub fn get(&self, port: Out) -> u64 {
        self.outputs[port.at]
    }

    pub fn get_words(&self, port: Out) -> &[u64] {
        &self.outputs[port.at..port.at + port.words]
    }

    /// All outputs as they are now.
    pub fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    /// Evaluates the logic behind the inputs.
    pub fn settle(&mut self) {
        // SAFETY: the arrays have the lengths that the ports of the model need; the model is alive.
        unsafe {
            (self.model.settle)(self.raw, self.inputs.as_ptr(), self.outputs.as_mut_ptr());
        }
    }

    /// A clock edge with the inputs of the last [`settle`](Self::settle). The outputs are then those of the new state with these
    /// inputs.
    pub fn edge(&mut self) {
        self.wave.dump();
        // SAFETY: the model is alive.
        unsafe { (self.model.rise)(self.raw) };
        self.wave.dump();
        // SAFETY: as above; the outputs have the length that the model needs.
        unsafe {
            (self.model.read)(self.raw, self.outputs.as_mut_ptr());
            (self.model.fall)(self.raw);
        }
        // SAFETY: as above.
        assert!(
            unsafe { (self.model.failed)(self.raw) } == 0,
            "the Verilog executed $stop or $finish, or an assertion failed"
        );
    }
}

impl Drop for Flat {
    fn drop(&mut self) {
        // The file must be closed while the model it reads is alive.
        self.wave.close();
        // SAFETY: made by `new`, deleted once.
        unsafe { (self.model.delete)(self.raw) };
    }
}
