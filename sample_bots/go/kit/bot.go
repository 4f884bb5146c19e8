// Package kit is what a Euchre bot in Go is written with.
//
// A bot is a type that embeds Defaults and overrides the methods of the phases it has an opinion on:
//
//	type bot struct{ kit.Defaults }
//
//	func (bot) Play(q *kit.Question) kit.Answer { return kit.Option(len(q.Options) - 1) }
//
//	func main() { kit.Run(kit.About{Name: "last-card"}, bot{}) }
//
// Cards, suits, strains and seats are the numbers of the wire everywhere.
package kit

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	pb "euchrebot/euchrev1"
)

// About is what a bot says of itself.
type About struct {
	// Name for logs; EUCHRE_NAME overrides it.
	Name string
	// Version of the bot, for the record.
	Version string
	// Tables it takes at once; zero: no limit of its own.
	Tables uint32
	// Variants are the presets it plays; empty: all.
	Variants []string
}

// Question is one question to one seat: the request, and the variant it is asked in.
type Question struct {
	*pb.DecisionRequest
	Variant *Variant
	seed    uint64
}

// NewQuestion returns a question as the client asks it; for tests.
func NewQuestion(request *pb.DecisionRequest, variant *Variant) *Question {
	return &Question{DecisionRequest: request, Variant: variant}
}

// Chance returns a source of chance that follows from EUCHRE_SEED and from what the seat knows, and from nothing else: the
// same question gets the same answer, whatever else the bot plays at the same time.
func (q *Question) Chance() *rand.Rand {
	key := fnv.New64a()
	fmt.Fprint(key, q.Hand, q.Seat, q.Dealer, q.Phase, len(q.History), q.Cards)
	return rand.New(rand.NewPCG(q.seed, key.Sum64()))
}

// Find returns the index of the first option of a kind, -1 if there is none.
func (q *Question) Find(kind pb.ActionKind) int {
	for i, option := range q.Options {
		if option.Kind == kind {
			return i
		}
	}
	return -1
}

// FindCard returns the index of the first option of a kind that names a card, -1 if there is none.
func (q *Question) FindCard(kind pb.ActionKind, card Card) int {
	for i, option := range q.Options {
		if option.Kind == kind && len(option.Cards) > 0 && option.Cards[0] == card {
			return i
		}
	}
	return -1
}

// Answer is the index of an option, or an action spelled out.
type Answer struct {
	option int
	action *pb.Action
}

// Option answers with the option of this index; a negative one stands for the default, option 0.
func Option(index int) Answer { return Answer{option: max(index, 0)} }

// Cards answers a choice of cards: an action of its kind with these cards.
func Cards(kind pb.ActionKind, cards []Card) Answer {
	return Answer{action: &pb.Action{Kind: kind, Cards: cards}}
}

// Action returns what an answer to a question does; nil if there is no such option.
func (a Answer) Action(q *Question) *pb.Action {
	if a.action != nil {
		return a.action
	}
	if a.option >= len(q.Options) {
		return nil
	}
	return q.Options[a.option]
}

func (a Answer) reply(q *Question) *pb.Reply {
	reply := &pb.Reply{DecisionId: q.DecisionId}
	if a.action != nil {
		reply.Choice = &pb.Reply_Action{Action: a.action}
		return reply
	}
	if a.option >= len(q.Options) {
		panic(fmt.Sprintf("option %d was chosen; there are %d, from 0", a.option, len(q.Options)))
	}
	reply.Choice = &pb.Reply_Option{Option: uint32(a.option)}
	return reply
}

// Bot answers questions, one method for each kind. Embed Defaults to have them all.
type Bot interface {
	// RedealClaim: NO_CLAIM or CLAIM_REDEAL.
	RedealClaim(q *Question) Answer
	// BlindNaming: NAME_BLIND by suit, without having seen the hand.
	BlindNaming(q *Question) Answer
	// UpcardAuction: PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone.
	UpcardAuction(q *Question) Answer
	// PickUp: LEAVE_UPCARD or TAKE_UPCARD; or DISCARD one card.
	PickUp(q *Question) Answer
	// GoingAlone: NOT_ALONE or ALONE.
	GoingAlone(q *Question) Answer
	// Exchange: ASK, OFFER, CALL_BEST, SWAP, GIVE and their refusals.
	Exchange(q *Question) Answer
	// BidAuction: PASS, or BID.
	BidAuction(q *Question) Answer
	// StrainChoice: CHOOSE a strain.
	StrainChoice(q *Question) Answer
	// Widow: LEAVE_WIDOW or TAKE_WIDOW.
	Widow(q *Question) Answer
	// WidowDiscard: DISCARD as many cards as the widow had.
	WidowDiscard(q *Question) Answer
	// HandSwap: KEEP_HAND or TAKE_HAND.
	HandSwap(q *Question) Answer
	// DealerMakes: KEEP_UPCARD or TAKE_AND_SHOW a discard.
	DealerMakes(q *Question) Answer
	// KittySwap: NO_SWAP or SWAP_KITTY some cards.
	KittySwap(q *Question) Answer
	// DropOut: STAY or DROP.
	DropOut(q *Question) Answer
	// AllyCall: CALL_SUIT or CALL_CARD.
	AllyCall(q *Question) Answer
	// Play: PLAY a card.
	Play(q *Question) Answer
}

// Listener is a bot that also wants to be told what happens; Notice is called between questions.
type Listener interface {
	Notice(notice *pb.Notice)
}

// Defaults answers every question with the default of the rules (pass, stay, the lowest card).
type Defaults struct{}

// RedealClaim makes no claim.
func (Defaults) RedealClaim(*Question) Answer { return Option(0) }

// BlindNaming names the first suit.
func (Defaults) BlindNaming(*Question) Answer { return Option(0) }

// UpcardAuction passes.
func (Defaults) UpcardAuction(*Question) Answer { return Option(0) }

// PickUp leaves the upcard, or discards the lowest card.
func (Defaults) PickUp(*Question) Answer { return Option(0) }

// GoingAlone does not.
func (Defaults) GoingAlone(*Question) Answer { return Option(0) }

// Exchange refuses, or gives what comes first.
func (Defaults) Exchange(*Question) Answer { return Option(0) }

// BidAuction passes, or makes the lowest bid.
func (Defaults) BidAuction(*Question) Answer { return Option(0) }

// StrainChoice takes the first strain.
func (Defaults) StrainChoice(*Question) Answer { return Option(0) }

// Widow does what comes first.
func (Defaults) Widow(*Question) Answer { return Option(0) }

// WidowDiscard discards the lowest cards.
func (Defaults) WidowDiscard(*Question) Answer { return Option(0) }

// HandSwap keeps the hand.
func (Defaults) HandSwap(*Question) Answer { return Option(0) }

// DealerMakes keeps the upcard.
func (Defaults) DealerMakes(*Question) Answer { return Option(0) }

// KittySwap does not swap.
func (Defaults) KittySwap(*Question) Answer { return Option(0) }

// DropOut stays.
func (Defaults) DropOut(*Question) Answer { return Option(0) }

// AllyCall calls what comes first.
func (Defaults) AllyCall(*Question) Answer { return Option(0) }

// Play plays the lowest card.
func (Defaults) Play(*Question) Answer { return Option(0) }

// Decide returns the answer of the method for the phase asked; the default in a phase this kit does not know.
func Decide(bot Bot, q *Question) Answer {
	switch q.Phase {
	case pb.PhaseKind_PHASE_KIND_REDEAL_CLAIM:
		return bot.RedealClaim(q)
	case pb.PhaseKind_PHASE_KIND_BLIND_NAMING:
		return bot.BlindNaming(q)
	case pb.PhaseKind_PHASE_KIND_UPCARD_AUCTION:
		return bot.UpcardAuction(q)
	case pb.PhaseKind_PHASE_KIND_PICK_UP:
		return bot.PickUp(q)
	case pb.PhaseKind_PHASE_KIND_GOING_ALONE:
		return bot.GoingAlone(q)
	case pb.PhaseKind_PHASE_KIND_EXCHANGE:
		return bot.Exchange(q)
	case pb.PhaseKind_PHASE_KIND_BID_AUCTION:
		return bot.BidAuction(q)
	case pb.PhaseKind_PHASE_KIND_STRAIN_CHOICE:
		return bot.StrainChoice(q)
	case pb.PhaseKind_PHASE_KIND_WIDOW:
		return bot.Widow(q)
	case pb.PhaseKind_PHASE_KIND_WIDOW_DISCARD:
		return bot.WidowDiscard(q)
	case pb.PhaseKind_PHASE_KIND_HAND_SWAP:
		return bot.HandSwap(q)
	case pb.PhaseKind_PHASE_KIND_DEALER_MAKES:
		return bot.DealerMakes(q)
	case pb.PhaseKind_PHASE_KIND_KITTY_SWAP:
		return bot.KittySwap(q)
	case pb.PhaseKind_PHASE_KIND_DROP_OUT:
		return bot.DropOut(q)
	case pb.PhaseKind_PHASE_KIND_ALLY_CALL:
		return bot.AllyCall(q)
	case pb.PhaseKind_PHASE_KIND_PLAY:
		return bot.Play(q)
	}
	return Option(0)
}
