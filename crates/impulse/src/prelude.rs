//! What most programs that use the library need: `use impulse::prelude::*`.

pub use crate::body::{Cycle, Keyframe, Keyframes, PrincipalMass, Scripted, State};
pub use crate::control::{Feels, Gains, JointLaw, PoseLaw, Regulated};
pub use crate::geometry::{
    Capsule, Compound, Cone, ConvexPolyhedron, Cuboid, Cylinder, Ellipsoid, HalfSpace, MassProperties, Piece, Ray,
    RoundedCuboid, Shape, Sphere, StaticMesh, TriangleMesh,
};
pub use crate::math::Pose;
pub use crate::multibody::{Elements, JointKind, JointPlace, LimitRange, Limits, Spring};
pub use crate::respond::{Law, Material};
pub use crate::world::{
    ActError, BodyId, BodyRef, BodySpec, BuildError, ClockId, ClockSpec, ClockTick, ContactMode, ContactSum,
    Controlled, ControllerId, ControllerSpec, Event, FreeBodySpec, Goal, ImpactRecord, JointFault, JointId, JointLoad,
    JointRef, JointSpec, LastingContact, MassSpec, MaterialId, MeanMotion, MotionSpec, MotionWindow, RayHit, RunError,
    Settings, Snapshot, SnapshotError, StateRow, StopReason, StopRecord, Surface, WatchId, World, WorldBuilder,
};
pub use glam::{DMat3, DQuat, DVec3};
