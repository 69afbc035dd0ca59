//! Where the tokens of a warp stand (docs/spec/spill.md, the window), as far as the ports show it.

use crate::spill::Request;
use std::collections::HashMap;
use weft_generate::Config;
use weft_sim::{Record, Warp};

/// The places that a tag names: first the front ring, then the back ring, then scratch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Bits of a place; those of the warp stand above them.
    pub bits: u32,
    /// K, B
    front: u16,
    back: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    Front,
    Back,
    Scratch,
}

impl Places {
    pub fn of(config: Config) -> Places {
        Places {
            bits: (config.front + config.back).ilog2() + 1,
            front: config.front as u16,
            back: config.back as u16,
        }
    }

    pub fn warp(&self, tag: u16) -> usize {
        usize::from(tag >> self.bits)
    }

    pub fn tag(&self, warp: usize, place: u16) -> u16 {
        (warp as u16) << self.bits | place
    }

    pub fn area(&self, tag: u16) -> Area {
        match tag & ((1 << self.bits) - 1) {
            place if place < self.front => Area::Front,
            place if place < self.front + self.back => Area::Back,
            _ => Area::Scratch,
        }
    }
}

/// Tokens of one warp by where they stand, and whether some of them are on their way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Tokens in memory. One that is being written still stands on chip, one that is being read still in memory.
    pub stored: usize,
    /// Tokens in the back ring.
    pub rear: usize,
    /// Requests of the warp that have no response yet.
    pub under_way: usize,
}

impl Standing {
    /// Tokens in the front ring, of `depth` in all.
    pub fn fore(&self, depth: usize) -> usize {
        depth.saturating_sub(1 + self.stored + self.rear)
    }
}

/// Follows the tokens of all warps through the memory port.
///
/// The one thing that the port does not show is which ring a token enters that is pushed at the back: SPILL-031 says
/// it, and here it is judged by what stood in memory when the operation began.
pub struct Shadow {
    places: Places,
    warps: Vec<Standing>,
    /// Requests under way that belong to a running warp, by tag.
    live: HashMap<u16, Request>,
}

impl Shadow {
    pub fn new(config: Config) -> Shadow {
        Shadow {
            places: Places::of(config),
            warps: vec![Standing::default(); config.warps],
            live: HashMap::new(),
        }
    }

    pub fn of(&self, warp: usize) -> Standing {
        self.warps[warp]
    }

    pub fn requested(&mut self, request: Request) {
        self.live.insert(request.tag, request);
        self.warps[self.places.warp(request.tag)].under_way += 1;
    }

    /// Evict and spill end with the acknowledgement, fill with the token.
    /// What goes through a scratch place stays in memory.
    pub fn responded(&mut self, tag: u16) {
        let Some(request) = self.live.remove(&tag) else {
            return;
        };
        let warp = &mut self.warps[self.places.warp(tag)];
        warp.under_way -= 1;
        match (self.places.area(tag), request.write) {
            (Area::Front, true) => warp.stored += 1,
            (Area::Back, true) => {
                warp.stored += 1;
                warp.rear = warp.rear.saturating_sub(1);
            }
            (Area::Front, false) => warp.stored = warp.stored.saturating_sub(1),
            (Area::Back | Area::Scratch, _) => {}
        }
    }

    /// The warp has retired an operation that began as `began`; it has `pushed` a token at the back or not.
    pub fn retired(
        &mut self,
        warp: usize,
        began: Standing,
        pushed: bool,
        before: &Warp,
        record: &Record,
    ) {
        let fore = began.fore(before.deque().depth());
        let joins = began.stored + began.rear + began.under_way == 0
            && fore < usize::from(self.places.front);
        let now = &mut self.warps[warp];
        now.rear += usize::from(pushed && !joins && before.deque().depth() > 0);
        now.rear = now.rear.min(record.depth.saturating_sub(1));
    }

    /// The warp has ended, or starts: it has no tokens.
    pub fn cleared(&mut self, warp: usize) {
        self.warps[warp] = Standing::default();
        let places = self.places;
        self.live.retain(|tag, _| places.warp(*tag) != warp);
    }
}
