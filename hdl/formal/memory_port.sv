// Memory port: docs/spec/memory.md, MEM-040 to MEM-045, at beats of 64 bits and tokens of two beats.
//
// Proved by induction, for any clients that keep to the page and any memory that keeps to AXI, in any order of IDs:
//  - AR, AW and W stay with all that they carry until they are taken; bursts are INCR, of whole beats, aligned, within a
//    line; WLAST comes with the last beat of the burst and only there; data and address come together;
//  - what a client asks for is asked of memory in the next cycle, once, under its ID, as the client said it; a token
//    is the two beats at its address × 16;
//  - each beat and each response goes to the client whose ID it has, once, unchanged, in order; a client gets none that
//    it did not ask for, and per ID as many as it asked for: what is asked for is in front of memory, in memory or behind
//    it;
//  - tokens are answered in the order of their requests, with their tags and, read, with the two beats that came for
//    them; never are reads and writes of tokens under way together (MEM-045);
//  - a client waits for one burst of each other one at most (MEM-042), and is taken at once when the channel is free;
//  - `idle` is said if and only if nothing is in front of memory, in it or behind it; only a response of a token may
//    stand at its port.
//
// Assumed: an ID of the load/store unit has one read and three writes under way at most (lines.sv), and of lines four are
// (MEM-050); bursts of the load/store unit lie within a line, and its beats are as many as it says; a request of a token
// stays until it is taken (mover.sv).
module memory_port (
    input wire clock,
    input wire reset,
    input wire read_valid,
    input wire read_id,
    input wire [31:0] read_address,
    input wire [2:0] read_length,
    input wire read_bypass,
    input wire beat_ready,
    input wire write_valid,
    input wire write_id,
    input wire [31:0] write_address,
    input wire [2:0] write_length,
    input wire [63:0] write_data,
    input wire [7:0] write_strobes,
    input wire write_last,
    input wire ack_ready,
    input wire line_valid,
    input wire [31:0] line_address,
    input wire line_beat_ready,
    input wire spill_request_valid,
    input wire spill_request_write,
    input wire [31:0] spill_request_address,
    input wire [127:0] spill_request_data,
    input wire [1:0] spill_request_tag,
    input wire spill_response_ready,
    input wire m_axi_arready,
    input wire m_axi_rvalid,
    input wire [1:0] m_axi_rid,
    input wire [63:0] m_axi_rdata,
    input wire [1:0] m_axi_rresp,
    input wire m_axi_rlast,
    input wire m_axi_awready,
    input wire m_axi_wready,
    input wire m_axi_bvalid,
    input wire [1:0] m_axi_bid,
    input wire [1:0] m_axi_bresp
);
    wire read_ready, beat_valid, beat_id, beat_error, beat_last, write_ready, ack_valid, ack_id, ack_error;
    wire [63:0] beat_data, line_beat_data;
    wire line_ready, line_beat_valid, line_beat_error, line_beat_last;
    wire spill_request_ready, spill_response_valid, spill_response_write, spill_error, idle;
    wire [1:0] spill_response_tag;
    wire [127:0] spill_response_data;
    wire m_axi_arvalid, m_axi_awvalid, m_axi_wvalid, m_axi_wlast, m_axi_rready, m_axi_bready;
    wire [1:0] m_axi_arid, m_axi_awid, m_axi_arburst, m_axi_awburst;
    wire [31:0] m_axi_araddr, m_axi_awaddr;
    wire [7:0] m_axi_arlen, m_axi_awlen, m_axi_wstrb;
    wire [2:0] m_axi_arsize, m_axi_awsize;
    wire [63:0] m_axi_wdata;
    wire past;
    weft_memory_port dut (.*);

    // Inside; connected by the runner.
    wire [7:0] under_way;
    wire [1:0] served, r_id, b_id, first_read, last_read, first_write, last_write, read_tags0, read_tags1, write_tags0, write_tags1;
    wire [2:0] read_places0, read_places1;
    wire r, r_last, r_error, b, b_error, in_burst, of_token, second_out, second_in, shows, is_write, token_reads, token_writes,
        token_read_ready, token_write_ready, token_beat_ready, token_ack_ready;
    wire [63:0] r_data, half;

    localparam LINES = 2, TOKENS = 3;

    // ---- What the clients have handed over, and what they are given.
    wire read = read_valid & read_ready;
    wire line = line_valid & line_ready;
    wire token_read = token_reads & token_read_ready;
    wire write = write_valid & write_ready;
    wire token_write = token_writes & token_write_ready;
    wire token = spill_request_valid & spill_request_ready;
    wire answer = spill_response_valid & spill_response_ready;
    wire got_data = beat_valid & beat_ready;
    wire got_line = line_beat_valid & line_beat_ready;
    wire got_token = r & (r_id == TOKENS) & token_beat_ready;
    wire got_ack = ack_valid & ack_ready;
    wire got_token_ack = b & b_id[1] & token_ack_ready;
    wire ar_goes = m_axi_arvalid & m_axi_arready;
    wire aw_goes = m_axi_awvalid & m_axi_awready;
    wire w_goes = m_axi_wvalid & m_axi_wready;
    wire r_comes = m_axi_rvalid & m_axi_rready;
    wire b_comes = m_axi_bvalid & m_axi_bready;

    // Of each ID: bursts that its client waits for; that memory has to answer; beats that were given, that memory gave, of
    // the burst that is answered; how long bursts of the load/store unit are, less one.
    reg [2:0] asked [0:3], due [0:3], asked_writes [0:3], due_writes [0:3], given [0:3], gave [0:3];
    reg [2:0] length [0:1];
    function [2:0] length_of(input [1:0] id);
        length_of = id == LINES ? 3'd7 : id == TOKENS ? 3'd1 : length[id[0]];
    endfunction

    // A write: of memory's side, an address without all its data, or all data without their address; beats.
    reg open = 0, early = 0;
    reg [1:0] open_id;
    reg [2:0] open_length, beats = 0;
    wire whole = (open & w_goes & m_axi_wlast) | (aw_goes & (early | (w_goes & m_axi_wlast)));
    wire [1:0] whole_id = open ? open_id : m_axi_awid;
    // Of the load/store unit: inside a burst, and beats.
    reg in_store = 0;
    reg [2:0] store_length, store_beats;
    wire [2:0] store_all = in_store ? store_length : write_length;
    wire starts = write & !in_store;
    wire token_starts = token_write & !second_out;

    // ---- What each channel is to show. A client's part is kept when it is taken.
    reg [33:0] ar_due;
    reg [2:0] ar_length_due;
    reg past_due;
    reg ar_new = 0, aw_new = 0, w_new = 0;
    reg [33:0] aw_due;
    reg [2:0] aw_length_due;
    reg [72:0] w_due;
    wire [31:0] token_address = spill_request_address << 4;

    // ---- Tokens, oldest first: requests without response; beats that came and were not given.
    reg [2:0] tokens0, tokens1, tokens2;
    reg [1:0] tokens = 0;
    wire [1:0] tokens_kept = tokens - answer;
    reg [63:0] came0, came1, came2;
    reg [2:0] came = 0;
    wire [2:0] came_kept = came - (answer & !spill_response_write ? 3'd2 : 3'd0);
    wire token_comes = r_comes & (m_axi_rid == TOKENS);

    integer i;
    always @(posedge clock) begin
        for (i = 0; i < 4; i = i + 1) begin
            asked[i] <= asked[i]
                + ((i < 2 ? read && read_id == i : i == LINES ? line : token_read) ? 3'd1 : 3'd0)
                - ((i < 2 ? got_data && beat_last && beat_id == i : i == LINES ? got_line && line_beat_last : got_token && second_in) ? 3'd1 : 3'd0);
            due[i] <= due[i] + (ar_goes && m_axi_arid == i ? 3'd1 : 3'd0) - (r_comes && m_axi_rlast && m_axi_rid == i ? 3'd1 : 3'd0);
            if (r_comes && m_axi_rid == i) gave[i] <= m_axi_rlast ? 3'd0 : gave[i] + 3'd1;
            if (i < 2 ? got_data && beat_id == i : i == LINES ? got_line : got_token)
                given[i] <= given[i] == length_of(i) ? 3'd0 : given[i] + 3'd1;
            asked_writes[i] <= asked_writes[i]
                + ((i < 2 ? starts && write_id == i : i == TOKENS && token_starts) ? 3'd1 : 3'd0)
                - ((i < 2 ? got_ack && ack_id == i : i == TOKENS && got_token_ack) ? 3'd1 : 3'd0);
            due_writes[i] <= due_writes[i] + (whole && whole_id == i ? 3'd1 : 3'd0) - (b_comes && m_axi_bid == i ? 3'd1 : 3'd0);
            if (reset) begin
                asked[i] <= 0;
                due[i] <= 0;
                gave[i] <= 0;
                given[i] <= 0;
                asked_writes[i] <= 0;
                due_writes[i] <= 0;
            end
        end
        if (read) length[read_id] <= read_length;

        if (aw_goes & !(early | (w_goes & m_axi_wlast))) begin
            open <= 1;
            open_id <= m_axi_awid;
            open_length <= m_axi_awlen[2:0];
        end else if (open & w_goes & m_axi_wlast) open <= 0;
        if (aw_goes) early <= 0;
        else if (!open & w_goes & m_axi_wlast) early <= 1;
        if (w_goes) beats <= m_axi_wlast ? 3'd0 : beats + 3'd1;
        if (write) begin
            in_store <= !write_last;
            store_length <= store_all;
            store_beats <= in_store ? store_beats + 3'd1 : 3'd1;
        end

        ar_new <= read | line | token_read;
        if (read) ar_due <= {1'b0, read_id, read_address[31:3], 3'd0};
        if (line) ar_due <= {2'd2, line_address[31:3], 3'd0};
        if (token_read) ar_due <= {2'd3, token_address};
        if (read | line | token_read) ar_length_due <= read ? read_length : line ? 3'd7 : 3'd1;
        if (read | line | token_read) past_due <= read & read_bypass;
        aw_new <= starts | token_starts;
        if (starts) {aw_due, aw_length_due} <= {1'b0, write_id, write_address[31:3], 3'd0, write_length};
        if (token_starts) {aw_due, aw_length_due} <= {2'd3, token_address, 3'd1};
        w_new <= write | token_write;
        if (write) w_due <= {write_last, write_strobes, write_data};
        if (token_write) w_due <= {second_out, 8'hFF, second_out ? spill_request_data[127:64] : spill_request_data[63:0]};

        if (answer) begin
            tokens0 <= tokens1;
            tokens1 <= tokens2;
        end
        if (token) begin
            if (tokens_kept == 0) tokens0 <= {spill_request_write, spill_request_tag};
            if (tokens_kept == 1) tokens1 <= {spill_request_write, spill_request_tag};
            if (tokens_kept == 2) tokens2 <= {spill_request_write, spill_request_tag};
        end
        tokens <= tokens_kept + token;
        if (answer & !spill_response_write) begin
            came0 <= came2;
        end
        if (token_comes) begin
            if (came_kept == 0) came0 <= m_axi_rdata;
            if (came_kept == 1) came1 <= m_axi_rdata;
            if (came_kept == 2) came2 <= m_axi_rdata;
        end
        came <= came_kept + token_comes;
        if (reset) begin
            open <= 0;
            early <= 0;
            beats <= 0;
            in_store <= 0;
            ar_new <= 0;
            aw_new <= 0;
            w_new <= 0;
            tokens <= 0;
            came <= 0;
        end
    end

    // ---- Turns: bursts of others that went before, while one waits.
    reg [1:0] before_read, before_line, before_token;
    reg before_write, before_token_write;
    always @(posedge clock) begin
        before_read <= reset || !read_valid || read ? 2'd0 : before_read + (line | token_read);
        before_line <= reset || !line_valid || line ? 2'd0 : before_line + (read | token_read);
        before_token <= reset || !token_reads || token_read ? 2'd0 : before_token + (read | line);
        before_write <= reset || !write_valid || write ? 1'd0 : before_write | token_starts;
        before_token_write <= reset || !token_writes || token_write ? 1'd0 : before_token_write | starts;
    end

    reg started = 0;
    always @(posedge clock) started <= 1;

    // ---- Rules of use.
    always @(*) begin
        if (!started) assume (reset);
        if (read_valid) assume (asked[read_id] == 0 && read_address[5:3] + {1'b0, read_length} <= 7);
        if (line_valid) assume (asked[LINES] < 4 && line_address[5:0] == 0);
        if (write_valid && !in_store) assume (asked_writes[write_id] < 3 && write_address[5:3] + {1'b0, write_length} <= 7);
        if (write_valid) assume (write_last == ((in_store ? store_beats : 3'd0) == store_all));
        if (m_axi_rvalid) assume (due[m_axi_rid] != 0 && m_axi_rlast == (gave[m_axi_rid] == length_of(m_axi_rid)));
        if (m_axi_bvalid) assume (due_writes[m_axi_bid] != 0);
    end
    always @(posedge clock) if (started && !$past(reset) && $past(spill_request_valid & !spill_request_ready)) begin
        assume (spill_request_valid && spill_request_write == $past(spill_request_write) && spill_request_tag == $past(spill_request_tag));
        assume (spill_request_address == $past(spill_request_address) && spill_request_data == $past(spill_request_data));
    end

    // ---- AXI: what is valid stays.
    always @(posedge clock) if (started && !$past(reset)) begin
        if ($past(m_axi_arvalid & !m_axi_arready)) assert (m_axi_arvalid && {m_axi_arid, m_axi_araddr, m_axi_arlen, past} == $past({m_axi_arid, m_axi_araddr, m_axi_arlen, past}));
        if ($past(m_axi_awvalid & !m_axi_awready)) assert (m_axi_awvalid && {m_axi_awid, m_axi_awaddr, m_axi_awlen} == $past({m_axi_awid, m_axi_awaddr, m_axi_awlen}));
        if ($past(m_axi_wvalid & !m_axi_wready)) assert (m_axi_wvalid && {m_axi_wlast, m_axi_wstrb, m_axi_wdata} == $past({m_axi_wlast, m_axi_wstrb, m_axi_wdata}));
        // So it is at the ports of the clients.
        if ($past(beat_valid & !beat_ready)) assert (beat_valid && {beat_id, beat_data, beat_error, beat_last} == $past({beat_id, beat_data, beat_error, beat_last}));
        if ($past(line_beat_valid & !line_beat_ready)) assert (line_beat_valid && {line_beat_data, line_beat_error, line_beat_last} == $past({line_beat_data, line_beat_error, line_beat_last}));
        if ($past(ack_valid & !ack_ready)) assert (ack_valid && {ack_id, ack_error} == $past({ack_id, ack_error}));
        if ($past(spill_response_valid & !spill_response_ready)) assert (spill_response_valid && {spill_response_write, spill_response_tag, spill_response_data} == $past({spill_response_write, spill_response_tag, spill_response_data}));
        // And what came in a cycle is at the client's in the next one.
        if ($past(r_comes)) begin
            assert (beat_valid == !$past(m_axi_rid[1]) && line_beat_valid == ($past(m_axi_rid) == LINES) && (r && r_id == TOKENS) == ($past(m_axi_rid) == TOKENS));
            if (beat_valid) assert ({beat_id, beat_data, beat_error, beat_last} == $past({m_axi_rid[0], m_axi_rdata, m_axi_rresp[1], m_axi_rlast}));
            if (line_beat_valid) assert ({line_beat_data, line_beat_error, line_beat_last} == $past({m_axi_rdata, m_axi_rresp[1], m_axi_rlast}));
        end
        if ($past(b_comes)) begin
            assert (ack_valid == !$past(m_axi_bid[1]));
            if (ack_valid) assert ({ack_id, ack_error} == $past({m_axi_bid[0], m_axi_bresp[1]}));
        end
        // A channel that is free takes what there is.
        if ($past((read_valid | line_valid | token_reads) & (!m_axi_arvalid | m_axi_arready))) assert (m_axi_arvalid && ar_new);
        // An error of a token's access is told.
        if ($past(got_token)) assert (spill_error == $past(r_error));
        if ($past(got_token_ack)) assert (spill_error == $past(b_error));
        if (!$past(got_token | got_token_ack)) assert (!spill_error);
    end

    always @(*) if (started) begin
        // ---- The rules of the channels.
        if (m_axi_arvalid) begin
            assert (m_axi_arsize == 3 && m_axi_arburst == 1 && m_axi_araddr[2:0] == 0 && m_axi_arlen <= 7);
            assert ({1'b0, m_axi_araddr[5:3]} + m_axi_arlen[3:0] <= 7);
            assert ({m_axi_arid, m_axi_araddr} == ar_due && m_axi_arlen == ar_length_due && past == past_due);
        end
        if (ar_new) assert (m_axi_arvalid);
        if (m_axi_awvalid) begin
            assert (m_axi_awsize == 3 && m_axi_awburst == 1 && m_axi_awaddr[2:0] == 0 && m_axi_awlen <= 7);
            assert ({1'b0, m_axi_awaddr[5:3]} + m_axi_awlen[3:0] <= 7);
            assert ({m_axi_awid, m_axi_awaddr} == aw_due && m_axi_awlen == aw_length_due && m_axi_awid != LINES);
        end
        if (aw_new) assert (m_axi_awvalid && m_axi_wvalid);
        if (m_axi_wvalid) begin
            assert (m_axi_wlast == (beats == (open ? open_length : m_axi_awlen[2:0])));
            assert (open | m_axi_awvalid);
            assert ({m_axi_wlast, m_axi_wstrb, m_axi_wdata} == w_due);
        end
        if (w_new) assert (m_axi_wvalid);
        // One client at a time, and nothing before the channel is free.
        assert (read + line + token_read <= 1 && write + token_write <= 1);
        if (m_axi_arvalid & !m_axi_arready) assert (!(read | line | token_read));
        if (m_axi_wvalid & !m_axi_wready) assert (!(write | token_write));
        if (m_axi_awvalid & !m_axi_awready) assert (!(starts | token_starts));
        if (in_store) assert (!token_write);
        if (second_out) assert (!write);
        // ---- Who gets what.
        if (beat_valid) assert (asked[{1'b0, beat_id}] != 0 && beat_last == (given[{1'b0, beat_id}] == length[beat_id]));
        if (line_beat_valid) assert (asked[LINES] != 0 && line_beat_last == (given[LINES] == 7));
        if (ack_valid) assert (asked_writes[{1'b0, ack_id}] != 0);
        assert (beat_valid + line_beat_valid + got_token <= 1);
        if (spill_response_valid) begin
            assert (tokens != 0 && {spill_response_write, spill_response_tag} == tokens0);
            if (!spill_response_write) assert (came >= 2 && spill_response_data == {came1, came0});
        end
        assert (asked[TOKENS] == 0 || asked_writes[TOKENS] == 0);
        // ---- Turns.
        assert (before_read + (line | token_read) <= 2 || !read_valid || read);
        assert (before_line + (read | token_read) <= 2 || !line_valid || line);
        assert (before_token + (read | line) <= 2 || !token_reads || token_read);
        assert (!(before_write & token_starts & write_valid) && !(before_token_write & starts & token_writes));
        // ---- Idle.
        assert (idle == (asked[0] == 0 && asked[1] == 0 && asked[2] == 0 && asked[3] == 0
            && asked_writes[0] == 0 && asked_writes[1] == 0 && asked_writes[3] == 0));
        if (idle) assert (!m_axi_arvalid && !m_axi_awvalid && !m_axi_wvalid && !r && !b && tokens == spill_response_valid
            && due[0] == 0 && due[1] == 0 && due[2] == 0 && due[3] == 0 && due_writes[0] == 0 && due_writes[1] == 0 && due_writes[3] == 0);
    end

    // Why: it follows from itself.
    wire [1:0] reads_left = last_read - first_read;
    wire [1:0] writes_left = last_write - first_write;
    wire [2:0] burst_length = open ? open_length : m_axi_awlen[2:0];
    wire [1:0] burst_id = open ? open_id : m_axi_awid;
    wire token_beat = r & (r_id == TOKENS);
    function [2:0] token_at(input [1:0] at);
        token_at = at == 0 ? tokens0 : at == 1 ? tokens1 : tokens2;
    endfunction
    function [63:0] came_at(input [1:0] at);
        came_at = at == 0 ? came0 : at == 1 ? came1 : came2;
    endfunction
    always @(*) if (started) begin
        // ---- Reads: in front of memory, in it, behind it.
        for (i = 0; i < 4; i = i + 1) begin
            assert (asked[i] == (m_axi_arvalid && m_axi_arid == i) + due[i] + (r && r_last && r_id == i));
            assert (due[i] <= asked[i] && due_writes[i] <= asked_writes[i]);
            if (due[i] == 0) assert (gave[i] == 0);
            assert (gave[i] <= length_of(i) && given[i] <= length_of(i));
            if (r && r_id == i) assert (r_last ? given[i] == length_of(i) && gave[i] == 0 : gave[i] == given[i] + 3'd1);
            else assert (gave[i] == given[i]);
            assert (asked_writes[i] == (m_axi_awvalid && m_axi_awid == i) + (open && open_id == i) + due_writes[i] + (b && b_id == i));
        end
        assert (asked[0] <= 1 && asked[1] <= 1 && asked[2] <= 4 && asked[3] == reads_left && reads_left <= 2);
        if (m_axi_arvalid) assert (m_axi_arlen == length_of(m_axi_arid));
        // ---- Writes.
        assert (asked_writes[0] <= 3 && asked_writes[1] <= 3 && asked_writes[2] == 0);
        assert (asked_writes[3] == writes_left + second_out && asked_writes[3] <= 2);
        assert (in_store == (in_burst & !of_token) && second_out == (in_burst & of_token));
        assert (!(open & early) && !(m_axi_awvalid & open));
        if (open) assert (open_id != LINES);
        if (in_burst) begin
            assert (!early && (m_axi_awvalid | open) && !(m_axi_wvalid & m_axi_wlast));
            assert (beats + m_axi_wvalid <= burst_length && (burst_id == TOKENS) == of_token);
            if (in_store) assert (store_beats == beats + m_axi_wvalid && store_length == burst_length);
            else assert (beats + m_axi_wvalid == 1 && burst_length == 1 && spill_request_valid && spill_request_write && reads_left == 0);
        end else begin
            if (m_axi_wvalid) assert (m_axi_wlast);
            else assert (beats == 0);
            if (open) assert (m_axi_wvalid);
            assert (early == (m_axi_awvalid & !m_axi_wvalid));
        end
        assert (reads_left == 0 || writes_left == 0);
        assert (under_way == asked[0] + asked[1] + asked[2] + asked[3] + asked_writes[0] + asked_writes[1] + asked_writes[3]);
        // ---- Tokens.
        assert (tokens == reads_left + writes_left + shows && tokens <= 3);
        if (shows) assert ({is_write, spill_response_tag} == tokens0 && !second_in);
        if (reads_left != 0) assert (token_at(shows) == {1'b0, first_read[0] ? read_tags1 : read_tags0});
        if (reads_left == 2) assert (token_at(shows + 2'd1) == {1'b0, first_read[0] ? read_tags0 : read_tags1});
        if (writes_left != 0) assert (token_at(shows) == {1'b1, first_write[0] ? write_tags1 : write_tags0});
        if (writes_left == 2) assert (token_at(shows + 2'd1) == {1'b1, first_write[0] ? write_tags0 : write_tags1});
        // A token fills its beats.
        if (reads_left != 0) assert ((first_read[0] ? read_places1 : read_places0) == 0);
        if (reads_left == 2) assert (read_places0 == 0 && read_places1 == 0);
        assert (second_in == given[TOKENS][0]);
        assert (came == (shows & !is_write ? 3'd2 : 3'd0) + second_in + token_beat);
        if (second_in) assert (half == came0);
        if (token_beat) assert (r_data == came_at((shows & !is_write ? 2'd2 : 2'd0) + second_in));
        // ---- Turns.
        assert (served <= 2);
        if (before_read != 0) assert (served != 0 && before_read <= served);
        if (before_line != 0) assert (served != 1 && (before_line == 1 || (before_line == 2 && served == 0)));
        if (before_token != 0) assert (served != 2 && (before_token == 1 || (before_token == 2 && served == 1)));
        if (before_write) assert (of_token);
        if (before_token_write) assert (!of_token);
    end

    always @(posedge clock) if (started) begin
        cover (answer & !spill_response_write);
        cover (answer & spill_response_write && tokens == 3);
        cover (before_read == 2 && read);
        cover (early);
        cover (open && beats == 2);
        cover (got_line & line_beat_last);
        cover (under_way == 6);
    end
endmodule
