//! Writes `parts/housing.stl`: a cast housing with a pocket, bosses, stepped bores and through holes, in millimetres.
//!
//! The part is a stack of prisms over a plan of nested outlines. Every outline is shared by the two levels it separates, so
//! that the surface is closed by construction.

use impulse::DVec3;
use impulse::geometry::{Polyhedron, Solid, TriangleMesh, ears};
use std::error::Error;
use std::f64::consts::TAU;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let mesh = housing();
    let solid = Polyhedron::from_triangles(&mesh)?;
    let volume = solid.volume_integrals().volume;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../parts/housing.stl");
    std::fs::write(path, binary_stl(&mesh)?)?;
    writeln!(std::io::stdout(), "{path}: {} triangles, {:.1} cm^3", mesh.triangles.len(), volume / 1000.0)?;
    Ok(())
}

/// A level of the plan: everything inside `outline` and outside the outlines of `inside` ends at height `top`, or at the
/// ground where the level is a hole.
struct Level {
    outline: Vec<DVec3>,
    top: f64,
    inside: Vec<Level>,
}

fn housing() -> TriangleMesh {
    let bore = |x: f64, y: f64, radius: f64, top: f64| circle(x, y, radius, top, Vec::new());
    let boss = |x: f64, y: f64, height: f64| circle(x, y, 8.0, height, vec![bore(x, y, 3.0, 6.0)]);
    // The pocket's floor carries a central bearing seat, two ribs of bosses, and drains that go through.
    let seat = circle(0.0, 0.0, 14.0, 30.0, vec![circle(0.0, 0.0, 10.0, 22.0, vec![bore(0.0, 0.0, 6.0, 0.0)])]);
    let mut floor = vec![seat];
    for x in [-34.0, 34.0] {
        for y in [-18.0, 18.0] {
            floor.push(circle(x, y, 6.0, 24.0, vec![bore(x, y, 2.5, 10.0)]));
        }
        floor.push(bore(x, 0.0, 4.0, 0.0));
    }
    let mut levels = vec![rounded_rectangle(47.0, 29.0, 5.0, 8.0, floor)];
    for x in [-56.0, 56.0] {
        for y in [-36.0, 36.0] {
            levels.push(boss(x, y, 40.0));
        }
        levels.push(bore(x, 0.0, 4.0, 0.0));
        levels.push(bore(x, 16.0, 2.5, 20.0));
        levels.push(bore(x, -16.0, 2.5, 20.0));
    }
    let plan = rounded_rectangle(66.0, 46.0, 12.0, 32.0, levels);
    let mut mesh = TriangleMesh::default();
    let mut ground = vec![loop_at(&plan.outline, 0.0, &mut mesh)];
    let lower = ground[0].clone();
    raise(&plan, &lower, &mut ground, &mut mesh);
    // Seen from below the ground runs the other way.
    let mut below = Vec::new();
    fill(&ground, DVec3::Z, &mesh.vertices, &mut below);
    mesh.triangles.extend(below.iter().map(|&[a, b, c]| [a, c, b]));
    mesh
}

/// Adds the wall that rises from `lower` to a level, the level itself and everything inside it.
fn raise(level: &Level, lower: &[u32], ground: &mut Vec<Vec<u32>>, mesh: &mut TriangleMesh) {
    let upper = loop_at(&level.outline, level.top, mesh);
    wall(lower, &upper, mesh);
    let mut loops = vec![upper];
    for inner in &level.inside {
        let edge = loop_at(&inner.outline, level.top, mesh);
        if inner.top == 0.0 {
            let exit = loop_at(&inner.outline, 0.0, mesh);
            wall(&edge, &exit, mesh);
            ground.push(exit);
        } else {
            raise(inner, &edge, ground, mesh);
        }
        loops.push(edge);
    }
    let mut triangles = Vec::new();
    fill(&loops, DVec3::Z, &mesh.vertices, &mut triangles);
    mesh.triangles.extend(triangles);
}

/// The wall from one copy of an outline to another, solid on the left of the outline's rising side.
fn wall(from: &[u32], to: &[u32], mesh: &mut TriangleMesh) {
    for i in 0..from.len() {
        let j = (i + 1) % from.len();
        mesh.triangles.extend([[from[i], from[j], to[j]], [from[i], to[j], to[i]]]);
    }
}

/// Fills the first loop outside the others, all counter-clockwise, by joining each hole to the outside with a bridge.
fn fill(loops: &[Vec<u32>], normal: DVec3, vertices: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
    let at = |v: u32| vertices[v as usize];
    let mut outside = loops[0].clone();
    let mut holes: Vec<&Vec<u32>> = loops[1..].iter().collect();
    // Bridges run to the right; from the rightmost hole on, what they meet is already part of the outside.
    let rightmost =
        |hole: &[u32]| (0..hole.len()).max_by(|&i, &j| at(hole[i]).x.total_cmp(&at(hole[j]).x)).unwrap_or(0);
    holes.sort_by(|a, b| at(b[rightmost(b)]).x.total_cmp(&at(a[rightmost(a)]).x));
    for hole in holes {
        let start = rightmost(hole);
        let from = at(hole[start]);
        let is_clear = |&i: &usize| {
            (0..outside.len()).all(|k| {
                let (a, b) = (at(outside[k]), at(outside[(k + 1) % outside.len()]));
                !crosses(from, at(outside[i]), a, b)
            })
        };
        let reachable = (0..outside.len()).filter(|&i| at(outside[i]).x > from.x).filter(is_clear);
        let end = reachable.min_by(|&i, &j| at(outside[i]).distance(from).total_cmp(&at(outside[j]).distance(from)));
        let end = end.unwrap_or(0);
        // Once around the hole, clockwise, and back.
        let around = (0..=hole.len()).map(|k| hole[(start + 2 * hole.len() - k) % hole.len()]);
        let detour: Vec<u32> = around.chain([outside[end]]).collect();
        outside.splice(end + 1..end + 1, detour);
    }
    ears::triangulate(vertices, &outside, normal, triangles);
}

/// Whether two segments in a horizontal plane cross at inner points of both.
fn crosses(p: DVec3, q: DVec3, a: DVec3, b: DVec3) -> bool {
    let side = |u: DVec3, v: DVec3, w: DVec3| (v - u).cross(w - u).z;
    side(p, q, a) * side(p, q, b) < 0.0 && side(a, b, p) * side(a, b, q) < 0.0
}

fn loop_at(outline: &[DVec3], z: f64, mesh: &mut TriangleMesh) -> Vec<u32> {
    outline.iter().map(|p| mesh.push(p.with_z(z))).collect()
}

const SEGMENTS: u32 = 48;

fn circle(x: f64, y: f64, radius: f64, top: f64, inside: Vec<Level>) -> Level {
    let point = |k: u32| arc_point(x, y, radius, f64::from(k) / f64::from(SEGMENTS));
    Level { outline: (0..SEGMENTS).map(point).collect(), top, inside }
}

fn rounded_rectangle(half_x: f64, half_y: f64, radius: f64, top: f64, inside: Vec<Level>) -> Level {
    let mut outline = Vec::new();
    let quarter = SEGMENTS / 4;
    for (i, (sx, sy)) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].into_iter().enumerate() {
        let (x, y) = (sx * (half_x - radius), sy * (half_y - radius));
        let turn = |k: u32| (f64::from(k) / f64::from(quarter) + i as f64) / 4.0;
        outline.extend((0..=quarter).map(|k| arc_point(x, y, radius, turn(k))));
    }
    Level { outline, top, inside }
}

fn arc_point(x: f64, y: f64, radius: f64, turns: f64) -> DVec3 {
    DVec3::new(x + radius * libm::cos(TAU * turns), y + radius * libm::sin(TAU * turns), 0.0)
}

/// The triangles in the binary form of STL: an 80-byte header, their number, and 50 bytes each.
fn binary_stl(mesh: &TriangleMesh) -> Result<Vec<u8>, std::num::TryFromIntError> {
    let mut bytes = b"housing, millimetres".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(u32::try_from(mesh.triangles.len())?.to_le_bytes());
    for [a, b, c] in mesh.corners() {
        let normal = (b - a).cross(c - a).normalize();
        for v in [normal, a, b, c] {
            bytes.extend(v.as_vec3().to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0, 0]);
    }
    Ok(bytes)
}
