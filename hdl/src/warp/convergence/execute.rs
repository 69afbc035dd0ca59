//! Last step of a pass: the warp's state afterwards, as `decide.rs` says. Combinational.
//!
//! Spec: `docs/spec/convergence.md`, CONV-010 to CONV-100.
//!
//! # Parameters
//! `W` threads per warp; `R` bits of a place in the token window.
//!
//! # Ports
//! | Port | Dir | Meaning |
//! |---|---|---|
//! | `op` .. `back_at` | in | operation, its operands, state of the warp, token Tk; places of Tk and of what goes to the token memory |
//! | `pc_from` .. `goes_ready` | in | what `Decide` says; `repeats`, `repeat_step`, `repeat_mode` are its `again`, `again_step`, `again_mode` |
//! | `next_*` | out | state afterwards |
//! | `store_at`, `store_kind`, `store_mask`, `store_pc`, `store_below` | out | token to write to the token memory |
//! | `again`, `again_op`, `again_step`, `again_mode`, `again_mask` | out | next pass, if any: the one that `Decide` asks for, or a forced yield |
//! | `ready`, `retire` | out | the warp may issue again; the operation has ended |
//!
//! # Errors
//! None.

use super::code;
use crate::hdl::*;

#[cell]
pub struct Execute<const W: usize, const R: usize> {
    pub op: Signal<In, Bits<4>>,
    pub run: Signal<In, Bit>,
    pub is_launch: Signal<In, Bit>,
    pub is_config: Signal<In, Bit>,
    pub selected: Signal<In, Bits<W>>,
    pub d: Signal<In, Bits<W>>,
    pub group: Signal<In, Bits<W>>,
    pub comes: Signal<In, Bits<W>>,
    pub active: Signal<In, Bits<W>>,
    pub reason: [Signal<In, Bits<W>>; 4],
    pub pc: Signal<In, Bits<22>>,
    pub target: Signal<In, Bits<22>>,
    pub fall: Signal<In, Bits<22>>,
    pub after: Signal<In, Bits<22>>,
    pub below: Signal<In, Bits<4>>,
    pub front_kind: Signal<In, Bits<4>>,
    pub front_mask: Signal<In, Bits<W>>,
    pub front_pc: Signal<In, Bits<22>>,
    pub front_below: Signal<In, Bits<4>>,
    pub token_kind: Signal<In, Bits<4>>,
    pub token_mask: Signal<In, Bits<W>>,
    pub token_pc: Signal<In, Bits<22>>,
    pub token_below: Signal<In, Bits<4>>,
    pub depth: Signal<In, Bits<10>>,
    pub have_front: Signal<In, Bit>,
    pub token_at: Signal<In, Bits<R>>,
    pub front_at: Signal<In, Bits<R>>,
    pub back_at: Signal<In, Bits<R>>,
    pub pc_from: Signal<In, Bits<3>>,
    pub front_from: Signal<In, Bits<2>>,
    pub push_from: Signal<In, Bits<3>>,
    pub store_from: Signal<In, Bits<2>>,
    pub takes: Signal<In, Bit>,
    pub takes_live: Signal<In, Bit>,
    pub by_token: Signal<In, Bit>,
    pub by_front: Signal<In, Bit>,
    pub stops_caught: Signal<In, Bit>,
    pub stops: Signal<In, Bit>,
    pub names_side: Signal<In, Bit>,
    pub owes_side: Signal<In, Bit>,
    pub d_first: Signal<In, Bit>,
    pub new_kind: Signal<In, Bits<4>>,
    pub push_front: Signal<In, Bit>,
    pub push_back: Signal<In, Bit>,
    pub pop: Signal<In, Bit>,
    pub pop_behind: Signal<In, Bit>,
    pub forcible: Signal<In, Bits<2>>,
    pub goes_ready: Signal<In, Bit>,
    pub done: Signal<In, Bit>,
    pub exception: Signal<In, Bit>,
    pub parts_next: Signal<In, Bit>,
    pub waits_behind: Signal<In, Bit>,
    pub pops_on: Signal<In, Bit>,
    pub repeats: Signal<In, Bit>,
    pub repeat_step: Signal<In, Bits<3>>,
    pub repeat_mode: Signal<In, Bits<3>>,
    pub next_active: Signal<Out, Bits<W>>,
    pub next_reason: [Signal<Out, Bits<W>>; 4],
    pub next_pc: Signal<Out, Bits<22>>,
    pub next_front_kind: Signal<Out, Bits<4>>,
    pub next_front_mask: Signal<Out, Bits<W>>,
    pub next_front_pc: Signal<Out, Bits<22>>,
    pub next_front_below: Signal<Out, Bits<4>>,
    pub next_depth: Signal<Out, Bits<10>>,
    pub store_at: Signal<Out, Bits<R>>,
    pub store_kind: Signal<Out, Bits<4>>,
    pub store_mask: Signal<Out, Bits<W>>,
    pub store_pc: Signal<Out, Bits<22>>,
    pub store_below: Signal<Out, Bits<4>>,
    pub again: Signal<Out, Bit>,
    pub again_op: Signal<Out, Bits<4>>,
    pub again_step: Signal<Out, Bits<3>>,
    pub again_mode: Signal<Out, Bits<3>>,
    pub again_mask: Signal<Out, Bits<W>>,
    pub ready: Signal<Out, Bit>,
    pub retire: Signal<Out, Bit>,
    // Combinational.
    named: Signal<Local, Bits<W>>,
    only_d: Signal<Local, Bit>,
    without_d: Signal<Local, Bit>,
    comes_any: Signal<Local, Bit>,
    catches: Signal<Local, Bit>,
    to_target: Signal<Local, Bit>,
    to_fall: Signal<Local, Bit>,
    push_fall: Signal<Local, Bit>,
    caught: Signal<Local, Bits<W>>,
    stopped: Signal<Local, Bits<W>>,
    coming: Signal<Local, Bits<W>>,
    more: Signal<Local, Bits<10>>,
    push_pc: Signal<Local, Bits<22>>,
    deeper: Signal<Local, Bit>,
    unwinds: Signal<Local, Bit>,
    finished: Signal<Local, Bit>,
    forced: Signal<Local, Bit>,
    enough: Signal<Local, Bit>,
    // Constants.
    #[value(code::OP_FORCED_YIELD.into())]
    op_forced_yield: Constant<Bits<4>>,
    #[value(code::STEP_START.into())]
    step_start: Constant<Bits<3>>,
    #[value(code::MODE_RUN.into())]
    mode_run: Constant<Bits<3>>,
    #[value(code::MODE_WAIT.into())]
    mode_wait: Constant<Bits<3>>,
    #[value(code::STEP_PART.into())]
    step_part: Constant<Bits<3>>,
    #[value(code::KIND_YIELD.into())]
    kind_yield: Constant<Bits<4>>,
    #[value(0.into())]
    no_kind: Constant<Bits<4>>,
    #[value(code::PC_TARGET.into())]
    pc_target: Constant<Bits<3>>,
    #[value(code::PC_FALL.into())]
    pc_fall: Constant<Bits<3>>,
    #[value(code::PC_AFTER.into())]
    pc_after: Constant<Bits<3>>,
    #[value(code::PC_FRONT.into())]
    pc_front: Constant<Bits<3>>,
    #[value(code::PC_SIDE.into())]
    pc_side: Constant<Bits<3>>,
    #[value(code::FRONT_NAMED.into())]
    front_is_named: Constant<Bits<2>>,
    #[value(code::FRONT_JOINED.into())]
    front_is_joined: Constant<Bits<2>>,
    #[value(code::FRONT_WITHOUT.into())]
    front_is_without: Constant<Bits<2>>,
    #[value(code::STORE_JOINED.into())]
    store_joined: Constant<Bits<2>>,
    #[value(code::STORE_NEW.into())]
    store_new: Constant<Bits<2>>,
    #[value(code::STORE_FRONT.into())]
    store_front: Constant<Bits<2>>,
    #[value(0.into())]
    no_tokens: Constant<Bits<10>>,
    #[value(1.into())]
    one_token: Constant<Bits<10>>,
    #[value(Bits::<10>::mask())]
    one_less: Constant<Bits<10>>,
    #[value(0.into())]
    no_threads: Constant<Bits<W>>,
}

impl<const W: usize, const R: usize> Logic for Execute<W, R> {
    #[part]
    fn update(&mut self) {
        // ---- Threads.
        self.only_d.next = self.names_side.val() & !self.d_first.val();
        self.without_d.next = self.names_side.val() & self.d_first.val();
        self.named.next = self.group.val();
        if self.only_d.val() {
            self.named.next = self.d.val();
        }
        if self.without_d.val() {
            self.named.next = self.group.val() & !self.d.val();
        }
        self.caught.next = self.group.val() & self.token_mask.val();
        if self.by_front.val() {
            self.caught.next = self.group.val() & self.front_mask.val();
        }
        // Those whom T0 has caught and lets go in the same pass just stay active.
        self.catches.next = self.stops_caught.val()
            & (self.by_token.val() | (self.by_front.val() & !self.takes_live.val()));
        self.stopped.next = self.no_threads.val();
        if self.stops.val() {
            self.stopped.next = self.named.val();
        }
        if self.catches.val() {
            self.stopped.next = self.stopped.val() | self.caught.val();
        }
        self.comes_any.next = self.takes.val() | self.takes_live.val();
        self.coming.next = self.no_threads.val();
        if self.comes_any.val() {
            self.coming.next = self.comes.val();
        }
        self.next_active.next = (self.active.val() & !self.stopped.val()) | self.coming.val();

        // ---- Addresses.
        self.to_target.next = (self.pc_from.val() == self.pc_target.val())
            | ((self.pc_from.val() == self.pc_side.val()) & self.d_first.val());
        self.to_fall.next = (self.pc_from.val() == self.pc_fall.val())
            | ((self.pc_from.val() == self.pc_side.val()) & !self.d_first.val());
        self.push_fall.next = (self.push_from.val() == self.pc_fall.val())
            | ((self.push_from.val() == self.pc_side.val()) & self.d_first.val());
        self.next_pc.next = self.pc.val();
        if self.to_target.val() {
            self.next_pc.next = self.target.val();
        }
        if self.to_fall.val() {
            self.next_pc.next = self.fall.val();
        }
        if self.pc_from.val() == self.pc_after.val() {
            self.next_pc.next = self.after.val();
        }
        if self.takes_live.val() | (self.pc_from.val() == self.pc_front.val()) {
            self.next_pc.next = self.front_pc.val();
        }
        self.push_pc.next = self.target.val();
        if self.push_fall.val() {
            self.push_pc.next = self.fall.val();
        }

        // ---- The front token.
        carry!(self.next_* <- self: front_kind, front_mask, front_pc, front_below);
        if self.pop.val() {
            carry!(self.next_front_* <- self.token_*: kind, pc, below);
        }
        if self.push_front.val() {
            self.next_front_kind.next = self.new_kind.val();
            self.next_front_pc.next = self.push_pc.val();
            self.next_front_below.next = self.below.val();
        }
        if self.front_from.val() == self.front_is_named.val() {
            self.next_front_mask.next = self.named.val();
        }
        if self.front_from.val() == self.front_is_joined.val() {
            self.next_front_mask.next = self.front_mask.val() | self.named.val();
        }
        if self.front_from.val() == self.front_is_without.val() {
            self.next_front_mask.next = self.front_mask.val() & !self.named.val();
        }
        if self.pop.val() {
            self.next_front_mask.next = self.token_mask.val();
        }

        self.more.next = self.no_tokens.val();
        if self.push_front.val() | self.push_back.val() {
            self.more.next = self.one_token.val();
        }
        if self.pop.val() {
            self.more.next = self.one_less.val();
        }
        self.next_depth.next = self.depth.val() + self.more.val();
        if self.is_launch.val() | self.done.val() {
            self.next_depth.next = self.no_tokens.val();
        }

        // ---- The token to write.
        carry!(self.store_* <- self.token_*: at, kind);
        self.store_mask.next = self.token_mask.val() & !self.named.val();
        carry!(self.store_* <- self.token_*: pc, below);
        if self.store_from.val() == self.store_joined.val() {
            self.store_mask.next = self.token_mask.val() | self.named.val();
        }
        if self.store_from.val() == self.store_new.val() {
            carry!(self <- self:
                store_at = back_at, store_kind = kind_yield, store_mask = named,
                store_pc = fall, store_below = no_kind,
            );
        }
        if self.store_from.val() == self.store_front.val() {
            carry!(self.store_* <- self.front_*: at, kind, mask, pc, below);
        }

        // ---- Turn threads off; who is active has the reason EXIT.
        for i in 0..4 {
            self.next_reason[i].next =
                (self.reason[i].val() | self.coming.val()) & !self.stopped.val();
            if self.new_kind.val().get_bit(i) {
                self.next_reason[i].next =
                    self.reason[i].val() | self.coming.val() | self.stopped.val();
            }
        }

        // ---- What follows; a forced yield goes before the next instruction (CONV-055).
        self.unwinds.next = self.parts_next.val() | self.waits_behind.val() | self.pops_on.val();
        self.finished.next = self.run.val()
            & !self.is_config.val()
            & !self.repeats.val()
            & !self.unwinds.val()
            & !self.done.val()
            & !self.exception.val();
        self.deeper.next = self.have_front.val();
        if self.pop.val() {
            self.deeper.next = self.pop_behind.val();
        }
        if self.push_front.val() {
            self.deeper.next = true;
        }
        self.enough.next = self.forcible.val().get_bit(0);
        if self.pop.val() {
            self.enough.next = self.forcible.val().get_bit(1);
        }
        self.forced.next = self.finished.val()
            & self.enough.val()
            & self.deeper.val()
            & !(self.owes_side.val() & !self.d_first.val());
        self.retire.next = (self.finished.val() | self.done.val()) & !self.is_launch.val();
        self.ready.next = self.finished.val() & !self.forced.val() & self.goes_ready.val();
        self.again.next = self.repeats.val() | self.unwinds.val();
        carry!(self.again_* <- self: op, step = repeat_step, mode = repeat_mode);
        // Who is caught stops, and a branch does not name who is not active.
        self.again_mask.next = self.selected.val();
        if self.waits_behind.val() {
            self.again_mode.next = self.mode_wait.val();
        }
        if self.parts_next.val() {
            self.again_step.next = self.step_part.val();
            self.again_mask.next = self.comes.val();
        }
        if self.forced.val() {
            self.again.next = true;
            self.again_op.next = self.op_forced_yield.val();
            self.again_step.next = self.step_start.val();
            self.again_mode.next = self.mode_run.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random findings and state: also such as no program reaches, since every signal must agree.
    #[test]
    fn verilog_agrees() {
        weft_rtl::check_module(
            "execute",
            Execute::<8, 3>::default,
            4000,
            |u, rng, _| {
                u.op.next = rng.bits();
                u.run.next = rng.flip();
                u.is_launch.next = rng.flip();
                u.is_config.next = rng.flip();
                u.selected.next = rng.bits();
                u.d.next = rng.bits();
                u.group.next = rng.bits();
                u.comes.next = rng.bits();
                u.active.next = rng.bits();
                for r in &mut u.reason {
                    r.next = rng.bits();
                }
                u.pc.next = rng.bits();
                u.target.next = rng.bits();
                u.fall.next = rng.bits();
                u.after.next = rng.bits();
                u.below.next = rng.bits();
                u.front_kind.next = rng.bits();
                u.front_mask.next = rng.bits();
                u.front_pc.next = rng.bits();
                u.front_below.next = rng.bits();
                u.token_kind.next = rng.bits();
                u.token_mask.next = rng.bits();
                u.token_pc.next = rng.bits();
                u.token_below.next = rng.bits();
                u.depth.next = rng.bits();
                u.have_front.next = rng.flip();
                u.token_at.next = rng.bits();
                u.front_at.next = rng.bits();
                u.back_at.next = rng.bits();
                u.pc_from.next = rng.bits();
                u.front_from.next = rng.bits();
                u.push_from.next = rng.bits();
                u.store_from.next = rng.bits();
                u.takes.next = rng.flip();
                u.takes_live.next = rng.flip();
                u.stops.next = rng.flip();
                u.names_side.next = rng.flip();
                u.by_token.next = rng.flip();
                u.by_front.next = rng.flip();
                u.stops_caught.next = rng.flip();
                u.owes_side.next = rng.flip();
                u.d_first.next = rng.flip();
                u.new_kind.next = rng.bits();
                u.push_front.next = rng.flip();
                u.push_back.next = rng.flip();
                u.pop.next = rng.flip();
                u.pop_behind.next = rng.flip();
                u.forcible.next = rng.bits();
                u.goes_ready.next = rng.flip();
                u.done.next = rng.flip();
                u.exception.next = rng.flip();
                u.parts_next.next = rng.flip();
                u.waits_behind.next = rng.flip();
                u.pops_on.next = rng.flip();
                u.repeats.next = rng.flip();
                u.repeat_step.next = rng.bits();
                u.repeat_mode.next = rng.bits();
            },
            None,
        )
        .unwrap();
    }
}
