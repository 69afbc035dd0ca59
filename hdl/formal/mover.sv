// Mover: docs/spec/spill.md, *Memory port*, SPILL-012, SPILL-032;
// ports and rules of use in hdl/src/warp/convergence/mover.rs.
//
// Proved for 2 warps, K = 2, B = 1, by induction, for any jobs, back-pressure and latency, responses in any order
// between the warps:
//  - a request on offer holds with its payload until it is taken;
//  - a job makes exactly as many requests as it has tokens, at rising addresses from base + first position on, without
//    another job's in between, one every second cycle,
//    `last` with the last one, each with the tag of its own place; a warp without a job makes none;
//  - a job is reported as finished once, in the cycle after its last response and not before; a poke once;
//  - the requests and responses of one warp change nothing for the other;
//  - the port does not rest while there is something to do.
// Assumed: a job, a poke or a new base only for a warp that has nothing in flight; one response per request;
// a token does not change while its warp's job reads it.
module mover (
    input wire clock,
    input wire reset,
    input wire base_valid,
    input wire base_warp,
    input wire [31:0] base_data,
    input wire job_valid,
    input wire job_warp,
    input wire job_writes,
    input wire [1:0] job_count,
    input wire [9:0] job_head,
    input wire [9:0] job_lead,
    input wire job_ends,
    input wire [1:0] job_ring,
    input wire [1:0] job_at,
    input wire [1:0] job_area,
    input wire job_down,
    input wire [7:0] token_tags,
    input wire [3:0] token_mask,
    input wire [21:0] token_pc,
    input wire write_blocked,
    input wire poke_valid,
    input wire poke_warp,
    input wire spill_request_ready,
    input wire spill_response_valid,
    input wire spill_response_write,
    input wire [2:0] spill_response_tag,
    input wire [63:0] spill_response_data
);
    wire [2:0] read_at, write_at;
    wire write, poked, finished, finished_warp;
    wire [7:0] write_tags;
    wire [3:0] write_mask;
    wire [21:0] write_pc;
    wire spill_request_valid, spill_request_write, spill_request_last, spill_response_ready;
    wire [31:0] spill_request_address;
    wire [63:0] spill_request_data;
    wire [2:0] spill_request_tag;
    weft_mover dut (.*);

    // Inside; connected by the runner.
    wire j_valid, j_warp, j_ends, offered, begun, warp, done, done_warp, poke, poke_for, queue_warp0, queue_warp1;
    wire [3:0] j_tags, tags, queue_tags0, queue_tags1;
    wire [1:0] j_count, j_ring, j_at, first, last, place, left, answering;
    wire [1:0] queued = last - first;
    wire [9:0] j_head, j_lead, position, queue_position0, queue_position1;
    wire [1:0] queue_place0, queue_place1, queue_count0, queue_count1, total0, total1, answered0, answered1;
    wire [31:0] base0, base1;

    // What is known of each warp's job: all of it from the ports.
    reg [1:0] based = 0, busy = 0, poking = 0, writes = 0, down = 0;
    reg [1:0] count [0:1], sent [0:1], got [0:1], ring [0:1], area [0:1];
    reg [9:0] position_of [0:1];
    reg [31:0] base_of [0:1];

    wire [9:0] wide_count = {8'd0, job_count};
    wire [9:0] number = job_ends ? job_lead - wide_count : job_lead;
    wire [9:0] first_position = job_head + number;
    wire [1:0] ring_place = job_ring + number[1:0];
    wire [1:0] scratch_place = job_down ? job_at + job_count - 2'd1 : job_at;
    wire requested = spill_request_valid & spill_request_ready;
    wire request_warp = spill_request_tag[2];
    wire answered = spill_response_valid & spill_response_ready;
    wire response_warp = spill_response_tag[2];

    integer w;
    always @(posedge clock) begin
        for (w = 0; w < 2; w = w + 1) begin
            if (job_valid && job_warp == w) begin
                busy[w] <= 1;
                writes[w] <= job_writes;
                down[w] <= job_down;
                count[w] <= job_count;
                sent[w] <= 0;
                got[w] <= 0;
                area[w] <= job_area;
                ring[w] <= job_area == 2 ? scratch_place : ring_place;
                position_of[w] <= first_position;
            end
            if (requested && request_warp == w) sent[w] <= sent[w] + 1;
            if (answered && response_warp == w) got[w] <= got[w] + 1;
            if (finished && finished_warp == w) begin
                busy[w] <= 0;
                poking[w] <= 0;
            end
            if (poke_valid && poke_warp == w) poking[w] <= 1;
            if (base_valid && base_warp == w) begin
                based[w] <= 1;
                base_of[w] <= base_data;
            end
            if (reset) begin
                busy[w] <= 0;
                poking[w] <= 0;
                sent[w] <= 0;
                got[w] <= 0;
                count[w] <= 0;
            end
        end
    end

    // Place of a warp's next token.
    function [1:0] place_of(input [1:0] area, input [1:0] from, input down, input [1:0] sent);
        reg [1:0] at;
        begin
            at = down ? from - sent : from + sent;
            place_of = area == 0 ? {1'b0, at[0]} : area == 1 ? 2'd2 : at;
        end
    endfunction

    reg started = 0;
    always @(posedge clock) started <= 1;

    // Rules of use.
    always @(*) begin
        if (!started) assume (reset);
        if (reset) assume (!job_valid && !poke_valid && !base_valid);
        if (job_valid) begin
            assume (based[job_warp] && !busy[job_warp] && !poking[job_warp]);
            assume (job_count != 0 && job_area != 3);
            assume (!job_down || job_area == 2);
            // An allocation has at most 1023 positions.
            assume ({1'b0, first_position} + {1'b0, wide_count} <= 1023);
            assume (!(base_valid && base_warp == job_warp));
        end
        if (poke_valid) assume (poking == 0 && !busy[poke_warp] && !(job_valid && job_warp == poke_warp));
        if (base_valid) assume (!busy[base_warp]);
        if (spill_response_valid) begin
            assume (busy[response_warp] && got[response_warp] < sent[response_warp]);
            assume (spill_response_write == writes[response_warp]);
        end
    end
    reg [2:0] former_read_at;
    always @(posedge clock) begin
        former_read_at <= read_at;
        if (started && $past(started) && former_read_at == $past(former_read_at)) begin
            assume (token_tags == $past(token_tags) && token_mask == $past(token_mask) && token_pc == $past(token_pc));
        end
    end

    // Requests.
    always @(posedge clock) begin
        if (started && $past(started) && !$past(reset) && $past(spill_request_valid) && !$past(spill_request_ready)) begin
            assert (spill_request_valid);
            assert (spill_request_write == $past(spill_request_write));
            assert (spill_request_address == $past(spill_request_address));
            assert (spill_request_data == $past(spill_request_data));
            assert (spill_request_tag == $past(spill_request_tag));
            assert (spill_request_last == $past(spill_request_last));
        end
        // Nothing comes between the requests of a burst but a cycle.
        if (started && !$past(reset) && $past(requested)) assert (!spill_request_valid);
        if (started && pauses) begin
            assert (spill_request_valid && request_warp == pauses_warp);
            assert (spill_request_address == pauses_address + 1);
        end
        // A job is finished in the cycle after its last response.
        if (started && !$past(reset)) begin
            if ($past(busy[0]) && $past(got[0]) + $past(answered && !response_warp) == $past(count[0]) && $past(got[0]) != $past(count[0])) assert (finished && !finished_warp);
            if ($past(busy[1]) && $past(got[1]) + $past(answered && response_warp) == $past(count[1]) && $past(got[1]) != $past(count[1])) assert (finished && finished_warp);
        end
    end
    // The request of two cycles ago was taken, and was not the last one.
    reg was_requested = 0, was_warp, pauses = 0, pauses_warp;
    reg [31:0] was_address, pauses_address;
    always @(posedge clock) begin
        was_requested <= requested && !spill_request_last && !reset;
        was_warp <= request_warp;
        was_address <= spill_request_address;
        pauses <= was_requested && !reset;
        pauses_warp <= was_warp;
        pauses_address <= was_address;
    end
    // Cycles in which something was to be requested and nothing was on offer.
    wire due = (busy[0] && sent[0] != count[0]) || (busy[1] && sent[1] != count[1]);
    reg [1:0] rests = 0;
    always @(posedge clock) rests <= reset || !due || spill_request_valid ? 2'd0 : rests + 2'd1;

    always @(*) begin
        if (started) begin
            if (spill_request_valid) begin
                assert (busy[request_warp]);
                assert (sent[request_warp] < count[request_warp]);
                assert (spill_request_write == writes[request_warp]);
                assert (spill_request_address == base_of[request_warp] + position_of[request_warp] + sent[request_warp]);
                assert (spill_request_last == (sent[request_warp] + 1 == count[request_warp]));
                assert (spill_request_tag[1:0] == place_of(area[request_warp], ring[request_warp], down[request_warp], sent[request_warp]));
                assert (spill_request_tag == former_read_at);
                assert (spill_request_data == {2'd0, token_tags[7:4], token_pc, 28'd0, token_mask, token_tags[3:0]});
            end
            if (finished) assert (busy[finished_warp] ? count[finished_warp] == got[finished_warp] && got[finished_warp] == sent[finished_warp] : poking[finished_warp]);
            assert (rests <= 2);
            // What was read goes to the place that the tag names.
            assert (write == (answered && !spill_response_write));
            if (write) begin
                assert (write_at == spill_response_tag);
                assert (write_tags == {spill_response_data[61:58], spill_response_data[3:0]});
                assert (write_mask == spill_response_data[7:4]);
                assert (write_pc == spill_response_data[57:36]);
            end
        end
    end

    // Why: each job stands in one of the entry register, the queue and the request register, as it should.
    wire [1:0] in_entry = j_valid ? 2'd1 << j_warp : 2'd0;
    wire head_warp = first[0] ? queue_warp1 : queue_warp0;
    wire next_warp = first[0] ? queue_warp0 : queue_warp1;
    wire [1:0] in_queue = (queued > 0 ? 2'd1 << head_warp : 2'd0) | (queued > 1 ? 2'd1 << next_warp : 2'd0);
    // It stays in the request register between its requests.
    wire between = begun && !offered && left != 1;
    wire [1:0] in_offer = offered || between ? 2'd1 << warp : 2'd0;
    wire [9:0] entry_number = j_ends ? j_lead - {8'd0, j_count} : j_lead;
    wire [1:0] entry_place = j_tags[3:2] != 2 ? j_ring + entry_number[1:0] : j_tags[1] ? j_at + j_count - 2'd1 : j_at;
    function [3:0] tags_of(input warp);
        tags_of = {area[warp], down[warp], writes[warp]};
    endfunction
    always @(*) begin
        if (started) begin
            assert ((in_entry & in_queue) == 0 && (in_entry & in_offer) == 0 && (in_queue & in_offer) == 0);
            assert (queued < 2 || queue_warp0 != queue_warp1);
            assert (queued <= 2);
            assert ((busy & poking) == 0);
            for (w = 0; w < 2; w = w + 1) begin
                assert (!(in_entry[w] || in_queue[w] || in_offer[w]) || busy[w]);
                assert (got[w] <= sent[w] && sent[w] <= count[w]);
                if (busy[w]) begin
                    assert ({1'b0, position_of[w]} + {9'd0, count[w]} <= 1023);
                    assert (count[w] != 0 && area[w] != 3 && (!down[w] || area[w] == 2));
                    assert ((sent[w] < count[w]) == (in_entry[w] || in_queue[w] || in_offer[w]));
                    if (in_entry[w] || in_queue[w]) assert (sent[w] == 0);
                    if (!in_entry[w] && !in_queue[w]) assert ((w ? total1 : total0) == count[w]);
                    assert (answering[w] == (got[w] != 0 && got[w] != count[w]));
                    if (answering[w]) assert ((w ? answered1 : answered0) == got[w]);
                    if (got[w] == count[w]) assert (done && done_warp == w);
                end
                else assert (!answering[w]);
            end
            if (j_valid) begin
                assert (j_count == count[j_warp] && j_tags == tags_of(j_warp));
                assert (j_head + entry_number == position_of[j_warp]);
                assert (entry_place == ring[j_warp]);
            end
            if (queued > 0) begin
                assert ((first[0] ? queue_count1 : queue_count0) == count[head_warp] && (first[0] ? queue_tags1 : queue_tags0) == tags_of(head_warp));
                assert ((first[0] ? queue_position1 : queue_position0) == position_of[head_warp]);
                assert ((first[0] ? queue_place1 : queue_place0) == ring[head_warp]);
            end
            if (queued > 1) begin
                assert ((first[0] ? queue_count0 : queue_count1) == count[next_warp] && (first[0] ? queue_tags0 : queue_tags1) == tags_of(next_warp));
                assert ((first[0] ? queue_position0 : queue_position1) == position_of[next_warp]);
                assert ((first[0] ? queue_place0 : queue_place1) == ring[next_warp]);
            end
            assert (!offered || begun);
            assert (!begun || left != 0);
            if (offered) begin
                assert (tags == tags_of(warp));
                assert (left == count[warp] - sent[warp]);
                assert (position == position_of[warp] + {8'd0, sent[warp]});
                assert (place == (down[warp] ? ring[warp] - sent[warp] : ring[warp] + sent[warp]));
            end
            // The one that was taken is still counted there.
            if (between) begin
                assert (tags == tags_of(warp) && sent[warp] != 0);
                assert (left == count[warp] - sent[warp] + 2'd1);
                assert (position == position_of[warp] + {8'd0, sent[warp]} - 10'd1);
                assert (place == (down[warp] ? ring[warp] - sent[warp] + 2'd1 : ring[warp] + sent[warp] - 2'd1));
            end
            // A cycle after a request that was taken it is between two, or there are no more.
            if (was_requested) assert (between && warp == was_warp && base_of[warp] + {22'd0, position} == was_address);
            if (pauses) assert (offered && warp == pauses_warp && base_of[warp] + {22'd0, position} == pauses_address + 1);
            assert (poke ? poking[poke_for] && !(done && done_warp == poke_for) : 1);
            assert (poking == ((poke ? 2'd1 << poke_for : 2'd0) | (done && !busy[done_warp] ? 2'd1 << done_warp : 2'd0)));
            assert ((busy & ~based) == 0);
            assert ((!based[0] || base0 == base_of[0]) && (!based[1] || base1 == base_of[1]));
            assert (rests == 0 || offered || (rests == 1 && queued != 0));
        end
    end

    reg both = 0;
    always @(posedge clock) if (busy == 2'b11 && got[0] != 0 && got[1] != 0) both <= 1;
    always @(posedge clock) begin
        if (started && !reset) begin
            // Responses to both warps in turn, a burst of three to the end, a full queue, a poke.
            cover (both && finished);
            cover (finished && busy[finished_warp] && count[finished_warp] == 3 && down[finished_warp]);
            cover (queued == 1 && offered && j_valid == 0 && left == 2);
            cover (finished && poking[finished_warp]);
        end
    end
endmodule
