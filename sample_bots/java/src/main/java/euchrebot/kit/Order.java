package euchrebot.kit;

import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Cards.Suit;
import euchre.v1.Variants.StrainOrder;
import euchre.v1.Variants.SuitOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** The order of the cards under one strain. */
public final class Order {
    /** Added to the height of a trump, so that it is above every other card. */
    private static final int TRUMP_BONUS = 100;

    private static final int SUITS = 5;

    private final Strain strain;
    private final Suit[] effective = new Suit[CardTools.CARD_LIMIT];
    private final int[] height = new int[CardTools.CARD_LIMIT];
    private final int[] level = new int[CardTools.CARD_LIMIT];
    private final List<List<Card>> bySuit = new ArrayList<>(Collections.nCopies(SUITS, List.of()));
    private final Comparator<Card> lowToHigh =
            Comparator.<Card>comparingInt(this::level).thenComparing(this::effective).thenComparing(Card::getNumber);

    private Order(Strain strain) {
        this.strain = strain;
        Arrays.fill(effective, Suit.SUIT_UNSPECIFIED);
    }

    /** Returns the order that the referee told. */
    static Order told(StrainOrder told) {
        Order order = new Order(told.getStrain());
        for (SuitOrder suit : told.getSuitsList()) {
            List<Card> cards = List.copyOf(suit.getCardsList());
            order.bySuit.set(suit.getSuitValue(), cards);
            int bonus = suit.getSuitValue() == told.getStrainValue() ? TRUMP_BONUS : 0;
            for (int i = 0; i < cards.size(); i++) {
                int card = cards.get(i).getNumber();
                order.effective[card] = suit.getSuit();
                order.height[card] = cards.size() - suit.getRanks(i) + bonus;
            }
        }
        order.makeLevels();
        return order;
    }

    /** Returns the order of printed suits, while no strain is fixed. */
    static Order unfixed(int[] copies) {
        Order order = new Order(Strain.STRAIN_UNSPECIFIED);
        for (int suit = 1; suit < SUITS; suit++) {
            List<Card> cards = new ArrayList<>();
            for (int card = 13 * suit; card > 13 * (suit - 1); card--) {
                if (copies[card] > 0) {
                    cards.add(Card.forNumber(card));
                }
            }
            for (int place = 0; place < cards.size(); place++) {
                int card = cards.get(place).getNumber();
                order.effective[card] = Suit.forNumber(suit);
                order.height[card] = cards.size() - place;
            }
            order.bySuit.set(suit, List.copyOf(cards));
        }
        order.makeLevels();
        return order;
    }

    /**
     * Fills the levels. A suit that lacks a card (the jack that is a bower) says less of the ranks above it than
     * others, so the greatest height that cards of a rank have in plain suits counts.
     */
    private void makeLevels() {
        int[] ranks = new int[13];
        for (int suit = 1; suit < SUITS; suit++) {
            if (suit == strain.getNumber()) {
                continue;
            }
            for (Card card : bySuit.get(suit)) {
                if (CardTools.printedSuit(card) != Suit.SUIT_UNSPECIFIED) {
                    int rank = CardTools.rank(card);
                    ranks[rank] = Math.max(ranks[rank], height(card));
                }
            }
        }
        for (int number = 1; number < CardTools.CARD_LIMIT; number++) {
            Card card = Card.forNumber(number);
            if (isTrump(card)) {
                level[number] = height[number];
            } else if (CardTools.printedSuit(card) == Suit.SUIT_UNSPECIFIED) {
                level[number] = 2 * TRUMP_BONUS - number; // while no strain is fixed the jokers alone count as trumps
            } else {
                level[number] = ranks[CardTools.rank(card)];
            }
        }
    }

    /** What is played; STRAIN_UNSPECIFIED while none is fixed. */
    public Strain strain() {
        return strain;
    }

    /** Returns the suit of a card for every purpose of play: bowers and jokers are trumps. */
    public Suit effective(Card card) {
        return effective[card.getNumber()];
    }

    /** Returns how high a card is in its suit, 1 the lowest, and 100 more for trumps; equal for cards of equal rank. */
    public int height(Card card) {
        return height[card.getNumber()];
    }

    /** Returns how high a card is among all (SRV-LOW-1): trumps by height, above plain cards, which count by rank. */
    public int level(Card card) {
        return level[card.getNumber()];
    }

    /** Returns the cards of an effective suit, high to low, each once. */
    public List<Card> cardsOf(Suit suit) {
        return bySuit.get(suit.getNumber());
    }

    public boolean isTrump(Card card) {
        return height(card) > TRUMP_BONUS;
    }

    /** Returns how strong a card is in a trick to which suit led was led; the greatest wins, 0 cannot win. */
    public int strength(Suit led, Card card) {
        return isTrump(card) || effective(card) == led ? height(card) : 0;
    }

    /** Returns the cards of a hand that may be played to a suit led: those that follow, or all if none does. */
    public List<Card> follows(Suit led, List<Card> cards) {
        List<Card> following = new ArrayList<>();
        for (Card card : cards) {
            if (effective(card) == led) {
                following.add(card);
            }
        }
        return following.isEmpty() ? cards : following;
    }

    /** Returns the cards from the lowest to the highest (SRV-LOW-1), the order in which hands are told. */
    public List<Card> lowToHigh(List<Card> cards) {
        return cards.stream().sorted(lowToHigh).toList();
    }
}
