//! A picture of the control-flow graphs of a report, as SVG (COMP-103).
//!
//! Blocks stand in layers by their distance from the entry, in the order that crosses fewest edges (barycentres, a few
//! sweeps).

use crate::report::{BlockReport, FunctionReport, Report, Treatment};
use std::fmt::Write as _;

const LINE: f64 = 14.0;
const CHARACTER: f64 = 7.2;
const GAP: f64 = 46.0;
const SIDE: f64 = 28.0;
/// Lines of a block that are shown; of longer ones the beginning and the end.
const MOST_LINES: usize = 9;

struct Placed {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    text: Vec<String>,
}

impl Report {
    /// The graphs of all functions that have branches, one below the other.
    pub fn svg(&self) -> String {
        let (mut body, mut width, mut y) = (String::new(), 400.0f64, 20.0);
        for function in &self.functions {
            let (text, size) = picture(function, y);
            body += &text;
            width = width.max(size.0);
            y += size.1 + 30.0;
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{y:.0}\" viewBox=\"0 0 {width:.0} {y:.0}\">\n{STYLE}{body}</svg>\n"
        )
    }
}

const STYLE: &str = "<style>
text { font: 11px ui-monospace, monospace; fill: #24292f }
.title { font-weight: bold; font-size: 14px }
.note { fill: #57606a }
rect { fill: #f6f8fa; stroke: #8c959f; rx: 5 }
.parts { fill: #fff1e5; stroke: #bc4c00 }
.uniform { fill: #ddf4ff; stroke: #0969da }
.token { fill: #dafbe1; stroke: #1a7f37 }
.masked { fill: #fbefff; stroke: #8250df }
path { fill: none; stroke: #6e7781; stroke-width: 1.3; marker-end: url(#to) }
.taken { stroke: #0969da }
.back { stroke: #bc4c00; stroke-dasharray: 4 3 }
</style>
<rect width=\"100%\" height=\"100%\" style=\"fill:#ffffff;stroke:none\"/>
<defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#6e7781;stroke:none;marker-end:none\"/></marker></defs>
";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Layer of each block: the longest way from the entry that goes back nowhere.
fn layers(blocks: &[BlockReport]) -> Vec<usize> {
    let mut layer = vec![0; blocks.len()];
    // Depth first; an edge to a block on the way goes back.
    let (mut state, mut order) = (vec![0u8; blocks.len()], Vec::new());
    let mut open = vec![(0usize, 0usize)];
    let mut back = std::collections::HashSet::new();
    if !blocks.is_empty() {
        state[0] = 1;
    }
    while let Some((block, next)) = open.pop() {
        let Some(edges) = blocks.get(block).map(|b| &b.edges) else {
            continue;
        };
        match edges.get(next) {
            Some(&(to, _)) => {
                open.push((block, next + 1));
                if to < blocks.len() {
                    match state[to] {
                        0 => {
                            state[to] = 1;
                            open.push((to, 0));
                        }
                        1 => {
                            back.insert((block, to));
                        }
                        _ => {}
                    }
                }
            }
            None => {
                state[block] = 2;
                order.push(block);
            }
        }
    }
    for &block in order.iter().rev() {
        for &(to, _) in &blocks[block].edges {
            if to < blocks.len() && !back.contains(&(block, to)) {
                layer[to] = layer[to].max(layer[block] + 1);
            }
        }
    }
    layer
}

fn shown(block: &BlockReport) -> Vec<String> {
    let all = &block.text;
    let cut = |text: &String| match text.chars().count() > 44 {
        true => text.chars().take(43).collect::<String>() + "…",
        false => text.clone(),
    };
    if all.len() <= MOST_LINES {
        return all.iter().map(cut).collect();
    }
    let mut lines: Vec<String> = all[..MOST_LINES - 3].iter().map(cut).collect();
    lines.push(format!("… {} more", all.len() - MOST_LINES + 1));
    lines.extend(all[all.len() - 2..].iter().map(cut));
    lines
}

fn picture(function: &FunctionReport, top: f64) -> (String, (f64, f64)) {
    let blocks = &function.blocks;
    let layer = layers(blocks);
    let depth = layer.iter().max().map_or(0, |most| most + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth];
    (0..blocks.len()).for_each(|block| rows[layer[block]].push(block));
    let mut place = vec![0.0; blocks.len()];
    for sweep in 0..6 {
        for row in 0..depth {
            let at = if sweep % 2 == 0 { row } else { depth - 1 - row };
            for (order, &block) in rows[at].iter().enumerate() {
                let near = (0..blocks.len()).filter(|&other| {
                    let leads = |a: usize, b: usize| blocks[a].edges.iter().any(|&(to, _)| to == b);
                    layer[other] != at
                        && if sweep % 2 == 0 {
                            leads(other, block)
                        } else {
                            leads(block, other)
                        }
                });
                let near: Vec<f64> = near.map(|other| place[other]).collect();
                place[block] = match near.len() {
                    0 => order as f64,
                    count => near.iter().sum::<f64>() / count as f64,
                };
            }
            rows[at].sort_by(|&a, &b| place[a].total_cmp(&place[b]));
            rows[at]
                .iter()
                .enumerate()
                .for_each(|(order, &block)| place[block] = order as f64);
        }
    }
    let mut placed: Vec<Placed> = blocks
        .iter()
        .map(|block| {
            let text = shown(block);
            let longest = text
                .iter()
                .map(|line| line.chars().count())
                .max()
                .unwrap_or(0)
                .max(10);
            Placed {
                x: 0.0,
                y: 0.0,
                width: longest as f64 * CHARACTER + 16.0,
                height: (text.len() + 1) as f64 * LINE + 10.0,
                text,
            }
        })
        .collect();
    let widths: Vec<f64> = rows
        .iter()
        .map(|row| row.iter().map(|&b| placed[b].width + SIDE).sum())
        .collect();
    let widest = widths.iter().copied().fold(300.0, f64::max);
    let mut y = top + 34.0;
    for (row, width) in rows.iter().zip(&widths) {
        let mut x = 20.0 + (widest - width) / 2.0;
        let tallest = row.iter().map(|&b| placed[b].height).fold(0.0, f64::max);
        for &block in row {
            (placed[block].x, placed[block].y) = (x, y);
            x += placed[block].width + SIDE;
        }
        y += tallest + GAP;
    }
    let mut out = String::new();
    let title = escaped(&function.name);
    let about = match &function.left_alone {
        Some(why) => format!("left alone: {}", escaped(why)),
        None => function.cost.map_or(String::new(), |cost| {
            format!("{cost:.2} of the warp instructions, in the model")
        }),
    };
    let _ = writeln!(out, "<text class=\"title\" x=\"20\" y=\"{:.0}\">{title}</text><text class=\"note\" x=\"{:.0}\" y=\"{:.0}\">{about}</text>", top + 14.0, 40.0 + 9.0 * function.name.len() as f64, top + 14.0);
    for (number, block) in blocks.iter().enumerate() {
        for &(to, taken) in &block.edges {
            let from = &placed[number];
            let (x0, y0) = (
                from.x + from.width * if taken { 0.7 } else { 0.4 },
                from.y + from.height,
            );
            let Some(end) = placed.get(to) else {
                let _ = writeln!(out, "<path d=\"M{x0:.0} {y0:.0}v18\"/>");
                continue;
            };
            let (x1, y1) = (end.x + end.width / 2.0, end.y);
            let class = if taken { " class=\"taken\"" } else { "" };
            let _ = match layer[to] > layer[number] {
                true => {
                    let bend = (y1 - y0).max(20.0) / 2.0;
                    writeln!(out, "<path{class} d=\"M{x0:.0} {y0:.0}C{x0:.0} {:.0} {x1:.0} {:.0} {x1:.0} {y1:.0}\"/>", y0 + bend, y1 - bend)
                }
                false => {
                    let side = (from.x + from.width).max(end.x + end.width) + 16.0;
                    let (x2, y2) = (end.x + end.width, end.y + end.height / 2.0);
                    writeln!(out, "<path class=\"back\" d=\"M{x0:.0} {y0:.0}C{x0:.0} {:.0} {side:.0} {:.0} {side:.0} {:.0}S{side:.0} {y2:.0} {x2:.0} {y2:.0}\"/>", y0 + 26.0, y0 + 26.0, (y0 + y2) / 2.0)
                }
            };
        }
    }
    for (number, block) in placed.iter().enumerate() {
        let branch = function
            .branches
            .iter()
            .find(|branch| branch.block == number);
        let class = branch.map_or("", |branch| match (&branch.treatment, &branch.diverges) {
            (Treatment::Token { .. } | Treatment::Predicated, _) => " class=\"token\"",
            (Treatment::Masked, _) => " class=\"masked\"",
            (_, Some(_)) => " class=\"parts\"",
            _ => " class=\"uniform\"",
        });
        let why = branch.map_or(String::new(), |branch| {
            let why = branch
                .diverges
                .as_deref()
                .map_or(String::new(), |why| format!("{why}\n"));
            format!(
                "<title>{}</title>",
                escaped(&format!("{}\n{why}{}", branch.text, branch.treatment))
            )
        });
        let (first, last) = blocks[number].lines;
        let _ = writeln!(
            out,
            "<g>{why}<rect{class} x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\"/>",
            block.x, block.y, block.width, block.height
        );
        let lines = match first == last {
            true => format!("line {first}"),
            false => format!("lines {first} to {last}"),
        };
        let _ = writeln!(
            out,
            "<text class=\"note\" x=\"{:.0}\" y=\"{:.0}\">{lines}</text>",
            block.x + 8.0,
            block.y + LINE
        );
        for (at, line) in block.text.iter().enumerate() {
            let _ = writeln!(
                out,
                "<text x=\"{:.0}\" y=\"{:.0}\">{}</text>",
                block.x + 8.0,
                block.y + LINE * (at + 2) as f64,
                escaped(line)
            );
        }
        out += "</g>\n";
    }
    (out, (widest + 40.0, y - top))
}
