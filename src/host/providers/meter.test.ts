import { expect, test } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { plainRequest } from '../../../test/helpers/openai-asking.ts';
import { createMeter } from './meter.ts';
import type { CountedRequest, ModelRequest, ReplyEvent } from './provider.ts';

const counters = {
  promptTokens: 100,
  cachedTokens: 40,
  outputTokens: 7,
  promptMs: 1,
  outputMs: 1,
  loadMs: 0,
};
const opened: ReplyEvent = { type: 'opened', model: 'lab/big' };
const done: ReplyEvent = { type: 'done', reason: 'stop', counters, model: 'lab/big' };
const unknown = { inputTokens: null, cachedTokens: null, outputTokens: null, cost: null };

/** Asks a provider that says this, and reads the reply until `leaveAt` says to stop it. */
async function counted(
  said: readonly (ReplyEvent | Error)[],
  {
    stopAt,
    isStopped = false,
    purpose = 'main',
  }: { stopAt?: ReplyEvent['type']; isStopped?: boolean; purpose?: ModelRequest['purpose'] } = {},
): Promise<CountedRequest[]> {
  const counts: CountedRequest[] = [];
  const provider = {
    async *stream(_: ModelRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent> {
      for (const event of said) {
        signal.throwIfAborted();
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
  const cost = { nano: 5, currency: 'EUR' };
  const meter = createMeter(provider, ([model]) => (model === 'lab/big' ? cost : null));
  const stop = new AbortController();
  if (isStopped) stop.abort();
  try {
    for await (const event of meter((each) => void counts.push(each)).stream(
      plainRequest('http://lab', { purpose }),
      stop.signal,
    ))
      if (event.type === stopAt) stop.abort();
  } catch {
    // It is what is counted of it that matters.
  }
  return counts;
}

test('An answered request is counted once, by the model that answered, with its cost (I8, F9)', async () => {
  expect(await counted([opened, { type: 'text', text: 'Hi' }, done], { purpose: 'plan' })).toEqual([
    {
      purpose: 'plan',
      model: 'lab/big',
      ended: 'answered',
      inputTokens: 100,
      cachedTokens: 40,
      outputTokens: 7,
      cost: { nano: 5, currency: 'EUR' },
    },
  ]);
});

test('A request that was stopped is counted with unknown figures, and its person pays by its size (I8, B6)', async () => {
  expect(await counted([opened, { type: 'text', text: 'Hi there' }, done], { stopAt: 'text' })).toEqual([
    {
      purpose: 'main',
      model: 'lab/big',
      ended: 'stopped',
      ...unknown,
      assumed: { inputTokens: expect.any(Number) as number, outputTokens: 2 },
    },
  ]);
});

test('An answer that breaks off is counted as failed, and its figures are unknown (I8)', async () => {
  const broken = new AndironError('stream_cut', 'It broke off.');
  expect(await counted([opened, broken])).toEqual([
    { purpose: 'main', model: 'lab/big', ended: 'failed', ...unknown },
  ]);
});

test('A request that is refused before a model saw it is not counted (I8)', async () => {
  expect(await counted([new AndironError('engine_refused', 'No.')])).toEqual([]);
});

const refuse = (): never => {
  throw new AndironError('over_budget', 'No more.');
};

test('A request that may not be made any more is neither sent nor counted (P18)', async () => {
  const counts: CountedRequest[] = [];
  let sent = 0;
  const provider = {
    async *stream(): AsyncGenerator<ReplyEvent> {
      sent += 1;
      yield done;
    },
  };
  const metered = createMeter(provider, () => null)((each) => void counts.push(each), refuse);
  const reading = metered.stream(
    plainRequest('http://lab', { purpose: 'main' }),
    new AbortController().signal,
  );
  await expect(reading[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'over_budget' });
  expect({ sent, counts }).toEqual({ sent: 0, counts: [] });
});

test('A request that was stopped before it was sent is not counted (I8)', async () => {
  expect(await counted([opened, done], { isStopped: true })).toEqual([]);
});
