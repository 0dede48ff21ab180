//! The mutexes of a service.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. Nothing panics while one of those of a service is held.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
