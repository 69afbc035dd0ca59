//! The session as `gdbstub` wants to see it. A thread of GDB has the number in the grid plus one.

use crate::monitor;
use crate::session::{Resume, Session, Stop, Write};
use crate::thread::Thread;
use crate::watch::{Kind, Watch};
use gdbstub::arch::Arch;
use gdbstub::common::{Pid, Signal, Tid};
use gdbstub::stub::MultiThreadStopReason;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume,
    MultiThreadResumeOps, MultiThreadSchedulerLocking, MultiThreadSchedulerLockingOps,
    MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::base::single_register_access::{
    SingleRegisterAccess, SingleRegisterAccessOps,
};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint, SwBreakpointOps,
    WatchKind,
};
use gdbstub::target::ext::extended_mode::{
    Args, AttachKind, ExtendedMode, ExtendedModeOps, ShouldTerminate,
};
use gdbstub::target::ext::monitor_cmd::{ConsoleOutput, MonitorCmd, MonitorCmdOps};
use gdbstub::target::ext::target_description_xml_override::{
    TargetDescriptionXmlOverride, TargetDescriptionXmlOverrideOps,
};
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{Target, TargetError, TargetResult};
use gdbstub_arch::riscv::reg::id::RiscvRegId;
use gdbstub_arch::riscv::reg::RiscvCoreRegs;
use gdbstub_arch::riscv::Riscv32;
use std::convert::Infallible;
use weft_sim::FaultCause;

/// Of `errno.h`: what GDB shows beside a refusal.
const ESRCH: u8 = 3;
const EFAULT: u8 = 14;
const EINVAL: u8 = 22;

/// DEBUG-003: GDB shall not take the program for one of an operating system, whose way to step it would then use.
const DESCRIPTION: &str = r#"<?xml version="1.0"?>
<!DOCTYPE target SYSTEM "gdb-target.dtd">
<target version="1.0">
  <architecture>riscv:rv32</architecture>
  <osabi>none</osabi>
  <xi:include href="cpu.xml"/>
</target>
"#;

/// The session, and the actions that GDB is about to resume it with.
pub struct Debugged<'a> {
    pub session: &'a mut Session,
    next: Resume,
    only: Option<u32>,
    locked: bool,
}

impl Debugged<'_> {
    pub fn new(session: &mut Session) -> Debugged<'_> {
        Debugged {
            session,
            next: Resume::default(),
            only: None,
            locked: false,
        }
    }

    fn thread(&self, tid: Tid) -> TargetResult<Thread, Self> {
        let found = self.session.find(number(tid));
        found.ok_or(TargetError::Errno(ESRCH))
    }

    fn tid(&self, thread: Thread) -> Tid {
        tid(self.session.number(thread))
    }

    fn write(&mut self, tid: Tid, write: Write) -> TargetResult<(), Self> {
        let thread = self.thread(tid)?;
        let written = self.session.write(thread, write);
        written.map_err(|_| TargetError::Errno(EFAULT))
    }

    /// The pc belongs to the warp.
    fn keeps_pc(&self, tid: Tid, pc: u32) -> TargetResult<(), Self> {
        match self.session.pc(self.thread(tid)?) == pc {
            true => Ok(()),
            false => Err(TargetError::Errno(EINVAL)),
        }
    }

    /// A stop as GDB is told it (DEBUG-010).
    pub fn reason(&self, stop: &Stop) -> MultiThreadStopReason<u32> {
        let signalled = |thread: &Thread, signal| MultiThreadStopReason::SignalWithThread {
            tid: self.tid(*thread),
            signal,
        };
        match stop {
            // With its thread, which `DoneStep` would not name.
            Stop::Step(thread) => signalled(thread, Signal::SIGTRAP),
            Stop::Break(thread) => MultiThreadStopReason::SwBreak(self.tid(*thread)),
            Stop::Watch(hit) => MultiThreadStopReason::Watch {
                tid: self.tid(hit.thread),
                kind: match hit.watch.kind {
                    Kind::Write => WatchKind::Write,
                    Kind::Read => WatchKind::Read,
                    Kind::Either => WatchKind::ReadWrite,
                },
                addr: hit.watch.range.start as u32,
            },
            Stop::Fault(thread, cause) => signalled(thread, signal(*cause)),
            Stop::Hang(thread) => signalled(thread, Signal::SIGSTOP),
            Stop::Spins(thread) => signalled(thread, Signal::SIGXCPU),
            Stop::Interrupt(thread) => signalled(thread, Signal::SIGINT),
            Stop::Exit(code) => MultiThreadStopReason::Exited(*code),
        }
    }
}

fn number(tid: Tid) -> u32 {
    (tid.get() - 1) as u32
}

fn tid(number: u32) -> Tid {
    Tid::new(number as usize + 1).expect("one more than a number")
}

fn signal(cause: FaultCause) -> Signal {
    match cause {
        FaultCause::IllegalInstruction(_) | FaultCause::SharedRegister { .. } => Signal::SIGILL,
        FaultCause::Misaligned { .. } | FaultCause::Bus { .. } => Signal::SIGBUS,
        FaultCause::FetchBus { .. } | FaultCause::TokenBus => Signal::SIGBUS,
        FaultCause::Breakpoint => Signal::SIGTRAP,
        FaultCause::Killed => Signal::SIGKILL,
        FaultCause::Unmapped { .. } | FaultCause::Stack { .. } | FaultCause::Fetch { .. } => {
            Signal::SIGSEGV
        }
    }
}

impl Target for Debugged<'_> {
    type Arch = Riscv32;
    type Error = Infallible;

    fn base_ops(&mut self) -> BaseOps<'_, Riscv32, Infallible> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_extended_mode(&mut self) -> Option<ExtendedModeOps<'_, Self>> {
        Some(self)
    }

    fn support_monitor_cmd(&mut self) -> Option<MonitorCmdOps<'_, Self>> {
        Some(self)
    }

    fn support_target_description_xml_override(
        &mut self,
    ) -> Option<TargetDescriptionXmlOverrideOps<'_, Self>> {
        Some(self)
    }
}

impl TargetDescriptionXmlOverride for Debugged<'_> {
    fn target_description_xml(
        &self,
        annex: &[u8],
        offset: u64,
        length: usize,
        buf: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let text = match annex {
            b"target.xml" => Some(DESCRIPTION),
            b"cpu.xml" => Riscv32::target_description_xml(),
            _ => None,
        };
        let bytes = text.ok_or(TargetError::NonFatal)?.as_bytes();
        let rest = bytes.get(offset as usize..).unwrap_or_default();
        Ok(copy(&rest[..rest.len().min(length)], buf))
    }
}

/// As many bytes as there is room for.
fn copy(bytes: &[u8], buf: &mut [u8]) -> usize {
    let most = bytes.len().min(buf.len());
    buf[..most].copy_from_slice(&bytes[..most]);
    most
}

impl MultiThreadBase for Debugged<'_> {
    fn read_registers(
        &mut self,
        registers: &mut RiscvCoreRegs<u32>,
        tid: Tid,
    ) -> TargetResult<(), Self> {
        let thread = self.thread(tid)?;
        let machine = self.session.seen_by(thread);
        registers.x = machine.thread(thread.warp, thread.lane).registers;
        registers.pc = self.session.pc(thread);
        Ok(())
    }

    fn write_registers(
        &mut self,
        registers: &RiscvCoreRegs<u32>,
        tid: Tid,
    ) -> TargetResult<(), Self> {
        self.keeps_pc(tid, registers.pc)?;
        (1u8..32).try_for_each(|n| {
            let value = registers.x[usize::from(n)];
            self.write(tid, Write::Register(n, value))
        })
    }

    fn support_single_register_access(&mut self) -> Option<SingleRegisterAccessOps<'_, Tid, Self>> {
        Some(self)
    }

    fn read_addrs(&mut self, from: u32, data: &mut [u8], tid: Tid) -> TargetResult<usize, Self> {
        let thread = self.thread(tid)?;
        let machine = self.session.seen_by(thread);
        let read = machine.bytes(thread.warp, thread.lane, from, data);
        read.map_err(|_| TargetError::Errno(EFAULT))
    }

    fn write_addrs(&mut self, from: u32, data: &[u8], tid: Tid) -> TargetResult<(), Self> {
        self.write(tid, Write::Memory(from, data.to_vec()))
    }

    fn list_active_threads(&mut self, hears: &mut dyn FnMut(Tid)) -> Result<(), Infallible> {
        self.session.alive().into_iter().for_each(|n| hears(tid(n)));
        Ok(())
    }

    fn is_thread_alive(&mut self, tid: Tid) -> Result<bool, Infallible> {
        Ok(self.session.is_alive(number(tid)))
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

impl SingleRegisterAccess<Tid> for Debugged<'_> {
    fn read_register(
        &mut self,
        tid: Tid,
        register: RiscvRegId<u32>,
        buf: &mut [u8],
    ) -> TargetResult<usize, Self> {
        let thread = self.thread(tid)?;
        let value = match register {
            RiscvRegId::Gpr(n) => {
                let machine = self.session.seen_by(thread);
                machine.thread(thread.warp, thread.lane).registers[usize::from(n & 31)]
            }
            RiscvRegId::Pc => self.session.pc(thread),
            _ => return Err(TargetError::Errno(EINVAL)),
        };
        Ok(copy(&value.to_le_bytes(), buf))
    }

    fn write_register(
        &mut self,
        tid: Tid,
        register: RiscvRegId<u32>,
        value: &[u8],
    ) -> TargetResult<(), Self> {
        let bytes = value.try_into().map_err(|_| TargetError::Errno(EINVAL))?;
        let value = u32::from_le_bytes(bytes);
        match register {
            RiscvRegId::Gpr(n) => self.write(tid, Write::Register(n & 31, value)),
            RiscvRegId::Pc => self.keeps_pc(tid, value),
            _ => Err(TargetError::Errno(EINVAL)),
        }
    }
}

impl ThreadExtraInfo for Debugged<'_> {
    fn thread_extra_info(&self, tid: Tid, buf: &mut [u8]) -> Result<usize, Infallible> {
        let text = match self.session.find(number(tid)) {
            Some(thread) => monitor::thread(self.session, thread),
            None => "ended".into(),
        };
        Ok(copy(text.as_bytes(), buf))
    }
}

impl MultiThreadResume for Debugged<'_> {
    fn resume(&mut self) -> Result<(), Infallible> {
        let mut next = std::mem::take(&mut self.next);
        let only = self.only.take();
        next.alone = next.step.or(only).filter(|_| self.locked);
        self.locked = false;
        self.session.resume(next);
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), Infallible> {
        self.next = Resume::default();
        (self.only, self.locked) = (None, false);
        Ok(())
    }

    /// Nobody here takes signals.
    fn set_resume_action_continue(
        &mut self,
        tid: Tid,
        _: Option<Signal>,
    ) -> Result<(), Infallible> {
        self.only = Some(number(tid));
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadSingleStep for Debugged<'_> {
    fn set_resume_action_step(&mut self, tid: Tid, _: Option<Signal>) -> Result<(), Infallible> {
        self.next.step = Some(number(tid));
        Ok(())
    }
}

impl MultiThreadRangeStepping for Debugged<'_> {
    fn set_resume_action_range_step(
        &mut self,
        tid: Tid,
        start: u32,
        end: u32,
    ) -> Result<(), Infallible> {
        self.next.step = Some(number(tid));
        self.next.range = Some(start..end);
        Ok(())
    }
}

impl MultiThreadSchedulerLocking for Debugged<'_> {
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), Infallible> {
        self.locked = true;
        Ok(())
    }
}

impl Breakpoints for Debugged<'_> {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl SwBreakpoint for Debugged<'_> {
    fn add_sw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        self.session.set_breakpoint(address);
        Ok(true)
    }

    fn remove_sw_breakpoint(&mut self, address: u32, _: usize) -> TargetResult<bool, Self> {
        Ok(self.session.clear_breakpoint(address))
    }
}

fn watched(address: u32, bytes: u32, kind: WatchKind) -> Watch {
    let kind = match kind {
        WatchKind::Write => Kind::Write,
        WatchKind::Read => Kind::Read,
        WatchKind::ReadWrite => Kind::Either,
    };
    Watch::new(kind, address, bytes)
}

impl HwWatchpoint for Debugged<'_> {
    fn add_hw_watchpoint(&mut self, at: u32, n: u32, kind: WatchKind) -> TargetResult<bool, Self> {
        self.session.set_watch(watched(at, n, kind));
        Ok(true)
    }

    fn remove_hw_watchpoint(
        &mut self,
        at: u32,
        n: u32,
        kind: WatchKind,
    ) -> TargetResult<bool, Self> {
        Ok(self.session.clear_watch(&watched(at, n, kind)))
    }
}

/// Only so that `kill` is answered: there is one program, which runs already.
impl ExtendedMode for Debugged<'_> {
    fn run(&mut self, _: Option<&[u8]>, _: Args<'_, '_>) -> TargetResult<Pid, Self> {
        Err(TargetError::Errno(EINVAL))
    }

    fn attach(&mut self, _: Pid) -> TargetResult<(), Self> {
        Err(TargetError::Errno(EINVAL))
    }

    fn query_if_attached(&mut self, _: Pid) -> TargetResult<AttachKind, Self> {
        Ok(AttachKind::Attach)
    }

    fn kill(&mut self, _: Option<Pid>) -> TargetResult<ShouldTerminate, Self> {
        Ok(ShouldTerminate::Yes)
    }

    fn restart(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl MonitorCmd for Debugged<'_> {
    fn handle_monitor_cmd(
        &mut self,
        command: &[u8],
        mut out: ConsoleOutput<'_>,
    ) -> Result<(), Infallible> {
        let command = String::from_utf8_lossy(command);
        out.write_raw(monitor::answer(self.session, &command).as_bytes());
        Ok(())
    }
}
