// A clock, a reset, and the console of weft_gpu.py's SoC.
`timescale 1ns / 1ps

module bench;
    reg clock = 0, reset = 1;
    wire [7:0] letter;
    wire written;
    integer cycles = 0;

    soc soc (.clock(clock), .reset(reset), .console_letter(letter), .console_written(written));

    always #10 clock = ~clock;

    always @(posedge clock) begin
        cycles <= cycles + 1;
        reset <= cycles < 8;
        if (written && letter == 4) begin
            $display("the host has ended well after %0d cycles", cycles);
            $finish;
        end
        if (written && letter == 5) begin
            $display("the host has ended with an error after %0d cycles", cycles);
            $fatal;
        end
        if (written && letter != 4 && letter != 5)
            $write("%c", letter);
        if (cycles == 3000000) begin
            $display("no end after %0d cycles", cycles);
            $fatal;
        end
    end
endmodule
