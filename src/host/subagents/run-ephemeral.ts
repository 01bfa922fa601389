/**
 * A subagent: the same loop as a turn's, with a log in memory and no session of its own, in the workspace and on the data
 * of the session that spawned it (A3, A7, A8). Whatever becomes of it is an answer to its parent (A4, P3); nothing of the
 * parent's run is changed by it (A9) but the lease, as `borrowed-gpu.ts` says.
 */
import { toWireError } from '../../protocol/errors.ts';
import type { AgentStopReason } from '../../protocol/model.ts';
import { foreignTexts } from '../approvals/text-sources.ts';
import type { ActiveProfile } from '../loop/deps.ts';
import { addStartNotes } from '../loop/begin-turn.ts';
import { endFailed } from '../loop/endings.ts';
import { planTurn, plansFirst } from '../loop/plan-turn.ts';
import type { HistoryPort, ModelPort, Run, ToolPort, WaitingRun } from '../loop/ports.ts';
import { reportStopped } from '../loop/prove-stop.ts';
import { takeSetting } from '../loop/setting.ts';
import { watchForStop } from '../loop/stop-watch.ts';
import { work } from '../loop/work.ts';
import { shorten } from '../planning/reply-text.ts';
import { escapeNotes } from '../prompt/notes.ts';
import { personMessage } from '../prompt/person-message.ts';
import type { MeteredProvider, ReplyEvent } from '../providers/provider.ts';
import { ToolFailure, type ProfileChoice, type SpawnRequest, type SpawnResult } from '../tools/tool.ts';
import { agentData } from './agent-data.ts';
import { createAgentCard, type AgentCard } from './agent-card.ts';
import { agentProfile, type AgentHeads } from './agent-profile.ts';
import { engineOf } from './borrowed-gpu.ts';
import { createLimits, type Limits } from './limits.ts';
import { createMemoryLog } from './memory-log.ts';
import type { RunningCalls } from './running-calls.ts';

/** Who spawned it, and where it is shown. */
export interface Spawning {
  parent: Run;
  itemId: string;
  callId: string;
  heads: AgentHeads;
  running: RunningCalls;
}

const instruction =
  'You are a subagent: another agent has given you one task. Do it with your tools. Nobody can answer questions, and only your last message is read: end with the result.';

/** Rejects when the signal fires, after all of it has ended, and with ToolFailure for a profile that does not exist. */
export async function runEphemeral(
  request: SpawnRequest,
  spawning: Spawning,
  signal: AbortSignal,
): Promise<SpawnResult> {
  const { parent, callId, running } = spawning;
  const active = agentProfile(request, parent, spawning.heads);
  const limits = createLimits(active.profile.subagentTimeoutS * 1000, parent.out.clock, signal);
  const card = openCard(request, active, spawning);
  const forget = running.add(callId, () => limits.end('stopped'));
  try {
    const outcome = await workOn(request, active, { parent, limits, card, agentId: spawning.itemId });
    card.end(outcome.stopReason);
    signal.throwIfAborted();
    const { text, stopReason } = outcome;
    return stopReason === 'completed'
      ? { text, completedNormally: true }
      : { text, completedNormally: false, stopReason };
  } finally {
    forget();
    limits.close();
  }
}

function openCard(request: SpawnRequest, active: ActiveProfile, spawning: Spawning): AgentCard {
  const { parent, itemId, callId } = spawning;
  const { clock, newId, emit } = parent.out;
  return createAgentCard({
    itemId,
    callId,
    clock,
    emit,
    agent: {
      id: newId('subagent_'),
      profileId: active.profile.id,
      model: null,
      task: shorten(request.task, 200),
      state: 'waiting',
      stopReason: null,
      iterations: 0,
      toolCalls: 0,
      outputTokens: null,
      startedAt: clock.now(),
      endedAt: null,
    },
  });
}

interface Frame {
  parent: Run;
  limits: Limits;
  card: AgentCard;
  /** Of its card: no other one of the session has it. */
  agentId: string;
}

/** Resolves for every end; the lease is given back by then. */
async function workOn(
  request: SpawnRequest,
  active: ActiveProfile,
  frame: Frame,
): Promise<{ text: string; stopReason: AgentStopReason }> {
  const { parent, limits, card } = frame;
  const { signal } = limits;
  const waiting = agentRun(active, frame);
  const asked = personMessage(request.task);
  let run: Run | undefined;
  let failed = false;
  try {
    const message = firstMessage(request);
    waiting.history.noteOpening?.();
    const opening = waiting.history.opening();
    waiting.history.log.append([{ role: 'user', content: opening + message, opening: opening.length }]);
    run = { ...waiting, setting: await takeSetting(active, asked, waiting, signal) };
    card.change({ state: 'running' });
    limits.start();
    const mayPlan = active.profile.subagentPlanningEnabled && plansFirst(run);
    const notes = addStartNotes(asked, mayPlan, run);
    const first = mayPlan ? await planTurn(run, signal) : undefined;
    const answer = await work({ message: asked, notes }, first, run, signal);
    if (answer === null) return { stopReason: 'iteration_limit', text: card.report() };
    return { stopReason: answer.cut ? 'output_limit' : 'completed', text: answer.text };
  } catch (error) {
    if (signal.aborted) {
      const stopReason = limits.ended() ?? 'stopped';
      if (isParentsToProve(frame)) parent.stop.closed = waiting.stop.closed;
      else if (stopReason === 'stopped') await reportStopped(waiting.out.phase, run ?? waiting, signal);
      return { stopReason, text: card.report() };
    }
    failed = true;
    endFailed(error, waiting.out);
    const { message, advice = '' } = toWireError(error);
    return { stopReason: 'failed', text: `${message} ${advice}`.trim() + `\n\n${card.report()}` };
  } finally {
    run?.setting.lease.release(failed);
    if (!isParentsToProve(frame)) parent.out.emit({ type: 'turn/phase', phase: 'tool' });
  }
}

/** The turn was stopped, on the lease that is the parent's: it tells what was closed, in the phase that was told last. */
function isParentsToProve({ parent, limits }: Frame): boolean {
  return limits.signal.aborted && limits.ended() === undefined && !parent.setting.away;
}

function agentRun(active: ActiveProfile, { parent, limits, card, agentId }: Frame): WaitingRun {
  const log = createMemoryLog(parent.out.turnId);
  const model: ModelPort = {
    ...parent.model,
    provider: providerFor(parent.model.provider),
    engine: engineOf(parent),
    active: () => active,
    // The session's prompt would be read into the slot, and the subagent's own out of it: its next request tells as well.
    proof: { ...parent.model.proof, prove: () => Promise.resolve({ found: 'failed' }) },
  };
  const history: HistoryPort = { ...parent.history, log };
  const { reads, calls } = parent.tools;
  const tools: ToolPort = {
    ...parent.tools,
    data: { ...agentData(parent.tools.data, active.profile), agentId },
    agents: null,
    profiles: fixedProfile(parent.tools.profiles, active.profile.id),
    // Its task was written by a model that may have read what the person did not write.
    reads: {
      ...reads,
      taint: () => log.taint() ?? reads.taint(),
      foreign: () => [...foreignTexts(log.owned(), new Set()), ...(reads.foreign?.() ?? [])],
    },
    authorize: (asked, emit, signal) => limits.whilePaused(() => parent.tools.authorize(asked, emit, signal)),
    ...(calls && {
      calls: {
        add: (callId, stop) => calls.add(callId, stop),
        askForm: (asked, emit, signal) => limits.whilePaused(() => calls.askForm(asked, emit, signal)),
      },
    }),
  };
  const out = parent.out.within((event) => {
    card.emit(event);
    limits.saw(event);
  });
  return { model, history, tools, out, stop: watchForStop(limits.signal, out.clock) };
}

/** Task and briefing stand here and not in the head, which then is the parent's to the byte. */
function firstMessage({ task, briefing }: SpawnRequest): string {
  const parts = [instruction, `Task:\n${escapeNotes(task.trim())}`];
  if (briefing.trim() !== '') parts.push(`What is known:\n${escapeNotes(briefing.trim())}`);
  return parts.join('\n\n');
}

/** The journal is the session's: an id that the model counts up by itself would stand there twice. */
function providerFor(provider: MeteredProvider): MeteredProvider {
  return {
    ...provider,
    async *stream(request, signal): AsyncGenerator<ReplyEvent> {
      for await (const event of provider.stream({ ...request, purpose: 'subagent' }, signal)) {
        yield event.type === 'call' ? { ...event, id: undefined } : event;
      }
    },
  };
}

/** Its profile is what it was spawned with; the session's is not its to change (A9). */
function fixedProfile(profiles: ProfileChoice, profileId: string): ProfileChoice {
  return {
    list: () => profiles.list().map((profile) => ({ ...profile, current: profile.id === profileId })),
    switchTo() {
      throw new ToolFailure('a subagent keeps its profile.', {
        advice: 'Do the task with the tools that you have.',
      });
    },
  };
}
