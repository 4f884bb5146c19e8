package euchrebot.heuristic;

import static euchrebot.kit.CardTools.strainOf;
import static euchrebot.kit.CardTools.trumpSuit;
import static euchrebot.kit.CardTools.without;

import euchre.v1.Actions.Action;
import euchre.v1.Actions.ActionKind;
import euchre.v1.Actions.Event;
import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Cards.Suit;
import euchre.v1.Play.CardChoice;
import euchrebot.kit.About;
import euchrebot.kit.Answer;
import euchrebot.kit.Bot;
import euchrebot.kit.CardTools;
import euchrebot.kit.Kit;
import euchrebot.kit.Order;
import euchrebot.kit.Question;
import euchrebot.kit.Rung;
import euchrebot.kit.Variant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Judges by rules of thumb and plays every variant from its description: the common heuristic of the sample bots,
 * specified in docs/heuristic.md of the Euchre Arena. The rules are the same in every language, so that results can be
 * compared.
 */
public final class HeuristicBot implements Bot {
    /** A maker needs so many tricks of five. */
    private static final double FIVE_TRICK_NEED = 3;

    /** Tricks expected by a defender who plays alone. */
    private static final double LONE_DEFENCE = 3.2;

    /** A defender takes so much of the count. */
    private static final double DEFENCE_FACTOR = 0.7;

    /** To spare when outbidding a partner. */
    private static final double OVER_PARTNER = 0.7;

    /** To spare for a bid of all tricks. */
    private static final double ALL_TRICKS_SPARE = 0.5;

    /** To spare for each card of the hand beyond five: long hands vary more. */
    private static final double SPARE_PER_CARD = 0.05;

    /** Greatest danger of a misère. */
    private static final double SAFE_MISERE = 2;

    /** Least count to stay in. */
    private static final double STAY_COUNT = 1.4;

    private static final double PER_DROPPED = 0.12;

    /** Of a call alone that is sound: before every call with partners. */
    private static final double ALONE_SPARE = 9;

    /** A hand with less than this a card in its best suit is swapped. */
    private static final double POOR_HAND = 0.4;

    /** Share of the upcard's worth when a partner takes it. */
    private static final double PARTNER_TAKING = 0.8;

    /** Share of the upcard's worth lost when an opponent takes it. */
    private static final double ENEMY_TAKING = 0.6;

    /** Just below zero, so that a call with nothing to spare is made. */
    private static final double PASSING = -1e-6;

    private static final double NEVER = Double.NEGATIVE_INFINITY;

    private final Map<Variant, Estimator> estimators = new IdentityHashMap<>();

    public static void main(String[] arguments) {
        Kit.run(new About("java-heuristic", "1.0.0"), new HeuristicBot());
    }

    private Estimator estimator(Question question) {
        return estimators.computeIfAbsent(question.variant(), Estimator::new);
    }

    /** Tells whether two seats are of one fixed side; a seat is with itself. */
    private static boolean areTogether(Variant variant, int seat, int other) {
        return seat == other || variant.hasFixedSides() && variant.sideOf(seat) == variant.sideOf(other);
    }

    /** Returns how many cards the loner of a variant receives where no bid fixes the number. */
    private static int received(Variant variant) {
        String rule = variant.option("loner_exchange");
        return switch (rule) {
            case "", "none", "fixed-by-bid" -> 0;
            default -> rule.startsWith("up-to-") ? rule.charAt(rule.length() - 1) - '0' : 1;
        };
    }

    private static int received(Variant variant, Rung rung) {
        if (!variant.option("loner_exchange").equals("fixed-by-bid")) {
            return received(variant);
        }
        return switch (rung.name()) {
            case BID_NAME_ALONE1 -> 1;
            case BID_NAME_ALONE2 -> 2;
            default -> 0;
        };
    }

    private static Answer either(Question question, boolean yes, ActionKind then, ActionKind otherwise) {
        return Answer.option(question.find(yes ? then : otherwise));
    }

    /** Returns the first index of the greatest value. */
    private static <T> int argmax(List<T> items, ToDoubleFunction<T> value) {
        int best = 0;
        double bestValue = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < items.size(); i++) {
            double found = value.applyAsDouble(items.get(i));
            if (found > bestValue) {
                best = i;
                bestValue = found;
            }
        }
        return best;
    }

    private static List<Card> withUpcard(Question question) {
        List<Card> cards = new ArrayList<>(question.cards());
        cards.add(question.upcard());
        return cards;
    }

    private static <T> List<T> lastOf(List<T> items, int number) {
        return items.subList(items.size() - number, items.size());
    }

    /** Claims: a hand that may be claimed is poor. */
    @Override
    public Answer redealClaim(Question question) {
        return Answer.option(question.options().size() - 1);
    }

    /** Makes the call with most tricks to spare, and passes if none is left. */
    @Override
    public Answer upcardAuction(Question question) {
        return Answer.option(argmax(question.options(), call -> spare(question, call)));
    }

    /** Returns the tricks beyond its need that a call is thought to take. */
    private double spare(Question question, Action call) {
        Estimator estimator = estimator(question);
        double count;
        switch (call.getKind()) {
            case ACTION_KIND_PASS, ACTION_KIND_TURN_DOWN -> {
                return PASSING;
            }
            case ACTION_KIND_NAME, ACTION_KIND_NAME_ALONE ->
                count = estimator.count(call.getStrain(), question.cards());
            case ACTION_KIND_TAKE_UP, ACTION_KIND_TAKE_UP_ALONE, ACTION_KIND_TAKE_DOWN_ALONE -> {
                Strain turned = turned(question);
                List<Card> six = withUpcard(question);
                count = estimator.count(turned, without(six, estimator.bestDiscard(turned, six)));
            }
            default -> {
                boolean withDealer = areTogether(question.variant(), question.seat(), question.dealer());
                if (!withDealer && question.variant().option("order_up_makers").equals("dealer-side")) {
                    return NEVER; // the opponents would be the makers
                }
                count = countWithOrdered(question, call.getKind(), withDealer);
            }
        }
        return switch (call.getKind()) {
            case ACTION_KIND_NAME_ALONE, ACTION_KIND_TAKE_UP_ALONE, ACTION_KIND_TAKE_DOWN_ALONE,
                    ACTION_KIND_ORDER_UP_ALONE -> isLone(question, count) ? ALONE_SPARE + count : NEVER;
            default -> estimator.together(count) - FIVE_TRICK_NEED;
        };
    }

    /** Returns the count of a hand whose owner orders the upcard up. */
    private double countWithOrdered(Question question, ActionKind call, boolean withDealer) {
        Estimator estimator = estimator(question);
        Strain turned = turned(question);
        double count = estimator.count(turned, question.cards());
        int[] deck = question.variant().copies();
        double worth = estimator.trumpWorth(Estimator.above(question.variant().order(turned), deck, question.upcard()));
        if (!withDealer) {
            return count - ENEMY_TAKING * worth;
        }
        return call == ActionKind.ACTION_KIND_ORDER_UP // alone nobody takes it (UPA-PICK-4)
                ? count + PARTNER_TAKING * worth
                : count;
    }

    private boolean isLone(Question question, double count) {
        Variant variant = question.variant();
        return estimator(question).alone(count, received(variant)) >= variant.handSize() - 1;
    }

    /** Returns what accepting the upcard would make trump. */
    private static Strain turned(Question question) {
        for (Event event : question.history()) {
            if (event.getAction().getKind() == ActionKind.ACTION_KIND_NAME_BLIND) {
                return event.getAction().getStrain();
            }
        }
        return strainOf(question.upcard());
    }

    /** Takes the upcard if a discard makes the hand better, and discards what is missed least. */
    @Override
    public Answer pickUp(Question question) {
        if (question.options().get(0).getKind() == ActionKind.ACTION_KIND_DISCARD) {
            return discardOne(question);
        }
        Estimator estimator = estimator(question);
        Strain strain = question.strain();
        List<Card> six = withUpcard(question);
        double taken = estimator.count(strain, without(six, estimator.bestDiscard(strain, six)));
        return either(question, taken > estimator.count(strain, question.cards()), ActionKind.ACTION_KIND_TAKE_UPCARD,
                ActionKind.ACTION_KIND_LEAVE_UPCARD);
    }

    /** Lays down the best discard, or the worst card that is on offer. */
    private Answer discardOne(Question question) {
        Estimator estimator = estimator(question);
        List<Card> wishes = new ArrayList<>(estimator.keepOrder(question.strain(), question.cards()));
        wishes.add(estimator.bestDiscard(question.strain(), question.cards()));
        Collections.reverse(wishes);
        for (Card card : wishes) {
            int option = question.find(ActionKind.ACTION_KIND_DISCARD, card);
            if (option >= 0) {
                return Answer.option(option);
            }
        }
        return Answer.option(0);
    }

    /** Plays alone if nearly all tricks are expected; against the makers, if they would be euchred. */
    @Override
    public Answer goingAlone(Question question) {
        double count = estimator(question).count(question.strain(), question.cards());
        int maker = question.maker();
        boolean defends = maker != Question.NOBODY && !areTogether(question.variant(), question.seat(), maker);
        boolean alone = defends
                ? estimator(question).alone(DEFENCE_FACTOR * count, 0) >= LONE_DEFENCE
                : isLone(question, count);
        return either(question, alone, ActionKind.ACTION_KIND_ALONE, ActionKind.ACTION_KIND_NOT_ALONE);
    }

    /** Takes what help there is, gives the best and lays down the worst. */
    @Override
    public Answer exchange(Question question) {
        if (question.hasChoice()) {
            return exchangeSeveral(question);
        }
        Estimator estimator = estimator(question);
        List<Card> order = estimator.keepOrder(question.strain(), question.cards());
        for (ActionKind kind : List.of(ActionKind.ACTION_KIND_GIVE, ActionKind.ACTION_KIND_OFFER)) {
            if (question.find(kind) >= 0) {
                return Answer.option(question.find(kind, order.get(0)));
            }
        }
        if (question.find(ActionKind.ACTION_KIND_ASK) >= 0) {
            return Answer.option(question.find(ActionKind.ACTION_KIND_ASK));
        }
        if (question.find(ActionKind.ACTION_KIND_DISCARD) >= 0) {
            return discardOne(question);
        }
        Card worst = order.get(order.size() - 1);
        if (estimator.values(question.strain(), question.cards())[worst.getNumber()] >= Estimator.SURE_VALUE) {
            return Answer.option(0);
        }
        ActionKind kind = question.find(ActionKind.ACTION_KIND_ACCEPT) >= 0
                ? ActionKind.ACTION_KIND_ACCEPT
                : ActionKind.ACTION_KIND_CALL_BEST;
        return Answer.option(question.find(kind, worst));
    }

    private Answer exchangeSeveral(Question question) {
        CardChoice choice = question.choice();
        Estimator estimator = estimator(question);
        List<Card> order = estimator.keepOrder(question.strain(), choice.getCardsList());
        if (choice.getKind() == ActionKind.ACTION_KIND_GIVE) {
            return Answer.cards(choice.getKind(), order.subList(0, choice.getMaximum()));
        }
        double[] values = estimator.values(question.strain(), choice.getCardsList());
        int weak = (int) order.stream().filter(card -> values[card.getNumber()] < Estimator.SURE_VALUE).count();
        int number = Math.min(Math.max(weak, choice.getMinimum()), choice.getMaximum());
        return number == 0 ? Answer.option(0) : Answer.cards(choice.getKind(), lastOf(order, number));
    }

    /** A bid with what it is thought to take. */
    private record Offer(int option, Rung rung, double spare) {}

    /** Bids what is likely to be made: high if the auction goes round once, low if it goes on or ends here. */
    @Override
    public Answer bidAuction(Question question) {
        List<Offer> all = new ArrayList<>();
        List<Offer> sound = new ArrayList<>();
        for (int i = 0; i < question.options().size(); i++) {
            Action option = question.options().get(i);
            if (option.getKind() != ActionKind.ACTION_KIND_BID) {
                continue;
            }
            Rung rung = question.variant().rung(option.getBid());
            Strain strain = option.getStrain();
            List<Strain> strains = strain == Strain.STRAIN_UNSPECIFIED ? rung.strains() : List.of(strain);
            Offer offer = new Offer(i, rung, bidSpare(question, rung, strains));
            all.add(offer);
            if (offer.spare >= leastSpare(question, rung)) {
                sound.add(offer);
            }
        }
        int pass = question.find(ActionKind.ACTION_KIND_PASS);
        if (!sound.isEmpty()) {
            return Answer.option(chosen(question, sound).option);
        }
        return Answer.option(pass >= 0 || all.isEmpty() ? pass : all.get(argmax(all, Offer::spare)).option);
    }

    /** Returns the tricks beyond its need of a bid in the best of the strains it can be played in. */
    private double bidSpare(Question question, Rung rung, List<Strain> strains) {
        Estimator estimator = estimator(question);
        if (rung.isMisere()) {
            return SAFE_MISERE - estimator.danger(question.cards());
        }
        double best = NEVER;
        for (Strain strain : strains) {
            double count = estimator.count(strain, question.cards());
            double tricks = rung.alone()
                    ? estimator.alone(count, received(question.variant(), rung))
                    : estimator.together(count);
            best = Math.max(best, tricks);
        }
        return best - rung.tricks();
    }

    /** Returns the tricks that a bid must have to spare. */
    private static double leastSpare(Question question, Rung rung) {
        int hand = question.variant().handSize();
        int bidder = question.bidder();
        if (rung.isMisere()) {
            return 0;
        }
        if (rung.tricks() >= hand) {
            return ALL_TRICKS_SPARE;
        }
        boolean overPartner = bidder != Question.NOBODY && bidder != question.seat()
                && areTogether(question.variant(), question.seat(), bidder);
        return overPartner ? OVER_PARTNER : SPARE_PER_CARD * (hand - 5);
    }

    /** Returns the bid to make of several sound ones. */
    private static Offer chosen(Question question, List<Offer> sound) {
        Variant variant = question.variant();
        boolean goesOn = variant.option("bid_rounds").equals("until-passed");
        boolean endsHere = question.history().size() >= variant.seats() - 1;
        boolean low = goesOn || endsHere && !variant.description().hasBidValue();
        Comparator<Offer> byTricks = Comparator.comparingInt(offer -> low ? 0 : offer.rung.tricks());
        return Collections.max(sound, byTricks
                .thenComparing(Comparator.<Offer>comparingInt(offer -> offer.rung.rank()).reversed())
                .thenComparingDouble(Offer::spare)
                .thenComparing(Comparator.comparingInt(Offer::option).reversed()));
    }

    /** Chooses the strain that takes most. */
    @Override
    public Answer strainChoice(Question question) {
        Estimator estimator = estimator(question);
        List<Card> hand = question.cards();
        return Answer.option(argmax(question.options(), option -> estimator.count(option.getStrain(), hand)));
    }

    /** Takes it: as many of the worst cards go. */
    @Override
    public Answer widow(Question question) {
        return Answer.option(question.find(ActionKind.ACTION_KIND_TAKE_WIDOW));
    }

    /** Discards what is missed least. */
    @Override
    public Answer widowDiscard(Question question) {
        if (!question.hasChoice()) {
            return discardOne(question);
        }
        CardChoice choice = question.choice();
        List<Card> order = estimator(question).keepOrder(question.strain(), choice.getCardsList());
        return Answer.cards(choice.getKind(), lastOf(order, choice.getMinimum()));
    }

    /** Takes the widow for a poor hand. */
    @Override
    public Answer handSwap(Question question) {
        Estimator estimator = estimator(question);
        Variant variant = question.variant();
        Strain best = estimator.bestSuit(variant.strains(), question.cards());
        boolean isPoor = best == Strain.STRAIN_UNSPECIFIED
                || estimator.count(best, question.cards()) < POOR_HAND * variant.handSize();
        return either(question, isPoor, ActionKind.ACTION_KIND_TAKE_HAND, ActionKind.ACTION_KIND_KEEP_HAND);
    }

    /** Makes the trump that leaves the best hand. */
    @Override
    public Answer dealerMakes(Question question) {
        Estimator estimator = estimator(question);
        return Answer.option(argmax(question.options(), option -> {
            if (option.getKind() == ActionKind.ACTION_KIND_KEEP_UPCARD) {
                return estimator.count(strainOf(question.upcard()), question.cards());
            }
            Card shown = option.getCards(0);
            return estimator.count(strainOf(shown), without(withUpcard(question), shown));
        }));
    }

    /** Swaps if no trump and no sure winner has to go. */
    @Override
    public Answer kittySwap(Question question) {
        Estimator estimator = estimator(question);
        CardChoice choice = question.choice();
        List<Card> order = estimator.keepOrder(question.strain(), choice.getCardsList());
        List<Card> gone = lastOf(order, choice.getMinimum());
        double[] values = estimator.values(question.strain(), choice.getCardsList());
        if (values[gone.get(0).getNumber()] >= Estimator.SURE_VALUE) {
            return Answer.option(question.find(ActionKind.ACTION_KIND_NO_SWAP));
        }
        return Answer.cards(choice.getKind(), gone);
    }

    /** Stays if a trick is likely. */
    @Override
    public Answer dropOut(Question question) {
        int dropped = question.variant().seats() - question.active().size();
        double count = estimator(question).count(question.strain(), question.cards());
        return either(question, count + PER_DROPPED * dropped >= STAY_COUNT, ActionKind.ACTION_KIND_STAY,
                ActionKind.ACTION_KIND_DROP);
    }

    /** Calls the best card that another may hold, or the longest suit whose best card another may hold. */
    @Override
    public Answer allyCall(Question question) {
        if (question.options().get(0).getKind() == ActionKind.ACTION_KIND_CALL_CARD) {
            int[] out = Position.unseen(question);
            return Answer.option(argmax(question.options(), option -> out[option.getCardsValue(0)] > 0 ? 1 : 0));
        }
        Order order = question.variant().order(question.strain());
        List<List<Card>> suits = Estimator.suitCards(order, question.cards());
        return Answer.option(argmax(question.options(), option -> {
            Suit suit = trumpSuit(option.getStrain());
            List<Card> held = suits.get(suit.getNumber());
            if (held.isEmpty()) {
                return -0.5;
            }
            return held.get(0) == order.cardsOf(suit).get(0) ? -1 : held.size();
        }));
    }

    /** Leads, follows, covers and throws. */
    @Override
    public Answer play(Question question) {
        if (question.options().size() == 1) {
            return Answer.option(0);
        }
        Card card;
        if (question.strain() == Strain.STRAIN_UNSPECIFIED) {
            card = leadToMakeTrump(question);
        } else {
            Position position = new Position(question);
            card = question.trick().isEmpty() ? position.lead() : position.follow();
        }
        return Answer.option(question.find(ActionKind.ACTION_KIND_PLAY, card));
    }

    /** Leads the best card of the suit that is best as trumps (NAP-TRUMP-1). */
    private Card leadToMakeTrump(Question question) {
        List<Strain> held = question.cards().stream().map(CardTools::strainOf).toList();
        List<Strain> strains = question.variant().strains().stream().filter(held::contains).toList();
        if (strains.isEmpty()) {
            return question.options().get(0).getCards(0);
        }
        Order order = question.variant().order(estimator(question).bestSuit(strains, question.cards()));
        return Collections.max(question.cards(), Comparator.comparingInt(order::height));
    }
}
