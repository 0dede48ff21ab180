//! The value of a state as one number, from the view of the first role.
//!
//! It is the difference of the goal values of the two roles, in small units. A step towards zero
//! for each joint move on the way makes a near win better than a far one, and a far loss better
//! than a near one. Estimates lie strictly between the least and the greatest difference.

/// A value; greater is better for the first role.
pub(super) type Value = i32;

/// The value of one point of difference between the goals.
const POINT: Value = 1 << 20;

/// Estimates are multiples of so much. It is more than twice the longest way, so no step towards
/// zero turns a sign or makes an estimate pass another one.
const GRAIN: Value = 1 << 10;

/// The most joint moves that are looked ahead.
pub(super) const MOST_STEPS: usize = 256;

/// More than any value.
pub(super) const INFINITE: Value = 101 * POINT;

/// The greatest difference of goals.
const MOST_POINTS: i32 = 100;

/// The result of a search for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The value: exact, or a bound if the window of the search says so.
    pub value: Value,
    /// Whether no estimate goes into it: the ends of the game alone say that it holds.
    pub settled: bool,
}

/// The value of an end: goals that differ by so much, after so many steps.
pub(super) fn of_difference(points: i32, steps: usize) -> Value {
    nearer_zero(points * POINT, steps)
}

/// The value of an estimate from -1 (lost) to 1 (won), after so many steps.
pub(super) fn of_estimate(estimate: f32, steps: usize) -> Value {
    let most = f64::from(MOST_POINTS * POINT - POINT);
    let whole = (f64::from(estimate.clamp(-1.0, 1.0)) * most) as Value;
    nearer_zero(whole / GRAIN * GRAIN, steps)
}

/// A value as it is seen so many steps before.
pub(super) fn nearer_zero(value: Value, steps: usize) -> Value {
    value - value.signum() * steps as Value
}

/// A value as it is seen so many steps later.
pub(super) fn farther_from_zero(value: Value, steps: usize) -> Value {
    value + value.signum() * steps as Value
}

/// The difference of goals that a value stands for, in points.
pub(super) fn points(value: Value) -> f32 {
    value as f32 / POINT as f32
}

/// The same as a whole number, of a value that is settled.
pub(super) fn whole_points(value: Value) -> i32 {
    (value + value.signum() * POINT / 2) / POINT
}

/// How many steps an end is away, by a settled value that is not 0.
pub(super) fn steps(value: Value) -> usize {
    (whole_points(value) * POINT - value).unsigned_abs() as usize
}

/// Whether nothing can be better for the one to whom greater values are better.
pub(super) fn is_best(value: Value) -> bool {
    whole_points(value) == MOST_POINTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_wins_and_far_losses_are_better_and_estimates_lie_between() {
        let (near, far) = (of_difference(100, 1), of_difference(100, MOST_STEPS));
        assert!(near > far && far > of_estimate(1.0, 0));
        let (soon, late) = (of_difference(-100, 1), of_difference(-100, MOST_STEPS));
        assert!(soon < late && late < of_estimate(-1.0, 0));
        assert_eq!((steps(near), steps(late)), (1, MOST_STEPS));
        assert_eq!((whole_points(late), whole_points(of_difference(7, 9))), (-100, 7));
        assert!(is_best(far) && !is_best(late) && !is_best(of_estimate(1.0, 0)));
        assert_eq!(of_difference(0, 77), 0);
    }

    #[test]
    fn steps_there_and_back_change_nothing() {
        for value in [of_difference(-3, 4), of_estimate(0.001, 5), of_estimate(-0.3, 0), 0] {
            let there = farther_from_zero(value, MOST_STEPS);
            assert_eq!(nearer_zero(there, MOST_STEPS), value);
        }
    }
}
