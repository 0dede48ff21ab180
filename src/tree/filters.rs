//! Which relations are asked through filters (FI, VI.D and VII.C).
use super::Tree;
use super::set_up::Workshop;

pub(super) fn tune(_workshop: &mut Workshop, _tree: &mut Tree) {}
