//! Many things: heaps, boxes full of balls, gases, clouds in free space.

use super::chance::{short, short_vector};
use super::form::Form;
use super::places::Draft;
use super::random::Stream;
use super::scene::{Thing, Weight};
use impulse::DVec3;

/// Adds shapes in the cells of a lattice above `z`, so many to each side of a layer, in any attitude.
fn heap(draft: &mut Draft, random: &mut Stream, forms: Vec<Form>, [side, z]: [f64; 2]) {
    let cell = 2.05 * forms.iter().map(Form::reach).fold(0.0, f64::max);
    let per_side = ((side / cell) as usize).clamp(1, 3);
    for (k, form) in forms.into_iter().enumerate() {
        let place = [k % per_side, k / per_side % per_side, k / (per_side * per_side)].map(|i| i as f64);
        let middle = 0.5 * (per_side as f64 - 1.0);
        let at = cell * DVec3::new(place[0] - middle, place[1] - middle, place[2] + 0.5) + DVec3::Z * z;
        let thing =
            Thing::free(form, short_vector(at)).turned(random.rotation()).moving(random.vector(0.5), DVec3::ZERO);
        draft.things.push(thing.weighing(Weight::Density(random.density())));
    }
}

/// A heap of shapes of one name on a floor or in a box.
fn heap_of(random: &mut Stream, name: &str) -> Draft {
    let count = random.many();
    let forms = (0..count).map(|_| random.form_named(name, 0.1)).collect();
    let (surface, boxed) = (random.surface(), random.happens(0.5));
    let mut draft = if boxed { Draft::in_box(surface, 0.5, false) } else { Draft::on_floor(surface) };
    heap(&mut draft, random, forms, [0.5, 0.01]);
    draft.mix_surfaces(random);
    draft
}

pub(crate) fn capsules(random: &mut Stream) -> Draft {
    heap_of(random, "capsule")
}

pub(crate) fn ellipsoids(random: &mut Stream) -> Draft {
    heap_of(random, "ellipsoid")
}

pub(crate) fn cones(random: &mut Stream) -> Draft {
    heap_of(random, "cone")
}

pub(crate) fn hulls(random: &mut Stream) -> Draft {
    heap_of(random, "hull")
}

pub(crate) fn wedges(random: &mut Stream) -> Draft {
    heap_of(random, "wedge")
}

pub(crate) fn compounds(random: &mut Stream) -> Draft {
    heap_of(random, "compound")
}

pub(crate) fn boxes(random: &mut Stream) -> Draft {
    heap_of(random, "box")
}

pub(crate) fn all_shapes(random: &mut Stream) -> Draft {
    let forms = (0..random.many()).map(|_| random.form(0.1)).collect();
    let mut draft = Draft::in_box(random.draining_surface(), 0.6, false);
    heap(&mut draft, random, forms, [0.6, 0.01]);
    draft.mix_surfaces(random);
    draft
}

pub(crate) fn balls_in_box(random: &mut Stream) -> Draft {
    let radius = random.between(0.02, 0.05);
    let same = random.happens(0.5);
    let ball = |random: &mut Stream| Form::Ball(if same { radius } else { short(radius * random.between(0.5, 1.0)) });
    let forms = (0..random.many()).map(|_| ball(random)).collect();
    let side = 4.5 * radius;
    let mut draft = Draft::in_box(random.surface(), side, false);
    heap(&mut draft, random, forms, [side, 0.001]);
    draft
}

/// In a closed cavity, thrown about.
pub(crate) fn cavity(random: &mut Stream) -> Draft {
    let forms = (0..random.whole(3, 8)).map(|_| random.form(0.09)).collect();
    let mut draft = Draft::in_box(random.surface(), 0.7, true);
    heap(&mut draft, random, forms, [0.5, 0.02]);
    draft.mix_surfaces(random);
    draft
}

pub(crate) fn groove(random: &mut Stream) -> Draft {
    let mut draft = Draft::in_groove(random.surface(), random.between(0.3, 1.2));
    for k in 0..random.whole(3, 8) {
        let form = random.form(0.1);
        let at = DVec3::new(0.0, 0.2 * k as f64, 0.35);
        let thing = Thing::free(form, at).turned(random.rotation());
        draft.things.push(thing.moving(random.vector(0.3), DVec3::ZERO));
    }
    draft
}

/// Restitution 1 without friction in a closed box, with gravity or without: nothing is lost and nothing ever lasts.
pub(crate) fn gas(random: &mut Stream) -> Draft {
    let balls = random.happens(0.5);
    let form = |random: &mut Stream| if balls { random.form_named("ball", 0.08) } else { random.convex_form(0.08) };
    let forms = (0..random.whole(3, 12)).map(|_| form(random)).collect();
    let mut draft = Draft::in_box([0.0, 1.0], 0.8, true);
    draft.weightless = random.happens(0.7);
    heap(&mut draft, random, forms, [0.4, 0.02]);
    draft
}

/// A cloud that falls together without gravity.
pub(crate) fn cloud(random: &mut Stream) -> Draft {
    let forms: Vec<Form> = (0..random.whole(3, 20)).map(|_| random.form(0.1)).collect();
    let mut draft = Draft::in_space(random.surface());
    heap(&mut draft, random, forms, [0.6, 0.0]);
    let (speed, spin) = (random.log_between(0.01, 2.0), random.one_of(&[0.0, 1.0, 20.0]));
    for thing in &mut draft.things {
        let inwards = (DVec3::Z * 0.2 - thing.at) * speed;
        let still = Thing::free(Form::Ball(1.0), DVec3::ZERO);
        let moved = std::mem::replace(thing, still).moving(short_vector(inwards), random.vector(spin));
        *thing = moved;
    }
    draft
}
