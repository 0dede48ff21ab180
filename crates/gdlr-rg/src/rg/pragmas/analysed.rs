//! The knowledge from which every pragma is computed: the automaton in its working form, and the
//! value sets of its variables.

use crate::rg::ast::Description;
use crate::rg::name::Name;
use crate::rg::optimise::flow::live_variables::Live;
use crate::rg::optimise::flow::patricia::Map;
use crate::rg::optimise::flow::sets::SetRef;
use crate::rg::optimise::flow::value_sets::ValueSets;
use crate::rg::optimise::flow::{Analysis, Solution, solve};
use crate::rg::optimise::program::{Edge, EdgeId, Kind, Label, Node, Program};
use crate::rg::tuning::Tuning;
use crate::rg::types::Ty;
use gdlr_text::budget::{Exhausted, Meter};

/// An automaton with the value sets of its variables.
pub struct AnalysedProgram {
    /// The automaton.
    pub program: Program,
    /// The sets in this knowledge.
    pub values: ValueSets,
    at: Solution<Map>,
    /// By edge: the knowledge after it; `None` if no walk takes it.
    after: Vec<Option<Map>>,
}

impl AnalysedProgram {
    /// Analyses a description without errors.
    ///
    /// # Errors
    ///
    /// When the budget is exhausted.
    pub fn new(
        description: &Description,
        tuning: &Tuning,
        meter: &Meter<'_>,
    ) -> Result<AnalysedProgram, Exhausted> {
        let program = Program::load(description, tuning, meter)?;
        let mut values = ValueSets::new(Live::all(&program));
        let at = solve(&program, &mut values, meter)?;
        let mut after = Vec::new();
        for id in program.edge_numbers() {
            meter.spend(1)?;
            let edge = program.edge(id);
            let knowledge = at.at(edge.from);
            after.push(
                knowledge.and_then(|knowledge| values.transfer(&program, id, edge, knowledge)),
            );
        }
        Ok(AnalysedProgram { program, values, at, after })
    }

    /// The knowledge of a node; `None` if no walk reaches it.
    pub fn at(&self, node: Node) -> Option<Map> {
        self.at.at(node).copied()
    }

    /// Whether a walk may take an edge.
    pub fn is_taken(&self, edge: EdgeId) -> bool {
        self.after[edge.index()].is_some()
    }

    /// The symbols that a variable may have after an edge; `None` if it is a map, or if no walk
    /// takes the edge.
    pub fn behind(&mut self, edge: EdgeId, variable: Name) -> Option<SetRef> {
        let knowledge = self.after[edge.index()]?;
        self.symbols(knowledge, variable)
    }

    /// The symbols that a variable may have; `None` if it is a map.
    pub fn symbols(&mut self, knowledge: Map, variable: Name) -> Option<SetRef> {
        match self.program.expressions.kind(variable) {
            Kind::Variable(ty @ Ty::Set(_)) => {
                self.values.leaves_of_variable(&self.program, knowledge, variable, ty)
            }
            _ => None,
        }
    }

    /// The knowledge at the node that an edge leaves, after several conditions hold in a row;
    /// `None` if they cannot.
    pub fn given(&mut self, id: EdgeId, conditions: &[Label]) -> Option<Map> {
        let edge = self.program.edge(id);
        let mut knowledge = self.at(edge.from)?;
        for &label in conditions {
            knowledge =
                self.values.transfer(&self.program, id, Edge { label, ..edge }, &knowledge)?;
        }
        Some(knowledge)
    }
}
