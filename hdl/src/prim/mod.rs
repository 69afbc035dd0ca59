//! Small cells used by the units.

mod lut_ram;
mod pop_count;
mod sync_ram;

pub use lut_ram::LutRam;
pub use pop_count::PopCount;
pub use sync_ram::SyncRam;
