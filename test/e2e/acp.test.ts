/** The built `andiron acp` with the client of the protocol's own library, as an editor uses it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  methods,
  ndJsonStream,
  type ClientConnection,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../helpers/server-process.ts';
import { openCliHarness, type CliHarness } from './cli-harness.ts';

let harness: CliHarness;
let editors: { close(): Promise<void> }[];
beforeEach(async () => {
  harness = await openCliHarness();
  editors = [];
});
afterEach(async () => {
  for (const editor of editors) await editor.close();
  await harness.close();
});

interface Editor {
  child: ChildProcess;
  agent: ClientConnection['agent'];
  updates: SessionUpdate[];
  questions: RequestPermissionRequest[];
  /** Chosen for each question, by the beginning of its id; undefined = no answer comes. */
  choose: (optionId: string | undefined) => void;
  exitCode: Promise<number | null>;
}

async function openEditor(): Promise<Editor> {
  const args = [join(projectRoot, 'scripts', 'andiron.mjs'), 'acp', ...harness.options];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: harness.workspace });
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  let chosen: string | undefined = 'decline';
  const connection = client({ name: 'editor' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
      questions.push(params);
      const option = params.options.find(
        ({ optionId }) => chosen !== undefined && optionId.startsWith(chosen),
      );
      if (option) return { outcome: { outcome: 'selected', optionId: option.optionId } };
      await once(signal, 'abort');
      return { outcome: { outcome: 'cancelled' } };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  editors.push({
    close: async () => {
      connection.close();
      child.stdin.end();
      await exitCode;
    },
  });
  const about = await connection.agent.request(methods.agent.initialize, { protocolVersion: 1 });
  expect(about).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
  return { child, agent: connection.agent, updates, questions, choose: (id) => (chosen = id), exitCode };
}

const newSession = (agent: Editor['agent']) =>
  agent.request(methods.agent.session.new, { cwd: harness.workspace, mcpServers: [] });

const prompt = (agent: Editor['agent'], sessionId: string, text: string) =>
  agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });

const textOf = (updates: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate']): string =>
  updates
    .map((update) =>
      update.sessionUpdate === kind && 'content' in update && update.content && 'type' in update.content
        ? update.content.type === 'text'
          ? update.content.text
          : ''
        : '',
    )
    .join('');

const ofKind = (updates: readonly SessionUpdate[], kind: SessionUpdate['sessionUpdate']) =>
  updates.filter(({ sessionUpdate }) => sessionUpdate === kind);

test('a prompt is answered in pieces, with thoughts apart, the context and the new title', async () => {
  const { agent, updates } = await openEditor();
  const { sessionId } = await newSession(agent);
  expect(await prompt(agent, sessionId, 'think of hello')).toEqual({ stopReason: 'end_turn' });
  expect(textOf(updates, 'agent_message_chunk')).toBe('Thought of it.');
  expect(textOf(updates, 'agent_thought_chunk')).toContain('A greeting');
  expect(ofKind(updates, 'usage_update').at(-1)).toMatchObject({
    used: expect.any(Number),
    size: expect.any(Number),
  });
  expect(ofKind(updates, 'session_info_update').at(-1)).toMatchObject({ title: 'think of hello' });
  expect(ofKind(updates, 'config_option_update').length).toBeGreaterThan(0);
});

test('reading a file is a tool call with its place, from beginning to end', async () => {
  const { agent, updates } = await openEditor();
  writeFileSync(join(harness.workspace, 'notes.txt'), 'one\ntwo\n');
  const { sessionId } = await newSession(agent);
  await prompt(agent, sessionId, 'read notes');
  const path = join(harness.workspace, 'notes.txt');
  expect(ofKind(updates, 'tool_call')).toEqual([
    expect.objectContaining({
      title: 'read_file notes.txt',
      kind: 'read',
      status: 'pending',
      locations: [{ path }],
    }),
  ]);
  const ends = ofKind(updates, 'tool_call_update');
  expect(ends).toMatchObject([
    { status: 'in_progress' },
    { status: 'completed', locations: [{ path, line: 1 }], content: [{ type: 'content' }] },
  ]);
});

test('a change is asked for with its diff, written once it is allowed, and shown as a diff', async () => {
  const { agent, updates, questions, choose } = await openEditor();
  writeFileSync(join(harness.workspace, 'notes.txt'), 'one\ntwo\n');
  choose('once');
  const { sessionId } = await newSession(agent);
  expect(await prompt(agent, sessionId, 'change notes')).toEqual({ stopReason: 'end_turn' });
  const diff = {
    type: 'diff',
    path: join(harness.workspace, 'notes.txt'),
    oldText: 'one\ntwo',
    newText: 'one\nthree',
  };
  expect(questions).toHaveLength(1);
  expect(questions[0]?.toolCall.content).toContainEqual(diff);
  expect(questions[0]?.options.map(({ kind }) => kind)).toEqual([
    'allow_once',
    'allow_always',
    'reject_once',
  ]);
  expect(ofKind(updates, 'tool_call_update').at(-1)).toMatchObject({ status: 'completed', content: [diff] });
  expect(readFileSync(join(harness.workspace, 'notes.txt'), 'utf8')).toBe('one\nthree\n');
});

test('a declined command does not run, and its call has failed', async () => {
  const { agent, updates, questions } = await openEditor();
  const { sessionId } = await newSession(agent);
  await prompt(agent, sessionId, 'run it');
  expect(questions[0]?.toolCall).toMatchObject({
    title: 'echo ran >proof',
    rawInput: { command: 'echo ran >proof' },
  });
  expect(ofKind(updates, 'tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
  expect(existsSync(join(harness.workspace, 'proof'))).toBe(false);
});

test('what the editor allowed for the session is not asked for again', async () => {
  const { agent, questions, choose } = await openEditor();
  choose('session');
  const { sessionId } = await newSession(agent);
  for (const text of ['one\ntwo\n', 'two\n']) {
    writeFileSync(join(harness.workspace, 'notes.txt'), text);
    await prompt(agent, sessionId, 'change notes');
  }
  expect(questions).toHaveLength(1);
  expect(readFileSync(join(harness.workspace, 'notes.txt'), 'utf8')).toBe('three\n');
});

test('cancel stops the turn, and the prompt ends as cancelled', async () => {
  const { agent, updates } = await openEditor();
  const { sessionId } = await newSession(agent);
  const answer = prompt(agent, sessionId, 'wait');
  await expect.poll(() => textOf(updates, 'agent_message_chunk')).toContain('Half an answer.');
  await agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test('cancel at a question takes the question back', async () => {
  const { agent, questions, choose } = await openEditor();
  choose(undefined);
  const { sessionId } = await newSession(agent);
  const answer = prompt(agent, sessionId, 'run it');
  await expect.poll(() => questions.length).toBe(1);
  await agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await answer).toEqual({ stopReason: 'cancelled' });
});

test('a list of steps is a plan, anew with each change', async () => {
  const { agent, updates } = await openEditor();
  const { sessionId } = await newSession(agent);
  await prompt(agent, sessionId, 'make a list');
  expect(ofKind(updates, 'plan').at(-1)).toMatchObject({
    entries: [{ content: 'Look around', status: expect.any(String) }, { content: 'Say hello' }],
  });
});

test('the step limit ends a prompt as too many requests', async () => {
  const { agent } = await openEditor();
  const { sessionId } = await newSession(agent);
  const { configOptions } = await agent.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: 'profile',
    value: 'short',
  });
  expect(configOptions).toContainEqual(expect.objectContaining({ id: 'profile', currentValue: 'short' }));
  expect(await prompt(agent, sessionId, 'go on for ever')).toEqual({ stopReason: 'max_turn_requests' });
});

test('model and mode are options of a session, and what is not offered is refused', async () => {
  const { agent } = await openEditor();
  const { sessionId, configOptions } = await newSession(agent);
  expect(configOptions?.map(({ id, category }) => [id, category])).toEqual([
    ['mode', 'mode'],
    ['model', 'model'],
    ['profile', undefined],
  ]);
  const set = async (configId: string, value: string) => {
    const answer = await agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
    return answer.configOptions.find(({ id }) => id === configId)?.currentValue;
  };
  expect(await set('model', 'qwen3.5:9b')).toBe('qwen3.5:9b');
  expect(await set('model', 'profile')).toBe('profile');
  expect(await set('mode', 'accept_edits')).toBe('accept_edits');
  await expect(set('mode', 'autonomous')).rejects.toThrow('There is no mode autonomous.');
  await expect(set('profile', 'absent')).rejects.toThrow('This profile does not exist');
});

test('a session is listed, and loaded with all that was said and done in it', async () => {
  const first = await openEditor();
  writeFileSync(join(harness.workspace, 'notes.txt'), 'one\ntwo\n');
  const { sessionId } = await newSession(first.agent);
  await prompt(first.agent, sessionId, 'read notes');
  const second = await openEditor();
  const { sessions } = await second.agent.request(methods.agent.session.list, { cwd: harness.workspace });
  expect(sessions).toMatchObject([{ sessionId, cwd: harness.workspace, title: 'read notes' }]);
  await second.agent.request(methods.agent.session.load, {
    sessionId,
    cwd: harness.workspace,
    mcpServers: [],
  });
  expect(textOf(second.updates, 'user_message_chunk')).toBe('read notes');
  expect(textOf(second.updates, 'agent_message_chunk')).toBe(textOf(first.updates, 'agent_message_chunk'));
  expect(ofKind(second.updates, 'tool_call')).toHaveLength(1);
  expect(ofKind(second.updates, 'tool_call_update').at(-1)).toMatchObject({ status: 'completed' });
});

test('files that an editor embeds and links reach the model', async () => {
  const { agent, updates } = await openEditor();
  const { sessionId } = await newSession(agent);
  await agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: 'text', text: 'files: ' },
      { type: 'resource', resource: { uri: 'file:///x/embedded.txt', text: 'words' } },
      { type: 'resource_link', uri: 'file:///x/linked.txt', name: 'linked.txt' },
    ],
  });
  expect(textOf(updates, 'agent_message_chunk')).toMatch(/\/x\/linked\.txt[^]*embedded\.txt/);
});

test('a dead Ollama and a folder that is not there are errors with words', async () => {
  const { agent } = await openEditor();
  const { sessionId } = await newSession(agent);
  const absent = { cwd: join(harness.workspace, 'absent'), mcpServers: [] };
  await expect(agent.request(methods.agent.session.new, absent)).rejects.toThrow(/absent/);
  await expect(
    agent.request(methods.agent.session.prompt, { sessionId: 'ses_none', prompt: [] }),
  ).rejects.toThrow(/ses_none/);
  await harness.sim.close();
  await expect(prompt(agent, sessionId, 'hello')).rejects.toThrow(/Ollama|No model/);
});

test('an editor that hangs up under a turn ends it, its process and the host that was started', async () => {
  const { agent, updates, child, exitCode } = await openEditor();
  const { sessionId } = await newSession(agent);
  prompt(agent, sessionId, 'wait').catch(() => undefined);
  await expect.poll(() => textOf(updates, 'agent_message_chunk')).toContain('Half an answer.');
  const { pid } = JSON.parse(readFileSync(join(harness.dataDir, 'andiron.lock'), 'utf8')) as { pid: number };
  child.stdin?.end();
  expect(await exitCode).toBe(0);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
