import { expect, it } from 'vitest';
import { openAiServer } from '../../../test/helpers/openai-server.ts';
import { plainRequest } from '../../../test/helpers/openai-asking.ts';
import { systemClock } from '../../platform/clock.ts';
import { createHostProviders } from './hosts.ts';
import { readImages } from './images.ts';
import { toCompletionMessages } from './openai-wire.ts';
import type { ContextMessage, SentFile } from './provider.ts';
import { toWireMessages } from './wire.ts';
import { noKeys } from '../../../test/helpers/openai-asking.ts';

const head = { system: 'S', tools: [] };
const history = { echoThinking: true, textBesideCall: true };
const picture = (id: string): SentFile => ({
  id,
  name: `${id}.png`,
  kind: 'image',
  mime: 'image/png',
  path: '',
});
const log: ContextMessage[] = [
  {
    role: 'user',
    content: 'Look',
    files: [picture('one'), { ...picture('text'), kind: 'text' }, picture('two')],
  },
  { role: 'assistant', content: 'Dots.', thinking: '', calls: [] },
  { role: 'user', content: 'Again', files: [picture('one')] },
];
const bytes: Record<string, Uint8Array> = { one: Buffer.from('1'), two: Buffer.from('2') };

it('are read once each, and only images', async () => {
  const asked: string[] = [];
  const images = await readImages(log, (id) => {
    asked.push(id);
    return Promise.resolve(bytes[id] ?? null);
  });
  expect(asked).toEqual(['one', 'two']);
  expect([...images.keys()]).toEqual(['one', 'two']);
});

it('go to Ollama as bytes beside the text of their message', async () => {
  const images = await readImages(log, (id) => Promise.resolve(bytes[id] ?? null));
  const wire = toWireMessages(head, log, history, images);
  expect(wire.slice(1)).toEqual([
    { role: 'user', content: 'Look', images: [bytes['one'], bytes['two']] },
    { role: 'assistant', content: 'Dots.' },
    { role: 'user', content: 'Again', images: [bytes['one']] },
  ]);
});

it('stay beside the first message where the system text opens it', async () => {
  const images = await readImages(log, (id) => Promise.resolve(bytes[id] ?? null));
  const [first] = toWireMessages(head, log, { ...history, systemInFirstUser: true }, images);
  expect(first).toMatchObject({ content: 'S\n\nLook', images: [bytes['one'], bytes['two']] });
});

it('go to other hosts as parts behind the text, and a message without them stays a text', async () => {
  const images = await readImages(log, (id) => Promise.resolve(bytes[id] ?? null));
  const [, first, second] = toCompletionMessages({ head, messages: log, history }, images);
  expect(first?.content).toEqual([
    { type: 'text', text: 'Look' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,MQ==' } },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,Mg==' } },
  ]);
  expect(second?.content).toBe('Dots.');
});

it('whose bytes are gone are told by their names', async () => {
  const images = await readImages(log, (id) => Promise.resolve(id === 'one' ? null : (bytes[id] ?? null)));
  const [, first, , last] = toWireMessages(head, log, history, images);
  expect(first).toEqual({ role: 'user', content: 'Look\n[image: one.png]', images: [bytes['two']] });
  expect(last).toEqual({ role: 'user', content: 'Again\n[image: one.png]' });
});

const called: ContextMessage[] = [
  { role: 'user', content: 'Draw' },
  {
    role: 'assistant',
    content: '',
    thinking: '',
    calls: ['a', 'b'].map((id) => ({ id, name: 'draw', args: {} })),
  },
  { role: 'tool', callId: 'a', tool: 'draw', content: 'Here [img-0]', files: [picture('one')] },
  { role: 'tool', callId: 'b', tool: 'draw', content: 'And here', files: [picture('two')] },
  { role: 'assistant', content: 'Dots.', thinking: '', calls: [] },
];

it('Pictures of a result go to Ollama with it, in a place that its words cannot choose', async () => {
  const images = await readImages(called, (id) => Promise.resolve(bytes[id] ?? null));
  const wire = toWireMessages(head, called, history, images);
  expect(wire.slice(3, 5)).toMatchObject([
    { role: 'tool', content: 'Here [ img-0]', images: [bytes['one']] },
    { role: 'tool', content: 'And here', images: [bytes['two']] },
  ]);
});

it('Pictures of results that are told as text stay with that text', async () => {
  const images = await readImages(called, (id) => Promise.resolve(bytes[id] ?? null));
  const wire = toWireMessages(head, called, { ...history, callsAsText: true }, images);
  expect(wire[3]).toEqual({
    role: 'user',
    content: 'Result of draw:\nHere [ img-0]\n\nResult of draw:\nAnd here',
    images: [bytes['one'], bytes['two']],
  });
});

it('Pictures of all results of a reply follow them to other hosts, behind a word of the assistant', async () => {
  const images = await readImages(called, (id) => Promise.resolve(bytes[id] ?? null));
  const wire = toCompletionMessages({ head, messages: called, history }, images);
  expect(wire.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'tool',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(wire[3]?.content).toBe('Here [img-0]');
  expect(wire[6]?.content).toEqual([
    { type: 'text', text: 'Pictures of the results above:' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,MQ==' } },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,Mg==' } },
  ]);
});

it('Pictures of a result whose bytes are gone are told to other hosts by their names', () => {
  const wire = toCompletionMessages({ head, messages: called, history });
  expect(wire[6]?.content).toBe('Pictures of the results above:\n[image: one.png]\n[image: two.png]');
});

it('are read for whichever host is asked', async () => {
  const server = await openAiServer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      'data: {"choices":[{"index":0,"delta":{"content":"Dots."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    );
  });
  try {
    const providers = createHostProviders({
      hosts: [{ id: 'lab', name: 'Lab', kind: 'openai', url: server.url, apiKeyEnv: undefined }],
      clock: systemClock,
      keys: noKeys,
      images: (id) => Promise.resolve(bytes[id] ?? null),
    });
    const request = plainRequest(server.url, { messages: log });
    const reply = providers.get('lab')?.provider.stream(request, new AbortController().signal);
    const told: string[] = [];
    for await (const { type } of reply ?? []) told.push(type);
    expect(told.at(-1)).toBe('done');
    expect(server.requests[0]?.text).toContain('data:image/png;base64,Mg==');
  } finally {
    await server.close();
  }
});
