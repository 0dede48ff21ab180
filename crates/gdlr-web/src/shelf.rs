//! Things that the service keeps by name, a bounded number of them.

use hashbrown::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Things by name, at most so many. When one more is put there, the one that nobody has asked for
/// in the longest time makes room, if it may go.
#[derive(Debug)]
pub struct Shelf<T> {
    most: usize,
    /// A thing that nobody has asked for in this time may go.
    rest: Duration,
    things: Mutex<HashMap<String, (Arc<T>, Instant)>>,
}

impl<T> Shelf<T> {
    pub fn new(most: usize, rest: Duration) -> Shelf<T> {
        Shelf { most, rest, things: Mutex::default() }
    }

    fn things(&self) -> MutexGuard<'_, HashMap<String, (Arc<T>, Instant)>> {
        // Nothing panics while it is held.
        self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thing of a name, which has been asked for by that.
    pub fn get(&self, name: &str) -> Option<Arc<T>> {
        let mut things = self.things();
        let (thing, asked) = things.get_mut(name)?;
        *asked = Instant::now();
        Some(thing.clone())
    }

    /// Puts a thing there, and gives what had to go for it: `Ok(None)` where there was room. A thing
    /// goes only if nobody else holds it. What has the same name already stays, and the new thing is
    /// dropped.
    pub fn put(&self, name: &str, thing: Arc<T>) -> Result<Option<Arc<T>>, Full> {
        let mut things = self.things();
        if things.contains_key(name) {
            return Ok(None);
        }
        let mut gone = None;
        if things.len() >= self.most {
            let may_go = |(thing, asked): &(Arc<T>, Instant)| {
                Arc::strong_count(thing) == 1 && asked.elapsed() >= self.rest
            };
            let oldest = things.iter().filter(|(_, kept)| may_go(kept));
            let oldest = oldest.min_by_key(|(_, kept)| kept.1).map(|(name, _)| name.clone());
            let oldest = oldest.ok_or(Full)?;
            gone = things.remove(&oldest).map(|(thing, _)| thing);
        }
        things.insert(name.to_owned(), (thing, Instant::now()));
        Ok(gone)
    }

    /// Takes a thing away.
    pub fn take(&self, name: &str) -> Option<Arc<T>> {
        self.things().remove(name).map(|(thing, _)| thing)
    }

    /// How many things are such.
    pub fn count(&self, is_such: impl Fn(&T) -> bool) -> usize {
        self.things().values().filter(|(thing, _)| is_such(thing)).count()
    }

    /// All things that nobody has asked for in this time.
    pub fn idle(&self, time: Duration) -> Vec<Arc<T>> {
        let things = self.things();
        let idle = things.values().filter(|(_, asked)| asked.elapsed() >= time);
        idle.map(|(thing, _)| thing.clone()).collect()
    }
}

/// There is no room, and nothing may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_holds_makes_room() {
        let shelf = Shelf::new(2, Duration::ZERO);
        assert_eq!(shelf.put("a", Arc::new(1)), Ok(None));
        assert_eq!(shelf.put("b", Arc::new(2)), Ok(None));
        // Asked for later than the other.
        assert_eq!(shelf.get("a").as_deref(), Some(&1));
        assert_eq!(shelf.put("c", Arc::new(3)), Ok(Some(Arc::new(2))));
        assert_eq!(shelf.get("b"), None);
        let (a, c) = (shelf.get("a"), shelf.get("c"));
        assert_eq!(shelf.put("d", Arc::new(4)), Err(Full));
        drop((a, c));
        assert_eq!(shelf.put("a", Arc::new(9)), Ok(None));
        assert_eq!(shelf.take("a").as_deref(), Some(&1));
        assert_eq!(shelf.put("d", Arc::new(4)), Ok(None));
        assert_eq!(shelf.idle(Duration::ZERO).len(), 2);
        assert_eq!(shelf.count(|thing| *thing > 3), 1);
    }

    #[test]
    fn what_was_asked_for_lately_stays() {
        let shelf = Shelf::new(1, Duration::from_secs(3600));
        assert_eq!(shelf.put("a", Arc::new(1)), Ok(None));
        assert_eq!(shelf.put("b", Arc::new(2)), Err(Full));
        assert!(shelf.idle(Duration::from_secs(1800)).is_empty());
    }
}
