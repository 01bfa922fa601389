/** One loaded model of the simulator without its server: its own rendering, tokens, replies and cache, in no time at all. */
import { thinkOf, tokensOf } from '../../../src/sim/endpoints/prompt.ts';
import { PromptCache, type Evaluation } from '../../../src/sim/cache/index.ts';
import { resolveModel, type SimModel } from '../../../src/sim/models.ts';
import { reply as emptyReply, type Reply } from '../../../src/sim/index.ts';
import type { FamilyName, Message, Piece, ThinkingState, Tool } from '../../../src/sim/render/index.ts';
import { compileReply } from '../../../src/sim/runner/compile.ts';
import { Vocabulary } from '../../../src/sim/runner/vocabulary.ts';
import type { Chance } from '../prefix/chance.ts';

export const batch = 512;
export const context = 32_768;
const tokensPerSecond = 800;
/** Durations vary by up to this share. */
const noise = 0.03;

export interface Asked {
  messages: readonly Message[];
  tools: readonly Tool[];
  think: boolean | string | undefined;
  /** As 2026-11-22. */
  day: string;
}

/** A prompt on its way to the runner. */
export interface ReadyPrompt {
  text: string;
  pieces: readonly Piece[];
  thinking: ThinkingState;
}

/** What the simulator knows; the judge's alone, but for the counters. */
export interface Truth {
  prompt: ReadyPrompt;
  ids: readonly number[];
  cached: number;
  /** Of the prompt; less than all where it was stopped. */
  evaluated: number;
  outputTokens: number;
  promptMs: number;
  /** All that is evaluated once the reply is written. */
  held: readonly number[];
}

export class BenchEngine {
  readonly model: SimModel;
  readonly #vocabulary = new Vocabulary();
  readonly #chance: Chance;
  readonly #cache: PromptCache;

  constructor(family: FamilyName, chance: Chance, besideTokens: number | null) {
    this.model = resolveModel({ name: `${family}:bench`, family }, 0, 0);
    this.#chance = chance;
    const bytesPerToken = this.model.kvBytesPerToken;
    this.#cache = new PromptCache({
      memory: this.model.memory,
      numBatch: batch,
      contextTokens: context,
      bytesPerToken,
      ...(besideTokens !== null && { ramLimitBytes: besideTokens * bytesPerToken, checkpointBytes: 0 }),
    });
  }

  render({ messages, tools, think, day }: Asked): ReadyPrompt {
    const { family, capabilities, name } = this.model;
    const rendered = family.render({
      model: name,
      messages,
      tools,
      today: day,
      // A family whose template knows no thinking would refuse the word.
      think: capabilities.includes('thinking') ? thinkOf(this.model, think) : undefined,
    });
    if (!rendered.ok) throw new Error(`${name} refused: ${rendered.error}`);
    return rendered;
  }

  countOf(text: string): number {
    return tokensOf(this.model, text).length;
  }

  idsOf(prompt: ReadyPrompt): number[] {
    return this.#vocabulary.idsOf(tokensOf(this.model, prompt.text));
  }

  /** `stopAt`: the share of its batches after which the prompt is cut off. */
  ask(prompt: ReadyPrompt, answer: Reply, stopAt?: number): Truth {
    const ids = this.idsOf(prompt);
    const evaluation = this.#cache.begin(ids);
    const { cached } = evaluation;
    this.#evaluate(evaluation, ids.length, stopAt);
    const evaluated = evaluation.held;
    const output = stopAt === undefined ? this.#write(answer, prompt) : [];
    for (const token of output) evaluation.generated(token);
    evaluation.end();
    const promptMs =
      (((evaluated - cached) / tokensPerSecond) * 1000 * (100 + noise * (this.#chance.below(201) - 100))) /
      100;
    const held = [...ids.slice(0, evaluated), ...output.slice(0, -1)];
    return { prompt, ids, cached, evaluated, outputTokens: output.length, promptMs, held };
  }

  /** Text that is sent raw. */
  raw(text: string): ReadyPrompt {
    return { text, pieces: [], thinking: 'closed' };
  }

  unload(): void {
    this.#cache.clear();
  }

  #evaluate(evaluation: Evaluation, length: number, stopAt = 1): void {
    const until = evaluation.cached + (length - evaluation.cached) * stopAt;
    for (const size of evaluation.batches()) {
      if (stopAt < 1 && evaluation.held + size > until) return;
      evaluation.commit(size);
    }
  }

  #write(answer: Reply, { thinking }: ReadyPrompt): number[] {
    const plan = compileReply(answer, {
      family: this.model.family,
      path: this.model.path,
      thinking,
      format: answer.steps.some((step) => step.do === 'constrained') ? 'json' : undefined,
      tokenise: (text) => tokensOf(this.model, text),
      // The model's own; Andiron sends others.
      newCallId: () => String(100_000_000 + this.#chance.below(800_000_000)),
    });
    return plan.steps.flatMap((step) => (step.kind === 'token' ? [this.#vocabulary.idOf(step.text)] : []));
  }
}

export const silence = (): Reply => emptyReply();
