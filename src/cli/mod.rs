//! The command line: arguments, results, diagnostics.
//!
//! One file a command, each with its arguments and a `run`. Results are built as a whole and
//! written to standard output at once; everything else goes to standard error. A command
//! ends with a [`Status`] or a [`Failure`], never by leaving the process.

mod abg;
mod automaton_info;
mod bench;
mod check;
mod clock;
mod colours;
mod completions;
mod crosscheck;
mod diagnostics;
mod draw;
mod engine;
mod explain;
mod explain_code;
mod fmt;
mod games;
mod gdl_perf;
mod glance;
mod graph;
mod ground;
mod hrg;
mod info;
mod information_sets;
mod interrupt;
#[cfg(any(feature = "ggp", feature = "web"))]
mod listening;
#[cfg(feature = "ggp")]
mod match_;
mod moment;
mod output;
mod perft;
mod play;
mod playable;
mod player_name;
mod positions;
mod progress;
mod propnet;
mod rbg;
mod rg;
mod rulesheet;
#[cfg(feature = "ggp")]
mod serve;
mod status;
#[cfg(feature = "ggp")]
mod thoughts;
mod time;
mod to_hrg;
mod to_rg;
mod tree;
mod verbosity;
mod verify;
#[cfg(feature = "web")]
mod web;

use clap::{ArgAction, CommandFactory, Parser, Subcommand};
use status::Outcome;
use std::process::ExitCode;

/// A reasoner for the Game Description Language: reads rulesheets, checks them
/// and plays them fast.
#[derive(Debug, Parser)]
#[command(
    name = "gdlr",
    version,
    max_term_width = 80,
    disable_help_subcommand = true,
    after_help = "\
GAME is a path to a rulesheet (.kif), `-` for standard input, or the name of a
bundled game (see `gdlr games`). Commands that play take automata (.rg) as well.

Exit status: 0 done, 1 the answer is no, 2 unusable arguments or input,
3 a budget ran out before the job was done, 130 interrupted.

GDLR_LOG=gdlr=debug is what -vv is, GDLR_LOG=gdlr_batch=debug a part of it."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Say what set-up does: -v its stages, -vv its decisions
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(play::Arguments),
    Positions(positions::Arguments),
    Perft(perft::Arguments),
    InformationSets(information_sets::Arguments),
    Check(check::Arguments),
    Fmt(fmt::Arguments),
    Info(info::Arguments),
    Tree(tree::Arguments),
    Ground(ground::Arguments),
    Propnet(propnet::Arguments),
    Draw(draw::Arguments),
    Explain(explain::Arguments),
    ExplainCode(explain_code::Arguments),
    Verify(verify::Arguments),
    #[cfg(feature = "ggp")]
    Match(match_::Arguments),
    Crosscheck(crosscheck::Arguments),
    ToRg(to_rg::Arguments),
    ToHrg(to_hrg::Arguments),
    Rg(rg::Arguments),
    Hrg(hrg::Arguments),
    Rbg(rbg::Arguments),
    Abg(abg::Arguments),
    #[cfg(feature = "ggp")]
    Serve(serve::Arguments),
    #[cfg(feature = "web")]
    Web(web::Arguments),
    Bench(bench::Arguments),
    GdlPerf(gdl_perf::Arguments),
    Games(games::Arguments),
    Completions(completions::Arguments),
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(error) = interrupt::install() {
        output::warn(&format!("Ctrl-C will not end the run cleanly: {error}"));
    }
    let outcome = verbosity::listen(arguments.verbose).and_then(|()| run(&arguments.command));
    let status = output::status_of(outcome);
    diagnostics::say_where_codes_are_explained();
    status.into()
}

/// Runs a command.
fn run(command: &Command) -> Outcome {
    match command {
        Command::Play(arguments) => play::run(arguments),
        Command::Positions(arguments) => positions::run(arguments),
        Command::Perft(arguments) => perft::run(arguments),
        Command::InformationSets(arguments) => information_sets::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Tree(arguments) => tree::run(arguments),
        Command::Ground(arguments) => ground::run(arguments),
        Command::Propnet(arguments) => propnet::run(arguments),
        Command::Draw(arguments) => draw::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::ExplainCode(arguments) => explain_code::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
        #[cfg(feature = "ggp")]
        Command::Match(arguments) => match_::run(arguments),
        Command::Crosscheck(arguments) => crosscheck::run(arguments),
        Command::ToRg(arguments) => to_rg::run(arguments),
        Command::ToHrg(arguments) => to_hrg::run(arguments),
        Command::Rg(arguments) => rg::run(arguments),
        Command::Hrg(arguments) => hrg::run(arguments),
        Command::Rbg(arguments) => rbg::run(arguments),
        Command::Abg(arguments) => abg::run(arguments),
        #[cfg(feature = "ggp")]
        Command::Serve(arguments) => serve::run(arguments),
        #[cfg(feature = "web")]
        Command::Web(arguments) => web::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::GdlPerf(arguments) => gdl_perf::run(arguments),
        Command::Games(arguments) => games::run(arguments),
        Command::Completions(arguments) => completions::run(arguments, Arguments::command()),
    }
}
