//! The numbers that follow from the parameters of a unit, each with one name.
//! They are constants in the generated crate, beside the parameters;
//! what two of them add up to is said where it is used.

use crate::units::Values;

/// Name and value of every number that follows from these parameters.
pub fn derived(v: &Values) -> Vec<(&'static str, u64)> {
    let bits = |n: u64| u64::from(n.ilog2());
    let mut numbers = Vec::new();
    let warp_bits = v.get("warps").map(|&n| bits(n));
    if let Some(warp_bits) = warp_bits {
        // The number of a warp.
        numbers.push(("WARP_BITS", warp_bits));
    }
    if let (Some(&warps), Some(&partitions)) = (v.get("warps"), v.get("partitions")) {
        // Warps of a partition, and the number of one there.
        let warps = warps / partitions;
        numbers.push(("PARTITION_WARPS", warps));
        numbers.push(("PARTITION_WARP_BITS", bits(warps)));
    }
    if let Some(&channels) = v.get("channels") {
        // The number of a channel of the host.
        numbers.push(("CHANNEL_BITS", bits(channels.next_power_of_two())));
    }
    if let Some(&threads) = v.get("threads") {
        // The number of a thread of a warp, and a count of threads from 0 to all.
        numbers.push(("THREAD_BITS", bits(threads)));
        numbers.push(("THREAD_COUNT_BITS", bits(threads) + 1));
        // A token in memory (docs/spec/spill.md).
        numbers.push(("TOKEN_BITS", if threads == 64 { 128 } else { 64 }));
    }
    if let (Some(&threads), Some(&lanes)) = (v.get("threads"), v.get("lanes")) {
        // The number of a lane, and that of a part of a warp, one bit at least.
        numbers.push(("LANE_BITS", bits(lanes)));
        numbers.push(("PART_BITS", bits((threads / lanes).max(2))));
        if let Some(&warps) = v.get("warps") {
            // A row under way in the load/store unit, and a line: eight of them, sixteen where a load of all warps has
            // more than eight rows.
            let more = u64::from(warps * threads / lanes > 8);
            numbers.push(("ROW_BITS", 3 + more));
            numbers.push(("MISS_BITS", 3 + more));
        }
        if let Some(&warps) = v.get("warps") {
            // A row of the register file; 0: rows for all warps without shared registers (SUBV-053).
            let room = match v.get("registers") {
                None | Some(0) => warps,
                Some(&room) => room,
            };
            numbers.push(("REGISTER_BITS", bits(room) + 5 + bits(threads / lanes)));
        }
        if let Some(&scratchpad) = v.get("scratchpad") {
            // A word of a lane's bank in the scratchpad.
            numbers.push(("BANK_BITS", bits(256 * scratchpad / lanes)));
        }
    }
    if let (Some(&lanes), Some(&float)) = (v.get("lanes"), v.get("float")) {
        // Float lanes, as many as lanes where there is no float unit, and the turn of a pass there.
        let float = if float == 0 { lanes } else { float };
        numbers.push(("FLOAT_LANES", float));
        numbers.push(("TURN_BITS", bits((lanes / float).max(2))));
    }
    if let Some(&icache) = v.get("icache") {
        // A line of the line cache.
        numbers.push(("LINE_BITS", bits(16 * icache)));
    }
    if let (Some(&dcache), Some(&ways)) = (v.get("dcache"), v.get("ways")) {
        // A set of the data cache; of one of 1 KiB where there is none.
        numbers.push(("SET_BITS", bits(16 * dcache.max(1) / ways)));
        numbers.push(("WAY_BITS", bits(ways.max(2))));
    }
    if let (Some(&l2), Some(&ways)) = (v.get("l2"), v.get("l2_ways")) {
        // A set of the L2, of one of 1 KiB where there is none; a way, one bit at least; a line in it.
        let sets = bits(16 * l2.max(1) / ways);
        numbers.push(("L2_SET_BITS", sets));
        numbers.push(("L2_WAY_BITS", bits(ways.max(2))));
        numbers.push(("L2_PLACE_BITS", sets + bits(ways)));
    }
    if let Some(&data) = v.get("data") {
        // A byte of a beat.
        numbers.push(("BEAT_BITS", bits(data / 8)));
    }
    if let (Some(front), Some(back)) = (v.get("front"), v.get("back")) {
        // A place of the token window: both rings, and at least one more place for scratch (SPILL-030).
        let place_bits = bits(front + back) + 1;
        numbers.push(("PLACE_BITS", place_bits));
        if let Some(warp_bits) = warp_bits {
            // The tag of a request to the token memory: warp and place.
            numbers.push(("TAG_BITS", warp_bits + place_bits));
        }
    }
    numbers
}
