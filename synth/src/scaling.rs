//! How a figure grows with warps and threads.
//!
//! A figure y is fitted by y = c · warps^a · threads^b: least squares of the logarithms.

use serde::Serialize;

/// One measured size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub warps: usize,
    pub threads: usize,
    pub value: f64,
}

/// Exponents of the fit. One is missing when the sizes do not differ in it, or only together with the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scaling {
    pub warps: Option<f64>,
    pub threads: Option<f64>,
    /// Largest factor between a figure and the fit, either way: 1 for a perfect one.
    pub worst: f64,
}

/// `None` when there are fewer than two different sizes, or a figure is zero.
pub fn scaling(points: &[Point]) -> Option<Scaling> {
    if points.is_empty() || points.iter().any(|p| p.value <= 0.0) {
        return None;
    }
    let column = |of: fn(&Point) -> f64| -> Vec<f64> {
        let logs: Vec<f64> = points.iter().map(|p| of(p).ln()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        logs.into_iter().map(|x| x - mean).collect()
    };
    let (w, t, y) = (
        column(|p| p.warps as f64),
        column(|p| p.threads as f64),
        column(|p| p.value),
    );
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (ww, tt, wt) = (dot(&w, &w), dot(&t, &t), dot(&w, &t));
    let (wy, ty) = (dot(&w, &y), dot(&t, &y));
    let determinant = ww * tt - wt * wt;
    const NOTHING: f64 = 1e-9;
    let (warps, threads) = if determinant > NOTHING && points.len() > 2 {
        (
            Some((wy * tt - ty * wt) / determinant),
            Some((ty * ww - wy * wt) / determinant),
        )
    } else if tt < NOTHING && ww > NOTHING {
        (Some(wy / ww), None)
    } else if ww < NOTHING && tt > NOTHING {
        (None, Some(ty / tt))
    } else {
        return None;
    };
    let (a, b) = (warps.unwrap_or(0.0), threads.unwrap_or(0.0));
    let off = |i: usize| (y[i] - a * w[i] - b * t[i]).abs();
    let worst = (0..y.len()).map(off).fold(0.0, f64::max).exp();
    Some(Scaling {
        warps,
        threads,
        worst,
    })
}

/// Head of a table of [`scaling_row`]s.
pub fn scaling_header() -> &'static str {
    "| figure | grows with warps to the power of | with threads to the power of | worst point off the fit |\n\
     | --- | --- | --- | --- |"
}

/// One row, without line end.
pub fn scaling_row(figure: &str, scaling: &Scaling) -> String {
    // Without a negative zero.
    let exponent = |e: Option<f64>| {
        let rounded = e.map(|e| (100.0 * e).round() / 100.0 + 0.0);
        rounded.map_or_else(|| "–".into(), |e| format!("{e:+.2}"))
    };
    format!(
        "| {figure} | {} | {} | {:.0} % |",
        exponent(scaling.warps),
        exponent(scaling.threads),
        100.0 * (scaling.worst - 1.0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(value: fn(f64, f64) -> f64, sizes: &[(usize, usize)]) -> Vec<Point> {
        let point = |&(warps, threads): &(usize, usize)| Point {
            warps,
            threads,
            value: value(warps as f64, threads as f64),
        };
        sizes.iter().map(point).collect()
    }

    fn close(a: Option<f64>, b: f64) -> bool {
        a.is_some_and(|a| (a - b).abs() < 1e-9)
    }

    #[test]
    fn a_power_law_is_found_again() {
        let sizes = [(4, 4), (8, 8), (16, 32), (32, 32)];
        let fit = scaling(&points(|w, t| 7.0 * w.powf(0.5) * t, &sizes)).unwrap();
        assert!(close(fit.warps, 0.5) && close(fit.threads, 1.0), "{fit:?}");
        assert!((fit.worst - 1.0).abs() < 1e-9);
        assert_eq!(scaling_row("LUT4", &fit), "| LUT4 | +0.50 | +1.00 | 0 % |");
    }

    #[test]
    fn one_dimension_is_enough_and_the_other_is_left_open() {
        let fit = scaling(&points(|w, _| w * w, &[(4, 32), (8, 32)])).unwrap();
        assert!(close(fit.warps, 2.0) && fit.threads.is_none());
        let fit = scaling(&points(|_, t| 1.0 / t, &[(4, 4), (4, 8), (4, 16)])).unwrap();
        assert!(close(fit.threads, -1.0) && fit.warps.is_none());
        assert_eq!(scaling_row("Fmax", &fit), "| Fmax | – | -1.00 | 0 % |");
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_told() {
        let diagonal = [(4, 4), (8, 8), (16, 16)];
        assert_eq!(scaling(&points(|w, t| w * t, &diagonal)), None);
        assert_eq!(scaling(&points(|w, _| w, &[(4, 4)])), None);
        assert_eq!(scaling(&points(|_, _| 0.0, &[(4, 4), (8, 4)])), None);
        assert_eq!(scaling(&[]), None);
    }

    #[test]
    fn the_worst_point_is_told() {
        let mut list = points(|w, _| w, &[(4, 8), (8, 8), (16, 8)]);
        list[1].value *= 1.5;
        let fit = scaling(&list).unwrap();
        assert!(fit.worst > 1.2 && fit.worst < 1.5, "{fit:?}");
    }
}
