//! Any simulated design through flat arrays of words: ports are found by name.

use super::error::{DutError, RtlKind};
use super::faults;
use super::library::{library, Library, Wanted};
use super::place::Place;
use super::stand_in;
use std::ffi::{c_int, c_void, CString};
use std::path::Path;
use std::sync::Arc;
use weft_generate::Design;

/// A struct of ports, found by their names.
macro_rules! ports {
    ($name:ident, $kind:ident, $find:ident: $($port:ident)*) => {
        pub struct $name { $(pub $port: $crate::rtl::model::$kind,)* }

        impl $name {
            pub fn of(model: &$crate::rtl::model::Model) -> $name {
                $name { $($port: model.$find(stringify!($port)),)* }
            }
        }
    };
}
pub(crate) use ports;

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

/// How to open a design.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// A deliberately broken copy of this name; Verilated only.
    pub fault: Option<&'a str>,
    /// Verilated only: ≠ 0 fills state that has no initial value at random.
    pub seed: u32,
    /// Write waves (VCD) there.
    pub wave: Option<&'a Path>,
    /// First cycle of the waves; Verilated only.
    pub wave_from: u64,
}

/// A simulated design.
pub struct Model {
    library: Arc<Library>,
    name: String,
    /// Never null; used by the thread that made it only (the raw pointer keeps `Model` from being `Send`).
    raw: *mut c_void,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl Model {
    /// Opens a design; what its simulation needs is made first if this was never done.
    ///
    /// # Errors
    /// There is no such broken copy, the simulation cannot be made, or the file for the waves cannot be written.
    pub fn open(kind: RtlKind, design: &Design, options: &Options) -> Result<Model, DutError> {
        let fault = match options.fault {
            Some(name) => {
                faults::number(design, name).ok_or_else(|| DutError::NoFault(name.into()))?
            }
            None if kind == RtlKind::Verilated => {
                stand_in::of(design).map_or(0, |given| given.copy as usize)
            }
            None => 0,
        };
        let library = library(&Wanted {
            kind,
            design: design.clone(),
            breakable: options.fault.is_some(),
            waves: options.wave.is_some() && kind == RtlKind::Verilated,
        })?;
        let words = |input| {
            let places = library.places.iter().filter(|p| p.input == input);
            places
                .map(|p| p.at + p.width.div_ceil(64))
                .max()
                .unwrap_or(0)
        };
        let (inputs, outputs) = (vec![0; words(true)], vec![0; words(false)]);
        // Verilator reads the seed as a positive `int`.
        // SAFETY: the constructor has no preconditions.
        let raw = unsafe { (library.new)((options.seed & 0x7fff_ffff) as c_int, fault as c_int) };
        let mut model = Model {
            library,
            name: design.to_string(),
            raw,
            inputs,
            outputs,
        };
        if let Some(path) = options.wave {
            model.open_wave(path, options.wave_from)?;
        }
        model.settle();
        Ok(model)
    }

    fn open_wave(&mut self, path: &Path, from: u64) -> Result<(), DutError> {
        let fail = |e| DutError::Wave(path.display().to_string(), e);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        // It says why a file cannot be written, which the writer of the waves does not.
        std::fs::File::create(path).map_err(fail)?;
        let name = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|e| fail(e.into()))?;
        // SAFETY: the model is alive, the name a C string.
        match unsafe { (self.library.wave)(self.raw, name.as_ptr(), from) } {
            0 => Ok(()),
            error => Err(fail(std::io::Error::from_raw_os_error(error))),
        }
    }

    fn port(&self, name: &str, input: bool) -> &Place {
        let found = self.library.places.iter().find(|p| p.name == name);
        found.filter(|p| p.input == input).unwrap_or_else(|| {
            let direction = if input { "input" } else { "output" };
            panic!("{} has no {direction} `{name}`", self.name)
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

    /// Words of 64 bits that the port has.
    pub fn words(&self, port: In) -> usize {
        port.width.div_ceil(64)
    }

    /// The low word first; what is above the port's width must be 0.
    pub fn set_words(&mut self, port: In, words: &[u64]) {
        let all = port.width.div_ceil(64);
        self.inputs[port.at..port.at + all].copy_from_slice(words);
    }

    /// The low word first; words that the port does not have are left out.
    ///
    /// # Panics
    /// When the value has more bits than the port.
    pub fn set_wide(&mut self, port: In, value: u128) {
        assert!(
            port.width >= 128 || value >> port.width == 0,
            "{value:#x} in {} bits",
            port.width
        );
        self.inputs[port.at] = value as u64;
        if port.width > 64 {
            self.inputs[port.at + 1] = (value >> 64) as u64;
        }
    }

    pub fn get(&self, port: Out) -> u64 {
        self.outputs[port.at]
    }

    pub fn get_words(&self, port: Out) -> &[u64] {
        &self.outputs[port.at..port.at + port.words]
    }

    /// At most 128 bits.
    pub fn get_wide(&self, port: Out) -> u128 {
        let words = self.get_words(port).iter().rev();
        words.fold(0, |value, word| value << 64 | u128::from(*word))
    }

    /// All outputs as they are now.
    pub fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    /// Evaluates the logic behind the inputs.
    pub fn settle(&mut self) {
        // SAFETY: the arrays have the lengths that the ports of the model need; the model is alive.
        unsafe {
            (self.library.settle)(self.raw, self.inputs.as_ptr(), self.outputs.as_mut_ptr());
        }
    }

    /// A clock edge with the inputs of the last [`settle`](Self::settle).
    /// The outputs are then those of the new state with these inputs.
    ///
    /// # Panics
    /// When an assertion in the Verilog fails.
    pub fn edge(&mut self) {
        // SAFETY: the model is alive; the outputs have the length that it needs.
        let failed = unsafe {
            (self.library.edge)(self.raw, self.outputs.as_mut_ptr());
            (self.library.failed)(self.raw)
        };
        assert!(
            failed == 0,
            "the Verilog executed $stop or $finish, or an assertion failed"
        );
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: made by `new`, deleted once.
        unsafe { (self.library.delete)(self.raw) };
    }
}
