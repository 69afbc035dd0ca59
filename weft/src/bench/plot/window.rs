//! What the size of the token window costs and saves.

use super::{legend, Mark};
use crate::bench::report::{Area, KernelCost};
use anyhow::{anyhow, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// One curve of a panel.
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
}

/// Panels over K: cells, block RAM, clock frequency of several windows (of one they say nothing), longer run time of
/// the kernels.
pub fn windows(path: &Path, kernels: &[KernelCost], area: &[&Area]) -> Result<()> {
    let place = |front: usize| (front as f64).log2();
    let of_synthesis = |name: &str, value: fn(&Area) -> f64| Curve {
        name: name.into(),
        points: area.iter().map(|s| (place(s.front), value(s))).collect(),
    };
    let mut panels = Vec::new();
    if area.len() > 1 {
        panels.push((
            "cells of an ECP5, 16 warps x 32 threads",
            vec![
                of_synthesis("LUT4", |s| s.lut4 as f64),
                of_synthesis("TRELLIS_COMB", |s| s.comb as f64),
                of_synthesis("flip-flops", |s| s.ff as f64),
            ],
        ));
        panels.push((
            "block RAMs",
            vec![of_synthesis("DP16KD", |s| s.bram as f64)],
        ));
        panels.push((
            "Fmax, MHz (median)",
            vec![of_synthesis("speed grade 6", |s| s.fmax_mhz.median)],
        ));
    }
    if !kernels.is_empty() {
        let curve = |cost: &KernelCost| Curve {
            name: cost.kernel.to_string(),
            points: cost
                .overheads()
                .map(|(front, overhead)| (place(front), 100.0 * overhead))
                .collect(),
        };
        panels.push((
            "% more cycles than with the largest window",
            kernels.iter().map(curve).collect(),
        ));
    }
    let canvas = SVGBackend::new(path, (640, 340 * panels.len() as u32)).into_drawing_area();
    let draw = || -> Result<(), DrawingAreaErrorKind<_>> {
        canvas.fill(&WHITE)?;
        for (area, (title, curves)) in canvas.split_evenly((panels.len(), 1)).iter().zip(&panels) {
            panel(area, title, curves)?;
        }
        canvas.present()
    };
    draw().map_err(|e| anyhow!("{e}"))
}

fn panel<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    title: &str,
    curves: &[Curve],
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let all = || curves.iter().flat_map(|c| c.points.iter());
    let right = all().map(|p| p.0).fold(2.0, f64::max);
    let bottom = all().map(|p| p.1).fold(0.0, f64::min);
    let top = all().map(|p| p.1).fold(1.0, f64::max);
    // No point lies on the border, and the legend stands beside the axes.
    let (width, _) = area.dim_in_pixel();
    let (left, beside) = area.split_horizontally(width - 130);
    let room = 0.06 * (top - bottom);
    let mut chart = ChartBuilder::on(&left)
        .margin(10)
        .caption(title, ("sans-serif", 16))
        .x_label_area_size(35)
        .y_label_area_size(55)
        .build_cartesian_2d(0.9..right + 0.1, bottom - room..top + room)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("K, places of the front ring")
        .x_labels(10)
        .x_label_formatter(&|&x| match x.fract() == 0.0 {
            true => x.exp2().to_string(),
            false => String::new(),
        })
        .draw()?;
    let mut series = Vec::new();
    for (n, curve) in curves.iter().enumerate() {
        // Each hue twice: full, and darker in dashes.
        let hue = HSLColor((n / 2) as f64 / curves.len().div_ceil(2) as f64, 0.75, 0.4);
        let darker = HSLColor((n / 2) as f64 / curves.len().div_ceil(2) as f64, 0.9, 0.25);
        let (style, mark) = match n % 2 {
            0 => (hue.stroke_width(2), Mark::Line),
            _ => (darker.stroke_width(1), Mark::Dashes),
        };
        match mark {
            Mark::Dashes => {
                let dashes = DashedLineSeries::new(curve.points.clone(), 5, 3, style);
                chart.draw_series(dashes)?;
            }
            _ => {
                chart.draw_series(LineSeries::new(curve.points.clone(), style))?;
            }
        }
        let dots = curve.points.iter();
        chart.draw_series(dots.map(|&p| Circle::new(p, 2, style.filled())))?;
        series.push((curve.name.clone(), style, mark));
    }
    legend(&beside.margin(40, 0, 0, 0), 1, &series)
}
