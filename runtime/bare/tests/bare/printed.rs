//! What threads have printed: the driver in C beside the console of `weft-cc`, which is compared with glibc.

use crate::support::*;
use rand::Rng as _;
use std::cell::RefCell;
use std::ffi::{c_char, c_void};
use std::ptr::null;
use weft_cc::console::{self, Console, Words};
use weft_driver::Device;
use weft_driver_bare::*;
use weft_testbench::seed::{stream, Rng};

const SOURCE: &str = r#"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <weft_queue.h>
WEFT_KERNEL(lines)(unsigned thread, unsigned threads, const unsigned *words)
{
    char own[4] = {'a' + thread % 26, 0};
    printf("thread %2u of %u: %s, %-6s|%#x %+d %.3f\n", thread, threads, own, "const", words[0], -3, thread / 7.0);
    if (thread % 3 == 0) puts("third");
}
WEFT_KERNEL(many)(unsigned thread, unsigned threads, const unsigned *words)
{
    for (unsigned n = 0; n < words[0]; n++) printf("%u;", thread * 1000 + n);
}
WEFT_KERNEL(stops)(unsigned thread, unsigned threads, const unsigned *words)
{
    printf("%u\n", thread);
    assert(thread != words[0]);
    if (thread == 5) exit(7);
}
WEFT_KERNEL(writes)(unsigned thread, unsigned threads, unsigned *where)
{
    printf("%u\n", thread);
    if (thread == 2) where[0] = 12345;
}
void kernel(unsigned thread, unsigned threads) {}
"#;

/// Memory of the GPU as the other reader sees it.
struct Memory<'a, D>(RefCell<&'a mut Opened<D>>);

impl<D: Device> Words for Memory<'_, D> {
    fn word(&self, address: u32) -> Option<u32> {
        let mut bytes = [0; 4];
        let there = address >= 0x1000 && self.0.borrow_mut().host.device.read(address, &mut bytes);
        there.then(|| u32::from_le_bytes(bytes))
    }
}

/// The words of a console's head.
struct Head(u32, [u32; 4]);

impl Words for Head {
    fn word(&self, address: u32) -> Option<u32> {
        let at = address.checked_sub(self.0)? / 4;
        self.1.get(at as usize).copied()
    }
}

unsafe extern "C" fn put(context: *mut c_void, text: *const c_char, bytes: u32) {
    // SAFETY: the context is the vector below, and the driver says so many bytes are there.
    let (all, text) = unsafe {
        let text = std::slice::from_raw_parts(text.cast::<u8>(), bytes as usize);
        (&mut *context.cast::<Vec<u8>>(), text)
    };
    all.extend(text);
}

fn by_driver<D>(opened: &Opened<D>, program: &Program, threads: u32) -> Option<(Vec<u8>, Printed)> {
    let (mut text, mut printed) = (Vec::new(), Printed::default());
    let context = (&mut text as *mut Vec<u8>).cast();
    // SAFETY: the pointers are good.
    match unsafe { weft_printed(&*opened.gpu, program, threads, put, context, &mut printed) } {
        result::OK => Some((text, printed)),
        result::NO_SYMBOL => None,
        other => panic!("{other}"),
    }
}

fn by_console<D: Device>(opened: &mut Opened<D>, program: &Program, threads: u32) -> Console {
    let head = [0x5446_4557, 2, program.console_bytes / 4, program.console];
    let memory = Memory(RefCell::new(opened));
    console::read(&Head(0, head), &memory, 0, threads).expect("a console")
}

/// Both say the same; what it is.
fn same<D: Device>(opened: &mut Opened<D>, program: &Program, threads: u32) -> Console {
    let console = by_console(opened, program, threads);
    let (text, printed) = by_driver(opened, program, threads).expect("a console");
    // Lines of those that have stopped themselves stand in the text.
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&c| c == b'\n').collect();
    let stops: Vec<Vec<u8>> = console
        .stops
        .iter()
        .map(|stop| format!("{stop}\n").into_bytes())
        .collect();
    lines.retain(|line| stops.iter().all(|stop| stop != line));
    let shown = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    assert_eq!(shown(&lines.concat()), shown(&console.text));
    let told = Printed {
        lost: console.lost as u32,
        damaged: console.damaged.len() as u32,
        stopped: stops.len() as u32,
        exit: console.exit_code().into(),
    };
    assert_eq!(printed, told);
    console
}

fn prints<D: Device>(device: D, elf: &[u8]) {
    let mut opened = Opened::new(device, layout()).unwrap();
    let mut stream = opened.stream().unwrap();
    let program = load(&mut stream, elf).unwrap();
    assert_eq!(program.console_bytes, 8192);
    let mut ran = |opened: &mut Opened<D>, name: &str, address: u32, threads: [u32; 2]| {
        // SAFETY: the pointers are good.
        unsafe { weft_forget_printed(&*opened.gpu, &program) };
        let empty = by_driver(opened, &program, threads[0] * threads[1]);
        assert_eq!(empty, Some((vec![], Printed::default())));
        let kernel = find(&program, name).unwrap();
        let grid = Grid {
            address,
            ..grid(kernel, [threads[0], 0, 0], [threads[1], 0, 0])
        };
        let number = launch(&mut stream, &program, &grid).unwrap();
        let over = wait(&mut stream, number);
        (over, same(opened, &program, threads[0] * threads[1]))
    };
    let words = opened.take(&[31]);
    let (over, console) = ran(&mut opened, "lines", words, [2, 5]);
    assert_eq!(over, result::OK);
    let text = String::from_utf8(console.text).unwrap();
    let line = "thread  3 of 10: d, const |0x1f -3 0.429\nthird\nthread  4";
    assert!(text.contains(line), "{text}");
    assert_eq!(text.lines().count(), 14);
    // More than there is room for.
    let (over, console) = ran(&mut opened, "many", words, [1, 16]);
    assert_eq!((over, console.threads_with_losses), (result::OK, 16));
    // A failed assertion, and a code.
    let words = opened.take(&[2]);
    let (over, console) = ran(&mut opened, "stops", words, [1, 6]);
    assert_eq!((over, console.exit_code()), (result::FAILED, 7));
    assert_eq!(console.stops.len(), 1);
    assert_eq!(opened.fault().map(|fault| fault.thread), Some(2));
    // A store into a thread's part.
    let part = program.console + 8192 / 4 * 2;
    let (over, console) = ran(&mut opened, "writes", part + 4, [1, 4]);
    assert_eq!((over, &console.damaged[..]), (result::OK, &[2][..]));
    let text = String::from_utf8(console.text).unwrap();
    assert_eq!(text, "0\n1\n2\n3\n");
}

#[test]
fn what_threads_print_is_shown() {
    let programs = programs(SOURCE, Some(8192));
    programs.iter().for_each(|elf| prints(golden(), elf));
    prints(hardware(), &programs[0]);
}

/// One conversion with flags, width and precision, and its operands.
fn conversion(rng: &mut Rng) -> (String, Vec<u32>) {
    let mut text = String::from("%");
    let mut words = Vec::new();
    text.extend("-+ #0".chars().filter(|_| rng.gen_ratio(1, 5)));
    let number = |rng: &mut Rng, text: &mut String, words: &mut Vec<u32>| match rng.gen_range(0..4)
    {
        0 => {
            text.push('*');
            words.push(rng.gen_range(-9..30) as u32);
        }
        1 if rng.gen_ratio(1, 20) => *text += &rng.gen_range(30..5000).to_string(),
        _ => *text += &rng.gen_range(1..30).to_string(),
    };
    if rng.gen() {
        number(rng, &mut text, &mut words);
    }
    if rng.gen() {
        text.push('.');
        if rng.gen_ratio(3, 4) {
            number(rng, &mut text, &mut words);
        }
    }
    let letters = b"ddiuuxXocspeEfFgGaA%k";
    let letter = letters[rng.gen_range(0..letters.len())] as char;
    let mut long = "eEfFgGaA".contains(letter);
    if "diuxXocp".contains(letter) {
        let length = ["", "", "l", "h", "hh", "ll", "j", "z", "t"][rng.gen_range(0..9)];
        text += length;
        long = ["ll", "j"].contains(&length);
    }
    text.push(letter);
    if letter == 's' {
        let length = rng.gen_range(0..9);
        words.push(length);
        words.extend((0..length.div_ceil(4)).map(|_| u32::from_le_bytes(*b"text")));
    } else if long {
        let value = match rng.gen_range(0..6) {
            0 => f64::from(rng.gen_range(-4000..4000)) / 8.0,
            1 => f64::from(rng.gen_range(0..100_000)) / 1000.0,
            2 => f64::from_bits(rng.gen_range(0..20)),
            3 => f64::from(rng.gen::<u32>()) * 1e22,
            4 => [0.0, -0.0, f64::INFINITY, f64::NAN, 9.5, 99_999.95][rng.gen_range(0..6)],
            _ => f64::from_bits(rng.gen()),
        };
        words.extend([value.to_bits() as u32, (value.to_bits() >> 32) as u32]);
    } else if !"%k".contains(letter) {
        let bits = rng.gen_range(0..=32);
        words.push(if bits == 0 {
            0
        } else {
            rng.gen::<u32>() >> (32 - bits)
        });
    }
    (text, words)
}

/// Of a thread's part.
const WORDS: u32 = 600;

/// Records by hand, some with what makes no sense.
#[test]
fn random_records_are_shown_alike() {
    let seed = 20_261_129;
    let mut rng = stream(seed, "printed");
    let mut opened = Opened::new(golden(), layout()).unwrap();
    let at = opened.take(&[0; 2 * WORDS as usize]);
    let program = Program {
        file: null(),
        bytes: 0,
        scratchpad: 0,
        console: at,
        console_bytes: 8 * WORDS,
    };
    for number in 0..4000 {
        let mut part = vec![0; 3];
        for _ in 0..rng.gen_range(0..4) {
            let (mut text, mut operands) = (String::new(), Vec::new());
            for _ in 0..rng.gen_range(1..4) {
                let (more, words) = conversion(&mut rng);
                text += &format!("<{more}>");
                operands.extend(words);
            }
            let mut bytes = text.clone().into_bytes();
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            let format = bytes
                .chunks(4)
                .map(|four| u32::from_le_bytes(four.try_into().unwrap()));
            let record: Vec<u32> = [text.len() as u32]
                .into_iter()
                .chain(format)
                .chain(operands)
                .collect();
            part.push(1 << 24 | (record.len() as u32 + 1));
            part.extend(record);
        }
        let used = part.len() as u32 - 3;
        let lost = rng.gen_range(0..3);
        part[..3].copy_from_slice(&[used, lost, !(31 * used + lost)]);
        if number % 8 == 7 {
            let place = rng.gen_range(0..part.len());
            part[place] ^= 1 << rng.gen_range(0..26);
        }
        part.resize(WORDS as usize, 0);
        let bytes: Vec<u8> = part.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(opened.host.device.write(at, &bytes));
        let replay = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            same(&mut opened, &program, 2);
        }));
        assert!(replay.is_ok(), "seed {seed}, number {number}");
    }
}

/// A program that prints nothing has no console.
#[test]
fn who_prints_nothing_has_no_console() {
    let source = "void kernel(unsigned thread, unsigned threads) {}";
    for elf in programs(source, None) {
        let mut opened = Opened::new(golden(), layout()).unwrap();
        let mut stream = opened.stream().unwrap();
        let program = load(&mut stream, &elf).unwrap();
        assert_eq!(by_driver(&opened, &program, 1), None);
    }
}
