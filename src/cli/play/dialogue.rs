//! A game in the terminal: the state, the numbered legal moves, a prompt.

use super::arguments::Arguments;
use super::engines::Engines;
use super::game_position::GamePosition;
use super::pause::Pause;
use super::players::Players;
use super::typed::{self, Typed};
use super::{hint, refused, saved, seen};
use crate::cli::colours;
use crate::cli::output::Page;
use crate::cli::playable::Playable;
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::{interrupt, output};
use gdlr::board::text::columns;
use gdlr::engine::{AnyEngine, AnyScratch, AnyState, Engine, GoalError, MoveId, RoleId};
use gdlr::engine::{Roles, StepError, WorkLimit};
use gdlr::gdl::Term;
use gdlr::gdl::natural_order;
use gdlr::play::sampler::Observation;
use gdlr::play::{choose, seeded};
use gdlr::viewer::Viewer;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::BufRead;
use std::time::Duration;

const WIDTH: usize = 80;

/// A command of the user.
enum Answer {
    Move(MoveId),
    Undo,
    Load(GamePosition),
    Resign,
    Quit,
}

/// How a step ended.
enum Step {
    Played(Vec<MoveId>),
    Undo,
    Load(GamePosition),
    Resigned(RoleId),
    Quit,
    Stuck(RoleId),
}

struct Dialogue<'e, R> {
    game: &'e str,
    playable: &'e Playable,
    engines: &'e Engines,
    engine: &'e AnyEngine,
    scratch: AnyScratch,
    players: Players<'e>,
    arguments: &'e Arguments,
    rng: Xoshiro256PlusPlus,
    input: R,
    /// The places in which a human had a choice.
    past: Vec<GamePosition>,
    step: u64,
    /// The joint move of the last step.
    last: Vec<Term>,
    /// The state before it.
    before: Option<AnyState>,
    /// In a game with rules for `sees`, by step and role: what the role was told.
    observations: Vec<Vec<Observation>>,
    /// Whether somebody plays here who must not see the state.
    hides: bool,
    viewer: Viewer,
}

/// Why a game ends before its end.
enum Stop {
    Failure(Failure),
    /// A state is too much for the engine.
    Limit(WorkLimit),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<WorkLimit> for Stop {
    fn from(limit: WorkLimit) -> Stop {
        Stop::Limit(limit)
    }
}

pub fn run<'e>(
    engines: &'e Engines,
    arguments: &'e Arguments,
    playable: &'e Playable,
    input: impl BufRead,
) -> Outcome {
    let engine = engines.first();
    let human = humans(engine.roles(), &arguments.human)?;
    let hides = engine.has_percepts() && human.contains(&true) && !arguments.omniscient;
    let mut dialogue = Dialogue {
        game: playable.name(),
        playable,
        engines,
        engine,
        scratch: engine.scratch(),
        players: Players::new(engines, arguments, &human),
        arguments,
        rng: seeded(arguments.seed, 0),
        input,
        past: Vec::new(),
        step: 0,
        last: Vec::new(),
        before: None,
        observations: Vec::new(),
        hides,
        viewer: Viewer::new(playable.game().clone(), engine),
    };
    if hides {
        dialogue.players.prepare();
    }
    dialogue.viewer.explore(engine, arguments.seed, &mut interrupt::raised);
    let outcome = dialogue.play();
    dialogue.players.stop(&mut dialogue.scratch);
    outcome.map_err(|stop| match stop {
        Stop::Failure(failure) => failure,
        Stop::Limit(limit) => playable.source().refuse([limit.diagnostic()]),
    })
}

/// Which roles the user plays.
fn humans(roles: &Roles, wanted: &[String]) -> Result<Vec<bool>, Failure> {
    let mut human = vec![false; roles.count()];
    if wanted.is_empty() {
        // The role of chance is nobody's.
        let first = roles.iter().find(|&role| roles.random() != Some(role));
        human[first.map_or(0, RoleId::index)] = true;
    }
    for name in wanted {
        match roles.find(name) {
            Some(role) => human[role.index()] = true,
            None if name == "none" => {}
            None => {
                let names = roles.names().join(", ");
                return Err(Failure::Unusable(format!("no role `{name}`; the roles are {names}")));
            }
        }
    }
    Ok(human)
}

/// The result of a command of the user; says why if it failed, which does not end the game.
fn reported<T>(result: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Unusable(message)) => {
            output::error(&message);
            Ok(None)
        }
        Err(Failure::Reported(_)) => Ok(None),
        Err(Failure::BrokenPipe) => Err(Failure::BrokenPipe),
    }
}

/// Why a game ends at a step that cannot be played.
fn why(error: StepError) -> Stop {
    match error {
        StepError::Limit(limit) => limit.into(),
        error => Failure::Unusable(error.to_string()).into(),
    }
}

impl<'e, R: BufRead> Dialogue<'e, R> {
    fn play(&mut self) -> Result<Status, Stop> {
        self.introduce()?;
        loop {
            if interrupt::raised() {
                return Ok(Status::Interrupted);
            }
            if self.engine.terminal(&mut self.scratch)? {
                return self.finish();
            }
            if self.step >= self.arguments.max_steps {
                output::error(&format!("the game is not over after {} steps", self.step));
                return Ok(Status::Budget);
            }
            if let Some(net) = self.engines.net() {
                self.go_over_to(net);
            }
            self.engines.tell();
            match self.turn()? {
                Step::Played(joint) => self.advance(&joint)?,
                Step::Undo => self.undo()?,
                Step::Load(place) => {
                    self.past.push(self.place());
                    self.go_to(place)?;
                }
                Step::Resigned(role) => {
                    output::print(&format!("The game is over: {} resigned.\n", self.role(role)))?;
                    return Ok(Status::Done);
                }
                Step::Quit if interrupt::raised() => return Ok(Status::Interrupted),
                Step::Quit => return Ok(Status::Done),
                Step::Stuck(role) => {
                    output::error(&format!(
                        "a defect of the game: {} has no legal move, and the state is not terminal",
                        self.role(role)
                    ));
                    return Ok(Status::No);
                }
            }
        }
    }

    fn role(&self, role: RoleId) -> &str {
        self.engine.roles().name(role)
    }

    /// The roles that are played here.
    fn humans(&self) -> Vec<RoleId> {
        self.engine.roles().iter().filter(|&role| self.players.is_human(role)).collect()
    }

    fn introduce(&self) -> Result<(), Failure> {
        let roles = self.engine.roles();
        let who = |role: RoleId| format!("{} ({})", self.role(role), self.players.name(role));
        let who: Vec<String> = roles.iter().map(who).collect();
        let humans = self.humans();
        let hidden = match &humans[..] {
            _ if !self.hides => String::new(),
            [role] => format!(
                "You are shown what {} plays and sees; --omniscient shows everything.\n",
                self.role(*role)
            ),
            several => format!(
                "You are shown what {} play and see, each under its name:\n\
                 who sits here reads it all. --omniscient shows everything.\n",
                several.iter().map(|&role| self.role(role)).collect::<Vec<_>>().join(" and ")
            ),
        };
        let hint = if humans.is_empty() { "" } else { "`help` says what you can type.\n" };
        output::print(&format!("{}: {}\n{hidden}{hint}", self.game, who.join(", ")))
    }

    fn place(&self) -> GamePosition {
        GamePosition {
            state: self.engine.state(&self.scratch),
            step: self.step,
            last: self.last.clone(),
            before: self.before.clone(),
            observations: self.observations.clone(),
        }
    }

    /// Goes on with another engine of the same game, if that has all states that were met.
    fn go_over_to(&mut self, engine: &'e AnyEngine) {
        if std::ptr::eq(self.engine, engine) {
            return;
        }
        let here = self.place().on(self.engine, engine);
        let past = self.past.iter().map(|place| place.on(self.engine, engine));
        let past: Option<Vec<GamePosition>> = past.collect();
        let (Some(here), Some(past)) = (here, past) else { return };
        self.engine = engine;
        self.scratch = engine.scratch();
        engine.enter(&mut self.scratch, &here.state);
        (self.before, self.past) = (here.before, past);
        self.players.go_over_to(engine);
        self.viewer = Viewer::new(self.playable.game().clone(), engine);
        self.viewer.explore(engine, self.arguments.seed, &mut interrupt::raised);
    }

    fn go_to(&mut self, place: GamePosition) -> Result<(), Failure> {
        self.engine.enter(&mut self.scratch, &place.state);
        if self.hides {
            // Elsewhere the state is shown, which says as much.
            for role in self.humans() {
                output::print(&format!("\n{}", seen::all(self.engine, &place, role)))?;
            }
        }
        let GamePosition { step, last, before, observations, .. } = place;
        (self.step, self.last, self.before, self.observations) = (step, last, before, observations);
        Ok(())
    }

    /// Asks every role for its move, humans last so that nobody waits twice.
    fn turn(&mut self) -> Result<Step, Stop> {
        let mut joint = vec![MoveId(0); self.engine.roles().count()];
        let mut asked = Vec::new();
        let mut legal = Vec::new();
        for role in self.engine.roles().iter() {
            self.engine.legal(&mut self.scratch, role, &mut legal)?;
            match legal[..] {
                [] => return Ok(Step::Stuck(role)),
                [only] => joint[role.index()] = only,
                _ => asked.push(role),
            }
        }
        let (humans, others): (Vec<RoleId>, Vec<RoleId>) =
            asked.into_iter().partition(|&role| self.players.is_human(role));
        if !humans.is_empty() && !self.hides {
            self.show_state()?;
        }
        let thinking_time = self.players.thinking_time();
        let pause = (self.hides && !thinking_time.is_zero()).then(|| Pause::new(thinking_time));
        for role in others {
            // In an order that is no engine's: a seed stands for the same play on all of them.
            let legal: Vec<MoveId> = self.moves(role)?.into_iter().map(|(id, _)| id).collect();
            let chosen = self.players.choose(role, &self.place(), &legal, !self.hides);
            let chosen = chosen.filter(|id| legal.contains(id));
            match chosen.or_else(|| choose(&legal, &mut self.rng)) {
                Some(chosen) => joint[role.index()] = chosen,
                None => return Ok(Step::Stuck(role)),
            }
        }
        if let Some(pause) = pause {
            pause.wait();
        }
        // A search that was cut short has no move to play.
        if interrupt::raised() {
            return Ok(Step::Quit);
        }
        let had_choice = !humans.is_empty();
        for role in humans {
            match self.ask(role)? {
                Answer::Move(chosen) => joint[role.index()] = chosen,
                Answer::Undo => return Ok(Step::Undo),
                Answer::Load(place) => return Ok(Step::Load(place)),
                Answer::Resign => return Ok(Step::Resigned(role)),
                Answer::Quit => return Ok(Step::Quit),
            }
        }
        if had_choice {
            self.past.push(self.place());
        }
        Ok(Step::Played(joint))
    }

    /// The expected values of the moves of a role, which are listed in this order.
    fn hint(&mut self, role: RoleId, listed: &[MoveId], time: Duration) -> Result<(), Failure> {
        let place = self.place();
        let advice = self.players.advise(role, &place, listed, time);
        output::print(&match advice {
            Some((_, Some(report))) => hint::text(self.engine, &place, listed, &report),
            Some((chosen, None)) => format!(
                "The search would play {}; without a net it says no more.\n",
                self.spelled(chosen)
            ),
            None => format!(
                "No state was found in this time that agrees with what {} saw: `hint SECS`.\n",
                self.role(role)
            ),
        })
    }

    fn advance(&mut self, joint: &[MoveId]) -> Result<(), Stop> {
        let roles = self.engine.roles();
        let observations = match self.engine.has_percepts() {
            true => Some(Observation::of(self.engine, &mut self.scratch, joint).map_err(why)?),
            false => None,
        };
        let before = self.engine.state(&self.scratch);
        self.engine.step(&mut self.scratch, joint).map_err(why)?;
        self.before = Some(before);
        self.step += 1;
        self.last = joint.iter().map(|&id| self.engine.move_term(id).1).collect();
        let mut text = format!("{:>3}.", self.step);
        for (role, &id) in roles.iter().zip(joint) {
            text += &format!("  {}: {}", self.role(role), self.spelled(id));
        }
        text += "\n";
        if let (true, Some(observations)) = (self.hides, &observations) {
            text = seen::step(self.engine, self.step, observations, &self.humans());
        }
        self.observations.extend(observations);
        Ok(output::print(&text)?)
    }

    fn undo(&mut self) -> Result<(), Failure> {
        match self.past.pop() {
            Some(place) => self.go_to(place),
            None => output::print("There is nothing to undo.\n"),
        }
    }

    fn finish(&mut self) -> Result<Status, Stop> {
        self.show_state()?;
        let mut text = String::from("\nThe game is over.\n");
        let mut defect = false;
        for role in self.engine.roles().iter() {
            let goal = match self.engine.goal(&mut self.scratch, role) {
                Ok(goal) => goal.to_string(),
                Err(GoalError::Limit(limit)) => return Err(limit.into()),
                Err(GoalError::Missing) if self.engine.roles().random() == Some(role) => continue,
                Err(error) => {
                    defect = true;
                    error.to_string()
                }
            };
            text += &format!("  {}: {goal}\n", self.role(role));
        }
        output::print(&text)?;
        Ok(if defect { Status::No } else { Status::Done })
    }

    fn show_state(&mut self) -> Result<(), Failure> {
        let facts = self.engine.facts(&self.engine.state(&self.scratch));
        let before = self.before.as_ref().map(|state| self.engine.facts(state));
        let mut page = Page::new();
        page.plain("\n");
        let of_roles = colours::of_roles(self.engine.roles().names());
        colours::write(&mut page, &self.viewer.parts(&facts, before.as_deref()), &of_roles);
        page.print()
    }

    fn spelled(&self, id: MoveId) -> String {
        self.engine.move_term(id).1.spelled(self.engine.symbols())
    }

    /// The legal moves of a role in a sensible order.
    fn moves(&mut self, role: RoleId) -> Result<Vec<(MoveId, Term)>, WorkLimit> {
        let mut legal = Vec::new();
        self.engine.legal(&mut self.scratch, role, &mut legal)?;
        let symbols = self.engine.symbols();
        let mut moves: Vec<(MoveId, Term)> =
            legal.iter().map(|&id| (id, self.engine.move_term(id).1)).collect();
        moves.sort_by_cached_key(|(_, term)| natural_order(&term.canonical(symbols)));
        Ok(moves)
    }

    fn ask(&mut self, role: RoleId) -> Result<Answer, Stop> {
        let moves = self.moves(role)?;
        let symbols = self.engine.symbols();
        let listed: Vec<String> = moves
            .iter()
            .enumerate()
            .map(|(index, (_, term))| format!("{:>3} {}", index + 1, term.spelled(symbols)))
            .collect();
        output::print(&format!("\n{}", columns(&listed, WIDTH)))?;
        loop {
            output::print(&format!("{}> ", self.role(role)))?;
            let Some(line) = self.read_line()? else {
                output::print("\n")?;
                return Ok(Answer::Quit);
            };
            match Typed::read(&line) {
                Typed::Nothing => {}
                Typed::Quit => return Ok(Answer::Quit),
                Typed::Resign => return Ok(Answer::Resign),
                Typed::Undo => return Ok(Answer::Undo),
                Typed::Help => output::print(&typed::help(self.hides))?,
                Typed::State => {
                    match self.hides {
                        true => output::print(&seen::all(self.engine, &self.place(), role))?,
                        false => self.show_state()?,
                    }
                    output::print(&format!("\n{}", columns(&listed, WIDTH)))?;
                }
                Typed::Hint(time) => {
                    let ids: Vec<MoveId> = moves.iter().map(|&(id, _)| id).collect();
                    self.hint(role, &ids, time.unwrap_or(self.arguments.think))?;
                    if interrupt::raised() {
                        return Ok(Answer::Quit);
                    }
                }
                Typed::Save(path) => {
                    let saved = match self.hides {
                        true => Err(saved::hidden()),
                        false => saved::save(path, self.game, self.engine, &self.place()),
                    };
                    if reported(saved)?.is_some() {
                        output::print(&format!("Saved to {path}.\n"))?;
                    }
                }
                Typed::Load(path) => {
                    if let Some(place) = reported(saved::load(path, self.engine))? {
                        return Ok(Answer::Load(place));
                    }
                }
                Typed::Wrong(message) => output::print(&format!("{message}\n"))?,
                Typed::Move(typed) => match self.find(&moves, typed) {
                    Some(id) => return Ok(Answer::Move(id)),
                    None => self.say_why_not(role, moves.len(), typed)?,
                },
            }
        }
    }

    /// Says why what was typed is no move.
    fn say_why_not(&mut self, role: RoleId, moves: usize, typed: &str) -> Result<(), Failure> {
        let (role, source) = (self.role(role), self.playable.source());
        // A hidden state is not explained, and an automaton has no rules.
        if self.hides || self.playable.is_automaton() {
            return refused::print_plainly(moves, typed);
        }
        let facts = self.engine.facts(&self.engine.state(&self.scratch));
        let asked =
            refused::RefusedInput { game: self.playable.game(), role, facts: &facts, moves, typed };
        refused::print(&asked, &source.printer())
    }

    /// A line of input, or `None` at its end.
    fn read_line(&mut self) -> Result<Option<String>, Failure> {
        let mut line = Vec::new();
        match interrupt::at_once(|| self.input.read_until(b'\n', &mut line)) {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
            Err(error) => Err(Failure::Unusable(format!("cannot read standard input: {error}"))),
        }
    }

    /// The move that was typed: its number, or its term in any case and spacing.
    fn find(&self, moves: &[(MoveId, Term)], typed: &str) -> Option<MoveId> {
        let symbols = self.engine.symbols();
        let same = |text: &str| {
            moves.iter().find(|(_, term)| {
                term.spelled(symbols) == text || term.canonical(symbols) == text.to_lowercase()
            })
        };
        let written = || same(&typed::as_term(typed)?);
        let by_number = || moves.get(typed.parse::<usize>().ok()?.checked_sub(1)?);
        by_number().or_else(written).map(|&(id, _)| id)
    }
}
