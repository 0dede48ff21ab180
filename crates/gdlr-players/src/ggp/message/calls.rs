//! Messages and replies as calls, between the manager and the players of Stanford's course.
//!
//! Its manager and players are pages of one site, which write texts into each other's storage:
//! `message(NUMBER,FROM,TO,CALL)`. To the player the call is `ping()`,
//! `start(ROLE,ruleset(RULE,...),STARTCLOCK,PLAYCLOCK)`, `play(MOVE)`, `stop(MOVE)` or `abort()`.
//! Back comes `ready` or a move, or nothing: players that are not in control are silent, and so
//! is everybody at the end. At the beginning of a match the move is `nil`, which the manager writes
//! `[]`.
//!
//! Rules are separated by commas. Here each becomes a line of a rulesheet, in whatever notation.

use super::{Last, Message, MessageError, Reply, Rules, first_of};
use gdlr_text::diagnostic::Span;
use gdlr_text::kif::{Expr, ExprKind};
use gdlr_text::notation;
use std::sync::Arc;

const ENVELOPE: &str =
    "message(NUMBER,MANAGER,PLAYER,CALL), such as message(1,manager,gdlr,ping())";
const CALLS: &str = "ping(), start(...), play(MOVE), stop(MOVE) or abort()";
const PING: &str = "ping()";
const START: &str = "start(ROLE,ruleset(RULE,...),STARTCLOCK,PLAYCLOCK)";
const PLAY: &str = "play(MOVE), with nil at first";
const STOP: &str = "stop(MOVE)";
const ABORT: &str = "abort()";

/// The deepest brackets of a move.
const DEEPEST: usize = 64;

/// The number of a message, and between whom it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    number: u64,
    manager: String,
    player: String,
}

impl Envelope {
    /// The text that goes back to the manager, or nothing.
    ///
    /// # Errors
    ///
    /// Why the player has nothing to say.
    pub(super) fn answer(&self, reply: &Reply) -> Result<String, String> {
        let word = match reply {
            Reply::Ready | Reply::Info { .. } => "ready".to_owned(),
            Reply::Move(text) => written(&super::read(text)),
            Reply::Idle(_) | Reply::Done | Reply::Aborted => return Ok(String::new()),
            Reply::NoMove(why) | Reply::Busy(why) => return Err(why.clone().into_owned()),
        };
        let Envelope { number, manager, player } = self;
        Ok(format!("message({number},{player},{manager},{word})"))
    }
}

/// A term as a call has it.
fn written(term: &Expr) -> String {
    match &term.kind {
        ExprKind::Atom(name) => name.to_string(),
        ExprKind::List(items) => {
            let items: Vec<String> = items.iter().map(written).collect();
            let (name, arguments) = items.split_first().expect("a term begins with a name");
            format!("{name}({})", arguments.join(","))
        }
    }
}

/// Reads a message.
///
/// # Errors
///
/// When it is no envelope with a call in it, or its rules cannot be read.
pub(super) fn read(text: &str) -> Result<(Message, Envelope), MessageError> {
    let outer = Call::read(text)?;
    let [number, manager, player, content] = outer.arguments[..] else {
        return Err(MessageError::NoMessage(ENVELOPE));
    };
    let number = number.parse().ok().filter(|_| outer.name == "message");
    let (Some(number), true, true) = (number, is_name(manager), is_name(player)) else {
        return Err(MessageError::NoMessage(ENVELOPE));
    };
    let Call { name, arguments } = Call::read(content)?;
    let id = || player.to_owned();
    let (message, form) = match (name, &arguments[..]) {
        ("ping", []) => (Some(Message::Info), PING),
        ("ping", _) => (None, PING),
        ("start", &[role, rules, start_clock, play_clock]) => {
            (start(id(), role, rules, (start_clock, play_clock))?, START)
        }
        ("start", _) => (None, START),
        ("play", &[action]) => {
            (last(number, action).map(|last| Message::Play { id: id(), last }), PLAY)
        }
        ("play", _) => (None, PLAY),
        ("stop", &[action]) => {
            (last(number, action).map(|last| Message::Stop { id: id(), last }), STOP)
        }
        ("stop", _) => (None, STOP),
        ("abort", []) => (Some(Message::Abort { id: id() }), ABORT),
        ("abort", _) => (None, ABORT),
        _ => return Err(MessageError::Unknown(name.to_owned(), CALLS)),
    };
    let message = message.ok_or(MessageError::Malformed(form))?;
    Ok((message, Envelope { number, manager: manager.to_owned(), player: id() }))
}

fn start(
    id: String,
    role: &str,
    rules: &str,
    clocks: (&str, &str),
) -> Result<Option<Message>, MessageError> {
    let Call { name, arguments } = Call::read(rules)?;
    let role = term(role, DEEPEST);
    let (Ok(start_clock), Ok(play_clock), Some(role), "ruleset") =
        (clocks.0.parse(), clocks.1.parse(), role, name)
    else {
        return Ok(None);
    };
    let text = arguments.join("\n");
    let document = notation::expressions(&text)
        .map_err(|errors| MessageError::Rules(first_of(&errors, &text)))?;
    let rules = Rules { document: Arc::new(document), text: text.into() };
    Ok(Some(Message::Start { id, role: role.to_string(), rules, start_clock, play_clock }))
}

/// The step that a move of a message was.
fn last(message: u64, action: &str) -> Option<Last> {
    match action {
        "nil" | "[]" => Some(Last::Nothing),
        action => Some(Last::One { message, action: term(action, DEEPEST)? }),
    }
}

/// A term, which has brackets in brackets at most so deep.
fn term(text: &str, deepest: usize) -> Option<Expr> {
    let kind = if is_name(text) {
        ExprKind::Atom(text.into())
    } else {
        let Call { name, arguments } = Call::read(text).ok()?;
        let deepest = deepest.checked_sub(1)?;
        let name = term(name, 0)?;
        let arguments = arguments.iter().map(|argument| term(argument, deepest));
        ExprKind::List(std::iter::once(Some(name)).chain(arguments).collect::<Option<_>>()?)
    };
    Some(Expr { span: Span::new(0, 0), kind })
}

/// Whether a text is a name, a number, or a name in quotes.
fn is_name(text: &str) -> bool {
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let is_sign = |c: char| c.is_whitespace() || c.is_control() || "()[],;%&|~\"".contains(c);
    !inside.is_empty() && !inside.contains(is_sign)
}

/// A name with arguments, or a name alone.
struct Call<'t> {
    name: &'t str,
    arguments: Vec<&'t str>,
}

impl Call<'_> {
    /// Separates the arguments of a call. What stands in brackets, in quotes, or in a comment behind
    /// `%` separates nothing.
    fn read(text: &str) -> Result<Call<'_>, MessageError> {
        let unreadable = |why: &str| Err(MessageError::Unreadable(why.to_owned()));
        let text = text.trim();
        let (Some(open), Some(inside)) = (text.find('('), text.strip_suffix(')')) else {
            return match text.contains(['(', ')']) {
                true => unreadable("a bracket is not closed, or something stands behind the last"),
                false => Ok(Call { name: text, arguments: Vec::new() }),
            };
        };
        let (name, inside) = (text[..open].trim_end(), &inside[open + 1..]);
        let (mut arguments, mut begin, mut depth) = (Vec::new(), 0, 0_usize);
        let (mut in_quotes, mut in_comment) = (false, false);
        for (at, byte) in inside.bytes().enumerate() {
            match byte {
                b'\n' | b'\r' => (in_quotes, in_comment) = (false, false),
                _ if in_comment => {}
                b'"' => in_quotes = !in_quotes,
                _ if in_quotes => {}
                b'%' => in_comment = true,
                b'(' | b'[' => depth += 1,
                b')' | b']' if depth == 0 => {
                    return unreadable(
                        "a bracket closes nothing, or something stands behind the last",
                    );
                }
                b')' | b']' => depth -= 1,
                b',' if depth == 0 => {
                    arguments.push(inside[begin..at].trim());
                    begin = at + 1;
                }
                _ => {}
            }
        }
        if depth > 0 || in_quotes || in_comment {
            return unreadable("a bracket or a quote is not closed");
        }
        if !(arguments.is_empty() && inside.trim().is_empty()) {
            arguments.push(inside[begin..].trim());
        }
        Ok(Call { name, arguments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        match read(text) {
            Ok((message, _)) => message,
            Err(error) => panic!("{text}: {error}"),
        }
    }

    fn refused(content: &str) -> String {
        let text = format!("message(1,manager,us,{content})");
        read(&text).expect_err(&text).to_string()
    }

    #[test]
    fn calls_are_messages() {
        assert_eq!(message("message(1,manager,us,ping())"), Message::Info);
        assert_eq!(message(" message( 1 , manager , us , ping )\n"), Message::Info);
        for nil in ["nil", "[]"] {
            let play = Message::Play { id: "us".into(), last: Last::Nothing };
            assert_eq!(message(&format!("message(3,manager,us,play({nil}))")), play);
        }
        let Message::Play { id, last } = message("message(7,manager,us,play(mark(1, f(x))))")
        else {
            panic!("no play");
        };
        assert_eq!((&*id, &*last.to_string()), ("us", "7 (mark 1 (f x))"));
        let Message::Stop { last, .. } = message("message(9,manager,us-2,stop(\"Up!\"))") else {
            panic!("no stop");
        };
        assert_eq!(last.to_string(), "9 \"Up!\"");
        assert_eq!(message("message(2,m,us,abort())"), Message::Abort { id: "us".into() });
    }

    #[test]
    fn rules_are_separated_by_commas() {
        let text = "message(2,manager,us,start(x,ruleset(role(x),init(control(x)),legal(go(A,B)) :- p(A,B) & ~q,
            % one, with a comment (
go(A,B) :: p(A,B) ==> done & ~q,p(1,\"a,b\"),init(q), base(done)),10,2))";
        let Message::Start { role, rules, start_clock, play_clock, .. } = message(text) else {
            panic!("no start");
        };
        assert_eq!((&*role, start_clock, play_clock), ("x", 10, 2));
        assert_eq!(rules.text.lines().count(), 8, "{}", rules.text);
    }

    #[test]
    fn answers_are_written_as_the_manager_reads_them() {
        let (_, envelope) = read("message(3,boss,us,play(nil))").unwrap();
        let answer = |reply| envelope.answer(&reply);
        let said = |text: &str| Ok(format!("message(3,us,boss,{text})"));
        assert_eq!(answer(Reply::Ready), said("ready"));
        assert_eq!(answer(Reply::Info { name: "gdlr".into(), available: false }), said("ready"));
        assert_eq!(answer(Reply::Move("(mark 1 (f \"A\"))".into())), said("mark(1,f(\"A\"))"));
        assert_eq!(answer(Reply::Move("pass".into())), said("pass"));
        for silent in [Reply::Idle("noop".into()), Reply::Done, Reply::Aborted] {
            assert_eq!(answer(silent), Ok(String::new()));
        }
        assert_eq!(answer(Reply::Busy("why".into())), Err("why".to_owned()));
        assert_eq!(answer(Reply::NoMove("why".into())), Err("why".to_owned()));
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        for text in [
            "",
            "ping()",
            "(INFO)",
            "message(1,manager,us)",
            "message(x,manager,us,ping())",
            "message(1,(a),us,ping())",
            "note(1,manager,us,ping())",
            "message(1,manager,,ping())",
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains("message(1,manager,gdlr,ping())"), "{text}: {error}");
        }
        assert!(refused("jump()").contains("no message `jump`; send ping()"));
        assert!(refused("ping(1)").contains("should be ping()"));
        for start in [
            "start()",
            "start(x,rules(role(x)),1,2)",
            "start(x,ruleset(role(x)),one,2)",
            "start(x y,ruleset(role(x)),1,2)",
            "start(x,ruleset(role(x)),1,-2)",
        ] {
            assert!(refused(start).contains("should be start(ROLE,ruleset("), "{start}");
        }
        for play in ["play()", "play(a,b)", "play(f(,))", "play(a b)", "play(~a)", "play(f([]))"] {
            assert!(refused(play).contains("should be play(MOVE)"), "{play}");
        }
        assert!(refused("stop()").contains("should be stop(MOVE)"));
        for text in [
            "message(1,manager,us,play(f(1))",
            "message(1,manager,us,ping()))",
            "message(1,manager,us,ping()) x",
            "message(1,manager,us,play(\"a))",
            "message(1,(],us,[)",
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(
                error.contains("cannot be read") || error.contains("should be"),
                "{text}: {error}"
            );
        }
        // Brackets within brackets cost nothing.
        let deep = format!("play({}a{})", "f(".repeat(100_000), ")".repeat(100_000));
        assert!(refused(&deep).contains("should be play(MOVE)"));
        let error = refused("start(x,ruleset(role(x),init(control(x)),legal(a) :- b c),1,2)");
        assert!(error.contains("at 3:15: `c`"), "{error}");
    }

    #[test]
    fn no_text_is_too_odd() {
        let pieces = [
            "message",
            "(",
            ")",
            ",",
            "1",
            "us",
            "start",
            "play",
            "ruleset",
            "[",
            "]",
            "\"",
            "%",
            "\n",
            "é",
            " ",
            "role(x)",
            "legal(a) :- b",
            "a :: b",
            "&",
            "~",
            "nil",
            "message(1,m,us,",
            "play(",
        ];
        let mut random = 1_u64;
        let mut piece = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            pieces[(random >> 33) as usize % pieces.len()]
        };
        let mut count = 0;
        for length in 0..20_000 {
            let text: String = (0..length / 3 % 12).map(|_| piece()).collect();
            let begins = ["", "message(1,m,us,", "message(1,m,us,start(x,ruleset("][length % 3];
            let ends = ["", ")", "),1,2))"][length % 3];
            count += usize::from(read(&format!("{begins}{text}{ends}")).is_ok());
        }
        assert!(count > 10, "{count}");
    }
}
