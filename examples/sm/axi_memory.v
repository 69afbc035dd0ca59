// A memory behind an AXI4 manager of Weft: one burst of reads and one of writes at a time, INCR bursts of full beats
// (SM-030). An answer comes LATENCY cycles after its address, or its last data.
`timescale 1ns / 1ns
module axi_memory #(
    parameter ID = 4,
    parameter LATENCY = 3,
    parameter WORDS = 32768
) (
    input  wire          clock, reset,
    input  wire          awvalid,
    output wire          awready,
    input  wire [ID-1:0] awid,
    input  wire [31:0]   awaddr,
    input  wire          wvalid,
    output wire          wready,
    input  wire [63:0]   wdata,
    input  wire [7:0]    wstrb,
    input  wire          wlast,
    output wire          bvalid,
    input  wire          bready,
    output wire [ID-1:0] bid,
    input  wire          arvalid,
    output wire          arready,
    input  wire [ID-1:0] arid,
    input  wire [31:0]   araddr,
    input  wire [7:0]    arlen,
    output wire          rvalid,
    input  wire          rready,
    output wire [ID-1:0] rid,
    output wire [63:0]   rdata,
    output wire          rlast
);
    reg [31:0] word [0:WORDS-1];

    // Reads: what is left of the burst, and how long its first beat still takes.
    reg          reads = 0;
    reg [ID-1:0] read_id;
    reg [31:0]   read_address;
    reg [7:0]    read_left, read_wait;
    assign arready = !reads;
    assign rvalid = reads && read_wait == 0;
    assign rid = rvalid ? read_id : 0;
    assign rdata = rvalid ? {word[{read_address[31:3], 1'b1}], word[{read_address[31:3], 1'b0}]} : 0;
    assign rlast = rvalid && read_left == 0;

    always @(posedge clock) begin
        if (read_wait != 0)
            read_wait <= read_wait - 1;
        if (arvalid && arready) begin
            reads <= 1;
            {read_id, read_address, read_left} <= {arid, araddr, arlen};
            read_wait <= LATENCY;
        end
        if (rvalid && rready) begin
            read_address <= read_address + 8;
            read_left <= read_left - 1;
            reads <= !rlast;
        end
        if (reset)
            reads <= 0;
    end

    // Writes: data are taken behind their address, the answer is given behind the last of them.
    reg          writes = 0, written = 0;
    reg [ID-1:0] write_id;
    reg [31:0]   write_address;
    reg [7:0]    write_wait;
    integer      lane;
    assign awready = !writes;
    assign wready = writes && !written;
    assign bvalid = written && write_wait == 0;
    assign bid = bvalid ? write_id : 0;

    always @(posedge clock) begin
        if (write_wait != 0)
            write_wait <= write_wait - 1;
        if (awvalid && awready) begin
            writes <= 1;
            {write_id, write_address} <= {awid, awaddr};
        end
        if (wvalid && wready) begin
            for (lane = 0; lane < 8; lane = lane + 1)
                if (wstrb[lane])
                    word[{write_address[31:3], lane >= 4}][8 * (lane % 4) +: 8] <= wdata[8 * lane +: 8];
            write_address <= write_address + 8;
            written <= wlast;
            write_wait <= LATENCY;
        end
        if (bvalid && bready)
            {writes, written} <= 0;
        if (reset)
            {writes, written} <= 0;
    end
endmodule
