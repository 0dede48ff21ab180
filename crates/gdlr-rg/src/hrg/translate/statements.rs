//! Statements: edges from one node to another.
//!
//! A statement that no edge reaches is not expanded. A loop begins at a node of its own, since
//! another edge that leaves the node before it may be an alternative.

use super::conditions::Targets;
use super::expansion::Expansion;
use super::operands::Operand;
use super::scope::{Frame, LoopExits, Meaning};
use crate::hrg::ast::{Action, Expr, Statement};
use crate::hrg::evaluate::Evaluated;
use crate::hrg::value::Value;
use crate::rg::{self, Ident, Label, Name, Place, SimpleType, Type};
use gdlr_text::diagnostic::{Code, Diagnostic};

impl<'g> Expansion<'g> {
    /// Expands statements in a row, from `at` to `to`.
    pub fn block(
        &mut self,
        frame: &mut Frame<'g>,
        statements: &'g [Statement],
        mut at: Name,
        to: Name,
        exits: Option<LoopExits>,
    ) -> Evaluated<()> {
        let Some((last, others)) = statements.split_last() else {
            return self.connect(at, to, Label::Skip, frame.graph.place);
        };
        for statement in others {
            let next = self.naming.node(frame.graph.name.name);
            self.statement(frame, statement, at, next, exits)?;
            if !self.is_entered(next) {
                return Ok(());
            }
            at = next;
        }
        self.statement(frame, last, at, to, exits)
    }

    /// Expands a statement. After an error it goes on at `to`.
    fn statement(
        &mut self,
        frame: &mut Frame<'g>,
        statement: &'g Statement,
        at: Name,
        to: Name,
        exits: Option<LoopExits>,
    ) -> Evaluated<()> {
        let locals = frame.locals.len();
        let result = self.deeper(statement.place, |this| {
            this.evaluator.step(statement.place.0)?;
            this.action(frame, statement, at, to, exits)
        });
        frame.locals.truncate(locals);
        if result.is_err() {
            self.enter(to);
        }
        self.survive(result)
    }

    fn action(
        &mut self,
        frame: &mut Frame<'g>,
        statement: &'g Statement,
        at: Name,
        to: Name,
        exits: Option<LoopExits>,
    ) -> Evaluated<()> {
        let place = statement.place;
        match &statement.action {
            Action::Assign { target, keys, value } => {
                let target = self.target(frame, *target, keys)?;
                let value = self.expression(frame, value)?;
                self.connect(at, to, Label::Assign { target, value }, place)
            }
            Action::AssignAny { target, keys, values } => {
                let target = self.target(frame, *target, keys)?;
                let values = values.clone();
                self.connect(at, to, Label::AssignAny { target, values }, place)
            }
            Action::Branch(arms) => {
                arms.iter().try_for_each(|arm| self.block(frame, arm, at, to, exits))
            }
            Action::BranchIn { variable, values, body } => {
                for value in self.values(values)? {
                    frame.locals.push((variable.name, value));
                    self.block(frame, body, at, to, exits)?;
                    frame.locals.pop();
                }
                Ok(())
            }
            Action::Repeat { times, body } => {
                let times = usize::try_from(*times).unwrap_or(usize::MAX);
                let rounds = (0..times).map(|_| None);
                self.rounds(frame, rounds, body, at, to, place)
            }
            Action::RepeatIn { variable, values, body } => {
                let values = self.values(values)?;
                let rounds = values.into_iter().map(|value| Some((variable.name, value)));
                self.rounds(frame, rounds, body, at, to, place)
            }
            Action::Loop(body) => {
                let head = self.naming.node(frame.graph.name.name);
                self.connect(at, head, Label::Skip, place)?;
                let exits = LoopExits { break_: to, continue_: head };
                self.block(frame, body, head, head, Some(exits))
            }
            Action::While { condition, body } => self.while_(frame, condition, body, place, at, to),
            Action::If { arms, otherwise } => {
                self.if_(frame, arms, otherwise.as_deref(), at, to, exits)
            }
            Action::Call { graph, arguments } => match self.game.names.text(graph.name) {
                "check" => match &arguments[..] {
                    [condition] => {
                        let targets = Targets { then: Some(to), otherwise: None };
                        self.condition(frame, condition, at, targets)
                    }
                    _ => Err(one_condition(place)),
                },
                jump @ ("end" | "return" | "break" | "continue") => {
                    self.jump(frame, jump, at, exits, place)
                }
                _ => self.call(frame, *graph, arguments, place, at, to),
            },
            Action::Tag { artificial, symbols } => {
                let tag = self.tag(frame, symbols, place)?;
                if *artificial {
                    self.artificial_tags.push(tag);
                }
                self.connect(at, to, Label::Tag(tag), place)
            }
            Action::TagVariable(variable) => {
                let label = self.variable_as_tag(frame, *variable)?;
                self.connect(at, to, label, place)
            }
        }
    }

    fn while_(
        &mut self,
        frame: &mut Frame<'g>,
        condition: &'g Expr,
        body: &'g [Statement],
        place: Place,
        at: Name,
        to: Name,
    ) -> Evaluated<()> {
        let head = self.naming.node(frame.graph.name.name);
        let then = self.naming.node(frame.graph.name.name);
        self.connect(at, head, Label::Skip, place)?;
        let targets = Targets { then: Some(then), otherwise: Some(to) };
        self.condition(frame, condition, head, targets)?;
        if !self.is_entered(then) {
            return Ok(());
        }
        let exits = LoopExits { break_: to, continue_: head };
        self.block(frame, body, then, head, Some(exits))
    }

    /// Expands one of the [`JUMPS`](crate::hrg::calls::JUMPS): out of a loop, of a graph, or of the
    /// game.
    fn jump(
        &mut self,
        frame: &Frame<'g>,
        jump: &str,
        at: Name,
        exits: Option<LoopExits>,
        place: Place,
    ) -> Evaluated<()> {
        match (jump, exits) {
            ("end", _) => {
                let target = Ident { name: Name::PLAYER, place }.into();
                let value = Ident { name: Name::KEEPER, place }.into();
                self.connect(at, frame.end, Label::Assign { target, value }, place)
            }
            ("return", _) => self.connect(at, frame.back, Label::Skip, place),
            ("break", Some(LoopExits { break_, .. })) => {
                self.connect(at, break_, Label::Skip, place)
            }
            (_, Some(LoopExits { continue_, .. })) => {
                self.connect(at, continue_, Label::Skip, place)
            }
            (_, None) => Err(outside_loop(jump, place)),
        }
    }

    fn if_(
        &mut self,
        frame: &mut Frame<'g>,
        arms: &'g [(Expr, Vec<Statement>)],
        otherwise: Option<&'g [Statement]>,
        mut at: Name,
        to: Name,
        exits: Option<LoopExits>,
    ) -> Evaluated<()> {
        for (index, (condition, body)) in arms.iter().enumerate() {
            let then = self.naming.node(frame.graph.name.name);
            let is_last = index + 1 == arms.len() && otherwise.is_none();
            let next = if is_last { to } else { self.naming.node(frame.graph.name.name) };
            let targets = Targets { then: Some(then), otherwise: Some(next) };
            self.condition(frame, condition, at, targets)?;
            if self.is_entered(then) {
                self.block(frame, body, then, to, exits)?;
            }
            if is_last || !self.is_entered(next) {
                return Ok(());
            }
            at = next;
        }
        match otherwise {
            Some(body) => self.block(frame, body, at, to, exits),
            None => Ok(()),
        }
    }

    /// Expands a block several times in a row, maybe with a name for a value.
    fn rounds(
        &mut self,
        frame: &mut Frame<'g>,
        rounds: impl ExactSizeIterator<Item = Option<(Name, Value)>>,
        body: &'g [Statement],
        mut at: Name,
        to: Name,
        place: Place,
    ) -> Evaluated<()> {
        let count = rounds.len();
        if count == 0 {
            return self.connect(at, to, Label::Skip, place);
        }
        for (index, local) in rounds.enumerate() {
            let is_last = index + 1 == count;
            let next = if is_last { to } else { self.naming.node(frame.graph.name.name) };
            let locals = frame.locals.len();
            frame.locals.extend(local);
            let exits = LoopExits { break_: to, continue_: next };
            self.block(frame, body, at, next, Some(exits))?;
            frame.locals.truncate(locals);
            if !self.is_entered(next) {
                return Ok(());
            }
            at = next;
        }
        Ok(())
    }

    /// The values of a type. A value that a list has several times occurs several times.
    fn values(&self, type_: &Type) -> Evaluated<Vec<Value>> {
        if let (true, SimpleType::Set(set)) = (type_.keys.is_empty(), &type_.value) {
            let names = &self.game.names;
            return Ok(set.members.iter().map(|name| Value::of_name(name.name, names)).collect());
        }
        if !type_.keys.is_empty() {
            let message = "the values of a type of maps cannot be listed";
            return Err(Box::new(Diagnostic::new(Code::HrgType, type_.span(), message)));
        }
        Ok(self.evaluator.domains.set(&type_.value)?.values.clone())
    }

    fn target(&mut self, frame: &Frame<'g>, name: Ident, keys: &'g [Expr]) -> Evaluated<rg::Expr> {
        let Meaning::Variable(variable) = self.meaning(frame, name.name) else {
            let text = self.game.names.text(name.name);
            let message = format!("`{text}` is no variable, and cannot be assigned to");
            let error = Diagnostic::new(Code::HrgNotAVariable, name.place.0, message);
            return Err(Box::new(error));
        };
        let mut target = rg::Expr::from(Ident { name: variable, place: name.place });
        for key in keys {
            let key = self.expression(frame, key)?;
            target.place.0.end = key.place.0.end;
            target.keys.push(key);
        }
        Ok(target)
    }

    /// The name of a tag: its parts, or their values, joined by `__`.
    fn tag(&mut self, frame: &Frame<'g>, symbols: &[Ident], place: Place) -> Evaluated<Ident> {
        let mut names = Vec::new();
        for symbol in symbols {
            let local = frame.locals.iter().rfind(|(local, _)| *local == symbol.name);
            names.push(match local.map(|(_, value)| value.clone()) {
                Some(value) => self.symbol(&value, symbol.place.0)?,
                None => symbol.name,
            });
        }
        if let [name] = names[..] {
            return Ok(Ident { name, place });
        }
        let texts: Vec<&str> = names.iter().map(|name| self.naming.names.text(*name)).collect();
        let text = texts.join("__");
        let name = self.naming.names.intern(&text).expect("letters, digits and underscores");
        Ok(Ident { name, place })
    }

    fn variable_as_tag(&mut self, frame: &Frame<'g>, variable: Ident) -> Evaluated<Label> {
        let place = variable.place;
        match self.meaning(frame, variable.name) {
            Meaning::Variable(name) => Ok(Label::TagVariable(Ident { name, place })),
            Meaning::Function(name) => {
                let text = self.game.names.text(name);
                let message = format!("`{text}` is a function, and no value that can be shown");
                Err(Box::new(Diagnostic::new(Code::HrgNotAVariable, place.0, message)))
            }
            Meaning::Known(value) => {
                match self.as_expression(Operand::Known(value), place)?.as_name() {
                    Some(name) => Ok(Label::Tag(name)),
                    None => Err(one_condition(place)),
                }
            }
        }
    }
}

fn one_condition(place: Place) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::HrgArity, place.0, "`check` has one argument, a condition"))
}

fn outside_loop(jump: &str, place: Place) -> Box<Diagnostic> {
    let message = format!("`{jump}()` stands in no loop");
    Box::new(Diagnostic::new(Code::HrgOutsideLoop, place.0, message))
}
