package main

import (
	"testing"

	pb "euchrebot/euchrev1"
	"euchrebot/kit"
)

// A question can be written down by hand: here the bot leads, and its last card is the ace.
func TestItLeadsItsHighestCard(t *testing.T) {
	cards, err := kit.ParseCards("9S TS AS")
	if err != nil {
		t.Fatal(err)
	}
	request := &pb.DecisionRequest{Phase: pb.PhaseKind_PHASE_KIND_PLAY, Cards: cards}
	for _, card := range cards {
		request.Options = append(request.Options, &pb.Action{Kind: kit.Play, Cards: []kit.Card{card}})
	}
	question := kit.NewQuestion(request, kit.NewVariant(&pb.Variant{Seats: 4}))
	if action := kit.Decide(bot{}, question).Action(question); action.Cards[0] != cards[2] {
		t.Errorf("led %s", kit.CardNames(action.Cards))
	}
}
