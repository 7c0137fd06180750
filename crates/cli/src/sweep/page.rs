//! The page of a study.

use super::folder::Folder;
use super::plan::Plan;

/// Writes study.html.
pub(super) fn write(folder: &Folder, plan: &Plan, goal: Option<&str>, trials: u64) -> anyhow::Result<()> {
    let _ = (goal, trials);
    folder.write("study.html", &format!("<!DOCTYPE html><title>{}</title>", plan.scene))
}
