import { describe, expect, it } from 'vitest';
import type { HostMethods } from '../../protocol/host-methods.ts';
import { FakeServer, settled } from '../testing/fake-server.ts';
import { HandClock } from '../testing/window-kit.tsx';
import { Connection, type ConnectionState } from './connection.ts';
import { Refused } from './transports.ts';

async function connect(server = new FakeServer()) {
  const clock = new HandClock();
  const connection = new Connection<HostMethods>(server.connect, clock);
  const states: ConnectionState[] = [];
  connection.onState((state) => states.push(state));
  connection.start();
  await settled();
  return { server, clock, connection, states };
}

function followHost(connection: Connection<HostMethods>) {
  const seen: unknown[] = [];
  connection.follow('host', {
    subscribe: () => connection.call('host/subscribe', {}),
    onSnapshot: ({ seq }) => seen.push(`snapshot ${seq}`),
    onEvent: (event) => seen.push(event),
    onError: (error) => seen.push(error),
  });
  return seen;
}

const snapshot = (seq: number, epoch = 'epoch-1') => ({ seq, epoch });

describe('a connection', () => {
  it('is connecting, then live', async () => {
    const { states } = await connect();
    expect(states).toEqual(['connecting', 'live']);
  });

  it('is lost and tries again, each time later, up to a limit', async () => {
    const server = new FakeServer();
    server.refuses = true;
    const { clock, states } = await connect(server);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      waits.push(...clock.run());
      await settled();
    }
    expect(waits).toEqual([125, 250, 500, 1000, 2000, 2500, 2500, 2500]);
    expect(states).toEqual(['connecting', 'lost']);
    server.refuses = false;
    clock.run();
    await settled();
    expect(states.at(-1)).toBe('live');
  });

  it('says that it is refused where asking again does not help, and still notices a sign-in', async () => {
    const server = new FakeServer();
    let refused = true;
    const clock = new HandClock();
    const connection = new Connection<HostMethods>(
      (signal) => (refused ? Promise.reject(new Refused()) : server.connect(signal)),
      clock,
    );
    connection.start();
    await settled();
    expect(connection.state).toBe('refused');
    refused = false;
    clock.run();
    await settled();
    expect(connection.state).toBe('live');
  });

  it('tries at once when asked, and only once', async () => {
    const server = new FakeServer();
    server.refuses = true;
    const { clock, connection } = await connect(server);
    server.refuses = false;
    connection.retryNow();
    await settled();
    expect(connection.state).toBe('live');
    expect(clock.run()).toEqual([]);
    expect(server.attempts).toBe(2);
  });

  it('rejects calls as disconnected while there is none, and the ones it lost', async () => {
    const { server, connection } = await connect();
    const open = connection.call('session/delete', { sessionId: 's1' });
    server.drop();
    await expect(open).rejects.toMatchObject({ code: 'disconnected' });
    await expect(connection.call('session/delete', { sessionId: 's1' })).rejects.toMatchObject({
      code: 'disconnected',
    });
  });

  it('comes back with a new snapshot: nothing doubled, nothing lost', async () => {
    const { server, clock, connection } = await connect();
    server.answer('host/subscribe', () => snapshot(3));
    const seen = followHost(connection);
    await server.asked('host/subscribe');
    server.publish('host', 4, 'four');
    await settled();
    server.drop();
    await settled();
    server.answer('host/subscribe', () => snapshot(6));
    clock.run();
    await server.asked('host/subscribe', 2);
    server.publish('host', 6, 'six');
    server.publish('host', 7, 'seven');
    await settled();
    expect(seen).toEqual(['snapshot 3', 'four', 'snapshot 6', 'seven']);
  });

  it('asks anew when another process greets on the same connection', async () => {
    const { server, connection } = await connect();
    server.answer('host/subscribe', () => snapshot(3));
    followHost(connection);
    await server.asked('host/subscribe');
    server.greet('epoch-1');
    await settled();
    expect(server.count('host/subscribe')).toBe(1);
    server.greet('epoch-2');
    await server.asked('host/subscribe', 2);
  });

  it('does not hand an event of one topic to another', async () => {
    const { server, connection } = await connect();
    server.answer('host/subscribe', () => snapshot(0));
    const seen = followHost(connection);
    await server.asked('host/subscribe');
    server.publish('session:s1', 1, 'not yours');
    await settled();
    expect(seen).toEqual(['snapshot 0']);
  });

  it('stays closed once it is closed', async () => {
    const { server, clock, connection } = await connect();
    connection.close();
    await settled();
    clock.run();
    await settled();
    expect(server.attempts).toBe(1);
  });
});
