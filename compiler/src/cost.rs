//! What a placement costs: warps are run over the functions' graphs (COMP-070 to COMP-072).
//!
//! The paths of the threads ([`crate::threads`]) are the same for every placement;
//! only the order in which the warp runs them changes.
//! So two placements are compared on the same work, by warp instructions and by cycles of a lone warp.

use crate::flow::EdgeKind;
use crate::mutation::Mutation;
use crate::threads::{Machine, Paths, Start, Step, MODELS, NONE};
use crate::tokens::{Candidate, TokenKind, Way};

/// What one warp instruction costs: one that changes nothing but data, one of which the convergence unit hears.
type Clock = [f64; 2];

/// With many warps an instruction costs its issue; a lone warp of `weft_core` issues every 3 cycles, and 13 after an
/// instruction of which the convergence unit hears (`weft bench --only issue`).
const CLOCKS: [Clock; 2] = [[1.0, 1.0], [3.0, 13.0]];

/// A token of a function that could be placed.
pub(crate) struct Placeable {
    pub function: usize,
    pub candidate: Candidate,
}

/// Part of a placement that changes what blocks and edges cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// By candidate.
    pub tokens: Vec<bool>,
    /// By node: its branch is gone, and the block that it guarded is executed by all threads.
    pub predicated: Vec<Option<Guard>>,
    /// By edge: the branch goes around by a leave in front of the join, though its condition could be computed
    /// (COMP-067).
    pub around: Vec<bool>,
}

/// A predicated block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    /// The node that the branch skips.
    pub over: u32,
    /// Instructions in place of the branch, with those that they guard.
    pub plain: f64,
    pub resolved: f64,
}

/// Instructions of the kinds that clocks tell apart.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    plain: f64,
    resolved: f64,
}

impl Count {
    fn by(&self, clock: Clock) -> f64 {
        self.plain * clock[0] + self.resolved * clock[1]
    }
}

/// What candidates do at nodes and edges; the same for all choices.
struct Places {
    /// By edge: candidates whose threads leave there.
    leave: Vec<Vec<(usize, Way)>>,
    /// By node: candidates whose threads leave by a computed condition (COMP-067), and the edges.
    computed: Vec<Vec<(usize, usize)>>,
    /// By node: candidates that are pushed there.
    push: Vec<Vec<usize>>,
    /// By candidate: that node.
    push_at: Vec<u32>,
    /// By candidate: the node where threads meet; [`NONE`]: the function's return.
    join: Vec<u32>,
    kind: Vec<TokenKind>,
}

impl Places {
    fn of(machine: &Machine, all: &[Placeable]) -> Places {
        let mut places = Places {
            leave: vec![Vec::new(); machine.edges.len()],
            computed: vec![Vec::new(); machine.nodes.len()],
            push: vec![Vec::new(); machine.nodes.len()],
            push_at: Vec::new(),
            join: Vec::new(),
            kind: Vec::new(),
        };
        for (
            number,
            Placeable {
                function,
                candidate,
            },
        ) in all.iter().enumerate()
        {
            for (edge, way) in &candidate.edges {
                let known = machine.edge_number(*function, edge);
                places.leave[known].push((number, *way));
                if let Way::Computed(_) = way {
                    let at = machine.last_node(machine.node_of(*function, edge.from));
                    places.computed[at as usize].push((number, known));
                }
            }
            let first = machine.node_of(*function, candidate.push);
            let at = match candidate.kind {
                TokenKind::Continue => first,
                _ => machine.last_node(first),
            };
            places.push[at as usize].push(number);
            places.push_at.push(at);
            let joins = machine.has_block(*function, candidate.join);
            places.join.push(match joins {
                true => machine.node_of(*function, candidate.join),
                false => NONE,
            });
            places.kind.push(candidate.kind);
        }
        places
    }

    /// Edges on which threads leave for a candidate by a computed condition.
    fn computed_for(&self, candidate: usize) -> Vec<usize> {
        let all = self.computed.iter().flatten();
        let own = all.filter(|(number, _)| *number == candidate);
        own.map(|&(_, edge)| edge).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Reason {
    Parted,
    Token(TokenKind),
}

/// Where threads go on.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// At a node, and at the next one of each thread's path.
    Node,
    /// Behind a node, on their way along an edge.
    Edge(u32),
    /// In front of a return.
    Return,
}

struct Token {
    reason: Reason,
    /// Candidate; of parted threads none.
    number: Option<usize>,
    mask: u64,
    place: Place,
}

/// What is given up (COMP-077): a candidate, a node, an edge.
#[derive(Clone, Copy)]
enum Less {
    Token(usize),
    Predicated(usize),
    Computed(usize),
}

impl Less {
    fn give_up(self, choice: &mut Choice) {
        match self {
            Less::Token(number) => choice.tokens[number] = false,
            Less::Predicated(node) => choice.predicated[node] = None,
            Less::Computed(edge) => choice.around[edge] = true,
        }
    }
}

/// A warp whose threads walk along their paths.
struct Walk<'a> {
    machine: &'a Machine<'a>,
    places: &'a Places,
    paths: &'a Paths,
    choice: &'a Choice,
    /// Instructions behind the last node of a path.
    rest: f64,
    cost: Count,
    /// By thread: the next step.
    at: Vec<usize>,
    off: Vec<Option<Reason>>,
    deque: Vec<Token>,
    /// Room for groups of threads, by the node or edge where they go.
    groups: Vec<(u32, u64)>,
}

impl Walk<'_> {
    fn run(mut self) -> Count {
        let mut active: u64 = u64::MAX >> (64 - self.paths.threads.len());
        let mut place = Place::Node;
        loop {
            if active == 0 {
                // CONV-070
                let Some(token) = self.deque.pop() else {
                    return self.cost;
                };
                let waits = |thread: usize| {
                    token.mask >> thread & 1 == 1 && self.off[thread] == Some(token.reason)
                };
                active = (0..self.off.len())
                    .filter(|&t| waits(t))
                    .fold(0, |all, t| all | 1 << t);
                place = token.place;
                threads(active).for_each(|t| self.off[t] = None);
                continue;
            }
            (active, place) = match place {
                Place::Edge(edge) => self.along(active, edge),
                Place::Node => self.node(active),
                Place::Return => {
                    self.cost.resolved += 1.0;
                    self.part(active)
                }
            };
        }
    }

    fn token_operation(&mut self) {
        if self.machine.mutation != Some(Mutation::FreeTokens) {
            self.cost.resolved += 1.0;
        }
    }

    /// CONV-040: threads that leave for a token wait if it is there.
    fn along(&mut self, active: u64, edge: u32) -> (u64, Place) {
        let active = self.first_out(active, edge);
        let leaves = &self.places.leave[edge as usize];
        let chosen = leaves
            .iter()
            .find(|(number, _)| self.choice.tokens[*number]);
        let Some(&(number, way)) = chosen else {
            return self.part(active);
        };
        let returns = self.places.join[number] == NONE;
        let mut caught = 0;
        let kind = self.places.kind[number];
        for token in self.deque.iter_mut().rev() {
            match token.number {
                Some(other) if other == number && token.mask & active != 0 => {
                    caught = token.mask & active;
                    break;
                }
                Some(other) if self.places.kind[other] == kind && other != number => {
                    token.mask &= !active
                }
                _ => {}
            }
        }
        threads(caught).for_each(|t| self.off[t] = Some(Reason::Token(kind)));
        let left = active & !caught;
        // At a return the leave stands in place of it, or in front of it and is counted as it.
        let goes_around = match way {
            Way::Through => true,
            Way::Computed(_) => self.choice.around[edge as usize],
            Way::Direct => false,
        };
        if goes_around && !returns || returns && left != 0 {
            self.token_operation();
        }
        self.part(left)
    }

    /// COMP-095: of threads that compete one gets out; the others go through one more round and come there again.
    fn first_out(&mut self, active: u64, edge: u32) -> u64 {
        let first = active & active.wrapping_neg();
        let apart = self.machine.apart[edge as usize].filter(|_| first != active);
        let Some((waits, header)) = apart else {
            return active;
        };
        let mask = active ^ first;
        let again = mask.trailing_zeros() as usize;
        let steps = &self.paths.threads[again][..self.at[again]];
        let inside = |step: &Step| step.node != header && self.machine.attempts[step.node as usize];
        let mut round = steps.iter().rev();
        let begin = round.position(|step| step.node == header);
        let round = &steps[steps.len() - begin.map_or(steps.len(), |back| back + 1)..];
        // Behind a swap who has failed goes on apart from who has not.
        let swap = match self.machine.mutation {
            Some(Mutation::FailsTogether) => None,
            _ => round.iter().rposition(inside),
        };
        let swap = swap.unwrap_or(round.len());
        for (number, step) in round.iter().enumerate() {
            let node = &self.machine.nodes[step.node as usize];
            let pushed = self.places.push[step.node as usize].iter();
            let pushed = pushed.filter(|&&token| self.choice.tokens[token]).count();
            // `sc.w` fails, and a loop inside is gone through once more.
            let times = if number > swap || inside(step) {
                2.0
            } else {
                1.0
            };
            self.cost.plain += times * node.plain;
            self.cost.resolved += times * node.resolved + pushed as f64;
        }
        threads(mask).for_each(|t| self.off[t] = Some(Reason::Parted));
        let others = Token {
            reason: Reason::Parted,
            number: None,
            mask,
            place: Place::Edge(edge),
        };
        match waits {
            true => self.deque.insert(0, others),
            false => self.deque.push(others),
        }
        first
    }

    /// Parts threads by the next node of their paths; those whose paths have ended are gone.
    fn part(&mut self, active: u64) -> (u64, Place) {
        let mut groups = std::mem::take(&mut self.groups);
        let mut ended = false;
        for thread in threads(active) {
            let Some(step) = self.paths.threads[thread].get(self.at[thread]) else {
                ended = true;
                continue;
            };
            match groups.iter_mut().find(|(other, _)| *other == step.node) {
                Some((_, mask)) => *mask |= 1 << thread,
                None => groups.push((step.node, 1 << thread)),
            }
        }
        if ended {
            self.cost.plain += self.rest;
        }
        // The jump is executed once more for each group but the first.
        self.cost.resolved += groups.len().saturating_sub(1) as f64;
        groups.sort_by_key(|(_, mask)| mask.count_ones());
        self.defer(groups, |_| Place::Node)
    }

    /// The first group goes on, the others wait.
    fn defer(&mut self, mut groups: Vec<(u32, u64)>, place: impl Fn(u32) -> Place) -> (u64, Place) {
        for &(at, mask) in groups.iter().skip(1).rev() {
            threads(mask).for_each(|t| self.off[t] = Some(Reason::Parted));
            self.deque.push(Token {
                reason: Reason::Parted,
                number: None,
                mask,
                place: place(at),
            });
        }
        let first = groups.first().copied();
        groups.clear();
        self.groups = groups;
        first.map_or((0, Place::Node), |(at, mask)| (mask, place(at)))
    }

    fn node(&mut self, all: u64) -> (u64, Place) {
        let goes_on = |t: &usize| self.at[*t] < self.paths.threads[*t].len();
        let active = threads(all).filter(goes_on).fold(0, |all, t| all | 1 << t);
        if active != all {
            return self.part(all);
        }
        let first = active.trailing_zeros() as usize;
        let step = self.paths.threads[first][self.at[first]];
        let number = step.node as usize;
        for at in 0..self.places.push[number].len() {
            let number = self.places.push[number][at];
            if !self.choice.tokens[number] {
                continue;
            }
            self.token_operation();
            let redundant = self
                .deque
                .last()
                .is_some_and(|t| t.number == Some(number) && t.mask & active == active);
            if !redundant {
                self.deque.push(Token {
                    reason: Reason::Token(self.places.kind[number]),
                    number: Some(number),
                    mask: active,
                    place: match self.places.join[number] {
                        NONE => Place::Return,
                        _ => Place::Node,
                    },
                });
            }
        }
        let node = &self.machine.nodes[number];
        self.cost.plain += node.plain;
        self.cost.resolved += node.resolved;
        if let Some(guard) = self.choice.predicated[number] {
            return self.guarded(active, &guard);
        }
        let computed = self.places.computed[number].iter();
        let computed = computed
            .filter(|(token, edge)| self.choice.tokens[*token] && !self.choice.around[*edge]);
        if self.machine.mutation != Some(Mutation::FreeConditions) {
            self.cost.plain += computed.count() as f64;
        }
        let mut groups = std::mem::take(&mut self.groups);
        for thread in threads(active) {
            let edge = self.paths.threads[thread][self.at[thread]].edge;
            self.at[thread] += 1;
            match groups.iter_mut().find(|(other, _)| *other == edge) {
                Some((_, mask)) => *mask |= 1 << thread,
                None => groups.push((edge, 1 << thread)),
            }
        }
        if let [(NONE, _)] = groups[..] {
            groups.clear();
            self.groups = groups;
            return self.part(active);
        }
        if self.machine.is_indirect(number as u32) {
            self.cost.resolved += groups.len().saturating_sub(1) as f64;
        }
        // The smaller group first.
        let falls =
            |edge: u32| edge != NONE && self.machine.edges[edge as usize].1.kind == EdgeKind::Fall;
        groups.sort_by_key(|&(edge, mask)| (mask.count_ones(), falls(edge)));
        self.defer(groups, |edge| match edge {
            NONE => Place::Node,
            edge => Place::Edge(edge),
        })
    }

    /// All threads execute the block that the branch skipped.
    fn guarded(&mut self, active: u64, guard: &Guard) -> (u64, Place) {
        self.cost.plain += guard.plain;
        self.cost.resolved += guard.resolved - 1.0;
        let mut last = NONE;
        for thread in threads(active) {
            let path = &self.paths.threads[thread];
            self.at[thread] += 1;
            if let Some(step) = path.get(self.at[thread]).filter(|s| s.node == guard.over) {
                self.at[thread] += 1;
                last = step.edge;
            }
        }
        match last {
            NONE => self.part(active),
            edge => (active, Place::Edge(edge)),
        }
    }
}

fn threads(mask: u64) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        let thread = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (thread < 64).then_some(thread)
    })
}

/// The same functions in several warps, with several suppositions.
pub(crate) struct Trials<'a> {
    machine: &'a Machine<'a>,
    places: Places,
    all: &'a [Placeable],
    launches: Vec<Vec<Trial>>,
    kernels: Vec<usize>,
}

/// One warp with one supposition.
struct Trial {
    paths: Paths,
    rest: f64,
    /// Of the launch.
    warps: f64,
    /// By function: a thread comes there.
    visits: Vec<bool>,
    /// With nothing placed.
    nothing: Count,
}

/// Steps of threads that all trials together may take, over all placements that are looked at: so long does a
/// compilation take.
const WORK: usize = 12_000_000;

/// Instructions behind a function that nobody is known to call: who calls it goes on.
const REST: f64 = 80.0;

/// Launches of a kernel that are tried: threads of the grid, and the first thread of each warp that is run.
const LAUNCHES: [(u32, &[u32]); 2] = [(32, &[0]), (512, &[0, 192, 480])];

/// Launches in which the choice is looked at once more, with longer paths (COMP-077).
/// Of the one of 7 warps all are run: with so few, the slowest may take as long as the launch.
const CHECKS: [(u32, &[u32]); 3] = [
    (32, &[0]),
    (224, &[0, 32, 64, 96, 128, 160, 192]),
    (512, &[0, 192, 480]),
];

/// Steps of threads that one warp may take there.
const LONG: usize = 20_000;

/// And at least, where so many things are to be looked at that such paths would take too long.
const SHORT: usize = 100;

/// Steps of threads that the first round of a check may take; after so many, half of what is left is given up at a time.
const CHECK_WORK: usize = 100_000_000;

/// Steps that each of so many paths may have where all with so many steps would take too long to look at each of the things
/// that are given.
fn shorter(steps: usize, paths: usize, given: usize) -> Option<usize> {
    let most = || (CHECK_WORK / (given * paths)).max(SHORT);
    (steps * given > CHECK_WORK).then(most)
}

/// How many of the things that are given are given up at once, after so much work: in the end the rounds are few.
fn at_once(work: usize, given: usize) -> usize {
    match work < CHECK_WORK {
        true => 1,
        false => given.div_ceil(2),
    }
}

/// So much slower than nothing is not slower.
const SLACK: f64 = 0.002;

/// A change has to win that much.
const MARGIN: f64 = 0.001;

/// What a launch counts that is slower than nothing, on top of being slower: rather no token than one that costs.
/// Where something is supposed it counts less.
const FEAR: [f64; 2] = [100.0, 2.0];

/// Cycles of a launch: each warp issues as fast as it does alone, and while all that run would issue more than one
/// instruction in a cycle together, all are slower alike.
fn time(launch: &[Trial], counts: impl Iterator<Item = Count>) -> f64 {
    let warps = launch.first().map_or(1.0, |trial| trial.warps);
    // Each trial stands for so many warps.
    let alike = warps / launch.len().max(1) as f64;
    let mut alone: Vec<(f64, f64)> = counts
        .map(|count| (count.by(CLOCKS[1]), alike * count.by(CLOCKS[0])))
        .filter(|&(cycles, _)| cycles > 0.0)
        .collect();
    alone.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut rate: f64 = alone.iter().map(|(cycles, issued)| issued / cycles).sum();
    let (mut now, mut ended) = (0.0, 0.0);
    for (cycles, issued) in alone {
        now += (cycles - ended) * rate.max(1.0);
        ended = cycles;
        rate -= issued / cycles;
    }
    now
}

impl<'a> Trials<'a> {
    /// Of a file's kernels, and of functions that no kernel calls.
    pub fn new(
        machine: &'a Machine,
        entries: &[(usize, bool)],
        all: &'a [Placeable],
    ) -> Trials<'a> {
        let most = WORK / (32 * 8 * (2 * all.len() + 4));
        let most = most.clamp(100, 4000);
        let kernels = entries.iter().filter(|(_, kernel)| *kernel);
        let kernels = kernels.map(|&(function, _)| function).collect();
        let (mut trials, mut seen) = Trials::of_kernels(machine, kernels, all, &LAUNCHES, most);
        // Where no thread of these has come to a token.
        for &(function, _) in entries {
            let mut own = (0..all.len()).filter(|&n| all[n].function == function);
            let new = |n: usize| !seen[trials.places.push_at[n] as usize];
            if own.any(new) {
                trials.launch(function, [Start::Called], most, &mut seen);
            }
        }
        trials
    }

    /// Each kernel in these launches, and which nodes its threads have come to.
    fn of_kernels(
        machine: &'a Machine,
        kernels: Vec<usize>,
        all: &'a [Placeable],
        launches: &[(u32, &[u32])],
        most: usize,
    ) -> (Trials<'a>, Vec<bool>) {
        let mut trials = Trials {
            machine,
            places: Places::of(machine, all),
            all,
            launches: Vec::new(),
            kernels: Vec::new(),
        };
        let mut seen = vec![false; machine.nodes.len()];
        for &function in &kernels {
            for &(threads, warps) in launches {
                let starts = warps.iter().map(|&first| Start::Kernel(first, threads));
                trials.launch(function, starts, most, &mut seen);
            }
        }
        trials.kernels = kernels;
        (trials, seen)
    }

    /// COMP-077: while a launch is slower than with nothing, what costs most is given up; in the end, all.
    fn checked(&self, mut choice: Choice) -> Choice {
        let (steps, mut work) = (self.steps(), 0);
        loop {
            let now = self.afraid(&choice);
            if now <= 0.0 {
                return choice;
            }
            let given = self.given(&choice);
            work += steps * given.len();
            let fear = |&less: &Less| {
                let mut other = choice.clone();
                less.give_up(&mut other);
                (self.afraid(&other), less)
            };
            let mut fears: Vec<(f64, Less)> = given.iter().map(fear).collect();
            fears.sort_by(|a, b| a.0.total_cmp(&b.0));
            if fears.first().is_none_or(|(fear, _)| *fear >= now) {
                return self.nothing();
            }
            for (_, less) in fears.iter().take(at_once(work, given.len())) {
                less.give_up(&mut choice);
            }
        }
    }

    /// What a choice consists of, all of which can be given up.
    fn given(&self, choice: &Choice) -> Vec<Less> {
        let tokens = (0..self.all.len()).filter(|&n| choice.tokens[n]);
        let nodes = (0..choice.predicated.len()).filter(|&n| choice.predicated[n].is_some());
        let edges = self.computed(choice).filter(|&edge| !choice.around[edge]);
        let given = tokens.map(Less::Token).chain(nodes.map(Less::Predicated));
        given.chain(edges.map(Less::Computed)).collect()
    }

    /// Steps of threads that all trials take for one choice.
    fn steps(&self) -> usize {
        self.paths().map(Vec::len).sum()
    }

    fn paths(&self) -> impl Iterator<Item = &Vec<Step>> {
        let trials = self.launches.iter().flatten();
        trials.flat_map(|trial| &trial.paths.threads)
    }

    /// By how much launches are slower than with nothing, by each clock and by the time that they take, together; what is
    /// hardly slower is not.
    fn afraid(&self, choice: &Choice) -> f64 {
        let slower = |launch: &Vec<Trial>| {
            let counts: Vec<Count> = launch.iter().map(|t| self.walk(t, choice)).collect();
            let each = CLOCKS.iter().map(|&clock| {
                let nothing: f64 = launch.iter().map(|trial| trial.nothing.by(clock)).sum();
                let found: f64 = counts.iter().map(|count| count.by(clock)).sum();
                (found, nothing)
            });
            let nothing = launch.iter().map(|trial| trial.nothing);
            let time = (time(launch, counts.iter().copied()), time(launch, nothing));
            let slower = each.chain([time]);
            let slower = slower.map(|(found, nothing)| found / nothing.max(1.0) - 1.0 - SLACK);
            slower.map(|by| by.max(0.0)).sum::<f64>()
        };
        self.launches.iter().map(slower).sum()
    }

    /// Edges on which threads could leave for a token that is placed by a computed condition.
    fn computed<'b>(&'b self, choice: &'b Choice) -> impl Iterator<Item = usize> + 'b {
        let all = self.places.computed.iter().flatten();
        let placed = all.filter(|(number, _)| choice.tokens[*number]);
        placed.map(|&(_, edge)| edge)
    }

    /// Warps of one launch, each with all suppositions, if there is anything to suppose.
    fn launch(
        &mut self,
        function: usize,
        starts: impl IntoIterator<Item = Start>,
        most: usize,
        seen: &mut [bool],
    ) {
        let mut launch = Vec::new();
        for start in starts {
            for model in &MODELS {
                let paths = self.machine.paths(function, start, model, most);
                let drawn = paths.drawn;
                launch.push(self.trial(paths, start, seen));
                if !drawn {
                    break;
                }
            }
        }
        self.launches.push(launch);
    }

    fn trial(&self, paths: Paths, start: Start, seen: &mut [bool]) -> Trial {
        let rest = match start {
            Start::Kernel(..) => self.machine.behind,
            Start::Called => REST,
        };
        let functions = self.machine.nodes.iter().map(|node| node.function + 1);
        let mut visits = vec![false; functions.max().unwrap_or(0)];
        for step in paths.threads.iter().flatten() {
            visits[self.machine.nodes[step.node as usize].function] = true;
            seen[step.node as usize] = true;
        }
        let mut trial = Trial {
            paths,
            rest,
            warps: match start {
                Start::Kernel(_, threads) => f64::from(threads.div_ceil(32)),
                Start::Called => 1.0,
            },
            visits,
            nothing: Count::default(),
        };
        trial.nothing = self.walk(&trial, &self.nothing());
        trial
    }

    /// Nothing is placed.
    pub fn nothing(&self) -> Choice {
        Choice {
            tokens: vec![false; self.all.len()],
            predicated: vec![None; self.machine.nodes.len()],
            around: vec![false; self.machine.edges.len()],
        }
    }

    fn walk(&self, trial: &Trial, choice: &Choice) -> Count {
        let count = trial.paths.threads.len();
        Walk {
            machine: self.machine,
            places: &self.places,
            paths: &trial.paths,
            choice,
            rest: trial.rest,
            cost: Count::default(),
            at: vec![0; count],
            off: vec![None; count],
            deque: Vec::new(),
            groups: Vec::new(),
        }
        .run()
    }

    /// What the warps of a launch come to, relative to nothing being placed: the mean over the clocks.
    fn relative(launch: &[Trial], counts: &[Count]) -> f64 {
        let drawn = launch.iter().any(|trial| trial.paths.drawn);
        let each = CLOCKS.iter().map(|&clock| {
            let nothing: f64 = launch.iter().map(|trial| trial.nothing.by(clock)).sum();
            let found: f64 = counts.iter().map(|count| count.by(clock)).sum();
            let relative = found / nothing.max(1.0);
            relative + FEAR[usize::from(drawn)] * (relative - 1.0).max(0.0)
        });
        each.sum::<f64>() / CLOCKS.len() as f64
    }

    /// The mean over the launches.
    fn mean(&self, counts: &[Vec<Count>]) -> f64 {
        let each = self.launches.iter().zip(counts);
        let each = each.map(|(launch, counts)| Trials::relative(launch, counts));
        each.sum::<f64>() / self.launches.len().max(1) as f64
    }

    /// COMP-072: what pays, looked at once more (COMP-077); and what it comes to in the trials that come to each function.
    pub fn choose(&self, hammocks: &[(u32, Guard, Vec<usize>)]) -> (Choice, f64) {
        let (choice, cost) = self.improved(hammocks);
        if self.machine.mutation == Some(Mutation::NoCheck) {
            return (choice, cost);
        }
        let kernels = self.kernels.clone();
        let check =
            |most| Trials::of_kernels(self.machine, kernels.clone(), self.all, &CHECKS, most).0;
        let checks = check(LONG);
        let (given, paths) = (self.given(&choice).len(), checks.paths().count());
        let checks = match shorter(checks.steps(), paths, given) {
            None => checks,
            Some(most) => check(most),
        };
        (checks.checked(choice), cost)
    }

    /// The better of what the search comes to from all tokens and from none.
    fn improved(&self, hammocks: &[(u32, Guard, Vec<usize>)]) -> (Choice, f64) {
        let mut all = self.nothing();
        all.tokens.fill(true);
        let found = [all, self.nothing()].map(|start| self.improve(start, hammocks));
        let [first, second] = found;
        match first.1 <= second.1 {
            true => first,
            false => second,
        }
    }

    fn improve(&self, mut choice: Choice, hammocks: &[(u32, Guard, Vec<usize>)]) -> (Choice, f64) {
        let walk = |trial: &Trial| self.walk(trial, &choice);
        let all = self.launches.iter();
        let mut counts: Vec<Vec<Count>> = all.map(|l| l.iter().map(walk).collect()).collect();
        let mut best = self.mean(&counts);
        let mut attempt = |choice: &Choice, function: usize| {
            let mut other = counts.clone();
            for (launch, counts) in self.launches.iter().zip(&mut other) {
                for (trial, count) in launch.iter().zip(counts) {
                    if trial.visits[function] {
                        *count = self.walk(trial, choice);
                    }
                }
            }
            let mean = self.mean(&other);
            let better = mean < best * (1.0 - MARGIN);
            if better {
                (counts, best) = (other, mean);
            }
            better
        };
        for _ in 0..2 {
            let mut changed = false;
            for number in 0..self.all.len() {
                let function = self.all[number].function;
                choice.tokens[number] = !choice.tokens[number];
                if attempt(&choice, function) {
                    changed = true;
                    continue;
                }
                let computed = self.places.computed_for(number);
                if choice.tokens[number] && !computed.is_empty() {
                    // In the other form it may pay.
                    let mut other = choice.clone();
                    computed.iter().for_each(|&edge| other.around[edge] ^= true);
                    if attempt(&other, function) {
                        (choice, changed) = (other, true);
                        continue;
                    }
                }
                choice.tokens[number] = !choice.tokens[number];
            }
            for edge in self.computed(&choice.clone()) {
                choice.around[edge] = !choice.around[edge];
                match attempt(&choice, self.machine.edges[edge].0) {
                    true => changed = true,
                    false => choice.around[edge] = !choice.around[edge],
                }
            }
            for (node, guard, tokens) in hammocks {
                let mut other = choice.clone();
                match other.predicated[*node as usize] {
                    Some(_) => other.predicated[*node as usize] = None,
                    None => {
                        other.predicated[*node as usize] = Some(*guard);
                        tokens.iter().for_each(|&n| other.tokens[n] = false);
                    }
                }
                let function = self.machine.nodes[*node as usize].function;
                if attempt(&other, function) {
                    choice = other;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        (choice, best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A launch of so many warps, and what the time of it is if its trials count this: instructions that change nothing
    /// but data, and others.
    fn launch(warps: f64, counts: &[(f64, f64)]) -> f64 {
        let trial = |_| Trial {
            paths: Paths::default(),
            rest: 0.0,
            warps,
            visits: Vec::new(),
            nothing: Count::default(),
        };
        let trials: Vec<Trial> = counts.iter().map(trial).collect();
        let counts = counts
            .iter()
            .map(|&(plain, resolved)| Count { plain, resolved });
        time(&trials, counts)
    }

    /// COMP-070, COMP-077.
    #[test]
    fn the_time_of_a_launch() {
        // A lone warp: 3 cycles for each instruction, 13 where the convergence unit is asked.
        assert_eq!(launch(1.0, &[(100.0, 10.0)]), 430.0);
        // Three such warps issue at most one instruction in a cycle; six take twice as long.
        assert_eq!(launch(3.0, &[(100.0, 0.0)]), 300.0);
        assert_eq!(launch(6.0, &[(100.0, 0.0)]), 600.0);
        // Two kinds of three warps each: together 2 a cycle until the short ones end, then as fast as alone.
        assert_eq!(launch(6.0, &[(100.0, 0.0), (300.0, 0.0)]), 600.0 + 600.0);
        // What issues little is not slowed: the longer one takes as long as alone.
        assert_eq!(launch(2.0, &[(0.0, 10.0), (0.0, 40.0)]), 520.0);
        assert_eq!(launch(1.0, &[]), 0.0);
    }

    /// COMP-077: a check ends after some times as many steps as it may take, however much is given.
    #[test]
    fn checks_are_short() {
        let (paths, long) = (32 * 33, 20_000);
        for given in [1, 2, 5, 64, 103, 500, 900, 947] {
            let most = shorter(paths * long, paths, given).unwrap_or(long);
            let (mut left, mut work) = (given, 0);
            while left > 0 {
                work += paths * most * left;
                left -= at_once(work, left);
            }
            assert!(work <= 4 * CHECK_WORK, "{given} of {most} steps: {work}");
        }
        // What is small is looked at whole, one thing after the other.
        assert_eq!(shorter(1_000_000, paths, 100), None);
        assert_eq!(at_once(CHECK_WORK - 1, 100), 1);
        assert_eq!(at_once(CHECK_WORK, 101), 51);
        // Paths become no shorter than makes sense.
        assert_eq!(shorter(100 * long, 100, 1_000_000), Some(SHORT));
    }
}
