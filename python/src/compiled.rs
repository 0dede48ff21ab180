//! A game with its engine, shared by all of its states.

use crate::node::{Asked, Node};
use gdlr::batch::{Batch, Width};
use gdlr::board::Boards;
use gdlr::budget::Budget;
use gdlr::engine::{AnyEngine, AnyScratch, Engine, EngineKind, MoveId, RoleId, WorkLimit};
use gdlr::export::RgEngine;
use gdlr::gdl::{self, Term};
use gdlr::kif;
use gdlr::propnet::Propnet;
use gdlr::set_up::{AnyRandomPlay, ReadyEngine, SetUp, SetUpError};
use hashbrown::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What set-up may cost.
#[derive(Clone, Copy, PartialEq)]
pub struct Cost {
    pub time: Duration,
    /// In bytes.
    pub memory: usize,
}

impl Cost {
    /// The budget of one set-up, which `stop` ends early.
    pub fn budget<'a>(&self, stop: &'a AtomicBool) -> Budget<'a> {
        Budget { time: self.time, memory: self.memory, interrupted: Some(stop) }
    }
}

/// A game, its engine, and what was made for it on demand.
pub struct Compiled {
    pub game: Arc<gdl::Game>,
    /// The rulesheet as it was given.
    pub text: String,
    pub reading: gdl::Reading,
    /// The engine that was asked for.
    pub wanted: EngineKind,
    /// The engine that there is.
    pub kind: EngineKind,
    pub engine: AnyEngine,
    /// Why the automatic choice fell back to the trees, if it did.
    pub fallback: Option<String>,
    /// How long set-up took.
    pub set_up: Duration,
    pub cost: Cost,
    pub initial: Arc<Node>,
    /// Working memory that nobody uses at present.
    scratches: Mutex<Vec<AnyScratch>>,
    names: Mutex<Names>,
    /// Other engines of the game.
    others: Mutex<Others>,
    /// The net in lanes, for searches.
    lanes: OnceLock<Option<Arc<Batch>>>,
    /// What boards its states show.
    boards: OnceLock<Boards>,
}

/// Engines by kind and by width, if that is said.
type Others = HashMap<(&'static str, Option<Width>), Arc<AnyRandomPlay>>;

/// What moves are called.
#[derive(Default)]
struct Names {
    by_id: HashMap<MoveId, Arc<str>>,
    /// By role, and by what was written.
    by_text: Vec<HashMap<Arc<str>, MoveId>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that is held here is ever half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Compiled {
    /// Makes the engine of a game.
    pub fn new(
        game: Arc<gdl::Game>,
        text: String,
        reading: gdl::Reading,
        wanted: EngineKind,
        cost: Cost,
        stop: &AtomicBool,
    ) -> Result<Compiled, SetUpError> {
        let start = Instant::now();
        let set_up = SetUp { kind: wanted, budget: cost.budget(stop), ..SetUp::default() };
        let ReadyEngine { engine, kind, fallback, .. } = set_up.make(game.clone())?;
        let names =
            Names { by_text: vec![HashMap::new(); engine.roles().count()], ..Names::default() };
        Ok(Compiled {
            game,
            text,
            reading,
            wanted,
            kind,
            initial: Node::first(engine.initial().clone()),
            engine,
            fallback: fallback.map(|why| why.to_string()),
            set_up: start.elapsed(),
            cost,
            scratches: Mutex::default(),
            names: Mutex::new(names),
            others: Mutex::default(),
            lanes: OnceLock::new(),
            boards: OnceLock::new(),
        })
    }

    /// Does something with a scratch, which speaks of any state.
    pub fn with_scratch<T>(&self, work: impl FnOnce(&mut AnyScratch) -> T) -> T {
        let free = lock(&self.scratches).pop();
        let mut scratch = free.unwrap_or_else(|| self.engine.scratch());
        let result = work(&mut scratch);
        lock(&self.scratches).push(scratch);
        result
    }

    /// Does something with a scratch that speaks of a state.
    pub fn at<T>(&self, node: &Node, work: impl FnOnce(&AnyEngine, &mut AnyScratch) -> T) -> T {
        self.with_scratch(|scratch| {
            self.engine.enter(scratch, &node.state);
            work(&self.engine, scratch)
        })
    }

    /// Whether a state is terminal, and its legal moves; asked once.
    pub fn ask<'n>(&self, node: &'n Node) -> Result<&'n Asked, WorkLimit> {
        let ask = || {
            self.at(node, |engine, scratch| {
                let terminal = engine.terminal(scratch)?;
                let mut legal = vec![Vec::new(); engine.roles().count()];
                for (role, moves) in engine.roles().iter().zip(&mut legal) {
                    engine.legal(scratch, role, moves)?;
                }
                Ok(Asked { terminal, legal })
            })
        };
        node.asked.get_or_init(ask).as_ref().map_err(WorkLimit::clone)
    }

    /// The hash of the facts of a state: the same everywhere.
    pub fn hash(&self, node: &Node) -> u64 {
        *node.hash.get_or_init(|| self.engine.state_hash(&node.state))
    }

    /// Whether another one has the same rules, so that states can be compared.
    pub fn has_rules_of(&self, other: &Compiled) -> bool {
        std::ptr::eq(self, other) || self.reading == other.reading && self.text == other.text
    }

    /// What a move is called.
    pub fn name(&self, id: MoveId) -> Arc<str> {
        let mut names = lock(&self.names);
        if let Some(name) = names.by_id.get(&id) {
            return name.clone();
        }
        let (role, term) = self.engine.move_term(id);
        let name: Arc<str> = term.spelled(self.engine.symbols()).into();
        names.by_id.insert(id, name.clone());
        names.by_text[role.index()].insert(name.clone(), id);
        name
    }

    /// The move of a role that a text means, in any layout; `None` if it can never be one.
    pub fn find(&self, role: RoleId, text: &str) -> Option<MoveId> {
        if let Some(&id) = lock(&self.names).by_text[role.index()].get(text) {
            return Some(id);
        }
        self.engine.move_id(role, &self.term(text)?)
    }

    /// The ground term that a text writes in names of the game.
    fn term(&self, text: &str) -> Option<Term> {
        match &kif::read(text).ok()?.items[..] {
            [only] => Term::from_expr(only, self.engine.symbols()),
            _ => None,
        }
    }

    /// By role: all moves that it can ever have, if the engine knows them.
    pub fn moves(&self) -> Option<Vec<Vec<MoveId>>> {
        let mut all = vec![Vec::new(); self.engine.roles().count()];
        for id in (0..self.engine.moves()? as u32).map(MoveId) {
            all[self.engine.move_term(id).0.index()].push(id);
        }
        Some(all)
    }

    /// All facts that can ever be true, sorted, if the engine knows them.
    pub fn fluents(&self) -> Option<Vec<String>> {
        let spelled = |fact: &Term| fact.spelled(self.engine.symbols());
        let propnet = self.engine.downcast_ref::<Propnet>();
        let rg = self.engine.downcast_ref::<RgEngine>();
        let mut all: Vec<String> = match (propnet, rg) {
            (Some(propnet), _) => {
                propnet.net().fluents.iter().map(|fluent| spelled(&fluent.fact)).collect()
            }
            (None, Some(rg)) => rg.export().facts.iter().map(|(fact, _)| spelled(fact)).collect(),
            (None, None) => return None,
        };
        all.sort_unstable();
        Some(all)
    }

    /// By role: all that it can ever see by rules for `sees`, sorted, if the engine knows it.
    pub fn percepts(&self) -> Option<Vec<Vec<String>>> {
        let mut all = vec![Vec::new(); self.engine.roles().count()];
        if self.engine.has_percepts() {
            for percept in &self.engine.downcast_ref::<Propnet>()?.net().percepts {
                let spelled = percept.term.spelled(self.engine.symbols());
                all[percept.role.index()].push(spelled);
            }
            all.iter_mut().for_each(|percepts| percepts.sort_unstable());
        }
        Some(all)
    }

    /// What boards its states show; of a game that is not grounded, those of its first state.
    pub fn boards(&self) -> &Boards {
        self.boards.get_or_init(|| match self.engine.downcast_ref::<Propnet>() {
            Some(propnet) => {
                Boards::find(&self.game, propnet.net().fluents.iter().map(|fluent| &*fluent.fact))
            }
            None => Boards::find(&self.game, &self.engine.facts(&self.initial.state)),
        })
    }

    /// What plays random playouts with an engine; the automatic choice is the fastest there is. Lanes
    /// are of a width, or as wide as the processor can.
    pub fn random_play(
        &self,
        kind: EngineKind,
        width: Option<Width>,
        stop: &AtomicBool,
    ) -> Result<(Arc<AnyRandomPlay>, EngineKind), SetUpError> {
        let lanes = || self.kind == EngineKind::Propnet && self.widest_lanes(stop).is_some();
        let kind = match kind {
            EngineKind::Auto if lanes() => EngineKind::Batch,
            EngineKind::Auto => self.kind,
            kind => kind,
        };
        let width = width.filter(|_| kind == EngineKind::Batch);
        if let Some(made) = lock(&self.others).get(&(kind.as_str(), width)) {
            return Ok((made.clone(), kind));
        }
        let random_play = match kind {
            EngineKind::Batch if lanes() => {
                let lanes = self.lanes(width, stop).expect("there are lanes");
                AnyRandomPlay::Batch(Box::new(Batch::clone(&lanes)))
            }
            kind if kind == self.kind => AnyRandomPlay::Engine(self.engine.clone()),
            kind => {
                let budget = self.cost.budget(stop);
                let set_up = SetUp { kind, width, budget, ..SetUp::default() };
                set_up.make_random_play(self.game.clone())?.engine
            }
        };
        let shared = Arc::new(random_play);
        lock(&self.others).insert((kind.as_str(), width), shared.clone());
        Ok((shared, kind))
    }

    /// The net in lanes of a width that the processor has, or as wide as it can, if the game is played on
    /// a net, and they fit into the budget.
    pub fn lanes(&self, width: Option<Width>, stop: &AtomicBool) -> Option<Arc<Batch>> {
        let widest = self.widest_lanes(stop)?;
        let Some(width) = width.filter(|&width| width != widest.width()) else {
            return Some(widest);
        };
        let lanes = Batch::clone(&widest).with_width(width);
        Some(Arc::new(lanes.expect("the processor has the width")))
    }

    fn widest_lanes(&self, stop: &AtomicBool) -> Option<Arc<Batch>> {
        if let Some(lanes) = self.lanes.get() {
            return lanes.clone();
        }
        let propnet = self.engine.downcast_ref::<Propnet>()?;
        let meter = self.cost.budget(stop).start();
        let batch = Batch::within(propnet.game().clone(), propnet.net().clone(), &meter);
        let interrupted = stop.load(std::sync::atomic::Ordering::Relaxed);
        let lanes = batch.ok().map(Arc::new);
        // Of work that was broken off nothing is kept.
        if interrupted { lanes } else { self.lanes.get_or_init(|| lanes).clone() }
    }
}
