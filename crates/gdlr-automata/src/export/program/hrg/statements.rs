//! Statements of a program as statements of graphs.
//!
//! A jump has a different meaning in a turn, in a routine and in a check: see [`Inside`].

use super::{Graph, Writer, Written};
use crate::export::legend::push_comment;
use crate::export::program::{
    Act, BlockId, Body, Each, Find, Follow, If, Search, Statement, Target, Test, size,
};
use gdlr_rg::rg::{Base, Name};

/// The most statements that may be copied for the failures of several tests.
const MOST_COPIED: usize = 32;

/// The kind of graph in which statements stand. It determines the meaning of jumps.
#[derive(Clone, Copy, Debug)]
enum Inside {
    Turn,
    /// A routine. The flag says whether it calls itself at its end, and so is a loop.
    Routine(BlockId, bool),
    Check,
}

/// Lines of statements.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub text: String,
    depth: usize,
}

impl Lines {
    pub fn push(&mut self, line: &str) {
        (0..self.depth).for_each(|_| self.text.push_str("    "));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Opens a block with a head.
    pub fn open(&mut self, head: &str) {
        self.push(&format!("{head} {{"));
        self.depth += 1;
    }

    /// Closes a block and opens another one.
    pub fn between(&mut self, head: &str) {
        self.depth -= 1;
        self.open(&format!("}} {head}"));
    }

    pub fn close(&mut self) {
        self.depth -= 1;
        self.push("}");
    }
}

impl Writer<'_> {
    fn body(&mut self, body: &[Statement], inside: Inside, lines: &mut Lines) -> Written<()> {
        let mut rest = body;
        while let Some((first, behind)) = rest.split_first() {
            let tests: Vec<Test> = rest.iter().map_while(as_test).collect();
            if !tests.is_empty() {
                let condition = self.all(&tests)?;
                lines.push(&format!("check({condition})"));
                rest = &rest[tests.len()..];
                continue;
            }
            if let Statement::Do(Act::Set(slot, Name::KEEPER)) = first
                && *slot == self.program.player
                && matches!(behind, [Statement::Go(Target::End)])
            {
                // The end of the turn implies this statement.
                rest = behind;
                continue;
            }
            self.statement(first, inside, lines)?;
            rest = behind;
        }
        Ok(())
    }

    fn statement(&mut self, one: &Statement, inside: Inside, lines: &mut Lines) -> Written<()> {
        match one {
            Statement::Test(test) => {
                let condition = self.condition(*test)?;
                lines.push(&format!("check({condition})"));
            }
            Statement::Never => lines.push("check(false())"),
            Statement::Do(act) if self.is_idle(*act) => {}
            Statement::Do(act) => {
                let line = self.act(*act);
                lines.push(&line);
            }
            Statement::Choice(ways) => self.branch(ways, inside, lines)?,
            Statement::Search(search) => self.search(search, inside, lines)?,
            Statement::If(branch) => self.if_(branch, false, inside, lines)?,
            Statement::Cases(cases) => {
                for (number, (tests, body)) in cases.iter().enumerate() {
                    let head = match tests.is_empty() {
                        true => "if true()".to_owned(),
                        false => format!("if {}", self.all(tests)?),
                    };
                    match number {
                        0 => lines.open(&head),
                        _ => lines.between(&format!("else {head}")),
                    }
                    self.body(body, inside, lines)?;
                }
                lines.close();
            }
            Statement::Each(Each { slot, first, last, next, body }) => {
                let name = self.slot(*slot);
                lines.push(&format!("{name} = {}", self.name(*first)));
                lines.open("loop");
                self.body(body, inside, lines)?;
                lines.open(&format!("if {name} == {}", self.name(*last)));
                lines.push("break()");
                lines.close();
                lines.push(&format!("{name} = {}", self.slot(*next)));
                lines.close();
            }
            Statement::Follow(Follow { first, step, body }) => {
                self.nested(first, lines, &mut |writer, lines| {
                    lines.open("loop");
                    writer.body(body, inside, lines)?;
                    writer.nested(step, lines, &mut |_, lines| {
                        lines.push("continue()");
                        Ok(())
                    })?;
                    lines.push("break()");
                    lines.close();
                    Ok(())
                })?;
            }
            Statement::Find(Find { first, step, tests, then }) => {
                self.nested(first, lines, &mut |writer, lines| {
                    lines.open("loop");
                    writer.nested(tests, lines, &mut |writer, lines| {
                        writer.body(then, inside, lines)?;
                        lines.push("break()");
                        Ok(())
                    })?;
                    writer.nested(step, lines, &mut |_, lines| {
                        lines.push("continue()");
                        Ok(())
                    })?;
                    lines.push("break()");
                    lines.close();
                    Ok(())
                })?;
            }
            Statement::Go(target) => self.go(*target, inside, lines)?,
        }
        Ok(())
    }

    /// Whether an action assigns to a variable that nothing reads.
    fn is_idle(&self, act: Act) -> bool {
        let (Act::Set(slot, _) | Act::Copy(slot, _)) = act else { return false };
        let variables = &self.description.variables;
        match &self.program.slots.expr(slot).base {
            Base::Name(name) => {
                let is_own = |name: Name| variables.iter().any(|own| own.name.name == name);
                let is_read = self.reads.contains(&name.name) || name.name == Name::VISIBLE;
                !is_read && is_own(name.name)
            }
            Base::Cast(..) => false,
        }
    }

    fn act(&self, act: Act) -> String {
        match act {
            Act::Any(slot, type_) => format!("{} = {}(*)", self.slot(slot), self.name(type_)),
            Act::Set(slot, symbol) => format!("{} = {}", self.slot(slot), self.name(symbol)),
            Act::Copy(to, from) => format!("{} = {}", self.slot(to), self.slot(from)),
            Act::Tag(tag) => match self.square_of(tag) {
                Some((x, y)) => format!("$ {}__{x}_{y}", self.square),
                None => format!("$ {}", self.name(tag)),
            },
            Act::TagOf(slot) => format!("$$ {}", self.slot(slot)),
        }
    }

    fn go(&mut self, target: Target, inside: Inside, lines: &mut Lines) -> Written<()> {
        match (target, inside) {
            (Target::End, Inside::Turn) => lines.push("end()"),
            (Target::Over, Inside::Turn) => {
                let over = self.over();
                lines.push(&format!("{over}()"));
            }
            (Target::Block(block), Inside::Turn) => {
                // `rules` goes through the turns. A ply is a part of its turn.
                if self.program.turn_of(block).is_none() {
                    let program = self.program;
                    self.body(&program.blocks[block.place()].body, inside, lines)?;
                }
            }
            // The loop begins again behind this.
            (Target::Block(block), Inside::Routine(own, true)) if block == own => {}
            (Target::Block(block), Inside::Routine(..) | Inside::Check) => {
                let asked = self.routine(block);
                lines.push(&format!("check(reachable({asked}()))"));
                if let Inside::Routine(_, true) = inside {
                    lines.push("return()");
                }
            }
            (Target::End | Target::Over, _) => return Err("a check that ends the play"),
        }
        Ok(())
    }

    /// A branch of bodies. Equal first statements become one.
    fn branch(&mut self, ways: &[Body], inside: Inside, lines: &mut Lines) -> Written<()> {
        // A body that is only a branch makes the translator by the authors of the language
        // overflow.
        let mut ways = together(ways);
        while let Some(place) =
            ways.iter().position(|way| matches!(way[..], [Statement::Choice(_)]))
        {
            let Some(Statement::Choice(inner)) = ways.remove(place).pop() else { break };
            ways.splice(place..place, together(&inner));
        }
        if let [only] = &ways[..] {
            return self.body(only, inside, lines);
        }
        if ways.is_empty() {
            lines.push("check(false())");
            return Ok(());
        }
        for (number, way) in ways.iter().enumerate() {
            match number {
                0 => lines.open("branch"),
                _ => lines.between("or"),
            }
            self.body(way, inside, lines)?;
        }
        lines.close();
        Ok(())
    }

    fn search(&mut self, search: &Search, inside: Inside, lines: &mut Lines) -> Written<()> {
        self.branch(&search.first, inside, lines)?;
        if search.rounds.is_empty() {
            return self.body(&search.exit, inside, lines);
        }
        lines.open("loop");
        lines.open("branch");
        self.body(&search.exit, inside, lines)?;
        lines.push("break()");
        for round in &search.rounds {
            lines.between("or");
            self.body(round, inside, lines)?;
        }
        lines.close();
        lines.close();
        Ok(())
    }

    /// A decision. `is_else` says whether it is the `else` of another one.
    fn if_(
        &mut self,
        branch: &If,
        is_else: bool,
        inside: Inside,
        lines: &mut Lines,
    ) -> Written<()> {
        let If { tests, then, otherwise } = branch;
        if tests.contains(&Statement::Never) {
            return self.body(otherwise, inside, lines);
        }
        let only: Option<Vec<Test>> = tests.iter().map(as_test).collect();
        let goes_on = |body: &[Statement]| -> bool { self.does_something(body, inside) };
        let (is_then, is_otherwise) = (goes_on(then), goes_on(otherwise));
        match only {
            Some(tests) if is_then || is_otherwise => {
                let condition = self.all(&tests)?;
                let (head, then) = match is_then {
                    true => (format!("if {condition}"), then),
                    false => (format!("if not({condition})"), otherwise),
                };
                match is_else {
                    false => lines.open(&head),
                    true => lines.between(&format!("else {head}")),
                }
                self.body(then, inside, lines)?;
                if is_then && is_otherwise {
                    if let [Statement::If(next)] = &otherwise[..]
                        && next.tests.iter().all(|test| as_test(test).is_some())
                    {
                        return self.if_(next, true, inside, lines);
                    }
                    lines.between("else");
                    self.body(otherwise, inside, lines)?;
                }
                lines.close();
                Ok(())
            }
            Some(_) => {
                if is_else {
                    lines.close();
                }
                Ok(())
            }
            None if is_otherwise => self.either(tests, then, otherwise, inside, lines),
            None => {
                self.nested(tests, lines, &mut |writer, lines| writer.body(then, inside, lines))
            }
        }
    }

    /// `then` if all tests hold, and a copy of `otherwise` wherever one of them fails.
    fn either(
        &mut self,
        tests: &[Statement],
        then: &[Statement],
        otherwise: &[Statement],
        inside: Inside,
        lines: &mut Lines,
    ) -> Written<()> {
        let copies = tests.iter().filter(|test| as_test(test).is_some()).count();
        let is_short = matches!(otherwise, [Statement::Do(_) | Statement::Go(_)]);
        if !is_short && copies * size(otherwise) > MOST_COPIED {
            return Err("a decision that reads between its tests");
        }
        match tests.split_first() {
            None => self.body(then, inside, lines),
            Some((Statement::Never, _)) => self.body(otherwise, inside, lines),
            Some((first, rest)) => match as_test(first) {
                Some(test) => {
                    let condition = self.all(&[test])?;
                    lines.open(&format!("if {condition}"));
                    self.either(rest, then, otherwise, inside, lines)?;
                    lines.between("else");
                    self.body(otherwise, inside, lines)?;
                    lines.close();
                    Ok(())
                }
                None => {
                    self.body(std::slice::from_ref(first), inside, lines)?;
                    self.either(rest, then, otherwise, inside, lines)
                }
            },
        }
    }

    /// Whether a body has statements to write.
    fn does_something(&self, body: &[Statement], inside: Inside) -> bool {
        body.iter().any(|one| match (one, inside) {
            (Statement::Go(Target::Block(block)), Inside::Turn) => {
                self.program.turn_of(*block).is_none()
            }
            (Statement::Do(act), _) => !self.is_idle(*act),
            _ => true,
        })
    }

    /// Writes something within tests, and assignments between them.
    fn nested(
        &mut self,
        tests: &[Statement],
        lines: &mut Lines,
        inner: &mut dyn FnMut(&mut Self, &mut Lines) -> Written<()>,
    ) -> Written<()> {
        if tests.contains(&Statement::Never) {
            return Ok(());
        }
        let mut rest = tests;
        let mut opened = 0;
        while let Some((first, behind)) = rest.split_first() {
            let together: Vec<Test> = rest.iter().map_while(as_test).collect();
            if together.is_empty() {
                self.statement(first, Inside::Check, lines)?;
                rest = behind;
                continue;
            }
            let condition = self.all(&together)?;
            lines.open(&format!("if {condition}"));
            opened += 1;
            rest = &rest[together.len()..];
        }
        inner(self, lines)?;
        (0..opened).for_each(|_| lines.close());
        Ok(())
    }

    /// The text of a graph.
    pub(super) fn graph(&mut self, graph: Graph) -> Written<String> {
        let program = self.program;
        let name = self.graphs[&graph].clone();
        let mut lines = Lines::default();
        let comment = |block: BlockId| program.blocks[block.place()].comment.as_deref();
        let mut text = String::new();
        let quote = |quoted: Option<&str>, text: &mut String| {
            quoted.into_iter().flat_map(str::lines).for_each(|line| push_comment(text, line));
        };
        lines.open(&format!("graph {name}()"));
        match graph {
            Graph::Turn(block) => {
                let turn = program.turn_of(block).and_then(|place| program.turns.get(place));
                let turn = turn.ok_or("a turn that is none")?;
                let own = &program.blocks[turn.block.place()].body;
                self.judge(turn.judge, &mut lines)?;
                for one in own {
                    if let Statement::Go(Target::Block(ply)) = one {
                        quote(comment(*ply), &mut text);
                    }
                }
                self.body(own, Inside::Turn, &mut lines)?;
            }
            Graph::Over => {
                quote(comment(program.over), &mut text);
                self.body(&program.blocks[program.over.place()].body, Inside::Turn, &mut lines)?;
            }
            Graph::Routine(block) => {
                quote(comment(block), &mut text);
                let parameters = &program.blocks[block.place()].parameters;
                if !parameters.is_empty() {
                    let parameters: Vec<String> =
                        parameters.iter().map(|&slot| self.slot(slot)).collect();
                    push_comment(&mut text, &format!("Parameters: {}.", parameters.join(", ")));
                }
                let own = Statement::Go(Target::Block(block));
                match &program.blocks[block.place()].body[..] {
                    [Statement::Choice(ways)]
                        if ways.iter().any(|way| way.last() == Some(&own)) =>
                    {
                        self.rounds(ways, block, &mut lines)?;
                    }
                    [Statement::Choice(ways)] => {
                        self.branch(ways, Inside::Routine(block, false), &mut lines)?;
                    }
                    decided => {
                        lines.open("loop");
                        self.body(decided, Inside::Routine(block, true), &mut lines)?;
                        lines.close();
                    }
                }
            }
            Graph::Check(check) => {
                self.branch(&program.checks[check.0 as usize], Inside::Check, &mut lines)?;
            }
        }
        lines.close();
        text.push_str(&lines.text);
        Ok(text)
    }

    /// The loop of a routine that calls itself at its end.
    fn rounds(&mut self, ways: &[Body], own: BlockId, lines: &mut Lines) -> Written<()> {
        lines.open("loop");
        for (number, way) in ways.iter().enumerate() {
            match number {
                0 => lines.open("branch"),
                _ => lines.between("or"),
            }
            self.body(way, Inside::Routine(own, true), lines)?;
            if !matches!(way.last(), Some(Statement::Go(_))) {
                lines.push("return()");
            }
        }
        lines.close();
        lines.close();
        Ok(())
    }

    /// Writes the test for the end of the play before a turn.
    fn judge(&mut self, judge: BlockId, lines: &mut Lines) -> Written<()> {
        let program = self.program;
        match &program.blocks[judge.place()].body[..] {
            // No jump leads there, or the play is never over.
            [] | [Statement::Choice(_)] => Ok(()),
            body => self.body(body, Inside::Turn, lines),
        }
    }
}

/// Joins bodies that begin with the same test or assignment: the statement, and then a choice of
/// the rests.
fn together(ways: &[Body]) -> Vec<Body> {
    let mut groups: Vec<(Option<&Statement>, Vec<&Body>)> = Vec::new();
    for way in ways {
        let first = way.first().filter(|first| {
            way.len() > 1 && matches!(first, Statement::Test(_) | Statement::Do(_))
        });
        match groups.iter_mut().find(|(other, _)| first.is_some() && *other == first) {
            Some((_, group)) => group.push(way),
            None => groups.push((first, vec![way])),
        }
    }
    let of_group = |(first, group): (Option<&Statement>, Vec<&Body>)| match (first, &group[..]) {
        (Some(first), [_, _, ..]) => {
            let rests = group.iter().map(|way| way[1..].to_vec()).collect();
            vec![first.clone(), Statement::Choice(rests)]
        }
        _ => group[0].clone(),
    };
    groups.into_iter().map(of_group).collect()
}

/// The test of a statement, if it is one.
pub(super) fn as_test(statement: &Statement) -> Option<Test> {
    match statement {
        Statement::Test(test) => Some(*test),
        _ => None,
    }
}
