import { afterEach, describe, expect, it } from 'vitest';
import { ScriptedHosts } from '../../../test/helpers/openai-asking.ts';
import { openAiServer, refusal, type Answer } from '../../../test/helpers/openai-server.ts';
import { skippableClock } from '../../../test/helpers/skippable-clock.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { ModelInfo, Profile } from '../../protocol/model.ts';
import type { EngineAccess } from '../loop/deps.ts';
import { hostsNow } from './current-hosts.ts';
import { candidatesFor, withHosts } from './hosts-access.ts';
import { noKeys } from '../../../test/helpers/openai-asking.ts';

const scripted = new ScriptedHosts();
afterEach(() => scripted.close());

const info = (name: string): ModelInfo => ({
  name,
  sizeBytes: 1,
  digest: 'd',
  family: 'qwen3',
  parameterSize: '',
  quantization: '',
  capabilities: ['tools'],
  trainedContext: null,
  thinkingValues: null,
  modifiedAt: '',
});

/** Has these models, prefers what it is asked for, and remembers that. */
function fakeEngine(...installed: string[]): EngineAccess & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async chooseModel(profile, pinned) {
      asked.push(`choose ${pinned ?? `of ${profile.models.join(', ')}`}`);
      const name = pinned ?? [...profile.models, ...installed].find((each) => installed.includes(each));
      if (name !== undefined && installed.includes(name)) return info(name);
      throw new AndironError('model_missing', 'No.');
    },
    async acquire({ model }) {
      asked.push(`acquire ${model}`);
      throw new AndironError('busy', 'The engine was asked.');
    },
    residency: async () => ({ loaded: true, vramBytes: 1 }),
    slots: async () => null,
  };
}

const profile = (...models: string[]): Profile => ({ models }) as Partial<Profile> as Profile;
const models: Answer = refusal(
  200,
  JSON.stringify({ data: [{ id: 'qwen', meta: { n_ctx: 8192 } }, { id: 'org/open' }] }),
);
const cut: Answer = (response) => void response.destroy();
const never = new AbortController().signal;

const host = (id: string, url: string) => ({
  id,
  name: id,
  kind: 'openai' as const,
  url,
  apiKeyEnv: undefined,
});

async function open(engine: EngineAccess, ...answers: Answer[]) {
  const server = await scripted.serve(...(answers.length > 0 ? answers : [models]));
  const dead = await openAiServer();
  await dead.close();
  const clock = skippableClock();
  const hosts = [host('lab', server.url), host('dead', dead.url)];
  return { server, clock, access: withHosts(engine, { hosts: hostsNow(hosts), keys: noKeys, clock }) };
}

const choice = (access: EngineAccess, pinned: string | null, ...listed: string[]): Promise<string> =>
  access.chooseModel(profile(...listed), pinned, never).then(({ name }) => name);

describe('choosing among engine and hosts', () => {
  it('takes the model of a host that the person chose', async () => {
    const { access } = await open(fakeEngine());
    expect(await choice(access, 'lab/org/open', 'qwen3')).toBe('lab/org/open');
  });

  it('says what a host has when it lacks the model that the person chose', async () => {
    const { access } = await open(fakeEngine());
    await expect(choice(access, 'lab/nonesuch')).rejects.toMatchObject({
      code: 'model_missing',
      advice: 'Choose one of those it has: qwen, org/open',
    });
  });

  it('leaves a list without hosts to the engine, as it stands', async () => {
    const engine = fakeEngine('qwen3');
    const { access, server } = await open(engine);
    expect(await choice(access, null, 'a', 'qwen3')).toBe('qwen3');
    expect(engine.asked).toEqual(['choose of a, qwen3']);
    expect(server.requests).toEqual([]);
  });

  it('keeps to the order of the list, whoever has the models', async () => {
    expect(await choice((await open(fakeEngine('qwen3'))).access, null, 'qwen3', 'lab/qwen')).toBe('qwen3');
    expect(await choice((await open(fakeEngine('other'))).access, null, 'qwen3', 'lab/qwen')).toBe(
      'lab/qwen',
    );
  });

  it('goes on behind a host that is away, to whatever the engine has at last (N3)', async () => {
    const { access } = await open(fakeEngine('other'));
    expect(await choice(access, null, 'dead/big', 'lab/nonesuch')).toBe('other');
  });

  it('does not hide a host that refuses', async () => {
    const { access } = await open(fakeEngine('other'), refusal(401, '{"error":"Unauthorized"}'));
    await expect(choice(access, null, 'lab/qwen')).rejects.toMatchObject({ code: 'engine_refused' });
  });

  it('does not wait for a host that says nothing', async () => {
    const { access, clock, server } = await open(fakeEngine('other'), () => undefined);
    const chosen = choice(access, null, 'lab/qwen');
    await server.next();
    clock.skip(5_001);
    expect(await chosen).toBe('other');
  });
});

describe('a lease', () => {
  const request = { contextTokens: 16_384, label: 'x' };

  it('of the engine is granted by the engine', async () => {
    const engine = fakeEngine('qwen3');
    const { access } = await open(engine);
    const acquired = access.acquire({ ...request, model: 'qwen3' }, () => undefined, never);
    await expect(acquired).rejects.toMatchObject({ code: 'busy' });
    expect(engine.asked).toEqual(['acquire qwen3']);
  });

  it.each([
    ['lab/qwen', 8192],
    ['lab/org/open', 8_192],
  ])('of the host’s %s has the smaller one of both windows', async (model, window) => {
    const { access, server } = await open(fakeEngine());
    const lease = await access.acquire({ ...request, model }, () => undefined, never);
    expect(lease).toMatchObject({ url: server.url, model: { name: model } });
    expect(lease.plan.options).toEqual({ num_ctx: window });
  });

  it.each<[object, number]>([
    [{ max_model_len: 4_096 }, 4_096],
    [{ context_length: 131_072 }, 16_384],
    [{ context_window: 6_000 }, 6_000],
    [{ max_context_length: 12_288 }, 12_288],
    [{ context_length: 'long', meta: 7 }, 8_192],
    [{ context_length: 0 }, 8_192],
    [{}, 8_192],
  ])('has the context that the host says in its own words: %j (audit-A7, I7)', async (says, window) => {
    const list = refusal(200, JSON.stringify({ data: [{ id: 'qwen', ...says }] }));
    const { access } = await open(fakeEngine(), list);
    const lease = await access.acquire({ ...request, model: 'lab/qwen' }, () => undefined, never);
    expect(lease.plan.options.num_ctx).toBe(window);
    expect(lease.model.trainedContext === null).toBe(window === 8_192);
  });

  it('keeps the context that the profile names where the host says none (audit-A7, I7)', async () => {
    const { access } = await open(fakeEngine());
    const wish = { ...request, contextTokens: 65_536, model: 'lab/org/open' };
    const lease = await access.acquire(wish, () => undefined, never);
    expect(lease.plan.options).toEqual({ num_ctx: 65_536 });
  });

  it.each([
    [
      'what the model was trained for',
      '{"model_info":{"general.architecture":"q","q.context_length":2048}}',
      2_048,
    ],
    ['8,192 where it does not say', '{"model_info":{}}', 8_192],
    ['8,192 where it cannot be asked', 'no JSON', 8_192],
  ])('of another Ollama is asked for, and is %s (audit-A7, I7)', async (_, show, window) => {
    const tags = refusal(200, JSON.stringify({ models: [{ name: 'qwen', size: 1, details: {} }] }));
    const server = await scripted.serve(tags, refusal(200, show));
    const hosts = [{ ...host('lab', server.url), kind: 'ollama' as const }];
    const access = withHosts(fakeEngine(), { hosts: hostsNow(hosts), keys: noKeys, clock: systemClock });
    const lease = await access.acquire({ ...request, model: 'lab/qwen' }, () => undefined, never);
    expect(lease.plan.options).toEqual({ num_ctx: window });
  });

  it('is regained when the host answers again', async () => {
    const server = await scripted.serve(models, cut, models);
    const pauses: number[] = [];
    const clock: Clock = {
      ...systemClock,
      after(ms, run) {
        if (ms !== 2_000) return systemClock.after(ms, run);
        pauses.push(ms);
        return systemClock.after(0, run);
      },
    };
    const available: string[] = [];
    const access = withHosts(fakeEngine(), {
      hosts: hostsNow([host('lab', server.url)]),
      keys: noKeys,
      clock,
      onAvailable: (id) => available.push(id),
    });
    const lease = await access.acquire({ ...request, model: 'lab/qwen' }, () => undefined, never);
    expect((await lease.reacquire(() => undefined, never)).lease).toBe(lease);
    expect(server.requests).toHaveLength(3);
    expect(pauses).toEqual([2_000]);
    expect(available).toEqual(['lab']);
  });

  it('is not waited for after a stop', async () => {
    const server = await scripted.serve(models, () => undefined);
    const hosts = [host('lab', server.url)];
    const access = withHosts(fakeEngine(), { hosts: hostsNow(hosts), keys: noKeys, clock: systemClock });
    const lease = await access.acquire({ ...request, model: 'lab/qwen' }, () => undefined, never);
    const stop = new AbortController();
    const reacquired = lease.reacquire(() => undefined, stop.signal);
    await server.next();
    await server.next();
    stop.abort(new AndironError('cancelled', 'Stopped.'));
    await expect(reacquired).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('knows nothing of the host’s memory', async () => {
    const { access } = await open(fakeEngine());
    expect(await access.residency('lab/qwen')).toBeNull();
    expect(await access.residency('qwen3')).toMatchObject({ loaded: true });
  });
});

describe('the candidates of a request (F9)', () => {
  const ids = new Set(['lab', 'attic']);

  it('are the model itself and the hosts’ models behind it in the profile', () => {
    expect(candidatesFor('qwen3', ['lab/a', 'qwen3', 'gemma', 'attic/b'], ids)).toEqual([
      { host: 'engine', model: 'qwen3' },
      { host: 'attic', model: 'b' },
    ]);
  });

  it('begin with a model that the profile does not name', () => {
    expect(candidatesFor('lab/x', ['attic/b'], ids)).toEqual([
      { host: 'lab', model: 'x' },
      { host: 'attic', model: 'b' },
    ]);
  });
});
