//! A game in the terminal: the state, the numbered legal moves, a prompt.

use super::{Arguments, Player};
use crate::cli::rulesheet::Rulesheet;
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::{grid, interrupt, output};
use gdlr::engine::{AnyEngine, AnyScratch, AnyState, Engine, GoalError, MoveId, RoleId, Roles};
use gdlr::engine::{StepError, WorkLimit};
use gdlr::gdl::Term;
use gdlr::kif;
use gdlr::play::thinker::{Thinker, ThinkingTime, think};
use gdlr::play::{End, Playout, seeded};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::BufRead;
use std::time::{Duration, Instant};

const WIDTH: usize = 80;

/// How much is played at random before the game, to learn how to show it.
const EXPLORE_PLAYOUTS: usize = 10;
const EXPLORE_STEPS: usize = 50;
const EXPLORE_TIME: Duration = Duration::from_secs(1);

const HELP: &str = "\
  a number, or a move as it is listed   play it
  state    show the state and your moves again
  undo     go back to your last choice
  quit     leave the game
";

/// What the user wants.
enum Answer {
    Move(MoveId),
    Undo,
    Quit,
}

/// How a step ended.
enum Turn {
    Played(Vec<MoveId>),
    Undo,
    Quit,
    Stuck(RoleId),
}

struct Dialogue<'e, R> {
    game: &'e str,
    engine: &'e AnyEngine,
    scratch: AnyScratch,
    /// By role: whether a human plays it.
    human: Vec<bool>,
    player: Player,
    arguments: &'e Arguments,
    rng: Xoshiro256PlusPlus,
    input: R,
    /// The states in which a human had a choice.
    past: Vec<(u64, AnyState)>,
    step: u64,
    layout: grid::Layout,
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

pub fn run(
    engine: &AnyEngine,
    arguments: &Arguments,
    rulesheet: &Rulesheet,
    input: impl BufRead,
) -> Outcome {
    let human = humans(engine.roles(), &arguments.human)?;
    let mut dialogue = Dialogue {
        game: &rulesheet.game.name,
        engine,
        scratch: engine.scratch(),
        human,
        player: arguments.player,
        arguments,
        rng: seeded(arguments.seed, 0),
        input,
        past: Vec::new(),
        step: 0,
        layout: grid::Layout::default(),
    };
    dialogue.explore();
    dialogue.play().map_err(|stop| match stop {
        Stop::Failure(failure) => failure,
        Stop::Limit(limit) => rulesheet.source.refuse([limit.diagnostic()]),
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

impl<R: BufRead> Dialogue<'_, R> {
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
            match self.turn()? {
                Turn::Played(joint) => self.advance(&joint)?,
                Turn::Undo => self.undo()?,
                Turn::Quit if interrupt::raised() => return Ok(Status::Interrupted),
                Turn::Quit => return Ok(Status::Done),
                Turn::Stuck(role) => {
                    output::error(&format!(
                        "a defect of the game: {} has no legal move, and the state is not terminal",
                        self.role(role)
                    ));
                    return Ok(Status::No);
                }
            }
        }
    }

    /// Learns from a few random playouts what the boards of the game look like.
    fn explore(&mut self) {
        let mut rng = seeded(self.arguments.seed, 1);
        let mut playout = Playout::new(1);
        let mut scratch = self.engine.scratch();
        let start = Instant::now();
        let mut over = || interrupt::raised() || start.elapsed() > EXPLORE_TIME;
        for _ in 0..EXPLORE_PLAYOUTS {
            self.engine.enter(&mut scratch, self.engine.initial());
            for _ in 0..EXPLORE_STEPS {
                let facts = self.engine.facts(&self.engine.state(&scratch));
                self.layout.observe(&facts, self.engine.symbols());
                let end = self.engine.playout(&mut scratch, &mut playout, &mut rng, &mut over);
                if end != End::Capped {
                    break;
                }
            }
        }
    }

    fn role(&self, role: RoleId) -> &str {
        self.engine.roles().name(role)
    }

    fn introduce(&self) -> Result<(), Failure> {
        let who = |role: RoleId| {
            let by = if self.human[role.index()] {
                "you"
            } else {
                match self.thinker(role) {
                    Thinker::Random => "random",
                    Thinker::MonteCarlo => "mc",
                    Thinker::Uct => "uct",
                }
            };
            format!("{} ({by})", self.role(role))
        };
        let roles: Vec<String> = self.engine.roles().iter().map(who).collect();
        let hint = if self.human.contains(&true) { "`help` says what you can type.\n" } else { "" };
        output::print(&format!("{}: {}\n{hint}", self.game, roles.join(", ")))
    }

    /// The role of chance always draws its moves.
    fn thinker(&self, role: RoleId) -> Thinker {
        match self.engine.roles().random() == Some(role) {
            true => Thinker::Random,
            false => self.player.thinker(),
        }
    }

    /// Asks every role for its move, humans last so that nobody waits twice.
    fn turn(&mut self) -> Result<Turn, Stop> {
        let mut joint = vec![MoveId(0); self.human.len()];
        let mut asked = Vec::new();
        let mut legal = Vec::new();
        for role in self.engine.roles().iter() {
            self.engine.legal(&mut self.scratch, role, &mut legal)?;
            match legal[..] {
                [] => return Ok(Turn::Stuck(role)),
                [only] => joint[role.index()] = only,
                _ => asked.push(role),
            }
        }
        let (humans, others): (Vec<RoleId>, Vec<RoleId>) =
            asked.into_iter().partition(|role| self.human[role.index()]);
        if !humans.is_empty() {
            self.show_state()?;
        }
        for role in others {
            let budget = ThinkingTime {
                time: self.arguments.think,
                stop: &interrupt::STOP,
                max_steps: self.arguments.max_steps,
            };
            let thinker = self.thinker(role);
            let chosen =
                think(thinker, self.engine, &mut self.scratch, role, budget, &mut self.rng)?;
            match chosen {
                Some(chosen) => joint[role.index()] = chosen,
                None => return Ok(Turn::Stuck(role)),
            }
        }
        // A search that was cut short has no move to play.
        if interrupt::raised() {
            return Ok(Turn::Quit);
        }
        let had_choice = !humans.is_empty();
        for role in humans {
            match self.ask(role)? {
                Answer::Move(chosen) => joint[role.index()] = chosen,
                Answer::Undo => return Ok(Turn::Undo),
                Answer::Quit => return Ok(Turn::Quit),
            }
        }
        if had_choice {
            self.past.push((self.step, self.engine.state(&self.scratch)));
        }
        Ok(Turn::Played(joint))
    }

    fn advance(&mut self, joint: &[MoveId]) -> Result<(), Stop> {
        let mut text = format!("{:>3}.", self.step + 1);
        for (role, &id) in self.engine.roles().iter().zip(joint) {
            text += &format!("  {}: {}", self.role(role), self.spelled(id));
        }
        match self.engine.step(&mut self.scratch, joint) {
            Ok(()) => {}
            Err(StepError::Limit(limit)) => return Err(limit.into()),
            Err(error) => return Err(Failure::Unusable(error.to_string()).into()),
        }
        self.step += 1;
        Ok(output::print(&(text + "\n"))?)
    }

    fn undo(&mut self) -> Result<(), Failure> {
        match self.past.pop() {
            Some((step, state)) => {
                self.engine.enter(&mut self.scratch, &state);
                self.step = step;
                Ok(())
            }
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
        let symbols = self.engine.symbols();
        self.layout.observe(&facts, symbols);
        output::print(&format!("\n{}", self.layout.text(&facts, symbols)))
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
        moves.sort_by_cached_key(|(_, term)| grid::natural_order(&term.canonical(symbols)));
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
        output::print(&format!("\n{}", grid::columns(&listed, WIDTH)))?;
        loop {
            output::print(&format!("{}> ", self.role(role)))?;
            let Some(line) = self.read_line()? else {
                output::print("\n")?;
                return Ok(Answer::Quit);
            };
            match line.trim() {
                "" => {}
                "quit" | "exit" | "q" => return Ok(Answer::Quit),
                "undo" => return Ok(Answer::Undo),
                "help" | "?" => output::print(HELP)?,
                "state" => {
                    self.show_state()?;
                    output::print(&format!("\n{}", grid::columns(&listed, WIDTH)))?;
                }
                typed => match self.find(&moves, typed) {
                    Some(id) => return Ok(Answer::Move(id)),
                    None => output::print(&format!(
                        "That is none of your {} moves; `help` says what you can type.\n",
                        moves.len()
                    ))?,
                },
            }
        }
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
        let document = kif::read(typed).ok()?;
        let items: Vec<String> = document.items.iter().map(ToString::to_string).collect();
        let written = match &items[..] {
            [one] => same(one),
            many => same(&format!("({})", many.join(" "))),
        };
        let by_number = || moves.get(typed.parse::<usize>().ok()?.checked_sub(1)?);
        by_number().or(written).map(|&(id, _)| id)
    }
}
