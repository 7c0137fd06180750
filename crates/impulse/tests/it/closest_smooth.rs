//! Distances of exact shapes, each answer proven by means that share nothing with the search (section 2.2).
//!
//! Two points, one in each body, bound the distance from above; the gap between the bodies' shadows on a line, from their
//! support functions, bounds it from below. Where the bounds meet the answer is right. A point in both bodies proves overlap.

use crate::samples::{KINDS, Numbers, shape};
use impulse::geometry::closest::{PairCache, closest};
use impulse::geometry::{Cuboid, HalfSpace, Proximity, Shape};
use impulse::math::Pose;
use impulse::{DQuat, DVec3};

/// How far outside a shape a point lies, from the shape's own inequalities; not the distance, but zero inside.
pub(crate) fn outside(shape: &Shape, p: DVec3) -> f64 {
    let rho = p.truncate().length();
    match shape {
        Shape::Sphere(s) => p.length() - s.radius(),
        Shape::Cuboid(s) => (p.abs() - s.half_size()).max_element(),
        Shape::RoundedCuboid(s) => (p.abs() - s.core_half_size()).max(DVec3::ZERO).length() - s.radius(),
        Shape::Capsule(s) => (p - DVec3::Z * p.z.clamp(-0.5 * s.length(), 0.5 * s.length())).length() - s.radius(),
        Shape::Cylinder(s) => (rho - s.radius()).max(p.z.abs() - 0.5 * s.height()),
        Shape::Cone(s) => {
            let (r, h) = (s.radius(), s.height());
            let slanted = (h * (rho - r) + r * (p.z + 0.5 * h)) / libm::hypot(r, h);
            slanted.max(-p.z - 0.5 * h)
        }
        Shape::Ellipsoid(s) => {
            // First order in the distance near the surface.
            let (q, gradient) = ((p / s.semi_axes()).length(), (p / s.semi_axes() / s.semi_axes()).length());
            if q > 1.0 { (q - 1.0) * q / gradient } else { q - 1.0 }
        }
        Shape::Convex(s) => s.surface().planes().iter().map(|plane| plane.height(p)).fold(f64::NEG_INFINITY, f64::max),
        Shape::HalfSpace(s) => s.plane().height(p),
        Shape::Compound(_) | Shape::Mesh(_) => panic!("not convex"),
    }
    .max(0.0)
}

/// What a proof leaves open, relative to the size of the coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Doubt {
    /// Between upper and lower bound, or outside of a common point.
    pub(crate) gap: f64,
    /// Points outside their bodies.
    pub(crate) off: f64,
    /// Points not along the normal.
    pub(crate) skew: f64,
}

pub(crate) fn doubt(first: &Shape, second: &Shape, pose: &Pose, found: &Proximity) -> Doubt {
    let scale = first.bounding_radius(DVec3::ZERO).max(second.bounding_radius(DVec3::ZERO)) + pose.translation.length();
    let off = outside(first, found.on_first).max(outside(second, pose.inverse_point(found.on_second))) / scale;
    if found.overlapping {
        return Doubt { gap: 0.0, off, skew: 0.0 };
    }
    let n = found.normal;
    let low = n.dot(first.support(-n).unwrap()) - n.dot(pose.point(second.support(pose.inverse_vector(n)).unwrap()));
    let between = found.on_first - found.on_second;
    let gap = (between.length() - low).abs().max((found.distance - low).abs()) / scale;
    let skew = (between - n * found.distance).length() / scale + (n.length() - 1.0).abs();
    Doubt { gap, off, skew }
}

/// A pose that lets the shapes overlap now and then.
pub(crate) fn pose(first: &Shape, second: &Shape, numbers: &mut Numbers) -> Pose {
    let reach = first.bounding_radius(DVec3::ZERO) + second.bounding_radius(DVec3::ZERO);
    Pose::new(numbers.rotation(), numbers.direction() * numbers.between(0.2, 1.2) * reach).unwrap()
}

fn all_pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..KINDS.len()).flat_map(|i| (0..KINDS.len()).map(move |j| (i, j)))
}

/// The question asked without memory; the answer comes with a proof.
fn cold(first: &Shape, second: &Shape, pose: &Pose) -> Proximity {
    let mut cache = PairCache::default();
    let found = closest(first, second, pose, &mut cache);
    assert_eq!(cache.unproven(), 0, "{first:?}\n{second:?}\n{pose:?}\n{found:?}");
    found
}

#[track_caller]
fn assert_proven(first: &Shape, second: &Shape, pose: &Pose, found: &Proximity) {
    let Doubt { gap, off, skew } = doubt(first, second, pose, found);
    assert!(
        gap < 1e-13 && off < 1e-14 && skew < 1e-11,
        "{gap:e} {off:e} {skew:e}\n{first:?}\n{second:?}\n{pose:?}\n{found:?}"
    );
}

#[test]
fn every_pair_of_kinds_is_proven_at_every_scale() {
    let mut numbers = Numbers(1);
    for (i, j) in all_pairs() {
        let mut overlaps = 0;
        for scale in [1e-3, 1.0, 1e3] {
            for _ in 0..60 {
                let (a, b) = (shape(i, scale, &mut numbers), shape(j, scale, &mut numbers));
                let pose = pose(&a, &b, &mut numbers);
                let found = cold(&a, &b, &pose);
                assert_proven(&a, &b, &pose, &found);
                overlaps += u32::from(found.overlapping);
            }
        }
        assert!((5..175).contains(&overlaps), "{} {}: {overlaps} overlaps of 180", KINDS[i], KINDS[j]);
    }
}

/// Faces, sides, rims and axes parallel or in line: closest points are then often not unique.
#[test]
fn aligned_shapes_are_proven() {
    let mut numbers = Numbers(2);
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let turns = [[0.0, 0.0, 0.0, 1.0], [quarter, 0.0, 0.0, quarter], [0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5]];
    for (i, j) in all_pairs() {
        for k in 0..120 {
            let (a, b) = (shape(i, 1.0, &mut numbers), shape(j, 1.0, &mut numbers));
            let reach = a.bounding_radius(DVec3::ZERO) + b.bounding_radius(DVec3::ZERO);
            let mut translation = DVec3::ZERO;
            for axis in 0..3 {
                // Each coordinate is zero, or beyond reach, or anything.
                translation[axis] = match (numbers.unit() * 3.0) as u32 {
                    0 => 0.0,
                    1 => reach * numbers.between(1.0, 1.5),
                    _ => reach * numbers.between(-0.7, 0.7),
                };
            }
            let pose = Pose::new(DQuat::from_array(turns[k % 4]), translation).unwrap();
            assert_proven(&a, &b, &pose, &cold(&a, &b, &pose));
        }
    }
}

/// Boxes as thin as a foil, down to where they have no faces, against all kinds.
#[test]
fn thin_boxes_are_proven() {
    let mut numbers = Numbers(8);
    for kind in 0..KINDS.len() {
        for thickness in [1e-3, 1e-6, 1e-9, 1e-13, 1e-16] {
            let size = DVec3::new(numbers.length(), numbers.length(), thickness);
            let foil: Shape = Cuboid::new(size).unwrap().into();
            for _ in 0..20 {
                let body = shape(kind, 1.0, &mut numbers);
                let mut pose = pose(&foil, &body, &mut numbers);
                pose.translation *= 2.0;
                let found = cold(&foil, &body, &pose);
                assert_proven(&foil, &body, &pose, &found);
            }
        }
    }
}

/// Moving the second shape along the normal changes the distance and nothing else.
#[test]
fn normals_stay_right_down_to_the_touch_distance() {
    let mut numbers = Numbers(3);
    for (i, j) in all_pairs() {
        // Corners without curvature or radius leave only the difference of the closest points: 1e-16 / 1e-9, times a little.
        let sharp = |kind: usize| [1, 4, 5, 7].contains(&kind);
        let allowed = if sharp(i) && sharp(j) { 1e-5 } else { 1e-9 };
        let mut tried = 0;
        while tried < 60 {
            let (a, b) = (shape(i, 1.0, &mut numbers), shape(j, 1.0, &mut numbers));
            let mut pose = pose(&a, &b, &mut numbers);
            let start = cold(&a, &b, &pose);
            if start.overlapping {
                continue;
            }
            tried += 1;
            assert_proven(&a, &b, &pose, &start);
            let touch = 1e-9 * a.bounding_radius(DVec3::ZERO).min(b.bounding_radius(DVec3::ZERO));
            pose.translation += start.on_first - start.on_second - start.normal * touch;
            let found = cold(&a, &b, &pose);
            assert_proven(&a, &b, &pose, &found);
            assert!(!found.overlapping && (found.distance / touch - 1.0).abs() < 1e-4, "{a:?} {b:?} {pose:?}");
            let turn = found.normal.distance(start.normal);
            assert!(turn < allowed, "{turn:e} {a:?} {b:?} {pose:?} {start:?} {found:?}");
            // As deep below the surface.
            pose.translation += start.normal * (2.0 * touch);
            assert_proven(&a, &b, &pose, &cold(&a, &b, &pose));
        }
    }
}

#[test]
fn exchanging_the_shapes_exchanges_the_answer() {
    let mut numbers = Numbers(4);
    for (i, j) in all_pairs() {
        for _ in 0..40 {
            let (a, b) = (shape(i, 1.0, &mut numbers), shape(j, 1.0, &mut numbers));
            let pose = pose(&a, &b, &mut numbers);
            let (found, swapped) = (cold(&a, &b, &pose), cold(&b, &a, &pose.inverse()));
            assert_eq!(found.overlapping, swapped.overlapping);
            let scale = pose.translation.length();
            assert!((found.distance - swapped.distance).abs() < 1e-14 * scale);
            // Random poses have unique directions; flat shapes far apart have the least certain points.
            if !found.overlapping && found.distance > 1e-3 * scale {
                assert!((pose.vector(swapped.normal) + found.normal).length() < 1e-11, "{a:?} {b:?} {pose:?}");
            }
        }
    }
}

#[test]
fn memory_changes_the_effort_but_not_the_answer() {
    let mut numbers = Numbers(5);
    let (mut with, mut without) = (0, 0);
    let mut cache = PairCache::default();
    for (i, j) in all_pairs() {
        let (a, b) = (shape(i, 1.0, &mut numbers), shape(j, 1.0, &mut numbers));
        let mut pose = pose(&a, &b, &mut numbers);
        pose.translation *= 1.5;
        let (axis, drift) = (numbers.direction(), numbers.direction() * 1e-3);
        // The first question meets the memory of another pair: pieces that mean nothing here, or do not exist.
        for _ in 0..100 {
            pose.rotation = (DQuat::from_axis_angle(axis, 0.02) * pose.rotation).normalize();
            pose.translation += drift;
            let (warm, cold) = (closest(&a, &b, &pose, &mut cache), cold(&a, &b, &pose));
            assert_proven(&a, &b, &pose, &warm);
            assert_eq!(warm.overlapping, cold.overlapping);
            assert!((warm.distance - cold.distance).abs() < 1e-14 * pose.translation.length());
            with += warm.steps;
            without += cold.steps;
        }
    }
    assert!(2 * with < without, "{with} steps with memory, {without} without");
    assert_eq!(cache.unproven(), 0);
}

#[test]
fn far_from_the_origin_only_the_rounding_of_the_poses_is_lost() {
    let mut numbers = Numbers(6);
    for (i, j) in all_pairs() {
        let (a, b) = (shape(i, 1.0, &mut numbers), shape(j, 1.0, &mut numbers));
        let first_from_second = pose(&a, &b, &mut numbers);
        let size = first_from_second.translation.length();
        let world_from_first = Pose::new(numbers.rotation(), numbers.direction() * 1e4 * size).unwrap();
        let world_from_second = world_from_first * first_from_second;
        let (near, far) =
            (cold(&a, &b, &first_from_second), cold(&a, &b, &(world_from_first.inverse() * world_from_second)));
        assert!((near.distance - far.distance).abs() < 1e4 * 8.0 * f64::EPSILON * size, "{a:?} {b:?}");
    }
}

#[test]
fn half_spaces_meet_the_lowest_point() {
    let mut numbers = Numbers(7);
    for kind in 0..KINDS.len() {
        for _ in 0..100 {
            let body = shape(kind, 1.0, &mut numbers);
            let floor = HalfSpace::new(numbers.direction(), numbers.between(-1.0, 1.0)).unwrap();
            let pose = Pose::new(numbers.rotation(), numbers.direction() * 4.0).unwrap();
            let lowest = pose.point(body.support(pose.inverse_vector(-floor.normal())).unwrap());
            let height = floor.plane().height(lowest);
            let found = cold(&floor.into(), &body, &pose);
            assert_eq!(found.overlapping, found.distance == 0.0);
            assert!((found.distance - height.max(0.0)).abs() < 1e-14, "{body:?} {floor:?} {pose:?}");
            assert_eq!(found.normal, -floor.normal());
            assert!(found.on_second.distance(lowest) < 1e-13 && floor.plane().height(found.on_first).abs() < 1e-14);
            let swapped = cold(&body, &floor.into(), &pose.inverse());
            assert!((swapped.distance - found.distance).abs() < 1e-14);
            assert!((pose.vector(swapped.normal) + found.normal).length() < 1e-14);
        }
    }
}
