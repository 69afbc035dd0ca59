// Launches examples/axi/saxpy.s on weft_gpu (one SM, 4 warps of 4 threads) as a host does (docs/spec/host.md): an entry
// in the ring of a channel, whose block launches a descriptor, releases a semaphore behind it and interrupts.
// Then checks every element.
`timescale 1ns / 1ns
module bench;
    reg clock = 0;
    always #5 clock = !clock;
    reg reset = 1;
    integer cycle = 0;
    always @(posedge clock) cycle <= cycle + 1;

    wire        interrupt;
    wire        awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
    wire [6:0]  awid, bid, arid, rid;
    wire [31:0] awaddr, araddr;
    wire [7:0]  awlen, arlen, wstrb;
    wire [63:0] wdata, rdata;
    wire        h_awvalid, h_awready, h_wvalid, h_wready, h_bvalid, h_bready, h_arvalid, h_arready, h_rvalid, h_rready;
    wire [11:0] h_awaddr, h_araddr;
    wire [31:0] h_wdata, h_rdata;
    wire [3:0]  h_wstrb;

    weft_gpu gpu (
        .clock(clock), .reset(reset), .host_interrupt(interrupt),
        .axi_awvalid(awvalid), .axi_awready(awready), .axi_awid(awid), .axi_awaddr(awaddr), .axi_awlen(awlen),
        .axi_awsize(), .axi_awburst(),
        .axi_wvalid(wvalid), .axi_wready(wready), .axi_wdata(wdata), .axi_wstrb(wstrb), .axi_wlast(wlast),
        .axi_bvalid(bvalid), .axi_bready(bready), .axi_bid(bid), .axi_bresp(2'd0),
        .axi_arvalid(arvalid), .axi_arready(arready), .axi_arid(arid), .axi_araddr(araddr), .axi_arlen(arlen),
        .axi_arsize(), .axi_arburst(),
        .axi_rvalid(rvalid), .axi_rready(rready), .axi_rid(rid), .axi_rdata(rdata), .axi_rresp(2'd0), .axi_rlast(rlast),
        .host_awvalid(h_awvalid), .host_awready(h_awready), .host_awaddr(h_awaddr),
        .host_wvalid(h_wvalid), .host_wready(h_wready), .host_wdata(h_wdata), .host_wstrb(h_wstrb),
        .host_bvalid(h_bvalid), .host_bready(h_bready), .host_bresp(),
        .host_arvalid(h_arvalid), .host_arready(h_arready), .host_araddr(h_araddr),
        .host_rvalid(h_rvalid), .host_rready(h_rready), .host_rdata(h_rdata), .host_rresp()
    );

    axi_memory #(.ID(7)) memory (
        .clock(clock), .reset(reset),
        .awvalid(awvalid), .awready(awready), .awid(awid), .awaddr(awaddr),
        .wvalid(wvalid), .wready(wready), .wdata(wdata), .wstrb(wstrb), .wlast(wlast),
        .bvalid(bvalid), .bready(bready), .bid(bid),
        .arvalid(arvalid), .arready(arready), .arid(arid), .araddr(araddr), .arlen(arlen),
        .rvalid(rvalid), .rready(rready), .rid(rid), .rdata(rdata), .rlast(rlast)
    );

    axi_lite_host #(.A(12)) host (
        .clock(clock),
        .awvalid(h_awvalid), .awready(h_awready), .awaddr(h_awaddr),
        .wvalid(h_wvalid), .wready(h_wready), .wdata(h_wdata), .wstrb(h_wstrb),
        .bvalid(h_bvalid), .bready(h_bready),
        .arvalid(h_arvalid), .arready(h_arready), .araddr(h_araddr),
        .rvalid(h_rvalid), .rready(h_rready), .rdata(h_rdata)
    );

    // Where things are, in bytes. What threads reach: program, its arguments, two vectors. Behind that: local memory,
    // tokens, the ring of channel 0, its block, a semaphore, the descriptor.
    localparam PROGRAM = 32'h1000, ARGUMENTS = 32'h2000, X = 32'h3000, Y = 32'h4004, THREAD_END = 32'h8000,
        TOKENS = 32'h10000, RING = 32'h14000, BLOCK = 32'h14100, SEMAPHORE = 32'h14200, DESCRIPTOR = 32'h14400,
        MEMORY_END = 32'h18000;
    // Three CTAs of five threads, two warps each; neither fills the warps, and the first threads do a second element.
    localparam N = 17, FACTOR = 32'd2654435761, CTAS = 3, THREADS = 5;

    integer i, wrong = 0, began;
    reg [31:0] value, expected;

    // With +vcd: what stands at the ports, for waves.
    initial if ($test$plusargs("vcd")) begin
        $dumpfile("ports.vcd");
        $dumpvars(2, bench);
    end

    initial begin
        for (i = 0; i < 32768; i = i + 1)
            memory.word[i] = 0;
        $readmemh("kernel.hex", memory.word, PROGRAM / 4, PROGRAM / 4 + 15);
        memory.word[ARGUMENTS / 4] = N;
        memory.word[ARGUMENTS / 4 + 1] = FACTOR;
        memory.word[ARGUMENTS / 4 + 2] = X;
        memory.word[ARGUMENTS / 4 + 3] = Y;
        for (i = 0; i < N; i = i + 1) begin
            memory.word[X / 4 + i] = 32'h01234567 * i;
            memory.word[Y / 4 + i] = 32'h89abcdef - i;
        end
        // A grid.
        memory.word[DESCRIPTOR / 4] = 32'h57000001;
        memory.word[DESCRIPTOR / 4 + 1] = PROGRAM;
        memory.word[DESCRIPTOR / 4 + 2] = CTAS;
        memory.word[DESCRIPTOR / 4 + 3] = 1;
        memory.word[DESCRIPTOR / 4 + 4] = 1;
        memory.word[DESCRIPTOR / 4 + 5] = THREADS;
        memory.word[DESCRIPTOR / 4 + 6] = 1;
        memory.word[DESCRIPTOR / 4 + 7] = 1;
        memory.word[DESCRIPTOR / 4 + 8] = ARGUMENTS;
        memory.word[DESCRIPTOR / 4 + 10] = 64;
        // An entry, and its block: LAUNCH, SEM_RELEASE after idle, INTERRUPT.
        memory.word[RING / 4] = BLOCK;
        memory.word[RING / 4 + 1] = 6;
        memory.word[BLOCK / 4] = 32'h00020001;
        memory.word[BLOCK / 4 + 1] = DESCRIPTOR;
        memory.word[BLOCK / 4 + 2] = 32'h00030104;
        memory.word[BLOCK / 4 + 3] = SEMAPHORE;
        memory.word[BLOCK / 4 + 4] = 32'h600d;
        memory.word[BLOCK / 4 + 5] = 32'h00010006;
        repeat (10) @(posedge clock);
        reset <= 0;
        host.read(12'h000, value);
        if (value != 32'h57475055)
            $fatal(1, "ID is %h", value);
        host.write(12'h014, 1);
        host.write(12'h018, MEMORY_END);
        host.write(12'h01c, THREAD_END);
        host.write(12'h300, THREAD_END);
        host.write(12'h304, 64);
        host.write(12'h308, TOKENS / 8);
        host.write(12'h30c, 64);
        host.write(12'h100, RING);
        host.write(12'h104, 4);
        host.write(12'h110, 1);
        // The doorbell.
        host.write(12'h10c, 1);
        began = cycle;
        while (!interrupt) @(posedge clock);
        $display("interrupt %0d cycles behind the doorbell", cycle - began);
        host.read(12'h00c, value);
        if (value != 0)
            $fatal(1, "STATUS is %h", value);
        host.read(12'h048, value);
        if (value != CTAS)
            $fatal(1, "%0d CTAs have ended, not %0d", value, CTAS);
        if (memory.word[SEMAPHORE / 4] != 32'h600d)
            $fatal(1, "the semaphore is %h", memory.word[SEMAPHORE / 4]);
        for (i = -1; i <= N; i = i + 1) begin
            expected = i < 0 || i == N ? 0 : FACTOR * (32'h01234567 * i) + 32'h89abcdef - i;
            if (memory.word[Y / 4 + i] !== expected) begin
                wrong = wrong + 1;
                $display("element %0d: %h, should be %h", i, memory.word[Y / 4 + i], expected);
            end
        end
        if (wrong != 0)
            $fatal(1, "%0d elements are wrong", wrong);
        $display("%0d elements are right", N);
        $finish;
    end

    initial begin
        #200000 $fatal(1, "the launch has not ended after 20,000 cycles");
    end
endmodule
