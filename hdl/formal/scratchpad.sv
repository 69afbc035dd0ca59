// Banks of the scratchpad: docs/spec/memory.md, MEM-008, MEM-030 to MEM-032.
//
// Proved by induction for 4 lanes and banks of 8 words, of any one word and any one lane, for any accesses:
//  - a bank serves its lowest lane that is left, and of a load all lanes that want the same word, so it is written once
//    per cycle at most; whoever is served is served as it asked, and the access is over when nobody is left;
//  - so a load without conflict takes one cycle, and each further word of a bank, or store to it, one more;
//  - an atomic operation is served in its third cycle; it gets the word as it stands there, and what comes of it is
//    written;
//  - a word changes by stores that are served, byte by byte, by atomic operations and by a scrub, by nothing else;
//  - behind a scrub it is 0, and `scrubbing` says until when: as many cycles as a bank has words;
//  - each word of a load that is served comes two cycles later, as it was then, that of an atomic operation in the cycle
//    after it was served; no others come, and each access has one last one.
//
// Assumed: no reset behind the first cycle, and no scrub in it; an atomic operation has one lane and holds until it is over;
// no access with a scrub or while it lasts (proved, `cta_port.sv`: nothing runs on the SM then).
module scratchpad (
    input wire clock,
    input wire reset,
    input wire scrub,
    input wire valid,
    input wire [3:0] lanes,
    input wire [103:0] lines,
    input wire [23:0] offsets,
    input wire store,
    input wire atomic,
    input wire [3:0] operation,
    input wire [1:0] size,
    input wire [127:0] data,
    input wire slot
);
    wire [3:0] served, words_lanes;
    wire over, words_valid, words_slot, words_last, scrubbing;
    wire [127:0] words_data;
    weft_scratchpad dut (.*);

    // Inside; connected by the runner. Words of all banks: that of bank b and row r is 8 b + r.
    wire [1023:0] words;
    wire [1:0] stage;
    wire [31:0] old, operand, result;
    wire reads, read_slot, read_last;
    wire [2:0] scrub_row;
    wire [3:0] read_lanes;
    wire [7:0] read_banks;
    wire [127:0] at_banks;

    // Any one word and lane.
    (* anyconst *) wire [1:0] bank;
    (* anyconst *) wire [2:0] row;
    (* anyconst *) wire [1:0] lane;
    wire [31:0] lies = words[32 * {bank, row} +: 32];

    // Where the lanes go, and who is first at a bank.
    wire [3:0] here, first, same;
    wire [1:0] banks [0:3];
    wire [2:0] rows [0:3];
    wire [31:0] values [0:3];
    wire [3:0] bytes [0:3];
    genvar i, j;
    generate
        for (i = 0; i < 4; i = i + 1) begin : lane_of
            wire [5:0] offset = offsets[6 * i +: 6];
            wire [31:0] word = data[32 * i +: 32];
            assign banks[i] = offset[3:2];
            assign rows[i] = {lines[26 * i], offset[5:4]};
            assign here[i] = lanes[i] && banks[i] == bank && rows[i] == row;
            assign values[i] = size == 0 ? {4{word[7:0]}} : size == 1 ? {2{word[15:0]}} : word;
            assign bytes[i] = size == 0 ? 4'd1 << offset[1:0] : size == 1 ? 4'd3 << offset[1:0] : 4'd15;
            wire [3:0] lower, agrees;
            for (j = 0; j < 4; j = j + 1) begin : other
                assign lower[j] = j < i && lanes[j] && banks[j] == banks[i];
                // The first one at the bank, and it wants the same word.
                assign agrees[j] = first[j] && banks[j] == banks[i] && rows[j] == rows[i];
            end
            assign first[i] = lanes[i] & !(|lower);
            assign same[i] = lanes[i] & |agrees;
        end
    endgenerate

    wire load = valid & !store & !atomic;
    wire [3:0] stores = store & !atomic ? served : 4'd0;
    wire [3:0] changes = atomic ? served : stores;

    // The word; what was served one and two cycles ago, and what the lane was to get.
    reg [31:0] value, before, before_2;
    reg [3:0] ago, ago_2;
    reg loaded = 0, loaded_2 = 0, altered = 0;
    reg was_here, was_here_2, was_slot, was_slot_2, was_last, was_last_2;
    reg [1:0] phase = 0;
    // A scrub: it lasts, in which row; it has ended just now.
    reg sweeps = 0, swept = 0;
    reg [2:0] at;
    integer l, b;
    always @(posedge clock) begin
        at <= scrub ? 3'd0 : at + 3'd1;
        sweeps <= !reset & (scrub | (sweeps & at != 7));
        swept <= !reset & sweeps & at == 7 & !scrub;
        if (sweeps && at == row) value <= 0;
        for (l = 0; l < 4; l = l + 1) for (b = 0; b < 4; b = b + 1)
            if (changes[l] & here[l] & bytes[l][b]) value[8 * b +: 8] <= atomic ? result[8 * b +: 8] : values[l][8 * b +: 8];
        {before_2, before} <= {before, value};
        {ago_2, ago} <= {ago, served};
        {loaded_2, loaded} <= {loaded, load};
        altered <= valid & atomic & over;
        {was_here_2, was_here} <= {was_here, here[lane]};
        {was_slot_2, was_slot} <= {was_slot, slot};
        {was_last_2, was_last} <= {was_last, over};
        phase <= valid & atomic & !over ? phase + 1 : 0;
        if (reset) {loaded_2, loaded, altered, phase} <= 0;
    end

    wire [268:0] inputs = {valid, lanes, lines, offsets, store, atomic, operation, size, data};
    reg [268:0] inputs_before;
    reg slot_before;
    always @(posedge clock) {inputs_before, slot_before} <= {inputs, slot};

    reg started = 0;
    always @(posedge clock) started <= 1;

    always @(*) begin
        assume (reset == !started);
        if (!started) assume (value == lies && !scrubbing && !sweeps);
        if (scrub | sweeps) assume (!valid);
        if (valid & atomic) assume (lanes == 1 || lanes == 2 || lanes == 4 || lanes == 8);
        if (started && phase != 0) assume (inputs == inputs_before && slot == slot_before);
        if (started) begin
            // Who is served.
            if (!valid) assert (served == 0 && !over);
            if (load) assert (served == same);
            if (valid & store & !atomic) assert (served == first);
            if (valid & !atomic) assert (over == ((lanes & ~served) == 0));
            if (valid & atomic) assert (served == (phase == 2 ? lanes : 0) && over == (phase == 2));
            // A bank is written once.
            if (stores[lane]) for (l = 0; l < 4; l = l + 1)
                if (l != lane && banks[l] == banks[lane]) assert (!stores[l]);
            // A scrub.
            assert (scrubbing == sweeps);
            if (sweeps) assert (scrub_row == at);
            if (sweeps && row < at || swept) assert (lies == 0);
            // What the word is.
            assert (lies == value);
            if (atomic & served[lane]) begin
                assert (operand == data[32 * lane +: 32]);
                if (here[lane]) assert (old == value);
            end
            // What comes of it.
            assert (words_valid == (loaded_2 | altered));
            if (loaded_2) assert (words_lanes == ago_2 && words_slot == was_slot_2 && words_last == was_last_2);
            if (altered) assert (words_lanes == ago && words_slot == was_slot && words_last);
            if (loaded_2 & ago_2[lane] & was_here_2) assert (words_data[32 * lane +: 32] == before_2);
            if (altered & ago[lane] & was_here) assert (words_data[32 * lane +: 32] == before);
            // Why: the words on their way.
            assert (stage == phase && phase < 3);
            assert (reads == loaded && !(loaded & altered) && !(loaded_2 & altered));
            if (loaded) assert (read_lanes == ago && read_slot == was_slot && read_last == was_last);
            if (loaded & ago[lane] & was_here) assert (read_banks[2 * lane +: 2] == bank && at_banks[32 * bank +: 32] == before);
            if (phase != 0) assert (!altered && read_lanes == lanes && read_slot == slot && read_last);
            if (phase == 1 && here[lane]) assert (read_banks[2 * lane +: 2] == bank && at_banks[32 * bank +: 32] == value);
            if (phase != 0) assert (!loaded && inputs_before[268] && inputs_before[134]);
            assert (phase != 2 || !loaded_2);
            if (phase == 2 && here[lane]) assert (words_data[32 * lane +: 32] == value && old == value);
            if (phase != 0 && lanes[lane]) assert (operand == data[32 * lane +: 32]);
        end
    end

    always @(posedge clock) if (started) begin
        cover (load && lanes == 15 && over && here == 3 && $past(stores[0] && lanes == 3 && here == 3 && size == 0));
        cover (swept && $past(value, 8) != 0);
        cover (valid && store && lanes == 15 && served == 1);
        cover (altered && load && lanes == 15 && served == 9);
    end
endmodule
