package euchrebot.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import euchre.v1.Actions.Action;
import euchre.v1.Actions.ActionKind;
import euchre.v1.Cards.Card;
import euchre.v1.Play.DecisionRequest;
import euchre.v1.Variants;
import euchre.v1.Variants.PhaseKind;
import euchrebot.kit.CardTools;
import euchrebot.kit.Question;
import euchrebot.kit.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TemplateBotTest {
    /** A question can be written down by hand: here the bot leads, and its last card is the ace. */
    @Test
    void itLeadsItsHighestCard() {
        List<Card> cards = CardTools.cards("9S TS AS");
        DecisionRequest.Builder request =
                DecisionRequest.newBuilder().setPhase(PhaseKind.PHASE_KIND_PLAY).addAllCards(cards);
        for (Card card : cards) {
            request.addOptions(Action.newBuilder().setKind(ActionKind.ACTION_KIND_PLAY).addCards(card));
        }
        Variant variant = new Variant(Variants.Variant.newBuilder().setSeats(4).build());
        Question question = new Question(request.build(), variant);
        Action action = new TemplateBot().decide(question).action(question);
        assertEquals("AS", CardTools.names(action.getCardsList()));
    }
}
