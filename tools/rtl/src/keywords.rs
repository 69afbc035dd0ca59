//! Words that cannot be names in Verilog, SystemVerilog, Verilog-AMS or (for ports of a Verilated model) C++.

use std::collections::HashSet;
use std::sync::LazyLock;

pub(crate) fn is_reserved(name: &str) -> bool {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        WORDS
            .split_whitespace()
            .chain(FOREIGN.split_whitespace())
            .collect()
    });
    ALL.contains(name)
}

/// A word of another dialect that a text uses as a name, also in a hand-written body.
pub(crate) fn foreign(text: &str) -> Option<&str> {
    static ALL: LazyLock<HashSet<&str>> = LazyLock::new(|| FOREIGN.split_whitespace().collect());
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(line));
    let word = |c: char| !c.is_ascii_alphanumeric() && !"_$`".contains(c);
    code.flat_map(|line| line.split(word))
        .find(|w| ALL.contains(w))
}

/// Keywords of Verilog-AMS 2.4 that are none of SystemVerilog, and what SystemVerilog's package `std` declares: a
/// simulator that takes a file for one of these has them there.
const FOREIGN: &str = "
    above abs absdelay absdelta ac_stim access acos acosh aliasparam analog analysis asin asinh atan atan2 atanh branch
    ceil connect connectmodule connectrules continuous cos cosh ddt ddt_nature ddx discipline discrete domain
    driver_update endconnectmodule endconnectrules enddiscipline endnature endparamset exclude exp final_step
    flicker_noise floor flow from ground hypot idt idt_nature idtmod inf initial_step laplace_nd laplace_np laplace_zd
    laplace_zp last_crossing limexp ln log max merged min nature net_resolution noise_table noise_table_log paramset
    potential pow resolveto sin sinh slew split sqrt tan tanh timer transition units white_noise wreal zi_nd zi_np zi_zd
    zi_zp
    mailbox process randomize semaphore std";

const WORDS: &str = "
    always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign default defparam
    design disable edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify endtable
    endtask event for force forever fork function generate genvar highz0 highz1 if ifnone incdir include initial inout
    input instance integer join large liblist library localparam macromodule medium module nand negedge nmos nor
    noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive pull0 pull1 pulldown pullup
    pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran rtranif0 rtranif1
    scalared showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table task time tran tranif0
    tranif1 tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait wand weak0 weak1 while wire wor xnor xor
    accept_on alias always_comb always_ff always_latch assert assume before bind bins binsof bit break byte chandle
    checker class clocking const constraint context continue cover covergroup coverpoint cross dist do endchecker
    endclass endclocking endgroup endinterface endpackage endprogram endproperty endsequence enum eventually expect
    export extends extern final first_match foreach forkjoin global iff ignore_bins illegal_bins implements implies
    import inside int interconnect interface intersect join_any join_none let local logic longint matches modport
    nettype new nexttime null package packed priority program property protected pure rand randc randcase randsequence
    ref reject_on restrict return s_always s_eventually s_nexttime s_until s_until_with sequence shortint shortreal
    soft solve static string strong struct super sync_accept_on sync_reject_on tagged this throughout timeprecision
    timeunit type typedef union unique unique0 until until_with untyped var virtual void wait_order weak wildcard with
    within
    asm auto bool catch char delete double explicit false float friend goto inline long mutable namespace operator
    private protected public register short signed sizeof switch template throw true try typeid typename using
    volatile";
