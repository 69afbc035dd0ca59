//! Streams that wait for each other, and work that threads make.

use crate::support::*;
use std::ffi::c_void;
use weft_driver::Device;
use weft_driver_bare::*;

const SOURCE: &str = "
#include <weft_queue.h>
struct copy { unsigned *from, *to; };
struct work { struct weft_queue *queue; unsigned *sum; unsigned left; };
static struct work jobs[32];

WEFT_KERNEL(until)(unsigned thread, unsigned threads, unsigned *word) { while (!weft_look(word)) WEFT_YIELD(); }
WEFT_KERNEL(copy)(unsigned thread, unsigned threads, const struct copy *of) { *of->to = weft_look(of->from) + 1; }

static void add(struct weft_queue *queue, struct weft_task *task)
{
    weft_work_begin(queue, 1);
    while (!weft_queue_launch(queue, &task, 1))
        WEFT_YIELD();
}

/* Each thread counts; the first one has a child of three threads, down to left = 0. */
WEFT_KERNEL(grow)(unsigned thread, unsigned threads, const struct work *job)
{
    weft_add(job->sum, 1);
    if (thread == 0) {
        if (job->left) {
            struct work *next = &jobs[job->left];
            *next = (struct work){job->queue, job->sum, job->left - 1};
            struct weft_task *task = weft_task_new(job->queue);
            weft_task_grid(task, grow, 1, 3, next);
            add(job->queue, task);
        }
        weft_work_end(job->queue);
    }
}

WEFT_KERNEL(count)(unsigned thread, unsigned threads, const struct work *job) { weft_add(job->sum, 1); }

/* It never ends its work. */
WEFT_KERNEL(drops)(unsigned thread, unsigned threads, const struct work *job) { *(volatile unsigned *)0x80000000 = 1; }

WEFT_KERNEL(leaves)(unsigned thread, unsigned threads, const struct work *job)
{
    struct weft_task *task = weft_task_new(job->queue);
    weft_task_grid(task, drops, 1, 1, job);
    add(job->queue, task);
    weft_work_end(job->queue);
}

/* Work until the host says so. */
WEFT_KERNEL(hold)(unsigned thread, unsigned threads, const struct work *job)
{
    while (!weft_look(job->sum)) WEFT_YIELD();
    weft_work_end(job->queue);
}

/* Launches that go past the ring. */
WEFT_KERNEL(fan)(unsigned thread, unsigned threads, const struct work *job)
{
    if (thread == 0) {
        for (unsigned n = 0; n < job->left; n++) {
            struct weft_task *task = weft_task_new(job->queue);
            weft_task_grid(task, count, 1, 3, job);
            weft_spawn(job->queue, task);
        }
        weft_work_end(job->queue);
    }
}

/* The second CTA of the child has a fault. */
WEFT_KERNEL(stray)(unsigned thread, unsigned threads, const struct work *job)
{
    if (thread == 1) *(volatile unsigned *)0x80000000 = 1;
    else weft_work_end(job->queue);
}
WEFT_KERNEL(parent)(unsigned thread, unsigned threads, const struct work *job)
{
    struct weft_task *task = weft_task_new(job->queue);
    weft_task_grid(task, stray, 2, 1, job);
    add(job->queue, task);
    weft_work_end(job->queue);
}

/* A command that is none. */
WEFT_KERNEL(spoil)(unsigned thread, unsigned threads, const struct work *job)
{
    unsigned s = weft_queue_try(job->queue, 1);
    for (unsigned n = 0; n < 2; n++) {
        weft_queue_block(job->queue, s + n)[0] = 0x00010063;
        weft_queue_entry(job->queue, s + n, 1);
    }
    weft_queue_release(job->queue, s);
}
void kernel(unsigned thread, unsigned threads) {}
";

fn after(stream: &mut Stream, other: &Stream, number: u32) -> i32 {
    // SAFETY: both are open.
    unsafe { weft_after(stream, other, number) }
}

fn look(stream: &mut Stream, number: u32) -> i32 {
    // SAFETY: the stream is open.
    unsafe { weft_look(stream, number) }
}

/// Its address stands in the GPU: it stays where it is.
fn work<D: Device>(opened: &mut Opened<D>, entries: u32, tasks: u32) -> Result<Box<Work>, i32> {
    let mut work = Box::<Work>::new_uninit();
    // SAFETY: the work is written before it is OK.
    match unsafe { weft_open_work(&mut *opened.gpu, entries, tasks, work.as_mut_ptr()) } {
        result::OK => Ok(unsafe { work.assume_init() }),
        wrong => Err(wrong),
    }
}

fn launch_with(
    stream: &mut Stream,
    program: &Program,
    grid: &Grid,
    work: &mut Work,
) -> Result<u32, i32> {
    let mut number = 0;
    // SAFETY: the pointers are good.
    match unsafe { weft_launch_with(stream, program, grid, work, 1, &mut number) } {
        result::OK => Ok(number),
        wrong => Err(wrong),
    }
}

fn with(words: &[u32], grid: Grid) -> Grid {
    Grid {
        arguments: words.as_ptr().cast::<c_void>(),
        bytes: 4 * words.len() as u32,
        ..grid
    }
}

fn patient() -> Layout {
    Layout {
        patience: 50_000,
        spawn: 4,
        ..layout()
    }
}

/// What is behind an event sees what was before it, whoever is launched first.
fn waits_for_others<D: Device>(device: D, elf: &[u8]) {
    let mut opened = Opened::new(device, patient()).unwrap();
    let mut streams = [(); 3].map(|()| opened.stream().unwrap());
    let program = load(&mut streams[0], elf).unwrap();
    let [until, copy] = ["until", "copy"].map(|name| find(&program, name).unwrap());
    let one = |kernel| grid(kernel, [1, 0, 0], [1, 0, 0]);
    assert_eq!(after_nothing(&mut streams), [result::NO_LAUNCH; 3]);
    for waits in [false, true] {
        let word = opened.take(&[0]);
        let cells = opened.take(&[40, 20, 0, 0]);
        let cell = |n: u32| cells + 4 * n;
        let of = |from: u32, to: u32| [cell(from), cell(to)];
        // A launch that waits for the host, and behind it one that others are to wait for.
        let first = Grid {
            address: word,
            ..one(until)
        };
        let words = [of(0, 1), of(1, 2), of(2, 3)];
        let [a, b, c] = &mut streams;
        launch(a, &program, &first).unwrap();
        let copied = launch(a, &program, &with(&words[0], one(copy))).unwrap();
        if waits {
            assert_eq!(after(b, a, copied), result::OK);
            // The later one counts, whichever is named last.
            assert_eq!(after(b, a, copied - 1), result::OK);
        }
        let of_b = launch(b, &program, &with(&words[1], one(copy))).unwrap();
        assert_eq!((after(c, a, copied), after(c, b, of_b)), (0, 0));
        let of_c = launch(c, &program, &with(&words[2], one(copy))).unwrap();
        for _ in 0..200 {
            assert_eq!(look(a, copied), result::RUNS);
            assert_eq!(look(c, of_c), result::RUNS);
        }
        assert!(opened.host.device.write(word, &[1, 0, 0, 0]));
        for (stream, number) in [(&mut *a, copied), (b, of_b), (c, of_c)] {
            assert_eq!(wait(stream, number), result::OK);
        }
        let right = match waits {
            true => [40, 41, 42, 43],
            false => [40, 41, 21, 22],
        };
        assert_eq!(opened.words(cells, 4), right);
    }

    // One that is not taken is over, too; nobody looks at its stream.
    let cells = opened.take(&[5, 6]);
    let [a, b, _] = &mut streams;
    let wrong = launch(a, &program, &grid(copy, [1, 0, 0], [17, 0, 0])).unwrap();
    assert_eq!(after(b, a, wrong), result::OK);
    let behind = launch(b, &program, &with(&[cells, cells + 4], one(copy))).unwrap();
    assert_eq!(wait(b, behind), result::OK);
    assert_eq!(opened.words(cells, 2), [5, 6]);
    assert_eq!(look(a, wrong), result::REFUSED);
    assert_eq!(look(a, wrong + 1), result::NO_LAUNCH);
}

/// No launch, and one that has not been made.
fn after_nothing(streams: &mut [Box<Stream>; 3]) -> [i32; 3] {
    let [a, b, _] = streams;
    let next = b.launches + 1;
    [after(a, b, 0), after(a, b, next), look(a, 0)]
}

#[test]
fn streams_wait_for_each_other() {
    let programs = programs(SOURCE, None);
    programs
        .iter()
        .for_each(|elf| waits_for_others(golden(), elf));
    waits_for_others(hardware(), &programs[0]);
}

/// Many rounds of a small ring, of two streams in turns; direct launches; what goes wrong in between.
fn makes_work<D: Device>(device: D, elf: &[u8]) {
    let mut opened = Opened::new(device, patient()).unwrap();
    let mut streams = [(); 2].map(|()| opened.stream().unwrap());
    let program = load(&mut streams[0], elf).unwrap();
    let kernel = |name| find(&program, name).unwrap();
    let [grow, fan, parent, spoil] = ["grow", "fan", "parent", "spoil"].map(kernel);
    let mut queue = work(&mut opened, 8, 8).unwrap();
    let (address, sum) = (queue.address, opened.take(&[0]));
    let mut counted = 0;
    let mut round =
        |opened: &mut Opened<D>, stream: &mut Stream, of: (u32, u32, u32), wanted: i32| {
            let (kernel, left, threads) = of;
            let words = [address, sum, left];
            let grid = with(&words, grid(kernel, [1, 0, 0], [threads, 0, 0]));
            let number = loop {
                match launch_with(stream, &program, &grid, &mut queue) {
                    Err(result::FULL) => continue,
                    launched => break launched.unwrap(),
                }
            };
            let over = wait(stream, number);
            assert_eq!(over, wanted, "{kernel:#x}: code {}", stream.code);
            if wanted == result::OK {
                counted += threads * u32::from(kernel == grow) + 3 * left;
            }
            assert_eq!(opened.words(sum, 1), [counted], "{kernel:#x}, {left}");
        };
    let mut good = |opened: &mut Opened<D>, n: u32| {
        let stream = &mut streams[n as usize % 2];
        round(opened, stream, (grow, n % 6, 1 + n % 4), result::OK);
        round(opened, stream, (fan, n % 7, 1), result::OK);
        assert_eq!(opened.fault(), None);
    };
    (0..9).for_each(|n| good(&mut opened, n));
    let mut other = opened.stream().unwrap();
    // A fault of a thread's child; a command that is none; a launch that is not taken.
    for n in 0..3 {
        round(&mut opened, &mut other, (parent, 0, 1), result::FAILED);
        let fault = opened.fault().expect("a fault");
        assert_eq!((fault.cta, fault.cause, fault.address), (1, 6, 0x8000_0000));
        round(&mut opened, &mut other, (spoil, 0, 1), result::REFUSED);
        assert_eq!(other.code, 16, "COMMAND_UNKNOWN");
        assert!(
            other.place > address && other.place < sum,
            "{:#x}",
            other.place
        );
        round(&mut opened, &mut other, (grow, 0, 17), result::REFUSED);
        assert_eq!(other.code, 36);
        round(&mut opened, &mut other, (grow, n, 2), result::OK);
    }
}

#[test]
fn threads_make_work() {
    let programs = programs(SOURCE, None);
    programs.iter().for_each(|elf| makes_work(golden(), elf));
    makes_work(hardware(), &programs[0]);
}

/// While a launch makes work there is no other with the same ring; its stream takes others behind it.
#[test]
fn a_ring_has_one_launch_at_a_time() {
    let elf = &programs(SOURCE, None)[0];
    let mut opened = Opened::new(golden(), patient()).unwrap();
    let mut stream = opened.stream().unwrap();
    let program = load(&mut stream, elf).unwrap();
    let mut queue = work(&mut opened, 3, 0).unwrap();
    let word = opened.take(&[0]);
    let held = find(&program, "hold").unwrap();
    let words = [queue.address, word];
    let held = with(&words, grid(held, [1, 0, 0], [1, 0, 0]));
    let copy = find(&program, "copy").unwrap();
    let of = [word, word];
    let copied = with(&of, grid(copy, [1, 0, 0], [1, 0, 0]));
    let number = launch_with(&mut stream, &program, &held, &mut queue).unwrap();
    let behind = launch(&mut stream, &program, &copied).unwrap();
    for _ in 0..50 {
        assert_eq!(look(&mut stream, number), result::RUNS);
        let next = launch_with(&mut stream, &program, &held, &mut queue);
        assert_eq!(next, Err(result::FULL));
    }
    assert!(opened.host.device.write(word, &[1, 0, 0, 0]));
    assert_eq!(wait(&mut stream, behind), result::OK);
    assert_eq!(opened.words(word, 1), [2]);
    let again = launch_with(&mut stream, &program, &held, &mut queue).unwrap();
    assert_eq!(again, behind + 1);
    assert_eq!(wait(&mut stream, again), result::OK);
}

/// Threads that had a fault before they could end their work.
fn is_ended<D: Device>(device: D, elf: &[u8]) {
    let mut opened = Opened::new(device, patient()).unwrap();
    let mut stream = opened.stream().unwrap();
    let program = load(&mut stream, elf).unwrap();
    let mut queue = work(&mut opened, 8, 8).unwrap();
    let sum = opened.take(&[0]);
    let words = [queue.address, sum, 2];
    let of = |name| {
        let kernel = find(&program, name).unwrap();
        with(&words, grid(kernel, [1, 0, 0], [1, 0, 0]))
    };
    for round in 1..4 {
        // Behind the launch itself the ring comes to an entry that nobody has written.
        let number = launch_with(&mut stream, &program, &of("drops"), &mut queue).unwrap();
        assert_eq!(wait(&mut stream, number), result::REFUSED);
        assert_eq!(stream.code, 9, "ENTRY_LENGTH");
        assert!(opened.fault().is_some());
        // Behind a child it waits for ever.
        let number = launch_with(&mut stream, &program, &of("leaves"), &mut queue).unwrap();
        opened.gpu.patience = 300;
        assert_eq!(wait(&mut stream, number), result::IMPATIENT);
        opened.gpu.patience = 50_000;
        // SAFETY: the work is open.
        assert_eq!(unsafe { weft_end_work(&mut *queue) }, result::OK);
        assert_eq!(wait(&mut stream, number), result::FAILED);
        assert_eq!(opened.fault().map(|fault| fault.cause), Some(6));
        let number = launch_with(&mut stream, &program, &of("grow"), &mut queue).unwrap();
        assert_eq!(wait(&mut stream, number), result::OK);
        assert_eq!(opened.words(sum, 1), [round * 7]);
    }
}

#[test]
fn work_that_nobody_closes_is_ended() {
    let programs = programs(SOURCE, None);
    programs.iter().for_each(|elf| is_ended(golden(), elf));
    is_ended(hardware(), &programs[0]);
}

#[test]
fn queues_that_cannot_be_are_refused() {
    let mut opened = Opened::new(golden(), patient()).unwrap();
    for (entries, tasks) in [(2, 1), (65_537, 1), (8, (1 << 20) + 1)] {
        let refused = work(&mut opened, entries, tasks).err();
        assert_eq!(refused, Some(result::LAYOUT), "{entries}, {tasks}");
    }
    let large = work(&mut opened, 65_536, 1).err();
    assert_eq!(large, Some(result::NO_MEMORY));
    // Each has a channel.
    for _ in 0..SIZE.channels {
        work(&mut opened, 3, 0).unwrap();
    }
    assert_eq!(work(&mut opened, 3, 0).err(), Some(result::NO_CHANNEL));
    let spawn = Layout {
        spawn: 65_537,
        ..layout()
    };
    let refused = Opened::new(golden(), spawn).err();
    assert_eq!(refused, Some(result::LAYOUT));
}
