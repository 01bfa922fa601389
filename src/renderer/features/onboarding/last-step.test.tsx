/** The last step of the first start: the tour, the exam, and the first task. */
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExamResult, Profile } from '../../../protocol/model.ts';
import { aModel, anEngine, aProfile, noon } from '../../testing/fixtures.ts';
import { aGpu, aPull, startFirstRun } from '../../testing/onboarding-kit.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const tour = (): HTMLElement | null => screen.queryByRole('region', { name: 'Tour' });

describe('the tour', () => {
  const pull = aPull();
  const gpus = [aGpu()];

  it('comes with a download, marked as a replay, and begins by itself', async () => {
    const { stores } = await startFirstRun({ models: [] });
    expect(tour()).toBeNull();
    act(() => stores.engine.setState({ engine: anEngine({ models: [], pulls: [pull], gpus }) }));
    expect(tour()).not.toBeNull();
    expect(screen.getByText('Replay')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Pause the tour' })).toBeDefined();
  });

  it('waits for a press where a download was under way already', async () => {
    const { user } = await startFirstRun({ models: [], pulls: [pull] });
    await user.click(screen.getByRole('button', { name: 'Play the tour' }));
    expect(screen.queryByRole('button', { name: 'Play the tour' })).toBeNull();
  });

  it('is stepped through with less motion, and never plays by itself', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }));
    const { user, stores } = await startFirstRun({ models: [] });
    act(() => stores.engine.setState({ engine: anEngine({ models: [], pulls: [pull], gpus }) }));
    expect(screen.queryByRole('button', { name: /Play/ })).toBeNull();
    expect(screen.getByText('1 of 6')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Next step' }));
    expect(screen.getByText('2 of 6')).toBeDefined();
  });

  it('does not hide what became ready, and stays until it is closed', async () => {
    const { user, stores } = await startFirstRun({ models: [], pulls: [pull] });
    act(() => stores.engine.setState({ engine: anEngine({ gpus }) }));
    expect(screen.getByRole('button', { name: 'Run the sample task' })).toBeDefined();
    expect(tour()).not.toBeNull();
    await user.click(screen.getByRole('button', { name: 'Skip the tour' }));
    expect(tour()).toBeNull();
    expect(stores.ui.getState().firstRun.done).toContain('tour');
  });

  it('is offered again afterwards', async () => {
    const { user, stores } = await startFirstRun({ models: [] });
    act(() => stores.engine.setState({ engine: anEngine({ gpus }) }));
    await user.click(screen.getByRole('button', { name: 'Take the 60-second tour' }));
    expect(tour()).not.toBeNull();
  });
});

describe('ready', () => {
  const found: ExamResult = {
    model: 'qwen3:8b',
    digest: 'sha256:1',
    at: noon,
    tookMs: 48_000,
    gpu: 'NVIDIA GeForce RTX 3090',
    contextTokens: 16_384,
    readsPerSecond: 820,
    writesPerSecond: 34.2,
    native: { valid: 11, asked: 12, mended: 1 },
    constrained: { valid: 12, asked: 12, mended: 0 },
    largestWindow: 32_768,
    complete: true,
  };

  async function ready() {
    const window = await startFirstRun({ models: [] }, [
      aProfile({ models: [], tools: ['read_file', 'write_file'] }),
    ]);
    window.host.answer('exam/price', () => ({ questions: 24, expectedMs: null, limitMs: 180_000 }));
    const models = [aModel({ digest: found.digest })];
    act(() => window.stores.engine.setState({ engine: anEngine({ models, gpus: [aGpu()] }) }));
    return window;
  }

  it('ends in a task that runs on a copy of the sample folder', async () => {
    const { user, host } = await ready();
    await user.click(screen.getByRole('button', { name: 'Run the sample task' }));
    await host.asked('sample/copy');
    expect(host.count('sample/copy')).toBe(1);
  });

  it('offers the exam with its duration, and begins it only when asked to', async () => {
    const { user, host } = await ready();
    expect(await screen.findByText('24 questions, at most 3 min')).toBeDefined();
    expect(host.count('exam/begin')).toBe(0);
    await user.click(screen.getByRole('button', { name: 'Test model' }));
    await host.asked('exam/begin');
    expect(host.last('exam/begin')).toMatchObject({ model: 'qwen3:8b' });
  });

  it('shows how far the exam is, and cancels it', async () => {
    const { user, host, stores } = await ready();
    const exam = {
      model: 'qwen3:8b',
      phase: 'calling',
      asked: 6,
      total: 24,
      since: noon,
      problem: null,
    } as const;
    act(() => stores.host.setState({ exam }));
    expect(screen.getByText('6 of 24')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await host.asked('exam/cancel');
  });

  it('shows what it found: the better way to call, the speed, the window, and when that was', async () => {
    const { stores } = await ready();
    act(() => stores.host.setState({ exams: [found] }));
    expect(screen.getByText('12 of 12 correct with constrained calls')).toBeDefined();
    expect(screen.getByText('native calls: 11 of 12')).toBeDefined();
    expect(screen.getByText('reads 820 tokens/s, writes 34 tokens/s')).toBeDefined();
    expect(screen.getByText('32,768 tokens fit; loaded with 16,384')).toBeDefined();
    expect(screen.getByText(/20 Nov 2026, 12:00, NVIDIA GeForce RTX 3090, in 48 s/)).toBeDefined();
  });

  it('offers what follows from it, each with its price, changes nothing unasked, and takes it back', async () => {
    const { user, host, engine, stores } = await ready();
    const gib = 1024 ** 3;
    engine.answer('model/fit', ({ contextTokens }: { contextTokens: number[] }) => ({
      fits: contextTokens.map((tokens) => ({
        model: 'qwen3:8b',
        contextTokens: tokens,
        totalBytes: 6 * gib,
        freeBytes: 8 * gib,
        verdict: tokens <= 32_768 ? 'fits' : 'spills',
      })),
    }));
    const [before] = stores.host.getState().profiles;
    host.answer('profile/update', ({ changes }: { changes: object }) => {
      const profile = { ...before, builtIn: false, ...changes };
      stores.host.setState({ profiles: [profile as Profile] });
      return { profile };
    });
    act(() =>
      stores.host.setState({
        exams: [{ ...found, native: { valid: 6, asked: 12, mended: 0 }, byItself: 'native' }],
      }),
    );
    const list = await screen.findByRole('list', { name: 'Suggestions' });
    const widen = await within(list).findByRole('button', { name: 'Use a context of 32,768' });
    expect(
      within(list).getByText(/32,768 fit and leave 2.0 GB free, read in about 39 s when full/),
    ).toBeDefined();
    expect(
      within(list).getByText(/12 of 12 correct with constrained calls; native calls: 6 of 12/),
    ).toBeDefined();
    expect(host.count('profile/update')).toBe(0);

    await user.click(widen);
    await host.asked('profile/update');
    expect(host.last('profile/update')).toEqual({
      profileId: 'developer',
      changes: { contextTokens: 32_768 },
    });
    const undo = await within(list).findByRole('button', { name: 'Undo' });
    expect(within(list).queryByRole('button', { name: 'Use a context of 32,768' })).toBeNull();
    await user.click(undo);
    await host.asked('profile/update', 2);
    // It made a copy of a built-in profile, which goes with it.
    expect(host.last('profile/update')).toMatchObject({
      changes: { contextTokens: 16_384 },
      takesBack: true,
    });

    await user.click(within(list).getByRole('button', { name: 'Use constrained calls' }));
    await host.asked('profile/update', 3);
    expect(host.last('profile/update')).toMatchObject({ changes: { calls: 'constrained' } });
  });

  it('says why an exam ended early, and offers it again', async () => {
    const { stores } = await ready();
    const problem = { message: 'Ollama went away.', advice: 'Start it again.' };
    const exam = { model: 'qwen3:8b', phase: 'failed', asked: 6, total: 24, since: noon, problem } as const;
    act(() => stores.host.setState({ exam }));
    expect(screen.getByRole('alert').textContent).toContain('Ollama went away. Start it again.');
    expect(screen.getByRole('button', { name: 'Test model' })).toBeDefined();
  });
});
