//! Plots in SVG: a frame with axes, lines, marks and text.

use glam::DVec2;
use std::fmt::Write;

/// Margins around the frame, pixels: left, right, top, bottom.
const MARGINS: [f64; 4] = [84.0, 24.0, 44.0, 64.0];

/// Width of a character in legends, pixels.
const LETTER: f64 = 6.6;

/// A plot with one frame, under construction.
pub(crate) struct Picture {
    body: String,
    /// Width and height of the frame, pixels.
    size: DVec2,
    min: DVec2,
    max: DVec2,
}

/// How a line is drawn.
pub(crate) struct Stroke {
    pub(crate) colour: &'static str,
    pub(crate) width: f64,
    /// SVG dash pattern; empty for a solid line.
    pub(crate) dashes: &'static str,
}

impl Picture {
    /// An empty frame of a given size in pixels that shows the data between two corners.
    pub(crate) fn new(size: DVec2, min: DVec2, max: DVec2) -> Self {
        Self { body: String::new(), size, min, max }
    }

    /// Page coordinates of a data point.
    pub(crate) fn place(&self, p: DVec2) -> DVec2 {
        let f = (p - self.min) / (self.max - self.min);
        DVec2::new(MARGINS[0] + f.x * self.size.x, MARGINS[2] + (1.0 - f.y) * self.size.y)
    }

    /// Draws a line through points, clipped at the frame.
    pub(crate) fn line(&mut self, points: &[DVec2], stroke: &Stroke) {
        let mut path = String::new();
        for (i, &p) in points.iter().enumerate() {
            let at = self.place(p);
            let _ = write!(path, "{}{:.2} {:.2}", if i == 0 { "M" } else { " L" }, at.x, at.y);
        }
        let Stroke { colour, width, dashes } = stroke;
        self.push(&format!(
            r#"<path d="{path}" clip-path="url(#frame)" fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dashes}" stroke-linejoin="round"/>"#
        ));
    }

    /// Fills what is between two lines over the same places, clipped at the frame.
    pub(crate) fn band(&mut self, low: &[DVec2], high: &[DVec2], colour: &str) {
        let corners = low.iter().chain(high.iter().rev()).map(|&p| self.place(p));
        let path: Vec<String> = corners.map(|at| format!("{:.2} {:.2}", at.x, at.y)).collect();
        self.push(&format!(r#"<path d="M{} Z" clip-path="url(#frame)" fill="{colour}"/>"#, path.join(" L")));
    }

    /// Draws an arrowhead at `p` that points along `direction` (data units).
    pub(crate) fn arrow(&mut self, p: DVec2, direction: DVec2, length: f64, colour: &str) {
        let along = (self.place(p + direction) - self.place(p)).normalize_or_zero() * length;
        let (tip, across) = (self.place(p) + 0.5 * along, 0.4 * along.perp());
        let (a, b) = (tip - along + across, tip - along - across);
        self.push(&format!(
            r#"<path d="M{:.2} {:.2} L{:.2} {:.2} L{:.2} {:.2} Z" clip-path="url(#frame)" fill="{colour}"/>"#,
            tip.x, tip.y, a.x, a.y, b.x, b.y
        ));
    }

    /// Draws a round mark.
    pub(crate) fn mark(&mut self, p: DVec2, radius: f64, fill: &str, edge: &str) {
        let at = self.place(p);
        self.push(&format!(
            r#"<circle cx="{:.2}" cy="{:.2}" r="{radius}" fill="{fill}" stroke="{edge}" stroke-width="1.6"/>"#,
            at.x, at.y
        ));
    }

    /// Writes text at a position relative to the frame (fractions of its size, from its lower left corner).
    pub(crate) fn text(&mut self, at: DVec2, size: f64, anchor: &str, text: &str) {
        let p = DVec2::new(MARGINS[0] + at.x * self.size.x, MARGINS[2] + (1.0 - at.y) * self.size.y);
        self.push(&format!(
            r#"<text x="{:.1}" y="{:.1}" font-size="{size}" text-anchor="{anchor}">{}</text>"#,
            p.x,
            p.y,
            escape(text)
        ));
    }

    /// Draws a legend in the frame's upper left corner.
    pub(crate) fn legend(&mut self, entries: &[(&str, &str)]) {
        let (x, y, row) = (MARGINS[0] + 8.0, MARGINS[2] + 8.0, 20.0);
        let longest = entries.iter().map(|(_, text)| text.chars().count()).max().unwrap_or(0);
        let (width, height) = (46.0 + LETTER * longest as f64, row * entries.len() as f64 + 8.0);
        self.push(&format!(
            r##"<rect x="{x}" y="{y}" width="{width:.0}" height="{height}" fill="white" fill-opacity="0.85" stroke="#ccc"/>"##
        ));
        for (i, (colour, text)) in entries.iter().enumerate() {
            self.key(DVec2::new(x + 8.0, y + 4.0 + row * (i as f64 + 0.5)), colour, text);
        }
    }

    /// Draws a legend in a row above the frame.
    pub(crate) fn caption(&mut self, entries: &[(&str, &str)]) {
        let (mut x, y) = (MARGINS[0], MARGINS[2] - 14.0);
        for (colour, text) in entries {
            self.key(DVec2::new(x, y), colour, text);
            x += 56.0 + LETTER * text.chars().count() as f64;
        }
    }

    /// Draws a legend entry: a coloured dash and its meaning.
    fn key(&mut self, at: DVec2, colour: &str, text: &str) {
        self.push(&format!(
            r#"<path d="M{} {} h26" stroke="{colour}" stroke-width="3"/><text x="{}" y="{}" font-size="13">{}</text>"#,
            at.x,
            at.y,
            at.x + 34.0,
            at.y + 4.5,
            escape(text)
        ));
    }

    /// Draws the frame, ticks and the names of the axes.
    pub(crate) fn axes(&mut self, x_name: &str, y_name: &str) {
        let DVec2 { x: width, y: height } = self.size;
        self.push(&format!(
            r##"<rect x="{}" y="{}" width="{width}" height="{height}" fill="none" stroke="#111" stroke-width="1.2"/>"##,
            MARGINS[0], MARGINS[2]
        ));
        for value in ticks(self.min.x, self.max.x) {
            let x = self.place(DVec2::new(value, self.min.y)).x;
            let y = MARGINS[2] + height;
            self.push(&format!(
                r##"<path d="M{x:.2} {y} v6" stroke="#111"/><text x="{x:.2}" y="{}" font-size="14" text-anchor="middle">{}</text>"##,
                y + 22.0,
                shown(value)
            ));
        }
        for value in ticks(self.min.y, self.max.y) {
            let y = self.place(DVec2::new(self.min.x, value)).y;
            let x = MARGINS[0];
            self.push(&format!(
                r##"<path d="M{x} {y:.2} h-6" stroke="#111"/><text x="{}" y="{:.2}" font-size="14" text-anchor="end">{}</text>"##,
                x - 10.0,
                y + 5.0,
                shown(value)
            ));
        }
        self.text(DVec2::new(0.5, -46.0 / height), 16.0, "middle", x_name);
        let (x, y) = (20.0, MARGINS[2] + 0.5 * height);
        self.push(&format!(
            r#"<text x="{x}" y="{y}" font-size="16" text-anchor="middle" transform="rotate(-90 {x} {y})">{}</text>"#,
            escape(y_name)
        ));
    }

    fn push(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }
}

/// An SVG file with plots of equal size, one below the other.
pub(crate) fn file(pictures: &[Picture]) -> String {
    let [left, right, top, bottom] = MARGINS;
    let size = pictures.first().map_or(DVec2::ZERO, |picture| picture.size);
    let (width, panel) = (left + size.x + right, top + size.y + bottom);
    let height = panel * pictures.len() as f64;
    let mut panels = String::new();
    for (i, picture) in pictures.iter().enumerate() {
        let _ = writeln!(panels, "<g transform=\"translate(0 {})\">\n{}</g>", panel * i as f64, picture.body);
    }
    // The clip path is in the coordinates of the element that refers to it, so one serves all panels.
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"Helvetica, Arial, sans-serif\" fill=\"#111\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
         <clipPath id=\"frame\"><rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\"/></clipPath>\n\
         {panels}</svg>\n",
        size.x, size.y
    )
}

/// Round values between two ends, about six of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let unit = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * unit).into_iter().find(|&s| s >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..).map(|i| i as f64 * step).take_while(|&v| v <= high + 1e-9 * step).collect()
}

/// A tick's value without rounding errors of binary fractions.
fn shown(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e5).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{shown, ticks};

    #[test]
    fn ticks_are_round_and_inside() {
        let shown = |low, high| ticks(low, high).into_iter().map(shown).collect::<Vec<_>>();
        assert_eq!(shown(-1.0, 1.0), ["-1", "-0.5", "0", "0.5", "1"]);
        assert_eq!(shown(0.0, 6.1), ["0", "2", "4", "6"]);
        assert_eq!(shown(0.013, 0.019), ["0.013", "0.014", "0.015", "0.016", "0.017", "0.018", "0.019"]);
    }
}
