import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { ChangedFile, TurnFile } from '../../../protocol/model.ts';
import { applySessionEvents, applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { aSession, aSnapshot, aTurn, anItem, inOrder } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { TurnChanges } from './turn-changes.tsx';

const edit = (path: string) =>
  anItem('tool', {
    tool: 'edit_file',
    subject: path,
    display: { kind: 'diff', path, hunks: [], added: 2, removed: 1 },
  });
const edits = inOrder(edit('a.ts'), edit('b.ts'), edit('a.ts'));

const aFile = (path: string, over: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  added: 2,
  removed: 1,
  created: false,
  isGone: false,
  kind: 'file',
  turns: ['t1'],
  undone: false,
  ...over,
});
const ready = (path: string, over: Partial<TurnFile> = {}): TurnFile => ({
  path,
  refused: null,
  detail: '',
  canRedo: false,
  ...over,
});

/** The older of two turns, which wrote a.ts twice and b.ts once. */
async function open(
  answer: TurnFile[],
  files: ChangedFile[] | undefined,
  status: 'idle' | 'running' = 'idle',
  offered = false,
) {
  const window = await openTestWindow();
  let told = answer;
  window.host.answer('file/turn', () => ({ files: told }));
  window.host.answer('file/undo', () => ({ outcomes: [{ path: 'a.ts', refused: null, detail: '' }] }));
  window.stores.ui.setState({ openSessionId: 's1' });
  resetSession(window.stores.session, 's1');
  const turns = [
    aTurn({ status: 'finished' }),
    aTurn({ id: 't2', status: status === 'idle' ? 'finished' : 'running' }),
  ];
  applySessionSnapshot(
    window.stores.session,
    aSnapshot({ session: aSession({ status }), turns, items: edits, ...(files && { files }) }),
  );
  renderIn(window, <TurnChanges turnId="t1" edits={edits} offered={offered} />);
  const user = userEvent.setup();
  return {
    ...window,
    user,
    answers: (next: TurnFile[]) => (told = next),
    rows: () => screen.getAllByRole('listitem').map(({ textContent }) => textContent),
  };
}

it('offers no second way back below the card of the stop, and still says how each file stands', async () => {
  const { rows } = await open([ready('a.ts'), ready('b.ts')], [aFile('a.ts'), aFile('b.ts')], 'idle', true);
  await waitFor(() => expect(rows().join()).toContain('unchanged since'));
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
});

it('says of each file of the turn whether it can be taken back, and why not', async () => {
  const { host, rows } = await open(
    [ready('a.ts'), ready('b.ts', { refused: 'changed', detail: 'Streams' })],
    [aFile('a.ts'), aFile('b.ts')],
  );
  await waitFor(() =>
    expect(rows()).toEqual(['a.ts+4 −2unchanged since', 'b.ts+2 −1changed since by the session “Streams”']),
  );
  expect(host.last('file/turn')).toEqual({ sessionId: 's1', turnId: 't1', paths: ['a.ts', 'b.ts'] });
  expect(screen.getByRole('button', { name: 'Undo 1 file change' })).toBeDefined();
});

it('takes back that turn alone, then offers to bring it back with the same button', async () => {
  const { host, user, answers, rows } = await open(
    [ready('a.ts'), ready('b.ts', { refused: 'later' })],
    [aFile('a.ts'), aFile('b.ts', { turns: ['t1', 't2'] })],
  );
  const undo = await screen.findByRole('button', { name: 'Undo 1 file change' });
  answers([ready('a.ts', { refused: 'undone', canRedo: true }), ready('b.ts', { refused: 'later' })]);
  await user.click(undo);
  await screen.findByRole('button', { name: 'Redo 1 file change' });
  expect(host.last('file/undo')).toEqual({ sessionId: 's1', turnId: 't1' });
  expect(document.activeElement?.textContent).toBe('Redo 1 file change');
  expect(rows()[0]).toMatch(/undone$/);
  await user.keyboard('{Enter}');
  await host.asked('file/redo');
  expect(host.last('file/redo')).toEqual({ sessionId: 's1', turnId: 't1' });
});

it('asks again when a later turn writes over it', async () => {
  const { stores, answers, rows } = await open(
    [ready('a.ts'), ready('b.ts')],
    [aFile('a.ts'), aFile('b.ts')],
  );
  await screen.findByRole('button', { name: 'Undo 2 file changes' });
  answers([ready('a.ts', { refused: 'later' }), ready('b.ts')]);
  const files = [aFile('a.ts', { turns: ['t1', 't2'] }), aFile('b.ts')];
  const event = { type: 'files/changed' as const, files };
  act(() => applySessionEvents(stores.session, [{ seq: 1, sessionId: 's1', at: 1, turnId: null, event }]));
  await screen.findByRole('button', { name: 'Undo 1 file change' });
  expect(rows()[0]).toMatch('a later turn changed it too');
});

it('of a fork or an import it says that there is no way back, and asks for none', async () => {
  const { host } = await open([], undefined);
  expect(screen.getByText(/no record of their earlier versions/)).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Undo/ })).toBeNull();
  expect(host.count('file/turn')).toBe(0);
});

async function openWhileRunning() {
  const window = await open([ready('a.ts'), ready('b.ts')], [aFile('a.ts'), aFile('b.ts')], 'running');
  // Open until the test answers: the other turn still runs.
  window.host.answer('file/undo', () => undefined);
  const undo = await screen.findByRole('button', { name: 'Undo 2 file changes' });
  expect(screen.getByText('A turn is running. Undo waits until it ends.')).toBeDefined();
  return { ...window, undo };
}

describe('while another turn runs', () => {
  it('an undo waits for it, says so, and is done when it has ended (audit-U14)', async () => {
    const { host, user, undo } = await openWhileRunning();
    await user.click(undo);
    await host.asked('file/undo');
    expect(host.last('file/undo')).toEqual({ sessionId: 's1', turnId: 't1', wait: true });
    await screen.findByText('Undo waits until the running turn ends.');
    expect(screen.queryByRole('button', { name: 'Undo 2 file changes' })).toBeNull();
  });

  it('an undo that waits can be cancelled, without a complaint (audit-U14)', async () => {
    const { host, stores, user, undo } = await openWhileRunning();
    await user.click(undo);
    await host.asked('file/undo');
    await user.click(await screen.findByRole('button', { name: 'Cancel undo' }));
    await screen.findByRole('button', { name: 'Undo 2 file changes' });
    expect(stores.ui.getState()).toMatchObject({ waitingUndos: [], notices: [] });
  });

  it('what was undone before cannot be brought back', async () => {
    await open(
      [ready('a.ts', { refused: 'undone', canRedo: true }), ready('b.ts', { refused: 'later' })],
      [aFile('a.ts'), aFile('b.ts')],
      'running',
    );
    const redo = await screen.findByRole('button', { name: 'Redo 1 file change' });
    expect(redo).toHaveProperty('disabled', true);
  });
});

it('leads to its own change of a file, not to a later one', async () => {
  const { user, stores } = await open([ready('a.ts'), ready('b.ts')], [aFile('a.ts'), aFile('b.ts')]);
  await user.click(screen.getByRole('button', { name: 'a.ts' }));
  expect(stores.ui.getState().jump).toEqual({ sessionId: 's1', itemId: edits[2]?.id });
});
