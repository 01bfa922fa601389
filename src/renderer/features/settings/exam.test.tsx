/** The exam of a model as its page shows it. */
import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ExamResult, Profile } from '../../../protocol/model.ts';
import { useExam } from '../../commands/use-exam.ts';
import { ExamView } from '../../components/exam-view.tsx';
import { timeAndDay } from '../../components/time-of-day.ts';
import { aModel, anEngine, aProfile, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import userEvent from '@testing-library/user-event';

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

function Exam() {
  return <ExamView {...useExam('qwen3:8b', found.digest)} when={timeAndDay} />;
}

async function openExam() {
  const window = await openTestWindow();
  window.host.answer('exam/price', () => ({ questions: 24, expectedMs: null, limitMs: 180_000 }));
  window.stores.host.setState({
    profiles: [aProfile({ models: [], tools: ['read_file', 'write_file'] })],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.engine.setState({ engine: anEngine({ models: [aModel({ digest: found.digest })] }) });
  renderIn(window, <Exam />);
  return { ...window, user: userEvent.setup() };
}

it('An exam is offered with its duration, and begun only when asked for', async () => {
  const { user, host } = await openExam();
  expect(await screen.findByText('24 questions, at most 3 min')).toBeDefined();
  expect(host.count('exam/begin')).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Test model' }));
  await host.asked('exam/begin');
  expect(host.last('exam/begin')).toMatchObject({ model: 'qwen3:8b' });
});

it('An exam shows how far it is, and is cancelled', async () => {
  const { user, host, stores } = await openExam();
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

it('An exam shows what it found: the better way to call, the speed, the window, and when that was', async () => {
  const { stores } = await openExam();
  act(() => stores.host.setState({ exams: [found] }));
  expect(screen.getByText('12 of 12 correct with constrained calls')).toBeDefined();
  expect(screen.getByText('native calls: 11 of 12')).toBeDefined();
  expect(screen.getByText('reads 820 tokens/s, writes 34 tokens/s')).toBeDefined();
  expect(screen.getByText('32,768 tokens fit; loaded with 16,384')).toBeDefined();
  expect(screen.getByText(/20 Nov 2026, 12:00, NVIDIA GeForce RTX 3090, in 48 s/)).toBeDefined();
});

it('An exam offers what follows from it with its price, changes nothing unasked, and takes it back', async () => {
  const { user, host, engine, stores } = await openExam();
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

it('An exam that ended early says why, and is offered again', async () => {
  const { stores } = await openExam();
  const problem = { message: 'Ollama went away.', advice: 'Start it again.' };
  const exam = { model: 'qwen3:8b', phase: 'failed', asked: 6, total: 24, since: noon, problem } as const;
  act(() => stores.host.setState({ exam }));
  expect(screen.getByRole('alert').textContent).toContain('Ollama went away. Start it again.');
  expect(screen.getByRole('button', { name: 'Test model' })).toBeDefined();
});
