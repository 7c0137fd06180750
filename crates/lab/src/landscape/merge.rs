//! The merge tree: which poses exist, what each needs to be left, and where to.

use super::solid_angle::solid_angles;
use super::symmetry::Symmetry;
use super::terrain::Terrain;
use crate::part::Part;
use glam::DVec3;
use impulse::geometry::ConvexPolyhedron;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The poses of a part, and what separates them.
#[derive(Clone, Debug)]
pub struct Landscape {
    pub(super) hull: Arc<ConvexPolyhedron>,
    pub(super) com: DVec3,
    pub(super) terrain: Terrain,
    /// The pose that toppling from each face ends in.
    pub(super) pose_of_face: Vec<u32>,
    /// The poses, the likeliest by solid angle first.
    pub poses: Vec<Pose>,
    /// The lowest ways between neighbouring poses, by the numbers of the poses.
    pub passes: Vec<Pass>,
    /// Largest distance of a corner from the centre of mass, m.
    pub radius: f64,
}

/// A way to lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// Unit vector in the part's frame that points down.
    pub down: DVec3,
    /// The stable faces of the hull that are this pose, the lowest first.
    pub faces: Vec<u32>,
    /// Height of the centre of mass, m.
    pub height: f64,
    /// Height over [`Pose::height`] that the centre of mass must rise by to leave the pose, m; infinite where it is the only one.
    pub barrier: f64,
    /// Where the lowest pass leads to.
    pub leads_to: Option<usize>,
    /// Share of directions that end here when a part settles without swing (7.1, with toppling).
    pub solid_angle: f64,
    /// Whether it is many faces around an axis, on which the part rolls.
    pub rolls: bool,
    /// Number of the group of poses that are equal by symmetry; groups are numbered by their first pose.
    pub group: usize,
}

/// The lowest way from one pose to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// The two poses.
    pub between: [usize; 2],
    /// Height of the centre of mass on the pass, m.
    pub height: f64,
}

/// Angle between faces of one pose beyond which it is said to roll, as a cosine: 30 degrees.
const ROLLING: f64 = 0.866;

impl Landscape {
    /// The landscape of a part. Minima whose pass is lower than `merge` times the radius are one pose.
    pub fn new(part: &Part, merge: f64) -> Self {
        let (hull, com) = (part.hull.clone(), part.mass.com);
        let terrain = Terrain::new(&hull, com);
        let rests: Vec<u32> = (0..terrain.heights.len() as u32).map(|face| terrain.rest_of(face)).collect();
        let merged = merged(&hull, &terrain, &rests, merge * part.radius);
        let angles = solid_angles(&hull, com);
        let mut by_root: BTreeMap<u32, Pose> = BTreeMap::new();
        for face in 0..rests.len() as u32 {
            let root = merged[rests[face as usize] as usize];
            let pose = by_root.entry(root).or_insert_with(|| empty_pose(&hull, &terrain, root));
            pose.solid_angle += angles[face as usize];
            if rests[face as usize] == face && face != root {
                pose.faces.push(face);
            }
        }
        let mut poses: Vec<(u32, Pose)> = by_root.into_iter().collect();
        poses.sort_by(|a, b| b.1.solid_angle.total_cmp(&a.1.solid_angle).then(a.0.cmp(&b.0)));
        let number: BTreeMap<u32, u32> = (0..).zip(&poses).map(|(i, (root, _))| (*root, i)).collect();
        let pose_of_face = rests.iter().map(|&rest| number[&merged[rest as usize]]).collect();
        let poses = poses.into_iter().map(|(_, pose)| pose).collect();
        let mut landscape = Self { hull, com, terrain, pose_of_face, poses, passes: Vec::new(), radius: part.radius };
        landscape.find_passes();
        landscape.describe(part, merge * part.radius);
        landscape
    }

    /// The lowest arcs between different poses.
    fn find_passes(&mut self) {
        let mut lowest: BTreeMap<[usize; 2], f64> = BTreeMap::new();
        for (edge, &height) in self.hull.edges().iter().zip(&self.terrain.arcs) {
            let [a, b] = [edge.left, edge.right].map(|face| self.pose_of_face[face as usize] as usize);
            if a != b {
                let pass = lowest.entry([a.min(b), a.max(b)]).or_insert(f64::INFINITY);
                *pass = pass.min(height);
            }
        }
        self.passes = lowest.into_iter().map(|(between, height)| Pass { between, height }).collect();
        for pass in &self.passes {
            for (from, to) in [(0, 1), (1, 0)].map(|(i, j)| (pass.between[i], pass.between[j])) {
                let pose = &mut self.poses[from];
                if pass.height - pose.height < pose.barrier {
                    (pose.barrier, pose.leads_to) = (pass.height - pose.height, Some(to));
                }
            }
        }
    }

    /// Which poses roll, and which are equal by symmetry.
    fn describe(&mut self, part: &Part, least: f64) {
        for pose in &mut self.poses {
            let normal = |face: u32| self.hull.surface().planes()[face as usize].normal;
            // Faces that are much higher are where the part only comes from.
            let low = |face: &&u32| self.terrain.heights[**face as usize] - pose.height <= least;
            pose.rolls = pose.faces.iter().filter(low).any(|&face| normal(face).dot(pose.down) < ROLLING);
        }
        let symmetry = Symmetry::new(part);
        for i in 0..self.poses.len() {
            let equal = |j: &usize| self.poses[*j].group == *j && symmetry.are_equal(&self.poses[*j], &self.poses[i]);
            self.poses[i].group = (0..i).find(equal).unwrap_or(i);
        }
    }
}

fn empty_pose(hull: &ConvexPolyhedron, terrain: &Terrain, root: u32) -> Pose {
    Pose {
        down: hull.surface().planes()[root as usize].normal,
        faces: vec![root],
        height: terrain.heights[root as usize],
        barrier: f64::INFINITY,
        leads_to: None,
        solid_angle: 0.0,
        rolls: false,
        group: usize::MAX,
    }
}

/// For every stable face the lowest face of its pose, by Kruskal's order: arcs are looked at from the lowest upwards; where one
/// joins two valleys of which the shallower is not deeper than `least`, they are one pose.
///
/// But a round surface on which the part rolls high above a deeper pose stays a pose of its own, however shallow: a ball with a dent
/// does not lie in the dent because it has one.
fn merged(hull: &ConvexPolyhedron, terrain: &Terrain, rests: &[u32], least: f64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..terrain.arcs.len() as u32).collect();
    order.sort_by(|&a, &b| terrain.arcs[a as usize].total_cmp(&terrain.arcs[b as usize]).then(a.cmp(&b)));
    let (mut valleys, mut poses) = (Sets::new(rests.len()), Sets::new(rests.len()));
    let height = |face: u32| terrain.heights[face as usize];
    let lower = |a: u32, b: u32| if (height(a), a) <= (height(b), b) { [a, b] } else { [b, a] };
    let normal = |face: u32| hull.surface().planes()[face as usize].normal;
    for index in order {
        let edge = &hull.edges()[index as usize];
        let [a, b] = [edge.left, edge.right].map(|face| rests[face as usize]);
        let [first, second] = [valleys.root(a), valleys.root(b)];
        if first == second {
            continue;
        }
        let [low, high] = lower(first, second);
        if terrain.arcs[index as usize] - height(high) <= least {
            let [below, above] = lower(poses.root(a), poses.root(b));
            let rolls = |root: u32| poses.members[root as usize].iter().any(|&f| normal(f).dot(normal(root)) < ROLLING);
            if height(above) - height(below) <= least || !rolls(above) {
                poses.join(above, below);
            }
        }
        valleys.join(high, low);
    }
    (0..rests.len() as u32).map(|face| poses.root(face)).collect()
}

/// Disjoint sets of stable faces; the root of a set is its lowest face.
struct Sets {
    parents: Vec<u32>,
    /// Of every root.
    members: Vec<Vec<u32>>,
}

impl Sets {
    fn new(count: usize) -> Self {
        let all = 0..count as u32;
        Self { parents: all.clone().collect(), members: all.map(|face| vec![face]).collect() }
    }

    fn root(&mut self, mut face: u32) -> u32 {
        while self.parents[face as usize] != face {
            let above = self.parents[self.parents[face as usize] as usize];
            self.parents[face as usize] = above;
            face = above;
        }
        face
    }

    /// Puts the set with this root below another root.
    fn join(&mut self, root: u32, below: u32) {
        self.parents[root as usize] = below;
        let mut moved = std::mem::take(&mut self.members[root as usize]);
        let kept = &mut self.members[below as usize];
        if moved.len() > kept.len() {
            std::mem::swap(kept, &mut moved);
        }
        kept.extend(moved);
    }
}
