//! Who meets whom: in a round, every choice of players plays every game, with each rotation of
//! sides.

/// The matches to be played. Games and players have numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// By game: how many players it takes, chance not counted.
    pub seats: Vec<usize>,
    /// How many players there are.
    pub players: usize,
    /// How many rounds are played.
    pub rounds: u32,
    /// Whether players change sides: of three roles the second match has the first player in
    /// the third role, and so on. Otherwise each takes the seat that it has by its number.
    pub rotate: bool,
}

/// A match to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The round that it belongs to, from 0.
    pub round: u32,
    /// The game.
    pub game: usize,
    /// By seat: the player.
    pub players: Vec<usize>,
}

impl Schedule {
    /// How many matches that is; `None` if it is more than anybody plays, 2⁶⁴.
    ///
    /// ```
    /// # mod gdlr { pub use gdlr_players::ggp; }
    /// use gdlr::ggp::series::Schedule;
    ///
    /// let schedule = Schedule { seats: vec![2, 3], players: 4, rounds: 10, rotate: true };
    /// assert_eq!(schedule.count(), Some(10 * (6 * 2 + 4 * 3)));
    /// ```
    pub fn count(&self) -> Option<u64> {
        let games = self.seats.iter().map(|&seats| {
            choices(self.players as u64, seats as u64)?.checked_mul(self.sides(seats) as u64)
        });
        let round = games.sum::<Option<u64>>()?;
        round.checked_mul(self.rounds.into())
    }

    /// All matches, round after round, so that players have met alike whenever a series ends.
    pub fn fixtures(&self) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for round in 0..self.rounds {
            for (game, &seats) in self.seats.iter().enumerate() {
                for_each_choice(self.players, seats, |choice| {
                    for side in 0..self.sides(seats) {
                        let mut players = choice.to_vec();
                        players.rotate_left(side);
                        fixtures.push(Fixture { round, game, players });
                    }
                });
            }
        }
        fixtures
    }

    fn sides(&self, seats: usize) -> usize {
        if self.rotate { seats } else { seats.min(1) }
    }
}

/// How many ways there are to choose some of `all`.
fn choices(all: u64, some: u64) -> Option<u64> {
    if some > all {
        return Some(0);
    }
    // After each factor it is the number of ways to choose so many.
    let mut ways: u64 = 1;
    for chosen in 0..some.min(all - some) {
        ways = ways.checked_mul(all - chosen)? / (chosen + 1);
    }
    Some(ways)
}

/// Visits every choice of `some` numbers below `all`, each in order, in the order of words.
fn for_each_choice(all: usize, some: usize, mut visit: impl FnMut(&[usize])) {
    if some == 0 || some > all {
        return;
    }
    let mut choice: Vec<usize> = (0..some).collect();
    loop {
        visit(&choice);
        // The last number that can grow does, and those after it begin behind it.
        let Some(place) = (0..some).rposition(|place| choice[place] < all - some + place) else {
            return;
        };
        choice[place] += 1;
        for after in place + 1..some {
            choice[after] = choice[after - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashbrown::HashMap;

    fn schedule(seats: &[usize], players: usize, rotate: bool) -> Schedule {
        Schedule { seats: seats.to_vec(), players, rounds: 2, rotate }
    }

    #[test]
    fn all_meet_from_all_sides() {
        let fixtures = schedule(&[2], 3, true).fixtures();
        let round = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
        let players: Vec<&[usize]> = fixtures.iter().map(|f| &f.players[..]).collect();
        assert_eq!(players, [round, round].concat());
        assert_eq!(fixtures.iter().map(|f| f.round).sum::<u32>(), 6);
        // Each of five players is as often in each seat of a game of three.
        let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
        for fixture in schedule(&[3], 5, true).fixtures() {
            for (seat, player) in fixture.players.into_iter().enumerate() {
                *seen.entry((seat, player)).or_default() += 1;
            }
        }
        assert_eq!(seen.len(), 15);
        assert!(seen.values().all(|&times| times == 12), "{seen:?}");
    }

    #[test]
    fn as_many_as_were_counted() {
        for rotate in [false, true] {
            for players in 0..7 {
                let schedule = schedule(&[1, 2, 3, 6, 0], players, rotate);
                let count = schedule.count().expect("a small number");
                assert_eq!(schedule.fixtures().len() as u64, count, "{schedule:?}");
            }
        }
        assert_eq!(schedule(&[2, 1], 4, false).count(), Some(2 * (6 + 4)));
        assert_eq!(schedule(&[100], 200, true).count(), None);
    }
}
