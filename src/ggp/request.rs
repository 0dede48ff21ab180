//! What a manager says to players: START, PLAY, STOP (SPEC, section 8 and appendix B) and ABORT,
//! which deployed managers send when a match is broken off.

use crate::kif::Document;
use std::time::Duration;

/// `(START id role (rule ...) startclock playclock)`; the rules as the document has them,
/// without comments, in one line. Clocks are told in whole seconds, rounded down, but not as 0.
pub fn start(
    id: &str,
    role: &str,
    rules: &Document,
    start_clock: Duration,
    play_clock: Duration,
) -> String {
    let rules: Vec<String> = rules.items.iter().map(ToString::to_string).collect();
    let seconds = |clock: Duration| clock.as_secs().max(1);
    let (start, play) = (seconds(start_clock), seconds(play_clock));
    format!("(START {id} {role} ({}) {start} {play})", rules.join(" "))
}

/// `(PLAY id (move ...))`, with the last joint move in the order of roles; `NIL` if there was
/// none.
pub fn play(id: &str, last: &[String]) -> String {
    format!("(PLAY {id} {})", moves(last))
}

/// `(STOP id (move ...))`, with the joint move that ended the match.
pub fn stop(id: &str, last: &[String]) -> String {
    format!("(STOP {id} {})", moves(last))
}

/// `(ABORT id)`.
pub fn abort(id: &str) -> String {
    format!("(ABORT {id})")
}

fn moves(last: &[String]) -> String {
    match last {
        [] => "NIL".to_owned(),
        _ => format!("({})", last.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif;

    #[test]
    fn as_in_the_appendix() {
        let rules = kif::read("; the maze\n(ROLE ROBOT)\n(<= (LEGAL ROBOT MOVE))").expect("rules");
        let clock = Duration::from_millis(30_900);
        assert_eq!(
            start("MATCH.3316980891", "ROBOT", &rules, clock, Duration::from_millis(50)),
            "(START MATCH.3316980891 ROBOT ((ROLE ROBOT) (<= (LEGAL ROBOT MOVE))) 30 1)"
        );
        assert_eq!(play("MATCH.3316980891", &[]), "(PLAY MATCH.3316980891 NIL)");
        let joint = ["(MARK 2 2)".to_owned(), "NOOP".to_owned()];
        assert_eq!(play("MATCH.3316980892", &joint), "(PLAY MATCH.3316980892 ((MARK 2 2) NOOP))");
        assert_eq!(stop("MATCH.3316980891", &joint[1..]), "(STOP MATCH.3316980891 (NOOP))");
        assert_eq!(abort("m"), "(ABORT m)");
    }
}
