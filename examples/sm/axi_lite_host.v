// A host behind an AXI4-Lite subordinate of Weft: tasks that write and read its registers.
`timescale 1ns / 1ns
module axi_lite_host #(
    parameter A = 8
) (
    input  wire         clock,
    output reg          awvalid = 0,
    input  wire         awready,
    output reg  [A-1:0] awaddr = 0,
    output reg          wvalid = 0,
    input  wire         wready,
    output reg  [31:0]  wdata = 0,
    output wire [3:0]   wstrb,
    input  wire         bvalid,
    output wire         bready,
    output reg          arvalid = 0,
    input  wire         arready,
    output reg  [A-1:0] araddr = 0,
    input  wire         rvalid,
    output wire         rready,
    input  wire [31:0]  rdata
);
    assign wstrb = 4'b1111;
    assign bready = 1;
    assign rready = 1;

    // What has been taken is offered no longer.
    always @(posedge clock) begin
        if (awready) awvalid <= 0;
        if (wready) wvalid <= 0;
        if (arready) arvalid <= 0;
    end

    task write(input [A-1:0] address, input [31:0] value);
        begin
            @(negedge clock);
            {awvalid, wvalid} = 2'b11;
            awaddr = address;
            wdata = value;
            @(posedge clock);
            while (!bvalid) @(posedge clock);
        end
    endtask

    task read(input [A-1:0] address, output [31:0] value);
        begin
            @(negedge clock);
            arvalid = 1;
            araddr = address;
            @(posedge clock);
            while (!rvalid) @(posedge clock);
            value = rdata;
        end
    endtask
endmodule
