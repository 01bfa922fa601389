/** Providers and router over real connections, whatever the bytes, the pieces and the moment of a stop. */
import * as fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { createHostProviders } from '../../src/host/providers/hosts.ts';
import { createRouter } from '../../src/host/providers/router.ts';
import type { ReplyEvent } from '../../src/host/providers/provider.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { askHost, callsOf, doneOf, plainRequest, ScriptedHosts, textOf } from '../helpers/openai-asking.ts';
import {
  callChunk,
  chunk,
  data,
  end,
  openAiServer,
  saying,
  stream,
  type Answer,
} from '../helpers/openai-server.ts';
import { within } from '../helpers/waiting.ts';
import { noKeys } from '../helpers/openai-asking.ts';

const scripted = new ScriptedHosts();
afterEach(() => scripted.close());

const whole = Buffer.from(
  [
    chunk({ role: 'assistant', content: null }),
    chunk({ reasoning_content: 'Überlegen …' }),
    chunk({ content: 'häuser 🔥' }),
    callChunk(0, { id: 'a', name: 'read_file', arguments: '{"path":' }),
    callChunk(0, { arguments: '"grün"}' }),
    chunk({}, 'tool_calls'),
    data({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } }),
    end,
  ].join(''),
);

function piecesOf(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [...new Set(places.map((place) => place % bytes.length))].toSorted((a, b) => a - b);
  return [...cuts, bytes.length].map((cut, index) => bytes.subarray(index === 0 ? 0 : cuts[index - 1], cut));
}

const host = (id: string, url: string) => ({
  id,
  name: id,
  kind: 'openai' as const,
  url,
  apiKeyEnv: undefined,
});

const slow: Answer = async (response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  for (let word = 0; word < 50 && !response.destroyed; word += 1) {
    response.write(chunk({ content: 'word ' }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end(chunk({}, 'stop') + end);
};

it('reads the same reply in whatever pieces it comes', async () => {
  const first = await askHost(await scripted.serve(stream(whole)));
  expect(callsOf(first.events)).toEqual([expect.objectContaining({ args: { path: 'grün' } })]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 30 }), async (places) => {
      const outcome = await askHost(await scripted.serve(stream(...piecesOf(whole, places))));
      expect(outcome).toEqual(first);
    }),
    { numRuns: 60 },
  );
});

it('ends every damaged reply with an error in words, and runs no call of it', async () => {
  const damage = fc.record({
    at: fc.nat(whole.length - 1),
    length: fc.nat(40),
    by: fc.uint8Array({ maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(damage, async ({ at, length, by }) => {
      const bytes = Buffer.concat([whole.subarray(0, at), by, whole.subarray(at + length)]);
      const { events, error } = await askHost(await scripted.serve(stream(bytes)));
      const told = error instanceof AndironError && error.message !== '' && error.advice !== '';
      // Complete, or told: never both, never neither.
      expect(told).toBe(doneOf(events) === undefined);
      expect(callsOf(events).length > 0 && told).toBe(false);
    }),
    { numRuns: 200 },
  );
});

it('closes its connection at whatever moment it is stopped, and asks nobody afterwards (X12 c)', async () => {
  for (let stopAt = 0; stopAt < 20; stopAt += 1) {
    const server = await scripted.serve(slow);
    const spare = await scripted.serve(saying('Never asked'));
    const hosts = [host('lab', server.url), host('spare', spare.url)];
    const router = createRouter({
      providers: createHostProviders({ hosts, clock: systemClock, keys: noKeys }),
      clock: systemClock,
    });
    const stop = new AbortController();
    const candidates = [
      { host: 'lab', model: 'm' },
      { host: 'spare', model: 'm' },
    ];
    const events: ReplyEvent[] = [];
    const reading = (async () => {
      for await (const event of router.stream(plainRequest('', { candidates }), stop.signal)) {
        events.push(event);
        if (events.length === stopAt) stop.abort(new AndironError('cancelled', 'Stopped.'));
      }
    })();
    const asked = await server.next();
    if (stopAt === 0) stop.abort(new AndironError('cancelled', 'Stopped.'));
    await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
    await within(asked.closed, 'the connection to be closed');
    expect(spare.requests).toEqual([]);
    expect(router.states()).toEqual([]);
  }
});

it('lets the next model answer where a host is gone, and names it (F9, N3)', async () => {
  const gone = await openAiServer();
  await gone.close();
  const spare = await scripted.serve(saying('Here'));
  const router = createRouter({
    providers: createHostProviders({
      hosts: [host('gone', gone.url), host('spare', spare.url)],
      clock: systemClock,
      keys: noKeys,
    }),
    clock: systemClock,
  });
  const candidates = [
    { host: 'gone', model: 'm' },
    { host: 'spare', model: 'm' },
  ];
  const events: ReplyEvent[] = [];
  const request = plainRequest('', { candidates });
  for await (const event of router.stream(request, new AbortController().signal)) events.push(event);
  expect(textOf(events, 'text')).toBe('Here');
  expect(doneOf(events)?.model).toBe('spare/served');
  expect(router.states()).toEqual([expect.objectContaining({ host: 'gone', model: null })]);
});
