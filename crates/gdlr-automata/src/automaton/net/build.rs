//! The net of an automaton: round by round, and its outputs at the end.

use super::NoNet;
use super::at_turns::AtTurns;
use super::follow::Instance;
use super::kept::{self, Kept};
use super::latches::{Latches, Member};
use super::live::Live;
use super::memory::{Contents, MemoryId, holds};
use super::moves::{self, End};
use super::pauses;
use super::rounds::{Rounds, TakenMove};
use super::select::by_content;
use super::sheet::{Sheet, Slot, Var, Variable};
use super::smaller::{self, Smaller};
use super::start::Start;
use super::turns::Turns;
use super::walks::{At, Configuration, Kind, KnownValue, walks};
use super::wires::Wires;
use crate::automaton::{AutomatonEngine, AutomatonGame};
use crate::tuning::Tuning;
use gdlr_engine::engine::RoleId;
use gdlr_net::net::{FluentBit, Goal, Net, Signal};
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::flow::live_variables;
use gdlr_rg::rg::optimise::program::{Node, Program};
use gdlr_rules::gdl::Term;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use gdlr_text::decisions::{Decision, Decisions, Part};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A node at which a player or chance has the move, and the one who has it.
type Turn = (Node, Name);

/// The net of an automaton, before it is [optimised](gdlr_net::net::optimise).
///
/// First the automaton is [optimised](gdlr_rg::rg::optimise), within a part of the time. Moves and
/// states stay as they are. The result may have a form without a net, or its net may take too long.
/// Then the net is made from the automaton as it is written.
///
/// # Errors
///
/// When the automaton is refused or hides tags. When the budget is exhausted. When walks or checks
/// have a form without a net, see [`NoNet`].
pub fn net(game: &Arc<AutomatonGame>, meter: &Meter<'_>) -> Result<Net, NoNet> {
    tuned(game, &Tuning::default(), meter, &mut Decisions::default())
}

/// [`net()`] with other bounds. `decisions` gets a record of the decisions.
///
/// # Errors
///
/// As [`net()`].
pub fn tuned(
    game: &Arc<AutomatonGame>,
    tuning: &Tuning,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Net, NoNet> {
    let engine = AutomatonEngine::tuned(game.clone(), tuning, meter)?.map_err(NoNet::Refused)?;
    if engine.automaton().hides() {
        return Err(NoNet::HidesTags);
    }
    let written = || Program::load(game.description(), &tuning.rg, meter);
    let sheet = Sheet::new(written()?, &[], tuning.counter_values, meter)?;
    let before = sheet.program.edge_count();
    let start = Start::of(game, &sheet, &engine);
    let turns = turns(&sheet, &start, meter)?;
    let live = live_variables::Live::of(&sheet.program, meter)?;
    let needed = kept::needed(&sheet, &turns, &live);
    let optimised = smaller::make(&written, &turns, &needed, tuning, meter, decisions)?;
    let why = match optimised {
        None => "as it is written: the optimiser did not end in its share, or keeps too little",
        Some(Smaller { program, needed }) => {
            let then = program.edge_count();
            let net = of_program((game, &engine), program, &needed, tuning, meter, decisions);
            match net {
                Err(NoNet::WritesInACircle(_) | NoNet::NestedChecks(_) | NoNet::Ambiguous(_)) => {}
                net => {
                    let of = followed("made small", before, tuning).measured("then", then);
                    decisions.record(of);
                    return net;
                }
            }
            "as it is written: made small it is of a form that has no net"
        }
    };
    decisions.record(followed(why, before, tuning));
    of_program((game, &engine), sheet.program, &needed, tuning, meter, decisions)
}

/// The record of the automaton that is followed: as it is written, with its number of edges, or
/// optimised.
fn followed(chosen: &'static str, edges: usize, tuning: &Tuning) -> Decision {
    let share = u64::from(tuning.optimiser_share);
    Decision::new(Part::Automata, "automaton followed", chosen)
        .measured("edges", edges)
        .bound("optimiser_share", share)
}

/// The net of a program. Its states have the nodes of the engine, and the variables that are
/// `needed`.
fn of_program(
    (game, engine): (&AutomatonGame, &AutomatonEngine),
    mut program: Program,
    needed: &HashSet<Name>,
    tuning: &Tuning,
    meter: &Meter<'_>,
    decisions: &mut Decisions,
) -> Result<Net, NoNet> {
    let mut not_counters = Vec::new();
    loop {
        let mut sheet = Sheet::new(program, &not_counters, tuning.counter_values, meter)?;
        let start = Start::of(game, &sheet, engine);
        let turns = turns(&sheet, &start, meter)?;
        let pauses = pauses::insert(&mut sheet, &turns, tuning.paused_values, meter)?;
        let before = not_counters.len();
        match of_sheet(game, &sheet, &start, needed, &mut not_counters, tuning, meter) {
            // A counter on a cycle decides the number of rounds. So its value must be known after
            // all.
            Err(NoNet::WritesInACircle(_)) if not_counters.len() > before => {
                program = sheet.program
            }
            net => {
                decisions.record(counters(&sheet, not_counters.len(), tuning));
                let chosen = format!("the keeper pauses at {pauses} nodes");
                let most = tuning.paused_values;
                let of = Decision::new(Part::Automata, "pauses", chosen);
                decisions.record(of.bound("paused_values", most));
                return net;
            }
        }
    }
}

/// The record of the counters: variables that are written like maps, and whose values walks do not
/// know.
fn counters(sheet: &Sheet, known: usize, tuning: &Tuning) -> Decision {
    let counts = |variable: &&Variable| variable.is_written && !variable.is_map();
    let counters = sheet.variables.iter().filter(counts).count();
    Decision::new(Part::Automata, "counters", format!("{counters} of the variables"))
        .measured("variables", sheet.variables.len())
        .measured("counted on a cycle", known)
        .bound("counter_values", tuning.counter_values)
}

fn turns(sheet: &Sheet, start: &Start, meter: &Meter<'_>) -> Result<Turns, Exhausted> {
    let is_player = |name: Name| start.roles.contains_key(&name);
    Turns::new(sheet, (start.node, start.player), is_player, meter)
}

fn of_sheet(
    game: &AutomatonGame,
    sheet: &Sheet,
    start: &Start,
    needed: &HashSet<Name>,
    counters: &mut Vec<Name>,
    tuning: &Tuning,
    meter: &Meter<'_>,
) -> Result<Net, NoNet> {
    let turns = turns(sheet, start, meter)?;
    let live = Live::new(sheet, &|node| turns.inner.contains(&node), meter)?;
    let of_program = live_variables::Live::of(&sheet.program, meter)?;
    let kept = Kept::new(sheet, &turns, needed, &of_program);
    let is_kept = |var: Var, end: Option<Node>| kept.is_kept(var, end);
    let latches = Latches::new(sheet, &turns, &kept, start);
    let at_turns = AtTurns::new(sheet, &turns, start, meter)?;
    let mut draft = Net::new(latches.initial.len(), 0, start.roles.len() as u16);
    for (latch, &initial) in draft.latches.iter_mut().zip(&latches.initial) {
        latch.initial = initial;
    }
    let wires = Wires::new(draft, &latches.groups, tuning, meter);
    let mut contents = Contents::new();
    let first = latches.first(sheet, &wires, &mut contents, (start, &at_turns));
    let mut rounds = Rounds::new(sheet, &live, &is_kept, wires, contents, first);
    let step = all_rounds(&mut rounds, &turns, &at_turns, &latches, start);
    counters.append(&mut rounds.counters);
    let Step { inputs, turn_signals, next } = step?;
    read_off(Reading { game, sheet, start, turns, latches }, rounds, inputs, &turn_signals, next)
}

/// The results of all rounds of a step.
struct Step {
    inputs: Inputs,
    /// By pair of a node and a player: the signal that the player has the move there.
    turn_signals: Vec<Signal>,
    /// The turns behind the step, each with its signal.
    next: Vec<(Turn, Signal)>,
}

fn all_rounds(
    rounds: &mut Rounds<'_>,
    turns: &Turns,
    at_turns: &AtTurns,
    latches: &Latches,
    start: &Start,
) -> Result<Step, NoNet> {
    let mut turn_signals = Vec::new();
    for &(node, player) in &turns.players {
        let node = latches.nodes.signal(&rounds.wires, node);
        let player = latches.players.signal(&rounds.wires, player);
        turn_signals.push(rounds.wires.both(node, player));
    }
    let ends = moves::ends(rounds, turns, at_turns, &turn_signals)?;
    let inputs = Inputs::new(start, &ends, rounds);
    let AfterMoves { mut active, moves } = after_moves(&ends, &inputs, rounds);
    rounds.end(moves);
    let player = rounds.sheet.variable(Name::PLAYER).expect("every automaton has it");
    for nodes in &turns.keeper {
        let mut pairs: Vec<Turn> = (active.keys().copied())
            .filter(|(node, name)| nodes.contains(node) && !start.roles.contains_key(name))
            .collect();
        pairs.sort_unstable();
        let (mut starts, mut signals) = (Vec::new(), Vec::new());
        for (node, value) in pairs {
            let all = active.remove(&(node, value)).unwrap_or_default();
            signals.push(rounds.wires.or(&all));
            starts.push(Configuration {
                at: At::Node(node),
                environment: [KnownValue { var: player, value, assigned: false }].into(),
                tags: [].into(),
            });
        }
        let kind = Kind::Moves { tagged: false, inner: &turns.inner, kept: rounds.kept };
        let (kept, starts) = walks(rounds.sheet, rounds.live, &kind, starts, rounds.wires.meter)?;
        let instances = rounds.begin(&signals, MemoryId::NOTHING);
        let mut moves = Vec::new();
        for (end, instance) in rounds.follow(&kept, starts.into_iter().zip(instances))? {
            if let At::End(node, player) = kept.configurations[end as usize].at {
                active.entry((node, player)).or_default().push(instance.signal);
                let Instance { signal, memory, .. } = instance;
                moves.push(TakenMove { signal, walks: vec![(signal, memory)] });
            }
        }
        rounds.end(moves);
    }
    let mut next: Vec<(Turn, Signal)> = Vec::new();
    for (pair, signals) in active {
        next.push((pair, rounds.wires.or(&signals)));
    }
    next.sort_unstable();
    Ok(Step { inputs, turn_signals, next })
}

/// The results of the chosen moves.
struct AfterMoves {
    /// By turn: the signals under which it comes next.
    active: HashMap<Turn, Vec<Signal>>,
    moves: Vec<TakenMove>,
}

/// The results of the chosen moves. A chosen move is legal. So if several walks make it, conditions
/// that all of them have are not tested again. If the walks have the same results, no condition is
/// tested.
fn after_moves(ends: &[End], inputs: &Inputs, rounds: &mut Rounds<'_>) -> AfterMoves {
    let mut by_input: Vec<Vec<&End>> = vec![Vec::new(); inputs.moves.len()];
    ends.iter().for_each(|end| by_input[inputs.numbers[&end.tags]].push(end));
    let mut moves = Vec::new();
    // By turn and remaining conditions: the choices that lead there.
    let mut turns: Vec<((Turn, Signal), Signal)> = Vec::new();
    for (input, ends) in by_input.iter().enumerate() {
        let choice = inputs.choices[input];
        let signals: Vec<Signal> = ends.iter().map(|end| end.instance.signal).collect();
        // A move without tags may be that of a player who waits.
        let waits = inputs.moves[input].1.is_empty();
        let asked = if waits { signals } else { rounds.wires.apart(&signals) };
        let walks = ends.iter().zip(&asked).map(|(end, &asked)| (asked, end.instance.memory));
        let walks: Vec<(Signal, MemoryId)> =
            walks.map(|(asked, memory)| (rounds.wires.both(choice, asked), memory)).collect();
        let signal = if waits {
            let signals: Vec<Signal> = walks.iter().map(|&(signal, _)| signal).collect();
            rounds.wires.or(&signals)
        } else {
            choice
        };
        moves.push(TakenMove { signal, walks });
        let nodes = ends.iter().zip(&asked).map(|(end, &asked)| (end.turn, asked));
        for (turn, ways) in by_content(nodes) {
            let asked = one_of(rounds, &ways, ends.len(), waits);
            turns.push(((turn, asked), choice));
        }
    }
    let mut active: HashMap<Turn, Vec<Signal>> = HashMap::new();
    for ((turn, asked), choices) in by_content(turns) {
        let any = rounds.wires.or(&choices);
        active.entry(turn).or_default().push(rounds.wires.both(asked, any));
    }
    AfterMoves { active, moves }
}

/// The signal that one of some walks was taken. `all` is the number of all walks that make the
/// move.
fn one_of(rounds: &mut Rounds<'_>, ways: &[Signal], all: usize, waits: bool) -> Signal {
    match ways.len() == all && !waits {
        true => Signal::TRUE,
        false => rounds.wires.one_of(ways),
    }
}

/// The parts from which a net is read.
struct Reading<'r> {
    game: &'r AutomatonGame,
    sheet: &'r Sheet,
    start: &'r Start,
    turns: Turns,
    latches: Latches,
}

/// Makes the net from the signals of its outputs.
fn read_off(
    reading: Reading<'_>,
    mut rounds: Rounds<'_>,
    inputs: Inputs,
    turn_signals: &[Signal],
    turn: Vec<(Turn, Signal)>,
) -> Result<Net, NoNet> {
    let Reading { game, start, turns, latches, .. } = &reading;
    let next = next_state(&mut rounds, latches, &turn)?;
    let terminal = latches.nodes.signal(&rounds.wires, Node::END);
    let mut legal: Vec<Signal> = Vec::new();
    for all in &inputs.legal {
        legal.push(rounds.wires.or(all));
    }
    for (&name, &role) in &start.roles {
        let own = turns.players.iter().zip(turn_signals).filter(|((_, player), _)| *player == name);
        let own: Vec<Signal> = own.map(|(_, &signal)| signal).collect();
        let has_move = rounds.wires.or(&own);
        let waits = rounds.wires.both(!terminal, !has_move);
        let noop = inputs.noops[role.index()];
        legal[noop] = rounds.wires.or(&[legal[noop], waits]);
    }
    let goals = goals(&reading, &rounds);
    let fluents = facts(&reading, &rounds);
    rounds.wires.check()?;
    let meter = rounds.wires.meter;
    let mut needed: Vec<Signal> = next.iter().chain(&legal).copied().collect();
    needed.push(terminal);
    let (mut net, of) = rounds.wires.finish(&inputs.choices, &needed);
    for (latch, next) in net.latches.iter_mut().zip(next) {
        latch.next = of(next);
    }
    let mut terms: Vec<Term> = Vec::new();
    let mut numbers: HashMap<Term, u32> = HashMap::new();
    for ((input, (role, tags)), legal) in net.inputs.iter_mut().zip(&inputs.moves).zip(legal) {
        let number = *numbers.entry(game.term(tags)).or_insert_with_key(|term| {
            terms.push(term.clone());
            terms.len() as u32 - 1
        });
        (input.role, input.term, input.legal) = (*role, number, of(legal));
    }
    net.moves = Arc::new(terms);
    net.terminal = of(terminal);
    // Latches have the same numbers in both nets.
    net.goals = goals;
    net.fluents = fluents;
    let groups = latches.slots.iter().map(|(_, group)| group);
    for group in groups.chain([&latches.nodes, &latches.players]) {
        if group.members.len() > 2 {
            let gate = |(latch, _): (u32, usize)| Signal::of(net.latches[latch as usize].gate);
            let signals: Vec<Signal> = group.latches().map(gate).collect();
            net.exclusive.push(signals.clone());
            net.covering.push(signals);
        }
    }
    meter.hold(Memory::Net, net.bytes());
    meter.hold(Memory::Rules, 0);
    meter.hold(Memory::Facts, 0);
    meter.hold(Memory::Scratch, 0);
    meter.check()?;
    Ok(net)
}

/// By latch: the signal of its next value.
fn next_state(
    rounds: &mut Rounds<'_>,
    latches: &Latches,
    turn: &[(Turn, Signal)],
) -> Result<Vec<Signal>, NoNet> {
    let mut next = vec![Signal::FALSE; latches.initial.len()];
    for (latch, place) in latches.nodes.latches() {
        let here =
            |&&((node, _), _): &&(Turn, Signal)| latches.nodes.members[place] == Member::Node(node);
        let signals: Vec<Signal> = turn.iter().filter(here).map(|&(_, signal)| signal).collect();
        next[latch as usize] = rounds.wires.or(&signals);
    }
    for (latch, place) in latches.players.latches() {
        let whose = |&&((_, player), _): &&(Turn, Signal)| {
            latches.players.members[place] == Member::Symbol(player)
        };
        let signals: Vec<Signal> = turn.iter().filter(whose).map(|&(_, signal)| signal).collect();
        next[latch as usize] = rounds.wires.or(&signals);
    }
    for (slot, group) in &latches.slots {
        let held = rounds.state(*slot);
        let held = rounds.contents.held(held);
        for (latch, place) in group.latches() {
            if let Member::Symbol(symbol) = group.members[place] {
                next[latch as usize] = holds(held, symbol);
            }
        }
        rounds.wires.check()?;
    }
    Ok(next)
}

/// The values of `goals`.
fn goals(reading: &Reading<'_>, rounds: &Rounds<'_>) -> Vec<Goal> {
    let Reading { game, sheet, start, latches, .. } = reading;
    let Some(variable) = sheet.variable(Name::GOALS).map(|var| sheet.at(var)) else {
        return Vec::new();
    };
    let mut goals = Vec::new();
    for (&name, &role) in &start.roles {
        let place = variable.keys.first().and_then(|(keys, _)| keys.binary_search(&name).ok());
        let Some(place) = place else { continue };
        for (symbol, signal) in latches.held(&rounds.wires, variable.base + place as Slot, start) {
            goals.push(Goal { role, value: game.constant(symbol), signal });
        }
    }
    goals.sort_by(|one, other| (one.role, &one.value).cmp(&(other.role, &other.value)));
    goals
}

/// All facts of states, as [`AutomatonEngine`] has them. Variables that no move reads are left out.
fn facts(reading: &Reading<'_>, rounds: &Rounds<'_>) -> Vec<FluentBit> {
    let Reading { game, sheet, start, latches, .. } = reading;
    let mut fluents = Vec::new();
    let mut fact = |function, arguments: Vec<Term>, signal| {
        fluents.push(FluentBit { fact: Arc::new(Term::Function(function, arguments)), signal });
    };
    let symbol_of = |name: Name| game.symbol(name).expect("variables have symbols");
    for (place, &member) in latches.nodes.members.iter().enumerate() {
        let signal = latches.nodes.signal_at(&rounds.wires, place);
        if let Member::Node(node) = member
            && let Some(name) = sheet.program.node_name(node)
        {
            fact(game.node(), vec![game.constant(name)], signal);
        }
    }
    for (place, &member) in latches.players.members.iter().enumerate() {
        let signal = latches.players.signal_at(&rounds.wires, place);
        if let Member::Symbol(name) = member {
            fact(symbol_of(Name::PLAYER), vec![game.constant(name)], signal);
        }
    }
    for (slot, group) in &latches.slots {
        let name = sheet.at(sheet.owner(*slot)).name;
        let keys = sheet.keys_of(*slot);
        for (place, &member) in group.members.iter().enumerate() {
            let Member::Symbol(symbol) = member else { continue };
            // A goal is a fact only if it differs from its first value.
            if name == Name::GOALS && start.before_keeper[*slot as usize] == symbol {
                continue;
            }
            let arguments = keys.iter().chain([&symbol]).map(|&name| game.constant(name));
            fact(symbol_of(name), arguments.collect(), group.signal_at(&rounds.wires, place));
        }
    }
    fluents.sort_unstable_by(|one, other| one.fact.cmp(&other.fact));
    fluents
}

/// The moves that are legal in some state.
struct Inputs {
    /// The role and the tags of each move.
    moves: Vec<(RoleId, Rc<[Name]>)>,
    /// By role and tags: the place of the move.
    numbers: HashMap<Rc<[Name]>, usize>,
    /// By move: the signals of the walks that make it.
    legal: Vec<Vec<Signal>>,
    /// By move: the signal of its choice.
    choices: Vec<Signal>,
    /// By role: its move without tags.
    noops: Vec<usize>,
}

impl Inputs {
    fn new(start: &Start, ends: &[End], rounds: &mut Rounds<'_>) -> Inputs {
        let mut all: Vec<Rc<[Name]>> = start.roles.keys().map(|&role| Rc::from([role])).collect();
        all.extend(ends.iter().map(|end| end.tags.clone()));
        all.sort_unstable_by(|one, other| {
            (start.roles[&one[0]], &one[1..]).cmp(&(start.roles[&other[0]], &other[1..]))
        });
        all.dedup();
        let mut inputs = Inputs {
            moves: Vec::new(),
            numbers: HashMap::new(),
            legal: vec![Vec::new(); all.len()],
            choices: all.iter().map(|_| rounds.wires.choice()).collect(),
            noops: vec![0; start.roles.len()],
        };
        for (number, tags) in all.into_iter().enumerate() {
            let role = start.roles[&tags[0]];
            if tags.len() == 1 {
                inputs.noops[role.index()] = number;
            }
            inputs.moves.push((role, tags[1..].into()));
            inputs.numbers.insert(tags, number);
        }
        for end in ends {
            inputs.legal[inputs.numbers[&end.tags]].push(end.instance.signal);
        }
        inputs
    }
}
