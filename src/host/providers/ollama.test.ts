import { afterEach, expect, it } from 'vitest';
import { plainRequest, ScriptedHosts } from '../../../test/helpers/openai-asking.ts';
import { refusal } from '../../../test/helpers/openai-server.ts';
import { systemClock } from '../../platform/clock.ts';
import { anyText, grammar, object } from '../../rules/grammar/schema.ts';
import { createOllamaProvider } from './ollama.ts';
import type { ModelRequest } from './provider.ts';

const hosts = new ScriptedHosts();
afterEach(() => hosts.close());

const line = { message: { role: 'assistant', content: 'Hi' }, done: true, done_reason: 'stop' };
const tool = {
  name: 'list_files',
  description: 'Lists files',
  schema: { type: 'object' as const, properties: {}, required: [] },
};

async function bodyOf(changes: Partial<ModelRequest>): Promise<Record<string, unknown>> {
  const server = await hosts.serve(refusal(200, JSON.stringify(line), 'application/x-ndjson'));
  const request = plainRequest(server.url.replace('/v1', ''), changes);
  const events: string[] = [];
  for await (const event of createOllamaProvider({ clock: systemClock }).stream(
    request,
    new AbortController().signal,
  )) {
    events.push(event.type);
  }
  expect(events).toEqual(['opened', 'text', 'done']);
  return JSON.parse(server.requests[0]?.text ?? '') as Record<string, unknown>;
}

it('asks Ollama for a reply that follows the schema, and for a free one where there is none', async () => {
  const format = grammar(object({ answer: anyText() }));
  expect((await bodyOf({ format }))['format']).toEqual(format);
  expect(await bodyOf({})).not.toHaveProperty('format');
});

it('sends Ollama no tools beside those in the system text', async () => {
  const head = { system: 'Be good.', tools: [tool] };
  const body = await bodyOf({
    head,
    history: { echoThinking: true, textBesideCall: true, toolsInSystem: true },
  });
  expect(body).not.toHaveProperty('tools');
  expect(body['messages']).toContainEqual({
    role: 'system',
    content: expect.stringContaining('{"name":"list_files"'),
  });
  expect(await bodyOf({ head })).toHaveProperty('tools');
});

it('a reply of more lines than tokens is cut, also when they say nothing (audit-S13)', async () => {
  const line = JSON.stringify({ message: { role: 'assistant', content: '' }, done: false });
  const server = await hosts.serve(refusal(200, `${line}\n`.repeat(20_000), 'application/x-ndjson'));
  const request = plainRequest(server.url.replace('/v1', ''), { maxOutputTokens: 100 });
  const read = async (): Promise<void> => {
    for await (const _ of createOllamaProvider({ clock: systemClock }).stream(
      request,
      new AbortController().signal,
    ));
  };
  await expect(read()).rejects.toThrow(/far more than the 100 tokens/);
});
