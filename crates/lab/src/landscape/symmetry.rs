//! Poses that a rotation or a reflection of the part takes into each other: nothing tells them apart in a fall.

use super::merge::Pose;
use crate::part::Part;
use glam::{DMat3, DVec3};

/// Hulls with more corners are not searched for symmetries.
const MOST_CORNERS: usize = 2000;

/// How far a corner may be off, relative to the radius, and how far an entry of the inertia tensor, relative to the largest.
const TOLERANCE: f64 = 1e-6;

/// What is compared.
pub(super) struct Symmetry<'a> {
    part: &'a Part,
    /// Corners from the centre of mass, sorted by their distance from it.
    corners: Vec<DVec3>,
}

impl<'a> Symmetry<'a> {
    pub(super) fn new(part: &'a Part) -> Self {
        let mut corners: Vec<DVec3> = part.hull.vertices().iter().map(|&v| v - part.mass.com).collect();
        corners.sort_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        Self { part, corners }
    }

    /// Whether a symmetry of hull and inertia takes one pose into the other.
    pub(super) fn are_equal(&self, a: &Pose, b: &Pose) -> bool {
        let tolerance = TOLERANCE * self.part.radius;
        let alike = |x: f64, y: f64| x == y || (x - y).abs() <= tolerance;
        if self.corners.len() > MOST_CORNERS || !alike(a.height, b.height) || !alike(a.barrier, b.barrier) {
            return false;
        }
        // A symmetry takes the first side of one's lowest face to a side of one of the other's faces.
        let Some(from) = self.frames(a.faces[0]).next() else { return false };
        b.faces.iter().flat_map(|&face| self.frames(face)).any(|to| {
            let mirror = DMat3::from_cols(DVec3::X, -DVec3::Y, DVec3::Z);
            [DMat3::IDENTITY, mirror].iter().any(|m| self.maps_to_itself(to * *m * from.transpose()))
        })
    }

    /// For each corner of a face the axes (down, along the way from the foot to the corner, across).
    fn frames(&self, face: u32) -> impl Iterator<Item = DMat3> {
        let (hull, com) = (&self.part.hull, self.part.mass.com);
        let down = hull.surface().planes()[face as usize].normal;
        hull.surface().faces().get(face as usize).iter().filter_map(move |&corner| {
            let r = hull.vertices()[corner as usize] - com;
            let along = (r - down * r.dot(down)).try_normalize()?;
            Some(DMat3::from_cols(along, down.cross(along), down))
        })
    }

    fn maps_to_itself(&self, map: DMat3) -> bool {
        let inertia = self.part.mass.inertia;
        let largest = inertia.to_cols_array().iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        let turned = map * inertia * map.transpose() - inertia;
        turned.to_cols_array().iter().all(|x| x.abs() <= TOLERANCE * largest)
            && self.corners.iter().all(|&corner| self.has_corner(map * corner))
    }

    fn has_corner(&self, at: DVec3) -> bool {
        let (tolerance, length) = (TOLERANCE * self.part.radius, at.length());
        let first = self.corners.partition_point(|c| c.length() < length - tolerance);
        let near = self.corners[first..].iter().take_while(|c| c.length() <= length + tolerance);
        near.into_iter().any(|c| c.distance_squared(at) <= tolerance * tolerance)
    }
}
