//! Names, sharing and refusals of the exporter.

use weft_rtl::prelude::*;
use weft_rtl::{export, unused_waivers, verilator_lint, ExportError};

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
`default_nettype none

module inc (
    input  wire [3:0] a,
    output wire [3:0] y
);
    assign y = a + 4'd1;
endmodule

`default_nettype wire
"
    );
}

#[test]
fn identical_modules_are_one() {
    let v = export(&connected::<Top>(), "chip").unwrap();
    let names: Vec<&str> = v.modules.iter().map(|(n, _)| n.as_str()).collect();
    assert_eq!(names, ["chip", "chip_back", "chip_dff4", "chip_lane"]);
    let top = &v.modules[0].1;
    for instance in [
        "chip_lane lane_0 (",
        "chip_lane lane_2 (",
        "chip_lane last (",
    ] {
        assert!(top.contains(instance), "{top}");
    }
    assert!(top.contains(".clock(clock)"), "{top}");
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
    assert_eq!(v.files().len(), 4);
    let report = verilator_lint(&v).unwrap();
    assert!(report.is_clean(), "{:?}", report.messages);
    assert_eq!(unused_waivers([&report]), report.unused);
}

/// Each waiver of the exporter is needed by a design like this one.
#[test]
fn waivers_are_used() {
    #[derive(LogicBlock, Default)]
    struct M {
        a: Signal<In, Bits<8>>,
        y: Signal<Out, Bits<4>>,
        open: Inc,
    }
    impl Logic for M {
        #[hdl_gen]
        fn update(&mut self) {
            self.open.a.next = self.a.val().get_bits::<4>(0);
            self.y.next = self.a.val().get_bits::<4>(2);
        }
    }
    let report = verilator_lint(&export(&connected::<M>(), "waived").unwrap()).unwrap();
    assert!(report.is_clean(), "{:?}", report.messages);
    assert_eq!(report.waived.len(), 2, "{:?}", report.waived);
    assert_eq!(unused_waivers([&report]), []);
}

#[test]
fn export_is_reproducible() {
    let first = export(&connected::<Top>(), "chip").unwrap();
    for _ in 0..5 {
        assert_eq!(export(&connected::<Top>(), "chip").unwrap(), first);
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
