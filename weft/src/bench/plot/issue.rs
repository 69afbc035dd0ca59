//! Instructions per cycle over warps, and the cycles by stall reason.

use crate::bench::report::{Issue, IssueRow};
use anyhow::{anyhow, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// Size of a panel, and how many stand side by side.
const PANEL: (u32, u32) = (480, 300);
const SIDE: usize = 2;

/// A panel for each program, one below the other in two columns.
fn programs<F>(path: &Path, issue: &Issue, draw: F) -> Result<()>
where
    F: Fn(
        &DrawingArea<SVGBackend<'_>, Shift>,
        &str,
        &[&IssueRow],
    ) -> Result<(), DrawingAreaErrorKind<std::io::Error>>,
{
    let panels = issue.programs();
    let down = panels.len().div_ceil(SIDE);
    let size = (PANEL.0 * SIDE as u32, PANEL.1 * down as u32);
    let area = SVGBackend::new(path, size).into_drawing_area();
    let all = || {
        area.fill(&WHITE)?;
        for (area, (program, rows)) in area.split_evenly((down, SIDE)).iter().zip(&panels) {
            draw(area, program, rows)?;
        }
        area.present()
    };
    all().map_err(|e: DrawingAreaErrorKind<_>| anyhow!("{e}"))
}

/// Instructions per cycle over the number of warps (log2), for each policy and width.
pub fn rates(path: &Path, issue: &Issue) -> Result<()> {
    // In the order in which they were measured.
    let mut policies: Vec<&str> = Vec::new();
    for row in &issue.rows {
        if !policies.contains(&&*row.policy) {
            policies.push(&row.policy);
        }
    }
    let most = issue.rows.iter().map(|r| r.warps).max().unwrap_or(1);
    let most = (most as f64).log2();
    let axis = format!("warps of {}", issue.size());
    programs(path, issue, |area, program, _| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .caption(program, ("sans-serif", 16))
            .x_label_area_size(32)
            .y_label_area_size(45)
            // Room for the legend on the right.
            .build_cartesian_2d(0.0..1.75 * most, 0.0..2.0)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(&axis)
            .y_desc("instructions per cycle")
            .x_labels(10)
            .x_label_formatter(&|&x| match x <= most && x.fract() == 0.0 {
                true => x.exp2().to_string(),
                false => String::new(),
            })
            .draw()?;
        for width in [2, 1] {
            for (n, &policy) in policies.iter().enumerate() {
                let color = [
                    RGBColor(200, 40, 40),
                    RGBColor(40, 90, 200),
                    RGBColor(20, 150, 70),
                ][n % 3];
                // Dual issue bold.
                let style = color.stroke_width(width as u32);
                let dot = match width {
                    1 => color.stroke_width(1),
                    _ => color.filled(),
                };
                let here =
                    |r: &&IssueRow| (&*r.program, &*r.policy, r.width) == (program, policy, width);
                let points = issue.rows.iter().filter(here);
                let points: Vec<_> = points.map(|r| ((r.warps as f64).log2(), r.ipc)).collect();
                let issue_width = ["single", "dual"][width - 1];
                chart
                    .draw_series(LineSeries::new(points.clone(), style))?
                    .label(format!("{issue_width}, {policy}"))
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 12, y)], style));
                let points = points.into_iter();
                chart.draw_series(points.map(|p| Circle::new(p, 3, dot)))?;
            }
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .border_style(BLACK.mix(0.3))
            .draw()
    })
}

/// Cycles by reason under the policy that comes first: for each number of warps a bar with single and one with dual
/// issue.
pub fn stalls(path: &Path, issue: &Issue) -> Result<()> {
    programs(path, issue, |area, program, rows| {
        let of = |r: &&&IssueRow| r.policy == rows[0].policy;
        let bars: Vec<_> = rows.iter().filter(of).collect();
        let Some(policy) = bars.first().map(|r| &r.policy) else {
            return Ok(());
        };
        // A gap between the numbers of warps.
        let place = |n: usize| n as f64 + (n / 2) as f64 * 0.6;
        let right = place(bars.len());
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .caption(
                format!("{program}: {policy}, left single, right dual issue"),
                ("sans-serif", 16),
            )
            .x_label_area_size(32)
            .y_label_area_size(45)
            .build_cartesian_2d(-0.4..1.3 * right, 0.0..100.0)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("warps")
            .y_desc("% of the cycles")
            .x_labels(0)
            .draw()?;
        for (reason, name) in issue.reasons.iter().enumerate() {
            let color = match reason {
                0 => RGBColor(90, 160, 90).to_rgba(),
                5 => RGBColor(200, 200, 200).to_rgba(),
                _ => Palette99::pick(reason + 3).to_rgba(),
            };
            let boxes = bars.iter().enumerate().map(|(n, row)| {
                let below: f64 = row.shares[..reason].iter().sum();
                let top = below + row.shares[reason];
                let corners = [
                    (place(n) + 0.05, 100.0 * below),
                    (place(n) + 0.95, 100.0 * top),
                ];
                Rectangle::new(corners, color.filled())
            });
            chart
                .draw_series(boxes)?
                .label(name.to_string())
                .legend(move |(x, y)| {
                    Rectangle::new([(x, y - 4), (x + 10, y + 4)], color.filled())
                });
        }
        let style = ("sans-serif", 12).into_font();
        let (left, above) = area.get_pixel_range();
        for (n, pair) in bars.chunks(2).enumerate() {
            let at = chart.backend_coord(&(place(2 * n) + 0.8, 0.0));
            let text = pair[0].warps.to_string();
            let at = (at.0 - left.start, at.1 - above.start + 5);
            area.draw(&Text::new(text, at, style.clone()))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .border_style(BLACK.mix(0.3))
            .draw()
    })
}
