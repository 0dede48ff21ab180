//! Two engines on one game: every state of random plays is compared.
// Each test that includes this module uses a part of it.
#![allow(dead_code)]

use gdlr::engine::{Engine, GoalError, MoveId, RoleId};
use gdlr::gdl::Game;
use gdlr::play::trace::sorted_strings;
use gdlr::tree::{Tree, TreeOptions};

/// How many joint moves a random play has.
pub const STEPS: usize = 8;

/// Stands for several goal values that an engine does not list.
const SEVERAL: &str = "several values";

/// All that can be asked of a state, as strings.
#[derive(Debug, PartialEq, Eq)]
pub struct View {
    facts: Vec<String>,
    terminal: bool,
    legal: Vec<Vec<String>>,
    goals: Vec<Result<u8, Vec<String>>>,
}

/// Looks at the state of the scratch, and notes the moves in the order of their strings.
/// `turn` says what is asked first: terminal, the legal moves or the goals.
pub fn view<E: Engine>(
    engine: &E,
    scratch: &mut E::Scratch,
    ids: &mut Vec<Vec<MoveId>>,
    turn: usize,
) -> View {
    let symbols = &engine.game().symbols;
    let roles = (0..engine.game().roles.len() as u16).map(RoleId);
    let facts = sorted_strings(&engine.facts(&engine.state(scratch)), symbols);
    let mut view = View { facts, terminal: false, legal: Vec::new(), goals: Vec::new() };
    for question in turn..turn + 3 {
        match question % 3 {
            0 => view.terminal = engine.terminal(scratch),
            1 => {
                ids.clear();
                for role in roles.clone() {
                    let mut moves = Vec::new();
                    engine.legal(scratch, role, &mut moves);
                    let name = |&id: &MoveId| engine.move_term(scratch, id).canonical(symbols);
                    moves.sort_by_cached_key(name);
                    view.legal.push(moves.iter().map(name).collect());
                    ids.push(moves);
                }
            }
            _ => {
                let goal = |role| match engine.goal(scratch, role) {
                    Ok(value) => Ok(value),
                    Err(GoalError::Missing) => Err(Vec::new()),
                    Err(GoalError::Improper(values)) if values.is_empty() => {
                        Err(vec![SEVERAL.to_owned()])
                    }
                    Err(GoalError::Improper(values)) => Err(sorted_strings(&values, symbols)),
                };
                view.goals = roles.clone().map(goal).collect();
            }
        }
    }
    view
}

/// Plays at random on both engines, behind terminal states, too, if the second one has moves
/// there, and compares every state.
/// Now and then the play goes on from a state that was met before.
pub fn compare<A: Engine, B: Engine>(a: &A, b: &B, seed: u64) -> Result<(), String> {
    let mut scratch = (a.scratch(), b.scratch());
    let mut ids = (Vec::new(), Vec::new());
    let mut met = vec![(a.initial().clone(), b.initial().clone())];
    let mut random = Choices(seed);
    for step in 0..STEPS {
        let turn = random.below(3);
        let mut left = view(a, &mut scratch.0, &mut ids.0, turn);
        let right = view(b, &mut scratch.1, &mut ids.1, turn);
        for (left, right) in left.goals.iter_mut().zip(&right.goals) {
            let lists_several = left.as_ref().is_err_and(|values| values.len() > 1);
            if lists_several && right.as_ref().is_err_and(|values| *values == [SEVERAL]) {
                left.clone_from(right);
            }
        }
        let is_over = left.terminal && !b.moves_at_the_end();
        if is_over {
            left.legal.clone_from(&right.legal);
        }
        if left != right {
            return Err(format!("step {step}: {left:#?}\nis not {right:#?}"));
        }
        if is_over {
            let (left, right) = &met[random.below(met.len())];
            a.enter(&mut scratch.0, left);
            b.enter(&mut scratch.1, right);
            continue;
        }
        for moves in &ids.1 {
            for &id in moves {
                let term = b.move_term(&scratch.1, id);
                if b.move_id(&mut scratch.1, &term) != Some(id) {
                    return Err(format!("step {step}: {term:?} has another number than its own"));
                }
            }
        }
        if left.legal.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let choice: Vec<usize> = left.legal.iter().map(|moves| random.below(moves.len())).collect();
        let joint = |ids: &[Vec<MoveId>]| -> Vec<MoveId> {
            choice.iter().zip(ids).map(|(&at, moves)| moves[at]).collect()
        };
        a.step(&mut scratch.0, &joint(&ids.0)).map_err(|error| error.to_string())?;
        b.step(&mut scratch.1, &joint(&ids.1)).map_err(|error| error.to_string())?;
        met.push((a.state(&scratch.0), b.state(&scratch.1)));
        if random.below(4) == 0 {
            let (left, right) = &met[random.below(met.len())];
            a.enter(&mut scratch.0, left);
            b.enter(&mut scratch.1, right);
        }
        for (left, right) in &met {
            let (now_left, now_right) = met.last().expect("the state at hand");
            if (left == now_left) != (right == now_right) {
                return Err(format!("step {step}: equal states on one engine only"));
            }
        }
    }
    Ok(())
}

/// Random numbers that need not be good.
pub struct Choices(pub u64);

impl Choices {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

/// The engine `tree` without the optimisations whose bits are set.
pub fn tree(game: Game, without: u64) -> Result<Tree, String> {
    let on = |bit: u32| without >> bit & 1 == 0;
    let options = TreeOptions {
        filters: on(0),
        hashing: on(1),
        filter_removal: on(2),
        redundant_removal: on(3),
    };
    Tree::new(game, &options).map_err(|error| format!("{options:?}: {error}"))
}
