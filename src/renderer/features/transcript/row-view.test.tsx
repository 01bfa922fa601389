import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi, type MockInstance } from 'vitest';
import { anApproval, anItem } from '../../testing/fixtures.ts';
import type { ToolItem } from '../../../protocol/model.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import type { Row } from './rows.ts';
import { RowView } from './row-view.tsx';

// React writes down what a boundary caught.
let written: MockInstance;
beforeEach(() => {
  written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => written.mockRestore());

/** What no schema lets through, as a bug would have it: no view can draw it. */
const broken = { toString: undefined } as never;

const draw = (rows: Row[]) => rows.map((row) => <RowView key={row.key} row={row} />);

async function show(...rows: Row[]) {
  const window = await openTestWindow();
  const { rerender } = renderIn(window, draw(rows));
  return { user: userEvent.setup(), rerender: (...next: Row[]) => rerender(draw(next)) };
}

const message = (key: string, text: string): Row => ({
  key,
  newTurn: false,
  kind: 'user',
  item: anItem('user', { id: key, text }),
  editable: false,
});

it('one item that cannot be drawn leaves the others, and says why', async () => {
  await show(message('a', 'Before'), message('b', broken), message('c', 'After'));
  expect(screen.getByText('Before')).toBeTruthy();
  expect(screen.getByText('After')).toBeTruthy();
  expect(screen.getByText('This could not be shown.')).toBeTruthy();
  expect(screen.getByText(/is not/)).toBeTruthy();
});

it('what could not be drawn can be copied as it is stored', async () => {
  const { user } = await show(message('b', broken));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toContain('"id": "b"');
});

it('what could not be drawn is drawn as soon as that is possible', async () => {
  const { rerender } = await show(message('b', broken));
  rerender(message('b', 'Mended'));
  expect(screen.queryByText('This could not be shown.')).toBeNull();
  expect(screen.getByText('Mended')).toBeTruthy();
});

it('one call that cannot be drawn leaves the others of its list', async () => {
  await show({
    key: 'tools',
    newTurn: false,
    kind: 'tools',
    entries: [
      anItem('tool', { id: 'i1', subject: broken }),
      anItem('tool', { id: 'i2', subject: 'npm test' }),
    ],
  });
  expect(screen.getAllByText('This could not be shown.')).toHaveLength(1);
  expect(screen.getByText('npm test')).toBeTruthy();
});

it('a call that was interrupted before it was allowed is not said to have run perhaps', async () => {
  const asked = { state: 'interrupted', approval: anApproval() } as const;
  const call = (id: string, over: Partial<ToolItem>) => anItem('tool', { id, ...asked, ...over });
  await show({
    key: 'tools',
    newTurn: false,
    kind: 'tools',
    entries: [call('i1', { decision: null }), call('i2', { decision: 'allow' })],
  });
  const [unanswered, allowed] = screen.getAllByRole('button').map((row) => row.textContent);
  expect(unanswered).toContain('interrupted while it asked');
  expect(allowed).toContain('it may have run');
});

it('a note that the model was reloaded in the middle of the work is a warning', async () => {
  const note = anItem('note', { note: 'reload', text: 'qwen3:8b was reloaded' });
  await show({ key: 'n', newTurn: false, kind: 'note', item: note });
  expect(screen.getByText('qwen3:8b was reloaded').parentElement?.className).toBe('line warn');
});

it('a subagent that was stopped is a line of its log: the turn goes on', async () => {
  await show({
    key: 's',
    newTurn: false,
    inside: 'c1',
    kind: 'stopped',
    item: anItem('stopped'),
    ran: { files: 0, commands: 0 },
    last: false,
  });
  expect(screen.getByText('Stopped.')).toBeTruthy();
  expect(screen.queryByText(/Nothing is running/)).toBeNull();
});

const question = (id: string): Row => ({
  key: 'a',
  newTurn: false,
  kind: 'approval',
  item: anItem('tool', { state: 'awaiting_approval', approval: anApproval({ id }) }),
  asker: null,
});
const decline = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Decline/ });

it('the second question of a call is not taken for answered with the first', async () => {
  const { user, rerender } = await show(question('first'));
  await user.click(decline());
  expect(decline().disabled).toBe(true);
  rerender(question('second'));
  expect(decline().disabled).toBe(false);
});
