//! Help: of all commands, and of each.

use super::*;

#[test]
fn of_all_commands() {
    insta::assert_snapshot!("help", done(&["--help"]));
}

#[test]
fn of_each_command() {
    for command in COMMANDS {
        insta::assert_snapshot!(format!("help_{command}"), done(&[command, "--help"]));
    }
    for command in RG_COMMANDS {
        insta::assert_snapshot!(format!("help_rg_{command}"), done(&["rg", command, "--help"]));
    }
    for command in HRG_COMMANDS {
        insta::assert_snapshot!(format!("help_hrg_{command}"), done(&["hrg", command, "--help"]));
    }
    for command in ABG_COMMANDS {
        insta::assert_snapshot!(format!("help_abg_{command}"), done(&["abg", command, "--help"]));
    }
    for command in RBG_COMMANDS {
        insta::assert_snapshot!(format!("help_rbg_{command}"), done(&["rbg", command, "--help"]));
    }
}

#[test]
fn fits_eighty_columns_short_and_long() {
    let commands = COMMANDS.iter().map(|&command| vec![command]);
    let rg = RG_COMMANDS.iter().map(|&command| vec!["rg", command]);
    let hrg = HRG_COMMANDS.iter().map(|&command| vec!["hrg", command]);
    let rbg = RBG_COMMANDS.iter().map(|&command| vec!["rbg", command]);
    let abg = ABG_COMMANDS.iter().map(|&command| vec!["abg", command]);
    for command in commands.chain(rg).chain(hrg).chain(rbg).chain(abg) {
        let long = done(&[&command[..], &["--help"]].concat());
        assert_eq!(long, done(&[&command[..], &["-h"]].concat()), "{command:?}");
        for line in long.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

#[test]
fn lists_every_command() {
    let help = done(&["--help"]);
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
    let help = done(&["hrg", "--help"]);
    for command in HRG_COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
    let help = done(&["rbg", "--help"]);
    for command in RBG_COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
    let help = done(&["abg", "--help"]);
    for command in ABG_COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
    let help = done(&["rg", "--help"]);
    for command in RG_COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
}

#[test]
fn version() {
    assert_eq!(done(&["--version"]), format!("gdlr {}\n", env!("CARGO_PKG_VERSION")));
}
