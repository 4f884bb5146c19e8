import assert from "node:assert/strict";
import { test } from "node:test";

import { Variant, playQuestion, trick, variantFromJson } from "../kit/index.js";
import { TemplateBot } from "../template/bot.js";

const fourSeats = new Variant(variantFromJson({ seats: 4 }));

// A question can be written down by hand: the options are the cards, the lowest first.
test("it leads its highest card", async () => {
  assert.equal(await new TemplateBot().decide(playQuestion("9S TS AS"), fourSeats), 2);
});

test("it follows with its lowest card", async () => {
  const question = playQuestion("9S TS AS", { trick: trick("1:KS") });
  assert.equal(await new TemplateBot().decide(question, fourSeats), 0);
});
