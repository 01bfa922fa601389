import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { GpuSample, RequestUsage, TimelinePoint } from '../../../protocol/model.ts';
import { applySessionSnapshot } from '../../stores/session-store.ts';
import { anEngine, anItem, aReading, aSnapshot, aTurn, aUsage } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { SessionTotals } from './session-totals.tsx';
import { Timeline } from './timeline.tsx';
import { TokenTable } from './token-table.tsx';

async function tableOf(usage: RequestUsage[]) {
  const window = await openTestWindow();
  const turn = aTurn({ text: 'Fix the lease', status: 'finished', startedAt: 0, endedAt: 21_000, usage });
  applySessionSnapshot(window.stores.session, aSnapshot({ turns: [turn] }));
  const { container } = renderIn(window, <TokenTable />);
  return { container, open: () => userEvent.click(screen.getByRole('button', { name: 'Fix the lease' })) };
}

describe('the tokens by turn', () => {
  it('tell what was cached, new, re-read and written, and open into the requests of a turn', async () => {
    const reading = aReading({ rereadTokens: 1600, cause: 'date_changed', owner: 'andiron' });
    const { container, open } = await tableOf([aUsage(), aUsage({ requestId: 'r2', reading })]);
    expect(screen.getByRole('row', { name: /^Fix the lease 2 3,140 1,680 1,600 \d+ 21 s$/ })).toBeDefined();
    expect(container.querySelector('rect')).toBeNull();
    await open();
    expect(screen.getByRole('row', { name: /^2\. Request 1,570 40 1,600/ })).toBeDefined();
    expect(container.textContent).toContain('Re-read 1,600 tokens because the date in the prompt changed.');
    expect(container.querySelectorAll('svg[viewBox="0 0 100 3"]')).toHaveLength(2);
  });

  it.each([
    [29, null],
    [6000, '6,000'],
  ])(
    'warn of what is re-read only where that took long, and then say why: %i tokens (audit-U11)',
    async (tokens, warned) => {
      const reading = aReading({ rereadTokens: tokens, cause: 'rendering', owner: 'template' });
      const { container } = await tableOf([aUsage({ evaluatedTokens: 8000, promptMs: 10_000, reading })]);
      expect(container.querySelector('.warn')?.textContent ?? null).toBe(warned);
      expect(container.textContent.includes('Re-read 6,000')).toBe(warned !== null);
    },
  );

  it('sum the session where all of it is here and it had more than one turn', async () => {
    const window = await openTestWindow();
    const earlier = aTurn({ id: 't0', status: 'finished', usage: [aUsage({ requestId: 'r0' })] });
    const state = aSnapshot({ turns: [earlier, aTurn({ usage: [aUsage()] })] });
    applySessionSnapshot(window.stores.session, state);
    renderIn(window, <TokenTable />);
    expect(screen.getByRole('row', { name: /^Session so far 2 3,140 3,280 0/ })).toBeDefined();
    act(() => applySessionSnapshot(window.stores.session, { ...state, hasOlder: true }));
    expect(screen.queryByRole('row', { name: /^Session/ })).toBeNull();
  });

  it('are by the account of Andiron where the engine counts nothing, as the receipt is', async () => {
    const reading = aReading({ cachedTokens: 1480, newTokens: 30 });
    await tableOf([aUsage({ cachedTokens: null, evaluatedTokens: null, reading })]);
    expect(screen.getByRole('row', { name: /^Fix the lease 1 1,480 30 0/ })).toBeDefined();
  });

  it('draw no bar and no sum of what the engine did not say', async () => {
    const silent = aUsage({ requestId: 'r2', cachedTokens: null, evaluatedTokens: null });
    const { container, open } = await tableOf([aUsage(), silent]);
    await open();
    const row = screen.getByRole('row', { name: /2\. Request/ });
    expect(within(row).getAllByText('unknown').length).toBeGreaterThanOrEqual(2);
    expect(container.querySelectorAll('svg[viewBox="0 0 100 3"]')).toHaveLength(1);
  });
});

it('the session total shows what is known, says unknown for the rest and how many replies are missing (audit-A11)', async () => {
  const window = await openTestWindow();
  const tokens = {
    promptTokens: 12_345,
    outputTokens: 0,
    uncounted: 2,
    lastPromptTokens: null,
    lastOutputTokens: 7,
    contextTokens: 16_384,
  };
  applySessionSnapshot(window.stores.session, aSnapshot({ tokens }));
  const { container } = renderIn(window, <SessionTotals />);
  expect(screen.getByRole('region', { name: /^Session total/ })).toBeDefined();
  const lines = [...container.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(lines).toEqual([
    'Prompt tokens12,345',
    'Output tokens0',
    'Last promptunknown',
    'Last output7',
    'Context limit16,384',
  ]);
  expect(container.textContent).toContain('2 replies without token counts');
  act(() => applySessionSnapshot(window.stores.session, aSnapshot({})));
  expect(container.textContent).toBe('');
});

describe('GPU and agent', () => {
  const now = Date.now();
  const gib = 1024 ** 3;
  const gpu: GpuSample = {
    name: 'RTX 3090',
    vramTotalBytes: 24 * gib,
    vramUsedBytes: 12 * gib,
    utilization: 40,
    temperatureC: null,
    powerW: null,
    at: now,
  };
  const point = (ago: number, utilization: number | null): TimelinePoint => ({
    at: now - ago,
    vramUsedBytes: 12 * gib,
    vramModelBytes: null,
    utilization,
    temperatureC: null,
    powerW: null,
  });

  async function timelineOf(points: TimelinePoint[], gpus: GpuSample[] | null = [gpu]) {
    const window = await openTestWindow();
    const startedAt = now - 60_000;
    const text = anItem('text', { startedAt: now - 50_000, completedAt: now - 20_000 });
    const turn = aTurn({ status: 'finished', startedAt, endedAt: now });
    applySessionSnapshot(window.stores.session, aSnapshot({ turns: [turn], items: [text] }));
    window.stores.engine.setState({ engine: anEngine({ gpus }), timeline: points });
    const { container } = renderIn(window, <Timeline />);
    return container;
  }

  it('share one axis: that of the turn', async () => {
    const words = (await timelineOf([point(90_000, 99), point(40_000, 80), point(10_000, 5)])).textContent;
    expect(words).toContain('GPU over 1 min: between 5 % and 80 % busy');
    expect(words).toContain('waits and reads 30 s');
    expect(words).toContain('writes 30 s');
    expect(words).toContain('start of the turnend');
  });

  it('leave a gap where the GPU said nothing, and call it unknown', async () => {
    const view = await timelineOf([
      point(40_000, 80),
      point(30_000, null),
      point(20_000, 70),
      point(9_000, null),
    ]);
    expect(view.querySelectorAll('polygon')).toHaveLength(2);
    expect(view.textContent).toContain('busy unknown');
  });

  it('begin with the first samples, and are not there without a GPU', async () => {
    expect((await timelineOf([point(10_000, 5)])).textContent).toContain('Waiting for the first GPU reading');
    expect((await timelineOf([], [])).textContent).toBe('');
  });
});
