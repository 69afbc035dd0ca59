//! What the barrier unit shows at its ports: of `weft_barrier`, and of `weft_core` under the same names.

use crate::rtl::model::{ports, Model, Out};
use weft_sim::barrier::{BarrierError, Cause, Event, EventKind, Ports, Verdict, VerdictKind, Wake};

ports! { OutPorts, Out, output:
    op_ready verdict_valid verdict_warp verdict_op verdict_mask verdict_pc hold wake_valid wake_warp wake_mask wake_pc
    error_valid error_warp error_mask error_pc error_id error_cause event_valid event_kind event_cta event_id
    expired_valid expired_cta expired_id
}

impl OutPorts {
    /// What is no input of the unit. `Err`: a code that does not exist.
    pub fn read(&self, flat: &Model) -> Result<Ports, String> {
        let get = |port: Out| flat.get(port);
        let on = |port: Out| flat.get(port) != 0;
        let small = |port: Out| flat.get(port) as usize;
        let pc = |port: Out| flat.get(port) as u32;
        let mut ports = Ports {
            op_ready: on(self.op_ready),
            hold: get(self.hold),
            wake: on(self.wake_valid).then(|| Wake {
                warp: small(self.wake_warp),
                mask: get(self.wake_mask),
                pc: pc(self.wake_pc),
            }),
            event: on(self.event_valid).then(|| Event {
                kind: EventKind::from_code(get(self.event_kind) as u8),
                cta: small(self.event_cta),
                id: small(self.event_id),
            }),
            expired: on(self.expired_valid)
                .then(|| (small(self.expired_cta), small(self.expired_id))),
            ..Ports::default()
        };
        if on(self.verdict_valid) {
            let code = get(self.verdict_op) as u8;
            let kind = VerdictKind::from_code(code).ok_or(format!("verdict {code}"))?;
            let (mask, pc) = match kind {
                // They count where threads are named.
                VerdictKind::Next => (0, 0),
                _ => (get(self.verdict_mask), pc(self.verdict_pc)),
            };
            let warp = small(self.verdict_warp);
            ports.verdict = Some(Verdict {
                warp,
                kind,
                mask,
                pc,
            });
        }
        if on(self.error_valid) {
            let code = get(self.error_cause) as u8;
            ports.error = Some(BarrierError {
                warp: small(self.error_warp),
                mask: get(self.error_mask),
                pc: pc(self.error_pc),
                id: small(self.error_id),
                cause: Cause::from_code(code).ok_or(format!("error cause {code}"))?,
            });
        }
        Ok(ports)
    }
}
