/** Connections to stores: snapshots at once, events at most once per frame. */
import type { EngineEvent, HostEvent, SessionEvent } from '../../protocol/events.ts';
import { sessionTopic } from '../../protocol/frames.ts';
import type { SessionSnapshot } from '../../protocol/model.ts';
import type { EngineConnection, HostConnection, Services } from '../commands/command.ts';
import type { Stores } from '../stores/stores.ts';
import { applyEngineEvents, applyEngineSnapshot, applyTimeline } from '../stores/engine-store.ts';
import { createFrameBatch, type FrameClock } from '../stores/frame-batch.ts';
import { applyHostEvents } from '../stores/host-store.ts';
import { applySessionEvents, applySessionSnapshot, resetSession } from '../stores/session-store.ts';
import { addNews, addNotice, type UiStore } from '../stores/ui-store.ts';
import { schedulePane } from '../text.ts';
import { followUnread } from './follow-unread.ts';

/** Keeps the stores in step with host and engine until the page goes. */
export function startSync({ host, engine, stores, now }: Services, clock: FrameClock): void {
  host.onState((connection) => stores.host.setState({ connection, connectionSince: now() }));
  engine.onState((connection) => stores.engine.setState({ connection, connectionSince: now() }));
  followUnread(stores);
  followHost(host, stores, clock);
  followEngine(engine, stores, clock);
  followOpenSession(host, stores, clock);
  host.start();
  engine.start();
}

function reportTo(ui: UiStore): (error: unknown) => void {
  return (error) => addNotice(ui, error instanceof Error ? error.message : String(error), '');
}

function followHost(host: HostConnection, stores: Stores, clock: FrameClock): void {
  const batch = createFrameBatch<HostEvent>(clock, (events) => applyHostEvents(stores.host, events));
  host.follow('host', {
    subscribe: () => host.call('host/subscribe', {}),
    onSnapshot({ sessions, profiles, problems, defaults, hosts = [], exam = null, exams = [] }) {
      batch.clear();
      stores.host.setState({ sessions, profiles, problems, defaults, hosts: new Set(hosts), exam, exams });
      forgetMissingSession(stores);
    },
    onEvent(event) {
      const given = event as HostEvent;
      if (given.type === 'schedule/ended') reportRun(stores.ui, given);
      batch.push(given);
    },
    onError: ignoreDisconnect(reportTo(stores.ui)),
  });
}

/** What a job did while nobody looked; a failure stays until it was read. */
function reportRun(
  ui: UiStore,
  { name, state, reason, detail, sessionId }: Extract<HostEvent, { type: 'schedule/ended' }>,
): void {
  if (state === 'running') return;
  const { ended } = schedulePane;
  const more = sessionId === null ? {} : { opens: sessionId };
  const [message, advice] = [ended[state](name), ended.why(reason, detail)];
  if (state === 'failed') addNotice(ui, message, advice, more);
  else addNews(ui, message, { advice, ...more });
}

/** The session that was open last time may have been deleted since. */
function forgetMissingSession({ host, ui }: Stores): void {
  const { openSessionId } = ui.getState();
  const { sessions } = host.getState();
  if (openSessionId !== null && !sessions.some((session) => session.id === openSessionId)) {
    ui.setState({ openSessionId: null });
  }
}

function followEngine(engine: EngineConnection, stores: Stores, clock: FrameClock): void {
  const batch = createFrameBatch<EngineEvent>(clock, (events) => applyEngineEvents(stores.engine, events));
  engine.follow('engine', {
    subscribe: () => engine.call('engine/subscribe', {}),
    onSnapshot({ state }) {
      batch.clear();
      applyEngineSnapshot(stores.engine, state);
      // Without it the timeline begins now: nothing that a person would have to be told.
      void engine
        .call('engine/timeline', {})
        .then(({ points }) => applyTimeline(stores.engine, points))
        .catch(() => null);
    },
    onEvent: (event) => batch.push(event as EngineEvent),
    onError: ignoreDisconnect(reportTo(stores.ui)),
  });
}

/** Follows whichever session is open. */
function followOpenSession(host: HostConnection, stores: Stores, clock: FrameClock): void {
  const batch = createFrameBatch<SessionEvent>(clock, (events) => applySessionEvents(stores.session, events));
  let unfollow: (() => void) | undefined;

  const open = (sessionId: string | null): void => {
    const before = stores.session.getState().sessionId;
    unfollow?.();
    unfollow = undefined;
    batch.clear();
    // A lost connection has already ended the subscription.
    if (before !== null) host.call('session/unsubscribe', { sessionId: before }).catch(() => null);
    resetSession(stores.session, sessionId);
    if (sessionId === null) return;
    unfollow = host.follow(sessionTopic(sessionId), {
      subscribe: () => host.call('session/subscribe', { sessionId }),
      onSnapshot({ snapshot }: { seq: number; epoch: string; snapshot: SessionSnapshot }) {
        batch.clear();
        applySessionSnapshot(stores.session, snapshot);
      },
      onEvent: (event) => batch.push(event as SessionEvent),
      onError: ignoreDisconnect((error) => {
        if (isCode(error, 'not_found')) stores.ui.setState({ openSessionId: null });
        else reportTo(stores.ui)(error);
      }),
    });
  };

  open(stores.ui.getState().openSessionId);
  stores.ui.subscribe((ui, before) => {
    if (ui.openSessionId !== before.openSessionId) open(ui.openSessionId);
  });
  // Another window may delete the session that is open here.
  stores.host.subscribe((state, before) => {
    if (state.sessions !== before.sessions && state.sessions.length < before.sessions.length) {
      forgetMissingSession(stores);
    }
  });
}

/** A lost connection is told by the connection's own state. */
function ignoreDisconnect(report: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!isCode(error, 'disconnected')) report(error);
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
