//! The kernels on the whole SM: share of the lanes' peak, and cycles by reason.

use crate::bench::sm::{Setting, SmFigures};
use anyhow::{anyhow, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Size of a panel: one below the other.
const PANEL: (u32, u32) = (960, 300);
/// The legend takes so much of the width, in kernels.
const LEGEND: f64 = 2.2;

pub fn kernels(path: &Path, figures: &SmFigures) -> Result<()> {
    let settings: Vec<&Setting> = figures
        .settings
        .iter()
        .filter(|s| s.is_pictured())
        .collect();
    let panels = settings.len() + 1;
    let size = (PANEL.0, PANEL.1 * panels as u32);
    let area = SVGBackend::new(path, size).into_drawing_area();
    let all = || {
        area.fill(&WHITE)?;
        let areas = area.split_evenly((panels, 1));
        peak(&areas[0], &settings)?;
        for (area, setting) in areas[1..].iter().zip(&settings) {
            reasons(area, figures, setting)?;
        }
        area.present()
    };
    all().map_err(|e: DrawingAreaErrorKind<_>| anyhow!("{e}"))
}

/// A bar, or a part of it.
struct Part {
    series: usize,
    from: (f64, f64),
    to: (f64, f64),
}

/// Bars over the kernels.
fn bars(
    area: &Area,
    (title, axis, top): (&str, &str, f64),
    kernels: &[&str],
    series: &[(String, RGBAColor)],
    parts: &[Part],
) -> Drawn {
    let right = kernels.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .caption(title, ("sans-serif", 16))
        .x_label_area_size(32)
        .y_label_area_size(45)
        .build_cartesian_2d(-0.1..right + LEGEND, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .y_desc(axis)
        .x_labels(0)
        .draw()?;
    for (n, (name, color)) in series.iter().enumerate() {
        let color = *color;
        let of = parts.iter().filter(|part| part.series == n);
        let boxes = of.map(|part| Rectangle::new([part.from, part.to], color.filled()));
        chart
            .draw_series(boxes)?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 10, y + 4)], color.filled()));
    }
    let style = ("sans-serif", 12).into_font();
    let (left, above) = area.get_pixel_range();
    for (n, name) in kernels.iter().enumerate() {
        let at = chart.backend_coord(&(n as f64 + 0.15, 0.0));
        let at = (at.0 - left.start, at.1 - above.start + 5);
        area.draw(&Text::new(name.to_string(), at, style.clone()))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .border_style(BLACK.mix(0.3))
        .draw()
}

fn names(setting: &Setting) -> Vec<&str> {
    setting.rows.iter().map(|row| &*row.kernel).collect()
}

fn peak(area: &Area, settings: &[&Setting]) -> Drawn {
    let Some(first) = settings.first() else {
        return Ok(());
    };
    let each = 0.85 / settings.len() as f64;
    let mut parts = Vec::new();
    for (series, setting) in settings.iter().enumerate() {
        for (n, row) in setting.rows.iter().enumerate() {
            let left = n as f64 + 0.05 + each * series as f64;
            parts.push(Part {
                series,
                from: (left, 0.0),
                to: (left + 0.9 * each, 100.0 * setting.share(row)),
            });
        }
    }
    let colors = [
        RGBColor(40, 90, 200),
        RGBColor(20, 150, 70),
        RGBColor(200, 40, 40),
    ];
    let series = settings.iter().enumerate();
    let series: Vec<_> = series
        .map(|(n, s)| (s.shape(), colors[n % 3].to_rgba()))
        .collect();
    let title = format!(
        "Share of the lanes' peak, data cache, memory latency {}",
        first.memory_latency
    );
    let axis = "% of the lanes' cycles";
    bars(area, (&title, axis, 100.0), &names(first), &series, &parts)
}

fn reasons(area: &Area, figures: &SmFigures, setting: &Setting) -> Drawn {
    let mut parts = Vec::new();
    for (n, row) in setting.rows.iter().enumerate() {
        let all: u64 = row.by_reason.iter().sum();
        let mut below = 0.0;
        for (series, cycles) in row.by_reason.iter().enumerate() {
            let top = below + 100.0 * *cycles as f64 / all.max(1) as f64;
            parts.push(Part {
                series,
                from: (n as f64 + 0.1, below),
                to: (n as f64 + 0.9, top),
            });
            below = top;
        }
    }
    let last = figures.reasons.len().saturating_sub(1);
    let series = figures.reasons.iter().enumerate();
    let series: Vec<_> = series
        .map(|(n, name)| {
            let color = match n {
                0 => RGBColor(90, 160, 90).to_rgba(),
                n if n == last => RGBColor(200, 200, 200).to_rgba(),
                n => Palette99::pick(n + 3).to_rgba(),
            };
            (name.to_string(), color)
        })
        .collect();
    let title = format!("Cycles by reason, {}", setting.shape());
    let axis = "% of the cycles";
    bars(
        area,
        (&title, axis, 100.0),
        &names(setting),
        &series,
        &parts,
    )
}
