// A bot that judges by rules of thumb and plays every variant from its description.
//
// It is the common heuristic of the sample bots, specified in docs/heuristic.md of the Euchre Arena: the same rules in
// every language, so that their results can be compared.
#pragma once

#include <map>

#include "heuristic/estimate.hpp"
#include "kit/bot.hpp"

namespace heuristic {

class HeuristicBot : public kit::Bot {
  public:
    /// Claims: a hand that may be claimed is poor.
    kit::Answer redealClaim(const kit::Question& q) override;
    /// Makes the call with most tricks to spare, and passes if none is left.
    kit::Answer upcardAuction(const kit::Question& q) override;
    /// Takes the upcard if a discard makes the hand better, and discards what is missed least.
    kit::Answer pickUp(const kit::Question& q) override;
    /// Plays alone if nearly all tricks are expected; against the makers, if they would be euchred.
    kit::Answer goingAlone(const kit::Question& q) override;
    /// Takes what help there is, gives the best and lays down the worst.
    kit::Answer exchange(const kit::Question& q) override;
    /// Bids what is likely to be made: high if the auction goes round once, low if it goes on or ends here.
    kit::Answer bidAuction(const kit::Question& q) override;
    /// Chooses the strain that takes most.
    kit::Answer strainChoice(const kit::Question& q) override;
    /// Takes it: as many of the worst cards go.
    kit::Answer widow(const kit::Question& q) override;
    /// Discards what is missed least.
    kit::Answer widowDiscard(const kit::Question& q) override;
    /// Takes the widow for a poor hand.
    kit::Answer handSwap(const kit::Question& q) override;
    /// Makes the trump that leaves the best hand.
    kit::Answer dealerMakes(const kit::Question& q) override;
    /// Swaps if no trump and no sure winner has to go.
    kit::Answer kittySwap(const kit::Question& q) override;
    /// Stays if a trick is likely.
    kit::Answer dropOut(const kit::Question& q) override;
    /// Calls the best card that another may hold, or the longest suit whose best card another may hold.
    kit::Answer allyCall(const kit::Question& q) override;
    /// Leads, follows, covers and throws.
    kit::Answer play(const kit::Question& q) override;

  private:
    const Estimator& estimator(const kit::Question& q);
    double spare(const kit::Question& q, const pb::Action& call);
    double bidSpare(const kit::Question& q, const kit::Rung& rung, const std::vector<kit::Strain>& strains);
    kit::Answer discardOne(const kit::Question& q);
    kit::Answer exchangeSeveral(const kit::Question& q);
    kit::Card leadToMakeTrump(const kit::Question& q);

    std::map<const kit::Variant*, Estimator> estimators_;
};

}  // namespace heuristic
