import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChangedFile, FileView } from '../../../protocol/model.ts';
import { applySessionEvents, applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { settled } from '../../testing/fake-server.ts';
import { aSession, aSnapshot, aTurn, anItem } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn, type TestWindow } from '../../testing/window-kit.tsx';
import { FilesChanged } from './files.tsx';
import { ReviewDialog } from './review-dialog.tsx';

const diff = {
  kind: 'diff' as const,
  path: 'src/lease.ts',
  hunks: [
    { oldStart: 1, newStart: 1, lines: ['-one', '+1', ' two', ' three', '-four', '+4'] },
    { oldStart: 40, newStart: 40, lines: [' x', '+y'] },
  ],
  added: 3,
  removed: 2,
};

const aFile = (over: Partial<ChangedFile> = {}): ChangedFile => ({
  path: 'src/lease.ts',
  added: 3,
  removed: 2,
  created: false,
  isGone: false,
  kind: 'file',
  turns: ['t1'],
  undone: false,
  ...over,
});

const aView = (over: Partial<FileView> = {}): FileView => ({
  file: aFile(),
  standing: 'written',
  by: null,
  whole: { kind: 'diff', diff },
  modes: null,
  between: { before: 'a', now: 'b' },
  canUndo: true,
  canRedo: false,
  ...over,
});

let window: TestWindow;
let view: FileView;

beforeEach(async () => {
  window = await openTestWindow();
  view = aView();
  window.host.answer('file/view', () => view);
});

function show(files: ChangedFile[] | undefined, status: 'idle' | 'running' = 'idle'): void {
  const state = aSnapshot({
    session: aSession({ status }),
    turns: [aTurn({ status: status === 'idle' ? 'finished' : 'running' })],
    items: [anItem('tool', { id: 'edit', display: diff })],
    ...(files && { files }),
  });
  window.stores.ui.setState({ openSessionId: 's1' });
  resetSession(window.stores.session, 's1');
  applySessionSnapshot(window.stores.session, state);
  renderIn(window, <FilesChanged />);
}

const press = (name: string | RegExp): void => void fireEvent.click(screen.getByRole('button', { name }));

async function openFile(files = [aFile()], status?: 'running'): Promise<HTMLElement> {
  show(files, status);
  press(/^src\/lease\.ts/);
  await waitFor(() => expect(screen.getByRole('status').textContent).not.toMatch('Reading'));
  return screen.getByRole('dialog');
}

/** The host's word that the record changed. */
function told(files: ChangedFile[]): void {
  const event = { type: 'files/changed' as const, files };
  act(() =>
    applySessionEvents(window.stores.session, [{ seq: 1, sessionId: 's1', at: 1, turnId: null, event }]),
  );
}

describe('files changed', () => {
  it('are listed as the host has recorded them, with the new file and what was undone', () => {
    show([
      aFile(),
      aFile({ path: 'new.ts', removed: 0 }),
      aFile({ path: 'gone.ts', added: 0, removed: 0, turns: [], undone: true }),
    ]);
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'src/lease.ts+3−2',
      'new.ts+3',
      'gone.tsundone',
    ]);
  });

  it('are told to be none where no turn has changed any', () => {
    show([]);
    expect(screen.getByText('No turn of this session has changed files.')).toBeDefined();
    expect(screen.queryAllByRole('listitem')).toEqual([]);
  });

  it('of a session from elsewhere lead to their change in the transcript', () => {
    show(undefined);
    press(/^src\/lease\.ts/);
    expect(window.stores.ui.getState().jump).toEqual({ sessionId: 's1', itemId: 'edit' });
    expect(screen.queryByRole('button', { name: 'Undo file changes' })).toBeNull();
  });

  it('of the newest turn are undone at once, and each that was left is told with its reason', async () => {
    const files = [aFile({ turns: ['t0'] }), aFile({ path: 'a.ts' }), aFile({ path: 'b.ts' })];
    show(files);
    window.host.answer('file/undo', () => ({
      outcomes: [
        { path: 'a.ts', refused: null, detail: '' },
        { path: 'b.ts', refused: 'changed', detail: 'Other' },
      ],
    }));
    press('Undo file changes');
    fireEvent.click(await screen.findByRole('menuitem', { name: /newest turn’s changes \(2 files\)/ }));
    await window.host.asked('file/undo');
    expect(window.host.last('file/undo')).toEqual({ sessionId: 's1', turnId: 't1' });
    await waitFor(() =>
      expect(window.stores.ui.getState().notices).toMatchObject([
        { message: 'Undid changes to 1 file.', redoes: { sessionId: 's1', paths: ['a.ts'] } },
        { message: 'b.ts was left as it is: the session “Other” changed it since.' },
      ]),
    );
  });
});

describe('the whole change of a file', () => {
  it('opens large, with its standing, and goes from change to change by keyboard', async () => {
    const dialog = await openFile();
    expect(window.host.last('file/view')).toEqual({ sessionId: 's1', path: 'src/lease.ts' });
    expect(screen.getByRole('status').textContent).toBe('As Andiron left it.');
    const here = (): string | null | undefined => dialog.querySelector('[data-here]')?.textContent;
    await waitFor(() => expect(here()).toBe('1−one'));
    expect(document.activeElement?.className).toBe('diff');
    expect(dialog.textContent).toContain('1 of 3 changes');
    const seen = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'].map((key) => {
      fireEvent.keyDown(within(dialog).getByRole('group'), { key, altKey: true });
      return here();
    });
    expect(seen).toEqual(['4−four', '41+y', '1−one', '4−four', '1−one']);
  });

  it('wraps long lines when asked to', async () => {
    const dialog = await openFile();
    press('Wrap');
    expect(dialog.querySelector('.diff.wrap')).not.toBeNull();
  });

  it('is undone and brought back, and shows each time how it stands', async () => {
    await openFile();
    window.host.answer('file/undo', () => ({
      outcomes: [{ path: 'src/lease.ts', refused: null, detail: '' }],
    }));
    view = aView({ standing: 'undone', canUndo: false, canRedo: true });
    await waitFor(() => expect(document.activeElement?.className).toBe('diff'));
    screen.getByRole('button', { name: 'Undo all changes' }).focus();
    press('Undo all changes');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Redo' })).toBeDefined());
    expect(document.activeElement?.textContent).toBe('Redo');
    expect(window.host.last('file/undo')).toEqual({ sessionId: 's1', paths: ['src/lease.ts'] });
    expect(screen.getByRole('status').textContent).toBe('As it was before this session.');
    expect(screen.queryByRole('button', { name: 'Undo all changes' })).toBeNull();
  });

  it('is asked for again when the record changes under it', async () => {
    await openFile();
    view = aView({ standing: 'changed', canUndo: false });
    told([aFile({ added: 9 })]);
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toMatch('Changed outside Andiron since'),
    );
    expect(screen.queryByRole('button', { name: 'Undo all changes' })).toBeNull();
  });

  it.each([
    [{ standing: 'changed', by: 'Other' }, 'The session “Other” has changed it since'],
    [{ standing: 'gone' }, 'Removed outside since.'],
    [{ whole: { kind: 'not_kept' } }, 'was not kept, so it can’t be undone'],
  ] as const)('with %j offers no undo, and says why', async (over, words) => {
    view = aView({ canUndo: false, ...over });
    await openFile();
    expect(screen.getByRole('status').textContent).toContain(words);
    expect(screen.queryByRole('button', { name: 'Undo all changes' })).toBeNull();
  });

  it('waits with its undo while a turn runs', async () => {
    const dialog = await openFile([aFile()], 'running');
    expect(within(dialog).getByRole('button', { name: 'Undo all changes' })).toHaveProperty('disabled', true);
    expect(dialog.textContent).toContain('Stop the turn to undo its changes.');
  });
});

const putBack = () => screen.queryByRole<HTMLButtonElement>('button', { name: 'Undo this change' });

/** A dialog at its first change, and a host that puts back whatever it is asked to. */
async function openUndoable(): Promise<HTMLElement> {
  const dialog = await openFile();
  window.host.answer('file/restore-change', () => ({
    path: 'src/lease.ts',
    refused: null,
    detail: '',
    step: 7,
  }));
  await waitFor(() => expect(dialog.textContent).toContain('1 of 3 changes'));
  return within(dialog).getByRole('group');
}

describe('one change of a file', () => {
  it('is put back by its place among all of them, and had again by the step of the answer', async () => {
    const dialog = await openFile();
    window.host.answer('file/restore-change', () => ({
      path: 'src/lease.ts',
      refused: null,
      detail: '',
      step: 7,
    }));
    window.host.answer('file/undo', () => ({
      outcomes: [{ path: 'src/lease.ts', refused: null, detail: '' }],
    }));
    await waitFor(() => expect(dialog.textContent).toContain('1 of 3 changes'));
    fireEvent.keyDown(within(dialog).getByRole('group'), { key: 'ArrowDown', altKey: true });
    fireEvent.keyDown(within(dialog).getByRole('group'), { key: 'u' });
    await window.host.asked('file/restore-change');
    expect(window.host.last('file/restore-change')).toEqual({
      sessionId: 's1',
      path: 'src/lease.ts',
      between: { before: 'a', now: 'b' },
      change: { at: 1, of: 3 },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Redo that change' }));
    await window.host.asked('file/undo');
    expect(window.host.last('file/undo')).toEqual({ sessionId: 's1', paths: ['src/lease.ts'], step: 7 });
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Redo that change' })).toBeNull());
  });

  it('is put back once where its key is held', async () => {
    const lines = await openUndoable();
    fireEvent.keyDown(lines, { key: 'u' });
    await window.host.asked('file/view', 2);
    await act(() => settled());
    fireEvent.keyDown(lines, { key: 'u', repeat: true });
    await act(() => settled());
    expect(window.host.count('file/restore-change')).toBe(1);
  });

  it('is put back once where its key is pressed again before the file is read again, and the next one after that', async () => {
    const lines = await openUndoable();
    fireEvent.keyDown(lines, { key: 'u' });
    fireEvent.keyDown(lines, { key: 'u' });
    await window.host.asked('file/view', 2);
    await act(() => settled());
    expect(window.host.count('file/restore-change')).toBe(1);
    fireEvent.keyDown(lines, { key: 'u' });
    await window.host.asked('file/restore-change', 2);
  });

  it('is told of where it was refused, and nothing can be had again', async () => {
    await openFile();
    window.host.answer('file/restore-change', () => ({
      path: 'src/lease.ts',
      refused: 'changed',
      detail: '',
      step: null,
    }));
    await waitFor(() => expect(putBack()).not.toBeNull());
    press('Undo this change');
    await waitFor(() =>
      expect(window.stores.ui.getState().notices).toMatchObject([
        { message: 'src/lease.ts was left as it is: it was changed outside since.' },
      ]),
    );
    expect(screen.queryByRole('button', { name: 'Redo that change' })).toBeNull();
  });

  it.each([
    ['of a file that was made', { between: { before: null, now: 'b' } }],
    ['of one that is gone', { between: { before: 'a', now: null } }],
    ['of a link', { file: aFile({ kind: 'link' }) }],
    ['of what somebody else changed since', { standing: 'changed' }],
  ] as const)('%s is not offered', async (_what, over) => {
    view = aView(over);
    const dialog = await openFile();
    await waitFor(() => expect(dialog.textContent).toContain('1 of 3 changes'));
    expect(putBack()).toBeNull();
  });

  it('waits while a turn runs, and a file that is not reviewed has nothing to keep', async () => {
    await openFile([aFile()], 'running');
    await waitFor(() => expect(putBack()?.disabled).toBe(true));
    expect(screen.queryByRole('button', { name: /^Keep/ })).toBeNull();
  });
});

it('A review in which the key that keeps is held goes on by one change, and stays open', async () => {
  window.stores.ui.setState({ openSessionId: 's1', review: { turnId: 't1', paths: ['src/lease.ts'] } });
  resetSession(window.stores.session, 's1');
  applySessionSnapshot(window.stores.session, aSnapshot({ files: [aFile()] }));
  renderIn(window, <ReviewDialog />);
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.textContent).toContain('1 of 3 changes'));
  const lines = within(dialog).getByRole('group');
  for (const repeat of [false, true, true, true]) fireEvent.keyDown(lines, { key: 'k', repeat });
  expect(dialog.textContent).toContain('2 of 3 changes');
  expect(window.stores.ui.getState().review).not.toBeNull();
});
