package euchrebot.heuristic;

import static euchrebot.kit.CardTools.trumpSuit;
import static euchrebot.kit.CardTools.without;

import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Cards.Suit;
import euchre.v1.Variants.Alliance;
import euchre.v1.Variants.PhaseKind;
import euchrebot.kit.CardTools;
import euchrebot.kit.Order;
import euchrebot.kit.Variant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Counts hands of one variant, by the formulas of docs/heuristic.md. */
final class Estimator {
    /** A maker whose partners sit out counts so many times as much. */
    private static final double LONE_FACTOR = 1.3;

    /** Tricks of a loner for each card of the hand beyond five. */
    private static final double LONE_PER_HAND_CARD = 0.35;

    /** Tricks for each card a loner receives. */
    private static final double PER_RECEIVED = 0.8;

    /** Tricks for each card of the widow. */
    private static final double PER_WIDOW_CARD = 0.3;

    /** The count grows by this share for each card of the hand beyond five. */
    private static final double PER_HAND_CARD = 0.1;

    /** A card worth at least this is a trump or the best of its suit. */
    static final double SURE_VALUE = 38;

    /** Counts so near to each other are equal. */
    private static final double EQUAL = 1e-9;

    private final Variant variant;
    private final int hand;
    private final int seats;
    /** Chance that a hidden card is in no other hand. */
    private final double unheld;
    /** Chance that a hidden card is not in one given hand. */
    private final double unheldByOne;

    Estimator(Variant variant) {
        this.variant = variant;
        hand = variant.handSize();
        seats = variant.seats();
        double hidden = Math.max(1, variant.deckSize() - hand);
        unheld = 1 - Math.min(1, (seats - 1) * hand / hidden);
        unheldByOne = 1 - Math.min(1, hand / hidden);
    }

    /** Cards by number of the deck that are not among these. */
    static int[] rest(Variant variant, List<Card> cards) {
        int[] out = variant.copies();
        for (Card card : cards) {
            out[card.getNumber()]--;
        }
        return out;
    }

    /** Returns how many cards of out are higher than a card in its suit. */
    static int above(Order order, int[] out, Card card) {
        int number = 0;
        for (Card other : order.cardsOf(order.effective(card))) {
            if (order.height(other) <= order.height(card)) {
                break;
            }
            number += Math.max(0, out[other.getNumber()]);
        }
        return number;
    }

    /** Returns how many cards of out are of an effective suit. */
    static int ofSuit(Order order, int[] out, Suit suit) {
        int number = 0;
        for (Card card : order.cardsOf(suit)) {
            number += Math.max(0, out[card.getNumber()]);
        }
        return number;
    }

    /** Returns the cards of each effective suit by its number, high to low. */
    static List<List<Card>> suitCards(Order order, List<Card> cards) {
        List<List<Card>> suits = new ArrayList<>();
        for (int suit = 0; suit <= Suit.SUIT_DIAMONDS_VALUE; suit++) {
            suits.add(new ArrayList<>());
        }
        for (Card card : cards) {
            suits.get(order.effective(card).getNumber()).add(card);
        }
        for (List<Card> held : suits) {
            held.sort(Comparator.comparingInt(card -> -order.height(card)));
        }
        return suits;
    }

    /** Returns the chance that none of so many hidden cards is in another hand. */
    private double unbeaten(int number) {
        return Math.pow(unheld, number);
    }

    /** Returns the chance that the opponents can follow to a suit of which so many cards are hidden. */
    private double followed(int number) {
        return Math.pow(1 - Math.pow(unheldByOne, number), Math.max(0, seats - 2));
    }

    /** Returns what a trump adds to a count when so many higher ones are out. */
    double trumpWorth(int higher) {
        return 0.35 + 0.05 * unbeaten(higher) + 0.55 * Math.pow(0.5, higher);
    }

    /** Returns the count of a hand, about a trick a unit. */
    double count(Strain strain, List<Card> cards) {
        Order order = variant.order(strain);
        int[] out = rest(variant, cards);
        List<List<Card>> suits = suitCards(order, cards);
        int trump = trumpSuit(strain).getNumber();
        if (trump == 0) {
            return countNoTrump(order, out, suits);
        }
        double total = 0;
        for (Card card : suits.get(trump)) {
            total += trumpWorth(above(order, out, card));
        }
        int spare = suits.get(trump).size();
        for (int number = 1; number < suits.size(); number++) {
            Suit suit = Suit.forNumber(number);
            List<Card> held = suits.get(number);
            if (number == trump || order.cardsOf(suit).isEmpty()) {
                continue;
            }
            if (held.isEmpty()) {
                if (spare > 0) {
                    spare--;
                    total += 0.3;
                }
                continue;
            }
            double followed = followed(ofSuit(order, out, suit));
            total += 0.9 * unbeaten(above(order, out, held.get(0))) * followed;
            if (held.size() > 1) {
                total += 0.4 * unbeaten(above(order, out, held.get(1))) * followed;
            }
        }
        return total;
    }

    private double countNoTrump(Order order, int[] out, List<List<Card>> suits) {
        double total = 0;
        for (int number = 1; number < suits.size(); number++) {
            List<Card> held = suits.get(number);
            double each = (double) ofSuit(order, out, Suit.forNumber(number)) / Math.max(1, seats - 1);
            total += 0.3 * Math.max(0, held.size() - each);
            for (Card card : held) {
                total += unbeaten(above(order, out, card));
            }
        }
        return total;
    }

    /** Returns how likely a hand is to be made to take a trick without trumps; lower is safer. */
    double danger(List<Card> cards) {
        Order order = variant.order(Strain.STRAIN_NO_TRUMP);
        int[] out = rest(variant, cards);
        double total = 0;
        for (List<Card> held : suitCards(order, cards)) {
            for (int place = 0; place < held.size(); place++) {
                Card card = held.get(held.size() - 1 - place);
                int below = ofSuit(order, out, order.effective(card)) - above(order, out, card);
                total += (double) Math.max(0, below - place) / (1 + place);
            }
        }
        return total;
    }

    /** Returns how many seats play with a maker. */
    private int partners() {
        return variant.alliance() == Alliance.ALLIANCE_SILENT_ALLY ? 1 : variant.partners(0).size();
    }

    private double widowTricks() {
        return variant.hasPhase(PhaseKind.PHASE_KIND_WIDOW) ? PER_WIDOW_CARD * variant.description().getWidow() : 0;
    }

    /**
     * Returns the tricks that a maker whose hand counts so much takes with the partners he has. There is no upper
     * limit, which makes estimates comparable.
     */
    double together(double count) {
        double own = count * (1 + PER_HAND_CARD * (hand - 5));
        double share = (double) partners() / Math.max(1, seats - 1);
        return own + (hand - own) * share + widowTricks();
    }

    /** Returns the tricks that he takes without them, receiving so many cards. */
    double alone(double count, int received) {
        double own = variant.hasFixedSides() && !variant.partners(0).isEmpty() ? count * LONE_FACTOR : count;
        return own + LONE_PER_HAND_CARD * (hand - 5) + PER_RECEIVED * received + widowTricks();
    }

    /** Returns the card without which the hand counts most. */
    Card bestDiscard(Strain strain, List<Card> cards) {
        double[] values = values(strain, cards);
        Card best = cards.get(0);
        double bestCount = Double.NEGATIVE_INFINITY;
        for (Card card : cards) {
            double count = count(strain, without(cards, card));
            boolean isWorthLess = values[card.getNumber()] < values[best.getNumber()];
            if (count > bestCount + EQUAL || count > bestCount - EQUAL && isWorthLess) {
                best = card;
                bestCount = count;
            }
        }
        return best;
    }

    /**
     * Returns by number what each card is worth keeping: trumps by height, then winners, then cards of long suits,
     * voids made first.
     */
    double[] values(Strain strain, List<Card> cards) {
        Order order = variant.order(strain);
        int[] out = rest(variant, cards);
        List<List<Card>> suits = suitCards(order, cards);
        boolean hasTrump = trumpSuit(strain) != Suit.SUIT_UNSPECIFIED;
        double[] values = new double[CardTools.CARD_LIMIT];
        for (Card card : cards) {
            double height = order.height(card);
            if (order.isTrump(card)) {
                values[card.getNumber()] = 100 + height;
                continue;
            }
            int higher = above(order, out, card);
            double length = suits.get(order.effective(card).getNumber()).size();
            double value = 40 * Math.pow(0.45, higher) + height / 10;
            if (hasTrump) {
                value -= length / 2;
                if (length == 1 && higher > 0) {
                    value -= 3;
                }
            } else {
                value += length / 2;
            }
            values[card.getNumber()] = value;
        }
        return values;
    }

    /** Returns the cards from the best to keep to the first to go. */
    List<Card> keepOrder(Strain strain, List<Card> cards) {
        double[] values = values(strain, cards);
        List<Card> sorted = new ArrayList<>(cards);
        sorted.sort(Comparator.comparingDouble(card -> -values[card.getNumber()]));
        return sorted;
    }

    /** Returns the suit among strains in which a hand counts most; STRAIN_UNSPECIFIED if none is a suit. */
    Strain bestSuit(List<Strain> strains, List<Card> cards) {
        Strain best = Strain.STRAIN_UNSPECIFIED;
        double bestCount = Double.NEGATIVE_INFINITY;
        for (Strain strain : strains) {
            if (trumpSuit(strain) == Suit.SUIT_UNSPECIFIED) {
                continue;
            }
            double count = count(strain, cards);
            if (count > bestCount) {
                best = strain;
                bestCount = count;
            }
        }
        return best;
    }
}
