//! What a node counts, and what its readers know of it.

/// How many operands of a node are true, less what it takes to be true: the node is true just
/// when that is not negative. And whether its readers have been told that it is, in the lowest
/// bit: a count is of twos, which leaves its sign what it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(i32);

impl Count {
    /// Operands that are true, less what it takes. Nobody has been told anything.
    pub fn new(count: i32) -> Count {
        Count(count << 1)
    }

    /// Whether the node is true.
    #[inline]
    pub fn value(self) -> bool {
        self.0 >= 0
    }

    /// What readers take it for.
    #[inline]
    pub fn told(self) -> bool {
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

    /// Says that readers are told now. Returns whether that is news to them.
    #[inline]
    pub fn tell(&mut self) -> bool {
        let news = self.value() != self.told();
        self.0 ^= i32::from(news);
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_hear_what_is_news_to_them() {
        let mut and = Count::new(-2);
        assert!(!and.value() && !and.told() && !and.tell());
        assert!(!and.add(true), "one of two operands");
        assert!(and.add(true) && and.value() && !and.told());
        assert!(and.add(false) && !and.tell(), "it became true and false again");
        assert!(and.add(true) && and.tell() && and.told() && and.value());
        assert!(!and.tell(), "they know");
        assert!(and.add(false) && and.told() && !and.value());
        assert!(and.tell() && !and.told());
    }

    #[test]
    fn what_is_set_does_not_say_what_was_told() {
        let mut latch = Count::new(-1);
        for value in [true, false] {
            latch.set(value);
            latch.set(value);
            assert_eq!((latch.value(), latch.told()), (value, !value));
            assert!(latch.tell() && latch.told() == value && !latch.tell());
        }
    }
}
