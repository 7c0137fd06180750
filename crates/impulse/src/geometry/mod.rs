//! Shapes and what they weigh (thesis chapter 6 and section 2.2).

pub mod aabb;
pub mod plane;
pub mod triangles;
pub mod faces;
pub mod ears;
pub mod icosphere;
pub mod mass;
pub mod solid;
pub mod polyhedron;
pub mod hull;
pub mod convex;
pub mod primitives;
pub mod shape;
pub mod box_tree;
pub mod compound;
pub mod static_mesh;
pub mod closest;
mod cells;
pub mod decompose;

pub use aabb::Aabb;
pub use box_tree::BoxTree;
pub use closest::{Feature, FeaturePair, Penetration, Proximity, closest_polyhedra, penetration_depth};
pub use compound::{Compound, CompoundError, Piece};
pub use convex::{ConvexPolyhedron, NotConvex};
pub use decompose::{DecomposeError, DecomposeSettings, Decomposition, DecompositionReport, decompose};
pub use faces::{EdgeTable, EdgeUse, Faces};
pub use hull::{Hull, HullError, convex_hull};
pub use icosphere::icosphere;
pub use mass::{MassError, MassProperties, PointMass, PrincipalFrame, VolumeIntegrals};
pub use plane::Plane;
pub use polyhedron::{Polyhedron, PolyhedronError};
pub use primitives::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, RoundedCuboid, ShapeError, Sphere};
pub use shape::Shape;
pub use solid::Solid;
pub use static_mesh::{StaticMesh, StaticMeshError};
pub use triangles::TriangleMesh;
