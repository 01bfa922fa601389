/** Sessions of an editor over the Agent Client Protocol, in the whole house, with the client of the protocol's own library. */
import { PassThrough, Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, type SessionUpdate } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveAcp } from '../../src/acp/serve-acp.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';

const answers = script([
  rule({ user: 'run it', resultCount: 0 }, reply().toolCall('run_command', { command: 'true' })),
  rule({ user: 'run it' }, reply().text('Ran.')),
  rule({}, reply().text('Hello.')),
]);

let world: World;
let editor: Awaited<ReturnType<typeof openEditor>>;
beforeEach(async () => {
  world = await World.start({ sim: { script: answers } });
  editor = await openEditor();
});
afterEach(async () => {
  await editor.close();
  await world.close();
});

async function openEditor() {
  const { rpc } = world.openWindow();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveAcp({
    rpc,
    input,
    output,
    note: () => undefined,
    signal: new AbortController().signal,
  });
  const updates: SessionUpdate[] = [];
  const wanted = new Set<() => void>();
  const asked = Promise.withResolvers<void>();
  const declined = Promise.withResolvers<void>();
  const { agent } = client({ name: 'editor' })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
      for (const look of wanted) look();
    })
    .onRequest(methods.client.session.requestPermission, async () => {
      asked.resolve();
      await declined.promise;
      return { outcome: { outcome: 'selected', optionId: 'decline' } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(input) as WritableStream<Uint8Array>,
        Readable.toWeb(output) as ReadableStream<Uint8Array>,
      ),
    );
  await agent.request(methods.agent.initialize, { protocolVersion: 1 });
  const cwd = world.workspace;
  return {
    agent,
    asked: asked.promise,
    decline: () => declined.resolve(),
    open: async () => (await agent.request(methods.agent.session.new, { cwd, mcpServers: [] })).sessionId,
    load: (sessionId: string) =>
      agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] }),
    prompt: (sessionId: string, text: string) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] }),
    /** Resolves once the updates that came are so. */
    until: (areSo: (updates: readonly SessionUpdate[]) => boolean) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (areSo(updates)) resolve();
        };
        wanted.add(look);
        look();
      }),
    async close() {
      declined.resolve();
      input.end();
      // Ends a prompt that is not answered, too.
      rpc.close();
      await served;
    },
  };
}

const answerIn = (updates: readonly SessionUpdate[]): string =>
  updates
    .map((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? update.content.text
        : '',
    )
    .join('');

const hasGreetings = (updates: readonly SessionUpdate[]): boolean =>
  updates.some((update) => update.sessionUpdate === 'session_info_update' && update.title === 'Greetings');

test('a prompt that waits behind another of its session is answered after it', async () => {
  const sessionId = await editor.open();
  const view = await world.openWindow().follow(sessionId);
  const first = editor.prompt(sessionId, 'run it');
  await editor.asked;
  const second = editor.prompt(sessionId, 'hello');
  await view.until(({ turns }) => turns.length === 2);
  editor.decline();
  expect(await first).toEqual({ stopReason: 'end_turn' });
  expect(await second).toEqual({ stopReason: 'end_turn' });
  await editor.until((updates) => answerIn(updates).endsWith('Hello.'));
});

test('a title that changes between the turns of a session reaches the editor', async () => {
  const sessionId = await editor.open();
  await editor.prompt(sessionId, 'hello');
  await world.openWindow().rpc.call('session/update', { sessionId, title: 'Greetings' });
  await expect(editor.until(hasGreetings)).resolves.toBeUndefined();
});

test('a title that changes in a session that was loaded reaches the editor before its first prompt', async () => {
  const { rpc } = world.openWindow();
  const { session } = await rpc.call('session/create', {});
  await editor.load(session.id);
  await rpc.call('session/update', { sessionId: session.id, title: 'Greetings' });
  await expect(editor.until(hasGreetings)).resolves.toBeUndefined();
});
