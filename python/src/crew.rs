//! Threads that do the same work at once, step after step.
//!
//! A step of lanes takes some ten microseconds, and the next one follows at once; to wake up a
//! thread that sleeps takes as long. So the threads stay awake for a while between steps, and the
//! caller until the last one is done. With a pool of the crate `rayon`, whose threads sleep sooner
//! and whose caller sleeps at once, two threads were 1.2 times as fast as one in tictactoe, and
//! 1.4 times in connect4 (`python/benches/overhead.py`).

use crate::awake::{wait_a_while, wait_until};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::thread::{self, Builder, Thread};

/// What each of the threads does, by its number.
type Work<'w> = &'w (dyn Fn(usize) + Sync);

/// Threads that wait for work.
pub struct Crew {
    shared: Arc<Shared>,
    /// Those of the numbers from 1 on; the caller is number 0.
    threads: Vec<Thread>,
    /// The process that they are threads of.
    process: u32,
}

/// What the threads and the caller have in common.
struct Shared {
    /// What is to be done, while some threads are busy: a pointer to the caller's stack.
    work: AtomicPtr<Work<'static>>,
    /// How often there was work. A new number begins it.
    round: AtomicUsize,
    /// How many threads are not done with it.
    busy: AtomicUsize,
    has_panicked: AtomicBool,
    /// Whether the next round is the end.
    is_over: AtomicBool,
}

impl Crew {
    /// So many threads, with the one that calls.
    pub fn new(threads: usize) -> io::Result<Crew> {
        let shared = Arc::new(Shared {
            work: AtomicPtr::new(ptr::null_mut()),
            round: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            has_panicked: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
        });
        let mut crew = Crew { shared, threads: Vec::new(), process: process::id() };
        for number in 1..threads {
            let shared = crew.shared.clone();
            let of_lanes = Builder::new().name(format!("gdlr lanes {number}"));
            let handle = of_lanes.spawn(move || shared.work_as(number))?;
            crew.threads.push(handle.thread().clone());
        }
        Ok(crew)
    }

    /// Does some work, on all threads at once.
    ///
    /// # Panics
    ///
    /// When the work panics, as soon as all are done; when the process is a fork and cannot have
    /// threads of its own.
    pub fn run(&mut self, work: Work<'_>) {
        if self.process != process::id() {
            *self = Crew::new(self.threads.len() + 1).expect("as many threads as the parent has");
        }
        let shared = &*self.shared;
        shared.work.store((&raw const work).cast_mut().cast(), Ordering::Relaxed);
        shared.busy.store(self.threads.len(), Ordering::Relaxed);
        self.begin_round();
        let own = catch_unwind(AssertUnwindSafe(|| work(0)));
        // What the threads work on is borrowed until they are done.
        wait_until(|| shared.busy.load(Ordering::Acquire) == 0);
        if let Err(panic) = own {
            resume_unwind(panic);
        }
        assert!(!shared.has_panicked.swap(false, Ordering::Relaxed), "a thread of lanes panicked");
    }

    /// Tells all threads.
    fn begin_round(&self) {
        self.shared.round.fetch_add(1, Ordering::Release);
        self.threads.iter().for_each(Thread::unpark);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        // They end by themselves; in a fork of the process there are none to wait for.
        self.begin_round();
    }
}

impl Shared {
    /// What a thread does from its beginning to its end.
    fn work_as(&self, number: usize) {
        for round in 1.. {
            let has_begun = || self.round.load(Ordering::Acquire) == round;
            while !wait_a_while(has_begun) {
                thread::park();
            }
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            // SAFETY: the caller of `run` wrote the pointer before the round began, and neither
            // returns nor writes another one before this thread is no longer busy.
            let work = unsafe { *self.work.load(Ordering::Relaxed) };
            if catch_unwind(AssertUnwindSafe(|| work(number))).is_err() {
                self.has_panicked.store(true, Ordering::Relaxed);
            }
            self.busy.fetch_sub(1, Ordering::Release);
        }
    }
}
