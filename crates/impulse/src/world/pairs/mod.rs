//! Pairs of bodies that are close: their boxes, how far apart they are, when they can touch (sections 2.2 to 2.4).

pub(super) mod rounds;
pub(super) mod table;
pub(super) mod track;
pub(super) mod measure;
pub(super) mod site;
mod free_change;
pub(super) mod touching;
pub(super) mod predict;
pub(super) mod barred;
pub(super) mod boxes;
pub(super) mod change;
