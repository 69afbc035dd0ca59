//! Files for hosts, of a unit with a host port: its registers, and of `gpu` the driver in C that uses them.

use super::{File, Request};
use weft_generate::Unit;
use weft_protocol::{c_header, json, litex_csv, svd, systemrdl, Block, Sizes};

/// None: the unit has no registers.
pub(super) fn files(request: &Request, about: &[String]) -> Vec<File> {
    let name = match request.unit {
        Unit::Gpu => "gpu",
        Unit::Sm => "sm",
        _ => return Vec::new(),
    };
    let blocks = weft_protocol::blocks();
    let block: &Block = blocks.iter().find(|b| b.name == name).expect("a block");
    let of_gpu = |parameter: &str| match request.unit {
        Unit::Gpu => request.design.value(parameter) as u32,
        _ => 0,
    };
    let sizes = Sizes {
        channels: of_gpu("channels"),
        sms: of_gpu("sms"),
    };
    let top = request.design.top();
    let file = |end: &str, text: String| (format!("{top}.regs.{end}"), text);
    let mut files = vec![
        file("h", c_header(block, sizes)),
        file("rdl", systemrdl(block, sizes)),
        file("svd", svd(block, sizes)),
        file("json", json(block, sizes, about)),
        file("csv", litex_csv(block, sizes, 0)),
    ];
    if request.unit == Unit::Gpu {
        files.push(("weft_gpu.h".into(), weft_driver_bare::HEADER.into()));
        files.push(("weft_gpu.c".into(), weft_driver_bare::SOURCE.into()));
        files.push(("weft_print.c".into(), weft_driver_bare::PRINT.into()));
    }
    files
}
