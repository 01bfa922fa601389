import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { ExamResult } from '../../protocol/model.ts';
import { examBadge, ExamView } from './exam-view.tsx';

const result: ExamResult = {
  model: 'qwen3:8b',
  digest: 'sha256:1',
  at: 0,
  tookMs: 74_000,
  gpu: null,
  contextTokens: 16_384,
  readsPerSecond: null,
  writesPerSecond: 7.25,
  native: { valid: 4, asked: 12, mended: 2 },
  constrained: null,
  largestWindow: null,
  complete: false,
};

const when = (): string => 'today';

function show(over: Partial<Parameters<typeof ExamView>[0]> = {}) {
  const onBegin = vi.fn<() => void>();
  const advice = { open: [], taken: [] };
  const still = { progress: null, result: null, price: null, advice, mayBegin: true, onCancel: onBegin };
  render(<ExamView {...still} onBegin={onBegin} when={when} {...over} />);
  return { onBegin, user: userEvent.setup() };
}

it('what was not measured is unknown, and an exam that was cut short says so', () => {
  show({ result });
  expect(screen.getByText(/4 of 12 correct with native calls, 2 calls repaired/)).toBeDefined();
  expect(screen.getByText('writes 7.3 tokens/s')).toBeDefined();
  expect(screen.getByText('unknown')).toBeDefined();
  expect(screen.getByText(/^today, without a GPU, in 1 min 14 s/).textContent).toContain(
    'before all questions were asked',
  );
});

it('is not begun while another model has one', async () => {
  const { onBegin, user } = show({ mayBegin: false });
  await user.click(screen.getByRole('button', { name: 'Test model' }));
  expect(onBegin).not.toHaveBeenCalled();
});

it('costs what the last one took', () => {
  show({ result, price: { questions: 24, expectedMs: 74_000, limitMs: 180_000 } });
  expect(screen.getByText('24 questions, about 1 min 14 s')).toBeDefined();
});

it('is a few words in a list of models: the better way to call, and the speed where it is known', () => {
  expect(examBadge(result)).toBe('Test 4 of 12, writes 7.3 tokens/s');
  const both = { ...result, writesPerSecond: null, constrained: { valid: 11, asked: 12, mended: 0 } };
  expect(examBadge(both)).toBe('Test 11 of 12');
  expect(examBadge({ ...result, native: null })).toBeNull();
});
