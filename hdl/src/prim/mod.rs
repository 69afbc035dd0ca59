//! Small cells used by the units.

mod block_ram;
mod cleared_ram;
mod first_one;
mod flags;
mod line_ram;
mod lut_ram;
mod ones;
mod order;
mod pack;
mod pop_count;
mod quarters;
mod rota;
mod successor;
mod sync_ram;
mod warp_queue;

/// What the Verilog of a memory with a registered read port says of its kind.
///
/// Of a small one, of up to 32 words or 16 lines, it says nothing: where there is LUT RAM (ECP5), mappers take one or two
/// rows of its cells, with the read register behind them, and where there is none (iCE40), block RAM.
/// A larger one is block RAM everywhere.
const fn kind_of(small: bool) -> &'static str {
    if small {
        "(* no_rw_check *)"
    } else {
        "(* ram_style = \"block\", no_rw_check *)"
    }
}

pub use block_ram::BlockRam;
pub use cleared_ram::ClearedRam;
pub use first_one::FirstOne;
pub use flags::Flags;
pub use line_ram::LineRam;
pub use lut_ram::LutRam;
pub use ones::Ones;
pub use order::Order;
pub use pack::Pack;
pub use pop_count::PopCount;
pub use quarters::Quarters;
pub use rota::Rota;
pub use successor::Successor;
pub use sync_ram::SyncRam;
pub use warp_queue::WarpQueue;
