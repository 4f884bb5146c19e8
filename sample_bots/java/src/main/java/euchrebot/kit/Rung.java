package euchrebot.kit;

import euchre.v1.Actions.Bid;
import euchre.v1.Actions.BidName;
import euchre.v1.Cards.Strain;
import java.util.List;

/**
 * One bid of the ladder.
 *
 * @param bid the bid
 * @param rank how high it stands: a bid outbids every bid of lower rank
 * @param tricks undertaken
 * @param value where the bid has one of its own; zero where tricks are counted
 * @param alone whether the declarer plays without partners
 * @param strains it can be bid or played in
 */
public record Rung(Bid bid, int rank, int tricks, int value, boolean alone, List<Strain> strains) {
    public BidName name() {
        return bid.getName();
    }

    /** Tells whether the bid undertakes to take no trick. */
    public boolean isMisere() {
        return name() == BidName.BID_NAME_MISERE;
    }
}
