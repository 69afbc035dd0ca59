//! Accesses at the spill port.

use weft_ports::control::Outputs;

/// One access, as the request port shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    pub write: bool,
    pub address: u32,
    pub data: u128,
    pub tag: u16,
    pub last: bool,
}

impl Request {
    pub fn offered(o: &Outputs) -> Option<Request> {
        o.spill_request_valid.then_some(Request {
            write: o.spill_request_write,
            address: o.spill_request_address,
            data: o.spill_request_data,
            tag: o.spill_request_tag,
            last: o.spill_request_last,
        })
    }
}
