//! Every instruction of Xweft, written for stock assemblers, is the one that Weft's own assembler makes.

mod common;

use common::{families, Program};
use weft_cc::gnu::from_xweft;

const ALL: &str = "
ssy there
pbk there
pcnt there
pcal there
plongjmp there
ppexit there
push 9, there
push sync, there
leave 8, there
leave.nez break, a1, there
leave.eqz 3, t6, there
sync there
sync.nez a0, there
sync.eqz a0, there
brk there
brk.nez s0, there
brk.eqz s1, there
cont there
cont.nez s0, there
cont.eqz s1, there
longjmp there
longjmp.nez s0, there
longjmp.eqz s1, there
lpexit there
lpexit.nez s0, there
lpexit.eqz s1, there
leave.r call, 4(a0)
wret ra
yield
exit
bar.top 3, a0
bar.top.nez 3, a1, a2
bar.sync 1
bar.bot 2
bar.bot.nb 2
bar.reset 4
bar.arrive 5, a0
bar.wait 5, a1
subv.start there
subv.auto there
mand m0, m1, m2
mor exec, m1, exec
mxor m0, m1, m2
mandn m0, m1, m2
mnand m0, m1, m2
mnor m0, m1, m2
mxnor m0, m1, m2
morn m0, m1, m2
mand.save m0, m1
mor.save m0, m1
mxor.save m0, m1
mandn.save m0, m1
mnand.save m0, m1
mnor.save m0, m1
mxnor.save m0, m1
morn.save m0, m1
mmov m0, m1
mnot m0, m1
mclr m3
mones m3
mrestore m0
mset m7, t0
mput m1, a0
mputh m1, a0
mget a0, m1
mgeth a0, m1
mpop a0, m1
mfirst a0, m1
mscc a0
mbz m1, there
mbnz exec, there
mbo m1, there
mbno m1, there
mpred m1, 2
";

#[test]
fn stock_assemblers_make_the_same_words() {
    let count = ALL.lines().filter(|line| !line.is_empty()).count();
    let around = |text: &str| {
        format!(".globl _start\n_start: nop\n.globl there\n{text}there:\n nop\n .insn i 0x5B, 2, x0, 0(x0)\n")
    };
    let ours = weft_isa::assemble(&around(ALL), "all.s").unwrap_or_else(|error| panic!("{error}"));
    let words = |program: &weft_isa::Program| {
        let at = program.entry - program.segments[0].address;
        let bytes = &program.segments[0].bytes[at as usize..];
        let words = bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()));
        words.take(count + 3).collect::<Vec<_>>()
    };
    let text = around(&from_xweft(ALL));
    for family in families() {
        let theirs = Program::build(family, &[("all.s", &text)], &[]);
        for ((ours, theirs), line) in words(&ours)
            .iter()
            .skip(1)
            .zip(words(&theirs.program).iter().skip(1))
            .zip(ALL.lines().skip(1))
        {
            assert_eq!(
                format!("{ours:#010x}"),
                format!("{theirs:#010x}"),
                "{family:?}: {line}"
            );
        }
    }
}
