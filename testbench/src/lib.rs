//! Lockstep and co-simulation harness.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`rtl`] | any generated design in simulation, made when it is first opened: the one bridge to Verilator |
//! | [`dut`] | `weft_control` under test, in either simulation |
//! | [`masks`] | the mask unit in either simulation |
//! | [`session`] | one design with its ports, cycle by cycle |
//! | [`lanes`], [`timing`], [`script`] | the datapath's side of the ports: functional lanes, their latencies, lanes by table |
//! | [`memory`] | the token memory behind the spill port, and the checker of its rules |
//! | [`window`], [`registers`] | where tokens stand, by the memory port; random accesses through the configuration port |
//! | [`driver`] | the software side of recentering, for any implementation of its port |
//! | [`monitor`] | protocol monitors of the ports |
//! | [`reference`], [`lockstep`] | what the hardware is compared with, and the comparison at every retired operation |
//! | [`run`], [`report`] | a program on any engine; final comparison of memory, registers and counts |
//! | [`grid`] | grids that are larger than the machine, part by part |
//! | [`files`], [`wave_file`] | files that are there whole or not at all; waves as VCD and FST |
//! | [`stop`] | somebody wants the run to end |
//! | [`gen`], [`case`], [`ops`] | random programs, how to run them, random operations without a program |
//! | [`cosim`], [`minimise`] | many random programs; replay, waves and a small program on a failure |
//! | [`cover`], [`bins`], [`cross`], [`mask_cross`] | coverage: outcomes of operations; operations by where tokens stood, by who is off |
//! | [`barrier`] | the barrier unit in random surroundings, in lockstep with its model |
//! | [`wavefront`] | the wavefront unit: any inputs, and below the lanes; in lockstep with its model |
//! | [`float`] | the float unit: passes as the datapath sends them, each word against the golden model's arithmetic |
//! | [`host`] | the host front end: host, memory and task management around it, in lockstep with its model |
//! | [`instructions`] | each instruction with edge operands, against an independent simulator |
//! | `warps` | the rules of warps at the ports that core and SM share: issue, retire, barrier unit; both judges ask them |
//! | [`sm`] | the whole SM: memory and host around it, in lockstep by its trace |
//! | [`gpu`] | the whole GPU: memory and host around it, its memory compared with the golden GPU's |
//! | [`tasks`] | task management: memory, threads and stand-ins for SMs around it, in lockstep with its model |
//! | [`bench`] | issue rates, latencies, simulation speed |
//! | [`seed`] | random streams |
//!
//! The hardware is never compared with itself: the functional lanes below it execute instructions for single threads,
//! and know no warps; the golden model has lanes and memory of its own; the scalar oracle runs every thread alone.

pub mod barrier;
pub mod bench;
pub mod bins;
pub mod case;
pub mod core;
pub mod cosim;
pub mod cover;
pub mod cross;
pub mod driver;
pub mod dut;
pub mod files;
mod final_state;
pub mod float;
pub mod gen;
pub mod gpu;
pub mod grid;
pub mod host;
pub mod instructions;
pub mod issue;
pub mod lanes;
pub mod lockstep;
pub mod mask_cross;
pub mod masks;
pub mod memory;
pub mod minimise;
pub mod monitor;
pub mod ops;
pub mod reference;
pub mod registers;
pub mod report;
pub mod rtl;
pub mod rule;
pub mod run;
pub mod run_config;
pub mod script;
pub mod seed;
pub mod session;
pub mod sm;
pub mod spill;
pub mod stop;
pub mod tasks;
pub mod threads;
pub mod timing;
mod warps;
pub mod wave_file;
pub mod wavefront;
pub mod window;
