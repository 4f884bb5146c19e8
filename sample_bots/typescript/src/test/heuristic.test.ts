/** The rules of docs/heuristic.md, by cases worked out by hand. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { HeuristicBot } from "../heuristic/bot.js";
import { Estimator } from "../heuristic/estimate.js";
import {
  type Action,
  ActionKind,
  CLUBS,
  DIAMONDS,
  type DecisionRequest,
  HEARTS,
  type NewRequest,
  PhaseKind,
  SPADES,
  Variant,
  cardName,
  cardNames,
  cardNumber,
  cardNumbers,
  decisionRequest,
  playQuestion,
  plays,
  trick,
  variantFromJson,
} from "../kit/index.js";

const FOLDER = new URL("../../../../tests/vectors/variants/", import.meta.url);

function describe(preset: string): Variant {
  return new Variant(variantFromJson(JSON.parse(readFileSync(fileURLToPath(new URL(`${preset}.json`, FOLDER)), "utf8"))));
}

const standard = describe("standard");
const bot = new HeuristicBot();

async function decide(request: DecisionRequest, variant = standard): Promise<Action | undefined> {
  const answer = await bot.decide(request, variant);
  return typeof answer === "number" ? request.options[answer] : (answer as Action);
}

/** Returns the name of the card played from a hand, low to high; spades are trumps. */
async function played(hand: string, members: NewRequest, lawful = hand, variant = standard): Promise<string> {
  const common: NewRequest = { strain: SPADES, seat: 0, active: [0, 1, 2, 3], options: plays(lawful) };
  const action = await decide(playQuestion(hand, { ...common, ...members }), variant);
  return cardName(Number(action?.cards?.[0]));
}

const upcardOptions: NewRequest = {
  phase: PhaseKind.PHASE_KIND_UPCARD_AUCTION,
  options: [
    { kind: ActionKind.ACTION_KIND_PASS },
    { kind: ActionKind.ACTION_KIND_ORDER_UP },
    { kind: ActionKind.ACTION_KIND_ORDER_UP_ALONE },
  ],
};

function asked(hand: string, members: NewRequest): DecisionRequest {
  return decisionRequest({ cards: cardNumbers(hand) as DecisionRequest["cards"], ...members });
}

test("a hand of the five highest trumps counts what docs/heuristic.md says", () => {
  // 24 cards, 15 of 19 hidden ones in other hands; nothing is above any of them. One suit short each: 3 voids.
  const count = new Estimator(standard).count(SPADES, cardNumbers("QS KS AS JC JS"));
  assert.ok(Math.abs(count - (5 * 0.95 + 3 * 0.3)) < 1e-9, String(count));
});

test("a trump below two others out counts less", () => {
  const p = 1 - 15 / 19;
  const r = 1 - 5 / 19;
  // AS with both bowers out; AH with 5 hearts out; AD, AC likewise (4 clubs: the jack is a trump); 9S under six.
  const followed = (hidden: number): number => (1 - r ** hidden) ** 2;
  const trumps = 0.35 + 0.05 * p ** 2 + 0.55 / 4 + 0.35 + 0.05 * p ** 5 + 0.55 / 32;
  const expected = trumps + 0.9 * (followed(5) + followed(5) + followed(4));
  const count = new Estimator(standard).count(SPADES, cardNumbers("9S AS AC AH AD"));
  assert.ok(Math.abs(count - expected) < 1e-9, `${count} is not ${expected}`);
});

test("it passes a hand without trumps and orders up a strong one", async () => {
  const upcard = cardNumber("9S") as DecisionRequest["upcard"];
  const weak = asked("9D TD 9H TH QH", { ...upcardOptions, upcard, seat: 2, dealer: 0 });
  assert.equal((await decide(weak))?.kind, ActionKind.ACTION_KIND_PASS);
  const strong = asked("9H KS AS JC AD", { ...upcardOptions, upcard, seat: 2, dealer: 0 });
  assert.equal((await decide(strong))?.kind, ActionKind.ACTION_KIND_ORDER_UP);
});

test("it goes alone with a hand that takes nearly all tricks", async () => {
  const upcard = cardNumber("9S") as DecisionRequest["upcard"];
  const sure = asked("AH KS AS JC JS", { ...upcardOptions, upcard, seat: 1, dealer: 0 });
  assert.equal((await decide(sure))?.kind, ActionKind.ACTION_KIND_ORDER_UP_ALONE);
});

test("it names the suit in which its hand counts most", async () => {
  const options = [SPADES, CLUBS, HEARTS, DIAMONDS].map((strain) => ({ kind: ActionKind.ACTION_KIND_NAME, strain }) as Action);
  const request = asked("9C JD KH AH JH", { phase: PhaseKind.PHASE_KIND_UPCARD_AUCTION, options });
  assert.equal((await decide(request))?.strain, HEARTS);
});

test("the dealer discards a lone low card and keeps trumps", async () => {
  const hand = "9C TD AD QS AS JS";
  const options = cardNumbers(hand).map((card) => ({ kind: ActionKind.ACTION_KIND_DISCARD, cards: [card] }) as Action);
  const request = asked(hand, { phase: PhaseKind.PHASE_KIND_PICK_UP, strain: SPADES, options });
  assert.equal(cardNames((await decide(request))?.cards as number[]), "9C");
});

test("the maker draws trumps from the top", async () => {
  assert.equal(await played("9C AD QS AS JS", { maker: 0 }), "JS");
});

test("a defender leads an ace and not a trump", async () => {
  assert.equal(await played("9C AD QS", { maker: 1 }), "AD");
});

test("it covers an opponent's card last with the lowest that wins", async () => {
  assert.equal(await played("QH KH AH", { maker: 1, trick: trick("1:TH 2:9H 3:JH") }), "QH");
});

test("it throws its lowest card under a partner who wins", async () => {
  assert.equal(await played("9H KH AH", { maker: 1, trick: trick("1:TH 2:QH 3:JH") }), "9H");
});

test("it trumps an opponent's card with its lowest trump", async () => {
  assert.equal(await played("9D QS AS", { maker: 1, trick: trick("1:TH 2:9H 3:JH") }), "QS");
});

test("it does not lay the highest card of the suit on a partner's that cannot be beaten", async () => {
  assert.equal(await played("9H KH", { maker: 1, trick: trick("2:AH") }), "9H");
});

test("a choice of cards is answered by the worst of them", async () => {
  const variant = describe("bid-us-48-widow");
  const cards = cardNumbers("9D TD 9C AC KS AS JC JS") as DecisionRequest["cards"];
  const request = decisionRequest({
    phase: PhaseKind.PHASE_KIND_WIDOW_DISCARD,
    strain: SPADES,
    cards,
    options: [{ kind: ActionKind.ACTION_KIND_DISCARD, cards: cards.slice(0, 3) }],
    choice: { kind: ActionKind.ACTION_KIND_DISCARD, cards, minimum: 3, maximum: 3 },
  });
  const answer = await decide(request, variant);
  assert.equal(cardNames([...(answer?.cards as number[])].sort((a, b) => a - b)), "9C 9D TD");
});

test("a hand that may be claimed is claimed (RED-4)", async () => {
  const options = [{ kind: ActionKind.ACTION_KIND_NO_CLAIM }, { kind: ActionKind.ACTION_KIND_CLAIM_REDEAL }];
  const request = asked("9C 9D 9H TC TD", { phase: PhaseKind.PHASE_KIND_REDEAL_CLAIM, options });
  assert.equal((await decide(request))?.kind, ActionKind.ACTION_KIND_CLAIM_REDEAL);
});

test("in a misère the declarer ducks and the others get under him", async () => {
  const napoleon = describe("napoleon");
  const bid = { name: 10, number: 0 } as const;
  const under = { maker: 0, bid, trick: trick("1:KH"), strain: SPADES } as const;
  assert.equal(await played("9H QH AH", under, "9H QH AH", napoleon), "QH");
  const holding = { maker: 1, bid, trick: trick("1:KH"), strain: SPADES } as const;
  assert.equal(await played("9H QH AH", holding, "9H QH AH", napoleon), "QH");
});

test("the same question gets the same chance, and another question another", () => {
  const one = playQuestion("9S TS AS");
  assert.equal(bot.chance(one)(), bot.chance(one)());
  assert.notEqual(bot.chance(one)(), bot.chance(playQuestion("9S TS KS"))());
});
