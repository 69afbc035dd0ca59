//! The launcher between a host and a core that places CTAs when it likes.

use super::*;
use weft_rtl::{Bench, Rng};

/// 4 warps of 8 threads on 4 lanes, 1 KiB of scratchpad.
type Small = Launcher<2, 8, 4, 4, 1024>;

struct Host {
    b: Bench<Small>,
    rng: Rng,
    /// CTAs that run: slot, cycles left, fails.
    running: Vec<(u64, u64, bool)>,
    /// A CTA that was taken and is not placed yet: cycles left.
    placing: Option<u64>,
    /// What was seen of each CTA: x, y, z, first thread, base.
    seen: Vec<[u64; 5]>,
    quiet_at: u64,
    fault: Option<[u64; 6]>,
}

impl Host {
    fn new(seed: u64) -> Self {
        let b = Bench::new(Small::default(), |u, level| u.clock.next = level.into());
        let rng = Rng::new(seed, "launcher");
        let mut host = Self {
            b,
            rng,
            running: vec![],
            placing: None,
            seen: vec![],
            quiet_at: 0,
            fault: None,
        };
        host.b.uut.reset.next = true;
        host.cycle();
        host.cycle();
        host.b.uut.reset.next = false;
        host
    }

    /// One cycle: the core's side.
    fn cycle(&mut self) {
        let t = self.b.cycle();
        let u = &mut self.b.uut;
        let free: Vec<u64> = (0..3)
            .filter(|s| self.running.iter().all(|r| r.0 != *s))
            .collect();
        u.cta_ready.next = self.placing.is_none() && !free.is_empty() && self.rng.flip();
        u.started_valid.next = self.placing == Some(0);
        let slot = free.first().copied().unwrap_or(0);
        u.started_slot.next = slot.into();
        let over = self.running.iter().position(|r| r.1 == 0);
        u.cta_done.next = over.is_some();
        if let Some(over) = over {
            u.cta_done_slot.next = self.running[over].0.into();
            u.cta_done_failed.next = self.running[over].2;
            self.quiet_at = t + 20;
        }
        u.quiet.next = self.running.is_empty() && self.placing.is_none() && t > self.quiet_at;
        u.fault_valid.next = false;
        if let Some([warp, thread, pc, cause, address, slot]) = self.fault.take() {
            u.fault_valid.next = true;
            u.fault_warp.next = warp.into();
            u.fault_thread.next = thread.into();
            u.fault_pc.next = pc.into();
            u.fault_cause.next = cause.into();
            u.fault_address.next = address.into();
            u.fault_slot.next = slot.into();
        }
        self.b.settle();
        let u = &self.b.uut;
        let taken = u.cta_valid.val() && u.cta_ready.val();
        let started = u.started_valid.val();
        assert!(!u.cta_valid.val() || self.placing.is_none(), "cycle {t}");
        self.b.edge();
        if let Some(over) = over {
            self.running.swap_remove(over);
        }
        for r in &mut self.running {
            r.1 = r.1.saturating_sub(1);
        }
        self.placing = self
            .placing
            .map(|left| left.saturating_sub(1))
            .filter(|_| !started);
        if taken {
            self.placing = Some(self.rng.below(4));
        }
        if started {
            self.b.uut.started_valid.next = false;
            self.b.uut.table_slot.next = slot.into();
            self.b.settle();
            let u = &self.b.uut;
            assert_eq!(u.table_linear.val().to_u64(), self.seen.len() as u64);
            self.seen.push(
                [
                    &u.table_x,
                    &u.table_y,
                    &u.table_z,
                    &u.table_first,
                    &u.table_base,
                ]
                .map(|s| s.val().to_u64()),
            );
            let (length, fails) = (self.rng.below(60), self.rng.chance(1, 4));
            self.running.push((slot, length, fails));
        }
    }

    fn write(&mut self, address: u64, data: u64) -> u64 {
        let u = &mut self.b.uut;
        u.s_axil_awvalid.next = true;
        u.s_axil_wvalid.next = true;
        u.s_axil_awaddr.next = address.into();
        u.s_axil_wdata.next = data.into();
        u.s_axil_wstrb.next = 15u64.into();
        u.s_axil_bready.next = true;
        self.cycle();
        self.b.uut.s_axil_awvalid.next = false;
        self.b.uut.s_axil_wvalid.next = false;
        self.b.settle();
        assert!(self.b.uut.s_axil_bvalid.val());
        let resp = self.b.uut.s_axil_bresp.val().to_u64();
        self.cycle();
        resp
    }

    fn read(&mut self, address: u64) -> (u64, u64) {
        let u = &mut self.b.uut;
        u.s_axil_arvalid.next = true;
        u.s_axil_araddr.next = address.into();
        u.s_axil_rready.next = true;
        self.cycle();
        self.b.uut.s_axil_arvalid.next = false;
        self.b.settle();
        assert!(self.b.uut.s_axil_rvalid.val());
        let got = (
            self.b.uut.s_axil_rdata.val().to_u64(),
            self.b.uut.s_axil_rresp.val().to_u64(),
        );
        self.cycle();
        got
    }

    /// A descriptor that fits.
    fn describe(&mut self, grid: [u64; 3], cta: [u64; 3], scratchpad: u64) {
        let words = [
            (0x10, 0x1000),
            (0x14, grid[0]),
            (0x18, grid[1]),
            (0x1C, grid[2]),
            (0x20, cta[0]),
            (0x24, cta[1]),
            (0x28, cta[2]),
            (0x2C, 0x5000),
            (0x30, scratchpad),
            (0x34, 0x100),
            (0x38, 0x8000),
            (0x3C, 0x100),
            (0x40, 64),
            (0x44, 0x10_0000),
            (0x48, 0x2_0103),
            (0x4C, 0x10_0020),
            (0x50, 1),
        ];
        for (address, data) in words {
            assert_eq!(self.write(address, data), 0);
            assert_eq!(self.read(address), (data, 0));
        }
    }

    fn finish(&mut self) -> u64 {
        for _ in 0..20_000 {
            let (status, _) = self.read(0x0C);
            if status & 2 != 0 {
                assert_eq!(status & 1, 0);
                assert!(self.running.is_empty() && self.placing.is_none());
                return status;
            }
        }
        panic!("it does not end");
    }
}

#[test]
fn grids_run_in_order() {
    for (seed, grid, cta, scratchpad) in [
        (1, [5, 1, 1], [32, 1, 1], 0),
        (2, [3, 2, 4], [4, 3, 1], 256),
        (3, [1, 1, 1], [1, 1, 1], 1024),
        (4, [2, 3, 1], [3, 3, 3], 340),
    ] {
        let mut host = Host::new(seed);
        assert_eq!(host.read(0), (0x5745_4654, 0));
        assert_eq!(host.read(4), (4 | 8 << 8 | 4 << 16, 0));
        host.describe(grid, cta, scratchpad);
        assert_eq!(host.write(8, 1), 0);
        // The descriptor of a launch under way stays as it is.
        assert_eq!(host.write(0x14, 99), 2);
        host.finish();
        let threads: u64 = cta.iter().product();
        let mut want = vec![];
        for z in 0..grid[2] {
            for y in 0..grid[1] {
                for x in 0..grid[0] {
                    want.push([x, y, z, want.len() as u64 * threads]);
                }
            }
        }
        let got: Vec<_> = host.seen.iter().map(|s| [s[0], s[1], s[2], s[3]]).collect();
        assert_eq!(got, want);
        assert_eq!(host.read(0x78).0, want.len() as u64);
        assert_eq!(
            host.b.uut.cfg_grid_threads.val().to_u64(),
            want.len() as u64 * threads
        );
        for s in &host.seen {
            assert!(s[4] + scratchpad <= 1024 && (scratchpad == 0 || s[4] % scratchpad == 0));
        }
        // Again.
        host.seen.clear();
        assert_eq!(host.write(8, 1), 0);
        host.finish();
        assert_eq!(host.seen.len(), want.len());
        assert!(host.read(0x70).0 > 180);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let cases = [
        (0x20, 0, 1),
        (0x20, 33, 1),
        (0x24, 0x8000_0000, 1),
        (0x14, 0, 2),
        (0x18, 0, 2),
        (0x14, 0xFFFF_FFFF, 2),
        (0x30, 1028, 3),
        (0x30, 2, 3),
        (0x34, 8, 4),
        (0x34, 0x1000_0000, 4),
        (0x38, 32, 4),
        (0x40, 8, 5),
        (0x40, 1024, 5),
        (0x44, 0x1_0020, 6),
        (0x10, 0x1002, 7),
        (0x10, 0xFFC, 7),
        (0x10, 0x100_0000, 7),
    ];
    let mut host = Host::new(5);
    for (address, data, reason) in cases {
        host.describe([2, 1, 1], [8, 2, 2], 64);
        host.write(address, data);
        host.write(8, 1);
        assert_eq!(host.finish(), 0b1010, "{address:#x} {data:#x}");
        assert_eq!(host.read(0x54), (reason, 0), "{address:#x} {data:#x}");
        assert!(host.seen.is_empty());
        host.write(8, 2);
        assert_eq!(host.read(0x0C), (0, 0));
    }
    // The next one runs.
    host.describe([2, 1, 1], [8, 2, 2], 64);
    host.write(8, 1);
    assert_eq!(host.finish() & 8, 0);
    // What is no register.
    assert_eq!(host.read(0x58).1, 2);
    assert_eq!(host.write(0x0C, 1), 2);
    assert_eq!(host.write(0x80, 1), 2);
}

#[test]
fn the_first_fault_is_kept() {
    let mut host = Host::new(6);
    host.describe([3, 1, 1], [8, 2, 2], 0);
    host.write(8, 1);
    while host.seen.len() < 2 {
        host.cycle();
    }
    let slot = host.running.last().unwrap().0;
    host.fault = Some([3, 5, 0x123, 6, 0xDEAD_BEE0, slot]);
    host.cycle();
    host.fault = Some([2, 1, 0x999, 5, 0x1, 0]);
    host.cycle();
    host.finish();
    assert_eq!(host.read(0x60).0, 1 << 31 | 3 << 16 | 5 << 8 | 6);
    assert_eq!(host.read(0x64).0, 0x48C);
    assert_eq!(host.read(0x68).0, 0xDEAD_BEE0);
    assert_eq!(host.read(0x6C).0, 1);
    host.write(8, 2);
    assert_eq!(host.read(0x60).0 >> 31, 0);
}

#[test]
fn verilog_agrees() {
    let mut script: Vec<(u64, u64)> = vec![];
    crate::stimulus::check_with_memories(
        "weft_launcher",
        Small::default,
        3000,
        |u, rng, t| {
            if script.is_empty() && rng.chance(1, 40) {
                script = vec![
                    (0x10, 0x1000),
                    (0x14, 1 + rng.below(3)),
                    (0x18, 1),
                    (0x1C, 1),
                    (0x20, 1 + rng.below(8)),
                    (0x24, 1),
                    (0x28, 2),
                    (0x30, rng.below(64) * 4),
                    (0x34, 16),
                    (0x38, 64),
                    (0x40, 20),
                    (0x44, 0x4000),
                    (0x08, 1),
                ];
                script.reverse();
            }
            u.reset.next = t < 2;
            let write = script.last().copied().filter(|_| rng.flip() && t > 2);
            if write.is_some() {
                script.pop();
            }
            let (address, data) = write.unwrap_or((rng.below(256), rng.next() & 0xFFFF_FFFF));
            u.s_axil_awvalid.next = write.is_some();
            u.s_axil_wvalid.next = write.is_some();
            u.s_axil_awaddr.next = address.into();
            u.s_axil_wdata.next = data.into();
            u.s_axil_wstrb.next = 15u64.into();
            u.s_axil_bready.next = true;
            u.s_axil_arvalid.next = rng.flip();
            u.s_axil_araddr.next = rng.bits();
            u.s_axil_rready.next = rng.flip();
            u.cta_ready.next = rng.flip();
            u.started_valid.next = rng.chance(1, 4);
            u.started_slot.next = rng.bits();
            u.cta_done.next = rng.chance(1, 8);
            u.cta_done_slot.next = rng.bits();
            u.cta_done_failed.next = rng.flip();
            u.quiet.next = true;
            u.fault_valid.next = rng.chance(1, 50);
            u.fault_warp.next = rng.bits();
            u.fault_thread.next = rng.bits();
            u.fault_pc.next = rng.bits();
            u.fault_cause.next = rng.bits();
            u.fault_address.next = rng.bits();
            u.fault_slot.next = rng.bits();
            u.table_slot.next = rng.bits();
        },
        |u, level| u.clock.next = level.into(),
    );
}
