/** The rule vectors of the arena that concern the cards of a trick, read from their language-neutral form. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { Variant, cardName, cardNames, cardNumbers, strainNumber, trick, variantFromJson } from "../kit/index.js";

const FOLDER = fileURLToPath(new URL("../../../../tests/vectors", import.meta.url));

interface LawfulCase {
  readonly kind: "lawful";
  readonly variant: string;
  readonly strain?: string;
  readonly led?: string;
  readonly hand: string;
  readonly lawful?: string;
  readonly default?: string;
}

interface TrickCase {
  readonly kind: "trick";
  readonly variant: string;
  readonly strain?: string;
  readonly trick: string;
  readonly winner: number;
}

interface OrderCase {
  readonly kind: "order";
  readonly variant: string;
  readonly strain?: string;
  readonly cards: string;
  readonly up: string;
}

type Case = LawfulCase | TrickCase | OrderCase;

/** The members each kind may have; one that this reader does not know holds an expectation that would be lost. */
const MEMBERS: Readonly<Record<Case["kind"], readonly string[]>> = {
  lawful: ["kind", "variant", "strain", "led", "hand", "lawful", "default", "note"],
  trick: ["kind", "variant", "strain", "trick", "winner", "note"],
  order: ["kind", "variant", "strain", "cards", "up", "note"],
};

const variants = new Map<string, Variant>();

function describe(text: string): Variant {
  let variant = variants.get(text);
  if (variant === undefined) {
    variant = new Variant(variantFromJson(JSON.parse(readFileSync(join(FOLDER, "variants", `${text}.json`), "utf8"))));
    variants.set(text, variant);
  }
  return variant;
}

function check(vector: Case): void {
  const variant = describe(vector.variant);
  const order = variant.order(vector.strain === undefined ? 0 : strainNumber(vector.strain));
  switch (vector.kind) {
    case "lawful": {
      const [led] = cardNumbers(vector.led ?? "");
      const lawful = order.lowToHigh(order.lawful(cardNumbers(vector.hand), led ?? 0));
      if (vector.lawful !== undefined) {
        assert.equal(cardNames(lawful), cardNames(order.lowToHigh(cardNumbers(vector.lawful))));
      }
      if (vector.default !== undefined) {
        assert.equal(cardName(lawful[0] ?? 0), vector.default);
      }
      break;
    }
    case "trick":
      assert.equal(order.winner(trick(vector.trick))?.seat, vector.winner);
      break;
    case "order":
      assert.equal(cardNames(order.lowToHigh(cardNumbers(vector.cards))), vector.up);
      break;
  }
}

const counts = { lawful: 0, trick: 0, order: 0 };
for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".json"))) {
  const { format, vectors } = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
  assert.equal(format, 1, `${file} has a format that this reader does not know`);
  for (const { id, rules, cases } of vectors) {
    (cases as Case[]).forEach((vector, number) => {
      const members = MEMBERS[vector.kind];
      if (members === undefined) {
        return; // a kind that needs the rules of a whole hand
      }
      counts[vector.kind] += 1;
      test(`${id} case ${number + 1}: ${vector.kind} in ${vector.variant} (${rules.join(", ")})`, () => {
        assert.deepEqual(
          Object.keys(vector).filter((member) => !members.includes(member)),
          [],
          "members that this reader does not know",
        );
        check(vector);
      });
    });
  }
}

test("there are vectors of every kind this reader knows", () => {
  assert.ok(counts.lawful >= 19 && counts.trick >= 24 && counts.order >= 3, JSON.stringify(counts));
});

const presets = readdirSync(join(FOLDER, "variants")).map((name) => name.replace(/\.json$/, ""));
for (const preset of presets) {
  test(`${preset}: every card of the deck has one suit and one height under every strain`, () => {
    const variant = describe(preset);
    assert.ok(variant.deckSize >= variant.seats * variant.handSize);
    for (const strain of variant.strains) {
      const order = variant.order(strain);
      for (const card of variant.copies.keys()) {
        const places = [1, 2, 3, 4].flatMap((suit) => order.cardsOf(suit)).filter((other) => other === card);
        assert.deepEqual(places, [card], `${cardName(card)} in strain ${strain}`);
        assert.ok(order.cardsOf(order.suit(card)).includes(card) && order.rank(card) > 0);
      }
    }
  });
}
