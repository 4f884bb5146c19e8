/** What a hand is worth: counts of expected tricks, and what each card is worth keeping (docs/heuristic.md). */
import { CARD_LIMIT, NO_TRUMP, type Order, PhaseKind, SUITS, type Variant } from "../kit/index.js";

/** A maker whose partners sit out counts so many times as much. */
const LONE_FACTOR = 1.3;
/** Tricks of a loner for each card of the hand beyond five. */
const LONE_PER_HAND_CARD = 0.35;
/** Tricks for each card a loner receives. */
const PER_RECEIVED = 0.8;
/** Tricks for each card of the widow. */
const PER_WIDOW_CARD = 0.3;
/** The count grows by this share for each card of the hand beyond five. */
const PER_HAND_CARD = 0.1;
/** A card worth at least this is a trump or the best of its suit. */
export const SURE_VALUE = 38;
/** Two counts nearer than this are equal: sums of the same terms in another order differ in the last places. */
const EQUAL = 1e-9;

/** Returns by card how many copies are not among *cards*. */
export function rest(variant: Variant, cards: readonly number[]): number[] {
  const out = new Array<number>(CARD_LIMIT).fill(0);
  for (const [card, copies] of variant.copies) {
    out[card] = copies;
  }
  remove(out, cards);
  return out;
}

/** Takes one copy of each of *cards* out of *out*. */
export function remove(out: number[], cards: readonly number[]): void {
  for (const card of cards) {
    out[card] = (out[card] ?? 0) - 1;
  }
}

/** Returns how many cards of *out* are higher than *card* in its suit. */
export function above(order: Order, out: readonly number[], card: number): number {
  let number = 0;
  for (const other of order.cardsOf(order.suit(card))) {
    if (order.rank(other) <= order.rank(card)) {
      break;
    }
    number += Math.max(0, out[other] ?? 0);
  }
  return number;
}

/** Returns how many cards of *out* are of an effective suit. */
export function ofSuit(order: Order, out: readonly number[], suit: number): number {
  return order.cardsOf(suit).reduce((sum, card) => sum + Math.max(0, out[card] ?? 0), 0);
}

/** Returns the suit of trumps, 0 if there is none. */
export function trumpSuit(strain: number): number {
  return strain >= NO_TRUMP ? 0 : strain;
}

/** The cards of a hand by effective suit, high to low. */
export class Suits {
  private readonly suits: number[][] = [[], [], [], [], []];

  constructor(order: Order, cards: readonly number[]) {
    for (const card of cards) {
      this.of(order.suit(card)).push(card);
    }
    for (const suit of this.suits) {
      suit.sort((a, b) => order.rank(b) - order.rank(a));
    }
  }

  /** Returns the cards of *suit*. */
  of(suit: number): number[] {
    return this.suits[suit] ?? [];
  }
}

/** Returns *cards* without one copy of *gone*. */
export function without(cards: readonly number[], gone: number): number[] {
  const place = cards.indexOf(gone);
  return cards.filter((_, index) => index !== place);
}

/** Returns the first of *items* with the greatest value. */
export function best<Item>(items: readonly Item[], value: (item: Item) => number): Item | undefined {
  let found: Item | undefined;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const own = value(item);
    if (own > greatest || found === undefined) {
      found = item;
      greatest = own;
    }
  }
  return found;
}

/** Counts hands of one variant. */
export class Estimator {
  /** The chance that a hidden card is in no other hand. */
  private readonly unheld: number;
  /** The chance that a hidden card is not in one given hand. */
  private readonly unheldByOne: number;
  /** How many seats play with a maker. */
  private readonly partners: number;
  private readonly widowTricks: number;

  constructor(private readonly variant: Variant) {
    const { handSize, seats, deckSize } = variant;
    const hidden = Math.max(1, deckSize - handSize);
    this.unheld = 1 - Math.min(1, ((seats - 1) * handSize) / hidden);
    this.unheldByOne = 1 - Math.min(1, handSize / hidden);
    this.partners = variant.hasSilentAlly ? 1 : variant.partners(0).length;
    this.widowTricks = variant.hasPhase(PhaseKind.PHASE_KIND_WIDOW) ? PER_WIDOW_CARD * variant.message.widow : 0;
  }

  /** Returns the chance that none of so many hidden cards is in another hand. */
  private unbeaten(hidden: number): number {
    return this.unheld ** hidden;
  }

  /** Returns the chance that the opponents can follow to a suit of which so many cards are hidden. */
  private followed(hidden: number): number {
    return (1 - this.unheldByOne ** hidden) ** Math.max(0, this.variant.seats - 2);
  }

  /** Returns what a trump adds to a count when so many higher ones are out. */
  trumpWorth(higher: number): number {
    return 0.35 + 0.05 * this.unbeaten(higher) + 0.55 * 0.5 ** higher;
  }

  /** Returns the count of a hand, about a trick a unit. */
  count(strain: number, cards: readonly number[]): number {
    const order = this.variant.order(strain);
    const out = rest(this.variant, cards);
    const suits = new Suits(order, cards);
    const trump = trumpSuit(strain);
    if (trump === 0) {
      return this.countNoTrump(order, out, suits);
    }
    let total = 0;
    for (const card of suits.of(trump)) {
      total += this.trumpWorth(above(order, out, card));
    }
    let spare = suits.of(trump).length;
    for (const suit of SUITS) {
      if (suit === trump || order.cardsOf(suit).length === 0) {
        continue;
      }
      const [first, second] = suits.of(suit);
      if (first === undefined) {
        total += spare > 0 ? 0.3 : 0;
        spare -= 1;
        continue;
      }
      const followed = this.followed(ofSuit(order, out, suit));
      total += 0.9 * this.unbeaten(above(order, out, first)) * followed;
      if (second !== undefined) {
        total += 0.4 * this.unbeaten(above(order, out, second)) * followed;
      }
    }
    return total;
  }

  private countNoTrump(order: Order, out: readonly number[], suits: Suits): number {
    let total = 0;
    for (const suit of SUITS) {
      const held = suits.of(suit);
      const each = ofSuit(order, out, suit) / Math.max(1, this.variant.seats - 1);
      total += 0.3 * Math.max(0, held.length - each);
      for (const card of held) {
        total += this.unbeaten(above(order, out, card));
      }
    }
    return total;
  }

  /** Returns how likely a hand is to be made to take a trick without trumps; lower is safer. */
  danger(cards: readonly number[]): number {
    const order = this.variant.order(NO_TRUMP);
    const out = rest(this.variant, cards);
    const suits = new Suits(order, cards);
    let total = 0;
    for (const suit of SUITS) {
      suits.of(suit).reverse().forEach((card, place) => {
        const below = ofSuit(order, out, suit) - above(order, out, card);
        total += Math.max(0, below - place) / (1 + place);
      });
    }
    return total;
  }

  /** Returns the tricks that a maker whose hand counts so much takes with the partners he has. */
  together(count: number): number {
    const { handSize, seats } = this.variant;
    const own = count * (1 + PER_HAND_CARD * (handSize - 5));
    const share = this.partners / Math.max(1, seats - 1);
    return own + (handSize - own) * share + this.widowTricks;
  }

  /** Returns the tricks that he takes without them, receiving so many cards. */
  alone(count: number, received: number): number {
    const factor = this.variant.partners(0).length > 0 ? LONE_FACTOR : 1;
    const longer = LONE_PER_HAND_CARD * (this.variant.handSize - 5);
    return factor * count + longer + PER_RECEIVED * received + this.widowTricks;
  }

  /** Returns the card of which a hand is rid best; of equal ones the one worth least. */
  firstToGo(strain: number, cards: readonly number[]): number {
    const values = this.values(strain, cards);
    let found = cards[0] ?? 0;
    let foundCount = Number.NEGATIVE_INFINITY;
    for (const card of cards) {
      const count = this.count(strain, without(cards, card));
      const isCheaper = (values.get(card) ?? 0) < (values.get(found) ?? 0);
      if (count > foundCount + EQUAL || (count > foundCount - EQUAL && isCheaper)) {
        found = card;
        foundCount = count;
      }
    }
    return found;
  }

  /** Returns the hand that counts most after one card is laid aside. */
  bestLeft(strain: number, cards: readonly number[]): number[] {
    return without(cards, this.firstToGo(strain, cards));
  }

  /** Returns by card what it is worth keeping: trumps by height, winners, cards of long suits; voids are made first. */
  values(strain: number, cards: readonly number[]): Map<number, number> {
    const order = this.variant.order(strain);
    const out = rest(this.variant, cards);
    const suits = new Suits(order, cards);
    const isNoTrump = trumpSuit(strain) === 0;
    return new Map(
      cards.map((card) => {
        if (order.isTrump(card)) {
          return [card, 100 + order.rank(card)];
        }
        const higher = above(order, out, card);
        const length = suits.of(order.suit(card)).length;
        const value = 40 * 0.45 ** higher + order.rank(card) / 10;
        if (isNoTrump) {
          return [card, value + length / 2];
        }
        return [card, value - length / 2 - (length === 1 && higher > 0 ? 3 : 0)];
      }),
    );
  }

  /** Returns the cards from the best to keep to the first to go. */
  keepOrder(strain: number, cards: readonly number[]): number[] {
    const values = this.values(strain, cards);
    return [...cards].sort((a, b) => (values.get(b) ?? 0) - (values.get(a) ?? 0));
  }

  /** Tells which of *cards* are no trump and not the best of their suit. */
  weak(strain: number, cards: readonly number[]): (card: number) => boolean {
    const values = this.values(strain, cards);
    return (card) => (values.get(card) ?? 0) < SURE_VALUE;
  }

  /** Returns the suit among *strains* in which a hand counts most; undefined if none of them is a suit. */
  bestSuit(strains: readonly number[], cards: readonly number[]): number | undefined {
    const suits = strains.filter((strain) => trumpSuit(strain) !== 0);
    return best(suits, (strain) => this.count(strain, cards));
  }
}
