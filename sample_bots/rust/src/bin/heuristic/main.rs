//! A bot that judges by rules of thumb and plays every variant from its description.
//!
//! It is the common heuristic of the sample bots, specified in docs/heuristic.md of the Euchre Arena: the same rules in
//! every language, so that their results can be compared.

mod calls;
mod estimate;
mod tricks;

#[cfg(test)]
#[path = "../../../tests/common/mod.rs"]
mod common;
#[cfg(test)]
mod tests;

use std::process::ExitCode;

use euchre_kit::{About, run};

fn main() -> ExitCode {
    let about = About {
        name: "rust-heuristic".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        ..About::default()
    };
    run(about, calls::Heuristic)
}
