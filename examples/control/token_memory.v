// Memory for the tokens of four warps behind the spill port of weft_control: 1,024 tokens each, one request at a time.
module token_memory (
    input  wire        clock,
    input  wire        reset,
    input  wire        request_valid,
    output wire        request_ready,
    input  wire        request_write,
    input  wire [31:0] request_address,
    input  wire [63:0] request_data,
    input  wire [4:0]  request_tag,
    output reg         response_valid,
    input  wire        response_ready,
    output reg         response_write,
    output reg  [4:0]  response_tag,
    output reg  [63:0] response_data
);
    reg [63:0] tokens [0:4095];

    assign request_ready = !response_valid || response_ready;

    always @(posedge clock) begin
        if (request_ready) begin
            response_valid <= request_valid;
            response_write <= request_write;
            response_tag <= request_tag;
            response_data <= tokens[request_address[11:0]];
        end
        if (request_valid && request_ready && request_write)
            tokens[request_address[11:0]] <= request_data;
        if (reset)
            response_valid <= 0;
    end
endmodule
