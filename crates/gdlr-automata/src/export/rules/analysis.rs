//! What is known of a game before anything is planned.

use super::move_rows::MoveRows;
use super::roles::Roles;
use super::state::Shapes;

/// What is known of a game before anything is planned, beside its relations. It does not change.
#[derive(Debug)]
pub(super) struct Analysis {
    pub roles: Roles,
    pub moves: MoveRows,
    /// How the base relations that change are held.
    pub shapes: Shapes,
}
