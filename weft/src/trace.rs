//! Writes a run as a Chrome trace, which Perfetto and chrome://tracing open.
//!
//! One track per warp. A slice is a run of instructions with the same active mask; instants mark divergence,
//! join, a switch to other threads, yield and dropped pushes; a counter per warp shows how many threads are active.
//! The file is written as the run goes on: what is kept in memory is one open slice per warp.

use std::io::{self, Write};
use weft_sim::{Event, Record};

struct Slice {
    start: u64,
    mask: u64,
    pc: u32,
    instructions: u64,
    end: u64,
}

pub struct TraceWriter<W: Write> {
    out: W,
    open: Vec<Option<Slice>>,
    first: bool,
}

impl<W: Write> TraceWriter<W> {
    pub fn new(mut out: W, title: &str, warps: usize) -> io::Result<Self> {
        out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
        let mut writer = TraceWriter {
            out,
            open: (0..warps).map(|_| None).collect(),
            first: true,
        };
        writer.event(&format!(
            r#""ph":"M","pid":1,"name":"process_name","args":{{"name":{}}}"#,
            serde_json::Value::from(title)
        ))?;
        for warp in 0..warps {
            writer.event(&format!(
                r#""ph":"M","pid":1,"tid":{warp},"name":"thread_name","args":{{"name":"warp {warp}"}}"#
            ))?;
        }
        Ok(writer)
    }

    fn event(&mut self, body: &str) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.first) {
            ""
        } else {
            ","
        };
        write!(self.out, "{comma}\n{{{body}}}")
    }

    /// One retired operation. `time` is a cycle, or the number of the operation where the engine has no clock.
    pub fn record(&mut self, time: u64, record: &Record) -> io::Result<()> {
        let Record {
            warp,
            mask,
            pc,
            next_mask,
            ..
        } = *record;
        let changed = !matches!(&self.open[warp], Some(slice) if slice.mask == mask);
        if changed {
            self.close(warp)?;
            self.counter(warp, time, mask)?;
            self.open[warp] = Some(Slice {
                start: time,
                mask,
                pc,
                instructions: 0,
                end: time,
            });
        }
        if let Some(slice) = &mut self.open[warp] {
            slice.instructions += u64::from(record.event != Event::ForcedYield);
            slice.end = time + 1;
        }
        if let Some(mark) = mark(record) {
            self.mark(time, record, mark)?;
        }
        if next_mask == 0 {
            self.close(warp)?;
            self.counter(warp, time + 1, 0)?;
        }
        Ok(())
    }

    /// An instruction that is not control: a part of the warp's slice.
    pub fn issued(&mut self, time: u64, warp: usize, pc: u32, mask: u64) -> io::Result<()> {
        if matches!(&self.open[warp], Some(slice) if slice.mask == mask) {
            if let Some(slice) = &mut self.open[warp] {
                slice.instructions += 1;
                slice.end = time + 1;
            }
            return Ok(());
        }
        self.close(warp)?;
        self.counter(warp, time, mask)?;
        self.open[warp] = Some(Slice {
            start: time,
            mask,
            pc,
            instructions: 1,
            end: time + 1,
        });
        Ok(())
    }

    /// Accesses of some lanes of a warp take effect.
    pub fn access(&mut self, time: u64, warp: usize, what: &str, lanes: u32) -> io::Result<()> {
        self.event(&format!(
            r#""ph":"i","s":"t","pid":2,"tid":{warp},"ts":{time},"name":"{what}","args":{{"lanes":{lanes}}}"#
        ))
    }

    /// A warp that stops at a fault.
    pub fn fault(&mut self, time: u64, warp: usize, pc: u32, cause: &str) -> io::Result<()> {
        self.close(warp)?;
        self.event(&format!(
            r#""ph":"i","s":"t","pid":1,"tid":{warp},"ts":{time},"name":"fault","args":{{"pc":"{:#x}","cause":{}}}"#,
            byte_address(pc),
            serde_json::Value::from(cause),
        ))?;
        self.counter(warp, time, 0)
    }

    fn mark(&mut self, time: u64, record: &Record, name: &str) -> io::Result<()> {
        let Record {
            warp,
            pc,
            mask,
            next_pc,
            next_mask,
            depth,
            ..
        } = *record;
        self.event(&format!(
            r#""ph":"i","s":"t","pid":1,"tid":{warp},"ts":{time},"name":"{name}","args":{{"pc":"{:#x}","mask":"{mask:#x}","next_pc":"{:#x}","next_mask":"{next_mask:#x}","tokens":{depth}}}"#,
            byte_address(pc),
            byte_address(next_pc),
        ))
    }

    fn counter(&mut self, warp: usize, time: u64, mask: u64) -> io::Result<()> {
        self.event(&format!(
            r#""ph":"C","pid":1,"ts":{time},"name":"warp {warp:02} active threads","args":{{"threads":{}}}"#,
            mask.count_ones()
        ))
    }

    fn close(&mut self, warp: usize) -> io::Result<()> {
        let Some(Slice {
            start,
            mask,
            pc,
            instructions,
            end,
        }) = self.open[warp].take()
        else {
            return Ok(());
        };
        self.event(&format!(
            r#""ph":"X","pid":1,"tid":{warp},"ts":{start},"dur":{},"name":"{} of mask {mask:#x}","args":{{"pc":"{:#x}","instructions":{instructions}}}"#,
            end - start,
            mask.count_ones(),
            byte_address(pc),
        ))
    }

    /// Ends the trace, without which it is not valid JSON, and gives the file back.
    pub fn finish(mut self) -> io::Result<W> {
        for warp in 0..self.open.len() {
            self.close(warp)?;
        }
        self.out.write_all(b"\n]}\n")?;
        self.out.flush()?;
        Ok(self.out)
    }
}

fn byte_address(pc: u32) -> u64 {
    u64::from(pc) * 4
}

/// The instant to show for a record, if any.
fn mark(record: &Record) -> Option<&'static str> {
    let Record {
        mask, next_mask, ..
    } = *record;
    let stays = next_mask == mask && record.next_pc == record.pc.wrapping_add(1) & 0x3f_ffff;
    match record.event {
        Event::ForcedYield => Some("forced yield"),
        Event::Yield if !stays => Some("yield"),
        Event::Push | Event::Call if record.dropped => Some("dropped push"),
        _ if next_mask == mask || next_mask == 0 => None,
        _ if next_mask & !mask == 0 => Some("diverge"),
        _ if mask & !next_mask == 0 => Some("join"),
        _ => Some("switch"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn trace(records: &[(u64, Record)]) -> Vec<Value> {
        let mut text = Vec::new();
        let mut writer = TraceWriter::new(&mut text, "a \"title\"", 2).unwrap();
        for (time, record) in records {
            writer.record(*time, record).unwrap();
        }
        writer.finish().unwrap();
        let json: Value = serde_json::from_slice(&text).unwrap();
        json["traceEvents"].as_array().unwrap().clone()
    }

    fn record(pc: u32, mask: u64, next_mask: u64) -> Record {
        Record {
            warp: 1,
            event: Event::Next,
            pc,
            mask,
            next_pc: pc + 1,
            next_mask,
            done: next_mask == 0,
            blocked: false,
            depth: 0,
            front: None,
            dropped: false,
        }
    }

    fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
        events.iter().filter(|e| e["name"] == name).collect()
    }

    #[test]
    fn empty_run_is_valid() {
        let events = trace(&[]);
        assert_eq!(events[0]["args"]["name"], "a \"title\"");
        assert_eq!(events.len(), 3);
    }

    #[test]
    fn instructions_with_one_mask_make_one_slice() {
        let events = trace(&[
            (5, record(8, 15, 15)),
            (7, record(9, 15, 3)),
            (9, record(10, 3, 15)),
            (12, record(11, 15, 0)),
        ]);
        let slices: Vec<_> = events.iter().filter(|e| e["ph"] == "X").collect();
        assert_eq!(slices.len(), 3);
        assert_eq!(slices[0]["ts"], 5);
        assert_eq!(slices[0]["dur"], 3);
        assert_eq!(slices[0]["args"]["instructions"], 2);
        assert_eq!(slices[0]["args"]["pc"], "0x20");
        assert_eq!(named(&events, "diverge").len(), 1);
        assert_eq!(named(&events, "join").len(), 1);
        let counts: Vec<_> = events
            .iter()
            .filter(|e| e["ph"] == "C")
            .map(|e| e["args"]["threads"].as_u64().unwrap())
            .collect();
        assert_eq!(counts, [4, 2, 4, 0]);
    }

    #[test]
    fn a_yield_that_does_not_fire_leaves_no_mark() {
        let quiet = Record {
            event: Event::Yield,
            ..record(1, 3, 3)
        };
        let fired = Record {
            next_pc: 7,
            ..quiet
        };
        assert!(named(&trace(&[(0, quiet)]), "yield").is_empty());
        assert_eq!(named(&trace(&[(0, fired)]), "yield").len(), 1);
    }
}
