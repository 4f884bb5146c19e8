package euchrebot.kit;

import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Cards.Suit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Names of cards and strains, and the like. A name is rank then suit, "AS", or "X1" for a joker. */
public final class CardTools {
    /** One more than the greatest card number: the length of a table by card. */
    public static final int CARD_LIMIT = 56;

    private static final int SUITED_CARDS = 52;
    private static final String SUIT_LETTERS = "SCHD";
    private static final String RANK_LETTERS = "23456789TJQKA";
    private static final List<String> STRAINS = List.of("-", "S", "C", "H", "D", "NT", "NTL");

    private CardTools() {}

    /** Returns rank then suit, "AS"; "X1" for a joker; "--" for no card. */
    public static String name(Card card) {
        int number = card.getNumber();
        if (number == 0) {
            return "--";
        }
        if (number > SUITED_CARDS) {
            return "X" + (number - SUITED_CARDS);
        }
        return "" + RANK_LETTERS.charAt(rank(card)) + SUIT_LETTERS.charAt((number - 1) / 13);
    }

    /** Returns the names with blanks between them. */
    public static String names(List<Card> cards) {
        return cards.stream().map(CardTools::name).collect(Collectors.joining(" "));
    }

    /**
     * Returns the card of a name.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Card card(String name) {
        if (name.length() == 2) {
            char first = name.charAt(0);
            char second = name.charAt(1);
            if (first == 'X' && '1' <= second && second <= '3') {
                return Card.forNumber(SUITED_CARDS + second - '0');
            }
            int rank = RANK_LETTERS.indexOf(first);
            int suit = SUIT_LETTERS.indexOf(second);
            if (rank >= 0 && suit >= 0) {
                return Card.forNumber(13 * suit + rank + 1);
            }
        }
        throw new IllegalArgumentException(
                "\"" + name + "\" is no card; write rank then suit, as in AS, TC, 9H, or X1 for a joker");
    }

    /**
     * Returns the cards of names with blanks between them.
     *
     * @throws IllegalArgumentException if one is none
     */
    public static List<Card> cards(String names) {
        List<Card> cards = new ArrayList<>();
        for (String name : names.split(" ")) {
            if (!name.isEmpty()) {
                cards.add(card(name));
            }
        }
        return cards;
    }

    /** Returns S, C, H, D, NT, NTL, or "-" while none is fixed. */
    public static String name(Strain strain) {
        return STRAINS.get(strain.getNumber());
    }

    /**
     * Returns the strain of a name.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Strain strain(String name) {
        int number = STRAINS.indexOf(name);
        if (number < 1) {
            throw new IllegalArgumentException("\"" + name + "\" is no strain; write S, C, H, D, NT or NTL");
        }
        return Strain.forNumber(number);
    }

    /** Returns the rank printed on a card that is no joker, from 0 for a two. */
    static int rank(Card card) {
        return (card.getNumber() - 1) % 13;
    }

    /** Returns the suit on the card, SUIT_UNSPECIFIED for a joker or none. */
    public static Suit printedSuit(Card card) {
        int number = card.getNumber();
        return number < 1 || number > SUITED_CARDS ? Suit.SUIT_UNSPECIFIED : Suit.forNumber((number - 1) / 13 + 1);
    }

    /** Returns the strain in which the suit on a card is trumps. */
    public static Strain strainOf(Card card) {
        return Strain.forNumber(printedSuit(card).getNumber());
    }

    /** Returns the suit of trumps, SUIT_UNSPECIFIED if there is none. */
    public static Suit trumpSuit(Strain strain) {
        int number = strain.getNumber();
        return number > Suit.SUIT_DIAMONDS_VALUE ? Suit.SUIT_UNSPECIFIED : Suit.forNumber(number);
    }

    /** Returns cards less one copy of each of gone. */
    public static List<Card> without(List<Card> cards, Card... gone) {
        List<Card> left = new ArrayList<>(cards);
        for (Card card : gone) {
            left.remove(card);
        }
        return left;
    }
}
