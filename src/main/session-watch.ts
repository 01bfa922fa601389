/** What runs and what asks, for the tray, and where sessions work: main is one more window of the host, which only listens. */
import { MessageChannelMain, type MessagePortMain } from 'electron';
import { pipeFromPort } from '../platform/pipe.ts';
import type { HostEvent } from '../protocol/events.ts';
import type { HostMethods } from '../protocol/host-methods.ts';
import type { SessionSummary } from '../protocol/model.ts';
import { createRpcClient } from '../protocol/rpc-client.ts';

/** A session whose turn runs, or waits for an answer. */
export type BusySession = Pick<SessionSummary, 'id' | 'title' | 'status'>;

export type SessionWatch = ReturnType<typeof watchSessions>;

/** Until the host is gone; then nothing is busy, and the next host is watched anew. */
export function watchSessions(connect: (port: MessagePortMain) => void, onChange: () => void) {
  const { port1, port2 } = new MessageChannelMain();
  connect(port1);
  const client = createRpcClient<HostMethods>(pipeFromPort(port2));
  let sessions: SessionSummary[] = [];
  let early: HostEvent[] | null = [];

  const apply = (event: HostEvent): void => {
    if (event.type === 'session/upserted') {
      sessions = [...sessions.filter(({ id }) => id !== event.session.id), event.session];
    } else if (event.type === 'session/removed') {
      sessions = sessions.filter(({ id }) => id !== event.sessionId);
    }
  };
  client.onEvent((topic, _seq, event) => {
    if (topic !== 'host') return;
    if (early) early.push(event as HostEvent);
    else {
      apply(event as HostEvent);
      onChange();
    }
  });
  client.onClose(() => {
    sessions = [];
    onChange();
  });
  const begin = async (): Promise<void> => {
    ({ sessions } = await client.call('host/subscribe', {}));
    // Upserts and removals may be told twice without harm.
    for (const event of early ?? []) apply(event);
    early = null;
    onChange();
  };
  // Only a lost connection refuses it; that is told by its end.
  begin().catch(() => null);

  return {
    /** Those that ask first. */
    busy: (): BusySession[] =>
      sessions
        .filter(({ status }) => status === 'asking' || status === 'running')
        .toSorted((a, b) => Number(b.status === 'asking') - Number(a.status === 'asking'))
        .map(({ id, title, status }) => ({ id, title, status })),
    /** null = there is no such session. */
    workspaceOf: (sessionId: string): string | null =>
      sessions.find(({ id }) => id === sessionId)?.workspace ?? null,
    async stop(sessionId: string): Promise<void> {
      await client.call('turn/stop', { sessionId });
    },
  };
}
