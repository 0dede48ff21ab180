//! Processor time, and medians of what was measured.

/// Processor time of this process; where there is none to be had, time on the wall.
pub struct Clock {
    #[cfg(unix)]
    processor: rustix::time::Timespec,
    #[cfg(not(unix))]
    wall: std::time::Instant,
}

#[cfg(unix)]
impl Clock {
    /// Starts.
    pub fn start() -> Clock {
        Clock { processor: Clock::now() }
    }

    fn now() -> rustix::time::Timespec {
        rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)
    }

    /// Seconds since it was started.
    pub fn seconds(&self) -> f64 {
        let now = Clock::now();
        let seconds = (now.tv_sec - self.processor.tv_sec) as f64;
        seconds + (now.tv_nsec - self.processor.tv_nsec) as f64 / 1e9
    }
}

#[cfg(not(unix))]
impl Clock {
    /// Starts.
    pub fn start() -> Clock {
        Clock { wall: std::time::Instant::now() }
    }

    /// Seconds since it was started.
    pub fn seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }
}

/// The middle value, or the mean of the middle two.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn medians() {
        assert_eq!(median([]), None);
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
