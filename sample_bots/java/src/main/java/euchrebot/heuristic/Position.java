package euchrebot.heuristic;

import static euchrebot.heuristic.Estimator.above;
import static euchrebot.heuristic.Estimator.ofSuit;
import static euchrebot.heuristic.Estimator.suitCards;
import static euchrebot.kit.Question.NOBODY;

import euchre.v1.Actions.Action;
import euchre.v1.Actions.Event;
import euchre.v1.Cards.Card;
import euchre.v1.Cards.Suit;
import euchre.v1.Play.TrickCard;
import euchre.v1.Variants.Alliance;
import euchrebot.kit.CardTools;
import euchrebot.kit.Order;
import euchrebot.kit.Question;
import euchrebot.kit.Variant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A question about a card to play, with what is known of the others. */
final class Position {
    /** With so many trumps the makers lead them even without the highest. */
    private static final int TRUMPS_TO_DRAW = 3;

    /** So many higher cards of its suit may be out against a card that is led as a winner. */
    private static final int BEATERS_BORNE = 1;

    /** With so many cards out against a partner's winner, one that cannot follow trumps it. */
    private static final int BEATERS_FEARED = 2;

    /** A higher card out weighs more than any length. */
    private static final int PER_BEATER = 20;

    private final Question question;
    private final Variant variant;
    private final Order order;
    private final List<Card> hand;
    /** Copies by card that may be in other hands. */
    private final int[] out;
    /** By seat; equal for seats that play together, as far as is known. */
    private final int[] teams;

    private final int me;
    private final int maker;
    /** Who undertakes to take no trick, or nobody. */
    private final int avoids;

    Position(Question question) {
        this.question = question;
        variant = question.variant();
        order = variant.order(question.strain());
        hand = question.cards();
        out = unseen(question);
        me = question.seat();
        maker = question.maker();
        boolean isMisere = question.request().hasBid() && variant.rung(question.request().getBid()).isMisere();
        avoids = isMisere ? maker : NOBODY;
        teams = seenTeams();
    }

    /** Returns by card how many copies may be in other hands: all but the own cards and those known to be gone. */
    static int[] unseen(Question question) {
        int[] out = Estimator.rest(question.variant(), question.cards());
        boolean isTurnedDown = false;
        for (Event event : question.history()) {
            Action action = event.getAction();
            boolean isGone = switch (action.getKind()) {
                case ACTION_KIND_PLAY, ACTION_KIND_TAKE_AND_SHOW -> true;
                case ACTION_KIND_DISCARD, ACTION_KIND_ACCEPT, ACTION_KIND_CALL_BEST, ACTION_KIND_SWAP,
                        ACTION_KIND_SWAP_KITTY -> event.getSeat() == question.seat();
                case ACTION_KIND_TURN_DOWN, ACTION_KIND_LEAVE_UPCARD, ACTION_KIND_KEEP_UPCARD -> {
                    isTurnedDown = true;
                    yield false;
                }
                default -> false;
            };
            if (isGone) {
                for (Card card : action.getCardsList()) {
                    out[card.getNumber()]--;
                }
            }
        }
        if (isTurnedDown && question.hasUpcard()) {
            out[question.upcard().getNumber()]--;
        }
        return out;
    }

    /** Returns by seat a number that is equal for seats that play together, as far as this seat knows. */
    private int[] seenTeams() {
        int[] seen = new int[variant.seats()];
        for (int seat = 0; seat < seen.length; seat++) {
            seen[seat] = variant.hasFixedSides() ? variant.sideOf(seat) : seat;
        }
        if (variant.hasFixedSides() || variant.alliance() == Alliance.ALLIANCE_NONE || maker == NOBODY) {
            return seen;
        }
        int ally = knownAlly();
        if (variant.alliance() == Alliance.ALLIANCE_SILENT_ALLY && ally == NOBODY && me == maker) {
            return seen; // one of them is a friend, nobody says who
        }
        for (int seat = 0; seat < seen.length; seat++) {
            seen[seat] = seat == maker || seat == ally ? 0 : 1;
        }
        return seen;
    }

    /** Returns the maker's ally if this seat holds, or somebody has played, what was called. */
    private int knownAlly() {
        List<Card> called = List.of(); // one of these, the first that is in play
        Map<Card, Integer> holders = new EnumMap<>(Card.class);
        for (Event event : question.history()) {
            Action action = event.getAction();
            switch (action.getKind()) {
                case ACTION_KIND_CALL_CARD -> called = action.getCardsList();
                case ACTION_KIND_CALL_SUIT -> called = order.cardsOf(CardTools.trumpSuit(action.getStrain()));
                case ACTION_KIND_PLAY -> holders.put(action.getCards(0), event.getSeat());
                default -> { }
            }
        }
        for (Card card : hand) {
            holders.put(card, me);
        }
        for (Card card : called) {
            Integer holder = holders.get(card);
            if (holder != null) {
                return holder == maker ? NOBODY : holder;
            }
            if (out[card.getNumber()] > 0) {
                return NOBODY;
            }
        }
        return NOBODY;
    }

    private boolean isFriend(int seat) {
        return teams[seat] == teams[me];
    }

    /** Returns the card to lead: trumps from the top for the makers, likely winners, else the lowest. */
    Card lead() {
        if (avoids != NOBODY) {
            return hand.get(0);
        }
        List<List<Card>> suits = suitCards(order, hand);
        Suit trump = CardTools.trumpSuit(question.strain());
        boolean hasTrump = trump != Suit.SUIT_UNSPECIFIED;
        boolean isMaker = maker != NOBODY && isFriend(maker);
        List<Card> trumps = hasTrump ? suits.get(trump.getNumber()) : List.of();
        int trumpsOut = hasTrump ? ofSuit(order, out, trump) : 0;
        boolean isHighest = !trumps.isEmpty() && above(order, out, trumps.get(0)) == 0;
        if (isMaker && trumpsOut > 0 && isHighest) {
            return trumps.get(0);
        }
        Card winner = likelyWinner(suits, trump);
        if (winner != null) {
            return winner;
        }
        if (trumps.isEmpty()) {
            return hand.get(0);
        }
        boolean mayDraw = isMaker && trumpsOut > 0 && trumps.size() >= TRUMPS_TO_DRAW;
        if (trumps.size() == hand.size() || mayDraw) {
            return isMaker || isHighest ? trumps.get(0) : trumps.get(trumps.size() - 1);
        }
        return trumpsOut == 0 ? trumps.get(0) : hand.get(0);
    }

    /** Returns the best card of a plain suit that nearly nothing beats, of the suit most of which is out; or null. */
    private Card likelyWinner(List<List<Card>> suits, Suit trump) {
        Card best = null;
        int bestMerit = Integer.MIN_VALUE;
        for (int number = 1; number < suits.size(); number++) {
            Suit suit = Suit.forNumber(number);
            if (suit == trump || suits.get(number).isEmpty()) {
                continue;
            }
            Card top = suits.get(number).get(0);
            int beaters = above(order, out, top);
            int merit = ofSuit(order, out, suit) - PER_BEATER * beaters;
            if (beaters <= BEATERS_BORNE && merit > bestMerit) {
                best = top;
                bestMerit = merit;
            }
        }
        return best;
    }

    /** Returns the card to a trick that has begun. Lists of cards are low to high. */
    Card follow() {
        List<Card> trick = question.trick().stream().map(TrickCard::getCard).toList();
        Suit led = order.effective(trick.get(0));
        int at = variant.winner(order, trick);
        Card best = trick.get(at);
        int holder = question.trick().get(at).getSeat();
        List<Card> lawful = order.follows(led, hand);
        List<Card> winners = new ArrayList<>();
        List<Card> losers = new ArrayList<>();
        for (Card card : lawful) {
            (variant.beats(order, led, card, best) ? winners : losers).add(card);
        }
        int pending = question.active().size() - trick.size(); // this seat included
        Card lowest = lawful.get(0);
        if (avoids != NOBODY) {
            return followUnder(lowest, winners, losers, holder, pending);
        }
        if (winners.isEmpty()) {
            return lowest;
        }
        if (pending == 1) {
            return isFriend(holder) ? lowest : winners.get(0);
        }
        Card top = last(winners);
        boolean isOfSuit = order.effective(top) == led;
        boolean topHolds = isOfSuit && above(order, out, top) == 0;
        if (!isFriend(holder)) {
            return isOfSuit && (pending == 2 || topHolds) ? top : winners.get(0);
        }
        int threats = threats(led, best);
        if (threats > 0 && topHolds) {
            return top;
        }
        return !isOfSuit && threats >= BEATERS_FEARED && !order.isTrump(best) ? winners.get(0) : lowest;
    }

    /** Returns how many unseen cards of the suit led beat the best of the trick. */
    private int threats(Suit led, Card best) {
        int number = 0;
        for (Card card : order.cardsOf(led)) {
            int copies = out[card.getNumber()];
            if (copies > 0 && variant.beats(order, led, card, best)) {
                number += copies;
            }
        }
        return number;
    }

    /** Returns the card in a hand in which one seat undertakes to take no trick. */
    private Card followUnder(Card lowest, List<Card> winners, List<Card> losers, int holder, int pending) {
        if (!losers.isEmpty() && (me == avoids || holder == avoids)) {
            return last(losers);
        }
        if (me == avoids) {
            return pending == 1 ? last(winners) : winners.get(0);
        }
        return lowest;
    }

    private static Card last(List<Card> cards) {
        return cards.get(cards.size() - 1);
    }
}
