/** What a session gives its turns: its log, its journal, its folder, and the services of the host. */
import type { SessionSummary } from '../../protocol/model.ts';
import { itemList } from '../../protocol/reducer.ts';
import type { CallJournal, ContextLog, Emit, ReadTexts } from '../loop/deps.ts';
import type { HistoryPort, ModelPort, Ports, ToolPort } from '../loop/ports.ts';
import { factLine } from '../memory/facts.ts';
import type { Near } from '../memory/meaning/nearest.ts';
import { isTaught, type Memory } from '../memory/memory.ts';
import { recallNote } from '../memory/memory-block.ts';
import { escapeNotes } from '../prompt/notes.ts';
import { opening } from '../prompt/opening.ts';
import { narrowedBy, noteGuidance, readSkillsOf, sessionGuidance } from '../approvals/instructed.ts';
import { prepareOpening } from './prepare-opening.ts';
import { readMessage } from '../prompt/person-message.ts';
import type { CountRequest } from '../providers/provider.ts';
import { runEphemeral } from '../subagents/run-ephemeral.ts';
import type { RunningCalls } from '../subagents/running-calls.ts';
import { packText } from '../store/tool-results.ts';
import { advised } from '../tools/advice.ts';
import type { AttachedFile } from '../prompt/attached.ts';
import { ToolFailure, type ProfileChoice, type ResultPicture } from '../tools/tool.ts';
import type { Approvals } from '../approvals/approvals.ts';
import { headIdOf, type HeadInForce } from '../models/head-source.ts';
import { createSessionData } from './session-data.ts';
import {
  hostsReached,
  importedTurns,
  noteReached,
  noteRecalled,
  readElsewhere,
  recalledLines,
  sessionTaint,
} from '../approvals/taint.ts';
import { foreignTexts } from '../approvals/text-sources.ts';
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
  preempted: AbortSignal;
  context: ContextLog;
  approvals: Approvals;
  agents: RunningCalls;
  /** Calls that run now, each with its own stop. */
  calls: RunningCalls;
  workspace: string;
  nextIndex: () => number;
  /** What the person is shown of the turn so far is stored. */
  settle: () => void;
  /** Of each request that a model has seen. */
  count: CountRequest;
  /** What was said once in this session since Andiron started. */
  said: Set<string>;
}

export function turnPorts(turnId: string, emit: Emit, parts: TurnParts, host: SessionDeps): Ports {
  const { clock, newId, log } = host;
  const { session } = parts;
  const forTurn = host.heads.forTurn(session.id);
  const head = (): HeadInForce => forTurn(session.summary.profileId);
  return {
    model: modelPort(turnId, head, parts, host),
    history: historyPort(turnId, head, parts, host),
    tools: toolPort(emit, head, parts, host),
    out: {
      emit,
      clock,
      newId,
      nextIndex: parts.nextIndex,
      said: parts.said,
      reportBug: (error) => log.error('A tool or a request failed inside Andiron', error),
    },
  };
}

type Head = () => HeadInForce;

function modelPort(
  turnId: string,
  head: Head,
  { session, closing, preempted, count }: TurnParts,
  host: SessionDeps,
): ModelPort {
  const { metered, engine, templates, abilities, trackers, slots, warmer, rates, reportRefusedGrammar } =
    host;
  const isForProgram = (): boolean => session.state.turns.find(({ id }) => id === turnId)?.mayPlan === false;
  return {
    // A long turn is not paid for by its first request (P18).
    provider: metered(count, () => host.assertTokensLeft(session.id)),
    engine,
    active: () => ({
      ...head(),
      pinnedModel: session.summary.model,
      wantedFor: host.wantedFor(session.id, isForProgram()),
      headId: (model) => headIdOf(head(), model),
    }),
    templates,
    models: abilities,
    meeting: host.meetings,
    tracker: trackers.of(session.id),
    slots,
    proof: {
      prove: (lease, silenceMs) => warmer.prove(session, { deadlineMs: silenceMs, signal: closing, lease }),
      closing,
      preempted,
    },
    fallbacks: ({ name }, { profile, pinnedModel }) =>
      pinnedModel === null ? host.fallbacks(name, profile.models) : undefined,
    readingSpeed: (model) => rates.of(model),
    reportRefusedGrammar,
  };
}

function historyPort(
  turnId: string,
  head: Head,
  { session, context, workspace, settle }: TurnParts,
  host: SessionDeps,
): HistoryPort {
  const { memories, meaning, platform, store } = host;
  // Looked up when it is asked for: a turn that begins as the host dies must end by its own rules.
  const memory = (): Memory => memories.ofSession(session.id);
  const mayRemember = (): boolean => head().profile.memoryEnabled;
  let near: readonly Near[] = [];
  return {
    log: context,
    journal: callJournal(session.id, turnId, settle, host),
    opening: () =>
      opening(
        { path: workspace, platform },
        mayRemember() ? memory().block(escapeNotes) : '',
        sessionGuidance(store, session.id).text,
      ),
    prepareOpening(message, signal) {
      const active = { ...head(), pinnedModel: session.summary.model };
      const text = readMessage(message);
      return prepareOpening({ sessionId: session.id, workspace, active, text }, host, signal);
    },
    noteOpening() {
      noteGuidance(store, session.id);
      if (mayRemember()) noteRecalled(store, session.id, memory().taughtInBlock());
    },
    prepareRecall(message, signal) {
      const finding = mayRemember() ? meaning.near(session.id, readMessage(message), signal) : null;
      return finding && finding.then((found) => void (near = found));
    },
    recalled(message) {
      if (!mayRemember()) return null;
      const found = memory().recall(readMessage(message), near);
      const facts = found.map(({ fact }) => fact);
      noteRecalled(store, session.id, facts.filter(isTaught).map(factLine));
      return recallNote(facts, escapeNotes);
    },
    contextParts: () => session.state.context?.parts,
  };
}

function callJournal(
  sessionId: string,
  turnId: string,
  settle: () => void,
  { store, clock, log }: Pick<SessionDeps, 'store' | 'clock' | 'log'>,
): CallJournal {
  return {
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
  };
}

function toolPort(emit: Emit, head: Head, parts: TurnParts, host: SessionDeps): ToolPort {
  const { session, approvals, agents, calls, workspace } = parts;
  const { store, tools, heads, look, workspaceEntries, attachments, log } = host;
  const sessionId = session.id;
  return {
    sessionId,
    tools,
    workspace: {
      path: workspace,
      advice: () => (session.summary.importedFrom == null ? null : importedAdvice),
      entries: () => workspaceEntries(workspace),
      look: (check) => look(workspace, check),
    },
    attached: {
      take: (...given) => attachments.take(...given),
      paths: () => attachments.pathsOf(sessionId),
      keep: (pictures) => keepPictures(pictures, sessionId, host),
    },
    data: createSessionData(
      store,
      sessionId,
      (todo) => emit({ type: 'todo/changed', todo }),
      () => head().profile.stepValidationEnabled,
    ),
    profiles: profileChoice(session, host),
    agents: (parent, itemId) => ({
      spawn: (request, callId, signal) =>
        runEphemeral(
          request,
          { parent, itemId, callId, heads: heads.choosable(sessionId), running: agents },
          signal,
        ),
    }),
    authorize: (request, notify, signal) => approvals.authorize(request, notify, signal),
    reads: readTexts(parts, host),
    hosts: { reached: (reached) => noteReached(store, sessionId, reached) },
    calls: {
      add: (callId, stop) => calls.add(callId, stop),
      askForm: (request, notify, signal) => approvals.askForm(request, notify, signal),
    },
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
  };
}

/** It is the session's before anything names it: a draft would be swept away. */
async function keepPictures(
  pictures: readonly ResultPicture[],
  sessionId: string,
  { attachments, store, log }: Pick<SessionDeps, 'attachments' | 'store' | 'log'>,
): Promise<AttachedFile[]> {
  const kept: AttachedFile[] = [];
  for (const { name, bytes, from } of pictures) {
    try {
      const attachment = await attachments.addBytes(name, bytes, from);
      store.claimAttachments(sessionId, [attachment.id]);
      kept.push({ ...attachment, path: attachments.pathOf(attachment) });
    } catch (error) {
      log.error('A picture of a result could not be kept', error, { sessionId });
    }
  }
  return kept;
}

const maxNamedInstructions = 8;
const namedMark = 'instructions in ';

/** Named once while Andiron runs: what was said stands in the log. */
function isNews(file: string, said: Set<string>): boolean {
  const named = [...said].filter((each) => each.startsWith(namedMark));
  if (named.includes(namedMark + file) || named.length >= maxNamedInstructions) return false;
  said.add(namedMark + file);
  return true;
}

function readTexts(
  { session, context, workspace, said }: Pick<TurnParts, 'session' | 'context' | 'workspace' | 'said'>,
  { store, skills }: Pick<SessionDeps, 'store' | 'skills'>,
): ReadTexts {
  const { id } = session;
  return {
    skills: {
      folders: () =>
        readSkillsOf(store, id).flatMap(({ folder }) => (skills.mayRead(folder) ? [folder] : [])),
      narrowedBy: (call) => narrowedBy(store, id, call),
      instructionsNear: async (file) => {
        const found = await skills.instructionsNear(workspace, file);
        return found !== null && isNews(found, said) ? found : null;
      },
    },
    taint: () => sessionTaint(store, id, context.messages()),
    elsewhere: (name) => readElsewhere(store, id, name),
    recalled: (lines) => noteRecalled(store, id, lines),
    foreign() {
      const texts = foreignTexts(context.owned(), importedTurns(store, id), hostsReached(store, id));
      const remembered = recalledLines(store, id).toReversed();
      return [
        ...texts,
        ...remembered.map((text) => ({ source: { kind: 'memory', name: '' } as const, text })),
      ];
    },
    own() {
      const imported = importedTurns(store, id);
      const turns = store.allTurns(id).filter((turn) => !imported.has(turn.id) && !turn.from);
      // What the person wrote at a question stands in the result of its call.
      const answers = itemList(session.state)
        .toArray()
        .flatMap((item) =>
          item.kind === 'tool' && !imported.has(item.turnId) ? [item.reply, item.edited?.text] : [],
        );
      return [...turns.map(({ text }) => text), ...answers.filter((text) => text !== undefined)];
    },
  };
}

function profileChoice(
  session: TurnParts['session'],
  { heads, trackers }: Pick<SessionDeps, 'heads' | 'trackers'>,
): ProfileChoice {
  const choosable = heads.choosable(session.id);
  return {
    list: () =>
      choosable.profiles().map(({ id, name, description, models }) => ({
        id,
        name,
        description,
        current: id === session.summary.profileId,
        // As models of other hosts are named, and some of Ollama's.
        maySend: models.some((model) => model.includes('/')),
      })),
    switchTo(profileId) {
      const known = choosable.profiles().map(({ id }) => id);
      if (!known.includes(profileId))
        throw new ToolFailure(
          `there is no profile ${profileId.slice(0, 80)}. The profiles are: ${known.join(', ')}.`,
        );
      session.change({ profileId });
      trackers.announce(session.id, {
        by: 'andiron',
        detail: `The model switched to the profile ${profileId}.`,
      });
    },
  };
}

const importedAdvice = advised(
  (advise) =>
    `This conversation was imported and works in an empty folder until the person chooses its folder in the window. What was said of files before is not here${advise(': ask them to choose the folder')}.`,
);
