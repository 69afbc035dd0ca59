//! `weft_sm` under Verilator.

use super::ports::{
    Address, Device, Done, Effects, Exception, HostIn, HostOut, Init, Issue, Manager, Mode,
    Reported, Row, Shape, Subordinate, Trace, WriteBeat,
};
use super::report::{SmError, SmReport, Watcher};
use super::session::Session;
use super::SmOptions;
use crate::barrier;
use crate::dut::{DutError, RtlKind};
use crate::rtl::model::{ports, Model, Options, Out};
use weft_generate::{Design, Unit};
use weft_isa::Program;
use weft_sim::barrier::{Op as BarrierOp, OpCode, Ports as BarrierPorts};
use weft_sim::{Event, Record, Token};

ports! { InPorts, In, input:
    reset
    axi_awready axi_wready axi_bvalid axi_bid axi_bresp axi_arready axi_rvalid axi_rid axi_rdata axi_rresp axi_rlast
    host_awvalid host_awaddr host_wvalid host_wdata host_wstrb host_bready host_arvalid host_araddr host_rready
}

ports! { OutPorts, Out, output:
    busy done
    axi_awvalid axi_awid axi_awaddr axi_awlen axi_awsize axi_awburst axi_wvalid axi_wdata axi_wstrb axi_wlast axi_bready
    axi_arvalid axi_arid axi_araddr axi_arlen axi_arsize axi_arburst axi_rready
    host_awready host_wready host_bvalid host_bresp host_arready host_rvalid host_rdata host_rresp
    init_valid init_warp init_first init_cta
    issue_valid issue_warp issue_pc issue_mask issue_word
    write_valid write_warp write_part write_rd write_mask write_data
    effect_valid effect_warp effect_part effect_op effect_mask effect_address effect_data
    fault_valid fault_warp fault_thread fault_pc fault_cause fault_address
    done0_valid done0_warp done0_rd done1_valid done1_warp done1_rd
    retire_valid retire_warp retire_op retire_pc retire_next_pc retire_next_mask retire_done retire_blocked retire_depth
    cache_events faulted
    mode_access mode_miss mode_regular mode_ask mode_warp mode_subvector mode_decides mode_decision
    retire_front_kind retire_front_mask retire_front_pc retire_front_below retire_dropped
    exception_valid exception_warp exception_pc exception_cause
    op_valid op_code op_warp op_cta op_block op_threads verdict_ready wake_ready verdict_taken wake_taken
}

/// The design of this shape.
///
/// # Errors
/// What is impossible, and why.
pub fn design(shape: Shape) -> Result<Design, DutError> {
    let parameters = [
        ("warps", shape.warps as u64),
        ("threads", shape.threads as u64),
        ("lanes", shape.lanes as u64),
        ("scratchpad", shape.scratchpad.into()),
        ("data", shape.data.into()),
        ("icache", shape.line_cache.into()),
        ("dcache", shape.data_cache.into()),
        ("ways", shape.ways.into()),
        ("registers", shape.registers.into()),
        ("float", shape.float.into()),
    ];
    Ok(Design::new(Unit::Sm, &parameters)?)
}

pub struct Verilated {
    flat: Model,
    i: InPorts,
    o: OutPorts,
    barrier: barrier::ports::OutPorts,
    shape: Shape,
}

impl Verilated {
    /// `fault`: a deliberately broken copy.
    pub fn open(options: &SmOptions, fault: Option<&str>) -> Result<Verilated, SmError> {
        // Half of the designs start with random contents in state that has no initial value.
        let seed = match options.seed & 1 {
            0 => 0,
            _ => (options.seed >> 1) as u32 | 1,
        };
        let open = Options {
            fault,
            seed,
            wave: options.wave.as_deref(),
            wave_from: options.wave_from,
        };
        let flat = Model::open(RtlKind::Verilated, &design(options.shape)?, &open)?;
        Ok(Verilated {
            i: InPorts::of(&flat),
            o: OutPorts::of(&flat),
            barrier: barrier::ports::OutPorts::of(&flat),
            flat,
            shape: options.shape,
        })
    }

    fn get(&self, port: Out) -> u64 {
        self.flat.get(port)
    }

    fn on(&self, port: Out) -> bool {
        self.flat.get(port) != 0
    }

    fn small(&self, port: Out) -> usize {
        self.flat.get(port) as usize
    }

    /// 32 bits for each lane.
    fn by_lane(&self, port: Out) -> Vec<u32> {
        let words = self.flat.get_words(port);
        let lane = |l: usize| (words[l / 2] >> (32 * (l % 2))) as u32;
        (0..self.shape.lanes).map(lane).collect()
    }

    fn retired(&self) -> Result<Option<Record>, String> {
        let o = &self.o;
        if !self.on(o.retire_valid) {
            return Ok(None);
        }
        let code = self.get(o.retire_op) as u8;
        let event = Event::from_code(code).ok_or(format!("retired operation {code}"))?;
        let depth = self.small(o.retire_depth);
        let token = Token {
            kind: self.get(o.retire_front_kind) as u8,
            mask: self.get(o.retire_front_mask),
            address: self.get(o.retire_front_pc) as u32,
            below: self.get(o.retire_front_below) as u8,
        };
        Ok(Some(Record {
            warp: self.small(o.retire_warp),
            event,
            pc: self.get(o.retire_pc) as u32,
            mask: 0,
            next_pc: self.get(o.retire_next_pc) as u32,
            next_mask: self.get(o.retire_next_mask),
            done: self.on(o.retire_done),
            depth,
            front: (depth != 0).then_some(token),
            blocked: self.on(o.retire_blocked),
            dropped: self.on(o.retire_dropped),
        }))
    }

    fn barriers(&self) -> Result<BarrierPorts, String> {
        let o = &self.o;
        let mut ports = BarrierPorts {
            op_valid: self.on(o.op_valid),
            verdict_ready: self.on(o.verdict_ready),
            wake_ready: self.on(o.wake_ready),
            ..self.barrier.read(&self.flat)?
        };
        if ports.op_valid {
            let code = self.get(o.op_code) as u8;
            let code = OpCode::from_code(code);
            let code = code.ok_or("an operation at the barrier unit that does not exist")?;
            ports.op = BarrierOp {
                code,
                warp: self.small(o.op_warp),
                ..BarrierOp::default()
            };
            if code == OpCode::Launch {
                ports.op.cta = self.small(o.op_cta);
                ports.op.block = self.small(o.op_block);
                ports.op.threads = self.get(o.op_threads) as u32;
            }
        }
        Ok(ports)
    }
}

/// A port of so many bytes.
fn bytes(words: &[u64]) -> [u8; 64] {
    let mut bytes = [0; 64];
    for (n, word) in words.iter().enumerate() {
        bytes[8 * n..8 * n + 8].copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

impl Device for Verilated {
    fn settle(&mut self, reset: bool, memory: &Subordinate, host: &HostOut) {
        let (f, i) = (&mut self.flat, &self.i);
        f.set(i.reset, reset.into());
        f.set(i.axi_awready, memory.aw_ready.into());
        f.set(i.axi_wready, memory.w_ready.into());
        f.set(i.axi_bvalid, memory.b.valid.into());
        f.set(i.axi_bid, memory.b.id.into());
        f.set(i.axi_bresp, memory.b.resp.into());
        f.set(i.axi_arready, memory.ar_ready.into());
        f.set(i.axi_rvalid, memory.r.valid.into());
        f.set(i.axi_rid, memory.r.id.into());
        f.set(i.axi_rresp, memory.r.resp.into());
        f.set(i.axi_rlast, memory.r.last.into());
        let words = (self.shape.beat() / 8).max(1) as usize;
        let word = |n: usize| {
            let bytes = &memory.r.data[8 * n..8 * n + 8];
            u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
        };
        f.set_words(i.axi_rdata, &std::array::from_fn::<_, 8, _>(word)[..words]);
        f.set(i.host_awvalid, host.aw_valid.into());
        f.set(i.host_awaddr, host.aw_address.into());
        f.set(i.host_wvalid, host.w_valid.into());
        f.set(i.host_wdata, host.w_data.into());
        f.set(i.host_wstrb, host.w_strobe.into());
        f.set(i.host_bready, host.b_ready.into());
        f.set(i.host_arvalid, host.ar_valid.into());
        f.set(i.host_araddr, host.ar_address.into());
        f.set(i.host_rready, host.r_ready.into());
        f.settle();
    }

    fn manager(&self) -> Manager {
        let o = &self.o;
        let address = |valid, id, address, len, size, burst| Address {
            valid: self.on(valid),
            id: self.get(id) as u16,
            address: self.get(address) as u32,
            len: self.get(len) as u8,
            size: self.get(size) as u8,
            burst: self.get(burst) as u8,
        };
        Manager {
            aw: address(
                o.axi_awvalid,
                o.axi_awid,
                o.axi_awaddr,
                o.axi_awlen,
                o.axi_awsize,
                o.axi_awburst,
            ),
            w: WriteBeat {
                valid: self.on(o.axi_wvalid),
                data: bytes(self.flat.get_words(o.axi_wdata)),
                strobe: self.get(o.axi_wstrb),
                last: self.on(o.axi_wlast),
            },
            b_ready: self.on(o.axi_bready),
            ar: address(
                o.axi_arvalid,
                o.axi_arid,
                o.axi_araddr,
                o.axi_arlen,
                o.axi_arsize,
                o.axi_arburst,
            ),
            r_ready: self.on(o.axi_rready),
        }
    }

    fn host(&self) -> HostIn {
        let o = &self.o;
        HostIn {
            aw_ready: self.on(o.host_awready),
            w_ready: self.on(o.host_wready),
            b_valid: self.on(o.host_bvalid),
            b_resp: self.get(o.host_bresp) as u8,
            ar_ready: self.on(o.host_arready),
            r_valid: self.on(o.host_rvalid),
            r_data: self.get(o.host_rdata) as u32,
            r_resp: self.get(o.host_rresp) as u8,
        }
    }

    fn trace(&self) -> Result<Trace, String> {
        let o = &self.o;
        let pc = |port: Out| self.get(port) as u32;
        let done = |valid, warp, rd: Out| {
            self.on(valid).then(|| Done {
                warp: self.small(warp),
                rd: weft_sim::issue::register_from_bits(self.get(rd) as u8),
            })
        };
        Ok(Trace {
            init: self.on(o.init_valid).then(|| Init {
                warp: self.small(o.init_warp),
                first: pc(o.init_first),
                cta: self.small(o.init_cta),
            }),
            issue: self.on(o.issue_valid).then(|| Issue {
                warp: self.small(o.issue_warp),
                pc: pc(o.issue_pc),
                mask: self.get(o.issue_mask),
                word: pc(o.issue_word),
            }),
            row: self.on(o.write_valid).then(|| Row {
                warp: self.small(o.write_warp),
                part: self.small(o.write_part),
                rd: self.get(o.write_rd) as u8,
                mask: self.get(o.write_mask),
                data: self.by_lane(o.write_data),
            }),
            effects: self.on(o.effect_valid).then(|| Effects {
                warp: self.small(o.effect_warp),
                part: self.small(o.effect_part),
                op: self.get(o.effect_op) as u8,
                mask: self.get(o.effect_mask),
                address: self.by_lane(o.effect_address),
                data: self.by_lane(o.effect_data),
            }),
            mode: Mode {
                access: self
                    .on(o.mode_access)
                    .then(|| (self.on(o.mode_miss), self.on(o.mode_regular))),
                ask: self.on(o.mode_ask).then(|| self.small(o.mode_warp)),
                subvector: self.on(o.mode_subvector),
                decision: self.on(o.mode_decides).then(|| self.on(o.mode_decision)),
            },
            fault: self.on(o.fault_valid).then(|| Reported {
                warp: self.small(o.fault_warp),
                lane: pc(o.fault_thread),
                pc: pc(o.fault_pc),
                cause: self.get(o.fault_cause) as u8,
                address: pc(o.fault_address),
            }),
            faulted: self.get(o.faulted),
            dones: [
                done(o.done0_valid, o.done0_warp, o.done0_rd),
                done(o.done1_valid, o.done1_warp, o.done1_rd),
            ],
            retire: self.retired()?,
            exception: self.on(o.exception_valid).then(|| Exception {
                warp: self.small(o.exception_warp),
                pc: pc(o.exception_pc),
                cause: self.get(o.exception_cause) as u8,
            }),
            verdict_taken: self.on(o.verdict_taken),
            wake_taken: self.on(o.wake_taken),
            barrier: self.barriers()?,
            cache: self.get(o.cache_events) as u8,
            busy: self.on(o.busy),
            done: self.on(o.done),
        })
    }

    fn edge(&mut self) {
        self.flat.edge();
    }
}

/// Runs a grid on the Verilated SM.
///
/// # Errors
/// Configurations that make no sense, shapes that were not compiled in, and whatever is wrong with the SM.
pub fn run_program(
    program: &Program,
    options: &SmOptions,
    watcher: &mut dyn Watcher,
) -> Result<SmReport, SmError> {
    run_copy(program, options, None, watcher)
}

/// As [`run_program`], on the broken copy of this name if there is one.
///
/// # Errors
/// As there.
pub fn run_copy(
    program: &Program,
    options: &SmOptions,
    fault: Option<&str>,
    watcher: &mut dyn Watcher,
) -> Result<SmReport, SmError> {
    let mut device = Verilated::open(options, fault)?;
    Session::new(&mut device, program, options, watcher)?.run()
}
