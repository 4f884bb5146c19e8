// What a seat does, by the words of the rulebook; the comments of the wire contract say what each means.
#pragma once

#include "euchre/v1/actions.pb.h"

namespace kit {

inline constexpr auto NO_CLAIM = euchre::v1::ACTION_KIND_NO_CLAIM;
inline constexpr auto CLAIM_REDEAL = euchre::v1::ACTION_KIND_CLAIM_REDEAL;
inline constexpr auto PASS = euchre::v1::ACTION_KIND_PASS;
inline constexpr auto ORDER_UP = euchre::v1::ACTION_KIND_ORDER_UP;
inline constexpr auto ORDER_UP_ALONE = euchre::v1::ACTION_KIND_ORDER_UP_ALONE;
inline constexpr auto TAKE_DOWN_ALONE = euchre::v1::ACTION_KIND_TAKE_DOWN_ALONE;
inline constexpr auto TURN_DOWN = euchre::v1::ACTION_KIND_TURN_DOWN;
inline constexpr auto TAKE_UP = euchre::v1::ACTION_KIND_TAKE_UP;
inline constexpr auto TAKE_UP_ALONE = euchre::v1::ACTION_KIND_TAKE_UP_ALONE;
inline constexpr auto NAME = euchre::v1::ACTION_KIND_NAME;
inline constexpr auto NAME_ALONE = euchre::v1::ACTION_KIND_NAME_ALONE;
inline constexpr auto NAME_BLIND = euchre::v1::ACTION_KIND_NAME_BLIND;
inline constexpr auto LEAVE_UPCARD = euchre::v1::ACTION_KIND_LEAVE_UPCARD;
inline constexpr auto TAKE_UPCARD = euchre::v1::ACTION_KIND_TAKE_UPCARD;
inline constexpr auto DISCARD = euchre::v1::ACTION_KIND_DISCARD;
inline constexpr auto BID = euchre::v1::ACTION_KIND_BID;
inline constexpr auto CHOOSE = euchre::v1::ACTION_KIND_CHOOSE;
inline constexpr auto NOT_ALONE = euchre::v1::ACTION_KIND_NOT_ALONE;
inline constexpr auto ALONE = euchre::v1::ACTION_KIND_ALONE;
inline constexpr auto NO_ASK = euchre::v1::ACTION_KIND_NO_ASK;
inline constexpr auto ASK = euchre::v1::ACTION_KIND_ASK;
inline constexpr auto GIVE = euchre::v1::ACTION_KIND_GIVE;
inline constexpr auto NO_OFFER = euchre::v1::ACTION_KIND_NO_OFFER;
inline constexpr auto OFFER = euchre::v1::ACTION_KIND_OFFER;
inline constexpr auto DECLINE = euchre::v1::ACTION_KIND_DECLINE;
inline constexpr auto ACCEPT = euchre::v1::ACTION_KIND_ACCEPT;
inline constexpr auto NO_CALL = euchre::v1::ACTION_KIND_NO_CALL;
inline constexpr auto CALL_BEST = euchre::v1::ACTION_KIND_CALL_BEST;
inline constexpr auto NO_SWAP = euchre::v1::ACTION_KIND_NO_SWAP;
inline constexpr auto SWAP = euchre::v1::ACTION_KIND_SWAP;
inline constexpr auto LEAVE_WIDOW = euchre::v1::ACTION_KIND_LEAVE_WIDOW;
inline constexpr auto TAKE_WIDOW = euchre::v1::ACTION_KIND_TAKE_WIDOW;
inline constexpr auto KEEP_HAND = euchre::v1::ACTION_KIND_KEEP_HAND;
inline constexpr auto TAKE_HAND = euchre::v1::ACTION_KIND_TAKE_HAND;
inline constexpr auto SWAP_KITTY = euchre::v1::ACTION_KIND_SWAP_KITTY;
inline constexpr auto KEEP_UPCARD = euchre::v1::ACTION_KIND_KEEP_UPCARD;
inline constexpr auto TAKE_AND_SHOW = euchre::v1::ACTION_KIND_TAKE_AND_SHOW;
inline constexpr auto STAY = euchre::v1::ACTION_KIND_STAY;
inline constexpr auto DROP = euchre::v1::ACTION_KIND_DROP;
inline constexpr auto CALL_SUIT = euchre::v1::ACTION_KIND_CALL_SUIT;
inline constexpr auto CALL_CARD = euchre::v1::ACTION_KIND_CALL_CARD;
inline constexpr auto PLAY = euchre::v1::ACTION_KIND_PLAY;

}  // namespace kit
