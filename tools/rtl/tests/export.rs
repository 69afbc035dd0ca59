//! Names, sharing and refusals of the exporter.

use weft_rtl::prelude::*;
use weft_rtl::{export, verilator_lint, ExportError};

#[derive(LogicBlock, Default)]
struct Inc {
    a: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
}

impl Logic for Inc {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.a.val() + 1;
    }
}

#[derive(LogicBlock, Default)]
struct Dec {
    a: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
}

impl Logic for Dec {
    #[hdl_gen]
    fn update(&mut self) {
        self.y.next = self.a.val() - 1;
    }
}

/// Four blocks of two types, three of them in an array.
#[derive(LogicBlock, Default)]
struct Top {
    clock: Signal<In, Clock>,
    a: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
    lane: [Inc; 3],
    last: Inc,
    back: Dec,
    state: DFF<Bits<4>>,
}

impl Logic for Top {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state);
        self.lane[0].a.next = self.a.val();
        for i in 1..3 {
            self.lane[i].a.next = self.lane[i - 1].y.val();
        }
        self.last.a.next = self.lane[2].y.val();
        self.back.a.next = self.last.y.val();
        self.state.d.next = self.back.y.val() ^ self.state.q.val();
        self.y.next = self.state.q.val();
    }
}

fn connected<B: Block + Default>() -> B {
    let mut b = B::default();
    b.connect_all();
    b
}

#[test]
fn text_is_what_a_person_would_write() {
    let v = export(&connected::<Inc>(), "inc").unwrap();
    assert_eq!(
        v.bundle(),
        "\
// Generated; do not edit. Top module: inc
// All modules in one file.
// verilator lint_off DECLFILENAME
`default_nettype none

module inc (
    input  wire [3:0] a,
    output wire [3:0] y
);
    assign y = a + 4'd1;
endmodule

`default_nettype wire
// verilator lint_on DECLFILENAME
"
    );
}

#[test]
fn identical_modules_are_one() {
    let v = export(&connected::<Top>(), "chip").unwrap();
    let names: Vec<&str> = v.modules.iter().map(|(n, _)| n.as_str()).collect();
    assert_eq!(names, ["chip", "chip_back", "chip_lane"]);
    let top = &v.modules[0].1;
    for instance in [
        "chip_lane lane_0 (",
        "chip_lane lane_2 (",
        "chip_lane last (",
    ] {
        assert!(top.contains(instance), "{top}");
    }
    assert!(top.contains("state_q <= back_y ^ state_q;"), "{top}");
    assert_eq!(v.order.last().unwrap(), "chip");
    for (place, user) in v.order.iter().enumerate() {
        let text = &v.modules.iter().find(|(n, _)| n == user).unwrap().1;
        for later in &v.order[place..] {
            let instance = format!("\n    {later} ");
            assert!(!text.contains(&instance), "{later} comes after {user}");
        }
    }
    assert_eq!(v.order.len(), names.len());
    assert!(!v.bundle().contains('$'));
    assert_eq!(v.files().len(), 3);
    let report = verilator_lint(&v).unwrap();
    assert!(report.is_clean(), "{:?}", report.messages);
}

/// What nobody reads is said where it is declared, and Verilator has nothing to say.
#[test]
fn bits_that_nobody_reads_are_named_at_their_place() {
    #[derive(LogicBlock, Default)]
    struct M {
        a: Signal<In, Bits<8>>,
        y: Signal<Out, Bits<4>>,
        part: Signal<Local, Bits<4>>,
        open: Inc,
        half: Inc,
    }
    impl Logic for M {
        #[hdl_gen]
        fn update(&mut self) {
            self.part.next = bit_cast::<4, 8>(self.a.val() + 1);
            self.open.a.next = self.a.val().get_bits::<4>(0);
            self.half.a.next = self.part.val();
            self.y.next = self.a.val().get_bits::<4>(3);
            if self.half.y.val().get_bit(2) {
                self.y.next = self.part.val();
            }
        }
    }
    let v = export(&connected::<M>(), "unread").unwrap();
    let text = v.bundle();
    let off = "    // verilator lint_off UNUSEDSIGNAL\n";
    for line in [
        "    wire [3:0] half_y; // not read: [3], [1:0]\n",
        "    wire [7:0] cut_0; // not read: [7:4]\n",
    ] {
        assert!(text.contains(&format!("{off}{line}")), "{text}");
    }
    assert!(text.contains(".y(unused_open_y)"), "{text}");
    // All of `a` is read, in parts.
    assert!(text.contains("    input  wire [7:0] a,\n"), "{text}");
    let report = verilator_lint(&v).unwrap();
    assert!(report.is_clean(), "{:?}\n{text}", report.messages);
}

/// What the process assigns several times and others read changes once: only the variable has the values in between.
#[test]
fn a_process_shows_each_output_once() {
    #[derive(LogicBlock, Default)]
    struct M {
        clock: Signal<In, Clock>,
        a: Signal<In, Bits<4>>,
        y: Signal<Out, Bits<4>>,
        once: Signal<Out, Bits<4>>,
        inner: Signal<Local, Bits<4>>,
        inc: Inc,
        state: DFF<Bits<4>>,
    }
    impl Logic for M {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, state);
            self.inner.next = self.a.val();
            self.y.next = 0.into();
            self.inc.a.next = 1.into();
            if self.a.val() > 3 {
                self.inner.next = 5.into();
                self.y.next = self.inc.y.val() ^ self.inner.val();
                self.inc.a.next = self.inner.val();
                self.state.d.next = self.y.val();
            }
            self.once.next = self.y.val();
        }
    }
    let v = export(&connected::<M>(), "shown").unwrap();
    let text = v.modules.iter().find(|(n, _)| n == "shown").unwrap();
    let (head, process) = text.1.split_once("always @(*) begin").unwrap();
    assert!(head.contains("output reg  [3:0] y,"), "{head}");
    assert!(head.contains("    reg  [3:0] v__y;\n"), "{head}");
    let shown = |name: &str| process.matches(&format!("\n        {name} = ")).count();
    assert_eq!((shown("y"), shown("inc_a"), shown("once")), (1, 1, 1));
    assert!(
        process.contains("        inc_a = v__inc_a;\n        y = v__y;\n    end\n\n    initial"),
        "{process}"
    );
    // Nobody else reads a local one, and a register not before the edge.
    assert!(
        process.contains("inner = 4'd5;") && process.contains("state_q <= y;"),
        "{process}"
    );
    let report = verilator_lint(&v).unwrap();
    assert!(report.is_clean(), "{:?}\n{process}", report.messages);
}

/// A register is a signal of its module, and what changes it is its enable.
#[test]
fn registers_change_under_their_conditions() {
    #[derive(LogicBlock, Default)]
    struct M {
        clock: Signal<In, Clock>,
        reset: Signal<In, Bit>,
        a: Signal<In, Bits<4>>,
        takes: Signal<In, Bit>,
        y: Signal<Out, Bits<4>>,
        sum: Signal<Local, Bits<4>>,
        held: DFF<Bits<4>>,
        early: DFF<Bits<4>>,
        plain: DFF<Bits<4>>,
    }
    impl Logic for M {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clock, held, early);
            self.plain.clock.next = self.clock.val();
            self.plain.d.next = self.a.val() ^ self.held.q.val();
            self.sum.next = self.a.val() + 1;
            if self.takes.val() {
                self.held.d.next = bit_cast::<4, 5>(bit_cast::<5, 4>(self.a.val()) + 1);
            }
            // This one takes what the sum is now, and not what it becomes.
            self.early.d.next = self.sum.val();
            if self.reset.val() {
                self.held.d.next = 0.into();
                self.sum.next = 0.into();
            }
            self.y.next = self.early.q.val() ^ self.plain.q.val();
        }
    }
    let v = export(&connected::<M>(), "registers").unwrap();
    let text = &v.modules.iter().find(|(n, _)| n == "registers").unwrap().1;
    let edge = text.split_once("always @(posedge clock) begin\n").unwrap();
    // One is copied: what it takes changes afterwards.
    assert_eq!(
        edge.1,
        "        early_q <= early_d;
        plain_q <= a ^ held_q;
        if (takes) begin
            held_q <= cut_0[3:0];
        end
        if (reset) begin
            held_q <= 4'd0;
        end
    end
endmodule
",
        "{text}"
    );
    let report = verilator_lint(&v).unwrap();
    assert!(report.is_clean(), "{:?}\n{text}", report.messages);
}

#[test]
fn export_is_reproducible() {
    let first = export(&connected::<Top>(), "chip").unwrap();
    for _ in 0..5 {
        assert_eq!(export(&connected::<Top>(), "chip").unwrap(), first);
    }
}

/// Its body has a name of its own.
#[derive(LogicBlock, Default, Clone, Debug)]
struct Inner {
    a: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
}

impl Logic for Inner {
    fn update(&mut self) {
        self.y.next = self.a.val();
    }
    fn connect(&mut self) {
        self.y.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom("wire [3:0] units = a; // from here\nalways @(*) y = units;\n".into())
    }
}

#[derive(LogicBlock, Default)]
struct ByHand {
    a: Signal<In, Bits<4>>,
    y: Signal<Out, Bits<4>>,
    inner: Inner,
}

impl Logic for ByHand {
    #[hdl_gen]
    fn update(&mut self) {
        self.inner.a.next = self.a.val();
        self.y.next = self.inner.y.val();
    }
}

#[test]
fn keywords_are_refused() {
    #[derive(LogicBlock, Default)]
    struct M {
        a: Signal<In, Bit>,
        packed: Signal<Out, Bit>,
    }
    impl Logic for M {
        #[hdl_gen]
        fn update(&mut self) {
            self.packed.next = self.a.val();
        }
    }
    match export(&connected::<M>(), "kw") {
        Err(ExportError::Keyword { name, .. }) => assert_eq!(name, "packed"),
        other => panic!("{other:?}"),
    }
    // Of SystemVerilog's package `std`, of Verilog-AMS, and of none.
    #[derive(LogicBlock, Default)]
    struct Named {
        a: Signal<In, Bits<4>>,
        y: Signal<Out, Bits<4>>,
        semaphore: Inc,
    }
    impl Logic for Named {
        #[hdl_gen]
        fn update(&mut self) {
            self.semaphore.a.next = self.a.val();
            self.y.next = self.semaphore.y.val();
        }
    }
    let text = export(&connected::<Named>(), "kw").unwrap_err().to_string();
    assert_eq!(text, "kw: top: `semaphore` is a reserved word");
    for word in ["units", "mailbox", "process", "branch", "logic"] {
        let refused = export(&connected::<Inc>(), word);
        assert!(
            matches!(refused, Err(ExportError::TopName { .. })),
            "{word}"
        );
    }
    // Also in a body written by hand.
    let text = export(&connected::<ByHand>(), "kw")
        .unwrap_err()
        .to_string();
    assert_eq!(text, "kw: top.inner: `units` is a reserved word");
    assert!(matches!(
        export(&connected::<Inc>(), "wire"),
        Err(ExportError::TopName { .. })
    ));
    assert!(matches!(
        export(&connected::<Inc>(), "a-b"),
        Err(ExportError::TopName { .. })
    ));
}

#[test]
fn colliding_names_are_refused() {
    #[derive(LogicBlock, Default)]
    struct M {
        a: Signal<In, Bits<4>>,
        inc_a: Signal<Out, Bits<4>>,
        inc: Inc,
    }
    impl Logic for M {
        #[hdl_gen]
        fn update(&mut self) {
            self.inc.a.next = self.a.val();
            self.inc_a.next = self.inc.y.val();
        }
    }
    let text = export(&connected::<M>(), "clash").unwrap_err().to_string();
    assert_eq!(
        text,
        "clash: top: `inc_a` and `inc$a` would get the same Verilog name"
    );
}

#[test]
fn an_unconnected_block_is_refused() {
    assert!(matches!(
        export(&Top::default(), "chip"),
        Err(ExportError::Check { .. })
    ));
}

#[test]
fn widths_are_checked_independently() {
    // A slice beyond the top is zero-filled in Rust and undefined in Verilog.
    #[derive(LogicBlock, Default)]
    struct M {
        a: Signal<In, Bits<4>>,
        y: Signal<Out, Bits<4>>,
    }
    impl Logic for M {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = self.a.val().get_bits::<4>(2);
        }
    }
    match export(&connected::<M>(), "beyond") {
        Err(ExportError::Translate { text, .. }) => {
            assert_eq!(text, "y: bits 2..2+4 of the 4-bit `a`")
        }
        other => panic!("{other:?}"),
    }
}

/// A block whose outputs are all literals: a process without inputs would never run.
#[test]
fn constants_are_continuous() {
    #[derive(LogicBlock, Default)]
    struct M {
        y: Signal<Out, Bits<4>>,
    }
    impl Logic for M {
        #[hdl_gen]
        fn update(&mut self) {
            self.y.next = 9.into();
        }
    }
    let v = export(&connected::<M>(), "nine").unwrap();
    assert!(
        v.modules[0].1.contains("assign y = 4'd9;"),
        "{}",
        v.bundle()
    );
}

/// A port of the top in an array of one, and one in an array of two; the sub-block has a port of that name, too.
#[derive(LogicBlock)]
struct Lone {
    a: Vec<Signal<In, Bits<4>>>,
    b: [Signal<In, Bits<4>>; 2],
    y: Vec<Signal<Out, Bits<4>>>,
    lane: [Inc; 1],
}

impl Default for Lone {
    fn default() -> Self {
        Lone {
            a: vec![Default::default()],
            b: Default::default(),
            y: vec![Default::default()],
            lane: Default::default(),
        }
    }
}

impl Logic for Lone {
    #[hdl_gen]
    fn update(&mut self) {
        self.lane[0].a.next = self.a[0].val() ^ self.b[0].val();
        self.y[0].next = self.lane[0].y.val() ^ self.b[1].val();
    }
}

#[test]
fn the_first_port_of_an_array_of_the_top_has_no_number() {
    let v = export(&connected::<Lone>(), "lone").unwrap();
    let ports: Vec<&str> = v.ports.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(ports, ["a", "b", "p1_b", "y"]);
    let top = &v.modules.iter().find(|(n, _)| n == "lone").unwrap().1;
    assert!(!top.contains("a_0 ") && !top.contains("y_0;"), "{top}");
    let report = verilator_lint(&v).unwrap();
    assert!(report.is_clean(), "{:?}\n{top}", report.messages);
}
