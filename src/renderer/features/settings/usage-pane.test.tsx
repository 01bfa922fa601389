import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { UsageGroup, UsageSpan, UsageSums } from '../../../protocol/usage-methods.ts';
import { noon } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { UsagePane } from './usage-pane.tsx';

const sums = (more: Partial<UsageSums> = {}): UsageSums => ({
  requests: 2,
  inputTokens: 3_000,
  cachedTokens: 1_000,
  readTokens: 2_000,
  outputTokens: 345,
  uncounted: 0,
  costs: [],
  ...more,
});
const nothing = sums({
  requests: 0,
  inputTokens: null,
  cachedTokens: null,
  readTokens: null,
  outputTokens: null,
});

type Asked = UsageSpan & { groupBy: 'model' | 'day' };

async function open(totals: UsageSums, groups: Partial<Record<Asked['groupBy'], UsageGroup[]>> = {}) {
  const window = await openTestWindow();
  window.host.answer('usage/query', ({ groupBy }: Asked) => ({ totals, groups: groups[groupBy] ?? [] }));
  renderIn(window, <UsagePane />);
  await act(() => settled());
  return { ...window, user: userEvent.setup() };
}

const cellsOf = (name: string): string[] => {
  const row = screen.getByRole('rowheader', { name }).closest('tr');
  return within(row ?? document.body)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
};

it('Usage shows by model what was read anew, what the cache had and what was written (I8)', async () => {
  await open(sums(), { model: [{ key: 'qwen3:8b', ...sums() }] });
  expect(cellsOf('qwen3:8b')).toEqual(['2,000', '1,000', '345']);
  expect(screen.getByText('2,345')).toBeDefined();
  expect(screen.queryByRole('columnheader', { name: 'Cost' })).toBeNull();
});

it('Usage shows a cost only where it is known (I8)', async () => {
  const paid = sums({ costs: [{ nano: 1_284_300_000, currency: 'EUR' }] });
  await open(paid, {
    model: [
      { key: 'lab/big', ...paid },
      { key: 'qwen3:8b', ...sums() },
    ],
  });
  expect(cellsOf('lab/big').at(-1)).toBe('€1.28');
  expect(cellsOf('qwen3:8b').at(-1)).toBe('–');
});

it('Usage calls unknown what nobody counted, and says how many requests that were (I8)', async () => {
  const stopped = { ...nothing, requests: 1, uncounted: 1 };
  await open(stopped, { model: [{ key: 'qwen3:8b', ...stopped }] });
  expect(cellsOf('qwen3:8b')).toEqual(['unknown', 'unknown', 'unknown']);
  expect(screen.getByText(/1 request was not fully counted/)).toBeDefined();
});

it('Usage shows the days of the period, the newest first (I8)', async () => {
  const window = await open(sums(), {
    day: [
      { key: '2026-01-30', ...sums() },
      { key: '2026-01-31', ...sums() },
    ],
  });
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    '31 Jan 2026',
    '30 Jan 2026',
  ]);
  await window.user.click(screen.getByRole('radio', { name: 'Today' }));
  await act(() => settled());
  const midnight = new Date(noon).setHours(0, 0, 0, 0);
  expect(window.host.last('usage/query')).toEqual({ from: midnight, groupBy: 'day' });
});

it('Usage of all time asks without a beginning, and says so when there was no use yet (I8)', async () => {
  const window = await open(nothing);
  expect(screen.getByText('No use in this period')).toBeDefined();
  await window.user.click(screen.getByRole('radio', { name: 'All' }));
  await act(() => settled());
  expect(window.host.last('usage/query')).toEqual({ groupBy: 'day' });
  expect(screen.getByText('No use yet')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
});

it('The export of the usage is one file of all its pieces (I8)', async () => {
  const window = await open(sums());
  window.host.answer('usage/export', ({ after }: { after?: number }) =>
    after === undefined ? { csv: 'at\r\n1\r\n', next: 7 } : { csv: `${String(after)}\r\n`, next: null },
  );
  await window.user.click(screen.getByRole('button', { name: 'Export' }));
  await act(() => settled());
  expect(window.files.saved.at(-1)).toMatchObject({ type: 'text/csv', content: 'at\r\n1\r\n7\r\n' });
});

it('Usage says why it could not be read, and asks again when told to (I8)', async () => {
  const window = await openTestWindow();
  window.host.answer('usage/query', () => new Error('The disk does not answer.'));
  renderIn(window, <UsagePane />);
  await act(() => settled());
  expect(screen.getByRole('alert').textContent).toContain('The disk does not answer.');
  window.host.answer('usage/query', () => ({ totals: nothing, groups: [] }));
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No use in this period')).toBeDefined();
});
