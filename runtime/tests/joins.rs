//! Tasks that run behind several others, of several streams (TASK-027, TASK-132).

use weft_driver::{Buffer, Domain, Error, Golden, Gpu, Grid, Module, Settings};
use weft_sim::host::descriptor::word;
use weft_sim::host::{Code, Size};

/// `mark` adds 1 to its word; `sum` adds up three words, and counts how often it has run; `endless` never ends.
const SOURCE: &str = "
_start: ecall
mark:   lw t1, 0(a2)
        addi t1, t1, 1
        sw t1, 0(a2)
        ecall
sum:    lw t0, 0(a2)
        lw t1, 4(a2)
        lw t2, 8(a2)
        add t0, t0, t1
        add t0, t0, t2
        sw t0, 12(a2)
        lw t0, 16(a2)
        addi t0, t0, 1
        sw t0, 16(a2)
        ecall
endless: j endless
";

struct Bench {
    gpu: Gpu<Golden>,
    module: Module,
    /// Three words that are added up, the sum, and how often.
    words: Buffer,
}

impl Bench {
    fn new() -> Bench {
        Bench::with(Settings::default())
    }

    fn with(settings: Settings) -> Bench {
        let size = Size {
            channels: 4,
            sms: 1,
            slots: 2,
            ..Size::default()
        };
        let mut gpu = Gpu::open_with(Golden::new(size, 1 << 21), settings).unwrap();
        let program = weft_isa::assemble(SOURCE, "joins.s").unwrap();
        let module = gpu.load_program(&program).unwrap();
        let words = gpu.allocate(20).unwrap();
        Bench { gpu, module, words }
    }

    fn kernel(&mut self, name: &str) -> u32 {
        self.gpu.symbol(self.module, name).unwrap()
    }

    /// Marks word n.
    fn mark(&self, n: u32) -> Grid {
        Grid::of(1, 1).with_arguments(self.words.address() + 4 * n)
    }

    fn read(&mut self) -> Vec<u32> {
        self.gpu.read_words(self.words, 0, 5).unwrap()
    }

    fn join(&mut self, predecessors: u32) -> Buffer {
        let (kernel, grid) = (self.kernel("sum"), self.mark(0).after(predecessors));
        self.gpu.task(kernel, &grid).unwrap()
    }
}

/// A launch of a stream, a task of another one, and the task itself, by a third one: in any order, and again.
#[test]
fn a_task_runs_behind_launches_of_several_streams() {
    let mut bench = Bench::new();
    let mark = bench.kernel("mark");
    let join = bench.join(4);
    let before = |n: u32| bench.mark(n).before(join);
    let grids = [before(0), before(1), before(2)];
    let second = bench.gpu.task(mark, &grids[1]).unwrap();
    let streams = [(); 3].map(|()| bench.gpu.stream().unwrap());
    for round in 0..6u32 {
        let mut order = [0, 1, 2, 3];
        order.rotate_left(round as usize % 4);
        for (k, which) in (0..).zip(order) {
            assert_eq!(bench.gpu.named(join).unwrap(), k);
            assert_eq!(bench.read()[4], round);
            let launched = match which {
                0 => bench.gpu.launch(streams[0], mark, &grids[0]),
                1 => bench.gpu.launch_task(streams[1], second),
                2 => bench.gpu.launch(streams[2], mark, &grids[2]),
                _ => bench.gpu.launch_task(streams[2], join),
            };
            launched.unwrap();
            bench.gpu.synchronize().unwrap();
        }
        let marks = round + 1;
        assert_eq!(bench.read(), [marks, marks, marks, 3 * marks, marks]);
    }
    // Without a wait between them.
    for stream in streams {
        bench.gpu.launch(stream, mark, &grids[0]).unwrap();
    }
    bench.gpu.launch_task(streams[0], second).unwrap();
    bench.gpu.synchronize().unwrap();
    assert_eq!(bench.read(), [9, 7, 6, 22, 7]);
    assert_eq!(bench.gpu.named(join).unwrap(), 0);
}

#[test]
fn what_cannot_be_is_refused() {
    let mut bench = Bench::new();
    let mark = bench.kernel("mark");
    let stream = bench.gpu.stream().unwrap();
    let grid = bench.mark(0).after(2);
    let refused = |error: Error| matches!(error, Error::Predecessors(2));
    assert!(refused(bench.gpu.launch(stream, mark, &grid).unwrap_err()));
    let mut queue = bench.gpu.work_queue(4, 1).unwrap();
    let launched = bench.gpu.launch_with(stream, &mut queue, mark, &grid, 1);
    assert!(refused(launched.unwrap_err()));
    for (grid, wrong) in [
        (bench.mark(0).after(65_536), Code::DescriptorReserved),
        (bench.mark(0).before(bench.words), Code::DescriptorDependent),
    ] {
        // Allocations begin at multiples of 64.
        let grid = Grid {
            dependent: grid.dependent + 4 * u32::from(grid.dependent != 0),
            ..grid
        };
        let error = bench.gpu.task(mark, &grid).unwrap_err();
        assert!(
            matches!(error, Error::Grid { code, .. } if code == wrong),
            "{error}"
        );
    }
    bench
        .gpu
        .launch(stream, mark, &bench.mark(0).after(1))
        .unwrap();
    bench.gpu.synchronize().unwrap();
    assert_eq!(bench.read()[0], 1);
}

/// A task in a domain would run with the reach of whoever names it, and one of the common part with that of a domain.
#[test]
fn a_domain_has_no_tasks_and_names_none() {
    let settings = Settings {
        domains: 1,
        ..Settings::default()
    };
    let mut bench = Bench::with(settings);
    let (join, stream) = (bench.join(2), bench.gpu.stream().unwrap());
    let common = bench.kernel("mark");
    let domain = bench.gpu.domain(64 << 10).unwrap();
    bench.gpu.enter(domain);
    let program = weft_isa::assemble(SOURCE, "joins.s").unwrap();
    let refused = |error: Error| matches!(error, Error::TaskInDomain);
    assert!(refused(bench.gpu.task(common, &bench.mark(0)).unwrap_err()));
    let module = bench.gpu.load_program(&program);
    // It has no relocations, and its place is taken.
    assert!(matches!(module, Err(Error::Occupied { .. })));
    let own = bench.gpu.allocate(64).unwrap();
    let grid = bench.mark(0).before(join);
    let error = bench.gpu.launch(stream, own.address(), &grid).unwrap_err();
    assert!(refused(error));
    bench.gpu.enter(Domain::COMMON);
    bench.gpu.launch(stream, common, &grid).unwrap();
    bench.gpu.synchronize().unwrap();
    assert_eq!(bench.gpu.named(join).unwrap(), 1);
}

/// TASK-028: the host's task expects one naming, so a thread may add to it.
#[test]
fn a_task_of_the_host_may_be_added_to() {
    let mut bench = Bench::new();
    let mark = bench.kernel("mark");
    let task = bench.gpu.task(mark, &bench.mark(0)).unwrap();
    assert_eq!(bench.gpu.read_words(task, 24, 1).unwrap(), [1]);
}

/// A task that failed the last time, and is counted now, has not failed.
#[test]
fn who_is_counted_has_not_failed() {
    let mut bench = Bench::new();
    let (mark, stream) = (bench.kernel("mark"), bench.gpu.stream().unwrap());
    // A word that is not there.
    let grid = Grid::of(1, 1).with_arguments(0xfff_fff0).after(2);
    let task = bench.gpu.task(mark, &grid).unwrap();
    for named in [1, 0] {
        bench.gpu.launch_task(stream, task).unwrap();
        let error = bench.gpu.synchronize();
        assert_eq!(error.is_err(), named == 0, "{error:?}");
        assert_eq!(bench.gpu.named(task).unwrap(), named);
    }
    bench.gpu.launch_task(stream, task).unwrap();
    bench.gpu.synchronize().unwrap();
    assert_eq!(bench.gpu.named(task).unwrap(), 1);
}

/// Of two predecessors one is killed: its stream says so, all else goes on, and the task has not run. When the host has set
/// NAMED to 0, it is as new.
#[test]
fn who_is_killed_names_nobody() {
    let mut bench = Bench::new();
    let (mark, endless) = (bench.kernel("mark"), bench.kernel("endless"));
    let join = bench.join(2);
    let grid = bench.mark(0).before(join);
    let streams = [(); 2].map(|()| bench.gpu.stream().unwrap());
    bench.gpu.launch(streams[0], mark, &grid).unwrap();
    bench.gpu.launch(streams[1], endless, &grid).unwrap();
    let event = bench.gpu.record(streams[1]);
    bench.gpu.kill(event).unwrap();
    let error = bench.gpu.synchronize().unwrap_err();
    assert!(matches!(error, Error::Killed { .. }), "{error}");
    bench.gpu.synchronize().unwrap();
    assert_eq!((bench.gpu.named(join).unwrap(), bench.read()[4]), (1, 0));
    bench.gpu.write_words(join, word::NAMED, &[0]).unwrap();
    for stream in streams {
        bench.gpu.launch(stream, mark, &grid).unwrap();
    }
    bench.gpu.synchronize().unwrap();
    assert_eq!((bench.gpu.named(join).unwrap(), bench.read()[4]), (0, 1));
}
