/** What a bot is: a class that answers questions. */
import { createHash } from "node:crypto";

import type { Variant } from "./variant.js";
import {
  type Action,
  type ActionKind,
  type DecisionRequest,
  type Fault,
  type GameEnded,
  type HandEnded,
  PhaseKind,
  type Reply,
  type TableOpened,
} from "./wire.js";

/** The index of an option, or an action spelled out; with a confidence (0 to 1) or a note for the record, if you like. */
export type Answer = number | Action | { choose: number | Action; confidence?: number; note?: string };

/**
 * A bot. Override the methods of the phases that you have an opinion on; the others fall through to `otherwise`,
 * which plays the default of the rules (pass, stay, the lowest card). A method may return a promise.
 */
export class Bot {
  /** Told to the referee, for its logs; EUCHRE_NAME overrides it. */
  name = "bot";
  /** The bot's own version, for the record. */
  version = "";
  /** Games it takes at once; zero: no limit of its own. */
  tables = 0;
  /** Presets it plays; empty: all. */
  variants: readonly string[] = [];
  /** What `chance` depends on: EUCHRE_SEED, or a seed by chance. */
  readonly seed: string = process.env["EUCHRE_SEED"]?.trim() || String(Math.random());

  /** Answers a question. As it stands: calls the method of the phase asked. */
  decide(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    switch (request.phase) {
      case PhaseKind.PHASE_KIND_REDEAL_CLAIM:
        return this.redealClaim(request, variant);
      case PhaseKind.PHASE_KIND_BLIND_NAMING:
        return this.blindNaming(request, variant);
      case PhaseKind.PHASE_KIND_UPCARD_AUCTION:
        return this.upcardAuction(request, variant);
      case PhaseKind.PHASE_KIND_PICK_UP:
        return this.pickUp(request, variant);
      case PhaseKind.PHASE_KIND_GOING_ALONE:
        return this.goingAlone(request, variant);
      case PhaseKind.PHASE_KIND_EXCHANGE:
        return this.exchange(request, variant);
      case PhaseKind.PHASE_KIND_BID_AUCTION:
        return this.bidAuction(request, variant);
      case PhaseKind.PHASE_KIND_STRAIN_CHOICE:
        return this.strainChoice(request, variant);
      case PhaseKind.PHASE_KIND_WIDOW:
        return this.widow(request, variant);
      case PhaseKind.PHASE_KIND_WIDOW_DISCARD:
        return this.widowDiscard(request, variant);
      case PhaseKind.PHASE_KIND_HAND_SWAP:
        return this.handSwap(request, variant);
      case PhaseKind.PHASE_KIND_DEALER_MAKES:
        return this.dealerMakes(request, variant);
      case PhaseKind.PHASE_KIND_KITTY_SWAP:
        return this.kittySwap(request, variant);
      case PhaseKind.PHASE_KIND_DROP_OUT:
        return this.dropOut(request, variant);
      case PhaseKind.PHASE_KIND_ALLY_CALL:
        return this.allyCall(request, variant);
      case PhaseKind.PHASE_KIND_PLAY:
        return this.play(request, variant);
      default:
        return this.otherwise(request, variant);
    }
  }

  /** Answers what no other method does: with the default. */
  otherwise(_request: DecisionRequest, _variant: Variant): Answer | Promise<Answer> {
    return 0;
  }

  /** NO_CLAIM or CLAIM_REDEAL. */
  redealClaim(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** NAME_BLIND by suit, without having seen the hand. */
  blindNaming(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone. */
  upcardAuction(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** LEAVE_UPCARD or TAKE_UPCARD; or DISCARD one card. */
  pickUp(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** NOT_ALONE or ALONE. */
  goingAlone(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** ASK, OFFER, CALL_BEST, SWAP, GIVE and their refusals: cards between a loner and a partner. */
  exchange(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** PASS, or BID. */
  bidAuction(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** CHOOSE a strain. */
  strainChoice(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** LEAVE_WIDOW or TAKE_WIDOW. */
  widow(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** DISCARD as many cards as the widow had. */
  widowDiscard(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** KEEP_HAND or TAKE_HAND. */
  handSwap(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** KEEP_UPCARD or TAKE_AND_SHOW a discard. */
  dealerMakes(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** NO_SWAP or SWAP_KITTY some cards. */
  kittySwap(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** STAY or DROP. */
  dropOut(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** CALL_SUIT or CALL_CARD. */
  allyCall(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** PLAY a card. */
  play(request: DecisionRequest, variant: Variant): Answer | Promise<Answer> {
    return this.otherwise(request, variant);
  }

  /** Hears that a game begins. */
  tableOpened(_notice: TableOpened): void {}

  /** Hears how a hand ended, with all cards revealed. */
  handEnded(_notice: HandEnded): void {}

  /** Hears how a game ended. */
  gameEnded(_notice: GameEnded): void {}

  /** Hears what this bot did wrong. The client has printed it to stderr already. */
  fault(_notice: Fault): void {}

  /**
   * Returns a source of numbers from 0 to 1 (1 excluded) that depends on the seed and on what the seat knows, and on
   * nothing else: the same question gets the same answer, whatever else the bot plays at the same time.
   */
  chance(request: DecisionRequest): () => number {
    const { hand, seat, dealer, phase, history, cards } = request;
    const key = [this.seed, hand, seat, dealer, phase, history.length, ...cards].join(" ");
    let state = createHash("sha256").update(key).digest().readUInt32LE(0);
    return () => {
      // Mulberry32.
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }
}

/** Returns an action that names cards: the answer to a `request.choice`. */
export function withCards(kind: ActionKind, cards: readonly number[]): Action {
  return { kind, cards: cards as Action["cards"] };
}

/** Returns the index of the first option of a kind (that names *card*, if one is given), undefined if there is none. */
export function optionOf(request: DecisionRequest, kind: ActionKind, card?: number): number | undefined {
  const index = request.options.findIndex(
    (option) => option.kind === kind && (card === undefined || option.cards[0] === card),
  );
  return index < 0 ? undefined : index;
}

/** Returns an answer as the reply to *request*; throws a TypeError if it is no answer. */
export function asReply(answer: Answer, request: DecisionRequest): Reply {
  if (typeof answer === "object" && "choose" in answer) {
    const reply = asReply(answer.choose, request);
    if (answer.confidence !== undefined) {
      reply.confidence = answer.confidence;
    }
    if (answer.note !== undefined) {
      reply.note = answer.note;
    }
    return reply;
  }
  if (typeof answer === "number") {
    if (!Number.isInteger(answer) || answer < 0 || answer >= request.options.length) {
      throw new TypeError(`option ${answer} was chosen; there are ${request.options.length}, from 0`);
    }
    return { decisionId: request.decisionId, option: answer };
  }
  if (typeof answer !== "object" || answer === null) {
    throw new TypeError(`${String(answer)} is no answer; return the index of an option, or an action`);
  }
  return { decisionId: request.decisionId, action: answer };
}
