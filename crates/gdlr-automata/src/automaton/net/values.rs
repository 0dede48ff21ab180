//! The values of expressions, content by content.
//!
//! Where walks have met, a slot holds one of several contents. A constant map gives the same value
//! for a content on all walks. So it is looked up once for each content, and not for each choice
//! among contents.

use super::evaluate::entry;
use super::memory::{HeldId, MemoryId};
use super::rounds::Rounds;
use super::select::by_content;
use super::sheet::{Slot, Var, look_up};
use super::walks::{KnownValue, known};
use gdlr_net::net::Signal;
use gdlr_rg::rg::Name;
use gdlr_rg::rg::optimise::program::{ExprId, Kind, Val};
use hashbrown::HashMap;

/// The possible contents, each once, with its signal.
pub(super) type Cases = Vec<(HeldId, Signal)>;

/// By constant map and contents of its keys: the content that it gives. `None` if that is a map.
pub(super) type LookedUp = HashMap<(Name, Vec<HeldId>), Option<HeldId>>;

impl Rounds<'_> {
    /// The possible contents of an expression. `None` if it may be a map, or if this method does
    /// not apply.
    pub fn cases(
        &mut self,
        expr: ExprId,
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Option<Cases> {
        let expressions = &self.sheet.program.expressions;
        let (root, keys) = expressions.parts(expr);
        match expressions.kind(root) {
            Kind::Symbol => keys.is_empty().then(|| self.always(root)),
            Kind::Constant(_) => self.cases_of_constant(root, &keys, environment, memory),
            Kind::Variable(_) => {
                let var = self.sheet.variable(root)?;
                match known(environment, var) {
                    Some(symbol) => Some(self.always(symbol)),
                    None => self.cases_of_variable(var, &keys, environment, memory),
                }
            }
        }
    }

    fn always(&mut self, symbol: Name) -> Cases {
        vec![(self.contents.hold(vec![(symbol, Signal::TRUE)]), Signal::TRUE)]
    }

    fn cases_of_constant(
        &mut self,
        root: Name,
        keys: &[ExprId],
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Option<Cases> {
        let mut combined: Vec<(Vec<HeldId>, Signal)> = vec![(Vec::new(), Signal::TRUE)];
        for &key in keys {
            let cases = self.cases(key, environment, memory)?;
            if combined.len() * cases.len() > self.wires.tuning.looked_up {
                return None;
            }
            let mut more = Vec::new();
            for (before, when) in &combined {
                for &(content, given) in &cases {
                    let both = self.wires.both(*when, given);
                    if both != Signal::FALSE {
                        let mut contents = before.clone();
                        contents.push(content);
                        more.push((contents, both));
                    }
                }
            }
            combined = more;
        }
        let mut cases = Vec::new();
        for (contents, when) in combined {
            cases.push((self.looked_up(root, contents)?, when));
        }
        Some(self.joined(cases))
    }

    fn cases_of_variable(
        &mut self,
        var: Var,
        keys: &[ExprId],
        environment: &[KnownValue],
        memory: MemoryId,
    ) -> Option<Cases> {
        let variable = self.sheet.at(var);
        if variable.keys.len() != keys.len() {
            return None;
        }
        let mut places: Vec<(Slot, Signal)> = vec![(variable.base, Signal::TRUE)];
        for (depth, &key) in keys.iter().enumerate() {
            let cases = self.cases(key, environment, memory)?;
            let key = self.select_case(&cases);
            let key = self.contents.held(key).clone();
            let mut deeper = Vec::new();
            for &(base, when) in &places {
                for &(symbol, given) in key.iter() {
                    let base = entry(self.sheet, var, base, depth as u8, symbol)?;
                    deeper.push((base, self.wires.both(when, given)));
                }
            }
            places = deeper;
        }
        let mut cases = Vec::new();
        for (slot, when) in places.into_iter().filter(|&(_, when)| when != Signal::FALSE) {
            let held = self.read_here(memory, slot);
            for &(content, given) in self.contents.chosen(held).iter() {
                cases.push((content, self.wires.both(when, given)));
            }
        }
        Some(self.joined(cases))
    }

    /// Joins equal contents.
    fn joined(&mut self, cases: Cases) -> Cases {
        let cases = by_content(cases).into_iter();
        cases.map(|(content, all)| (content, self.wires.one_of(&all))).collect()
    }

    /// The content that a constant map gives for keys.
    fn looked_up(&mut self, root: Name, keys: Vec<HeldId>) -> Option<HeldId> {
        let question = (root, keys);
        if let Some(&content) = self.looked_up.get(&question) {
            return content;
        }
        let content = self.look_up(root, &question.1);
        self.looked_up.insert(question, content);
        content
    }

    fn look_up(&mut self, root: Name, keys: &[HeldId]) -> Option<HeldId> {
        let sheet = self.sheet;
        let mut values: Vec<(&Val, Signal)> = vec![(sheet.program.constant(root)?, Signal::TRUE)];
        for &key in keys {
            let key = self.contents.held(key).clone();
            let mut deeper = Vec::new();
            for &(value, when) in &values {
                let Val::Map(map) = value else { return None };
                for &(symbol, given) in key.iter() {
                    if let Some(value) = look_up(map, symbol) {
                        deeper.push((value, self.wires.both(when, given)));
                    }
                }
            }
            values = deeper;
        }
        let symbols: Option<Vec<(Name, Signal)>> = values
            .into_iter()
            .map(|(value, when)| match value {
                Val::Symbol(symbol) => Some((*symbol, when)),
                Val::Map(_) => None,
            })
            .collect();
        let symbols = by_content(symbols?).into_iter();
        let held = symbols.map(|(symbol, all)| (symbol, self.wires.or(&all))).collect();
        Some(self.contents.hold(held))
    }
}
