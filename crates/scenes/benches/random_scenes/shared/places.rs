//! Where things happen: floors, grooves, cavities, free space.

use super::chance::short;
use super::form::Form;
use super::random::Stream;
use super::scene::Thing;
use impulse::DVec3;

/// A scene in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub(crate) weightless: bool,
    /// Friction and restitution of each surface.
    pub(crate) surfaces: Vec<[f64; 2]>,
    pub(crate) things: Vec<Thing>,
}

impl Draft {
    /// On a floor at z = 0.
    pub(crate) fn on_floor(surface: [f64; 2]) -> Self {
        let mut draft = Self { surfaces: vec![surface], ..Self::default() };
        draft.wall(DVec3::Z, 0.0);
        draft
    }

    /// In a box with a floor at z = 0 and sides of this length, m, open above or not.
    pub(crate) fn in_box(surface: [f64; 2], side: f64, closed: bool) -> Self {
        let mut draft = Self::on_floor(surface);
        for normal in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y] {
            draft.wall(normal, short(-0.5 * side));
        }
        if closed {
            draft.wall(-DVec3::Z, -side);
        }
        draft
    }

    /// In a groove of two planes that slope by an angle, rad.
    pub(crate) fn in_groove(surface: [f64; 2], angle: f64) -> Self {
        let mut draft = Self { surfaces: vec![surface], ..Self::default() };
        let (sine, cosine) = (short(libm::sin(angle)), short(libm::cos(angle)));
        draft.wall(DVec3::new(sine, 0.0, cosine), 0.0);
        draft.wall(DVec3::new(-sine, 0.0, cosine), 0.0);
        draft
    }

    /// In empty space without gravity.
    pub(crate) fn in_space(surface: [f64; 2]) -> Self {
        Self { weightless: true, surfaces: vec![surface], things: Vec::new() }
    }

    pub(crate) fn wall(&mut self, normal: DVec3, offset: f64) {
        self.things.push(Thing::fixed(Form::HalfSpace(normal, offset), DVec3::ZERO));
    }

    /// Height of the upper side of what is put on `top` with a gap, and the thing put there.
    pub(crate) fn put_on(&mut self, top: f64, gap: f64, thing: Thing) -> f64 {
        let [low, high] = thing.form.heights();
        let at = DVec3::new(thing.at.x, thing.at.y, round_up(top + gap - low));
        self.things.push(Thing { at, ..thing });
        at.z + high
    }

    /// Gives some of the free things surfaces of their own.
    pub(crate) fn mix_surfaces(&mut self, random: &mut Stream) {
        if random.happens(0.5) {
            return;
        }
        self.surfaces.push(random.surface());
        for thing in &mut self.things {
            thing.surface = usize::from(random.happens(0.5));
        }
    }
}

/// With nine decimals, not less than given: gaps must not be rounded away.
pub(crate) fn round_up(x: f64) -> f64 {
    let rounded: f64 = format!("{x:.9}").parse().unwrap_or(x);
    if rounded < x { format!("{:.9}", x + 1e-9).parse().unwrap_or(x) } else { rounded }
}

impl Stream {
    /// Friction 0 to 10 and restitution 0 to 1, both ends included.
    pub(crate) fn surface(&mut self) -> [f64; 2] {
        let friction = self.one_of(&[0.0, 0.1, 0.2, 0.3, 0.3, 0.5, 0.5, 0.8, 1.0, 2.0, 10.0]);
        let restitution = self.one_of(&[0.0, 0.0, 0.2, 0.3, 0.3, 0.5, 0.5, 0.6, 0.8, 0.9, 1.0]);
        [friction, restitution]
    }

    /// The same without friction 0 and restitution 1.
    pub(crate) fn draining_surface(&mut self) -> [f64; 2] {
        [self.one_of(&[0.1, 0.2, 0.3, 0.5, 0.8, 1.0, 10.0]), self.one_of(&[0.0, 0.2, 0.3, 0.5, 0.6, 0.8])]
    }

    /// From what a thing may be made, kg/m^3.
    pub(crate) fn density(&mut self) -> f64 {
        self.one_of(&[30.0, 700.0, 1000.0, 1000.0, 2700.0, 8000.0])
    }
}
