/**
 * Has the model that just answered a session write its title: on the session's live prompt, so that only the question is
 * read, and only while nobody waits for the GPU. Whatever a person starts calls it off, and it is asked again another time.
 */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { EngineState, SessionSummary, Turn } from '../../protocol/model.ts';
import { ownPlatforms, windowPlatform } from '../../protocol/principal.ts';
import type { EngineAccess, Lease, LeaseRequest } from '../loop/deps.ts';
import type { RequestScope } from '../loop/ports.ts';
import { asSent } from '../loop/request/as-sent.ts';
import { askSide } from '../loop/request/ask-side.ts';
import { usedTokens, windowOf } from '../loop/request/model-request.ts';
import { settingOf } from '../loop/setting.ts';
import { escapeNotes } from '../prompt/notes.ts';
import type { CacheTrackers } from '../models/cache-trackers.ts';
import type { ContextMessage, MeteredProvider } from '../providers/provider.ts';
import type { Store } from '../store/store.ts';
import type { WarmTarget } from '../warm/prefix-warmer.ts';
import { isWorking, type SummaryChanges } from './session-summary.ts';
import { isForProgram } from './queue-order.ts';
import { isAnswered, isReplaceable, nextDue } from './title-due.ts';
import { titleIn, titleInstruction, type Before } from './title-text.ts';

/** After the last turn: the person may send the next message at once, and the prompt is read ahead first. */
const idleMs = 2_500;
const maxTextTokens = 60;
const maxThinkingTokens = 800;
/** Of the question itself, with room to spare. */
const questionTokens = 200;
const temperature = 0.2;
/** The question itself counts where it was called off before, and a template may write the end of the log in another way. */
const maxReread = 160;

/** A session, as far as it is named. */
interface NamedSession extends WarmTarget {
  readonly summary: SessionSummary;
  change(changes: SummaryChanges): void;
}

export interface TitleWorkDeps {
  store: Pick<Store, 'titleDue' | 'setTitleDue' | 'allTurns'>;
  gpu: {
    /** undefined = not connected. */
    state(): EngineState | undefined;
    /** Behind every turn. */
    acquireToWarm(request: LeaseRequest, signal: AbortSignal): Promise<Lease>;
  };
  engine: Pick<EngineAccess, 'chooseModel' | 'residency'>;
  /** It counts as Andiron's own: whoever writes in the session did not ask for it. */
  counts: { providerFor(purpose: 'title'): MeteredProvider };
  open: (sessionId: string) => NamedSession;
  /** `ANDIRON_TITLES=off`: no model is asked. */
  env: Readonly<Record<string, string | undefined>>;
  /** What the engine is believed to hold. */
  trackers: Pick<CacheTrackers, 'predictWith'>;
  clock: Clock;
  log: Log;
}

/** A session whose title is asked for after so many answered turns. */
interface Wish {
  answered: number;
  /** Of the newest turn. */
  model: string;
  /** What the title is to be about. */
  message: string;
  before: Before | null;
}

export function createTitleWork(deps: TitleWorkDeps) {
  const { clock, log, env } = deps;
  const mayName = env['ANDIRON_TITLES'] !== 'off';
  /** The one whose prompt the engine holds, if nothing else was asked since. */
  let last: string | undefined;
  const working = new Set<string>();
  let timer: Timer | undefined;
  let controller: AbortController | undefined;
  let work: Promise<void> = Promise.resolve();
  let isClosed = false;

  function look(): void {
    const id = last;
    last = undefined;
    if (id === undefined || controller || isClosed) return;
    const calledOff = new AbortController();
    controller = calledOff;
    work = nameSession(id, calledOff.signal, deps)
      .catch((error: unknown) => {
        if (!calledOff.signal.aborted)
          log.warn('A session could not be given a title', { sessionId: id, error: String(error) });
      })
      .finally(() => (controller = undefined));
  }

  function note(session: SessionSummary): void {
    if (isWorking(session)) {
      working.add(session.id);
      last = undefined;
    } else if (working.delete(session.id)) last = session.id;
  }

  const callOff = (): void => {
    timer?.cancel();
    controller?.abort(new AndironError('cancelled', 'Something more urgent needs the GPU.'));
  };

  return {
    /** A session has changed, and so many turns run now: any of them calls the work off. */
    turns(count: number, changed: SessionSummary): void {
      note(changed);
      if (count > 0) callOff();
      else if (last !== undefined && !isClosed && mayName) {
        timer?.cancel();
        timer = clock.after(idleMs, look);
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      callOff();
      await work;
    },
  };
}

async function nameSession(id: string, signal: AbortSignal, deps: TitleWorkDeps): Promise<void> {
  const { store, engine, gpu } = deps;
  const session = deps.open(id);
  const wish = wishOf(session, store);
  if (wish === null || isNeeded(gpu.state())) return;
  const waiting = session.sideRun(signal);
  const active = waiting.model.active();
  const model = await engine.chooseModel(active.profile, active.pinnedModel, signal);
  // Another model has read none of it, and one on another host may cost money and has no digest of its own.
  if (model.name !== wish.model || model.digest === model.name) return;
  if (!(await engine.residency(model.name))?.loaded) return;
  const { contextTokens } = active.profile;
  const lease = await gpu.acquireToWarm({ model: model.name, contextTokens, label: 'Title' }, signal);
  try {
    const policy = await waiting.model.templates.policyOf(lease, signal);
    // Nobody else answers in its place: who is asked then has read nothing.
    const port = { ...waiting.model, provider: deps.counts.providerFor('title'), fallbacks: () => undefined };
    const setting = settingOf({ active, lease, policy }, port.models);
    const scope = { ...waiting, model: port, setting };
    const messages = [...scope.history.log.messages(), question(wish)];
    if (!isCheap(id, messages, scope, deps.trackers)) return;
    await ask(session, { ...wish, messages }, scope, signal, store);
  } finally {
    lease.release(false);
  }
}

const question = ({ message, before }: Wish): ContextMessage => ({
  role: 'user',
  content: escapeNotes(titleInstruction(message, before)),
});

/** The engine still holds the prompt, and has room for the question behind it. */
function isCheap(
  sessionId: string,
  messages: readonly ContextMessage[],
  scope: RequestScope,
  trackers: TitleWorkDeps['trackers'],
): boolean {
  const { setting } = scope;
  const room = windowOf(setting) - usedTokens(scope);
  if (room < questionTokens + maxTextTokens + maxThinkingTokens) return false;
  const sent = asSent(messages, setting.lease.model, setting);
  const price = trackers.predictWith(sessionId, () => sent);
  return price !== null && price.model === setting.lease.model.name && price.reread <= maxReread;
}

async function ask(
  session: NamedSession,
  { answered, before, messages }: Wish & { messages: readonly ContextMessage[] },
  scope: RequestScope,
  signal: AbortSignal,
  store: Pick<Store, 'setTitleDue' | 'allTurns'>,
): Promise<void> {
  const bounds = { maxTextTokens, maxThinkingTokens, temperature };
  const reply = await askSide({ purpose: 'title', messages, ...bounds }, scope, signal);
  store.setTitleDue(session.id, nextDue(answered));
  const title = reply.calls.length > 0 ? null : titleIn(reply.text, before);
  // Meanwhile the person may have named it.
  if (title !== null && isReplaceable(session.summary, store.allTurns(session.id)[0]))
    session.change({ title, titledBy: 'model' });
}

/** null = it has a title, or none is asked for now. */
function wishOf(session: NamedSession, store: Pick<Store, 'titleDue' | 'allTurns'>): Wish | null {
  const { summary } = session;
  const turns = store.allTurns(session.id);
  const newest = turns.findLast(({ replaced }) => replaced !== true);
  const model = newest?.model;
  if (!newest || model == null || !isOfPerson(summary, newest) || !isAnswered(newest)) return null;
  const answered = turns.filter(isAnswered).length;
  if (answered < store.titleDue(session.id) || !isReplaceable(summary, turns[0])) return null;
  const end = session.log.messages().at(-1);
  if (end?.role !== 'assistant' || end.calls.length > 0) return null;
  const isCopied = summary.forkedFrom !== undefined && /\(\d{1,4}\)$/.test(summary.title);
  const before = isCopied || summary.titledBy === 'model' ? { title: summary.title, isCopied } : null;
  const { text: message } = before === null ? (turns[0] ?? newest) : newest;
  return { answered, model, message, before };
}

/** Programs and jobs read no list. */
function isOfPerson({ place }: SessionSummary, newest: Turn): boolean {
  const platform = place?.platform ?? windowPlatform;
  return (platform === windowPlatform || !ownPlatforms.has(platform)) && !isForProgram(newest);
}

/** Also by somebody who is no session, such as whoever lends the GPU. */
const isNeeded = (state: EngineState | undefined): boolean =>
  state === undefined || state.lent !== null || state.queue.some(({ purpose }) => purpose === 'turn');
