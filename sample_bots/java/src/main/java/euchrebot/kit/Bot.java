package euchrebot.kit;

import euchre.v1.Play.Notice;

/**
 * Answers questions, one method for each kind. Override those you have an opinion on: each answers with the default of
 * the rules (pass, stay, the lowest card) if you do not.
 *
 * <p>The methods are called one after the other by one thread.
 */
public interface Bot {
    /** NO_CLAIM or CLAIM_REDEAL. */
    default Answer redealClaim(Question question) {
        return Answer.option(0);
    }

    /** NAME_BLIND by suit, without having seen the hand. */
    default Answer blindNaming(Question question) {
        return Answer.option(0);
    }

    /** PASS, ORDER_UP, TAKE_UP, TURN_DOWN, NAME, and their forms alone. */
    default Answer upcardAuction(Question question) {
        return Answer.option(0);
    }

    /** LEAVE_UPCARD or TAKE_UPCARD; or DISCARD one card. */
    default Answer pickUp(Question question) {
        return Answer.option(0);
    }

    /** NOT_ALONE or ALONE. */
    default Answer goingAlone(Question question) {
        return Answer.option(0);
    }

    /** ASK, OFFER, CALL_BEST, SWAP, GIVE and their refusals. */
    default Answer exchange(Question question) {
        return Answer.option(0);
    }

    /** PASS, or BID. */
    default Answer bidAuction(Question question) {
        return Answer.option(0);
    }

    /** CHOOSE a strain. */
    default Answer strainChoice(Question question) {
        return Answer.option(0);
    }

    /** LEAVE_WIDOW or TAKE_WIDOW. */
    default Answer widow(Question question) {
        return Answer.option(0);
    }

    /** DISCARD as many cards as the widow had. */
    default Answer widowDiscard(Question question) {
        return Answer.option(0);
    }

    /** KEEP_HAND or TAKE_HAND. */
    default Answer handSwap(Question question) {
        return Answer.option(0);
    }

    /** KEEP_UPCARD or TAKE_AND_SHOW a discard. */
    default Answer dealerMakes(Question question) {
        return Answer.option(0);
    }

    /** NO_SWAP or SWAP_KITTY some cards. */
    default Answer kittySwap(Question question) {
        return Answer.option(0);
    }

    /** STAY or DROP. */
    default Answer dropOut(Question question) {
        return Answer.option(0);
    }

    /** CALL_SUIT or CALL_CARD. */
    default Answer allyCall(Question question) {
        return Answer.option(0);
    }

    /** PLAY a card. */
    default Answer play(Question question) {
        return Answer.option(0);
    }

    /** Is told what happens (tables that open, hands and games that end, faults), between questions. */
    default void notice(Notice notice) {}

    /** Returns the answer of the method for the phase asked; the default in a phase this kit does not know. */
    default Answer decide(Question question) {
        return switch (question.phase()) {
            case PHASE_KIND_REDEAL_CLAIM -> redealClaim(question);
            case PHASE_KIND_BLIND_NAMING -> blindNaming(question);
            case PHASE_KIND_UPCARD_AUCTION -> upcardAuction(question);
            case PHASE_KIND_PICK_UP -> pickUp(question);
            case PHASE_KIND_GOING_ALONE -> goingAlone(question);
            case PHASE_KIND_EXCHANGE -> exchange(question);
            case PHASE_KIND_BID_AUCTION -> bidAuction(question);
            case PHASE_KIND_STRAIN_CHOICE -> strainChoice(question);
            case PHASE_KIND_WIDOW -> widow(question);
            case PHASE_KIND_WIDOW_DISCARD -> widowDiscard(question);
            case PHASE_KIND_HAND_SWAP -> handSwap(question);
            case PHASE_KIND_DEALER_MAKES -> dealerMakes(question);
            case PHASE_KIND_KITTY_SWAP -> kittySwap(question);
            case PHASE_KIND_DROP_OUT -> dropOut(question);
            case PHASE_KIND_ALLY_CALL -> allyCall(question);
            case PHASE_KIND_PLAY -> play(question);
            default -> Answer.option(0);
        };
    }
}
