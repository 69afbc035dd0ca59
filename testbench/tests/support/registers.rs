//! What a GPU answers at every address of its host port, beside the table of `weft-protocol`.

use std::collections::BTreeMap;
use weft_driver::Device;
use weft_protocol::{blocks, Access, Register, Sizes};
use weft_sim::host::registers::at;

/// They are checked, or act, when they are written.
const ACT: [&str; 3] = ["CONTROL", "SPAWN_NUMBER", "TABLE_NUMBER"];
/// They count by themselves.
const COUNT: [&str; 2] = ["TIME", "TIME_HIGH"];
/// Bits that no register takes for something wrong.
const PATTERN: u32 = 0x44;

/// Behind a reset: every address reads as the table says, takes what it says, and keeps nothing else.
pub fn are_those_of_the_table(mut device: impl Device) {
    let size = device.size();
    let sizes = Sizes {
        channels: size.channels as u32,
        sms: size.sms as u32,
    };
    let block = blocks().into_iter().find(|b| b.name == "gpu").expect("it");
    let table: BTreeMap<u32, (String, &Register)> = block
        .all(sizes)
        .into_iter()
        .map(|(name, at, register)| (at, (name, register)))
        .collect();
    let by_name = |name: &str| table.iter().find(|(_, (named, _))| named == name);
    let aliases = block.aliases(sizes).into_iter().map(|(name, at)| {
        let (&first, (_, register)) = by_name(&name).expect("it is in the table");
        (at, (first, name, *register))
    });
    let aliases: BTreeMap<u32, (u32, String, &Register)> = aliases.collect();
    assert_eq!(aliases.len(), 6 * size.sms.min(4));
    let named = |at: &u32| {
        let alias = || aliases.get(at).map(|(_, name, register)| (name, *register));
        table
            .get(at)
            .map(|(name, register)| (name, *register))
            .or_else(alias)
    };
    let addresses = || (0..block.bytes).step_by(4);
    let mut known = 0;
    let mut as_after_reset = |device: &mut dyn Device, when: &str| {
        for at in addresses() {
            let read = device.get(at);
            match named(&at) {
                None => assert_eq!(read, 0, "{at:#05x}, which is no register, {when}"),
                Some((name, register)) => {
                    if let Some(reset) = register.reset {
                        assert_eq!(read, reset, "{name} at {at:#05x} {when}");
                        known += 1;
                    }
                }
            }
        }
    };
    // A golden GPU is made with memory and says so by itself.
    device.set(at::MEMORY_END, 0);
    device.set(at::THREAD_END, 0);
    as_after_reset(&mut device, "after a reset");

    // Nobody keeps what it must not.
    let before: Vec<u32> = addresses().map(|at| device.get(at)).collect();
    let takes = |at: u32| named(&at).is_some_and(|(_, r)| r.access == Access::Rw);
    for at in addresses().filter(|&at| !takes(at)) {
        device.set(at, u32::MAX);
    }
    as_after_reset(&mut device, "after a write that does nothing");
    let counts = |at: u32| {
        table
            .get(&at)
            .is_some_and(|(n, _)| COUNT.contains(&n.as_str()))
    };
    for (at, before) in addresses().zip(before).filter(|&(at, _)| !counts(at)) {
        assert_eq!(device.get(at), before, "{at:#05x} was written");
    }

    // What is to be written keeps its bits.
    let mut written = 0;
    for (&at, (name, register)) in table.iter().filter(|(&at, _)| takes(at)) {
        if ACT.contains(&register.name.as_str()) {
            continue;
        }
        let bits = register
            .fields
            .iter()
            .fold(0, |all, field| all | field.mask());
        let bits = if bits == 0 { u32::MAX } else { bits };
        device.set(at, PATTERN);
        assert_eq!(device.get(at), PATTERN & bits, "{name} at {at:#05x}");
        written += 1;
    }
    // Both addresses are those of one register, and of no other one.
    let mut once = 0;
    for (&at, (first, name, _)) in aliases.iter().filter(|(&at, _)| takes(at)) {
        for (n, (to, from)) in [(at, *first), (*first, at)].into_iter().enumerate() {
            let value = 64 * at + 16 * n as u32;
            device.set(to, value);
            assert_eq!(
                device.get(from),
                value,
                "{name} at {to:#05x}, read at {from:#05x}"
            );
        }
        once += 1;
    }
    for (&at, (_, name, _)) in aliases.iter().filter(|(&at, _)| takes(at)) {
        assert_eq!(device.get(at), 64 * at + 16, "{name} at {at:#05x}");
    }
    assert_eq!(once, 4 * size.sms.min(4));
    assert!(
        known > 100 && written > 20,
        "{known} known, {written} written"
    );
}
