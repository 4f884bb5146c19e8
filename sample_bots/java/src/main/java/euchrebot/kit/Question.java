package euchrebot.kit;

import euchre.v1.Actions.Action;
import euchre.v1.Actions.ActionKind;
import euchre.v1.Actions.Event;
import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Play.CardChoice;
import euchre.v1.Play.DecisionRequest;
import euchre.v1.Play.TrickCard;
import euchre.v1.Variants.PhaseKind;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** One question to one seat: the request, and the variant it is asked in. */
public final class Question {
    /** Stands for a seat that there is not. */
    public static final int NOBODY = -1;

    private final DecisionRequest request;
    private final Variant variant;
    private final long seed;

    /** A question as the client asks it. */
    Question(DecisionRequest request, Variant variant, long seed) {
        this.request = request;
        this.variant = variant;
        this.seed = seed;
    }

    /** A question written down by hand, to try a bot without a referee. */
    public Question(DecisionRequest request, Variant variant) {
        this(request, variant, 0);
    }

    /** All that the referee said; the methods below are its members by short names. */
    public DecisionRequest request() {
        return request;
    }

    public Variant variant() {
        return variant;
    }

    public PhaseKind phase() {
        return request.getPhase();
    }

    /** The seat asked. */
    public int seat() {
        return request.getSeat();
    }

    public int dealer() {
        return request.getDealer();
    }

    /** The seat's cards, low to high. */
    public List<Card> cards() {
        return request.getCardsList();
    }

    public Card upcard() {
        return request.getUpcard();
    }

    public boolean hasUpcard() {
        return request.getUpcard() != Card.CARD_UNSPECIFIED;
    }

    public Strain strain() {
        return request.getStrain();
    }

    /** The maker or declarer, or {@link #NOBODY}. */
    public int maker() {
        return request.hasMaker() ? request.getMaker() : NOBODY;
    }

    /** The standing bidder, then the declarer, or {@link #NOBODY}. */
    public int bidder() {
        return request.hasBidder() ? request.getBidder() : NOBODY;
    }

    /** The seats that play cards in this hand. */
    public List<Integer> active() {
        return request.getActiveList();
    }

    /** The trick so far, in the order played. */
    public List<TrickCard> trick() {
        return request.getTrickList();
    }

    public List<Event> history() {
        return request.getHistoryList();
    }

    /** The lawful actions, the default first. */
    public List<Action> options() {
        return request.getOptionsList();
    }

    /** Whether cards are to be chosen in numbers; then {@link #choice} says which. */
    public boolean hasChoice() {
        return request.hasChoice();
    }

    public CardChoice choice() {
        return request.getChoice();
    }

    /** Returns the index of the first option of a kind, -1 if there is none. */
    public int find(ActionKind kind) {
        return find(kind, null);
    }

    /** Returns the index of the first option of a kind that names a card, -1 if there is none. */
    public int find(ActionKind kind, Card card) {
        for (int i = 0; i < options().size(); i++) {
            Action option = options().get(i);
            boolean names = card == null || option.getCardsCount() > 0 && option.getCards(0) == card;
            if (option.getKind() == kind && names) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns a source of chance that follows from EUCHRE_SEED and from what the seat knows, and from nothing else: the
     * same question gets the same answer, whatever else the bot plays at the same time.
     */
    public RandomGenerator chance() {
        long key = seed;
        int[] known = {
            request.getHand(), seat(), dealer(), request.getPhaseValue(), request.getHistoryCount(),
            request.getUpcardValue()
        };
        for (int number : known) {
            key = mixed(key, number);
        }
        for (int card : request.getCardsValueList()) {
            key = mixed(key, card);
        }
        return new SplittableRandom(key);
    }

    private static long mixed(long key, int number) {
        long next = (key ^ number) * 0x9E3779B97F4A7C15L;
        return next ^ next >>> 29;
    }
}
