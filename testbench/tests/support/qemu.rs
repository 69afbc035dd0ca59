//! Instruction words on QEMU's user mode: a program that reads operands, executes each word on them and writes what
//! comes out.

use std::fmt::Write as _;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use weft_isa::{assemble, decode, disassemble, encode, Instr, Program};
use weft_testbench::float::code;

const QEMU: &str = "qemu-riscv32";
const CPU: &str = "rv32,f=false,d=false,zfinx=true";

/// Operands that are sent at once: fewer bytes than a pipe holds, so that sending never waits.
const TRIPLES: usize = 1024;
const OPERANDS: u32 = 0x10_0000;
const RESULTS: u32 = 0x20_0000;
const END: u32 = 0x40_0000;

/// x4 from x1, x2 and x3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word(u32);

impl Word {
    pub fn new(code: u8, mode: u8) -> Word {
        let instr = Instr::Float(code::instruction(code, mode));
        Word(encode(instr).expect("a word"))
    }

    /// By the golden model, which decodes the word.
    pub fn due(&self, operands: [u32; 3]) -> u32 {
        match decode(self.0) {
            Ok(Instr::Float(instr)) => {
                weft_sim::float::result(instr, |register| operands[usize::from(register) - 1])
            }
            other => panic!("{:#010x}: {other:?}", self.0),
        }
    }
}

/// With the program running in it; dropped, it ends.
pub struct Qemu {
    child: Child,
    words: Vec<Word>,
    _folder: tempfile::TempDir,
}

impl Qemu {
    /// # Errors
    /// There is no QEMU, or it does not know Zfinx.
    ///
    /// # Panics
    /// When it cannot be started for another reason.
    pub fn start(words: Vec<Word>) -> Result<Qemu, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("words");
        std::fs::write(&file, elf(&program(&words))).expect("a file");
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&file, executable).expect("a file");
        let mut command = Command::new(QEMU);
        command.args(["-cpu", CPU]).arg(&file);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        let child = match command.spawn() {
            Err(e) if e.kind() == ErrorKind::NotFound => {
                return Err(format!(
                    "{QEMU} is not installed (Debian: apt-get install qemu-user)"
                ))
            }
            started => started.unwrap_or_else(|e| panic!("{QEMU}: {e}")),
        };
        let mut qemu = Qemu {
            child,
            words,
            _folder: folder,
        };
        if let Err(error) = qemu.results(&[]) {
            let said = qemu.said();
            // An older one does not know the processor.
            assert!(said.contains("zfinx"), "{QEMU}: {error}: {said}");
            return Err(format!(
                "this {QEMU} has no Zfinx, 7.2 has: {}",
                said.trim()
            ));
        }
        Ok(qemu)
    }

    /// What it has said on its way out.
    fn said(&mut self) -> String {
        let mut said = String::new();
        let pipe = self.child.stderr.as_mut().expect("a pipe");
        // Not text is not what it says.
        let _ = pipe.read_to_string(&mut said);
        said
    }

    /// Sends operands; those that are missing to a whole chunk are zeros.
    fn send(&mut self, triples: &[[u32; 3]]) -> std::io::Result<()> {
        let mut bytes: Vec<u8> = triples
            .iter()
            .flatten()
            .flat_map(|operand| operand.to_le_bytes())
            .collect();
        bytes.resize(TRIPLES * 12, 0);
        let input = self.child.stdin.as_mut().expect("a pipe");
        input.write_all(&bytes)
    }

    /// What came of the chunk that was sent first.
    fn take(&mut self) -> std::io::Result<Vec<u32>> {
        let mut bytes = vec![0; TRIPLES * self.words.len() * 4];
        let output = self.child.stdout.as_mut().expect("a pipe");
        output.read_exact(&mut bytes)?;
        let words = bytes.chunks_exact(4);
        Ok(words
            .map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]))
            .collect())
    }

    fn results(&mut self, triples: &[[u32; 3]]) -> std::io::Result<Vec<u32>> {
        self.send(triples)?;
        self.take()
    }

    /// Each word on each of these operands: QEMU's result against what is due. The number of results.
    ///
    /// # Errors
    /// The first difference.
    ///
    /// # Panics
    /// When QEMU ends.
    pub fn compare(
        &mut self,
        triples: impl IntoIterator<Item = [u32; 3]>,
        due: impl Fn(&Word, [u32; 3]) -> u32,
    ) -> Result<u64, String> {
        let mut triples = triples.into_iter();
        let mut next = || triples.by_ref().take(TRIPLES).collect::<Vec<_>>();
        let mut compared = 0;
        let mut chunk = next();
        self.send(&chunk).unwrap_or_else(ended);
        while !chunk.is_empty() {
            // It computes while this one is compared.
            let following = next();
            self.send(&following).unwrap_or_else(ended);
            let results = self.take().unwrap_or_else(ended);
            for (&operands, results) in chunk.iter().zip(results.chunks(self.words.len())) {
                for (word, &result) in self.words.iter().zip(results) {
                    let due = due(word, operands);
                    if result != due {
                        return Err(difference(*word, operands, result, due));
                    }
                    compared += 1;
                }
            }
            chunk = following;
        }
        self.take().unwrap_or_else(ended);
        Ok(compared)
    }
}

impl Drop for Qemu {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ended<T>(error: std::io::Error) -> T {
    panic!("{QEMU} has ended: {error}")
}

fn difference(word: Word, [a, b, c]: [u32; 3], result: u32, due: u32) -> String {
    let instr = decode(word.0).expect("it was decoded");
    format!(
        "{} of {a:#010x}, {b:#010x}, {c:#010x}: QEMU says {result:#010x}, golden model {due:#010x}",
        disassemble(instr, 0)
    )
}

/// System calls of Linux: 63 read, 64 write, 93 exit.
fn program(words: &[Word]) -> Program {
    let (sent, made) = (TRIPLES * 12, TRIPLES * words.len() * 4);
    let mut each = String::new();
    for (n, word) in words.iter().enumerate() {
        let _ = write!(each, ".word {:#x}\n sw x4, {}(x9)\n ", word.0, 4 * n);
    }
    let step = 4 * words.len();
    let text = format!(
        "li x18, {OPERANDS}\n li x19, {RESULTS}
        chunk: li x20, 0\n li x21, {sent}
        read: li x10, 0\n add x11, x18, x20\n sub x12, x21, x20\n li x17, 63\n ecall
        bge x0, x10, end\n add x20, x20, x10\n bltu x20, x21, read
        mv x8, x18\n mv x9, x19\n li x21, {TRIPLES}
        each: lw x1, 0(x8)\n lw x2, 4(x8)\n lw x3, 8(x8)
        {each}
        addi x8, x8, 12\n addi x9, x9, {step}\n addi x21, x21, -1\n bne x21, x0, each
        li x20, 0\n li x21, {made}
        write: li x10, 1\n add x11, x19, x20\n sub x12, x21, x20\n li x17, 64\n ecall
        bge x0, x10, end\n add x20, x20, x10\n bltu x20, x21, write
        j chunk
        end: li x17, 93\n ecall\n"
    );
    assemble(&text, "words").unwrap_or_else(|e| panic!("{e}"))
}

/// One segment, with room for operands and results behind it.
fn elf(program: &Program) -> Vec<u8> {
    let [code] = &program.segments[..] else {
        panic!("{} segments", program.segments.len())
    };
    const PAGE: u32 = 0x1000;
    assert_eq!(code.address % PAGE, 0);
    let size = code.bytes.len() as u32;
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    let half = |file: &mut Vec<u8>, halves: &[u16]| {
        file.extend(halves.iter().flat_map(|h| h.to_le_bytes()));
    };
    let full = |file: &mut Vec<u8>, words: &[u32]| {
        file.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    };
    // An executable file for RISC-V; its only program header comes next.
    half(&mut file, &[2, 243]);
    full(&mut file, &[1, program.entry, 52, 0, 0]);
    half(&mut file, &[52, 32, 1, 40, 0, 0]);
    // To be loaded, readable, writable, executable.
    let memory = END - code.address;
    full(
        &mut file,
        &[1, PAGE, code.address, code.address, size, memory, 7, PAGE],
    );
    file.resize(PAGE as usize, 0);
    file.extend(&code.bytes);
    file
}
