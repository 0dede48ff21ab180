//! From a text to a first playout: the reader, the rules, the checks, the normal form, the
//! trees, and some random steps with a bound on their work.
//!
//! Whatever is wrong with the text is a diagnostic whose spans lie in it. What an engine
//! calls legal can be played, and states survive being taken out of the scratch and put
//! back, as they are and as facts. Inputs are mutated as expressions as well as bytes, so that most stay rulesheets.
#![no_main]

mod diagnostics;
mod expressions;

use diagnostics::sound;
use gdlr::engine::{Engine, StepError, WorkLimit, choose, seeded};
use gdlr::gdl::Game;
use gdlr::tree::{Tree, TreeOptions};
use gdlr::{check, kif};
use libfuzzer_sys::{Corpus, fuzz_mutator, fuzz_target};

/// How many joint moves to play.
const STEPS: usize = 12;
/// The work to play them with, in rows.
const WORK: u64 = 200_000;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else { return Corpus::Reject };
    let Ok(document) = kif::read(text) else { return Corpus::Reject };
    let game = match Game::from_document("fuzz", document, Default::default()) {
        Ok(game) => game,
        Err(errors) => {
            sound(bytes, &errors);
            return Corpus::Keep;
        }
    };
    sound(bytes, &check::check(&game));
    // Also what the checks forbid: a library has callers that do not ask them.
    let tree = match Tree::new(game, &TreeOptions::default()) {
        Ok(tree) => tree,
        Err(error) => {
            sound(bytes, &[error]);
            return Corpus::Keep;
        }
    };
    // What is too much work is no defect.
    let _ = play(&tree);
    Corpus::Keep
});

fn play(tree: &Tree) -> Result<(), WorkLimit> {
    let mut scratch = tree.scratch();
    scratch.limit_work(WORK);
    let mut random = seeded(1, 0);
    let (mut moves, mut joint) = (Vec::new(), Vec::new());
    for _ in 0..STEPS {
        let terminal = tree.terminal(&mut scratch)?;
        joint.clear();
        for role in tree.roles().iter() {
            let _ = tree.goal(&mut scratch, role);
            tree.legal(&mut scratch, role, &mut moves)?;
            assert!(!terminal || moves.is_empty(), "a terminal state has moves");
            for &id in &moves {
                let (whose, term) = tree.move_term(id);
                assert_eq!(whose, role);
                assert_eq!(tree.move_id(role, &term), Some(id));
            }
            joint.extend(choose(&moves, &mut random));
        }
        let stuck = joint.len() < tree.roles().count();
        match tree.step(&mut scratch, &joint) {
            Ok(()) => assert!(!terminal && !stuck, "no joint move is played"),
            Err(StepError::Limit(limit)) => return Err(limit),
            Err(StepError::Terminal) if terminal => return Ok(()),
            Err(_) if stuck => return Ok(()),
            Err(error) => panic!("a legal move is refused: {error}"),
        }
        let next = tree.state(&scratch);
        let facts = tree.facts(&next);
        assert!(facts.iter().all(|fact| fact.is_ground()));
        let mut other = tree.scratch();
        tree.enter(&mut other, &next);
        assert_eq!(tree.state(&other), next);
        tree.enter_facts(&mut other, &facts).expect("the facts of a state");
        assert_eq!(tree.state(&other), next);
    }
    Ok(())
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    expressions::mutate_or_bytes(data, size, max_size, seed)
});
