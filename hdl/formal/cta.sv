// Launch and retirement of CTAs in the core: docs/spec/cta.md, CTA-010 to CTA-031; docs/spec/tasks.md, TASK-057.
//
// Proved for 4 warps of 4 threads, by induction, whatever task management, convergence unit and threads say, of any one of
// the 16 CTA slots, with a reset at any time:
//  - a CTA is taken only when all launches of the one before have been transferred, or that was refused; it is refused if it
//    has no threads or more than there are lanes, and then nothing of it is launched (CTA-010);
//  - else each of its blocks is launched once, in order, with its pc, its threads and its mask (CTA-020), on a warp slot that
//    belongs to no CTA and is free, and in a CTA slot that belongs to no other one (CTA-011); a launch stays until it is
//    transferred; and before the first one there is a free warp slot for each of its blocks (CTA-010);
//  - its end comes three cycles after that of its last warp, once, with its id, and not before all its warps have been launched and
//    have ended; it has failed if and only if one of these has (CTA-030);
//  - of each warp that runs, CTA slot and block are those that it was launched with (CTA-031, `where_*`).
//
// Assumed: a warp ends only after its launch was transferred, and once; while a CTA is at hand a slot of no CTA
// does not become occupied (`status_occupied`) later than in the cycle after its warp has ended. Levels and `find_*` are not looked at.
module cta (
    input wire clock,
    input wire reset,
    input wire cta_valid, launch_ready, program_valid, ended_valid, ended_failed,
    input wire [1:0] cfg_level_mix, program_warp, ended_warp, where_warp, find_block,
    input wire [3:0] cta_level, program_level, status_occupied, find_cta,
    input wire [9:0] cfg_token_size,
    input wire [11:0] cta_threads,
    input wire [15:0] cta_id,
    input wire [21:0] cta_pc,
    input wire [31:0] cfg_token_base
);
    wire cta_ready, cta_refused, cta_done, cta_done_failed, launch_valid, level_valid;
    wire [1:0] launch_warp, launch_block, level_warp, where_block, find_warp;
    wire [3:0] cta_done_slot, launch_mask, launch_cta, level_value, where_cta;
    wire [9:0] launch_size;
    wire [11:0] launch_threads, where_first;
    wire [15:0] cta_refused_id, cta_done_id;
    wire [21:0] launch_pc;
    wire [31:0] launch_base;
    weft_cta dut (.*);

    // Inside; connected by the runner. Memories of the warp slots in one wire each; of CTA slots all words.
    wire clearing, busy, check, enough, found, placing, all_out, seen, seen_free, launches, ended_1, ended_1_failed, ended_2,
        ended_2_failed, done, done_failed;
    wire [11:0] threads, rest;
    wire [15:0] id, done_id;
    wire [21:0] pc;
    wire [1:0] last, block, scan, seen_warp, launch_slot, launch_of, ended_1_warp;
    wire [3:0] slot, mask, done_slot, ended_2_slot, owned;
    wire [15:0] owner, owner_copy, fails;
    wire [7:0] blocks;
    wire [47:0] left;
    wire [255:0] ids;

    // ---- The CTA at hand: it was taken, and neither refused nor launched with all its blocks.
    reg at_hand, fresh;
    reg [11:0] its_threads;
    reg [15:0] its_id;
    reg [21:0] its_pc;
    // Blocks that have been transferred, and all of them.
    reg [2:0] out;
    wire [2:0] number = its_threads[4:2] + (its_threads[1:0] != 0);
    wire good = its_threads != 0 && its_threads <= 16;
    wire takes = cta_valid & cta_ready;
    wire transfers = launch_valid & launch_ready;
    wire leaves = transfers && out + 3'd1 == number;
    always @(posedge clock) begin
        fresh <= takes;
        if (cta_refused || leaves) at_hand <= 0;
        if (transfers) out <= out + 3'd1;
        if (takes) begin
            {its_threads, its_id, its_pc} <= {cta_threads, cta_id, cta_pc};
            at_hand <= 1;
            out <= 0;
        end
        if (reset) {at_hand, fresh} <= 0;
    end

    // ---- Warps that run, and whose they are.
    reg [3:0] alive;
    reg [15:0] of_slot;
    reg [7:0] of_block;
    integer i;
    always @(posedge clock) begin
        if (ended_valid) alive[ended_warp] <= 0;
        if (transfers) begin
            alive[launch_warp] <= 1;
            of_slot[4 * launch_warp +: 4] <= launch_cta;
            of_block[2 * launch_warp +: 2] <= launch_block;
        end
        if (reset) alive <= 0;
    end
    wire [3:0] free = ~alive & ~status_occupied;
    function [2:0] count(input [3:0] bits);
        count = bits[0] + bits[1] + bits[2] + bits[3];
    endfunction

    // ---- Any one CTA slot: the CTA there, its blocks that were launched and that have ended.
    (* anyconst *) wire [3:0] s;
    reg runs, s_failed;
    reg [15:0] s_id;
    reg [2:0] s_number, s_out, s_ended;
    wire here = transfers && launch_cta == s;
    wire ends_here = ended_valid && of_slot[4 * ended_warp +: 4] == s;
    wire over = ends_here && s_ended + 3'd1 == s_number;
    wire done_here = cta_done && cta_done_slot == s;
    reg [2:0] since;
    always @(posedge clock) begin
        since <= {since[1:0], over};
        if (done_here) runs <= 0;
        if (here) begin
            runs <= 1;
            s_out <= launch_block == 0 ? 3'd1 : s_out + 3'd1;
            if (launch_block == 0) {s_id, s_number, s_ended, s_failed} <= {its_id, number, 4'd0};
        end
        if (ends_here) begin
            s_ended <= s_ended + 3'd1;
            s_failed <= s_failed | ended_failed;
        end
        if (reset) {runs, since} <= 0;
    end
    // Its CTA slot while it is launched.
    reg [3:0] its_slot;
    always @(posedge clock) if (transfers) its_slot <= launch_cta;

    reg holds;
    reg started = 0;
    always @(posedge clock) started <= 1;
    reg settled;
    reg [3:0] occupied, ended;
    reg [45:0] stood;
    wire [44:0] launch = {launch_warp, launch_pc, launch_mask, launch_cta, launch_block, launch_threads};
    always @(posedge clock) begin
        settled <= !reset;
        occupied <= status_occupied;
        ended <= ended_valid ? 4'd1 << ended_warp : 4'd0;
        stood <= {!reset & launch_valid & !launch_ready, launch[44:0]};
    end

    always @(*) begin
`ifdef FOUND
        // Found at work, in any state that the proof allows.
        assume (!reset);
        if (!started) assume (holds);
`else
        if (!started) assume (reset);
`endif
        if (!reset) begin
            if (ended_valid) assume (alive[ended_warp]);
            if (started && settled && busy) assume ((status_occupied & ~occupied & ~alive & ~ended) == 0);
        end
    end

    always @(*) if (started && !reset) begin
        // ---- The CTA at hand.
        if (cta_ready) assert (!at_hand);
        assert (cta_refused == (fresh & !good));
        if (cta_refused) assert (cta_refused_id == its_id && !launch_valid);
        if (launch_valid) begin
            assert (at_hand && good && !fresh && launch_block == out && out < number);
            assert (launch_pc == its_pc && launch_threads == its_threads);
            assert (launch_mask == (out + 3'd1 == number && its_threads[1:0] != 0 ? 4'd15 >> (3'd4 - its_threads[1:0]) : 4'd15));
            assert (free[launch_warp]);
            assert (count(free) + out >= number);
            if (out != 0) assert (launch_cta == its_slot);
        end
        if (stood[45]) assert (launch_valid && launch == stood[44:0]);
        // ---- The CTA slot.
        if (here && launch_block == 0) assert (!runs);
        if (done_here) assert (runs && cta_done_id == s_id && s_out == s_number && s_ended == s_number && cta_done_failed == s_failed);
        assert (done_here == since[2]);
        // ---- Warps.
        if (alive[where_warp])
            assert (where_cta == of_slot[4 * where_warp +: 4] && where_block == of_block[2 * where_warp +: 2]
                && where_first == {where_block, 2'd0});
`ifndef CLAIMS
        assert (holds);
`endif
    end

    // Why: it follows from itself. Defects must break what is claimed and not only this (CLAIMS).
    wire [3:0] at_port = launches ? 4'd1 << launch_slot : 4'd0;
    wire [3:0] ending = ended_1 ? 4'd1 << ended_1_warp : 4'd0;
    wire [3:0] unowned = ~owned & ~status_occupied;
    wire [3:0] below = 4'd15 >> (3'd4 - {1'b0, seen_warp});
    wire open = busy & !fresh & placing & (slot == s);
    wire [2:0] unplaced = open && !all_out ? {1'b0, last} + 3'd1 - {1'b0, block} : 3'd0;
    // Warps of the slot that run or whose end is on its way, those at the port and those to be placed.
    reg [3:0] its_warps;
    wire [2:0] remain = count(its_warps) + (ended_2 && ended_2_slot == s) + (launches && slot == s) + unplaced;
    wire [2:0] its_left = left[3 * s +: 3];
    always @(*) begin
        for (i = 0; i < 4; i = i + 1) its_warps[i] = (alive[i] | ending[i]) && of_slot[4 * i +: 4] == s;
        holds = !clearing || (!busy && !launches && !ended_1 && !ended_2 && !done && !check && !placing && !enough && alive == 0);
        if (clearing) begin
            holds = holds && seen_warp == slot[1:0] && scan == slot[1:0] + 2'd1 && !at_hand && !runs;
            for (i = 0; i < 4; i = i + 1) if (slot > i) holds = holds && !owned[i];
            if (slot > s) holds = holds && !its_left[2];
        end
        // The CTA at hand.
        holds = holds && busy == at_hand && check == fresh && (!fresh || busy);
        if (busy) holds = holds && threads == its_threads && id == its_id && pc == its_pc;
        if (busy && !fresh) holds = holds && good && {1'b0, last} + 3'd1 == number && out < number;
        if (!busy || fresh) holds = holds && !launches && (placing ? all_out && rest == 0 : !enough);
        if (fresh) holds = holds && out == 0 && mask == 15;
        // It is counted what is free.
        if (busy && !fresh && !placing) begin
            holds = holds && !launches && out == 0 && !all_out && mask == 15 && rest == its_threads[1:0];
            if (!enough) begin
                holds = holds && block <= last;
                if (seen) holds = holds && scan == seen_warp + 2'd1 && {1'b0, block} <= count(unowned & below) && (!seen_free || unowned[seen_warp]);
                else holds = holds && scan == 0 && block == 0;
            end else holds = holds && count(unowned) >= number;
            if (found && slot == s) holds = holds && !its_left[2];
        end
        // It is placed.
        if (busy && !fresh && placing) begin
            if (all_out) holds = holds && launches && launch_of == last && out == last;
            else holds = holds && {1'b0, block} == out + launches && block <= last && count(unowned) + block >= number;
            if (launches) holds = holds && launch_of == out[1:0] && owned[launch_slot] && !alive[launch_slot] && !ending[launch_slot]
                && !status_occupied[launch_slot];
            if (!all_out && seen) holds = holds && scan == seen_warp + 2'd1 && (!seen_free || unowned[seen_warp]);
            if (!all_out && !seen) holds = holds && scan == 0;
            holds = holds && rest < 4;
            if (its_threads[1:0] == 0) holds = holds && mask == 15 && rest == 0;
            else if (rest != 0) holds = holds && rest >= its_threads[1:0] && mask == (4'd15 >> (rest - its_threads[1:0])) && !all_out
                && (rest == its_threads[1:0] || (block == last && !launches));
            else holds = holds && mask == (4'd15 >> (3'd4 - its_threads[1:0])) && (all_out || (block == last && !launches));
            if (out != 0) holds = holds && slot == its_slot;
            holds = holds && enough && found;
        end
        // Warps.
        if (!clearing) holds = holds && owned == (alive | at_port | ending);
        holds = holds && (alive & at_port) == 0 && (alive & ending) == 0 && (at_port & ending) == 0;
        for (i = 0; i < 4; i = i + 1) if (alive[i] || ending[i])
            holds = holds && owner[4 * i +: 4] == of_slot[4 * i +: 4] && owner_copy[4 * i +: 4] == of_slot[4 * i +: 4]
                && blocks[2 * i +: 2] == of_block[2 * i +: 2];
        if (launches) holds = holds && owner[4 * launch_slot +: 4] == slot && owner_copy[4 * launch_slot +: 4] == slot
            && blocks[2 * launch_slot +: 2] == launch_of;
        // The CTA slot.
        if (!clearing) begin
            holds = holds && remain <= 4 && its_left[2] == (remain != 0);
            if (its_left[2]) holds = holds && {1'b0, its_left[1:0]} + 3'd1 == remain;
            holds = holds && runs == ((its_left[2] && !(open && out == 0)) || (done && done_slot == s));
            if (open && out == 0) holds = holds && count(its_warps) == 0 && !(ended_2 && ended_2_slot == s) && !fails[s];
            if (open) holds = holds && ids[16 * s +: 16] == its_id;
            if (open && out != 0) holds = holds && s_id == its_id && s_number == number && s_out == out;
            if (runs) begin
                holds = holds && s_number >= 1 && s_number <= 4 && s_out <= s_number && s_ended <= s_out;
                if (!open || out == 0) holds = holds && s_out == s_number;
                holds = holds && s_out - s_ended == count(alive_of_s);
                if (its_left[2]) begin
                    holds = holds && ids[16 * s +: 16] == s_id;
                    holds = holds && s_failed == (fails[s] | (ended_1 & ended_1_failed & of_slot[4 * ended_1_warp +: 4] == s)
                        | (ended_2 & ended_2_failed & ended_2_slot == s));
                end
            end
            if (done && done_slot == s) holds = holds && runs && done_id == s_id && done_failed == s_failed && s_ended == s_number && !its_left[2];
            holds = holds && since[0] == (runs && s_ended == s_number && ended_1 && of_slot[4 * ended_1_warp +: 4] == s);
            holds = holds && since[1] == (runs && s_ended == s_number && ended_2 && ended_2_slot == s && its_left[1:0] == 0);
            holds = holds && since[2] == (done && done_slot == s);
        end else holds = holds && since == 0;
    end
    reg [3:0] alive_of_s;
    always @(*) for (i = 0; i < 4; i = i + 1) alive_of_s[i] = alive[i] && of_slot[4 * i +: 4] == s;

    // Covers: from reset.
    always @(posedge clock) if (started) begin
        cover (cta_refused);
        cover (done_here && s_failed && s_number == 3 && alive != 0);
        cover (here && launch_block == 0 && alive == 4'b0110);
        cover (here && launch_block == 2 && launch_mask == 4'b0111);
        cover (launch_valid && s_ended == 1 && s_out == 2 && s_number == 3 && its_slot == s && runs);
    end
endmodule
