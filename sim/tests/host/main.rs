//! The work queue (docs/spec/host.md, tasks.md, queue.md): channels and tasks alone, where the bench says when a CTA
//! ends, and with machines that run the CTAs.

mod bench;
mod channels;
mod domains;
mod doorbells;
mod fields;
mod judge;
mod machines;
mod mutations;
mod placement;
mod random;
mod threads;
