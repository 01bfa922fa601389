import { expect, it } from 'vitest';
import { initialState } from '../../engine/base/state.ts';
import { randomId, systemClock, type Clock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import type { RequestFrame, ServerFrame } from '../../protocol/frames.ts';
import type { EngineState } from '../../protocol/model.ts';
import { createTransportPair } from '../../protocol/transport.ts';
import { EngineClient } from './engine-client.ts';

const running: EngineState['status'] = {
  kind: 'running',
  url: 'http://127.0.0.1:11434',
  version: '0.30.0',
  simulated: false,
  exposed: null,
};

it('takes a change that comes in one breath with the snapshot', async () => {
  const [engine, host] = createTransportPair();
  engine.onFrame((raw) => {
    const { id } = raw as RequestFrame;
    const result = { seq: 7, epoch: 'e', state: initialState };
    const changed = { type: 'engine/changed', changes: { status: running } };
    const frames: ServerFrame[] = [
      { type: 'response', id, ok: true, result },
      { type: 'event', topic: 'engine', seq: 8, event: changed },
    ];
    for (const frame of frames) engine.send(frame);
  });
  const client = new EngineClient({ clock: systemClock, newId: randomId, log: silentLog });
  const told = new Promise<void>((resolve) => {
    client.onState(() => {
      if (client.state()?.status.kind === 'running') resolve();
    });
  });

  client.attach(host);

  await told;
  expect(client.state()?.status).toEqual(running);
});

it('waits for a runner in the middle of a batch, which on a processor takes seconds', async () => {
  const [engine, host] = createTransportPair();
  const asked = Promise.withResolvers<number>();
  engine.onFrame((raw) => {
    const { id, method } = raw as RequestFrame;
    if (method === 'runner/slots') asked.resolve(id);
  });
  const limits: number[] = [];
  const clock: Clock = {
    ...systemClock,
    after(ms) {
      limits.push(ms);
      return { cancel: () => undefined };
    },
  };
  const client = new EngineClient({ clock, newId: randomId, log: silentLog });
  client.attach(host);
  const slots = client.slots('qwen3:8b');
  const frame: ServerFrame = { type: 'response', id: await asked.promise, ok: true, result: { slots: [] } };
  engine.send(frame);
  expect(await slots).toEqual([]);
  // Longer than the engine itself waits.
  expect(limits.at(-1)).toBeGreaterThan(20_000);
});

it('says what to do where the connection goes under a turn that waits for the GPU', async () => {
  const [engine, host] = createTransportPair();
  engine.onFrame((raw) => {
    if ((raw as RequestFrame).method === 'lease/acquire') engine.close();
  });
  const client = new EngineClient({ clock: systemClock, newId: randomId, log: silentLog });
  client.attach(host);
  const request = { model: 'qwen3:8b', contextTokens: 8_192, label: 'a turn' };
  const waits = client.acquire(request, () => undefined, new AbortController().signal);
  await expect(waits).rejects.toMatchObject({
    code: 'engine_unavailable',
    advice: expect.stringContaining('Send again') as unknown,
  });
});
