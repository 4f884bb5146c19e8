package euchrebot.kit;

import euchre.v1.Actions.Action;
import euchre.v1.Actions.ActionKind;
import euchre.v1.Cards.Card;
import euchre.v1.Play.Reply;
import java.util.List;

/** An answer to a question: the index of an option, or an action spelled out. */
public final class Answer {
    private final int option;
    private final Action action;

    private Answer(int option, Action action) {
        this.option = option;
        this.action = action;
    }

    /** Answers with the option of this index; a negative one stands for the default, option 0. */
    public static Answer option(int index) {
        return new Answer(Math.max(index, 0), null);
    }

    /** Answers a choice of cards: an action of its kind with these cards. */
    public static Answer cards(ActionKind kind, List<Card> cards) {
        return new Answer(0, Action.newBuilder().setKind(kind).addAllCards(cards).build());
    }

    /**
     * Returns what this answer to a question does.
     *
     * @throws IllegalArgumentException if the question has no such option
     */
    public Action action(Question question) {
        if (action != null) {
            return action;
        }
        if (option >= question.options().size()) {
            throw new IllegalArgumentException(
                    "option " + option + " was chosen; there are " + question.options().size() + ", from 0");
        }
        return question.options().get(option);
    }

    Reply reply(Question question) {
        Action chosen = action(question);
        Reply.Builder reply = Reply.newBuilder().setDecisionId(question.request().getDecisionId());
        return (action != null ? reply.setAction(chosen) : reply.setOption(option)).build();
    }
}
