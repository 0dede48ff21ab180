//! Messages and replies as expressions.

use super::expressions::{ABORT, INFO, PLAY, PREVIEW, START, STOP};
use super::*;
use crate::set_up::SetUp;

fn parse(text: &str) -> Message {
    Message::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The message as it is written again.
fn again(text: &str) -> String {
    let message = parse(text);
    let written = message.to_string();
    assert_eq!(parse(&written).to_string(), written);
    written
}

/// Appendix B of SPEC.
const MAZE: &str = "(START MATCH.3316980891 ROBOT
((ROLE ROBOT) (INIT (CELL A)) (INIT (GOLD C)) (INIT (STEP 1))
(<= (NEXT (CELL ?Y)) (DOES ROBOT MOVE) (TRUE (CELL ?X))
(ADJACENT ?X ?Y)) (<= (NEXT (CELL ?X)) (DOES ROBOT GRAB)
(TRUE (CELL ?X))) (<= (NEXT (CELL ?X)) (DOES ROBOT DROP)
(TRUE (CELL ?X))) (ADJACENT A B) (ADJACENT B C) (ADJACENT C D)
(ADJACENT D A) (<= (LEGAL ROBOT MOVE)) (<= (LEGAL ROBOT GRAB)
(TRUE (CELL ?X)) (TRUE (GOLD ?X))) (<= TERMINAL (TRUE (GOLD A))))
30 20)";

#[test]
fn the_messages_of_appendix_b() {
    let Message::Start { id, role, rules, start_clock, play_clock } = parse(MAZE) else {
        panic!("no START");
    };
    assert_eq!((&*id, &*role), ("MATCH.3316980891", "ROBOT"));
    assert_eq!((start_clock, play_clock), (30, 20));
    let game = rules.game("maze", Reading::default()).expect("a rulesheet");
    assert_eq!((game.rules.len(), game.roles.len()), (14, 1));

    let nothing = Message::Play { id: id.clone(), last: Last::Nothing };
    assert_eq!(parse("(PLAY MATCH.3316980891 NIL)"), nothing);
    assert_eq!(again("(PLAY MATCH.3316980891 (MOVE))"), "(PLAY MATCH.3316980891 (MOVE))");
    let text = "(PLAY MATCH.3316980892 ((MARK 2 2) NOOP))";
    assert_eq!(again(text), text);
    let Message::Play { last: Last::Joint(moves), .. } = parse(text) else {
        panic!("no joint move");
    };
    assert_eq!(moves[0].to_string(), "(MARK 2 2)");
    assert_eq!(again("(STOP MATCH.3316980891 (DROP))"), "(STOP MATCH.3316980891 (DROP))");
}

#[test]
fn case_and_spacing_are_free() {
    for text in ["(INFO)", "( info )", " (Info ; who\n)\r\n", "info"] {
        assert_eq!(parse(text), Message::Info);
    }
    for text in ["(play M NIL)", "(PLAY M nil )", "(pLaY\tM\n())"] {
        assert_eq!(parse(text), Message::Play { id: "M".into(), last: Last::Nothing });
    }
    assert_eq!(
        again("( START m white\n( ( role white )( role black ) ) 30 10 )"),
        "(START m white ((role white) (role black)) 30 10)"
    );
    assert_eq!(again("(preview ((role a)) 7)"), "(PREVIEW ((role a)) 7)");
    assert_eq!(again("( abort m )"), "(ABORT m)");
    // Managers may add arguments.
    assert_eq!(again("(start m a ((role a)) 3 4 5 x)"), "(START m a ((role a)) 3 4)");
}

#[test]
fn ids_are_any_symbol() {
    for id in ["Base.ttt.1400000000", "m/1", "@x", "\"m\"", "é|{}", "?m", "nil", "12", "<=>"] {
        assert_eq!(parse(&format!("(abort {id})")), Message::Abort { id: id.to_owned() });
    }
}

#[test]
fn the_dialect_of_incomplete_information() {
    let Message::Play { last, .. } = parse("(PLAY m 3 (bet 1) ((card a) NIL))") else {
        panic!("no PLAY");
    };
    assert_eq!(last.to_string(), "3 (bet 1) ((card a) NIL)");
    assert!(matches!(last, Last::Own { turn: 3, action: Some(_), .. }));
    let none = Last::Own { turn: 0, action: None, percepts: Vec::new() };
    for text in ["(play m 0 NIL NIL)", "(play m 0 nil ())", "(play m 0 () nil)"] {
        assert_eq!(parse(text), Message::Play { id: "m".into(), last: none.clone() });
    }
    assert_eq!(again("(stop m 4 noop nil)"), "(STOP m 4 noop ())");
}

#[test]
fn a_long_line_is_read_at_once() {
    let rules: String = (0..30_000).map(|n| format!("(succ {n} {})", n + 1)).collect();
    let text = format!("(START m a ((role a){rules}) 30 10)");
    assert!(text.len() > 500_000);
    let Message::Start { rules, .. } = parse(&text) else { panic!("no START") };
    assert_eq!(rules.document.items.len(), 30_001);
}

#[test]
fn what_is_no_message_is_refused() {
    let error = |text: &str| Message::parse(text).expect_err(text);
    for text in ["", "()", "(INFO) (INFO)", "((PLAY) m nil)", "; nothing"] {
        assert!(matches!(error(text), MessageError::NoMessage(_)), "{text}");
    }
    assert!(matches!(error("(PLAY m (a)"), MessageError::Unreadable(_)));
    assert!(matches!(error(&"(".repeat(100_000)), MessageError::Unreadable(_)));
    assert!(error("(QUIT m)").to_string().contains("no message `QUIT`; send INFO"));
    assert_eq!(error("(INFO x)"), MessageError::Malformed(INFO));
    assert_eq!(error("(PREVIEW ((role a)))"), MessageError::Malformed(PREVIEW));
    for text in [
        "(START m a)",
        "(START m a rules 1 2)",
        "(START (m) a () 1 2)",
        "(START m a ((role a)) 1)",
        "(START m a ((role a)) one 2)",
        "(START m a ((role a)) -1 2)",
        "(START m a ((role a)) 1 99999999999999999999)",
    ] {
        assert_eq!(error(text), MessageError::Malformed(START));
    }
    for text in ["(PLAY)", "(PLAY m)", "(PLAY (m) nil)", "(PLAY m a)", "(PLAY m x a ())"] {
        assert_eq!(error(text), MessageError::Malformed(PLAY));
    }
    for text in ["(STOP m 1 a)", "(STOP m 1 a b)", "(STOP m 1 a () ())"] {
        assert_eq!(error(text), MessageError::Malformed(STOP));
    }
    assert_eq!(error("(ABORT)"), MessageError::Malformed(ABORT));
    assert!(error("(ABORT)").to_string().ends_with("should be (ABORT ID)"));
}

#[test]
fn moves_are_told_as_the_rules_spell_them() {
    let rules = "(role Robot) (role Ann) (legal Robot (Mark 1 B)) (legal Ann Wait)";
    let game = Arc::new(Game::from_kif("g", rules).expect("rules"));
    let engine = SetUp::default().make(game).expect("an engine").engine;
    let text = |observation: Option<&Observation>, dialect| {
        Last::of(observation, 3, dialect, RoleId(1), &engine).to_string()
    };
    let term = |text: &str| {
        let expr = kif::read(text).expect("KIF").items.remove(0);
        Term::from_expr(&expr, engine.symbols()).expect("known names")
    };
    let (mark, wait) = (term("(MARK 1 b)"), term("wait"));
    let joint = Observation::Joint(vec![mark.clone(), wait.clone()]);
    assert_eq!(text(Some(&joint), Dialect::JointMove), "((Mark 1 B) Wait)");
    let did = "3 Wait ((did Robot (Mark 1 B)) (did Ann Wait))";
    assert_eq!(text(Some(&joint), Dialect::Percepts), did);
    assert_eq!(text(None, Dialect::JointMove), "NIL");
    assert_eq!(text(None, Dialect::Percepts), "3 NIL ()");
    let own = Observation::Own { action: wait, percepts: vec![mark.clone(), mark] };
    // There is no joint move to tell.
    for dialect in [Dialect::Percepts, Dialect::JointMove] {
        assert_eq!(text(Some(&own), dialect), "3 Wait ((Mark 1 B) (Mark 1 B))");
    }
}

#[test]
fn replies() {
    let info = |available| Reply::Info { name: "my player".into(), available }.to_string();
    assert_eq!(info(true), "((name my-player) (status available))");
    assert_eq!(info(false), "((name my-player) (status busy))");
    let replies = [
        Reply::Ready,
        Reply::NoMove("why".into()),
        Reply::Done,
        Reply::Busy("why".into()),
        Reply::Aborted,
    ]
    .map(|r| r.to_string());
    assert_eq!(replies, ["READY", "nil", "DONE", "busy", "aborted"]);
    assert_eq!(Reply::Move("(Mark 1 B)".into()).to_string(), "(Mark 1 B)");
}
