//! A part lying in a pose, as an SVG picture: shaded faces with hidden surfaces removed, edges where faces meet sharply.

use glam::{DVec2, DVec3};
use impulse_lab::Part;
use std::fmt::Write;

/// Width and height, pixels.
const SIZE: usize = 180;

/// Where the part is looked at from: elevation and azimuth, rad.
const VIEW: [f64; 2] = [0.45, 0.6];

/// Grey levels.
const SHADES: usize = 40;

/// Faces that meet at more than this angle have an edge between them, as a cosine.
const SHARP: f64 = 0.9;

/// How far a line may lie behind the surface that it belongs to, relative to the radius.
const BIAS: f64 = 0.02;

/// A part's surface, ready to be drawn in any pose.
pub(super) struct Model<'a> {
    part: &'a Part,
    normals: Vec<DVec3>,
    /// Ends of each edge and the faces beside it.
    edges: Vec<([u32; 2], [u32; 2])>,
}

impl<'a> Model<'a> {
    pub(super) fn new(part: &'a Part) -> Self {
        let mesh = &part.surface;
        let normal = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize]);
            (b - a).cross(c - a).normalize_or_zero()
        };
        let normals = mesh.triangles.iter().map(normal).collect();
        let mut sides: Vec<([u32; 2], u32)> = (0..)
            .zip(&mesh.triangles)
            .flat_map(|(face, &[a, b, c])| [[a, b], [b, c], [c, a]].map(|[u, v]| ([u.min(v), u.max(v)], face)))
            .collect();
        sides.sort_unstable();
        let edges = sides.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let edges = edges.map(|pair| (pair[0].0, [pair[0].1, pair[1].1])).collect();
        Self { part, normals, edges }
    }

    /// The picture of the part with a direction of its frame pointing down.
    pub(super) fn picture(&self, down: DVec3) -> String {
        let camera = Camera::new(self.part, down);
        let points: Vec<DVec3> = self.part.surface.vertices.iter().map(|&v| camera.seen(v)).collect();
        let mut canvas = Canvas::new();
        for (triangle, &normal) in self.part.surface.triangles.iter().zip(&self.normals) {
            canvas.fill(triangle.map(|v| points[v as usize]), camera.shade(normal));
        }
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}" role="img">"#
        );
        svg.push_str(&self.shadow(&camera));
        canvas.write(&mut svg);
        self.draw_edges(&camera, &points, &canvas, &mut svg);
        svg.push_str("</svg>");
        svg
    }

    /// The part's outline projected down on the floor.
    fn shadow(&self, camera: &Camera) -> String {
        let corners = self.part.hull.vertices().iter().map(|&v| camera.seen(camera.on_floor(v)).truncate());
        let outline = impulse_lab::outline(corners.collect());
        let points: Vec<String> = outline.iter().map(|p| format!("{:.1},{:.1}", p.x, p.y)).collect();
        format!(r##"<polygon points="{}" fill="#e4e4e0"/>"##, points.join(" "))
    }

    fn draw_edges(&self, camera: &Camera, points: &[DVec3], canvas: &Canvas, svg: &mut String) {
        let mut path = String::new();
        for (ends, faces) in &self.edges {
            let [n, m] = faces.map(|face| self.normals[face as usize]);
            let [front, other] = [n, m].map(|normal| normal.dot(camera.forward) < 0.0);
            if (front || other) && (n.dot(m) < SHARP || front != other) {
                canvas.visible(ends.map(|v| points[v as usize]), camera.bias, &mut path);
            }
        }
        let _ =
            write!(svg, r##"<path d="{path}" fill="none" stroke="#223" stroke-width="0.9" stroke-linecap="round"/>"##);
    }
}

/// How points of the part are seen.
struct Camera {
    com: DVec3,
    down: DVec3,
    /// Height of the centre of mass, m.
    height: f64,
    /// In the part's frame: to the right and upwards on the picture, and away from the eye.
    right: DVec3,
    up: DVec3,
    forward: DVec3,
    light: DVec3,
    /// Pixels per metre.
    scale: f64,
    bias: f64,
}

impl Camera {
    fn new(part: &Part, down: DVec3) -> Self {
        let (x, y) = down.any_orthonormal_pair();
        let ([elevation, azimuth], z) = (VIEW, -down);
        let across = azimuth.cos() * x + azimuth.sin() * y;
        let right = azimuth.cos() * y - azimuth.sin() * x;
        let right = if across.cross(right).dot(z) > 0.0 { right } else { -right };
        let forward = -(elevation.cos() * across + elevation.sin() * z);
        let up = right.cross(forward);
        let height = part.hull.vertices().iter().map(|&v| down.dot(v - part.mass.com)).fold(0.0, f64::max);
        let light = (0.9 * z - 0.5 * forward - 0.35 * right).normalize();
        let scale = 0.47 * SIZE as f64 / part.radius;
        Self { com: part.mass.com, down, height, right, up, forward, light, scale, bias: BIAS * 0.47 * SIZE as f64 }
    }

    /// Pixel coordinates, y downwards, and the depth in pixels, larger is farther.
    fn seen(&self, point: DVec3) -> DVec3 {
        let p = (point - self.com) * self.scale;
        let middle = 0.5 * SIZE as f64;
        DVec3::new(middle + p.dot(self.right), middle - p.dot(self.up), p.dot(self.forward))
    }

    fn on_floor(&self, point: DVec3) -> DVec3 {
        point + self.down * (self.height - self.down.dot(point - self.com))
    }

    /// Brightness of a face, within 0 and [`SHADES`].
    fn shade(&self, normal: DVec3) -> u8 {
        let normal = if normal.dot(self.forward) > 0.0 { -normal } else { normal };
        let light = 0.45 + 0.55 * normal.dot(self.light).max(0.0);
        (light * (SHADES - 1) as f64).round() as u8
    }
}

/// What is nearest in each pixel.
struct Canvas {
    depth: Vec<f64>,
    /// `u8::MAX` where nothing is.
    shade: Vec<u8>,
}

impl Canvas {
    fn new() -> Self {
        Self { depth: vec![f64::INFINITY; SIZE * SIZE], shade: vec![u8::MAX; SIZE * SIZE] }
    }

    /// Draws a triangle into all pixels whose middle it covers and where nothing is nearer.
    fn fill(&mut self, [a, b, c]: [DVec3; 3], shade: u8) {
        let area = (b - a).truncate().perp_dot((c - a).truncate());
        if area == 0.0 {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let pixels = |low: f64, high: f64| (low.max(0.0) as usize)..(high.ceil().clamp(0.0, SIZE as f64) as usize);
        for row in pixels(low.y, high.y) {
            for column in pixels(low.x, high.x) {
                let p = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
                let weight = |u: DVec3, v: DVec3| (v - u).truncate().perp_dot(p - u.truncate()) / area;
                let [wa, wb, wc] = [weight(b, c), weight(c, a), weight(a, b)];
                let at = row * SIZE + column;
                let depth = wa * a.z + wb * b.z + wc * c.z;
                if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 && depth < self.depth[at] {
                    (self.depth[at], self.shade[at]) = (depth, shade);
                }
            }
        }
    }

    /// Writes rows of equal pixels, one path for each shade.
    fn write(&self, svg: &mut String) {
        let mut paths = vec![String::new(); SHADES];
        for row in 0..SIZE {
            let line = &self.shade[row * SIZE..(row + 1) * SIZE];
            let mut at = 0;
            while at < SIZE {
                let run = line[at..].iter().take_while(|&&shade| shade == line[at]).count();
                if line[at] != u8::MAX {
                    let _ = write!(paths[usize::from(line[at])], "M{at} {}h{run}", row as f64 + 0.5);
                }
                at += run;
            }
        }
        for (shade, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
            let light = shade as f64 / (SHADES - 1) as f64;
            let [r, g, b] = [150.0, 186.0, 226.0].map(|full| (light * full + 20.0).min(255.0) as u8);
            let _ = write!(svg, r##"<path d="{path}" stroke="#{r:02x}{g:02x}{b:02x}" stroke-width="1.08"/>"##);
        }
    }

    /// Writes the parts of a line that nothing hides.
    fn visible(&self, [a, b]: [DVec3; 2], bias: f64, path: &mut String) {
        let steps = (a.truncate().distance(b.truncate()).ceil() as usize).max(1);
        let is_seen = |k: usize| {
            let p = a.lerp(b, k as f64 / steps as f64);
            // The line may run beside its face in the grid of pixels: the farthest of the neighbours decides.
            let near = [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0], [0.0, 0.0]].map(|[x, y]| {
                let (column, row) = ((p.x + x).max(0.0) as usize, (p.y + y).max(0.0) as usize);
                if column < SIZE && row < SIZE { self.depth[row * SIZE + column] } else { f64::INFINITY }
            });
            near.iter().any(|depth| p.z <= depth + bias)
        };
        let mut start = None;
        for k in 0..=steps + 1 {
            let seen = k <= steps && is_seen(k);
            match (start, seen) {
                (None, true) => start = Some(k),
                (Some(first), false) => {
                    let [p, q] = [first, k - 1].map(|k| a.lerp(b, k as f64 / steps as f64));
                    let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", p.x, p.y, q.x, q.y);
                    start = None;
                }
                _ => {}
            }
        }
    }
}
