//! `--facts` and `--after`: the state that a command is to look at.

use super::rulesheet::Source;
use super::status::Failure;
use clap::Args;
use gdlr::diagnostic::{Code, Diagnostic, Span};
use gdlr::engine::{
    AnyEngine, AnyScratch, AnyState, Engine, MoveId, RoleId, WorkLimit, enter_written,
};
use gdlr::gdl::{Term, natural_order};
use gdlr::kif::{Expr, ExprKind, Limits};

/// Which state of a game; the initial one if nothing is said.
#[derive(Clone, Debug, Args)]
pub struct MomentArguments {
    /// Start from the state with the facts of this file
    #[arg(long, value_name = "FILE")]
    facts: Option<String>,
    /// Play these first: `((MOVE …) …)`, or `MOVE …` where one role has a choice,
    /// written or numbered as `play` lists it
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
        let document = source.document()?;
        let mut left = &document.items[..];
        while !left.is_empty() {
            let (taken, ids) = self.first(engine, left).map_err(|error| source.refuse([&error]))?;
            self.play(engine, &ids).map_err(|error| {
                source.refuse([&Diagnostic::new(Code::NotAMove, left[0].span, error)])
            })?;
            left = &left[taken..];
        }
        Ok(())
    }

    /// The joint move with which a list of expressions begins, and how many of them it takes: one,
    /// or those of a move whose brackets are left out, as in `drop 3 drop 4`.
    fn first(
        &mut self,
        engine: &AnyEngine,
        items: &[Expr],
    ) -> Result<(usize, Vec<MoveId>), Diagnostic> {
        let refusal = match self.joint(engine, &items[0]) {
            Ok(ids) => return Ok((1, ids)),
            Err(refusal) => refusal,
        };
        if items[0].atom().is_some() {
            let legal = self.legal(engine, items[0].span)?;
            for count in 2..=items.len().min(LONGEST_MOVE) {
                if let Some(ids) = legal.of_one(engine, &in_brackets(&items[..count])) {
                    return Ok((count, ids));
                }
            }
        }
        Err(refusal)
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
        let items = &document.items[..];
        let one = || Failure::Unusable(format!("{option} takes one joint move, `(MOVE …)`"));
        if items.is_empty() {
            return Err(one());
        }
        let (taken, ids) = self.first(engine, items).map_err(|error| source.refuse([&error]))?;
        if taken < items.len() { Err(one()) } else { Ok(terms(engine, &ids)) }
    }

    /// The legal joint move that an expression writes: a list of a move for each role, or else
    /// the move of the only role that has a choice.
    fn joint(&mut self, engine: &AnyEngine, expr: &Expr) -> Result<Vec<MoveId>, Diagnostic> {
        let legal = self.legal(engine, expr.span)?;
        let roles = engine.roles();
        let each = expr.list().filter(|moves| moves.len() == roles.count());
        let joint = each.and_then(|moves| {
            let pairs = roles.iter().zip(moves);
            pairs.map(|(role, expr)| legal.written(engine, role, expr)).collect()
        });
        if let Some(joint) = joint.or_else(|| legal.of_one(engine, expr)) {
            return Ok(joint);
        }
        if let Some(joint) = legal.numbered(engine, expr) {
            return Ok(joint);
        }
        let wrong = |span: Span, message: String| Diagnostic::new(Code::NotAMove, span, message);
        // Which of the moves is wrong, if the others are moves.
        let is_move = |(role, expr): (RoleId, &Expr)| legal.written(engine, role, expr).is_some();
        let illegal = each.and_then(|moves| {
            let pairs = || roles.iter().zip(moves);
            let good = pairs().any(is_move);
            good.then(|| pairs().find(|&pair| !is_move(pair))).flatten()
        });
        if let Some((role, expr)) = illegal {
            let message = format!("no legal move of {} here", roles.name(role));
            return Err(wrong(expr.span, message));
        }
        let form = format!("the roles are {}", roles.names().join(", "));
        Err(wrong(expr.span, "no legal joint move, `(MOVE …)`".to_owned()).with_help(form))
    }

    /// The legal moves of this moment, before what stands at a place of the text is played.
    fn legal(&mut self, engine: &AnyEngine, span: Span) -> Result<Legal, Diagnostic> {
        let limit = WorkLimit::into_diagnostic;
        if engine.terminal(&mut self.scratch).map_err(limit)? {
            let message = "the game is over before this move";
            return Err(Diagnostic::new(Code::NotAMove, span, message));
        }
        let mut legal = vec![Vec::new(); engine.roles().count()];
        for role in engine.roles().iter() {
            engine.legal(&mut self.scratch, role, &mut legal[role.index()]).map_err(limit)?;
        }
        Ok(Legal(legal))
    }
}

/// By role: the legal moves of a state.
struct Legal(Vec<Vec<MoveId>>);

impl Legal {
    /// The move of a role that an expression writes.
    fn written(&self, engine: &AnyEngine, role: RoleId, expr: &Expr) -> Option<MoveId> {
        let legal = &self.0[role.index()];
        let term = Term::from_expr(expr, engine.symbols());
        let written = term.and_then(|term| engine.move_id(role, &term));
        written.filter(|id| legal.contains(id)).or_else(|| in_any_case(engine, legal, expr))
    }

    /// The joint move in which one role makes the move that an expression writes, and all others
    /// have no choice; if none has one, it makes no difference whose move it is.
    fn of_one(&self, engine: &AnyEngine, expr: &Expr) -> Option<Vec<MoveId>> {
        engine
            .roles()
            .iter()
            .find_map(|role| self.with(engine, role, self.written(engine, role, expr)?))
    }

    /// The joint move in which the only role that has a choice makes the move of this number, as
    /// `gdlr play` lists its moves.
    fn numbered(&self, engine: &AnyEngine, expr: &Expr) -> Option<Vec<MoveId>> {
        let number = expr.atom()?.parse::<usize>().ok()?.checked_sub(1)?;
        let role = engine.roles().iter().find(|role| self.0[role.index()].len() > 1)?;
        let mut listed = self.0[role.index()].clone();
        let name = |id: &MoveId| engine.move_term(*id).1.canonical(engine.symbols());
        listed.sort_by_cached_key(|id| natural_order(&name(id)));
        self.with(engine, role, *listed.get(number)?)
    }

    /// The joint move in which a role makes a move, if all others have no choice.
    fn with(&self, engine: &AnyEngine, role: RoleId, id: MoveId) -> Option<Vec<MoveId>> {
        let only = |other: RoleId| match self.0[other.index()][..] {
            _ if other == role => Some(id),
            [one] => Some(one),
            _ => None,
        };
        engine.roles().iter().map(only).collect()
    }
}

/// The longest move whose brackets may be left out: its function and its arguments.
const LONGEST_MOVE: usize = 16;

/// A move whose brackets were left out.
fn in_brackets(items: &[Expr]) -> Expr {
    let (first, last) = (items[0].span, items[items.len() - 1].span);
    let span = Span { start: first.start, end: last.end };
    Expr { span, kind: ExprKind::List(items.to_vec()) }
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
