/** A variant as a bot wants it: tables by card number, sides by seat, bids as plain values. */
import { CARD_LIMIT, NO_TRUMP_LOW, SUITS, rankOf, suitOf } from "./cards.js";
import { Alliance, type Bid, BidName, PhaseKind, type TrickCard, type VariantMessage } from "./wire.js";

/** Added to the height of a trump, so that it beats every other card. */
export const TRUMP = 100;

/** The order of the cards under one strain. Tables are indexed by card number; zero fits no card. */
export class Order {
  /** The suit of a card for every purpose of play, bowers and jokers being trumps; 0: none. */
  readonly effective: number[] = new Array<number>(CARD_LIMIT).fill(0);
  /** How high a card is in its suit: 1 the lowest; equal cards have equal heights. Trumps have TRUMP more. */
  readonly height: number[] = new Array<number>(CARD_LIMIT).fill(0);
  /** By suit, its cards from high to low, each once. */
  readonly bySuit: readonly (readonly number[])[];
  /** The trumps from high to low, each once; empty without a trump suit. */
  readonly trumps: readonly number[];

  /**
   * @param strain 1 to 4 a trump suit, 5 no trump, 6 no trump low, 0 not fixed yet
   * @param suits by suit its cards high to low, and for each the position of the first of equal rank
   * @param laterWins of two equal cards in one trick the later wins
   */
  constructor(
    readonly strain: number,
    suits: ReadonlyMap<number, { cards: readonly number[]; ranks: readonly number[] }>,
    private readonly laterWins: boolean,
  ) {
    const bySuit: (readonly number[])[] = [[], [], [], [], []];
    for (const [suit, { cards, ranks }] of suits) {
      bySuit[suit] = cards;
      const bonus = suit === strain ? TRUMP : 0;
      cards.forEach((card, place) => {
        this.effective[card] = suit;
        this.height[card] = cards.length - (ranks[place] ?? place) + bonus;
      });
    }
    this.bySuit = bySuit;
    this.trumps = strain >= 1 && strain <= 4 ? (bySuit[strain] ?? []) : [];
  }

  /** Returns the suit of *card* for every purpose of play. */
  suit(card: number): number {
    return this.effective[card] ?? 0;
  }

  /** Returns how high *card* is; trumps are above TRUMP, and a greater number is the higher card of a suit. */
  rank(card: number): number {
    return this.height[card] ?? 0;
  }

  /** Returns the cards of a suit from high to low, each once. */
  cardsOf(suit: number): readonly number[] {
    return this.bySuit[suit] ?? [];
  }

  isTrump(card: number): boolean {
    return this.rank(card) > TRUMP;
  }

  /** Tells whether *card*, played after *other* to one trick, wins over it. */
  beats(card: number, other: number): boolean {
    if (this.suit(card) !== this.suit(other)) {
      return this.isTrump(card);
    }
    return this.rank(card) > this.rank(other) || (this.laterWins && this.rank(card) === this.rank(other));
  }

  /** Returns the card that wins so far, and who played it; undefined for an empty trick. */
  winner(trick: readonly TrickCard[]): TrickCard | undefined {
    let best = trick[0];
    for (const played of trick.slice(1)) {
      if (best !== undefined && this.beats(played.card, best.card)) {
        best = played;
      }
    }
    return best;
  }

  /**
   * Returns *cards* from the lowest to the highest (SRV-LOW-1): trumps last, other cards by rank alone whatever
   * their suit, then by suit.
   */
  lowToHigh(cards: readonly number[]): number[] {
    // A suit that lacks a card (the jack that is a bower) says less of the ranks above it than others.
    const levels = new Map<number, number>();
    for (const card of this.bySuit.flat().filter((other) => !this.isTrump(other))) {
      levels.set(rankOf(card), Math.max(levels.get(rankOf(card)) ?? 0, this.rank(card)));
    }
    const level = (card: number): number => (this.isTrump(card) ? this.rank(card) : (levels.get(rankOf(card)) ?? 0));
    return [...cards].sort((a, b) => level(a) - level(b) || this.suit(a) - this.suit(b) || a - b);
  }

  /** Returns the cards of *hand* that may be played to a trick begun with *led* (0: the seat leads). */
  lawful(hand: readonly number[], led: number): number[] {
    const following = hand.filter((card) => led !== 0 && this.suit(card) === this.suit(led));
    return following.length > 0 ? following : [...hand];
  }
}

/** One bid of the ladder. */
export interface Rung {
  readonly name: number;
  readonly number: number;
  /** A bid outbids every bid of lower rank. */
  readonly rank: number;
  /** Tricks undertaken; zero with a misère. */
  readonly tricks: number;
  /** Points made or lost where the bid has a value of its own; zero where tricks are counted. */
  readonly value: number;
  readonly alone: boolean;
  readonly strains: readonly number[];
  /** Undertakes to take no trick. */
  readonly isMisere: boolean;
}

/** Everything about one variant. `message` is what the referee said; the rest is made from it. */
export class Variant {
  readonly id: string;
  readonly seats: number;
  readonly handSize: number;
  /** The seats that score together. */
  readonly sides: readonly (readonly number[])[];
  /** By seat, its side. */
  readonly sideOf: readonly number[];
  readonly hasFixedSides: boolean;
  readonly hasSilentAlly: boolean;
  readonly isOneAgainstAll: boolean;
  readonly strains: readonly number[];
  /** How many of each card the deck has. */
  readonly copies: ReadonlyMap<number, number>;
  readonly deckSize: number;
  /** The bids from low to high. */
  readonly rungs: readonly Rung[];
  /** Which table of points: fiveTrick, bonus, contract, bidValue, countdown. */
  readonly scoring: string;
  /** Everybody starts at the target and wants to be at zero. */
  readonly countsDown: boolean;
  readonly target: number;
  private readonly orders: readonly Order[];
  private readonly options: ReadonlyMap<string, string>;
  private readonly phases: ReadonlySet<number>;

  constructor(readonly message: VariantMessage) {
    this.id = message.id;
    this.seats = message.seats;
    this.handSize = message.handSize;
    this.sides = message.sides.map((side) => side.seats);
    this.sideOf = Array.from({ length: this.seats }, (_, seat) => this.sides.findIndex((side) => side.includes(seat)));
    this.hasFixedSides = message.alliance === Alliance.ALLIANCE_FIXED;
    this.hasSilentAlly = message.alliance === Alliance.ALLIANCE_SILENT_ALLY;
    this.isOneAgainstAll = message.alliance === Alliance.ALLIANCE_MAKER_AGAINST_ALL;
    this.strains = message.strains;
    this.copies = new Map(message.deck.map((entry) => [entry.card, entry.copies]));
    this.deckSize = message.deck.reduce((sum, entry) => sum + entry.copies, 0);
    this.rungs = message.bids.map((entry) => ({
      name: entry.bid?.name ?? 0,
      number: entry.bid?.number ?? 0,
      rank: entry.rank,
      tricks: entry.tricks,
      value: entry.value,
      alone: entry.alone,
      strains: entry.strains,
      isMisere: entry.bid?.name === BidName.BID_NAME_MISERE,
    }));
    this.scoring = message.scoring ?? "";
    this.countsDown = message.countsDown;
    this.target = message.target;
    this.options = new Map(message.options.map((option) => [option.name, option.value]));
    this.phases = new Set(message.phases);
    this.orders = this.makeOrders();
  }

  private makeOrders(): Order[] {
    const laterWins = this.message.duplicates === "later";
    const deck = [...this.copies.keys()].sort((a, b) => rankOf(b) - rankOf(a));
    const printed = SUITS.map((suit) => {
      const cards = deck.filter((card) => suitOf(card) === suit);
      return [suit, { cards, ranks: cards.map((_, place) => place) }] as const;
    });
    const told = this.message.orders.map(
      ({ strain, suits }) => new Order(strain, new Map(suits.map((entry) => [entry.suit, entry])), laterWins),
    );
    const unfixed = new Order(0, new Map(printed), laterWins);
    // While no strain is fixed the jokers alone, trumps in every suit, count as trumps (SRV-LOW-1).
    const suited = told.filter((order) => order.trumps.length > 0);
    for (const joker of deck.filter((card) => suited.length > 0 && suited.every((order) => order.isTrump(card)))) {
      unfixed.effective[joker] = 0;
      unfixed.height[joker] = TRUMP + CARD_LIMIT - joker;
    }
    const orders = new Array<Order>(NO_TRUMP_LOW + 1).fill(unfixed);
    for (const order of told) {
      orders[order.strain] = order;
    }
    return orders;
  }

  /** Returns the order of the cards under *strain* (0, not fixed yet: printed suits). */
  order(strain: number): Order {
    const order = this.orders[strain];
    if (order === undefined) {
      throw new RangeError(`no strain ${strain}`);
    }
    return order;
  }

  /** Returns the value of an option, *otherwise* if the variant has no such option. */
  option(name: string, otherwise = ""): string {
    return this.options.get(name) ?? otherwise;
  }

  hasPhase(phase: PhaseKind): boolean {
    return this.phases.has(phase);
  }

  /** Returns what a bid undertakes. A forced bid may be below the least one of the ladder (HAS-AUC-2). */
  rung(bid: Bid): Rung {
    return (
      this.rungs.find((rung) => rung.name === bid.name && rung.number === bid.number) ?? {
        name: bid.name,
        number: bid.number,
        rank: -1,
        tricks: bid.number,
        value: 0,
        alone: false,
        strains: this.strains,
        isMisere: false,
      }
    );
  }

  /** Returns the other seats of a fixed side; nobody in games without fixed sides. */
  partners(seat: number): number[] {
    return (this.sides[this.sideOf[seat] ?? -1] ?? []).filter((other) => other !== seat);
  }

  /** Tells whether two seats are of one fixed side; a seat is with itself. */
  areTogether(seat: number, other: number): boolean {
    return seat === other || (this.hasFixedSides && this.sideOf[seat] === this.sideOf[other]);
  }
}
