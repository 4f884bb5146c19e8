package kit

import pb "euchrebot/euchrev1"

// What a seat does, by short names; the comments of the wire contract say what each means.
const (
	NoClaim       = pb.ActionKind_ACTION_KIND_NO_CLAIM
	ClaimRedeal   = pb.ActionKind_ACTION_KIND_CLAIM_REDEAL
	Pass          = pb.ActionKind_ACTION_KIND_PASS
	OrderUp       = pb.ActionKind_ACTION_KIND_ORDER_UP
	OrderUpAlone  = pb.ActionKind_ACTION_KIND_ORDER_UP_ALONE
	TakeDownAlone = pb.ActionKind_ACTION_KIND_TAKE_DOWN_ALONE
	TurnDown      = pb.ActionKind_ACTION_KIND_TURN_DOWN
	TakeUp        = pb.ActionKind_ACTION_KIND_TAKE_UP
	TakeUpAlone   = pb.ActionKind_ACTION_KIND_TAKE_UP_ALONE
	Name          = pb.ActionKind_ACTION_KIND_NAME
	NameAlone     = pb.ActionKind_ACTION_KIND_NAME_ALONE
	NameBlind     = pb.ActionKind_ACTION_KIND_NAME_BLIND
	LeaveUpcard   = pb.ActionKind_ACTION_KIND_LEAVE_UPCARD
	TakeUpcard    = pb.ActionKind_ACTION_KIND_TAKE_UPCARD
	Discard       = pb.ActionKind_ACTION_KIND_DISCARD
	Bid           = pb.ActionKind_ACTION_KIND_BID
	Choose        = pb.ActionKind_ACTION_KIND_CHOOSE
	NotAlone      = pb.ActionKind_ACTION_KIND_NOT_ALONE
	Alone         = pb.ActionKind_ACTION_KIND_ALONE
	NoAsk         = pb.ActionKind_ACTION_KIND_NO_ASK
	Ask           = pb.ActionKind_ACTION_KIND_ASK
	Give          = pb.ActionKind_ACTION_KIND_GIVE
	NoOffer       = pb.ActionKind_ACTION_KIND_NO_OFFER
	Offer         = pb.ActionKind_ACTION_KIND_OFFER
	Decline       = pb.ActionKind_ACTION_KIND_DECLINE
	Accept        = pb.ActionKind_ACTION_KIND_ACCEPT
	NoCall        = pb.ActionKind_ACTION_KIND_NO_CALL
	CallBest      = pb.ActionKind_ACTION_KIND_CALL_BEST
	NoSwap        = pb.ActionKind_ACTION_KIND_NO_SWAP
	Swap          = pb.ActionKind_ACTION_KIND_SWAP
	LeaveWidow    = pb.ActionKind_ACTION_KIND_LEAVE_WIDOW
	TakeWidow     = pb.ActionKind_ACTION_KIND_TAKE_WIDOW
	KeepHand      = pb.ActionKind_ACTION_KIND_KEEP_HAND
	TakeHand      = pb.ActionKind_ACTION_KIND_TAKE_HAND
	SwapKitty     = pb.ActionKind_ACTION_KIND_SWAP_KITTY
	KeepUpcard    = pb.ActionKind_ACTION_KIND_KEEP_UPCARD
	TakeAndShow   = pb.ActionKind_ACTION_KIND_TAKE_AND_SHOW
	Stay          = pb.ActionKind_ACTION_KIND_STAY
	Drop          = pb.ActionKind_ACTION_KIND_DROP
	CallSuit      = pb.ActionKind_ACTION_KIND_CALL_SUIT
	CallCard      = pb.ActionKind_ACTION_KIND_CALL_CARD
	Play          = pb.ActionKind_ACTION_KIND_PLAY
)
