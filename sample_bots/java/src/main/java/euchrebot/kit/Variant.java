package euchrebot.kit;

import euchre.v1.Actions.Bid;
import euchre.v1.Cards.Card;
import euchre.v1.Cards.Strain;
import euchre.v1.Cards.Suit;
import euchre.v1.Variants;
import euchre.v1.Variants.Alliance;
import euchre.v1.Variants.BidRung;
import euchre.v1.Variants.DeckCard;
import euchre.v1.Variants.Option;
import euchre.v1.Variants.PhaseKind;
import euchre.v1.Variants.StrainOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Everything about one variant: what the referee said, and tables made from it. */
public final class Variant {
    private final Variants.Variant description;
    private final int[] copies = new int[CardTools.CARD_LIMIT];
    private final int deckSize;
    private final int[] sideOf;
    private final Order[] orders = new Order[Strain.STRAIN_NO_TRUMP_LOW_VALUE + 1];
    private final Map<Bid, Rung> rungs = new HashMap<>();
    private final Map<String, String> options = new HashMap<>();
    private final Set<PhaseKind> phases;
    private final boolean laterWins;

    /** Makes the tables of a description. */
    public Variant(Variants.Variant description) {
        this.description = description;
        int size = 0;
        for (DeckCard entry : description.getDeckList()) {
            copies[entry.getCardValue()] = entry.getCopies();
            size += entry.getCopies();
        }
        deckSize = size;
        sideOf = new int[description.getSeats()];
        for (int side = 0; side < description.getSidesCount(); side++) {
            for (int seat : description.getSides(side).getSeatsList()) {
                sideOf[seat] = side;
            }
        }
        for (Option option : description.getOptionsList()) {
            options.put(option.getName(), option.getValue());
        }
        for (BidRung rung : description.getBidsList()) {
            rungs.put(rung.getBid(), new Rung(rung.getBid(), rung.getRank(), rung.getTricks(), rung.getValue(),
                    rung.getAlone(), rung.getStrainsList()));
        }
        phases = new HashSet<>(description.getPhasesList());
        laterWins = description.getDuplicates().equals("later");
        Arrays.fill(orders, Order.unfixed(copies));
        for (StrainOrder told : description.getOrdersList()) {
            orders[told.getStrainValue()] = Order.told(told);
        }
    }

    /** What the referee said. */
    public Variants.Variant description() {
        return description;
    }

    public int seats() {
        return description.getSeats();
    }

    /** Cards a seat. */
    public int handSize() {
        return description.getHandSize();
    }

    /** Counts the deck with its copies. */
    public int deckSize() {
        return deckSize;
    }

    /** Returns how often the deck has a card. */
    public int copies(Card card) {
        return copies[card.getNumber()];
    }

    /** Returns how often the deck has each card, by its number; a new array. */
    public int[] copies() {
        return copies.clone();
    }

    /** What a hand can be played in. */
    public List<Strain> strains() {
        return description.getStrainsList();
    }

    /** Returns the order of the cards under a strain; of printed suits while none is fixed. */
    public Order order(Strain strain) {
        return orders[strain.getNumber()];
    }

    /** Returns the value of an option, "" if the variant has no such option. */
    public String option(String name) {
        return options.getOrDefault(name, "");
    }

    /** Tells whether a hand has a phase. */
    public boolean hasPhase(PhaseKind phase) {
        return phases.contains(phase);
    }

    /** Returns what a bid undertakes. A forced bid may be below the least one of the ladder (HAS-AUC-2). */
    public Rung rung(Bid bid) {
        Rung known = rungs.get(bid);
        return known != null ? known : new Rung(bid, -1, bid.getNumber(), 0, false, strains());
    }

    public Alliance alliance() {
        return description.getAlliance();
    }

    /** Tells whether who plays with whom is the same in every hand. */
    public boolean hasFixedSides() {
        return alliance() == Alliance.ALLIANCE_FIXED;
    }

    /** Returns the index of a seat's side, in the order of every list of totals. */
    public int sideOf(int seat) {
        return sideOf[seat];
    }

    /** Returns the other seats of a fixed side; nobody where every seat is a side. */
    public List<Integer> partners(int seat) {
        List<Integer> partners = new ArrayList<>();
        for (int other = 0; other < sideOf.length; other++) {
            if (other != seat && sideOf[other] == sideOf[seat]) {
                partners.add(other);
            }
        }
        return partners;
    }

    /** Tells whether a card, played later, wins over the best of a trick to which suit led was led. */
    public boolean beats(Order order, Suit led, Card card, Card best) {
        int later = order.strength(led, card);
        int earlier = order.strength(led, best);
        return later > earlier || later == earlier && later > 0 && laterWins;
    }

    /** Returns the index of the card that wins a trick, -1 if it is empty. */
    public int winner(Order order, List<Card> trick) {
        int best = trick.isEmpty() ? -1 : 0;
        for (int i = 1; i < trick.size(); i++) {
            if (beats(order, order.effective(trick.get(0)), trick.get(i), trick.get(best))) {
                best = i;
            }
        }
        return best;
    }
}
