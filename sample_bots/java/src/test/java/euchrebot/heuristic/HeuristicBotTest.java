package euchrebot.heuristic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import euchre.v1.Actions.Action;
import euchre.v1.Actions.ActionKind;
import euchre.v1.Actions.Bid;
import euchre.v1.Actions.BidName;
import euchre.v1.Actions.Event;
import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Play.CardChoice;
import euchre.v1.Play.DecisionRequest;
import euchre.v1.Play.TrickCard;
import euchre.v1.Variants.BidRung;
import euchre.v1.Variants.PhaseKind;
import euchrebot.kit.CardTools;
import euchrebot.kit.Descriptions;
import euchrebot.kit.Question;
import euchrebot.kit.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of docs/heuristic.md, by cases worked out by hand. */
class HeuristicBotTest {
    private static final List<Integer> FOUR = List.of(0, 1, 2, 3);

    private static DecisionRequest.Builder asked(PhaseKind phase, String hand) {
        return DecisionRequest.newBuilder().setPhase(phase).addAllCards(CardTools.cards(hand)).addAllActive(FOUR);
    }

    private static void offer(DecisionRequest.Builder request, ActionKind... kinds) {
        for (ActionKind kind : kinds) {
            request.addOptions(Action.newBuilder().setKind(kind));
        }
    }

    private static void offerBids(DecisionRequest.Builder request, Variant variant) {
        for (BidRung rung : variant.description().getBidsList()) {
            request.addOptions(Action.newBuilder().setKind(ActionKind.ACTION_KIND_BID).setBid(rung.getBid()));
        }
    }

    private static Action answer(Variant variant, DecisionRequest.Builder request) {
        Question question = new Question(request.build(), variant);
        return new HeuristicBot().decide(question).action(question);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a weak hand passes, 9S TS 9C QD KD, 9H, 1, ACTION_KIND_PASS",
        "three trumps with a bower order it up, 9S AC AH QH JD, 9H, 2, ACTION_KIND_ORDER_UP",
        "both bowers with ace and king go alone, AS KH AH JD JH, 9H, 2, ACTION_KIND_ORDER_UP_ALONE",
    })
    void upcardAuction(String name, String hand, String upcard, int seat, ActionKind expected) {
        DecisionRequest.Builder request = asked(PhaseKind.PHASE_KIND_UPCARD_AUCTION, hand)
                .setSeat(seat)
                .setUpcard(CardTools.card(upcard));
        offer(request, ActionKind.ACTION_KIND_PASS, ActionKind.ACTION_KIND_ORDER_UP,
                ActionKind.ACTION_KIND_ORDER_UP_ALONE);
        assertEquals(expected, answer(Descriptions.variant("standard"), request).getKind());
    }

    /** Four sure trumps and a void bid four at once; where the auction goes on, they begin at the bottom. */
    @ParameterizedTest
    @CsvSource({"bid-euchre, 4", "pepper, 1"})
    void bids(String preset, int expected) {
        Variant variant = Descriptions.variant(preset);
        DecisionRequest.Builder request = asked(PhaseKind.PHASE_KIND_BID_AUCTION, "9S TC KH AH JD JH").setSeat(1);
        offer(request, ActionKind.ACTION_KIND_PASS);
        offerBids(request, variant);
        assertEquals(expected, answer(variant, request).getBid().getNumber());
    }

    @Test
    void nothingInTheHandBidsLittle() {
        Variant variant = Descriptions.variant("bid-euchre");
        DecisionRequest.Builder request = asked(PhaseKind.PHASE_KIND_BID_AUCTION, "9S TS 9C QC 9D TD").setSeat(1);
        offer(request, ActionKind.ACTION_KIND_PASS);
        offerBids(request, variant);
        assertTrue(answer(variant, request).getBid().getNumber() <= 2);
    }

    @Test
    void whereAPassIsNotAllowedTheCheapestBidIsMade() {
        Variant variant = Descriptions.variant("bid-later-24");
        DecisionRequest.Builder request = asked(PhaseKind.PHASE_KIND_BID_AUCTION, "9S TS 9C QC 9D TD");
        for (int i = 0; i < 3; i++) {
            request.addHistory(Event.getDefaultInstance());
        }
        offerBids(request, variant);
        assertEquals(variant.description().getBids(0).getBid(), answer(variant, request).getBid());
    }

    @Test
    void theBestCardsAreGivenAndTheWorstLaidDown() {
        Variant variant = Descriptions.variant("bid-us-48-widow");
        String hand = "9S TS 9C QC AC 9D TD KD AH JD JH";
        CardChoice.Builder choice = CardChoice.newBuilder()
                .addAllCards(CardTools.cards(hand))
                .setKind(ActionKind.ACTION_KIND_GIVE)
                .setMinimum(3)
                .setMaximum(3);
        DecisionRequest.Builder request =
                asked(PhaseKind.PHASE_KIND_EXCHANGE, hand).setStrain(Strain.STRAIN_HEARTS).setChoice(choice);
        assertEquals("JH JD AH", CardTools.names(answer(variant, request).getCardsList()));

        request.setPhase(PhaseKind.PHASE_KIND_WIDOW_DISCARD).setChoice(choice.setKind(ActionKind.ACTION_KIND_DISCARD));
        List<Card> discarded = answer(variant, request).getCardsList();
        assertEquals(3, discarded.size());
        assertFalse(discarded.stream().anyMatch(variant.order(Strain.STRAIN_HEARTS)::isTrump));
        assertFalse(discarded.contains(Card.CARD_AC));
    }

    /** Hands are given low to high, as the referee sends them. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "makers lead the highest trump, standard, 9C AD AS JS, '', 1, 1, JS",
        "defenders lead an ace, standard, 9C AD 9S, '', 1, 0, AD",
        "the last covers as low as it can, standard, QC KC AC, 9C TC JH, 2, 0, QC",
        "the last throws low on a partner's trick, standard, 9C KC, TC AC JH, 2, 0, 9C",
        "a trump saves a trick from opponents, standard, 9S TS, TC AC, 3, 0, 9S",
        "a hopeless hand throws its lowest, standard, 9D QD, AC, 0, 0, 9D",
        "an avoider plays its highest loser, napoleon, 7C QC AC, KC, 0, 1, QC",
        "the others stay below him who must take none, napoleon, 7C QC AC, KC, 0, 0, QC",
    })
    void play(String name, String preset, String hand, String trick, int leader, int maker, String expected) {
        DecisionRequest.Builder request = asked(PhaseKind.PHASE_KIND_PLAY, hand)
                .setSeat(1)
                .setStrain(Strain.STRAIN_SPADES)
                .setMaker(maker);
        if (preset.equals("napoleon")) {
            request.setStrain(Strain.STRAIN_NO_TRUMP).setBid(Bid.newBuilder().setName(BidName.BID_NAME_MISERE));
        }
        int seat = leader;
        for (Card card : CardTools.cards(trick)) {
            Action played = Action.newBuilder().setKind(ActionKind.ACTION_KIND_PLAY).addCards(card).build();
            request.addTrick(TrickCard.newBuilder().setSeat(seat).setCard(card));
            request.addHistory(Event.newBuilder().setSeat(seat).setAction(played));
            seat = (seat + 1) % 4;
        }
        for (Card card : CardTools.cards(hand)) {
            request.addOptions(Action.newBuilder().setKind(ActionKind.ACTION_KIND_PLAY).addCards(card));
        }
        assertEquals(expected, CardTools.names(answer(Descriptions.variant(preset), request).getCardsList()));
    }

    /** A game in which nobody has partners: staying in needs a trick. */
    @ParameterizedTest
    @CsvSource({"9C TC QD 9H TH, ACTION_KIND_DROP", "9C AD KS AS JS, ACTION_KIND_STAY"})
    void dropOut(String hand, ActionKind expected) {
        DecisionRequest.Builder request = asked(PhaseKind.PHASE_KIND_DROP_OUT, hand)
                .setSeat(1)
                .setStrain(Strain.STRAIN_SPADES)
                .setMaker(0);
        offer(request, ActionKind.ACTION_KIND_STAY, ActionKind.ACTION_KIND_DROP);
        assertEquals(expected, answer(Descriptions.variant("buck"), request).getKind());
    }

    @Test
    void aCardThatIsWantedButNotOnOfferIsNotDiscarded() {
        DecisionRequest.Builder request =
                asked(PhaseKind.PHASE_KIND_PICK_UP, "9D AC QS KS AS JS").setStrain(Strain.STRAIN_SPADES);
        for (Card card : CardTools.cards("AC QS KS AS JS")) {
            request.addOptions(Action.newBuilder().setKind(ActionKind.ACTION_KIND_DISCARD).addCards(card));
        }
        Variant variant = Descriptions.variant("standard");
        assertEquals("AC", CardTools.names(answer(variant, request).getCardsList()));
        request.addOptions(Action.newBuilder().setKind(ActionKind.ACTION_KIND_DISCARD).addCards(Card.CARD_9D));
        assertEquals("9D", CardTools.names(answer(variant, request).getCardsList()));
    }

    /** What two trumps and two aces count in standard, worked out by hand from docs/heuristic.md. */
    @Test
    void count() {
        Estimator estimator = new Estimator(Descriptions.variant("standard"));
        // 19 hidden cards, 15 in other hands: p = 4/19. JS: nothing above, 0.35+0.05+0.55. KS: JC and AS above,
        // 0.35+0.05*p^2+0.55/4. Ace of clubs: 4 others out (KC QC TC 9C, the jack is a trump), r = 14/19,
        // f = (1-r^4)^2, 0.9*f. AD and KD: nothing above either, 4 others out: 0.9*f and 0.4*f. No heart: 0.3.
        double p = 4.0 / 19;
        double r = 14.0 / 19;
        double f = Math.pow(1 - Math.pow(r, 4), 2);
        double expected = 0.95 + 0.35 + 0.05 * p * p + 0.55 / 4 + 0.9 * f + (0.9 + 0.4) * f + 0.3;
        assertEquals(expected, estimator.count(Strain.STRAIN_SPADES, CardTools.cards("JS KS AC AD KD")), 1e-9);
    }

    @Test
    void aLongerSuitWithoutItsBestCardIsCalled() {
        DecisionRequest.Builder request = asked(PhaseKind.PHASE_KIND_ALLY_CALL, "9C TC AD QS JS")
                .setStrain(Strain.STRAIN_SPADES)
                .setMaker(0);
        for (Strain suit : List.of(Strain.STRAIN_CLUBS, Strain.STRAIN_HEARTS, Strain.STRAIN_DIAMONDS)) {
            request.addOptions(Action.newBuilder().setKind(ActionKind.ACTION_KIND_CALL_SUIT).setStrain(suit));
        }
        Variant variant = Descriptions.variant("call-ace-4p");
        assertEquals(Strain.STRAIN_CLUBS, answer(variant, request).getStrain());
        request.removeOptions(0);
        assertNotEquals(Strain.STRAIN_DIAMONDS, answer(variant, request).getStrain());
    }
}
