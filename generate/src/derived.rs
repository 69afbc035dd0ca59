//! The numbers that follow from the parameters of a unit, each with one name.
//! They are constants in the generated crate, beside the parameters;
//! those of the larger blocks are the names in the lists of `hdl/src/sizes.rs`, where it is said what each is.

use crate::units::Values;

/// Beside the SMs front end and task management.
fn managers(sms: u64) -> u64 {
    sms + 2
}

/// Of the number of one.
fn manager_bits(sms: u64) -> u64 {
    3 + u64::from(managers(sms) > 8)
}

/// Name and value of every number that follows from these parameters.
pub fn derived(v: &Values) -> Vec<(&'static str, u64)> {
    let bits = |n: u64| u64::from(n.ilog2());
    let mut numbers = Vec::new();
    let warp_bits = v.get("warps").map(|&n| bits(n));
    if let Some(warp_bits) = warp_bits {
        numbers.push(("WARP_BITS", warp_bits));
        numbers.push(("WARP_COUNT_BITS", warp_bits + 1));
        numbers.push(("HALF_BITS", warp_bits - 1));
        numbers.push(("COUNTER_BITS", warp_bits + 4));
        numbers.push(("BARRIER_BITS", warp_bits + 3));
    }
    if let (Some(&warps), Some(&partitions)) = (v.get("warps"), v.get("partitions")) {
        // Warps of a partition, and the number of one there.
        let warps = warps / partitions;
        numbers.push(("PARTITION_WARPS", warps));
        numbers.push(("PARTITION_WARP_BITS", bits(warps)));
        numbers.push(("PARTITION_HALF_BITS", bits(warps) - 1));
        numbers.push(("PARTITION_COUNT_BITS", bits(warps) + 1));
        numbers.push(("PARTITION_COUNTER_BITS", bits(warps) + 4));
    }
    if let Some(&channels) = v.get("channels") {
        // The number of a channel of the host.
        let channel_bits = bits(channels.next_power_of_two());
        numbers.push(("CHANNEL_BITS", channel_bits));
        numbers.push(("CHANNEL_WORD_BITS", channel_bits + 4));
    }
    if let Some(&threads) = v.get("threads") {
        // The number of a thread of a warp, and a count of threads from 0 to all.
        numbers.push(("THREAD_BITS", bits(threads)));
        numbers.push(("THREAD_COUNT_BITS", bits(threads) + 1));
        // A token in memory (docs/spec/spill.md).
        numbers.push(("TOKEN_BITS", if threads == 64 { 128 } else { 64 }));
        if let Some(warp_bits) = warp_bits {
            numbers.push(("SM_THREAD_BITS", warp_bits + bits(threads)));
            numbers.push(("THREAD_REGISTER_BITS", warp_bits + bits(threads) + 5));
        }
    }
    if let (Some(&threads), Some(&lanes)) = (v.get("threads"), v.get("lanes")) {
        // The number of a lane, and that of a part of a warp, one bit at least.
        let part_bits = bits((threads / lanes).max(2));
        numbers.push(("LANE_BITS", bits(lanes)));
        numbers.push(("PARTS", threads / lanes));
        numbers.push(("PART_SHIFT", bits(threads) - bits(lanes)));
        numbers.push(("PART_BITS", part_bits));
        numbers.push(("PART_COUNT_BITS", part_bits + 2));
        numbers.push(("ROW_COUNT_BITS", bits(lanes) + 2));
        if let Some(warp_bits) = warp_bits {
            numbers.push(("WARP_PART_BITS", warp_bits + part_bits));
            numbers.push(("PASS_WIDTH", 41 + warp_bits + part_bits + lanes));
        }
        // Passes wait in 32 places, and 64 accesses are under way.
        numbers.push(("QUEUE_BITS", 5));
        numbers.push(("QUEUE_COUNT_BITS", 6));
        numbers.push(("ACCESS_COUNT_BITS", 7));
        if let Some(&warps) = v.get("warps") {
            // A row under way in the load/store unit, and a line: eight of them, sixteen where a load of all warps has
            // more than eight rows.
            let more = u64::from(warps * threads / lanes > 8);
            numbers.push(("ROWS", 8 << more));
            numbers.push(("ROW_BITS", 3 + more));
            numbers.push(("MISSES", 8 << more));
            numbers.push(("MISS_BITS", 3 + more));
            numbers.push(("WRITE_BITS", 5 + more));
            numbers.push(("ID_BITS", 4 + more));
            if let Some(&data) = v.get("data") {
                numbers.push(("MISS_BEAT_BITS", 3 + more + bits(512 / data)));
            }
            if let Some(&sms) = v.get("sms") {
                // At the port of the whole GPU.
                let id_bits = 4 + more + manager_bits(sms);
                numbers.push(("MANAGER_ID_BITS", id_bits));
                numbers.push(("L2_ID_BITS", id_bits - 1));
            }
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
    if let Some(&lanes) = v.get("lanes") {
        numbers.push(("ROW_WIDTH", 32 * lanes));
        numbers.push(("OFFSETS_WIDTH", 6 * lanes));
        numbers.push(("LINES_WIDTH", 26 * lanes));
    }
    if let Some(&scratchpad) = v.get("scratchpad") {
        numbers.push(("SCRATCHPAD_BYTES", 1024 * scratchpad));
    }
    if let (Some(&lanes), Some(&float)) = (v.get("lanes"), v.get("float")) {
        numbers.push(("HAS_FLOAT", u64::from(float > 0)));
        // Float lanes, as many as lanes where there is no float unit, and the turn of a pass there.
        let float = if float == 0 { lanes } else { float };
        numbers.push(("FLOAT_LANES", float));
        numbers.push(("TURNS", lanes / float));
        numbers.push(("TURN_BITS", bits((lanes / float).max(2))));
    }
    if let Some(&sms) = v.get("sms") {
        // The number of an SM, of one of its registers, and of a place of a CTA there.
        let sm_bits = 2 + u64::from(sms > 4);
        numbers.push(("SM_BITS", sm_bits));
        numbers.push(("SM_REGISTERS", 4 << sm_bits));
        numbers.push(("SM_REGISTER_BITS", sm_bits + 2));
        numbers.push(("SM_PLACE_BITS", sm_bits + 4));
        // At the arbiter.
        numbers.push(("MANAGERS", managers(sms)));
        numbers.push(("MANAGER_BITS", manager_bits(sms)));
        numbers.push(("MANAGER_MASK", 1 << manager_bits(sms)));
    }
    if let (Some(&l2), Some(&ways)) = (v.get("l2"), v.get("l2_ways")) {
        // A set of the L2, of one of 1 KiB where there is none; a way, one bit at least; a line in it.
        let sets = 16 * l2.max(1) / ways;
        numbers.push(("HAS_L2", u64::from(l2 > 0)));
        numbers.push(("L2_PORTS", if l2 > 0 { v["sms"] } else { 0 }));
        numbers.push(("L2_SETS", sets));
        numbers.push(("L2_SET_BITS", bits(sets)));
        numbers.push(("L2_TAG_BITS", 26 - bits(sets)));
        numbers.push(("L2_WAY_BITS", bits(ways.max(2))));
        numbers.push(("L2_PLACE_BITS", bits(sets) + bits(ways)));
    }
    if let Some(&data) = v.get("data") {
        // A byte of a beat.
        numbers.push(("BEAT_BITS", bits(data / 8)));
        numbers.push(("STROBES", data / 8));
        numbers.push(("BEAT_WORDS", data / 32));
        numbers.push(("BEAT_WORD_BITS", bits(data / 32)));
        let beats = 512 / data;
        numbers.push(("BEATS", beats));
        numbers.push(("BEAT_COUNT_BITS", bits(beats)));
        numbers.push(("HALF_BEATS", beats / 2));
        if let Some(&icache) = v.get("icache") {
            // A line of the line cache.
            let line_bits = bits(16 * icache);
            numbers.push(("LINES", 16 * icache));
            numbers.push(("LINE_BITS", line_bits));
            numbers.push(("LINE_TAG_BITS", 18 - line_bits));
            numbers.push(("LINE_HALF_BITS", line_bits + 1));
        }
        if let (Some(&dcache), Some(&ways)) = (v.get("dcache"), v.get("ways")) {
            // A set of the data cache; of one of 1 KiB where there is none.
            let sets = 16 * dcache.max(1) / ways;
            numbers.push(("HAS_CACHE", u64::from(dcache > 0)));
            numbers.push(("SETS", sets));
            numbers.push(("SET_BITS", bits(sets)));
            numbers.push(("SET_TAG_BITS", 26 - bits(sets)));
            numbers.push(("SET_BEAT_BITS", bits(sets) + bits(beats)));
            numbers.push(("WAY_BITS", bits(ways.max(2))));
        }
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
