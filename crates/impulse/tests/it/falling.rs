//! A plank that loses its partner (sections 3.5, 8.1): it turns about its foot until that slips, against a fine integration.

use crate::contact::leaning_planks;
use impulse::DVec3;
use impulse::math::Pose;
use impulse::world::{BodyId, Settings, World};
use std::f64::consts::FRAC_PI_2;

const G: f64 = 9.81;
/// Of the planks, m; friction of their feet.
const LENGTH: f64 = 0.4;
const THICKNESS: f64 = 0.02;
const FRICTION: f64 = 0.5;
/// Step of the integration, s.
const STEP: f64 = 2e-6;

/// A plank on the edge of its foot, falling towards positive x.
#[derive(Clone, Copy, Debug)]
struct Plank {
    /// Of its centre from the vertical over the foot, rad.
    angle: f64,
    rate: f64,
    /// Of the foot, m and m/s.
    foot: f64,
    slip: f64,
}

impl Plank {
    /// Distance of the centre from the foot, m. The moment about the centre is a third of the mass times its square.
    fn arm() -> f64 {
        0.5 * LENGTH.hypot(THICKNESS)
    }

    /// Angle between the diagonal and the long side.
    fn diagonal() -> f64 {
        THICKNESS.atan2(LENGTH)
    }

    /// Accelerations of the angle and of the foot. With the foot held, friction is what that takes; beyond the cone, and where
    /// the foot slips, it is Coulomb's, and the floor's force follows from the foot's staying on the floor.
    fn accelerations(&self) -> [f64; 2] {
        let (d, (sin, cos)) = (Self::arm(), self.angle.sin_cos());
        let turning = self.rate * self.rate;
        let held = 0.75 * G * sin / d;
        let friction = d * (held * cos - turning * sin);
        let pressing = G - d * (held * sin + turning * cos);
        let is_held = self.slip == 0.0 && friction.abs() <= FRICTION * pressing;
        if is_held {
            return [held, 0.0];
        }
        // Per mass and along x, relative to what presses.
        let pull = if self.slip == 0.0 { FRICTION * friction.signum() } else { -FRICTION * self.slip.signum() };
        let lever = sin - pull * cos;
        let angular = d * (G - d * turning * cos) * lever / (d * d / 3.0 + d * d * sin * lever);
        let pressing = G - d * (angular * sin + turning * cos);
        [angular, pull * pressing - d * (angular * cos - turning * sin)]
    }

    /// Moves on by the midpoint rule; a slip that would turn round ends.
    fn step(&mut self) {
        let moved = |p: &Self, [a, f]: [f64; 2], dt: f64| Self {
            angle: self.angle + p.rate * dt,
            rate: self.rate + a * dt,
            foot: self.foot + p.slip * dt,
            slip: self.slip + f * dt,
        };
        let middle = moved(self, self.accelerations(), 0.5 * STEP);
        let next = moved(&middle, middle.accelerations(), STEP);
        let turns = self.slip * next.slip < 0.0;
        *self = if turns { Self { slip: 0.0, ..next } } else { next };
    }
}

/// The plank that falls, as the engine has it.
struct Falling {
    world: World,
    plank: BodyId,
    /// Along the plank, in its principal frame.
    along: DVec3,
}

impl Falling {
    fn pose(&self) -> Pose {
        self.world.principal_state_at(self.plank, self.world.time()).unwrap().world_from_body
    }

    /// Angle between the plank and the vertical.
    fn lean(&self) -> f64 {
        (self.pose().rotation * self.along).z.clamp(-1.0, 1.0).acos()
    }
}

/// Left alone, the plank turns about its foot and keeps its energy, then the foot slips and loses some; it lands in time.
#[test]
fn a_plank_left_alone_falls_as_integrated() {
    let (mut world, [partner, plank]) = leaning_planks();
    let start = world.time();
    world.remove_body(partner).unwrap();
    let rotation = world.principal_state_at(plank, start).unwrap().world_from_body.rotation;
    let along = rotation.conjugate() * world.pose_at(plank, start).unwrap().rotation * DVec3::Z;
    let mut found = Falling { world, plank, along };
    let mut exact = Plank { angle: 20f64.to_radians() - Plank::diagonal(), rate: 0.0, foot: 0.0, slip: 0.0 };
    let foot = found.pose().translation.x + Plank::arm() * exact.angle.sin();
    let (mut energy, mut steps, mut slipped) = (found.world.energy(), 0u32, 0);
    let lift = found.world.principal_mass(plank).unwrap().mass() * G * Settings::default().hop_height * Plank::arm();
    while exact.angle + Plank::diagonal() < FRAC_PI_2 {
        exact.step();
        steps += 1;
        if steps % 10_000 == 0 {
            let stopped = found.world.run_until(start + f64::from(steps) * STEP, Some(10_000)).unwrap();
            assert!(stopped.reached(), "a storm at {} s", found.world.time());
            let off = found.lean() - exact.angle - Plank::diagonal();
            let place = foot - exact.foot - Plank::arm() * exact.angle.sin();
            let away = found.pose().translation.x - place;
            assert!(off.abs() < 5e-5 && away.abs() < 1e-5, "{off:e} rad and {away:e} m off from {exact:?}");
            let lost = energy - found.world.energy();
            assert!(lost > -lift && (lost < lift || exact.slip != 0.0), "{lost} J lost at {exact:?}");
            energy -= lost;
            slipped += u32::from(exact.slip != 0.0);
        }
    }
    assert!(slipped >= 3 && exact.foot > 5e-3, "{exact:?}");
    let before = found.world.counters().collisions;
    while found.world.counters().collisions == before {
        found.world.step().unwrap();
    }
    let late = found.world.time() - start - f64::from(steps) * STEP;
    assert!(late.abs() < 2e-5, "lands {late} s late");
}
