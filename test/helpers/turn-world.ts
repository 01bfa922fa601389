/** A world for `runTurn` without engine, disk or clock: scripted replies, tools in memory, every event kept. */
import { z } from 'zod';
import type { Clock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import type { Ability } from '../../src/protocol/abilities.ts';
import type { TurnEvent } from '../../src/protocol/events.ts';
import type { RunnerSlot, TurnPermission } from '../../src/protocol/model.ts';
import {
  profileFileSchema,
  type ApprovalDecision,
  type Item,
  type ModelInfo,
  type Profile,
} from '../../src/protocol/model.ts';
import type {
  ActiveProfile,
  AuthorizeRequest,
  EditedCall,
  Lease,
  Reacquired,
  SlotProof,
  Toolsets,
  TurnInput,
} from '../../src/host/loop/deps.ts';
import type { Ports, ToolPort, Workspace } from '../../src/host/loop/ports.ts';
import { runTurn } from '../../src/host/loop/run-turn.ts';
import { historyPolicy } from '../../src/host/prompt/template-policy.ts';
import type { ControlMarks } from '../../src/host/prompt/card/marks.ts';
import { buildHead } from '../../src/host/prompt/head.ts';
import { personMessage } from '../../src/host/prompt/person-message.ts';
import { createReadingSpeed } from '../../src/host/prompt/prefill/reading-speed.ts';
import type {
  ContextMessage,
  ModelRequest,
  Provider,
  ReplyCounters,
  ReplyEvent,
} from '../../src/host/providers/provider.ts';
import { createCacheTrackers } from '../../src/host/models/cache-trackers.ts';
import { createSlotWatch } from '../../src/host/models/slot-watch.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { quietServices } from '../../src/host/tools/testing.ts';
import type { Tool, ToolContext } from '../../src/host/tools/tool.ts';
import { allTools, provenAbilities } from './proven-models.ts';
import { createOpenLog, placeholder } from './open-log.ts';

export const noCounters: ReplyCounters = {
  promptTokens: null,
  cachedTokens: null,
  outputTokens: null,
  promptMs: null,
  outputMs: null,
  loadMs: null,
};

export const text = (value: string): ReplyEvent => ({ type: 'text', text: value });
export const thinking = (value: string): ReplyEvent => ({ type: 'thinking', text: value });
export const call = (name: string, args: Record<string, unknown> = {}, id?: string): ReplyEvent => ({
  type: 'call',
  name,
  args,
  id,
});
export const done = (
  counters: Partial<ReplyCounters> = {},
  reason: 'stop' | 'length' = 'stop',
): ReplyEvent => ({
  type: 'done',
  reason,
  counters: { ...noCounters, ...counters },
});

/** Text that no engine takes for a loop: about two tokens a word. */
export const words = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, n) => `word${String(from + n)}`).join(' ');

/** A reply is a list of events; an Error in it is thrown there, `hang` waits for the stop. */
export type ScriptedReply = (ReplyEvent | Error | 'hang')[];

export function profile(changes: Partial<Profile> = {}): Profile {
  const file = profileFileSchema.parse({ name: 'Test', tools: ['echo', 'touch'] });
  return {
    ...file,
    id: 'test',
    builtIn: true,
    systemPrompt: 'You are a test.',
    subagentPrompt: '',
    persona: '',
    ...changes,
  };
}

export const model: ModelInfo = {
  name: 'test-model',
  sizeBytes: 1,
  digest: 'd',
  family: 'qwen35',
  parameterSize: '4B',
  quantization: 'Q4_K_M',
  capabilities: ['completion', 'tools'],
  trainedContext: 32_768,
  thinkingValues: null,
  modifiedAt: '',
};

export class TurnWorld {
  readonly events: TurnEvent[] = [];
  readonly requests: ModelRequest[] = [];
  readonly #log = createOpenLog(() => this.turnId);
  readonly messages = this.#log.messages;
  readonly executed: string[] = [];
  readonly asked: AuthorizeRequest[] = [];
  readonly internalErrors: unknown[] = [];
  /** What was reported as an incident. */
  readonly refusedGrammars: string[] = [];
  /** What the log was given to stand before a placeholder. */
  readonly foretold = this.#log.foretold;
  readonly controller = new AbortController();
  readonly slots = createSlotWatch({ state: () => undefined, onState: () => undefined });
  leases = 0;
  released = 0;
  decision:
    | ApprovalDecision
    | ((request: AuthorizeRequest) => ApprovalDecision | Promise<ApprovalDecision | EditedCall>) = 'allow';
  active: Profile = profile();
  clock: Clock = frozenClock;
  readonly closing = new AbortController();
  readonly hurry = new AbortController();
  onProve: () => Promise<SlotProof> = async () => ({ found: 'answered', promptTokens: null });
  onCure: () => Promise<{ tookMs: number }> = async () => ({ tookMs: 9_000 });
  readonly #accounts = createCacheTrackers({
    cardOf: () => undefined,
    show: () => Promise.reject(new Error('not in this world')),
    clock: frozenClock,
    newId: (prefix) => `${prefix}${String((this.#ids += 1))}`,
    log: silentLog,
  });
  readonly speed = createReadingSpeed();
  /** What the runner says of itself; null = it cannot be asked. */
  runnerSlots: readonly RunnerSlot[] | null = null;
  /** It is in the middle of a batch until then. */
  runnerAnswers: Promise<void> | undefined;
  residency: { loaded: boolean; vramBytes: number | null } | null = {
    loaded: true,
    vramBytes: 5_200_000_000,
  };
  chooseModel: () => Promise<ModelInfo> = async () => model;
  /** Models that were removed since the list was read. */
  readonly missing = new Set<string>();
  /** By default nothing had happened to the engine. */
  onRegain: (lease: Lease) => Promise<Reacquired> = async (lease) => ({
    lease,
    loaded: false,
    versions: { before: '0.40.2', now: '0.40.2' },
  });
  /** What a running tool does; resolves to its content. */
  onExecute: (name: string, context: ToolContext) => Promise<string> = async (name) => `${name} was run`;
  /** Answers in place of the script. */
  provider: Provider | null = null;
  url = 'http://engine';
  /** Registered beside `echo` and `touch`. */
  readonly moreTools: Tool[] = [];
  mayPlan = true;
  /** What the person lets a turn do besides. */
  allow: TurnPermission[] = [];
  /** What the host sees when it looks at a file for a step's check. */
  onLook: Workspace['look'] = async () => ({ passed: false, text: '' });
  /** What the session and its window add to a message. */
  input: Partial<Pick<TurnInput, 'plansOnly' | 'steps' | 'shown'>> = {};
  opening = '';
  recalled: string | null = null;
  delegates: ReturnType<ToolPort['profiles']['list']> = [];
  /** Counted ÷ estimated tokens of the model (W11), and what its replies taught. */
  tokenRatio = 1;
  readonly learnt: { estimated: number; counted: number }[] = [];
  /** Runs when an event is emitted, for stops and switches at exact moments. */
  onEvent: (event: TurnEvent) => void = () => undefined;
  /** What its model is relied on for. */
  abilities: ReadonlySet<Ability> | undefined;
  /** A head of this world is made for each turn. */
  toolsets: Toolsets = allTools;
  readonly observed: [ability: Ability, isGood: boolean][] = [];
  /** What only the model's template writes; undefined = nothing is known of it. */
  marks: ControlMarks | undefined;
  /** Whether thoughts came as text in the last reply of each kind. */
  readonly leaks = { user: false, tool: false };
  /** What is told of the model that was loaded. */
  leased: Partial<ModelInfo> = {};
  /** The context that the engine loads with; undefined = what is asked for. */
  planned: number | undefined;
  /** What lies in the workspace; a folder ends with `/`. */
  entries: string[] = [];
  readonly told = new Set<string>();
  readonly data = quietServices().data;
  readonly #replies: ScriptedReply[];
  #turns = 0;
  #ids = 0;
  #index = 0;

  constructor(...replies: ScriptedReply[]) {
    this.#replies = replies;
  }

  /** Of the turn that runs or ran last: `t`, then `t2`, `t3` … */
  get turnId(): string {
    return this.#turns < 2 ? 't' : `t${String(this.#turns)}`;
  }

  stop(reason = new AndironError('cancelled', 'Stopped by the user.')): void {
    this.controller.abort(reason);
  }

  async run(textOfUser = 'Hello'): Promise<void> {
    this.#turns += 1;
    await runTurn(
      {
        sessionId: 's',
        turnId: this.turnId,
        profileId: this.active.id,
        message: personMessage(textOfUser),
        mayPlan: this.mayPlan,
        allow: this.allow,
        ...this.input,
      },
      this.ports(),
      this.controller.signal,
    );
  }

  /** The items as a window would show them at the end. */
  items(): Item[] {
    return this.events.flatMap((event) => (event.type === 'item/started' ? [event.item] : []));
  }

  /** What is written, as a window would show it at the end. */
  shown(): Extract<Item, { text: string }>[] {
    const items = new Map(this.items().map((item) => [item.id, item]));
    for (const event of this.events) {
      if (!('itemId' in event)) continue;
      const item = items.get(event.itemId);
      if (!item || !('text' in item)) continue;
      if (event.type === 'item/delta') items.set(item.id, { ...item, text: item.text + event.text });
      if (event.type === 'item/rewritten') {
        const { text: whole, steps, problem } = event;
        const read =
          item.kind === 'plan' ? { ...(steps && { steps }), ...(problem !== undefined && { problem }) } : {};
        items.set(item.id, { ...item, text: whole, ...read });
      }
      if (event.type === 'item/completed') items.set(item.id, { ...item, completedAt: 1, cut: event.cut });
    }
    return [...items.values()].filter((item) => 'text' in item);
  }

  types(): string[] {
    return this.events.map((event) => event.type);
  }

  ending(): string | undefined {
    return this.types().findLast((type) => /^turn\/(?:finished|stopped|failed|capped)$/.test(type));
  }

  async *#stream(signal: AbortSignal): AsyncGenerator<ReplyEvent> {
    const reply = this.#replies.shift();
    if (!reply) throw new Error('The script has no more replies.');
    // An engine that fails before its first line never opens the stream.
    if (!(reply[0] instanceof Error) && reply[0] !== 'hang') yield { type: 'opened' };
    for (const step of reply) {
      signal.throwIfAborted();
      if (step instanceof Error) throw step;
      if (step === 'hang') await aborted(signal);
      else yield step;
    }
  }

  ports(): Ports {
    const tools = this.#tools();
    return {
      model: {
        provider: {
          isMetered: true,
          stream: (request, signal) => {
            this.requests.push(request);
            return this.provider?.stream(request, signal) ?? this.#stream(signal);
          },
        },
        engine: {
          chooseModel: () => this.chooseModel(),
          acquire: async (request, onWait) => {
            onWait('loading');
            if (this.missing.has(request.model)) {
              throw new AndironError('model_missing', `${request.model} is not installed.`);
            }
            this.leases += 1;
            const lease: Lease = {
              url: this.url,
              plan: {
                model: request.model,
                options: { num_ctx: this.planned ?? request.contextTokens },
                shift: false,
              },
              model: { ...model, ...this.leased, name: request.model },
              release: () => {
                this.released += 1;
              },
              reacquire: () => this.onRegain(lease),
              recoverSlot: () => this.onCure(),
            };
            return lease;
          },
          residency: async () => this.residency,
          slots: async () => {
            await this.runnerAnswers;
            return this.runnerSlots;
          },
        },
        active: (): ActiveProfile => ({
          profile: this.active,
          head: buildHead(this.active, '', tools),
          toolsets: this.toolsets,
          think: this.active.think,
          pinnedModel: null,
        }),
        templates: {
          policyOf: async (lease) => ({
            ...historyPolicy(lease.model),
            ...(this.marks && { marks: this.marks }),
          }),
        },
        models: {
          holds: ({ parameterSize }, ability) =>
            (this.abilities ?? provenAbilities(parameterSize)).has(ability),
          mayTry: ({ parameterSize }, ability) =>
            (this.abilities ?? provenAbilities(parameterSize)).has(ability),
          observe: (_model, ...seen) => void this.observed.push(seen),
          leaksThinking: (_model, place) => this.leaks[place],
          learnLeak: (_model, place, leaks) => (this.leaks[place] = leaks),
          tokenRatio: () => this.tokenRatio,
          learnTokens: (_model, estimated, counted) => void this.learnt.push({ estimated, counted }),
        },
        tracker: this.#accounts.of('session'),
        slots: this.slots,
        proof: {
          prove: () => this.onProve(),
          closing: this.closing.signal,
          preempted: this.hurry.signal,
        },
        fallbacks: () => undefined,
        readingSpeed: () => this.speed,
        reportRefusedGrammar: (name, words) => this.refusedGrammars.push(`${name}: ${words}`),
      },
      history: {
        log: this.#log.log,
        journal: { started: () => undefined, ended: () => undefined },
        opening: () => this.opening,
        recalled: () => this.recalled,
      },
      tools: {
        sessionId: 's',
        tools,
        workspace: {
          path: '/work',
          advice: () => null,
          entries: async () => this.entries,
          look: (check) => this.onLook(check),
        },
        data: this.data,
        profiles: { list: () => this.delegates, switchTo: () => undefined },
        agents: null,
        authorize: async (request) => {
          this.asked.push(request);
          return typeof this.decision === 'function' ? this.decision(request) : this.decision;
        },
        reads: { taint: () => null },
      },
      out: {
        emit: (event) => {
          this.events.push(event);
          this.onEvent(event);
        },
        clock: this.clock,
        newId: (prefix) => `${prefix}${String((this.#ids += 1)).padStart(12, '0')}`,
        nextIndex: () => this.#index++,
        said: this.told,
        reportBug: (error) => this.internalErrors.push(error),
      },
    };
  }

  #tools(): ReadonlyMap<string, Tool> {
    const tool = (name: string, risk: 'read' | 'write'): Tool =>
      defineTool({
        name,
        description: name,
        parameters: z.object({ value: z.string().optional() }),
        mutates: risk === 'write',
        retrySafe: risk === 'read',
        risk,
        about: 'outside',
        timeoutMs: 1000,
        subject: ({ value }) => value ?? '',
        need: () => ({ summary: name, mutates: '', sandboxed: false, scopes: ['once', 'session'] }),
        execute: async (_args, context) => {
          this.executed.push(name);
          return { ok: true, content: await this.onExecute(name, context), display: null };
        },
      });
    return new Map([
      ['echo', tool('echo', 'read')],
      ['touch', tool('touch', 'write')],
      ...this.moreTools.map((each) => [each.name, each] as const),
    ]);
  }
}

const frozenClock: Clock = {
  now: () => 1000,
  monotonic: () => 0,
  after: () => ({ cancel: () => undefined }),
};

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });
}

/** X12 a: every call has exactly one result, in order, and nothing stands between; roles alternate. */
export function assertValidHistory(messages: readonly ContextMessage[]): void {
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index];
    if (message?.role === 'assistant') {
      const results = messages.slice(index + 1, index + 1 + message.calls.length);
      const ids = results.map((result) =>
        result.role === 'tool' ? result.callId : `not a result: ${result.role}`,
      );
      if (JSON.stringify(ids) !== JSON.stringify(message.calls.map((made) => made.id))) {
        throw new Error(`Calls and results do not pair at message ${index}: ${JSON.stringify(ids)}`);
      }
    }
    if (message?.role === 'user' && messages[index - 1] && messages[index - 1]?.role !== 'assistant') {
      throw new Error(`A user message follows a ${String(messages[index - 1]?.role)} message at ${index}.`);
    }
    if (message?.role === 'tool' && message.content === placeholder) {
      throw new Error(`The call ${message.callId} was never settled.`);
    }
  }
}
