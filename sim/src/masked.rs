//! Random programs that mix masks, predication, sub-vector loops and tokens, in assembly, for tests.
//!
//! They keep MASK-060: a group closes the masked regions that it has opened before another group executes a mask
//! instruction, and nobody yields inside one. So each thread must do what it would do alone.

use std::fmt::Write;

/// What may come next.
#[derive(Clone, Copy)]
struct Place {
    /// Nesting of statements.
    nesting: u32,
    /// Open masked regions, each with a saved mask of its own: m0 to m4.
    regions: u32,
    /// Inside a masked region: nobody yields.
    masked: bool,
    /// Inside a sub-vector loop.
    part: bool,
    /// Other threads of the warp may wait elsewhere.
    parted: bool,
}

const DEEPEST: u32 = 4;
const REGIONS: u32 = 5;

struct Writer<'a> {
    draw: &'a mut dyn FnMut(u32) -> u32,
    text: String,
    labels: u32,
    /// Whether the program yields; then groups may part for good.
    yields: bool,
}

/// A program. `draw(n)` gives a random number below n. The threads' data come from their numbers and `draw`.
pub fn program(draw: &mut dyn FnMut(u32) -> u32) -> String {
    let mut w = Writer {
        draw,
        text: String::new(),
        labels: 0,
        yields: false,
    };
    w.yields = w.one_in(2);
    let seed = w.pick(1 << 30);
    w.line(&format!("_start: li s0, {seed}"));
    w.line("add s0, s0, a0");
    w.line("la s1, log");
    w.line("slli t1, a0, 6");
    w.line("add s1, s1, t1");
    let place = Place {
        nesting: 0,
        regions: 0,
        masked: false,
        part: false,
        parted: w.yields,
    };
    let statements = 2 + w.pick(5);
    w.block(place, statements);
    w.line("exit");
    w.line(".bss");
    w.line("log: .zero 8192");
    w.text
}

impl Writer<'_> {
    fn pick(&mut self, n: u32) -> u32 {
        (self.draw)(n)
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.pick(n) == 0
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, " {line}").expect("a String takes everything");
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn place(&mut self, label: &str) {
        self.line(&format!("{label}:"));
    }

    fn block(&mut self, place: Place, statements: u32) {
        for _ in 0..statements {
            self.statement(place);
        }
    }

    fn inner(&mut self, place: Place) {
        let statements = 1 + self.pick(3);
        let nesting = place.nesting + 1;
        self.block(Place { nesting, ..place }, statements);
    }

    fn statement(&mut self, place: Place) {
        let room = place.nesting < DEEPEST;
        let regions = room && place.regions < REGIONS;
        match self.pick(16) {
            0..=2 if regions => self.exec_if(place),
            3..=4 if regions => self.exec_loop(place),
            5..=6 if room => self.token_if(place),
            7 if room && !place.part => self.sub_vector(place),
            8 if room => self.token_loop(place),
            9..=10 => self.predicated(),
            11 => self.mask_arithmetic(),
            12 if self.yields && !place.masked => self.line("yield"),
            // Masked threads need somebody who restores them: MASK-022.
            13 if !(place.masked && place.parted) && place.nesting > 0 && self.one_in(4) => {
                self.line("exit");
            }
            _ => self.data(),
        }
    }

    /// t0 = a small random number of the thread.
    fn random(&mut self, bits: u32) {
        self.line("slli t1, s0, 13");
        self.line("xor s0, s0, t1");
        self.line("srli t1, s0, 17");
        self.line("xor s0, s0, t1");
        self.line("slli t1, s0, 5");
        self.line("xor s0, s0, t1");
        self.line(&format!("andi t0, s0, {}", (1 << bits) - 1));
    }

    fn data(&mut self) {
        let (d, a, b) = (2 + self.pick(6), 2 + self.pick(6), 2 + self.pick(6));
        let offset = 4 * self.pick(16);
        match self.pick(6) {
            0 => self.line(&format!("mul s{d}, s{a}, s{b}")),
            1 => self.line(&format!("sw s{a}, {offset}(s1)")),
            2 => self.line(&format!("lw s{d}, {offset}(s1)")),
            3 => self.line(&format!("addi s{d}, s{a}, {offset}")),
            4 => self.line(&format!("xor s{d}, s{a}, s0")),
            _ => self.line(&format!("sub s{d}, s{a}, s{b}")),
        }
    }

    fn region(place: Place) -> Place {
        Place {
            regions: place.regions + 1,
            masked: true,
            ..place
        }
    }

    fn parted(place: Place) -> Place {
        Place {
            parted: true,
            ..place
        }
    }

    fn skip(&mut self, to: &str) {
        if !self.one_in(3) {
            let branch = ["mbz exec", "mbz scc"][self.pick(2) as usize];
            self.line(&format!("{branch}, {to}"));
        }
    }

    fn exec_if(&mut self, place: Place) {
        let (saved, inner) = (place.regions, Self::region(place));
        let (other, end) = (self.label(), self.label());
        let bits = 1 + self.pick(3);
        self.random(bits);
        self.line("mset m7, t0");
        let save = ["mand.save", "mandn.save"][usize::from(self.one_in(4))];
        // With andn nobody is left on.
        self.line(&format!("{save} m{saved}, m7"));
        self.skip(&other);
        self.inner(inner);
        self.place(&other);
        if !self.one_in(3) {
            self.line(&format!("mandn exec, m{saved}, exec"));
            self.skip(&end);
            self.inner(inner);
        }
        self.place(&end);
        match self.one_in(2) {
            true => self.line(&format!("mrestore m{saved}")),
            false => self.line(&format!("mmov exec, m{saved}")),
        }
    }

    fn exec_loop(&mut self, place: Place) {
        let (saved, inner) = (place.regions, Self::region(place));
        let (top, out) = (self.label(), self.label());
        let counter = 8 + place.nesting.min(3);
        self.random(2);
        self.line(&format!("mmov m{saved}, exec"));
        self.line(&format!("mv s{counter}, t0"));
        self.place(&top);
        self.line(&format!("mset m7, s{counter}"));
        self.line("mand exec, exec, m7");
        self.line(&format!("mbz exec, {out}"));
        self.inner(inner);
        self.line(&format!("addi s{counter}, s{counter}, -1"));
        if self.one_in(2) {
            self.random(2);
            self.line("mset m7, t0");
            self.line("mand exec, m7, exec");
        }
        match self.one_in(3) {
            // The next test of exec ends the loop.
            true => self.line(&format!("j {top}")),
            false => self.line(&format!("mbnz exec, {top}")),
        }
        self.place(&out);
        self.line(&format!("mrestore m{saved}"));
    }

    fn token_if(&mut self, place: Place) {
        let place = Self::parted(place);
        let (other, end) = (self.label(), self.label());
        self.random(1);
        self.line(&format!("ssy {end}"));
        self.line(&format!("beqz t0, {other}"));
        self.inner(place);
        self.line(&format!("sync {end}"));
        self.place(&other);
        self.inner(place);
        self.line(&format!("sync {end}"));
        self.place(&end);
    }

    fn token_loop(&mut self, place: Place) {
        let place = Self::parted(place);
        let (top, out) = (self.label(), self.label());
        let counter = 8 + place.nesting.min(3);
        self.random(2);
        self.line(&format!("mv s{counter}, t0"));
        self.line(&format!("pbk {out}"));
        self.place(&top);
        self.line(&format!("brk.eqz s{counter}, {out}"));
        self.inner(place);
        self.line(&format!("addi s{counter}, s{counter}, -1"));
        // Not a jump: with nobody on it would never end.
        self.line(&format!("bnez s{counter}, {top}"));
        self.line(&format!("brk {out}"));
        self.place(&out);
    }

    fn sub_vector(&mut self, place: Place) {
        let end = self.label();
        let start = ["subv.start", "subv.auto"][usize::from(self.one_in(3))];
        self.line(&format!("{start} {end}"));
        self.inner(Place {
            part: true,
            ..Self::parted(place)
        });
        self.line(&format!("sync {end}"));
        self.place(&end);
    }

    fn predicated(&mut self) {
        self.random(1);
        self.line("mset m6, t0");
        let count = 1 + self.pick(4);
        self.line(&format!("mpred m6, {count}"));
        for _ in 0..count {
            self.data();
        }
    }

    /// Leaves only m5 to m7 changed, which nobody needs.
    fn mask_arithmetic(&mut self) {
        const OPS: [&str; 8] = [
            "mand", "mor", "mxor", "mandn", "mnand", "mnor", "mxnor", "morn",
        ];
        const MASKS: [&str; 4] = ["m5", "m6", "m7", "exec"];
        for mask in &MASKS[..3] {
            self.random(1);
            self.line(&format!("mset {mask}, t0"));
        }
        for _ in 0..1 + self.pick(3) {
            let op = OPS[self.pick(8) as usize];
            let (d, a, b) = (self.pick(3), self.pick(4), self.pick(4));
            let [d, a, b] = [d, a, b].map(|n| MASKS[n as usize]);
            self.line(&format!("{op} {d}, {a}, {b}"));
        }
        self.line("mand m5, m5, exec");
        self.line("mpred m5, 1");
        self.line("addi s2, s2, 1");
    }
}
