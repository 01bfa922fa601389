/**
 * The provider against a real OpenAI-compatible host at ANDIRON_OPENAI_URL (the API's root), e.g. a llama-server that was
 * started with `--jinja -c 4096`. ANDIRON_OPENAI_MODEL names the model, ANDIRON_OPENAI_KEY the key where it wants one.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { listHostModels } from '../../src/host/providers/host-models.ts';
import type { HostConfig } from '../../src/host/providers/host-kind.ts';
import { createOpenAiProvider } from '../../src/host/providers/openai.ts';
import type { ModelRequest } from '../../src/host/providers/provider.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { anyText, grammar, object, oneOfValues } from '../../src/rules/grammar/schema.ts';
import { callsOf, doneOf, plainRequest, textOf, type Outcome } from '../helpers/openai-asking.ts';

const url = process.env['ANDIRON_OPENAI_URL'] ?? '';
const apiKey = process.env['ANDIRON_OPENAI_KEY'];
const host: HostConfig = { id: 'real', name: 'The real host', kind: 'openai', url, apiKeyEnv: undefined };

const user = (content: string) => [{ role: 'user' as const, content }];

const weather = {
  name: 'get_weather',
  description: 'Weather of a city',
  schema: {
    type: 'object' as const,
    properties: { city: { type: 'string' as const } },
    required: ['city'],
  },
};

describe.skipIf(url === '')(
  'a real OpenAI-compatible host (skipped unless ANDIRON_OPENAI_URL names one)',
  () => {
    const provider = createOpenAiProvider({
      clock: systemClock,
      name: host.name,
      readKey: () => Promise.resolve(apiKey),
    });
    let model = '';
    let window: number | null = null;

    beforeAll(async () => {
      const models = await listHostModels(
        host,
        { readKey: () => Promise.resolve(apiKey), clock: systemClock },
        new AbortController().signal,
      );
      const wanted = process.env['ANDIRON_OPENAI_MODEL'];
      const chosen = models.find((each) => wanted === undefined || each.model === wanted);
      model = chosen?.model ?? '';
      window = chosen?.contextTokens ?? null;
    });

    const ask = async (changes: Partial<ModelRequest>, stop = new AbortController()): Promise<Outcome> => {
      const request = plainRequest(url, { model, sampling: { temperature: 0 }, ...changes });
      const outcome: Outcome = { events: [], error: undefined };
      try {
        for await (const event of provider.stream(request, stop.signal)) outcome.events.push(event);
      } catch (error) {
        outcome.error = error;
      }
      return outcome;
    };

    it('streams an answer, says who gave it and what it counted', async () => {
      const { events, error } = await ask({ messages: user('Say hello.') });
      expect(error).toBeUndefined();
      expect(events[0]).toMatchObject({ type: 'opened' });
      expect(events.length).toBeGreaterThan(3);
      expect(`${textOf(events, 'text')}${textOf(events, 'thinking')}`).not.toBe('');
      expect(doneOf(events)?.model).toEqual(expect.any(String));
      expect(doneOf(events)?.counters.promptTokens).toBeGreaterThan(5);
      expect(doneOf(events)?.counters.outputTokens).toBeGreaterThan(1);
    });

    it('says when the token limit cut the answer', async () => {
      const { events } = await ask({ messages: user('Count to one hundred.'), maxOutputTokens: 5 });
      expect(doneOf(events)?.reason).toBe('length');
    });

    it('reads nothing again of a conversation that only grew', async ({ skip }) => {
      const messages: ModelRequest['messages'] = user(`Remember: ${'lantern shed garden '.repeat(60)}`);
      const first = doneOf((await ask({ messages, maxOutputTokens: 1 })).events)?.counters;
      messages.push({ role: 'assistant', content: 'Yes.', thinking: '', calls: [] }, ...user('Go on.'));
      const second = doneOf((await ask({ messages, maxOutputTokens: 1 })).events)?.counters;
      if (second?.cachedTokens === null) return skip('the host does not count what it had in its cache');
      expect(second?.cachedTokens).toBeGreaterThan((first?.promptTokens ?? 0) * 0.9);
    });

    it('takes tools, and a call comes whole where the model makes one', async () => {
      const { events, error } = await ask({
        head: { system: 'Call a tool.', tools: [weather] },
        messages: user('Weather in Paris?'),
      });
      expect(error).toBeUndefined();
      // Whether a small model writes a call so that its host reads it is the model's affair.
      for (const call of callsOf(events)) {
        expect(call).toMatchObject({ name: 'get_weather', args: { city: expect.stringMatching(/paris/i) } });
        expect(call.unread).toBeUndefined();
      }
      expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['opened', 'done']));
    });

    it('takes a history with calls, results and reasoning', async () => {
      const { error } = await ask({
        head: { system: 'Be brief.', tools: [weather] },
        messages: [
          ...user('Weather in Paris and Rome?'),
          {
            role: 'assistant',
            content: 'I look.',
            thinking: 'Two cities.',
            extra: { reasoning_content: 'Two cities.' },
            calls: ['Paris', 'Rome'].map((city) => ({ id: city, name: 'get_weather', args: { city } })),
          },
          { role: 'tool', callId: 'Paris', tool: 'get_weather', content: 'Sunny.' },
          { role: 'tool', callId: 'Rome', tool: 'get_weather', content: 'Rain.' },
        ],
        maxOutputTokens: 20,
      });
      expect(error).toBeUndefined();
    });

    it('follows a schema', async () => {
      const format = grammar(object({ colour: oneOfValues(['red', 'blue']) ?? anyText() }));
      const { events, error } = await ask({ messages: user('Which colour is the sky?'), format });
      expect(error).toBeUndefined();
      expect(JSON.parse(textOf(events, 'text'))).toEqual({ colour: expect.stringMatching(/^(red|blue)$/) });
    });

    it('stops while the prompt is read, and answers the next request', async () => {
      const stop = new AbortController();
      // New words each time: what is in the cache is not read.
      const words = 'garden shed lantern '.repeat(Math.floor((window ?? 2048) / 6));
      const reading = ask({ messages: user(`${systemClock.now()} ${words}`) }, stop);
      const timer = setTimeout(() => stop.abort(new AndironError('cancelled', 'Stopped.')), 300);
      const { events, error } = await reading;
      clearTimeout(timer);
      expect(events).toEqual([]);
      expect(error).toMatchObject({ code: 'cancelled' });
      expect((await ask({ messages: user('Say yes.'), maxOutputTokens: 5 })).error).toBeUndefined();
    });

    it('says that a conversation is too long', async ({ skip }) => {
      if (window === null) return skip('the host does not say how large its window is');
      const { error } = await ask({ messages: user('word '.repeat(window + 500)) });
      expect(error).toMatchObject({ code: 'context_overflow' });
    });

    it('misses a model that is not there, or answers with the one that it has', async () => {
      const { events, error } = await ask({ model: 'nonesuch', messages: user('Hi'), maxOutputTokens: 5 });
      const told = error instanceof AndironError ? error.code : doneOf(events)?.model;
      expect(told).not.toBe('nonesuch');
      expect(told).toMatch(error === undefined ? /./ : /^model_missing$/);
    });

    it('does not answer below another address', async () => {
      const { error } = await ask({ url: `${url}/nowhere`, messages: user('Hi') });
      expect(error).toMatchObject({ code: 'engine_refused' });
    });
  },
);
