import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AndironError } from './errors.ts';
import { maxFrameBytes } from './limits.ts';
import { createRpcClient } from './rpc-client.ts';
import { serve, type Connection, type Handlers } from './rpc-server.ts';
import { ownerAt } from './principal.ts';
import { createTransportPair } from './transport.ts';

const methods = {
  'thing/double': { params: z.object({ value: z.number() }), result: z.object({ value: z.number() }) },
  'thing/wait': { params: z.object({}), result: z.object({}) },
  'thing/break': { params: z.object({ how: z.enum(['known', 'unknown']) }), result: z.object({}) },
} as const;
type Methods = typeof methods;

function connect(overrides: Partial<Handlers<Methods>> = {}, begin?: (work: () => void) => void) {
  const [a, b] = createTransportPair();
  const internal: string[] = [];
  const connection: Connection = serve({
    transport: a,
    methods,
    epoch: 'e1',
    principal: ownerAt('desktop'),
    accessOf: () => ({ needs: 'owner', on: 'any' }),
    owns: () => false,
    onInternalError: (_error, what) => internal.push(what),
    ...(begin && { begin }),
    handlers: {
      'thing/double': ({ value }) => ({ value: value * 2 }),
      'thing/wait': (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new AndironError('cancelled', 'gone')), {
            once: true,
          });
        }),
      'thing/break': ({ how }) => {
        throw how === 'known' ? new AndironError('busy', 'Busy.', 'Wait.') : new Error('secret detail');
      },
      ...overrides,
    },
  });
  return { client: createRpcClient<Methods>(b), connection, internal, raw: b, server: a };
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (e: unknown) => e,
  );

const sized = (rest: string): never => ({ value: 21, rest }) as never;

describe('a request', () => {
  it('is answered with what the handler returns', async () => {
    expect(await connect().client.call('thing/double', { value: 21 })).toEqual({ value: 42 });
  });

  it('with wrong parameters is refused before any handler runs', async () => {
    const { client } = connect();
    expect(await failure(client.call('thing/double', { value: 'x' } as never))).toMatchObject({
      code: 'invalid_params',
    });
  });

  it('nested deeper than a frame may be is refused unread, and the next one is answered (audit-S12)', async () => {
    const { client, raw } = connect();
    const nest = (levels: number): unknown => (levels === 0 ? 21 : { value: nest(levels - 1) });
    // A request is one level, its parameters are the rest.
    expect(await failure(client.call('thing/double', nest(63) as never))).toMatchObject({
      message: expect.stringContaining('thing/double') as string,
    });
    expect(await failure(client.call('thing/double', nest(64) as never))).toMatchObject({
      code: 'invalid_params',
      message: expect.stringContaining('nested deeper than 64 levels') as string,
    });
    raw.send(nest(100));
    expect(await client.call('thing/double', { value: 21 })).toEqual({ value: 42 });
  });

  it('larger than 8 MB is refused here and there, and the next one is answered (audit-S21)', async () => {
    const { client, raw } = connect();
    const room = maxFrameBytes - 200;
    for (const text of ['x'.repeat(room), 'é'.repeat(room / 2), '中'.repeat(Math.floor(room / 3))]) {
      expect(await client.call('thing/double', sized(text))).toEqual({ value: 42 });
      expect(await failure(client.call('thing/double', sized(`${text}${text.slice(0, 200)}`)))).toMatchObject(
        {
          code: 'invalid_params',
          message: 'This is larger than 8 MB, so it was not sent.',
        },
      );
    }
    expect(
      await failure(client.call('thing/double', Array.from({ length: 9e6 }, () => 0) as never)),
    ).toMatchObject({
      code: 'invalid_params',
    });
    // Another client may send what ours does not.
    const answers: unknown[] = [];
    const other = connect();
    other.raw.onFrame((frame) => answers.push(frame));
    const large = { type: 'request', method: 'thing/double', params: sized('x'.repeat(maxFrameBytes)) };
    other.raw.send({ ...large, id: 7 });
    other.raw.send({ ...large, id: 8, params: { value: 1 } });
    while (answers.length < 3) await Promise.resolve();
    expect(answers.slice(1)).toMatchObject([
      { id: 7, ok: false, error: { message: 'This request was refused: it is larger than 8 MB.' } },
      { id: 8, ok: true, result: { value: 2 } },
    ]);
    raw.close();
  });

  it.each(['nope', 'constructor', '__proto__'])('for the unknown method %s is refused', async (name) => {
    expect(await failure(connect().client.call(name as never, {} as never))).toMatchObject({
      code: 'unknown_method',
    });
  });

  it('carries code, message and advice of a known failure', async () => {
    const error = await failure(connect().client.call('thing/break', { how: 'known' }));
    expect(error).toMatchObject({ code: 'busy', message: 'Busy.', advice: 'Wait.' });
  });

  it('hides the text of an unknown failure and logs it', async () => {
    const { client, internal } = connect();
    const error = await failure(client.call('thing/break', { how: 'unknown' }));
    expect(error).toMatchObject({ code: 'internal' });
    expect(String(error)).not.toContain('secret');
    expect(internal).toEqual(['thing/break']);
  });

  it('that is cancelled ends at once here and fires the signal there', async () => {
    const fired = Promise.withResolvers<void>();
    const { client } = connect({
      'thing/wait': (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            fired.resolve();
            reject(new AndironError('cancelled', 'gone'));
          });
        }),
    });
    const controller = new AbortController();
    const call = failure(client.call('thing/wait', {}, controller.signal));
    controller.abort();
    expect(await call).toMatchObject({ code: 'cancelled' });
    await fired.promise;
  });

  it('that is cancelled before its turn begins with a signal that has fired', async () => {
    const waiting: (() => void)[] = [];
    const seen = Promise.withResolvers<boolean>();
    const handler = (_params: object, { signal }: { signal: AbortSignal }): Record<string, never> => {
      seen.resolve(signal.aborted);
      return {};
    };
    const { client } = connect({ 'thing/wait': handler }, (work) => void waiting.push(work));
    const controller = new AbortController();
    const call = failure(client.call('thing/wait', {}, controller.signal));
    await Promise.resolve();
    controller.abort();
    expect(await call).toMatchObject({ code: 'cancelled' });
    // The cancellation has arrived when a later request has.
    const later = client.call('thing/double', { value: 1 });
    await expect.poll(() => waiting.length).toBe(2);
    for (const work of waiting) work();
    expect([await seen.promise, await later]).toEqual([true, { value: 2 }]);
  });

  it('hands over a result that crossed its cancellation, so that a grant is never lost', async () => {
    const { client } = connect();
    const controller = new AbortController();
    const late = Promise.withResolvers<{ value: number }>();
    const call = failure(client.call('thing/double', { value: 2 }, controller.signal, late.resolve));
    // The request is on its way; its handler will answer before the cancellation arrives.
    controller.abort();
    expect(await call).toMatchObject({ code: 'cancelled' });
    expect(await late.promise).toEqual({ value: 4 });
  });

  it('fails as disconnected when the connection goes', async () => {
    const { client, server } = connect();
    const call = failure(client.call('thing/wait', {}));
    server.close();
    expect(await call).toMatchObject({ code: 'disconnected' });
    expect(await failure(client.call('thing/double', { value: 1 }))).toMatchObject({ code: 'disconnected' });
  });
});

describe('a connection', () => {
  it('says its epoch first and carries events in order', async () => {
    const { client, connection } = connect();
    const seen: unknown[] = [];
    const both = new Promise<void>((resolve) => {
      client.onEvent((topic, seq, event) => {
        seen.push([topic, seq, event]);
        if (seen.length === 2) resolve();
      });
    });
    const epoch = new Promise<string>((resolve) => client.onHello(resolve));
    connection.publish('t', 1, { n: 1 });
    connection.publish('t', 2, { n: 2 });
    await both;
    expect(await epoch).toBe('e1');
    expect(seen).toEqual([
      ['t', 1, { n: 1 }],
      ['t', 2, { n: 2 }],
    ]);
  });

  it('survives frames that make no sense', async () => {
    const { client, raw, internal } = connect();
    for (const frame of [null, 5, 'x', { type: 'request' }, { type: 'launch' }]) raw.send(frame);
    expect(await client.call('thing/double', { value: 1 })).toEqual({ value: 2 });
    expect(internal).toHaveLength(5);
  });
});
