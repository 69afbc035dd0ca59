//! The parameters of the larger blocks, by name, each list once.
//!
//! `#[module]` gives a block its list, and a block inside another those of the same names; `#[part]` writes the `impl`
//! over the list; `generate/src/units.rs` fills the list of a unit from the numbers of `generate/src/derived.rs`, which
//! have the same names. A number means the same in every block that has it. Blocks may share a list, and a list may begin
//! with that of another block.
//!
//! | of warps | |
//! |---|---|
//! | `WARPS` | warps, a power of two |
//! | `WARP_BITS` | the number of a warp: log2 WARPS |
//! | `WARP_COUNT_BITS` | a count of warps: WARP_BITS + 1 |
//! | `HALF_BITS` | the number of a pair of warps: WARP_BITS - 1 |
//! | `COUNTER_BITS` | the number of a counter, or of a register of 16 that each warp has: WARP_BITS + 4 |
//! | `BARRIER_BITS` | the number of a barrier, 8 for each CTA slot: WARP_BITS + 3 |
//! | `LEVEL_BITS` | the level of a warp |
//! | `DUAL` | 1: up to two instructions of one warp per cycle |
//!
//! | of partitions of the warps | |
//! |---|---|
//! | `PARTITIONS` | 1, 2 or 4 |
//! | `PARTITION_WARPS` | warps of each, 16 at most |
//! | `PARTITION_WARP_BITS` | the number of a warp there; PARTITION_HALF_BITS, PARTITION_COUNT_BITS, PARTITION_COUNTER_BITS: as those of all warps |
//!
//! | of threads | |
//! |---|---|
//! | `THREADS` | threads of a warp, a power of two |
//! | `THREAD_BITS` | the number of a thread of a warp |
//! | `THREAD_COUNT_BITS` | a count of threads: THREAD_BITS + 1 |
//! | `SM_THREAD_BITS` | the number of a thread of the SM: WARP_BITS + THREAD_BITS |
//!
//! | of tokens | |
//! |---|---|
//! | `FRONT`, `BACK` | places of the rings of the token window |
//! | `PLACE_BITS` | a place of it |
//! | `TAG_BITS` | the tag of a request: WARP_BITS + PLACE_BITS |
//! | `TOKEN_BITS` | a token in memory: 64, or 128 with 64 threads |
//!
//! | of the lanes | |
//! |---|---|
//! | `LANES` | lanes, a power of two |
//! | `LANE_BITS` | the number of a lane |
//! | `ROW_WIDTH` | a word for each lane: 32 LANES |
//! | `PARTS` | parts of a warp that go through the lanes one after the other: THREADS / LANES |
//! | `PART_BITS` | the number of a part, 1 at least |
//! | `PART_SHIFT` | log2 PARTS |
//! | `PART_COUNT_BITS` | a count of passes of an instruction: PART_BITS + 2 |
//! | `WARP_PART_BITS` | warp and part: WARP_BITS + PART_BITS |
//! | `REGISTER_BITS` | the number of a row of the register file (SUBV-053) |
//! | `THREAD_REGISTER_BITS` | a register of a thread: WARP_BITS + THREAD_BITS + 5 |
//! | `HAS_FLOAT` | 1 with a float unit, else 0 |
//! | `FLOAT_LANES` | lanes of float |
//! | `TURNS` | turns of a pass there: LANES / FLOAT_LANES |
//! | `TURN_BITS` | the number of one, 1 at least |
//!
//! | of the load/store unit | |
//! |---|---|
//! | `OFFSETS_WIDTH` | an offset in a line for each lane: 6 LANES |
//! | `LINES_WIDTH` | a line for each lane: 26 LANES |
//! | `ROWS` | rows under way |
//! | `ROW_BITS` | the number of one |
//! | `ROW_COUNT_BITS` | a count of the accesses of a row: LANE_BITS + 2 |
//! | `QUEUE_BITS` | the number of a place for a pass that waits |
//! | `QUEUE_COUNT_BITS` | a count of them: QUEUE_BITS + 1 |
//! | `PASS_WIDTH` | a pass without addresses and data: 41 + WARP_BITS + PART_BITS + LANES |
//! | `MISSES` | lines under way |
//! | `MISS_BITS` | the number of one |
//! | `MISS_BEAT_BITS` | a beat of all of them: MISS_BITS + BEAT_COUNT_BITS |
//! | `WRITE_BITS` | the number of a write under way: MISS_BITS + 2 |
//! | `ACCESS_COUNT_BITS` | a count of accesses under way |
//! | `BANK_BITS` | a word of a lane's bank of the scratchpad |
//! | `SCRATCHPAD_BYTES` | bytes of the scratchpad |
//!
//! | of memory | |
//! |---|---|
//! | `DATA` | bits of a beat |
//! | `STROBES` | bytes of a beat: DATA / 8 |
//! | `BEAT_WORDS` | words of a beat: DATA / 32 |
//! | `BEATS` | beats of a line: 512 / DATA |
//! | `BEAT_COUNT_BITS` | the number of a beat of a line, 1 at least |
//! | `ID_BITS` | an ID at the AXI port: MISS_BITS + 1 |
//!
//! | of the line cache | |
//! |---|---|
//! | `LINES` | lines |
//! | `LINE_BITS` | the number of one |
//! | `LINE_TAG_BITS` | a tag: 18 - LINE_BITS |
//! | `LINE_HALF_BITS` | a half of all lines: LINE_BITS + 1 |
//! | `HALF_BEATS` | beats of half a line: BEATS / 2 |
//! | `FETCH_BITS` | the number of a line under way |
//! | `FETCH_COUNT_BITS` | a count of them: FETCH_BITS + 1 |
//!
//! | of the data cache | |
//! |---|---|
//! | `HAS_CACHE` | 1 with a data cache, else 0 |
//! | `SETS`, `WAYS` | sets and ways |
//! | `SET_BITS`, `WAY_BITS` | the number of one; of a way 1 bit at least |
//! | `SET_TAG_BITS` | a tag: 26 - SET_BITS |
//! | `SET_BEAT_BITS` | a beat of all sets of a way |
//!
//! | of the GPU | |
//! |---|---|
//! | `SMS` | SMs |
//! | `SM_BITS` | the number of one: 2, of more than four 3 |
//! | `SM_REGISTERS`, `SM_REGISTER_BITS` | four registers of each number; SM_BITS + 2 |
//! | `SM_PLACE_BITS` | a place of a CTA on an SM: SM_BITS + 4 |
//! | `SLOTS` | task slots |
//! | `SCRATCHPAD` | KiB of each scratchpad: SCRATCHPAD_BYTES / 1024 |
//! | `CHANNELS` | channels of the host |
//! | `CHANNEL_BITS` | the number of one |
//! | `CHANNEL_WORD_BITS` | a word of the 16 of each channel: CHANNEL_BITS + 4 |
//! | `MANAGERS` | managers at the arbiter: SMS + 2 |
//! | `MANAGER_BITS` | the number of one: 3, of more than eight 4 |
//! | `MANAGER_MASK` | a bit for each number: 1 << MANAGER_BITS |
//! | `MANAGER_ID_BITS` | an ID of one of them: ID_BITS + MANAGER_BITS |
//! | `MIX` | 1: CTAs of several tasks share an SM |
//! | `BEAT_WORD_BITS` | a word of a beat: log2 BEAT_WORDS |
//!
//! | of the L2 | |
//! |---|---|
//! | `HAS_L2` | 1 with an L2, else 0 |
//! | `L2_PORTS` | its ports: SMS, or 0 without it |
//! | `L2_SETS`, `L2_WAYS` | sets and ways |
//! | `L2_SET_BITS`, `L2_WAY_BITS` | the number of one; of a way 1 bit at least |
//! | `L2_TAG_BITS` | a tag: 26 - L2_SET_BITS |
//! | `L2_PLACE_BITS` | a line of it: L2_SET_BITS + log2 L2_WAYS |
//! | `L2_ID_BITS` | MANAGER_ID_BITS - 1: an ID without its lowest bit |
//! | `L2_FILLS` | lines under way that will be held |

macro_rules! sizes {
    ($($lists:tt)*) => {};
}

sizes! {
    Control, Convergence {
        WARPS, WARP_BITS, WARP_COUNT_BITS, THREADS, THREAD_COUNT_BITS, FRONT, BACK,
        PLACE_BITS, TAG_BITS, TOKEN_BITS,
    }
    Mover {
        WARPS, WARP_BITS, WARP_COUNT_BITS, THREADS, FRONT, BACK, PLACE_BITS, TAG_BITS,
        TOKEN_BITS,
    }
    Core {
        Convergence, COUNTER_BITS, BARRIER_BITS, LEVEL_BITS, DUAL, PARTITIONS,
        PARTITION_WARPS, PARTITION_WARP_BITS, PARTITION_HALF_BITS, PARTITION_COUNT_BITS,
        PARTITION_COUNTER_BITS,
    }
    Schedulers {
        WARPS, WARP_BITS, COUNTER_BITS, PARTITION_WARPS, PARTITION_WARP_BITS,
        PARTITION_HALF_BITS, PARTITION_COUNT_BITS, PARTITION_COUNTER_BITS, THREADS,
        LEVEL_BITS, DUAL, PARTITIONS,
    }
    Datapath {
        WARPS, WARP_BITS, COUNTER_BITS, THREADS, THREAD_BITS, THREAD_COUNT_BITS, LANES,
        LANE_BITS, ROW_WIDTH, PARTS, PART_BITS, WARP_PART_BITS, REGISTER_BITS,
        THREAD_REGISTER_BITS, HAS_FLOAT, FLOAT_LANES, TURNS, TURN_BITS,
    }
    Compute, Sm, GpuSm {
        Convergence, COUNTER_BITS, BARRIER_BITS, HALF_BITS, THREAD_BITS, LANES, LANE_BITS,
        ROW_WIDTH, PARTS, PART_BITS, WARP_PART_BITS, REGISTER_BITS, THREAD_REGISTER_BITS,
        HAS_FLOAT, FLOAT_LANES, TURNS, TURN_BITS, OFFSETS_WIDTH, LINES_WIDTH,
        ROW_COUNT_BITS, PART_COUNT_BITS, PART_SHIFT, QUEUE_BITS, QUEUE_COUNT_BITS,
        PASS_WIDTH, MISSES, MISS_BITS, WRITE_BITS, ROWS, ROW_BITS, BANK_BITS, DATA, STROBES,
        ACCESS_COUNT_BITS, ID_BITS, LINE_BITS, LINES, LINE_TAG_BITS, LINE_HALF_BITS,
        BEAT_COUNT_BITS, BEATS, HALF_BEATS, SM_THREAD_BITS, SCRATCHPAD_BYTES, SETS, SET_BITS,
        SET_TAG_BITS, SET_BEAT_BITS, WAYS, WAY_BITS, HAS_CACHE, BEAT_WORDS, MISS_BEAT_BITS,
    }
    MemorySide {
        Lsu, ID_BITS, LINE_BITS, LINES, LINE_TAG_BITS, LINE_HALF_BITS, BEATS, HALF_BEATS, TOKEN_BITS,
        TAG_BITS, SETS, SET_BITS, SET_TAG_BITS, SET_BEAT_BITS, WAYS, WAY_BITS, HAS_CACHE,
    }
    Lsu {
        WARPS, WARP_BITS, THREADS, THREAD_BITS, SM_THREAD_BITS, LANES, LANE_BITS, ROW_WIDTH,
        OFFSETS_WIDTH, LINES_WIDTH, ROW_COUNT_BITS, PART_BITS, PART_COUNT_BITS, PART_SHIFT,
        QUEUE_BITS, QUEUE_COUNT_BITS, PASS_WIDTH, MISSES, MISS_BITS, WRITE_BITS, ROWS,
        ROW_BITS, BANK_BITS, DATA, STROBES, ACCESS_COUNT_BITS, BEAT_COUNT_BITS, BEAT_WORDS,
        MISS_BEAT_BITS,
    }
    Modify {
        LANES, LANE_BITS, ROW_WIDTH, OFFSETS_WIDTH, ROW_BITS, MISSES, MISS_BITS, DATA,
        STROBES, BEAT_COUNT_BITS, BEAT_WORDS, MISS_BEAT_BITS,
    }
    LineCache {
        WARP_BITS, DATA, LINE_BITS, LINES, LINE_TAG_BITS, BEAT_COUNT_BITS, BEATS, HALF_BEATS,
        LINE_HALF_BITS, FETCH_BITS, FETCH_COUNT_BITS,
    }
    Cache {
        DATA, STROBES, BEAT_WORDS, MISSES, MISS_BITS, SET_BITS, SETS, SET_TAG_BITS,
        BEAT_COUNT_BITS, SET_BEAT_BITS, WAYS, WAY_BITS,
    }
    DataCache {
        Cache, HAS_CACHE,
    }
    L2 {
        DATA, BEATS, BEAT_COUNT_BITS, MISS_BITS, ID_BITS, MANAGER_ID_BITS, MANAGER_MASK,
        L2_ID_BITS,
        L2_SET_BITS, L2_SETS, L2_TAG_BITS, L2_WAYS, L2_WAY_BITS, L2_PLACE_BITS, L2_FILLS,
    }
    Rig {
        SMS, MANAGER_BITS, MANAGER_MASK, MANAGER_ID_BITS, L2_ID_BITS, DATA, BEATS,
        BEAT_COUNT_BITS, L2_SET_BITS, L2_SETS, L2_TAG_BITS, L2_WAYS, L2_WAY_BITS,
        L2_PLACE_BITS, L2_FILLS,
    }
    Tasks {
        SLOTS, SMS, SM_BITS, SM_REGISTERS, SM_REGISTER_BITS, SM_PLACE_BITS, WARPS, THREADS,
        SCRATCHPAD_BYTES, MIX,
    }
    Gpu {
        GpuSm, CHANNELS, CHANNEL_BITS, CHANNEL_WORD_BITS, SMS, SLOTS, SCRATCHPAD, MANAGERS,
        MANAGER_BITS, MANAGER_MASK, SM_BITS, SM_REGISTERS, SM_REGISTER_BITS, SM_PLACE_BITS,
        MANAGER_ID_BITS, BEAT_WORD_BITS, HAS_L2, L2_PORTS, L2_ID_BITS, L2_SET_BITS, L2_SETS,
        L2_TAG_BITS, L2_WAYS, L2_WAY_BITS, L2_PLACE_BITS,
    }
}
