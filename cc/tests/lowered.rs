//! The whole way with each lowering, by every compiler that is there: the same results, printed and in memory.

mod common;

use common::{families, Program};
use weft_cc::Family;

/// CC-005: branches in loops, a switch, calls, a static table made by a constructor, soft float, printf in a branch.
const SOURCE: &str = r#"
    #include <stdio.h>
    extern "C" { unsigned out[64]; float mean[64]; void kernel(unsigned t, unsigned n); }
    struct Table { unsigned of[8]; Table() { for (unsigned i = 0; i < 8; i++) of[i] = i * i + 1; } };
    static Table table;
    static unsigned __attribute__((noinline)) collatz(unsigned v)
    {
        unsigned steps = 0;
        while (v > 1) { v = v & 1 ? 3 * v + 1 : v / 2; if (++steps == 60) break; }
        return steps;
    }
    void kernel(unsigned t, unsigned n)
    {
        unsigned sum = 0;
        for (unsigned i = 0; i < 1 + t % 5; i++) {
            if ((t + i) % 3 == 0) continue;
            switch ((t ^ i) & 7) {
            case 0: sum += collatz(t + 3); break;
            case 1: case 5: sum ^= table.of[i & 7]; break;
            case 6: sum = sum * 3 + 1; break;
            default: sum -= i;
            }
        }
        out[t] = sum;
        mean[t] = sum / (float)(t + 1);
        if (t % 7 == 2) printf("%u %.3f\n", t, mean[t]);
    }
"#;

#[test]
fn every_lowering_gives_the_same() {
    for family in families() {
        let plain = Program::build(family, &[("mixed.cpp", SOURCE)], &["lower=none"]);
        let plain = plain.run(2, 32, 64);
        let want = (
            plain.words("out", 64),
            plain.words("mean", 64),
            plain.printed(),
        );
        assert_eq!(want.2.lines().count(), 9);
        for lower in ["auto", "tokens", "masks", "predicate"] {
            let lower = format!("lower={lower}");
            let program = Program::build(family, &[("mixed.cpp", SOURCE)], &[&lower]);
            for (warps, threads) in [(2, 32), (16, 4)] {
                let run = program.run(warps, threads, 64);
                let got = (run.words("out", 64), run.words("mean", 64), run.printed());
                assert_eq!(got, want, "{family:?} {lower} {warps} x {threads}");
            }
        }
    }
}

/// COMP-073: linkers make one instruction of two where gp reaches, and `mpred` counts instructions.
#[test]
fn linkers_take_nothing_out_of_predicated_blocks() {
    let names: Vec<String> = (0..40).map(|n| format!("g{n}")).collect();
    let stores: String = names[1..39].iter().map(|g| format!("{g} = 1; ")).collect();
    let source = format!(
        "unsigned big[3000] = {{1}}; unsigned out[64]; unsigned {};
         void kernel(unsigned t, unsigned n) {{
             unsigned v = t;
             if (t & 1) {{ g39 = 5; g0 = 7; v += 3; }}
             __asm__ volatile(\"\" : \"+r\"(v));
             out[t] = v * 2 + 1; big[t] = 3; {stores}
         }}",
        names.join(", ")
    );
    let want: Vec<u32> = (0..64u32).map(|t| 2 * (t + 3 * (t & 1)) + 1).collect();
    let mut relaxes = false;
    for family in families() {
        let right = |more: &[&str]| {
            let flags = [&["lower=predicate"], more].concat();
            let program = Program::build(family, &[("near.c", &source)], &flags);
            let run = program.run(2, 32, 64);
            run.words("out", 64) == want && run.words("g39", 1) == [5] && run.words("g0", 1) == [7]
        };
        assert!(right(&[]), "{family:?}");
        relaxes |= !right(&["relaxed"]);
    }
    // GNU ld does, lld does not.
    assert!(
        relaxes || !families().contains(&Family::Gcc),
        "it is not noticed"
    );
}

/// CC-005, COMP-123, COMP-124: sub-vector loops without their instructions, made for another size than they run at.
#[test]
fn forms_of_code_give_the_same() {
    for family in families() {
        let plain = Program::build(family, &[("mixed.cpp", SOURCE)], &["lower=none"]);
        let want = plain.run(2, 32, 64).words("out", 64);
        for form in ["form=copies", "form=loop"] {
            let flags = ["lower=none", "subvector=1", form, "parts=16/4"];
            let program = Program::build(family, &[("mixed.cpp", SOURCE)], &flags);
            assert_ne!(program.elf, plain.elf, "{family:?} {form}");
            for (warps, threads) in [(2, 32), (16, 4)] {
                let got = program.run(warps, threads, 64).words("out", 64);
                assert_eq!(got, want, "{family:?} {form} {warps} x {threads}");
            }
        }
    }
}

/// Tokens are there: the lowering has done something, and stock assemblers have taken it.
#[test]
fn tokens_reach_the_executable() {
    for family in families() {
        let pushes = |lower: &str| {
            let program = Program::build(family, &[("mixed.cpp", SOURCE)], &[lower]);
            let words = program
                .program
                .segments
                .iter()
                .flat_map(|s| s.bytes.chunks_exact(4));
            let push = |word: &[u8]| {
                word[0] & 0x7f == 0x0B
                    && weft_isa::decode(u32::from_le_bytes(word.try_into().unwrap())).is_ok()
            };
            words.filter(|word| push(word)).count()
        };
        assert!(
            pushes("lower=tokens") > pushes("lower=none") + 4,
            "{family:?}"
        );
    }
}
