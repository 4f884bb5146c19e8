/** A Euchre bot. Fill in the methods below; what you leave out plays the default of the rules. */
import { type Answer, ActionKind, Bot, type DecisionRequest, type Variant, optionOf, suitOf, withCards } from "../kit/index.js";

/** It has a method for each kind of question; `Bot` in kit/bot.ts lists them all, with what can be answered. */
export class TemplateBot extends Bot {
  override name = "template-bot";
  override version = "0.1.0";

  /**
   * PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone.
   *
   * As an example: it accepts the upcard's suit with three trumps, counted as if it were trump.
   */
  override upcardAuction(request: DecisionRequest, variant: Variant): Answer {
    const order = variant.order(suitOf(request.upcard));
    const trumps = request.cards.filter((card) => order.isTrump(card));
    if (trumps.length < 3) {
      return 0;
    }
    return (
      optionOf(request, ActionKind.ACTION_KIND_ORDER_UP) ?? optionOf(request, ActionKind.ACTION_KIND_TAKE_UP) ?? 0
    );
  }

  /** PASS or BID; `variant.rung` tells what a bid undertakes. */
  override bidAuction(_request: DecisionRequest, _variant: Variant): Answer {
    return 0;
  }

  /** TAKE_UPCARD or LEAVE_UPCARD, or DISCARD of one card. */
  override pickUp(_request: DecisionRequest, _variant: Variant): Answer {
    return 0;
  }

  /** A choice of cards: any `choice.minimum` of `choice.cards`, here the lowest. */
  override widowDiscard({ choice }: DecisionRequest, _variant: Variant): Answer {
    return choice ? withCards(choice.kind, choice.cards.slice(0, choice.minimum)) : 0;
  }

  /**
   * PLAY with a card. Options are the lawful cards, the lowest first.
   *
   * As an example: it leads its highest card, and otherwise plays the lowest.
   */
  override play(request: DecisionRequest, _variant: Variant): Answer {
    return request.trick.length === 0 ? request.options.length - 1 : 0;
  }

  /** Everything else: the default, option 0. */
  override otherwise(_request: DecisionRequest, _variant: Variant): Answer {
    return 0;
  }
}
