//! Pictures of what was measured.

use crate::kernels::Kernel;
use crate::programs::{Programs, LOWERS};
use plotters::prelude::*;
use std::path::Path;

/// Told apart by their brightness, too, on white.
const COLORS: [RGBColor; 6] = [
    RGBColor(200, 40, 40),
    RGBColor(40, 150, 60),
    RGBColor(235, 150, 0),
    RGBColor(30, 80, 190),
    RGBColor(110, 110, 110),
    RGBColor(140, 30, 160),
];

/// Speeds of random programs by rank, one panel for each compiler.
pub fn programs(path: &Path, all: &[Programs]) -> Result<(), String> {
    let canvas = SVGBackend::new(path, (640, 360 * all.len().max(1) as u32)).into_drawing_area();
    let draw = || -> Result<(), DrawingAreaErrorKind<_>> {
        canvas.fill(&WHITE)?;
        for (area, own) in canvas.split_evenly((all.len().max(1), 1)).iter().zip(all) {
            let title = format!("{} programs, {} -O2, one warp", own.count, own.compiler);
            // No curve leaves the axes, and the last number has its room.
            let speeds = || own.cycles.iter().flat_map(|lists| lists[0].iter().copied());
            let least = speeds().fold(0.5, f64::min) / 1.1;
            let most = speeds().fold(16.0, f64::max) * 1.1;
            let mut chart = ChartBuilder::on(area)
                .margin(10)
                .margin_right(28)
                .caption(title, ("sans-serif", 16))
                .x_label_area_size(35)
                .y_label_area_size(55)
                .build_cartesian_2d(0.0..100.0, (least..most).log_scale())?;
            chart
                .configure_mesh()
                .light_line_style(TRANSPARENT)
                .x_label_formatter(&|share| format!("{share:.0}"))
                // Of each power of ten 1, 2 and 5: the others stand in each other's way.
                .y_label_formatter(&|&speed: &f64| {
                    let digit = speed / 10f64.powf(speed.log10().floor());
                    match [1.0, 2.0, 5.0].iter().any(|d| (digit - d).abs() < 0.01) {
                        true => speed.to_string(),
                        false => String::new(),
                    }
                })
                .x_desc("% of the programs")
                .y_desc("times as fast as without lowering")
                .draw()?;
            for (n, (lower, lists)) in LOWERS.iter().zip(&own.cycles).enumerate() {
                let color = COLORS[n % COLORS.len()];
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
            let color = COLORS[n % COLORS.len()];
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
