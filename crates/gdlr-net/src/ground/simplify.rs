//! Facts that turn out never or always true simplify the rules, until nothing changes.
//!
//! A rule with a condition that is never met goes; a condition that is always met is left
//! out. A fact with a rule without conditions is always true; so is a fluent that is true at
//! first and whose successor is always true. What no remaining rule derives, negation
//! ignored, is never true: a fixpoint over the ground rules by counting, linear in them.

use super::instantiate::Instances;
use gdlr_text::budget::{Exhausted, Memory, Meter};
use gdlr_text::graph::{Adjacency, Worklist};

/// The value of a fact, if it is the same in all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    /// True in no state.
    Never,
    /// True in every state.
    Always,
    /// Depends on the state.
    Varies,
}

/// A fact that follows from another one in the state before or, for moves, in this one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub to: u32,
    pub from: u32,
    pub kind: LinkKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkKind {
    /// From `init` to `true`.
    Init,
    /// From `next` to `true`.
    Next,
    /// From `legal` to `does`.
    Legal,
}

/// How often the rules are gone through. Public rulesheets take three rounds at most; a chain
/// of negations of which every second link is known only after the one before could take as
/// many as it is long. What is not found to be constant is taken to vary.
const MOST_ROUNDS: usize = 100;

/// How much memory is needed for each fact, for each rule, and for each link, about.
const TABLES: [usize; 3] = [20, 4, size_of::<Link>() + 4];

/// The rules that remain, without conditions that are always met, and what is known of the
/// facts.
pub(super) fn simplify(
    mut rules: Instances,
    facts: usize,
    statics: impl Fn(u32) -> bool,
    links: &[Link],
    meter: &Meter<'_>,
) -> Result<(Instances, Vec<Truth>), Exhausted> {
    let mut truth = vec![Truth::Varies; facts];
    for _ in 0..MOST_ROUNDS {
        let before = (rules.len(), rules.literals.len());
        // Who reads what; then the rules that are kept.
        let sizes = [facts, rules.len(), links.len()].into_iter().zip(TABLES);
        let tables: usize = sizes.map(|(count, bytes)| count * bytes).sum();
        meter.hold(Memory::Scratch, rules.bytes() + tables);
        always(&rules, &mut truth, &statics, links, meter)?;
        never(&rules, &mut truth, &statics, links, meter)?;
        rules = filter(&rules, &truth, meter)?;
        meter.hold(Memory::Rules, rules.bytes());
        if before == (rules.len(), rules.literals.len()) {
            break;
        }
    }
    meter.check()?;
    Ok((rules, truth))
}

/// The truth of a literal.
fn value(truth: &[Truth], literal: u32) -> Truth {
    match (truth[(literal >> 1) as usize], literal & 1) {
        (Truth::Always, 1) => Truth::Never,
        (Truth::Never, 1) => Truth::Always,
        (known, _) => known,
    }
}

/// By fact: the numbers of the rules that read it positively.
fn readers(
    rules: &Instances,
    facts: usize,
    meter: &Meter<'_>,
) -> Result<(Vec<u32>, Vec<u32>), Exhausted> {
    meter.spend(rules.literals.len())?;
    let mut starts = vec![0u32; facts + 1];
    for literal in rules.literals.iter().filter(|&l| l & 1 == 0) {
        starts[(literal >> 1) as usize + 1] += 1;
    }
    for fact in 0..facts {
        starts[fact + 1] += starts[fact];
    }
    let mut fill = starts.clone();
    let mut readers = vec![0u32; starts[facts] as usize];
    for rule in 0..rules.len() {
        for literal in rules.body(rule).iter().filter(|&l| l & 1 == 0) {
            let slot = &mut fill[(literal >> 1) as usize];
            readers[*slot as usize] = rule as u32;
            *slot += 1;
        }
        meter.spend(rules.body(rule).len())?;
    }
    Ok((starts, readers))
}

/// How often candidates are tried before none are believed.
const ROUNDS: usize = 32;

/// Marks facts that are always true, by induction: some fluents that are true at first are
/// taken to be true now; those whose successor does not follow are dropped, until the
/// successors of all that are left do.
fn always(
    rules: &Instances,
    truth: &mut [Truth],
    statics: &impl Fn(u32) -> bool,
    links: &[Link],
    meter: &Meter<'_>,
) -> Result<(), Exhausted> {
    let of_kind = |kind| links.iter().filter(move |link: &&Link| link.kind == kind);
    let mut believed = vec![false; truth.len()];
    of_kind(LinkKind::Init).for_each(|link| believed[link.to as usize] = true);
    let readers = readers(rules, truth.len(), meter)?;
    for round in 0.. {
        meter.check()?;
        if round == ROUNDS {
            believed.fill(false);
        }
        let certain = closure(rules, truth, statics, &readers, &believed, meter)?;
        let mut follows = vec![false; truth.len()];
        of_kind(LinkKind::Next).filter(|link| certain[link.from as usize]).for_each(|link| {
            follows[link.to as usize] = true;
        });
        let mut dropped = false;
        for (believed, follows) in believed.iter_mut().zip(follows) {
            dropped |= *believed && !follows;
            *believed &= follows;
        }
        if !dropped {
            for (truth, certain) in truth.iter_mut().zip(certain) {
                if certain {
                    *truth = Truth::Always;
                }
            }
            break;
        }
    }
    Ok(())
}

/// The facts that follow from those true in the state; a negated fact counts only if it is never true.
fn closure(
    rules: &Instances,
    truth: &[Truth],
    statics: &impl Fn(u32) -> bool,
    (starts, readers): &(Vec<u32>, Vec<u32>),
    believed: &[bool],
    meter: &Meter<'_>,
) -> Result<Vec<bool>, Exhausted> {
    let certain = |fact: &u32| statics(*fact) || believed[*fact as usize];
    let mut open = Worklist::new(truth.len());
    open.extend((0..truth.len() as u32).filter(certain));
    let mut missing = vec![0u32; rules.len()];
    for (rule, missing) in missing.iter_mut().enumerate() {
        let unmet = |l: &&u32| !(**l & 1 == 1 && value(truth, **l) == Truth::Always);
        meter.spend(1 + rules.body(rule).len())?;
        *missing = rules.body(rule).iter().filter(unmet).count() as u32;
        if *missing == 0 {
            open.push(rules.heads[rule]);
        }
    }
    while let Some(fact) = open.pop() {
        let fact = fact as usize;
        let readers = &readers[starts[fact] as usize..starts[fact + 1] as usize];
        meter.spend(1 + readers.len())?;
        for &rule in readers {
            missing[rule as usize] -= 1;
            if missing[rule as usize] == 0 {
                open.push(rules.heads[rule as usize]);
            }
        }
    }
    Ok(open.into_met())
}

/// Marks facts that no rule can derive.
fn never(
    rules: &Instances,
    truth: &mut [Truth],
    statics: &impl Fn(u32) -> bool,
    links: &[Link],
    meter: &Meter<'_>,
) -> Result<(), Exhausted> {
    let (starts, readers) = readers(rules, truth.len(), meter)?;
    let mut missing = vec![0u32; rules.len()];
    let mut open = Worklist::new(truth.len());
    let given = |&fact: &u32| statics(fact) || truth[fact as usize] == Truth::Always;
    open.extend((0..truth.len() as u32).filter(given));
    for (rule, count) in missing.iter_mut().enumerate() {
        let body = rules.body(rule);
        meter.spend(1 + body.len())?;
        if body.iter().any(|&l| value(truth, l) == Truth::Never) {
            *count = u32::MAX;
            continue;
        }
        *count = body.iter().filter(|&l| l & 1 == 0).count() as u32;
        if *count == 0 {
            open.push(rules.heads[rule]);
        }
    }
    let linked = Adjacency::new(truth.len(), || links.iter().map(|link| (link.from, link.to)));
    while let Some(fact) = open.pop() {
        let place = fact as usize;
        let readers = &readers[starts[place] as usize..starts[place + 1] as usize];
        meter.spend(1 + readers.len())?;
        for &rule in readers {
            let count = &mut missing[rule as usize];
            if *count != u32::MAX {
                *count -= 1;
                if *count == 0 {
                    open.push(rules.heads[rule as usize]);
                }
            }
        }
        open.extend(linked.of(place).iter().copied());
    }
    for (truth, derived) in truth.iter_mut().zip(open.into_met()) {
        if !derived {
            *truth = Truth::Never;
        }
    }
    Ok(())
}

/// The rules that can fire, without conditions that are always met. A fact that is always
/// true keeps no rule.
fn filter(rules: &Instances, truth: &[Truth], meter: &Meter<'_>) -> Result<Instances, Exhausted> {
    let mut kept = Instances::default();
    for rule in 0..rules.len() {
        let (head, body) = (rules.heads[rule], rules.body(rule));
        meter.spend(1 + body.len())?;
        if truth[head as usize] == Truth::Varies
            && body.iter().all(|&l| value(truth, l) != Truth::Never)
        {
            kept.push(head, body.iter().copied().filter(|&l| value(truth, l) == Truth::Varies));
        }
    }
    Ok(kept)
}
