//! The trait that all games in lanes implement.

use super::children::{ChildOutputs, Children, ExpandError};
use super::outputs::{self, Encoded, Moment, Output};
use super::signals::{Ended, Illegal, Refusal};
use super::vocabulary::Vocabulary;
use crate::engine::{AnyState, FactError};

/// Games of one rulesheet in lanes, stepped together. The module says what holds for all
/// of them. What is written goes into arrays of the caller, a row for each lane:
///
/// | what | by | a row is |
/// |---|---|---|
/// | [`Output::Legal`] | [`write`](Self::write) | [`acting`](Self::acting) times moves, as bytes or bits |
/// | [`Output::Observations`] | [`write`](Self::write) | as many as are [`observed`](Self::observed), as bytes or bits |
/// | [`Output::Percepts`] | [`write`](Self::write) | [`roles`](Self::roles) times percepts, as bytes or bits |
/// | how lanes ended | [`ended`](Self::ended) | one byte |
/// | goals | [`goals`](Self::goals) | [`roles`](Self::roles) bytes |
/// | whose turn it is | [`to_move`](Self::to_move) | one number |
/// | actions that are chosen | [`chosen`](Self::chosen) | [`acting`](Self::acting) numbers |
pub trait Lanes: Send + Sync {
    /// How many lanes there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many roles the game has, chance included.
    fn roles(&self) -> usize;

    /// The moves, facts and percepts that numbers stand for, in an order that stays the same:
    /// the moves sorted, with numbers in the order of their values and before words, if the lanes
    /// play on a net; all facts that can be true; what roles can see of a step by the rules for
    /// `sees`, nothing in a game without such rules.
    fn vocabulary(&self) -> &Vocabulary;

    /// Whether all roles act in each step; if not, it is one at a time.
    fn is_simultaneous(&self) -> bool;

    /// How many actions a step takes for each lane: one, or one of each role.
    fn acting(&self) -> usize {
        if self.is_simultaneous() { self.roles() } else { 1 }
    }

    /// The facts that are observed, in order, as places in the facts of the
    /// [vocabulary](Self::vocabulary); none where nothing is.
    fn observed(&self) -> &[Option<u32>];

    /// Observes these facts from now on, in this order: places in the facts of the
    /// [vocabulary](Self::vocabulary). Where nothing is named, nothing is observed, and the bit is
    /// never true. At the beginning all facts are observed.
    ///
    /// # Panics
    ///
    /// When there are not as many facts.
    fn observe(&mut self, facts: Vec<Option<u32>>);

    /// How many columns an output has.
    fn width(&self, output: Output) -> usize {
        outputs::width(self, output)
    }

    /// Draws from other seeds: those of all lanes follow from one.
    fn seed(&mut self, seed: u64);

    /// Draws the moves of chance in a lane from a seed of its own.
    ///
    /// # Panics
    ///
    /// When there are not as many lanes.
    fn seed_lane(&mut self, lane: usize, seed: u64);

    /// Plays an action in each lane: `actions` has one for each lane, or one of each role for
    /// each lane where all act at once, and where a lane is to stay as it is, [`SKIP`] as the
    /// first. What is said about lanes that are over is not looked at, nor are the actions of
    /// roles that do not choose in the state.
    ///
    /// [`SKIP`]: super::SKIP
    ///
    /// # Errors
    ///
    /// The actions that are not legal. Then no lane has played, or, if that was wanted, their
    /// lanes have ended and the others have played.
    ///
    /// # Panics
    ///
    /// When there are not as many actions as there should be.
    fn step(&mut self, actions: &[i32], ended: Ended, refusal: Refusal) -> Result<(), &[Illegal]> {
        if self.choose(actions, ended).is_ok() || refusal == Refusal::End {
            self.play();
        }
        if self.illegal().is_empty() { Ok(()) } else { Err(self.illegal()) }
    }

    /// The first half of [`step`](Self::step): looks at the actions, and plays nothing.
    ///
    /// # Errors
    ///
    /// The actions that are not legal.
    ///
    /// # Panics
    ///
    /// When there are not as many actions as there should be.
    fn choose(&mut self, actions: &[i32], ended: Ended) -> Result<(), &[Illegal]>;

    /// The actions that were not legal when they were looked at last.
    fn illegal(&self) -> &[Illegal];

    /// The second half: plays the actions that [`choose`](Self::choose) has looked at; lanes whose
    /// actions are not legal end. Where lanes have been played, reset or restored since, nothing
    /// is played.
    fn play(&mut self);

    /// Chooses a random move of every role in each lane that is not over, all legal ones with the
    /// same chance, and plays nothing: the first half of a random step, for those who want to know
    /// the actions.
    fn choose_at_random(&mut self, ended: Ended);

    /// Writes the actions that were chosen and are not played yet, as [`choose`](Self::choose)
    /// takes them, those of roles that have one legal move among them: [`SKIP`] where nothing will
    /// be played, and for chance.
    ///
    /// [`SKIP`]: super::SKIP
    ///
    /// # Panics
    ///
    /// When `out` does not have this size.
    fn chosen(&mut self, out: &mut [i32]);

    /// Plays a random move of every role in each lane, all legal ones with the same chance. The
    /// same seed gives the same moves in lanes of the same kind, width and number.
    fn step_at_random(&mut self, ended: Ended);

    /// Puts lanes into the initial state.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    fn reset(&mut self, lanes: &[usize]);

    /// Puts all lanes that are over into the initial state.
    fn reset_over(&mut self);

    /// Ends lanes where they are, if they are not over.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    fn cut(&mut self, lanes: &[usize]);

    /// From now on, cuts lanes that have played so many steps or more, if their states are not
    /// terminal.
    fn cut_after(&mut self, steps: Option<u64>);

    /// Whether [`enter`](Self::enter) would take a state.
    ///
    /// # Panics
    ///
    /// When the state is one of an engine of another type.
    fn can_enter(&self, state: &AnyState) -> bool;

    /// Puts lanes into states of an engine whose states these lanes have. Of a lane that is named
    /// more than once, the last state counts.
    ///
    /// # Errors
    ///
    /// When play comes to no such state, as far as whose turn it is tells. All lanes are as before.
    ///
    /// # Panics
    ///
    /// When there is no such lane, or a state is one of an engine of another type.
    fn enter(&mut self, states: &[(usize, &AnyState)]) -> Result<(), FactError>;

    /// The state of a lane, as that of an engine whose states these lanes have.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    fn state(&self, lane: usize) -> AnyState;

    /// How many steps a lane has played since it began or was put into a state.
    ///
    /// # Panics
    ///
    /// When there is no such lane.
    fn age(&self, lane: usize) -> u64;

    /// Writes a table of bits, a row for each lane.
    ///
    /// # Panics
    ///
    /// When `out` does not have the size of the table.
    fn write(&mut self, output: Output, moment: Moment, out: Encoded<'_>);

    /// Writes how each lane ended: [`TERMINAL`], [`STUCK`], [`CUT`], [`REFUSED`], [`FAILED`], or 0
    /// where it is not over.
    ///
    /// [`TERMINAL`]: super::TERMINAL
    /// [`STUCK`]: super::STUCK
    /// [`CUT`]: super::CUT
    /// [`REFUSED`]: super::REFUSED
    /// [`FAILED`]: super::FAILED
    ///
    /// # Panics
    ///
    /// When `out` does not have a place for each lane.
    fn ended(&mut self, out: &mut [u8]);

    /// Writes whose turn it is, by lane: -1 where the game is over, and where all act at once.
    ///
    /// # Panics
    ///
    /// When `out` does not have a place for each lane.
    fn to_move(&mut self, out: &mut [i32]);

    /// Writes the goals of lanes in terminal states, a row of all roles for each: [`NO_GOAL`]
    /// where there is none or more than one. In other states they are 0.
    ///
    /// [`NO_GOAL`]: super::NO_GOAL
    ///
    /// # Panics
    ///
    /// When `out` does not have this size.
    fn goals(&mut self, out: &mut [u8]);

    /// Tells what comes after every legal action of every lane that is not over. The lanes stay as
    /// they are. A search that wants the state of a child puts a lane into that of its parent and
    /// plays the action.
    ///
    /// # Errors
    ///
    /// In games in which all roles act at once, or with a role of chance.
    fn expand(&mut self, wanted: ChildOutputs, children: &mut Children) -> Result<(), ExpandError>;

    /// How many bytes the lanes take, all together.
    fn bytes(&self) -> usize;
}
