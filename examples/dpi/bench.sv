// The judge inside a SystemVerilog test bench, through DPI: it follows a sequence of transfers, and notices a wrong
// one.
// In a bench of your own the calls stand where examples/control/bench.v writes its trace.
module bench;
    import "DPI-C" function chandle weft_judge_new(int unsigned warps, int unsigned threads,
        int unsigned yield_every, int unsigned forced_yield, int unsigned path, int unsigned lanes);
    import "DPI-C" function void weft_judge_free(chandle judge);
    import "DPI-C" function int weft_judge_launch(chandle judge, int unsigned warp, int unsigned pc,
        longint unsigned mask, int unsigned size);
    import "DPI-C" function int weft_judge_issue(chandle judge, int unsigned warp, int unsigned pc,
        longint unsigned mask);
    import "DPI-C" function int weft_judge_resolve(chandle judge, int unsigned warp, int unsigned op,
        int unsigned kind, longint unsigned mask, int unsigned target);
    import "DPI-C" function int weft_judge_retire(chandle judge, int unsigned warp, int unsigned op,
        int unsigned pc, int unsigned next_pc, longint unsigned next_mask, int unsigned done,
        int unsigned blocked, int unsigned depth, int unsigned dropped);
    import "DPI-C" function longint unsigned weft_judge_retired(chandle judge);
    import "DPI-C" function string weft_judge_error(chandle judge);

    localparam int unsigned NEXT = 0, BRANCH = 1, EXIT = 7;
    chandle judge;

    function automatic void right(int result);
        if (result != 0)
            $fatal(1, "%s", weft_judge_error(judge));
    endfunction

    initial begin
        judge = weft_judge_new(2, 8, 1, 0, 0, 3);
        right(weft_judge_launch(judge, 0, 0, 'hff, 64));
        right(weft_judge_issue(judge, 0, 0, 'hff));
        right(weft_judge_resolve(judge, 0, NEXT, 0, 0, 0));
        right(weft_judge_retire(judge, 0, NEXT, 0, 1, 'hff, 0, 0, 0, 0));
        // Three of eight threads branch; the smaller group runs first.
        right(weft_judge_issue(judge, 0, 1, 'hff));
        right(weft_judge_resolve(judge, 0, BRANCH, 0, 'h07, 9));
        right(weft_judge_retire(judge, 0, BRANCH, 1, 9, 'h07, 0, 0, 1, 0));
        right(weft_judge_issue(judge, 0, 9, 'h07));
        right(weft_judge_resolve(judge, 0, EXIT, 0, 'h07, 0));
        // Wrong on purpose: the other five go on at 2.
        if (weft_judge_retire(judge, 0, EXIT, 9, 3, 'hf8, 0, 0, 0, 0) != 1)
            $fatal(1, "the wrong retire was not noticed");
        $display("noticed: %s", weft_judge_error(judge));
        $display("%0d operations were right", weft_judge_retired(judge));
        weft_judge_free(judge);
        $finish;
    end
endmodule
