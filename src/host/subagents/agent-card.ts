/**
 * A subagent as the person sees it, inside the card of the call that spawned it: its events, marked with that call, and
 * what is said of it as a whole (G3). Also what the parent is told of one that did not finish.
 */
import type { Clock } from '../../platform/clock.ts';
import type { TurnEvent } from '../../protocol/events.ts';
import type { AgentRun, AgentStopReason, RequestUsage, ToolItem } from '../../protocol/model.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import type { Emit } from '../loop/deps.ts';
import { shorten } from '../planning/reply-text.ts';

export interface AgentCard {
  /** Where the subagent's run tells everything. */
  emit: Emit;
  change(changes: Partial<AgentRun>): void;
  /** Calls and text so far, for the parent. */
  report(): string;
  /** Closes what was left open; nothing is told afterwards. */
  end(stopReason: AgentStopReason): void;
}

export interface AgentCardParts {
  /** The item and the call that spawned it. */
  itemId: string;
  callId: string;
  agent: AgentRun;
  clock: Clock;
  emit: Emit;
}

const interrupted = { state: 'interrupted', result: '', display: null, runMs: null } as const;
const reportedCalls = 40;
const reportedText = 3_000;

export function createAgentCard({ itemId, callId, agent: first, clock, emit }: AgentCardParts): AgentCard {
  const calls = new Map<string, ToolItem>();
  const texts = new Map<string, string>();
  const open = new Map<string, 'prose' | 'tool'>();
  let agent = first;

  const change = (changes: Partial<AgentRun>): void => {
    agent = { ...agent, ...changes };
    emit({ type: 'agent/changed', itemId, agent });
  };

  const note = (event: TurnEvent): void => {
    if (event.type === 'item/started') {
      const { item } = event;
      if (item.kind === 'tool') calls.set(item.id, item);
      if (item.kind === 'text') texts.set(item.id, item.text);
      if (item.completedAt === null) open.set(item.id, item.kind === 'tool' ? 'tool' : 'prose');
    } else if (event.type === 'item/delta') {
      const text = texts.get(event.itemId);
      if (text !== undefined) texts.set(event.itemId, text + event.text);
    } else if (event.type === 'item/rewritten') {
      texts.set(event.itemId, event.text);
    } else if (event.type === 'item/completed') {
      open.delete(event.itemId);
    } else if (event.type === 'tool/finished') {
      const call = calls.get(event.itemId);
      if (call) calls.set(event.itemId, { ...call, state: event.state });
      open.delete(event.itemId);
    }
  };

  const count = ({ iteration, outputTokens }: RequestUsage): void =>
    change({
      iterations: Math.max(agent.iterations, iteration),
      outputTokens: outputTokens === null ? agent.outputTokens : (agent.outputTokens ?? 0) + outputTokens,
    });

  const forward = (event: TurnEvent): void => {
    if (event.type === 'item/started') {
      emit({ ...event, item: { ...event.item, parentCallId: callId } });
    } else if (event.type === 'usage/measured') {
      // Iterations are the main loop's.
      emit({ ...event, usage: { ...event.usage, iteration: 0, parentCallId: callId } });
      count(event.usage);
    } else if (event.type === 'turn/model') {
      change({ model: event.model });
    } else if (isToldOf(event)) {
      emit(event);
    }
    if (event.type === 'tool/started') change({ toolCalls: agent.toolCalls + 1 });
  };

  emit({ type: 'agent/changed', itemId, agent });

  return {
    emit(event) {
      if (agent.state === 'ended') return;
      note(event);
      forward(event);
    },
    change,
    report: () => describe([...calls.values()], [...texts.values()]),
    end(stopReason) {
      for (const [id, kind] of open) {
        if (kind === 'prose') emit({ type: 'item/completed', itemId: id, cut: true });
        else emit({ type: 'tool/finished', itemId: id, ...interrupted });
      }
      change({ state: 'ended', stopReason, endedAt: clock.now() });
    },
  };
}

/** What is said of a turn, its window or its planning is not said of this; only what is being done is. */
function isToldOf({ type }: TurnEvent): boolean {
  if (type === 'context/measured' || type === 'planning/status') return false;
  return type === 'turn/phase' || !type.startsWith('turn/');
}

function describe(calls: readonly ToolItem[], texts: readonly string[]): string {
  const shown = calls.slice(-reportedCalls);
  const earlier = calls.length - shown.length;
  const lines = shown.map(
    ({ tool, subject, state }) => `- ${tool} ${shorten(visibleName(subject), 100)} (${state})`,
  );
  const text = texts.join('\n').trim();
  return [
    calls.length === 0 ? 'It called no tool.' : `Tools that it called: ${String(calls.length)}.`,
    ...(earlier > 0 ? [`- ${String(earlier)} earlier ones`] : []),
    ...lines,
    ...(text === ''
      ? ['It wrote nothing.']
      : ['', 'What it wrote:', text.slice(-reportedText).toWellFormed()]),
  ].join('\n');
}
