//! The possible symbols of columns of relations, and of variables of conditions.

use super::relations::Relations;
use super::sets::SetId;
use super::state::Shapes;
use super::symbols::Symbols;
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{FlatAtom, FlatLiteral, FlatTerm, RelationId};

impl Symbols<'_> {
    /// The symbols of a column of a relation.
    pub fn column_set(
        &mut self,
        relation: RelationId,
        column: usize,
        relations: &Relations<'_>,
        shapes: &Shapes,
    ) -> SetId {
        let relation = relations.origin(relation);
        if let Some(shape) = shapes.get(&relation) {
            return shape.columns[column];
        }
        if let Some(&set) = self.columns.get(&(relation, column)) {
            return set;
        }
        let symbols: Vec<Symbol> = match relations.known.unchanging(relation) {
            Some(rows) => rows.iter().map(|row| row[column]).collect(),
            None => relations.possible(relation, &self.pairs).map(|row| row[column]).collect(),
        };
        let set = self.set(symbols);
        self.columns.insert((relation, column), set);
        set
    }

    /// The possible symbols of a column in a condition. A static relation is restricted to rows
    /// with the constants of the condition.
    fn answers_in(
        &mut self,
        atom: &FlatAtom,
        column: usize,
        relations: &Relations<'_>,
        shapes: &Shapes,
    ) -> SetId {
        let is_symbol = |term: &FlatTerm| matches!(term, FlatTerm::Constant(_));
        match relations.rows(atom.relation) {
            Some(rows) if atom.args.iter().any(is_symbol) => {
                let fits = |row: &&Vec<Symbol>| {
                    let mut columns = atom.args.iter().zip(*row);
                    columns.all(|(term, own)| match term {
                        FlatTerm::Constant(symbol) => symbol == own,
                        FlatTerm::Variable(_) => true,
                    })
                };
                self.set(rows.iter().filter(fits).map(|row| row[column]))
            }
            _ => self.column_set(atom.relation, column, relations, shapes),
        }
    }

    /// Restricts the domains of variables to the symbols that conditions leave. Conditions about
    /// moves do not count, nor do relations for which `is_change` is true.
    pub fn narrow(
        &mut self,
        domains: &mut [Option<SetId>],
        body: &[FlatLiteral],
        is_change: impl Fn(RelationId) -> bool,
        relations: &Relations<'_>,
        shapes: &Shapes,
    ) {
        for literal in body {
            let FlatLiteral::Positive(atom) = literal else { continue };
            if atom.relation == relations.input.normal.does || is_change(atom.relation) {
                continue;
            }
            for (column, term) in atom.args.iter().enumerate() {
                let FlatTerm::Variable(variable) = *term else { continue };
                let of = self.answers_in(atom, column, relations, shapes);
                let domain = &mut domains[usize::from(variable.0)];
                *domain = Some(match *domain {
                    None => of,
                    Some(before) => self.both(before, of),
                });
            }
        }
    }

    /// The intersection of two sets.
    pub fn both(&mut self, one: SetId, other: SetId) -> SetId {
        let members = self.sets.members(one).iter().copied();
        let both: Vec<Symbol> = members.filter(|&symbol| self.sets.has(other, symbol)).collect();
        self.set(both)
    }
}
