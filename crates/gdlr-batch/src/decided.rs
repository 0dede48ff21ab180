//! The decisions of layout, as records: see [`gdlr_text::decisions`].

use super::backend::Backend;
use super::layout::{GameLayout, GoalWork, Moves, Phase};
use super::native::StepCode;
use super::tuning::Tuning;
use super::width::Width;
use gdlr_text::decisions::{Decision, Part};

/// How many lanes there are.
pub(super) fn lanes(width: Width) -> Decision {
    let decision = Decision::new(Part::Batch, "lanes", width.lanes().to_string());
    decision.measured("most", Width::best().lanes())
}

/// By what gates are computed, of a game with so many moves.
pub(super) fn computed_by(backend: Backend, moves: usize, tuning: &Tuning) -> Decision {
    Decision::new(Part::Batch, "computed by", backend.to_string())
        .measured("moves", moves)
        .bound("most_moves_of_code", tuning.most_moves_of_code)
}

/// That there are several phases which follow each other, or one.
pub(super) fn phases(count: usize) -> Decision {
    let chosen = match count {
        1 => "1: nothing tells turns apart".into(),
        _ => format!("{count}, in turn"),
    };
    Decision::new(Part::Batch, "phases", chosen)
}

/// That lanes wait for one of so many phases, or that this does not pay: by the `work` of a step
/// `[without, with]` phases.
pub(super) fn waiting(pays: bool, count: usize, work: [f64; 2], tuning: &Tuning) -> Decision {
    let chosen = match pays {
        true => format!("{count}, for which lanes wait"),
        false => "1: waiting does not pay".to_owned(),
    };
    let [without, with] = work.map(|work| work.round() as u64);
    Decision::new(Part::Batch, "phases", chosen)
        .measured("work", without)
        .measured("then", with)
        .bound("waiting_gain", tuning.waiting_gain)
}

/// Where goals are computed: in each step, or for states that are over alone.
pub(super) fn goals(in_step: bool, work: GoalWork, tuning: &Tuning) -> Decision {
    let chosen = if in_step { "in each step" } else { "for states that are over" };
    Decision::new(Part::Batch, "goals", chosen)
        .measured("slots", work.goals)
        .measured("to keep states", work.latches)
        .bound("goals_in_step", tuning.goals_in_step)
}

/// How one of the moves of a role is found, in a game with so many moves of all roles.
pub(super) fn choices(layout: &GameLayout, moves: usize) -> Decision {
    let mut choices = layout.phases.iter().flat_map(|phase| &phase.choices);
    let by_part = choices.any(Moves::are_compound);
    let chosen = if by_part { "by rows and columns" } else { "one by one" };
    Decision::new(Part::Batch, "choices", chosen)
        .measured("moves", moves)
        .measured("looked at", layout.most_moves)
}

/// How loops count the legal moves of a role.
pub(super) fn counting(layout: &GameLayout) -> Decision {
    let most = layout.tuning.most_moves_in_groups;
    let chosen = if layout.most_moves > most { "in blocks" } else { "in groups" };
    Decision::new(Part::Batch, "counting", chosen)
        .measured("moves", layout.most_moves)
        .bound("most_moves_in_groups", most)
}

/// Whether code passes over moves that no lane makes; `together` is the least part of neighbours of
/// which one is made, if that was measured.
pub(super) fn passing_over(layout: &GameLayout, together: Option<f64>) -> Decision {
    let finds = |phase: &&Phase| phase.code.as_ref().is_some_and(StepCode::finds);
    let chosen = match (layout.phases.iter().filter(finds).count(), layout.phases.len()) {
        (0, _) => "never".to_owned(),
        (some, all) => format!("in {some} of {all} phases"),
    };
    let decision = Decision::new(Part::Batch, "passing over", chosen);
    let decision = decision.measured("moves", layout.most_moves);
    let Tuning { fewest_passed_over, most_made_together, .. } = layout.tuning;
    match together {
        Some(part) => {
            decision.measured("made together", part).bound("most_made_together", most_made_together)
        }
        None => decision.bound("fewest_passed_over", fewest_passed_over),
    }
}
