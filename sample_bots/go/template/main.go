// Command bot is a Euchre bot. Fill in the methods below; what you leave out plays the default of the rules.
package main

import (
	"euchrebot/kit"
)

// bot has a method for each kind of question; kit.Bot lists them all, with what can be answered.
type bot struct{ kit.Defaults }

// UpcardAuction answers PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone.
//
// As an example: it accepts the upcard's suit with three trumps, counted as if it were trump.
func (bot) UpcardAuction(q *kit.Question) kit.Answer {
	order := q.Variant.Order(kit.Strain(kit.PrintedSuit(q.Upcard)))
	trumps := 0
	for _, card := range q.Cards {
		if order.IsTrump(card) {
			trumps++
		}
	}
	if trumps >= 3 {
		for _, kind := range []kit.ActionKind{kit.OrderUp, kit.TakeUp} {
			if option := q.Find(kind); option >= 0 {
				return kit.Option(option)
			}
		}
	}
	return kit.Option(0)
}

// BidAuction answers PASS or BID; q.Variant.Rung tells what a bid undertakes.
func (bot) BidAuction(q *kit.Question) kit.Answer { return kit.Option(0) }

// PickUp answers TAKE_UPCARD or LEAVE_UPCARD, or DISCARD of one card.
func (bot) PickUp(q *kit.Question) kit.Answer { return kit.Option(0) }

// WidowDiscard is a choice of cards: any q.Choice.Minimum of q.Choice.Cards, here the lowest.
func (bot) WidowDiscard(q *kit.Question) kit.Answer {
	if q.Choice == nil {
		return kit.Option(0)
	}
	return kit.Cards(q.Choice.Kind, q.Choice.Cards[:q.Choice.Minimum])
}

// Play answers PLAY with a card. Options are the lawful cards, the lowest first.
//
// As an example: it leads its highest card, and otherwise plays the lowest.
func (bot) Play(q *kit.Question) kit.Answer {
	if len(q.Trick) == 0 {
		return kit.Option(len(q.Options) - 1)
	}
	return kit.Option(0)
}

func main() {
	kit.Run(kit.About{Name: "template-bot", Version: "0.1.0"}, bot{})
}
