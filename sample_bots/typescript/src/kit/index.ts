/**
 * The kit a Euchre bot is written with.
 *
 * A bot is a class with a method for every kind of question:
 *
 *     class LastCard extends Bot {
 *       override name = "last-card";
 *       override play(request: DecisionRequest): Answer {
 *         return request.options.length - 1;
 *       }
 *     }
 *
 *     await run(new LastCard());
 *
 * Cards, suits, strains and seats are the numbers of the wire everywhere: no conversion, no surprise.
 */
export { type Answer, Bot, asReply, optionOf, withCards } from "./bot.js";
export * from "./cards.js";
export { type Settings, play, run, settingsFromEnvironment } from "./client.js";
export { playQuestion, plays, trick } from "./question.js";
export { Order, type Rung, TRUMP, Variant } from "./variant.js";
export * from "./wire.js";
