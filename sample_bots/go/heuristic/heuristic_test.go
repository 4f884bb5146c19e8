package heuristic

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	pb "euchrebot/euchrev1"
	"euchrebot/kit"
)

// variant returns a preset from its description in the Euchre Arena repository.
func variant(t *testing.T, preset string) *kit.Variant {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../../../tests/vectors/variants", preset+".json"))
	if err != nil {
		t.Skip("no descriptions of variants beside this folder: they are part of the Euchre Arena repository")
	}
	message := &pb.Variant{}
	if err := protojson.Unmarshal(content, message); err != nil {
		t.Fatal(err)
	}
	return kit.NewVariant(message)
}

func cards(t *testing.T, names string) []kit.Card {
	t.Helper()
	found, err := kit.ParseCards(names)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func word(kinds ...kit.ActionKind) []*pb.Action {
	var options []*pb.Action
	for _, kind := range kinds {
		options = append(options, &pb.Action{Kind: kind})
	}
	return options
}

// answer returns what the bot does.
func answer(v *kit.Variant, request *pb.DecisionRequest) *pb.Action {
	question := kit.NewQuestion(request, v)
	return kit.Decide(New(), question).Action(question)
}

func TestUpcardAuction(t *testing.T) {
	v := variant(t, "standard")
	for _, c := range []struct {
		name, hand, upcard string
		seat               uint32
		want               kit.ActionKind
	}{
		{"a weak hand passes", "9S TS 9C QD KD", "9H", 1, kit.Pass},
		{"three trumps with a bower order it up", "9S AC AH QH JD", "9H", 2, kit.OrderUp},
		{"both bowers, ace and king go alone", "AS KH AH JD JH", "9H", 2, kit.OrderUpAlone},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := &pb.DecisionRequest{
				Phase: pb.PhaseKind_PHASE_KIND_UPCARD_AUCTION, Seat: c.seat, Cards: cards(t, c.hand),
				Upcard:  cards(t, c.upcard)[0],
				Options: word(kit.Pass, kit.OrderUp, kit.OrderUpAlone), Active: []uint32{0, 1, 2, 3},
			}
			if found := answer(v, request).Kind; found != c.want {
				t.Errorf("said %v", found)
			}
		})
	}
}

// Four sure trumps and a void bid four at once; where the auction goes on, they begin at the bottom.
func TestBids(t *testing.T) {
	for preset, want := range map[string]uint32{"bid-euchre": 4, "pepper": 1} {
		v := variant(t, preset)
		request := &pb.DecisionRequest{
			Phase: pb.PhaseKind_PHASE_KIND_BID_AUCTION, Seat: 1, Cards: cards(t, "9S TC KH AH JD JH"), Options: word(kit.Pass),
		}
		for _, rung := range v.Bids {
			request.Options = append(request.Options, &pb.Action{Kind: kit.Bid, Bid: rung.Bid})
		}
		if found := answer(v, request); found.GetBid().GetNumber() != want {
			t.Errorf("%s: %v", preset, found)
		}
		request.Cards = cards(t, "9S TS 9C QC 9D TD")
		if found := answer(v, request); preset == "bid-euchre" && found.GetBid().GetNumber() > 2 {
			t.Errorf("%s: nothing in the hand, and %v", preset, found)
		}
	}
}

func TestWhereAPassIsNotAllowedTheCheapestBidIsMade(t *testing.T) {
	v := variant(t, "bid-later-24")
	request := &pb.DecisionRequest{
		Phase: pb.PhaseKind_PHASE_KIND_BID_AUCTION, Seat: 0, Cards: cards(t, "9S TS 9C QC 9D TD"),
		History: []*pb.Event{{}, {}, {}},
	}
	for _, rung := range v.Bids {
		request.Options = append(request.Options, &pb.Action{Kind: kit.Bid, Bid: rung.Bid})
	}
	if found := answer(v, request); found.Bid.Number != v.Bids[0].Bid.Number {
		t.Errorf("%v", found)
	}
}

func TestChoicesOfCards(t *testing.T) {
	v := variant(t, "bid-us-48-widow")
	held := cards(t, "9S TS 9C QC AC 9D TD KD AH JD JH")
	choice := &pb.CardChoice{Kind: kit.Give, Cards: held, Minimum: 3, Maximum: 3}
	request := &pb.DecisionRequest{
		Phase: pb.PhaseKind_PHASE_KIND_EXCHANGE, Cards: held, Strain: pb.Strain_STRAIN_HEARTS, Choice: choice,
		Options: []*pb.Action{{Kind: kit.Give, Cards: held[:3]}},
	}
	if found := kit.CardNames(answer(v, request).Cards); found != "JH JD AH" {
		t.Errorf("gave %s, not the highest trumps", found)
	}
	choice.Kind = kit.Discard
	request.Phase = pb.PhaseKind_PHASE_KIND_WIDOW_DISCARD
	for _, card := range answer(v, request).Cards {
		if v.Order(request.Strain).IsTrump(card) || kit.CardName(card) == "AC" {
			t.Errorf("discarded %s", kit.CardName(card))
		}
	}
}

// Hands are given low to high, as the referee sends them.
func TestPlay(t *testing.T) {
	for _, c := range []struct {
		name, preset, hand, lawful, trick string
		leader                            uint32
		maker                             uint32
		want                              string
	}{
		{"makers lead the highest trump", "standard", "9C AD AS JS", "", "", 1, 1, "JS"},
		{"defenders lead an ace", "standard", "9C AD 9S", "", "", 1, 0, "AD"},
		{"the last covers as low as it can", "standard", "QC KC AC", "", "9C TC JH", 2, 0, "QC"},
		{"the last throws low on a partner's trick", "standard", "9C KC", "", "TC AC JH", 2, 0, "9C"},
		{"a trump saves a trick from opponents", "standard", "9S TS", "", "TC AC", 3, 0, "9S"},
		{"a hopeless hand throws its lowest", "standard", "9D QD", "", "AC", 0, 0, "9D"},
		{"an avoider plays its highest loser", "napoleon", "7C QC AC", "", "KC", 0, 1, "QC"},
		{"the others stay below him who must take none", "napoleon", "7C QC AC", "", "KC", 0, 0, "QC"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := variant(t, c.preset)
			request := &pb.DecisionRequest{
				Phase: pb.PhaseKind_PHASE_KIND_PLAY, Seat: 1, Cards: cards(t, c.hand), Strain: pb.Strain_STRAIN_SPADES,
				Maker: proto.Uint32(c.maker), Active: []uint32{0, 1, 2, 3},
			}
			if c.preset == "napoleon" {
				request.Strain = kit.NoTrump
				request.Bid = &pb.Bid{Name: pb.BidName_BID_NAME_MISERE}
			}
			for i, card := range cards(t, c.trick) {
				played := &pb.TrickCard{Seat: (c.leader + uint32(i)) % 4, Card: card}
				request.Trick = append(request.Trick, played)
				request.History = append(request.History, &pb.Event{
					Seat: played.Seat, Action: &pb.Action{Kind: kit.Play, Cards: []kit.Card{card}},
				})
			}
			for _, card := range request.Cards {
				request.Options = append(request.Options, &pb.Action{Kind: kit.Play, Cards: []kit.Card{card}})
			}
			if found := kit.CardNames(answer(v, request).Cards); found != c.want {
				t.Errorf("played %s, not %s", found, c.want)
			}
		})
	}
}

// A game in which nobody has partners: staying in needs a trick, and every trick counts.
func TestDropOut(t *testing.T) {
	v := variant(t, "buck")
	for hand, want := range map[string]kit.ActionKind{"9C TC QD 9H TH": kit.Drop, "9C AD KS AS JS": kit.Stay} {
		request := &pb.DecisionRequest{
			Phase: pb.PhaseKind_PHASE_KIND_DROP_OUT, Seat: 1, Cards: cards(t, hand), Strain: pb.Strain_STRAIN_SPADES,
			Maker: proto.Uint32(0), Active: []uint32{0, 1, 2, 3}, Options: word(kit.Stay, kit.Drop),
		}
		if found := answer(v, request).Kind; found != want {
			t.Errorf("with %s: %v", hand, found)
		}
	}
}

// What two trumps and an ace count in standard, worked out by hand from docs/heuristic.md.
func TestCount(t *testing.T) {
	e := newEstimator(variant(t, "standard"))
	// 19 hidden cards, 15 in other hands: p = 4/19. JS: nothing above, 0.35+0.05+0.55. KS: JC and AS above,
	// 0.35+0.05*p^2+0.55/4. Ace of clubs: 4 others out (KC QC TC 9C, the jack is a trump), r = 14/19,
	// f = (1-r^4)^2, 0.9*f. AD: 5 others out, 0.9*(1-r^5)^2. No heart: 0.3. KD, not best but second: AD is held, so
	// nothing is above: 0.4 more of its f, with 4 others out.
	got := e.count(pb.Strain_STRAIN_SPADES, cards(t, "JS KS AC AD KD"))
	p, r := 4.0/19, 14.0/19
	f := (1 - r*r*r*r) * (1 - r*r*r*r)
	want := 0.95 + 0.35 + 0.05*p*p + 0.55/4 + 0.9*f + (0.9+0.4)*f + 0.3
	if got < want-1e-9 || got > want+1e-9 {
		t.Errorf("count %.4f, not %.4f", got, want)
	}
}
