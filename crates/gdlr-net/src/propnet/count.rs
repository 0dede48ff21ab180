//! The counter of a node, and the value that its readers know.

/// How many operands of a node are true, less what it takes to be true: the node is true just
/// when that is not negative. The lowest bit is the value that its
/// readers know, so that a count goes in steps of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(i32);

impl Count {
    /// Operands that are true, less what it takes. Readers know it as false.
    pub fn new(count: i32) -> Count {
        Count(count << 1)
    }

    /// Whether the node is true.
    #[inline]
    pub fn value(self) -> bool {
        self.0 >= 0
    }

    /// The value that readers know.
    #[inline]
    pub fn published(self) -> bool {
        self.0 & 1 == 1
    }

    /// One more operand is true, or one less. Returns whether that changes the value.
    #[inline]
    pub fn add(&mut self, more: bool) -> bool {
        let before = self.0;
        self.0 += if more { 2 } else { -2 };
        (before ^ self.0) < 0
    }

    /// Makes a node without operands true or false.
    #[inline]
    pub fn set(&mut self, value: bool) {
        self.0 = if value { 0 } else { -2 } | self.0 & 1;
    }

    /// Makes the value known to readers. Returns whether it differs from the one that they know.
    #[inline]
    pub fn publish(&mut self) -> bool {
        let changed = self.value() != self.published();
        self.0 ^= i32::from(changed);
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_hear_what_is_news_to_them() {
        let mut and = Count::new(-2);
        assert!(!and.value() && !and.published() && !and.publish());
        assert!(!and.add(true), "one of two operands");
        assert!(and.add(true) && and.value() && !and.published());
        assert!(and.add(false) && !and.publish(), "it became true and false again");
        assert!(and.add(true) && and.publish() && and.published() && and.value());
        assert!(!and.publish(), "they know");
        assert!(and.add(false) && and.published() && !and.value());
        assert!(and.publish() && !and.published());
    }

    #[test]
    fn what_is_set_does_not_say_what_was_told() {
        let mut latch = Count::new(-1);
        for value in [true, false] {
            latch.set(value);
            latch.set(value);
            assert_eq!((latch.value(), latch.published()), (value, !value));
            assert!(latch.publish() && latch.published() == value && !latch.publish());
        }
    }
}
