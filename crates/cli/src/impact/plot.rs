//! A plot of the flow of tangential velocity during a collision (figures 3.3 and 3.7).

use crate::svg::{Picture, Stroke, file};
use anyhow::bail;
use glam::DVec2;
use impulse::respond::{Impact, PathPoint, RayKind, path, rays, resolve, tangential_flow};

const SIZE: f64 = 640.0;
const FLOW: &str = "#9aa7b4";
const DIVERGING: &str = "#c2410c";
const CONVERGING: &str = "#1d4ed8";
const COMPRESSION: &str = "#111111";
const RESTITUTION: &str = "#15803d";

/// Cells along a side of the frame. Each is crossed by at most one streamline.
const CELLS: usize = 22;

/// Most steps along a streamline in one direction.
const STEPS: usize = 2000;

/// Draws the flow for the first impact's matrix and friction, and the paths of all impacts that share them.
pub(super) fn draw(impacts: &[Impact]) -> anyhow::Result<String> {
    let Some(first) = impacts.first() else {
        bail!("there is no impact to plot");
    };
    let shares = |i: &&Impact| i.matrix == first.matrix && i.material.friction == first.material.friction;
    let mut paths = Vec::new();
    for impact in impacts.iter().filter(shares) {
        paths.push((path(impact, 40)?, resolve(impact)?.compression_impulse));
    }
    let half = half_width(&paths);
    let mut picture = Picture::new(DVec2::splat(SIZE), DVec2::splat(-half), DVec2::splat(half));
    stream_lines(&mut picture, first, half);
    draw_rays(&mut picture, first, half)?;
    for (points, compression) in &paths {
        draw_path(&mut picture, points, *compression);
    }
    let m = first.material;
    let title =
        format!("Tangential flow, μ = {}, {} path{}", m.friction, paths.len(), if paths.len() == 1 { "" } else { "s" });
    picture.text(DVec2::new(0.5, 1.0 + 16.0 / SIZE), 17.0, "middle", &title);
    legend(&mut picture);
    picture.axes("u_x  (m/s)", "u_y  (m/s)");
    Ok(file(&[picture]))
}

/// Half the width of a frame about the origin that contains all paths.
fn half_width(paths: &[(Vec<PathPoint>, f64)]) -> f64 {
    let points = paths.iter().flat_map(|(points, _)| points);
    let largest = points.clone().map(|p| p.velocity.truncate().abs().max_element()).fold(0.0, f64::max);
    // Impacts without tangential velocity still have a flow, shown at the scale of the approach velocity.
    let approach = points.map(|p| p.velocity.z.abs()).fold(f64::MIN_POSITIVE, f64::max);
    if largest > 1e-9 * approach { 1.3 * largest } else { approach }
}

fn stream_lines(picture: &mut Picture, impact: &Impact, half: f64) {
    let mut taken = [[false; CELLS]; CELLS];
    let cell = |p: DVec2| {
        let f = (p + half) / (2.0 * half) * CELLS as f64;
        (f.min_element() >= 0.0 && f.max_element() < CELLS as f64).then_some((f.x as usize, f.y as usize))
    };
    let step = 0.15 * 2.0 * half / CELLS as f64;
    for k in 0..CELLS * CELLS {
        // Seeds spread over the frame by a stride prime to the number of cells.
        let i = k * 173 % (CELLS * CELLS);
        let seed = (DVec2::new((i % CELLS) as f64, (i / CELLS) as f64) + 0.5) / CELLS as f64 * 2.0 * half - half;
        if cell(seed).is_none_or(|(x, y)| taken[x][y]) {
            continue;
        }
        let mut own = vec![];
        let mut half_line = |sense: f64| {
            let (mut p, mut line) = (seed, vec![seed]);
            for _ in 0..STEPS {
                let Some(c) = cell(p) else { break };
                if taken[c.0][c.1] || p.length() < step {
                    break;
                }
                if !own.contains(&c) {
                    own.push(c);
                }
                p = stepped(impact, p, sense * step);
                line.push(p);
            }
            line
        };
        let (back, ahead) = (half_line(-1.0), half_line(1.0));
        let line: Vec<DVec2> = back.into_iter().rev().chain(ahead.into_iter().skip(1)).collect();
        if line.len() > 12 {
            own.iter().for_each(|&(x, y)| taken[x][y] = true);
            picture.line(&line, &Stroke { colour: FLOW, width: 1.1, dashes: "" });
            let middle = line.len() / 2;
            picture.arrow(line[middle], line[middle + 1] - line[middle], 9.0, FLOW);
        }
    }
}

/// A step of given length along the flow, by the midpoint rule.
fn stepped(impact: &Impact, p: DVec2, length: f64) -> DVec2 {
    let along = |p: DVec2| tangential_flow(&impact.matrix, impact.material.friction, p).normalize_or_zero();
    p + length * along(p + 0.5 * length * along(p))
}

fn draw_rays(picture: &mut Picture, impact: &Impact, half: f64) -> anyhow::Result<()> {
    for ray in rays(&impact.matrix, impact.material.friction)?.iter() {
        let colour = match ray.kind {
            RayKind::Diverging => DIVERGING,
            RayKind::Converging => CONVERGING,
        };
        let dashes = if ray.attracting { "" } else { "7 5" };
        let end = ray.direction * 2.0 * half;
        picture.line(&[DVec2::ZERO, end], &Stroke { colour, width: 2.2, dashes });
        let at = ray.direction * 0.8 * half;
        let sense = if ray.kind == RayKind::Diverging { 1.0 } else { -1.0 };
        picture.arrow(at, sense * ray.direction * half, 14.0, colour);
    }
    picture.mark(DVec2::ZERO, 3.5, "white", "#111");
    Ok(())
}

fn draw_path(picture: &mut Picture, points: &[PathPoint], compression: f64) {
    let at = |p: &PathPoint| p.velocity.truncate();
    let turn = points.iter().position(|p| p.normal_impulse > compression).unwrap_or(points.len());
    let before: Vec<DVec2> = points[..turn].iter().map(at).collect();
    let after: Vec<DVec2> = points[turn.saturating_sub(1)..].iter().map(at).collect();
    picture.line(&before, &Stroke { colour: COMPRESSION, width: 3.0, dashes: "" });
    picture.line(&after, &Stroke { colour: RESTITUTION, width: 3.0, dashes: "" });
    if let (Some(start), Some(end)) = (points.first(), points.last()) {
        picture.mark(at(start), 5.5, "white", COMPRESSION);
        picture.mark(at(end), 5.5, RESTITUTION, RESTITUTION);
    }
}

fn legend(picture: &mut Picture) {
    picture.legend(&[
        (COMPRESSION, "path, compression (from ○)"),
        (RESTITUTION, "path, restitution (to ●)"),
        (DIVERGING, "diverging ray"),
        (CONVERGING, "converging ray (either dashed: repels)"),
    ]);
}
