package heuristic

import (
	"math"
	"slices"

	"euchrebot/kit"
)

// The numbers of docs/heuristic.md.
const (
	loneFactor      = 1.3  // a maker whose partners sit out counts so many times as much
	lonePerHandCard = 0.35 // tricks of a loner for each card of the hand beyond five
	perReceived     = 0.8  // tricks for each card a loner receives
	perWidowCard    = 0.3  // tricks for each card of the widow
	perHandCard     = 0.1  // the count grows by this share for each card of the hand beyond five
	sureValue       = 38.0 // a card worth at least this is a trump or the best of its suit
	partnerTaking   = 0.8  // share of the upcard's worth when a partner takes it
	enemyTaking     = 0.6  // share of the upcard's worth lost when an opponent takes it
)

// estimator counts hands of one variant.
type estimator struct {
	v        *kit.Variant
	hand     int     // cards of a hand
	seats    int     // seats of the table
	unheld   float64 // chance that a hidden card is in no other hand
	unheldBy float64 // chance that a hidden card is not in one given hand
}

func newEstimator(v *kit.Variant) *estimator {
	hand, seats := int(v.HandSize), int(v.Seats)
	hidden := float64(max(1, v.DeckSize-hand))
	return &estimator{
		v: v, hand: hand, seats: seats,
		unheld:   1 - math.Min(1, float64((seats-1)*hand)/hidden),
		unheldBy: 1 - math.Min(1, float64(hand)/hidden),
	}
}

// rest returns by card how many copies are not among cards.
func rest(v *kit.Variant, cards []kit.Card) [kit.CardLimit]int {
	out := v.Copies
	for _, card := range cards {
		out[card]--
	}
	return out
}

// above returns how many cards of out are higher than card in its suit.
func above(order *kit.Order, out *[kit.CardLimit]int, card kit.Card) int {
	number := 0
	for _, other := range order.BySuit[order.Effective[card]] {
		if order.Height[other] <= order.Height[card] {
			break
		}
		number += max(0, out[other])
	}
	return number
}

// ofSuit returns how many cards of out are of an effective suit.
func ofSuit(order *kit.Order, out *[kit.CardLimit]int, suit kit.Suit) int {
	number := 0
	for _, card := range order.BySuit[suit] {
		number += max(0, out[card])
	}
	return number
}

// trumpSuit returns the suit of trumps, 0 if there is none.
func trumpSuit(strain kit.Strain) kit.Suit {
	if strain >= kit.NoTrump {
		return 0
	}
	return kit.Suit(strain)
}

// suitCards returns the cards of each effective suit, high to low.
func suitCards(order *kit.Order, cards []kit.Card) [5][]kit.Card {
	var suits [5][]kit.Card
	for _, card := range cards {
		suits[order.Effective[card]] = append(suits[order.Effective[card]], card)
	}
	for _, held := range suits {
		slices.SortFunc(held, func(a, b kit.Card) int { return order.Height[b] - order.Height[a] })
	}
	return suits
}

// unbeaten returns the chance that none of so many hidden cards is in another hand.
func (e *estimator) unbeaten(hidden int) float64 { return math.Pow(e.unheld, float64(hidden)) }

// followed returns the chance that the opponents can follow to a suit of which so many cards are hidden.
func (e *estimator) followed(hidden int) float64 {
	return math.Pow(1-math.Pow(e.unheldBy, float64(hidden)), math.Max(0, float64(e.seats-2)))
}

// trumpWorth returns what a trump adds to a count when so many higher ones are out.
func (e *estimator) trumpWorth(higher int) float64 {
	return 0.35 + 0.05*e.unbeaten(higher) + 0.55*math.Pow(0.5, float64(higher))
}

// count returns the count of a hand, about a trick a unit.
func (e *estimator) count(strain kit.Strain, cards []kit.Card) float64 {
	order, out := e.v.Order(strain), rest(e.v, cards)
	suits, trump := suitCards(order, cards), trumpSuit(strain)
	if trump == 0 {
		return e.countNoTrump(order, &out, suits)
	}
	total := 0.0
	for _, card := range suits[trump] {
		total += e.trumpWorth(above(order, &out, card))
	}
	spare := len(suits[trump])
	for suit := kit.Suit(1); suit <= 4; suit++ {
		if suit == trump || len(order.BySuit[suit]) == 0 {
			continue
		}
		held := suits[suit]
		if len(held) == 0 {
			if spare > 0 {
				spare--
				total += 0.3
			}
			continue
		}
		followed := e.followed(ofSuit(order, &out, suit))
		total += 0.9 * e.unbeaten(above(order, &out, held[0])) * followed
		if len(held) > 1 {
			total += 0.4 * e.unbeaten(above(order, &out, held[1])) * followed
		}
	}
	return total
}

func (e *estimator) countNoTrump(order *kit.Order, out *[kit.CardLimit]int, suits [5][]kit.Card) float64 {
	total := 0.0
	for suit := kit.Suit(1); suit <= 4; suit++ {
		each := float64(ofSuit(order, out, suit)) / float64(max(1, e.seats-1))
		total += 0.3 * math.Max(0, float64(len(suits[suit]))-each)
		for _, card := range suits[suit] {
			total += e.unbeaten(above(order, out, card))
		}
	}
	return total
}

// danger returns how likely a hand is to be made to take a trick without trumps; lower is safer.
func (e *estimator) danger(cards []kit.Card) float64 {
	order, out := e.v.Order(kit.NoTrump), rest(e.v, cards)
	total := 0.0
	for _, held := range suitCards(order, cards) {
		for place := range held {
			card := held[len(held)-1-place]
			below := ofSuit(order, &out, order.Effective[card]) - above(order, &out, card)
			total += math.Max(0, float64(below-place)) / float64(1+place)
		}
	}
	return total
}

// own returns the tricks a count stands for; like the two below without an upper limit, which makes it comparable.
func (e *estimator) own(count float64) float64 {
	return count * (1 + perHandCard*float64(e.hand-5))
}

// partners returns how many seats play with a maker.
func (e *estimator) partners() int {
	if !e.v.HasFixedSides() && hasSilentAlly(e.v) {
		return 1
	}
	return len(e.v.Partners(0))
}

func (e *estimator) widowTricks() float64 {
	if takesWidow(e.v) {
		return perWidowCard * float64(e.v.Widow)
	}
	return 0
}

// together returns the tricks that a maker whose hand counts so much takes with the partners he has.
func (e *estimator) together(count float64) float64 {
	own := e.own(count)
	share := float64(e.partners()) / float64(max(1, e.seats-1))
	return own + (float64(e.hand)-own)*share + e.widowTricks()
}

// alone returns the tricks that he takes without them, receiving so many cards.
func (e *estimator) alone(count float64, received int) float64 {
	if e.v.HasFixedSides() && len(e.v.Partners(0)) > 0 {
		count *= loneFactor
	}
	return count + lonePerHandCard*float64(e.hand-5) + perReceived*float64(received) + e.widowTricks()
}

// bestDiscard returns the hand that counts most after one card is laid aside, and that card.
func (e *estimator) bestDiscard(strain kit.Strain, cards []kit.Card) ([]kit.Card, kit.Card) {
	values := e.values(strain, cards)
	best, bestCount := cards[0], math.Inf(-1)
	for _, card := range cards {
		count := e.count(strain, kit.Without(cards, card))
		if count > bestCount+1e-9 || (count > bestCount-1e-9 && values[card] < values[best]) {
			best, bestCount = card, count
		}
	}
	return kit.Without(cards, best), best
}

// values returns what each card is worth keeping: trumps by height, then winners, then cards of long suits, voids made
// first.
func (e *estimator) values(strain kit.Strain, cards []kit.Card) map[kit.Card]float64 {
	order, out := e.v.Order(strain), rest(e.v, cards)
	suits, trump := suitCards(order, cards), trumpSuit(strain)
	values := make(map[kit.Card]float64, len(cards))
	for _, card := range cards {
		height := float64(order.Height[card])
		if order.IsTrump(card) {
			values[card] = 100 + height
			continue
		}
		higher, length := above(order, &out, card), float64(len(suits[order.Effective[card]]))
		value := 40*math.Pow(0.45, float64(higher)) + height/10
		if trump == 0 {
			value += length / 2
		} else {
			value -= length / 2
			if length == 1 && higher > 0 {
				value -= 3
			}
		}
		values[card] = value
	}
	return values
}

// keepOrder returns the cards from the best to keep to the first to go, and what they are worth.
func (e *estimator) keepOrder(strain kit.Strain, cards []kit.Card) ([]kit.Card, map[kit.Card]float64) {
	values, sorted := e.values(strain, cards), slices.Clone(cards)
	slices.SortStableFunc(sorted, func(a, b kit.Card) int {
		switch {
		case values[a] > values[b]:
			return -1
		case values[a] < values[b]:
			return 1
		}
		return 0
	})
	return sorted, values
}

// bestSuit returns the suit among strains in which a hand counts most, and the count.
func (e *estimator) bestSuit(strains []kit.Strain, cards []kit.Card) (kit.Strain, float64) {
	best, bestCount := kit.Strain(0), math.Inf(-1)
	for _, strain := range strains {
		if trumpSuit(strain) == 0 {
			continue
		}
		if count := e.count(strain, cards); count > bestCount {
			best, bestCount = strain, count
		}
	}
	return best, bestCount
}
