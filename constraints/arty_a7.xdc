## Arty A7-35T, xc7a35ticsg324-1L: pins of the top weft_arty_a7. UNTESTED: no tool here reads it.
## Source: github.com/Digilent/digilent-xdc, Arty-A7-35-Master.xdc (Rev. D and E); the name there follows each pin.

## CLK100MHZ
set_property -dict { PACKAGE_PIN E3 IOSTANDARD LVCMOS33 } [get_ports { clock }]
create_clock -name clock -period 10.000 [get_ports { clock }]

## btn[0]: high when pressed
set_property -dict { PACKAGE_PIN D9 IOSTANDARD LVCMOS33 } [get_ports { button }]
set_false_path -from [get_ports { button }]

## led0_g, led0_r: lit when high; led[0]
set_property -dict { PACKAGE_PIN F6 IOSTANDARD LVCMOS33 } [get_ports { led_pass }]
set_property -dict { PACKAGE_PIN G6 IOSTANDARD LVCMOS33 } [get_ports { led_fail }]
set_property -dict { PACKAGE_PIN H5 IOSTANDARD LVCMOS33 } [get_ports { led_beat }]

## uart_rxd_out: the FPGA transmits to the USB port
set_property -dict { PACKAGE_PIN D10 IOSTANDARD LVCMOS33 } [get_ports { uart_tx }]
set_false_path -to [get_ports { led_pass led_fail led_beat uart_tx }]

set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
