// Package heuristic is a bot that judges by rules of thumb and plays every variant from its description.
//
// It is the common heuristic of the sample bots, specified in docs/heuristic.md of the Euchre Arena: the same rules in every
// language, so that their results can be compared.
package heuristic

import (
	"math"
	"slices"
	"strings"

	pb "euchrebot/euchrev1"
	"euchrebot/kit"
)

// Thresholds of docs/heuristic.md, in tricks.
const (
	fiveTrickNeed  = 3.0  // a maker needs so many of five
	loneDefence    = 3.2  // expected by a defender who plays alone
	defenceFactor  = 0.7  // a defender takes so much of the count
	overPartner    = 0.7  // to spare when outbidding a partner
	allTricksSpare = 0.5  // to spare for a bid of all tricks
	sparePerCard   = 0.05 // to spare for each card of the hand beyond five: long hands vary more
	safeMisere     = 2.0  // greatest danger of a misère
	stayCount      = 1.4  // least count to stay in
	perDropped     = 0.12
	aloneSpare     = 9.0 // of a call alone that is sound: before every call with partners
	poorHand       = 0.4 // a hand with less than this a card in its best suit is swapped
)

// Bot is the heuristic bot. It is for one goroutine at a time, as the kit uses it.
type Bot struct {
	estimators map[*kit.Variant]*estimator
}

// New returns a heuristic bot.
func New() *Bot { return &Bot{estimators: map[*kit.Variant]*estimator{}} }

func (b *Bot) estimator(q *kit.Question) *estimator {
	e := b.estimators[q.Variant]
	if e == nil {
		e = newEstimator(q.Variant)
		b.estimators[q.Variant] = e
	}
	return e
}

func hasSilentAlly(v *kit.Variant) bool { return v.Alliance == pb.Alliance_ALLIANCE_SILENT_ALLY }

func takesWidow(v *kit.Variant) bool { return v.HasPhase(pb.PhaseKind_PHASE_KIND_WIDOW) }

// areTogether tells whether two seats are of one fixed side; a seat is with itself.
func areTogether(v *kit.Variant, seat, other uint32) bool {
	return seat == other || v.HasFixedSides() && v.SideOf(int(seat)) == v.SideOf(int(other))
}

// received returns how many cards the loner of a variant receives (of a bid that fixes the number, by the bid).
func received(v *kit.Variant, rung *kit.Rung) int {
	switch rule := v.Option("loner_exchange"); {
	case rule == "" || rule == "none":
		return 0
	case rule == "fixed-by-bid":
		switch {
		case rung == nil:
			return 0
		case rung.Name == pb.BidName_BID_NAME_ALONE1:
			return 1
		case rung.Name == pb.BidName_BID_NAME_ALONE2:
			return 2
		}
		return 0
	case strings.HasPrefix(rule, "up-to-"):
		return int(rule[len(rule)-1] - '0')
	}
	return 1
}

func either(q *kit.Question, yes bool, then, otherwise pb.ActionKind) kit.Answer {
	if yes {
		return kit.Option(q.Find(then))
	}
	return kit.Option(q.Find(otherwise))
}

// argmax returns the first index of the greatest value.
func argmax(number int, value func(int) float64) int {
	best, bestValue := 0, math.Inf(-1)
	for i := range number {
		if v := value(i); v > bestValue {
			best, bestValue = i, v
		}
	}
	return best
}

// RedealClaim claims: a hand that may be claimed is poor.
func (b *Bot) RedealClaim(q *kit.Question) kit.Answer { return kit.Option(len(q.Options) - 1) }

// BlindNaming names the first suit: nothing is known.
func (b *Bot) BlindNaming(*kit.Question) kit.Answer { return kit.Option(0) }

// UpcardAuction makes the call with most tricks to spare, and passes if none is left.
func (b *Bot) UpcardAuction(q *kit.Question) kit.Answer {
	best := argmax(len(q.Options), func(i int) float64 { return b.spare(q, q.Options[i]) })
	return kit.Option(best)
}

// spare returns the tricks beyond its need that a call is thought to take; just below zero for a pass.
func (b *Bot) spare(q *kit.Question, call *pb.Action) float64 {
	e, turned := b.estimator(q), turnedSuit(q)
	withDealer := areTogether(q.Variant, q.Seat, q.Dealer)
	var count float64
	switch call.Kind {
	case kit.Pass, kit.TurnDown:
		return -1e-6
	case kit.Name, kit.NameAlone:
		count = e.count(call.Strain, q.Cards)
	case kit.TakeUp, kit.TakeUpAlone, kit.TakeDownAlone:
		left, _ := e.bestDiscard(turned, append(slices.Clone(q.Cards), q.Upcard))
		count = e.count(turned, left)
	default:
		if q.Variant.Option("order_up_makers") == "dealer-side" && !withDealer {
			return math.Inf(-1) // the opponents would be the makers
		}
		order, out := q.Variant.Order(turned), rest(q.Variant, nil)
		worth := e.trumpWorth(above(order, &out, q.Upcard))
		count = e.count(turned, q.Cards)
		switch {
		case !withDealer:
			count -= enemyTaking * worth
		case call.Kind == kit.OrderUp: // alone nobody takes it (UPA-PICK-4)
			count += partnerTaking * worth
		}
	}
	switch call.Kind {
	case kit.NameAlone, kit.TakeUpAlone, kit.TakeDownAlone, kit.OrderUpAlone:
		if e.alone(count, received(q.Variant, nil)) < float64(e.hand-1) {
			return math.Inf(-1)
		}
		return aloneSpare + count
	}
	return e.together(count) - fiveTrickNeed
}

// turnedSuit returns what accepting the upcard would make trump.
func turnedSuit(q *kit.Question) kit.Strain {
	for _, event := range q.History {
		if event.Action.Kind == kit.NameBlind {
			return event.Action.Strain
		}
	}
	return kit.Strain(kit.PrintedSuit(q.Upcard))
}

// PickUp takes the upcard if a discard makes the hand better, and discards what is missed least.
func (b *Bot) PickUp(q *kit.Question) kit.Answer {
	e := b.estimator(q)
	if q.Options[0].Kind == kit.Discard {
		return b.discardOne(q)
	}
	left, _ := e.bestDiscard(q.Strain, append(slices.Clone(q.Cards), q.Upcard))
	better := e.count(q.Strain, left) > e.count(q.Strain, q.Cards)
	return either(q, better, kit.TakeUpcard, kit.LeaveUpcard)
}

func (b *Bot) discardOne(q *kit.Question) kit.Answer {
	_, card := b.estimator(q).bestDiscard(q.Strain, q.Cards)
	if option := q.FindCard(kit.Discard, card); option >= 0 {
		return kit.Option(option)
	}
	order, _ := b.estimator(q).keepOrder(q.Strain, q.Cards)
	for _, card := range slices.Backward(order) {
		if option := q.FindCard(kit.Discard, card); option >= 0 {
			return kit.Option(option)
		}
	}
	return kit.Option(0)
}

// GoingAlone plays alone if nearly all tricks are expected; against the makers, if they would be euchred.
func (b *Bot) GoingAlone(q *kit.Question) kit.Answer {
	e := b.estimator(q)
	count := e.count(q.Strain, q.Cards)
	if q.Maker != nil && !areTogether(q.Variant, q.Seat, *q.Maker) {
		return either(q, e.alone(defenceFactor*count, 0) >= loneDefence, kit.Alone, kit.NotAlone)
	}
	return either(q, e.alone(count, received(q.Variant, nil)) >= float64(e.hand-1), kit.Alone, kit.NotAlone)
}

// Exchange takes what help there is, gives the best and lays down the worst.
func (b *Bot) Exchange(q *kit.Question) kit.Answer {
	order, values := b.estimator(q).keepOrder(q.Strain, q.Cards)
	if q.Choice != nil {
		return b.exchangeSeveral(q)
	}
	for _, kind := range []pb.ActionKind{kit.Give, kit.Offer} {
		if q.Find(kind) >= 0 {
			return kit.Option(q.FindCard(kind, order[0]))
		}
	}
	switch worst := order[len(order)-1]; {
	case q.Find(kit.Ask) >= 0:
		return kit.Option(q.Find(kit.Ask))
	case q.Find(kit.Discard) >= 0:
		return b.discardOne(q)
	case values[worst] >= sureValue:
		return kit.Option(0)
	case q.Find(kit.Accept) >= 0:
		return kit.Option(q.FindCard(kit.Accept, worst))
	default:
		return kit.Option(q.FindCard(kit.CallBest, worst))
	}
}

func (b *Bot) exchangeSeveral(q *kit.Question) kit.Answer {
	choice := q.Choice
	order, values := b.estimator(q).keepOrder(q.Strain, choice.Cards)
	if choice.Kind == kit.Give {
		return kit.Cards(choice.Kind, order[:choice.Maximum])
	}
	weak := 0
	for _, card := range order {
		if values[card] < sureValue {
			weak++
		}
	}
	number := min(max(weak, int(choice.Minimum)), int(choice.Maximum))
	if number == 0 {
		return kit.Option(0)
	}
	return kit.Cards(choice.Kind, order[len(order)-number:])
}

// bid is a bid with what it is thought to take.
type bid struct {
	option int
	rung   kit.Rung
	spare  float64
}

// BidAuction bids what is likely to be made: high if the auction goes round once, low if it goes on or ends here.
func (b *Bot) BidAuction(q *kit.Question) kit.Answer {
	var sound, all []bid
	for i, option := range q.Options {
		if option.Kind != kit.Bid {
			continue
		}
		rung := q.Variant.Rung(option.Bid)
		strains := rung.Strains
		if option.Strain != 0 {
			strains = []kit.Strain{option.Strain}
		}
		offer := bid{i, rung, b.bidSpare(q, &rung, strains)}
		all = append(all, offer)
		if offer.spare >= b.leastSpare(q, &rung) {
			sound = append(sound, offer)
		}
	}
	mayPass := q.Find(kit.Pass) >= 0
	switch {
	case len(sound) > 0:
		return kit.Option(b.chosen(q, sound).option)
	case mayPass || len(all) == 0:
		return kit.Option(q.Find(kit.Pass))
	}
	return kit.Option(all[argmax(len(all), func(i int) float64 { return all[i].spare })].option)
}

// bidSpare returns the tricks beyond its need of a bid in the best of the strains it can be played in.
func (b *Bot) bidSpare(q *kit.Question, rung *kit.Rung, strains []kit.Strain) float64 {
	e := b.estimator(q)
	if rung.IsMisere() {
		return safeMisere - e.danger(q.Cards)
	}
	best := math.Inf(-1)
	for _, strain := range strains {
		count := e.count(strain, q.Cards)
		if rung.Alone {
			best = math.Max(best, e.alone(count, received(q.Variant, rung)))
		} else {
			best = math.Max(best, e.together(count))
		}
	}
	return best - float64(rung.Tricks)
}

// leastSpare returns the tricks that a bid must have to spare.
func (b *Bot) leastSpare(q *kit.Question, rung *kit.Rung) float64 {
	switch {
	case rung.IsMisere():
		return 0
	case rung.Tricks >= int(q.Variant.HandSize):
		return allTricksSpare
	case q.Bidder != nil && *q.Bidder != q.Seat && areTogether(q.Variant, q.Seat, *q.Bidder):
		return overPartner
	}
	return sparePerCard * float64(int(q.Variant.HandSize)-5)
}

// chosen returns the bid to make of several sound ones.
func (b *Bot) chosen(q *kit.Question, sound []bid) bid {
	waiting := int(q.Variant.Seats) - 1 - len(q.History)
	goesOn := q.Variant.Option("bid_rounds") == "until-passed"
	paysBid := q.Variant.GetBidValue() != nil
	low := goesOn || (waiting <= 0 && !paysBid)
	return slices.MaxFunc(sound, func(x, y bid) int {
		if d := x.rung.Tricks - y.rung.Tricks; d != 0 && !low {
			return d
		}
		if d := y.rung.Rank - x.rung.Rank; d != 0 {
			return d
		}
		switch {
		case x.spare > y.spare:
			return 1
		case x.spare < y.spare:
			return -1
		}
		return y.option - x.option
	})
}

// StrainChoice chooses the strain that takes most.
func (b *Bot) StrainChoice(q *kit.Question) kit.Answer {
	e := b.estimator(q)
	return kit.Option(argmax(len(q.Options), func(i int) float64 { return e.count(q.Options[i].Strain, q.Cards) }))
}

// Widow takes it: as many of the worst cards go.
func (b *Bot) Widow(q *kit.Question) kit.Answer { return kit.Option(q.Find(kit.TakeWidow)) }

// WidowDiscard discards what is missed least.
func (b *Bot) WidowDiscard(q *kit.Question) kit.Answer {
	if q.Choice == nil {
		return b.discardOne(q)
	}
	order, _ := b.estimator(q).keepOrder(q.Strain, q.Choice.Cards)
	return kit.Cards(q.Choice.Kind, order[len(order)-int(q.Choice.Minimum):])
}

// HandSwap takes the widow for a poor hand.
func (b *Bot) HandSwap(q *kit.Question) kit.Answer {
	e := b.estimator(q)
	_, count := e.bestSuit(q.Variant.Strains, q.Cards)
	return either(q, count < poorHand*float64(e.hand), kit.TakeHand, kit.KeepHand)
}

// DealerMakes makes the trump that leaves the best hand.
func (b *Bot) DealerMakes(q *kit.Question) kit.Answer {
	e := b.estimator(q)
	return kit.Option(argmax(len(q.Options), func(i int) float64 {
		option := q.Options[i]
		if option.Kind == kit.KeepUpcard {
			return e.count(kit.Strain(kit.PrintedSuit(q.Upcard)), q.Cards)
		}
		shown := option.Cards[0]
		hand := kit.Without(append(slices.Clone(q.Cards), q.Upcard), shown)
		return e.count(kit.Strain(kit.PrintedSuit(shown)), hand)
	}))
}

// KittySwap swaps if no trump and no sure winner has to go.
func (b *Bot) KittySwap(q *kit.Question) kit.Answer {
	order, values := b.estimator(q).keepOrder(q.Strain, q.Choice.Cards)
	gone := order[len(order)-int(q.Choice.Minimum):]
	if values[gone[0]] >= sureValue {
		return kit.Option(q.Find(kit.NoSwap))
	}
	return kit.Cards(q.Choice.Kind, gone)
}

// DropOut stays if a trick is likely.
func (b *Bot) DropOut(q *kit.Question) kit.Answer {
	e := b.estimator(q)
	dropped := float64(e.seats - len(q.Active))
	return either(q, e.count(q.Strain, q.Cards)+perDropped*dropped >= stayCount, kit.Stay, kit.Drop)
}

// AllyCall calls the best card that another may hold, or the longest suit whose best card another may hold.
func (b *Bot) AllyCall(q *kit.Question) kit.Answer {
	if q.Options[0].Kind == kit.CallCard {
		out := unseen(q)
		for i, option := range q.Options {
			if out[option.Cards[0]] > 0 {
				return kit.Option(i)
			}
		}
		return kit.Option(0)
	}
	order := q.Variant.Order(q.Strain)
	suits := suitCards(order, q.Cards)
	return kit.Option(argmax(len(q.Options), func(i int) float64 {
		held := suits[q.Options[i].Strain]
		switch {
		case len(held) == 0:
			return -0.5
		case held[0] == order.BySuit[q.Options[i].Strain][0]:
			return -1
		}
		return float64(len(held))
	}))
}
