//! How much memory values take, about: what a [`Meter`](crate::budget::Meter) is told.

/// The overhead of an allocation, in bytes, about.
pub const ALLOCATION: usize = 16;

/// A value of which it is known how much memory it owns elsewhere.
pub trait Heap {
    /// The bytes that the value owns elsewhere, about; those that it has itself are not among them.
    fn heap(&self) -> usize;

    /// The bytes of the value and those that it owns elsewhere, about.
    fn whole(&self) -> usize
    where
        Self: Sized,
    {
        size_of::<Self>() + self.heap()
    }
}

impl<T: Heap> Heap for [T] {
    fn heap(&self) -> usize {
        self.iter().map(Heap::heap).sum()
    }
}

impl<T: Heap> Heap for Box<[T]> {
    fn heap(&self) -> usize {
        match self.len() {
            0 => 0,
            _ => ALLOCATION + size_of_val(&self[..]) + self[..].heap(),
        }
    }
}

impl<T: Heap> Heap for Vec<T> {
    fn heap(&self) -> usize {
        match self.capacity() {
            0 => 0,
            room => ALLOCATION + room * size_of::<T>() + self[..].heap(),
        }
    }
}

/// The bytes of an entry in a hash table, about, without what the entry owns elsewhere: tables are half
/// full in the mean of their growth, and have a byte more for each place.
pub const fn table_entry<T>() -> usize {
    2 * (size_of::<T>() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone)]
    struct Plain(#[expect(dead_code, reason = "for its size")] u32);

    impl Heap for Plain {
        fn heap(&self) -> usize {
            0
        }
    }

    #[test]
    fn what_is_within_counts() {
        let row: Box<[Plain]> = vec![Plain(1); 3].into();
        assert_eq!(row.heap(), ALLOCATION + 12);
        assert_eq!(row.whole(), size_of::<Box<[Plain]>>() + ALLOCATION + 12);
        let rows: Box<[Box<[Plain]>]> = vec![row.clone(), row, Vec::new().into()].into();
        let of_rows = 3 * size_of::<Box<[Plain]>>();
        assert_eq!(rows.heap(), ALLOCATION + of_rows + 2 * (ALLOCATION + 12));
        let mut with_room: Vec<Plain> = Vec::with_capacity(8);
        with_room.push(Plain(1));
        assert_eq!(with_room.heap(), ALLOCATION + 8 * 4);
        assert_eq!(Vec::<Plain>::new().heap(), 0);
    }
}
