//! Pictures of what was measured.

use crate::kernels::Kernel;
use crate::programs::{Programs, LOWERS};
use plotters::prelude::*;
use std::path::Path;

/// Speeds of random programs by rank, one panel for each compiler.
pub fn programs(path: &Path, all: &[Programs]) -> Result<(), String> {
    let canvas = SVGBackend::new(path, (640, 360 * all.len().max(1) as u32)).into_drawing_area();
    let draw = || -> Result<(), DrawingAreaErrorKind<_>> {
        canvas.fill(&WHITE)?;
        for (area, own) in canvas.split_evenly((all.len().max(1), 1)).iter().zip(all) {
            let title = format!("{} programs, {} -O2, one warp", own.count, own.compiler);
            let mut chart = ChartBuilder::on(area)
                .margin(10)
                .caption(title, ("sans-serif", 16))
                .x_label_area_size(35)
                .y_label_area_size(55)
                .build_cartesian_2d(0.0..100.0, (0.5..16.0).log_scale())?;
            chart
                .configure_mesh()
                .light_line_style(TRANSPARENT)
                .x_desc("% of the programs")
                .y_desc("times as fast as without lowering")
                .draw()?;
            for (n, (lower, lists)) in LOWERS.iter().zip(&own.cycles).enumerate() {
                let color = Palette99::pick(n).to_rgba();
                let list = &lists[0];
                let step = 100.0 / list.len().max(1) as f64;
                let points = list.iter().enumerate();
                let points = points.map(|(at, &speed)| ((at as f64 + 0.5) * step, speed));
                chart
                    .draw_series(LineSeries::new(points, color))?
                    .label(lower.to_string())
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 12, y)], color));
            }
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .border_style(BLACK.mix(0.3))
                .draw()?;
        }
        canvas.present()
    };
    draw().map_err(|e| e.to_string())
}

/// Cycles of the kernels relative to none: one point for each way.
pub fn kernels(path: &Path, all: &[Kernel]) -> Result<(), String> {
    let canvas = SVGBackend::new(path, (760, 400)).into_drawing_area();
    let mut ways: Vec<&str> = Vec::new();
    for (name, _) in all.iter().flat_map(|kernel| &kernel.runs) {
        if !ways.contains(name) {
            ways.push(name);
        }
    }
    let draw = || -> Result<(), DrawingAreaErrorKind<_>> {
        canvas.fill(&WHITE)?;
        // The legend stands beside the axes, and no point lies above them.
        let (left, beside) = canvas.split_horizontally(640);
        let end = all.len() as f64 - 0.5;
        let relative = |kernel: &Kernel| {
            let none = kernel.runs[0].1.cycles as f64;
            let runs = kernel.runs.iter();
            runs.map(|(_, run)| run.cycles as f64 / none)
                .fold(1.0, f64::max)
        };
        let top = all.iter().map(relative).fold(1.0, f64::max) + 0.1;
        let mut chart = ChartBuilder::on(&left)
            .margin(10)
            .caption("cycles of a lone warp, none = 1", ("sans-serif", 16))
            .x_label_area_size(35)
            .y_label_area_size(55)
            .build_cartesian_2d(-0.5..end, 0.0..top)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(all.len() + 1)
            .x_label_formatter(&|&x| match x.fract() == 0.0 && x >= 0.0 {
                true => all
                    .get(x as usize)
                    .map_or(String::new(), |k| k.name.clone()),
                false => String::new(),
            })
            .draw()?;
        for (n, way) in ways.iter().enumerate() {
            let color = Palette99::pick(n).to_rgba();
            let place = (n as f64 - ways.len() as f64 / 2.0) * 0.08;
            let points = all.iter().enumerate().filter_map(|(at, kernel)| {
                let (_, run) = kernel.runs.iter().find(|(name, _)| name == way)?;
                let none = kernel.runs[0].1.cycles as f64;
                Some((at as f64 + place, run.cycles as f64 / none))
            });
            chart.draw_series(points.map(|p| Circle::new(p, 4, color.filled())))?;
            let y = 60 + 18 * n as i32;
            beside.draw(&Circle::new((8, y), 4, color.filled()))?;
            let font = ("sans-serif", 12).into_font();
            beside.draw(&Text::new(way.to_string(), (18, y - 6), font))?;
        }
        canvas.present()
    };
    draw().map_err(|e| e.to_string())
}
