/** Which card to play: lead, follow, cover and throw (docs/heuristic.md). */
import { ActionKind, Alliance, type DecisionRequest, type Order, SUITS, type Variant } from "../kit/index.js";
import { Suits, above, best, ofSuit, remove, rest, trumpSuit } from "./estimate.js";

/** With so many trumps the makers lead them even without the highest. */
const TRUMPS_TO_DRAW = 3;
/** So many higher cards of its suit may be out against a card that is led as a winner. */
const BEATERS_BORNE = 1;
/** With so many cards out against a partner's winner, one that cannot follow trumps it. */
const BEATERS_FEARED = 2;
/** A higher card out weighs more than any length. */
const PER_BEATER = 20;

/** Returns by card how many copies may be in other hands: all but the own cards and those known to be gone. */
export function unseen(request: DecisionRequest, variant: Variant): number[] {
  const out = rest(variant, request.cards);
  let isTurnedDown = false;
  for (const { seat, action } of request.history) {
    switch (action?.kind) {
      case ActionKind.ACTION_KIND_PLAY:
      case ActionKind.ACTION_KIND_TAKE_AND_SHOW:
        remove(out, action.cards);
        break;
      case ActionKind.ACTION_KIND_DISCARD:
      case ActionKind.ACTION_KIND_ACCEPT:
      case ActionKind.ACTION_KIND_CALL_BEST:
      case ActionKind.ACTION_KIND_SWAP:
      case ActionKind.ACTION_KIND_SWAP_KITTY:
        if (seat === request.seat) {
          remove(out, action.cards);
        }
        break;
      case ActionKind.ACTION_KIND_TURN_DOWN:
      case ActionKind.ACTION_KIND_LEAVE_UPCARD:
      case ActionKind.ACTION_KIND_KEEP_UPCARD:
        isTurnedDown = true;
        break;
      default:
        break;
    }
  }
  if (isTurnedDown && request.upcard) {
    remove(out, [request.upcard]);
  }
  return out;
}

/** A question about a card to play, with what is known of the others. */
export class Position {
  private readonly order: Order;
  /** The own cards, low to high. */
  private readonly hand: readonly number[];
  /** By card, copies that may be in other hands. */
  private readonly out: readonly number[];
  /** By seat, a number that is equal for seats that play together, as far as is known. */
  private readonly teams: readonly number[];
  /** Who undertakes to take no trick. */
  private readonly avoider: number | undefined;

  constructor(
    private readonly request: DecisionRequest,
    private readonly variant: Variant,
  ) {
    this.order = variant.order(request.strain);
    this.out = unseen(request, variant);
    this.hand = request.cards;
    this.avoider = request.bid && variant.rung(request.bid).isMisere ? request.maker : undefined;
    this.teams = this.seenTeams();
  }

  private seenTeams(): number[] {
    const { request, variant } = this;
    const seats = Array.from({ length: variant.seats }, (_, seat) => seat);
    if (variant.hasFixedSides) {
      return seats.map((seat) => variant.sideOf[seat] ?? seat);
    }
    if (variant.message.alliance === Alliance.ALLIANCE_NONE || request.maker === undefined) {
      return seats;
    }
    const ally = this.knownAlly();
    if (variant.hasSilentAlly && ally === undefined && request.seat === request.maker) {
      return seats; // one of them is a friend, nobody says who
    }
    return seats.map((seat) => (seat === request.maker || seat === ally ? 0 : 1));
  }

  /** Returns the maker's ally if this seat holds, or somebody has played, what was called. */
  private knownAlly(): number | undefined {
    const { request, order } = this;
    let called: readonly number[] = []; // one of these, the first that is in play
    const holder = new Map<number, number>();
    for (const { seat, action } of request.history) {
      if (action?.kind === ActionKind.ACTION_KIND_CALL_CARD) {
        called = action.cards;
      } else if (action?.kind === ActionKind.ACTION_KIND_CALL_SUIT) {
        called = order.cardsOf(action.strain);
      } else if (action?.kind === ActionKind.ACTION_KIND_PLAY) {
        holder.set(action.cards[0] ?? 0, seat);
      }
    }
    for (const card of request.cards) {
      holder.set(card, request.seat);
    }
    for (const card of called) {
      const seat = holder.get(card);
      if (seat !== undefined) {
        return seat === request.maker ? undefined : seat;
      }
      if ((this.out[card] ?? 0) > 0) {
        return undefined;
      }
    }
    return undefined;
  }

  private isWithMe(seat: number): boolean {
    return this.teams[seat] === this.teams[this.request.seat];
  }

  /** Tells whether no card that is out is higher in the suit of *card*. */
  private isHighest(card: number): boolean {
    return above(this.order, this.out, card) === 0;
  }

  /** Returns the card to play. */
  card(): number {
    return (this.request.trick.length > 0 ? this.follow() : this.lead()) ?? 0;
  }

  /** Returns the card to lead: trumps from the top for the makers, likely winners, else the lowest. */
  private lead(): number | undefined {
    const { request, order, hand, out } = this;
    const lowest = hand[0];
    if (this.avoider !== undefined) {
      return lowest;
    }
    const suits = new Suits(order, hand);
    const trump = trumpSuit(request.strain);
    const trumps = trump === 0 ? [] : suits.of(trump);
    const trumpsOut = ofSuit(order, out, trump);
    const isMaker = request.maker !== undefined && this.isWithMe(request.maker);
    const [top] = trumps;
    if (top !== undefined && isMaker && trumpsOut > 0 && this.isHighest(top)) {
      return top;
    }
    const winner = this.plainWinner(suits, trump);
    if (winner !== undefined) {
      return winner;
    }
    if (top === undefined) {
      return lowest;
    }
    const mayDraw = isMaker && trumpsOut > 0 && trumps.length >= TRUMPS_TO_DRAW;
    if (trumps.length === hand.length || mayDraw) {
      return isMaker || this.isHighest(top) ? top : trumps.at(-1);
    }
    return trumpsOut === 0 ? top : lowest;
  }

  /** Returns the plain card most likely to win when led: few higher ones out, many to follow. */
  private plainWinner(suits: Suits, trump: number): number | undefined {
    const { order, out } = this;
    const tops = SUITS.filter((suit) => suit !== trump).flatMap((suit) => suits.of(suit).slice(0, 1));
    return best(
      tops.filter((card) => above(order, out, card) <= BEATERS_BORNE),
      (card) => ofSuit(order, out, order.suit(card)) - PER_BEATER * above(order, out, card),
    );
  }

  /** Returns the card to a trick that has begun. */
  private follow(): number | undefined {
    const { request, order, out } = this;
    const holder = order.winner(request.trick);
    const led = request.trick[0]?.card ?? 0;
    if (holder === undefined) {
      return undefined;
    }
    const lawful = order.lawful(this.hand, led);
    const winners = lawful.filter((card) => order.beats(card, holder.card));
    const pending = request.active.length - request.trick.length; // this seat included
    if (this.avoider !== undefined) {
      const losers = lawful.filter((card) => !order.beats(card, holder.card));
      return this.followUnder(this.avoider, lawful, winners, losers, holder.seat, pending);
    }
    const [lowest] = lawful;
    const [cheapest] = winners;
    const top = winners.at(-1);
    if (cheapest === undefined || top === undefined) {
      return lowest;
    }
    if (pending === 1) {
      return this.isWithMe(holder.seat) ? lowest : cheapest;
    }
    const follows = order.suit(top) === order.suit(led);
    const topHolds = follows && this.isHighest(top);
    if (this.isWithMe(holder.seat)) {
      // Cards of the suit led that may yet beat the partner's.
      const threats = order
        .cardsOf(order.suit(led))
        .filter((card) => order.beats(card, holder.card))
        .reduce((sum, card) => sum + Math.max(0, out[card] ?? 0), 0);
      if (follows && threats > 0 && topHolds) {
        return top;
      }
      return !follows && threats >= BEATERS_FEARED && !order.isTrump(holder.card) ? cheapest : lowest;
    }
    return follows && (pending === 2 || topHolds) ? top : cheapest;
  }

  /** Returns the card in a hand in which one seat undertakes to take no trick. Lists are low to high. */
  private followUnder(
    avoider: number,
    lawful: readonly number[],
    winners: readonly number[],
    losers: readonly number[],
    holder: number,
    pending: number,
  ): number | undefined {
    if (this.request.seat === avoider) {
      return losers.at(-1) ?? (pending === 1 ? winners.at(-1) : winners[0]);
    }
    return (holder === avoider ? losers.at(-1) : undefined) ?? lawful[0];
  }
}
