package kit

import (
	"slices"

	pb "euchrebot/euchrev1"
)

// trumpBonus is added to the height of a trump, so that it is above every other card.
const trumpBonus = 100

// Order is the order of the cards under one strain. Its tables are indexed by card.
type Order struct {
	// Strain is what is played; 0 while none is fixed.
	Strain Strain
	// Effective is the suit of a card for every purpose of play: bowers and jokers are trumps. 0: none.
	Effective [CardLimit]Suit
	// Height is how high a card is in its suit, 1 the lowest; cards of equal rank have equal heights.
	// Trumps have 100 more.
	Height [CardLimit]int
	// Level is how high a card is among all cards (SRV-LOW-1): trumps by height, above plain cards, which count by rank.
	Level [CardLimit]int
	// BySuit are the cards of each effective suit, high to low, each once.
	BySuit [5][]Card
}

// IsTrump tells whether a card is a trump.
func (o *Order) IsTrump(card Card) bool { return o.Height[card] > trumpBonus }

// Strength returns how strong a card is in a trick to which suit led was led; the greatest wins, 0 cannot win.
func (o *Order) Strength(led Suit, card Card) int {
	if o.IsTrump(card) || o.Effective[card] == led {
		return o.Height[card]
	}
	return 0
}

// Follows returns the cards of a hand that may be played to a suit led: those that follow, or all if none does.
func (o *Order) Follows(led Suit, cards []Card) []Card {
	var following []Card
	for _, card := range cards {
		if o.Effective[card] == led {
			following = append(following, card)
		}
	}
	if following == nil {
		return cards
	}
	return following
}

// Rung is one bid of the ladder.
type Rung struct {
	Name   pb.BidName
	Number int
	// Rank: a bid outbids every bid of lower rank.
	Rank int
	// Tricks undertaken.
	Tricks int
	// Value where the bid has one of its own; zero where tricks are counted.
	Value   int
	Alone   bool
	Strains []Strain
}

// IsMisere tells whether the bid undertakes to take no trick.
func (r Rung) IsMisere() bool { return r.Name == pb.BidName_BID_NAME_MISERE }

// Variant is everything about one variant: what the referee said, and tables made from it.
type Variant struct {
	*pb.Variant
	// Copies is how often the deck has a card.
	Copies [CardLimit]int
	// DeckSize counts the deck with its copies.
	DeckSize int

	orders    [NoTrumpLow + 1]*Order
	rungs     map[[2]int]Rung
	sideOf    []int
	options   map[string]string
	phases    map[pb.PhaseKind]bool
	laterWins bool
}

// NewVariant returns the tables of a description.
func NewVariant(message *pb.Variant) *Variant {
	v := &Variant{
		Variant:   message,
		rungs:     map[[2]int]Rung{},
		sideOf:    make([]int, message.Seats),
		options:   map[string]string{},
		phases:    map[pb.PhaseKind]bool{},
		laterWins: message.Duplicates == "later",
	}
	for _, entry := range message.Deck {
		v.Copies[entry.Card] = int(entry.Copies)
		v.DeckSize += int(entry.Copies)
	}
	for side, seats := range message.Sides {
		for _, seat := range seats.Seats {
			v.sideOf[seat] = side
		}
	}
	for _, option := range message.Options {
		v.options[option.Name] = option.Value
	}
	for _, phase := range message.Phases {
		v.phases[phase] = true
	}
	for _, bid := range message.Bids {
		v.rungs[[2]int{int(bid.Bid.Name), int(bid.Bid.Number)}] = Rung{
			Name: bid.Bid.Name, Number: int(bid.Bid.Number), Rank: int(bid.Rank), Tricks: int(bid.Tricks),
			Value: int(bid.Value), Alone: bid.Alone, Strains: bid.Strains,
		}
	}
	v.makeOrders()
	return v
}

func (v *Variant) makeOrders() {
	unfixed := &Order{}
	for suit := Suit(1); suit <= 4; suit++ {
		first := Card(13*(suit-1) + 1)
		for card := first + 12; card >= first; card-- {
			if v.Copies[card] > 0 {
				unfixed.BySuit[suit] = append(unfixed.BySuit[suit], card)
			}
		}
		for place, card := range unfixed.BySuit[suit] {
			unfixed.Effective[card] = suit
			unfixed.Height[card] = len(unfixed.BySuit[suit]) - place
		}
	}
	unfixed.makeLevels()
	for strain := range v.orders {
		v.orders[strain] = unfixed
	}
	for _, told := range v.Orders {
		order := &Order{Strain: told.Strain}
		for _, suit := range told.Suits {
			order.BySuit[suit.Suit] = suit.Cards
			bonus := 0
			if int(suit.Suit) == int(told.Strain) {
				bonus = trumpBonus
			}
			for i, card := range suit.Cards {
				order.Effective[card] = suit.Suit
				order.Height[card] = len(suit.Cards) - int(suit.Ranks[i]) + bonus
			}
		}
		order.makeLevels()
		v.orders[told.Strain] = order
	}
}

// makeLevels fills Level. A suit that lacks a card (the jack that is a bower) says less of the ranks above it than others,
// so the greatest height that cards of a rank have in plain suits counts.
func (o *Order) makeLevels() {
	var ranks [13]int
	for suit, cards := range o.BySuit {
		if suit == 0 || suit == int(o.Strain) {
			continue
		}
		for _, card := range cards {
			if PrintedSuit(card) != 0 {
				rank := (int(card) - 1) % 13
				ranks[rank] = max(ranks[rank], o.Height[card])
			}
		}
	}
	for card := Card(1); card < CardLimit; card++ {
		switch {
		case o.IsTrump(card):
			o.Level[card] = o.Height[card]
		case PrintedSuit(card) == 0: // while no strain is fixed the jokers alone count as trumps
			o.Level[card] = 2*trumpBonus - int(card)
		default:
			o.Level[card] = ranks[(int(card)-1)%13]
		}
	}
}

// Order returns the order of the cards under a strain; 0 is that of printed suits, while none is fixed.
func (v *Variant) Order(strain Strain) *Order { return v.orders[strain] }

// Option returns the value of an option, "" if the variant has no such option.
func (v *Variant) Option(name string) string { return v.options[name] }

// HasPhase tells whether a hand has a phase.
func (v *Variant) HasPhase(phase pb.PhaseKind) bool { return v.phases[phase] }

// Rung returns what a bid undertakes. A forced bid may be below the least one of the ladder (HAS-AUC-2).
func (v *Variant) Rung(bid *pb.Bid) Rung {
	if rung, ok := v.rungs[[2]int{int(bid.GetName()), int(bid.GetNumber())}]; ok {
		return rung
	}
	number := int(bid.GetNumber())
	return Rung{Name: bid.GetName(), Number: number, Rank: -1, Tricks: number, Strains: v.Strains}
}

// HasFixedSides tells whether who plays with whom is the same in every hand.
func (v *Variant) HasFixedSides() bool { return v.Alliance == pb.Alliance_ALLIANCE_FIXED }

// SideOf returns the index into Sides of a seat.
func (v *Variant) SideOf(seat int) int { return v.sideOf[seat] }

// Partners returns the other seats of a fixed side; nobody where every seat is a side.
func (v *Variant) Partners(seat int) []int {
	var partners []int
	for other, side := range v.sideOf {
		if other != seat && side == v.sideOf[seat] {
			partners = append(partners, other)
		}
	}
	return partners
}

// Beats tells whether card, played later, wins over best in a trick to which suit led was led.
func (v *Variant) Beats(order *Order, led Suit, card, best Card) bool {
	later, earlier := order.Strength(led, card), order.Strength(led, best)
	return later > earlier || (later == earlier && later > 0 && v.laterWins)
}

// Winner returns the index of the card that wins a trick, -1 if it is empty.
func (v *Variant) Winner(order *Order, trick []Card) int {
	if len(trick) == 0 {
		return -1
	}
	led, best := order.Effective[trick[0]], 0
	for i := 1; i < len(trick); i++ {
		if v.Beats(order, led, trick[i], trick[best]) {
			best = i
		}
	}
	return best
}

// LowToHigh returns the cards from the lowest to the highest (SRV-LOW-1), the order of DecisionRequest.cards.
func (o *Order) LowToHigh(cards []Card) []Card {
	sorted := slices.Clone(cards)
	slices.SortStableFunc(sorted, func(a, b Card) int {
		if d := o.Level[a] - o.Level[b]; d != 0 {
			return d
		}
		if d := int(o.Effective[a]) - int(o.Effective[b]); d != 0 {
			return d
		}
		return int(a) - int(b)
	})
	return sorted
}
