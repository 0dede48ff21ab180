//! Prune dead assignments: `x = e` becomes a skip edge if nothing reads the value.
//!
//! ```text
//! begin, a: x = 1;        begin, a: ;
//! a, b: x = 2;            a, b: x = 2;
//! b, c: y == x;           b, c: y == x;
//! ```

use crate::rg::name::Name;
use crate::rg::optimise::moves::{Assignments, is_special};
use crate::rg::optimise::program::{EdgeId, Label, Program};
use gdlr_text::budget::{Exhausted, Meter};
use gdlr_text::graph::Worklist;
use hashbrown::HashSet;

/// Applies the transformation everywhere.
pub fn run(program: &mut Program, meter: &Meter<'_>) -> Result<(), Exhausted> {
    useless(program);
    let assignments = Assignments::of(program, meter)?;
    let dead: HashSet<EdgeId> = program
        .edges()
        .filter(|&(_, edge)| {
            let written = program.written(edge.label);
            written.is_some_and(|variable| assignments.is_dead(edge, variable))
        })
        .map(|(id, _)| id)
        .collect();
    let mut removable: Vec<EdgeId> = assignments.removable(program, &dead).into_iter().collect();
    removable.sort_unstable();
    for id in removable {
        program.relabel(id, Label::Skip);
    }
    Ok(())
}

/// Skips all assignments to variables that only their own new values depend on.
fn useless(program: &mut Program) {
    // By variable: the variables that an assignment to it reads.
    let mut feeds: Vec<(Name, Name)> = Vec::new();
    let mut open = Worklist::sparse();
    for (_, edge) in program.edges() {
        let written = program.written(edge.label);
        for read in program.read(edge.label) {
            match written {
                Some(variable) if !is_special(variable) => feeds.push((variable, read)),
                _ => drop(open.push(read)),
            }
        }
    }
    feeds.sort_unstable();
    feeds.dedup();
    while let Some(variable) = open.pop() {
        let first = feeds.partition_point(|&(other, _)| other < variable);
        let reads = feeds[first..].iter().take_while(|&&(other, _)| other == variable);
        open.extend(reads.map(|&(_, read)| read));
    }
    let useful = open.into_met();
    for id in program.edge_numbers() {
        let Some(edge) = program.get(id) else { continue };
        if let Some(variable) = program.written(edge.label)
            && !is_special(variable)
            && !useful.contains(&variable)
        {
            program.relabel(id, Label::Skip);
        }
    }
}
