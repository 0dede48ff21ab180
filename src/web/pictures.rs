//! The pictures of a game, and which squares its moves name.
//!
//! What is known after a moment is enough to begin with: the first picture is there at once. A thread
//! learns more, on the net if there is one.

use crate::board::{Place, Target};
use crate::draw::Square;
use crate::engine::AnyEngine;
use crate::gdl::{Game, Term};
use crate::set_up::Handover;
use crate::viewer::Viewer;
use hashbrown::HashMap;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How much time goes into the first pictures.
const FIRST: Duration = Duration::from_millis(100);

/// How often it is looked whether the game is still there.
const LOOK: Duration = Duration::from_secs(1);

/// The pictures of a game.
#[derive(Debug)]
pub struct Pictures {
    game: Arc<Game>,
    viewer: Arc<Mutex<Viewer>>,
}

impl Pictures {
    /// Of a game whose engines are being made.
    pub fn new(game: &Arc<Game>, handover: &Arc<Handover>) -> Pictures {
        handover.wait(FIRST / 2);
        let start = Instant::now();
        let viewer = explored(game, &handover.best().0, &mut || start.elapsed() > FIRST);
        let viewer = Arc::new(Mutex::new(viewer));
        let (theirs, handover, later) =
            (game.clone(), Arc::downgrade(handover), Arc::downgrade(&viewer));
        std::thread::spawn(move || learn(&theirs, &handover, &later));
        Pictures { game: game.clone(), viewer }
    }

    /// A state with these moves, as a picture if one is wanted.
    pub fn show(
        &self,
        facts: &[Term],
        before: Option<&[Term]>,
        legal: &[Vec<Term>],
        with_picture: bool,
    ) -> Shown {
        let mut viewer = lock(&self.viewer);
        // What is on the boards may be known with this picture only.
        let picture = viewer.picture(facts, before);
        let place = |fact: &Term| viewer.boards().place(fact);
        let beside = facts.iter().filter(|fact| place(fact).is_none()).cloned().collect();
        let mut targets = Numbered::default();
        let mut squares = |term| {
            let named = viewer.targets(term);
            named.into_iter().map(|target| targets.number(target)).collect()
        };
        let squares = legal.iter().map(|moves| moves.iter().map(&mut squares).collect()).collect();
        let targets = targets.all.iter().map(target_json).collect();
        let picture = with_picture.then(|| {
            let layer =
                |place: &Place| viewer.boards().boards()[place.board].channels[place.channel].layer;
            let mut standing: Vec<((usize, usize, usize, usize), String)> = facts
                .iter()
                .filter_map(|fact| {
                    let place = place(fact)?;
                    let square = (place.board, layer(&place), place.row, place.column);
                    Some((square, fact.spelled(&self.game.symbols)))
                })
                .collect();
            standing.sort();
            let there = |square: &Square| -> Vec<&str> {
                let key = (square.board, square.layer, square.row, square.column);
                let from = standing.partition_point(|(of, _)| *of < key);
                let there = standing[from..].iter().take_while(|(of, _)| *of == key);
                there.map(|(_, fact)| &**fact).collect()
            };
            let squares = picture.squares.iter().map(|square| to_json(square, &there(square)));
            json!({
                "svg": picture.svg,
                "width": picture.width,
                "height": picture.height,
                "squares": squares.collect::<Vec<Value>>(),
            })
        });
        Shown { beside, targets, squares, picture }
    }
}

fn lock(viewer: &Mutex<Viewer>) -> MutexGuard<'_, Viewer> {
    viewer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Learns what there is to know once all engines are ready, as long as the game is there.
fn learn(game: &Arc<Game>, handover: &Weak<Handover>, viewer: &Weak<Mutex<Viewer>>) {
    let engine = loop {
        let Some(handover) = handover.upgrade() else { return };
        if handover.wait(LOOK) {
            break handover.best().0;
        }
    };
    let learned = explored(game, &engine, &mut || viewer.strong_count() == 0);
    if let Some(viewer) = viewer.upgrade() {
        *lock(&viewer) = learned;
    }
}

fn explored(game: &Arc<Game>, engine: &AnyEngine, halted: &mut dyn FnMut() -> bool) -> Viewer {
    let mut viewer = Viewer::new(game.clone(), engine);
    viewer.explore_moves(engine, 1, halted);
    viewer
}

/// A state as it is shown.
pub struct Shown {
    /// The facts that are on no board.
    pub beside: Vec<Term>,
    /// All that moves of `legal` name, each once.
    pub targets: Vec<Value>,
    /// By role of `legal` and move: the places in `targets` of the squares that the move names, in
    /// the order in which a person clicks them.
    pub squares: Vec<Vec<Vec<usize>>>,
    pub picture: Option<Value>,
}

fn to_json(square: &Square, facts: &[&str]) -> Value {
    json!({
        "board": square.board,
        "layer": square.layer,
        "row": square.row,
        "column": square.column,
        "x": square.x,
        "y": square.y,
        "width": square.width,
        "height": square.height,
        "name": square.name,
        "things": square.things,
        "facts": facts,
        "changed": square.changed,
    })
}

/// Targets by number: thousands of moves name the same few squares.
#[derive(Default)]
struct Numbered {
    all: Vec<Target>,
    numbers: HashMap<Target, usize>,
}

impl Numbered {
    fn number(&mut self, target: Target) -> usize {
        *self.numbers.entry(target).or_insert_with(|| {
            self.all.push(target);
            self.all.len() - 1
        })
    }
}

fn target_json(target: &Target) -> Value {
    json!({
        "board": target.board,
        "layer": target.layer,
        "row": target.row,
        "column": target.column,
    })
}
