//! Random worlds with linkages of all kinds (chapters 4 and 5), the same on every machine.

use super::random::Chance;
use impulse::body::Cycle;
use impulse::prelude::*;

/// Factors of lengths and times: accelerations stay as they are for 4^k and 2^k.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    pub(crate) length: f64,
    pub(crate) time: f64,
}

impl Scale {
    pub(crate) const ONE: Self = Self { length: 1.0, time: 1.0 };

    pub(crate) fn binary(k: i32) -> Self {
        Self { length: libm::exp2(f64::from(2 * k)), time: libm::exp2(f64::from(k)) }
    }
}

/// What a linkage hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hanging {
    Ground,
    Script,
    Nothing,
}

/// A link of a random shape whose radius is about a third of a metre, times the scale.
fn shape(chance: &mut Chance, length: f64) -> Shape {
    let mut size = || chance.within(0.1, 0.35) * length;
    let sizes = DVec3::new(size(), size(), size());
    match chance.below(5) {
        0 => Sphere::new(0.6 * sizes.x).unwrap().into(),
        1 => Cuboid::new(sizes).unwrap().into(),
        2 => Capsule::new(0.3 * sizes.x, 1.2 * sizes.y).unwrap().into(),
        3 => Cylinder::new(0.5 * sizes.x, sizes.y).unwrap().into(),
        _ => Ellipsoid::new(sizes * 0.5).unwrap().into(),
    }
}

/// Elements that a joint of some kind may have.
fn elements(chance: &mut Chance, place: &JointPlace, scale: Scale, dissipates: bool) -> Elements {
    let slides = matches!(place, JointPlace::Slider { .. });
    if !(slides || matches!(place, JointPlace::Hinge { .. })) {
        return Elements::default();
    }
    // Stiffness in N/m or N m/rad for masses of about a kilogram.
    let unit = if slides { 1.0 } else { scale.length * scale.length };
    let reach = if slides { 0.1 * scale.length } else { 1.2 };
    let per_time = unit / scale.time;
    let limits = Limits { range: LimitRange::Interval([-reach, 1.5 * reach]), restitution: 0.6 };
    let stiffness = chance.within(5.0, 40.0) * per_time / scale.time;
    let spring = Spring::Linear { stiffness, rest: 0.0 };
    let force = if slides { scale.length } else { unit } / (scale.time * scale.time);
    Elements {
        limits: (slides || chance.below(2) == 0).then_some(limits),
        spring: (slides || chance.below(3) == 0).then_some(spring),
        damping: if dissipates && chance.below(3) == 0 { 0.3 * per_time } else { 0.0 },
        friction: if dissipates && chance.below(3) == 0 { 0.2 * force } else { 0.0 },
        ..Elements::default()
    }
}

/// Adds a linkage of some links about a place; gives its bodies.
pub(crate) fn add_linkage(
    builder: &mut WorldBuilder,
    chance: &mut Chance,
    (name, at, hanging): (&str, DVec3, Hanging),
    (scale, links, dissipates): (Scale, usize, bool),
) -> Vec<BodyId> {
    let mut bodies: Vec<(BodyId, DVec3)> = Vec::new();
    let base = (hanging == Hanging::Script).then(|| {
        let cycle =
            Cycle::oscillator(Pose::from_translation(at), DVec3::new(0.1, 0.05, 0.0) * scale.length, 4.0 / scale.time);
        let ball = Sphere::new(0.05 * scale.length).unwrap();
        builder.add_body(BodySpec::scripted(format!("{name} base"), ball, cycle.unwrap())).unwrap()
    });
    for k in 0..links {
        let parent = k.checked_sub(1).map(|last| bodies[last - chance.below(2.min(last + 1))]);
        let from = parent.map_or(at, |(_, place)| place);
        let down = DVec3::new(chance.within(-0.6, 0.6), chance.within(-0.6, 0.6), -1.0).normalize();
        let place = from + down * (0.45 * scale.length);
        let spec =
            BodySpec::free(format!("{name} {k}"), shape(chance, scale.length)).at(place).rotated(chance.rotation());
        let spec = spec.mass(chance.within(0.5, 2.0));
        let speed = scale.length / scale.time;
        let floats = k == 0 && hanging == Hanging::Nothing;
        let spec =
            if floats { spec.velocity(chance.vector(2.0) * speed).spin(chance.vector(5.0) / scale.time) } else { spec };
        let body = builder.add_body(spec).unwrap();
        let joint = chance.joint((from + place) * 0.5);
        let elements = elements(chance, &joint, scale, dissipates);
        let other = parent.map(|(id, _)| id).or(base);
        if !floats {
            let spec = JointSpec::new(format!("{name} joint {k}"), [other, Some(body)], joint).elements(elements);
            let rate = chance.within(-2.0, 2.0) / scale.time;
            let spec = match joint {
                JointPlace::Hinge { .. } => spec.rate(rate),
                JointPlace::Slider { .. } => spec.rate(0.1 * rate * scale.length),
                JointPlace::Socket { .. } => spec.socket_rate(chance.vector(2.0) / scale.time),
                JointPlace::Planar { .. } | JointPlace::Weld => spec,
            };
            builder.add_joint(spec).unwrap();
        }
        bodies.push((body, place));
    }
    bodies.into_iter().map(|(id, _)| id).collect()
}

/// A random world: linkages on the ground, on scripts and floating, and free bodies, in a box with a floor.
pub(crate) fn zoo(seed: u64, scale: Scale, gravity: f64, closed: bool) -> (World, Vec<Vec<BodyId>>) {
    zoo_by(seed, scale, gravity, (closed, false))
}

/// The same; the pairs may be found by the slow broad phase.
pub(crate) fn zoo_by(
    seed: u64,
    scale: Scale,
    gravity: f64,
    (closed, naive): (bool, bool),
) -> (World, Vec<Vec<BodyId>>) {
    let mut chance = Chance(seed.wrapping_mul(7919));
    let gravity = DVec3::NEG_Z * (gravity * scale.length / (scale.time * scale.time));
    let mut builder =
        WorldBuilder::new(Settings { gravity, record_impacts: true, naive_broad_phase: naive, ..Settings::default() })
            .unwrap();
    let restitution = [0.2, 0.5, 0.9][chance.below(3)];
    builder.add_material(Material { friction: 0.4, restitution, law: Law::Stronge }).unwrap();
    if closed {
        add_walls(&mut builder, scale);
    }
    let mut linkages = Vec::new();
    for k in 0..4 {
        let at = DVec3::new(f64::from(k % 2) * 3.0, f64::from(k / 2) * 3.0, 1.5) * scale.length;
        let hanging = match (closed, k) {
            (true, 0) => Hanging::Ground,
            (true, 1) => Hanging::Script,
            _ => Hanging::Nothing,
        };
        let links = 2 + chance.below(4);
        let what = (format!("linkage {k}"), at, hanging);
        linkages.push(add_linkage(&mut builder, &mut chance, (&what.0, at, hanging), (scale, links, closed)));
    }
    add_free(&mut builder, &mut chance, scale);
    (builder.build().unwrap(), linkages)
}

fn add_walls(builder: &mut WorldBuilder, scale: Scale) {
    let walls =
        [(DVec3::Z, -3.0), (DVec3::X, -2.5), (-DVec3::X, -5.5), (DVec3::Y, -2.5), (-DVec3::Y, -5.5), (-DVec3::Z, -4.0)];
    for (k, (n, d)) in walls.into_iter().enumerate() {
        let wall = HalfSpace::new(n, d * scale.length).unwrap();
        builder.add_body(BodySpec::fixed(format!("wall {k}"), wall)).unwrap();
    }
}

fn add_free(builder: &mut WorldBuilder, chance: &mut Chance, scale: Scale) {
    for k in 0..6 {
        let at = DVec3::new(1.5, f64::from(k) - 1.0, 2.5) * scale.length;
        let spec =
            BodySpec::free(format!("free {k}"), shape(chance, scale.length)).at(at).mass(chance.within(0.2, 2.0));
        let velocity = (DVec3::new(1.5, 1.5, 0.0) * scale.length - at) / scale.time
            + chance.vector(2.0) * (scale.length / scale.time);
        builder.add_body(spec.velocity(velocity).spin(chance.vector(8.0) / scale.time)).unwrap();
    }
}
