//! Shots at thin plates (section 2.3): nothing passes through, however fast and however thin.

use crate::samples::Numbers;
use impulse::DVec3;
use impulse::body::{Cycle, Scripted};
use impulse::geometry::{Capsule, Cuboid, Shape, Sphere};
use impulse::math::Pose;
use impulse::respond::{Law, Material};
use impulse::world::{BodyId, BodySpec, Event, MassSpec, MotionSpec, RunError, Settings, World, WorldBuilder};

/// What became of some shots.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) shots: u32,
    /// Shots whose straight path leads through the plate and that never struck it.
    pub(crate) misses: u32,
    /// Runs that ended in an error, bodies found inside each other, or did not end.
    pub(crate) overlaps: u32,
    /// Shots at fixed plates that were right behind the plate in the end.
    pub(crate) passed: u32,
    pub(crate) impacts: u64,
    pub(crate) checks: u64,
    pub(crate) measurements: u64,
    pub(crate) fastest: f64,
    pub(crate) thinnest: f64,
}

pub(crate) const PROJECTILES: [&str; 4] = ["sphere", "capsule", "thin cuboid", "box"];
pub(crate) const PLATES: [&str; 4] = ["fixed", "free", "spinning flat", "flipping"];

/// Shoots a projectile of a kind at plates of a kind.
pub(crate) fn shoot(projectile: usize, plate: usize, count: u32, numbers: &mut Numbers) -> Tally {
    let mut tally = Tally { thinnest: f64::INFINITY, ..Tally::default() };
    for _ in 0..count {
        let shot = Shot::any(projectile, plate, numbers);
        shot.fire(&mut tally);
    }
    tally
}

/// Sides of the square plates, m.
const PLATE: f64 = 1.0;

/// Events of one shot at most: small ones get a new box at every millimetre.
const BUDGET: u64 = 20_000;

struct Shot {
    shape: Shape,
    thickness: f64,
    plate: usize,
    /// Of the plate.
    pose: Pose,
    rate: f64,
    start: Pose,
    velocity: DVec3,
    spin: DVec3,
    flight: f64,
}

impl Shot {
    fn any(projectile: usize, plate: usize, numbers: &mut Numbers) -> Self {
        let mut size = |low: f64, high: f64| libm::exp(numbers.between(libm::log(low), libm::log(high)));
        let (small, long, thickness, speed) = (size(0.001, 0.02), size(0.02, 0.2), size(1e-4, 1e-2), size(1.0, 1000.0));
        let shape = match PROJECTILES[projectile] {
            "sphere" => Sphere::new(small).unwrap().into(),
            "capsule" => Capsule::new(small, long).unwrap().into(),
            "thin cuboid" => Cuboid::new(DVec3::new(small, 0.5 * small, long)).unwrap().into(),
            _ => Cuboid::new(DVec3::new(small, 1.5 * small, 2.0 * small)).unwrap().into(),
        };
        let pose = Pose { rotation: numbers.rotation(), translation: numbers.direction() };
        // A point of the plate at any angle: the inner circle of one that spins flat, the axis of one that flips.
        let across = if plate == 3 { 0.0 } else { numbers.between(-0.3, 0.3) };
        let target = pose.point(DVec3::new(numbers.between(-0.3, 0.3), across, 0.0));
        let mut towards = numbers.direction();
        if pose.vector(DVec3::Z).dot(towards).abs() < 0.1 {
            towards = pose.vector(DVec3::Z);
        }
        // Far enough for a plate that flips and a long rod.
        let distance = numbers.between(1.0, 2.0);
        Self {
            shape,
            thickness,
            plate,
            pose,
            rate: numbers.between(1.0, 60.0),
            start: Pose { rotation: numbers.rotation(), translation: target - towards * distance },
            velocity: towards * speed,
            spin: numbers.direction() * numbers.between(0.0, 100.0),
            flight: distance / speed,
        }
    }

    fn fire(&self, tally: &mut Tally) {
        let (mut world, body) = self.world();
        let ran = self.run(&mut world);
        let counted = world.counters();
        tally.shots += 1;
        tally.misses += u32::from(counted.collisions + counted.microcollisions == 0);
        tally.overlaps += u32::from(ran != Ok(true));
        let end =
            self.pose.inverse_point(world.principal_state_at(body, world.time()).unwrap().world_from_body.translation);
        let is_behind = end.z * self.pose.inverse_point(self.start.translation).z < 0.0;
        let is_beside = end.abs().truncate().max_element() > 0.5 * PLATE;
        tally.passed += u32::from(PLATES[self.plate] == "fixed" && is_behind && !is_beside);
        tally.impacts += counted.collisions + counted.microcollisions;
        tally.checks += counted.checks;
        tally.measurements += counted.measurements;
        tally.fastest = tally.fastest.max(self.velocity.length());
        tally.thinnest = tally.thinnest.min(self.thickness);
    }

    /// To well behind the target; where the plate moves only to the first impact, since it may press the body along or rattle
    /// with it, and without gravity there is no measure of what is lasting contact. Gives whether that was reached.
    fn run(&self, world: &mut World) -> Result<bool, RunError> {
        if PLATES[self.plate] == "fixed" {
            return world.run_until(1.5 * self.flight, Some(BUDGET)).map(|stopped| stopped.reached());
        }
        for _ in 0..BUDGET {
            match world.step()? {
                Some(Event::Impact(_)) | None => return Ok(true),
                Some(_) if world.time() > 1.5 * self.flight => return Ok(true),
                Some(_) => {}
            }
        }
        Ok(false)
    }

    fn world(&self) -> (World, BodyId) {
        let mut builder = WorldBuilder::new(Settings { gravity: DVec3::ZERO, ..Settings::default() }).unwrap();
        let material = builder.add_material(Material { friction: 0.3, restitution: 0.6, law: Law::Stronge }).unwrap();
        let still = MotionSpec::Free { mass: MassSpec::Density(2700.0), velocity: DVec3::ZERO, spin: DVec3::ZERO };
        let motion = match PLATES[self.plate] {
            "fixed" => MotionSpec::Fixed,
            "free" => still,
            "spinning flat" => self.spinner(DVec3::Z),
            _ => self.spinner(DVec3::X),
        };
        let plate = Cuboid::new(DVec3::new(PLATE, PLATE, self.thickness)).unwrap().into();
        let spec = |name: &str, shape, world_from_shape, motion| BodySpec {
            name: name.into(),
            shape,
            world_from_shape,
            material,
            motion,
        };
        builder.add_body(spec("plate", plate, self.pose, motion)).unwrap();
        let flying = MotionSpec::Free { mass: MassSpec::Density(7800.0), velocity: self.velocity, spin: self.spin };
        let body = builder.add_body(spec("shot", self.shape.clone(), self.start, flying)).unwrap();
        (builder.build().unwrap(), body)
    }

    fn spinner(&self, axis: DVec3) -> MotionSpec {
        let cycle = Cycle::spinner(self.pose, self.pose.vector(axis), self.pose.translation, self.rate).unwrap();
        MotionSpec::Scripted { script: Scripted::Cycle(cycle), centre: DVec3::ZERO }
    }
}

#[test]
fn no_shot_passes_through_a_plate() {
    let mut numbers = Numbers(11);
    for (i, projectile) in PROJECTILES.into_iter().enumerate() {
        for (j, plate) in PLATES.into_iter().enumerate() {
            let tally = shoot(i, j, 32, &mut numbers);
            let failed = [tally.misses, tally.overlaps, tally.passed];
            assert_eq!(failed, [0, 0, 0], "{projectile} at {plate} plate: {tally:?}");
            assert!(tally.impacts >= u64::from(tally.shots) && tally.fastest > 100.0 && tally.thinnest < 1e-3);
        }
    }
}
