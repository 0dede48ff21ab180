//! Which of some numbers belong together: disjoint sets, by union and find (R. Tarjan, 1975).

/// Classes of the numbers from 0 on.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// By number: another one of its class, or itself.
    up: Vec<usize>,
    /// How many classes there are.
    count: usize,
}

impl Classes {
    /// So many numbers, each by itself.
    pub fn new(count: usize) -> Classes {
        Classes { up: (0..count).collect(), count }
    }

    /// Another number, by itself.
    pub fn add(&mut self) -> usize {
        self.up.push(self.up.len());
        self.count += 1;
        self.up.len() - 1
    }

    /// The least number of the class of a number.
    pub fn of(&mut self, mut number: usize) -> usize {
        while self.up[number] != number {
            self.up[number] = self.up[self.up[number]];
            number = self.up[number];
        }
        number
    }

    /// Makes one class of those of two numbers.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        if one != other {
            self.up[one.max(other)] = one.min(other);
            self.count -= 1;
        }
    }

    /// How many classes there are.
    pub fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_number_stands_for_a_class() {
        let mut classes = Classes::new(5);
        classes.join(4, 3);
        classes.join(1, 4);
        classes.join(3, 1);
        assert_eq!((classes.count(), classes.add(), classes.count()), (3, 5, 4));
        let of: Vec<usize> = (0..6).map(|number| classes.of(number)).collect();
        assert_eq!(of, [0, 1, 2, 1, 1, 5]);
    }
}
