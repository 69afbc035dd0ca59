//! Picker of three steps: the candidates are kept, a cycle later the first of each group is found, and a cycle later the first of these.
//! Of all 32 warps, or of half of 64, in turns with another one.
//!
//! Spec: `docs/spec/scheduler.md`, SCHED-010 to 019.
//!
//! # Parameters
//! `NW` warps, 32; `WI` = log2 NW; `GW` warps of a group, a quarter of them; `GI` = log2 GW; `LB` level bits, 4 at most; `TURNS`: 1 if it takes turns.
//!
//! # Ports
//! | Port | Dir | Width | Meaning |
//! |---|---|---|---|
//! | `reset`, `clear` | in | 1, GI | synchronous, active high; `clear` takes all values while `reset` is 1 |
//! | `in_turn`, `was_in_turn`, `greedy_first` | in | 1 each | loose round robin; it was so in the cycle before; greedy then oldest |
//! | `ready` | in | NW | the candidates, but for the grant of the cycle before; late |
//! | `free` | in | 8 | classes whose unit is free in this cycle |
//! | `class0`, `class1`, `class2` | in | NW each | bits of the classes of the first instructions |
//! | `turn`, `was_turn` | in | 1, 1 | with `TURNS`: it may grant in this cycle, it might in the one before; never both. Else both are 1 |
//! | `own_issue`, `own_level`, `own_launch` | in | 1 each | with `TURNS`: `issue_warp`, `level_warp`, `launch_warp` is one of these warps. Else 1 |
//! | `issuing`, `issue`, `issue_warp` | in | 1, NW, WI | this warp issues in this cycle; one-hot or 0, and as a number: touch, greedy warp |
//! | `issue_level`, `above_issue` | in | LB, LB | level of the warp that issues, before this cycle's level write; 1 more, 0 for the highest |
//! | `level_valid`, `level_warp`, `level_value` | in | 1, WI, LB | level write; not while `in_turn` or `was_in_turn` is 1 |
//! | `launch_valid`, `launch_warp`, `launch_level` | in | 1, WI, LB | a warp was launched in the cycle before; its level, before this cycle's level write |
//! | `numbers`, `winner` | out | 16, 4 | numbers of the champions in their groups, 4 bits each, group 0 lowest; the group whose champion is granted in this cycle, one-hot or 0, late |
//! | `granted`, `granted_warp`, `granted_class` | out | NW, WI, 3 | the grant of the cycle before, one-hot or 0; its warp and class, a gate behind registers, with `TURNS` some gates |
//!
//! # Cycle behaviour
//! ```text
//! cycle            t             t + 1                    t + 2                    t + 3
//! ready            5
//! ripe                           5
//! champion                                                5
//! granted_warp                                                                     5
//! order            as of t       found by that of t       granted by that of t + 1
//! ```
//! With `TURNS` candidates are those of the cycles in which `turn` is 1, and the champions change in those in which `was_turn` is: so the comparison of the
//! groups ends in four registers, and who follows is found while it is known who was granted.
//!
//! One grant per cycle. All that concerns the order passes a register, so that it counts a cycle later. The champions of the groups are in registers; of those whose unit is free one is granted, each compared with each, and its group has another one in the
//! next cycle. A touch concerns the pairs of one group, so it looks at the levels of its warps ([`GroupLevels`](super::group_levels)).
//!
//! # Invariants
//! While a warp is greedy no level changes, so who stands above it in its group is known since then.
//!
//! # Errors
//! None at run time. `Default` panics when the parameters do not fit.

use super::foremost::Foremost;
use super::group::Group;
use super::group_levels::GroupLevels;
use super::lower::Lower;
use super::touch::Touch;
use crate::hdl::*;

/// Groups of a picker of three steps; 0: it picks in one.
pub const fn groups(warps: usize) -> usize {
    if warps < 32 {
        0
    } else {
        4
    }
}

/// Pairs of groups.
pub const fn pairs(warps: usize) -> usize {
    groups(warps) / 2
}

#[derive(LogicBlock)]
pub struct Tournament<
    const NW: usize,
    const WI: usize,
    const GW: usize,
    const GI: usize,
    const LB: usize,
    const TURNS: usize,
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub clear: Signal<In, Bits<GI>>,
    pub in_turn: Signal<In, Bit>,
    pub was_in_turn: Signal<In, Bit>,
    pub greedy_first: Signal<In, Bit>,
    pub ready: Signal<In, Bits<NW>>,
    pub free: Signal<In, Bits<8>>,
    pub turn: Signal<In, Bit>,
    pub was_turn: Signal<In, Bit>,
    pub class0: Signal<In, Bits<NW>>,
    pub class1: Signal<In, Bits<NW>>,
    pub class2: Signal<In, Bits<NW>>,
    pub own_issue: Signal<In, Bit>,
    pub own_level: Signal<In, Bit>,
    pub own_launch: Signal<In, Bit>,
    pub issuing: Signal<In, Bit>,
    pub issue: Signal<In, Bits<NW>>,
    pub issue_warp: Signal<In, Bits<WI>>,
    pub issue_level: Signal<In, Bits<LB>>,
    pub above_issue: Signal<In, Bits<LB>>,
    pub level_valid: Signal<In, Bit>,
    pub level_warp: Signal<In, Bits<WI>>,
    pub level_value: Signal<In, Bits<LB>>,
    pub launch_valid: Signal<In, Bit>,
    pub launch_warp: Signal<In, Bits<WI>>,
    pub launch_level: Signal<In, Bits<LB>>,
    pub granted: Signal<Out, Bits<NW>>,
    pub granted_warp: Signal<Out, Bits<WI>>,
    pub granted_class: Signal<Out, Bits<3>>,
    pub numbers: Signal<Out, Bits<16>>,
    pub winner: Signal<Out, Bits<4>>,
    group: Vec<Group<GW, GI, LB, TURNS>>,
    touch: Touch<WI, LB>,
    levels: GroupLevels<GW, LB>,
    compare: Lower<GW>,
    foremost: Foremost,
    // State: the candidates of the cycle before, without those that were granted in the one before that.
    ripe: DFF<Bits<NW>>,
    // State: what concerns the order, of the cycle before.
    policy_in_turn: DFF<Bit>,
    policy_was_in_turn: DFF<Bit>,
    policy_greedy: DFF<Bit>,
    issued: DFF<Bit>,
    issued_warp: DFF<Bits<NW>>,
    issued_number: DFF<Bits<WI>>,
    leveled: DFF<Bit>,
    launched: DFF<Bit>,
    touches: DFF<Bit>,
    touched_warp: DFF<Bits<WI>>,
    touched_level: DFF<Bits<LB>>,
    // State: the groups whose champion won in the cycle before, when it takes turns.
    won: DFF<Bits<4>>,
    // State: the grant of the cycle before.
    grant: DFF<Bits<NW>>,
    // Its group's first warp, number in the group and class, by the pair of groups: one gate behind `wins`.
    grant_first: Vec<DFF<Bits<WI>>>,
    grant_at: Vec<DFF<Bits<GI>>>,
    grant_class: Vec<DFF<Bits<3>>>,
    // State: touches since the last turn; there were some; the touch of this cycle is the first of one.
    stamp: DFF<Bits<6>>,
    in_between: DFF<Bit>,
    begins: DFF<Bit>,
    // State: the greedy warp, one-hot or 0, whether there is one, and its number; those of its group that stand above it; whether it issued one, two, three, four cycles before.
    greedy: DFF<Bits<NW>>,
    greedy_there: DFF<Bit>,
    greedy_warp: DFF<Bits<WI>>,
    above: DFF<Bits<GW>>,
    greedy_1: DFF<Bit>,
    greedy_2: DFF<Bit>,
    greedy_3: DFF<Bit>,
    greedy_4: DFF<Bit>,
    // Combinational: touch.
    own: Signal<Local, Bit>,
    touched_at: Signal<Local, Bits<GI>>,
    touched_high: Signal<Local, Bits<WI>>,
    touched_group: Signal<Local, Bits<2>>,
    touched: Signal<Local, Bits<GW>>,
    higher_number: Signal<Local, Bits<GW>>,
    front: Signal<Local, Bits<GW>>,
    moves: Signal<Local, Bits<4>>,
    turns: Signal<Local, Bit>,
    next_between: Signal<Local, Bit>,
    lower: Signal<Local, Bits<GW>>,
    behind: Signal<Local, Bits<GW>>,
    // Combinational: from the first warp of each group on.
    candidates_from: Vec<Signal<Local, Bits<NW>>>,
    ready_from: Vec<Signal<Local, Bits<NW>>>,
    greedy_from: Vec<Signal<Local, Bits<NW>>>,
    class0_from: Vec<Signal<Local, Bits<NW>>>,
    class1_from: Vec<Signal<Local, Bits<NW>>>,
    class2_from: Vec<Signal<Local, Bits<NW>>>,
    // Combinational: the champion of each group, from bit 0 on.
    champion_of: Vec<Signal<Local, Bits<NW>>>,
    // Combinational: grant.
    granted_first: Signal<Local, Bits<WI>>,
    granted_at: Signal<Local, Bits<GI>>,
    contends: Signal<Local, Bits<4>>,
    ranks: Signal<Local, Bits<52>>,
    not_ranks: Signal<Local, Bits<52>>,
    wins: Signal<Local, Bits<4>>,
    pair_first: Vec<Signal<Local, Bits<WI>>>,
    pair_at: Vec<Signal<Local, Bits<GI>>>,
    pair_class: Vec<Signal<Local, Bits<3>>>,
    greedy_kind: Signal<Local, Bits<3>>,
    candidates: Signal<Local, Bits<NW>>,
    next_grant: Signal<Local, Bits<NW>>,
    issues_greedy: Signal<Local, Bit>,
    greedy_at: Signal<Local, Bits<GI>>,
    takes_over: Signal<Local, Bit>,
    greedy_ends: Signal<Local, Bit>,
    // Constants.
    in_turns: Constant<Bit>,
    no_ranks: Constant<Bits<52>>,
    group_shift: Constant<Bits<WI>>,
    first_of: Vec<Constant<Bits<WI>>>,
    number: Vec<Constant<Bits<GI>>>,
    group_number: Vec<Constant<Bits<2>>>,
    no_warp: Constant<Bits<WI>>,
    no_number: Constant<Bits<GI>>,
    no_numbers: Constant<Bits<16>>,
    no_class: Constant<Bits<3>>,
    bit: Vec<Constant<Bits<GW>>>,
    group_bit: Vec<Constant<Bits<4>>>,
    none: Constant<Bits<NW>>,
    one: Constant<Bits<GW>>,
    no_warps: Constant<Bits<GW>>,
    one_group: Constant<Bits<4>>,
    no_groups: Constant<Bits<4>>,
    no_level: Constant<Bits<LB>>,
    no_stamp: Constant<Bits<6>>,
    next_stamp: Constant<Bits<6>>,
    last_stamp: Constant<Bits<6>>,
}

impl<
        const NW: usize,
        const WI: usize,
        const GW: usize,
        const GI: usize,
        const LB: usize,
        const TURNS: usize,
    > Default for Tournament<NW, WI, GW, GI, LB, TURNS>
{
    fn default() -> Self {
        assert!(
            NW == 32 && NW == 1 << WI && NW == 4 * GW && GW == 1 << GI && TURNS <= 1,
            "Tournament<{NW}, {WI}, {GW}, {GI}, {LB}>"
        );
        block!({
            clock, reset, clear, in_turn, was_in_turn, greedy_first, ready, free, turn, was_turn, class0, class1, class2, own_issue, own_level, own_launch, own, issuing, issue, issue_warp, issue_level, above_issue, level_valid, level_warp, level_value,
            launch_valid, launch_warp, launch_level, granted, granted_warp, granted_class, numbers, winner, granted_first, granted_at, touch, levels, compare, foremost, in_between, begins, ripe, policy_in_turn, policy_was_in_turn, policy_greedy, issued, issued_warp, issued_number, leveled, launched, won, grant, stamp, greedy, greedy_there, greedy_warp, above, greedy_1, greedy_2, greedy_3, greedy_4, touches, touched_warp,
            touched_level, touched_at, touched_high, touched_group, touched, higher_number, front, moves, turns, next_between, lower, behind, contends, ranks, not_ranks, wins, greedy_kind,
            candidates, next_grant, issues_greedy, greedy_at, takes_over, greedy_ends,
        } {
            in_turns: Constant::new(TURNS == 1),
            pair_first: (0..pairs(NW)).map(|_| Default::default()).collect(),
            pair_at: (0..pairs(NW)).map(|_| Default::default()).collect(),
            pair_class: (0..pairs(NW)).map(|_| Default::default()).collect(),
            grant_first: (0..pairs(NW)).map(|_| Default::default()).collect(),
            grant_at: (0..pairs(NW)).map(|_| Default::default()).collect(),
            grant_class: (0..pairs(NW)).map(|_| Default::default()).collect(),
            ready_from: (0..groups(NW)).map(|_| Default::default()).collect(),
            candidates_from: (0..groups(NW)).map(|_| Default::default()).collect(),
            greedy_from: (0..groups(NW)).map(|_| Default::default()).collect(),
            class0_from: (0..groups(NW)).map(|_| Default::default()).collect(),
            class1_from: (0..groups(NW)).map(|_| Default::default()).collect(),
            class2_from: (0..groups(NW)).map(|_| Default::default()).collect(),
            champion_of: (0..groups(NW)).map(|_| Default::default()).collect(),
            group: (0..groups(NW)).map(|_| Default::default()).collect(),
            no_ranks: Constant::new(0u64.into()),
            group_shift: Constant::new((GI as u64).into()),
            first_of: (0..groups(NW) as u64).map(|g| Constant::new((GW as u64 * g).into())).collect(),
            number: (0..GW as u64).map(|i| Constant::new(i.into())).collect(),
            group_number: (0..groups(NW) as u64).map(|g| Constant::new(g.into())).collect(),
            no_warp: Constant::new(0.into()),
            no_number: Constant::new(0.into()),
            no_numbers: Constant::new(0.into()),
            no_class: Constant::new(0.into()),
            bit: (0..GW).map(|i| Constant::new((1u64 << i).into())).collect(),
            group_bit: (0..groups(NW)).map(|g| Constant::new((1u64 << g).into())).collect(),
            one: Constant::new(1.into()),
            no_warps: Constant::new(0.into()),
            none: Constant::new(0.into()),
            one_group: Constant::new(1.into()),
            no_groups: Constant::new(0.into()),
            no_level: Constant::new(0.into()),
            no_stamp: Constant::new(0.into()),
            next_stamp: Constant::new(1.into()),
            last_stamp: Constant::new(63.into()),
        })
    }
}

impl<
        const NW: usize,
        const WI: usize,
        const GW: usize,
        const GI: usize,
        const LB: usize,
        const TURNS: usize,
    > Logic for Tournament<NW, WI, GW, GI, LB, TURNS>
{
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, won, grant, stamp, in_between, begins);
        dff_setup!(
            self,
            clock,
            greedy,
            greedy_there,
            greedy_warp,
            above,
            greedy_1,
            greedy_2,
            greedy_3,
            greedy_4
        );
        dff_setup!(
            self,
            clock,
            ripe,
            policy_in_turn,
            policy_was_in_turn,
            policy_greedy
        );
        dff_setup!(
            self,
            clock,
            issued,
            issued_warp,
            issued_number,
            leveled,
            launched
        );
        dff_setup!(self, clock, touches, touched_warp, touched_level);
        clock!(self, clock, levels);

        // ---- Touch.
        self.touch.greedy_first.next = self.greedy_first.val();
        self.touch.issuing.next = self.issuing.val();
        self.touch.issue_warp.next = self.issue_warp.val();
        self.touch.issue_level.next = self.issue_level.val();
        self.touch.above_issue.next = self.above_issue.val();
        self.touch.level_valid.next = self.level_valid.val();
        self.touch.level_warp.next = self.level_warp.val();
        self.touch.level_value.next = self.level_value.val();
        self.touch.launch_valid.next = self.launch_valid.val();
        self.touch.launch_warp.next = self.launch_warp.val();
        self.touch.launch_level.next = self.launch_level.val();
        self.own.next = self.own_issue.val();
        if self.greedy_first.val() & self.launch_valid.val() {
            self.own.next = self.own_launch.val();
        }
        if self.level_valid.val() {
            self.own.next = self.own_level.val();
        }
        self.touches.d.next = self.touch.touches.val() & self.own.val();
        self.touched_warp.d.next = self.touch.warp.val();
        // Without a touch that of the warp that may become greedy, and 1: for those of its group above it.
        self.touched_level.d.next = self.touch.level.val();
        self.policy_in_turn.d.next = self.in_turn.val();
        self.policy_was_in_turn.d.next = self.was_in_turn.val();
        self.policy_greedy.d.next = self.greedy_first.val();
        self.issued.d.next = self.issuing.val() & self.own_issue.val();
        self.issued_warp.d.next = self.issue.val();
        self.issued_number.d.next = self.issue_warp.val();
        self.leveled.d.next = self.level_valid.val();
        self.launched.d.next = self.launch_valid.val();

        // ---- A cycle later it counts.
        self.touched_at.next = self.touched_warp.q.val().get_bits::<GI>(0);
        self.touched_high.next = self.touched_warp.q.val() >> self.group_shift.val();
        self.touched_group.next = bit_cast::<2, WI>(self.touched_high.val());
        self.touched.next = self.one.val() << self.touched_at.val();
        self.higher_number.next = self.no_warps.val();
        for i in 1..GW {
            if self.number[i].val() > self.touched_at.val() {
                self.higher_number.next = self.higher_number.val() | self.bit[i].val();
            }
        }
        self.moves.next = self.no_groups.val();
        self.next_between.next = self.in_between.q.val();
        if self.touches.q.val() {
            self.moves.next = self.one_group.val() << self.touched_group.val();
            self.stamp.d.next = self.stamp.q.val() + self.next_stamp.val();
            self.next_between.next = self.stamp.q.val() != self.last_stamp.val();
        }
        self.turns.next = self.begins.q.val();

        // ---- Levels of the group.
        self.levels.group.next = self.touched_group.val();
        self.levels.write.next = self.no_warps.val();
        self.levels.write_group.next = self.touched_group.val();
        self.levels.write_level.next = self.touched_level.q.val();
        if self.leveled.q.val() & self.touches.q.val() {
            self.levels.write.next = self.touched.val();
        }
        if self.reset.val() | self.policy_in_turn.q.val() {
            self.levels.write.next = !self.no_warps.val();
            self.levels.write_group.next = self.clear.val().get_bits::<2>(0);
            self.levels.write_level.next = self.no_level.val();
        }
        self.compare.bit3.next = self.levels.bit3.val();
        self.compare.bit2.next = self.levels.bit2.val();
        self.compare.bit1.next = self.levels.bit1.val();
        self.compare.bit0.next = self.levels.bit0.val();
        self.compare.level.next = bit_cast::<4, LB>(self.touched_level.q.val());
        self.lower.next = self.compare.lower.val();

        // Those of its level and above go before all others; so does the warp itself if its level rises, and if not, it goes behind them.
        // Before those of a lower level it stands anyway.
        // Under loose round robin none is lower, and those of a higher number go before the others.
        self.behind.next = self.touched.val();
        if self.policy_in_turn.q.val() {
            self.behind.next = !self.higher_number.val();
        }
        self.front.next = !(self.behind.val() ^ self.lower.val());

        // ---- Loose round robin: every issue sets the order anew.
        if self.policy_in_turn.q.val() {
            self.stamp.d.next = self.no_stamp.val();
            self.next_between.next = false;
        }
        self.in_between.d.next = self.next_between.val();
        self.begins.d.next = self.touch.touches.val() & self.own.val() & !self.next_between.val();

        // ---- Which champion goes.
        self.contends.next = self.no_groups.val();
        self.ranks.next = self.no_ranks.val();
        self.not_ranks.next = self.no_ranks.val();
        for g in 0..groups(NW) {
            if self.turn.val() & self.free.val().get_bit(self.group[g].kind.val().index()) {
                self.contends.next = self.contends.val() | self.group_bit[g].val();
            }
            for i in 0..13 {
                self.ranks.next = self
                    .ranks
                    .val()
                    .replace_bit(13 * g + i, self.group[g].rank.val().get_bit(i));
                self.not_ranks.next = self
                    .not_ranks
                    .val()
                    .replace_bit(13 * g + i, self.group[g].not_rank.val().get_bit(i));
            }
        }
        self.foremost.contends.next = self.contends.val();
        self.foremost.rank.next = self.ranks.val();
        self.foremost.not_rank.next = self.not_ranks.val();
        self.won.d.next = self.foremost.wins.val();
        self.wins.next = self.foremost.wins.val();
        if self.in_turns.val() {
            self.wins.next = self.won.q.val();
        }
        self.winner.next = self.wins.val();

        // ---- The groups.
        self.issues_greedy.next = self.issued.q.val()
            & self.greedy_there.q.val()
            & (self.issued_number.q.val() == self.greedy_warp.q.val());
        self.takes_over.next = self.issued.q.val()
            & !self.issues_greedy.val()
            & !self.greedy_1.q.val()
            & !self.greedy_2.q.val()
            & !self.greedy_3.q.val()
            & !self.greedy_4.q.val()
            & !self.leveled.q.val()
            & !self.launched.q.val();
        self.greedy_at.next = self.greedy_warp.q.val().get_bits::<GI>(0);
        self.greedy_ends.next =
            self.takes_over.val() | !self.policy_greedy.q.val() | self.leveled.q.val();
        self.greedy_kind.next =
            bit_cast::<3, 1>((self.greedy.q.val() & self.class0.val()).any().into())
                | (bit_cast::<3, 1>((self.greedy.q.val() & self.class1.val()).any().into()) << 1)
                | (bit_cast::<3, 1>((self.greedy.q.val() & self.class2.val()).any().into()) << 2);
        self.ripe.d.next = self.ready.val() & !self.grant.q.val();
        self.candidates.next = self.ripe.q.val() & !self.grant.q.val();
        if self.in_turns.val() {
            self.ripe.d.next = self.ready.val();
            self.candidates.next = self.ripe.q.val();
        }
        self.next_grant.next = self.none.val();
        self.numbers.next = self.no_numbers.val();
        for g in 0..groups(NW) {
            for i in 0..GI {
                self.numbers.next = self
                    .numbers
                    .val()
                    .replace_bit(4 * g + i, self.group[g].number.val().get_bit(i));
            }
            self.champion_of[g].next = self.none.val();
            for i in 0..GW {
                self.champion_of[g].next = self.champion_of[g]
                    .val()
                    .replace_bit(i, self.group[g].champion.val().get_bit(i));
            }
            if self.wins.val().get_bit(g) {
                self.next_grant.next =
                    self.next_grant.val() | (self.champion_of[g].val() << self.first_of[g].val());
            }
        }
        for g in 0..groups(NW) {
            self.group[g].clock.next = self.clock.val();
            self.group[g].reset.next = self.reset.val();
            self.group[g].clear.next = self.clear.val();
            self.candidates_from[g].next = self.candidates.val() >> self.first_of[g].val();
            self.ready_from[g].next = self.ready.val() >> self.first_of[g].val();
            self.group[g].ready.next = self.ready_from[g].val().get_bits::<GW>(0);
            self.group[g].candidates.next = self.candidates_from[g].val().get_bits::<GW>(0);
            self.group[g].in_turn.next = self.policy_in_turn.q.val();
            self.group[g].was_in_turn.next = self.policy_was_in_turn.q.val();
            self.group[g].restarts.next = self.policy_in_turn.q.val()
                & (!self.policy_was_in_turn.q.val()
                    | (self.issued.q.val() & !self.moves.val().get_bit(g)));
            self.group[g].last_moves.next = self.issued.q.val();
            self.group[g].higher.next = self.higher_number.val();
            self.group[g].holds_last.next = self.group_number[g].val() == self.touched_group.val();
            self.group[g].greedy_kind.next = self.greedy_kind.val();
            self.greedy_from[g].next = self.greedy.q.val() >> self.first_of[g].val();
            self.group[g].greedy.next = self.greedy_from[g].val().get_bits::<GW>(0);
            self.group[g].greedy_ends.next = self.greedy_ends.val();
            self.group[g].greedy_at.next = self.greedy_at.val();
            self.group[g].above.next = self.above.q.val();
            self.group[g].wins.next = self.wins.val().get_bit(g);
            self.group[g].may_move.next = self.was_turn.val();
            self.class0_from[g].next = self.class0.val() >> self.first_of[g].val();
            self.group[g].class0.next = self.class0_from[g].val().get_bits::<GW>(0);
            self.class1_from[g].next = self.class1.val() >> self.first_of[g].val();
            self.group[g].class1.next = self.class1_from[g].val().get_bits::<GW>(0);
            self.class2_from[g].next = self.class2.val() >> self.first_of[g].val();
            self.group[g].class2.next = self.class2_from[g].val().get_bits::<GW>(0);
            self.group[g].touches.next = self.moves.val().get_bit(g);
            self.group[g].touched.next = self.touched.val();
            self.group[g].touched_at.next = self.touched_at.val();
            self.group[g].touched_level.next = self.touched_level.q.val();
            self.group[g].front.next = self.front.val();
            self.group[g].stamp.next = self.stamp.q.val();
            self.group[g].turns.next = self.turns.val();
        }
        self.group[0].behind_last.next = false;
        for g in 1..groups(NW) {
            self.group[g].behind_last.next = self.group_number[g].val() > self.touched_group.val();
        }
        self.grant.d.next = self.next_grant.val();
        self.granted.next = self.grant.q.val();
        if self.in_turns.val() {
            self.granted.next = self.next_grant.val();
        }
        self.granted_first.next = self.no_warp.val();
        self.granted_at.next = self.no_number.val();
        self.granted_class.next = self.no_class.val();
        for p in 0..pairs(NW) {
            self.pair_first[p].next = self.no_warp.val();
            self.pair_at[p].next = self.no_number.val();
            self.pair_class[p].next = self.no_class.val();
            if self.wins.val().get_bit(2 * p) {
                self.pair_first[p].next = self.first_of[2 * p].val();
                self.pair_at[p].next = self.group[2 * p].number.val();
                self.pair_class[p].next = self.group[2 * p].kind.val();
            }
            if self.wins.val().get_bit(2 * p + 1) {
                self.pair_first[p].next = self.first_of[2 * p + 1].val();
                self.pair_at[p].next = self.group[2 * p + 1].number.val();
                self.pair_class[p].next = self.group[2 * p + 1].kind.val();
            }
            self.grant_first[p].clock.next = self.clock.val();
            self.grant_first[p].d.next = self.pair_first[p].val();
            self.grant_at[p].clock.next = self.clock.val();
            self.grant_at[p].d.next = self.pair_at[p].val();
            self.grant_class[p].clock.next = self.clock.val();
            self.grant_class[p].d.next = self.pair_class[p].val();
            if self.in_turns.val() {
                self.granted_first.next = self.granted_first.val() | self.pair_first[p].val();
                self.granted_at.next = self.granted_at.val() | self.pair_at[p].val();
                self.granted_class.next = self.granted_class.val() | self.pair_class[p].val();
            } else {
                self.granted_first.next = self.granted_first.val() | self.grant_first[p].q.val();
                self.granted_at.next = self.granted_at.val() | self.grant_at[p].q.val();
                self.granted_class.next = self.granted_class.val() | self.grant_class[p].q.val();
            }
        }
        self.granted_warp.next =
            self.granted_first.val() | bit_cast::<WI, GI>(self.granted_at.val());

        // ---- Greedy warp.
        self.greedy_1.d.next = self.issues_greedy.val() | self.takes_over.val();
        self.greedy_2.d.next = self.greedy_1.q.val();
        self.greedy_3.d.next = self.greedy_2.q.val();
        self.greedy_4.d.next = self.greedy_3.q.val();
        if self.takes_over.val() {
            self.greedy.d.next = self.issued_warp.q.val();
            self.greedy_there.d.next = true;
            self.greedy_warp.d.next = self.issued_number.q.val();
            // None is above the highest level.
            self.above.d.next = self.no_warps.val();
            if self.touched_level.q.val().any() {
                self.above.d.next = !self.lower.val();
            }
        }
        if !self.policy_greedy.q.val() | self.leveled.q.val() {
            self.greedy.d.next = self.none.val();
            self.greedy_there.d.next = false;
            self.greedy_1.d.next = false;
            self.greedy_2.d.next = false;
            self.greedy_3.d.next = false;
            self.greedy_4.d.next = false;
        }

        // ---- Reset wins.
        if self.reset.val() {
            self.ripe.d.next = self.none.val();
            self.issued.d.next = false;
            self.leveled.d.next = false;
            self.launched.d.next = false;
            self.touches.d.next = false;
            self.won.d.next = self.no_groups.val();
            self.grant.d.next = self.none.val();
            self.stamp.d.next = self.no_stamp.val();
            self.in_between.d.next = false;
            self.begins.d.next = false;
            self.greedy.d.next = self.none.val();
            self.greedy_there.d.next = false;
            self.above.d.next = self.no_warps.val();
            self.greedy_1.d.next = false;
            self.greedy_2.d.next = false;
            self.greedy_3.d.next = false;
            self.greedy_4.d.next = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weft_rtl::{Bench, Rng};

    type Small = Tournament<32, 5, 8, 3, 2, 0>;

    /// Random candidates; a reset of 8 cycles first.
    fn drive(u: &mut Small, rng: &mut Rng, t: usize) {
        u.reset.next = t < 8;
        u.clear.next = (t as u64 % 8).into();
        u.was_in_turn.next = u.in_turn.next;
        u.in_turn.next = t / 200 % 3 == 1;
        u.greedy_first.next = t / 200 % 3 == 2;
        let in_turn = u.in_turn.next || u.was_in_turn.next;
        u.ready.next = rng.bits();
        (u.turn.next, u.was_turn.next) = (true, true);
        (u.own_issue.next, u.own_level.next, u.own_launch.next) = (true, true, true);
        u.free.next = rng.bits::<8>() & Bits::<8>::from(31u64);
        // Classes 0 to 3.
        u.class0.next = rng.bits();
        u.class1.next = rng.bits();
        u.class2.next = 0.into();
        let issues = t >= 8 && rng.flip();
        let issue = rng.below(32);
        u.issuing.next = issues;
        u.issue.next = if issues { 1u64 << issue } else { 0 }.into();
        u.issue_warp.next = issue.into();
        u.issue_level.next = rng.bits();
        u.above_issue.next = u.issue_level.next + 1;
        u.level_valid.next = t >= 8 && !in_turn && rng.chance(1, 10);
        u.level_warp.next = rng.bits();
        u.level_value.next = rng.bits();
        u.launch_valid.next = t >= 8 && rng.chance(1, 10);
        u.launch_warp.next = rng.bits();
        u.launch_level.next = rng.bits();
    }

    #[test]
    fn verilog_agrees() {
        crate::stimulus::check_with_memories(
            "weft_tournament",
            Small::default,
            3000,
            drive,
            |u, level| u.clock.next = level.into(),
        );
    }

    /// All always ready, and every grant an issue; each has its turn in every 32 cycles.
    fn all_have_the_same(policy: u64) -> Vec<u64> {
        let mut b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let mut rng = Rng::new(1, "tournament");
        for t in 0..8 {
            drive(&mut b.uut, &mut rng, t);
            b.uut.in_turn.next = policy == 1;
            b.uut.greedy_first.next = policy == 2;
            b.uut.was_in_turn.next = policy == 1;
            b.settle();
            b.edge();
        }
        let u = &mut b.uut;
        u.reset.next = false;
        u.free.next = 31.into();
        (u.level_valid.next, u.launch_valid.next) = (false, false);
        u.issue_level.next = 0.into();
        let mut order = Vec::new();
        let mut granted = 0;
        for _ in 0..330 {
            let issue: u64 = std::mem::replace(&mut granted, b.uut.granted.val().to_u64());
            b.uut.ready.next = (u64::from(u32::MAX) & !issue).into();
            b.uut.issuing.next = issue != 0;
            b.uut.issue.next = issue.into();
            b.uut.issue_warp.next = u64::from(issue.trailing_zeros() % 32).into();
            b.settle();
            assert_eq!(b.uut.granted.val().to_u64(), granted);
            assert!(granted.count_ones() <= 1);
            if granted != 0 {
                let warp = u64::from(granted.trailing_zeros());
                assert_eq!(b.uut.granted_warp.val().to_u64(), warp);
                order.push(warp);
            }
            b.edge();
        }
        assert!(order.len() > 320, "{}", order.len());
        for round in order.windows(32) {
            let all = round.iter().fold(0u64, |set, w| set | 1 << w);
            assert_eq!(all, u64::from(u32::MAX), "{round:?}");
        }
        order
    }

    /// SCHED-015 to 018
    #[test]
    fn under_age_all_have_the_same() {
        all_have_the_same(0);
    }

    /// SCHED-013, 017
    #[test]
    fn under_loose_round_robin_they_go_by_their_numbers() {
        let order = all_have_the_same(1);
        let next = |pair: &[u64]| (pair[0] + 1) % 32 == pair[1];
        assert!(order.windows(2).all(next), "{order:?}");
    }
}
