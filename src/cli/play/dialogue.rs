//! A game in the terminal: the state, the numbered legal moves, a prompt.

use super::{Arguments, Player};
use crate::cli::rulesheet::Source;
use crate::cli::status::{Failure, Outcome, Status};
use crate::cli::{grid, interrupt, output};
use gdlr::engine::{Engine, MoveId, RoleId};
use gdlr::gdl::{Game, Term};
use gdlr::kif;
use gdlr::play::thinker::{Budget, Thinker, think};
use gdlr::play::{End, Playout, Roles, seeded};
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

struct Dialogue<'e, E: Engine, R> {
    engine: &'e E,
    scratch: E::Scratch,
    /// By role: whether a human plays it.
    human: Vec<bool>,
    player: Player,
    arguments: &'e Arguments,
    rng: Xoshiro256PlusPlus,
    input: R,
    /// The states in which a human had a choice.
    past: Vec<(u64, E::State)>,
    step: u64,
    layout: grid::Layout,
}

pub fn run<E: Engine>(
    engine: &E,
    arguments: &Arguments,
    source: &Source,
    input: impl BufRead,
) -> Outcome {
    let human = humans(engine.game(), &arguments.human)?;
    let mut dialogue = Dialogue {
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
    let outcome = dialogue.play()?;
    match engine.gave_up(&dialogue.scratch) {
        Some(reason) => Err(source.refuse([&reason])),
        None => Ok(outcome),
    }
}

/// Which roles the user plays.
fn humans(game: &Game, wanted: &[String]) -> Result<Vec<bool>, Failure> {
    let names: Vec<String> = game.roles.iter().map(|role| role.canonical(&game.symbols)).collect();
    let mut human = vec![false; names.len()];
    if wanted.is_empty() {
        // The role `random` of GDL-II is nobody's.
        let first = names.iter().position(|name| name != "random").unwrap_or(0);
        human[first] = true;
    }
    for role in wanted {
        match names.iter().position(|name| *name == role.to_lowercase()) {
            Some(place) => human[place] = true,
            None if role == "none" => {}
            None => {
                let names = names.join(", ");
                return Err(Failure::Unusable(format!("no role `{role}`; the roles are {names}")));
            }
        }
    }
    Ok(human)
}

impl<E: Engine, R: BufRead> Dialogue<'_, E, R> {
    fn play(&mut self) -> Outcome {
        self.introduce()?;
        loop {
            if interrupt::raised() {
                return Ok(Status::Interrupted);
            }
            let terminal = self.engine.terminal(&mut self.scratch);
            if self.engine.gave_up(&self.scratch).is_some() {
                return Ok(Status::Budget);
            }
            if terminal {
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
        let mut playout = Playout::new(self.engine);
        let mut scratch = self.engine.scratch();
        let start = Instant::now();
        let over = || interrupt::raised() || start.elapsed() > EXPLORE_TIME;
        for _ in 0..EXPLORE_PLAYOUTS {
            self.engine.enter(&mut scratch, self.engine.initial());
            for _ in 0..EXPLORE_STEPS {
                let facts = self.engine.facts(&self.engine.state(&scratch));
                self.layout.observe(&facts, &self.engine.game().symbols);
                if playout.run(&mut scratch, &mut rng, 1, over) != End::Capped {
                    break;
                }
            }
        }
    }

    fn role(&self, role: RoleId) -> String {
        let game = self.engine.game();
        game.roles[usize::from(role.0)].spelled(&game.symbols)
    }

    fn introduce(&self) -> Result<(), Failure> {
        let who = |role: RoleId| {
            let by = if self.human[usize::from(role.0)] {
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
        let roles: Vec<String> = Roles::of(self.engine).iter().map(who).collect();
        let hint = if self.human.contains(&true) { "`help` says what you can type.\n" } else { "" };
        output::print(&format!("{}: {}\n{hint}", self.engine.game().name, roles.join(", ")))
    }

    /// The role `random` of GDL-II always draws its moves.
    fn thinker(&self, role: RoleId) -> Thinker {
        let game = self.engine.game();
        match game.roles[usize::from(role.0)].canonical(&game.symbols).as_str() {
            "random" => Thinker::Random,
            _ => self.player.thinker(),
        }
    }

    /// Asks every role for its move, humans last so that nobody waits twice.
    fn turn(&mut self) -> Result<Turn, Failure> {
        let mut joint = vec![MoveId(0); self.human.len()];
        let mut asked = Vec::new();
        let mut legal = Vec::new();
        for role in Roles::of(self.engine).iter() {
            self.engine.legal(&mut self.scratch, role, &mut legal);
            if self.engine.gave_up(&self.scratch).is_some() {
                return Ok(Turn::Quit);
            }
            match legal[..] {
                [] => return Ok(Turn::Stuck(role)),
                [only] => joint[usize::from(role.0)] = only,
                _ => asked.push(role),
            }
        }
        let (humans, others): (Vec<RoleId>, Vec<RoleId>) =
            asked.into_iter().partition(|role| self.human[usize::from(role.0)]);
        if !humans.is_empty() {
            self.show_state()?;
        }
        for role in others {
            let budget = Budget {
                time: self.arguments.think,
                stop: &interrupt::STOP,
                max_steps: self.arguments.max_steps,
            };
            let thinker = self.thinker(role);
            let chosen =
                think(thinker, self.engine, &mut self.scratch, role, budget, &mut self.rng);
            match chosen {
                Some(chosen) => joint[usize::from(role.0)] = chosen,
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
                Answer::Move(chosen) => joint[usize::from(role.0)] = chosen,
                Answer::Undo => return Ok(Turn::Undo),
                Answer::Quit => return Ok(Turn::Quit),
            }
        }
        if had_choice {
            self.past.push((self.step, self.engine.state(&self.scratch)));
        }
        Ok(Turn::Played(joint))
    }

    fn advance(&mut self, joint: &[MoveId]) -> Result<(), Failure> {
        let mut text = format!("{:>3}.", self.step + 1);
        for (role, &id) in Roles::of(self.engine).iter().zip(joint) {
            text += &format!("  {}: {}", self.role(role), self.spelled(id));
        }
        if let Err(error) = self.engine.step(&mut self.scratch, joint) {
            return Err(Failure::Unusable(error.to_string()));
        }
        self.step += 1;
        output::print(&(text + "\n"))
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

    fn finish(&mut self) -> Outcome {
        self.show_state()?;
        let mut text = String::from("\nThe game is over.\n");
        let mut defect = false;
        for role in Roles::of(self.engine).iter() {
            let goal = match self.engine.goal(&mut self.scratch, role) {
                Ok(goal) => goal.to_string(),
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
        let symbols = &self.engine.game().symbols;
        self.layout.observe(&facts, symbols);
        output::print(&format!("\n{}", self.layout.text(&facts, symbols)))
    }

    fn spelled(&self, id: MoveId) -> String {
        self.engine.move_term(&self.scratch, id).spelled(&self.engine.game().symbols)
    }

    /// The legal moves of a role in a sensible order.
    fn moves(&mut self, role: RoleId) -> Vec<(MoveId, Term)> {
        let mut legal = Vec::new();
        self.engine.legal(&mut self.scratch, role, &mut legal);
        let symbols = &self.engine.game().symbols;
        let mut moves: Vec<(MoveId, Term)> =
            legal.iter().map(|&id| (id, self.engine.move_term(&self.scratch, id))).collect();
        moves.sort_by_cached_key(|(_, term)| grid::natural_order(&term.canonical(symbols)));
        moves
    }

    fn ask(&mut self, role: RoleId) -> Result<Answer, Failure> {
        let moves = self.moves(role);
        let symbols = &self.engine.game().symbols;
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
        let symbols = &self.engine.game().symbols;
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
