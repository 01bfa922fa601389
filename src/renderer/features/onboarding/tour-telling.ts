/** How a recording is told: what was written over a stretch of time becomes the pieces in which it was seen. */
import type { SessionEvent } from '../../../protocol/events.ts';
import type {
  AgentRun,
  Approval,
  Item,
  PlanStep,
  RequestUsage,
  Todo,
  ToolItem,
  Turn,
} from '../../../protocol/model.ts';
import type { Recording } from './tour-player.ts';

type Moment = Recording<string>['moments'][number];
type TurnMoment = Extract<SessionEvent, { turnId: string }>['event'];

/** Tokens, tokens, tokens, milliseconds, milliseconds. */
export type Counters = readonly [
  prompt: number,
  cached: number,
  output: number,
  promptMs: number,
  outputMs: number,
];

const sessionId = 'tour';
export const tourModel = 'qwen3.5:9b';
/** As often as the window paints a stream that it reads along with. */
const pieceMs = 120;

export function reportRecording() {
  const moments: Moment[] = [];
  let turnId = '';
  let items = 0;
  let requests = 0;

  const add = (at: number, make: (startedAt: number) => TurnMoment, turn = turnId): void => {
    moments.push({
      at,
      event: (startedAt) => ({
        seq: 1,
        sessionId,
        turnId: turn,
        at: startedAt + at,
        event: make(startedAt),
      }),
    });
  };
  const base = (id: string, index: number, at: number, parentCallId?: string) => ({
    id,
    turnId,
    index,
    startedAt: at,
    completedAt: null,
    cut: false,
    ...(parentCallId !== undefined && { parentCallId }),
  });
  const newId = (): string => `tour_${String(items)}`;

  return {
    /** In order, whatever the order of telling. */
    moments: (): Moment[] => moments.toSorted((a, b) => a.at - b.at),
    event: (at: number, event: TurnMoment): void => add(at, () => event),

    turn(at: number, id: string, text: string): void {
      turnId = id;
      const turn: Omit<Turn, 'queuedAt'> = {
        id,
        text,
        status: 'queued',
        profileId: 'planner',
        model: tourModel,
        phase: null,
        phaseSince: null,
        startedAt: null,
        endedAt: null,
        closed: false,
        iterations: 0,
        usage: [],
      };
      add(at, (startedAt) => ({ type: 'turn/queued', turn: { ...turn, queuedAt: startedAt + at } }));
      add(at, () => ({ type: 'turn/started', profileId: 'planner' }));
      this.item(at, { kind: 'user', text });
    },

    /** One that is complete as it comes. */
    item(at: number, item: Untold): void {
      const [id, index] = [newId(), items++];
      add(at, (startedAt) => ({
        type: 'item/started',
        item: { ...base(id, index, startedAt + at), completedAt: startedAt + at, ...item } as Item,
      }));
    },

    /** Thinking or text, word by word from here to there. */
    says(from: number, to: number, kind: 'thinking' | 'text', text: string, parentCallId?: string): void {
      const [id, index] = [newId(), items++];
      add(from, () => ({ type: 'turn/phase', phase: kind }));
      add(from, (startedAt) => ({
        type: 'item/started',
        item: { ...base(id, index, startedAt + from, parentCallId), kind, text: '' },
      }));
      const words = text.split(/(?<=\s)/);
      const pieces = Math.max(1, Math.min(words.length, Math.floor((to - from) / pieceMs)));
      for (let piece = 0; piece < pieces; piece += 1) {
        const part = words.slice(
          Math.floor((piece * words.length) / pieces),
          Math.floor(((piece + 1) * words.length) / pieces),
        );
        const at = Math.round(from + ((to - from) * piece) / pieces);
        add(at, () => ({ type: 'item/delta', itemId: id, text: part.join('') }));
      }
      add(to, () => ({ type: 'item/completed', itemId: id, cut: false }));
    },

    /** A call, from its first token over its run to its result. Returns the id of its item. */
    calls(from: number, run: number, end: number, tool: Called): string {
      const [id, index] = [newId(), items++];
      const { result = '', display = null, parentCallId, ...call } = tool;
      add(from, () => ({ type: 'turn/phase', phase: 'call' }));
      add(from, (startedAt) => ({
        type: 'item/started',
        item: {
          ...base(id, index, startedAt + from, parentCallId),
          kind: 'tool',
          callId: id,
          args: {},
          repairs: [],
          state: 'streaming',
          output: '',
          result: '',
          display: null,
          sandboxed: null,
          approval: null,
          decision: null,
          runMs: null,
          ...call,
        },
      }));
      add(run, () => ({ type: 'turn/phase', phase: 'tool' }));
      add(run, () => ({ type: 'tool/started', itemId: id, sandboxed: null }));
      const runMs = end - run;
      add(end, () => ({ type: 'tool/finished', itemId: id, state: 'done', result, display, runMs }));
      return id;
    },

    asks(at: number, itemId: string, approval: Omit<Approval, 'requestedAt'>): void {
      add(at, (startedAt) => ({
        type: 'approval/requested',
        itemId,
        approval: { ...approval, requestedAt: startedAt + at },
        preview: null,
      }));
    },

    agent(at: number, itemId: string, { from, ...shown }: ShownAgent): void {
      const ended = shown.state === 'ended';
      add(at, (startedAt) => ({
        type: 'agent/changed',
        itemId,
        agent: {
          id: 'tour_agent',
          model: tourModel,
          outputTokens: null,
          ...shown,
          stopReason: ended ? 'completed' : null,
          startedAt: startedAt + from,
          endedAt: ended ? startedAt + at : null,
        },
      }));
    },

    todo(at: number, make: (startedAt: number) => Todo): void {
      add(at, (startedAt) => ({ type: 'todo/changed', todo: make(startedAt) }));
    },

    /** The counters of one request, as the engine told them. */
    usage(at: number, iteration: number, counters: Counters, reread = 0): void {
      const [promptTokens, cachedTokens, outputTokens, promptMs, outputMs] = counters;
      const evaluatedTokens = promptTokens - cachedTokens;
      requests += 1;
      const usage: RequestUsage = {
        requestId: `tour_request_${String(requests)}`,
        iteration,
        model: tourModel,
        profileId: 'planner',
        promptTokens,
        cachedTokens,
        evaluatedTokens,
        outputTokens,
        promptMs,
        outputMs,
        loadMs: 0,
        waitedMs: promptMs,
        reading: {
          predictedCached: cachedTokens,
          cachedTokens,
          newTokens: evaluatedTokens - reread,
          rereadTokens: reread,
          cause: reread > 0 ? 'checkpoint' : null,
          owner: reread > 0 ? 'engine' : null,
          detail: '',
          parting: null,
          settledBy: 'engine',
        },
      };
      add(at, () => ({ type: 'usage/measured', usage }));
    },
  };
}

type Untold = Item extends infer I ? (I extends Item ? Omit<I, keyof typeof stamp> : never) : never;
const stamp = { id: '', turnId: '', index: 0, startedAt: 0, completedAt: 0, cut: false };

interface Called extends Pick<ToolItem, 'tool' | 'subject'>, Partial<Pick<ToolItem, 'args' | 'agent'>> {
  result?: string;
  display?: ToolItem['display'];
  parentCallId?: string;
}

interface ShownAgent extends Pick<AgentRun, 'profileId' | 'task' | 'state' | 'iterations' | 'toolCalls'> {
  /** When it began, from the beginning of the recording. */
  from: number;
}

export type PlannedStep = Pick<PlanStep, 'text' | 'milestone' | 'executor' | 'check'>;

/** The steps of a plan with so many of them done, and what proved them. */
export function stepsOf(
  planned: readonly PlannedStep[],
  done: number,
  started: boolean,
  evidence: Readonly<Record<number, PlanStep['evidence']>> = {},
): PlanStep[] {
  return planned.map((step, index) => ({
    id: `step_${String(index + 1)}`,
    parentId: null,
    validation: index < done ? 'seen' : null,
    ...step,
    status: index < done ? 'done' : index === done && started ? 'in_progress' : 'pending',
    evidence: index < done ? (evidence[index] ?? null) : null,
  }));
}
