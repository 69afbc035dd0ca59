//! Where ports stand among the words that a library takes and gives.

use weft_verilog::TopPort;

/// A port among the words of its direction.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: String,
    pub input: bool,
    pub width: usize,
    /// Index of its first word.
    pub at: usize,
}

/// The places of these ports, in their order without the clock.
pub fn places(ports: &[TopPort]) -> Vec<Place> {
    let mut next = [0, 0];
    let mut places = Vec::new();
    for port in ports.iter().filter(|p| p.name != "clock") {
        let next = &mut next[usize::from(port.input)];
        places.push(Place {
            name: port.name.clone(),
            input: port.input,
            width: port.width,
            at: *next,
        });
        *next += port.width.div_ceil(64);
    }
    places
}
