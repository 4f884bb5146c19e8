/**
 * The wire contract (euchre.v1): its messages as types, and the service.
 *
 * The types come from the proto files when the project is built (scripts/generate.mjs). Cards, suits, strains,
 * phases and kinds of action are numbers; 64-bit numbers are text, so that none is rounded.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { type ChannelOptions, credentials, loadPackageDefinition } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

import * as kinds from "../generated/euchre/v1/ActionKind.js";
import type { ActionKind__Output } from "../generated/euchre/v1/ActionKind.js";
import * as alliances from "../generated/euchre/v1/Alliance.js";
import type { Alliance__Output } from "../generated/euchre/v1/Alliance.js";
import * as bidNames from "../generated/euchre/v1/BidName.js";
import type { BidName__Output } from "../generated/euchre/v1/BidName.js";
import * as phaseKinds from "../generated/euchre/v1/PhaseKind.js";
import type { PhaseKind__Output } from "../generated/euchre/v1/PhaseKind.js";
import type {
  DecisionRequest as DecisionRequestInput,
  DecisionRequest__Output,
} from "../generated/euchre/v1/DecisionRequest.js";
import type { RefereeFrame__Output } from "../generated/euchre/v1/RefereeFrame.js";
import type { RefereeServiceClient } from "../generated/euchre/v1/RefereeService.js";
import type { Variant__Output } from "../generated/euchre/v1/Variant.js";
import type { ProtoGrpcType } from "../generated/referee.js";

export type { Action } from "../generated/euchre/v1/Action.js";
export type { Action__Output as SeenAction } from "../generated/euchre/v1/Action.js";
export type { Bid__Output as Bid } from "../generated/euchre/v1/Bid.js";
export type { BidRung__Output as BidRung } from "../generated/euchre/v1/BidRung.js";
export type { BotFrame } from "../generated/euchre/v1/BotFrame.js";
export type { CardChoice__Output as CardChoice } from "../generated/euchre/v1/CardChoice.js";
export type DecisionRequest = DecisionRequest__Output;
/** A question to be made, with any of its members. */
export type NewRequest = DecisionRequestInput;
export type { Event__Output as Event } from "../generated/euchre/v1/Event.js";
export type { Fault__Output as Fault } from "../generated/euchre/v1/Fault.js";
export type { GameEnded__Output as GameEnded } from "../generated/euchre/v1/GameEnded.js";
export type { HandEnded__Output as HandEnded } from "../generated/euchre/v1/HandEnded.js";
export type { Notice__Output as Notice } from "../generated/euchre/v1/Notice.js";
export type RefereeFrame = RefereeFrame__Output;
export type { RefereeServiceClient } from "../generated/euchre/v1/RefereeService.js";
export type { Reply } from "../generated/euchre/v1/Reply.js";
export type { TableOpened__Output as TableOpened } from "../generated/euchre/v1/TableOpened.js";
export type { TrickCard__Output as TrickCard } from "../generated/euchre/v1/TrickCard.js";
export type VariantMessage = Variant__Output;
export type { Welcome__Output as Welcome } from "../generated/euchre/v1/Welcome.js";
// As types, the numbers alone: what a program reads and writes. The wire also takes their names.
export const ActionKind = kinds.ActionKind;
export type ActionKind = ActionKind__Output;
export const Alliance = alliances.Alliance;
export type Alliance = Alliance__Output;
export const BidName = bidNames.BidName;
export type BidName = BidName__Output;
export const PhaseKind = phaseKinds.PhaseKind;
export type PhaseKind = PhaseKind__Output;

/** The version of the contract that this kit speaks. */
export const PROTOCOL_VERSION = 1;

/** Where the build puts the proto files: beside the compiled code. */
const CONTRACT = join(dirname(fileURLToPath(import.meta.url)), "..", "proto");

const definition = loadSync("euchre/v1/referee.proto", {
  includeDirs: [CONTRACT],
  // The same choices as in scripts/generate.mjs, where the types are made.
  longs: String,
  defaults: true,
  oneofs: true,
});
const contract = loadPackageDefinition(definition) as unknown as ProtoGrpcType;

/** The referee's service, for tests that play the referee. */
export const refereeService = contract.euchre.v1.RefereeService.service;

/** HTTP/2 pings find a line that died silently; every attempt has a fresh connection. */
const CHANNEL_OPTIONS: ChannelOptions = {
  "grpc.keepalive_time_ms": 20_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.max_receive_message_length": 64 * 1024 * 1024,
  "grpc.enable_http_proxy": 0,
  "grpc.use_local_subchannel_pool": 1,
  // The description of the service comes from no resolver of names.
  "grpc.service_config_disable_resolution": 1,
};

/** Returns a client of the referee at *address*: `unix:/path` or `host:port`. */
export function dial(address: string): RefereeServiceClient {
  return new contract.euchre.v1.RefereeService(address, credentials.createInsecure(), CHANNEL_OPTIONS);
}

/** Returns a description in the JSON form of protobuf (tests/vectors/variants) as the message that it stands for. */
export function variantFromJson(json: object): VariantMessage {
  const { responseSerialize, responseDeserialize } = refereeService.DescribeVariant;
  const { variant } = responseDeserialize(responseSerialize({ variant: json as Variant__Output }));
  if (!variant) {
    throw new Error("no description");
  }
  return variant;
}

/** Returns a question with these members, and everything else as it is when left out on the wire. */
export function decisionRequest(members: NewRequest): DecisionRequest {
  const { responseSerialize, responseDeserialize } = refereeService.Play;
  const [request] = responseDeserialize(responseSerialize({ requests: [members] })).requests;
  if (request === undefined) {
    throw new Error("no question");
  }
  return request;
}

/**
 * Reads and writes every message once. What does so is compiled when a message is first met, which takes about a tenth
 * of a second in all: better before Hello than on the clock of the first decision.
 */
export function warmUp(): void {
  const { Play, DescribeVariant } = refereeService;
  const action = { kind: ActionKind.ACTION_KIND_BID, cards: [1], bid: {} } as const;
  const history = [{ action }];
  const frame = {
    welcome: {},
    notices: [{ tableOpened: {} }, { handEnded: { dealt: [{}], history } }, { gameEnded: {} }, { fault: { instead: {} } }],
    requests: [{ bid: {}, trick: [{}], history, options: [action], choice: {} }],
    ping: {},
    goodbye: {},
  };
  // What is left out stands for its default, which the types of messages that were read do not allow for.
  Play.responseDeserialize(Play.responseSerialize(frame as unknown as RefereeFrame__Output));
  const reply = { hello: {}, replies: [{ action }], pong: {} };
  Play.requestSerialize(reply as unknown as Parameters<typeof Play.requestSerialize>[0]);
  DescribeVariant.requestSerialize({ variant: "" });
  const variant = {
    sides: [{}],
    deck: [{}],
    orders: [{ suits: [{}] }],
    bids: [{ bid: {} }],
    options: [{}],
    fiveTrick: {},
  };
  DescribeVariant.responseDeserialize(DescribeVariant.responseSerialize({ variant: variant as unknown as Variant__Output }));
}
