//! Lanes on engines of single states beside those on a net: whatever both say of a game, by name,
//! step by step. Lanes are left out, begin again and are put into states of others, at random.

use crate::rulesheets;
use gdlr::batch::{Batch, BatchLanes};
use gdlr::budget::{Budget, Meter};
use gdlr::bundled;
use gdlr::engine::{
    AnyEngine, Encoded, Ended, Engine, EngineKind, EngineLanes, Lanes, Moment, NumberedEngine,
    Output, REFUSED, Refusal, Roles, SKIP, Vocabulary, seeded,
};
use gdlr::gdl::{Game, Term};
use gdlr::ground::vocabulary;
use gdlr::kif;
use gdlr::net::Net;
use gdlr::propnet::Propnet;
use gdlr::set_up::SetUp;
use gdlr::tree::{Tree, TreeOptions};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

const LANES: usize = 6;
const STEPS: usize = 40;
/// Rulesheets whose nets take more pieces of work are passed over. Work and no time, so that a busy
/// machine compares the same games.
const SET_UP: u64 = 4_000_000;
/// The rest of a game that takes longer is left out, but for so many steps.
const PLAY: Duration = Duration::from_millis(300);
const LEAST_STEPS: usize = 5;

/// All that lanes say, by name.
#[derive(Debug, PartialEq)]
struct Said {
    ended: Vec<u8>,
    mover: Vec<i32>,
    /// By lane and by who acts.
    legal: Vec<Vec<BTreeSet<Term>>>,
    facts: Vec<BTreeSet<Term>>,
    goals: Vec<u8>,
    /// By lane and role.
    percepts: Vec<Vec<BTreeSet<Term>>>,
    ages: Vec<u64>,
}

/// The terms of rows of bytes, which must say the same as rows of bits.
fn named(
    rows: usize,
    per_lane: usize,
    terms: &[Term],
    bytes: &[u8],
    bits: &[u64],
) -> Vec<Vec<BTreeSet<Term>>> {
    let width = per_lane * terms.len();
    let words = width.div_ceil(64);
    let of_lane = |lane: usize| {
        let mut terms_of_lane = vec![BTreeSet::new(); per_lane];
        for place in 0..width {
            let byte = bytes[lane * width + place];
            assert_eq!(bits[lane * words + place / 64] >> (place % 64) & 1, u64::from(byte));
            if byte == 1 {
                terms_of_lane[place / terms.len()].insert(terms[place % terms.len()].clone());
            }
        }
        terms_of_lane
    };
    (0..rows).map(of_lane).collect()
}

fn said(lanes: &mut dyn Lanes) -> Said {
    let (count, roles, acting) = (lanes.len(), lanes.roles(), lanes.acting());
    let Vocabulary { moves: actions, facts, percepts: terms } = lanes.vocabulary().clone();
    let mut ended = vec![7; count];
    lanes.ended(&mut ended);
    let mut mover = vec![7; count];
    lanes.to_move(&mut mover);
    let mut goals = vec![7; count * roles];
    lanes.goals(&mut goals);
    let room = |width: usize| (vec![7; count * width], vec![7; count * width.div_ceil(64)]);
    let (mut legal, mut legal_bits) = room(lanes.width(Output::Legal));
    lanes.write(Output::Legal, Moment::Now, Encoded::Bytes(&mut legal));
    lanes.write(Output::Legal, Moment::Now, Encoded::Bits(&mut legal_bits));
    let (mut observed, mut observed_bits) = room(lanes.width(Output::Observations));
    lanes.write(Output::Observations, Moment::Now, Encoded::Bytes(&mut observed));
    lanes.write(Output::Observations, Moment::Now, Encoded::Bits(&mut observed_bits));
    let mut last = vec![7; observed.len()];
    lanes.write(Output::Observations, Moment::End, Encoded::Bytes(&mut last));
    for (lane, row) in last.chunks(facts.len().max(1)).enumerate().take(count) {
        let expected = match ended[lane] {
            0 => vec![7; row.len()],
            _ => observed[lane * facts.len()..][..facts.len()].to_vec(),
        };
        assert_eq!(row, expected);
    }
    let (mut seen, mut seen_bits) = room(lanes.width(Output::Percepts));
    lanes.write(Output::Percepts, Moment::Now, Encoded::Bytes(&mut seen));
    lanes.write(Output::Percepts, Moment::Now, Encoded::Bits(&mut seen_bits));
    let facts = named(count, 1, &facts, &observed, &observed_bits);
    Said {
        legal: named(count, acting, &actions, &legal, &legal_bits),
        facts: facts.into_iter().flatten().collect(),
        percepts: named(count, roles, &terms, &seen, &seen_bits),
        ages: (0..count).map(|lane| lanes.age(lane)).collect(),
        ended,
        mover,
        goals,
    }
}

/// Lanes on the net, and others.
struct Pair {
    name: String,
    roles: Roles,
    net: BatchLanes,
    propnet: AnyEngine,
    other: EngineLanes,
    random: Xoshiro256PlusPlus,
}

impl Pair {
    /// Compares; returns what the lanes of the net say, and the others where nobody has a choice
    /// and it may be somebody else's turn.
    fn compare(&mut self) -> (Said, Said) {
        let (net, other) = (said(&mut self.net), said(&mut self.other));
        let at = &self.name;
        assert_eq!(net.ended, other.ended, "{at}");
        assert_eq!(net.facts, other.facts, "{at}");
        assert_eq!(net.ages, other.ages, "{at}");
        if self.roles.random().is_none() {
            assert_eq!(net.percepts, other.percepts, "{at}");
        }
        let count = self.roles.count();
        for lane in 0..LANES {
            for role in self.roles.iter().filter(|&role| self.roles.random() != Some(role)) {
                let place = lane * count + role.index();
                assert_eq!(net.goals[place], other.goals[place], "{at}");
            }
            if net.mover[lane] != other.mover[lane] {
                let forced = |said: &Said| said.legal[lane].iter().all(|row| row.len() <= 1);
                assert!(forced(&net) && forced(&other), "{at}, lane {lane}: {net:?} {other:?}");
                continue;
            }
            assert_eq!(net.legal[lane], other.legal[lane], "{at}, lane {lane}");
        }
        (net, other)
    }

    /// Plays the same in both.
    fn step(&mut self, ended: Ended, (net, other): &(Said, Said)) {
        let number = |lanes: &dyn Lanes, term: &Term| {
            lanes.vocabulary().moves.iter().position(|of| of == term).expect("an action") as i32
        };
        let (mut of_net, mut of_other) = (Vec::new(), Vec::new());
        for lane in 0..LANES {
            let skips = self.random.random_range(0..8) == 0;
            for row in 0..net.legal[lane].len() {
                let draw = self.random.random::<u32>() as usize;
                let pick = |legal: &BTreeSet<Term>| {
                    let at = draw.checked_rem(legal.len())?;
                    legal.iter().nth(at).cloned()
                };
                let chosen = |lanes: &dyn Lanes, said: &Said| match pick(&said.legal[lane][row]) {
                    _ if skips => SKIP,
                    Some(term) => number(lanes, &term),
                    None => 0,
                };
                of_net.push(chosen(&self.net, net));
                of_other.push(chosen(&self.other, other));
            }
        }
        let played = self.net.step(&of_net, ended, Refusal::Fail).map_err(<[_]>::to_vec);
        assert!(played.is_ok(), "{}: {played:?}", self.name);
        let played = self.other.step(&of_other, ended, Refusal::Fail).map_err(<[_]>::to_vec);
        assert!(played.is_ok(), "{}: {played:?}", self.name);
        if self.roles.random().is_some() {
            // Each draws for itself.
            (0..LANES).for_each(|lane| self.follow(lane));
        }
    }

    /// Puts a lane of the others into the state of the lane of the net.
    fn follow(&mut self, lane: usize) {
        let facts = self.propnet.facts(&self.net.state(lane));
        let engine = self.other.engine().engine().clone();
        let mut scratch = engine.scratch();
        engine.enter_facts(&mut scratch, &facts).expect("a state of the game");
        self.other.enter(&[(lane, &engine.state(&scratch))]).expect("a state of the game");
        let state = self.net.state(lane);
        self.net.enter(&[(lane, &state)]).expect("a state of the game");
    }

    fn mix(&mut self) {
        let [reset, from, to] = std::array::from_fn(|_| self.random.random_range(0..LANES));
        for lanes in [&mut self.net as &mut dyn Lanes, &mut self.other] {
            lanes.reset(&[reset]);
            let state = lanes.state(from);
            lanes.enter(&[(to, &state)]).expect("a state of the game");
        }
    }

    /// Actions that are not there end their lanes.
    fn refuse(&mut self) {
        let before = said(&mut self.other);
        let chooses = |lane: &usize| before.legal[*lane].iter().any(|row| row.len() > 1);
        let actions = vec![i32::MAX; LANES * self.net.acting()];
        let wrong = [&mut self.net as &mut dyn Lanes, &mut self.other].map(|lanes| {
            let illegal = lanes.step(&actions, Ended::Stay, Refusal::End).err().unwrap_or(&[]);
            let wrong: BTreeSet<usize> = illegal.iter().map(|of| of.lane).collect();
            let mut ended = vec![7; LANES];
            lanes.ended(&mut ended);
            assert!(wrong.iter().all(|&lane| ended[lane] == REFUSED));
            wrong
        });
        // Where nobody has a choice, nobody may be asked.
        let mut chosen = wrong[1].iter().filter(|lane| chooses(lane));
        assert!(chosen.all(|lane| wrong[0].contains(lane)), "{}: {wrong:?}", self.name);
    }
}

/// Why there is nothing to compare.
enum Passed {
    TooLarge,
    /// The net does not find whose turn it is.
    OtherTurns,
}

/// Compares the lanes of a game on the engines of single states with those on its net.
fn compare(name: &str, game: Game) -> Result<usize, Passed> {
    let game = Arc::new(game);
    let meter = Meter::unlimited().within_work(SET_UP);
    let net = Net::within(game.clone(), &meter).map_err(|_| Passed::TooLarge)?;
    let batch = Batch::within(game.clone(), net.clone(), &meter).map_err(|_| Passed::TooLarge)?;
    let lanes = BatchLanes::new(Arc::new(batch), LANES, 1, &meter);
    let lanes = lanes.map_err(|_| Passed::TooLarge)?;
    let propnet = Propnet::within(game.clone(), net, &meter).map_err(|_| Passed::TooLarge)?;
    let propnet = AnyEngine::new(propnet);
    let budget = Budget::UNLIMITED;
    let ready = SetUp { kind: EngineKind::Tree, budget, ..SetUp::default() }.make(game.clone());
    let tree = ready.map_err(|_| Passed::TooLarge)?.engine;
    let of_rules = vocabulary(game, 1 << 16, &meter).map_err(|_| Passed::TooLarge)?;
    let of_net = lanes.vocabulary().clone();
    let has_all = |all: &[Term], some: &[Term]| {
        let all: BTreeSet<&Term> = all.iter().collect();
        some.iter().all(|term| all.contains(term))
    };
    assert!(has_all(&of_rules.moves, &of_net.moves), "moves of {name}");
    assert!(has_all(&of_rules.facts, &of_net.facts), "facts of {name}");
    assert!(has_all(&of_rules.percepts, &of_net.percepts), "percepts of {name}");
    let mut steps = 0;
    for (engine, words) in [(tree, of_rules), (propnet.clone(), of_net)] {
        let numbered = Arc::new(NumberedEngine::new(engine, words));
        if numbered.is_simultaneous() != lanes.is_simultaneous() {
            return Err(Passed::OtherTurns);
        }
        let mut pair = Pair {
            name: name.to_owned(),
            roles: propnet.roles().clone(),
            net: lanes.clone(),
            propnet: propnet.clone(),
            other: EngineLanes::new(numbered, LANES, 1),
            random: seeded(5, 0),
        };
        let begin = Instant::now();
        for step in 0..STEPS {
            let said = pair.compare();
            let ended = if step % 5 == 4 { Ended::Stay } else { Ended::Restart };
            pair.step(ended, &said);
            if step % 4 == 3 {
                pair.mix();
            }
            if step == 20 {
                pair.net.cut_after(Some(9));
                pair.other.cut_after(Some(9));
            }
            steps += 1;
            if step + 1 >= LEAST_STEPS && begin.elapsed() > PLAY {
                break;
            }
        }
        pair.compare();
        pair.refuse();
    }
    Ok(steps)
}

#[test]
fn lanes_on_trees_are_those_on_nets() {
    let mut compared = 0;
    for game in bundled::GAMES {
        let rules = Game::from_kif(game.name, game.text).expect("a rulesheet");
        compared += usize::from(compare(game.name, rules).is_ok());
    }
    assert!(2 * compared > bundled::GAMES.len(), "{compared} games were compared");
}

#[test]
fn lanes_on_trees_of_public_games() {
    let Some(corpus) = rulesheets::corpus() else { return };
    let [mut compared, mut too_large, mut other_turns] = [0, 0, 0];
    for (path, at) in rulesheets::files(&corpus, "kif").iter().zip(0..) {
        // A third of them, for the sake of time.
        if at % 3 != 0 {
            continue;
        }
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let bytes = std::fs::read(path).expect("a readable rulesheet");
        let Ok(document) = kif::read_bytes(&bytes) else { continue };
        let Ok(game) = Game::from_document(&name, document, Default::default()) else { continue };
        match compare(&name, game) {
            Ok(_) => compared += 1,
            Err(Passed::TooLarge) => too_large += 1,
            Err(Passed::OtherTurns) => other_turns += 1,
        }
    }
    eprintln!("{compared} compared, {too_large} too large, {other_turns} with other turns");
    assert!(compared > 20 && other_turns < compared, "{compared}, {other_turns}");
}

/// Random steps end games, and the same seed gives the same.
#[test]
fn random_steps_repeat() {
    let game = Arc::new(
        Game::from_kif("pig", bundled::find("pig").expect("it is there").text)
            .expect("a rulesheet"),
    );
    let words = vocabulary(game.clone(), 1 << 16, &Meter::unlimited()).expect("few");
    let engine = AnyEngine::new(Tree::new(game, &TreeOptions::default()).expect("a game"));
    let numbered = Arc::new(NumberedEngine::new(engine, words));
    let [mut one, mut two] = [1, 2].map(|seed| EngineLanes::new(numbered.clone(), LANES, seed));
    two.seed(1);
    let mut over = 0;
    for _ in 0..300 {
        one.step_at_random(Ended::Restart);
        two.step_at_random(Ended::Restart);
        let (of_one, of_two) = (said(&mut one), said(&mut two));
        assert_eq!(of_one, of_two);
        over += of_one.ended.iter().filter(|&&end| end != 0).count();
    }
    assert!(over > 0, "games end");
}
