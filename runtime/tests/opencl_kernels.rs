//! kernels/opencl/ on the golden GPU against Rust: sizes of any kind, groups that are no multiple of the warp.

mod opencl_device;

use opencl_device::{address, compiled, Device, WIDTH};
use std::path::Path;
use weft_cc::opencl::{Program, Range, Value};
use weft_cc::Float;
use weft_driver::Buffer;

/// 1, primes, the width of a warp and its neighbours.
const SIZES: [u32; 7] = [
    1,
    2,
    WIDTH as u32 - 1,
    WIDTH as u32,
    WIDTH as u32 + 1,
    61,
    101,
];

fn program(file: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../kernels/opencl")
        .join(file);
    let text = std::fs::read_to_string(path).unwrap();
    compiled(file, &text, Float::Hard)
}

/// Numbers that are always the same.
fn noise(n: u32, seed: u32) -> Vec<u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..n).map(|_| next()).collect()
}

fn floats(n: u32, seed: u32) -> Vec<f32> {
    let between = |word: &u32| (word >> 8) as f32 / 4096.0 / 1024.0 - 1.5;
    noise(n, seed).iter().map(between).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn of_bits(words: &[u32]) -> Vec<f32> {
    words.iter().map(|word| f32::from_bits(*word)).collect()
}

/// To so many parts of the largest.
fn near(seen: &[u32], want: &[f64], what: &str) {
    assert_eq!(seen.len(), want.len(), "{what}");
    let scale = want.iter().fold(1.0f64, |most, v| most.max(v.abs()));
    for (at, (seen, want)) in of_bits(seen).iter().zip(want).enumerate() {
        let error = (f64::from(*seen) - want).abs() / scale;
        assert!(
            error < 2e-6,
            "{what}: element {at} is {seen}, must be {want}"
        );
    }
}

/// Groups for at least `n` work-items.
fn over(n: u32, group: u32) -> Range {
    Range::of(&[n.next_multiple_of(group)], Some(&[group])).unwrap()
}

struct Test {
    device: Device,
    program: Program,
}

impl Test {
    fn of(file: &str) -> Test {
        Test {
            device: Device::new(),
            program: program(file),
        }
    }

    fn run(&mut self, kernel: &str, range: Range, values: &[Value]) {
        let kernel = self
            .program
            .kernel(kernel)
            .unwrap_or_else(|| panic!("{kernel}"));
        let module = self.device.module(kernel);
        self.device.run(kernel, module, range, values);
    }

    fn buffer(&mut self, words: &[u32]) -> Buffer {
        self.device.buffer(words)
    }

    fn read(&mut self, buffer: Buffer) -> Vec<u32> {
        self.device.read(buffer)
    }
}

#[test]
fn elements_one_by_one() {
    let mut t = Test::of("basic.cl");
    for (number, n) in SIZES.into_iter().enumerate() {
        let group = [1, 3, 7, 16, 61, 64, 13][number];
        let (a, b) = (noise(n, 1), noise(n, 2));
        let (x, y) = (floats(n, 3), floats(n, 4));
        let count = n.to_le_bytes();
        let n_value = Value::Bytes(&count);
        let [at_a, at_b] = [&a, &b].map(|words| t.buffer(words));
        let at_c = t.buffer(&vec![7; n as usize]);
        t.run(
            "vecadd",
            over(n, group),
            &[address(at_c), address(at_a), address(at_b), n_value],
        );
        let sums: Vec<u32> = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
        assert_eq!(t.read(at_c), sums, "{n}");

        let factor = 2.5f32.to_le_bytes();
        let want: Vec<f64> = x
            .iter()
            .zip(&y)
            .map(|(x, y)| 2.5 * f64::from(*x) + f64::from(*y))
            .collect();
        let at_x = t.buffer(&bits(&x));
        for (kernel, items) in [("saxpy", n), ("saxpy4", n.div_ceil(4))] {
            let at_y = t.buffer(&bits(&y));
            let values = [address(at_y), address(at_x), Value::Bytes(&factor), n_value];
            t.run(kernel, over(items, group), &values);
            near(&t.read(at_y), &want, kernel);
        }
        t.run("stride", over(5, 5), &[address(at_c), n_value]);
        assert_eq!(t.read(at_c), (0..n).map(|i| i * i + 1).collect::<Vec<_>>());
    }
}

#[test]
fn options_and_the_nearest_centre() {
    let mut t = Test::of("basic.cl");
    let n = 67;
    let positive = |seed| {
        floats(n, seed)
            .iter()
            .map(|v| 30.0 + 10.0 * v)
            .collect::<Vec<f32>>()
    };
    let (stock, strike, years) = (positive(1), positive(2), positive(3));
    let years: Vec<f32> = years.iter().map(|v| v / 20.0).collect();
    let [s, x, y] = [&stock, &strike, &years].map(|values| t.buffer(&bits(values)));
    let price = t.buffer(&vec![0; 2 * n as usize]);
    let (rate, volatility, count) = (0.02f32.to_le_bytes(), 0.3f32.to_le_bytes(), n.to_le_bytes());
    let values = [
        address(price),
        address(s),
        address(x),
        address(y),
        Value::Bytes(&rate),
        Value::Bytes(&volatility),
        Value::Bytes(&count),
    ];
    t.run("black_scholes", over(n, 9), &values);
    let normal = |x: f64| {
        let k = 1.0 / (1.0 + 0.2316419 * x.abs());
        let series = [
            1.330274429,
            -1.821255978,
            1.781477937,
            -0.356563782,
            0.319381530,
        ];
        let p = series.iter().fold(0.0, |sum, c| c + k * sum) * k;
        let v = 1.0 - 0.3989422804 * (-0.5 * x * x).exp() * p;
        if x < 0.0 {
            1.0 - v
        } else {
            v
        }
    };
    let mut want = Vec::new();
    for i in 0..n as usize {
        let [s, x, t] = [&stock, &strike, &years].map(|values| f64::from(values[i]));
        let (r, v) = (f64::from(0.02f32), f64::from(0.3f32));
        let d1 = ((s / x).ln() + (r + 0.5 * v * v) * t) / (v * t.sqrt());
        let (d2, later) = (d1 - v * t.sqrt(), x * (-r * t).exp());
        want.push(s * normal(d1) - later * normal(d2));
        want.push(later * normal(-d2) - s * normal(-d1));
    }
    near(&t.read(price), &want, "black_scholes");

    let (points, centres) = (floats(2 * n, 5), floats(2 * 5, 6));
    let [p, c] = [&points, &centres].map(|values| t.buffer(&bits(values)));
    let which = t.buffer(&vec![99; n as usize]);
    let five = 5u32.to_le_bytes();
    let values = [
        address(which),
        address(p),
        address(c),
        Value::Bytes(&count),
        Value::Bytes(&five),
    ];
    t.run("nearest", over(n, 13), &values);
    let distance = |a: &[f32], b: &[f32]| {
        (0..2)
            .map(|d| (f64::from(a[d]) - f64::from(b[d])).powi(2))
            .sum::<f64>()
    };
    let best = |p: &[f32]| {
        let all: Vec<f64> = centres.chunks(2).map(|c| distance(p, c)).collect();
        (0..5).min_by(|a, b| all[*a].total_cmp(&all[*b])).unwrap() as u32
    };
    assert_eq!(
        t.read(which),
        points.chunks(2).map(best).collect::<Vec<_>>()
    );
}

#[test]
fn products_of_matrices_and_transposes() {
    let mut t = Test::of("matrix.cl");
    for (m, n, k) in [(1, 1, 1), (7, 9, 8), (13, 17, 5), (16, 8, 19)] {
        let (a, b) = (floats(m * k, 1), floats(k * n, 2));
        let element = |y: u32, x: u32| {
            let term =
                |i: u32| f64::from(a[(y * k + i) as usize]) * f64::from(b[(i * n + x) as usize]);
            (0..k).map(term).sum::<f64>()
        };
        let want: Vec<f64> = (0..m)
            .flat_map(|y| (0..n).map(move |x| (y, x)))
            .map(|(y, x)| element(y, x))
            .collect();
        let [at_a, at_b] = [&a, &b].map(|values| t.buffer(&bits(values)));
        let sizes = [m, n, k].map(u32::to_le_bytes);
        for (kernel, global, local) in [
            (
                "sgemm",
                [n.next_multiple_of(5), m.next_multiple_of(3)],
                [5, 3],
            ),
            ("sgemm_tiled", [n, m].map(|v| v.next_multiple_of(8)), [8, 8]),
            ("sgemm_rows", [n.div_ceil(4), m], [1, m]),
        ] {
            let c = t.buffer(&vec![0; (m * n) as usize]);
            let [m, n, k] = [0, 1, 2].map(|d: usize| Value::Bytes(&sizes[d]));
            let range = Range::of(&global, Some(&local)).unwrap();
            t.run(
                kernel,
                range,
                &[address(c), address(at_a), address(at_b), m, n, k],
            );
            near(&t.read(c), &want, kernel);
        }
        let words = noise(m * n, 3);
        let from = t.buffer(&words);
        let to = t.buffer(&vec![0; (m * n) as usize]);
        let size = 5;
        let range = Range::of(
            &[n, m].map(|v| v.next_multiple_of(size)),
            Some(&[size, size]),
        )
        .unwrap();
        let tile = Value::Local(4 * size * (size + 1));
        let values = [
            address(to),
            address(from),
            tile,
            Value::Bytes(&sizes[1]),
            Value::Bytes(&sizes[0]),
        ];
        t.run("transpose", range, &values);
        let turned = |at: u32| words[(at % m * n + at / m) as usize];
        assert_eq!(
            t.read(to),
            (0..m * n).map(turned).collect::<Vec<_>>(),
            "{m} x {n}"
        );
    }
}

/// Rows of 0 to 6 elements.
fn graph(n: u32) -> (Vec<u32>, Vec<u32>) {
    let mut rows = vec![0];
    let mut columns = Vec::new();
    for (row, word) in noise(n, 9).iter().enumerate() {
        columns.extend(noise(word % 7, row as u32 + 1).iter().map(|w| w % n));
        rows.push(columns.len() as u32);
    }
    (rows, columns)
}

#[test]
fn sparse_rows_and_levels_of_a_graph() {
    let n = 97;
    let (rows, columns) = graph(n);
    let count = n.to_le_bytes();
    let mut t = Test::of("matrix.cl");
    let (values, x) = (floats(columns.len() as u32, 1), floats(n, 2));
    let [at_rows, at_columns] = [&rows, &columns].map(|words| t.buffer(words));
    let [at_values, at_x] = [&values, &x].map(|values| t.buffer(&bits(values)));
    let y = t.buffer(&vec![0; n as usize]);
    let given = [y, at_rows, at_columns, at_values, at_x].map(address);
    t.run(
        "spmv",
        over(n, 11),
        &[&given[..], &[Value::Bytes(&count)]].concat(),
    );
    let row = |i: usize| {
        let term =
            |at: u32| f64::from(values[at as usize]) * f64::from(x[columns[at as usize] as usize]);
        (rows[i]..rows[i + 1]).map(term).sum::<f64>()
    };
    near(
        &t.read(y),
        &(0..n as usize).map(row).collect::<Vec<_>>(),
        "spmv",
    );

    let mut t = Test::of("group.cl");
    let mut want = vec![u32::MAX; n as usize];
    want[0] = 0;
    let start = want.clone();
    for now in 0.. {
        let reached: Vec<_> = (0..n as usize).filter(|i| want[*i] == now).collect();
        if reached.is_empty() {
            break;
        }
        for i in reached {
            for at in rows[i]..rows[i + 1] {
                let level = &mut want[columns[at as usize] as usize];
                *level = (*level).min(now + 1);
            }
        }
    }
    let [at_rows, at_columns] = [&rows, &columns].map(|words| t.buffer(words));
    let level = t.buffer(&start);
    let more = t.buffer(&[0]);
    for now in 0u32.. {
        t.device.gpu.write_words(more, 0, &[0]).unwrap();
        let now = now.to_le_bytes();
        let given = [level, at_rows, at_columns, more].map(address);
        let rest = [Value::Bytes(&now), Value::Bytes(&count)];
        t.run("bfs", over(n, 10), &[&given[..], &rest].concat());
        if t.read(more) == [0] {
            break;
        }
    }
    assert_eq!(t.read(level), want);
}

#[test]
fn sums_scans_counts_and_sorting_within_groups() {
    let mut t = Test::of("group.cl");
    for (number, n) in SIZES.into_iter().enumerate() {
        let group = [1, 5, 8, 61, 64, 7, 33][number];
        let range = over(n, group);
        let groups = range.groups()[0];
        let words = noise(n, 7);
        let count = n.to_le_bytes();
        let n_value = Value::Bytes(&count);
        let from = t.buffer(&words);
        let sums = t.buffer(&vec![0; groups as usize]);
        let part = Value::Local(4 * group);
        t.run(
            "reduce",
            range,
            &[address(sums), address(from), part, n_value],
        );
        let sum = |part: &[u32]| part.iter().fold(0u32, |sum, w| sum.wrapping_add(*w));
        let want: Vec<u32> = words.chunks(group as usize).map(sum).collect();
        assert_eq!(t.read(sums), want, "{n} by {group}");

        let to = t.buffer(&vec![0; n as usize]);
        t.run(
            "scan",
            range,
            &[address(to), address(from), part, part, n_value],
        );
        let scanned = |part: &[u32]| {
            let up_to = |at: usize| sum(&part[..=at]);
            (0..part.len()).map(up_to).collect::<Vec<_>>()
        };
        let want: Vec<u32> = words.chunks(group as usize).flat_map(scanned).collect();
        assert_eq!(t.read(to), want, "{n} by {group}");

        let counts = t.buffer(&[0; 256]);
        let bytes = 4 * n - 1;
        let count = bytes.to_le_bytes();
        t.run(
            "histogram",
            range,
            &[address(counts), address(from), Value::Bytes(&count)],
        );
        let mut want = vec![0u32; 256];
        let all = words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .take(bytes as usize);
        all.for_each(|byte| want[usize::from(byte)] += 1);
        assert_eq!(t.read(counts), want, "{n} by {group}");

        let whole = noise(groups * group, 8);
        let [from, to] = [&whole, &vec![0; whole.len()]].map(|words| t.buffer(words));
        t.run("rank_sort", range, &[address(to), address(from), part]);
        let mut want: Vec<i32> = whole.iter().map(|w| *w as i32).collect();
        want.chunks_mut(group as usize)
            .for_each(<[i32]>::sort_unstable);
        assert_eq!(
            t.read(to),
            want.iter().map(|w| *w as u32).collect::<Vec<_>>()
        );
    }
    let words = noise(64, 5);
    let a = t.buffer(&words);
    for log in 1..=6 {
        for step in (0..log).rev() {
            let [distance, block] = [1u32 << step, 1 << log].map(u32::to_le_bytes);
            let values = [address(a), Value::Bytes(&distance), Value::Bytes(&block)];
            t.run("bitonic", over(32, 8), &values);
        }
    }
    let mut want = words;
    want.sort_unstable();
    assert_eq!(t.read(a), want);
}

#[test]
fn neighbours_in_one_to_three_dimensions() {
    let mut t = Test::of("grid.cl");
    for (w, h, local) in [
        (1, 1, [1, 1]),
        (14, 6, [7, 3]),
        (9, 26, [9, 2]),
        (8, 8, [8, 8]),
    ] {
        let words = noise(w * h, 1);
        let [from, to] = [&words, &vec![0; words.len()]].map(|words| t.buffer(words));
        let range = Range::of(&[w, h], Some(&local)).unwrap();
        t.run("stencil", range, &[address(to), address(from)]);
        let at = |x: i64, y: i64| match x >= 0 && y >= 0 && x < i64::from(w) && y < i64::from(h) {
            true => words[(y * i64::from(w) + x) as usize],
            false => 0,
        };
        let element = |n: u32| {
            let (x, y) = (i64::from(n % w), i64::from(n / w));
            let around = [at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1)];
            around
                .iter()
                .fold(at(x, y).wrapping_mul(4), |sum, v| sum.wrapping_sub(*v))
        };
        assert_eq!(
            t.read(to),
            (0..w * h).map(element).collect::<Vec<_>>(),
            "{w} x {h}"
        );
    }
    for (size, local) in [
        ([5, 4, 3], [5, 2, 3]),
        ([3, 7, 2], [1, 7, 1]),
        ([1, 1, 9], [1, 1, 3]),
    ] {
        let [w, h, d] = size;
        let values = floats(w * h * d, 2);
        let [from, to] = [&bits(&values), &vec![0; values.len()]].map(|words| t.buffer(words));
        let range = Range::of(&size, Some(&local)).unwrap();
        t.run("blur3", range, &[address(to), address(from)]);
        let near_by = |n: u32, most: u32| {
            (n.saturating_sub(1)..=n + 1)
                .map(move |v| v.min(most - 1))
                .collect::<Vec<_>>()
        };
        let three = |n: u32, most: u32| {
            let mut all = near_by(n, most);
            if n == 0 {
                all.insert(0, 0);
            }
            all
        };
        let element = |at: u32| {
            let (x, y, z) = (at % w, at / w % h, at / w / h);
            let mut sum = 0.0;
            for z in three(z, d) {
                for y in three(y, h) {
                    for x in three(x, w) {
                        sum += f64::from(values[((z * h + y) * w + x) as usize]);
                    }
                }
            }
            sum / 27.0
        };
        near(
            &t.read(to),
            &(0..w * h * d).map(element).collect::<Vec<_>>(),
            "blur3",
        );
    }
    for (number, n) in SIZES.into_iter().enumerate() {
        let group = [1, 2, 7, 9, 16, 61, 50][number];
        let (values, filter) = (floats(n, 3), floats(5, 4));
        let [from, weights] = [&values, &filter].map(|values| t.buffer(&bits(values)));
        let to = t.buffer(&vec![0; n as usize]);
        let count = n.to_le_bytes();
        let given = [
            address(to),
            address(from),
            address(weights),
            Value::Local(4 * (group + 4)),
            Value::Bytes(&count),
        ];
        t.run("convolution", over(n, group), &given);
        let at = |i: i64| {
            values
                .get(usize::try_from(i).unwrap_or(usize::MAX))
                .map_or(0.0, |v| f64::from(*v))
        };
        let element = |i: u32| {
            (0..5)
                .map(|k| f64::from(filter[k]) * at(i64::from(i) + k as i64 - 2))
                .sum()
        };
        near(
            &t.read(to),
            &(0..n).map(element).collect::<Vec<f64>>(),
            "convolution",
        );

        let [from, costs] =
            [noise(n, 5), noise(n, 6)].map(|w| w.iter().map(|w| w % 100).collect::<Vec<u32>>());
        let [at_from, at_costs] = [&from, &costs].map(|words| t.buffer(words));
        let given = [
            address(to),
            address(at_from),
            address(at_costs),
            Value::Bytes(&count),
        ];
        t.run("pathfinder", over(n, group), &given);
        let best = |x: usize| {
            from[x.saturating_sub(1)..(x + 2).min(n as usize)]
                .iter()
                .min()
                .unwrap()
                + costs[x]
        };
        assert_eq!(t.read(to), (0..n as usize).map(best).collect::<Vec<_>>());
    }
}
