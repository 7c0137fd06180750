//! Things on each other: towers, plates and coins, heavy on light, dominos, ramps, supports.

use super::chance::short;
use super::form::{Form, wedge};
use super::places::Draft;
use super::random::Stream;
use super::scene::{Thing, Weight};
use impulse::DVec3;

/// Gap between things that are set on each other or dropped, m.
fn gap(random: &mut Stream) -> f64 {
    random.one_of(&[1e-7, 1e-6, 1e-4, 1e-3, 0.01])
}

/// Sets shapes on each other, a little beside the middle.
fn tower(random: &mut Stream, forms: Vec<Form>, tilted: bool) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let (gap, aside) = (gap(random), random.one_of(&[0.0, 1e-3, 0.05]));
    let mut top = 0.0;
    for form in forms {
        let reach = form.reach();
        let (tilt, angle) = if tilted { random.tilt() } else { (super::scene::UPRIGHT, 0.0) };
        let at =
            DVec3::new(short(aside * reach * random.between(-1.0, 1.0)), short(aside * reach * random.next()), 0.0);
        let thing = Thing::free(form, at).turned(tilt).weighing(Weight::Density(random.density()));
        top = draft.put_on(top, gap + 2.0 * angle * reach, thing) + angle * reach;
    }
    draft.mix_surfaces(random);
    draft
}

pub(crate) fn tower_of_boxes(random: &mut Stream) -> Draft {
    let forms = (0..random.whole(3, 10)).map(|_| random.form_named("box", 0.1)).collect();
    tower(random, forms, false)
}

/// Boxes and cylinders, and anything on top.
pub(crate) fn tower_of_all(random: &mut Stream) -> Draft {
    let count = random.whole(2, 6);
    let mut forms: Vec<Form> = Vec::new();
    for _ in 0..count {
        let name = random.one_of(&["box", "cylinder", "rounded"]);
        forms.push(random.form_named(name, 0.1));
    }
    forms.push(random.form(0.08));
    tower(random, forms, false)
}

pub(crate) fn tilted_stack(random: &mut Stream) -> Draft {
    let mut forms = Vec::new();
    for _ in 0..random.whole(3, 6) {
        let name = random.one_of(&["box", "cylinder", "box"]);
        forms.push(random.form_named(name, 0.1));
    }
    tower(random, forms, true)
}

pub(crate) fn heavy_on_light(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let (gap, count, light) = (gap(random), random.whole(2, 3), random.log_between(0.01, 1.0));
    let ratio = random.one_of(&[10.0, 100.0, 1e3, 1e4]);
    let mut top = 0.0;
    for k in 0..count {
        let name = if k == count - 1 { random.one_of(&["box", "cylinder", "ball"]) } else { "box" };
        let form = random.form_named(name, 0.15);
        let mass = if k == count - 1 { short(light * ratio) } else { light };
        top = draft.put_on(top, gap, Thing::free(form, DVec3::ZERO).weighing(Weight::Mass(mass)));
    }
    draft
}

/// Thin plates and coins on each other.
pub(crate) fn plates_and_coins(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let gap = gap(random);
    let mut top = 0.0;
    for _ in 0..random.whole(3, 8) {
        let form = if random.happens(0.5) {
            Form::Cylinder(random.between(0.008, 0.02), random.between(0.001, 0.003))
        } else {
            Form::Box(DVec3::new(
                random.between(0.015, 0.04),
                random.between(0.015, 0.04),
                random.between(0.001, 0.003),
            ))
        };
        let reach = form.reach();
        let (tilt, angle) = random.tilt();
        let at = DVec3::new(
            short(0.4 * reach * random.between(-1.0, 1.0)),
            short(0.4 * reach * random.between(-1.0, 1.0)),
            0.0,
        );
        let thing = Thing::free(form, at).turned(tilt).weighing(Weight::Density(8000.0));
        top = draft.put_on(top, gap + 2.0 * angle * reach, thing) + angle * reach;
    }
    draft
}

pub(crate) fn dominos(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let (width, height) = (random.between(0.02, 0.03), random.between(0.04, 0.06));
    let (thickness, spacing) = (random.between(0.006, 0.01), random.between(0.4, 0.9) * height);
    for k in 0..random.whole(4, 15) {
        let form = Form::Box(DVec3::new(thickness, width, height));
        let at = DVec3::X * short(k as f64 * (spacing + thickness));
        let push = if k == 0 { DVec3::new(random.between(0.2, 0.6), 0.0, 0.0) } else { DVec3::ZERO };
        draft.put_on(0.0, 1e-6, Thing::free(form, at).moving(push, DVec3::ZERO));
    }
    draft
}

/// Down a fixed ramp onto the floor.
pub(crate) fn ramp(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let slope = wedge(DVec3::new(1.0, 1.0, random.between(0.1, 0.7)));
    draft.put_on(0.0, 1e-4, Thing::fixed(slope, DVec3::ZERO));
    for k in 0..random.whole(1, 3) {
        let form = random.form(0.1);
        let at = DVec3::new(random.between(0.0, 0.4), 0.3 * (k as f64 - 1.0), short(0.75 + form.reach()));
        let thing = Thing::free(form, at).turned(random.rotation());
        draft.things.push(thing.moving(random.vector(0.3), DVec3::ZERO));
    }
    draft
}

/// Laid over two fixed blocks.
pub(crate) fn on_two_blocks(random: &mut Stream) -> Draft {
    let mut draft = Draft::on_floor(random.surface());
    let apart = random.between(0.06, 0.2);
    for side in [-1.0, 1.0] {
        let block = Form::Box(DVec3::new(0.05, 0.2, 0.1));
        draft.things.push(Thing::fixed(block, DVec3::new(side * apart, 0.0, 0.0501)));
    }
    for k in 0..random.whole(1, 3) {
        let [a, b] = [random.between(0.02, 0.1), random.between(0.01, 0.05)];
        let form = Form::Box(DVec3::new(short(2.0 * apart + 0.1), a, b));
        let (tilt, angle) = random.tilt();
        let lift = 0.1002 + 0.1 * k as f64 + random.between(1e-6, 0.02) + angle * form.reach();
        draft.put_on(lift, 0.0, Thing::free(form, DVec3::ZERO).turned(tilt));
    }
    draft
}
