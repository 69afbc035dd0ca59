//! Pictures of a report.

mod issue;
mod sm;
mod window;

use super::report::{Area, Report};
use anyhow::{Context, Result};
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

/// How a series is drawn.
#[derive(Clone, Copy)]
enum Mark {
    Line,
    Dashes,
    Box,
}

/// Names of series with their marks in rows of `columns`, in an area in which nothing else is drawn.
fn legend<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    columns: usize,
    series: &[(String, ShapeStyle, Mark)],
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    let (width, _) = area.dim_in_pixel();
    let step = (width as i32 - 10) / columns as i32;
    for (n, (name, style, mark)) in series.iter().enumerate() {
        let (x, y) = (
            10 + step * (n % columns) as i32,
            12 + 16 * (n / columns) as i32,
        );
        let ends = match mark {
            Mark::Line => vec![(x, x + 16)],
            Mark::Dashes => vec![(x, x + 4), (x + 6, x + 10), (x + 12, x + 16)],
            Mark::Box => {
                area.draw(&Rectangle::new([(x, y - 5), (x + 12, y + 5)], *style))?;
                vec![]
            }
        };
        for (from, to) in ends {
            area.draw(&PathElement::new([(from, y), (to, y)], *style))?;
        }
        let font = ("sans-serif", 12).into_font();
        area.draw(&Text::new(name.clone(), (x + 22, y - 6), font))?;
    }
    Ok(())
}

/// Draws what can be drawn of the report into a directory, and says what: `window.svg`, `ipc.svg`, `stalls.svg`,
/// `sm.svg`.
pub fn draw(report: &Report, directory: &Path) -> Result<Vec<&'static str>> {
    std::fs::create_dir_all(directory)
        .with_context(|| format!("--plots {}", directory.display()))?;
    let mut drawn = Vec::new();
    let mut picture = |name: &'static str, draw: &dyn Fn(&Path) -> Result<()>| -> Result<()> {
        let path = directory.join(name);
        draw(&path).with_context(|| format!("--plots {}", path.display()))?;
        drawn.push(name);
        Ok(())
    };
    let kernels = report.kernels.as_ref().map_or(&[][..], |k| &k.rows);
    let area = windows(report);
    if !kernels.is_empty() || area.len() > 1 {
        picture("window.svg", &|path| window::windows(path, kernels, &area))?;
    }
    if let Some(issue) = &report.issue {
        picture("ipc.svg", &|path| issue::rates(path, issue))?;
        picture("stalls.svg", &|path| issue::stalls(path, issue))?;
    }
    if let Some(figures) = &report.sm {
        picture("sm.svg", &|path| sm::kernels(path, figures))?;
    }
    Ok(drawn)
}

/// The control planes that differ in their token window only, the smallest first.
pub fn windows(report: &Report) -> Vec<&Area> {
    let of = |a: &&Area| a.unit == "weft_control" && (a.warps, a.threads) == (16, 32);
    let mut area: Vec<_> = report.area.iter().filter(of).collect();
    area.sort_by_key(|a| a.front);
    area
}
