//! Static relations as constant maps.

use super::Writer;
use super::sets::SetId;
use super::state::nested;
use crate::export::naming::plain;
use gdlr_rg::rg::{Constant, Name, Place, SimpleType, Type};
use gdlr_rules::gdl::Symbol;
use gdlr_rules::normal::{RelationId, RelationKind};

impl Writer<'_> {
    /// A constant map with these entries, and a default for all other keys; the same one for the
    /// same map.
    pub(super) fn constant(
        &mut self,
        wanted: &str,
        keys: &[SetId],
        entries: Vec<(Vec<Symbol>, Name)>,
        default: Name,
        type_: Name,
    ) -> Name {
        let mut named = Vec::new();
        for (key, value) in entries {
            if value != default {
                named.push((key.into_iter().map(|s| self.name_of(s)).collect(), value));
            }
        }
        let value = nested(keys.len(), &named, default);
        let known = (keys.to_vec(), value.clone(), type_);
        if let Some(&name) = self.maps.get(&known) {
            return name;
        }
        let entries = self.combinations(keys);
        self.entries = self.entries.saturating_add(entries);
        let name = self.naming.define(wanted);
        let key_types: Vec<SimpleType> = keys
            .iter()
            .map(|&set| SimpleType::Named(self.type_of(set, false, wanted).into()))
            .collect();
        self.description.constants.push(Constant {
            name: name.into(),
            type_: Type { keys: key_types, value: SimpleType::Named(type_.into()) },
            value,
            place: Place::default(),
        });
        self.maps.insert(known, name);
        name
    }

    /// A relation's name as one of RG.
    pub(super) fn plain_name(&self, relation: RelationId) -> String {
        if let Some(name) = self.known_names.get(&relation) {
            return name.clone();
        }
        if let Some(name) = self.name_of_line(relation) {
            return name.clone();
        }
        let origin = self.origin(relation);
        let text = match self.input.normal.relation(origin).kind {
            RelationKind::View(name) => self.input.normal.spelling(name.symbol).to_owned(),
            _ => self.input.normal.relation_name(origin),
        };
        match origin == relation {
            true => plain(&text),
            false => format!("{}_anew", plain(&text)),
        }
    }

    /// A name for a node that no other one has.
    pub(super) fn node_name(&mut self, wanted: &str) -> String {
        let mut text = wanted.to_owned();
        let mut number = 1;
        while !self.node_names.insert(text.clone()) {
            number += 1;
            text = format!("{wanted}_{number}");
        }
        text
    }
}
