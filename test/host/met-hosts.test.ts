/** Models of other hosts: those of one's own network are met like the engine's, those of a service are believed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createHost } from '../../src/host/index.ts';
import { questions } from '../../src/host/models/exam/exam-questions.ts';
import type { hostMethods } from '../../src/protocol/host-methods.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { fastFolder, hostParts } from '../helpers/host-world.ts';
import {
  callChunk,
  chunk,
  end,
  openAiServer,
  refusal,
  saying,
  stream,
  type Answer,
} from '../helpers/openai-server.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const bodySchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })),
  response_format: z.looseObject({}).optional(),
  max_tokens: z.number().optional(),
});

/** It talks where it may, and calls only where a grammar leaves nothing else. */
function wordsFor(format: unknown): string {
  if (format === undefined) return 'I would look at the file for you.';
  const schema = JSON.stringify(format);
  if (schema.includes('"act"')) return '{"steps":[{"act":"answer","what":"good morning"}]}';
  const key = /"(?<key>answer\w*)":\{/.exec(schema)?.groups?.['key'];
  return key === undefined
    ? '{"call":"read_file","with":{"path":"README.md"}}'
    : JSON.stringify({ [key]: 'Good morning.' });
}

/** It thinks for 200 tokens, whatever it is told, and then makes the call that is asked for. */
const thinker = (text: string, maxTokens = Number.POSITIVE_INFINITY): Answer => {
  const thought = chunk({ reasoning_content: 'What could be meant by this?' });
  if (maxTokens < 200) return stream(thought, chunk({}, 'length'), end);
  const [right] = questions.find((each) => text.includes(each.text))?.right ?? [];
  const said = right
    ? callChunk(0, { id: 'c1', name: right.tool, arguments: JSON.stringify(right.args) })
    : chunk({ content: 'Good morning.' });
  return stream(thought, said, chunk({}, right ? 'tool_calls' : 'stop'), end);
};

const callInText = '{"name": "read_file", "arguments": {"path": "README.md"}}';

interface LabOptions {
  /** What is said without a grammar; undefined = as always. */
  saysFreely?: (text: string, maxTokens: number | undefined) => Answer;
  prices?: object;
  isSilent?: boolean;
  firstWordMs?: number;
  takesGrammar?: boolean;
}

interface Asked {
  text: string;
  isHeld: boolean;
}

/**
 * A server at this computer, and a window in front of it. `asked`: the message of each request, and whether a grammar held it.
 * @param isSilent it says nothing to what it is asked before the person's message
 * @param firstWordMs it needs so long for its first answer
 * @param takesGrammar false = it refuses each, in words of its own
 */
async function openLab({
  saysFreely,
  prices,
  isSilent = false,
  firstWordMs = 0,
  takesGrammar = true,
}: LabOptions = {}) {
  const dir = mkdtempSync(join(fastFolder(), 'andiron-met-'));
  closing.push(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of ['data', 'workspace']) mkdirSync(join(dir, name));
  const clock = skippableClock();
  const asked: Asked[] = [];
  const bodies: unknown[] = [];
  const server = await openAiServer(async (response, request) => {
    if (request.path.endsWith('/models')) {
      response.end(JSON.stringify({ data: [{ id: 'small', context_length: 32_768 }] }));
      return;
    }
    const body: unknown = JSON.parse(request.text);
    const { messages, response_format: format, max_tokens: maxTokens } = bodySchema.parse(body);
    const text = messages.at(-1)?.content ?? '';
    if (bodies.length === 0) clock.skip(firstWordMs);
    bodies.push(body);
    asked.push({ text, isHeld: format !== undefined });
    if (isSilent && !text.includes('Hello')) clock.skip(125_000);
    else if (!takesGrammar && format !== undefined)
      await refusal(400, JSON.stringify({ error: { message: 'These two cannot go together.' } }))(
        response,
        request,
      );
    else if (saysFreely && format === undefined) await saysFreely(text, maxTokens)(response, request);
    else await saying(wordsFor(format))(response, request);
  });
  closing.push(() => server.close());
  const hosts = [{ id: 'lab', kind: 'openai', url: server.url, ...(prices && { prices }) }];
  writeFileSync(join(dir, 'data', 'hosts.json'), JSON.stringify({ hosts }));
  const { knownAbilities: _, ...parts } = hostParts(dir);
  const host = await createHost({ ...parts, clock });
  closing.push(() => host.close());
  const [windowEnd, hostEnd] = createTransportPair();
  host.connectWindow(hostEnd);
  const window = createRpcClient<typeof hostMethods>(windowEnd);
  return {
    /** Of all requests, as they came. */
    bodies,
    /** Of a new session whose first message is this. */
    async askedFor(text: string): Promise<Asked[]> {
      asked.length = 0;
      const { session } = await window.call('session/create', {});
      await window.call('session/update', { sessionId: session.id, model: 'lab/small' });
      const { status } = await window.call('turn/run', { sessionId: session.id, text });
      expect(status).toBe('finished');
      return [...asked];
    },
  };
}

const isFree = ({ isHeld }: Asked): boolean => !isHeld;

test('A model of a server on this computer is met before its first turn, and one that only talks works under a grammar', async () => {
  const asked = await (await openLab()).askedFor('Hello there');
  const first = asked.findIndex(({ text }) => text.includes('Hello there'));
  expect(first).toBeGreaterThan(0);
  expect(asked.slice(first).every(({ isHeld }) => isHeld)).toBe(true);
});

test('A model whose server says nothing in two minutes is believed, and not waited for again', async () => {
  const lab = await openLab({ isSilent: true });
  const first = await lab.askedFor('Hello there');
  expect(first).toHaveLength(2);
  expect(first.every(isFree)).toBe(true);
  expect(await lab.askedFor('Hello again')).toEqual([
    { text: expect.stringContaining('Hello again') as string, isHeld: false },
  ]);
});

test('A server may take its time to load a model and read all tools: the meeting begins with its first word', async () => {
  const asked = await (await openLab({ firstWordMs: 60_000 })).askedFor('Hello there');
  expect(asked.filter(isFree).length).toBeGreaterThan(2);
  expect(asked.at(-1)).toMatchObject({ isHeld: true });
});

test('A model of another host is asked not to think while it is met', async () => {
  const lab = await openLab();
  await lab.askedFor('Hello there');
  expect(lab.bodies[0]).toMatchObject({ chat_template_kwargs: { enable_thinking: false } });
});

test('A model whose server takes no grammar answers all the same, and is asked under none in its next session', async () => {
  const lab = await openLab({ takesGrammar: false });
  expect((await lab.askedFor('Hello there')).at(-1)).toMatchObject({ isHeld: false });
  const again = await lab.askedFor('Hello again');
  expect(again.at(-1)).toEqual({ text: expect.stringContaining('Hello again') as string, isHeld: false });
});

test('A model of a service that sells its tokens is asked nothing but what the person asks, and calls as it likes', async () => {
  const lab = await openLab({ prices: { currency: 'EUR', models: { small: { input: 1, output: 2 } } } });
  const asked = await lab.askedFor('Hello there');
  expect(asked).toEqual([{ text: expect.stringContaining('Hello there') as string, isHeld: false }]);
});

test('A model that thinks before its calls though it is told not to gets room for that, and calls as it likes', async () => {
  const asked = await (await openLab({ saysFreely: thinker })).askedFor('Hello there');
  expect(asked.filter(({ text }) => text === questions[0]?.text)).toHaveLength(3);
  expect(asked.at(-1)).toEqual({ text: expect.stringContaining('Hello there') as string, isHeld: false });
});

test('A believed model whose calls stand in its text is asked under a grammar once it was seen to do so', async () => {
  const lab = await openLab({
    prices: { currency: 'EUR', models: { small: { input: 1, output: 2 } } },
    saysFreely: (text) => saying(text.includes('Hello') ? callInText : 'Good morning.'),
  });
  const ways: boolean[] = [];
  for (let turn = 0; turn < 4; turn += 1) ways.push((await lab.askedFor('Hello there'))[0]?.isHeld ?? false);
  expect(ways).toEqual([false, false, false, true]);
});
