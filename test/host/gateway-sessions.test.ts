/** Andiron's own addresses: messages, sessions, usage and files of a program. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  answerSchema,
  sessionAnswerSchema,
  sessionListSchema,
  stoppedSchema,
  usageAnswerSchema,
} from '../../src/gateway/program-form.ts';
import { overBudgetText } from '../../src/rules/budget.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { GatewayHarness, type HttpAnswer } from '../helpers/gateway-harness.ts';

const document = { title: 'Python tutorials', content: 'Think Python' };
const manyLines = Array.from({ length: 100 }, (_, n) => `line ${String(n)} ${'x'.repeat(200)}`).join('\n');
const answers = script([
  rule(
    { user: 'read much', resultCount: 0 },
    reply().toolCall('write_file', { path: 'a.txt', content: manyLines }),
  ),
  rule({ user: 'read much', resultCount: 1 }, reply().toolCall('search', { pattern: 'line' })),
  rule({ user: 'read much', resultCount: 2 }, reply().toolCall('read_file', { path: 'gone.txt' })),
  rule({ user: 'wait' }, reply().text('Half an answer. ').pause(300_000).text('The rest.')),
  rule(
    { user: 'write it down', resultCount: 0 },
    reply().text('I write.').toolCall('create_document', document),
  ),
  rule({ user: 'write it down' }, reply().text('I wrote it down.')),
  rule({ user: 'break' }, reply().error(400, 'What is inside.')),
  rule({}, reply().text('An answer in words.')),
]);

let harness: GatewayHarness;
let token: string;
beforeEach(async () => {
  harness = await GatewayHarness.start(answers);
  token = (await harness.token({ level: 'admin' })).text;
});
afterEach(() => harness.close());

interface Got<T> {
  status: number;
  /** Checked, where it is no error. */
  body: T;
}
const got = <T extends z.ZodType>(form: T, { status, body }: HttpAnswer): Got<z.output<T>> => {
  const value: unknown = JSON.parse(body);
  return { status, body: status === 200 ? form.parse(value) : (value as z.output<T>) };
};
const get = async <T extends z.ZodType>(form: T, path: string, as = token): Promise<Got<z.output<T>>> =>
  got(form, await harness.http('GET', path, { headers: { authorization: `Bearer ${as}` } }));
const post = async <T extends z.ZodType>(
  form: T,
  path: string,
  body: object,
  as = token,
): Promise<Got<z.output<T>>> => got(form, await harness.post(path, as, body));

const send = async (text: string, more: object = {}) =>
  (await post(answerSchema, '/v1/messages', { text, ...more })).body;
const sendTo = (id: string, text: string) => post(answerSchema, `/v1/sessions/${id}/messages`, { text });
const open = async (profile = 'developer') =>
  (await post(sessionAnswerSchema, '/v1/sessions', { profile })).body.session;
const list = async (query = '', as = token) =>
  (await get(sessionListSchema, `/v1/sessions${query}`, as)).body;
const read = async (id: string, query = '') =>
  (await get(sessionAnswerSchema, `/v1/sessions/${id}${query}`)).body;
const rowsOf = async (id: string) => (await read(id, '?view=rows')).rows ?? [];
const stop = (id: string) => post(stoppedSchema, `/v1/sessions/${id}/stop`, {});
const asked = (path: string) => harness.http('GET', path, { headers: { authorization: `Bearer ${token}` } });

async function letWrite(): Promise<void> {
  const changes = {
    tools: ['create_document', 'write_file', 'read_file', 'search'],
    approvals: 'accept_edits' as const,
  };
  await harness.owner.call('profile/update', { profileId: 'developer', changes });
}

describe('POST /v1/messages', () => {
  it('answers with content, status, files and what it took (A12, X5)', async () => {
    const answer = await send('Hello.');
    expect(answer).toMatchObject({
      content: 'An answer in words.',
      status: 'answered',
      files: [],
      error: null,
    });
    const truth = harness.chats().at(-1);
    expect(answer.usage).toEqual({
      input_tokens: truth?.promptTokens,
      cached_tokens: truth?.cached,
      output_tokens: truth?.generated,
    });
  });

  it('goes on in the conversation of its thread, and begins another for another thread (X5)', async () => {
    const [first, again, other] = [
      await send('Hello.'),
      await send('Once more.'),
      await send('Hello.', { thread: 'other' }),
    ];
    expect(again.session_id).toBe(first.session_id);
    expect(other.session_id).not.toBe(first.session_id);
    expect(harness.lastBody().messages).toHaveLength(2);
  });

  it('is answered by the profile that is bound to programs (B7, X4)', async () => {
    const binding = { platform: 'api', server: '', profileId: 'talk', model: null, modules: null };
    await harness.owner.call('binding/put', { binding: { ...binding, isPerPerson: false, pauseMs: null } });
    const { session_id: id } = await send('Hello.');
    expect((await read(id ?? '')).session.profile).toBe('talk');
  });

  it('says in the words of S13 that its person is over their budget, and asks no model (S13, X3)', async () => {
    await harness.owner.call('inbox/receive', { platform: 'telegram', platformUserId: '42', text: 'Hello.' });
    const { people } = await harness.owner.call('people/list', {});
    const userId = people.find(({ accounts }) => accounts.length > 0)?.id ?? '';
    token = (await harness.token({ userId })).text;
    await harness.owner.call('people/update', { userId, budget: 0 });
    const before = harness.chats().length;
    expect(await send('Hello.')).toMatchObject({
      content: overBudgetText,
      status: 'refused',
      session_id: null,
      usage: null,
      error: { code: 'over_budget' },
    });
    expect(harness.chats()).toHaveLength(before);
  });

  it('says nothing of what went wrong inside (N2)', async () => {
    const answer = await send('break');
    expect(answer.status).toBe('failed');
    const { content, error } = answer;
    const words = 'I encountered an internal error. Please try again.';
    expect([content, error?.message]).toEqual([words, words]);
  });

  it('stops its turn where the program hangs up (H6, X2)', async () => {
    const left = new AbortController();
    const sent = fetch(`${harness.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ text: 'wait' }),
      signal: left.signal,
    });
    const seen = await harness.world.openWindow().follow(await harness.nextSession());
    await seen.until(({ items }) => items.some(({ kind }) => kind === 'text'));
    left.abort();
    await expect(sent).rejects.toThrow('aborted');
    await seen.until(({ turns }) => turns.at(-1)?.closed === true);
    expect(seen.state.turns.at(-1)?.status).toBe('stopped');
  });
});

describe('/v1/sessions', () => {
  it('lists the sessions of the token in pages, the latest first (X5)', async () => {
    const ids = [(await open()).id, (await open('talk')).id, (await open()).id].toReversed();
    const first = await list('?limit=2');
    expect([first.sessions.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true]);
    const rest = await list(`?limit=2&after=${ids[1] ?? ''}`);
    expect([rest.sessions.map(({ id }) => id), rest.has_more]).toEqual([ids.slice(2), false]);
  });

  it('says nothing of folders of this machine (X2)', async () => {
    await open();
    const { body } = await asked('/v1/sessions');
    expect(body).not.toContain(harness.world.dir);
    expect(body).not.toContain('workspace');
  });

  it('takes a message to a session, and answers without a plan (A1)', async () => {
    const { id } = await open();
    const { status, body } = await sendTo(id, 'Hello.');
    expect([status, body.content, body.session_id]).toEqual([200, 'An answer in words.', id]);
    expect(harness.chats()).toHaveLength(1);
  });

  it('stops what runs in a session (H6)', async () => {
    const { id } = await open();
    const sent = sendTo(id, 'wait');
    const seen = await harness.world.openWindow().follow(id);
    await seen.until(({ items }) => items.some(({ kind }) => kind === 'text'));
    expect((await stop(id)).body).toEqual({ status: 'stopping' });
    expect((await sent).body).toMatchObject({ status: 'stopped', error: null });
  });

  it('cannot be begun with a profile that is not there (X4)', async () => {
    expect((await post(sessionAnswerSchema, '/v1/sessions', { profile: 'gone' })).status).toBe(404);
  });
});

describe('the view of a session as rows', () => {
  it('has the message, each call with its result, and the last text alone with tokens and model (L3, P15, G11)', async () => {
    await letWrite();
    const { id } = await open();
    const { body: answer } = await sendTo(id, 'write it down');
    const { rows = [], next_before: next } = await read(id, '?view=rows');
    const turn = { turn_id: answer.turn_id };
    const call = { ...turn, name: 'files.create_document', tool_use_id: expect.any(String) };
    expect(rows).toMatchObject([
      { ...turn, role: 'user', content: 'write it down' },
      { ...call, role: 'tool_call', arguments: document },
      {
        ...call,
        role: 'tool_result',
        status: 'done',
        result: expect.stringContaining('python_tutorials.md'),
        error: null,
      },
      {
        ...turn,
        role: 'assistant',
        content: 'I wrote it down.',
        status: 'finished',
        token_count: answer.usage?.output_tokens,
        model_used: harness.lastModel(),
      },
    ]);
    expect(next).toBeNull();
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  });

  it('has all of a result of which the model read 8,000 characters, and what went wrong (G9, L3)', async () => {
    await letWrite();
    const { id } = await open();
    await sendTo(id, 'read much');
    const results = (await rowsOf(id)).flatMap((row) => (row.role === 'tool_result' ? [row] : []));
    expect(results.map(({ status }) => status)).toEqual(['done', 'done', 'failed']);
    expect(results[1]?.result).toContain('line 99 ');
    expect(results[2]).toMatchObject({
      result: null,
      error: expect.stringContaining('There is no gone.txt'),
    });
    expect(harness.lastBody().messages.some(({ content }) => content.includes('line 99 '))).toBe(false);
  });

  it('comes in pages of whole turns, which together are all of it (L3)', async () => {
    const { id } = await open();
    const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'];
    for (const text of texts) await sendTo(id, text);
    const said: string[] = [];
    let before: number | null = null;
    do {
      const at: string = before === null ? '' : `&before=${String(before)}`;
      const { rows = [], next_before: next = null } = await read(id, `?view=rows&turns=2${at}`);
      expect(new Set(rows.map(({ turn_id: turn }) => turn)).size).toBeLessThanOrEqual(2);
      said.unshift(...rows.flatMap((row) => (row.role === 'user' ? [row.content] : [])));
      before = next;
    } while (before !== null);
    expect(said).toEqual(texts);
  });

  it('has no answer of a turn that still runs (L3)', async () => {
    const { id } = await open();
    const sent = sendTo(id, 'wait');
    const seen = await harness.world.openWindow().follow(id);
    await seen.until(({ items }) => items.some(({ kind }) => kind === 'text'));
    const rows = await rowsOf(id);
    expect(rows.map(({ role }) => role)).toEqual(['user']);
    await stop(id);
    await sent;
    expect(await rowsOf(id)).toMatchObject([{ role: 'user' }, { role: 'assistant', status: 'stopped' }]);
  });
});

describe('a file of an answer', () => {
  it('is read by its id, as bytes that nobody shows in place (C3, X7)', async () => {
    await letWrite();
    const { files, content } = await send('write it down');
    expect(content).toBe('I wrote it down.');
    expect(files).toMatchObject([{ name: 'python_tutorials.md', url: null }]);
    const { status, headers, body } = await asked(files[0]?.href ?? '');
    expect([status, body]).toEqual([200, '# Python tutorials\n\nThink Python\n']);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': "attachment; filename*=UTF-8''python_tutorials.md",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('is 404 once it is gone, and for an id that there is none of (C3)', async () => {
    await letWrite();
    const { files, session_id: id } = await send('write it down');
    const { sessions } = await harness.owner.call('host/subscribe', {});
    const folder = sessions.find((session) => session.id === id)?.workspace ?? '';
    await rm(join(folder, 'python_tutorials.md'));
    expect((await asked(files[0]?.href ?? '')).status).toBe(404);
    expect((await asked('/v1/files/file_none')).status).toBe(404);
  });
});

it('the usage of a program is that of its own sessions, and of the span that it names (I8, X2)', async () => {
  await harness.owner.call('inbox/receive', { platform: 'telegram', platformUserId: '42', text: 'Hello.' });
  const { usage } = await send('Hello.');
  const { body } = await get(usageAnswerSchema, '/v1/usage');
  expect(body).toMatchObject({ requests: 1, ...usage, uncounted: 0, costs: [] });
  const { body: early } = await get(usageAnswerSchema, '/v1/usage?to=1000');
  expect(early).toMatchObject({ requests: 0, input_tokens: null });
});

it('another token of the same person, and one of another person, find nothing of a program (X2)', async () => {
  await letWrite();
  const { session_id: id, files } = await send('write it down');
  await harness.owner.call('inbox/receive', { platform: 'telegram', platformUserId: '42', text: 'Hello.' });
  const { people } = await harness.owner.call('people/list', {});
  const userId = people.find(({ accounts }) => accounts.length > 0)?.id ?? '';
  for (const other of [await harness.token({ level: 'admin' }), await harness.token({ userId })]) {
    const session = `/v1/sessions/${id ?? ''}`;
    const paths = [session, `${session}?view=rows`, files[0]?.href ?? ''];
    for (const path of paths) expect((await get(z.unknown(), path, other.text)).status).toBe(404);
    for (const path of [`${session}/messages`, `${session}/stop`])
      expect((await post(z.unknown(), path, { text: 'Hello.' }, other.text)).status).toBe(404);
    expect((await list('', other.text)).sessions).toEqual([]);
    expect((await list(`?after=${id ?? ''}`, other.text)).sessions).toEqual([]);
    expect((await get(usageAnswerSchema, '/v1/usage', other.text)).body.requests).toBe(0);
  }
  const rows = await rowsOf(id ?? '');
  expect(rows.filter(({ role }) => role === 'user')).toHaveLength(1);
});

it.each(['?turns=0', '?turns=x', '?view=html', '?before=-1'])(
  'a session is not read with the query %s (Y15)',
  async (query) => {
    const { id } = await open();
    expect((await asked(`/v1/sessions/${id}${query}`)).status).toBe(400);
  },
);
