//! Poses and barriers against a search on a grid of directions.

use crate::support::{cuboid, hull, landscape, prism, random_part};
use glam::DVec3;
use impulse::geometry::{Solid, TriangleMesh, icosphere};
use impulse_lab::{Landscape, Part};
use impulse_scenes::Random;

/// Corners of a fine icosphere with their neighbours: a grid of directions.
struct Grid {
    directions: Vec<DVec3>,
    links: Vec<[u32; 2]>,
}

impl Grid {
    fn new() -> Self {
        let TriangleMesh { vertices, triangles } = icosphere(6);
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let links = sides.filter(|[a, b]| a < b).collect();
        Self { directions: vertices.iter().map(|v| v.normalize()).collect(), links }
    }

    /// The lowest level at which each pose is joined to another one, found by flooding the grid.
    fn levels(&self, part: &Part, landscape: &Landscape) -> Vec<f64> {
        let height = |d: &DVec3| part.hull.support(*d).dot(*d) - part.mass.com.dot(*d);
        let mut directions = self.directions.clone();
        let mut links = self.links.clone();
        // The poses themselves, linked to the nearest directions of the grid.
        for pose in &landscape.poses {
            let own = directions.len() as u32;
            directions.push(pose.down);
            links.extend((0..own).filter(|&i| directions[i as usize].dot(pose.down) > 0.9995).map(|i| [i, own]));
        }
        let heights: Vec<f64> = directions.iter().map(height).collect();
        let level = |[a, b]: &[u32; 2]| heights[*a as usize].max(heights[*b as usize]);
        links.sort_by(|a, b| level(a).total_cmp(&level(b)));
        let first = self.directions.len();
        let mut set: Vec<usize> = (0..directions.len()).collect();
        let mut poses: Vec<Vec<usize>> =
            (0..set.len()).map(|i| if i < first { vec![] } else { vec![i - first] }).collect();
        let mut levels = vec![f64::INFINITY; landscape.poses.len()];
        for link in &links {
            let [a, b] = link.map(|i| root(&set, i as usize));
            if a != b {
                if !poses[a].is_empty() && !poses[b].is_empty() {
                    poses[a].iter().chain(&poses[b]).for_each(|&p| levels[p] = levels[p].min(level(link)));
                }
                set[a] = b;
                let moved = std::mem::take(&mut poses[a]);
                poses[b].extend(moved);
            }
        }
        levels
    }
}

fn root(set: &[usize], mut i: usize) -> usize {
    while set[i] != i {
        i = set[i];
    }
    i
}

#[test]
fn barriers_are_those_of_a_search_on_a_grid_of_directions() {
    let grid = Grid::new();
    let mut compared = 0;
    for seed in 0..60 {
        let part = random_part(seed);
        let landscape = Landscape::new(&part, 0.03);
        let found = grid.levels(&part, &landscape);
        for (pose, level) in landscape.poses.iter().zip(found).filter(|(pose, _)| pose.barrier.is_finite()) {
            // The grid is 1.3 degrees wide: its ways run up to radius times that beside the pass.
            let error = (level - pose.height - pose.barrier) / part.radius;
            assert!((-1e-12..0.02).contains(&error), "{seed}: {error}");
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared}");
}

/// Small steps that never rise, in random directions, must end where the landscape says.
#[test]
fn a_way_that_never_rises_ends_in_the_pose_of_its_start_when_it_cannot_leave() {
    for seed in 0..40 {
        let part = random_part(seed);
        let landscape = landscape(&part);
        let random = &mut Random::new(1000 + seed);
        for _ in 0..20 {
            let start = random.direction();
            let pose = landscape.pose_of(start);
            let mut at = start;
            let mut step = 0.05;
            for _ in 0..4000 {
                let next = (at + step * random.direction()).normalize();
                if landscape.height(next) <= landscape.height(at) { at = next } else { step = (step * 0.995).max(1e-5) }
            }
            let end = landscape.pose_of(at);
            let level = landscape.poses[pose].height + landscape.poses[pose].barrier;
            assert!(end == pose || landscape.height(start) >= level, "{seed}: {pose} {end}");
        }
    }
}

#[test]
fn a_pose_is_the_pose_of_its_own_direction() {
    for seed in 0..200 {
        let landscape = landscape(&random_part(seed));
        for (i, pose) in landscape.poses.iter().enumerate() {
            assert_eq!(landscape.pose_of(pose.down), i, "{seed}");
            assert!((landscape.height(pose.down) - pose.height).abs() < 1e-14);
        }
    }
}

#[test]
fn a_ball_is_one_pose_that_rolls() {
    let ball = landscape(&hull(&icosphere(3).vertices));
    assert_eq!(ball.poses.len(), 1);
    let pose = &ball.poses[0];
    assert!(pose.rolls && pose.barrier == f64::INFINITY && pose.leads_to.is_none());
    assert!((pose.solid_angle - 1.0).abs() < 1e-12);
}

#[test]
fn a_dented_ball_rolls_or_lies_on_its_dent() {
    let cut = |v: &DVec3| if v.z > 0.93 { v.with_z(0.93) } else { *v };
    let points: Vec<DVec3> = icosphere(3).vertices.iter().map(cut).collect();
    let ball = landscape(&hull(&points));
    assert_eq!(ball.poses.len(), 2);
    let [round, dent] = [&ball.poses[0], &ball.poses[1]];
    assert!(round.rolls && round.barrier < 0.01 && round.leads_to == Some(1));
    assert!(!dent.rolls && dent.down.z > 0.999 && dent.barrier > 0.02, "{dent:?}");
}

#[test]
fn passes_of_a_box_are_its_edges() {
    let [x, y, z] = [0.1, 0.08, 0.06];
    let landscape = landscape(&cuboid(x, y, z));
    // Twelve edges, each a pass between two faces.
    assert_eq!(landscape.passes.len(), 12);
    for pass in &landscape.passes {
        let [a, b] = pass.between.map(|i| landscape.poses[i].down.abs());
        let size = DVec3::new(x, y, z);
        let expected = 0.5 * (size.dot(a) * size.dot(a) + size.dot(b) * size.dot(b)).sqrt();
        assert!((pass.height - expected).abs() < 1e-15);
    }
}

#[test]
fn symmetry_tells_poses_apart_that_only_look_alike() {
    // Three pairs of faces; a weight in one corner makes all six different, one in the middle of a face two pairs and two singles.
    let groups = |com: DVec3| {
        let cube = cuboid(0.1, 0.1, 0.1);
        let mut mass = cube.mass;
        mass.com = com;
        let landscape = landscape(&Part::new("weighted", cube.surface, mass).unwrap());
        (0..6).filter(|&i| landscape.poses[i].group == i).count()
    };
    assert_eq!([groups(DVec3::ZERO), groups(DVec3::X * 0.01), groups(DVec3::new(0.01, 0.005, 0.002))], [1, 3, 6]);
    // A prism's ends are alike, its sides are alike.
    let prism = landscape(&prism(5, 0.05, 0.08));
    assert_eq!((0..prism.poses.len()).filter(|&i| prism.poses[i].group == i).count(), 2);
}
