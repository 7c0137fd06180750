//! Linkages: trees of rigid links, their dynamics by articulated bodies, and what impulses do to them (chapter 4, sections 5.1-5.3).
//!
//! Everything is in world axes at the links' centres of mass. A [`Tree`] is what does not change; a [`Posture`] places it for given
//! coordinates and rates ([`Placing`]), and answers all questions of dynamics about it.

mod spatial;
mod joint;
mod tree;
mod posture;
mod forward;
mod inverse;
mod impulse;
mod element;
mod linkage;
mod integrate;
mod collocate;
mod ending;
mod stops;
mod flight;
mod hopping;
mod ask;
mod commanded;
mod saved;

pub(crate) use ask::LinkageParts;
pub use element::{Elements, LimitRange, Limits, Spring};
pub use forward::Loads;
pub use impulse::{Impulses, LinkPoint};
pub use joint::{Joint, JointKind, JointPlace};
pub use linkage::{Linkage, StopBlow};
pub use posture::{PlacedLink, Placing, Posture};
pub(crate) use saved::SavedLinkage;
pub use spatial::{SpatialInertia, Twist, Wrench};
pub use tree::{BaseState, Link, Tree};
