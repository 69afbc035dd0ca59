//! The memory system of the SM.
//!
//! Spec: `docs/spec/memory.md`.
//!
//! | module | what it is |
//! |---|---|
//! | [`side`] | all of it that an SM has, as one block: wiring |
//! | [`lsu`] | load/store unit: wiring and order of what follows up to `scratchpad` |
//! | [`pass_queue`] | passes that wait, in block RAM |
//! | [`lane_address`] | windows and alignment of one lane's address |
//! | [`gather`] | the lanes of a pass that are served as one access |
//! | [`lines`] | lines under way: who waits for whom |
//! | [`store_beat`] | lanes' data as a beat of a burst |
//! | [`align`] | beats and words as the lanes' values |
//! | [`rows`] | rows under way: results and instructions that are complete |
//! | [`faults`] | the fault of an instruction |
//! | [`pending`] | accesses under way, by warp |
//! | [`reservations`] | LR and SC |
//! | [`modify`] | the words that AMOs change, a lane in each cycle |
//! | [`atomic`] | what an AMO writes |
//! | [`exclusive`] | AMOs and SCs under way |
//! | [`scratchpad`] | banks on chip |
//! | [`buffers`] | two places between blocks |
//! | [`axi`] | memory port: AXI4 manager of data, instruction lines and tokens |
//! | [`data_cache`] | data cache or none: [`cache`], of ways (`cache_way`) |
//! | [`arbiter`] | several managers become one |
//! | [`bus_watch`] | a time-out at the memory |
//! | [`atomic_lock`] | whose atomic operations go now |
//! | [`l2`] | lines that SMs share |
//! | [`line_cache`] | instruction lines |
//! | [`word_port`] | AXI4 manager of the word requests of front end and task management |

pub mod align;
pub mod arbiter;
pub mod atomic;
pub mod atomic_lock;
pub mod axi;
pub mod buffers;
pub mod bus_watch;
mod byte_ram;
pub mod cache;
mod cache_way;
pub mod completion;
pub mod data_cache;
pub mod exclusive;
pub mod faults;
pub mod gather;
mod join;
pub mod l2;
pub mod lane_address;
pub mod line_cache;
pub mod lines;
pub mod load_lane;
pub mod lsu;
pub mod modify;
pub mod pass_queue;
pub mod pending;
pub mod replies;
pub mod reservations;
pub mod rows;
pub mod scratchpad;
pub mod side;
pub mod store_beat;
pub mod store_lane;
pub mod token_port;
pub mod word_port;

pub use byte_ram::ByteRam;
pub use join::Join;
