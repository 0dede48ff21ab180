//! Domains, functions and variables of a program.
//!
//! A constant map is a function. If it leads from numbers or squares to others, it is a sum.
//! Otherwise it has cases: one for an entry, for a row or a column of squares, or for all keys that
//! do not matter.

use super::{Cases, Writer, Written};
use gdlr_rg::rg::{Constant, Entry, Name, SimpleType, Type, TypeAlias, Value, Variable};
use hashbrown::{HashMap, HashSet};

/// The most entries of a function that is tested for being a sum.
const MOST_ENTRIES: usize = 1 << 14;

/// The most symbols of a first key for which a function has one sum each.
const MOST_SYMBOLS: usize = 8;

/// The most ways by which a function may lead on from a square.
const MOST_STEPS: usize = 3;

/// A coordinate of a value: the place of a coordinate of the keys, and the number that is added to
/// it.
type Sum = Vec<(usize, i64)>;

/// A pattern for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Any,
    Is(Name),
    /// All squares with this first coordinate.
    Column(i64),
    /// All squares with this second coordinate.
    Row(i64),
}

/// Patterns for all keys, and the value of the function.
type Line = (Vec<Key>, Name);

impl Writer<'_> {
    pub fn domain(&self, alias: &TypeAlias) -> Written<String> {
        let SimpleType::Set(set) = &alias.type_.value else { return Err("a type of types") };
        let squares = set.members.iter().map_while(|member| self.square_of(member.name));
        let squares: Vec<(i64, i64)> = squares.collect();
        let grid = self.grid(&squares);
        let rest = if grid.is_some() { &set.members[squares.len()..] } else { &set.members[..] };
        let members = rest.iter().map(|member| self.name(member.name));
        let members: Vec<&str> = grid.as_deref().into_iter().chain(members).collect();
        let mut text = format!("domain {} =", self.name(alias.name.name));
        let mut width = text.len();
        for (number, member) in members.iter().enumerate() {
            let sign = if number > 0 { " |" } else { "" };
            if width + sign.len() + 1 + member.len() > 90 {
                text.push_str(&format!("{sign}\n   "));
                width = 3;
            } else {
                text.push_str(sign);
                width += sign.len();
            }
            text.push_str(&format!(" {member}"));
            width += 1 + member.len();
        }
        text.push('\n');
        Ok(text)
    }

    /// The coordinates of a square.
    pub fn square_of(&self, symbol: Name) -> Option<(i64, i64)> {
        match self.points.get(&symbol)?[..] {
            [x, y] => Some((x, y)),
            _ => None,
        }
    }

    /// All squares of a range of columns and rows, in their order. `None` if the squares are
    /// others.
    fn grid(&self, squares: &[(i64, i64)]) -> Option<String> {
        let range = |mut all: Vec<i64>| {
            all.sort_unstable();
            all.dedup();
            let (first, last) = (*all.first()?, *all.last()?);
            (last - first + 1 == all.len() as i64).then_some((first, last))
        };
        let (left, right) = range(squares.iter().map(|(x, _)| *x).collect())?;
        let (low, high) = range(squares.iter().map(|(_, y)| *y).collect())?;
        let all = (left..=right).flat_map(|x| (low..=high).map(move |y| (x, y)));
        (squares.len() > 1 && all.eq(squares.iter().copied())).then(|| {
            format!("{}(X, Y) where X in {left}..{right}, Y in {low}..{high}", self.square)
        })
    }

    /// The members of a type.
    fn members(&self, type_: &SimpleType) -> Vec<Name> {
        let SimpleType::Named(type_) = type_ else { return Vec::new() };
        let alias = self.description.types.iter().find(|alias| alias.name.name == type_.name);
        match alias.map(|alias| &alias.type_.value) {
            Some(SimpleType::Set(set)) => set.members.iter().map(|member| member.name).collect(),
            _ if type_.name == Name::BOOL_TYPE => vec![Name::ZERO, Name::ONE],
            _ => Vec::new(),
        }
    }

    pub fn function(&self, constant: &Constant) -> Written<String> {
        let mut cases = Cases::new();
        cases_of(&constant.value, &mut Vec::new(), &mut cases);
        let name = self.name(constant.name.name);
        let declared = format!("{name}: {}\n", self.type_(&constant.type_)?);
        let of_sum = self.sum(constant, &cases, "").or_else(|| self.sums(constant));
        let text = of_sum.unwrap_or_else(|| self.listed(constant, &cases, ""));
        Ok(declared + &text)
    }

    /// A function, case by case. `before` is the text before its keys.
    fn listed(&self, constant: &Constant, cases: &Cases, before: &str) -> String {
        let name = self.name(constant.name.name);
        let line = |(keys, value): &Line| {
            let keys: Vec<String> = keys.iter().map(|&key| self.key(key)).collect();
            format!("{name}({before}{}) = {}\n", keys.join(", "), self.name(*value))
        };
        self.lines(constant, cases).iter().map(line).collect()
    }

    /// A function whose first key has few symbols: a sum for each symbol for which it is one.
    fn sums(&self, constant: &Constant) -> Option<String> {
        let Type { keys, value: type_ } = &constant.type_;
        let [first, rest @ ..] = &keys[..] else { return None };
        let members = self.members(first);
        let are_few = (2..=MOST_SYMBOLS).contains(&members.len());
        if !are_few || members.iter().any(|member| self.points.contains_key(member)) {
            return None;
        }
        let (mut text, mut is_sum) = (String::new(), false);
        for member in members {
            let Value::Map(map) = &constant.value else { return None };
            let is_own =
                |key: Option<Name>| move |entry: &&Entry| entry.key.map(|key| key.name) == key;
            let entry = map.entries.iter().find(is_own(Some(member)));
            let entry = entry.or_else(|| map.entries.iter().find(is_own(None)))?;
            let type_ = Type { keys: rest.to_vec(), value: type_.clone() };
            let own = Constant { type_, value: entry.value.clone(), ..constant.clone() };
            let mut cases = Cases::new();
            cases_of(&own.value, &mut Vec::new(), &mut cases);
            let before = format!("{}, ", self.name(member));
            let sum = self.sum(&own, &cases, &before);
            is_sum |= sum.is_some();
            text.push_str(&sum.unwrap_or_else(|| self.listed(&own, &cases, &before)));
        }
        is_sum.then_some(text)
    }

    fn key(&self, key: Key) -> String {
        match key {
            Key::Any => "_".to_owned(),
            Key::Is(symbol) => self.name(symbol).to_owned(),
            Key::Column(x) => format!("{}({x}, _)", self.square),
            Key::Row(y) => format!("{}(_, {y})", self.square),
        }
    }

    /// The cases of a function. The last one is for all other keys.
    fn lines(&self, constant: &Constant, cases: &Cases) -> Vec<Line> {
        let count = constant.type_.keys.len();
        let last = cases.last().filter(|(keys, _)| keys.iter().any(Option::is_none));
        let last = last.map(|(_, value)| *value);
        let own = cases.iter().filter(|(_, value)| Some(*value) != last);
        let mut lines: Vec<Line> = own
            .map(|(keys, value)| {
                let keys = keys.iter().map(|key| key.map_or(Key::Any, Key::Is));
                let mut keys: Vec<Key> = keys.collect();
                keys.resize(count, Key::Any);
                (keys, *value)
            })
            .collect();
        for (place, of) in constant.type_.keys.iter().enumerate() {
            lines = self.joined(lines, place, &self.members(of));
        }
        lines.extend(last.map(|value| (vec![Key::Any; count], value)));
        lines
    }

    /// Joins cases that differ in one key only, if they have all members of its type there, or all
    /// of a row or a column.
    fn joined(&self, lines: Vec<Line>, place: usize, members: &[Name]) -> Vec<Line> {
        let mut order: Vec<Line> = Vec::new();
        let mut by: HashMap<Line, Vec<Key>> = HashMap::new();
        for (mut keys, value) in lines {
            let own = std::mem::replace(&mut keys[place], Key::Any);
            let line = (keys, value);
            by.entry(line.clone())
                .or_insert_with(|| {
                    order.push(line);
                    Vec::new()
                })
                .push(own);
        }
        let mut joined = Vec::new();
        for line in order {
            for key in self.with_rows(&by[&line], members) {
                let mut keys = line.0.clone();
                keys[place] = key;
                joined.push((keys, line.1));
            }
        }
        joined
    }

    /// Keys, with whole rows and columns of squares in place of their squares. No two of them share
    /// a square.
    fn with_rows(&self, keys: &[Key], members: &[Name]) -> Vec<Key> {
        let mut left: HashSet<Key> = keys.iter().copied().collect();
        if members.len() > 1 && members.iter().all(|&member| left.contains(&Key::Is(member))) {
            return vec![Key::Any];
        }
        let mut whole = Vec::new();
        for &key in keys {
            let Key::Is(symbol) = key else { continue };
            let (Some((x, y)), true) = (self.square_of(symbol), left.contains(&key)) else {
                continue;
            };
            let of_row = |row: &Name| self.square_of(*row).is_some_and(|(_, other)| other == y);
            let of_column = |row: &Name| self.square_of(*row).is_some_and(|(other, _)| other == x);
            let row: Vec<Name> = members.iter().copied().filter(of_row).collect();
            let column: Vec<Name> = members.iter().copied().filter(of_column).collect();
            for (line, key) in [(row, Key::Row(y)), (column, Key::Column(x))] {
                if line.len() > 2 && line.iter().all(|&symbol| left.contains(&Key::Is(symbol))) {
                    left.retain(|key| !matches!(key, Key::Is(symbol) if line.contains(symbol)));
                    whole.push(key);
                    break;
                }
            }
        }
        let rest = keys.iter().copied().filter(|key| left.contains(key));
        whole.into_iter().chain(rest).collect()
    }

    /// A function from numbers or squares to others, as sums. Each coordinate is a coordinate of a
    /// key plus a number, as long as the sum is a value. If there are several sums, the first one
    /// that is a value counts. `before` is the text before the keys.
    fn sum(&self, constant: &Constant, cases: &Cases, before: &str) -> Option<String> {
        let keys: Vec<Vec<Name>> = constant.type_.keys.iter().map(|of| self.members(of)).collect();
        let size = keys.iter().try_fold(1usize, |size, of| size.checked_mul(of.len()))?;
        if !(3..=MOST_ENTRIES).contains(&size) {
            return None;
        }
        let (entries, other) = self.entries(cases, &keys)?;
        let values: HashMap<&[i64], Name> = (self.members(&constant.type_.value).into_iter())
            .filter_map(|value| Some((&self.points.get(&value)?[..], value)))
            .collect();
        let sums = sums_of(&entries)?;
        let apply = |sum: &Sum, from: &[i64]| -> Option<Name> {
            let to: Vec<i64> = sum.iter().map(|&(place, by)| from[place] + by).collect();
            values.get(&to[..]).copied()
        };
        let wrong = |order: &[Sum]| -> Vec<&Vec<i64>> {
            let value = |from: &[i64]| order.iter().find_map(|sum| apply(sum, from)).or(other);
            let is_wrong = |(from, to): &&(Vec<i64>, Option<Vec<i64>>)| {
                let to = to.as_ref().map_or(other, |to| values.get(&to[..]).copied());
                value(from) != to
            };
            entries.iter().filter(is_wrong).map(|(from, _)| from).collect()
        };
        let orders = orders_of(&sums);
        let order = orders.iter().min_by_key(|order| wrong(order).len())?;
        // Keys that lead nowhere although their sum is a value: whole rows or columns of a board.
        let mut text = String::new();
        let name = self.name(constant.name.name);
        let mut open = wrong(order);
        while let Some(&first) = open.first() {
            let [x, y] = first[..] else { return None };
            let (other, true) = (other?, keys.len() == 1) else { return None };
            let leads_nowhere = |place: usize, at: i64| {
                entries.iter().all(|(from, to)| from[place] != at || to.is_none())
            };
            let (place, at, key) = match (leads_nowhere(0, x), leads_nowhere(1, y)) {
                (true, _) => (0, x, Key::Column(x)),
                (_, true) => (1, y, Key::Row(y)),
                _ => return None,
            };
            text.push_str(&format!("{name}({before}{}) = {}\n", self.key(key), self.name(other)));
            open.retain(|from| from[place] != at);
        }
        let (patterns, variables) = self.patterns(&keys)?;
        let mut body = String::new();
        let type_ = self.type_(&Type::from(constant.type_.value.clone())).ok()?;
        for (place, sum) in order.iter().enumerate() {
            let to = self.summed(sum, &variables);
            let is_last = place + 1 == order.len() && other.is_none();
            match is_last {
                true => body.push_str(&to),
                false => body.push_str(&format!("if {to} in {type_} then {to} else ")),
            }
        }
        body.push_str(other.map_or("", |other| self.name(other)));
        text.push_str(&format!("{name}({before}{patterns}) = {body}\n"));
        Some(text)
    }

    /// By coordinates of all keys: the coordinates of the value. `None` stands for the only value
    /// without coordinates, which is returned, too.
    #[allow(clippy::type_complexity, reason = "it is asked for once")]
    fn entries(
        &self,
        cases: &Cases,
        keys: &[Vec<Name>],
    ) -> Option<(Vec<(Vec<i64>, Option<Vec<i64>>)>, Option<Name>)> {
        let value_of: HashMap<&[Option<Name>], Name> =
            cases.iter().map(|(keys, value)| (&keys[..], *value)).collect();
        let default = cases.last().filter(|(keys, _)| keys.iter().any(Option::is_none));
        let mut all: Vec<Vec<Option<Name>>> = vec![Vec::new()];
        for of in keys {
            let longer = |row: &Vec<Option<Name>>, &key: &Name| [&row[..], &[Some(key)]].concat();
            all = all.iter().flat_map(|row| of.iter().map(|key| longer(row, key))).collect();
        }
        let (mut entries, mut other) = (Vec::new(), None);
        for row in all {
            let value = value_of.get(&row[..]).copied().or(default.map(|(_, value)| *value))?;
            let mut from = Vec::new();
            for key in row.into_iter().flatten() {
                from.extend_from_slice(self.points.get(&key)?);
            }
            let to = self.points.get(&value).cloned();
            if to.is_none() && *other.get_or_insert(value) != value {
                return None;
            }
            entries.push((from, to));
        }
        Some((entries, other))
    }

    /// Patterns for keys, and the variables of their coordinates.
    fn patterns(&self, keys: &[Vec<Name>]) -> Option<(String, Vec<&'static str>)> {
        let (mut numbers, mut squares) =
            (["I", "J", "K", "L"].iter(), [["X", "Y"], ["Z", "W"]].iter());
        let (mut patterns, mut variables) = (Vec::new(), Vec::new());
        for of in keys {
            match self.points.get(of.first()?)?.len() {
                1 => {
                    let variable = numbers.next()?;
                    patterns.push((*variable).to_owned());
                    variables.push(*variable);
                }
                _ => {
                    let [x, y] = squares.next()?;
                    patterns.push(format!("{}({x}, {y})", self.square));
                    variables.extend([*x, *y]);
                }
            }
        }
        Some((patterns.join(", "), variables))
    }

    /// A sum as text.
    fn summed(&self, sum: &Sum, variables: &[&str]) -> String {
        let plus = |&(place, by): &(usize, i64)| match by {
            0 => variables[place].to_owned(),
            1.. => format!("{} + {by}", variables[place]),
            _ => format!("{} - {}", variables[place], -by),
        };
        let parts: Vec<String> = sum.iter().map(plus).collect();
        match &parts[..] {
            [only] => only.clone(),
            parts => format!("{}({})", self.square, parts.join(", ")),
        }
    }

    fn type_(&self, type_: &Type) -> Written<String> {
        let parts = type_.keys.iter().chain([&type_.value]);
        let parts = parts.map(|part| match part {
            SimpleType::Named(name) => Ok(self.name(name.name)),
            SimpleType::Set(_) => Err("a type without a name"),
        });
        Ok(parts.collect::<Written<Vec<&str>>>()?.join(" -> "))
    }

    pub fn variable(&self, variable: &Variable) -> String {
        let name = self.name(variable.name.name);
        let type_ = self.type_(&variable.type_).unwrap_or_default();
        match self.is_first(variable) {
            true => format!("{name}: {type_}\n"),
            false => format!("{name}: {type_} = {}\n", self.initial(variable)),
        }
    }

    /// The first value of a variable, with rows and columns joined.
    fn initial(&self, variable: &Variable) -> String {
        let [of] = &variable.type_.keys[..] else { return self.value(&variable.initial) };
        let mut cases = Cases::new();
        cases_of(&variable.initial, &mut Vec::new(), &mut cases);
        let Some(((_, default), own)) = cases.split_last() else { return String::new() };
        let members = self.members(of);
        let lines: Vec<Line> = own
            .iter()
            .map(|(keys, value)| (keys.iter().flatten().map(|&k| Key::Is(k)).collect(), *value))
            .collect();
        let mut parts = vec![format!(":{}", self.name(*default))];
        for (keys, value) in self.joined(lines, 0, &members) {
            let value = self.name(value);
            let along = |place: usize| self.along(&keys[0], place, &members);
            parts.push(match (keys[0], along(0), along(1)) {
                (Key::Row(y), Some(range), _) => {
                    format!("{}(X, {y}) = {value} where X in {range}", self.square)
                }
                (Key::Column(x), _, Some(range)) => {
                    format!("{}({x}, Y) = {value} where Y in {range}", self.square)
                }
                (Key::Row(_) | Key::Column(_), ..) => return self.value(&variable.initial),
                (Key::Any, ..) => return format!("{{ :{value} }}"),
                (key, ..) => format!("{} = {value}", self.key(key)),
            });
        }
        let all = format!("{{ {} }}", parts.join("; "));
        match all.len() > 80 {
            true => format!("{{\n    {}\n}}", parts.join(";\n    ")),
            false => all,
        }
    }

    /// The other coordinates of the squares in a row or a column of a board.
    fn along(&self, key: &Key, place: usize, members: &[Name]) -> Option<String> {
        let squares = members.iter().filter_map(|&member| self.square_of(member));
        let mut others: Vec<i64> = match (*key, place) {
            (Key::Row(y), 0) => squares.filter(|square| square.1 == y).map(|(x, _)| x).collect(),
            (Key::Column(x), 1) => squares.filter(|square| square.0 == x).map(|(_, y)| y).collect(),
            _ => return None,
        };
        others.sort_unstable();
        let (first, last) = (others.first()?, others.last()?);
        let is_range = last - first + 1 == others.len() as i64;
        is_range.then(|| format!("{first}..{last}"))
    }

    /// Whether all first values of a variable are the first value of its type.
    fn is_first(&self, variable: &Variable) -> bool {
        let first = self.members(&variable.type_.value).first().copied();
        let mut cases = Vec::new();
        cases_of(&variable.initial, &mut Vec::new(), &mut cases);
        cases.iter().all(|(_, value)| Some(*value) == first)
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Name(name) => self.name(name.name).to_owned(),
            Value::Map(map) => {
                let entry = |entry: &gdlr_rg::rg::Entry| match entry.key {
                    None => format!(":{}", self.value(&entry.value)),
                    Some(key) => format!("{} = {}", self.name(key.name), self.value(&entry.value)),
                };
                // The value for all other keys comes first.
                let (rest, own): (Vec<_>, Vec<_>) =
                    map.entries.iter().partition(|entry| entry.key.is_none());
                let parts: Vec<String> = rest.into_iter().chain(own).map(entry).collect();
                format!("{{ {} }}", parts.join("; "))
            }
        }
    }
}

/// The sums that give all entries: one sum for all, or else sums that add different numbers to the
/// keys.
fn sums_of(entries: &[(Vec<i64>, Option<Vec<i64>>)]) -> Option<Vec<Sum>> {
    let pairs = || entries.iter().filter_map(|(from, to)| Some((from, to.as_ref()?)));
    let (from, to) = pairs().next()?;
    if pairs().any(|(_, other)| other.len() != to.len()) {
        return None;
    }
    // The same coordinate of the keys is tried first.
    let of_all = |place: usize| -> Option<(usize, i64)> {
        let sources = (0..from.len()).map(|source| (source + place) % from.len());
        sources
            .map(|source| (source, to[place] - from[source]))
            .find(|&(source, by)| pairs().all(|(from, to)| to[place] - from[source] == by))
    };
    if let Some(sum) = (0..to.len()).map(of_all).collect::<Option<Sum>>() {
        return Some(vec![sum]);
    }
    if from.len() != to.len() {
        return None;
    }
    let mut sums: Vec<Sum> = Vec::new();
    for (from, to) in pairs() {
        let sum: Sum = from.iter().zip(to).map(|(from, to)| to - from).enumerate().collect();
        if !sums.contains(&sum) {
            sums.push(sum);
        }
        if sums.len() > MOST_STEPS {
            return None;
        }
    }
    Some(sums)
}

/// All orders of some sums.
fn orders_of(sums: &[Sum]) -> Vec<Vec<Sum>> {
    if sums.len() < 2 {
        return vec![sums.to_vec()];
    }
    let mut orders = Vec::new();
    for (place, first) in sums.iter().enumerate() {
        let mut rest = sums.to_vec();
        rest.remove(place);
        for order in orders_of(&rest) {
            orders.push([std::slice::from_ref(first), &order[..]].concat());
        }
    }
    orders
}

/// Adds the keys of all entries of a map, each with its value. `None` stands for all other keys.
fn cases_of(value: &Value, keys: &mut Vec<Option<Name>>, cases: &mut Cases) {
    match value {
        Value::Name(name) => cases.push((keys.clone(), name.name)),
        Value::Map(map) => {
            for entry in &map.entries {
                keys.push(entry.key.map(|key| key.name));
                cases_of(&entry.value, keys, cases);
                keys.pop();
            }
        }
    }
}
