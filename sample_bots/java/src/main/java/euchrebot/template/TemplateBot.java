package euchrebot.template;

import euchre.v1.Actions.ActionKind;
import euchrebot.kit.About;
import euchrebot.kit.Answer;
import euchrebot.kit.Bot;
import euchrebot.kit.CardTools;
import euchrebot.kit.Kit;
import euchrebot.kit.Order;
import euchrebot.kit.Question;
import java.util.List;

/**
 * A Euchre bot with a method for each kind of question; {@link Bot} lists them all, with what can be answered. What you
 * leave out plays the default of the rules.
 */
public final class TemplateBot implements Bot {
    public static void main(String[] arguments) {
        Kit.run(new About("template-bot", "0.1.0"), new TemplateBot());
    }

    /**
     * Answers PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone.
     *
     * <p>As an example: it accepts the upcard's suit with three trumps, counted as if it were trump.
     */
    @Override
    public Answer upcardAuction(Question question) {
        Order order = question.variant().order(CardTools.strainOf(question.upcard()));
        long trumps = question.cards().stream().filter(order::isTrump).count();
        if (trumps >= 3) {
            for (ActionKind kind : List.of(ActionKind.ACTION_KIND_ORDER_UP, ActionKind.ACTION_KIND_TAKE_UP)) {
                if (question.find(kind) >= 0) {
                    return Answer.option(question.find(kind));
                }
            }
        }
        return Answer.option(0);
    }

    /** Answers PASS or BID; {@code question.variant().rung(bid)} tells what a bid undertakes. */
    @Override
    public Answer bidAuction(Question question) {
        return Answer.option(0);
    }

    /** Answers TAKE_UPCARD or LEAVE_UPCARD, or DISCARD of one card. */
    @Override
    public Answer pickUp(Question question) {
        return Answer.option(0);
    }

    /** Chooses cards: any {@code getMinimum()} of {@code getCardsList()}, here the lowest. */
    @Override
    public Answer widowDiscard(Question question) {
        if (!question.hasChoice()) {
            return Answer.option(0);
        }
        var choice = question.choice();
        return Answer.cards(choice.getKind(), choice.getCardsList().subList(0, choice.getMinimum()));
    }

    /**
     * Answers PLAY with a card. Options are the lawful cards, the lowest first.
     *
     * <p>As an example: it leads its highest card, and otherwise plays the lowest.
     */
    @Override
    public Answer play(Question question) {
        return question.trick().isEmpty() ? Answer.option(question.options().size() - 1) : Answer.option(0);
    }
}
