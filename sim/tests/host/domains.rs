//! Domains (HOST-004, TASK-026): who names what, and whose window counts.

use crate::bench::*;
use weft_sim::host::gpu::Event;
use weft_sim::host::registers::{at, Code};
use weft_sim::host::{Descriptor, TaskStep};

/// The window of domain 2, inside what threads reach.
const WINDOW: (u32, u32) = (0x8000, 0x9000);

/// Channel 0 is of domain 2, and its blocks are where threads write.
fn bench() -> Bench {
    let mut bench = Bench::new(SIZE);
    bench.open(0, 16, 0);
    bench.write(at::domain(2, at::WINDOW_BASE), WINDOW.0);
    bench.write(at::domain(2, at::WINDOW_END), WINDOW.1);
    bench.write(at::CHANNEL_DOMAINS, 0x7777_7772);
    bench
}

fn submit(bench: &mut Bench, words: &[u32]) {
    let block = bench.shared(64);
    bench.put(block, words);
    bench.submit_block(0, block, words.len() as u32);
    bench.settle();
}

/// Task and domain of the CTAs in the order in which they were started.
fn starts(bench: &Bench) -> Vec<(u32, u8)> {
    let started = |event: &Event| match event {
        Event::Task(TaskStep::Start(start)) => Some((start.task, start.descriptor.domain)),
        _ => None,
    };
    bench.events.iter().filter_map(started).collect()
}

/// Commands, and descriptors with their semaphores and dependents, at both edges of the window.
#[test]
pub fn what_threads_say_reaches_the_window_of_their_domain() {
    for (semaphore, there) in [
        (WINDOW.0 - 4, false),
        (WINDOW.0, true),
        (WINDOW.1 - 4, true),
        (WINDOW.1, false),
    ] {
        let mut bench = bench();
        submit(&mut bench, &release(semaphore, 7));
        let code = bench.error(0).map(|(code, ..)| code);
        let wanted = (!there).then_some(Code::SemAddress as u32);
        assert_eq!(code, wanted, "{semaphore:#x}");
        assert_eq!(bench.word(semaphore), if there { 7 } else { 0 });
    }
    let inside = Descriptor::default();
    let completes = |completion| Descriptor {
        completion,
        ..inside
    };
    let before = |dependent| Descriptor {
        dependent,
        ..inside
    };
    let cases = [
        (WINDOW.0 - 64, inside, Some(Code::DescriptorAddress)),
        (WINDOW.1 - 64, inside, Some(Code::DescriptorAddress)),
        (WINDOW.0, inside, None),
        (WINDOW.1 - 128, inside, None),
        (
            WINDOW.0,
            completes(WINDOW.0 - 4),
            Some(Code::DescriptorCompletion),
        ),
        (
            WINDOW.0,
            completes(WINDOW.1),
            Some(Code::DescriptorCompletion),
        ),
        (
            WINDOW.0,
            before(WINDOW.0 - 64),
            Some(Code::DescriptorDependent),
        ),
        (
            WINDOW.0,
            before(WINDOW.1 - 64),
            Some(Code::DescriptorDependent),
        ),
    ];
    for (task, descriptor, wrong) in cases {
        let mut bench = bench();
        bench.put(task, &descriptor.words());
        submit(&mut bench, &launch(task));
        let code = bench.error(0).map(|(code, ..)| code);
        assert_eq!(
            code,
            wrong.map(|code| code as u32),
            "{task:#x}, {descriptor:?}"
        );
        assert_eq!(starts(&bench).len(), usize::from(wrong.is_none()));
    }
}

/// A header where threads write says nothing; a chain stays in the domain in which it begins.
#[test]
pub fn threads_do_not_choose_their_domain() {
    let mut bench = bench();
    let [first, second] = [WINDOW.0, WINDOW.0 + 128];
    let child = Descriptor {
        domain: 5,
        ..Descriptor::default()
    };
    let parent = Descriptor {
        dependent: second,
        ..child
    };
    bench.put(first, &parent.words());
    bench.put(second, &child.words());
    submit(&mut bench, &launch(first));
    assert_eq!(starts(&bench), [(first, 2), (second, 2)]);
}

/// The host does, in private memory; what stands there names threads' memory, and that is of the same domain.
#[test]
pub fn the_host_chooses_the_domain() {
    let mut bench = bench();
    let [private, child] = [bench.private(128), WINDOW.0];
    let parent = Descriptor {
        domain: 5,
        dependent: child,
        ..Descriptor::default()
    };
    bench.put(private, &parent.words());
    bench.put(child, &Descriptor::default().words());
    let words = launch(private);
    bench.submit(0, &words);
    bench.settle();
    assert_eq!(starts(&bench), [(private, 5), (child, 5)]);
}

/// TASK-070: what the ring names is of SPAWN_DOMAIN, and in its window.
#[test]
pub fn threads_launch_in_their_domain() {
    let mut bench = bench();
    let ring = WINDOW.1 - 64;
    bench.write(at::SPAWN_DOMAIN, 2);
    bench.write(at::SPAWN_BASE, ring);
    bench.write(at::SPAWN_NUMBER, 4);
    let [inside, outside] = [WINDOW.0, WINDOW.1];
    for (n, task) in [inside, outside].into_iter().enumerate() {
        bench.put(task, &Descriptor::default().words());
        bench.put(ring + 4 * n as u32, &[task]);
    }
    bench.put(ring + 16, &[2]);
    bench.settle();
    assert_eq!(starts(&bench), [(inside, 2)]);
    let error = bench.read(at::TASK_ERROR);
    assert_eq!(error, 1 << 31 | Code::DescriptorAddress as u32);
    assert_eq!(bench.read(at::TASK_ERROR_TASK), outside);
}
