/**
 * The way to the referee: dial, greet, answer every frame, come back when the line is lost.
 *
 * A frame is read, all its questions are decided, all its replies are written as one frame.
 */
import { type ClientDuplexStream, type ServiceError, status } from "@grpc/grpc-js";
import { setImmediate, setTimeout } from "node:timers/promises";

import { type Answer, type Bot, asReply } from "./bot.js";
import { Variant } from "./variant.js";
import {
  type BotFrame,
  type DecisionRequest,
  type Notice,
  PROTOCOL_VERSION,
  type RefereeFrame,
  type RefereeServiceClient,
  type Reply,
  dial,
  warmUp,
} from "./wire.js";

type Stream = ClientDuplexStream<BotFrame, RefereeFrame>;

const EXIT_DONE = 0;
/** Strict mode: the bot threw. */
const EXIT_BOT_FAILED = 1;
/** The referee will not have this bot, or the environment is incomplete; trying again would not help. */
const EXIT_REFUSED = 2;
/** The referee could not be reached within the grace time. */
const EXIT_LOST = 4;

/** How long to try for the first Welcome, which tells the true grace time. */
const FIRST_GRACE_MILLISECONDS = 10_000;
const FIRST_PAUSE_MILLISECONDS = 100;
const LONGEST_PAUSE_MILLISECONDS = 3_000;
/** Replies do not wait longer than this for others of their frame; so a slow bot's clock is honest. */
const FLUSH_MILLISECONDS = 5;
const DESCRIBE_MILLISECONDS = 10_000;

/** Answers that the same call will get again. */
const FINAL: ReadonlySet<status> = new Set([
  status.FAILED_PRECONDITION,
  status.UNAUTHENTICATED,
  status.INVALID_ARGUMENT,
  status.PERMISSION_DENIED,
  status.UNIMPLEMENTED,
  status.NOT_FOUND,
]);

/** Where to go and as whom. */
export interface Settings {
  /** `unix:/path` or `host:port`. */
  readonly address: string;
  /** Where the bot was told to sit. */
  readonly token: string;
  readonly name: string;
  /** Leave when the bot throws, instead of playing the default. */
  readonly strict: boolean;
}

/** The bot is to leave with this exit code and this line. */
class Finished extends Error {
  constructor(
    readonly code: number,
    line: string,
  ) {
    super(line);
  }
}

/** Returns the settings of EUCHRE_ADDRESS, EUCHRE_TOKEN, EUCHRE_NAME and EUCHRE_STRICT; undefined without an address. */
export function settingsFromEnvironment(bot: Bot, environment = process.env): Settings | undefined {
  const address = environment["EUCHRE_ADDRESS"]?.trim();
  if (!address) {
    return undefined;
  }
  return {
    address,
    token: environment["EUCHRE_TOKEN"] ?? "",
    name: environment["EUCHRE_NAME"] || bot.name,
    strict: !["", "0", undefined].includes(environment["EUCHRE_STRICT"]),
  };
}

/**
 * Plays as *bot* until the referee says goodbye, then exits.
 *
 * Exit codes: 0 done (or SIGTERM), 1 strict and the bot threw, 2 refused, 4 referee lost.
 */
export async function run(bot: Bot): Promise<never> {
  const settings = settingsFromEnvironment(bot);
  if (settings === undefined) {
    say(bot.name, "EUCHRE_ADDRESS is not set; it is the referee's address, unix:/path or host:port (the arena sets it)");
    process.exit(EXIT_REFUSED);
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => process.exit(EXIT_DONE));
  }
  process.exit(await play(bot, settings));
}

/** Plays until goodbye; returns the exit code. */
export async function play(bot: Bot, settings: Settings): Promise<number> {
  warmUp();
  try {
    await new Client(bot, settings).run();
    return EXIT_DONE;
  } catch (error) {
    if (!(error instanceof Finished)) {
      throw error;
    }
    say(settings.name, error.message);
    return error.code;
  }
}

function say(name: string, line: string): void {
  process.stderr.write(`${name}: ${line}\n`);
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && "details" in error;
}

/** A bot and its line to the referee. */
class Client {
  private graceMilliseconds = FIRST_GRACE_MILLISECONDS;
  private wasWelcome = false;
  private readonly variants = new Map<string, Variant>();

  constructor(
    private readonly bot: Bot,
    private readonly settings: Settings,
  ) {}

  /** Plays, and comes back as often as needed, until goodbye. */
  async run(): Promise<void> {
    let lostSince: number | undefined;
    let pause = FIRST_PAUSE_MILLISECONDS;
    for (;;) {
      this.wasWelcome = false;
      const lost = await this.visit();
      if (lost === undefined) {
        return;
      }
      const now = performance.now();
      if (this.wasWelcome || lostSince === undefined) {
        lostSince = now;
        pause = FIRST_PAUSE_MILLISECONDS;
      }
      const wait = pause * (0.5 + Math.random());
      if (now + wait - lostSince > this.graceMilliseconds) {
        throw new Finished(
          EXIT_LOST,
          `the referee at ${this.settings.address} was lost and not found again within ` +
            `${this.graceMilliseconds / 1000} s: ${lost}`,
        );
      }
      await setTimeout(wait);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS);
    }
  }

  /** Is on one stream to its end; returns why it was lost, undefined after goodbye. */
  private async visit(): Promise<string | undefined> {
    const client = dial(this.settings.address);
    try {
      return (await this.converse(client)) ? undefined : "the stream ended without a goodbye";
    } catch (error) {
      if (!isServiceError(error)) {
        throw error;
      }
      const what = `${error.details.trim() || "no details"} (${status[error.code]})`;
      if (FINAL.has(error.code)) {
        throw new Finished(EXIT_REFUSED, `refused by the referee: ${what}`);
      }
      return what;
    } finally {
      client.close();
    }
  }

  /** Speaks on one stream; tells whether it ended with goodbye. Throws a ServiceError when it is lost or refused. */
  private async converse(client: RefereeServiceClient): Promise<boolean> {
    const { bot, settings } = this;
    const stream: Stream = client.Play();
    stream.write({
      hello: {
        protocolVersion: PROTOCOL_VERSION,
        name: settings.name,
        token: settings.token,
        variants: [...bot.variants],
        tables: bot.tables,
        version: bot.version,
      },
    });
    let hasGoodbye = false;
    // After goodbye the loop goes on until the referee, having seen that this side is closed, ends the stream.
    for await (const frame of stream as AsyncIterable<RefereeFrame>) {
      if (frame.welcome) {
        this.wasWelcome = true;
        this.graceMilliseconds = frame.welcome.graceMilliseconds || this.graceMilliseconds;
      }
      for (const notice of frame.notices) {
        await this.hear(client, notice);
      }
      await this.answer(client, stream, frame);
      if (frame.goodbye && !hasGoodbye) {
        hasGoodbye = true;
        stream.end();
      }
    }
    return hasGoodbye;
  }

  /** Writes one frame with the replies to all questions, or several if the bot thinks long. */
  private async answer(client: RefereeServiceClient, stream: Stream, frame: RefereeFrame): Promise<void> {
    if (frame.ping) {
      stream.write({ pong: frame.ping });
    }
    let replies: Reply[] = [];
    let begun = performance.now();
    for (const request of frame.requests) {
      let variant = this.variants.get(request.variant);
      if (variant === undefined) {
        variant = await this.describe(client, request.variant);
        begun = performance.now();
      }
      replies.push(await this.decide(request, variant));
      if (performance.now() - begun > FLUSH_MILLISECONDS) {
        stream.write({ replies });
        replies = [];
        await setImmediate(); // only now the reply leaves
        begun = performance.now();
      }
    }
    if (replies.length > 0) {
      stream.write({ replies });
    }
  }

  /** Returns the bot's answer; if it throws, says so and plays the default (or leaves, when strict). */
  private async decide(request: DecisionRequest, variant: Variant): Promise<Reply> {
    try {
      const answer: Answer | Promise<Answer> = this.bot.decide(request, variant);
      return asReply(answer instanceof Promise ? await answer : answer, request);
    } catch (error) {
      console.error(error);
      const where =
        `the bot threw (above) at hand ${request.hand} seat ${request.seat} of ${request.variant}, ` +
        `decision ${request.decisionId}`;
      if (this.settings.strict) {
        throw new Finished(EXIT_BOT_FAILED, `${where}; leaving, because strict`);
      }
      say(this.settings.name, `${where}; played option 0 instead`);
      return { decisionId: request.decisionId, option: 0 };
    }
  }

  /** Asks for a variant once, and keeps it. */
  private async describe(client: RefereeServiceClient, text: string): Promise<Variant> {
    const deadline = Date.now() + DESCRIBE_MILLISECONDS;
    const variant = await new Promise<Variant>((resolve, reject) => {
      client.DescribeVariant({ variant: text }, { deadline }, (error, response) => {
        if (error) {
          reject(error);
        } else if (response?.variant) {
          resolve(new Variant(response.variant));
        } else {
          reject(new Error(`the referee's description of ${text} is empty`));
        }
      });
    });
    this.variants.set(text, variant);
    return variant;
  }

  private async hear(client: RefereeServiceClient, notice: Notice): Promise<void> {
    if (notice.tableOpened && !this.variants.has(notice.tableOpened.variant)) {
      await this.describe(client, notice.tableOpened.variant); // before the first clock runs
    }
    if (notice.fault) {
      say(this.settings.name, `fault at table ${notice.fault.tableId}: ${notice.fault.message}`);
    }
    try {
      if (notice.tableOpened) {
        this.bot.tableOpened(notice.tableOpened);
      } else if (notice.handEnded) {
        this.bot.handEnded(notice.handEnded);
      } else if (notice.gameEnded) {
        this.bot.gameEnded(notice.gameEnded);
      } else if (notice.fault) {
        this.bot.fault(notice.fault);
      }
    } catch (error) {
      console.error(error);
      if (this.settings.strict) {
        throw new Finished(EXIT_BOT_FAILED, "a notice method threw (above); leaving, because strict");
      }
    }
  }
}
