import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import {
  BidName,
  CLUBS,
  NO_TRUMP,
  PhaseKind,
  SPADES,
  Variant,
  cardName,
  cardNumber,
  cardNumbers,
  rankOf,
  strainName,
  strainNumber,
  suitOf,
  variantFromJson,
} from "../kit/index.js";

const FOLDER = new URL("../../../../tests/vectors/variants/", import.meta.url);

function describe(preset: string): Variant {
  return new Variant(variantFromJson(JSON.parse(readFileSync(fileURLToPath(new URL(`${preset}.json`, FOLDER)), "utf8"))));
}

test("the numbers of cards are those of the wire", () => {
  assert.equal(cardNumber("AS"), 13);
  assert.equal(cardNumber("2D"), 40);
  assert.equal(cardNumber("X3"), 55);
  for (let card = 1; card <= 55; card += 1) {
    assert.equal(cardNumber(cardName(card)), card);
    const isJoker = card > 52;
    assert.equal(isJoker ? 0 : 13 * (suitOf(card) - 1) + rankOf(card) - 1, isJoker ? 0 : card);
  }
  assert.throws(() => cardNumber("1S"), /"1S" is no card/);
});

test("strains are named and numbered", () => {
  assert.deepEqual([1, 2, 3, 4, 5, 6].map(strainName), ["S", "C", "H", "D", "NT", "NTL"]);
  assert.equal(strainNumber("NTL"), 6);
  assert.throws(() => strainNumber("X"), /"X" is no strain/);
});

test("the left bower is a trump (CARD-EFF-1)", () => {
  const order = describe("standard").order(SPADES);
  const left = cardNumber("JC");
  assert.equal(order.suit(left), SPADES);
  assert.ok(order.beats(left, cardNumber("AS")));
  assert.ok(!order.beats(left, cardNumber("JS")));
  assert.ok(!order.cardsOf(CLUBS).includes(left));
});

test("a plain card of another suit never wins", () => {
  const order = describe("standard").order(SPADES);
  assert.ok(!order.beats(cardNumber("AH"), cardNumber("9D")));
  assert.ok(order.beats(cardNumber("9S"), cardNumber("AH")));
});

test("of two equal cards the first wins, or the later where the variant says so (CARD-DUP-1, -2)", () => {
  const ace = cardNumber("AH");
  assert.ok(!describe("bid-us-48").order(SPADES).beats(ace, ace));
  assert.ok(describe("british-6p-50").order(SPADES).beats(ace, ace));
});

test("sides, partners and phases are those of the description", () => {
  const standard = describe("standard");
  assert.deepEqual(standard.partners(1), [3]);
  assert.ok(standard.areTogether(0, 2) && !standard.areTogether(0, 1));
  assert.ok(standard.hasPhase(PhaseKind.PHASE_KIND_UPCARD_AUCTION));
  assert.ok(!standard.hasPhase(PhaseKind.PHASE_KIND_BID_AUCTION));
  assert.equal(standard.option("stick_dealer"), "on");
  assert.equal(standard.option("no_such_option", "nothing"), "nothing");
  const buck = describe("buck");
  assert.deepEqual(buck.partners(0), []);
  assert.ok(!buck.hasFixedSides && buck.countsDown && buck.scoring === "countdown");
});

test("a bid says what it undertakes; a forced one below the ladder counts as its number (HAS-AUC-2)", () => {
  const napoleon = describe("napoleon");
  const nap = napoleon.rung({ name: BidName.BID_NAME_NAP, number: 0 });
  assert.equal(nap.tricks, 5);
  assert.ok(napoleon.rung({ name: BidName.BID_NAME_MISERE, number: 0 }).isMisere);
  const forced = napoleon.rung({ name: BidName.BID_NAME_NUMBER, number: 1 });
  assert.deepEqual([forced.tricks, forced.rank], [1, -1]);
});

test("without trump the highest card of the suit led wins", () => {
  const order = describe("bid-euchre").order(NO_TRUMP);
  assert.deepEqual(order.trumps, []);
  assert.deepEqual(order.lawful(cardNumbers("JS 9S AH"), cardNumber("KS")), cardNumbers("JS 9S"));
  assert.ok(!order.isTrump(cardNumber("JS")));
  assert.ok(!order.beats(cardNumber("AH"), cardNumber("9S")));
});

test("a seat that cannot follow may play anything; a left bower follows trumps (PLAY-2)", () => {
  const order = describe("standard").order(SPADES);
  assert.deepEqual(order.lawful(cardNumbers("JC AH"), cardNumber("9C")), cardNumbers("JC AH"));
  assert.deepEqual(order.lawful(cardNumbers("JC AH"), cardNumber("9S")), cardNumbers("JC"));
});
