//! A block in rust-hdl's own simulator, behind the same C interface as a Verilated model: ports as arrays of 64-bit
//! words.
//!
//! A block that is to be simulated lists its ports once ([`word_ports!`](crate::simulation::word_ports)).
//! The generated crate of a size then names the concrete type in [`library!`](crate::library) and is compiled as a
//! shared library, which `weft-testbench` loads.
//! Inputs and outputs are two arrays of words, each port in ⌈width / 64⌉ of them, in the order of the exported ports
//! without the clock.

use rust_hdl_core::prelude::{Bit, Bits, Block, In, Out, Signal, Synth};
use std::ffi::{c_char, c_int, c_void, CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use weft_rtl::{Bench, TopPort};

/// A value as 64-bit words, the low one first.
pub trait Words: Synth {
    /// What is above the width must be 0.
    fn of_words(words: &[u64]) -> Self;
    fn to_words(self, words: &mut [u64]);
}

impl Words for Bit {
    fn of_words(words: &[u64]) -> Bit {
        words[0] != 0
    }

    fn to_words(self, words: &mut [u64]) {
        words[0] = self.into();
    }
}

impl<const N: usize> Words for Bits<N> {
    fn of_words(words: &[u64]) -> Bits<N> {
        // `Bits` converts no integers wider than 64 bits.
        if N <= 64 {
            return words[0].into();
        }
        let set = |bits: Bits<N>, n: usize| match words[n / 64] >> (n % 64) & 1 {
            0 => bits,
            _ => bits.replace_bit(n, true),
        };
        (0..N).fold(Bits::default(), set)
    }

    fn to_words(self, words: &mut [u64]) {
        if N <= 64 {
            words[0] = self.to_u64();
            return;
        }
        words.fill(0);
        for n in (0..N).filter(|&n| self.get_bit(n)) {
            words[n / 64] |= 1 << (n % 64);
        }
    }
}

/// Sets an input.
pub fn put<T: Words>(port: &mut Signal<In, T>, words: &[u64]) {
    port.next = T::of_words(words);
}

/// Reads an output.
pub fn get<T: Words>(port: &Signal<Out, T>, words: &mut [u64]) {
    port.val().to_words(words);
}

/// A top whose ports have been listed by [`word_ports!`](crate::simulation::word_ports).
pub trait WordPorts: Block + Default {
    /// Names of the inputs but the clock, and of the outputs.
    const INPUTS: &'static [&'static str];
    const OUTPUTS: &'static [&'static str];
    fn clock(&mut self, level: bool);
    /// The words of each input stand at these places.
    fn put(&mut self, places: &[(usize, usize)], words: &[u64]);
    fn get(&self, places: &[(usize, usize)], words: &mut [u64]);
}

/// `Block<PARAMETERS>: inputs but the clock; outputs`: makes it a [`WordPorts`]. `bundle.field` is a port of a bundle.
macro_rules! word_ports {
    ($block:ident<$($parameter:ident),*>: $($input:ident $(. $in_field:ident)?)*; $($output:ident $(. $out_field:ident)?)*) => {
        impl<$(const $parameter: usize),*> $crate::simulation::WordPorts for $block<$($parameter),*> {
            const INPUTS: &'static [&'static str] = &[$(concat!(stringify!($input) $(, "_", stringify!($in_field))?)),*];
            const OUTPUTS: &'static [&'static str] = &[$(concat!(stringify!($output) $(, "_", stringify!($out_field))?)),*];

            fn clock(&mut self, level: bool) {
                self.clock.next = level.into();
            }

            fn put(&mut self, places: &[(usize, usize)], words: &[u64]) {
                let mut places = places.iter();
                $(if let Some(&(at, end)) = places.next() {
                    $crate::simulation::put(&mut self.$input $(.$in_field)?, &words[at..end]);
                })*
            }

            fn get(&self, places: &[(usize, usize)], words: &mut [u64]) {
                let mut places = places.iter();
                $(if let Some(&(at, end)) = places.next() {
                    $crate::simulation::get(&self.$output $(.$out_field)?, &mut words[at..end]);
                })*
            }
        }
    };
}
pub(crate) use word_ports;

/// A block in rust-hdl's simulator, and where its ports stand among the words.
pub struct Simulated<B: WordPorts> {
    bench: Bench<B>,
    inputs: Vec<(usize, usize)>,
    outputs: Vec<(usize, usize)>,
    words: (usize, usize),
}

impl<B: WordPorts> Simulated<B> {
    /// # Panics
    /// When the list of ports is not that of the block.
    pub fn new() -> Self {
        let block = B::default();
        let ports: Vec<_> = weft_rtl::top_ports(&block)
            .into_iter()
            .filter(|p| p.name != "clock")
            .collect();
        let (inputs, of_inputs) = places(&ports, true, B::INPUTS);
        let (outputs, of_outputs) = places(&ports, false, B::OUTPUTS);
        Simulated {
            bench: Bench::new(block, B::clock),
            inputs,
            outputs,
            words: (of_inputs, of_outputs),
        }
    }

    fn settle(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.bench.uut.put(&self.inputs, inputs);
        self.bench.settle();
        self.bench.uut.get(&self.outputs, outputs);
    }

    fn edge(&mut self, outputs: &mut [u64]) {
        self.bench.edge();
        self.bench.uut.get(&self.outputs, outputs);
    }
}

impl<B: WordPorts> Default for Simulated<B> {
    fn default() -> Self {
        Self::new()
    }
}

/// First word and end of each of these ports, and the number of words of all.
fn places(ports: &[TopPort], input: bool, names: &[&str]) -> (Vec<(usize, usize)>, usize) {
    let mut end = 0;
    let all: Vec<_> = ports
        .iter()
        .filter(|p| p.input == input)
        .map(|p| {
            let at = end;
            end += p.width.div_ceil(64);
            (p.name.as_str(), (at, end))
        })
        .collect();
    assert_eq!(
        all.len(),
        names.len(),
        "word_ports! lists other ports than {all:?}"
    );
    let place = |name: &&str| {
        let found = all.iter().find(|(n, _)| n == name);
        found
            .unwrap_or_else(|| panic!("word_ports! lists {name}"))
            .1
    };
    (names.iter().map(place).collect(), end)
}

/// The functions behind the C interface. All pointers are to what [`new`](library::new) has made.
#[doc(hidden)]
#[allow(clippy::missing_safety_doc)]
pub mod library {
    use super::*;

    pub fn new<B: WordPorts>() -> *mut c_void {
        Box::into_raw(Box::new(Simulated::<B>::new())).cast()
    }

    pub unsafe fn delete<B: WordPorts>(model: *mut c_void) {
        drop(unsafe { Box::from_raw(model.cast::<Simulated<B>>()) });
    }

    pub unsafe fn settle<B: WordPorts>(model: *mut c_void, inputs: *const u64, outputs: *mut u64) {
        let simulated = unsafe { &mut *model.cast::<Simulated<B>>() };
        let (ins, outs) = simulated.words;
        let (inputs, outputs) = unsafe {
            (
                std::slice::from_raw_parts(inputs, ins),
                std::slice::from_raw_parts_mut(outputs, outs),
            )
        };
        simulated.settle(inputs, outputs);
    }

    pub unsafe fn edge<B: WordPorts>(model: *mut c_void, outputs: *mut u64) {
        let simulated = unsafe { &mut *model.cast::<Simulated<B>>() };
        let outputs = unsafe { std::slice::from_raw_parts_mut(outputs, simulated.words.1) };
        simulated.edge(outputs);
    }

    pub unsafe fn wave<B: WordPorts>(model: *mut c_void, path: *const c_char, _from: u64) -> c_int {
        let simulated = unsafe { &mut *model.cast::<Simulated<B>>() };
        let path = OsStr::from_bytes(unsafe { CStr::from_ptr(path) }.to_bytes());
        match simulated.bench.open_wave(path.as_ref()) {
            Ok(()) => 0,
            Err(error) => error.raw_os_error().unwrap_or(-1),
        }
    }
}

/// The C interface of a simulated block, for a crate that is compiled as a shared library.
#[macro_export]
macro_rules! library {
    ($block:ty) => {
        use std::ffi::{c_char, c_int, c_void};
        use $crate::simulation::library;

        #[no_mangle]
        pub extern "C" fn weft_new(_seed: c_int, _fault: c_int) -> *mut c_void {
            library::new::<$block>()
        }
        #[no_mangle]
        pub unsafe extern "C" fn weft_delete(model: *mut c_void) {
            unsafe { library::delete::<$block>(model) }
        }
        #[no_mangle]
        pub unsafe extern "C" fn weft_settle(
            model: *mut c_void,
            inputs: *const u64,
            outputs: *mut u64,
        ) {
            unsafe { library::settle::<$block>(model, inputs, outputs) }
        }
        #[no_mangle]
        pub unsafe extern "C" fn weft_edge(model: *mut c_void, outputs: *mut u64) {
            unsafe { library::edge::<$block>(model, outputs) }
        }
        #[no_mangle]
        pub unsafe extern "C" fn weft_wave(
            model: *mut c_void,
            path: *const c_char,
            from: u64,
        ) -> c_int {
            unsafe { library::wave::<$block>(model, path, from) }
        }
        #[no_mangle]
        pub extern "C" fn weft_failed(_model: *mut c_void) -> c_int {
            0
        }
    };
}
