//! The rule vectors that concern a bot's kit: lawful cards, winners of tricks, orders of cards. Their README says what
//! they mean.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use euchre_kit::cards::{card_name, card_names, parse_card, parse_cards, parse_strain};
use euchre_kit::{Card, Order, Variant};
use serde_json::{Map, Value};

use common::{variant, vectors};

mod common;

/// The members of one case. What a check does not take holds an expectation that would be lost.
struct Case(Map<String, Value>);

impl Case {
    fn take(&mut self, name: &str) -> Option<String> {
        let value = self.0.remove(name)?;
        Some(value.as_str().expect("a text").to_owned())
    }

    fn need(&mut self, name: &str) -> String {
        self.take(name).unwrap_or_else(|| panic!("the case has no {name}"))
    }
}

fn cards(names: &str) -> Vec<Card> {
    parse_cards(names).unwrap()
}

fn check_lawful(case: &mut Case, _: &Variant, order: &Order) {
    let mut lawful = order.low_to_high(&cards(&case.need("hand")));
    if let Some(led) = case.take("led") {
        lawful = order.follows(order.suit(parse_card(&led).unwrap()), &lawful);
    }
    let (wanted, default) = (case.take("lawful"), case.take("default"));
    assert!(wanted.is_some() || default.is_some(), "the case expects nothing");
    if let Some(wanted) = wanted {
        assert_eq!(card_names(&lawful), card_names(&order.low_to_high(&cards(&wanted))));
    }
    if let Some(default) = default {
        assert_eq!(card_name(lawful[0]), default);
    }
}

fn check_trick(case: &mut Case, variant: &Variant, order: &Order) {
    let trick = case.need("trick");
    let played: Vec<(&str, &str)> = trick
        .split(' ')
        .map(|entry| entry.split_once(':').expect("seat:card"))
        .collect();
    let cards: Vec<Card> = played.iter().map(|(_, card)| parse_card(card).unwrap()).collect();
    let (seat, _) = played[variant.winner(order, &cards).expect("the trick is not empty")];
    assert_eq!(seat, case.0.remove("winner").expect("a winner").to_string());
}

fn check_order(case: &mut Case, _: &Variant, order: &Order) {
    let sorted = order.low_to_high(&cards(&case.need("cards")));
    assert_eq!(card_names(&sorted), case.need("up"));
}

/// Returns the files of a folder that hold JSON.
fn json_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths
}

fn run_case(case: Value) -> Option<String> {
    let Value::Object(members) = case else {
        panic!("a case is an object")
    };
    let mut case = Case(members);
    let kind = case.need("kind");
    let check = match kind.as_str() {
        "lawful" => check_lawful,
        "trick" => check_trick,
        "order" => check_order,
        _ => return None,
    };
    case.take("note");
    let strain = case.take("strain").map_or(0, |name| parse_strain(&name).unwrap());
    let variant = variant(&case.need("variant"));
    check(&mut case, &variant, variant.order(strain));
    assert!(
        case.0.is_empty(),
        "members that this reader does not know: {:?}",
        case.0
    );
    Some(kind)
}

#[test]
fn vectors_of_cards_and_tricks_hold() {
    let mut run: HashMap<String, usize> = HashMap::new();
    for path in json_files(&vectors()) {
        let file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(file["format"], 1, "{}: this reader knows format 1", path.display());
        for vector in file["vectors"].as_array().expect("vectors") {
            println!("{}", vector["id"]); // shown if what follows fails
            for case in vector["cases"].as_array().expect("cases") {
                println!("  {case}");
                if let Some(kind) = run_case(case.clone()) {
                    *run.entry(kind).or_default() += 1;
                }
            }
        }
    }
    for kind in ["lawful", "trick", "order"] {
        assert!(run.contains_key(kind), "no vector of kind {kind} was run");
    }
}

#[test]
#[should_panic(expected = "members that this reader does not know")]
fn a_member_that_is_not_known_is_refused() {
    let case = r#"{"kind": "order", "variant": "standard", "cards": "AS 9S", "up": "9S AS", "down": "AS 9S"}"#;
    run_case(serde_json::from_str(case).unwrap());
}

#[test]
fn every_variant_orders_its_whole_deck() {
    let described = json_files(&vectors().join("variants"));
    assert!(!described.is_empty());
    for path in described {
        let variant = variant(path.file_stem().unwrap().to_str().unwrap());
        for strain in &variant.strains {
            for entry in &variant.deck {
                let name = card_name(entry.card);
                let suit = variant.order(*strain).suit(entry.card);
                assert_ne!(suit, 0, "{}: {name} has no suit in {strain}", variant.id);
                assert_eq!(parse_card(&name), Ok(entry.card));
            }
        }
    }
}
