//! Help teaches.

#![allow(clippy::unwrap_used, clippy::panic)]

use crate::support::Desk;

#[test]
fn the_help_of_every_command_has_an_example_of_it() {
    let desk = Desk::new();
    let commands = ["new", "import", "export", "check", "describe", "pack", "simulate", "sweep", "plot", "view"];
    for command in commands {
        let help = desk.works(&format!("{command} --help"));
        assert!(help.contains("Examples:") && help.contains(&format!("  mbfmu {command} ")), "{help}");
    }
}

#[test]
fn the_help_of_the_command_lists_all_commands_and_first_steps() {
    let desk = Desk::new();
    let help = desk.works("--help");
    for words in [
        "new",
        "check",
        "describe",
        "pack",
        "simulate",
        "sweep",
        "plot",
        "view",
        "schema",
        "First steps:",
        "Exit codes:",
    ] {
        assert!(help.contains(words), "{words} is not in\n{help}");
    }
    assert_eq!(desk.run("").code, 2);
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(Desk::new().works("--version"), format!("mbfmu {}\n", env!("CARGO_PKG_VERSION")));
}
