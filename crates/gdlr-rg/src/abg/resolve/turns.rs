//! The rules, postconditions and ends of each player.

use super::sentences::place;
use super::{Bindings, Resolved, Resolver};
use crate::abg::ast::{End, Expr, ExprKind, Sentence};
use crate::abg::game::{Condition, Ending, Turn};
use gdlr_text::diagnostic::{Code, Diagnostic};

/// The score of a draw, and of a win.
const DRAW: i64 = 50;
const WIN: i64 = 100;

impl<'a> Resolver<'a> {
    /// Reports rules of unknown pieces, second rules of a piece, rules of pieces without an owner,
    /// and pieces with an owner but without a rule.
    pub fn check_rules(&mut self) {
        let tree = self.tree;
        let mut ruled = vec![None; self.scope.pieces.len()];
        for rule in &tree.rules {
            let Some(piece) = self.scope.piece(&rule.piece.text) else {
                let _: Resolved<()> = self.unknown_piece(&rule.piece);
                continue;
            };
            if let Some(first) = ruled[piece] {
                let message = format!("there are two rules of `{}`", rule.piece.text);
                let error = Diagnostic::new(Code::AbgDuplicate, rule.piece.span, message);
                self.report(
                    error.with_related(first, "the first one").with_help("join them by `|`"),
                );
            }
            ruled[piece] = Some(rule.piece.span);
            if self.scope.pieces[piece].1.is_empty() {
                let message = format!("nobody owns `{}`, so nobody moves it", rule.piece.text);
                let help = "name its owners in `pieces`: `NAME(PLAYER)`";
                let _: Resolved<()> = self.error(Code::AbgOwner, rule.piece.span, &message, help);
            }
        }
        for word in &tree.board {
            let Some(piece) = self.scope.piece(&word.text) else { continue };
            if ruled[piece].is_none() && !self.scope.pieces[piece].1.is_empty() {
                ruled[piece] = Some(word.span);
                let message = format!("`{}` has an owner and no rule", word.text);
                let help = "write `rule PIECE = …;`, or leave out its owners";
                self.report(Diagnostic::new(Code::AbgNoRule, word.span, message).with_help(help));
            }
        }
    }

    /// The rules, postconditions and ends of a player.
    pub fn turn(&mut self, mover: usize) -> Turn {
        self.mover = mover;
        let tree = self.tree;
        let mut turn = Turn::default();
        if let Ok(statements) = self.statements(&tree.each_move, Bindings::NONE) {
            turn.each_move = statements;
        }
        for rule in &tree.rules {
            let Some(piece) = self.scope.piece(&rule.piece.text) else { continue };
            if !self.scope.pieces[piece].1.contains(&mover) {
                continue;
            }
            if let Ok(dfa) = self.rule(&rule.sentence)
                && !dfa.is_empty()
            {
                turn.rules.push((piece, dfa));
                self.used.push(format!("rule {}", rule.piece.text).into());
            }
        }
        for post in &tree.posts {
            let (player, piece) =
                (self.scope.player(&post.player.text), self.scope.piece(&post.piece.text));
            let Some(player) = player else {
                let _: Resolved<()> = self.unknown_player(&post.player);
                continue;
            };
            let Some(piece) = piece else {
                let _: Resolved<()> = self.unknown_piece(&post.piece);
                continue;
            };
            if player != mover {
                continue;
            }
            if let Ok(sentence) = self.asked_sentence(&post.sentence, Bindings::NONE) {
                turn.posts.push((piece, sentence));
            }
        }
        self.ends(&mut turn);
        turn
    }

    /// The ends that are tested after a move of the player, and if the player has no move.
    fn ends(&mut self, turn: &mut Turn) {
        let tree = self.tree;
        self.victories(turn);
        for end in &tree.ends {
            let End::Terminal { name, condition, scores } = end else { continue };
            let Ok(scores) = self.scores(scores) else { continue };
            let Ok((condition, is_stuck)) = self.end(condition) else { continue };
            if condition == Condition::Constant(false) {
                continue;
            }
            let ending = Ending { condition, scores, span: name.span };
            if is_stuck { turn.stuck.push(ending) } else { turn.ends.push(ending) }
        }
    }

    /// The condition of an end. Also returns whether it is tested if a player has no move.
    fn end(&mut self, condition: &'a Expr) -> Resolved<(Condition, bool)> {
        self.asked_moves = false;
        self.can_move = Some(false);
        let resolved = self.condition(condition, Bindings::NONE);
        self.can_move = None;
        Ok((resolved?, self.asked_moves))
    }

    /// The victories: exactly one player whose condition holds wins; if several do, it is a draw.
    fn victories(&mut self, turn: &mut Turn) {
        let tree = self.tree;
        let players = self.scope.players.len();
        let mut wins = Vec::new();
        for end in &tree.ends {
            let End::Victory(player, condition) = end else { continue };
            let Some(winner) = self.scope.player(&player.text) else {
                let _: Resolved<()> = self.unknown_player(player);
                continue;
            };
            if let Ok((condition, is_stuck)) = self.end(condition)
                && condition != Condition::Constant(false)
            {
                wins.push((winner, condition, is_stuck, player.span));
            }
        }
        for (number, (winner, condition, is_stuck, span)) in wins.iter().enumerate() {
            let into = if *is_stuck { &mut turn.stuck } else { &mut turn.ends };
            let mut both = Condition::Constant(false);
            for (other, other_condition, other_stuck, _) in &wins[number + 1..] {
                if other != winner && other_stuck == is_stuck {
                    both = both.or(condition.clone().and(other_condition.clone()));
                }
            }
            if both != Condition::Constant(false) {
                let scores = vec![DRAW; players];
                into.push(Ending { condition: both, scores, span: *span });
            }
            let mut scores = vec![0; players];
            scores[*winner] = WIN;
            into.push(Ending { condition: condition.clone(), scores, span: *span });
        }
    }

    /// The score of each player.
    fn scores(&mut self, given: &'a [(crate::abg::ast::Word, Expr)]) -> Resolved<Vec<i64>> {
        let players = self.scope.players.len();
        let mut scores: Vec<Option<i64>> = vec![None; players];
        for (word, value) in given {
            let score = self.initial_number(value)?;
            if !(0..=100).contains(&score) {
                let message = format!("the score {score} is not in 0..100");
                let help = "write 100 for a win, 50 for a draw, 0 for a loss";
                return self.error(Code::AbgNumber, value.span, &message, help);
            }
            match &*word.text {
                "mover" => scores[self.mover] = Some(score),
                "others" => scores.iter_mut().for_each(|it| *it = it.or(Some(score))),
                text => match self.scope.player(text) {
                    Some(player) => scores[player] = Some(score),
                    None => return self.unknown_player(word),
                },
            }
        }
        Ok(scores.into_iter().map(|score| score.unwrap_or(0)).collect())
    }

    /// Warns of pieces with a rule by which no owner can ever move them. There is no warning if the
    /// rule says so itself: `[0, 0, False]`.
    pub fn check_movable(&mut self) {
        let tree = self.tree;
        for rule in &tree.rules {
            let says_so = matches!(&rule.sentence, Sentence::Letter(letter)
                if matches!(&letter.test.kind, ExprKind::Name(call) if
                    call.name.text.eq_ignore_ascii_case("false")));
            let name = format!("rule {}", rule.piece.text);
            let is_used = self.used.iter().any(|used| **used == *name);
            let owned = self.scope.piece(&rule.piece.text);
            let owned = owned.is_some_and(|piece| !self.scope.pieces[piece].1.is_empty());
            if !is_used && !says_so && owned {
                let message = format!("`{}` can never move", rule.piece.text);
                let help = "write `[0, 0, False]` if that is meant";
                self.warn(Code::AbgNeverMoves, place(&rule.sentence), &message, help);
            }
        }
    }
}
