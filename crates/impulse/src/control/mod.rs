//! Low-level controllers (section 5.4.2): laws that make forces of what is felt. They know no bodies: numbers in, forces out.

mod joint_law;
mod pose_law;

pub use joint_law::{Feels, Felt, Gains, JointLaw, Memory, Regulated};
pub use pose_law::PoseLaw;
