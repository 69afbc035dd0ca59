# One clock, for any unit alone: Synopsys Design Constraints. UNTESTED with the tools that it is for (Quartus, Vivado, OpenSTA).
# The period in ns is the only number to change. Ports have no delays here, so what is timed is what lies between registers; give them
# the delays of what stands around the unit.
create_clock -name clock -period 10.000 [get_ports clock]
