//! A checker of programs, for conditions that every program must meet.
//!
//! - No register is read before it is assigned, on any path from the beginning of the play. Loose
//!   registers are exempt. These are registers for moves of roles that choose at once, some of which
//!   leave a register unused, and registers that tell which facts a move may have written.
//! - A value that is assigned to a variable is a member of its type.
//! - A check assigns to registers only, and shows no tags.
//! - The keeper makes no choice. A player who chooses assigns to registers only.
//! - Each path of play ends with a jump, and no block to which a jump leads is empty.
//!
//! All tests check the passes of the planner in this way, beside the comparison of plays.

use super::live::Liveness;
use super::{Act, Body, Program, Statement, Target, Test};
use crate::export::slots::Slot;
use gdlr_rg::rg::{Base, Description, Name, SimpleType};
use hashbrown::{HashMap, HashSet};

/// The actor at a place of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Actor {
    Keeper,
    Chooser,
    /// Nobody: a check is asked.
    Check,
}

/// The reason why a program is not sound.
type Flaw = &'static str;

/// The reason why a program is not sound. `None` if it is sound. `registers` are the variables that
/// do not hold the state. `loose` are the registers that may be read before they are assigned.
pub(in crate::export) fn flaw(
    program: &Program,
    description: &Description,
    registers: &HashSet<Name>,
    loose: &HashSet<Name>,
) -> Option<Flaw> {
    let mut types: HashMap<Name, HashSet<Name>> = HashMap::new();
    for alias in &description.types {
        if let SimpleType::Set(set) = &alias.type_.value {
            types.insert(alias.name.name, set.members.iter().map(|m| m.name).collect());
        }
    }
    let mut members = HashMap::new();
    for variable in &description.variables {
        if let (SimpleType::Named(own), Some(variable)) =
            (&variable.type_.value, Some(variable.name.name))
            && let Some(all) = types.get(&own.name)
        {
            members.insert(variable, all.clone());
        }
    }
    let live = Liveness::of(program).at(program.begin);
    if live.iter().any(|name| registers.contains(name) && !loose.contains(name)) {
        return Some("a register is read before it is assigned");
    }
    let mut checker = Checker { program, members, registers, seen: HashSet::new() };
    checker.go(program.begin, Actor::Keeper).err()
}

struct Checker<'p> {
    program: &'p Program,
    /// By variable: the members of its type.
    members: HashMap<Name, HashSet<Name>>,
    registers: &'p HashSet<Name>,
    /// The blocks that have been visited, each with its actor.
    seen: HashSet<(usize, Actor)>,
}

impl Checker<'_> {
    fn go(&mut self, target: Target, actor: Actor) -> Result<(), Flaw> {
        let place = match target {
            Target::Block(block) => block.place(),
            Target::Over => self.program.over.place(),
            Target::End if actor == Actor::Keeper => return Ok(()),
            Target::End => return Err("the play ends while somebody else acts"),
        };
        if !self.seen.insert((place, actor)) {
            return Ok(());
        }
        let program = self.program;
        let body = &program.blocks[place].body;
        if body.is_empty() {
            return Err("a block to which a way leads is empty");
        }
        let end = self.body(body, actor)?;
        match end {
            Some(_) if actor != Actor::Check => Err("a way of play leads nowhere"),
            _ => Ok(()),
        }
    }

    /// The actor behind statements. `None` if no path leads behind them.
    fn body(&mut self, body: &[Statement], actor: Actor) -> Result<Option<Actor>, Flaw> {
        let mut actor = actor;
        for (place, statement) in body.iter().enumerate() {
            match (self.statement(statement, actor)?, statement) {
                (Some(next), _) => actor = next,
                (None, Statement::Go(_)) if place + 1 < body.len() => {
                    return Err("something is done behind where a way ends");
                }
                // No path leads to the statements behind.
                (None, _) => return Ok(None),
            }
        }
        Ok(Some(actor))
    }

    /// The actor behind several bodies. `None` if no path leads behind any of them.
    fn any(&mut self, ways: &[&Body], actor: Actor) -> Result<Option<Actor>, Flaw> {
        let mut behind = None;
        for way in ways {
            match (self.body(way, actor)?, behind) {
                (Some(one), Some(other)) if one != other => {
                    return Err("it depends on the way who acts");
                }
                (Some(one), _) => behind = Some(one),
                (None, _) => {}
            }
        }
        Ok(behind)
    }

    fn statement(&mut self, one: &Statement, actor: Actor) -> Result<Option<Actor>, Flaw> {
        let chooses = |all: Result<Option<Actor>, Flaw>| match actor {
            Actor::Keeper => Err("the keeper chooses"),
            _ => all,
        };
        match one {
            Statement::Never => Ok(None),
            Statement::Test(test) => self.test(*test).map(|()| Some(actor)),
            Statement::Do(act) => self.act(*act, actor).map(Some),
            Statement::Go(target) => self.go(*target, actor).map(|()| None),
            Statement::Choice(ways) => {
                let all = self.any(&ways.iter().collect::<Vec<_>>(), actor);
                // A body that never goes on is no alternative.
                let open = ways.iter().filter(|way| !way.contains(&Statement::Never)).count();
                if open > 1 { chooses(all) } else { all }
            }
            Statement::Search(search) => {
                let ways: Vec<&Body> = search.first.iter().chain(&search.rounds).collect();
                self.any(&ways, actor)?;
                let all = self.body(&search.exit, actor);
                chooses(all)
            }
            Statement::If(branch) => {
                self.body(&branch.tests, actor)?;
                self.any(&[&branch.then, &branch.otherwise], actor)
            }
            Statement::Cases(cases) => {
                for &test in cases.iter().flat_map(|(tests, _)| tests) {
                    self.test(test)?;
                }
                let ways: Vec<&Body> = cases.iter().map(|(_, body)| body).collect();
                self.any(&ways, actor)
            }
            Statement::Each(each) => {
                self.assign(each.slot, actor)?;
                match self.body(&each.body, actor)? {
                    Some(same) if same == actor => Ok(Some(actor)),
                    _ => Err("a loop that ends otherwise than it begins"),
                }
            }
            Statement::Follow(follow) => {
                for part in [&follow.first, &follow.step, &follow.body] {
                    if self.body(part, actor)? != Some(actor) {
                        return Err("a walk that ends otherwise than it begins");
                    }
                }
                Ok(Some(actor))
            }
            Statement::Find(find) => {
                for part in [&find.first, &find.step, &find.tests, &find.then] {
                    if self.body(part, actor)? != Some(actor) {
                        return Err("a search that ends otherwise than it begins");
                    }
                }
                Ok(Some(actor))
            }
        }
    }

    fn test(&mut self, test: Test) -> Result<(), Flaw> {
        let Test::Check(check, _) = test else { return Ok(()) };
        let place = self.program.blocks.len() + check.0 as usize;
        if !self.seen.insert((place, Actor::Check)) {
            return Ok(());
        }
        let program = self.program;
        let ways = &program.checks[check.0 as usize];
        ways.iter().try_for_each(|way| self.body(way, Actor::Check).map(drop))
    }

    /// The actor behind an action.
    fn act(&mut self, act: Act, actor: Actor) -> Result<Actor, Flaw> {
        let slots = &self.program.slots;
        match act {
            Act::Tag(_) | Act::TagOf(_) if actor == Actor::Check => {
                return Err("something is shown in a check");
            }
            Act::Tag(_) | Act::TagOf(_) => return Ok(actor),
            Act::Any(..) if actor == Actor::Keeper => return Err("the keeper chooses"),
            Act::Set(slot, player) if slot == self.program.player => {
                return match (actor, player) {
                    (Actor::Check, _) => Err("the turn changes in a check"),
                    (_, Name::KEEPER) => Ok(Actor::Keeper),
                    _ => Ok(Actor::Chooser),
                };
            }
            Act::Copy(slot, _) if slot == self.program.player => {
                return match actor {
                    Actor::Check => Err("the turn changes in a check"),
                    _ => Ok(Actor::Chooser),
                };
            }
            Act::Set(slot, value) => {
                let own = self.members.get(&slots.expr(slot).root());
                if own.is_some_and(|own| !own.contains(&value)) {
                    return Err("a value that its variable cannot have");
                }
            }
            Act::Any(..) | Act::Copy(..) => {}
        }
        let (Act::Any(slot, _) | Act::Set(slot, _) | Act::Copy(slot, _)) = act else {
            return Ok(actor);
        };
        self.assign(slot, actor).map(|()| actor)
    }

    /// Whether the actor may assign to a slot.
    fn assign(&self, slot: Slot, actor: Actor) -> Result<(), Flaw> {
        let expr = self.program.slots.expr(slot);
        if matches!(expr.base, Base::Cast(..)) {
            return Err("a cast is assigned to");
        }
        let root = expr.root();
        // A player who chooses hides the choice from others.
        let is_hidden = actor == Actor::Chooser && root == Name::VISIBLE;
        match actor == Actor::Keeper || is_hidden || self.registers.contains(&root) {
            true => Ok(()),
            false => Err("the state changes where nothing may"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{Export, Origin, RoleTurn, from_game};
    use gdlr_rules::gdl::Game;
    use gdlr_text::budget::Meter;

    /// Games with moves in turn and at once, loops, derived relations, chance and percepts.
    const GAMES: [&str; 6] = [
        include_str!("../../../../../kif/tictactoe.kif"),
        include_str!("../../../../../kif/connect4.kif"),
        include_str!("../../../../../kif/breakthrough.kif"),
        include_str!("../../../../../kif/rock_paper_scissors.kif"),
        include_str!("../../../../../kif/monty_hall.kif"),
        include_str!("../../../../../kif/reversi.kif"),
    ];

    fn exports() -> Vec<Export> {
        let export = |text: &str| {
            let game = Game::from_kif("test", text).expect("a rulesheet");
            let meter = Meter::unlimited();
            from_game(game, Some(Origin::Rules), false, &meter).expect("a game that grounds").export
        };
        GAMES.into_iter().map(export).collect()
    }

    fn registers_of(export: &Export) -> HashSet<Name> {
        let names = &export.description.names;
        let state: HashSet<Name> =
            export.entry.variables().iter().map(|variable| variable.name).collect();
        let is_register = |name: &Name| {
            let is_next = names.text(*name).starts_with("next_");
            !is_next && !state.contains(name) && *name != Name::VISIBLE
        };
        let all = export.description.variables.iter().map(|variable| variable.name.name);
        all.filter(is_register).collect()
    }

    /// The places in a body and in the bodies within it, each with the number of its body. The end
    /// of a body is a place, too.
    fn places(body: &Body) -> Vec<(usize, usize)> {
        let mut bodies = vec![body];
        let mut next = 0;
        // In the order of `nth`: a body comes before the bodies within it.
        while next < bodies.len() {
            let within: Vec<&Body> = bodies[next].iter().flat_map(Statement::bodies).collect();
            bodies.splice(next + 1..next + 1, within);
            next += 1;
        }
        let all = bodies.iter().enumerate();
        all.flat_map(|(number, body)| (0..=body.len()).map(move |place| (number, place))).collect()
    }

    /// A body, or one of the bodies within it, by its number.
    fn nth<'b>(body: &'b mut Body, left: &mut usize) -> Option<&'b mut Body> {
        if *left == 0 {
            return Some(body);
        }
        *left -= 1;
        body.iter_mut().flat_map(Statement::bodies_mut).find_map(|inner| nth(inner, left))
    }

    /// Changes each body of each program in turn. Returns the number of mutants that are refused,
    /// and the names of the blocks of all others.
    fn mutants(change: impl Fn(&mut Body, usize) -> bool) -> (usize, Vec<String>) {
        let (mut refused, mut taken) = (0, Vec::new());
        for export in exports() {
            let program = export.program.as_ref().expect("it was written from the rules");
            let registers = registers_of(&export);
            // If roles choose at once, registers are not checked.
            let at_once = export.turns.iter().any(|(_, parts)| {
                parts.iter().filter(|part| matches!(part, RoleTurn::Ply(_))).count() > 1
            });
            let names = export.description.variables.iter().map(|variable| variable.name.name);
            let loose = names.filter(|_| at_once).collect();
            assert_eq!(flaw(program, &export.description, &registers, &loose), None);
            let is_sound =
                |mutant: &Program| flaw(mutant, &export.description, &registers, &loose).is_none();
            for block in 0..program.blocks.len() {
                let mut empty = Program::clone(program);
                empty.blocks[block].body.clear();
                if is_sound(&empty) {
                    // Play does not reach this block.
                    continue;
                }
                for (body, place) in places(&program.blocks[block].body) {
                    let mut mutant = Program::clone(program);
                    let mut left = body;
                    let body = nth(&mut mutant.blocks[block].body, &mut left).expect("a body");
                    if !change(body, place) {
                        continue;
                    }
                    match is_sound(&mutant) {
                        false => refused += 1,
                        true => taken.push(format!("{} {place}", program.blocks[block].name)),
                    }
                }
            }
        }
        (refused, taken)
    }

    /// Whether no path leads behind a statement.
    fn stops(statement: &Statement) -> bool {
        match statement {
            Statement::Never => true,
            Statement::Choice(ways) => ways.iter().all(|way| way.iter().any(stops)),
            _ => false,
        }
    }

    /// Paths that end without a jump, or go on behind one.
    #[test]
    fn ways_end_where_another_one_begins() {
        let (refused, taken) = mutants(|body, place| {
            let is_go = matches!(body.get(place), Some(Statement::Go(_)));
            let is_come_to = is_go && !body[..place].iter().any(stops);
            if is_come_to {
                body.remove(place);
            }
            is_come_to
        });
        // A block of a check may end without a jump.
        assert!(refused > 10 && taken.iter().all(|name| name.starts_with("is_")), "{taken:?}");
        let (refused, taken) = mutants(|body, place| {
            let is_go = place > 0 && matches!(body.get(place - 1), Some(Statement::Go(_)));
            let ends = is_go && !body[..place - 1].iter().any(stops);
            if ends {
                body.insert(place, Statement::Never);
            }
            ends
        });
        assert!(refused > 20 && taken.is_empty(), "{taken:?}");
    }

    /// A choice of the keeper, and a change of the state by a player.
    #[test]
    fn nobody_does_what_another_one_does() {
        let (refused, taken) = mutants(|body, place| {
            let is_keeper =
                |one: &Statement| matches!(one, Statement::Do(Act::Set(_, Name::KEEPER)));
            let is_next = place > 0 && is_keeper(&body[place - 1]);
            if is_next {
                body.remove(place - 1);
            }
            is_next && !matches!(body.get(place - 1), Some(Statement::Go(_)))
        });
        assert!(refused > 5 && taken.is_empty(), "{taken:?}");
    }

    /// A choice is removed: its register is read before it is assigned, unless it was not needed.
    #[test]
    fn registers_are_assigned_before_they_are_read() {
        let (refused, taken) = mutants(|body, place| {
            let is_choice = matches!(body.get(place), Some(Statement::Do(Act::Any(..))));
            if is_choice {
                body.remove(place);
            }
            is_choice
        });
        assert!(refused > 5 && taken.len() <= refused, "{refused}, {taken:?}");
    }
}
