//! The edges of actions.

use super::numbers::Number;
use super::{Counter, Emitter, Leads, Mode, Translated, access, named};
use crate::rbg::ast::{Arithmetic, Comparison, Operator, PieceId, VariableId};
use crate::rbg::program::{Act, Edge};
use crate::rbg::relation::{Bits, Kind, RelationId};
use crate::rg::{Base, Expr, Label, Name, Place, SimpleType};

/// The greatest number of edges that test pieces. A test with more uses a map.
const MOST_EDGES: usize = 3;

impl Emitter<'_> {
    /// Adds the edges of an action between two nodes. There are none if it is never valid.
    pub(super) fn act(&mut self, edge: &Edge, from: Name, to: Name) -> Translated<()> {
        match &edge.act {
            // A switch is no action by itself: the turns are added elsewhere.
            Act::Skip | Act::Switch(_) => self.edge(from, to, Label::Skip),
            Act::Move(id) => self.moves(*id, from, to, self.leads(edge, to)),
            Act::Remember => self.assign_square(self.origin, Some(self.here), from, to),
            Act::Return => self.assign_square(Some(self.here), self.origin, from, to),
            Act::Count(piece) => self.count(*piece, from, to),
            Act::On(pieces) => self.on(pieces, from, to),
            Act::Off(piece) => self.off(*piece, from, to),
            Act::Assign(variable, value) => self.assign(*variable, value, from, to),
            Act::Compare(left, comparison, right) => {
                self.compare((left, *comparison, right), from, to)
            }
            Act::Pattern { negated, pattern } => {
                let pattern = self.program.patterns[*pattern];
                let start = self.node(pattern.start, Mode::Pattern);
                let end = self.node(pattern.end, Mode::Pattern);
                let (start, end) = (start.into(), end.into());
                self.edge(from, to, Label::Reach { from: start, to: end, negated: *negated })
            }
        }
    }

    fn assign_square(
        &mut self,
        target: Option<Name>,
        value: Option<Name>,
        from: Name,
        to: Name,
    ) -> Translated<()> {
        // A square is remembered only if the variable for it is declared.
        let Some((target, value)) = target.zip(value) else { return Ok(()) };
        self.edge(from, to, Label::Assign { target: named(target), value: named(value) })
    }

    fn here(&self) -> Expr {
        named(self.here)
    }

    fn piece_here(&self) -> Expr {
        access(self.board, vec![self.here()])
    }

    pub(super) fn compare_names(&mut self, left: Expr, name: Name, equal: bool) -> Label {
        Label::Compare { left, right: named(name), equal }
    }

    /// Whether a step over an edge may lead to `nowhere`, since a test of the piece follows.
    pub(super) fn may_lead_nowhere(&self, edge: &Edge) -> bool {
        let Act::Move(id) = edge.act else { return false };
        let relation = &self.program.relations[id.0 as usize];
        matches!(relation.kind(), Kind::Function | Kind::Other)
            && self.leads(edge, self.nowhere) == Leads::Nowhere
    }

    /// The treatment of a step over an edge from a square without a target.
    pub(super) fn leads(&self, edge: &Edge, to: Name) -> Leads {
        let Act::Move(id) = edge.act else { return Leads::Not };
        let relation = &self.program.relations[id.0 as usize];
        let places = &self.analysis.places[edge.from as usize];
        let is_function = matches!(relation.kind(), Kind::Function);
        if is_function && places.is_subset(&relation.domain()) {
            return Leads::Always;
        }
        match self.asks_piece[edge.to as usize] && to != self.found {
            true => Leads::Nowhere,
            false => Leads::Not,
        }
    }

    fn moves(&mut self, id: RelationId, from: Name, to: Name, leads: Leads) -> Translated<()> {
        let relation = self.program.relations[id.0 as usize].clone();
        match relation.kind() {
            Kind::Identity => self.edge(from, to, Label::Skip),
            Kind::Test(squares) => self.on_squares(&squares, from, to),
            Kind::Constant(domain, targets) => {
                let from = self.in_domain(&domain, from)?;
                if let (1, Some(only)) = (targets.len(), targets.iter().next()) {
                    let (target, value) = (self.here(), named(self.squares[only]));
                    return self.edge(from, to, Label::Assign { target, value });
                }
                let type_ = self.type_of(&targets);
                let values = SimpleType::Named(type_.into()).into();
                let target = self.here();
                self.edge(from, to, Label::AssignAny { target, values })
            }
            Kind::Function | Kind::Other => {
                let count = relation.functions().len();
                (0..count).try_for_each(|number| self.function((id, number), from, to, leads))
            }
        }
    }

    /// A node after a test of the current square; the same node if no test is needed.
    pub(super) fn in_domain(&mut self, domain: &Bits, from: Name) -> Translated<Name> {
        if domain.len() == self.squares.len() {
            return Ok(from);
        }
        let inner = self.naming.node("on");
        self.on_squares(domain, from, inner)?;
        Ok(inner)
    }

    /// Adds the edges of one of the functions of a relation.
    pub(super) fn function(
        &mut self,
        (id, number): (RelationId, usize),
        from: Name,
        to: Name,
        leads: Leads,
    ) -> Translated<()> {
        if !self.functions.contains_key(&id) {
            let functions = self.make_functions(id)?;
            self.functions.insert(id, functions);
        }
        let Some(&(map, total)) = self.functions[&id].get(number) else { return Ok(()) };
        let next = access(map, vec![self.here()]);
        let target = self.here();
        if total || leads == Leads::Nowhere {
            return self.edge(from, to, Label::Assign { target, value: next });
        }
        let mut at = from;
        if leads == Leads::Not {
            at = self.naming.node("go");
            let label = self.compare_names(next.clone(), self.nowhere, false);
            self.edge(from, at, label)?;
        }
        let value = cast(self.square_type, next);
        self.edge(at, to, Label::Assign { target, value })
    }

    fn make_functions(&mut self, id: RelationId) -> Translated<Vec<(Name, bool)>> {
        let relation = self.program.relations[id.0 as usize].clone();
        let wanted = self.label_of(id).unwrap_or_else(|| "way".to_owned());
        let squares = self.squares.clone();
        let mut maps = Vec::new();
        for function in relation.functions() {
            let total = function.iter().all(Option::is_some);
            if !total {
                self.declare_target_type();
            }
            let whole = total && self.border.is_none();
            let type_ = if whole { self.square_type } else { self.target_type };
            let mut targets: Vec<Name> =
                function.iter().map(|to| to.map_or(self.nowhere, |to| squares[to])).collect();
            let mut keys = squares.clone();
            if self.border.is_some() {
                keys.push(self.nowhere);
                targets.push(self.nowhere);
            }
            let keys = (self.place_type(), &keys[..]);
            maps.push((self.declare_map(&wanted, keys, (type_, &targets))?, total));
        }
        Ok(maps)
    }

    /// The label of a relation, if the relation is that of a single label.
    fn label_of(&self, id: RelationId) -> Option<String> {
        let relation = &self.program.relations[id.0 as usize];
        let board = &self.game.board;
        let is = |label: u32| {
            let label = crate::rbg::ast::LabelId(label);
            crate::rbg::relation::Relation::of_label(board, label) == **relation
        };
        let label = (0..board.labels.len() as u32).find(|label| is(*label))?;
        Some(board.labels[label as usize].to_string())
    }

    /// Adds a test whether the current square is in a set.
    pub(super) fn on_squares(&mut self, squares: &Bits, from: Name, to: Name) -> Translated<()> {
        let members: Vec<usize> = squares.iter().collect();
        match members.len() {
            0 => return Ok(()),
            1 => {
                let label = self.compare_names(self.here(), self.squares[members[0]], true);
                return self.edge(from, to, label);
            }
            count if count == self.squares.len() => return self.edge(from, to, Label::Skip),
            _ => {}
        }
        let map = match self.square_sets.get(&members) {
            Some(map) => *map,
            None => {
                let mut keys = self.squares.clone();
                let is = |at| if squares.contains(at) { Name::ONE } else { Name::ZERO };
                let mut values: Vec<Name> = (0..keys.len()).map(is).collect();
                if self.border.is_some() {
                    keys.push(self.nowhere);
                    values.push(Name::ZERO);
                }
                let keys = (self.place_type(), &keys[..]);
                let map = self.declare_map("is_one_of", keys, (Name::BOOL_TYPE, &values))?;
                self.square_sets.insert(members, map);
                map
            }
        };
        let value = access(map, vec![self.here()]);
        let label = self.compare_names(value, Name::ONE, true);
        self.edge(from, to, label)
    }

    /// The type of a set of squares.
    pub(super) fn type_of(&mut self, squares: &Bits) -> Name {
        let members: Vec<usize> = squares.iter().collect();
        if members.len() == self.squares.len() {
            return self.square_type;
        }
        if let Some(type_) = self.square_types.get(&members) {
            return *type_;
        }
        let type_ = self.naming.fresh_type("SomeSquare");
        let names = members.iter().map(|at| self.squares[*at]).collect();
        self.declare_set(type_, names);
        self.square_types.insert(members, type_);
        type_
    }

    fn on(&mut self, pieces: &[PieceId], from: Name, to: Name) -> Translated<()> {
        let all = self.pieces.len();
        let mut members: Vec<usize> = pieces.iter().map(|piece| piece.index()).collect();
        members.sort_unstable();
        members.dedup();
        if members.len() == all {
            return self.edge(from, to, Label::Skip);
        }
        if members.len() <= MOST_EDGES {
            for piece in members {
                let label = self.compare_names(self.piece_here(), self.pieces[piece], true);
                self.edge(from, to, label)?;
            }
            return Ok(());
        }
        let others = (0..all).filter(|piece| !members.contains(piece));
        let others: Vec<Name> = others.map(|at| self.pieces[at]).chain(self.border).collect();
        if others.len() <= MOST_EDGES {
            let mut at = from;
            for (number, piece) in others.iter().enumerate() {
                let last = number + 1 == others.len();
                let next = if last { to } else { self.naming.node("on") };
                let label = self.compare_names(self.piece_here(), *piece, false);
                self.edge(at, next, label)?;
                at = next;
            }
            return Ok(());
        }
        let map = match self.piece_sets.get(&members) {
            Some(map) => *map,
            None => {
                let mut keys = self.pieces.clone();
                let is = |at| if members.contains(&at) { Name::ONE } else { Name::ZERO };
                let mut values: Vec<Name> = (0..all).map(is).collect();
                keys.extend(self.border);
                values.extend(self.border.map(|_| Name::ZERO));
                let keys = (self.piece_type, &keys[..]);
                let map = self.declare_map("is_among", keys, (Name::BOOL_TYPE, &values))?;
                self.piece_sets.insert(members, map);
                map
            }
        };
        let value = access(map, vec![self.piece_here()]);
        let label = self.compare_names(value, Name::ONE, true);
        self.edge(from, to, label)
    }

    fn off(&mut self, piece: PieceId, from: Name, to: Name) -> Translated<()> {
        let mut at = from;
        for number in 0..self.counters.len() {
            let Some(Counter { name: counter, domain, is_late: false }) =
                self.counters[number].clone()
            else {
                continue;
            };
            let own = number == piece.index();
            // The counter changes if exactly one of the old and the new piece is of its kind.
            let (inner, next) = (self.naming.node("count"), self.naming.node("counted"));
            let symbol = self.pieces[number];
            let changes = self.compare_names(self.piece_here(), symbol, !own);
            let stays = self.compare_names(self.piece_here(), symbol, own);
            self.edge(at, inner, changes)?;
            self.edge(at, next, stays)?;
            let operator = if own { Operator::Add } else { Operator::Subtract };
            let last = domain.values.last().copied().unwrap_or(0);
            let value = self.counted(&Number::Among(named(counter), domain), operator, last)?;
            let target = named(counter);
            self.edge(inner, next, Label::Assign { target, value })?;
            at = next;
        }
        let (target, value) = (self.piece_here(), named(self.pieces[piece.index()]));
        self.edge(at, to, Label::Assign { target, value })
    }

    /// Adds edges that count a piece, square by square.
    fn count(&mut self, piece: PieceId, from: Name, to: Name) -> Translated<()> {
        let counter = self.counters[piece.index()].clone();
        let Some((Counter { name, domain, .. }, at)) = counter.zip(self.counted_to) else {
            return Ok(());
        };
        let [begin, look, one, next, more] =
            ["count", "look", "one_more", "next", "more"].map(|text| self.naming.node(text));
        let squares: Vec<usize> = (0..self.squares.len()).collect();
        let zero = named(self.number(0));
        self.edge(from, begin, Label::Assign { target: named(name), value: zero })?;
        let first = named(self.squares[0]);
        self.edge(begin, look, Label::Assign { target: named(at), value: first })?;
        for (inner, equal) in [(one, true), (next, false)] {
            let piece = self.pieces[piece.index()];
            let label = self.compare_names(access(self.board, vec![named(at)]), piece, equal);
            self.edge(look, inner, label)?;
        }
        let last = domain.values.last().copied().unwrap_or(0);
        let value = self.counted(&Number::Among(named(name), domain), Operator::Add, last)?;
        self.edge(one, next, Label::Assign { target: named(name), value })?;
        for (inner, equal) in [(to, true), (more, false)] {
            let last = self.squares[squares.len() - 1];
            let label = self.compare_names(named(at), last, equal);
            self.edge(next, inner, label)?;
        }
        let value = access(self.successor(&squares)?, vec![named(at)]);
        self.edge(more, look, Label::Assign { target: named(at), value })
    }

    fn assign(
        &mut self,
        variable: VariableId,
        value: &Arithmetic,
        from: Name,
        to: Name,
    ) -> Translated<()> {
        let bound = self.game.variables[variable.index()].bound;
        let Some((number, from)) = self.guarded(value, from)? else { return Ok(()) };
        let Number::Among(target, own) = self.variable(variable) else { return Ok(()) };
        match number {
            Number::Constant(number) => {
                if !(0..=i64::from(bound)).contains(&number) {
                    return Ok(());
                }
                let value = named(self.number(number));
                self.edge(from, to, Label::Assign { target, value })
            }
            Number::Among(value, domain) => {
                if !domain.values.iter().any(|value| (0..=i64::from(bound)).contains(value)) {
                    return Ok(());
                }
                let mut at = from;
                if let Some(fits) = self.fits(&value, &domain, bound)? {
                    at = self.naming.node("fits");
                    let label = self.compare_names(fits, Name::ONE, true);
                    self.edge(from, at, label)?;
                }
                let same = domain.type_ == own.type_;
                let value = if same { value } else { cast(own.type_, value) };
                self.edge(at, to, Label::Assign { target, value })
            }
        }
    }

    /// An expression, after tests that it has a value.
    fn guarded(&mut self, value: &Arithmetic, from: Name) -> Translated<Option<(Number, Name)>> {
        let mut guards = Vec::new();
        let Some(number) = self.arithmetic(value, &mut guards)? else { return Ok(None) };
        let mut at = from;
        for (divisor, zero) in guards {
            let next = self.naming.node("divides");
            let label = self.compare_names(divisor, zero, false);
            self.edge(at, next, label)?;
            at = next;
        }
        Ok(Some((number, at)))
    }

    fn compare(
        &mut self,
        (left, comparison, right): (&Arithmetic, Comparison, &Arithmetic),
        from: Name,
        to: Name,
    ) -> Translated<()> {
        let Some((left, from)) = self.guarded(left, from)? else { return Ok(()) };
        let Some((right, from)) = self.guarded(right, from)? else { return Ok(()) };
        match self.condition(left, comparison, right)? {
            Err(true) => self.edge(from, to, Label::Skip),
            Err(false) => Ok(()),
            Ok((value, name, equal)) => {
                let label = self.compare_names(value, name, equal);
                self.edge(from, to, label)
            }
        }
    }
}

/// `type(value)`
pub(super) fn cast(type_: Name, value: Expr) -> Expr {
    let place = Place::default();
    Expr { base: Base::Cast(type_.into(), Box::new(value)), keys: Vec::new(), place }
}
