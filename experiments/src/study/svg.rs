//! Curves as SVG: for each configuration a median line in its interquartile band, readable on light and dark ground.

use std::fmt::Write;

use super::curves::Band;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 48.0;

/// Colours on light and on dark ground, told apart by those with a colour vision deficiency too: after M. Okabe and
/// K. Ito, "Color Universal Design" (2008), darkened and lightened.
const COLOURS: [(&str, &str); 6] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff9b57"),
    ("#00795a", "#2fd0a3"),
    ("#a34d82", "#e3a0c6"),
    ("#8a6d00", "#f0d24a"),
    ("#444444", "#cccccc"),
];

/// Lines differ by their dashes as well.
const DASHES: [&str; 4] = ["none", "8 4", "2 3", "10 3 2 3"];

/// What a chart is about.
#[derive(Debug, Clone, Copy)]
pub struct Labels<'a> {
    /// Above it.
    pub title: &'a str,
    /// Below the horizontal axis.
    pub spent: &'a str,
}

/// A chart of the bands.
pub fn chart(labels: Labels<'_>, bands: &[Band]) -> String {
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let spent = largest(&mut bands.iter().flat_map(|band| band.moments.iter().copied()));
    let reached = largest(&mut bands.iter().flat_map(|band| band.upper.iter().chain(&band.median).copied()));
    let scale = Scale { spent: spent.max(f64::MIN_POSITIVE), reached: nice_end(reached) };
    let mut svg = head(labels.title, bands.len());
    svg.push_str(&axes(&scale, labels));
    for (idx, band) in bands.iter().enumerate() {
        svg.push_str(&lines(&scale, idx, band));
    }
    svg.push_str(&legend(bands));
    svg.push_str("</svg>\n");
    svg
}

/// From what was spent and reached to places in the picture.
struct Scale {
    spent: f64,
    reached: f64,
}

impl Scale {
    fn x(&self, spent: f64) -> f64 {
        LEFT + spent / self.spent * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, reached: f64) -> f64 {
        HEIGHT - BOTTOM - reached / self.reached * (HEIGHT - TOP - BOTTOM)
    }

    fn points<'a>(&self, points: impl Iterator<Item = (&'a f64, &'a f64)>) -> String {
        let mut text = String::new();
        for (spent, reached) in points {
            let _ = write!(text, "{:.1},{:.1} ", self.x(*spent), self.y(*reached));
        }
        text.truncate(text.trim_end().len());
        text
    }
}

fn head(title: &str, n_bands: usize) -> String {
    let colours = |pick: fn(&(&'static str, &'static str)) -> &'static str| {
        let rule = |idx: usize| format!(".c{idx}{{color:{}}}", pick(&COLOURS[idx % COLOURS.len()]));
        (0..n_bands).map(rule).collect::<String>()
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n<style>\
         text{{font:13px sans-serif;fill:#333}}.title{{font-weight:bold}}.grid{{stroke:#888;stroke-opacity:.3}}\
         .band{{fill:currentColor;fill-opacity:.15}}.median{{fill:none;stroke:currentColor;stroke-width:2}}{}\
         @media(prefers-color-scheme:dark){{text{{fill:#ddd}}{}}}</style>\n",
        escaped(title),
        colours(|colour| colour.0),
        colours(|colour| colour.1)
    )
}

fn axes(scale: &Scale, labels: Labels<'_>) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "<text class=\"title\" x=\"{LEFT}\" y=\"20\">{}</text>", escaped(labels.title));
    for tick in ticks(scale.reached) {
        let y = scale.y(tick);
        let right = WIDTH - RIGHT;
        let _ = writeln!(text, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        let (x, y) = (LEFT - 6.0, y + 4.0);
        let _ = writeln!(text, "<text text-anchor=\"end\" x=\"{x}\" y=\"{y:.1}\">{}</text>", amount(tick));
    }
    for tick in ticks(scale.spent) {
        let (x, y) = (scale.x(tick), HEIGHT - BOTTOM + 18.0);
        let _ = writeln!(text, "<text text-anchor=\"middle\" x=\"{x:.1}\" y=\"{y}\">{}</text>", amount(tick));
    }
    let (x, y) = (f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 10.0);
    let _ = writeln!(text, "<text text-anchor=\"middle\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(labels.spent));
    text
}

fn lines(scale: &Scale, idx: usize, band: &Band) -> String {
    let there = band.moments.iter().zip(&band.upper);
    let back = band.moments.iter().zip(&band.lower).rev();
    format!(
        "<g class=\"c{idx}\"><polygon class=\"band\" points=\"{}\"/>\n<polyline class=\"median\" stroke-dasharray=\"{}\" \
         points=\"{}\"/></g>\n",
        scale.points(there.chain(back)),
        dashes(idx),
        scale.points(band.moments.iter().zip(&band.median))
    )
}

/// Inside the chart at the lower right, where curves that rise leave room.
fn legend(bands: &[Band]) -> String {
    let mut text = String::new();
    for (idx, band) in bands.iter().enumerate() {
        let y = HEIGHT - BOTTOM - 14.0 - 20.0 * (bands.len() - 1 - idx) as f64;
        let (from, to) = (WIDTH - RIGHT - 40.0, WIDTH - RIGHT - 8.0);
        let dashes = dashes(idx);
        let _ = writeln!(
            text,
            "<g class=\"c{idx}\"><line class=\"median\" stroke-dasharray=\"{dashes}\" x1=\"{from}\" x2=\"{to}\" y1=\"{y}\" \
             y2=\"{y}\"/></g><text text-anchor=\"end\" x=\"{}\" y=\"{}\">{}</text>",
            from - 8.0,
            y + 4.0,
            escaped(&band.name)
        );
    }
    text
}

fn dashes(idx: usize) -> &'static str {
    DASHES[idx % DASHES.len()]
}

/// Steps of 1, 2 or 5 times a power of ten, some four to a range.
fn step(range: f64) -> f64 {
    let rough = range / 4.0;
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999).unwrap_or(10.0);
    factor * power
}

/// The first step at or above the largest value; at least 1.
fn nice_end(largest: f64) -> f64 {
    let largest = largest.max(1.0);
    (largest / step(largest)).ceil() * step(largest)
}

fn ticks(end: f64) -> Vec<f64> {
    let step = step(end);
    (0..=u8::MAX).map(|nth| f64::from(nth) * step).take_while(|tick| *tick <= end * 1.001).collect()
}

fn amount(number: f64) -> String {
    // Rounded, for a sum of steps need not be whole.
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(name: &str, end: f64) -> Band {
        let moments = vec![0.0, 50.0, 100.0];
        Band { name: name.to_owned(), moments, lower: vec![0.0; 3], median: vec![0.0, end / 2.0, end], upper: vec![end; 3] }
    }

    #[test]
    fn a_chart_has_a_line_and_a_band_for_every_configuration() {
        let svg = chart(Labels { title: "A & B", spent: "calls" }, &[band("x<y", 10.0), band("z", 7.0)]);
        assert_eq!((svg.matches("<polygon").count(), svg.matches("<polyline").count()), (2, 2));
        assert!(svg.contains("A &amp; B") && svg.contains("x&lt;y") && svg.contains("prefers-color-scheme:dark"));
        // From the lower left corner to the upper right one.
        assert!(svg.contains("points=\"64.0,352.0 384.0,196.0 704.0,40.0\""), "{svg}");
    }

    #[test]
    fn axes_end_at_round_numbers() {
        for (largest, end) in [(0.0, 1.0), (1.0, 1.0), (2.0, 2.0), (7.0, 8.0), (10.0, 10.0), (93.0, 100.0), (3000.0, 3000.0)] {
            assert!((nice_end(largest) - end).abs() < 1e-9, "{largest}: {}", nice_end(largest));
        }
        assert_eq!(ticks(3000.0).iter().map(|tick| amount(*tick)).collect::<Vec<_>>(), ["0", "1000", "2000", "3000"]);
        assert_eq!(ticks(1.0).iter().map(|tick| amount(*tick)).collect::<Vec<_>>(), ["0", "0.5", "1"]);
    }

    #[test]
    fn nothing_to_draw_is_an_empty_chart() {
        let svg = chart(Labels { title: "none", spent: "calls" }, &[]);
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
    }
}
