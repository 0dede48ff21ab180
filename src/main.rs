//! The `gdlr` command.
// All output goes through `cli::output`, which survives a closed pipe.
#![forbid(unsafe_code)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
