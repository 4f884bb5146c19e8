/** Questions written down by hand, to try a bot without a referee. */
import { cardNumber, cardNumbers } from "./cards.js";
import { type Action, ActionKind, type DecisionRequest, type NewRequest, PhaseKind, decisionRequest } from "./wire.js";

/** Returns the options "PLAY a card", for the cards of names separated by blanks. */
export function plays(names: string): Action[] {
  return cardNumbers(names).map((card) => ({ kind: ActionKind.ACTION_KIND_PLAY, cards: [card] }) as Action);
}

/** Returns a trick from a text such as "1:AC 2:JS": seat and card, in the order played. */
export function trick(text: string): DecisionRequest["trick"] {
  return text
    .split(" ")
    .filter(Boolean)
    .map((played) => {
      const [seat, card] = played.split(":");
      return { seat: Number(seat), card: cardNumber(card ?? "") } as DecisionRequest["trick"][number];
    });
}

/** Returns the question which card of a hand to play; all are lawful unless `members.options` says otherwise. */
export function playQuestion(hand: string, members: NewRequest = {}): DecisionRequest {
  return decisionRequest({
    phase: PhaseKind.PHASE_KIND_PLAY,
    cards: cardNumbers(hand) as DecisionRequest["cards"],
    options: plays(hand),
    ...members,
  });
}
