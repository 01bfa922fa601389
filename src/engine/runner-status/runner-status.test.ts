import { expect, test } from 'vitest';
import type { LoadedModel } from '../../protocol/model.ts';
import { createStateStore, initialState } from '../base/state.ts';
import { fakeDeps, settle } from '../testing/fakes.ts';
import type { RunnerWish } from './find-runner.ts';
import { createRunnerStatus } from './runner-status.ts';
import type { HttpAnswer } from './runner-slots.ts';

const file = `/blobs/sha256-${'ab'.repeat(32)}`;
const url = 'http://127.0.0.1:11434';
const row: LoadedModel = {
  name: 'qwen3:8b',
  sizeBytes: 5,
  vramBytes: 5,
  contextTokens: 4_096,
  expiresAt: '',
  asPlanned: true,
};

function slot(processed: number): HttpAnswer {
  const body = {
    id: 0,
    is_processing: true,
    id_task: 1,
    n_prompt_tokens: processed,
    n_prompt_tokens_processed: processed,
    n_prompt_tokens_cache: 0,
    next_token: [{ n_decoded: 0 }],
  };
  return { status: 200, body: JSON.stringify([body]) };
}

function open(at: string | null = url) {
  const deps = fakeDeps();
  deps.ollama.install('qwen3:8b', { show: { modelfile: `FROM ${file}\n` } });
  const state = createStateStore({ ...initialState, loaded: [row] });
  const searches: RunnerWish[] = [];
  const asked: string[] = [];
  const world = {
    port: 4_711 as number | null,
    file: null as string | null,
    answer: (): Promise<HttpAnswer> => Promise.resolve(slot(7)),
  };
  const status = createRunnerStatus(deps, state, {
    url: () => at,
    async find(wish) {
      searches.push(wish);
      world.file = await wish.file();
      return world.port === null ? null : { port: world.port, pid: 91 };
    },
    get(address) {
      asked.push(address);
      return world.answer();
    },
  });
  return { deps, state, status, world, searches, asked };
}

test('a loaded model is asked at the port of its runner, which is looked for once', async () => {
  const { deps, status, world, searches, asked } = open();
  expect(await status.slots('QWEN3:8b')).toMatchObject([{ processedTokens: 7 }]);
  await deps.clock.advance(2_000);
  expect(await status.slots('qwen3:8b')).not.toBeNull();
  expect(searches).toMatchObject([{ url, model: 'qwen3:8b', contextTokens: 4_096 }]);
  expect(world.file).toBe(file);
  expect(asked).toEqual(['http://127.0.0.1:4711/slots', 'http://127.0.0.1:4711/slots']);
  expect(await status.pid('qwen3:8b')).toBe(91);
});

test("another machine's runner is never looked for, nor one of a model that is not loaded", async () => {
  const remote = open('http://192.168.1.7:11434');
  expect(await remote.status.slots('qwen3:8b')).toBeNull();
  const here = open();
  expect(await here.status.slots('gemma4:12b')).toBeNull();
  expect([...remote.searches, ...here.searches, ...remote.asked]).toEqual([]);
});

test('where there is none it is looked for again, but not at every question', async () => {
  const { deps, status, world, searches } = open();
  world.port = null;
  for (let index = 0; index < 3; index += 1) expect(await status.slots('qwen3:8b')).toBeNull();
  expect(searches).toHaveLength(1);
  await deps.clock.advance(5_000);
  expect(await status.slots('qwen3:8b')).toBeNull();
  world.port = 4_711;
  await deps.clock.advance(9_000);
  expect(await status.slots('qwen3:8b')).toBeNull();
  await deps.clock.advance(1_000);
  expect(await status.slots('qwen3:8b')).not.toBeNull();
  expect(searches).toHaveLength(3);
});

test('a reloaded model has another runner', async () => {
  const { state, status, world, asked } = open();
  await status.slots('qwen3:8b');
  world.port = 4_712;
  state.update({ loaded: [{ ...row, contextTokens: 8_192 }] });
  await status.slots('qwen3:8b');
  state.update({ loading: { model: 'qwen3:8b', since: 1, expectedMs: null } });
  world.port = 4_713;
  await status.slots('qwen3:8b');
  expect(asked.map((address) => new URL(address).port)).toEqual(['4711', '4712', '4713']);
});

test('a runner that went is forgotten, and the next one found', async () => {
  const { deps, status, world, asked } = open();
  world.answer = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  expect(await status.slots('qwen3:8b')).toBeNull();
  world.answer = () => Promise.resolve(slot(1));
  world.port = 4_712;
  await deps.clock.advance(5_000);
  expect(await status.slots('qwen3:8b')).not.toBeNull();
  expect(asked).toHaveLength(2);
});

test.each([
  { status: 501, body: 'This server does not support slots endpoint.' },
  { status: 200, body: '{"slots":[]}' },
])('one that tells nothing is not asked again while it is the same: $status', async (answer) => {
  const { deps, status, world, asked } = open();
  world.answer = () => Promise.resolve(answer);
  await status.slots('qwen3:8b');
  await deps.clock.advance(60_000);
  expect(await status.slots('qwen3:8b')).toBeNull();
  expect(asked).toHaveLength(1);
});

test('one that is still loading, or computes a long batch, is asked again', async () => {
  const { deps, status, world } = open();
  world.answer = () => Promise.resolve({ status: 503, body: 'Loading model' });
  expect(await status.slots('qwen3:8b')).toBeNull();
  world.answer = () => new Promise(() => undefined);
  const late = status.slots('qwen3:8b');
  await deps.clock.advance(2_000);
  await deps.clock.advance(20_000);
  expect(await late).toBeNull();
  world.answer = () => Promise.resolve(slot(3));
  const next = status.slots('qwen3:8b');
  await deps.clock.advance(2_000);
  expect(await next).toMatchObject([{ processedTokens: 3 }]);
});

test('a runner has a second of peace behind each answer, in which it finds a peer dead (H5)', async () => {
  const { deps, status, asked } = open();
  await status.slots('qwen3:8b');
  const next = status.slots('qwen3:8b');
  await deps.clock.advance(1_100);
  expect(asked).toHaveLength(1);
  await deps.clock.advance(200);
  expect(await next).toMatchObject([{ processedTokens: 7 }]);
  expect(asked).toHaveLength(2);
});

test('questions at the same time are one', async () => {
  const { status, world, asked } = open();
  const answer = Promise.withResolvers<HttpAnswer>();
  world.answer = () => answer.promise;
  const both = Promise.all([status.slots('qwen3:8b'), status.slots('qwen3:8b')]);
  await settle();
  answer.resolve(slot(9));
  expect(await both).toMatchObject([[{ processedTokens: 9 }], [{ processedTokens: 9 }]]);
  expect(asked).toHaveLength(1);
});

test('a search that fails is no runner', async () => {
  const { deps, status, searches } = open();
  deps.ollama.failure = new Error('gone');
  expect(await status.slots('qwen3:8b')).toBeNull();
  expect(searches).toHaveLength(1);
});
