//! Building a world: everything that is given is checked here.

use super::body::{Body, BodyId, BodySpec, MassSpec, MotionSpec, Stillness};
use super::error::BuildError;
use super::island::Island;
use super::material::{MaterialId, Materials};
use super::record::{Counters, TraceHash};
use super::settings::Settings;
use super::step::{Pending, World};
use super::track::Track;
use crate::body::{Drive, Launch, Motion, PrincipalMass, State};
use crate::detect::{BroadPhase, Changes, EventQueue, Mobility};
use crate::geometry::{MassProperties, Plane, Shape};
use crate::math::Pose;
use crate::respond::Material;
use glam::{DQuat, DVec3};
use std::collections::BTreeSet;

/// Collects materials and bodies.
#[derive(Clone, Debug, Default)]
pub struct WorldBuilder {
    settings: Settings,
    materials: Materials,
    bodies: Vec<Body>,
    names: BTreeSet<String>,
}

impl WorldBuilder {
    /// An empty world with the given settings.
    pub fn new(settings: Settings) -> Result<Self, BuildError> {
        let named = [("touch", settings.touch), ("envelope", settings.envelope), ("box_travel", settings.box_travel)];
        for (name, value) in named {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BuildError::Setting { name, value });
            }
        }
        if !settings.gravity.is_finite() {
            return Err(BuildError::Setting { name: "gravity", value: settings.gravity.length() });
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Adds a material.
    pub fn material(&mut self, material: Material) -> Result<MaterialId, BuildError> {
        self.materials.add(material)
    }

    /// Gives two materials coefficients of their own where they meet.
    pub fn contact(&mut self, a: MaterialId, b: MaterialId, material: Material) -> Result<(), BuildError> {
        self.materials.set_pair(a, b, material)
    }

    /// Adds a body.
    pub fn body(&mut self, spec: BodySpec) -> Result<BodyId, BuildError> {
        if self.names.contains(&spec.name) {
            return Err(BuildError::DuplicateName(spec.name));
        }
        if !self.materials.contains(spec.material) {
            return Err(BuildError::UnknownMaterial(spec.name));
        }
        let body = self.checked_body(spec)?;
        self.names.insert(body.name.clone());
        self.bodies.push(body);
        Ok(BodyId(self.bodies.len() as u32 - 1))
    }

    /// The world at time 0, if no two bodies start inside each other.
    pub fn build(self) -> Result<World, BuildError> {
        let broad = if self.settings.naive_broad_phase { BroadPhase::naive() } else { BroadPhase::hashed() };
        let tracks = self.bodies.iter().map(|b| Track::new(b, self.settings.gravity)).collect();
        let mut world = World {
            settings: self.settings,
            materials: self.materials,
            bodies: self.bodies,
            tracks,
            pairs: Vec::new(),
            pair_of_slot: Vec::new(),
            broad,
            queue: EventQueue::default(),
            now: 0.0,
            counters: Counters::default(),
            min_separation: f64::INFINITY,
            hash: TraceHash::default(),
            impacts: Vec::new(),
            changes: Changes::default(),
            partners: Vec::new(),
            neighbours: Vec::new(),
            woken: Vec::new(),
            island: Island::default(),
        };
        for body in 0..world.bodies.len() as u32 {
            world.enter(body)?;
        }
        Ok(world)
    }

    fn checked_body(&self, spec: BodySpec) -> Result<Body, BuildError> {
        let BodySpec { name, shape, world_from_shape, material, motion } = spec;
        if !(world_from_shape.rotation.is_finite() && world_from_shape.translation.is_finite()) {
            return Err(BuildError::NotFinite { name, what: "the pose" });
        }
        let (motion, body_from_shape) = match motion {
            MotionSpec::Fixed => (Motion::Fixed(world_from_shape), Pose::IDENTITY),
            _ if !shape.is_bounded() || matches!(shape, Shape::Mesh(_)) => return Err(BuildError::CannotMove(name)),
            MotionSpec::Scripted { script, centre } => (Motion::Scripted(script), Pose::from_translation(-centre)),
            MotionSpec::Free { mass, velocity, spin } => {
                if !(velocity.is_finite() && spin.is_finite()) {
                    return Err(BuildError::NotFinite { name, what: "the velocity or the spin" });
                }
                let mass =
                    mass_properties(&shape, mass).map_err(|error| BuildError::Mass { name: name.clone(), error })?;
                self.free_motion(&mass, &world_from_shape, velocity, spin)
                    .map_err(|error| BuildError::Mass { name: name.clone(), error })?
            }
        };
        let centre = body_from_shape.inverse().translation;
        let bounds = shape.aabb(&body_from_shape);
        let ball = match &shape {
            // A ball that is fixed or scripted has its centre as the body's centre too.
            Shape::Sphere(s) if centre.length() <= 1e-15 * s.radius() => Some(s.radius()),
            _ => None,
        };
        let wall = match (&motion, &shape) {
            (Motion::Fixed(pose), Shape::HalfSpace(h)) => {
                let normal = pose.vector(h.normal()).normalize();
                Some(Plane { normal, offset: h.offset() + pose.translation.dot(normal) })
            }
            _ => None,
        };
        let radius = shape.bounding_radius(centre);
        let extents = bounds.min.abs().max(bounds.max.abs());
        let (expiry, expiry_slot, lasting_until) = (f64::INFINITY, u32::MAX, f64::NEG_INFINITY);
        Ok(Body {
            name,
            shape,
            material,
            motion,
            body_from_shape,
            radius,
            extents,
            ball,
            wall,
            expiry,
            expiry_slot,
            lasting_until,
            stillness: Stillness { pose: Pose::IDENTITY, hops: 0 },
        })
    }

    /// The motion of a free body's principal frame, and where the shape sits in that frame.
    fn free_motion(
        &self,
        mass: &MassProperties,
        world_from_shape: &Pose,
        velocity: DVec3,
        spin: DVec3,
    ) -> Result<(Motion, Pose), crate::geometry::MassError> {
        mass.validate()?;
        // A body whose inertia is diagonal already keeps its axes, to the bit.
        let frame = mass.principal_frame();
        let diagonal = mass.inertia.x_axis.y == 0.0 && mass.inertia.x_axis.z == 0.0 && mass.inertia.y_axis.z == 0.0;
        let (rotation, moments) = if diagonal {
            (DQuat::IDENTITY, DVec3::new(mass.inertia.x_axis.x, mass.inertia.y_axis.y, mass.inertia.z_axis.z))
        } else {
            (frame.reference_from_principal.rotation, frame.moments)
        };
        let shape_from_body = Pose { rotation, translation: mass.com };
        let principal = PrincipalMass::new(mass.mass, moments)?;
        let state = State {
            world_from_body: *world_from_shape * shape_from_body,
            velocity,
            spin: shape_from_body.inverse_vector(spin),
        };
        let drive = Drive { acceleration: self.settings.gravity, torque: DVec3::ZERO };
        Ok((Motion::free(principal, Launch { time: 0.0, state }, drive), shape_from_body.inverse()))
    }
}

fn mass_properties(shape: &Shape, mass: MassSpec) -> Result<MassProperties, crate::geometry::MassError> {
    let integrals = || shape.volume_integrals().ok_or(crate::geometry::MassError::Volume(0.0));
    match mass {
        MassSpec::Density(density) => MassProperties::from_density(&integrals()?, density),
        MassSpec::Mass(mass) => MassProperties::from_mass(&integrals()?, mass),
        MassSpec::Properties(properties) => Ok(properties),
    }
}

impl World {
    /// Gives a new body its place in the broad phase and the queue.
    fn enter(&mut self, body: u32) -> Result<(), BuildError> {
        let slot = self.queue.insert(f64::INFINITY, Pending::Expiry(body));
        self.bodies[body as usize].expiry_slot = slot;
        let (bounds, expiry) = self.box_ahead(body);
        self.bodies[body as usize].expiry = expiry;
        self.queue.update(slot, expiry);
        let fixed = self.bodies[body as usize].is_fixed();
        let mobility = if fixed { Mobility::Fixed } else { Mobility::Movable };
        let mut changes = std::mem::take(&mut self.changes);
        self.broad.insert(body, bounds, mobility, &mut changes);
        self.settle(&changes);
        changes.joined.iter().for_each(|joined| self.schedule(joined.pair));
        for joined in &changes.joined {
            self.part_at_start(joined.pair, joined.items)?;
        }
        self.changes = changes;
        Ok(())
    }

    /// Bodies may start in contact: those that overlap by a millionth of their size at most are moved apart to the touch
    /// distance. Deeper is an error.
    fn part_at_start(&mut self, pair: u32, items: [u32; 2]) -> Result<(), BuildError> {
        let Some(free) = items.into_iter().rev().find(|&i| self.bodies[i as usize].is_free()) else { return Ok(()) };
        let touch = self.pairs[pair as usize].touch;
        let measured = self.measure(pair, self.now);
        if measured.distance > 0.1 * touch && !measured.overlapping {
            return Ok(());
        }
        let overlap = self.least_overlap(items);
        if measured.overlapping && overlap.depth > STARTING_OVERLAP / self.settings.touch * touch {
            let [first, second] = items.map(|i| self.bodies[i as usize].name.clone());
            return Err(BuildError::Overlap { first, second, depth: overlap.depth });
        }
        let normal = if measured.overlapping { overlap.normal } else { measured.normal };
        let away = if free == items[0] { normal } else { -normal };
        let mut state = measured.states[usize::from(free == items[1])];
        state.world_from_body.translation += away * (overlap.depth.max(0.0) + touch);
        self.bodies[free as usize].motion.relaunch(Launch { time: self.now, state });
        self.rebox(free);
        self.reschedule(free);
        Ok(())
    }

    /// About how deep two bodies that overlap do so: the least overlap along a few directions.
    fn least_overlap(&self, items: [u32; 2]) -> Overlap {
        let [first, second] = items.map(|i| &self.bodies[i as usize]);
        let reach = |body: &Body, d: DVec3| {
            let pose = body.motion.pose_at(self.now) * body.body_from_shape;
            match &body.shape {
                Shape::HalfSpace(h) if pose.vector(h.normal()).dot(d) > 1.0 - 1e-9 => {
                    h.offset() + pose.translation.dot(d)
                }
                shape => shape.support(pose.inverse_vector(d)).map_or(f64::INFINITY, |p| pose.point(p).dot(d)),
            }
        };
        let mut directions = vec![DVec3::X, DVec3::Y, DVec3::Z];
        for body in [first, second] {
            let pose = body.motion.pose_at(self.now) * body.body_from_shape;
            directions.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|a| pose.vector(a)));
            if let Shape::HalfSpace(h) = &body.shape {
                directions.push(pose.vector(h.normal()));
            }
        }
        let between = first.motion.pose_at(self.now).translation - second.motion.pose_at(self.now).translation;
        directions.push(between.normalize_or(DVec3::Z));
        let along = |normal: DVec3| Overlap { depth: reach(second, normal) + reach(first, -normal), normal };
        let all = directions.iter().flat_map(|&d| [along(d), along(-d)]);
        all.min_by(|a, b| a.depth.total_cmp(&b.depth)).expect("there are directions")
    }
}

/// Overlap along a direction.
struct Overlap {
    /// Metres.
    depth: f64,
    /// From the second body to the first.
    normal: DVec3,
}

/// Depth to which bodies may overlap at the start, relative to the smaller one's bounding radius: what rounding, and moving a
/// stack's lower bodies apart, amounts to.
const STARTING_OVERLAP: f64 = 1e-6;
