// A board with a weft_sm: memory of block RAM behind its AXI4 manager, a host at its AXI4-Lite subordinate that
// launches a kernel, LEDs and a serial line that tell whether the result is right.
//
// Spec: docs/spec/board.md, BOARD-050 to BOARD-055. `cargo weft synth --board ulx3s --sm` puts the top module before it,
// which joins weft_sm and weft_sm_board port by port, and the program into weft_sm_memory.
// Plain Verilog, as whoever puts weft_sm beside something else writes it.

// AXI4 subordinate: block RAM of 2^A words of 64 bits from address 0 on. One burst of reads and one of writes at a
// time, a beat per cycle. Beats behind its end are answered with DECERR, and are not written.
// While `own` is 1 the host reads and writes it, and no burst may come.
module weft_sm_memory #(parameter A = 12, parameter ID = 4) (
  input wire clock, input wire reset,
  input wire awvalid, output wire awready, input wire [ID-1:0] awid, input wire [31:0] awaddr, input wire [7:0] awlen,
  input wire wvalid, output wire wready, input wire [63:0] wdata, input wire [7:0] wstrb, input wire wlast,
  output wire bvalid, input wire bready, output wire [ID-1:0] bid, output wire [1:0] bresp,
  input wire arvalid, output wire arready, input wire [ID-1:0] arid, input wire [31:0] araddr, input wire [7:0] arlen,
  output wire rvalid, input wire rready, output wire [ID-1:0] rid, output wire [63:0] rdata, output wire [1:0] rresp,
  output wire rlast,
  input wire own, input wire own_clear, input wire [A-1:0] own_address, output wire [63:0] own_data
);
  (* ram_style = "block", no_rw_check *)
  reg [63:0] words [0:(1 << A) - 1];
  // @IMAGE@

  // Writes: the burst that is open, then its response.
  reg writes = 0, answers = 0, write_bad = 0;
  reg [ID-1:0] write_id;
  reg [28:0] write_at;
  wire write_out = |write_at[28:A];
  assign awready = !writes & !answers & !reset;
  assign wready = writes;
  assign bvalid = answers;
  assign bid = write_id;
  assign bresp = {2{write_bad}};
  always @(posedge clock) begin
    if (awvalid & awready) begin
      writes <= 1;
      write_id <= awid;
      write_at <= awaddr[31:3];
      write_bad <= 0;
    end
    if (wvalid & wready) begin
      write_at <= write_at + 1;
      write_bad <= write_bad | write_out;
      if (wlast) begin
        writes <= 0;
        answers <= 1;
      end
    end
    if (bvalid & bready) answers <= 0;
    if (reset) begin
      writes <= 0;
      answers <= 0;
    end
  end

  // Reads: `left` beats are still to be read. One is in the block RAM's register a cycle later and among four at the output
  // the cycle after, so that nothing here waits in its cycle for `rready`, which comes late.
  reg [8:0] left = 0;
  reg [ID-1:0] read_id;
  reg [28:0] read_at;
  reg comes = 0, comes_bad, comes_last;
  reg [65:0] beats [0:3];
  reg [1:0] first = 0, free = 0;
  // Beats that are read and not taken, and those of them at the output.
  reg [2:0] under_way = 0, there = 0;
  reg [63:0] read_data;
  wire read = left != 0 & !under_way[2];
  wire taken = rvalid & rready;
  assign arready = left == 0 & under_way == 0 & !reset;
  assign rvalid = there != 0;
  assign rid = read_id;
  wire bad;
  assign {bad, rlast, rdata} = beats[first];
  assign rresp = {2{bad}};
  always @(posedge clock) begin
    if (arvalid & arready) begin
      left <= {1'b0, arlen} + 9'd1;
      read_id <= arid;
      read_at <= araddr[31:3];
    end
    if (read) begin
      left <= left - 9'd1;
      read_at <= read_at + 29'd1;
    end
    comes <= read;
    comes_bad <= |read_at[28:A];
    comes_last <= left == 1;
    if (comes) begin
      beats[free] <= {comes_bad, comes_last, read_data};
      free <= free + 2'd1;
    end
    if (taken) first <= first + 2'd1;
    under_way <= under_way + {2'd0, read} - {2'd0, taken};
    there <= there + {2'd0, comes} - {2'd0, taken};
    if (reset) begin
      left <= 0;
      comes <= 0;
      under_way <= 0;
      there <= 0;
      first <= 0;
      free <= 0;
    end
  end

  wire [A-1:0] write_address = own ? own_address : write_at[A-1:0];
  wire [A-1:0] read_address = own ? own_address : read_at[A-1:0];
  wire [63:0] write_data = own ? 64'd0 : wdata;
  wire [7:0] write_bytes = own ? {8{own_clear}} : {8{wvalid & wready & !write_out}} & wstrb;
  assign own_data = read_data;
  integer i;
  always @(posedge clock) begin
    read_data <= words[read_address];
    for (i = 0; i < 8; i = i + 1)
      if (write_bytes[i]) words[write_address][8*i +: 8] <= write_data[8*i +: 8];
  end
endmodule

// Writes `PASS 0123ABCD` or `FAIL 0123ABCD`, carriage return, line feed: 8N1, a bit takes DIVIDER cycles.
module weft_sm_line #(parameter DIVIDER = 217) (
  input wire clock, input wire reset, input wire start, input wire pass, input wire [31:0] number, output wire tx
);
  reg busy = 0;
  reg [3:0] place = 0, bits = 0;
  reg [15:0] ticks = 0;
  reg [9:0] frame = 10'h3ff;
  reg [119:0] text = 0;
  assign tx = frame[0];
  function [7:0] digit(input [3:0] n);
    digit = n < 10 ? 8'h30 + {4'd0, n} : 8'h37 + {4'd0, n};
  endfunction
  always @(posedge clock) begin
    if (start & !busy) begin
      busy <= 1;
      place <= 0;
      bits <= 0;
      ticks <= 0;
      text <= {
        pass ? "PASS " : "FAIL ", digit(number[31:28]), digit(number[27:24]), digit(number[23:20]),
        digit(number[19:16]), digit(number[15:12]), digit(number[11:8]), digit(number[7:4]), digit(number[3:0]), 8'h0d, 8'h0a
      };
    end else if (busy & ticks != 0) ticks <= ticks - 16'd1;
    else if (busy) begin
      ticks <= DIVIDER - 1;
      if (bits != 0) begin
        frame <= {1'b1, frame[9:1]};
        bits <= bits - 4'd1;
      end else if (place != 15) begin
        frame <= {1'b1, text[119:112], 1'b0};
        text <= {text[111:0], 8'd0};
        bits <= 9;
        place <= place + 4'd1;
      end else busy <= 0;
    end
    if (reset) begin
      busy <= 0;
      frame <= 10'h3ff;
    end
  end
endmodule

// A PLL of an ECP5: `fast` has MULTIPLY / DIVIDE times the clock's frequency, and its oscillator OUTPUT times that of `fast`.
// It is right from `locked` on. Who simulates sees each cycle of `fast` as one of `clock`.
module weft_sm_clock #(parameter DIVIDE = 5, MULTIPLY = 10, OUTPUT = 12) (
  input wire clock, output wire fast, output wire locked
);
`ifdef SYNTHESIS
  // The oscillator's loop filter, as ecppll sets it.
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .CLKI_DIV(DIVIDE), .CLKFB_DIV(MULTIPLY), .FEEDBK_PATH("CLKOP"),
    .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(OUTPUT), .CLKOP_CPHASE(OUTPUT / 2 - 1), .CLKOP_FPHASE(0),
    .OUTDIVIDER_MUXA("DIVA"), .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"),
    .DPHASE_SOURCE("DISABLED")
  ) pll (
    .CLKI(clock), .CLKFB(fast), .CLKOP(fast), .LOCK(locked), .CLKINTFB(),
    .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b0), .PHASESTEP(1'b0),
    .PHASELOADREG(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
  );
`else
  assign fast = clock;
  assign locked = 1;
`endif
endmodule

// Host: clears the result, writes the launch, waits for its end, and adds the result up.
module weft_sm_board #(
  parameter A = 12, ID = 4, DIVIDER = 217,
  // Of the launch; the result is WORDS words from RESULT on, a multiple of 8, and comes to GOLDEN.
  parameter ENTRY = 0, GRID = 1, CTA = 1, LOCAL = 256, LOCAL_BASE = 0, TOKEN_BASE = 0, TOKENS = 1000, MEMORY = 0,
  parameter YIELD = 0, PATH = 0, RESULT = 0, WORDS = 2, parameter [31:0] GOLDEN = 0
) (
  input wire clock, input wire locked, input wire button, output wire led_pass, output wire led_fail, output wire led_beat,
  output wire uart_tx, output wire sm_reset,
  input wire axi_awvalid, output wire axi_awready, input wire [ID-1:0] axi_awid, input wire [31:0] axi_awaddr,
  input wire [7:0] axi_awlen, input wire axi_wvalid, output wire axi_wready, input wire [63:0] axi_wdata,
  input wire [7:0] axi_wstrb, input wire axi_wlast, output wire axi_bvalid, input wire axi_bready,
  output wire [ID-1:0] axi_bid, output wire [1:0] axi_bresp, input wire axi_arvalid, output wire axi_arready,
  input wire [ID-1:0] axi_arid, input wire [31:0] axi_araddr, input wire [7:0] axi_arlen, output wire axi_rvalid,
  input wire axi_rready, output wire [ID-1:0] axi_rid, output wire [63:0] axi_rdata, output wire [1:0] axi_rresp,
  output wire axi_rlast,
  output reg host_awvalid, input wire host_awready, output wire [7:0] host_awaddr,
  output reg host_wvalid, input wire host_wready, output wire [31:0] host_wdata, output wire [3:0] host_wstrb,
  input wire host_bvalid, output wire host_bready, input wire [1:0] host_bresp,
  output reg host_arvalid, input wire host_arready, output wire [7:0] host_araddr,
  input wire host_rvalid, output wire host_rready, input wire [31:0] host_rdata, input wire [1:0] host_rresp
);
  localparam CLEAR = 0, WRITE = 1, POLL = 2, SUM = 3, OVER = 4;
  // Registers of the launcher that are written, the one that launches last.
  localparam LAST = 18;
  localparam [7:0] STATUS = 8'h0c;
  reg [2:0] phase = CLEAR;
  reg [4:0] step = 0;
  reg [A-1:0] at = 0;
  reg waits = 0, half = 0, fresh = 0, failed = 0;
  reg [21:0] cycles = 0;
  reg [31:0] total = 0;

  // Reset: 64 cycles after the clock is right, and by the button, which is high when pressed.
  reg [5:0] awake = 0;
  reg right = 0, right_late = 0, pressed = 0, pressed_late = 0, reset = 1;
  always @(posedge clock) begin
    right <= locked;
    right_late <= right;
    if (!right_late) awake <= 0;
    else if (!(&awake)) awake <= awake + 6'd1;
    pressed <= button;
    pressed_late <= pressed;
    reset <= pressed_late | !(&awake);
  end
  assign sm_reset = reset;

  reg [39:0] setting;
  always @* case (step)
    0: setting = {8'h10, ENTRY[31:0]};
    1: setting = {8'h14, GRID[31:0]};
    2: setting = {8'h18, 32'd1};
    3: setting = {8'h1c, 32'd1};
    4: setting = {8'h20, CTA[31:0]};
    5: setting = {8'h24, 32'd1};
    6: setting = {8'h28, 32'd1};
    7: setting = {8'h2c, 32'd0};
    8: setting = {8'h30, 32'd0};
    9: setting = {8'h34, LOCAL[31:0]};
    10: setting = {8'h38, LOCAL_BASE[31:0]};
    11: setting = {8'h3c, TOKEN_BASE[31:0]};
    12: setting = {8'h40, TOKENS[31:0]};
    13: setting = {8'h44, MEMORY[31:0]};
    14: setting = {8'h48, 32'd0};
    15: setting = {8'h4c, YIELD[31:0]};
    16: setting = {8'h50, PATH[31:0]};
    17: setting = {8'h08, 32'd2};
    default: setting = {8'h08, 32'd1};
  endcase
  assign host_awaddr = setting[39:32];
  assign host_wdata = setting[31:0];
  assign host_wstrb = 4'hf;
  assign host_araddr = STATUS;
  assign host_bready = 1;
  assign host_rready = 1;

  wire own = phase == CLEAR | phase == SUM | phase == OVER;
  wire [63:0] own_data;
  wire [31:0] word = half ? own_data[63:32] : own_data[31:0];
  wire last = at == RESULT / 8 + WORDS / 2 - 1;
  wire over = phase == OVER;
  // STATUS of a launch that has ended well: done, not failed, not refused.
  localparam [3:0] WELL = 4'b0010;
  always @(posedge clock) begin
    if (host_awready) host_awvalid <= 0;
    if (host_wready) host_wvalid <= 0;
    if (host_arready) host_arvalid <= 0;
    if (!over) cycles <= cycles + 22'd1;
    case (phase)
      CLEAR: begin
        at <= at + 1;
        if (last) phase <= WRITE;
      end
      WRITE: if (!waits) begin
        host_awvalid <= 1;
        host_wvalid <= 1;
        waits <= 1;
      end else if (host_bvalid) begin
        waits <= 0;
        failed <= failed | host_bresp != 0;
        step <= step + 5'd1;
        if (step == LAST) phase <= POLL;
      end
      POLL: if (!waits) begin
        host_arvalid <= 1;
        waits <= 1;
      end else if (host_rvalid) begin
        waits <= 0;
        if (host_rresp != 0 | host_rdata[1]) begin
          failed <= failed | host_rresp != 0 | host_rdata[3:0] != WELL;
          phase <= SUM;
          at <= RESULT / 8;
          half <= 0;
          fresh <= 1;
        end
      end
      // The word comes a cycle after its address.
      SUM: if (fresh) fresh <= 0;
      else begin
        total <= {total[30:0], total[31]} + word;
        half <= !half;
        if (half) begin
          at <= at + 1;
          fresh <= 1;
          if (last) phase <= OVER;
        end
      end
      default: ;
    endcase
    if (&cycles & !over) begin
      failed <= 1;
      phase <= OVER;
    end
    if (reset) begin
      phase <= CLEAR;
      at <= RESULT / 8;
      step <= 0;
      waits <= 0;
      failed <= 0;
      cycles <= 0;
      total <= 0;
      host_awvalid <= 0;
      host_wvalid <= 0;
      host_arvalid <= 0;
    end
  end

  wire pass = !failed & total == GOLDEN;
  reg [23:0] beat = 0;
  reg was_over = 0;
  always @(posedge clock) begin
    beat <= beat + 24'd1;
    was_over <= over & !reset;
  end
  assign led_pass = was_over & pass;
  assign led_fail = was_over & !pass;
  assign led_beat = beat[23];
  weft_sm_line #(.DIVIDER(DIVIDER)) line (
    .clock(clock), .reset(reset), .start(over & (!was_over | &beat)), .pass(pass), .number(total), .tx(uart_tx)
  );
  weft_sm_memory #(.A(A), .ID(ID)) memory (
    .clock(clock), .reset(reset),
    .awvalid(axi_awvalid), .awready(axi_awready), .awid(axi_awid), .awaddr(axi_awaddr), .awlen(axi_awlen),
    .wvalid(axi_wvalid), .wready(axi_wready), .wdata(axi_wdata), .wstrb(axi_wstrb), .wlast(axi_wlast),
    .bvalid(axi_bvalid), .bready(axi_bready), .bid(axi_bid), .bresp(axi_bresp),
    .arvalid(axi_arvalid), .arready(axi_arready), .arid(axi_arid), .araddr(axi_araddr), .arlen(axi_arlen),
    .rvalid(axi_rvalid), .rready(axi_rready), .rid(axi_rid), .rdata(axi_rdata), .rresp(axi_rresp), .rlast(axi_rlast),
    .own(own), .own_clear(phase == CLEAR & !reset), .own_address(at), .own_data(own_data)
  );
endmodule
