//! `--facts` and `--after`: the state that a command is to look at.

use super::rulesheet::Source;
use super::status::Failure;
use clap::Args;
use gdlr::diagnostic::{Code, Diagnostic, Span};
use gdlr::engine::{
    AnyEngine, AnyScratch, AnyState, Engine, MoveId, RoleId, WorkLimit, enter_written,
};
use gdlr::gdl::Term;
use gdlr::kif::{Expr, Limits};

/// Which state of a game; the initial one if nothing is said.
#[derive(Clone, Debug, Args)]
pub struct MomentArguments {
    /// Start from the facts of this file, all that are true
    #[arg(long, value_name = "FILE")]
    facts: Option<String>,
    /// Play these first: `((MOVE …) …)`, or `MOVE …` where one role has a choice
    #[arg(long, value_name = "MOVES")]
    after: Option<String>,
}

/// A state, and how play came there.
pub struct Moment {
    /// Whether it began with the facts of a file.
    pub is_given: bool,
    /// The states on the way, the first one included, and the last.
    pub states: Vec<Vec<Term>>,
    /// The joint moves between them.
    pub joints: Vec<Vec<Term>>,
    scratch: AnyScratch,
}

impl MomentArguments {
    /// The moment on an engine; prints what is wrong with it.
    pub fn find(&self, engine: &AnyEngine) -> Result<Moment, Failure> {
        let mut scratch = engine.scratch();
        if let Some(path) = &self.facts {
            let source = Source::open(path, Limits::default().max_bytes)?;
            let document = source.document()?;
            enter_written(engine, &mut scratch, &document.items)
                .map_err(|error| source.refuse([&error]))?;
        }
        let mut moment = Moment { is_given: self.facts.is_some(), ..Moment::of(engine, scratch) };
        if let Some(text) = &self.after {
            moment.follow(engine, &Source::argument("--after", text))?;
        }
        Ok(moment)
    }
}

impl Moment {
    /// The initial state.
    pub fn initial(engine: &AnyEngine) -> Moment {
        Moment::of(engine, engine.scratch())
    }

    fn of(engine: &AnyEngine, scratch: AnyScratch) -> Moment {
        let states = vec![engine.facts(&engine.state(&scratch))];
        Moment { is_given: false, states, joints: Vec::new(), scratch }
    }

    /// The state itself.
    pub fn state(&self, engine: &AnyEngine) -> AnyState {
        engine.state(&self.scratch)
    }

    /// Plays the joint moves of a text; prints what is wrong with them.
    pub fn follow(&mut self, engine: &AnyEngine, source: &Source) -> Result<(), Failure> {
        for joint in &source.document()?.items {
            let ids = self.joint(engine, joint).map_err(|error| source.refuse([&error]))?;
            self.play(engine, &ids).map_err(|error| {
                source.refuse([&Diagnostic::new(Code::NotAMove, joint.span, error)])
            })?;
        }
        Ok(())
    }

    fn play(&mut self, engine: &AnyEngine, joint: &[MoveId]) -> Result<(), String> {
        engine.step(&mut self.scratch, joint).map_err(|error| error.to_string())?;
        self.joints.push(terms(engine, joint));
        self.states.push(engine.facts(&engine.state(&self.scratch)));
        Ok(())
    }

    /// The joint move that a text writes, to be made in this moment; prints what is wrong with it.
    pub fn read_joint(
        &mut self,
        engine: &AnyEngine,
        option: &str,
        text: &str,
    ) -> Result<Vec<Term>, Failure> {
        let source = Source::argument(option, text);
        let document = source.document()?;
        let [joint] = &document.items[..] else {
            return Err(Failure::Unusable(format!("{option} takes one joint move, `(MOVE …)`")));
        };
        let ids = self.joint(engine, joint).map_err(|error| source.refuse([&error]))?;
        Ok(terms(engine, &ids))
    }

    /// The legal joint move that an expression writes: a list of a move for each role, or else
    /// the move of the only role that has a choice.
    fn joint(&mut self, engine: &AnyEngine, expr: &Expr) -> Result<Vec<MoveId>, Diagnostic> {
        let limit = WorkLimit::into_diagnostic;
        let wrong = |span: Span, message: String| Diagnostic::new(Code::NotAMove, span, message);
        let roles = engine.roles();
        if engine.terminal(&mut self.scratch).map_err(limit)? {
            return Err(wrong(expr.span, "the game is over before this move".to_owned()));
        }
        let mut legal = vec![Vec::new(); roles.count()];
        for role in roles.iter() {
            engine.legal(&mut self.scratch, role, &mut legal[role.index()]).map_err(limit)?;
        }
        let of_role = |role: RoleId, expr: &Expr| {
            let legal = &legal[role.index()];
            let term = Term::from_expr(expr, engine.symbols());
            let written = term.and_then(|term| engine.move_id(role, &term));
            written.filter(|id| legal.contains(id)).or_else(|| in_any_case(engine, legal, expr))
        };
        let each = expr.list().filter(|moves| moves.len() == roles.count());
        let joint = each.and_then(|moves| {
            roles.iter().zip(moves).map(|(role, expr)| of_role(role, expr)).collect()
        });
        if let Some(joint) = joint {
            return Ok(joint);
        }
        // All others have no choice; if none has one, it makes no difference whose move it is.
        let only = |role: RoleId| match legal[role.index()][..] {
            [one] => Some(one),
            _ => None,
        };
        for role in roles.iter() {
            let Some(id) = of_role(role, expr) else { continue };
            let joint =
                roles.iter().map(|other| if other == role { Some(id) } else { only(other) });
            if let Some(joint) = joint.collect() {
                return Ok(joint);
            }
        }
        // Which of the moves is wrong, if the others are moves.
        let illegal = each.and_then(|moves| {
            let good = roles.iter().zip(moves).any(|(role, expr)| of_role(role, expr).is_some());
            let mut pairs = roles.iter().zip(moves);
            good.then(|| pairs.find(|&(role, expr)| of_role(role, expr).is_none())).flatten()
        });
        if let Some((role, expr)) = illegal {
            let message = format!("no legal move of {} here", roles.name(role));
            return Err(wrong(expr.span, message));
        }
        let form = format!("the roles are {}", roles.names().join(", "));
        Err(wrong(expr.span, "no legal joint move, `(MOVE …)`".to_owned()).with_help(form))
    }
}

/// The only one of these moves that an expression writes if the case of letters means nothing, as
/// in traces.
fn in_any_case(engine: &AnyEngine, legal: &[MoveId], expr: &Expr) -> Option<MoveId> {
    let written = expr.to_string().to_lowercase();
    let is_alike = |id: &&MoveId| engine.move_term(**id).1.canonical(engine.symbols()) == written;
    let mut alike = legal.iter().filter(is_alike);
    let only = alike.next().copied();
    only.filter(|_| alike.next().is_none())
}

fn terms(engine: &AnyEngine, joint: &[MoveId]) -> Vec<Term> {
    joint.iter().map(|&id| engine.move_term(id).1).collect()
}
