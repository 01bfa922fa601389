import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { aSnapshot } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { FindBar } from './find-bar.tsx';
import { foldedWords, rangesOf } from './found-words.ts';

const hit = (itemId: string) => ({ sessionId: 's1', title: '', itemId, turnId: 't1', snippet: '', at: 1 });

async function open() {
  const window = await openTestWindow();
  window.host.answer('session/search', ({ query }: { query: string }) => ({
    hits: query === 'nowhere' ? [] : ['i1', 'i5', 'i9'].map((id) => hit(id)),
    complete: query !== 'everywhere',
  }));
  window.stores.ui.setState({ openSessionId: 's1' });
  resetSession(window.stores.session, 's1');
  applySessionSnapshot(window.stores.session, aSnapshot());
  renderIn(window, <FindBar />);
  const user = userEvent.setup();
  await user.keyboard('{Control>}f{/Control}');
  return { ...window, user, field: screen.getByRole('textbox', { name: 'Find in this session' }) };
}

const told = () => screen.getByRole('status').textContent;

describe('find in a session', () => {
  it('takes the keyboard, goes to the newest place, and by Enter to those before it and round', async () => {
    const { user, field, host, stores } = await open();
    expect(document.activeElement).toBe(field);
    await user.paste('lease');
    await waitFor(() => expect(told()).toBe('3 of 3 messages'));
    expect(host.last('session/search')).toEqual({ query: 'lease', sessionId: 's1' });
    const places = [stores.ui.getState().jump?.itemId];
    for (const key of ['{Enter}', '{Enter}', '{Enter}', '{Shift>}{Enter}{/Shift}']) {
      await user.keyboard(key);
      places.push(stores.ui.getState().jump?.itemId);
    }
    expect(places).toEqual(['i9', 'i5', 'i1', 'i9', 'i1']);
    expect(stores.ui.getState().jump?.words).toBe('lease');
  });

  it('says that there is nothing, and that there may be more', async () => {
    const { user, field } = await open();
    await user.paste('nowhere');
    await waitFor(() => expect(told()).toBe('Not in messages or answers'));
    expect(screen.getByRole('button', { name: 'Previous place' })).toHaveProperty('disabled', true);
    await user.clear(field);
    expect(told()).toBe('');
    await user.paste('everywhere');
    await waitFor(() => expect(told()).toBe('3 of 3+ messages'));
  });

  it('ends with Escape, which stops nothing, and gives the keyboard to the transcript', async () => {
    const { user, stores, host } = await open();
    expect(screen.getByRole('search', { name: 'Find in this session' })).toBeDefined();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('search')).toBeNull();
    expect(stores.ui.getState()).toMatchObject({ finding: null, focus: { target: 'transcript' } });
    expect(host.count('turn/stop')).toBe(0);
  });

  it('belongs to its session, and is there again when that is', async () => {
    const { user, stores } = await open();
    await user.paste('lease');
    act(() => stores.ui.setState({ openSessionId: 's2' }));
    expect(screen.queryByRole('search')).toBeNull();
    act(() => stores.ui.setState({ openSessionId: 's1' }));
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('lease');
  });
});

describe('words that were found', () => {
  it('are marked wherever they stand in what is drawn, whatever their case', () => {
    const row = document.createElement('div');
    row.innerHTML = 'Lease <b>the LEASE</b> releases';
    expect(rangesOf(row, ' lease ').map(String)).toEqual(['Lease', 'LEASE', 'lease']);
    expect(rangesOf(row, '  ')).toEqual([]);
  });

  it('are the same however their accents are stored', () => {
    expect(foldedWords('Cafe\u0301')).toBe(foldedWords(' CAFÉ '));
  });
});
