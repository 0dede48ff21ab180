//! Time, memory and patience.
//!
//! A [`Budget`] is for all of set-up, from a rulesheet to an engine. A [`Meter`] watches one:
//! every loop of set-up borrows it, and says how much it works ([`Meter::spend`]) and how much
//! memory it has taken ([`Meter::hold`]). A loop that is told that the budget is [`Exhausted`]
//! gives up.
//!
//! A piece of work is what takes some nanoseconds: a row, a wire. The clock is read after some
//! thousands of them. Memory is what was counted, not what the process has: a library cannot
//! know what else there is in the process.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much set-up may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Wall-clock time.
    pub time: Duration,
    /// Memory, in bytes. What is counted may take five sixths of it; the rest is for what
    /// allocators and growing tables take beyond.
    pub memory: usize,
    /// Set-up ends soon after this becomes true.
    pub interrupted: Option<&'a AtomicBool>,
}

impl Default for Budget<'_> {
    /// 20 seconds and 2 GiB.
    fn default() -> Self {
        Budget { time: Duration::from_secs(20), memory: 2 << 30, interrupted: None }
    }
}

impl<'a> Budget<'a> {
    /// No limit.
    pub const UNLIMITED: Budget<'static> =
        Budget { time: Duration::MAX, memory: usize::MAX, interrupted: None };

    /// A meter, which runs from now on.
    pub fn start(&self) -> Meter<'a> {
        Meter {
            budget: *self,
            start: Instant::now(),
            work: Cell::new(0),
            most_work: u64::MAX,
            next_look: Cell::new(LOOK),
            held: Default::default(),
            spent: Cell::default(),
            exhausted: Cell::default(),
        }
    }
}

/// The cost of set-up so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Reachable facts, those of auxiliary relations included.
    pub facts: usize,
    /// Ground rules.
    pub rules: usize,
    /// Walks of an automaton that make a move or a part of one, tag by tag; 0 if it is a rulesheet.
    pub walks: usize,
    /// The most tags on such a walk.
    pub tags: usize,
    /// Wall-clock time.
    pub time: Duration,
    /// The most memory at any time, in bytes.
    pub memory: usize,
}

/// The resource that ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Budget::time`].
    Time,
    /// [`Budget::memory`].
    Memory,
    /// [`Budget::interrupted`] became true.
    Interrupted,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Interrupted => "patience",
        })
    }
}

/// Set-up that did not end within its budget. Everything made so far has been freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted {
    /// The resource that ran out.
    pub limit: Limit,
    /// The amounts that had been reached by then.
    pub spent: Spent,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spent { facts, rules, walks, tags, time, memory } = self.spent;
        match self.limit {
            Limit::Interrupted => f.write_str("set-up was interrupted")?,
            limit => write!(f, "set-up ran out of {limit}")?,
        }
        let (seconds, mib) = (time.as_secs_f64(), memory >> 20);
        write!(f, " after {seconds:.1} s: ")?;
        match walks {
            0 => write!(f, "{facts} facts, {rules} rules")?,
            _ => write!(f, "{walks} walks of up to {tags} tags")?,
        }
        write!(f, ", {mib} MiB")
    }
}

impl std::error::Error for Exhausted {}

/// A consumer of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Reachable facts and the indexes on them.
    Facts,
    /// Ground rules.
    Rules,
    /// The net.
    Net,
    /// The net laid out.
    Layout,
    /// An automaton that is worked on.
    Automaton,
    /// Memory that is needed for a while: joins, tables of a pass, the net that it makes.
    Scratch,
}

const KINDS: usize = Memory::Scratch as usize + 1;

/// After so many pieces of work the clock is read.
const LOOK: u64 = 0x1000;

/// One in so many parts of the memory is for what is not counted: of chess and amazonsTorus, the
/// process took up to 21 % more than what was.
const NOT_COUNTED: usize = 6;

/// Watches a budget.
#[derive(Debug)]
pub struct Meter<'a> {
    budget: Budget<'a>,
    start: Instant,
    work: Cell<u64>,
    /// When the work is more, the budget is exhausted.
    most_work: u64,
    /// When the work is so much, the clock is read; 0 once the budget is exhausted.
    next_look: Cell<u64>,
    /// By kind of memory: how many bytes.
    held: [Cell<usize>; KINDS],
    spent: Cell<Spent>,
    exhausted: Cell<Option<Limit>>,
}

impl<'a> Meter<'a> {
    /// A meter that never runs out.
    pub fn unlimited() -> Meter<'static> {
        Budget::UNLIMITED.start()
    }

    /// Some small pieces of work. The clock is read now and then only.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted, from then on.
    #[inline]
    pub fn spend(&self, pieces: usize) -> Result<(), Exhausted> {
        if self.has(pieces) { Ok(()) } else { Err(self.error()) }
    }

    /// The same; whether there is budget for more.
    #[inline]
    pub fn has(&self, pieces: usize) -> bool {
        let work = self.work.get() + pieces as u64;
        self.work.set(work);
        work < self.next_look.get() || self.look()
    }

    /// Reads the clock.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn check(&self) -> Result<(), Exhausted> {
        if self.look() { Ok(()) } else { Err(self.error()) }
    }

    /// When the time is over, if it ever is: for what cannot borrow a meter.
    pub fn deadline(&self) -> Option<Instant> {
        self.start.checked_add(self.budget.time)
    }

    /// How many pieces of work there were.
    pub fn work(&self) -> u64 {
        self.work.get()
    }

    /// Says how much memory of a kind is held by now, in bytes. It is compared with the budget
    /// when the clock is read.
    #[inline]
    pub fn hold(&self, kind: Memory, bytes: usize) {
        self.held[kind as usize].set(bytes);
    }

    /// Says how many facts were found.
    #[inline]
    pub fn set_facts(&self, facts: usize) {
        self.spent.set(Spent { facts, ..self.spent.get() });
    }

    /// Says how many ground rules there are.
    #[inline]
    pub fn set_rules(&self, rules: usize) {
        self.spent.set(Spent { rules, ..self.spent.get() });
    }

    /// Says how many walks of an automaton there are, and how many tags are on the longest.
    pub fn set_walks(&self, walks: usize, tags: usize) {
        self.spent.set(Spent { walks, tags, ..self.spent.get() });
    }

    /// The work spent until the clock was last read.
    pub fn spent(&self) -> Spent {
        self.spent.get()
    }

    /// A meter of the same budget, for something that must leave one in so many parts of the
    /// remaining time to what comes after it. What is held goes along.
    pub fn leaving_one_in(&self, parts: u32) -> Meter<'a> {
        let left = self.budget.time.saturating_sub(self.start.elapsed());
        let time = self.budget.time - left / parts;
        Meter {
            budget: Budget { time, ..self.budget },
            start: self.start,
            work: Cell::new(self.work.get()),
            most_work: self.most_work,
            next_look: self.next_look.clone(),
            held: self.held.clone(),
            spent: self.spent.clone(),
            exhausted: self.exhausted.clone(),
        }
    }

    /// A meter of the same budget, for something that may take one in so many parts of the
    /// remaining time. What is held goes along.
    pub fn taking_one_in(&self, parts: u32) -> Meter<'a> {
        let left = self.budget.time.saturating_sub(self.start.elapsed());
        let part = self.leaving_one_in(1);
        let time = part.budget.time.saturating_add(left / parts).min(self.budget.time);
        Meter { budget: Budget { time, ..part.budget }, ..part }
    }

    /// A meter of the same budget for something that may take so many pieces of work, whatever time
    /// there is: it ends at the same place on every machine. What is held goes along.
    pub fn within_work(&self, pieces: u64) -> Meter<'a> {
        let whole = u32::MAX;
        let most_work = self.most_work.min(self.work.get().saturating_add(pieces));
        Meter { most_work, ..self.leaving_one_in(whole) }
    }

    #[cold]
    fn look(&self) -> bool {
        self.next_look.set(self.work.get() + LOOK);
        let mut spent = self.spent.get();
        let held = self.held.iter().map(Cell::get).fold(0, usize::saturating_add);
        spent.time = self.start.elapsed();
        spent.memory = spent.memory.max(held);
        self.spent.set(spent);
        let Budget { time, memory, interrupted } = self.budget;
        if self.exhausted.get().is_none() {
            self.exhausted.set(if interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                Some(Limit::Interrupted)
            } else if held > memory - memory / NOT_COUNTED {
                Some(Limit::Memory)
            } else if spent.time > time || self.work.get() > self.most_work {
                Some(Limit::Time)
            } else {
                None
            });
        }
        if self.exhausted.get().is_some() {
            self.next_look.set(0);
        }
        self.exhausted.get().is_none()
    }

    #[cold]
    fn error(&self) -> Exhausted {
        let limit = self.exhausted.get().expect("only an exhausted budget is an error");
        Exhausted { limit, spent: self.spent.get() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meter_looks_now_and_then() {
        let stop = AtomicBool::new(false);
        let meter = Budget { interrupted: Some(&stop), ..Budget::UNLIMITED }.start();
        stop.store(true, Ordering::Relaxed);
        assert!(meter.has(1) && meter.spend(LOOK as usize - 2).is_ok());
        assert_eq!(meter.spend(1).map_err(|e| e.limit), Err(Limit::Interrupted));
        stop.store(false, Ordering::Relaxed);
        assert!(!meter.has(1) && meter.check().is_err());
    }

    #[test]
    fn memory_of_all_kinds_counts() {
        let meter = Budget { memory: 120, ..Budget::UNLIMITED }.start();
        meter.hold(Memory::Facts, 90);
        meter.hold(Memory::Net, 20);
        meter.hold(Memory::Facts, 10);
        assert!(meter.check().is_ok());
        meter.hold(Memory::Net, 91);
        assert_eq!(meter.check().map_err(|e| (e.limit, e.spent.memory)), Err((Limit::Memory, 101)));
    }

    #[test]
    fn what_has_grown_is_said() {
        let said = |count: &dyn Fn(&Meter<'_>)| {
            let meter = Budget { time: Duration::ZERO, ..Budget::UNLIMITED }.start();
            count(&meter);
            meter.check().expect_err("no time").to_string()
        };
        let rules = said(&|meter| (meter.set_facts(3), meter.set_rules(4)).0);
        assert_eq!(rules, "set-up ran out of time after 0.0 s: 3 facts, 4 rules, 0 MiB");
        let walks = said(&|meter| meter.set_walks(5, 2));
        assert_eq!(walks, "set-up ran out of time after 0.0 s: 5 walks of up to 2 tags, 0 MiB");
    }

    #[test]
    fn a_part_of_the_time_ends_before_all_of_it() {
        let meter = Budget { time: Duration::from_secs(1000), ..Budget::UNLIMITED }.start();
        assert!((749..=751).contains(&meter.leaving_one_in(4).budget.time.as_secs()));
        assert!((249..=251).contains(&meter.taking_one_in(4).budget.time.as_secs()));
        let none = meter.leaving_one_in(1);
        assert_eq!(none.check().map_err(|e| e.limit), Err(Limit::Time));
        assert!(meter.check().is_ok() && Meter::unlimited().leaving_one_in(4).check().is_ok());
    }

    #[test]
    fn work_ends_at_a_bound_of_its_own() {
        let meter = Meter::unlimited();
        let part = meter.within_work(2 * LOOK);
        let mut pieces = 0;
        while part.has(1) {
            pieces += 1;
        }
        assert!((2 * LOOK..=4 * LOOK).contains(&pieces), "{pieces}");
        assert_eq!(part.check().map_err(|e| e.limit), Err(Limit::Time));
        assert!(meter.has(1));
    }
}
