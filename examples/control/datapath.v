// A datapath of a reader's own on weft_control: four warps of four threads, and an instruction set of six instructions.
// Each thread has one register, `sum`. An instruction that has been issued stands in one stage until its resolve is taken.
//
//   word = {op [31:28], target [27:16], immediate [15:0]}
module datapath (
    input  wire        clock,
    input  wire        reset,
    // From weft_control: an instruction to execute.
    input  wire        issue_valid,
    output wire        issue_ready,
    input  wire [1:0]  issue_warp,
    input  wire [21:0] issue_pc,
    input  wire [3:0]  issue_mask,
    // To weft_control: what it turned out to be.
    output wire        resolve_valid,
    input  wire        resolve_ready,
    output wire [1:0]  resolve_warp,
    output reg  [3:0]  resolve_op,
    output wire [3:0]  resolve_kind,
    output reg  [3:0]  resolve_mask,
    output wire [21:0] resolve_target
);
    localparam THREAD = 0, ADD = 1, LESS = 2, PUSH = 3, LEAVE = 4, EXIT = 5;

    // resolve_op, of docs/spec/control.md; token type 0 is SYNC.
    localparam OP_NEXT = 0, OP_BRANCH = 1, OP_PUSH = 3, OP_LEAVE = 4, OP_EXIT = 7, OP_FAULT = 8;
    localparam ILLEGAL_INSTRUCTION = 4;

    reg [31:0] program_words [0:6];
    initial begin
        program_words[0] = {4'd0, 12'd0, 16'd0};    //       sum = number of the thread
        program_words[1] = {4'd3, 12'd5, 16'd0};    //       push SYNC, together
        program_words[2] = {4'd1, 12'd0, 16'd3};    // more: sum = sum + 3
        program_words[3] = {4'd2, 12'd2, 16'd12};   //       if sum < 12 goto more
        program_words[4] = {4'd4, 12'd5, 16'd0};    //       leave SYNC, together
        program_words[5] = {4'd1, 12'd0, 16'd100};  // together: sum = sum + 100
        program_words[6] = {4'd5, 12'd0, 16'd0};    //       exit
    end

    reg [31:0] sum [0:15];

    // The stage.
    reg        busy;
    reg [1:0]  warp;
    reg [21:0] pc;
    reg [3:0]  mask;

    wire [31:0] word = pc < 7 ? program_words[pc[2:0]] : 32'hF0000000;
    wire [3:0]  op = word[31:28];
    wire        taken = busy && resolve_ready;

    assign issue_ready = !busy || resolve_ready;
    assign resolve_valid = busy;
    assign resolve_warp = warp;
    assign resolve_kind = resolve_op == OP_FAULT ? ILLEGAL_INSTRUCTION : 0;
    assign resolve_target = {10'd0, word[27:16]};

    integer lane;
    always @* begin
        resolve_mask = mask;
        case (op)
            THREAD, ADD: resolve_op = OP_NEXT;
            LESS: begin
                resolve_op = OP_BRANCH;
                for (lane = 0; lane < 4; lane = lane + 1)
                    resolve_mask[lane] = mask[lane] && sum[{warp, lane[1:0]}] < {16'd0, word[15:0]};
            end
            PUSH: resolve_op = OP_PUSH;
            LEAVE: resolve_op = OP_LEAVE;
            EXIT: resolve_op = OP_EXIT;
            default: resolve_op = OP_FAULT;
        endcase
    end

    integer thread;
    always @(posedge clock) begin
        if (issue_ready) begin
            busy <= issue_valid;
            warp <= issue_warp;
            pc <= issue_pc;
            mask <= issue_mask;
        end
        if (taken)
            for (thread = 0; thread < 4; thread = thread + 1)
                if (mask[thread])
                    case (op)
                        THREAD: sum[{warp, thread[1:0]}] <= {28'd0, warp, thread[1:0]};
                        ADD: sum[{warp, thread[1:0]}] <= sum[{warp, thread[1:0]}] + {16'd0, word[15:0]};
                        default: ;
                    endcase
        if (reset)
            busy <= 0;
    end
endmodule
