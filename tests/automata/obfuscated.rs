//! Games as automata of Regular Games: what a player sees of a play there (its obfuscated play)
//! is what it knows by the rules. By enumeration: two plays look the same to a role in the
//! automaton exactly when its own moves and its percepts are the same on the trees, or all
//! moves are, in a game without rules for `sees`.

use crate::programs::{Program, programs};
use gdlr::budget::Meter;
use gdlr::engine::{Engine, MoveId, RoleId, choose};
use gdlr::export::{Export, RoleTurn, each_from_rules, from_net};
use gdlr::gdl::{Game, Term};
use gdlr::ground::{Budget, Ground};
use gdlr::net::Net;
use gdlr::play::seeded;
use gdlr::rg::{self, Automaton, Moves, Name, ObfuscatedMove, PlayerId, Search, State, Turn};
use gdlr::tree::{Tree, TreeOptions};
use hashbrown::HashMap;
use proptest::prelude::*;
use std::sync::Arc;

const MONTY_HALL: &str = include_str!("../../kif/monty_hall.kif");
const KUHN_POKER: &str = include_str!("../../kif/kuhn_poker.kif");
const KRIEG: &str = include_str!("../../kif/krieg_tictactoe.kif");
const WHIST: &str = include_str!("../../kif/hidden_whist.kif");
const PIG: &str = include_str!("../../kif/pig.kif");
const DICE_RACE: &str = include_str!("../../kif/dice_race.kif");

/// A game on the trees, and as an automaton that has been written and read.
struct Both {
    tree: Tree,
    export: Export,
    automaton: Automaton,
    turns: Vec<(Name, Vec<RoleTurn>)>,
}

/// A play so far.
#[derive(Clone)]
struct Play {
    on_trees: <Tree as Engine>::State,
    in_automaton: State,
    /// By role: the number of what it knows by the rules.
    known: Vec<usize>,
    /// By role: its obfuscated play.
    seen: Vec<Vec<Name>>,
}

/// The plays as a role sees them, on both sides.
#[derive(Default)]
struct Looks {
    /// By what was known before, the own move and what was told: a number.
    known: HashMap<(usize, Term, Vec<Term>), usize>,
    seen_of: HashMap<usize, Vec<Name>>,
    known_of: HashMap<Vec<Name>, usize>,
}

impl Both {
    /// The automaton from the net.
    fn new(text: &str, joint: bool) -> Both {
        let game = Arc::new(Game::from_kif("test", text).expect("a rulesheet"));
        let net = Net::of_game(game.clone(), &Budget::default()).expect("a game that grounds");
        let export = from_net(&net, &game, joint);
        Both::of_export(game, export)
    }

    /// The automaton from the net, and each one from the rules, if they can be written.
    fn each(text: &str, joint: bool) -> Vec<Both> {
        let game = Arc::new(Game::from_kif("test", text).expect("a rulesheet"));
        let ground = Ground::new(game.clone(), &Budget::default()).expect("a game that grounds");
        let net = Net::of_game(game.clone(), &Budget::default()).expect("a game that grounds");
        let of_rules = each_from_rules(&game, &ground, &net, joint, &Meter::unlimited());
        let mut exports = of_rules.expect("there is no limit");
        exports.push(from_net(&net, &game, joint));
        exports.into_iter().map(|export| Both::of_export(game.clone(), export)).collect()
    }

    fn of_export(game: Arc<Game>, export: Export) -> Both {
        let automaton = Automaton::new(&export.description).expect("a playable automaton");
        let turns = export.turns.clone();
        let tree = Tree::new(game, &TreeOptions::default()).expect("trees");
        Both { tree, export, automaton, turns }
    }

    /// The roles that see anything, with the players that they are.
    fn players(&self) -> Vec<(RoleId, PlayerId)> {
        let roles = self.tree.roles();
        let seeing = roles.iter().filter(|&role| roles.random() != Some(role));
        let player = |role: RoleId| {
            let mut players = self.automaton.players();
            let name = |player| self.automaton.player_name(player);
            players.find(|&player| name(player) == self.export.roles[role.index()])
        };
        seeing.map(|role| (role, player(role).expect("a player for each role"))).collect()
    }

    fn first(&self) -> Play {
        let mut in_automaton = self.automaton.initial().clone();
        let watch = |_: &State, _: &Moves, _: usize| {};
        self.automaton
            .keep_watched(&mut Search::default(), &mut in_automaton, watch)
            .expect("a proper keeper");
        let roles = self.tree.roles().count();
        let on_trees = self.tree.initial().clone();
        Play { on_trees, in_automaton, known: vec![0; roles], seen: vec![Vec::new(); roles] }
    }

    /// The legal moves of all roles, unless the play is over; it must be so on both sides.
    fn legal(&self, play: &Play) -> Option<Vec<Vec<MoveId>>> {
        let mut scratch = self.tree.scratch();
        self.tree.enter(&mut scratch, &play.on_trees);
        let terminal = self.tree.terminal(&mut scratch).expect("little work");
        assert_eq!(terminal, self.automaton.turn(&play.in_automaton) == Turn::End);
        let of_role = |role| {
            let mut moves = Vec::new();
            self.tree.legal(&mut scratch, role, &mut moves).expect("little work");
            moves
        };
        (!terminal).then(|| self.tree.roles().iter().map(of_role).collect())
    }

    /// How roles move in the turn that begins in a state. One node may be that of several turns.
    fn parts(&self, state: &State) -> &[RoleTurn] {
        let (node, turn) = (self.automaton.node(state), self.automaton.turn(state));
        let chooses = |parts: &[RoleTurn]| {
            let first = parts.iter().position(|part| *part == RoleTurn::Ply(node));
            let name = first.map(|role| self.export.roles[role]);
            match turn {
                Turn::Player(player) => name == Some(self.automaton.player_name(player)),
                _ => name == Some(Name::RANDOM),
            }
        };
        let turn = self.turns.iter().find(|(own, parts)| *own == node && chooses(parts));
        &turn.expect("a turn that begins here").1
    }

    /// Plays a joint move on both sides, and writes down what roles are told.
    fn step(&self, play: &Play, joint: &[MoveId], looks: &mut [Looks]) -> Play {
        let (mut next, mut scratch) = (play.clone(), self.tree.scratch());
        self.tree.enter(&mut scratch, &play.on_trees);
        let terms: Vec<Term> = joint.iter().map(|&id| self.tree.move_term(id).1).collect();
        let percepts = self.tree.percepts(&mut scratch, joint).expect("legal moves");
        for (role, _) in self.players() {
            let place = role.index();
            let told = match self.tree.has_percepts() {
                false => terms.clone(),
                true => percepts[place].clone(),
            };
            let information_states = &mut looks[place].known;
            let fresh = information_states.len() + 1;
            let key = (play.known[place], terms[place].clone(), told);
            next.known[place] = *information_states.entry(key).or_insert(fresh);
        }
        self.tree.step(&mut scratch, joint).expect("legal moves");
        next.on_trees = self.tree.state(&scratch);

        let Play { in_automaton, seen, .. } = &mut next;
        let mut watch = |state: &State, moves: &Moves, index: usize| {
            for (role, player) in self.players() {
                let ObfuscatedMove { tags, .. } =
                    self.automaton.obfuscated(state, moves, index, player);
                seen[role.index()].extend(tags);
            }
        };
        let (mut search, mut moves) = (Search::default(), Moves::default());
        let parts = self.parts(in_automaton);
        for (role, part) in parts.iter().enumerate() {
            match part {
                RoleTurn::Implied(term) => assert_eq!(*term, terms[role]),
                RoleTurn::Ply(_) => {
                    self.automaton.moves(&mut search, in_automaton, &mut moves).expect("moves");
                    let is_it = |(_, term): &&(Vec<Name>, Term)| *term == terms[role];
                    let (tags, _) = self.export.moves.iter().find(is_it).expect("a tag");
                    let mut places = 0..moves.len();
                    let place = places.find(|&place| moves.tags(place) == &tags[..]);
                    let place = place.expect("a legal move has a way");
                    watch(in_automaton, &moves, place);
                    moves.play(place, in_automaton);
                }
            }
        }
        self.automaton.keep_watched(&mut search, in_automaton, watch).expect("a proper keeper");
        next
    }

    /// Plays look the same on both sides or on none.
    fn compare(&self, play: &Play, looks: &mut [Looks]) {
        for (role, _) in self.players() {
            let (known, seen) = (play.known[role.index()], &play.seen[role.index()]);
            let Looks { seen_of, known_of, .. } = &mut looks[role.index()];
            let words = |seen: &[Name]| -> Vec<&str> {
                seen.iter().map(|&tag| self.automaton.text(tag)).collect()
            };
            let before = seen_of.entry(known).or_insert_with(|| seen.clone());
            assert_eq!(words(before), words(seen), "the same by the rules, but not as tags");
            let before = *known_of.entry(seen.clone()).or_insert(known);
            assert_eq!(before, known, "not the same by the rules, but as tags: {:?}", words(seen));
        }
    }

    fn looks(&self) -> Vec<Looks> {
        self.tree.roles().iter().map(|_| Looks::default()).collect()
    }

    /// Compares all plays up to so many joint moves, or so many of them. Returns how many there
    /// are, and how many ways they look to each role.
    fn all(&self, depth: usize, most: usize) -> (usize, Vec<usize>) {
        let (mut looks, mut plays) = (self.looks(), vec![(self.first(), 0)]);
        let mut count = 0;
        while let Some((play, length)) = plays.pop().filter(|_| count < most) {
            count += 1;
            self.compare(&play, &mut looks);
            let Some(legal) = self.legal(&play).filter(|_| length < depth) else { continue };
            // Programs may have any number of joint moves, or none where a role is stuck.
            if legal.iter().map(Vec::len).product::<usize>() > most {
                continue;
            }
            let mut joints: Vec<Vec<MoveId>> = vec![Vec::new()];
            for moves in &legal {
                let longer = joints
                    .iter()
                    .flat_map(|joint| moves.iter().map(move |&id| [&joint[..], &[id]].concat()));
                joints = longer.collect();
            }
            for joint in joints {
                plays.push((self.step(&play, &joint, &mut looks), length + 1));
            }
        }
        (count, looks.iter().map(|looks| looks.known_of.len()).collect())
    }

    /// Compares random plays.
    fn some(&self, count: usize) {
        let (mut looks, mut rng) = (self.looks(), seeded(1, 0));
        for _ in 0..count {
            let mut play = self.first();
            while let Some(legal) = self.legal(&play) {
                let joint: Option<Vec<MoveId>> =
                    legal.iter().map(|moves| choose(moves, &mut rng)).collect();
                play = self.step(&play, &joint.expect("moves for all"), &mut looks);
                self.compare(&play, &mut looks);
            }
        }
    }
}

/// All plays up to a depth, with and without a ply for every role.
fn all(text: &str, depth: usize) -> (usize, Vec<usize>) {
    let both = [false, true].map(|joint| Both::each(text, joint));
    assert!(both.iter().all(|each| each.len() > 1), "written from the rules");
    let both = both.iter().flatten();
    let counts: Vec<(usize, Vec<usize>)> = both.map(|both| both.all(depth, usize::MAX)).collect();
    assert!(counts.iter().all(|other| *other == counts[0]), "{counts:?}");
    counts[0].clone()
}

#[test]
fn monty_hall() {
    // One beginning, three doors to hide the car, three to pick, one or two to open, two
    // decisions; the candidate can tell 1, 1, 3, 6 and 24 of them apart.
    assert_eq!(all(MONTY_HALL, 9), (1 + 3 + 9 + 12 + 24, vec![1 + 1 + 3 + 6 + 24, 0]));
}

#[test]
fn kuhn_poker() {
    let (plays, looks) = all(KUHN_POKER, 9);
    assert_eq!(plays, 1 + 6 * (1 + 2 + 4 + 2));
    assert!(looks[0] < plays && looks[1] < plays && looks[0] > 12 && looks[1] > 12, "{looks:?}");
}

/// Who is refused tries again, and the other one can tell by its own waiting how often.
#[test]
fn krieg_tictactoe() {
    let (plays, looks) = all(KRIEG, 4);
    assert!(plays > 3_000 && looks[0] > 20 && looks[1] > 20, "{plays} {looks:?}");
    Both::each(KRIEG, false).iter().for_each(|both| both.some(100));
}

#[test]
fn hidden_whist() {
    let (plays, looks) = all(WHIST, 3);
    assert!(
        plays > 1_000 && looks[..2].iter().all(|&looks| looks < plays / 2),
        "{plays} {looks:?}"
    );
    Both::each(WHIST, false).iter().for_each(|both| both.some(60));
}

/// Where there are no rules for `sees` all is seen.
#[test]
fn without_percepts_all_is_seen() {
    for (text, depth) in [(PIG, 7), (DICE_RACE, 4)] {
        let (plays, looks) = all(text, depth);
        assert!(plays > 50, "{plays}");
        assert!(looks[..2].iter().all(|&looks| looks == plays), "{plays} {looks:?}");
    }
}

/// Percepts of moves at the same time; one that is called like a move; several at once; one that
/// is always seen, and one that never is; a chain that recursion goes along; steps in which
/// nobody sees anything.
#[test]
fn traps() {
    let coins = "
        (role a) (role b) (role random) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
        (side heads) (side tails) (player a) (player b)
        (<= (legal ?p (show ?s)) (true (step ?n)) (distinct ?n 3) (player ?p) (side ?s))
        (<= (legal ?p wait) (true (step 3)) (player ?p))
        (<= (legal b leave) (true (step 3)))
        (<= (legal random (toss ?s)) (true (step 2)) (side ?s))
        (<= (legal random wait) (true (step ?n)) (distinct ?n 2))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= (next (up ?p ?s)) (does ?p (show ?s)))
        (<= (next (up random ?s)) (does random (toss ?s)))
        (<= terminal (true (step 4)))
        (<= (goal ?p 50) (player ?p))";
    let sees = [
        "(<= (sees a same) (does a (show ?s)) (does b (show ?s)))",
        "(<= (sees a wait) (true (up b heads))) (<= (sees b (show heads)) (does a (show heads)))",
        "(<= (sees ?p ?s) (player ?p) (does random (toss ?s)))
         (<= (sees ?p always) (player ?p)) (<= (sees ?p never) (player ?p) (true (step 9)))
         (<= (sees random ?s) (does a (show ?s)))",
        "(<= (sees a three) (does a (show ?s)) (does b (show ?s)) (does random (toss ?s)))
         (<= (sees b (left ?q)) (does b leave) (true (up ?q tails)))",
        "(<= (sees a nothing) (true (step 9)))",
        "(<= (linked a b) (does a (show heads))) (<= (linked b random) (does b (show heads)))
         (<= (linked random c) (does random (toss heads))) (<= (linked c a) (true (up a tails)))
         (<= (reach ?x ?y) (linked ?x ?y))
         (<= (reach ?x ?z) (reach ?x ?y) (linked ?y ?z)) (<= (sees b (from a ?x)) (reach a ?x))
         (<= (sees a (from ?x)) (reach ?x ?x))",
    ];
    for rules in sees {
        let (plays, looks) = all(&format!("{coins} {rules}"), 9);
        assert!(plays > 50 && looks[0] > 7 && looks[1] > 7 && looks[2] == 0, "{rules}: {looks:?}");
        assert!(looks[0] < plays && looks[1] < plays, "{rules}: {looks:?}");
    }
}

/// The role and the percept stand side by side in facts, too, where they are one column.
#[test]
fn percepts_that_stand_beside_their_role_in_facts() {
    let text = "
        (role a) (role b) (init (at a 1)) (init (at c 2)) (init (step 1)) (succ 1 2) (succ 2 3)
        (who a) (who b) (who c) (place 1) (place 2)
        (<= (legal a (put ?x ?y)) (who ?x) (place ?y)) (legal b wait)
        (<= (next (at ?x ?y)) (does a (put ?x ?y)))
        (<= (next (at ?x ?y)) (true (at ?x ?y)) (true (step 1)))
        (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
        (<= terminal (true (step 3))) (goal a 50) (goal b 50)
        (<= (sees ?x ?y) (true (at ?x ?y)))";
    // The piece that a puts is its own move; b sees the second time only the piece put on b before.
    assert_eq!(all(text, 9), (1 + 6 + 36, vec![1 + 6 + 36, 1 + 1 + 3]));
}

/// A role that cannot tell which turn it is in still knows its own moves, also one that it has no
/// choice about.
#[test]
fn own_moves_are_known_without_a_choice() {
    let text = "
        (role a) (role random) (init (step 1))
        (<= (legal a wait) (true (step 1)))
        (<= (legal random left) (true (step 1))) (<= (legal random right) (true (step 1)))
        (<= (legal a walk) (true (step l))) (<= (legal a run) (true (step r)))
        (<= (legal random noop) (true (step l))) (<= (legal random noop) (true (step r)))
        (<= (next (step l)) (does random left)) (<= (next (step r)) (does random right))
        (<= (next (step over)) (does random noop)) (<= terminal (true (step over)))
        (goal a 100) (<= (sees a nothing) (true (step never)))";
    // The beginning, the first step, and two ways to move on.
    assert_eq!(all(text, 9), (1 + 2 + 2, vec![1 + 1 + 2, 0]));
}

/// The rules of Monty Hall for a candidate with one way to decide, written and read again.
fn candidate_who_does_not(decide: &str) -> Automaton {
    let rule = format!("(<= (legal candidate {decide})\n    (true (stage deciding)))\n");
    assert_eq!(MONTY_HALL.matches(&rule).count(), 1);
    let both = Both::new(&MONTY_HALL.replace(&rule, ""), false);
    let text = rg::print(&both.export.description).expect("printable names");
    assert!(rg::validate(&both.export.description).is_empty(), "no error and no warning");
    Automaton::new(&rg::read(&text).expect("readable")).expect("playable")
}

/// RG's player `random` takes each of its moves with the same chance.
#[test]
fn switching_wins_two_times_out_of_three() {
    const PLAYS: u32 = 50_000;
    for (other, expected) in [("stay", 2.0 / 3.0), ("switch", 1.0 / 3.0)] {
        let automaton = candidate_who_does_not(other);
        let (mut search, mut moves) = (Search::default(), Moves::default());
        let (mut rng, mut won) = (seeded(1, 0), 0);
        for _ in 0..PLAYS {
            let mut state = automaton.initial().clone();
            let played =
                automaton.playout((&mut search, &mut moves), &mut state, &mut rng, u64::MAX);
            played.expect("a proper game");
            won += u32::from(automaton.score(&state, PlayerId(0)) == Some(100));
        }
        let share = f64::from(won) / f64::from(PLAYS);
        let error = (2.0 / 9.0 / f64::from(PLAYS)).sqrt();
        assert!((share - expected).abs() < 5.0 * error, "no {other}: {share}");
    }
}

/// The automata of games with chance and percepts are proper.
#[test]
fn games_with_percepts_are_proper() {
    for (text, states) in [(MONTY_HALL, 98), (KUHN_POKER, 128)] {
        for joint in [false, true] {
            let both = Both::new(text, joint);
            assert!(rg::validate(&both.export.description).is_empty(), "no error and no warning");
            let explored = rg::explore(&both.automaton, &mut Search::default(), 100_000, |_| {});
            assert_eq!((explored.violation, explored.complete), (None, true));
            assert!(joint || explored.states == states, "{}", explored.states);
        }
    }
}

/// A percept is a tag and its argument; the program shows the same as the automaton.
#[test]
fn percepts_of_one_name_share_a_tag() {
    let [both, ..] = &Both::each(MONTY_HALL, false)[..] else { panic!("an automaton") };
    let text = |name: &Name| both.automaton.text(*name).to_owned();
    let words = |tags: &Vec<Name>| tags.iter().map(text).collect::<Vec<String>>().join(" ");
    let mut percepts: Vec<String> =
        both.export.percepts.iter().map(|(tags, _)| words(tags)).collect();
    percepts.sort_unstable();
    let expected = ["goat 1", "goat 2", "goat 3", "prize 1", "prize 2", "prize 3"];
    assert_eq!(percepts, expected.map(|percept| format!("sees_{percept}")));
    let program = both.export.hrg().expect("a program");
    for line in ["visible[candidate] = 1", "$ sees_goat", "visible[candidate] = 0"] {
        assert!(program.contains(line), "{line}\n{program}");
    }
}

/// Chance is a member of `Player` only where the rules give it a goal, or there is nobody else.
#[test]
fn chance_is_a_player_if_it_has_a_goal() {
    let members = |text: &str| {
        let both = Both::new(text, false);
        let players = both.automaton.players();
        let names = players.map(|player| both.automaton.player_name(player));
        names.map(|name| both.automaton.text(name).to_owned()).collect::<Vec<String>>()
    };
    assert_eq!(members(MONTY_HALL), ["candidate"]);
    let with_goal = MONTY_HALL.replace("(role random)", "(role Random)(goal RANDOM 7)");
    assert_eq!(members(&with_goal), ["candidate", "random"]);
    let alone = "(role random) (init (on)) (legal random (press 1)) (legal random (press 2))
        (<= terminal (not (true (on))))";
    assert_eq!(members(alone), ["random"]);
}

proptest! {
    /// Random rulesheets; those without percepts have nothing to compare here.
    #[test]
    fn of_random_rulesheets_players_see_what_they_perceive(program in programs()) {
        let text = Program::to_string(&program);
        let game = Game::from_kif("test", &text).expect("a rulesheet");
        prop_assume!(game.has_percepts());
        let both = [false, true].into_iter().flat_map(|joint| Both::each(&text, joint));
        let counts: Vec<(usize, Vec<usize>)> = both.map(|both| both.all(3, 200)).collect();
        prop_assert!(counts.iter().all(|other| *other == counts[0]), "{:?}\n{}", counts, text);
    }
}
