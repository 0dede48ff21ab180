//! Warnings about operations: effects without a use, names that are not declared, moves without an operation,
//! roles in control.
//!
//! The checks of the rules of GDL that a sheet means say the rest: conditions that never hold, operations
//! that no legal move asks for, a game without an end.

use super::sheet::{
    Functor, Kind, Sheet, Statement, arguments, conjuncts, for_each_part, functor, parts,
};
use super::translate::Names;
use crate::diagnostic::{Code, Diagnostic, Span, counted};
use crate::findings::Findings;
use crate::kif::Expr;
use crate::nearest::nearest_name;
use hashbrown::{HashMap, HashSet};

/// The findings in a sheet, by place. Linear in the sheet.
pub(super) fn check(sheet: &Sheet) -> Vec<Diagnostic> {
    let mut checks =
        Checks { sheet, names: Names::of(sheet), findings: Findings::default(), roles: None };
    checks.roles = checks.roles();
    checks.effects_of_no_use();
    checks.undeclared();
    checks.moves();
    checks.control();
    checks.findings.into_sorted()
}

struct Checks<'a> {
    sheet: &'a Sheet,
    names: Names,
    findings: Findings,
    /// The roles, if all of them are facts.
    roles: Option<Vec<String>>,
}

impl<'a> Checks<'a> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.findings.report(diagnostic.code, || diagnostic);
    }

    /// The heads of rules and facts of one keyword, with one argument; and the bodies.
    fn heads(
        &self,
        name: &'static str,
    ) -> impl Iterator<Item = (&'a Expr, Option<&'a Expr>)> + use<'a> {
        self.sheet.statements.iter().filter_map(move |statement| match &statement.kind {
            Kind::Rule { body } => {
                let (found, arity) = functor(&statement.head)?;
                let argument = arguments(&statement.head).first()?;
                (arity == 1 && *found == *name).then_some((argument, body.as_ref()))
            }
            Kind::Operation { .. } => None,
        })
    }

    /// The operations, with their conditions and effects.
    fn operations(
        &self,
    ) -> impl Iterator<Item = (&'a Statement, Option<&'a Expr>, &'a Expr)> + use<'a> {
        self.sheet.statements.iter().filter_map(|statement| match &statement.kind {
            Kind::Operation { condition, effects } => {
                Some((statement, condition.as_ref(), effects))
            }
            Kind::Rule { .. } => None,
        })
    }

    fn roles(&self) -> Option<Vec<String>> {
        let role = |(role, body): (&Expr, Option<&Expr>)| {
            (body.is_none() && functor(role).is_some()).then(|| written(role))
        };
        let roles: Option<Vec<String>> = self.heads("role").map(role).collect();
        roles.filter(|roles| !roles.is_empty())
    }

    /// Facts that an operation takes away and adds whenever it takes them away, and facts that never hold.
    fn effects_of_no_use(&mut self) {
        let mut added: HashMap<(String, String, String), Span> = HashMap::new();
        let asks = |condition: Option<&Expr>| condition.map_or(String::new(), written);
        for (statement, condition, effects) in self.operations() {
            let happens = (written(&statement.head), asks(condition));
            for effect in conjuncts(effects).iter().filter(|effect| taken(effect).is_none()) {
                let key = (happens.0.clone(), happens.1.clone(), written(effect));
                added.entry(key).or_insert(effect.span);
            }
        }
        let mut reported = HashSet::new();
        for (statement, condition, effects) in self.operations() {
            for effect in conjuncts(effects) {
                let Some(fact) = taken(effect) else { continue };
                let add = ["".to_owned(), asks(condition)].into_iter().find_map(|condition| {
                    added.get(&(written(&statement.head), condition, written(fact))).copied()
                });
                if let Some(place) = add {
                    self.report(
                        Diagnostic::new(
                            Code::TakenAndAdded,
                            effect.span,
                            format!("an operation takes `{fact}` away and adds it"),
                        )
                        .with_label("changes nothing: the fact holds afterwards")
                        .with_related(place, "added here")
                        .with_help("remove one of the two effects"),
                    );
                    continue;
                }
                let Some(name) = functor(fact) else { continue };
                let held = self.names.is_fluent(&name) || self.names.operations.contains(&name);
                // A condition that asks for it is reported, too.
                if !held && !self.names.asked.contains(&name) && reported.insert(name.clone()) {
                    let facts = self.names.held.iter().map(|(fact, _)| fact);
                    let help = near(&name, facts, "has").unwrap_or_else(|| {
                        "remove the effect, or say `init` or an effect that adds the fact".into()
                    });
                    self.report(
                        Diagnostic::new(
                            Code::Unproduced,
                            fact.span,
                            format!("neither `init` nor an effect adds `{fact}`"),
                        )
                        .with_label("never holds, and is taken away")
                        .with_help(help),
                    );
                }
            }
        }
    }

    /// Facts of the state without a `base`, and moves without an `action`, if there are any of these.
    fn undeclared(&mut self) {
        let declared = |name| -> Option<HashSet<Functor>> {
            let all: Option<HashSet<Functor>> =
                self.heads(name).map(|(it, _)| functor(it)).collect();
            all.filter(|all| !all.is_empty())
        };
        let (base, action) = (declared("base"), declared("action"));
        for (keyword, declared) in [("base", base), ("action", action)] {
            // A variable declares anything.
            let Some(declared) = declared else { continue };
            let named: Vec<(Functor, Span)> = match keyword {
                // That somebody moves need not be declared.
                "base" => {
                    self.names.held.iter().filter(|(name, _)| *name != control()).cloned().collect()
                }
                _ => {
                    self.legal().filter(|(name, _)| self.names.operations.contains(name)).collect()
                }
            };
            let mut reported = HashSet::new();
            for (name, span) in named {
                if declared.contains(&name) || !reported.insert(name.clone()) {
                    continue;
                }
                let general = example(&name);
                let help = near(&name, declared.iter(), "declares").unwrap_or_else(|| {
                    format!("say `{keyword}({general})`, with conditions for the variables")
                });
                let what = if keyword == "base" { "fact" } else { "move" };
                self.report(
                    Diagnostic::new(
                        Code::Undeclared,
                        span,
                        format!("no `{keyword}` declares the {what} `{general}`"),
                    )
                    .with_label("declared nowhere, and others are")
                    .with_help(help),
                );
            }
        }
    }

    /// The moves that `legal` names, by place.
    fn legal(&self) -> impl Iterator<Item = (Functor, Span)> + use<'a> {
        self.heads("legal").filter_map(|(action, _)| Some((functor(action)?, action.span)))
    }

    /// Moves that are no operation. A move that is called `noop` is meant to do nothing.
    fn moves(&mut self) {
        let mut reported = HashSet::new();
        for (name, span) in self.legal().collect::<Vec<_>>() {
            let known = self.names.operations.contains(&name) || &*name.0 == "noop";
            if known || !reported.insert(name.clone()) {
                continue;
            }
            let general = example(&name);
            let help = near(&name, self.names.operations.iter(), "has")
                .unwrap_or_else(|| format!("write `{general} :: condition ==> effects`"));
            self.report(
                Diagnostic::new(
                    Code::MoveWithoutOperation,
                    span,
                    format!("the legal move `{general}` is no operation"),
                )
                .with_label("the move changes nothing")
                .with_help(help),
            );
        }
    }

    /// Several roles in control, and what is no role in control.
    fn control(&mut self) {
        let Some(roles) = self.roles.clone() else { return };
        let is_control = |expr: &&Expr| functor(expr).is_some_and(|name| name == control());
        let mut begin: Vec<(String, Span)> = Vec::new();
        for (fact, body) in self.heads("init").filter(|(fact, _)| is_control(fact)) {
            let role = &arguments(fact)[0];
            let every = |body: &Expr| written(body) == format!("(role {})", written(role));
            match body {
                None if roles.contains(&written(role)) => begin.push((written(role), fact.span)),
                Some(body) if functor(role).is_none() && every(body) => {
                    begin.extend(roles.iter().map(|role| (role.clone(), fact.span)));
                }
                _ => {}
            }
        }
        if let Some((first, place)) = begin.first().cloned()
            && let Some((second, span)) = begin.iter().find(|(role, _)| *role != first).cloned()
        {
            let found = Diagnostic::new(
                Code::SeveralInControl,
                span,
                format!("`{first}` and `{second}` are in control at the beginning"),
            );
            let found = match place == span {
                true => found,
                false => found.with_related(place, "in control, too"),
            };
            self.report(
                found.with_label("both of them move, at the same time").with_help(
                    "the interpreter of the course lets the first one move alone: say `control` of one role",
                ),
            );
        }
        let given =
            self.operations().flat_map(|(_, _, effects)| conjuncts(effects)).find(is_control);
        if let (Some(given), false, 2..) =
            (given, self.names.removed.contains(&control()), roles.len())
        {
            self.report(
                Diagnostic::new(
                    Code::SeveralInControl,
                    given.span,
                    "an effect gives control to a role, and none takes it away",
                )
                .with_label("the role before stays in control, too")
                .with_help("write both: `~control(white) & control(black)`"),
            );
        }
        self.control_of_no_role(&roles);
    }

    fn control_of_no_role(&mut self, roles: &[String]) {
        let mut found: Vec<(String, Span)> = Vec::new();
        let mut look = |expr: &'a Expr| {
            for_each_part(expr, &mut |part| {
                if functor(part) == Some(control())
                    && let role = &arguments(part)[0]
                    && functor(role).is_some()
                    && !roles.contains(&written(role))
                {
                    found.push((written(role), role.span));
                }
            });
        };
        for statement in &self.sheet.statements {
            look(&statement.head);
            match &statement.kind {
                Kind::Rule { body } => body.iter().for_each(&mut look),
                Kind::Operation { condition, effects } => {
                    condition.iter().chain([effects]).for_each(&mut look);
                }
            }
        }
        let mut reported = HashSet::new();
        for (name, span) in found {
            if reported.insert(name.clone()) {
                let help = nearest_name(&name, roles.iter().map(String::as_str))
                    .map_or("say `control` of a role".to_owned(), |near| {
                        format!("did you mean `{near}`?")
                    });
                self.report(
                    Diagnostic::new(Code::NoSuchRole, span, format!("`{name}` is no role"))
                        .with_label("a role should stand here")
                        .with_help(help),
                );
            }
        }
    }
}

fn control() -> Functor {
    ("control".into(), 1)
}

/// An expression in small letters, to compare.
fn written(expr: &Expr) -> String {
    expr.to_string().to_lowercase()
}

/// The fact that an effect takes away.
fn taken(effect: &Expr) -> Option<&Expr> {
    parts(effect, "not").and_then(<[Expr]>::first)
}

/// A sentence of a name and so many variables, as it is written.
fn example((name, arity): &Functor) -> String {
    match arity {
        0 => name.to_string(),
        1 => format!("{name}(X)"),
        2 => format!("{name}(X,Y)"),
        _ => format!(
            "{name}({})",
            (1..=*arity).map(|n| format!("X{n}")).collect::<Vec<_>>().join(",")
        ),
    }
}

/// The name that may be meant: the same one with another number of arguments, or the nearest one.
fn near<'n>(
    wrong: &Functor,
    right: impl Iterator<Item = &'n Functor> + Clone,
    verb: &str,
) -> Option<String> {
    if let Some(other) = right.clone().filter(|other| other.0 == wrong.0).min() {
        let with = counted(other.1, "argument");
        return Some(format!("the rulesheet {verb} `{}` with {with}", other.0));
    }
    let fitting = right.clone().filter(|other| other.1 == wrong.1);
    nearest_name(&wrong.0, fitting.map(|other| &*other.0))
        .map(|near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::super::warnings;
    use crate::diagnostic::Code;

    /// The codes and places of the warnings.
    fn found(text: &str) -> Vec<(Code, &str)> {
        let found = warnings(text);
        found.iter().map(|found| (found.code, &text[found.span.range()])).collect()
    }

    /// The same, of rules for a light that two roles switch.
    fn with(rules: &str) -> String {
        format!("role(a) role(b) init(control(a)) legal(go)\n{rules}")
    }

    #[test]
    fn what_is_taken_and_added() {
        for (rules, place) in [
            ("go :: lit & ~lit", "~lit"),
            ("go :: p(X) ==> ~p(X) & p(x) & P(X)", ""),
            ("go :: p(X) ==> ~p(X) & p(X)", "~p(X)"),
            ("go :: p ==> ~lit\ngo :: lit", "~lit"),
            ("go :: p ==> ~lit\ngo :: p ==> lit", "~lit"),
            // The light goes out unless there is power.
            ("go :: ~lit\ngo :: p ==> lit", ""),
            ("go :: p ==> ~lit\ngo :: ~p ==> lit", ""),
            ("go :: step(M) & next(M,N) ==> ~step(M) & step(N)", ""),
            ("go :: ~p(_) & p(_)", ""),
        ] {
            let text = with(rules);
            let found = found(&text);
            let found = found.iter().filter(|(code, _)| *code == Code::TakenAndAdded);
            assert_eq!(found.map(|(_, place)| *place).collect::<String>(), place, "{rules}");
        }
    }

    #[test]
    fn facts_that_never_hold_are_not_taken_away() {
        assert_eq!(found(&with("go :: ~lit")), [(Code::Unproduced, "lit")]);
        assert_eq!(found(&with("go :: ~p ==> lit\ngo :: lit ==> ~lit")), []);
        // The condition is reported.
        assert_eq!(found(&with("go :: lit ==> ~lit")), []);
    }

    #[test]
    fn what_is_not_declared() {
        let base = "base(control(R)) :- role(R)\nbase(lit(X)) :- lamp(X)\n";
        let undeclared = |rules: &str| {
            let text = with(&format!("{base}{rules}"));
            let found = found(&text);
            found.iter().map(|(_, place)| (*place).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(undeclared("go :: lit(1)"), [""; 0]);
        assert_eq!(found("role(a) init(control(a)) base(on) legal(go)\ngo :: on"), []);
        assert_eq!(undeclared("go :: lit\ngo :: lit"), ["lit"]);
        assert_eq!(undeclared("init(dark) go :: lit(1)"), ["init(dark)"]);
        assert_eq!(undeclared("base(X) :- p(X)\ngo :: dark"), [""; 0]);
        assert_eq!(undeclared("action(gone)\ngo :: lit(1)"), ["go"]);
        assert_eq!(undeclared("action(X) :- p(X)\ngo :: lit(1)"), [""; 0]);
    }

    #[test]
    fn moves_that_are_no_operation() {
        assert_eq!(found(&with("")), [(Code::MoveWithoutOperation, "go")]);
        assert_eq!(found(&with("legal(go)\ngo(X) :: p")), [(Code::MoveWithoutOperation, "go")]);
        assert_eq!(found(&with("legal(noop) legal(X) :- p(X)\ngo :: p")), []);
    }

    #[test]
    fn who_is_in_control() {
        let go = "go :: p\n";
        for (rules, expected) in [
            ("init(control(b))", (Code::SeveralInControl, "control(b)")),
            ("init(control(R)) :- role(R)", (Code::SeveralInControl, "control(R)")),
            ("go :: control(b)", (Code::SeveralInControl, "control(b)")),
            ("go :: control(c) ==> p", (Code::NoSuchRole, "c")),
        ] {
            assert_eq!(found(&with(&format!("{go}{rules}"))), [expected], "{rules}");
        }
        for rules in [
            "init(control(a))",
            "init(control(R)) :- role(R) & first(R)",
            "go :: control(R) & other(R,S) ==> ~control(R) & control(S)",
        ] {
            assert_eq!(found(&with(&format!("{go}{rules}"))), [], "{rules}");
        }
        // One role stays in control.
        assert_eq!(found("role(a) init(control(a)) legal(go)\ngo :: control(a)"), []);
    }
}
