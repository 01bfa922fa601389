/** Many mutants through the reader, some of them cut into other pieces as well, some over HTTP, then the huge ones. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import type { ChatLine } from '../../../src/ollama/schemas.ts';
import { AndironError, type ErrorCode } from '../../../src/protocol/errors.ts';
import { Chance } from '../../bench/prefix/chance.ts';
import { hugeKeys, hugeReplies } from './huge.ts';
import { inPieces, makeMutant, type Mutant } from './mutate.ts';
import { httpEndings, makeAnswer, startTeller } from './over-http.ts';
import { readAll, readingProblems, readReply, type Reading, type ReadReply } from './read.ts';

export interface FuzzOptions {
  seed: number;
  streams: number;
  /** How often the replies of many megabytes come. */
  hugeRounds: number;
  /** How many answers come over a real socket. */
  overHttp: number;
  /** Only the test of the test names others. */
  read?: ReadReply;
  hangMs?: number;
  givenUpMs?: number;
  parseMs?: () => number;
}

export interface FuzzResult {
  streams: number;
  overHttp: number;
  /** Something came out that must not, or something was thrown that is not meant for a person. */
  crashes: number;
  /** For more than a second, and for far longer than a huge line takes to parse, nothing came; or it never ended. */
  hangs: number;
  /** The same bytes in other pieces gave another outcome. */
  unlike: number;
  /** Heap after all ÷ heap after the first tenth. */
  memory: number;
  maxWaitMs: number;
  seconds: number;
  /** Ending → how many. */
  endings: Map<string, number>;
  /** The first few, each with how to see it again. */
  problems: string[];
}

/** Every so many-th mutant is read a second time in other pieces. */
const rereadEvery = 8;
const shownProblems = 12;
/** Within so many times what the bare parser needs for a huge line, the machine is slow, not the reader. */
const parseTimes = 3;

export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const campaign = new Campaign(options);
  // Thrown into an event of a socket or a stream, an error would end the process of the agent host.
  const onThrown = (error: unknown): void =>
    campaign.crash(`thrown outside of any reading: ${inspect(error)}`);
  process.on('uncaughtException', onThrown);
  const result = await campaign.run();
  process.off('uncaughtException', onThrown);
  return result;
}

class Campaign {
  readonly #options: FuzzOptions;
  readonly #chance: Chance;
  readonly #read: ReadReply;
  readonly #hangMs: number;
  readonly #givenUpMs: number;
  readonly #parseMs: () => number;
  readonly #endings = new Map<string, number>();
  readonly #problems: string[] = [];
  #crashes = 0;
  #hangs = 0;
  #unlike = 0;
  #maxWaitMs = 0;

  constructor(options: FuzzOptions) {
    this.#options = options;
    this.#chance = new Chance(options.seed);
    this.#read = options.read ?? readReply;
    this.#hangMs = options.hangMs ?? 1_000;
    this.#givenUpMs = options.givenUpMs ?? 20_000;
    this.#parseMs = options.parseMs ?? hugeParseMs;
  }

  async run(): Promise<FuzzResult> {
    const { streams, overHttp, hugeRounds } = this.#options;
    const start = performance.now();
    const firstTenth = Math.ceil(streams / 10);
    await this.#mutants(0, firstTenth);
    const heapBefore = await heapBytes();
    await this.#mutants(firstTenth, streams);
    await this.#answers(overHttp);
    await this.#huge(hugeRounds);
    return {
      streams: streams + hugeRounds * hugeReplies.length,
      overHttp,
      memory: (await heapBytes()) / heapBefore,
      crashes: this.#crashes,
      hangs: this.#hangs,
      unlike: this.#unlike,
      maxWaitMs: this.#maxWaitMs,
      seconds: (performance.now() - start) / 1000,
      endings: this.#endings,
      problems: this.#problems,
    };
  }

  crash(problem: string): void {
    this.#crashes += 1;
    this.#note(problem);
  }

  async #mutants(from: number, to: number): Promise<void> {
    for (let index = from; index < to; index += 1) {
      const mutant = makeMutant(this.#chance);
      const label = `stream ${String(index)} (${mutant.mutations.join(', ') || 'untouched'})`;
      const ask = (): (() => AsyncIterable<ChatLine>) => {
        const pieces = inPieces(mutant.bytes, this.#chance);
        return () => this.#read(pieces);
      };
      const outcome = await this.#try(ask(), label, { mutant });
      if (index % rereadEvery > 0) continue;
      const again = await this.#try(ask(), `${label} in other pieces`, { mutant });
      if (again === outcome) continue;
      this.#unlike += 1;
      this.#note(`${label}: by how it was cut ${outcome} or ${again}`);
    }
  }

  async #answers(count: number): Promise<void> {
    const teller = await startTeller();
    for (let index = 0; index < count; index += 1) {
      const answer = makeAnswer(this.#chance);
      await this.#try(() => teller.ask(answer), `over HTTP (${answer.label})`, { known: httpEndings });
    }
    await teller.close();
  }

  async #huge(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      for (const [label, makePieces] of hugeReplies) await this.#try(() => this.#read(makePieces()), label);
    }
  }

  /** Reads, judges and counts; returns the outcome in words that can be compared. */
  async #try(
    ask: () => AsyncIterable<ChatLine>,
    label: string,
    { mutant, known }: { mutant?: Mutant; known?: ReadonlySet<ErrorCode> } = {},
  ): Promise<string> {
    let reading = await this.#inTime(ask);
    // A machine that was busy with something else makes nobody a hang: only what is slow twice is.
    if (reading.waitedMs > this.#hangMs) reading = await this.#inTime(ask);

    const wrong = [...readingProblems(reading, known), ...(mutant ? unreadProblems(mutant, reading) : [])];
    if (wrong.length > 0) this.crash(`${label}: ${wrong.join('; ')}`);
    if (this.#isHang(reading)) {
      this.#hangs += 1;
      this.#note(`${label}: nothing came for ${String(Math.round(reading.waitedMs))} ms`);
    }
    this.#maxWaitMs = Math.max(this.#maxWaitMs, reading.waitedMs);
    const ending = endingOf(reading);
    this.#endings.set(ending, (this.#endings.get(ending) ?? 0) + 1);
    return outcomeOf(reading);
  }

  #isHang({ waitedMs }: Reading): boolean {
    if (waitedMs >= this.#givenUpMs) return true;
    return waitedMs > this.#hangMs && waitedMs > parseTimes * this.#parseMs();
  }

  #inTime(ask: () => AsyncIterable<ChatLine>): Promise<Reading> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Reading>((resolve) => {
      const reading = { lines: [], error: new Error('It never ended.'), waitedMs: this.#givenUpMs };
      timer = setTimeout(() => resolve(reading), this.#givenUpMs);
    });
    return Promise.race([readAll(ask()), late]).finally(() => clearTimeout(timer));
  }

  #note(problem: string): void {
    if (this.#problems.length < shownProblems) this.#problems.push(problem.slice(0, 400));
  }
}

/** What is whole is read whole. */
function unreadProblems({ bytes, mutations }: Mutant, { lines, error }: Reading): string[] {
  if (mutations.length > 0) return [];
  const sent = bytes.toString().split('\n').length - 1;
  return error === null && lines.length === sent
    ? []
    : [`${String(lines.length)} of ${String(sent)} lines were read`];
}

function endingOf({ error }: Reading): string {
  if (error === null) return 'done';
  return error instanceof AndironError ? error.code : 'crash';
}

function outcomeOf(reading: Reading): string {
  const lines = reading.lines.map(({ message, done }) => [message.content, message.thinking, done]);
  return `${endingOf(reading)} after ${JSON.stringify(lines)}`;
}

/** How long this machine takes, now, to parse the costliest of the huge lines with nothing around it. */
function hugeParseMs(): number {
  const json = hugeKeys();
  const start = performance.now();
  JSON.parse(json);
  return performance.now() - start;
}

async function heapBytes(): Promise<number> {
  // What the last stream leaves waiting is let go of in a round of its own.
  await setImmediate();
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('The heap cannot be measured: there is no gc.');
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
