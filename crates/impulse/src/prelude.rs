//! What most programs that use the library need: `use impulse::prelude::*`.

pub use crate::body::{Cycle, Keyframe, Keyframes, PrincipalMass, Scripted, State};
pub use crate::geometry::{
    Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, MassProperties, RoundedCuboid, Shape, Sphere,
};
pub use crate::math::Pose;
pub use crate::respond::{Law, Material};
pub use crate::world::{
    BodyId, BodySpec, ClockSpec, ClockTick, ContactMode, Event, ImpactRecord, LastingContact, MassSpec, MaterialId,
    MotionSpec, Settings, StopReason, Surface, World, WorldBuilder,
};
pub use glam::{DMat3, DQuat, DVec3};
