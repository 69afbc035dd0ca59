//! Expressions: parsed to a tree, evaluated when addresses are known.
//!
//! Precedence is that of GNU as: `* / % << >>` before `& | ^`, these before `+ -`.

use super::error::{Fault, Span};

/// `%hi(…)` and its relatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relocation {
    Hi,
    Lo,
    PcrelHi,
    /// The argument names the instruction that carries the matching `%pcrel_hi`.
    PcrelLo,
}

impl Relocation {
    pub(super) fn named(name: &str) -> Option<Relocation> {
        Some(match name {
            "hi" => Relocation::Hi,
            "lo" => Relocation::Lo,
            "pcrel_hi" => Relocation::PcrelHi,
            "pcrel_lo" => Relocation::PcrelLo,
            _ => return None,
        })
    }
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Add,
    Subtract,
}

impl Operator {
    /// Higher binds tighter.
    pub fn precedence(self) -> u8 {
        match self {
            Operator::Multiply | Operator::Divide | Operator::Remainder => 3,
            Operator::ShiftLeft | Operator::ShiftRight => 3,
            Operator::And | Operator::Or | Operator::Xor => 2,
            Operator::Add | Operator::Subtract => 1,
        }
    }

    fn apply(self, left: i128, right: i128) -> Result<i128, &'static str> {
        let shift = || {
            let bits = u32::try_from(right).ok().filter(|&bits| bits < 64);
            bits.ok_or("a shift amount is 0 to 63")
        };
        let result = match self {
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide if right == 0 => return Err("division by zero"),
            Operator::Remainder if right == 0 => return Err("division by zero"),
            Operator::Divide => left.checked_div(right),
            Operator::Remainder => left.checked_rem(right),
            Operator::ShiftLeft => left.checked_mul(1 << shift()?),
            Operator::ShiftRight => Some(left >> shift()?),
            Operator::And => Some(left & right),
            Operator::Or => Some(left | right),
            Operator::Xor => Some(left ^ right),
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
        };
        let in_range = result.filter(|value| value.unsigned_abs() < MOST_MAGNITUDE);
        in_range.ok_or("the value of this expression is too large")
    }
}

/// Far beyond what fits anywhere, and far from overflow in sums.
const MOST_MAGNITUDE: u128 = 1 << 96;

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

/// Tree of an expression; names of `.set` symbols and numeric labels are the parser's own.
#[derive(Clone, Debug)]
pub enum ExprKind {
    Number(i128),
    Symbol(String),
    /// `.`: the address of the statement, or of the integer in a list of data.
    Here,
    Negate(Box<Expr>),
    Complement(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Relocation(Relocation, Box<Expr>),
}

/// What symbols and relocations mean to an expression.
pub(super) trait Scope {
    fn symbol(&self, name: &str, span: Span) -> Result<i128, Fault>;
    /// Address of the statement.
    fn here(&self, span: Span) -> Result<i128, Fault>;
    fn relocation(&self, relocation: Relocation, argument: &Expr) -> Result<i128, Fault>;
}

impl Expr {
    pub fn number(span: Span, value: i128) -> Expr {
        Expr {
            span,
            kind: ExprKind::Number(value),
        }
    }

    pub fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
        let span = Span {
            end: right.span.end,
            ..left.span
        };
        Expr {
            span,
            kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        }
    }

    pub fn relocated(self, relocation: Relocation) -> Expr {
        Expr {
            span: self.span,
            kind: ExprKind::Relocation(relocation, Box::new(self)),
        }
    }

    /// Low part of the distance from the statement to this address: pairs with `%pcrel_hi` in the
    /// statement's first instruction.
    pub fn low_of_distance(self) -> Expr {
        let here = Expr {
            span: self.span,
            kind: ExprKind::Here,
        };
        Expr::binary(Operator::Subtract, self, here).relocated(Relocation::Lo)
    }

    /// Value of the expression.
    ///
    /// # Errors
    /// What the scope says about a symbol, division by zero, a value beyond 128 bits.
    pub(super) fn value(&self, scope: &dyn Scope) -> Result<i128, Fault> {
        match &self.kind {
            ExprKind::Number(value) => Ok(*value),
            ExprKind::Symbol(name) => scope.symbol(name, self.span),
            ExprKind::Here => scope.here(self.span),
            ExprKind::Negate(inner) => Ok(inner.value(scope)?.wrapping_neg()),
            ExprKind::Complement(inner) => Ok(!inner.value(scope)?),
            ExprKind::Binary(operator, left, right) => {
                let values = (left.value(scope)?, right.value(scope)?);
                let result = operator.apply(values.0, values.1);
                result.map_err(|message| Fault::new(self.span, message))
            }
            ExprKind::Relocation(relocation, argument) => scope.relocation(*relocation, argument),
        }
    }

    /// Replaces names and `.` by what `rename` gives for them (`None` stands for `.`).
    pub fn rename(&mut self, rename: &mut dyn FnMut(Option<&str>) -> Option<String>) {
        match &mut self.kind {
            ExprKind::Number(_) => {}
            ExprKind::Symbol(name) => {
                if let Some(new) = rename(Some(name)) {
                    *name = new;
                }
            }
            ExprKind::Here => {
                if let Some(new) = rename(None) {
                    self.kind = ExprKind::Symbol(new);
                }
            }
            ExprKind::Negate(inner)
            | ExprKind::Complement(inner)
            | ExprKind::Relocation(_, inner) => inner.rename(rename),
            ExprKind::Binary(_, left, right) => {
                left.rename(rename);
                right.rename(rename);
            }
        }
    }
}

/// `%hi`: the upper 20 bits, rounded so that adding the signed `%lo` gives the value.
pub(super) fn high_part(value: i128) -> i128 {
    (value + 0x800) >> 12 & 0xF_FFFF
}

/// `%lo`: the low 12 bits, signed.
pub(super) fn low_part(value: i128) -> i128 {
    ((value & 0xFFF) ^ 0x800) - 0x800
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn high_and_low_part_add_up() {
        for value in [
            0,
            1,
            0x7FF,
            0x800,
            0xFFF,
            0x1000,
            0x1234_5FFF,
            0xFFFF_F800,
            0xFFFF_FFFF,
        ] {
            let sum = (high_part(value) << 12) + low_part(value);
            assert_eq!(sum as u32, value as u32, "{value:#x}");
        }
    }
}
