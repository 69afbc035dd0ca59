//! The driver in C on the golden GPU and on `weft_gpu`, through a host's accesses alone.

mod printed;
mod support;
mod work;

use std::ffi::{c_char, c_void};
use support::*;
use weft_driver::Device;
use weft_driver_bare::*;

const SOURCE: &str = "
#include <weft_queue.h>
struct job { const unsigned *from; unsigned *to; unsigned number, factor; };
static unsigned before;
__attribute__((constructor)) static void set(void) { before = 5; }
WEFT_SHARED unsigned last[1];

/* Through the scratchpad: each CTA adds the number of its last thread. */
WEFT_KERNEL(scale)(unsigned thread, unsigned threads, const struct job *job)
{
    if (weft_thread() == 0) last[0] = weft_cta();
    weft_sync();
    if (thread < job->number) job->to[thread] = job->from[thread] * job->factor + before + last[0];
}
WEFT_KERNEL(stray)(unsigned thread, unsigned threads, unsigned *from) { if (thread == 2) *(volatile unsigned *)0x80000000 = 1; }
WEFT_KERNEL(endless)(unsigned thread, unsigned threads, volatile unsigned *word) { while (!*word) { } }
void kernel(unsigned thread, unsigned threads) {}
";

/// struct job.
fn job(words: &[u32; 4]) -> (*const c_void, u32) {
    (words.as_ptr().cast(), 16)
}

/// More launches than a stream has places, on two streams, of odd sizes.
fn runs<D: Device>(device: D, elf: &[u8]) {
    let mut opened = Opened::new(device, layout()).unwrap();
    let mut streams = [opened.stream().unwrap(), opened.stream().unwrap()];
    let program = load(&mut streams[0], elf).unwrap();
    let scale = find(&program, "scale").unwrap();
    assert!((4..=64).contains(&program.scratchpad));
    let shapes = [
        ([1, 0, 0], [1, 0, 0]),
        ([1, 0, 0], [16, 0, 0]),
        ([3, 0, 0], [5, 0, 0]),
        ([2, 2, 0], [3, 0, 0]),
        ([1, 1, 3], [3, 2, 1]),
        ([7, 1, 1], [13, 1, 1]),
    ];
    let count = |shape: [u32; 3]| shape.iter().map(|&n| n.max(1)).product::<u32>();
    let mut wanted = Vec::new();
    for n in 0..2 * ENTRIES + 3 {
        let (ctas, threads) = shapes[n as usize % shapes.len()];
        let (each, all) = (count(threads), count(ctas) * count(threads));
        // Every other one has a thread more than numbers.
        let number = (all - n % 2).max(1);
        let from: Vec<u32> = (0..number).map(|k| k * k + n).collect();
        let input = opened.take(&from);
        let output = opened.take(&vec![GUARD; all as usize + 1]);
        let words = [input, output, number, n];
        let (arguments, bytes) = job(&words);
        let stream = &mut streams[n as usize % 2];
        let grid = Grid {
            arguments,
            bytes,
            level: n % 16,
            ..grid(scale, ctas, threads)
        };
        let launched = loop {
            match launch(stream, &program, &grid) {
                Err(result::FULL) => continue,
                launched => break launched.unwrap(),
            }
        };
        let right = |k: u32| from[k as usize] * n + 5 + k / each;
        let all = (0..number).map(right);
        let guards = vec![GUARD; (count(ctas) * each + 1 - number) as usize];
        wanted.push((
            n as usize % 2,
            launched,
            output,
            all.chain(guards).collect::<Vec<_>>(),
        ));
    }
    for (stream, launched, output, right) in wanted {
        let over = wait(&mut streams[stream], launched);
        assert_eq!(over, result::OK, "launch {launched} of {stream}");
        assert_eq!(
            opened.words(output, right.len()),
            right,
            "launch {launched}"
        );
    }
    assert_eq!(opened.fault(), None);
}

#[test]
fn launches_of_two_streams_are_right() {
    let programs = programs(SOURCE, None);
    programs.iter().for_each(|elf| runs(golden(), elf));
    runs(hardware(), &programs[0]);
}

/// Each wrong launch is told, and the next one is right.
fn goes_on<D: Device>(device: D, elf: &[u8]) {
    let patient = Layout {
        patience: 50_000,
        ..layout()
    };
    let mut opened = Opened::new(device, patient).unwrap();
    let mut stream = opened.stream().unwrap();
    let program = load(&mut stream, elf).unwrap();
    let kernel = |name| find(&program, name).unwrap();
    let [scale, stray, endless] = ["scale", "stray", "endless"].map(kernel);
    let input = opened.take(&[4]);
    let good = |opened: &mut Opened<D>, stream: &mut Stream| {
        let output = opened.take(&[GUARD; 2]);
        let words = [input, output, 1, 9];
        let (arguments, bytes) = job(&words);
        let grid = Grid {
            arguments,
            bytes,
            ..grid(scale, [1, 0, 0], [3, 0, 0])
        };
        let number = launch(stream, &program, &grid).unwrap();
        assert_eq!(wait(stream, number), result::OK);
        assert_eq!(opened.words(output, 2), [4 * 9 + 5, GUARD]);
        assert_eq!(opened.fault(), None);
    };
    good(&mut opened, &mut stream);

    // A fault.
    let number = launch(&mut stream, &program, &grid(stray, [1, 0, 0], [3, 0, 0])).unwrap();
    assert_eq!(wait(&mut stream, number), result::FAILED);
    let fault = opened.fault().expect("a fault");
    assert_eq!(
        (fault.warp, fault.thread, fault.cause, fault.address),
        (0, 2, 6, 0x8000_0000)
    );
    assert_eq!(fault.cta, 0);
    good(&mut opened, &mut stream);

    // Grids that cannot be, with others behind them already (TASK-030).
    let refused = [
        (grid(scale, [1, 0, 0], [17, 0, 0]), 36, 5),
        (grid(scale, [0, 0, 0], [1, 0, 0]), 35, 2),
        (grid(scale + 2, [1, 0, 0], [1, 0, 0]), 34, 1),
    ];
    for (wrong, code, word) in refused {
        let number = launch(&mut stream, &program, &wrong).unwrap();
        let output = opened.take(&[GUARD]);
        let words = [input, output, 1, 2];
        let (arguments, bytes) = job(&words);
        let next = Grid {
            arguments,
            bytes,
            ..grid(scale, [1, 0, 0], [1, 0, 0])
        };
        let behind = launch(&mut stream, &program, &next).unwrap();
        assert_eq!(wait(&mut stream, number), result::REFUSED);
        let task = stream.tasks + 128 * ((number - 1) % ENTRIES);
        assert_eq!((stream.code, stream.place), (code, task + 4 * word));
        assert_eq!(wait(&mut stream, behind), result::OK);
        assert_eq!(opened.words(output, 1), [4 * 2 + 5]);
    }

    // Several, of which nobody has looked at any before the last is over.
    let wrong = grid(scale, [1, 0, 0], [17, 0, 0]);
    let mut launched = || launch(&mut stream, &program, &wrong).unwrap();
    let refused = [launched(), launched(), launched()];
    good(&mut opened, &mut stream);
    for number in refused {
        assert_eq!(wait(&mut stream, number), result::REFUSED, "{number}");
    }

    // No end: nobody waits for ever, and it is ended by the host, or by its limit.
    let word = opened.take(&[0]);
    let forever = Grid {
        address: word,
        ..grid(endless, [2, 0, 0], [7, 0, 0])
    };
    let number = launch(&mut stream, &program, &forever).unwrap();
    // SAFETY: the stream is open.
    unsafe {
        (*stream.gpu).patience = 300;
        assert_eq!(wait(&mut stream, number), result::IMPATIENT);
        (*stream.gpu).patience = 50_000;
        assert_eq!(weft_kill(&mut *stream, number), result::FAILED);
    }
    assert_eq!(opened.fault().map(|fault| fault.cause), Some(0));
    good(&mut opened, &mut stream);
    let limited = Grid {
        limit: 1,
        ..forever
    };
    let number = launch(&mut stream, &program, &limited).unwrap();
    assert_eq!(wait(&mut stream, number), result::FAILED);
    assert_eq!(opened.fault().map(|fault| fault.cause), Some(0));
    good(&mut opened, &mut stream);
}

#[test]
fn what_goes_wrong_is_told_and_the_next_launch_is_right() {
    let programs = programs(SOURCE, None);
    programs.iter().for_each(|elf| goes_on(golden(), elf));
    goes_on(hardware(), &programs[0]);
}

#[test]
fn layouts_and_files_that_cannot_be_are_refused() {
    let wrong = |layout| Opened::new(golden(), layout).err();
    for end in [0, 0x1_0000, MEMORY - 64] {
        let layout = Layout { end, ..layout() };
        assert_eq!(wrong(layout), Some(result::LAYOUT), "{end:#x}");
    }
    let cases = [
        Layout {
            local: 8,
            ..layout()
        },
        Layout {
            places: 1,
            ..layout()
        },
        Layout {
            places: 65_537,
            ..layout()
        },
        Layout {
            streams: 9,
            ..layout()
        },
        Layout {
            local: 1 << 31,
            ..layout()
        },
    ];
    for case in cases {
        assert_eq!(wrong(case), Some(result::LAYOUT));
    }

    let elf = &programs(SOURCE, None)[0];
    let mut opened = Opened::new(golden(), layout()).unwrap();
    let mut stream = opened.stream().unwrap();
    let scale = {
        let mut whole = Opened::new(golden(), layout()).unwrap();
        let mut stream = whole.stream().unwrap();
        find(&load(&mut stream, elf).unwrap(), "scale").unwrap()
    };
    // Cut off anywhere, and with any byte of its headers wrong: refused, or what is loaded is where it may be.
    for end in (0..200).chain((200..elf.len()).step_by(97)) {
        let cut = elf[..end].to_vec();
        let mut fresh = Opened::new(golden(), layout()).unwrap();
        let mut stream = fresh.stream().unwrap();
        let loaded = load(&mut stream, &cut).map(|program| find(&program, "scale"));
        // What is cut off of the last section's header does not count.
        let allowed = [
            Err(result::NO_ELF),
            Ok(Err(result::NO_SYMBOL)),
            Ok(Ok(scale)),
        ];
        assert!(allowed.contains(&loaded), "{end} bytes: {loaded:?}");
    }
    for place in 0..52 + 32 * 3 {
        let mut other = elf.clone();
        other[place] ^= 0x55;
        let mut fresh = Opened::new(
            golden(),
            Layout {
                patience: 1000,
                ..layout()
            },
        )
        .unwrap();
        let mut stream = fresh.stream().unwrap();
        if let Ok(program) = load(&mut stream, &other) {
            let _ = find(&program, "scale");
        }
        assert!(fresh.gpu.next <= fresh.gpu.top, "byte {place}");
    }
    let program = load(&mut stream, elf).unwrap();
    assert_eq!(find(&program, "scal"), Err(result::NO_SYMBOL));
    assert_eq!(find(&program, "scale2"), Err(result::NO_SYMBOL));
    assert_eq!(load(&mut stream, elf).err(), Some(result::OCCUPIED));
    let long = [0u32; 17];
    let wrong = Grid {
        arguments: long.as_ptr().cast(),
        bytes: 65,
        ..grid(0x1000, [1, 0, 0], [1, 0, 0])
    };
    assert_eq!(
        launch(&mut stream, &program, &wrong),
        Err(result::TOO_LARGE)
    );
    let mut at = 0;
    // SAFETY: the pointers are good.
    let taken = unsafe { weft_take(&mut *opened.gpu, u32::MAX, &mut at) };
    assert_eq!(taken, result::NO_MEMORY);
    for _ in 1..SIZE.channels {
        opened.stream().unwrap();
    }
    assert_eq!(opened.stream().err(), Some(result::NO_CHANNEL));
}

#[test]
fn each_result_has_words_of_its_own() {
    let text = |result| {
        // SAFETY: the texts are static.
        let text = unsafe { std::ffi::CStr::from_ptr(weft_text(result) as *const c_char) };
        text.to_str().unwrap()
    };
    let all: std::collections::BTreeSet<&str> =
        (result::OK..=result::NO_LAUNCH + 1).map(text).collect();
    assert_eq!(all.len(), 16);
    assert_eq!(text(-1), text(result::NO_LAUNCH + 1));
}
