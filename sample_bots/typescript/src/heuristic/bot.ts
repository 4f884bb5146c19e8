/**
 * A bot that judges by rules of thumb and plays every variant from its description.
 *
 * It is the common heuristic of the sample bots, specified in docs/heuristic.md of the Euchre Arena: the same rules in
 * every language, so that their results can be compared.
 */
import {
  type Answer,
  ActionKind,
  Bot,
  BidName,
  type DecisionRequest,
  type Rung,
  type SeenAction,
  type Variant,
  optionOf,
  suitOf,
  withCards,
} from "../kit/index.js";
import { Estimator, above, best, rest, Suits, without } from "./estimate.js";
import { Position, unseen } from "./tricks.js";

/** A maker needs so many of five. */
const FIVE_TRICK_NEED = 3;
/** Tricks expected by a defender who plays alone. */
const LONE_DEFENCE = 3.2;
/** A defender takes so much of the count. */
const DEFENCE_FACTOR = 0.7;
/** To spare when outbidding a partner. */
const OVER_PARTNER = 0.7;
/** To spare for a bid of all tricks. */
const ALL_TRICKS_SPARE = 0.5;
/** To spare for each card of the hand beyond five: long hands vary more. */
const SPARE_PER_CARD = 0.05;
/** Greatest danger of a misère. */
const SAFE_MISERE = 2;
/** Least count to stay in. */
const STAY_COUNT = 1.4;
const PER_DROPPED = 0.12;
/** Of a call alone that is sound: it goes before every call with partners. */
const ALONE_SPARE = 9;
/** A hand with less than this a card in its best suit is swapped. */
const POOR_HAND = 0.4;
/** Share of the upcard's worth when a partner takes it. */
const PARTNER_TAKING = 0.8;
/** Share of the upcard's worth lost when an opponent takes it. */
const ENEMY_TAKING = 0.6;
/** A pass is worth this: a call with nothing to spare is made. */
const PASS_SPARE = -1e-6;

/** A bid with what it is thought to take beyond its need. */
interface Offer {
  readonly option: number;
  readonly rung: Rung;
  readonly spare: number;
}

export class HeuristicBot extends Bot {
  override name = "typescript-heuristic";
  override version = "1.0.0";
  private readonly estimators = new WeakMap<Variant, Estimator>();

  private estimator(variant: Variant): Estimator {
    let found = this.estimators.get(variant);
    if (found === undefined) {
      found = new Estimator(variant);
      this.estimators.set(variant, found);
    }
    return found;
  }

  /** Claims: a hand that may be claimed is poor. */
  override redealClaim(request: DecisionRequest): Answer {
    return request.options.length - 1;
  }

  /** Makes the call with most tricks to spare, and passes if none is left. */
  override upcardAuction(request: DecisionRequest, variant: Variant): Answer {
    return bestOption(request, (call) => this.callSpare(request, variant, call));
  }

  /** Returns the tricks beyond its need that a call is thought to take; just below zero for a pass. */
  private callSpare(request: DecisionRequest, variant: Variant, call: SeenAction): number {
    if (call.kind === ActionKind.ACTION_KIND_PASS || call.kind === ActionKind.ACTION_KIND_TURN_DOWN) {
      return PASS_SPARE;
    }
    const estimator = this.estimator(variant);
    const count = this.callCount(request, variant, call);
    if (!ALONE_CALLS.has(call.kind)) {
      return estimator.together(count) - FIVE_TRICK_NEED;
    }
    const isSound = estimator.alone(count, received(variant)) >= variant.handSize - 1;
    return isSound ? ALONE_SPARE + count : Number.NEGATIVE_INFINITY;
  }

  private callCount(request: DecisionRequest, variant: Variant, call: SeenAction): number {
    const estimator = this.estimator(variant);
    const { cards, upcard, seat, dealer } = request;
    const turned = turnedSuit(request);
    switch (call.kind) {
      case ActionKind.ACTION_KIND_NAME:
      case ActionKind.ACTION_KIND_NAME_ALONE:
        return estimator.count(call.strain, cards);
      case ActionKind.ACTION_KIND_TAKE_UP:
      case ActionKind.ACTION_KIND_TAKE_UP_ALONE:
      case ActionKind.ACTION_KIND_TAKE_DOWN_ALONE:
        return estimator.count(turned, estimator.bestLeft(turned, [...cards, upcard]));
      default:
        break;
    }
    const isWithDealer = variant.areTogether(seat, dealer);
    if (variant.option("order_up_makers") === "dealer-side" && !isWithDealer) {
      return Number.NEGATIVE_INFINITY; // the opponents would be the makers
    }
    const worth = estimator.trumpWorth(above(variant.order(turned), rest(variant, []), upcard));
    const count = estimator.count(turned, cards);
    if (!isWithDealer) {
      return count - ENEMY_TAKING * worth;
    }
    // When the dealer's partner plays alone, nobody takes it (UPA-PICK-4).
    return call.kind === ActionKind.ACTION_KIND_ORDER_UP ? count + PARTNER_TAKING * worth : count;
  }

  /** Takes the upcard if a discard makes the hand better, and discards what is missed least. */
  override pickUp(request: DecisionRequest, variant: Variant): Answer {
    if (optionOf(request, ActionKind.ACTION_KIND_DISCARD) !== undefined) {
      return this.discardOne(request, variant);
    }
    const estimator = this.estimator(variant);
    const { strain, cards, upcard } = request;
    const taken = estimator.count(strain, estimator.bestLeft(strain, [...cards, upcard]));
    const isBetter = taken > estimator.count(strain, cards);
    return oneOf(request, isBetter ? ActionKind.ACTION_KIND_TAKE_UPCARD : ActionKind.ACTION_KIND_LEAVE_UPCARD);
  }

  private discardOne(request: DecisionRequest, variant: Variant): Answer {
    const estimator = this.estimator(variant);
    const { strain, cards } = request;
    const order = [estimator.firstToGo(strain, cards), ...estimator.keepOrder(strain, cards).reverse()];
    const options = order.map((card) => optionOf(request, ActionKind.ACTION_KIND_DISCARD, card));
    return options.find((option) => option !== undefined) ?? 0;
  }

  /** Plays alone if nearly all tricks are expected; against the makers, if they would be euchred. */
  override goingAlone(request: DecisionRequest, variant: Variant): Answer {
    const estimator = this.estimator(variant);
    const { seat, maker, strain, cards } = request;
    const count = estimator.count(strain, cards);
    const isDefender = maker !== undefined && !variant.areTogether(seat, maker);
    const goesAlone = isDefender
      ? estimator.alone(DEFENCE_FACTOR * count, 0) >= LONE_DEFENCE
      : estimator.alone(count, received(variant)) >= variant.handSize - 1;
    return oneOf(request, goesAlone ? ActionKind.ACTION_KIND_ALONE : ActionKind.ACTION_KIND_NOT_ALONE);
  }

  /** Takes what help there is, gives the best and lays down the worst. */
  override exchange(request: DecisionRequest, variant: Variant): Answer {
    if (request.choice) {
      return this.exchangeSeveral(request, variant);
    }
    const estimator = this.estimator(variant);
    const { strain, cards } = request;
    const order = estimator.keepOrder(strain, cards);
    const [first] = order;
    const worst = order.at(-1);
    if (optionOf(request, ActionKind.ACTION_KIND_DISCARD) !== undefined) {
      return this.discardOne(request, variant);
    }
    const helped =
      optionOf(request, ActionKind.ACTION_KIND_GIVE, first) ??
      optionOf(request, ActionKind.ACTION_KIND_OFFER, first) ??
      optionOf(request, ActionKind.ACTION_KIND_ASK);
    if (helped !== undefined) {
      return helped;
    }
    if (worst === undefined || !estimator.weak(strain, cards)(worst)) {
      return 0;
    }
    return (
      optionOf(request, ActionKind.ACTION_KIND_ACCEPT, worst) ??
      optionOf(request, ActionKind.ACTION_KIND_CALL_BEST, worst) ??
      0
    );
  }

  private exchangeSeveral(request: DecisionRequest, variant: Variant): Answer {
    const { choice, strain } = request;
    if (!choice) {
      return 0;
    }
    const estimator = this.estimator(variant);
    const order = estimator.keepOrder(strain, choice.cards);
    if (choice.kind === ActionKind.ACTION_KIND_GIVE) {
      return withCards(choice.kind, order.slice(0, choice.maximum));
    }
    const weak = order.filter(estimator.weak(strain, choice.cards)).length;
    const number = Math.min(Math.max(weak, choice.minimum), choice.maximum);
    return number === 0 ? 0 : withCards(choice.kind, order.slice(-number));
  }

  /** Bids what is likely to be made: high if the auction goes round once, low if it goes on or ends here. */
  override bidAuction(request: DecisionRequest, variant: Variant): Answer {
    const offers: Offer[] = [];
    request.options.forEach((option, index) => {
      if (option.kind === ActionKind.ACTION_KIND_BID && option.bid) {
        const rung = variant.rung(option.bid);
        const strains = option.strain ? [option.strain] : rung.strains;
        offers.push({ option: index, rung, spare: this.bidSpare(request, variant, rung, strains) });
      }
    });
    const sound = offers.filter(({ rung, spare }) => spare >= leastSpare(request, variant, rung));
    if (sound.length > 0) {
      return highestOrLowest(request, variant, sound).option;
    }
    const pass = optionOf(request, ActionKind.ACTION_KIND_PASS);
    return pass ?? best(offers, (offer) => offer.spare)?.option ?? 0;
  }

  /** Returns the tricks beyond its need of a bid in the best of the strains it can be played in. */
  private bidSpare(request: DecisionRequest, variant: Variant, rung: Rung, strains: readonly number[]): number {
    const estimator = this.estimator(variant);
    const { cards } = request;
    if (rung.isMisere) {
      return SAFE_MISERE - estimator.danger(cards);
    }
    const tricks = strains.map((strain) => {
      const count = estimator.count(strain, cards);
      return rung.alone ? estimator.alone(count, received(variant, rung)) : estimator.together(count);
    });
    return Math.max(...tricks) - rung.tricks;
  }

  /** Chooses the strain that takes most. */
  override strainChoice(request: DecisionRequest, variant: Variant): Answer {
    return bestOption(request, (option) => this.estimator(variant).count(option.strain, request.cards));
  }

  /** Takes it: as many of the worst cards go. */
  override widow(request: DecisionRequest): Answer {
    return oneOf(request, ActionKind.ACTION_KIND_TAKE_WIDOW);
  }

  /** Discards what is missed least. */
  override widowDiscard(request: DecisionRequest, variant: Variant): Answer {
    const { choice, strain } = request;
    if (!choice) {
      return this.discardOne(request, variant);
    }
    const order = this.estimator(variant).keepOrder(strain, choice.cards);
    return withCards(choice.kind, order.slice(order.length - choice.minimum));
  }

  /** Takes the widow for a poor hand. */
  override handSwap(request: DecisionRequest, variant: Variant): Answer {
    const estimator = this.estimator(variant);
    const suit = estimator.bestSuit(variant.strains, request.cards);
    const isPoor = suit !== undefined && estimator.count(suit, request.cards) < POOR_HAND * variant.handSize;
    return oneOf(request, isPoor ? ActionKind.ACTION_KIND_TAKE_HAND : ActionKind.ACTION_KIND_KEEP_HAND);
  }

  /** Makes the trump that leaves the best hand. */
  override dealerMakes(request: DecisionRequest, variant: Variant): Answer {
    const estimator = this.estimator(variant);
    const { cards, upcard } = request;
    return bestOption(request, (option) => {
      const shown = option.cards[0];
      return option.kind === ActionKind.ACTION_KIND_KEEP_UPCARD || shown === undefined
        ? estimator.count(suitOf(upcard), cards)
        : estimator.count(suitOf(shown), without([...cards, upcard], shown));
    });
  }

  /** Swaps if no trump and no sure winner has to go. */
  override kittySwap(request: DecisionRequest, variant: Variant): Answer {
    const { choice, strain } = request;
    if (!choice) {
      return 0;
    }
    const estimator = this.estimator(variant);
    const gone = estimator.keepOrder(strain, choice.cards).slice(-choice.minimum);
    const isWorthIt = gone.every(estimator.weak(strain, choice.cards));
    return isWorthIt ? withCards(choice.kind, gone) : oneOf(request, ActionKind.ACTION_KIND_NO_SWAP);
  }

  /** Stays if a trick is likely. */
  override dropOut(request: DecisionRequest, variant: Variant): Answer {
    const dropped = variant.seats - request.active.length;
    const count = this.estimator(variant).count(request.strain, request.cards) + PER_DROPPED * dropped;
    return oneOf(request, count >= STAY_COUNT ? ActionKind.ACTION_KIND_STAY : ActionKind.ACTION_KIND_DROP);
  }

  /** Calls the best card that another may hold, or the longest suit whose best card another may hold. */
  override allyCall(request: DecisionRequest, variant: Variant): Answer {
    if (request.options[0]?.kind === ActionKind.ACTION_KIND_CALL_CARD) {
      const out = unseen(request, variant);
      const first = request.options.findIndex((option) => (out[option.cards[0] ?? 0] ?? 0) > 0);
      return Math.max(first, 0);
    }
    const order = variant.order(request.strain);
    const suits = new Suits(order, request.cards);
    return bestOption(request, ({ strain }) => {
      const held = suits.of(strain);
      if (held.length === 0) {
        return -0.5;
      }
      return held[0] === order.cardsOf(strain)[0] ? -1 : held.length;
    });
  }

  /** Leads, follows, covers and throws. */
  override play(request: DecisionRequest, variant: Variant): Answer {
    if (request.options.length === 1) {
      return 0;
    }
    const card = request.strain ? new Position(request, variant).card() : this.leadToMakeTrump(request, variant);
    return oneOf(request, ActionKind.ACTION_KIND_PLAY, card);
  }

  /** Leads the best card of the suit that is best as trumps (NAP-TRUMP-1). */
  private leadToMakeTrump(request: DecisionRequest, variant: Variant): number | undefined {
    const { cards } = request;
    const held = new Set(cards.map(suitOf));
    const strains = variant.strains.filter((strain) => held.has(strain));
    const strain = this.estimator(variant).bestSuit(strains, cards);
    return strain === undefined ? undefined : best(cards, (card) => variant.order(strain).rank(card));
  }
}

const ALONE_CALLS: ReadonlySet<ActionKind> = new Set([
  ActionKind.ACTION_KIND_NAME_ALONE,
  ActionKind.ACTION_KIND_TAKE_UP_ALONE,
  ActionKind.ACTION_KIND_TAKE_DOWN_ALONE,
  ActionKind.ACTION_KIND_ORDER_UP_ALONE,
]);

/** Returns the index of the option of a kind (that names *card*), the default if there is none. */
function oneOf(request: DecisionRequest, kind: ActionKind, card?: number): number {
  return optionOf(request, kind, card) ?? 0;
}

/** Returns the index of the first option with the greatest value. */
function bestOption(request: DecisionRequest, value: (option: SeenAction) => number): number {
  return best([...request.options.keys()], (index) => {
    const option = request.options[index];
    return option === undefined ? Number.NEGATIVE_INFINITY : value(option);
  }) ?? 0;
}

/** Returns what accepting the upcard would make trump. */
function turnedSuit(request: DecisionRequest): number {
  const blind = request.history.find(({ action }) => action?.kind === ActionKind.ACTION_KIND_NAME_BLIND);
  return blind?.action?.strain ?? suitOf(request.upcard);
}

/** Returns how many cards the loner of a variant receives (of a bid that fixes the number, by the bid). */
function received(variant: Variant, rung?: Rung): number {
  const rule = variant.option("loner_exchange", "none");
  switch (rule) {
    case "none":
      return 0;
    case "fixed-by-bid":
      return rung?.name === BidName.BID_NAME_ALONE2 ? 2 : rung?.name === BidName.BID_NAME_ALONE1 ? 1 : 0;
    default:
      return rule.startsWith("up-to-") ? Number(rule.at(-1)) : 1;
  }
}

/** Returns the tricks that a bid must have to spare. */
function leastSpare(request: DecisionRequest, variant: Variant, rung: Rung): number {
  const { bidder, seat } = request;
  if (rung.isMisere) {
    return 0;
  }
  if (rung.tricks >= variant.handSize) {
    return ALL_TRICKS_SPARE;
  }
  if (bidder !== undefined && bidder !== seat && variant.areTogether(seat, bidder)) {
    return OVER_PARTNER;
  }
  return SPARE_PER_CARD * (variant.handSize - 5);
}

/** Returns the bid to make of several sound ones (at least one). */
function highestOrLowest(request: DecisionRequest, variant: Variant, sound: readonly Offer[]): Offer {
  const waiting = variant.seats - 1 - request.history.length;
  const goesOn = variant.option("bid_rounds") === "until-passed";
  const bidsLow = goesOn || (waiting <= 0 && variant.scoring !== "bidValue");
  const isBetter = (one: Offer, other: Offer): boolean => {
    if (!bidsLow && one.rung.tricks !== other.rung.tricks) {
      return one.rung.tricks > other.rung.tricks;
    }
    return one.rung.rank !== other.rung.rank ? one.rung.rank < other.rung.rank : one.spare > other.spare;
  };
  return sound.reduce((chosen, offer) => (isBetter(offer, chosen) ? offer : chosen));
}
