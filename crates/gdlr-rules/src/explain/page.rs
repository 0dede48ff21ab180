//! An explanation as lines for people.
//!
//! The support of a sentence stands below it, further to the right. A step that was shown before is
//! referred to by its number; and what would stand too far to the right comes later, as a tree of
//! its own. Steps to be shown stand on a stack of their own, so that no derivation is too deep.

use super::explanation::{Attempt, Condition, ConditionKind, Explanation, StepId, Stranger, Why};
use gdlr_text::diagnostic::Span;
use std::collections::VecDeque;

/// How far to the right a tree goes.
const DEEPEST: usize = 16;

/// The content of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Something that holds.
    Holds,
    /// Something that does not hold.
    Fails,
    /// A rule that could give what stands above.
    Rule,
}

/// A line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How far it stands to the right. A line at 0 begins a tree.
    pub depth: usize,
    /// The kind of the line: whether its sentence holds.
    pub mark: Mark,
    /// The number by which other lines refer to it.
    pub number: Option<usize>,
    /// The sentence, the condition, or the head of the rule.
    pub text: String,
    /// Where the rule stands that gives it.
    pub place: Option<Span>,
    /// A note, in words.
    pub note: String,
}

impl Explanation {
    /// The explanation as lines, from top to bottom. Linear in the explanation.
    pub fn lines(&self) -> Vec<Line> {
        let mut page = Page {
            explanation: self,
            lines: Vec::new(),
            uses: vec![0; self.steps.len()],
            numbers: vec![None; self.steps.len()],
            shown: vec![false; self.steps.len()],
            numbered: 0,
            stack: Vec::new(),
            later: VecDeque::new(),
        };
        page.count();
        for &answer in &self.answers {
            page.tree(answer);
            let strangers = self.strangers.iter().map(Stranger::line);
            page.lines.splice(1.min(page.lines.len())..1.min(page.lines.len()), strangers);
            while let Some(step) = page.later.pop_front() {
                page.shown[step.index()] = false;
                page.tree(step);
            }
        }
        page.lines
    }
}

impl Stranger {
    /// That no rule gives the constant, and which ones there are.
    fn line(&self) -> Line {
        let there = match &self.variable {
            Some(variable) => format!("for {variable}"),
            None => "here".to_owned(),
        };
        let more = if self.more > 0 { format!(" and {} more", self.more) } else { String::new() };
        let meant = match &self.nearest {
            Some(nearest) => format!("; did you mean {nearest}?"),
            None => String::new(),
        };
        Line {
            depth: 1,
            mark: Mark::Fails,
            number: None,
            text: self.constant.clone(),
            place: None,
            note: format!("no rule gives it {there}, but {}{more}{meant}", self.instead.join(", ")),
        }
    }
}

/// The steps that are still to be shown.
enum Item<'x> {
    Step(StepId),
    Condition { condition: &'x Condition, holds: bool, note: &'static str },
    Attempt(&'x Attempt),
}

struct Page<'x> {
    explanation: &'x Explanation,
    lines: Vec<Line>,
    /// By step: how often it is referred to.
    uses: Vec<usize>,
    /// By step: its number, if it has one.
    numbers: Vec<Option<usize>>,
    /// By step: whether what it rests on was shown, or will be.
    shown: Vec<bool>,
    numbered: usize,
    stack: Vec<(usize, Item<'x>)>,
    /// Steps that are shown as trees of their own.
    later: VecDeque<StepId>,
}

impl<'x> Page<'x> {
    fn count(&mut self) {
        let of_step = |why: &'x Why| -> Vec<&'x Condition> {
            match why {
                Why::Rule(instance) => instance.conditions.iter().collect(),
                Why::Nothing { attempts, .. } => {
                    let conditions = |attempt: &'x Attempt| {
                        attempt.instance.conditions.iter().chain(&attempt.failed)
                    };
                    attempts.iter().flat_map(conditions).collect()
                }
                _ => Vec::new(),
            }
        };
        self.explanation.answers.iter().for_each(|answer| self.uses[answer.index()] += 1);
        for step in &self.explanation.steps {
            for below in of_step(&step.why).into_iter().filter_map(|condition| condition.step) {
                self.uses[below.index()] += 1;
            }
        }
    }

    fn tree(&mut self, step: StepId) {
        self.stack.push((0, Item::Step(step)));
        while let Some((depth, item)) = self.stack.pop() {
            match item {
                Item::Step(step) => self.step(step, depth),
                Item::Condition { condition, holds, note } => {
                    self.condition(condition, holds, note, depth);
                }
                Item::Attempt(attempt) => self.attempt(attempt, depth),
            }
        }
    }

    fn number(&mut self, step: StepId) -> usize {
        *self.numbers[step.index()].get_or_insert_with(|| {
            self.numbered += 1;
            self.numbered
        })
    }

    fn step(&mut self, id: StepId, depth: usize) {
        let step = self.explanation.step(id);
        let mark = if step.holds { Mark::Holds } else { Mark::Fails };
        let mut line = Line {
            depth,
            mark,
            number: None,
            text: step.sentence.clone(),
            place: None,
            note: String::new(),
        };
        let rests = match &step.why {
            Why::Rule(instance) => !instance.conditions.is_empty(),
            Why::Nothing { attempts, .. } => !attempts.is_empty(),
            _ => false,
        };
        if let Why::Rule(instance) = &step.why {
            line.place = Some(self.explanation.rule(instance.rule).span);
        }
        if rests && self.shown[id.index()] {
            line.note = format!("see [{}]", self.number(id));
            self.lines.push(line);
            return;
        }
        if rests && depth >= DEEPEST {
            self.shown[id.index()] = true;
            line.note = format!("see [{}] below", self.number(id));
            self.later.push_back(id);
            self.lines.push(line);
            return;
        }
        if rests {
            self.shown[id.index()] = true;
            let is_numbered = self.uses[id.index()] > 1 || self.numbers[id.index()].is_some();
            line.number = is_numbered.then(|| self.number(id));
        }
        match &step.why {
            Why::State => line.note = "in the state".to_owned(),
            Why::Move => line.note = "in the joint move".to_owned(),
            Why::Fact { rule } => line.place = Some(self.explanation.rule(*rule).span),
            Why::Rule(instance) => {
                for condition in instance.conditions.iter().rev() {
                    let item = Item::Condition { condition, holds: true, note: "" };
                    self.stack.push((depth + 1, item));
                }
            }
            Why::Absent { nearest: Some(nearest) } => line.note = format!("but {nearest} holds"),
            Why::Absent { nearest: None } => line.note = "there is none".to_owned(),
            Why::Nothing { attempts, similar } => {
                if attempts.is_empty() {
                    line.note = match &similar[..] {
                        [] => "no rule has such a head".to_owned(),
                        [one] => format!("no rule has such a head, but there is {one}"),
                        many => {
                            format!("no rule has such a head, but there are {}", many.join(", "))
                        }
                    };
                }
                for attempt in attempts.iter().rev() {
                    self.stack.push((depth + 1, Item::Attempt(attempt)));
                }
            }
            Why::Unexplored => line.note = "not looked into".to_owned(),
        }
        self.lines.push(line);
    }

    fn condition(&mut self, condition: &Condition, holds: bool, note: &'static str, depth: usize) {
        // A sentence is shown by its step; below a `not` it is the contrary.
        if let (ConditionKind::Holds, Some(step)) = (condition.kind, condition.step) {
            let before = self.lines.len();
            self.step(step, depth);
            let line = &mut self.lines[before];
            line.text.clone_from(&condition.text);
            line.note = match line.note.is_empty() {
                true => note.to_owned(),
                false if note.is_empty() => std::mem::take(&mut line.note),
                false => format!("{}; {note}", line.note),
            };
            return;
        }
        let note = match (condition.kind, condition.step, holds) {
            (ConditionKind::Not, None, true) if note.is_empty() => "there is none",
            _ => note,
        };
        self.lines.push(Line {
            depth,
            mark: if holds { Mark::Holds } else { Mark::Fails },
            number: None,
            text: condition.text.clone(),
            place: None,
            note: note.to_owned(),
        });
        if let Some(step) = condition.step {
            self.stack.push((depth + 1, Item::Step(step)));
        }
    }

    fn attempt(&mut self, attempt: &'x Attempt, depth: usize) {
        let rule = self.explanation.rule(attempt.instance.rule);
        let note = match (attempt.failed.is_empty(), attempt.complete) {
            (true, true) => "all its conditions hold, but for another sentence",
            (_, true) => "",
            (_, false) => "the closest of those instances that were looked at",
        };
        self.lines.push(Line {
            depth,
            mark: Mark::Rule,
            number: None,
            text: rule.head.clone(),
            place: Some(rule.span),
            note: note.to_owned(),
        });
        let note = if attempt.failed.len() > 1 { "in an `or`" } else { "" };
        for condition in attempt.failed.iter().rev() {
            self.stack.push((depth + 1, Item::Condition { condition, holds: false, note }));
        }
        for condition in attempt.instance.conditions.iter().rev() {
            self.stack.push((depth + 1, Item::Condition { condition, holds: true, note: "" }));
        }
    }
}
