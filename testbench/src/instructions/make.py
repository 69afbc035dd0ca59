#!/usr/bin/env python3
"""Writes expected.txt: what each instruction gives for edge operands, by Unicorn (QEMU's RISC-V).

    python3 -m venv /tmp/unicorn && /tmp/unicorn/bin/pip install unicorn==2.1.4
    /tmp/unicorn/bin/python testbench/src/instructions/make.py > testbench/src/instructions/expected.txt

The words are put together here, from the RISC-V manual, so that Weft's own encoder is not asked either. rd = x3, rs1 = x1, rs2 = x2.
"""

import struct
from unicorn import Uc, UC_ARCH_RISCV, UC_MODE_RISCV32
from unicorn.riscv_const import UC_RISCV_REG_X0, UC_RISCV_REG_PC

EDGES = [
    0, 1, 2, 0xFFFFFFFF, 0xFFFFFFFE, 0x7FFFFFFF, 0x80000000, 0x80000001,
    31, 32, 0x55555555, 0xAAAAAAAA, 0x12345678, 0x8000, 0xFF80,
]
CODE, DATA, X3 = 0x1000, 0x4000, 0x5A5A5A5A
MEMORY = [0x8070F0A5, 0x01FE7F80]


def run(word, a, b, memory=(0, 0)):
    """x3, the two words at DATA, and the pc, after one instruction."""
    uc = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
    uc.mem_map(0, 0x10000)
    uc.mem_write(CODE, struct.pack("<I", word))
    uc.mem_write(DATA, struct.pack("<2I", *memory))
    for number, value in ((1, a), (2, b), (3, X3)):
        uc.reg_write(UC_RISCV_REG_X0 + number, value)
    uc.emu_start(CODE, 0xFFF0, count=1)
    after = struct.unpack("<2I", bytes(uc.mem_read(DATA, 8)))
    return uc.reg_read(UC_RISCV_REG_X0 + 3) & 0xFFFFFFFF, after, uc.reg_read(UC_RISCV_REG_PC)


def r(f7, f3, op=0x33):
    return f7 << 25 | 2 << 20 | 1 << 15 | f3 << 12 | 3 << 7 | op


def i(imm, f3, op=0x13):
    return (imm & 0xFFF) << 20 | 1 << 15 | f3 << 12 | 3 << 7 | op


def s(imm, f3):
    return (imm >> 5 & 0x7F) << 25 | 2 << 20 | 1 << 15 | f3 << 12 | (imm & 31) << 7 | 0x23


def branch(imm, f3):
    return ((imm >> 12 & 1) << 31 | (imm >> 5 & 63) << 25 | 2 << 20 | 1 << 15 | f3 << 12
            | (imm >> 1 & 15) << 8 | (imm >> 11 & 1) << 7 | 0x63)


REGISTER = {
    "add": (0, 0), "sub": (32, 0), "sll": (0, 1), "slt": (0, 2), "sltu": (0, 3), "xor": (0, 4),
    "srl": (0, 5), "sra": (32, 5), "or": (0, 6), "and": (0, 7),
    "mul": (1, 0), "mulh": (1, 1), "mulhsu": (1, 2), "mulhu": (1, 3),
    "div": (1, 4), "divu": (1, 5), "rem": (1, 6), "remu": (1, 7),
}
IMMEDIATE = {"addi": 0, "slti": 2, "sltiu": 3, "xori": 4, "ori": 6, "andi": 7}
SHIFT = {"slli": (0, 1), "srli": (0, 5), "srai": (32, 5)}
BRANCH = {"beq": 0, "bne": 1, "blt": 4, "bge": 5, "bltu": 6, "bgeu": 7}
LOAD = {"lb": (0, 1), "lh": (1, 2), "lw": (2, 4), "lbu": (4, 1), "lhu": (5, 2)}
STORE = {"sb": (0, 1), "sh": (1, 2), "sw": (2, 4)}
AMO = {
    "amoadd.w": 0, "amoswap.w": 1, "amoxor.w": 4, "amoor.w": 8, "amoand.w": 12,
    "amomin.w": 16, "amomax.w": 20, "amominu.w": 24, "amomaxu.w": 28,
}


def line(*words):
    print(" ".join(w if isinstance(w, str) else f"{w:x}" for w in words))


print("# Made by make.py with Unicorn 2.1.4. All numbers are hexadecimal.")
print("# Each line: form, name, word, then what comes out.")
print("# r: x3, for each edge as x1 and, inside that, each edge as x2. i: x3, for each edge as x1.")
print("# u: x3 - pc if the name is auipc, else x3. b: 1 where it branches, for each x1 and x2.")
print("# l, s, a: x1 = data + first number - offset. l: x3 of two words m0, m1. s: both words after, for each edge as x2.")
print("# a: x3 and the word after, for each edge in memory and each edge as x2.")
line("edges", *EDGES)
line("memory", *MEMORY)
for name, (f7, f3) in REGISTER.items():
    word = r(f7, f3)
    line("r", name, word, *(run(word, a, b)[0] for a in EDGES for b in EDGES))
for name, f3 in IMMEDIATE.items():
    for imm in (0, 1, -1, 2047, -2048, 0x555):
        word = i(imm, f3)
        line("i", name, word, *(run(word, a, 0)[0] for a in EDGES))
for name, (f7, f3) in SHIFT.items():
    for amount in (0, 1, 15, 16, 31):
        word = i(f7 << 5 | amount, f3)
        line("i", name, word, *(run(word, a, 0)[0] for a in EDGES))
for imm in (0, 1, 0x80000, 0xFFFFF, 0x12345):
    word = imm << 12 | 3 << 7
    line("u", "lui", word | 0x37, run(word | 0x37, 0, 0)[0])
    line("u", "auipc", word | 0x17, run(word | 0x17, 0, 0)[0] - CODE & 0xFFFFFFFF)
for name, f3 in BRANCH.items():
    word = branch(8, f3)
    taken = [int(run(word, a, b)[2] == CODE + 8) for a in EDGES for b in EDGES]
    line("b", name, word, *taken)
for name, (f3, size) in LOAD.items():
    for place in range(0, 8, size):
        for offset in (0, 1, -1, 2047, -2048):
            word = i(offset, f3, 0x03)
            line("l", name, word, place, run(word, DATA + place - offset, 0, MEMORY)[0])
for name, (f3, size) in STORE.items():
    for place in range(0, 8, size):
        for offset in (0, -1, 2047, -2048):
            word = s(offset, f3)
            out = (run(word, DATA + place - offset, b, MEMORY)[1] for b in EDGES)
            line("s", name, word, place, *(w for pair in out for w in pair))
for name, f5 in AMO.items():
    word = r(f5 << 2, 2, 0x2F)
    out = (run(word, DATA, b, (m, 0)) for m in EDGES for b in EDGES)
    line("a", name, word, 0, *(w for x3, after, _ in out for w in (x3, after[0])))
