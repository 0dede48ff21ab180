//! Safety compared with its definition: SPEC (definition 18) expands every `or` and looks at
//! each rule that remains. `check` never expands; here it is done, on small random rules.

use gdlr::check::check;
use gdlr::diagnostic::Code;
use gdlr::gdl::Game;
use proptest::prelude::*;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
enum Condition {
    Sentence(Vec<u8>),
    Distinct(u8, u8),
    Not(Box<Condition>),
    Or(Vec<Condition>),
}

fn variable(v: u8) -> String {
    if v < 5 { format!("?{}", char::from(b'v' + v)) } else { "a".to_owned() }
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Condition::Sentence(args) => {
                let args: String = args.iter().map(|&v| format!(" {}", variable(v))).collect();
                format!("(p{args})")
            }
            Condition::Distinct(l, r) => format!("(distinct {} {})", variable(*l), variable(*r)),
            Condition::Not(inner) => format!("(not {})", inner.text()),
            Condition::Or(items) => {
                let items: String = items.iter().map(|item| format!(" {}", item.text())).collect();
                format!("(or{items})")
            }
        }
    }

    /// The ways in which the condition (or its negation) comes true: in each, the variables
    /// of the positive literals and those of the others.
    fn expand(&self, negated: bool) -> Vec<[BTreeSet<u8>; 2]> {
        let variables = |args: &[u8]| args.iter().copied().filter(|&v| v < 5).collect();
        match self {
            Condition::Sentence(args) if negated => vec![[BTreeSet::new(), variables(args)]],
            Condition::Sentence(args) => vec![[variables(args), BTreeSet::new()]],
            Condition::Distinct(l, r) => vec![[BTreeSet::new(), variables(&[*l, *r])]],
            Condition::Not(inner) => inner.expand(!negated),
            Condition::Or(items) if negated => all(items.iter().map(|item| item.expand(true))),
            Condition::Or(items) => items.iter().flat_map(|item| item.expand(false)).collect(),
        }
    }
}

/// The ways in which all of the conditions come true together.
fn all(conditions: impl Iterator<Item = Vec<[BTreeSet<u8>; 2]>>) -> Vec<[BTreeSet<u8>; 2]> {
    conditions.fold(vec![Default::default()], |ways, condition| {
        let join = |way: &[BTreeSet<u8>; 2]| {
            let way = way.clone();
            let with = move |other: &[BTreeSet<u8>; 2]| [&way[0] | &other[0], &way[1] | &other[1]];
            condition.iter().map(with).collect::<Vec<_>>()
        };
        ways.iter().flat_map(join).collect()
    })
}

fn condition() -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![
        4 => prop::collection::vec(0u8..6, 1..4).prop_map(Condition::Sentence),
        1 => (0u8..6, 0u8..6).prop_map(|(l, r)| Condition::Distinct(l, r)),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|inner| Condition::Not(Box::new(inner))),
            2 => prop::collection::vec(inner, 0..4).prop_map(Condition::Or),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn as_defined(head in 0u8..6, body in prop::collection::vec(condition(), 1..4)) {
        let conditions: String = body.iter().map(|c| format!(" {}", c.text())).collect();
        let text = format!("(<= (next {}){conditions})", variable(head));
        let ways = all(body.iter().map(|condition| condition.expand(false)));
        let expected = ways.iter().any(|[positive, other]| {
            (head < 5 && !positive.contains(&head)) || !other.is_subset(positive)
        });

        let game = Game::from_kif("t", &text).unwrap();
        let diagnostics = check(&game);
        prop_assert!(diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span));
        let unsafe_ = [Code::UnsafeVariable, Code::LocalInNegation];
        let reported = diagnostics.iter().any(|diagnostic| unsafe_.contains(&diagnostic.code));
        prop_assert_eq!(reported, expected, "{}", text);
    }
}
