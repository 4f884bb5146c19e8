//! Cards, suits and strains by number and by name.

/// A card, 1 to 55; 0 is none.
pub type Card = i32;
/// A suit, 1 to 4 for spades, clubs, hearts, diamonds; 0 is none.
pub type Suit = i32;
/// What a hand is played in; 1 to 4 are the suits, 0 is not fixed yet.
pub type Strain = i32;

/// The strain without trumps, ace high.
pub const NO_TRUMP: Strain = 5;
/// The strain without trumps, the order of every suit reversed.
pub const NO_TRUMP_LOW: Strain = 6;
/// The suits.
pub const SUITS: std::ops::RangeInclusive<Suit> = 1..=4;
/// One more than the greatest card number: the length of a table by card.
pub const CARD_LIMIT: usize = 56;

const SUIT_LETTERS: &str = "SCHD";
const RANK_LETTERS: &str = "23456789TJQKA";
const STRAIN_NAMES: [&str; 7] = ["-", "S", "C", "H", "D", "NT", "NTL"];
const SUITED_CARDS: Card = 52;
const RANKS: Card = 13;

/// Returns rank then suit, "AS"; "X1" for a joker; "--" for no card.
pub fn card_name(card: Card) -> String {
    match card {
        1..=SUITED_CARDS => {
            let rank = rank_of(card);
            let suit = printed_suit(card) as usize - 1;
            format!("{}{}", &RANK_LETTERS[rank..=rank], &SUIT_LETTERS[suit..=suit])
        }
        53..=55 => format!("X{}", card - SUITED_CARDS),
        _ => "--".into(),
    }
}

/// Returns the names with blanks between them.
pub fn card_names(cards: &[Card]) -> String {
    cards.iter().map(|card| card_name(*card)).collect::<Vec<_>>().join(" ")
}

/// Returns the card of a name such as "AS" or "X1".
pub fn parse_card(name: &str) -> Result<Card, String> {
    (1..CARD_LIMIT as Card)
        .find(|card| card_name(*card) == name)
        .ok_or_else(|| format!("{name:?} is no card; write rank then suit, as in AS, TC, 9H, or X1 for a joker"))
}

/// Returns the cards of names with blanks between them.
pub fn parse_cards(names: &str) -> Result<Vec<Card>, String> {
    names.split_whitespace().map(parse_card).collect()
}

/// Returns the suit on the card, 0 for a joker or no card.
pub fn printed_suit(card: Card) -> Suit {
    if (1..=SUITED_CARDS).contains(&card) {
        (card - 1) / RANKS + 1
    } else {
        0
    }
}

/// Returns the rank on a suited card, from 0 for the two.
pub(crate) fn rank_of(card: Card) -> usize {
    ((card - 1) % RANKS) as usize
}

/// Returns S, C, H, D, NT, NTL, or "-" while none is fixed.
pub fn strain_name(strain: Strain) -> &'static str {
    usize::try_from(strain)
        .ok()
        .and_then(|number| STRAIN_NAMES.get(number))
        .unwrap_or(&"?")
}

/// Returns the strain of a name, the inverse of [`strain_name`].
pub fn parse_strain(name: &str) -> Result<Strain, String> {
    (1..=NO_TRUMP_LOW)
        .find(|strain| strain_name(*strain) == name)
        .ok_or_else(|| format!("{name:?} is no strain; write S, C, H, D, NT or NTL"))
}

/// Returns cards less one copy of each of gone.
pub fn without(cards: &[Card], gone: &[Card]) -> Vec<Card> {
    let mut left = cards.to_vec();
    for card in gone {
        if let Some(at) = left.iter().position(|held| held == card) {
            left.remove(at);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_found_by_its_name() {
        for card in 1..CARD_LIMIT as Card {
            assert_eq!(parse_card(&card_name(card)), Ok(card));
        }
        assert_eq!(parse_cards("2S AS 2C AD X3"), Ok(vec![1, 13, 14, 52, 55]));
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for name in ["", "A", "1S", "AX", "X0", "X4", "AS ", "--"] {
            assert!(parse_card(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn one_copy_of_a_card_goes_at_a_time() {
        assert_eq!(without(&[9, 9, 10], &[9]), [9, 10]);
        assert_eq!(without(&[9, 10], &[11]), [9, 10]);
    }

    #[test]
    fn strains_are_found_by_their_names() {
        for strain in 1..=NO_TRUMP_LOW {
            assert_eq!(parse_strain(strain_name(strain)), Ok(strain));
        }
        assert!(parse_strain("-").is_err());
    }
}
