//! The descriptor of a barrier.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Simple,
    Section,
    Ordered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    FirstParticipant,
    First,
    LatestParticipant,
    Latest,
}

/// Who comes to a dynamic barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Late {
    Joins,
    Runs,
    Skips,
    Invalidates,
}

/// 32 bits, as the table *Word* of the specification has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Word(pub u32);

impl Word {
    pub const fn count(self) -> u32 {
        self.0 & 0x7ff
    }

    /// 0 to 4.
    pub const fn condition(self) -> u32 {
        match self.0 >> 11 & 7 {
            condition @ 0..=4 => condition,
            _ => 0,
        }
    }

    pub const fn kind(self) -> Kind {
        match self.0 >> 14 & 3 {
            1 => Kind::Section,
            2 => Kind::Ordered,
            _ => Kind::Simple,
        }
    }

    pub const fn is_section(self) -> bool {
        !matches!(self.kind(), Kind::Simple)
    }

    /// Only sections can be.
    pub const fn is_exclusive(self) -> bool {
        self.is_section() && self.0 >> 16 & 1 != 0
    }

    pub const fn origin(self) -> Origin {
        match self.0 >> 17 & 3 {
            0 => Origin::FirstParticipant,
            1 => Origin::First,
            2 => Origin::LatestParticipant,
            _ => Origin::Latest,
        }
    }

    pub const fn late(self) -> Late {
        match self.0 >> 19 & 3 {
            1 => Late::Runs,
            2 => Late::Skips,
            3 if !self.is_section() => Late::Invalidates,
            _ => Late::Joins,
        }
    }

    /// Visits until the timer runs out: at least 1.
    pub const fn ticks(self) -> u32 {
        match self.0 >> 21 {
            0 => 1,
            ticks => ticks,
        }
    }

    pub const fn is_impatient(self) -> bool {
        self.condition() >= 3
    }

    #[must_use]
    pub const fn with_count(self, count: u32) -> Word {
        Word(self.0 & !0x7ff | count & 0x7ff)
    }

    #[must_use]
    pub const fn with_condition(self, condition: u32) -> Word {
        Word(self.0 & !(7 << 11) | (condition & 7) << 11)
    }

    #[must_use]
    pub const fn with_kind(self, kind: Kind) -> Word {
        Word(self.0 & !(3 << 14) | (kind as u32) << 14)
    }

    #[must_use]
    pub const fn exclusive(self) -> Word {
        Word(self.0 | 1 << 16)
    }

    #[must_use]
    pub const fn with_origin(self, origin: Origin) -> Word {
        Word(self.0 & !(3 << 17) | (origin as u32) << 17)
    }

    #[must_use]
    pub const fn with_late(self, late: Late) -> Word {
        Word(self.0 & !(3 << 19) | (late as u32) << 19)
    }

    #[must_use]
    pub const fn with_timeout(self, ticks: u32) -> Word {
        Word(self.0 & !(0x7ff << 21) | (ticks & 0x7ff) << 21)
    }
}
