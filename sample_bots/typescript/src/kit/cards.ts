/**
 * Cards, suits and strains: their numbers on the wire, and their names.
 *
 * A card is 1 to 55: 13 * (suit - 1) + rank - 1 for a suited card with rank 2 to 14 (ace), 53 to 55 for the
 * jokers X1 to X3. Suits are 1 to 4 for S C H D, strains 1 to 4 likewise, 5 no trump, 6 no trump low. Zero
 * means "none" everywhere.
 */

export const SPADES = 1;
export const CLUBS = 2;
export const HEARTS = 3;
export const DIAMONDS = 4;
export const NO_TRUMP = 5;
export const NO_TRUMP_LOW = 6;

export const SUITS = [SPADES, CLUBS, HEARTS, DIAMONDS] as const;
export const JACK = 11;
export const ACE = 14;

/** One more than the greatest card number: the length of a table by card. */
export const CARD_LIMIT = 56;

const SUIT_LETTERS = "SCHD";
const RANK_LETTERS = "23456789TJQKA";
const STRAIN_NAMES = ["-", "S", "C", "H", "D", "NT", "NTL"];

/** By card number: "AS", "TC", "X1". */
export const CARD_NAMES: readonly string[] = [
  "--",
  ...[...SUIT_LETTERS].flatMap((suit) => [...RANK_LETTERS].map((rank) => rank + suit)),
  "X1",
  "X2",
  "X3",
];
const NUMBERS = new Map(CARD_NAMES.map((name, number) => [name, number]));

/** Returns rank then suit, "AS". */
export function cardName(card: number): string {
  return CARD_NAMES[card] ?? `card ${card}`;
}

/** Returns names separated by blanks, in the order given. */
export function cardNames(cards: Iterable<number>): string {
  return [...cards].map(cardName).join(" ");
}

/** Returns the card of a name such as "AS"; throws a RangeError if there is no such card. */
export function cardNumber(name: string): number {
  const number = NUMBERS.get(name.trim().toUpperCase());
  if (!number) {
    throw new RangeError(`"${name}" is no card; write rank then suit, as in AS, TC, 9H, or X1 for a joker`);
  }
  return number;
}

/** Returns the cards of names separated by blanks. */
export function cardNumbers(names: string): number[] {
  return names.split(" ").filter(Boolean).map(cardNumber);
}

/** Returns the printed suit, 1 to 4; 0 for a joker. */
export function suitOf(card: number): number {
  return card >= 1 && card <= 52 ? Math.floor((card - 1) / 13) + 1 : 0;
}

/** Returns the rank, 2 to 14 (ace); 0 for a joker. */
export function rankOf(card: number): number {
  return card >= 1 && card <= 52 ? ((card - 1) % 13) + 2 : 0;
}

/** Returns S C H D NT NTL, or - for none. */
export function strainName(strain: number): string {
  return STRAIN_NAMES[strain] ?? `strain ${strain}`;
}

/** Returns the strain of a name that `strainName` gives; throws a RangeError if there is none. */
export function strainNumber(name: string): number {
  const number = STRAIN_NAMES.indexOf(name);
  if (number < 1) {
    throw new RangeError(`"${name}" is no strain; it is one of S C H D NT NTL`);
  }
  return number;
}
