//! CC-014: atomic operations that are no instruction of the machine, by every compiler that is there, on the golden
//! machine: warps of threads that contend, and several CTAs.

mod common;

use common::{families, Program};

/// What is left does not depend on the order.
const ORDERLESS: &str = r#"
#include <stdatomic.h>
#include <stdint.h>
_Atomic uint8_t seen[5];
_Atomic uint16_t half[3];
_Atomic int8_t low = 100;
_Atomic uint64_t sum, most, bits;
uint64_t synced;
uint16_t set = 0xffff;
atomic_flag flag = ATOMIC_FLAG_INIT;
atomic_bool once;
unsigned counted, winners, free_of_locks;
struct four { uint32_t word[4]; };
_Atomic struct four all;

void kernel(unsigned t, unsigned n)
{
    atomic_fetch_add(&seen[t % 5], 3);
    atomic_fetch_sub(&half[t % 3], 7);
    atomic_fetch_xor(&seen[4], 0x80);
    int8_t before = atomic_load(&low);
    while (before > (int8_t)-t && !atomic_compare_exchange_weak(&low, &before, (int8_t)-t)) {}
    atomic_fetch_and((_Atomic uint16_t *)&set, (uint16_t)~(1u << t % 16));
    atomic_fetch_add(&sum, t * 0x100000001ull);
    atomic_fetch_or(&bits, 1ull << t % 64);
    uint64_t old = atomic_load(&most), want = (uint64_t)(t * 2654435761u) << 7;
    while (old < want && !atomic_compare_exchange_weak(&most, &old, want)) {}
    __sync_fetch_and_add(&synced, 5ull);
    while (atomic_flag_test_and_set(&flag)) {}
    counted++;
    atomic_flag_clear(&flag);
    if (!atomic_exchange(&once, 1)) __atomic_fetch_add(&winners, 1, 0);
    struct four mine = atomic_load(&all), next;
    do {
        next = mine;
        next.word[0]++, next.word[1] += t, next.word[2] ^= t, next.word[3] += next.word[0];
    } while (!atomic_compare_exchange_strong(&all, &mine, next));
    if (t == n - 1) free_of_locks = atomic_is_lock_free(&seen[0]) + 2 * atomic_is_lock_free(&sum);
}
"#;

#[test]
fn bytes_halfwords_and_eight_bytes_are_atomic() {
    for family in families() {
        for level in ["-O0", "-O2"] {
            let flags = [level, "-Wno-atomic-alignment"];
            let flags = &flags[..if family == weft_cc::Family::Gcc { 1 } else { 2 }];
            let program = Program::build(family, &[("atomics.c", ORDERLESS)], flags);
            for (warps, threads, grid) in [(1, 4, 1), (2, 8, 13), (4, 16, 64), (3, 16, 37)] {
                let run = program.run_together(warps, threads, grid);
                let at = format!("{family:?} {level}, {grid} on {warps} x {threads}");
                let pair = |name: &str| {
                    let words = run.words(name, 2);
                    u64::from(words[1]) << 32 | u64::from(words[0])
                };
                let threads = || 0..grid;
                let mut seen = [0u8; 5];
                threads().for_each(|t| seen[t as usize % 5] += 3);
                seen[4] ^= if grid % 2 == 1 { 0x80 } else { 0 };
                let mut half = [0u16; 3];
                threads().for_each(|t| half[t as usize % 3] = half[t as usize % 3].wrapping_sub(7));
                assert_eq!(run.bytes("seen", 5), seen, "{at}");
                let halves: Vec<u8> = half.iter().flat_map(|h| h.to_le_bytes()).collect();
                assert_eq!(run.bytes("half", 6), halves, "{at}");
                let low = threads().map(|t| -(t as i32) as i8).min().unwrap().min(100);
                assert_eq!(run.bytes("low", 1), [low as u8], "{at}");
                let cleared = threads().fold(0xffffu16, |set, t| set & !(1 << (t % 16)));
                assert_eq!(run.bytes("set", 2), cleared.to_le_bytes(), "{at}");
                let sum: u64 = threads().map(|t| u64::from(t) * 0x1_0000_0001).sum();
                assert_eq!(pair("sum"), sum, "{at}");
                let bits = threads().fold(0u64, |bits, t| bits | 1 << (t % 64));
                assert_eq!(pair("bits"), bits, "{at}");
                let most = threads().map(|t| u64::from(t.wrapping_mul(2_654_435_761)) << 7);
                assert_eq!(pair("most"), most.max().unwrap(), "{at}");
                assert_eq!(pair("synced"), 5 * u64::from(grid), "{at}");
                assert_eq!(run.words("counted", 1), [grid], "{at}");
                assert_eq!(run.words("winners", 1), [1], "{at}");
                assert_eq!(run.words("free_of_locks", 1), [1], "{at}");
                let all = [
                    grid,
                    threads().sum(),
                    threads().fold(0, |all, t| all ^ t),
                    (1..=grid).sum(),
                ];
                assert_eq!(run.words("all", 4), all, "{at}");
            }
        }
    }
}

/// The values that operations give back, thread by thread, by all names: compared with what C says.
#[test]
fn each_operation_gives_what_c_says() {
    let source = r#"
        #include <stdatomic.h>
        #include <stdint.h>
        unsigned wrong, done;
        #define CHECK(what) do { if (!(what)) __atomic_store_n(&wrong, __LINE__, 0); } while (0)
        #define OF(type) __attribute__((noinline)) static void of_##type(unsigned t) { \
            struct { type before, it, behind; } s = {(type)0x5a5a5a5a5a5a5a5aull, 0, (type)0xa5a5a5a5a5a5a5a5ull}; \
            volatile type *p = &s.it; type v = (type)(0x123456789abcdef1ull * (t + 3)), w = (type)~(v << 1), e; \
            __atomic_store_n(p, v, 5); CHECK(__atomic_load_n(p, 5) == v); \
            CHECK(__atomic_exchange_n(p, w, 5) == v && s.it == w); \
            e = v; CHECK(!__atomic_compare_exchange_n(p, &e, v, 0, 5, 5) && e == w && s.it == w); \
            CHECK(__atomic_compare_exchange_n(p, &e, v, 0, 5, 5) && e == w && s.it == v); \
            CHECK(__atomic_fetch_add(p, w, 5) == v && s.it == (type)(v + w)); s.it = v; \
            CHECK(__atomic_fetch_sub(p, w, 5) == v && s.it == (type)(v - w)); s.it = v; \
            CHECK(__atomic_fetch_and(p, w, 5) == v && s.it == (type)(v & w)); s.it = v; \
            CHECK(__atomic_fetch_or(p, w, 5) == v && s.it == (type)(v | w)); s.it = v; \
            CHECK(__atomic_fetch_xor(p, w, 5) == v && s.it == (type)(v ^ w)); s.it = v; \
            CHECK(__atomic_fetch_nand(p, w, 5) == v && s.it == (type)~(v & w)); s.it = v; \
            CHECK(__atomic_add_fetch(p, w, 5) == (type)(v + w)); s.it = v; \
            CHECK(__atomic_nand_fetch(p, w, 5) == (type)~(v & w)); s.it = v; \
            CHECK(__sync_fetch_and_sub(p, w) == v && s.it == (type)(v - w)); s.it = v; \
            CHECK(__sync_or_and_fetch(p, w) == (type)(v | w)); s.it = v; \
            CHECK(__sync_xor_and_fetch(p, w) == (type)(v ^ w)); s.it = v; \
            CHECK(__sync_fetch_and_nand(p, w) == v && s.it == (type)~(v & w)); s.it = v; \
            CHECK(__sync_val_compare_and_swap(p, w, w) == v && s.it == v); \
            CHECK(__sync_bool_compare_and_swap(p, v, w) && s.it == w); \
            CHECK(__sync_lock_test_and_set(p, v) == w && s.it == v); \
            /* Of eight bytes GCC 12 makes no code of it. */ \
            if (sizeof(type) < 8) { __sync_lock_release(p); CHECK(s.it == 0); } \
            CHECK(s.before == (type)0x5a5a5a5a5a5a5a5aull && s.behind == (type)0xa5a5a5a5a5a5a5a5ull); \
        }
        OF(uint8_t)
        OF(uint16_t)
        OF(uint64_t)
        OF(int8_t)
        void kernel(unsigned t, unsigned n)
        {
            of_uint8_t(t); of_uint16_t(t); of_uint64_t(t); of_int8_t(t);
            __atomic_fetch_add(&done, 1, 0);
        }
    "#;
    for family in families() {
        for level in ["-O0", "-O2"] {
            let flags = [level, "-Wno-atomic-alignment"];
            let flags = &flags[..if family == weft_cc::Family::Gcc { 1 } else { 2 }];
            let program = Program::build(family, &[("each.c", source)], flags);
            let run = program.run_together(3, 8, 19);
            let line = run.words("wrong", 1)[0];
            assert_eq!(
                (line, run.words("done", 1)[0]),
                (0, 19),
                "{family:?} {level}: line {line}"
            );
        }
    }
}
