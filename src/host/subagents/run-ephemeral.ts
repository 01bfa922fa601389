/**
 * A subagent: the same loop as a turn's, with a log in memory and no session of its own, in the workspace and on the data
 * of the session that spawned it (A3, A7, A8). Whatever becomes of it is an answer to its parent (A4, P3); nothing of the
 * parent's run is changed by it (A9) but the lease, as `borrowed-gpu.ts` says.
 */
import { toWireError } from '../../protocol/errors.ts';
import type { AgentStopReason } from '../../protocol/model.ts';
import type { ActiveProfile, Emit, ParentRun, TurnDeps } from '../loop/deps.ts';
import { endFailed } from '../loop/endings.ts';
import { planTurn } from '../loop/plan-turn.ts';
import { reportStopped, watchForStop } from '../loop/prove-stop.ts';
import type { Run } from '../loop/run.ts';
import { takeSetting } from '../loop/setting.ts';
import { work } from '../loop/work.ts';
import { classifyInstruction } from '../planning/instructions.ts';
import { shorten } from '../planning/reply-text.ts';
import { createSteering } from '../planning/steering.ts';
import { escapeNotes, note } from '../prompt/notes.ts';
import type { Provider, ReplyEvent } from '../providers/provider.ts';
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
  parent: ParentRun;
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
  const limits = createLimits(active.profile.subagentTimeoutS * 1000, parent.deps.clock, signal);
  const card = openCard(request, active, spawning);
  const forget = running.add(callId, () => limits.end('stopped'));
  try {
    const outcome = await workOn(request, active, { parent, limits, card });
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
  const { clock, newId } = parent.deps;
  return createAgentCard({
    itemId,
    callId,
    clock,
    tell: parent.emit,
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
  parent: ParentRun;
  limits: Limits;
  card: AgentCard;
}

/** Resolves for every end; the lease is given back by then. */
async function workOn(
  request: SpawnRequest,
  active: ActiveProfile,
  frame: Frame,
): Promise<{ text: string; stopReason: AgentStopReason }> {
  const { parent, limits, card } = frame;
  const { signal } = limits;
  const emit: Emit = (event) => {
    card.emit(event);
    limits.saw(event);
  };
  const watch = watchForStop(emit, signal, parent.deps.clock);
  const run = agentRun(request, active, watch.emit, frame);
  let failed = false;
  try {
    run.deps.log.append([{ role: 'user', content: firstMessage(request, run) }]);
    await takeSetting(active, run);
    card.change({ state: 'running' });
    limits.start();
    const first = run.input.mayPlan ? await planTurn(run) : undefined;
    const answer = await work(run, request.task, first);
    if (answer === null) return { stopReason: 'iteration_limit', text: card.report() };
    return { stopReason: answer.cut ? 'output_limit' : 'completed', text: answer.text };
  } catch (error) {
    if (signal.aborted) {
      const stopReason = limits.ended() ?? 'stopped';
      if (isParentsToProve(frame)) parent.closed = run.closed;
      else if (stopReason === 'stopped') await reportStopped(watch, run);
      return { stopReason, text: card.report() };
    }
    failed = true;
    endFailed(error, run);
    const { message, advice = '' } = toWireError(error);
    return { stopReason: 'failed', text: `${message} ${advice}`.trim() + `\n\n${card.report()}` };
  } finally {
    run.setting?.lease.release(failed);
    if (!isParentsToProve(frame)) parent.emit({ type: 'turn/phase', phase: 'tool' });
  }
}

/** The turn was stopped, on the lease that is the parent's: it tells what was closed, in the phase that was told last. */
function isParentsToProve({ parent, limits }: Frame): boolean {
  return limits.signal.aborted && limits.ended() === undefined && !parent.setting?.away;
}

function agentRun(request: SpawnRequest, active: ActiveProfile, emit: Emit, frame: Frame): Run {
  const { parent, limits } = frame;
  const { deps, input } = parent;
  const log = createMemoryLog(input.turnId);
  const agentDeps: TurnDeps = {
    ...deps,
    provider: withoutCallIds(deps.provider),
    engine: engineOf(parent),
    log,
    data: agentData(deps.data, active.profile),
    agents: null,
    profiles: fixedProfile(deps.profiles, active.profile.id),
    active: () => active,
    // Its task was written by a model that may have read what the person did not write.
    taint: () => log.taint() ?? deps.taint(),
    // The session's prompt would be read into the slot, and the subagent's own out of it: its next request tells as well.
    proveSlot: () => Promise.resolve({ found: 'failed' }),
    authorize: (asked, tell, signal) => limits.whilePaused(() => deps.authorize(asked, tell, signal)),
  };
  return {
    input: {
      ...input,
      profileId: active.profile.id,
      text: request.task,
      attachments: [],
      mayPlan: active.profile.planningEnabled && active.profile.subagentPlanningEnabled,
    },
    deps: agentDeps,
    emit,
    signal: limits.signal,
    setting: undefined,
    writer: undefined,
  };
}

/** Task and briefing stand here and not in the head, which then is the parent's to the byte. */
function firstMessage({ task, briefing }: SpawnRequest, { deps, input }: Run): string {
  const parts = [instruction, `Task:\n${escapeNotes(task.trim())}`];
  if (briefing.trim() !== '') parts.push(`What is known:\n${escapeNotes(briefing.trim())}`);
  const { profile } = deps.active();
  const notes = createSteering(task)
    .atStart(profile, profile.maxIterations)
    .map(({ text }) => text);
  if (input.mayPlan) notes.push(classifyInstruction(profile.planningMandatory));
  return deps.opening() + parts.join('\n\n') + notes.map(note).join('');
}

/** The journal is the session's: an id that the model counts up by itself would stand there twice. */
function withoutCallIds(provider: Provider): Provider {
  return {
    async *stream(request, signal): AsyncGenerator<ReplyEvent> {
      for await (const event of provider.stream(request, signal)) {
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
      throw new ToolFailure('a subagent keeps its profile. Do the task with the tools that you have.');
    },
  };
}
