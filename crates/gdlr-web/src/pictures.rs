//! The pictures of a game, and which squares its moves name.
//!
//! The first picture is there at once, and needs no net: it is made of facts that the rules show soon, and
//! of a moment of play. A thread learns more, on the net if there is one.

use gdlr_board::board::{Placement, Target};
use gdlr_board::draw::Square;
use gdlr_board::viewer::Viewer;
use gdlr_players::set_up::Handover;
use gdlr_rules::gdl::{Game, Term};
use gdlr_text::budget::Budget;
use hashbrown::HashMap;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How much time goes into the first pictures.
const FIRST: Duration = Duration::from_millis(100);

/// So long at most the rules are looked at for them.
const FIRST_RULES: Budget<'static> =
    Budget { time: Duration::from_millis(1500), memory: 256 << 20, interrupted: None };

/// How often it is looked whether the game is still there.
const LOOK: Duration = Duration::from_secs(1);

/// The pictures of a game.
#[derive(Debug)]
pub struct Pictures {
    game: Arc<Game>,
    viewer: Arc<Mutex<Viewer>>,
    /// Whether nothing more will be learned.
    is_final: Arc<AtomicBool>,
}

impl Pictures {
    /// Of a game whose engines are being made.
    pub fn new(game: &Arc<Game>, handover: &Arc<Handover>) -> Pictures {
        handover.wait(FIRST / 2);
        let engine = handover.best().0;
        let mut viewer = Viewer::within(game.clone(), &engine, &FIRST_RULES.start());
        let start = Instant::now();
        viewer.explore_moves(&engine, 1, &mut || start.elapsed() > FIRST);
        let viewer = Arc::new(Mutex::new(viewer));
        let is_final = Arc::new(AtomicBool::new(false));
        let (theirs, handover, later, told) =
            (game.clone(), Arc::downgrade(handover), Arc::downgrade(&viewer), is_final.clone());
        std::thread::spawn(move || {
            learn(&theirs, &handover, &later);
            told.store(true, Ordering::Release);
        });
        Pictures { game: game.clone(), viewer, is_final }
    }

    /// Whether a state will look as it does now, and no later picture shows more.
    pub fn are_final(&self) -> bool {
        self.is_final.load(Ordering::Acquire)
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
        // The picture may find facts on boards that were not known before, so it is made first.
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
            let layer = |place: &Placement| {
                viewer.boards().boards()[place.board].channels[place.channel].layer
            };
            let mut standing: Vec<((usize, usize, usize, usize), String)> = facts
                .iter()
                .filter_map(|fact| {
                    let place = place(fact)?;
                    let square = (place.board, layer(&place), place.row, place.column);
                    Some((square, fact.spelled(&self.game.symbols)))
                })
                .collect();
            standing.sort();
            let facts_on = |square: &Square| -> Vec<&str> {
                let key = (square.board, square.layer, square.row, square.column);
                let from = standing.partition_point(|(of, _)| *of < key);
                let facts = standing[from..].iter().take_while(|(of, _)| *of == key);
                facts.map(|(_, fact)| &**fact).collect()
            };
            let squares = picture.squares.iter().map(|square| to_json(square, &facts_on(square)));
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
    let mut learned = Viewer::new(game.clone(), &engine);
    learned.explore_moves(&engine, 1, &mut || viewer.strong_count() == 0);
    if let Some(viewer) = viewer.upgrade() {
        *lock(&viewer) = learned;
    }
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
