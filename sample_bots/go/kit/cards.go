package kit

import (
	"fmt"
	"strings"

	pb "euchrebot/euchrev1"
)

// Short names of the wire's numbers.
type (
	// Card is a card; 0 is none.
	Card = pb.Card
	// Suit is a suit, 1 to 4 for spades, clubs, hearts, diamonds; 0 is none.
	Suit = pb.Suit
	// Strain is what a hand is played in; 1 to 4 are the suits, 0 is not fixed yet.
	Strain = pb.Strain
	// ActionKind is what a seat does.
	ActionKind = pb.ActionKind
)

// The strains without trumps.
const (
	NoTrump    = pb.Strain_STRAIN_NO_TRUMP
	NoTrumpLow = pb.Strain_STRAIN_NO_TRUMP_LOW
)

// CardLimit is one more than the greatest card number: the length of a table by card.
const CardLimit = 56

const (
	suitLetters = "SCHD"
	rankLetters = "23456789TJQKA"
	suitedCards = 52
)

// CardName returns rank then suit, "AS"; "X1" for a joker; "--" for no card.
func CardName(card Card) string {
	switch {
	case card <= 0 || card >= CardLimit:
		return "--"
	case card > suitedCards:
		return fmt.Sprintf("X%d", card-suitedCards)
	}
	at := int(card) - 1
	return string(rankLetters[at%13]) + string(suitLetters[at/13])
}

// CardNames returns the names with blanks between them.
func CardNames(cards []Card) string {
	names := make([]string, len(cards))
	for i, card := range cards {
		names[i] = CardName(card)
	}
	return strings.Join(names, " ")
}

// ParseCard returns the card of a name such as "AS" or "X1".
func ParseCard(name string) (Card, error) {
	if len(name) == 2 {
		if name[0] == 'X' && '1' <= name[1] && name[1] <= '3' {
			return Card(suitedCards + int(name[1]-'0')), nil
		}
		rank, suit := strings.IndexByte(rankLetters, name[0]), strings.IndexByte(suitLetters, name[1])
		if rank >= 0 && suit >= 0 {
			return Card(13*suit + rank + 1), nil
		}
	}
	return 0, fmt.Errorf("%q is no card; write rank then suit, as in AS, TC, 9H, or X1 for a joker", name)
}

// ParseCards returns the cards of names with blanks between them.
func ParseCards(names string) ([]Card, error) {
	var cards []Card
	for _, name := range strings.Fields(names) {
		card, err := ParseCard(name)
		if err != nil {
			return nil, err
		}
		cards = append(cards, card)
	}
	return cards, nil
}

// PrintedSuit returns the suit on the card, 0 for a joker.
func PrintedSuit(card Card) Suit {
	if card < 1 || card > suitedCards {
		return 0
	}
	return Suit((card-1)/13 + 1)
}

// StrainName returns S, C, H, D, NT, NTL, or "-" while none is fixed.
func StrainName(strain Strain) string {
	if strain < 0 || strain > NoTrumpLow {
		return "?"
	}
	return [...]string{"-", "S", "C", "H", "D", "NT", "NTL"}[strain]
}

// ParseStrain is the inverse of StrainName.
func ParseStrain(name string) (Strain, error) {
	for strain := Strain(1); strain <= NoTrumpLow; strain++ {
		if StrainName(strain) == name {
			return strain, nil
		}
	}
	return 0, fmt.Errorf("%q is no strain; write S, C, H, D, NT or NTL", name)
}

// Without returns cards less one copy of each of gone.
func Without(cards []Card, gone ...Card) []Card {
	var count [CardLimit]int
	for _, card := range gone {
		count[card]++
	}
	left := make([]Card, 0, len(cards))
	for _, card := range cards {
		if count[card] > 0 {
			count[card]--
		} else {
			left = append(left, card)
		}
	}
	return left
}
