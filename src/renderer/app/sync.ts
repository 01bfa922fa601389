/** Connections to stores: snapshots at once, events at most once per frame. */
import type { EngineEvent, HostEvent, SessionEvent } from '../../protocol/events.ts';
import { sessionTopic } from '../../protocol/frames.ts';
import type { SessionSnapshot } from '../../protocol/model.ts';
import type { Services } from '../commands/command.ts';
import { applyEngineEvents, applyEngineSnapshot, applyTimeline } from '../stores/engine-store.ts';
import { createFrameBatch, type FrameClock } from '../stores/frame-batch.ts';
import { applyHostEvents } from '../stores/host-store.ts';
import { applySessionEvents, applySessionSnapshot, resetSession } from '../stores/session-store.ts';
import { addNotice } from '../stores/ui-store.ts';
import { followUnread } from './follow-unread.ts';

/** Keeps the stores in step with host and engine until the page goes. */
export function startSync(services: Services, clock: FrameClock): void {
  const { host, engine, stores } = services;
  host.onState((connection) => stores.host.setState({ connection, connectionSince: services.now() }));
  engine.onState((connection) => stores.engine.setState({ connection, connectionSince: services.now() }));
  followUnread(stores);
  followHost(services, clock);
  followEngine(services, clock);
  followOpenSession(services, clock);
  host.start();
  engine.start();
}

function reportTo({ stores }: Services): (error: unknown) => void {
  return (error) => addNotice(stores.ui, error instanceof Error ? error.message : String(error), '');
}

function followHost(services: Services, clock: FrameClock): void {
  const { host, stores } = services;
  const batch = createFrameBatch<HostEvent>(clock, (events) => applyHostEvents(stores.host, events));
  host.follow('host', {
    subscribe: () => host.call('host/subscribe', {}),
    onSnapshot({ sessions, profiles, problems, defaults, hosts = [], exam = null, exams = [] }) {
      batch.clear();
      stores.host.setState({ sessions, profiles, problems, defaults, hosts: new Set(hosts), exam, exams });
      forgetMissingSession(services);
    },
    onEvent: (event) => batch.push(event as HostEvent),
    onError: ignoreDisconnect(reportTo(services)),
  });
}

/** The session that was open last time may have been deleted since. */
function forgetMissingSession({ stores }: Services): void {
  const { openSessionId } = stores.ui.getState();
  const { sessions } = stores.host.getState();
  if (openSessionId !== null && !sessions.some((session) => session.id === openSessionId)) {
    stores.ui.setState({ openSessionId: null });
  }
}

function followEngine(services: Services, clock: FrameClock): void {
  const { engine, stores } = services;
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
    onError: ignoreDisconnect(reportTo(services)),
  });
}

/** Follows whichever session is open. */
function followOpenSession(services: Services, clock: FrameClock): void {
  const { host, stores } = services;
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
        else reportTo(services)(error);
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
      forgetMissingSession(services);
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
