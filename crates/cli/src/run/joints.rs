//! Joints as CSV: where they are, how fast they move, and what acts in them.

use super::tables::{Table, quoted};
use impulse::world::World;
use std::path::Path;

/// One row per freedom per sample.
pub(super) struct JointTable(Table);

impl JointTable {
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        Table::create(path, "t,joint,i,q,rate,force").map(Self)
    }

    /// Adds the joints of now.
    pub(super) fn write(&mut self, world: &World) -> anyhow::Result<()> {
        let t = world.time();
        for joint in world.joints().filter_map(|id| world.joint(id)) {
            let name = quoted(joint.name());
            let (positions, rates, forces) = (joint.position(), joint.rate(), joint.force());
            for (i, ((q, rate), force)) in positions.iter().zip(&rates).zip(&forces).enumerate() {
                self.0.row(&format!("{t:?},{name},{i},{q:?},{rate:?},{force:?}"))?;
            }
        }
        Ok(())
    }

    /// Writes rows that have waited for long.
    pub(super) fn keep_up(&mut self) -> anyhow::Result<()> {
        self.0.keep_up()
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.0.flush()
    }
}
