//! The signals to lanes and from lanes, beside actions and bits.

/// The action of a lane that is to stay as it is.
pub const SKIP: i32 = -1;

/// Instead of a goal value: the rules give none, or more than one.
pub const NO_GOAL: u8 = 255;

/// How a lane ended ([`BatchLanes::ended`](super::Lanes::ended)): in a terminal state.
pub const TERMINAL: u8 = 1;
/// How a lane ended: a role has no legal move, though the state is not terminal.
pub const STUCK: u8 = 2;
/// How a lane ended: it was cut, or has had as many steps as it may have.
pub const CUT: u8 = 4;
/// How a lane ended: with an action that was not legal.
pub const REFUSED: u8 = 8;
/// How a lane ended: the engine cannot go on, as the state takes too much work, or is not what it
/// was taken for ([`NumberedEngine`](super::NumberedEngine)). Never where lanes play on a net.
pub const FAILED: u8 = 16;

/// The fate of a lane whose action is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The step fails, and no lane has played.
    Fail,
    /// The lane stays as it is and is over ([`REFUSED`]); the others play.
    End,
}

/// The fate, in a step, of lanes that are over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// They begin again: after the step they are in the initial state.
    Restart,
    /// They stay as they are.
    Stay,
}

/// An action that is not legal in its lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The lane.
    pub lane: usize,
    /// The role whose action it is.
    pub role: u16,
    /// The action.
    pub action: i32,
}
