import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { SessionSummary, Turn, TurnScope } from '../../../protocol/model.ts';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { anItem, aSession, aSnapshot, aTurn, inOrder } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { RowBuilder } from './build-rows.ts';
import { NoteEntry, NoteRow } from './notes.tsx';
import { RowView } from './row-view.tsx';
import type { Row } from './rows.ts';

const looking: TurnScope = { change: false, run: false, steps: [] };
const using = { act: 'use' as const, what: 'add a note' };
const finished: Partial<Turn> = { status: 'finished', phase: null, endedAt: 2, closed: true };
const items = inOrder(anItem('user'), anItem('tool'), anItem('text'));
const build = (turns: Turn[], of = items): Row[] => new RowBuilder().build({ turns, items: of }, null);
const scopeOf = (rows: Row[], turnId = 't1') => rows.find(({ key }) => key === `scope:${turnId}`);

async function show(turn: Partial<Turn>, session: Partial<SessionSummary> = {}) {
  const window = await openTestWindow();
  const { stores } = window;
  stores.ui.setState({ openSessionId: 's1' });
  stores.host.setState({ sessions: [aSession({ status: turn.status === 'running' ? 'running' : 'idle' })] });
  resetSession(stores.session, 's1');
  const turns = [aTurn(turn)];
  applySessionSnapshot(stores.session, aSnapshot({ session: aSession(session), turns, items }));
  window.host.answer('turn/regenerate', () => ({ turnId: 't9' }));
  const row = scopeOf(build(turns));
  if (row) renderIn(window, <RowView row={row} />);
  return { ...window, user: userEvent.setup() };
}

const button = () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Let it make changes' });

describe('the scope of a turn', () => {
  it('a scope is one line below the message, before anything the model did', () => {
    const rows = build([aTurn({ ...finished, scope: looking })]);
    expect(rows.map(({ kind }) => kind).slice(0, 3)).toEqual(['user', 'scope', 'work']);
    expect(build([aTurn(finished)]).map(({ kind }) => kind)).not.toContain('scope');
  });

  it('a scope is not drawn where its message is on an older page', () => {
    expect(scopeOf(build([aTurn({ ...finished, scope: looking })], items.slice(1)))).toBeUndefined();
  });

  it.each([
    [{}, 'Only looking'],
    [{ change: true }, 'May change files'],
    [{ run: true }, 'May run commands'],
    [{ change: true, run: true }, 'May change files and run commands'],
    [
      { change: true, run: true, steps: [using] },
      'May change files, run commands and use other programs and the web',
    ],
    [{ steps: [{ act: 'answer' as const, what: '7 times 8' }] }, 'Answers without a tool'],
    [
      {
        steps: [
          { act: 'look' as const, what: 'a.txt' },
          { act: 'answer' as const, what: 'it' },
        ],
      },
      'Only looking',
    ],
  ])('a scope with %o reads “%s”', async (permitted, words) => {
    await show({ ...finished, scope: { ...looking, ...permitted } });
    expect(screen.getByText(words)).toBeTruthy();
    expect(button() !== null).toBe(!words.startsWith('May'));
  });

  it('nothing more is offered where the profile has no tool that changes the folder', async () => {
    await show({ ...finished, scope: { ...looking, mayNotChange: true, steps: [using] } });
    expect(screen.getByText('May use other programs and the web')).toBeTruthy();
    expect(button()).toBeNull();
  });

  it('a turn that uses other programs says so, and can be let make changes of its own', async () => {
    await show({ ...finished, scope: { ...looking, steps: [using] } });
    expect(screen.getByText('May use other programs and the web')).toBeTruthy();
    expect(button()).not.toBeNull();
  });

  it('a scope is not drawn where the turn ended with a plan that says it', () => {
    const planned = inOrder(anItem('user'), anItem('plan', { proposed: true }));
    expect(scopeOf(build([aTurn({ ...finished, scope: looking })], planned))).toBeUndefined();
  });

  it('only the newest turn offers to change more, and not again once it was allowed to', () => {
    const second = inOrder(anItem('user'), anItem('text')).map((item) => ({
      ...item,
      id: `b${item.id}`,
      index: item.index + 3,
      turnId: 't2',
    }));
    const turns = ['t1', 't2'].map((id) => aTurn({ ...finished, id, scope: looking }));
    const rows = build(turns, [...items, ...second]);
    expect(scopeOf(rows)).toMatchObject({ offered: false });
    expect(scopeOf(rows, 't2')).toMatchObject({ offered: true });
    const allowed = build([aTurn({ ...finished, scope: looking, allow: ['change', 'run'] })]);
    expect(scopeOf(allowed)).toMatchObject({ offered: false });
  });
});

describe('“Let it make changes”', () => {
  it('“Let it make changes” asks for the turn again with everything allowed, by click', async () => {
    const { user, host, stores } = await show({ ...finished, scope: looking });
    await user.click(button() ?? document.body);
    await host.asked('turn/regenerate');
    expect(host.last('turn/regenerate')).toEqual({
      sessionId: 's1',
      turnId: 't1',
      allow: ['change', 'run'],
    });
    expect(stores.session.getState().sending?.text).toBe('Find out why');
  });

  it('“Let it make changes” is not offered in a session that only plans', async () => {
    await show({ ...finished, scope: looking }, { approvals: 'plan_only' });
    expect(screen.getByText('Only looking')).toBeTruthy();
    expect(button()).toBe(null);
  });

  it('“Let it make changes” is reached and pressed by keyboard', async () => {
    const { user, host } = await show({ ...finished, scope: looking });
    await user.tab();
    expect(document.activeElement).toBe(button());
    await user.keyboard('{Enter}');
    await host.asked('turn/regenerate');
    expect(host.last('turn/regenerate')).toMatchObject({ allow: ['change', 'run'] });
  });

  it('“Let it make changes” waits until the turn is over, and says so', async () => {
    const { host, user, stores } = await show({ scope: looking });
    expect(button()?.disabled).toBe(true);
    expect(button()?.title).toBe('Wait until the turn ends, or stop it.');
    await user.click(button() ?? document.body);
    expect(host.count('turn/regenerate')).toBe(0);
    act(() =>
      applySessionSnapshot(
        stores.session,
        aSnapshot({ turns: [aTurn({ ...finished, scope: looking })], items }),
      ),
    );
    expect(button()?.disabled).toBe(false);
    expect(button()?.title).toBe('');
  });

  it('the palette has “let it make changes” only while the newest turn is held to looking', async () => {
    const { host, commands } = await show({ ...finished, scope: looking });
    expect(commands.registry['current/allow-changes'].enabled()).toBe(true);
    await commands.run('current/allow-changes');
    expect(host.last('turn/regenerate')).toMatchObject({ turnId: 't1', allow: ['change', 'run'] });
    for (const turn of [
      { ...finished },
      { ...finished, scope: { ...looking, change: true } },
      { scope: looking },
    ]) {
      const other = await show(turn);
      expect(other.commands.registry['current/allow-changes'].enabled()).toBe(false);
    }
  });
});

it('an answer that nothing backs is followed by one line that opens nothing', async () => {
  const window = await openTestWindow();
  const item = anItem('note', { note: 'unproven', text: 'whatever the host wrote' });
  renderIn(
    window,
    <>
      <NoteEntry item={item} />
      <NoteRow item={item} />
    </>,
  );
  expect(screen.getAllByText('Nothing was changed or run.')).toHaveLength(2);
  expect(screen.queryByText('whatever the host wrote')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
  const answered = [...items, anItem('note', { id: 'n', index: 3, note: 'unproven' })];
  expect(build([aTurn(finished)], answered).map(({ kind }) => kind)).toEqual([
    'user',
    'work',
    'text',
    'note',
    'foot',
  ]);
});
