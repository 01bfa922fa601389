/** What a session gives its turns: its log, its journal, its folder, and the services of the host. */
import type { SessionSummary } from '../../protocol/model.ts';
import type { ActiveProfile, ContextLog, Emit, TurnDeps } from '../loop/deps.ts';
import { recallNote } from '../memory/memory-block.ts';
import { escapeNotes } from '../prompt/notes.ts';
import { opening } from '../prompt/opening.ts';
import { runEphemeral } from '../subagents/run-ephemeral.ts';
import type { RunningCalls } from '../subagents/running-calls.ts';
import { packText } from '../store/tool-results.ts';
import { ToolFailure } from '../tools/tool.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { createSessionData } from './session-data.ts';
import { sessionTaint } from '../approvals/taint.ts';
import type { WarmTarget } from '../warm/prefix-warmer.ts';
import type { SessionDeps } from './session-deps.ts';

/** The parts of a session that its turns work with. */
export interface TurnParts {
  session: WarmTarget & {
    summary: SessionSummary;
    change(changes: { profileId: string }): void;
  };
  /** Fires when the session closes. */
  closing: AbortSignal;
  /** Fires when the next message waits. */
  hurry: AbortSignal;
  context: ContextLog;
  approvals: Approvals;
  agents: RunningCalls;
  /** Calls that run now, each with its own stop. */
  calls: RunningCalls;
  workspace: string;
  nextIndex: () => number;
  /** What the person is shown of the turn so far is stored. */
  settle: () => void;
  /** What was said once in this session since Andiron started. */
  told: Set<string>;
}

export function turnDeps(turnId: string, emit: Emit, parts: TurnParts, host: SessionDeps): TurnDeps {
  const { session, closing, hurry, context, approvals, agents, calls, workspace, nextIndex, settle, told } =
    parts;
  const {
    store,
    provider,
    fallbacks,
    tools,
    engine,
    heads,
    rates,
    slots,
    models,
    templates,
    look,
    workspaceEntries,
    attachments,
    warmer,
    reportRefusedGrammar,
    trackers,
    memory,
    platform,
    clock,
    newId,
    log,
  } = host;
  const sessionId = session.id;
  const forTurn = heads.forTurn(sessionId);
  const inForce = () => forTurn(session.summary.profileId).profile;
  const memoryEnabled = (): boolean => inForce().memoryEnabled;
  const factsFor = (text: string) => memory.recall(text).map(({ fact }) => fact);
  return {
    provider,
    account: trackers.of(sessionId),
    fallbacks: ({ name }, { profile, pinnedModel }) =>
      pinnedModel === null ? fallbacks(name, profile.models) : undefined,
    tools,
    engine,
    slots,
    proveSlot: (lease, silenceMs) => warmer.prove(session, { deadlineMs: silenceMs, signal: closing, lease }),
    closing,
    hurry,
    models,
    templates,
    look: (check) => look(workspace, check),
    workspaceEntries: () => workspaceEntries(workspace),
    attached: {
      take: (...given) => attachments.take(...given),
      paths: () => attachments.pathsOf(sessionId),
    },
    log: context,
    data: createSessionData(
      store,
      sessionId,
      (todo) => emit({ type: 'todo/changed', todo }),
      () => inForce().stepValidationEnabled,
    ),
    agents: (parent, itemId) => ({
      spawn: (request, callId, signal) =>
        runEphemeral(request, { parent, itemId, callId, heads, running: agents }, signal),
    }),
    calls,
    async keepWhole(itemId, whole) {
      try {
        store.keepResult(sessionId, itemId, await packText(whole));
        return whole.length;
      } catch (error) {
        // The model has what it reads of it; only the person's look at the rest is lost.
        log.error('A whole result could not be kept', error, { sessionId });
        return null;
      }
    },
    profiles: {
      list: () =>
        heads.profiles().map(({ id, name, description }) => ({
          id,
          name,
          description,
          current: id === session.summary.profileId,
        })),
      switchTo(profileId) {
        const known = heads.profiles().map(({ id }) => id);
        if (!known.includes(profileId))
          throw new ToolFailure(
            `there is no profile ${profileId.slice(0, 80)}. The profiles are: ${known.join(', ')}.`,
          );
        session.change({ profileId });
        trackers.announce(sessionId, {
          by: 'andiron',
          detail: `The model switched to the profile ${profileId}.`,
        });
      },
    },
    active: (): ActiveProfile => ({
      ...forTurn(session.summary.profileId),
      pinnedModel: session.summary.model,
    }),
    journal: {
      started({ id: callId, name: tool, args }) {
        // The card of a call is on the disk before the call can do anything.
        settle();
        store.recordIntent(sessionId, { callId, turnId, tool, args, at: clock.now() });
      },
      ended(callId, ok, result) {
        try {
          store.recordResult(sessionId, { callId, ok, result, at: clock.now() });
        } catch (error) {
          // It ran, and its result goes on to the model and the person: without this line it counts as unknown.
          log.error('A line of the journal could not be written', error, { sessionId });
        }
      },
    },
    authorize: (request, tell, signal) => approvals.authorize(request, tell, signal),
    told,
    taint: () => sessionTaint(store, sessionId, context.messages()),
    workspace,
    folderAdvice: () => (session.summary.importedFrom == null ? null : importedAdvice),
    contextParts: () => session.state.context?.parts,
    opening: () => opening({ path: workspace, platform }, memoryEnabled() ? memory.block(escapeNotes) : ''),
    recalled: (text) => (memoryEnabled() ? recallNote(factsFor(text), escapeNotes) : null),
    clock,
    newId,
    nextIndex,
    readingSpeed: (model) => rates.of(model),
    reportRefusedGrammar,
    onInternalError: (error) => log.error('A tool or a request failed inside Andiron', error),
  };
}

const importedAdvice =
  'This conversation was imported and works in an empty folder until the person chooses its folder in the window. What was said of files before is not here: ask them to choose the folder.';
