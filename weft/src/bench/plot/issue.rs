//! Instructions per cycle over warps, and the cycles by stall reason.

use super::{legend, Mark};
use crate::bench::report::{Issue, IssueRow};
use anyhow::{anyhow, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// Size of a panel, and how many stand side by side.
const PANEL: (u32, u32) = (480, 300);
const SIDE: usize = 2;

/// A series of all panels.
type Series = (String, ShapeStyle, Mark);

/// Room above the panels for the legend: a row of names.
const ROW: u32 = 16;

/// A panel for each program, one below the other in two columns, under one legend.
fn programs<F>(path: &Path, issue: &Issue, series: &[Series], draw: F) -> Result<()>
where
    F: Fn(
        &DrawingArea<SVGBackend<'_>, Shift>,
        &str,
        &[&IssueRow],
    ) -> Result<(), DrawingAreaErrorKind<std::io::Error>>,
{
    let panels = issue.programs();
    let down = panels.len().div_ceil(SIDE);
    let columns = 3;
    let above = ROW * series.len().div_ceil(columns) as u32 + 10;
    let size = (PANEL.0 * SIDE as u32, above + PANEL.1 * down as u32);
    let area = SVGBackend::new(path, size).into_drawing_area();
    let all = || {
        area.fill(&WHITE)?;
        let (top, below) = area.split_vertically(above);
        legend(&top, columns, series)?;
        for (area, (program, rows)) in below.split_evenly((down, SIDE)).iter().zip(&panels) {
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
    let colors = [
        RGBColor(200, 40, 40),
        RGBColor(40, 90, 200),
        RGBColor(20, 150, 70),
    ];
    let mut series = Vec::new();
    for (width, name) in [(2, "dual"), (1, "single")] {
        for (n, &policy) in policies.iter().enumerate() {
            let color = colors[n % 3];
            // Single issue in a lighter shade and in dashes, on top of dual issue.
            let (style, mark) = match width {
                2 => (color.stroke_width(2), Mark::Line),
                _ => (color.mix(0.6).stroke_width(1), Mark::Dashes),
            };
            series.push((width, policy, (format!("{name}, {policy}"), style, mark)));
        }
    }
    let names: Vec<Series> = series.iter().map(|(_, _, one)| one.clone()).collect();
    programs(path, issue, &names, |area, program, _| {
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .caption(program, ("sans-serif", 16))
            .x_label_area_size(32)
            .y_label_area_size(45)
            // No point lies on the border.
            .build_cartesian_2d(-0.1..most + 0.1, 0.0..2.05)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(&axis)
            .y_desc("instructions per cycle")
            .x_labels(10)
            .x_label_formatter(&|&x| match x >= 0.0 && x.fract() == 0.0 {
                true => x.exp2().to_string(),
                false => String::new(),
            })
            .draw()?;
        for (width, policy, (_, style, mark)) in &series {
            let here =
                |r: &&IssueRow| (&*r.program, &*r.policy, r.width) == (program, *policy, *width);
            let points = issue.rows.iter().filter(here);
            let points: Vec<_> = points.map(|r| ((r.warps as f64).log2(), r.ipc)).collect();
            match mark {
                Mark::Dashes => {
                    let dashes = DashedLineSeries::new(points.clone(), 4, 2, *style);
                    chart.draw_series(dashes)?;
                }
                _ => {
                    chart.draw_series(LineSeries::new(points.clone(), *style))?;
                }
            }
            let dot = match mark {
                Mark::Dashes => *style,
                _ => style.filled(),
            };
            let points = points.into_iter();
            chart.draw_series(points.map(|p| Circle::new(p, 3, dot)))?;
        }
        Ok(())
    })
}

/// Cycles by reason under the policy that comes first: for each number of warps a bar with single and one with dual
/// issue.
pub fn stalls(path: &Path, issue: &Issue) -> Result<()> {
    let color = |reason: usize| match reason {
        0 => RGBColor(90, 160, 90).to_rgba(),
        5 => RGBColor(200, 200, 200).to_rgba(),
        _ => Palette99::pick(reason + 3).to_rgba(),
    };
    let reasons = issue.reasons.iter().enumerate();
    let series: Vec<Series> = reasons
        .map(|(reason, name)| (name.to_string(), color(reason).filled(), Mark::Box))
        .collect();
    programs(path, issue, &series, |area, program, rows| {
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
            .build_cartesian_2d(-0.4..right, 0.0..100.0)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("warps")
            .y_desc("% of the cycles")
            .x_labels(0)
            .draw()?;
        for reason in 0..issue.reasons.len() {
            let color = color(reason);
            let boxes = bars.iter().enumerate().map(|(n, row)| {
                let below: f64 = row.shares[..reason].iter().sum();
                let top = below + row.shares[reason];
                let corners = [
                    (place(n) + 0.05, 100.0 * below),
                    (place(n) + 0.95, 100.0 * top),
                ];
                Rectangle::new(corners, color.filled())
            });
            chart.draw_series(boxes)?;
        }
        let style = ("sans-serif", 12).into_font();
        let (left, above) = area.get_pixel_range();
        for (n, pair) in bars.chunks(2).enumerate() {
            let at = chart.backend_coord(&(place(2 * n) + 0.8, 0.0));
            let text = pair[0].warps.to_string();
            let at = (at.0 - left.start, at.1 - above.start + 5);
            area.draw(&Text::new(text, at, style.clone()))?;
        }
        Ok(())
    })
}
