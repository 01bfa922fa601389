import { InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { McpServerState } from '../../protocol/mcp-methods.ts';
import { AndironError } from '../../protocol/errors.ts';
import { ServerLink } from './server-link.ts';

function linked({
  failure = null,
  isAtAddress = false,
}: { failure?: Error | null; isAtAddress?: boolean } = {}) {
  const states: McpServerState['state'][] = [];
  const pauses: { ms: number; run: () => void; isCancelled: boolean }[] = [];
  const servers: McpServer[] = [];
  const lists: string[][] = [];
  let now = 0;
  const setting = { failure };
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    after(ms, run) {
      const pause = { ms, run, isCancelled: false };
      pauses.push(pause);
      return { cancel: () => void (pause.isCancelled = true) };
    },
  };
  const link = new ServerLink({
    name: 'fake',
    isAtAddress,
    clock,
    version: '1',
    onState: ({ state }) => states.push(state),
    onTools: (tools) => lists.push(tools.map(({ name }) => name)),
    async open() {
      if (setting.failure) throw setting.failure;
      const [near, far] = InMemoryTransport.createLinkedPair();
      const server = new McpServer({ name: 'fake', version: '2' });
      server.registerTool('say', { inputSchema: z.object({}) }, () => ({ content: [] }));
      await server.connect(far);
      servers.push(server);
      return { transport: near, probeMs: 5_000, endsIfOld: true, lastWords: () => '' };
    },
  });
  const die = async (): Promise<void> => servers.at(-1)?.close();
  const pass = (ms: number): void => void (now += ms);
  return { link, states, pauses, servers, lists, setting, die, pass };
}

/** The last pause is over, and what began then has ended. */
async function resume({ pauses, link }: ReturnType<typeof linked>): Promise<void> {
  pauses.at(-1)?.run();
  while (link.state.state === 'connecting') await new Promise((resolve) => setImmediate(resolve));
}

test('A server is connected once, however many want it', async () => {
  const { link, servers, lists } = linked();
  await Promise.all([link.wake(), link.wake()]);
  await link.wake();
  expect(servers).toHaveLength(1);
  expect(lists).toEqual([['say']]);
  expect(link.state).toMatchObject({ state: 'ready', server: 'fake 2' });
});

test('A server that dies is started again after a pause, which grows with each end', async () => {
  const made = linked();
  await made.link.wake();
  await made.die();
  expect(made.link.state).toMatchObject({ state: 'failed', isFinal: false });
  expect(made.pauses.map(({ ms }) => ms)).toEqual([1_000]);
  await resume(made);
  expect(made.link.state.state).toBe('ready');
  await made.die();
  expect(made.pauses.map(({ ms }) => ms)).toEqual([1_000, 2_000]);
});

test('A server that worked for a minute begins with a short pause once more', async () => {
  const made = linked();
  await made.link.wake();
  await made.die();
  await resume(made);
  made.pass(60_000);
  await made.die();
  expect(made.pauses.map(({ ms }) => ms)).toEqual([1_000, 1_000]);
});

test('Nobody who wants a server in its pause shortens that', async () => {
  const made = linked({ failure: new Error('no') });
  await made.link.wake();
  await made.link.wake();
  expect(made.states).toEqual(['connecting', 'failed']);
});

test('After six ends in a row a server is given up until somebody refreshes it', async () => {
  const made = linked({ failure: new Error('no') });
  await made.link.wake();
  for (let index = 0; index < 5; index += 1) await resume(made);
  expect(made.link.state).toMatchObject({ state: 'failed', isFinal: true, message: 'no' });
  expect(made.pauses.map(({ ms }) => ms)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  made.setting.failure = null;
  await made.link.refresh();
  expect(made.link.state.state).toBe('ready');
});

test('A refresh tries once more where an attempt that was under way fails', async () => {
  const { link, setting } = linked({ failure: new Error('no') });
  void link.wake();
  setting.failure = null;
  await link.refresh();
  expect(link.state.state).toBe('ready');
});

test('A server at an address that was given up is tried again by whoever wants it a minute later', async () => {
  const made = linked({ failure: new Error('no'), isAtAddress: true });
  await made.link.wake();
  for (let index = 0; index < 5; index += 1) await resume(made);
  made.setting.failure = null;
  made.pass(60_000);
  await made.link.wake();
  expect(made.link.state.state).toBe('ready');
});

test('A server at an address that was given up is tried at most once a minute', async () => {
  const made = linked({ failure: new Error('no'), isAtAddress: true });
  await made.link.wake();
  for (let index = 0; index < 5; index += 1) await resume(made);
  const tried = () => made.states.filter((state) => state === 'connecting').length;
  made.pass(59_999);
  await made.link.wake();
  expect(tried()).toBe(6);
  made.pass(1);
  await made.link.wake();
  await made.link.wake();
  expect(tried()).toBe(7);
  expect(made.link.state).toMatchObject({ isFinal: true });
});

test('A server that is a process and was given up is not started by whoever wants it later', async () => {
  const made = linked({ failure: new Error('no') });
  await made.link.wake();
  for (let index = 0; index < 5; index += 1) await resume(made);
  made.pass(600_000);
  await made.link.wake();
  expect(made.states.filter((state) => state === 'connecting')).toHaveLength(6);
});

test('A server at an address that wants a sign-in is not asked again by whoever wants it later', async () => {
  const refused = new AndironError('not_allowed', 'The server wants you to sign in.');
  const made = linked({ failure: refused, isAtAddress: true });
  await made.link.wake();
  made.pass(600_000);
  await made.link.wake();
  expect(made.states).toEqual(['connecting', 'failed']);
});

test('What may not run is not tried again by itself', async () => {
  const made = linked({ failure: new AndironError('not_allowed', 'There is no sandbox.', 'Install one.') });
  await made.link.wake();
  expect(made.link.state).toMatchObject({ isFinal: true, advice: 'Install one.' });
  expect(made.pauses).toEqual([]);
});

test('A refresh asks a server that runs for its tools once more', async () => {
  const { link, lists, servers } = linked();
  await link.wake();
  servers[0]?.registerTool('hear', { inputSchema: z.object({}) }, () => ({ content: [] }));
  await link.refresh();
  expect(lists.at(-1)).toEqual(['hear', 'say']);
});

test('A link that was closed starts nothing more', async () => {
  const made = linked();
  await made.link.wake();
  await made.link.close();
  await made.link.wake();
  await made.link.refresh();
  expect(made.servers).toHaveLength(1);
  expect(made.pauses).toEqual([]);
});
