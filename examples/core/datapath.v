// A datapath of a reader's own on weft_core: decoder, instruction ROM, registers, ALU and multiplier, and an instruction set
// of eight instructions. Each thread has four registers of 32 bits.
//
//   word = {op [31:28], rd [27:26], rs1 [25:24], rs2 [23:22], target [21:16], immediate [15:0]}
//
// What is issued goes down three stages, and is done in the last one, whatever it is: so there is one `done` per cycle at most.
// What a control instruction turned out to be waits in a queue until its resolve is taken.
module datapath #(
    parameter WI = 2,  // log2 of the warps
    parameter W = 4    // threads per warp
) (
    input  wire          clock,
    input  wire          reset,
    // A line of 16 instructions, in the cycle after it was asked for.
    input  wire          fetch_valid,
    input  wire [WI-1:0] fetch_warp,
    input  wire [17:0]   fetch_line,
    output reg           line_valid,
    output reg  [WI-1:0] line_warp,
    output reg           line_slot,
    output reg  [511:0]  line_data,
    // Two words to decode; the decoded forms a cycle later.
    input  wire [31:0]   decode_word0,
    input  wire [31:0]   decode_word1,
    output reg  [22:0]   decode0,
    output reg  [22:0]   decode1,
    // An instruction to execute; it must be taken.
    input  wire          issue_valid,
    input  wire [WI-1:0] issue_warp,
    input  wire [21:0]   issue_pc,
    input  wire [W-1:0]  issue_mask,
    input  wire [31:0]   issue_word,
    input  wire [22:0]   issue_decoded,
    // Number of the first thread of a warp in its CTA, and the CTA's slot.
    output wire [WI-1:0] where_warp,
    input  wire [11:0]   where_first,
    input  wire [3:0]    where_cta,
    // It is complete.
    output wire          done_valid,
    output wire [WI-1:0] done_warp,
    output wire [5:0]    done_rd,
    // What a control instruction turned out to be.
    output wire          resolve_valid,
    input  wire          resolve_ready,
    output wire [WI-1:0] resolve_warp,
    output wire [3:0]    resolve_op,
    output wire [3:0]    resolve_kind,
    output wire [W-1:0]  resolve_mask,
    output wire [21:0]   resolve_target,
    output wire [21:0]   resolve_pc,
    output wire [W-1:0]  resolve_active
);
    localparam NW = 1 << WI;
    localparam THREAD = 0, LOAD = 1, ADD = 2, MULTIPLY = 3, MORE = 4, PUSH = 5, LEAVE = 6, EXIT = 7;

    // resolve_op, of docs/spec/control.md; token type 0 is SYNC.
    localparam OP_BRANCH = 1, OP_PUSH = 3, OP_LEAVE = 4, OP_EXIT = 7, OP_FAULT = 8;
    localparam ILLEGAL_INSTRUCTION = 4;

    // ---- Instruction ROM: r1 = (number + 3)! + 100. The other words are illegal.
    reg [31:0] rom [0:15];
    integer word;
    initial begin
        for (word = 0; word < 16; word = word + 1)
            rom[word] = 32'hF0000000;
        //        op        rd    rs1   rs2   target immediate
        rom[0] = {4'd0, 2'd0, 2'd0, 2'd0, 6'd0, 16'd0};      //       r0 = number of the thread in its CTA
        rom[1] = {4'd2, 2'd0, 2'd0, 2'd0, 6'd0, 16'd3};      //       r0 = r0 + 3
        rom[2] = {4'd1, 2'd1, 2'd0, 2'd0, 6'd0, 16'd1};      //       r1 = 1
        rom[3] = {4'd5, 2'd0, 2'd0, 2'd0, 6'd8, 16'd0};      //       push SYNC, together
        rom[4] = {4'd3, 2'd1, 2'd1, 2'd0, 6'd0, 16'd0};      // more: r1 = r1 * r0
        rom[5] = {4'd2, 2'd0, 2'd0, 2'd0, 6'd0, 16'hFFFF};   //       r0 = r0 - 1
        rom[6] = {4'd4, 2'd0, 2'd0, 2'd0, 6'd4, 16'd1};      //       if r0 > 1 goto more
        rom[7] = {4'd6, 2'd0, 2'd0, 2'd0, 6'd8, 16'd0};      //       leave SYNC, together
        rom[8] = {4'd2, 2'd1, 2'd1, 2'd0, 6'd0, 16'd100};    // together: r1 = r1 + 100
        rom[9] = {4'd7, 2'd0, 2'd0, 2'd0, 6'd0, 16'd0};      //       exit
    end

    integer place;
    always @(posedge clock) begin
        line_valid <= fetch_valid && !reset;
        line_warp <= fetch_warp;
        line_slot <= fetch_line[0];
        for (place = 0; place < 16; place = place + 1)
            line_data[32 * place +: 32] <= fetch_line == 0 ? rom[place] : 32'hF0000000;
    end

    // ---- Decoder: {rs2, rs1, rd (each: used, number), drain, control, class} (docs/spec/scheduler.md).
    function [22:0] decoded(input [31:0] w);
        reg [5:0] rd, rs1, rs2;
        begin
            rd = {4'b1000, w[27:26]};
            rs1 = {4'b1000, w[25:24]};
            rs2 = {4'b1000, w[23:22]};
            case (w[31:28])
                THREAD, LOAD: decoded = {6'd0, 6'd0, rd, 2'b00, 3'd0};
                ADD: decoded = {6'd0, rs1, rd, 2'b00, 3'd0};
                MULTIPLY: decoded = {rs2, rs1, rd, 2'b00, 3'd1};
                MORE: decoded = {6'd0, rs1, 6'd0, 2'b01, 3'd0};
                EXIT: decoded = {18'd0, 2'b11, 3'd0};      // Goes when all before it is done.
                default: decoded = {18'd0, 2'b01, 3'd0};   // Control, illegal words among it.
            endcase
        end
    endfunction
    always @(posedge clock) begin
        decode0 <= decoded(decode_word0);
        decode1 <= decoded(decode_word1);
    end

    // ---- Stages 1 to 3.
    reg [2:0]    busy;
    reg [WI-1:0] warp [0:2];
    reg [W-1:0]  mask [0:2];
    reg [5:0]    rd [0:2];
    reg [31:0]   instruction;
    reg [21:0]   pc;
    reg          control;

    // Of the instruction in stage 1: its operands and its result, thread by thread.
    reg [31:0] registers [0:4*NW*W-1];
    reg [31:0] result1 [0:W-1], result2 [0:W-1];

    wire [3:0]  op = instruction[31:28];
    wire [31:0] immediate = {{16{instruction[15]}}, instruction[15:0]};
    assign where_warp = warp[0];

    // Results that a test bench looks at: r1 at the exit, by CTA slot and thread.
    reg [31:0] answer [0:16*NW*W-1];

    integer thread, stage;
    reg [31:0] a, b;
    always @(posedge clock) begin
        busy <= {busy[1:0], issue_valid};
        warp[0] <= issue_warp;
        mask[0] <= issue_mask;
        rd[0] <= issue_decoded[10:5];
        pc <= issue_pc;
        instruction <= issue_word;
        control <= issue_decoded[3];
        for (stage = 1; stage < 3; stage = stage + 1) begin
            warp[stage] <= warp[stage - 1];
            mask[stage] <= mask[stage - 1];
            rd[stage] <= rd[stage - 1];
        end
        for (thread = 0; thread < W; thread = thread + 1) begin
            a = registers[(warp[0] * W + thread) * 4 + instruction[25:24]];
            b = registers[(warp[0] * W + thread) * 4 + instruction[23:22]];
            // Stage 1: operands.
            case (op)
                THREAD: result1[thread] <= where_first + thread;
                LOAD: result1[thread] <= immediate;
                MULTIPLY: result1[thread] <= a * b;
                default: result1[thread] <= a + immediate;
            endcase
            if (busy[0] && op == EXIT && mask[0][thread])
                answer[where_cta * (NW * W) + where_first + thread] <=
                    registers[(warp[0] * W + thread) * 4 + 1];
            // Stage 2, and 3: write.
            result2[thread] <= result1[thread];
            if (busy[2] && rd[2][5] && mask[2][thread])
                registers[(warp[2] * W + thread) * 4 + rd[2][1:0]] <= result2[thread];
        end
        if (reset)
            busy <= 0;
    end

`ifdef DONE_TWICE
    // A fault on purpose, for the rules to notice: what is done is done twice, where there is room for it.
    reg          again;
    reg [WI-1:0] again_warp;
    reg [5:0]    again_rd;
    always @(posedge clock) begin
        again <= busy[2] && !reset;
        again_warp <= warp[2];
        again_rd <= rd[2];
    end
    assign done_valid = busy[2] || again;
    assign done_warp = busy[2] ? warp[2] : again_warp;
    assign done_rd = busy[2] ? rd[2] : again_rd;
`else
    assign done_valid = busy[2];
    assign done_warp = warp[2];
    assign done_rd = rd[2];
`endif

    // ---- Queue of resolves: a warp has one control instruction under way, so NW places are enough.
    integer lane;
    reg [3:0] what;
    reg [W-1:0] chosen;
    always @* begin
        chosen = mask[0];
        case (op)
            MORE: begin
                what = OP_BRANCH;
                for (lane = 0; lane < W; lane = lane + 1)
                    chosen[lane] = mask[0][lane]
                        && $signed(registers[(warp[0] * W + lane) * 4 + instruction[25:24]]) > $signed(immediate);
            end
            PUSH: what = OP_PUSH;
            LEAVE: what = OP_LEAVE;
            EXIT: what = OP_EXIT;
            default: what = OP_FAULT;
        endcase
    end

    localparam BITS = WI + 4 + W + 22 + 22 + W;
    reg [BITS-1:0] queue [0:NW-1];
    reg [WI:0]     head, tail;
    wire           taken = resolve_valid && resolve_ready;
    always @(posedge clock) begin
        if (busy[0] && control) begin
            queue[tail[WI-1:0]] <= {warp[0], what, chosen, {16'd0, instruction[21:16]}, pc, mask[0]};
            tail <= tail + 1;
        end
        if (taken)
            head <= head + 1;
        if (reset) begin
            head <= 0;
            tail <= 0;
        end
    end
    assign {resolve_warp, resolve_op, resolve_mask, resolve_target, resolve_pc, resolve_active} = queue[head[WI-1:0]];
    assign resolve_kind = resolve_op == OP_FAULT ? ILLEGAL_INSTRUCTION : 0;
    assign resolve_valid = head != tail;
endmodule
