//! `gdlr completions`: scripts for shells.

use super::output;
use super::status::{Outcome, Status};
use clap::{Args, Command};
use clap_complete::Shell;

/// Print a script that completes gdlr's arguments in a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gdlr completions bash > ~/.local/share/bash-completion/completions/gdlr
  gdlr completions fish > ~/.config/fish/completions/gdlr.fish")]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

/// Prints the script; `command` is what it completes.
pub fn run(arguments: &Arguments, mut command: Command) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "gdlr", &mut script);
    output::print_exactly(&String::from_utf8_lossy(&script))?;
    Ok(Status::Done)
}
