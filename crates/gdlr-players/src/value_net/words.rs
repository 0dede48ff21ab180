//! What the columns of a network stand for.

use serde::{Deserialize, Serialize};

/// The words of a game, in the order of the columns of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// By column of `goals`: the role.
    pub roles: Vec<String>,
    /// By column of `policy`: the move, whoever makes it.
    pub actions: Vec<String>,
    /// By place in the observation of one position, the last axis running fastest: the fact; `None` of a
    /// place that is always 0. Several places may have the same fact.
    pub observation: Vec<Option<String>>,
}
