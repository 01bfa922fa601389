import { PassThrough, Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { hostStub } from '../cli/testing/host-stub.ts';
import { serveAcp } from './serve-acp.ts';

const session = { id: 'ses_1', workspace: '/w', title: '', profileId: 'p', model: null, updatedAt: 0 };
const results: Readonly<Record<string, object>> = {
  'host/about': { version: '1' },
  'host/subscribe': { profiles: [], sessions: [] },
  'model/list': { models: [] },
  'session/create': { session },
  'session/subscribe': { seq: 0, snapshot: { session, turns: [], items: [], hasOlder: false } },
};

/** An editor with one session, on a host that is asked for an attachment and never answers. */
async function openEditor() {
  const attaching = Promise.withResolvers<void>();
  const { rpc, calls } = hostStub(({ method }) => {
    if (method !== 'attachment/add') return results[method] ?? {};
    attaching.resolve();
    return Promise.withResolvers().promise;
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveAcp({
    rpc,
    input,
    output,
    note: () => undefined,
    signal: new AbortController().signal,
  });
  onTestFinished(async () => {
    input.end();
    rpc.close();
    await served;
  });
  const { agent } = client({ name: 'editor' }).connect(
    ndJsonStream(
      Writable.toWeb(input) as WritableStream<Uint8Array>,
      Readable.toWeb(output) as ReadableStream<Uint8Array>,
    ),
  );
  await agent.request(methods.agent.initialize, { protocolVersion: 1 });
  await agent.request(methods.agent.session.new, { cwd: '/w', mcpServers: [] });
  return { agent, calls, attaching: attaching.promise };
}

test('a prompt that is cancelled while its files are attached ends as cancelled, and begins no turn', async () => {
  const { agent, calls, attaching } = await openEditor();
  const answer = agent.request(methods.agent.session.prompt, {
    sessionId: 'ses_1',
    prompt: [{ type: 'resource', resource: { uri: 'file:///w/a.txt', text: 'words' } }],
  });
  await attaching;
  await agent.notify(methods.agent.session.cancel, { sessionId: 'ses_1' });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
  expect(calls.map(({ method }) => method)).not.toContain('turn/start');
});
