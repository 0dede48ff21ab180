//! Steps and squares.

use super::{Emitter, Translated, access, assign, compare, named};
use crate::abg::game::{Condition, Square};
use crate::rg::{Expr, Label, Name};

impl Emitter<'_> {
    /// The map of a step.
    pub(super) fn step(&mut self, dx: i64, dy: i64) -> Translated<Name> {
        if let Some(map) = self.steps.get(&(dx, dy)) {
            return Ok(*map);
        }
        self.needs_border();
        let (width, height) = (self.game.width as i64, self.game.height as i64);
        let target = |square: i64| {
            let (x, y) = (square % width + dx, square / width + dy);
            let on_board = (0..width).contains(&x) && (0..height).contains(&y);
            if on_board { self.squares[(y * width + x) as usize] } else { self.nowhere }
        };
        let mut targets: Vec<Name> = (0..self.squares.len() as i64).map(target).collect();
        let mut keys = self.squares.clone();
        keys.push(self.nowhere);
        targets.push(self.nowhere);
        let part = |delta: i64, [more, less]: [&str; 2]| match delta {
            0 => String::new(),
            1.. => format!("_{more}{delta}"),
            _ => format!("_{less}{}", delta.unsigned_abs()),
        };
        let name = format!("step{}{}", part(dx, ["right", "left"]), part(dy, ["up", "down"]));
        let map = self.declare_map(&name, (self.place_type, &keys), (self.place_type, &targets))?;
        self.steps.insert((dx, dy), map);
        Ok(map)
    }

    /// A square; `nowhere` if it is off the board.
    pub(super) fn square(&mut self, square: &Square) -> Translated<Expr> {
        Ok(match square {
            Square::Here => self.here(),
            Square::Offset(dx, dy) => access(self.step(*dx, *dy)?, vec![self.here()]),
            Square::Fixed(Some(square)) => named(self.squares[*square]),
            Square::Fixed(None) => {
                self.needs_border();
                named(self.nowhere)
            }
            Square::Variable(variable) => named(self.variables[*variable].0),
            Square::Of(x, y) => self.square_at(x, y)?,
        })
    }

    /// Whether a square may be off the board.
    pub(super) fn may_be_off(square: &Square) -> bool {
        !matches!(square, Square::Here | Square::Fixed(Some(_)))
    }

    /// Adds a step. It must stay on the board, unless the next condition is known to be false off
    /// the board.
    pub(super) fn go(
        &mut self,
        (dx, dy): (i64, i64),
        next: &Condition,
        from: Name,
    ) -> Translated<Name> {
        let map = self.step(dx, dy)?;
        let target = access(map, vec![self.here()]);
        let mut at = from;
        if !matches!(next.conjuncts().first(), Some(Condition::Here(_))) {
            at = self.on(at, "step", compare(target.clone(), self.nowhere, false))?;
        }
        self.on(at, "step", assign(self.here(), target))
    }

    /// Tests whether the current square is in a set.
    pub(super) fn among_squares(
        &mut self,
        set: &std::rc::Rc<[bool]>,
        holds: bool,
        from: Name,
        to: Name,
    ) -> Translated<()> {
        let members: Vec<usize> = (0..set.len()).filter(|&square| set[square] == holds).collect();
        if let [only] = members[..] {
            let label = compare(self.here(), self.squares[only], true);
            return self.edge(from, to, label);
        }
        let map = match self.square_sets.get(set) {
            Some(map) => *map,
            None => {
                let mut keys = self.squares.clone();
                keys.push(self.nowhere);
                self.needs_border();
                let one = |is: bool| if is { Name::ONE } else { Name::ZERO };
                let mut values: Vec<Name> = set.iter().map(|is| one(*is)).collect();
                values.push(Name::ZERO);
                let keys = (self.place_type, &keys[..]);
                let map = self.declare_map("is_one_of", keys, (Name::BOOL_TYPE, &values))?;
                self.square_sets.insert(set.clone(), map);
                map
            }
        };
        let value = access(map, vec![self.here()]);
        let label: Label = compare(value, if holds { Name::ONE } else { Name::ZERO }, true);
        self.edge(from, to, label)
    }
}
