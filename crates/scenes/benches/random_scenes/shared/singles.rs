//! One thing, or a few that do not meet at first: dropped almost flat, thrown, spun.

use super::chance::short;
use super::form::Form;
use super::places::Draft;
use super::random::Stream;
use super::scene::{Thing, Weight};
use impulse::DVec3;

/// Drops a shape almost as its frame stands.
fn drop_tilted(random: &mut Stream, form: Form, upright: [f64; 4]) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let (tilt, angle) = random.tilt();
    let reach = form.reach();
    let height = random.one_of(&[1e-4, 0.01, 0.1, 0.5]);
    let spin = if random.happens(0.3) { DVec3::Z * random.between(-20.0, 20.0) } else { DVec3::ZERO };
    let velocity = if random.happens(0.3) { DVec3::X * random.between(-1.0, 1.0) } else { DVec3::ZERO };
    let thing = Thing::free(form, DVec3::ZERO).turned(product(tilt, upright)).moving(velocity, spin);
    let thing = thing.weighing(Weight::Density(random.density()));
    let lift = if super::scene::is_upright(upright) { angle * reach } else { reach };
    draft.put_on(0.0, height + lift, thing);
    draft
}

/// Product of two quaternions, real part first.
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let quaternion = |q: [f64; 4]| impulse::DQuat::from_xyzw(q[1], q[2], q[3], q[0]);
    let product = quaternion(a) * quaternion(b);
    [product.w, product.x, product.y, product.z]
}

pub(crate) fn cylinder_flat(random: &mut Stream) -> Draft {
    let form = Form::Cylinder(random.between(0.01, 0.1), random.between(0.01, 0.2));
    drop_tilted(random, form, super::scene::UPRIGHT)
}

pub(crate) fn cone_flat(random: &mut Stream) -> Draft {
    let form = Form::Cone(random.between(0.01, 0.1), random.between(0.01, 0.2));
    drop_tilted(random, form, super::scene::UPRIGHT)
}

pub(crate) fn cone_side(random: &mut Stream) -> Draft {
    let (radius, height) = (random.between(0.01, 0.1), random.between(0.02, 0.2));
    // The side is down where the axis is tilted back by the half angle of the tip from the horizontal.
    let half = 0.5 * (0.5 * std::f64::consts::PI + libm::atan(radius / height));
    drop_tilted(random, Form::Cone(radius, height), [libm::cos(half), libm::sin(half), 0.0, 0.0])
}

pub(crate) fn coin(random: &mut Stream) -> Draft {
    let radius = random.between(0.005, 0.03);
    let form = Form::Cylinder(radius, short(radius * random.between(0.05, 0.25)));
    if random.happens(0.5) {
        return drop_tilted(random, form, super::scene::UPRIGHT);
    }
    let mut draft = Draft::on_floor(random.surface());
    let at = DVec3::Z * (radius + random.between(0.005, 0.2));
    let thing = Thing::free(form, at).turned(random.rotation()).weighing(Weight::Density(8000.0));
    draft.things.push(thing.moving(random.vector(0.5), random.vector(20.0)));
    draft
}

pub(crate) fn box_flat(random: &mut Stream) -> Draft {
    let form = if random.happens(0.5) { random.form_named("box", 0.1) } else { random.form_named("rounded", 0.1) };
    drop_tilted(random, form, super::scene::UPRIGHT)
}

/// Restitution 1 with friction.
pub(crate) fn elastic_friction(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor([random.one_of(&[0.1, 0.3, 0.5, 1.0, 10.0]), 1.0]);
    for k in 0..random.whole(1, 3) {
        let form = random.form(0.1);
        let at = DVec3::new(0.3 * k as f64, 0.0, short(form.reach() + random.between(0.001, 0.3)));
        let thing = Thing::free(form, at).turned(random.rotation());
        draft.things.push(thing.moving(random.vector(0.3), random.vector(3.0)));
    }
    draft
}

/// Thrown at a wall.
pub(crate) fn thrown(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    draft.wall(-DVec3::X, -0.5);
    for k in 0..random.whole(1, 3) {
        let form = random.form(0.1);
        let at = DVec3::new(0.0, 0.3 * k as f64, short(form.reach() + random.between(0.01, 0.5)));
        let velocity = DVec3::new(random.log_between(0.3, 5.0), random.between(-0.5, 0.5), random.between(-1.0, 2.0));
        draft.things.push(Thing::free(form, at).turned(random.rotation()).moving(velocity, random.vector(10.0)));
    }
    draft
}

/// Any shape dropped in any attitude.
pub(crate) fn tumble(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    for k in 0..random.whole(1, 3) {
        let form = random.form(0.12);
        let at = DVec3::new(0.3 * k as f64, 0.0, short(form.reach() + random.between(0.001, 0.4)));
        let thing = Thing::free(form, at).turned(random.rotation()).weighing(Weight::Density(random.density()));
        draft.things.push(thing.moving(random.vector(1.0), random.vector(10.0)));
    }
    draft.mix_surfaces(random);
    draft
}
