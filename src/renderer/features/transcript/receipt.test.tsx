import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Reading, RequestUsage } from '../../../protocol/model.ts';
import { aReading, aTurn, aUsage, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Receipt } from './receipt.tsx';

async function receipt(usage: RequestUsage[]) {
  const window = await openTestWindow();
  const turn = aTurn({ status: 'finished', usage, endedAt: noon + 21_000 });
  const { container } = renderIn(window, <Receipt turn={turn} calls={2} toolMs={1300} />);
  return { ...window, container, words: () => container.textContent };
}

const reread = (over: Partial<Reading>) =>
  aUsage({
    cachedTokens: 1640,
    evaluatedTokens: 8280,
    promptMs: 8280,
    reading: aReading({ rereadTokens: 8220, cause: 'reload', owner: 'other_program', ...over }),
  });

it('says where the time went, and splits what was read into cached, new and re-read', async () => {
  const { words } = await receipt([reread({})]);
  expect(words()).toContain('1,640 cached');
  expect(words()).toContain('Reading8,280 tokens8.3 s');
  expect(words()).toContain('Tools2 calls1.3 s');
  expect(words()).toContain('60 new');
  expect(words()).toContain('8,220 re-read');
});

it('says the cause in words, with its owner', async () => {
  const { words } = await receipt([reread({ detail: 'The model was reloaded: ComfyUI took 6.8 GB.' })]);
  expect(words()).toContain(
    'Re-read 8,220 tokens. The model was reloaded: ComfyUI took 6.8 GB. By another program.',
  );
});

it('few tokens that are re-read are shown without a warning (audit-U11)', async () => {
  const usage = reread({ rereadTokens: 29, cause: 'rendering', owner: 'template' });
  const { container, words } = await receipt([usage]);
  expect(words()).toContain('29 re-read');
  expect(container.querySelector('.warn, .reread:not(.small)')).toBeNull();
});

it('many tokens that are read again are a warning (audit-U11)', async () => {
  const { container } = await receipt([reread({})]);
  expect(container.querySelector('.warn')?.textContent).toContain('8,220 re-read');
  expect(container.querySelector('.small')).toBeNull();
});

it('shows where the prompts part only when asked', async () => {
  const parting = { before: 'Friday, 13', after: 'Saturday, 14' };
  const { words } = await receipt([reread({ cause: 'date_changed', owner: 'andiron', parting })]);
  expect(words()).not.toContain('Saturday');
  const button = screen.getByRole('button', { name: 'Compare prompts' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await userEvent.click(button);
  expect(words()).toContain('BeforeFriday, 13NowSaturday, 14');
});

it('subagents have read again a part of what the turn has, not more that is new (audit-U4)', async () => {
  const theirs = { ...reread({}), parentCallId: 'c1' };
  const { words } = await receipt([theirs]);
  expect(words()).toContain('60 new');
  expect(words()).toContain('Subagents: 1 request, 60 new, 8,220 re-read');
});

it('tokens that are read again without a cause are not blamed in the bar alone (audit-U4)', async () => {
  const { words } = await receipt([reread({}), reread({ rereadTokens: 3, cause: null, owner: null })]);
  expect(words()).toContain('8,220 re-read');
  expect(words()).toContain('Re-read 8,220 tokens');
});

it('a quick turn blames nobody', async () => {
  const { words } = await receipt([aUsage()]);
  expect(words()).toContain('0 re-read');
  expect(words()).not.toContain('Re-read');
});

it('a receipt leads to the engine room', async () => {
  const { stores } = await receipt([aUsage()]);
  await userEvent.click(screen.getByRole('button', { name: 'Open the engine room' }));
  expect(stores.ui.getState().view).toBe('engine');
});

it('calls unknown what the engine does not count', async () => {
  const { words } = await receipt([aUsage({ cachedTokens: null, evaluatedTokens: null })]);
  expect(words()).toContain('does not report cached tokens');
});
