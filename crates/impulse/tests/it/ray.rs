//! Rays against every kind of shape: marched with distance queries, held against supporting planes, and closed forms (compare
//! section 2.2).

use crate::samples::{KINDS, Numbers, shape};
use impulse::DVec3;
use impulse::geometry::closest::{PairCache, closest};
use impulse::geometry::{
    Capsule, Compound, Cone, Cuboid, Cylinder, HalfSpace, Piece, Ray, RayError, Shape, Sphere, StaticMesh, SurfaceHit,
    icosphere,
};
use impulse::math::Pose;
use impulse::prelude::{BodySpec, Settings, World, WorldBuilder};

/// Stands for a point in distance queries, m.
const SPECK: f64 = 1e-9;

/// A ray this near a surface, m, may count as touching it or not.
const GRAZE: f64 = 1e-7;

fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
    Ray::new(DVec3::from_array(origin), DVec3::from_array(direction)).unwrap()
}

/// Distance of a point from a shape, by the search for closest points; 0 inside.
fn distance(shape: &Shape, point: DVec3) -> f64 {
    let speck = Shape::from(Sphere::new(SPECK).unwrap());
    let found = closest(shape, &speck, &Pose::from_translation(point), &mut PairCache::default());
    if found.overlapping { 0.0 } else { found.distance + SPECK }
}

/// Walks along a ray in steps that cannot pass through the surface: how far it gets, and how near the surface it came.
fn march(shape: &Shape, ray: &Ray, end: f64) -> (f64, f64) {
    let (mut t, mut nearest) = (0.0, f64::INFINITY);
    for _ in 0..20_000 {
        let gap = distance(shape, ray.at(t));
        nearest = f64::min(nearest, gap);
        if gap < 10.0 * SPECK || t > end {
            break;
        }
        t += gap;
    }
    (t, nearest)
}

/// Rays from outside, most of them towards the shape or past its rim.
fn rays(shape: &Shape, numbers: &mut Numbers, count: usize) -> Vec<Ray> {
    let size = if shape.is_bounded() { shape.bounding_radius(DVec3::ZERO) } else { 1.0 };
    let one = |_| {
        let origin = numbers.direction() * size * numbers.between(1.01, 4.0);
        let target = numbers.direction() * size * numbers.between(0.0, 2.5);
        Ray::new(origin, (target - origin) * numbers.length()).unwrap()
    };
    (0..count).map(one).collect()
}

/// What a ray meets agrees with the march; says whether it meets anything.
fn agrees(shape: &Shape, ray: &Ray) -> bool {
    let size = if shape.is_bounded() { shape.bounding_radius(DVec3::ZERO) } else { 1.0 };
    let end = if shape.is_bounded() { 20.0 * size } else { 1e6 };
    let (marched, nearest) = march(shape, ray, end);
    let Some(hit) = shape.cast_ray(ray) else {
        assert!(nearest > 10.0 * SPECK, "{shape:?} {ray:?}: passes at {nearest}");
        return false;
    };
    let SurfaceHit { distance: t, normal, .. } = hit;
    assert!((normal.length() - 1.0).abs() < 1e-12 && normal.dot(ray.direction()) <= 1e-9, "{shape:?} {ray:?} {hit:?}");
    assert!(distance(shape, ray.at(t)) < 1e-9 * (1.0 + size), "{shape:?} {ray:?}: {hit:?} is off the surface");
    // Nothing is met before. The march stops a little early, the more so the flatter it comes in.
    assert!(nearest < GRAZE && t > marched - 1e-9 * (1.0 + t), "{shape:?} {ray:?}: {t} instead of {marched}");
    if normal.dot(ray.direction()) < -0.1 {
        assert!(t < marched + 200.0 * SPECK + 1e-9 * (1.0 + t), "{shape:?} {ray:?}: {t} instead of {marched}");
    }
    true
}

/// The plane across the normal at the point of a hit has a convex shape on one side.
fn supports(shape: &Shape, ray: &Ray) {
    let Some(hit) = shape.cast_ray(ray) else { return };
    let size = shape.bounding_radius(DVec3::ZERO);
    let above = shape.support(hit.normal).unwrap().dot(hit.normal) - ray.at(hit.distance).dot(hit.normal);
    assert!(above.abs() < 1e-10 * size, "{shape:?} {ray:?} {hit:?}: {above} above the plane");
}

#[test]
fn simple_shapes_are_met_where_marching_ends() {
    let mut numbers = Numbers(7);
    for (kind, name) in KINDS.iter().enumerate() {
        let (mut met, mut missed) = (0, 0);
        for _ in 0..12 {
            let shape = shape(kind, 1.0, &mut numbers);
            for ray in rays(&shape, &mut numbers, 25) {
                *(if agrees(&shape, &ray) { &mut met } else { &mut missed }) += 1;
                supports(&shape, &ray);
            }
        }
        assert!(met > 40 && missed > 40, "{name}: {met} met, {missed} missed");
    }
}

#[test]
fn compounds_meshes_and_half_spaces_are_met_where_marching_ends() {
    let mut numbers = Numbers(11);
    let mut met = 0;
    for _ in 0..8 {
        let pieces = (0..5).map(|kind| Piece {
            shape: shape(kind, 0.4, &mut numbers),
            compound_from_piece: Pose::new(numbers.rotation(), numbers.direction() * numbers.length()).unwrap(),
        });
        let compound = Shape::from(Compound::new(pieces.collect()).unwrap());
        let half_space = Shape::from(HalfSpace::new(numbers.direction(), numbers.between(-0.5, 0.5)).unwrap());
        let mut mesh = icosphere(2);
        mesh.vertices.iter_mut().for_each(|v| *v *= 0.7 + 0.3 * numbers.unit());
        let mesh = Shape::from(StaticMesh::new(mesh).unwrap());
        for shape in [compound, half_space, mesh] {
            met += rays(&shape, &mut numbers, 25).iter().filter(|ray| agrees(&shape, ray)).count();
        }
    }
    assert!(met > 200, "{met}");
}

#[test]
fn shapes_are_met_at_every_scale() {
    let mut numbers = Numbers(3);
    for scale in [1e-6, 1e-3, 1e3, 1e6] {
        for kind in 0..7 {
            let seed = numbers.0;
            let one = shape(kind, 1.0, &mut numbers);
            let scaled = shape(kind, scale, &mut Numbers(seed));
            for ray in rays(&one, &mut numbers, 20) {
                let far = Ray::new(ray.origin() * scale, ray.direction()).unwrap();
                match (one.cast_ray(&ray), scaled.cast_ray(&far)) {
                    (Some(a), Some(b)) => {
                        assert!((b.distance / scale - a.distance).abs() < 1e-9 * a.distance, "{one:?} {ray:?}");
                    }
                    (a, b) => assert_eq!(a.is_some(), b.is_some(), "{one:?} {ray:?}"),
                }
            }
        }
    }
}

#[test]
fn rays_from_inside_meet_the_shape_at_once() {
    let mut numbers = Numbers(5);
    for kind in 0..KINDS.len() {
        for _ in 0..20 {
            let shape = shape(kind, 1.0, &mut numbers);
            let ends = [0, 1].map(|_| shape.support(numbers.direction()).unwrap());
            let inside = Ray::new(0.5 * (ends[0] + ends[1]) * 0.999, numbers.direction()).unwrap();
            if distance(&shape, inside.origin()) > 0.0 {
                continue;
            }
            let hit = shape.cast_ray(&inside).unwrap();
            assert_eq!((hit.distance, hit.normal), (0.0, -inside.direction()), "{shape:?} {inside:?}");
        }
    }
    let ground = Shape::from(HalfSpace::new(DVec3::Z, 0.0).unwrap());
    assert_eq!(ground.cast_ray(&ray([0.0, 0.0, -1.0], [0.0, 0.0, 1.0])).unwrap().distance, 0.0);
    // The surface belongs to the solid, whichever way the ray goes.
    let ball = Shape::from(Sphere::new(1.0).unwrap());
    assert_eq!(ball.cast_ray(&ray([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])).unwrap().distance, 0.0);
    // A mesh has no inside.
    let mesh = Shape::from(StaticMesh::new(icosphere(1)).unwrap());
    let hit = mesh.cast_ray(&ray([0.0, 0.0, 0.0], [0.3, 0.2, 1.0])).unwrap();
    assert!(hit.distance > 0.8 && hit.normal.z < 0.0, "{hit:?}");
}

#[test]
fn known_rays_meet_known_points() {
    let meets = |shape: &Shape, from: [f64; 3], along: [f64; 3], distance: f64, normal: DVec3| {
        let hit = shape.cast_ray(&ray(from, along)).unwrap();
        let is_there = (hit.distance - distance).abs() < 1e-14 && hit.normal.distance(normal) < 1e-14;
        assert!(is_there, "{shape:?} from {from:?} along {along:?}: {hit:?}");
    };
    let cone = Shape::from(Cone::new(1.0, 2.0).unwrap());
    meets(&cone, [0.0, 0.0, 4.0], [0.0, 0.0, -1.0], 3.0, DVec3::Z);
    meets(&cone, [0.0, 0.0, -4.0], [0.0, 0.0, 1.0], 3.0, -DVec3::Z);
    meets(&cone, [3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 2.5, DVec3::new(2.0, 0.0, 1.0).normalize());
    // Parallel to a line of the surface, and beside the apex towards the half of the double cone that is not there.
    let parallel = DVec3::new(-2.0, 0.0, 1.0).normalize();
    meets(&cone, [-2.125, 0.0, 4.75], [1.0, 0.0, -2.0], 20f64.sqrt(), parallel);
    assert_eq!(cone.cast_ray(&ray([1.0, 0.0, 3.0], [-0.1, 0.0, 1.0])), None);
    assert_eq!(cone.cast_ray(&ray([-5.0, 0.1, 2.0], [1.0, 0.0, 0.0])), None);
    let can = Shape::from(Cylinder::new(1.0, 2.0).unwrap());
    meets(&can, [0.5, 0.0, 3.0], [0.0, 0.0, -1.0], 2.0, DVec3::Z);
    meets(&can, [1.0, 0.0, 3.0], [0.0, 0.0, -1.0], 2.0, DVec3::Z);
    assert_eq!(can.cast_ray(&ray([1.0f64.next_up(), 0.0, 3.0], [0.0, 0.0, -1.0])), None);
    let pill = Shape::from(Capsule::new(0.5, 2.0).unwrap());
    meets(&pill, [0.0, 0.0, 3.0], [0.0, 0.0, -1.0], 1.5, DVec3::Z);
    meets(&pill, [2.0, 0.0, 0.3], [-1.0, 0.0, 0.0], 1.5, DVec3::X);
    let crate_ = Shape::from(Cuboid::new(DVec3::splat(2.0)).unwrap());
    // In the plane of a face the edge is met.
    meets(&crate_, [3.0, 0.0, 1.0], [-1.0, 0.0, 0.0], 2.0, DVec3::X);
    assert_eq!(crate_.cast_ray(&ray([3.0, 0.0, 1.0], [1.0, 0.0, 0.0])), None);
}

#[test]
fn no_ray_slips_between_the_triangles_of_a_mesh() {
    // Through vertices and points of edges of a closed surface.
    let surface = icosphere(3);
    let mesh = Shape::from(StaticMesh::new(surface.clone()).unwrap());
    let mut numbers = Numbers(1);
    for t in &surface.triangles {
        let [a, b, _] = t.map(|v| surface.vertices[v as usize]);
        for target in [a, a.lerp(b, 0.5), a.lerp(b, numbers.unit())] {
            let origin = numbers.direction() * numbers.between(2.0, 5.0);
            // On the far side a nearer triangle is met; on the rim the ray only grazes.
            if (target - origin).normalize().dot(target).abs() < 0.2 {
                continue;
            }
            let hit = mesh.cast_ray(&Ray::new(origin, target - origin).unwrap());
            assert!(hit.is_some_and(|hit| hit.distance <= origin.distance(target) + 1e-9), "{origin} to {target}");
        }
    }
}

#[test]
fn what_is_no_ray_is_refused() {
    for direction in [DVec3::ZERO, DVec3::new(0.0, f64::NAN, 1.0), DVec3::new(f64::INFINITY, 0.0, 0.0)] {
        assert!(matches!(Ray::new(DVec3::ZERO, direction), Err(RayError::Direction(_))), "{direction}");
    }
    assert!(matches!(Ray::new(DVec3::NAN, DVec3::X), Err(RayError::Origin(_))));
    for tiny in [1e-300, 1e300] {
        assert_eq!(Ray::new(DVec3::ZERO, DVec3::Y * tiny).unwrap().direction(), DVec3::Y);
    }
}

/// Bodies of all kinds about the origin, in flight.
fn crowd() -> World {
    let mut numbers = Numbers(21);
    let settings = Settings { gravity: DVec3::ZERO, ..Settings::default() };
    let mut builder = WorldBuilder::new(settings).unwrap();
    builder.add_material(crate::world_support::surface(0.3, 0.5)).unwrap();
    for k in 0..40 {
        let cell = DVec3::new(f64::from(k % 4), f64::from(k / 4 % 4), f64::from(k / 16)) - 1.5;
        let shape = shape(k as usize % KINDS.len(), 0.1, &mut numbers);
        let spec = BodySpec::free(format!("body {k}"), shape).at(cell * 2.0).rotated(numbers.rotation());
        builder.add_body(spec.velocity(numbers.direction()).spin(numbers.direction() * 5.0)).unwrap();
    }
    builder.add_body(BodySpec::fixed("floor", HalfSpace::new(DVec3::Z, -6.0).unwrap())).unwrap();
    builder.build().unwrap()
}

#[test]
fn a_world_finds_the_nearest_of_all_bodies() {
    let (mut world, mut numbers) = (crowd(), Numbers(2));
    let mut met = 0;
    for step in 1..=20 {
        world.run_to(0.1 * f64::from(step)).unwrap();
        for _ in 0..100 {
            let ray = Ray::new(numbers.direction() * 5.0, numbers.direction()).unwrap();
            let all = world.body_refs().filter_map(|body| body.cast_ray(&ray));
            let nearest = all.min_by(|a, b| a.distance.total_cmp(&b.distance));
            assert_eq!(world.cast_ray(&ray, f64::INFINITY), nearest);
            let Some(hit) = nearest else { continue };
            met += 1;
            assert!(hit.point.distance(ray.at(hit.distance)) < 1e-12);
            assert_eq!(world.cast_ray(&ray, hit.distance), Some(hit));
            assert_eq!(world.cast_ray(&ray, hit.distance.next_down()), None);
            let behind = world.cast_ray_if(&ray, f64::INFINITY, |body| body != hit.body);
            assert!(behind.is_none_or(|b| b.body != hit.body && b.distance >= hit.distance));
        }
    }
    assert!(met > 500, "{met}");
}

#[test]
fn of_bodies_at_one_distance_the_first_is_met() {
    let mut builder = WorldBuilder::new(Settings::default()).unwrap();
    builder.add_material(crate::world_support::surface(0.3, 0.5)).unwrap();
    let slab = || Cuboid::new(DVec3::ONE).unwrap();
    let first = builder.add_body(BodySpec::fixed("left", slab()).at(DVec3::new(-0.5, 0.0, 0.0))).unwrap();
    builder.add_body(BodySpec::fixed("right", slab()).at(DVec3::new(0.5, 0.0, 0.0))).unwrap();
    let world = builder.build().unwrap();
    let hit = world.cast_ray(&ray([0.0, 0.0, 2.0], [0.0, 0.0, -1.0]), 10.0).unwrap();
    assert_eq!((hit.body, hit.distance), (first, 1.5));
}
