/** What OpenAI's own client gets of the agent. */
import { APIError, type OpenAI } from 'openai';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serveGateway } from '../../src/gateway/serve-gateway.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { GatewayHarness } from '../helpers/gateway-harness.ts';

const answers = script([
  rule({ user: 'wait at first', nth: 1 }, reply().text('Half an answer. ').pause(300_000)),
  rule({ user: 'wait at first' }, reply().text('The work was done twice.')),
  rule({ user: 'wait' }, reply().text('Half an answer. ').pause(300_000).text('The rest.')),
  rule(
    { user: 'think first', resultCount: 0 },
    reply().text('First I look.').toolCall('todo', { action: 'list' }),
  ),
  rule({ user: 'think first' }, reply().text('Then I answer.')),
  rule({ user: 'second' }, reply().text('The second answer.')),
  rule({}, reply().text('An answer in words.')),
]);

let harness: GatewayHarness;
let client: OpenAI;
let token: string;
beforeEach(async () => {
  harness = await GatewayHarness.start(answers);
  token = (await harness.token()).text;
  client = harness.openai(token);
});
afterEach(() => harness.close());

type Messages = OpenAI.ChatCompletionMessageParam[];
const hello: Messages = [{ role: 'user', content: 'Hello.' }];
const ask = (messages: Messages, model = 'developer') => client.chat.completions.create({ model, messages });

async function sessions() {
  const { sessions: all } = await harness.owner.call('host/subscribe', {});
  return all;
}

async function failureOf(work: Promise<unknown>): Promise<APIError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
  throw new Error('It was answered.');
}

const listModels = async (token: string) => (await harness.openai(token).models.list()).data;

it('OpenAI’s client lists the profiles as models (Y15)', async () => {
  const ids: string[] = [];
  for await (const model of client.models.list()) ids.push(model.id);
  expect(ids).toContain('developer');
  expect(ids).toContain('talk');
});

it('OpenAI’s client gets an answer of the agent, with what it took (Y15)', async () => {
  const completion = await ask(hello);
  expect(completion.choices[0]).toMatchObject({
    message: { role: 'assistant', content: 'An answer in words.' },
    finish_reason: 'stop',
  });
  const truth = harness.chats().at(-1);
  expect(completion.usage).toEqual({
    prompt_tokens: truth?.promptTokens,
    completion_tokens: truth?.generated,
    total_tokens: (truth?.promptTokens ?? 0) + (truth?.generated ?? 0),
    prompt_tokens_details: { cached_tokens: truth?.cached },
  });
});

it('OpenAI’s client gets the answer in pieces, as one text and with its use at the end (Y15)', async () => {
  const stream = await client.chat.completions.create({
    model: 'developer',
    messages: hello,
    stream: true,
    stream_options: { include_usage: true },
  });
  const pieces: string[] = [];
  const ends: (string | null)[] = [];
  let used = 0;
  for await (const { choices, usage } of stream) {
    pieces.push(choices[0]?.delta.content ?? '');
    if (choices[0]?.finish_reason) ends.push(choices[0].finish_reason);
    used = usage?.total_tokens ?? used;
  }
  expect(pieces.join('')).toBe('An answer in words.');
  expect(ends).toEqual(['stop']);
  expect(used).toBeGreaterThan(0);
});

it('a streamed answer ends with the mark of a whole one (Y15)', async () => {
  const { text } = await harness.token();
  const { headers, body } = await harness.http('POST', '/v1/chat/completions', {
    headers: { host: `localhost:${String(harness.gateway.port)}`, authorization: `Bearer ${text}` },
    body: JSON.stringify({ model: 'developer', messages: hello, stream: true }),
  });
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
});

it('a client that offers HTTP/2 first, as Java’s does, is answered (Y15)', async () => {
  const { text } = await harness.token();
  const { status, body } = await harness.http('POST', '/v1/chat/completions', {
    headers: {
      authorization: `Bearer ${text}`,
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    },
    body: JSON.stringify({ model: 'developer', messages: hello }),
  });
  expect(status).toBe(200);
  expect(body).toContain('An answer in words.');
});

it('a program that continues its conversation reaches the same session, whose prompt is in the cache (Y15)', async () => {
  const first = await ask(hello);
  const content = first.choices[0]?.message.content ?? '';
  const second = await ask([
    ...hello,
    { role: 'assistant', content },
    { role: 'user', content: 'A second one.' },
  ]);
  expect(second.choices[0]?.message.content).toBe('The second answer.');
  expect(await sessions()).toHaveLength(1);
  const [before, after] = harness.chats().slice(-2);
  // All but the few tokens with which the answer was begun.
  expect(after?.cached).toBeGreaterThanOrEqual((before?.promptTokens ?? Infinity) - 5);
  expect(second.usage?.prompt_tokens_details?.cached_tokens).toBe(after?.cached);
});

it('a streamed conversation is continued as well, also when tools ran between its texts (Y15)', async () => {
  const opening: Messages = [{ role: 'user', content: 'think first' }];
  const stream = await client.chat.completions.create({
    model: 'developer',
    messages: opening,
    stream: true,
  });
  let content = '';
  for await (const { choices } of stream) content += choices[0]?.delta.content ?? '';
  expect(content).toBe('First I look.\n\nThen I answer.');
  await ask([...opening, { role: 'assistant', content }, { role: 'user', content: 'A second one.' }]);
  expect(await sessions()).toHaveLength(1);
});

it.each([
  ['', hello],
  [' with system text before it', [{ role: 'system', content: 'Speak plainly.' }, ...hello]],
] satisfies [string, Messages][])(
  'a conversation%s goes on in its session after the gateway was started again (Y15)',
  async (_name, opening) => {
    const said: Messages = [...opening];
    for (const content of ['A second one.', 'A third one.']) {
      const answer = (await ask(said)).choices[0]?.message.content ?? '';
      said.push({ role: 'assistant', content: answer }, { role: 'user', content });
    }
    await harness.restartGateway();
    client = harness.openai(token);
    await ask(said);
    expect(await sessions()).toHaveLength(1);
  },
);

it.each([
  ['another answer', { role: 'assistant', content: 'Never said.' }],
  ['another message', { role: 'user', content: 'Good day.' }],
] satisfies [string, Messages[number]][])(
  'after a restart of the gateway a history with %s begins a new session (Y15)',
  async (_name, changed) => {
    const content = (await ask(hello)).choices[0]?.message.content ?? '';
    await harness.restartGateway();
    client = harness.openai(token);
    const said: Messages = [...hello, { role: 'assistant', content }];
    const other = said.map((message) => (message.role === changed.role ? changed : message));
    await ask([...other, { role: 'user', content: 'A second one.' }]);
    expect(await sessions()).toHaveLength(2);
  },
);

it('two requests with the same history at once have a session each, also after a restart (Y15)', async () => {
  const content = (await ask(hello)).choices[0]?.message.content ?? '';
  await harness.restartGateway();
  client = harness.openai(token);
  const said: Messages = [
    ...hello,
    { role: 'assistant', content },
    { role: 'user', content: 'A second one.' },
  ];
  await Promise.all([ask(said), ask(said)]);
  expect(await sessions()).toHaveLength(2);
});

it('a session that went on in another way is not continued by its old history (Y15)', async () => {
  const content = (await ask(hello)).choices[0]?.message.content ?? '';
  const [session] = await sessions();
  await harness.owner.call('turn/run', { sessionId: session?.id ?? '', text: 'By the owner.' });
  await ask([...hello, { role: 'assistant', content }, { role: 'user', content: 'A second one.' }]);
  expect(await sessions()).toHaveLength(2);
});

it('a history that no session has begins a new one, which reads it in its first message (Y15)', async () => {
  await ask(hello);
  await ask([
    ...hello,
    { role: 'assistant', content: 'Never said.' },
    { role: 'user', content: 'A second one.' },
  ]);
  expect(await sessions()).toHaveLength(2);
  const { messages } = harness.lastBody();
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
  for (const text of ['Hello.', 'Never said.', 'A second one.']) expect(messages[1]?.content).toContain(text);
});

it('the same history of another token is another session (X2)', async () => {
  const content = (await ask(hello)).choices[0]?.message.content ?? '';
  client = harness.openai((await harness.token()).text);
  await ask([...hello, { role: 'assistant', content }, { role: 'user', content: 'A second one.' }]);
  expect(await sessions()).toHaveLength(2);
});

it('system text of a program goes into the first message, and the head stays the profile’s (Y15)', async () => {
  await ask(hello);
  await ask([{ role: 'system', content: 'Speak like a pirate.' }, ...hello]);
  const heads = harness.chats().map(({ body }) => (body as { messages: { content: string }[] }).messages);
  expect(heads[1]?.[0]).toEqual(heads[0]?.[0]);
  expect(heads[1]?.[1]?.content).toContain('Speak like a pirate.');
});

it('a conversation of a program works in an empty folder of its own (X5)', async () => {
  await ask(hello);
  const [session] = await sessions();
  expect(session?.workspace).toContain('people');
  expect(session?.workspace).not.toBe(harness.world.workspace);
  expect(session?.place?.platform).toBe('api');
});

it('a program that hangs up stops its turn (H6, X2)', async () => {
  const stop = new AbortController();
  const stream = await client.chat.completions.create(
    { model: 'developer', messages: [{ role: 'user', content: 'wait' }], stream: true },
    { signal: stop.signal },
  );
  const [session] = await sessions();
  const seen = await harness.world.openWindow().follow(session?.id ?? '');
  for await (const { choices } of stream) if (choices[0]?.delta.content) stop.abort();
  await seen.until(({ turns }) => turns.at(-1)?.closed === true);
  expect(seen.state.turns.at(-1)?.status).toBe('stopped');
  expect(harness.chats().at(-1)?.outcome).toBe('closed');
});

it('a program whose person is over their budget reads 429 and the words of S13 (S13, X3)', async () => {
  await harness.owner.call('inbox/receive', { platform: 'telegram', platformUserId: '42', text: 'Hello.' });
  const { people } = await harness.owner.call('people/list', {});
  const userId = people.find(({ accounts }) => accounts.length > 0)?.id ?? '';
  client = harness.openai((await harness.token({ userId })).text);
  await harness.owner.call('people/update', { userId, budget: 0 });
  const error = await failureOf(ask(hello));
  expect(error).toMatchObject({ status: 429, code: 'over_budget' });
  expect(error.message).toContain(
    "You've exceeded your monthly token budget. Please contact an admin to increase your limit.",
  );
});

it('a profile that is not there is 404 (Y15)', async () => {
  expect(await failureOf(ask(hello, 'gone'))).toMatchObject({ status: 404, code: 'not_found' });
});

it('tools of a program, and results of them, are refused (Y15)', async () => {
  const parameters = { type: 'object', properties: {} };
  const withTools = client.chat.completions.create({
    model: 'developer',
    messages: hello,
    tools: [{ type: 'function', function: { name: 'mine', parameters } }],
  });
  expect(await failureOf(withTools)).toMatchObject({ status: 400, code: 'tools_not_supported' });
  const results: Messages = [...hello, { role: 'tool', tool_call_id: 'c', content: 'x' }];
  expect(await failureOf(ask(results))).toMatchObject({ status: 400, code: 'tools_not_supported' });
  expect(harness.chats()).toEqual([]);
});

it('pictures, an empty message and several answers are refused (Y15)', async () => {
  const picture: Messages = [
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
  ];
  expect(await failureOf(ask(picture))).toMatchObject({ status: 400, code: 'invalid_params' });
  expect(await failureOf(ask([{ role: 'user', content: ' ' }]))).toMatchObject({ status: 400 });
  expect(await failureOf(ask([...hello, { role: 'assistant', content: 'x' }]))).toMatchObject({
    status: 400,
  });
  const several = client.chat.completions.create({ model: 'developer', messages: hello, n: 2 });
  expect(await failureOf(several)).toMatchObject({ status: 400 });
});

/** Resolves once the answer has begun, of a client that repeats what fails so often. */
async function begin(maxRetries: number) {
  const { completions } = client.withOptions({ maxRetries }).chat;
  const messages: Messages = [{ role: 'user', content: 'wait at first' }];
  const failed = failureOf(completions.create({ model: 'developer', messages }));
  const seen = await harness.world.openWindow().follow(await harness.nextSession());
  await seen.until(({ items }) => items.some(({ kind }) => kind === 'text'));
  return { failed, sessionId: seen.sessionId };
}

it('a turn that is stopped in Andiron is not begun a second time by OpenAI’s client (H6)', async () => {
  const { failed, sessionId } = await begin(2);
  await harness.owner.call('turn/stop', { sessionId });
  expect(await failed).toMatchObject({ status: 503, code: 'stopped' });
  expect(await sessions()).toHaveLength(1);
});

it('a turn whose host is lost is not begun a second time by OpenAI’s client (N2)', async () => {
  const { failed, sessionId } = await begin(2);
  for (const connection of harness.connections) connection.close();
  // A host that ends takes its turn with it.
  await harness.owner.call('turn/stop', { sessionId });
  expect(await failed).toMatchObject({ status: 503, code: 'disconnected' });
  expect(await sessions()).toHaveLength(1);
});

it('a gateway that ends has stopped the turns of its programs by then (H6)', async () => {
  const { failed, sessionId } = await begin(0);
  await harness.gateway.close();
  const { snapshot } = await harness.owner.call('session/subscribe', { sessionId });
  expect(snapshot.turns.at(-1)?.status).toBe('stopped');
  await failed;
});

it('a gateway ends also while a host does not answer it (H6)', async () => {
  const asked = Promise.withResolvers<void>();
  const deaf = await serveGateway({
    port: 0,
    network: null,
    onInternalError: () => undefined,
    clock: { ...systemClock, after: (_ms, run) => systemClock.after(0, run) },
    connect() {
      asked.resolve();
      return Promise.resolve(createTransportPair()[0]);
    },
  });
  const headers = { authorization: `Bearer ${token}` };
  const answer = fetch(`http://127.0.0.1:${String(deaf.port)}/healthz`, { headers }).then(
    ({ status }) => status,
    () => 'none',
  );
  await asked.promise;
  await expect(deaf.close()).resolves.toBeUndefined();
  expect(await answer).toBe('none');
});

it('a stop in Andiron is no fault of the gateway (H6)', async () => {
  const { failed, sessionId } = await begin(0);
  await harness.owner.call('turn/stop', { sessionId });
  await failed;
  expect(harness.problems).toEqual([]);
});

it.each([
  { type: 'json_object' },
  { type: 'json_schema', json_schema: { name: 'list', schema: { type: 'object' } } },
] satisfies OpenAI.ChatCompletionCreateParams['response_format'][])(
  'an answer in the form of $type is refused, as in responses (Y15)',
  async (format) => {
    const asked = client.chat.completions.create({
      model: 'developer',
      messages: hello,
      response_format: format,
    });
    const error = await failureOf(asked);
    expect(error).toMatchObject({ status: 400, code: 'invalid_params' });
    expect(error.message).toContain('answers are text');
    expect(harness.chats()).toEqual([]);
  },
);

it('an answer that is asked for as a text is given (Y15)', async () => {
  const { choices } = await client.chat.completions.create({
    model: 'developer',
    messages: hello,
    response_format: { type: 'text' },
  });
  expect(choices[0]?.message.content).toBe('An answer in words.');
});

it('a token that is revoked in the middle of an answer ends that answer, without the mark of a whole one (X2)', async () => {
  const { id, text } = await harness.token();
  const stream = await harness.openai(text).chat.completions.create({
    model: 'developer',
    messages: [{ role: 'user', content: 'wait' }],
    stream: true,
  });
  const read = async (): Promise<void> => {
    for await (const { choices } of stream)
      if (choices[0]?.delta.content) await harness.owner.call('token/revoke', { tokenId: id });
  };
  expect((await failureOf(read())).code).toBe('disconnected');
  expect((await failureOf(listModels(text))).status).toBe(401);
});

it('a program reads that Andiron is not running, without what is inside (N2)', async () => {
  harness.isHostRunning = false;
  const error = await failureOf(ask(hello));
  expect(error.status).toBe(503);
  expect(error.message).toContain('I encountered an internal error. Please try again.');
});
