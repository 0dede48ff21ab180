//! The bits of a state: the node, the player who has the move, and the values of variables.

use super::at_turns::AtTurns;
use super::kept::Kept;
use super::memory::{Contents, HeldId};
use super::sheet::{Sheet, Slot};
use super::start::Start;
use super::turns::Turns;
use super::wires::Wires;
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::Node;
use hashbrown::HashMap;

/// The meaning of a latch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    Node(Node),
    Symbol(Name),
}

/// Latches for a choice among members. Exactly one of several latches is true. Two members share a
/// single latch, which is true for the first of them.
pub(super) struct Group {
    first: u32,
    pub members: Vec<Member>,
}

impl Group {
    /// The latches, with the places of their members.
    pub fn latches(&self) -> impl Iterator<Item = (u32, usize)> + use<> {
        let count = match self.members.len() {
            0 | 1 => 0,
            2 => 1,
            count => count,
        };
        let first = self.first;
        (0..count).map(move |place| (first + place as u32, place))
    }

    /// The signal of the member at a place.
    pub fn signal_at(&self, wires: &Wires<'_>, place: usize) -> Signal {
        match (self.members.len(), place) {
            (1, 0) => Signal::TRUE,
            (2, 1) => !wires.latch(self.first),
            _ => wires.latch(self.first + place as u32),
        }
    }

    pub fn signal_of(&self, wires: &Wires<'_>, member: Member) -> Signal {
        let place = self.members.iter().position(|&other| other == member);
        place.map_or(Signal::FALSE, |place| self.signal_at(wires, place))
    }

    pub fn signal(&self, wires: &Wires<'_>, member: impl Into<Member>) -> Signal {
        self.signal_of(wires, member.into())
    }
}

impl From<Node> for Member {
    fn from(node: Node) -> Member {
        Member::Node(node)
    }
}

impl From<Name> for Member {
    fn from(name: Name) -> Member {
        Member::Symbol(name)
    }
}

/// All latches.
pub(super) struct Latches {
    pub nodes: Group,
    pub players: Group,
    /// The slots that states store, each with its latches.
    pub slots: Vec<(Slot, Group)>,
    /// By slot: its place in `slots`.
    places: HashMap<Slot, usize>,
    /// By latch: its first value.
    pub initial: Vec<bool>,
    /// By latch: its group, if the group has several latches. Exactly one latch of a group is true.
    pub groups: Vec<Option<u32>>,
}

impl Latches {
    pub fn new(sheet: &Sheet, turns: &Turns, kept: &Kept, start: &Start) -> Latches {
        let mut latches = Latches {
            nodes: Group { first: 0, members: Vec::new() },
            players: Group { first: 0, members: Vec::new() },
            slots: Vec::new(),
            places: HashMap::new(),
            initial: Vec::new(),
            groups: Vec::new(),
        };
        let mut nodes: Vec<Node> = turns.players.iter().map(|&(node, _)| node).collect();
        nodes.extend([Node::END, start.node]);
        nodes.sort_unstable();
        nodes.dedup();
        let nodes = nodes.into_iter().map(Member::Node).collect();
        latches.nodes = latches.group(nodes, Member::Node(start.node));
        let mut players: Vec<Name> = turns.players.iter().map(|&(_, player)| player).collect();
        players.extend(&turns.at_end);
        players.push(start.player);
        players.sort_unstable();
        players.dedup();
        let players = players.into_iter().map(Member::Symbol).collect();
        latches.players = latches.group(players, Member::Symbol(start.player));
        for (var, variable) in sheet.variables.iter().enumerate() {
            if !kept.state[var] {
                continue;
            }
            for slot in variable.base..variable.base + variable.size() {
                let members = variable.values.iter().map(|&value| Member::Symbol(value)).collect();
                let initial = Member::Symbol(start.values[slot as usize]);
                let group = latches.group(members, initial);
                latches.places.insert(slot, latches.slots.len());
                latches.slots.push((slot, group));
            }
        }
        latches
    }

    fn group(&mut self, members: Vec<Member>, initial: Member) -> Group {
        let group = Group { first: self.initial.len() as u32, members };
        let number = self.initial.len() as u32;
        for (_, place) in group.latches() {
            self.initial.push(group.members[place] == initial);
            self.groups.push((group.members.len() > 2).then_some(number));
        }
        group
    }

    /// The content of a slot in a state.
    pub fn held(&self, wires: &Wires<'_>, slot: Slot, start: &Start) -> Vec<(Name, Signal)> {
        match self.places.get(&slot) {
            Some(&place) => {
                let group = &self.slots[place].1;
                let members = group.members.iter().enumerate();
                members
                    .filter_map(|(place, member)| match member {
                        Member::Symbol(symbol) => Some((*symbol, group.signal_at(wires, place))),
                        Member::Node(_) => None,
                    })
                    .collect()
            }
            // The slot is assigned before it is read.
            None => vec![(start.values[slot as usize], Signal::TRUE)],
        }
    }

    /// By slot: its content at a node at which a player has the move.
    pub fn first(
        &self,
        sheet: &Sheet,
        wires: &Wires<'_>,
        contents: &mut Contents,
        (start, at_turns): (&Start, &AtTurns),
    ) -> Vec<HeldId> {
        let first = |slot: Slot| {
            if at_turns.is_mover(sheet.owner(slot)) {
                let members = self.players.members.iter().enumerate();
                let players = members.filter_map(|(place, &member)| match member {
                    Member::Symbol(player) if start.roles.contains_key(&player) => {
                        Some((player, self.players.signal_at(wires, place)))
                    }
                    _ => None,
                });
                return contents.hold(players.collect());
            }
            let mut held = self.held(wires, slot, start);
            held.retain(|&(symbol, _)| at_turns.may_hold(sheet, start, slot, symbol));
            if let [(_, signal)] = &mut held[..] {
                *signal = Signal::TRUE;
            }
            contents.hold(held)
        };
        (0..sheet.slots() as Slot).map(first).collect()
    }
}
