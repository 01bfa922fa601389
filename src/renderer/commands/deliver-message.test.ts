import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import type { ConnectionState } from '../connection/connection.ts';
import { createOutbox } from '../stores/outbox.ts';
import { noStorage } from '../stores/storage.ts';
import { settled } from '../testing/fake-server.ts';
import { createDelivery } from './deliver-message.ts';

type Parts = Parameters<typeof createDelivery>;

/** A host whose calls end before its state says so, as with a socket whose listeners are told one after the other. */
function closingHost() {
  const listeners = new Set<(state: ConnectionState) => void>();
  const host = {
    state: 'live' as ConnectionState,
    calls: 0,
    call: () => {
      host.calls += 1;
      if (host.calls > 20) return Promise.reject(new Error('It is asked again and again.'));
      return host.state === 'live' && host.calls > 1
        ? Promise.resolve({ turnId: 'turn_1' })
        : Promise.reject(new AndironError('disconnected', 'The connection was lost.'));
    },
    onState: (listener: (state: ConnectionState) => void) => {
      listeners.add(listener);
      listener(host.state);
      return () => listeners.delete(listener);
    },
    become(state: ConnectionState): void {
      host.state = state;
      for (const each of listeners) each(state);
    },
  };
  return host;
}

test('A message whose connection is lost is not sent again before its connection has heard of that', async () => {
  const host = closingHost();
  const services = { host, outbox: createOutbox(noStorage, 'w'), now: () => 0 } as unknown as Parts[0];
  const { deliver } = createDelivery(services, {} as Parts[1], {} as Parts[2]);
  const unsent = { id: 'turn_1', sessionId: 's1', text: 'Hello', files: [], attachments: [], since: 0 };
  const delivered = deliver(unsent);
  await settled();
  expect(host.calls).toBe(1);
  host.become('lost');
  await settled();
  expect(host.calls).toBe(1);
  host.become('live');
  expect(await delivered).toEqual({ turnId: 'turn_1' });
  expect(host.calls).toBe(2);
});
