//! Who plays a role.

use gdlr_engine::engine::RoleId;
use gdlr_engine::play::sampler::Sampler;
use gdlr_players::player::Player;
use gdlr_players::search::PlayerKind;

/// How the moves of a role come about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// They come from outside: a person or another program.
    Human,
    /// A player here chooses them.
    Player(PlayerKind),
    /// They are drawn.
    Chance,
}

impl Who {
    /// By the name that users write.
    pub fn of_name(name: &str) -> Option<Who> {
        match name {
            "human" => Some(Who::Human),
            name => name.parse().ok().map(Who::Player),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Who::Human => "human",
            Who::Player(kind) => kind.name(),
            Who::Chance => "chance",
        }
    }

    /// Whether its moves take no thinking.
    pub fn is_random(&self) -> bool {
        matches!(self, Who::Chance | Who::Player(PlayerKind::Random))
    }
}

/// A role, and who plays it.
pub struct Seat {
    pub role: RoleId,
    pub who: Who,
    /// The player, while it does not think: what it remembers is of use for its next turn.
    pub player: Option<Box<dyn Player>>,
    /// In a game that hides the state: what the player can know.
    pub sampler: Option<Sampler>,
}

impl Seat {
    pub fn new(role: RoleId, who: Who) -> Seat {
        Seat { role, who, player: None, sampler: None }
    }
}
