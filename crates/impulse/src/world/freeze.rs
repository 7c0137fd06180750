//! Islands whose hops repeat themselves are frozen: no events until something touches them (sections 3.5, 8.1).

use super::body::Stillness;
use super::island::Island;
use super::step::World;
use crate::body::Launch;
use crate::math::Pose;

/// Distance from a place within which a body is there again, relative to the height of its hops.
const STILL: f64 = 1e-2;

/// Distance at which it has left that place for good, in heights of its hops.
const GONE: f64 = 0.5;

/// Hops after which a body that has not come back is looked for elsewhere: trains may repeat themselves after a few.
const PERIOD: u32 = 16;

/// Hops in which all bodies of an island must have come back before it freezes.
const HOPS: u32 = 10;

/// Share of a flight that must have passed for it to count.
const WHOLE: f64 = 0.5;

impl World {
    /// Counts the hops after which the bodies of an island are where they were, and freezes it when there were enough. What it lies on
    /// must not move either.
    pub(super) fn freeze_if_still(&mut self, island: &Island, length: f64) {
        let mut still = u32::MAX;
        for (&body, state) in island.bodies.iter().zip(&island.states) {
            let b = &mut self.bodies[body as usize];
            let height = self.settings.envelope * b.radius;
            // Hops cut short by others say nothing.
            let is_whole = self.now - b.stillness.time >= WHOLE * length;
            let moved = displacement(&b.stillness.pose, &state.world_from_body, b.radius);
            if moved > GONE * height || b.stillness.away >= PERIOD {
                b.stillness = Stillness { pose: state.world_from_body, time: self.now, hops: 0, away: 0 };
            } else if moved > STILL * height {
                b.stillness.away += 1;
            } else if is_whole {
                b.stillness = Stillness { time: self.now, hops: b.stillness.hops + 1, away: 0, ..b.stillness };
            }
            still = still.min(b.stillness.hops);
        }
        let on_ground = island.sites.iter().all(|site| {
            site.items.iter().all(|&i| self.bodies[i as usize].is_free() || self.bodies[i as usize].is_fixed())
        });
        if still >= HOPS && on_ground {
            for &body in &island.bodies {
                self.bodies[body as usize].motion.rest(self.now);
            }
        }
    }

    /// Lets frozen bodies around one move again: something is about to happen to it.
    pub(super) fn wake_around(&mut self, body: u32) {
        let mut around = std::mem::take(&mut self.around);
        around.clear();
        around.push(body);
        around.extend(self.broad.close_to(body).map(|p| p.item));
        self.wake(&around);
        self.around = around;
    }

    /// Lets frozen bodies, and all frozen ones that they touch, move again.
    pub(super) fn wake(&mut self, bodies: &[u32]) {
        let mut woken = std::mem::take(&mut self.woken);
        woken.clear();
        for &body in bodies {
            self.wake_one(body, &mut woken);
        }
        let mut done = 0;
        while done < woken.len() {
            let mut neighbours = std::mem::take(&mut self.neighbours);
            neighbours.clear();
            neighbours.extend(self.broad.close_to(woken[done]).map(|p| p.item));
            for &neighbour in &neighbours {
                self.wake_one(neighbour, &mut woken);
            }
            self.neighbours = neighbours;
            done += 1;
        }
        for &body in &woken {
            self.rebox(body);
            self.reschedule(body);
        }
        self.woken = woken;
    }

    fn wake_one(&mut self, body: u32, woken: &mut Vec<u32>) {
        if self.bodies[body as usize].is_frozen() {
            if woken.is_empty() {
                self.note_rest();
            }
            self.end_rest(body);
            let b = &mut self.bodies[body as usize];
            b.stillness.hops = 0;
            b.motion.relaunch(Launch { time: self.now, state: b.motion.state_at(self.now) });
            woken.push(body);
        }
    }
}

/// How far any point of a body within a radius of its centre has moved at most, m.
fn displacement(from: &Pose, to: &Pose, radius: f64) -> f64 {
    let turned = (to.rotation * from.rotation.conjugate()).xyz().length();
    from.translation.distance(to.translation) + 2.0 * turned * radius
}
