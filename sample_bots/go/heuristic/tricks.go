package heuristic

import (
	"math"
	"slices"

	pb "euchrebot/euchrev1"
	"euchrebot/kit"
)

const (
	trumpsToDraw  = 3  // with so many trumps the makers lead them even without the highest
	beatersBorne  = 1  // so many higher cards of its suit may be out against a card that is led as a winner
	beatersFeared = 2  // with so many cards out against a partner's winner, one that cannot follow trumps it
	perBeater     = 20 // a higher card out weighs more than any length
	nobody        = -1
)

// position is a question about a card to play, with what is known of the others.
type position struct {
	q      *kit.Question
	order  *kit.Order
	hand   []kit.Card         // own cards, low to high
	out    [kit.CardLimit]int // copies that may be in other hands
	teams  []int              // by seat; equal for seats that play together, as far as is known
	me     int
	maker  int // nobody if there is none
	avoids int // who undertakes to take no trick, or nobody
}

// Play leads, follows, covers and throws.
func (b *Bot) Play(q *kit.Question) kit.Answer {
	if len(q.Options) == 1 {
		return kit.Option(0)
	}
	var card kit.Card
	if q.Strain == 0 {
		card = b.leadToMakeTrump(q)
	} else if p := newPosition(q); len(q.Trick) == 0 {
		card = p.lead()
	} else {
		card = p.follow()
	}
	return kit.Option(q.FindCard(kit.Play, card))
}

// leadToMakeTrump leads the best card of the suit that is best as trumps (NAP-TRUMP-1).
func (b *Bot) leadToMakeTrump(q *kit.Question) kit.Card {
	held := map[kit.Strain]bool{}
	for _, card := range q.Cards {
		held[kit.Strain(kit.PrintedSuit(card))] = true
	}
	strains := slices.DeleteFunc(slices.Clone(q.Variant.Strains), func(s kit.Strain) bool { return !held[s] })
	if len(strains) == 0 {
		return q.Options[0].Cards[0]
	}
	strain, _ := b.estimator(q).bestSuit(strains, q.Cards)
	order := q.Variant.Order(strain)
	return slices.MaxFunc(q.Cards, func(x, y kit.Card) int { return order.Height[x] - order.Height[y] })
}

func newPosition(q *kit.Question) *position {
	p := &position{
		q: q, order: q.Variant.Order(q.Strain), hand: q.Cards, out: unseen(q), me: int(q.Seat), maker: nobody, avoids: nobody,
	}
	if q.Maker != nil {
		p.maker = int(*q.Maker)
		if q.Bid != nil && q.Variant.Rung(q.Bid).IsMisere() {
			p.avoids = p.maker
		}
	}
	p.teams = p.seenTeams()
	return p
}

// unseen returns by card how many copies may be in other hands: all but the own cards and those known to be gone.
func unseen(q *kit.Question) [kit.CardLimit]int {
	out := rest(q.Variant, q.Cards)
	turnedDown := false
	for _, event := range q.History {
		switch event.Action.Kind {
		case kit.Play, kit.TakeAndShow:
		case kit.Discard, kit.Accept, kit.CallBest, kit.Swap, kit.SwapKitty:
			if event.Seat != q.Seat {
				continue
			}
		case kit.TurnDown, kit.LeaveUpcard, kit.KeepUpcard:
			turnedDown = true
			continue
		default:
			continue
		}
		for _, card := range event.Action.Cards {
			out[card]--
		}
	}
	if turnedDown && q.Upcard != 0 {
		out[q.Upcard]--
	}
	return out
}

// seenTeams returns by seat a number that is equal for seats that play together, as far as this seat knows.
func (p *position) seenTeams() []int {
	v := p.q.Variant
	teams := make([]int, v.Seats)
	for seat := range teams {
		teams[seat] = seat
		if v.HasFixedSides() {
			teams[seat] = v.SideOf(seat)
		}
	}
	if v.HasFixedSides() || v.Alliance == pb.Alliance_ALLIANCE_NONE || p.maker == nobody {
		return teams
	}
	ally := p.knownAlly()
	if hasSilentAlly(v) && ally == nobody && p.me == p.maker {
		return teams // one of them is a friend, nobody says who
	}
	for seat := range teams {
		teams[seat] = 1
		if seat == p.maker || seat == ally {
			teams[seat] = 0
		}
	}
	return teams
}

// knownAlly returns the maker's ally if this seat holds, or somebody has played, what was called.
func (p *position) knownAlly() int {
	var called []kit.Card // one of these, the first that is in play
	holder := map[kit.Card]int{}
	for _, event := range p.q.History {
		switch event.Action.Kind {
		case kit.CallCard:
			called = event.Action.Cards
		case kit.CallSuit:
			called = p.order.BySuit[event.Action.Strain]
		case kit.Play:
			holder[event.Action.Cards[0]] = int(event.Seat)
		}
	}
	for _, card := range p.hand {
		holder[card] = p.me
	}
	for _, card := range called {
		if seat, known := holder[card]; known {
			if seat == p.maker {
				return nobody
			}
			return seat
		}
		if p.out[card] > 0 {
			return nobody
		}
	}
	return nobody
}

// lead returns the card to lead: trumps from the top for the makers, likely winners, else the lowest.
func (p *position) lead() kit.Card {
	if p.avoids != nobody {
		return p.hand[0]
	}
	suits, trump := suitCards(p.order, p.hand), trumpSuit(p.q.Strain)
	isMaker := p.maker != nobody && p.teams[p.me] == p.teams[p.maker]
	trumps, trumpsOut, isHighest := suits[trump], 0, false
	if trump == 0 {
		trumps = nil
	} else {
		trumpsOut = ofSuit(p.order, &p.out, trump)
	}
	if len(trumps) > 0 {
		isHighest = above(p.order, &p.out, trumps[0]) == 0
		if isMaker && trumpsOut > 0 && isHighest {
			return trumps[0]
		}
	}
	best, bestMerit := kit.Card(0), math.MinInt
	for suit := kit.Suit(1); suit <= 4; suit++ {
		if suit == trump || len(suits[suit]) == 0 {
			continue
		}
		top := suits[suit][0]
		beaters := above(p.order, &p.out, top)
		if merit := ofSuit(p.order, &p.out, suit) - perBeater*beaters; beaters <= beatersBorne && merit > bestMerit {
			best, bestMerit = top, merit
		}
	}
	if best != 0 {
		return best
	}
	if len(trumps) > 0 {
		mayDraw := isMaker && trumpsOut > 0 && len(trumps) >= trumpsToDraw
		switch {
		case len(trumps) == len(p.hand) || mayDraw:
			if isMaker || isHighest {
				return trumps[0]
			}
			return trumps[len(trumps)-1]
		case trumpsOut == 0:
			return trumps[0]
		}
	}
	return p.hand[0]
}

// follow returns the card to a trick that has begun. Lists of cards are low to high.
func (p *position) follow() kit.Card {
	trick := make([]kit.Card, len(p.q.Trick))
	for i, played := range p.q.Trick {
		trick[i] = played.Card
	}
	v, led := p.q.Variant, p.order.Effective[trick[0]]
	at := v.Winner(p.order, trick)
	best, holder := trick[at], int(p.q.Trick[at].Seat)
	legal := p.order.Follows(led, p.hand)
	var winners, losers []kit.Card
	for _, card := range legal {
		if v.Beats(p.order, led, card, best) {
			winners = append(winners, card)
		} else {
			losers = append(losers, card)
		}
	}
	pending := len(p.q.Active) - len(trick) // this seat included
	lowest := legal[0]
	switch {
	case p.avoids != nobody:
		return p.followUnder(legal, winners, losers, holder, pending)
	case len(winners) == 0:
		return lowest
	case pending == 1 && p.teams[holder] == p.teams[p.me]:
		return lowest
	case pending == 1:
		return winners[0]
	}
	var threats int // cards of the suit led that may yet beat the best
	for _, card := range p.order.BySuit[led] {
		if p.out[card] > 0 && v.Beats(p.order, led, card, best) {
			threats += p.out[card]
		}
	}
	top := winners[len(winners)-1]
	follows := p.order.Effective[top] == led
	topHolds := follows && above(p.order, &p.out, top) == 0
	if p.teams[holder] == p.teams[p.me] {
		switch {
		case follows && threats > 0 && topHolds:
			return top
		case !follows && threats >= beatersFeared && !p.order.IsTrump(best):
			return winners[0]
		}
		return lowest
	}
	if follows && (pending == 2 || topHolds) {
		return top
	}
	return winners[0]
}

// followUnder returns the card in a hand in which one seat undertakes to take no trick.
func (p *position) followUnder(legal, winners, losers []kit.Card, holder, pending int) kit.Card {
	switch {
	case p.me == p.avoids && len(losers) > 0:
		return losers[len(losers)-1]
	case p.me == p.avoids && pending == 1:
		return winners[len(winners)-1]
	case p.me == p.avoids:
		return winners[0]
	case holder == p.avoids && len(losers) > 0:
		return losers[len(losers)-1]
	}
	return legal[0]
}
