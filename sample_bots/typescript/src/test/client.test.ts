/** The bot as a process of its own, against a referee in this process that speaks real gRPC over a unix socket. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Server, ServerCredentials, type ServerDuplexStream, status } from "@grpc/grpc-js";

import type { BotFrame__Output } from "../generated/euchre/v1/BotFrame.js";
import type { RefereeFrame } from "../generated/euchre/v1/RefereeFrame.js";
import type { Reply__Output } from "../generated/euchre/v1/Reply.js";
import { type NewRequest, PhaseKind, plays, refereeService, variantFromJson } from "../kit/index.js";

/** A test that waits longer has found that something does not come. */
const LIMIT = { timeout: 120_000 };

const BOT = fileURLToPath(new URL("../heuristic.js", import.meta.url));
const STANDARD = fileURLToPath(new URL("../../../../tests/vectors/variants/standard.json", import.meta.url));

type Stream = ServerDuplexStream<BotFrame__Output, RefereeFrame>;

/** One stream of the bot: its frames in the order they came. */
class Line {
  private readonly frames: (BotFrame__Output | "end")[] = [];
  private wake: () => void = () => {};

  constructor(private readonly stream: Stream) {
    const hear = (what: BotFrame__Output | "end"): void => {
      this.frames.push(what);
      this.wake();
    };
    stream.on("data", hear);
    stream.on("end", () => hear("end"));
  }

  private async next(): Promise<BotFrame__Output | "end"> {
    for (;;) {
      const [frame] = this.frames.splice(0, 1);
      if (frame !== undefined) {
        return frame;
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  async read(): Promise<BotFrame__Output> {
    const frame = await this.next();
    assert.ok(frame !== "end", "the bot closed its side");
    return frame;
  }

  /** Returns once the bot has closed its side. */
  async readEnd(): Promise<void> {
    assert.equal(await this.next(), "end");
  }

  write(frame: RefereeFrame): void {
    this.stream.write(frame);
  }

  end(): void {
    this.stream.end();
  }

  fail(code: status, details: string): void {
    this.stream.emit("error", { code, details });
  }

  /** Greets the bot; returns its Hello. */
  async greet(graceMilliseconds = 5000): Promise<NonNullable<BotFrame__Output["hello"]>> {
    const { hello } = await this.read();
    assert.ok(hello);
    this.write({ welcome: { protocolVersion: 1, tables: 64, graceMilliseconds, strikes: 3 } });
    return hello;
  }

  /** Sends the bot away. */
  async dismiss(): Promise<void> {
    this.write({ goodbye: { reason: "done" } });
    await this.readEnd();
    this.end();
  }
}

/** A referee that a test speaks for. */
class Referee {
  private readonly folder = mkdtempSync(join(tmpdir(), "euchre-"));
  private readonly server = new Server();
  private readonly arrived: Line[] = [];
  private wake: () => void = () => {};
  calls = 0;
  descriptions = 0;

  constructor(private readonly refusal?: status) {
    const standard = variantFromJson(JSON.parse(readFileSync(STANDARD, "utf8")));
    this.server.addService(refereeService, {
      Play: (stream: Stream) => {
        this.calls += 1;
        if (this.refusal !== undefined) {
          stream.emit("error", { code: this.refusal, details: "not you" });
          return;
        }
        this.arrived.push(new Line(stream));
        this.wake();
      },
      DescribeVariant: (_call: unknown, respond: (error: null, response: object) => void) => {
        this.descriptions += 1;
        respond(null, { variant: standard });
      },
    });
  }

  get address(): string {
    return `unix:${join(this.folder, "referee.sock")}`;
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.server.bindAsync(this.address, ServerCredentials.createInsecure(), (error) =>
        error ? reject(error) : resolve(),
      );
    });
    opened.push(this);
    return this;
  }

  /** Returns the next stream of the bot. */
  async line(): Promise<Line> {
    while (this.arrived.length === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const [line] = this.arrived.splice(0, 1);
    assert.ok(line);
    return line;
  }

  close(): void {
    this.server.forceShutdown();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The bot's process, and what it says. */
class Process {
  readonly child: ChildProcess;
  stderr = "";

  constructor(environment: Record<string, string>) {
    this.child = spawn(process.execPath, [BOT], {
      env: { PATH: process.env["PATH"], ...environment },
      stdio: ["ignore", "inherit", "pipe"],
    });
    started.push(this.child);
    this.child.stderr?.on("data", (text: Buffer) => {
      this.stderr += text.toString();
    });
  }

  /** Returns the exit code, once it has ended. */
  async end(): Promise<number | null> {
    const [code] = (await once(this.child, "close")) as [number | null];
    return code;
  }
}

const opened: Referee[] = [];
const started: ChildProcess[] = [];
after(() => {
  started.forEach((child) => child.kill("SIGKILL"));
  opened.forEach((referee) => referee.close());
});

function start(referee: Referee, environment: Record<string, string> = {}): Process {
  return new Process({ EUCHRE_ADDRESS: referee.address, EUCHRE_TOKEN: "seat 3", ...environment });
}

function request(decisionId: string, members: NewRequest = {}): NewRequest {
  const phase = PhaseKind.PHASE_KIND_PLAY;
  return { decisionId, variant: "standard", phase, strain: 1, options: plays("9S"), ...members };
}

test("Hello says who it is, a batch is answered in one frame, a ping by a pong, goodbye by leaving", LIMIT, async () => {
  const referee = await new Referee().open();
  const bot = start(referee, { EUCHRE_NAME: "four" });
  const ended = bot.end();
  const line = await referee.line();
  const hello = await line.greet();
  assert.deepEqual([hello.protocolVersion, hello.name, hello.token], [1, "four", "seat 3"]);

  line.write({ ping: { nonce: "9007199254741009" } });
  assert.equal((await line.read()).pong?.nonce, "9007199254741009");

  const ids = ["1", "18446744073709551615", "3"];
  let replies: Reply__Output[] = [];
  let frames = 0;
  // The first decisions are slow, and so is a busy machine; what is slow is not held back. Not every time.
  for (let attempt = 0; attempt < 1000 && frames !== 1; attempt += 1) {
    line.write({ requests: ids.map((id) => request(id)) });
    replies = [];
    for (frames = 0; replies.length < ids.length; frames += 1) {
      replies.push(...(await line.read()).replies);
    }
  }
  assert.equal(frames, 1, "never in one frame");
  assert.deepEqual(
    replies.map(({ decisionId, choice, option }) => [decisionId, choice, option]),
    ids.map((id) => [id, "option", 0]),
  );
  assert.equal(referee.descriptions, 1);

  await line.dismiss();
  assert.equal(await ended, 0);
  assert.equal(bot.stderr, "");
});

test("a lost stream is sought again, and what was open is answered when it is sent again", LIMIT, async () => {
  const referee = await new Referee().open();
  const ended = start(referee).end();
  for (const code of [status.UNAVAILABLE, status.RESOURCE_EXHAUSTED]) {
    const line = await referee.line();
    await line.greet();
    line.fail(code, "try again");
  }
  const line = await referee.line();
  await line.greet();
  line.write({ requests: [request("7")] });
  assert.equal((await line.read()).replies[0]?.decisionId, "7");
  await line.dismiss();
  assert.equal(await ended, 0);
});

test("a referee that is gone for longer than its grace time is given up with exit code 4", LIMIT, async () => {
  const referee = await new Referee().open();
  const bot = start(referee);
  const ended = bot.end();
  const line = await referee.line();
  await line.greet(300);
  line.write({ ping: { nonce: "1" } });
  await line.read(); // so the Welcome has arrived
  referee.close();
  assert.equal(await ended, 4);
  assert.match(bot.stderr, /was lost and not found again within 0.3 s/);
});

for (const code of [status.FAILED_PRECONDITION, status.UNAUTHENTICATED, status.INVALID_ARGUMENT]) {
  test(`${status[code]} is final: one line, exit code 2, no second call`, LIMIT, async () => {
    const referee = await new Referee(code).open();
    const bot = start(referee);
    assert.equal(await bot.end(), 2);
    assert.equal(bot.stderr, `typescript-heuristic: refused by the referee: not you (${status[code]})\n`);
    assert.equal(referee.calls, 1);
  });
}

test("without an address there is one line and exit code 2", LIMIT, async () => {
  const bot = new Process({});
  assert.equal(await bot.end(), 2);
  assert.match(bot.stderr, /^typescript-heuristic: EUCHRE_ADDRESS is not set.*\n$/);
});

test("SIGTERM ends it quietly with exit code 0", LIMIT, async () => {
  const referee = await new Referee().open();
  const bot = start(referee);
  const ended = bot.end();
  await (await referee.line()).greet();
  bot.child.kill("SIGTERM");
  assert.equal(await ended, 0);
  assert.equal(bot.stderr, "");
});

test("a question the bot cannot answer is answered by the default and told; strict, it leaves with exit code 1", LIMIT, async () => {
  const impossible = request("5", { options: [], cards: [] }); // no option 0 to choose
  for (const strict of [false, true]) {
    const referee = await new Referee().open();
    const bot = start(referee, strict ? { EUCHRE_STRICT: "1" } : {});
    const ended = bot.end();
    const line = await referee.line();
    await line.greet();
    line.write({ requests: [impossible] });
    if (!strict) {
      assert.equal((await line.read()).replies[0]?.option, 0);
      await line.dismiss();
    }
    assert.equal(await ended, strict ? 1 : 0);
    assert.match(bot.stderr, /the bot threw \(above\) at hand 0 seat 0 of standard, decision 5/);
  }
});

test("a fault is told on stderr, and an empty notice is nothing", LIMIT, async () => {
  const referee = await new Referee().open();
  const bot = start(referee);
  const ended = bot.end();
  const line = await referee.line();
  await line.greet();
  line.write({ notices: [{}, { fault: { tableId: 4, message: "too late" } }] });
  await line.dismiss();
  assert.equal(await ended, 0);
  assert.equal(bot.stderr, "typescript-heuristic: fault at table 4: too late\n");
});
