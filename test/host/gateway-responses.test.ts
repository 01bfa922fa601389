/** OpenAI's responses, as OpenAI's own client reads them. */
import type { OpenAI } from 'openai';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
let token: string;
let client: OpenAI;
beforeEach(async () => {
  harness = await GatewayHarness.start(answers);
  token = (await harness.token()).text;
  client = harness.openai(token);
});
afterEach(() => harness.close());

type Asked = OpenAI.Responses.ResponseCreateParamsNonStreaming;
const ask = (input: NonNullable<Asked['input']>, more: Partial<Asked> = {}) =>
  client.responses.create({ model: 'developer', ...more, input });
const sessions = async () => (await harness.owner.call('host/subscribe', {})).sessions;
const userTexts = (): string[] =>
  harness.lastBody().messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []));

it('OpenAI’s client gets a response of the agent, with what it took (Y15)', async () => {
  const response = await ask('Hello.', { metadata: { from: 'a test' } });
  expect(response).toMatchObject({
    output_text: 'An answer in words.',
    status: 'completed',
    store: true,
    metadata: { from: 'a test' },
  });
  const truth = harness.chats().at(-1);
  expect(response.usage).toMatchObject({
    input_tokens: truth?.promptTokens,
    input_tokens_details: { cached_tokens: truth?.cached },
    output_tokens: truth?.generated,
  });
});

it('a streamed response comes in typed events that are numbered and end with the whole of it (Y15)', async () => {
  const input = [{ role: 'user', content: 'Hello.' }] as const;
  const stream = await client.responses.create({ model: 'developer', input: [...input], stream: true });
  const types: string[] = [];
  const numbers: number[] = [];
  let text = '';
  let whole = '';
  for await (const event of stream) {
    numbers.push(event.sequence_number);
    if (types.at(-1) !== event.type) types.push(event.type);
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type !== 'response.completed') continue;
    const [item] = event.response.output;
    whole = item?.type === 'message' && item.content[0]?.type === 'output_text' ? item.content[0].text : '';
  }
  expect([text, whole]).toEqual(['An answer in words.', 'An answer in words.']);
  expect(numbers).toEqual(numbers.map((_, at) => at));
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
});

it('each event of a streamed response is named in a line of its own (Y15)', async () => {
  const { headers, body } = await harness.post('/v1/responses', token, {
    model: 'developer',
    input: 'Hello.',
    stream: true,
  });
  expect(headers['content-type']).toBe('text/event-stream; charset=utf-8');
  const events = body.trimEnd().split('\n\n');
  for (const event of events) {
    const [name, data] = event.split('\n');
    const { type } = JSON.parse(data?.replace('data: ', '') ?? '') as { type: string };
    expect(name).toBe(`event: ${type}`);
  }
  expect(events.at(-1)).toContain('event: response.completed');
});

it('OpenAI’s own helper puts a streamed response together (Y15)', async () => {
  const response = await client.responses.stream({ model: 'developer', input: 'Hello.' }).finalResponse();
  expect(response.output_text).toBe('An answer in words.');
});

it('a response that names the one before continues its session, whose prompt is in the cache (Y15)', async () => {
  const first = await ask('Hello.');
  const second = await ask('A second one.', { previous_response_id: first.id });
  expect(second.output_text).toBe('The second answer.');
  expect(second.previous_response_id).toBe(first.id);
  expect(await sessions()).toHaveLength(1);
  const [before, after] = harness.chats().slice(-2);
  expect(after?.cached).toBeGreaterThanOrEqual((before?.promptTokens ?? Infinity) - 5);
});

it('a response is continued after the gateway was started again (Y15)', async () => {
  const first = await ask('Hello.');
  await harness.restartGateway();
  client = harness.openai(token);
  const second = await ask('A second one.', { previous_response_id: first.id });
  expect(second.output_text).toBe('The second answer.');
  expect(await sessions()).toHaveLength(1);
});

it('an earlier response is continued in a session of its own, which reads what was said until then (Y15)', async () => {
  const first = await ask('Hello.');
  await ask('A second one.', { previous_response_id: first.id });
  await ask('Another way.', { previous_response_id: first.id });
  expect(await sessions()).toHaveLength(2);
  const [opening = ''] = userTexts();
  for (const text of ['Hello.', 'An answer in words.', 'Another way.']) expect(opening).toContain(text);
  expect(opening).not.toContain('A second one.');
});

it('two responses at once that continue the same one have a session each (Y15)', async () => {
  const { id } = await ask('Hello.');
  await Promise.all([1, 2].map(() => ask('A second one.', { previous_response_id: id })));
  expect(await sessions()).toHaveLength(2);
});

it('a response of another profile continues in a session of that profile (Y15)', async () => {
  const { id } = await ask('Hello.');
  await ask('A second one.', { previous_response_id: id, model: 'talk' });
  expect((await sessions()).map(({ profileId }) => profileId).toSorted()).toEqual(['developer', 'talk']);
});

it('a response of another token cannot be continued (X2)', async () => {
  const { id } = await ask('Hello.');
  client = harness.openai((await harness.token()).text);
  const again = ask('A second one.', { previous_response_id: id });
  await expect(again).rejects.toMatchObject({ status: 404, code: 'previous_response_not_found' });
  expect(await sessions()).toHaveLength(1);
});

it('a whole history in the input continues the session that has said it (Y15)', async () => {
  const first = await ask('Hello.');
  await ask([
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: first.output_text },
    { role: 'user', content: 'A second one.' },
  ]);
  expect(await sessions()).toHaveLength(1);
});

it('instructions go into the first message, and once while they stay the same (Y15)', async () => {
  const instructions = 'Speak like a pirate.';
  const first = await ask('Hello.', { instructions });
  const [head] = harness.lastBody().messages;
  await ask('A second one.', { instructions, previous_response_id: first.id });
  expect(userTexts().map((text) => text.includes(instructions))).toEqual([true, false]);
  expect(harness.lastBody().messages[0]).toEqual(head);
  expect(head?.content).not.toContain(instructions);
});

it('instructions that change in mid-conversation stand before the message they come with (Y15)', async () => {
  const first = await ask('Hello.', { instructions: 'Speak like a pirate.' });
  await ask('A second one.', { instructions: 'Speak plainly.', previous_response_id: first.id });
  expect(userTexts().map((text) => text.includes('Speak plainly.'))).toEqual([false, true]);
});

it('calls of the agent’s tools are left out of a response that does not ask for them (Y15)', async () => {
  const response = await ask('think first');
  expect(response.output.map(({ type }) => type)).toEqual(['message']);
  expect(response.output_text).toBe('First I look.\n\nThen I answer.');
});

it('calls of the agent’s tools are items between its messages where the program asks for them (Y15)', async () => {
  const headers = { 'Andiron-Tool-Calls': 'true' };
  const asked = { model: 'developer', input: 'think first' };
  const stream = await client.responses.create({ ...asked, stream: true }, { headers });
  const types = new Set<string>();
  let output: OpenAI.Responses.ResponseOutputItem[] = [];
  for await (const event of stream) {
    types.add(event.type);
    if (event.type === 'response.completed') ({ output } = event.response);
  }
  expect(output.map(({ type }) => type)).toEqual(['message', 'mcp_call', 'message']);
  expect(output[1]).toMatchObject({ name: 'todo', arguments: '{"action":"list"}', status: 'completed' });
  expect([...types]).toEqual(
    expect.arrayContaining(['response.mcp_call.in_progress', 'response.mcp_call.completed']),
  );
});

it('an output that is sent back with its calls continues the session that has said it (Y15)', async () => {
  const headers = { 'Andiron-Tool-Calls': 'true' };
  const question = { role: 'user', content: 'think first' } as const;
  const { output } = await client.responses.create({ model: 'developer', input: [question] }, { headers });
  await ask([question, ...output, { role: 'user', content: 'A second one.' }] as NonNullable<Asked['input']>);
  expect(await sessions()).toHaveLength(1);
});

it('a program that hangs up on a response stops its turn (H6, X2)', async () => {
  const stop = new AbortController();
  const asked = { model: 'developer', input: 'wait', stream: true } as const;
  const stream = await client.responses.create(asked, { signal: stop.signal });
  const [session] = await sessions();
  const seen = await harness.world.openWindow().follow(session?.id ?? '');
  for await (const event of stream) if (event.type === 'response.output_text.delta') stop.abort();
  await seen.until(({ turns }) => turns.at(-1)?.closed === true);
  expect(seen.state.turns.at(-1)?.status).toBe('stopped');
});

it('a response whose turn is stopped in Andiron is not begun a second time by OpenAI’s client (H6)', async () => {
  const { responses } = client.withOptions({ maxRetries: 2 });
  const outcome = responses.create({ model: 'developer', input: 'wait at first' }).then(
    ({ output_text: text }) => text,
    (error: unknown) => error,
  );
  const seen = await harness.world.openWindow().follow(await harness.nextSession());
  await seen.until(({ items }) => items.some(({ kind }) => kind === 'text'));
  await harness.owner.call('turn/stop', { sessionId: seen.sessionId });
  expect(await outcome).toMatchObject({ status: 503, code: 'stopped' });
  expect(await sessions()).toHaveLength(1);
});

it('a response whose turn is stopped in Andiron ends as failed, with its reason (N2)', async () => {
  const stream = await client.responses.create({ model: 'developer', input: 'wait', stream: true });
  const [session] = await sessions();
  let last: OpenAI.Responses.ResponseStreamEvent | undefined;
  for await (const event of stream) {
    last = event;
    if (event.type === 'response.output_text.delta')
      await harness.owner.call('turn/stop', { sessionId: session?.id ?? '' });
  }
  expect(last).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'stopped', message: 'The answer was stopped in Andiron.' } },
  });
});

it('tools of a program, and results of them, are refused in responses (Y15)', async () => {
  const refused = { status: 400, code: 'tools_not_supported' };
  await expect(ask('Hello.', { tools: [{ type: 'web_search' }] })).rejects.toMatchObject(refused);
  const result = { type: 'function_call_output', call_id: 'c', output: 'x' } as const;
  await expect(ask([result])).rejects.toMatchObject(refused);
  expect(harness.chats()).toEqual([]);
});

it('what a response cannot be is refused: in the background, in a form, without a message (Y15)', async () => {
  const wrong: Partial<Asked>[] = [
    { background: true },
    { conversation: 'conv_1' },
    { text: { format: { type: 'json_object' } } },
  ];
  const refused = { status: 400, code: 'invalid_params' };
  for (const more of wrong) await expect(ask('Hello.', more)).rejects.toMatchObject(refused);
  const noMessage: NonNullable<Asked['input']>[] = [' ', [], [{ role: 'assistant', content: 'x' }]];
  for (const input of noMessage) await expect(ask(input)).rejects.toMatchObject(refused);
});
