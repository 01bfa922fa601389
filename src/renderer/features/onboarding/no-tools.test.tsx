/** The first start on a model that does not call tools by itself: three ways on, each with what it is worth. */
import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ExamResult, ModelInfo, Profile } from '../../../protocol/model.ts';
import { aModel, anEngine, aProfile, noon } from '../../testing/fixtures.ts';
import { aGpu, startFirstRun, titleNow } from '../../testing/onboarding-kit.tsx';

const talker = aModel({ name: 'gemma3:12b', digest: 'sha256:g', capabilities: ['completion'] });
const chat = aProfile({ id: 'chat', name: 'Chat', tools: [], models: [] });

/** The host answers as it does: a built-in profile is copied and keeps its id. */
async function start(models: ModelInfo[] = [talker], over: Partial<Profile> = {}) {
  const window = await startFirstRun(
    { models: [] },
    {
      workspace: '/w',
      profiles: [aProfile({ models: models.length > 1 ? [talker.name] : [], ...over }), chat],
    },
  );
  const { host, stores } = window;
  host.answer('exam/price', () => ({ questions: 12, expectedMs: null, limitMs: 180_000 }));
  host.answer(
    'profile/update',
    ({ profileId, changes }: { profileId: string; changes: Partial<Profile> }) => {
      const { profiles } = stores.host.getState();
      const before = profiles.find(({ id }) => id === profileId);
      const profile = { ...before, builtIn: false, ...changes } as Profile;
      stores.host.setState({ profiles: profiles.map((each) => (each.id === profileId ? profile : each)) });
      return { profile };
    },
  );
  act(() => stores.engine.setState({ engine: anEngine({ models, gpus: [aGpu()] }) }));
  return window;
}

const result: ExamResult = {
  model: talker.name,
  digest: talker.digest,
  at: noon,
  tookMs: 40_000,
  gpu: null,
  contextTokens: 16_384,
  readsPerSecond: 500,
  writesPerSecond: 30,
  native: null,
  constrained: { valid: 9, asked: 12, mended: 0 },
  largestWindow: null,
  byItself: 'constrained',
  complete: true,
};

const constrain = () => screen.getByRole('button', { name: 'Constrain gemma3:12b' });

it('says that its tool calls can be steered, and promises no more than that', async () => {
  await start();
  expect(titleNow()).toBe('gemma3:12b does not support tools');
  expect(screen.getByText('Andiron can constrain it to write tool calls.')).toBeDefined();
});

describe('in fixed form', () => {
  it('is set with one press in the profile, said again on the last step, and taken back there', async () => {
    const { user, host } = await start();
    expect(constrain().title).toBe('Changes your copy of Developer');
    await user.click(constrain());
    await host.asked('profile/update');
    expect(host.last('profile/update')).toEqual({
      profileId: 'developer',
      changes: { calls: 'constrained' },
    });
    expect(titleNow()).toBe('Give it a first task');
    expect(screen.getByText('gemma3:12b, constrained calls')).toBeDefined();

    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await host.asked('profile/update', 2);
    expect(host.last('profile/update')).toMatchObject({ changes: { calls: 'auto' }, takesBack: true });
    expect(titleNow()).toBe('gemma3:12b does not support tools');
  });

  it('is taken back to the native calls that the profile asked for before', async () => {
    const { user, host } = await start([talker], { calls: 'native' });
    await user.click(constrain());
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await host.asked('profile/update', 2);
    expect(host.last('profile/update')).toMatchObject({ changes: { calls: 'native' }, takesBack: true });
  });

  it('is called unmeasured until the exam was taken, which it offers with its duration', async () => {
    const { user, host, stores } = await start();
    expect(
      await screen.findByText('Not measured on this computer: 12 questions, at most 3 min'),
    ).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Measure it' }));
    await host.asked('exam/begin');
    expect(host.last('exam/begin')).toEqual({ model: 'gemma3:12b', profileId: 'developer' });
    const progress = { model: talker.name, asked: 3, total: 12, since: noon, problem: null };
    act(() => stores.host.setState({ exam: { ...progress, phase: 'calling' } }));
    expect(screen.getByText('3 of 12')).toBeDefined();
    act(() => stores.host.setState({ exam: null, exams: [result] }));
    expect(screen.getByText('9 of 12 correct with constrained calls')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Measure it' })).toBeNull();
  });

  it('is not asked again by a profile that has it', async () => {
    await start([talker, aModel()], { calls: 'constrained' });
    expect(screen.queryByRole('heading', { name: /does not support tools/ })).toBeNull();
  });
});

it('is replaced by an installed model that was made for tools', async () => {
  const { user, stores } = await start([talker, aModel()]);
  await user.click(screen.getByRole('button', { name: 'Use qwen3:8b' }));
  expect(stores.ui.getState().newSession.model).toBe('qwen3:8b');
  expect(titleNow()).toBe('Give it a first task');
});

it('can only talk, with a profile that has no tools', async () => {
  const { user, stores } = await start();
  await user.click(screen.getByRole('button', { name: 'Chat only' }));
  expect(stores.ui.getState().newSession.profileId).toBe('chat');
  expect(titleNow()).toBe('Give it a first task');
});

it('alone leads to the models worth getting, and the one that is chosen is the one that is fetched', async () => {
  const { user } = await start();
  expect(screen.getByRole('button', { name: 'Download qwen3.8:27b' })).toBeDefined();
  await user.click(screen.getByRole('radio', { name: /^qwen3\.5:9b/ }));
  expect(screen.getByRole('button', { name: /^Download qwen3\.5:9b/ })).toBeDefined();
});
