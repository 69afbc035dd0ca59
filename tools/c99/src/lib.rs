//! The types of C99's `stdint.h` that `softfloat-sys` names.
//!
//! The exact ones are Rust's. How wide the *fast* ones are is up to the C library: glibc makes all but the one of 8 bits
//! as wide as a pointer, others make those of 16 and 32 bits 32 bits wide.

#![forbid(unsafe_code)]

#![allow(non_camel_case_types)]

#[cfg(target_env = "gnu")]
type Fast = isize;
#[cfg(target_env = "gnu")]
type UnsignedFast = usize;
#[cfg(not(target_env = "gnu"))]
type Fast = i32;
#[cfg(not(target_env = "gnu"))]
type UnsignedFast = u32;

pub type int_fast32_t = Fast;
pub type uint_fast32_t = UnsignedFast;
pub type uint_fast8_t = u8;
pub type int_fast64_t = i64;
pub type uint_fast64_t = u64;
