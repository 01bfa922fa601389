/** A subagent in figures and words, wherever one is shown. */
import type { AgentRun, AgentStopReason } from '../../protocol/model.ts';
import { plan } from '../text.ts';
import type { StateLook } from './state-mark.tsx';

const text = plan.agents;

const endings: Record<AgentStopReason, StateLook> = {
  completed: { icon: 'done', tone: 'done' },
  iteration_limit: { icon: 'cap', tone: 'warn' },
  output_limit: { icon: 'cap', tone: 'warn' },
  timeout: { icon: 'cap', tone: 'warn' },
  stopped: { icon: 'stopped', tone: 'still' },
  stalled: { icon: 'cut', tone: 'warn' },
  failed: { icon: 'failed', tone: 'fail' },
};

export function agentLook({ state, stopReason }: AgentRun): StateLook {
  if (state === 'waiting') return { icon: 'queued', tone: 'still' };
  if (state === 'running') return { icon: 'running', tone: 'run' };
  return endings[stopReason ?? 'completed'];
}

/** "step limit reached, 4 calls, 3,180 tokens": why it ended only where it did not simply finish. */
export function agentFacts({ state, stopReason, toolCalls, outputTokens }: AgentRun): string {
  const reason = stopReason === null || stopReason === 'completed' ? null : text.reasons[stopReason];
  const parts = [
    state === 'waiting' ? text.waiting : reason,
    text.calls(toolCalls),
    outputTokens === null ? null : text.tokens(outputTokens),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** Milliseconds that it took; null while it works. */
export function agentElapsed({ startedAt, endedAt }: AgentRun): number | null {
  return endedAt === null ? null : Math.max(0, endedAt - startedAt);
}
