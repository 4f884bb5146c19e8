//! What a Euchre bot in Rust is written with.
//!
//! A bot is a type that implements [`Bot`], with the methods of the phases it has an opinion on:
//!
//! ```no_run
//! use euchre_kit::{About, Answer, Bot, Question};
//!
//! struct LastCard;
//!
//! impl Bot for LastCard {
//!     fn play(&mut self, q: &Question) -> Answer {
//!         Answer::option(q.options.len() - 1)
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     euchre_kit::run(About { name: "last-card".into(), ..About::default() }, LastCard)
//! }
//! ```
//!
//! Cards, suits, strains and seats are the numbers of the wire everywhere.

mod bot;
pub mod cards;
mod client;
mod variant;

/// The wire contract, generated from `proto/euchre/v1`; the comments there say what every field means.
pub mod wire {
    #![allow(missing_docs, clippy::all)]
    tonic::include_proto!("euchre.v1");

    /// The contract's descriptors, a serialised `FileDescriptorSet`; to read its messages from JSON, for instance.
    pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
}

pub use bot::{About, Answer, Bot, Chance, Question, decide};
pub use cards::{Card, Strain, Suit};
pub use client::{Exit, Settings, play, run};
pub use variant::{Order, Rung, Variant};
pub use wire::{ActionKind, PhaseKind};
