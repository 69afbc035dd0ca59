//! What can be wrong with a kernel, and where.

use std::fmt;

/// What is wrong with a piece of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Hazard {
    /// `a & b == c`: Rust and Verilog group mixed operators differently.
    Precedence,
    /// `bit_cast::<8, 4>(a + b)`: Verilog evaluates the inner expression at the outer width.
    WideningCast,
    /// `(a + 1) == b`: a literal is 32 bits wide in Verilog, so the sum does not wrap; likewise a cast kept wide.
    LiteralWidth,
    /// `x.replace_bit(i, !f)`: the negation is widened, all upper bits become one.
    NegatedBit,
    /// `(a + b).get_bit(0)`: a select of an expression is not Verilog.
    SelectOfExpression,
    /// `!!x`: two unary operators in a row are not Verilog, though some tools take them.
    DoubleNegation,
    /// `x.get_bit((a + 1).index())`: index arithmetic is done in `usize` in Rust, at signal width in Verilog.
    IndexArithmetic,
    /// `self.v[i ^ 1]`, `self.g[i][j]`: not what the index evaluator of the writer understands.
    ArrayIndex,
    /// A Rust constant, a `_` field or an element outside its array: printed as an undeclared name.
    UnknownName,
    /// `for a in 0..4` beside `self.a`: the writer prints the number for both.
    LoopName,
    /// A binding, constant or boolean as match pattern, or `_` before other arms.
    MatchPattern,
    /// A `match` on an arithmetic expression.
    MatchOnExpression,
    /// An assignment to an output of a sub-block, or to an own input.
    DrivesOutput,
    /// A signal both assigned and connected by `join` or `link`.
    TwoDrivers,
    /// `join` or `link` inside `if` or `match`: the connection becomes unconditional.
    ConditionalLink,
    /// An input of a sub-block read back by the kernel that drives it: old value in Rust, new value in Verilog.
    ReadsBack,
    /// Assigned on some paths only.
    Latch,
    /// Read at a point where it may not have been assigned yet.
    ReadBeforeWrite,
    /// A block with outputs but without a Verilog body.
    NoHardware,
    /// Source only: `for i in 0..=3` loses its last round.
    InclusiveRange,
    /// Source only: the guard of a match arm is dropped.
    MatchGuard,
    /// Source only: a function named `bits...` or `bit_cast...` is printed as a cast of its first argument.
    CastName,
}

impl Hazard {
    /// What to do about it.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Precedence => "precedence differs in Verilog; add parentheses",
            Self::WideningCast => "widening cast of an expression; assign it to a Local first",
            Self::LiteralWidth => {
                "arithmetic next to a wider literal or cast; assign it to a Local first"
            }
            Self::NegatedBit => "replace_bit with a computed value; assign it to a Local first",
            Self::SelectOfExpression => "bit select of an expression; assign it to a Local first",
            Self::DoubleNegation => "double negation is not Verilog; drop it or add parentheses",
            Self::IndexArithmetic => "arithmetic in an index; assign it to a Local first",
            Self::ArrayIndex => "an array index must be + - * / % on loop variables, one per path",
            Self::UnknownName => "not a signal, constant field, enum label or loop variable",
            Self::LoopName => "a loop variable has the name of a field; rename it",
            Self::MatchPattern => {
                "match pattern is not Verilog; use labels, integer literals or a last `_`"
            }
            Self::MatchOnExpression => "match on an expression; assign it to a Local first",
            Self::DrivesOutput => "assignment to an output of a sub-block or to an own input",
            Self::TwoDrivers => "driven by an assignment and by a join or link",
            Self::ConditionalLink => "join and link are unconditional; move it out of the branch",
            Self::ReadsBack => "an input of a sub-block is read back; use a Local",
            Self::Latch => "not assigned on every path: a latch; give it a default first",
            Self::ReadBeforeWrite => "read before it is assigned; reorder the statements",
            Self::NoHardware => "outputs, but no Verilog body",
            Self::InclusiveRange => "`..=` loses its last round in Verilog; write `a..(b + 1)`",
            Self::MatchGuard => "a match guard is dropped in Verilog; use `if` inside the arm",
            Self::CastName => "functions named bits*, bit_cast* are printed as casts; rename it",
        }
    }
}

/// One suspicious place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub hazard: Hazard,
    /// Instance path (`top.deque.slot$0`) or source position (`src/x.rs:12`).
    pub module: String,
    /// The expression, signal or line.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            hazard,
            module,
            text,
        } = self;
        write!(f, "{module}: {hazard:?}: {}: {text}", hazard.advice())
    }
}
