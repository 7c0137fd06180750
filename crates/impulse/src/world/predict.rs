//! When a pair can touch at the earliest (sections 2.3.2, 2.5): what the search for it asks of bodies and motions.

use super::body::Body;
use super::step::World;
use crate::body::{Motion, Range};
use crate::detect::{Mover, Moving, Search, Trajectory, Vectors, time_of_impact};
use glam::DVec3;

impl World {
    /// A time, at most `limit`, before which the pair does not touch while neither motion changes. Where it is below `limit` the
    /// bodies are about to touch there, or the search was long.
    pub(super) fn predict(&mut self, pair: u32, from: f64, limit: f64) -> f64 {
        let pair = &mut self.pairs[pair as usize];
        let noise = pair.noise([0, 1].map(|side| self.bodies[pair.items[side] as usize].motion.velocity_at(from)));
        let movers = pair.items.map(|i| mover(&self.bodies[i as usize]));
        let search = Search { from, limit, touch: pair.touch, undecided: noise };
        let found = time_of_impact(&movers, &search, pair.cache.get_or_insert_default());
        self.counters.measurements += u64::from(found.measurements);
        self.counters.marches += u64::from(found.marches);
        self.min_separation = self.min_separation.min(found.nearest);
        found.time
    }
}

fn mover(body: &Body) -> Mover<'_> {
    Mover {
        trajectory: &body.motion,
        shape: &body.shape,
        body_from_shape: body.body_from_shape,
        points: Vectors { extents: body.extents, length: body.radius },
        ball: body.ball,
    }
}

impl Trajectory for Motion {
    fn at(&self, t: f64) -> Moving {
        let state = self.state_at(t);
        let angular_velocity = state.angular_velocity();
        Moving { world_from_body: state.world_from_body, velocity: state.velocity, angular_velocity }
    }

    fn parabola_at(&self, t: f64) -> Option<[DVec3; 3]> {
        Self::parabola_at(self, t)
    }

    fn centre_acceleration(&self, d: DVec3, [from, to]: [f64; 2]) -> [f64; 2] {
        let range = self.centre_acceleration_along(d, Range::new(from, to));
        [range.min, range.max]
    }

    fn turning(&self, vectors: Vectors, [from, to]: [f64; 2]) -> [f64; 2] {
        let spin = self.spin_bounds(Range::new(from, to));
        let Vectors { extents: r, length } = vectors;
        let w = spin.components;
        // |w x r| by components, or by lengths.
        let rate = DVec3::new(w.y * r.z + w.z * r.y, w.z * r.x + w.x * r.z, w.x * r.y + w.y * r.x).length();
        [rate.min(spin.speed * length), spin.acceleration_within_box(r).min(spin.acceleration_within(length))]
    }
}
