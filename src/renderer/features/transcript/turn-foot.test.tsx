import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { VersionPrice } from '../../../protocol/host-methods.ts';
import type { Item, Turn } from '../../../protocol/model.ts';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import {
  aModel,
  anEngine,
  anItem,
  aProfile,
  aSnapshot,
  aTurn,
  aReading,
  aUsage,
  inOrder,
  noon,
} from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { RowBuilder } from './build-rows.ts';
import { RowView } from './row-view.tsx';

const diff = { kind: 'diff' as const, path: 'a.ts', hunks: [], added: 1, removed: 0 };
const ended = { status: 'finished', phase: null, endedAt: 9 } as const;

async function show(items: Item[], turns: Turn[] = [aTurn(ended)], hasOlder = false) {
  const window = await openTestWindow();
  resetSession(window.stores.session, 's1');
  window.stores.ui.setState({ openSessionId: 's1' });
  applySessionSnapshot(window.stores.session, aSnapshot({ turns, items }));
  const rows = new RowBuilder().build({ turns, items, hasOlder }, null);
  renderIn(
    window,
    rows.map((row) => <RowView key={row.key} row={row} />),
  );
  return { ...window, rows, user: userEvent.setup() };
}

const loaded = {
  name: 'other:7b',
  sizeBytes: 1,
  vramBytes: 1,
  contextTokens: 4096,
  expiresAt: '',
  asPlanned: true,
};

const turnOfTwoTexts = [
  anItem('user'),
  anItem('text', { text: 'I look at the lease first.\n' }),
  anItem('tool', { callId: 'c1' }),
  anItem('text', { text: 'Of a subagent.', parentCallId: 'c1' }),
  anItem('text', { text: 'The lease is **too short**.' }),
];

it('Copy answer takes all that the model wrote in the turn, as Markdown (audit-U8)', async () => {
  const { user } = await show(inOrder(...turnOfTwoTexts));
  await user.click(screen.getByRole('button', { name: 'Copy answer' }));
  await screen.findByRole('button', { name: 'Copied' });
  expect(await navigator.clipboard.readText()).toBe(
    'I look at the lease first.\n\nThe lease is **too short**.',
  );
});

it('Copy answer brings the pages on which a long turn begins (audit-U8)', async () => {
  const items = inOrder(...turnOfTwoTexts).slice(4);
  const { user, host } = await show(items, [aTurn(ended)], true);
  host.answer('item/page', ({ beforeIndex }: { beforeIndex: number }) => {
    const before = inOrder(anItem('text', { turnId: 't0', text: 'Another turn.' }), ...turnOfTwoTexts);
    const page = before
      .map((item, index) => ({ ...item, index: index - 1 }))
      .slice(0, beforeIndex + 1)
      .slice(-2);
    return { items: page, turns: [], hasOlder: page[0]?.turnId !== 't0' };
  });
  await user.click(screen.getByRole('button', { name: 'Copy answer' }));
  await screen.findByRole('button', { name: 'Copied' });
  expect(await navigator.clipboard.readText()).toBe(
    'I look at the lease first.\n\nThe lease is **too short**.',
  );
});

it('a copy whose page does not come is said to have failed (audit-U8)', async () => {
  const { user, host } = await show(inOrder(...turnOfTwoTexts).slice(4), [aTurn(ended)], true);
  host.answer('item/page', () => new Error('The session is gone.'));
  await user.click(screen.getByRole('button', { name: 'Copy answer' }));
  expect(await screen.findByRole('button', { name: 'Not copied' })).toBeTruthy();
});

it('the actions of every answer end its turn, also while another turn runs (audit-U8)', async () => {
  const usage = [aUsage()];
  const turns = [
    aTurn({ ...ended, usage }),
    aTurn({ ...ended, id: 't2', usage }),
    aTurn({ id: 't3', phase: 'text' }),
  ];
  const items = turns.flatMap(({ id: turnId }) => [anItem('user', { turnId }), anItem('text', { turnId })]);
  const { rows } = await show(inOrder(...items), turns);
  const turn = ['user', 'text', 'foot'];
  expect(rows.map(({ kind }) => kind)).toEqual([...turn, ...turn, 'user', 'text']);
});

it('the actions of a turn whose end is on a newer page are not offered (audit-U8)', () => {
  const items = inOrder(...turnOfTwoTexts);
  const rows = new RowBuilder().build({ turns: [aTurn(ended)], items, hasNewer: true }, null);
  expect(rows.map(({ kind }) => kind)).not.toContain('foot');
});

it('Regenerate asks for the answer once more', async () => {
  const { user, host } = await show(inOrder(...turnOfTwoTexts));
  await user.click(screen.getByRole('button', { name: 'Regenerate' }));
  await host.asked('turn/regenerate');
  expect(host.last('turn/regenerate')).toEqual({ sessionId: 's1', turnId: 't1' });
});

const priced = async (price: VersionPrice | null) => {
  const window = await show(inOrder(...turnOfTwoTexts));
  window.stores.host.setState({ profiles: [aProfile()] });
  window.stores.engine.setState({ engine: anEngine({ models: [aModel()] }) });
  await window.host.asked('turn/price-version');
  window.host.answer('turn/price-version', () => ({ price }));
  // Asked again, since another model is in memory by now.
  act(() => window.stores.engine.setState({ engine: anEngine({ models: [aModel()], loaded: [loaded] }) }));
  await window.host.asked('turn/price-version', 2);
  return window;
};
const button = () => screen.getByRole('button', { name: 'Regenerate' });
const reread = (over: Partial<VersionPrice> = {}) => ({
  model: 'qwen3:8b',
  rereadTokens: 3540,
  ms: 4320,
  ...over,
});

describe('the price of another answer', () => {
  it('is said before the click: tokens and seconds (audit-U9)', async () => {
    const { host } = await priced(reread());
    expect(host.last('turn/price-version')).toEqual({ sessionId: 's1', turnId: 't1' });
    expect(await screen.findByText('Regenerate: re-reads about 3,540 tokens, about 4.3 s')).toBeTruthy();
    expect(button().title).toBe('Regenerate\nRe-reads about 3,540 tokens, about 4.3 s');
  });

  it.each<[what: string, price: VersionPrice | null, words: string]>([
    ['nothing is read again', reread({ rereadTokens: 12, ms: 3 }), 'Re-reads nothing'],
    ['nobody knows', null, 'How much it re-reads is unknown'],
    ['another model was chosen since', reread({ model: 'other:7b' }), 'How much it re-reads is unknown'],
  ])('takes no room where %s (audit-U9)', async (_, price, words) => {
    await priced(price);
    await waitFor(() => expect(button().title).toBe(`Regenerate\n${words}`));
    expect(screen.queryByText(/^Regenerate:/)).toBeNull();
  });
});

it('the versions of a message are gone through one by one (audit-U9)', async () => {
  const turns = [aTurn({ ...ended, versions: ['t0', 't1', 't2'] })];
  const { user, host } = await show(inOrder(anItem('user'), anItem('text')), turns);
  screen.getByRole('group', { name: 'Version 2 of 3' });
  await user.click(screen.getByRole('button', { name: 'Later version' }));
  await host.asked('turn/choose-version');
  expect(host.last('turn/choose-version')).toEqual({ sessionId: 's1', turnId: 't2' });
});

it('nothing comes before the first version', async () => {
  const turns = [aTurn({ ...ended, versions: ['t1', 't2'] })];
  await show(inOrder(anItem('user'), anItem('text')), turns);
  const ends = ['Earlier version', 'Later version'].map((name) => screen.getByRole('button', { name }));
  expect(ends.map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', 'false']);
});

it('Fork goes on from any answer in another session', async () => {
  const turns = [aTurn(ended), aTurn({ ...ended, id: 't2' })];
  const { user, host } = await show(inOrder(anItem('user'), anItem('user', { turnId: 't2' })), turns);
  const [first] = screen.getAllByRole('button', { name: 'Fork from here' });
  if (first) await user.click(first);
  await host.asked('session/fork');
  expect(host.last('session/fork')).toEqual({ sessionId: 's1', turnId: 't1' });
});

describe('the quiet line under an answer', () => {
  const slowRead = aUsage({
    cachedTokens: 1640,
    evaluatedTokens: 8280,
    promptMs: 8280,
    reading: aReading({ rereadTokens: 8220, cause: 'reload', owner: 'other_program' }),
  });
  const worked = [anItem('user'), anItem('tool'), anItem('tool', { display: diff }), anItem('text')];

  it('says how long the turn worked, and beside it what it waited for the person (audit-U4)', async () => {
    await show(inOrder(...worked), [
      aTurn({ ...ended, startedAt: noon, endedAt: noon + 57_000, askedMs: 55_000, usage: [aUsage()] }),
    ]);
    expect(screen.getByRole('button', { name: '2 s' })).toBeTruthy();
    expect(screen.getByText('55 s waiting for you')).toBeTruthy();
  });

  it('opens where the time went with a click on the time', async () => {
    const { user } = await show(inOrder(...worked), [aTurn({ ...ended, startedAt: 1, usage: [aUsage()] })]);
    await user.click(screen.getByRole('button', { name: /^\d+ s$/ }));
    expect(await screen.findByRole('dialog', { name: 'Where the time went' })).toBeTruthy();
  });

  it('opens the work with a click on its steps, and the files with a click on theirs', async () => {
    const usage = [aUsage(), aUsage({ requestId: 'r2' })];
    const { user, stores } = await show(inOrder(...worked), [aTurn({ ...ended, usage })]);
    await user.click(screen.getByRole('button', { name: '2 steps' }));
    await user.click(screen.getByRole('button', { name: '1 file changed' }));
    expect(stores.ui.getState().expanded).toEqual({ 'work:t1': true, 'changes:t1': true });
  });

  it('says why in one sentence where re-reading cost more than it should (audit-U11)', async () => {
    const { user, stores } = await show(inOrder(...worked), [
      aTurn({ ...ended, startedAt: noon, endedAt: noon + 21_000, usage: [slowRead] }),
    ]);
    expect(screen.getByText(/^Re-read 8,220 tokens because the model was reloaded/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Why is it slow?' }));
    expect(stores.ui.getState().view).toBe('slow');
  });

  it('is silent about what cost little (audit-U11)', async () => {
    const little = aUsage({ reading: aReading({ rereadTokens: 29, cause: 'rendering', owner: 'template' }) });
    await show(inOrder(...worked), [
      aTurn({ ...ended, startedAt: noon, endedAt: noon + 21_000, usage: [little] }),
    ]);
    expect(screen.queryByText(/^Re-read/)).toBeNull();
  });
});
