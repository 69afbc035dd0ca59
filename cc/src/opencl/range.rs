//! NDRanges and the values of arguments: what a launch needs beside the executable (CL-011, CL-012, CL-014).

use super::program::{Kernel, Kind};
use super::{ARGUMENTS, LOCAL_ALIGN};
use crate::SCRATCHPAD;

/// Work-groups along one direction of one launch (TASK-030).
const MOST_GROUPS: u64 = 65_535;
/// Work-items of one launch.
const MOST_ITEMS: u64 = (1 << 32) - 1;

/// An NDRange; the global size is a multiple of the local one in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// 1 to 3.
    pub dimensions: u32,
    pub offset: [u32; 3],
    pub global: [u32; 3],
    pub local: [u32; 3],
}

/// What is given for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of a value: its bytes, as many as the argument has.
    Bytes(&'a [u8]),
    /// Of a pointer to global or constant memory; 0: NULL.
    Address(u32),
    /// Of a pointer to local memory: how many bytes.
    Local(u32),
}

/// One launch of a range; most ranges are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Goes into global memory, at a multiple of [`super::BLOCK_ALIGN`]; its address is the launch's argument.
    pub block: Vec<u8>,
    pub ctas: [u32; 3],
    pub threads: [u32; 3],
    /// Bytes of the scratchpad of a CTA.
    pub scratchpad: u32,
    /// Bytes of stack of a thread, at least.
    pub private: u32,
}

impl Range {
    /// From sizes for each dimension, without an offset. Without a local size groups are the largest divisors up to 64
    /// work-items, along x first.
    ///
    /// # Errors
    /// Not 1 to 3 dimensions, a size of 0, or a global size that is no multiple of the local one.
    pub fn of(global: &[u32], local: Option<&[u32]>) -> Result<Range, String> {
        let three = |sizes: &[u32]| {
            let mut all = [1; 3];
            all[..sizes.len()].copy_from_slice(sizes);
            all
        };
        if !(1..=3).contains(&global.len()) {
            return Err(format!("{} dimensions; there are 1 to 3", global.len()));
        }
        if let Some(local) = local {
            if local.len() != global.len() {
                let (global, local) = (global.len(), local.len());
                return Err(format!("{global} global sizes and {local} local ones"));
            }
        }
        let global_size = three(global);
        let range = Range {
            dimensions: global.len() as u32,
            offset: [0; 3],
            global: global_size,
            local: match local {
                Some(local) => three(local),
                None => Range::some_local(global_size, 64),
            },
        };
        range.check()?;
        Ok(range)
    }

    pub fn with_offset(self, offset: [u32; 3]) -> Range {
        Range { offset, ..self }
    }

    /// A local size that divides the global one, with `most` work-items at most: the largest along x, then y, then z.
    pub fn some_local(global: [u32; 3], most: u32) -> [u32; 3] {
        let mut left = most.max(1);
        global.map(|size| {
            let size = (1..=left.min(size.max(1))).rev().find(|n| size % n == 0);
            let size = size.unwrap_or(1);
            left /= size;
            size
        })
    }

    /// # Errors
    /// What is wrong with the range.
    pub fn check(&self) -> Result<(), String> {
        for (direction, name) in ["x", "y", "z"].iter().enumerate() {
            let (global, local) = (self.global[direction], self.local[direction]);
            if global == 0 || local == 0 {
                return Err(format!("a size of 0 along {name}"));
            }
            if global % local != 0 {
                return Err(format!(
                    "{global} work-items along {name} are no multiple of the work-group's {local}"
                ));
            }
            let offset = self.offset[direction];
            if global.checked_add(offset).is_none() {
                return Err(format!(
                    "{global} work-items along {name} from {offset} on: global ids have 32 bits"
                ));
            }
        }
        Ok(())
    }

    /// Work-groups along each direction.
    pub fn groups(&self) -> [u32; 3] {
        std::array::from_fn(|d| self.global[d] / self.local[d])
    }

    /// Work-items of a group.
    pub fn group_size(&self) -> u64 {
        self.local.iter().map(|n| u64::from(*n)).product()
    }

    /// First group, and groups, of each launch (CL-011).
    fn parts(&self) -> Vec<([u32; 3], [u32; 3])> {
        let groups = self.groups();
        let group = self.group_size().max(1);
        // Along x, y, z as many as fit.
        let mut left = (MOST_ITEMS / group).max(1);
        let most: [u64; 3] = std::array::from_fn(|d| {
            let most = u64::from(groups[d]).min(MOST_GROUPS).min(left);
            left /= most;
            most
        });
        let steps = |d: usize| (0..u64::from(groups[d])).step_by(most[d] as usize);
        let mut parts = Vec::new();
        for z in steps(2) {
            for y in steps(1) {
                for x in steps(0) {
                    let first = [x, y, z];
                    let count = |d: usize| most[d].min(u64::from(groups[d]) - first[d]) as u32;
                    parts.push((first.map(|n| n as u32), [count(0), count(1), count(2)]));
                }
            }
        }
        parts
    }
}

/// A range of a kernel whose sizes and values are right: what is left to be told is where buffers lie.
#[derive(Clone, Debug)]
pub struct Plan<'k> {
    kernel: &'k Kernel,
    range: Range,
    /// The struct of the arguments.
    arguments: Vec<u8>,
    /// Bytes of the scratchpad of a CTA.
    pub scratchpad: u32,
}

impl Plan<'_> {
    /// The address of the buffer that is given for an argument, by its number.
    pub fn place(&mut self, argument: usize, address: u32) {
        let argument = self.kernel.arguments.get(argument);
        let is_buffer = |kind| matches!(kind, Kind::GlobalPointer | Kind::ConstantPointer);
        if let Some(argument) = argument.filter(|argument| is_buffer(argument.kind)) {
            let at = (argument.offset - ARGUMENTS) as usize;
            self.arguments[at..at + 4].copy_from_slice(&address.to_le_bytes());
        }
    }

    /// With their blocks.
    pub fn launches(&self) -> Vec<Launch> {
        let range = &self.range;
        let groups = range.groups();
        let launch = |(first, ctas): ([u32; 3], [u32; 3])| {
            let base = |d: usize| range.offset[d].wrapping_add(first[d] * range.local[d]);
            let base = [base(0), base(1), base(2)];
            let rows = [range.global, range.offset, groups, first, base];
            let words = std::iter::once(range.dimensions).chain(rows.into_iter().flatten());
            let mut block: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            block.resize(ARGUMENTS as usize, 0);
            block.extend(&self.arguments);
            Launch {
                block,
                ctas,
                threads: range.local,
                scratchpad: self.scratchpad,
                private: self.kernel.private_bytes,
            }
        };
        range.parts().into_iter().map(launch).collect()
    }
}

impl Kernel {
    /// Checks sizes and values, and makes the blocks.
    ///
    /// # Errors
    /// In one line, which argument or size is wrong.
    pub fn launches(&self, range: &Range, values: &[Value]) -> Result<Vec<Launch>, String> {
        Ok(self.plan(range, values)?.launches())
    }

    /// Checks sizes and values.
    ///
    /// # Errors
    /// In one line, which argument or size is wrong.
    pub fn plan(&self, range: &Range, values: &[Value]) -> Result<Plan<'_>, String> {
        range.check()?;
        if let Some(required) = self.required_size.filter(|size| *size != range.local) {
            let (have, want) = (range.local, required);
            return Err(format!(
                "{}: work-groups of {}x{}x{}, and the kernel requires {}x{}x{}",
                self.name, have[0], have[1], have[2], want[0], want[1], want[2]
            ));
        }
        let (arguments, scratchpad) = self.lay_out(values)?;
        Ok(Plan {
            kernel: self,
            range: *range,
            arguments,
            scratchpad,
        })
    }

    /// The struct of the arguments, and bytes of scratchpad.
    fn lay_out(&self, values: &[Value]) -> Result<(Vec<u8>, u32), String> {
        if values.len() != self.arguments.len() {
            let (have, want) = (values.len(), self.arguments.len());
            return Err(format!("{}: {have} values for {want} arguments", self.name));
        }
        let size = self.block_size.saturating_sub(ARGUMENTS);
        let mut bytes = vec![0; size as usize];
        let mut local = self.local_bytes;
        for (argument, value) in self.arguments.iter().zip(values) {
            let wrong = |want: &str| {
                let (kernel, name, ty) = (&self.name, &argument.name, &argument.type_name);
                Err(format!("{kernel}: argument `{name}`, {ty}: {want}"))
            };
            let at = (argument.offset - ARGUMENTS) as usize;
            let word;
            let given: &[u8] = match (argument.kind, value) {
                (Kind::Value, Value::Bytes(bytes)) => match bytes.len() == argument.size as usize {
                    true => bytes,
                    false => {
                        return wrong(&format!(
                            "{} bytes, {} were given",
                            argument.size,
                            bytes.len()
                        ))
                    }
                },
                (Kind::GlobalPointer | Kind::ConstantPointer, Value::Address(address)) => {
                    word = address.to_le_bytes();
                    &word
                }
                (Kind::LocalPointer, Value::Local(more)) => {
                    local = local.next_multiple_of(LOCAL_ALIGN);
                    word = (SCRATCHPAD + local).to_le_bytes();
                    local = match local.checked_add(*more) {
                        Some(local) => local,
                        None => return wrong("more local memory than there can be"),
                    };
                    &word
                }
                (Kind::Value, _) => return wrong("a value is wanted"),
                (Kind::LocalPointer, _) => return wrong("a number of bytes is wanted"),
                (_, _) => return wrong("a buffer is wanted"),
            };
            bytes[at..at + given.len()].copy_from_slice(given);
        }
        Ok((bytes, local.next_multiple_of(4)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::program::{Access, AddressSpace, Argument};
    use super::*;

    fn argument(name: &str, kind: Kind, offset: u32, size: u32) -> Argument {
        Argument {
            name: name.into(),
            type_name: "T".into(),
            base_type_name: "T".into(),
            address_space: AddressSpace::Private,
            access: Access::None,
            is_const: false,
            is_restrict: false,
            is_volatile: false,
            kind,
            offset: ARGUMENTS + offset,
            size,
            align: size,
        }
    }

    fn kernel() -> Kernel {
        Kernel {
            name: "k".into(),
            arguments: vec![
                argument("a", Kind::GlobalPointer, 0, 4),
                argument("l", Kind::LocalPointer, 4, 4),
                argument("m", Kind::LocalPointer, 8, 4),
                argument("n", Kind::Value, 16, 8),
            ],
            block_size: ARGUMENTS + 24,
            local_bytes: 100,
            ..Kernel::default()
        }
    }

    #[test]
    fn a_block_is_as_the_page_says() {
        let range = Range::of(&[12, 10], Some(&[3, 5])).unwrap();
        let range = range.with_offset([7, 8, 9]);
        let eight = 0x0102_0304_0506_0708u64.to_le_bytes();
        let values = [
            Value::Address(0x4000),
            Value::Local(5),
            Value::Local(8),
            Value::Bytes(&eight),
        ];
        let launches = kernel().launches(&range, &values).unwrap();
        assert_eq!(launches.len(), 1);
        let launch = &launches[0];
        assert_eq!((launch.ctas, launch.threads), ([4, 2, 1], [3, 5, 1]));
        assert_eq!(launch.scratchpad, 256 + 8);
        let words: Vec<u32> = launch
            .block
            .chunks(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
            .collect();
        let head = [2, 12, 10, 1, 7, 8, 9, 4, 2, 1, 0, 0, 0, 7, 8, 9];
        assert_eq!(words[..16], head);
        assert!(words[16..32].iter().all(|word| *word == 0));
        assert_eq!(
            words[32..],
            [
                0x4000,
                0xd000_0080,
                0xd000_0100,
                0,
                0x0506_0708,
                0x0102_0304
            ]
        );
    }

    #[test]
    fn a_plan_that_is_told_its_buffers_is_what_launches_are() {
        let range = Range::of(&[12], Some(&[3])).unwrap();
        let values = |address| {
            [
                Value::Address(address),
                Value::Local(5),
                Value::Local(8),
                Value::Bytes(&[7; 8]),
            ]
        };
        let kernel = kernel();
        let mut plan = kernel.plan(&range, &values(0)).unwrap();
        plan.place(0, 0x4000);
        // What is no buffer has no address.
        (1..5).for_each(|argument| plan.place(argument, 0x5555));
        let want = kernel.launches(&range, &values(0x4000)).unwrap();
        assert_eq!(plan.launches(), want);
        assert_eq!(plan.scratchpad, want[0].scratchpad);
    }

    #[test]
    fn large_ranges_are_several_launches_that_cover_each_group_once() {
        let range = Range::of(&[200_000, 3], Some(&[1, 1])).unwrap();
        let launches = Kernel::default().launches(&range, &[]).unwrap();
        let word = |launch: &Launch, at: usize| {
            u32::from_le_bytes(launch.block[at..at + 4].try_into().unwrap())
        };
        let mut next = 0;
        for launch in &launches {
            assert!(launch.ctas.iter().all(|n| *n <= 65_535));
            assert_eq!(word(launch, 28), 200_000);
            assert_eq!(word(launch, 40), next);
            assert_eq!(word(launch, 52), next);
            next += launch.ctas[0];
        }
        assert_eq!(next, 200_000);
        let items: u64 = launches
            .iter()
            .map(|l| u64::from(l.ctas[0] * l.ctas[1]))
            .sum();
        assert_eq!(items, 600_000);
        // More than 2^32 work-items.
        let range = Range::of(&[1 << 31, 4], Some(&[256, 1])).unwrap();
        let launches = Kernel::default().launches(&range, &[]).unwrap();
        let ctas = |l: &Launch| l.ctas.iter().map(|n| u64::from(*n)).product::<u64>();
        assert!(launches.iter().all(|l| ctas(l) * 256 < 1 << 32));
        assert_eq!(launches.iter().map(ctas).sum::<u64>(), 1 << 25);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        assert!(Range::of(&[10], Some(&[3]))
            .unwrap_err()
            .contains("no multiple"));
        assert!(Range::of(&[], None).unwrap_err().contains("0 dimensions"));
        assert!(Range::of(&[4, 0], None).unwrap_err().contains("along y"));
        assert!(Range::of(&[4, 4], Some(&[4])).is_err());
        let range = Range::of(&[8], None).unwrap();
        let last = range.with_offset([u32::MAX - 8, 0, 0]);
        assert_eq!(last.check(), Ok(()));
        let error = range.with_offset([u32::MAX - 7, 0, 0]).check().unwrap_err();
        assert!(error.contains("along x from 4294967288"), "{error}");
        let error = kernel().launches(&range, &[]).unwrap_err();
        assert!(error.contains("0 values for 4 arguments"), "{error}");
        let values = [
            Value::Address(0),
            Value::Local(4),
            Value::Address(4),
            Value::Bytes(&[0; 8]),
        ];
        let error = kernel().launches(&range, &values).unwrap_err();
        assert!(error.contains("`m`") && error.contains("bytes"), "{error}");
        let required = Kernel {
            required_size: Some([4, 1, 1]),
            ..Kernel::default()
        };
        let error = required.launches(&range, &[]).unwrap_err();
        assert!(error.contains("requires 4x1x1"), "{error}");
    }

    #[test]
    fn groups_are_divisors() {
        assert_eq!(Range::some_local([61, 1, 1], 64), [61, 1, 1]);
        assert_eq!(Range::some_local([67, 6, 1], 64), [1, 6, 1]);
        assert_eq!(Range::some_local([1024, 1024, 8], 64), [64, 1, 1]);
        assert_eq!(Range::some_local([6, 6, 6], 64), [6, 6, 1]);
    }
}
