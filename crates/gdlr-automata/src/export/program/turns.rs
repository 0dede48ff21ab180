//! The order of the turns of a program.

use super::{Program, Statement, Target};

/// The turns that play can reach.
#[derive(Debug)]
pub(super) struct Order {
    /// The turns in the order of play, from the first one.
    pub turns: Vec<usize>,
    /// The place in `turns` where the order begins again behind its end. `None` if a turn has
    /// several turns that may follow.
    pub cycle: Option<usize>,
}

impl Order {
    pub fn of(program: &Program) -> Order {
        let first = match program.begin {
            Target::Block(block) => program.turn_of(block),
            Target::Over | Target::End => None,
        };
        let mut turns: Vec<usize> = first.into_iter().collect();
        let mut done = 0;
        let (mut is_one, mut last) = (true, None);
        while let Some(&turn) = turns.get(done) {
            done += 1;
            let mut next = Vec::new();
            let block = program.turns[turn].block;
            turns_behind(program, &program.blocks[block.place()].body, &mut next);
            is_one &= next.len() == 1;
            last = next.first().copied();
            for other in next {
                if !turns.contains(&other) {
                    turns.push(other);
                }
            }
        }
        let again = turns.iter().position(|&turn| Some(turn) == last);
        Order { turns, cycle: again.filter(|_| is_one) }
    }

    /// Whether only the state tells the next turn.
    pub fn depends_on_state(&self) -> bool {
        self.cycle.is_none() && self.turns.len() > 1
    }
}

/// Adds the turns to which statements go on.
fn turns_behind(program: &Program, body: &[Statement], turns: &mut Vec<usize>) {
    for one in body {
        match one {
            Statement::Go(Target::Block(block)) => match program.turn_of(*block) {
                Some(turn) if !turns.contains(&turn) => turns.push(turn),
                Some(_) => {}
                None => turns_behind(program, &program.blocks[block.place()].body, turns),
            },
            Statement::Choice(ways) => {
                ways.iter().for_each(|way| turns_behind(program, way, turns));
            }
            Statement::If(branch) => {
                turns_behind(program, &branch.then, turns);
                turns_behind(program, &branch.otherwise, turns);
            }
            Statement::Cases(cases) => {
                cases.iter().for_each(|(_, body)| turns_behind(program, body, turns));
            }
            _ => {}
        }
    }
}
