import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { anItem, aSnapshot } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ToolBody } from './tool-body.tsx';

async function open(wholeLength?: number) {
  const window = await openTestWindow();
  const item = anItem('tool', {
    display: null,
    result: 'The first part',
    ...(wholeLength !== undefined && { wholeLength }),
  });
  const state = aSnapshot({ items: [item] });
  resetSession(window.stores.session, state.session.id);
  applySessionSnapshot(window.stores.session, state);
  renderIn(window, <ToolBody item={item} />);
  return window.host;
}

it('a whole result is read piece by piece when the person asks for it (audit-A6)', async () => {
  const host = await open(12_345);
  host.answer('item/whole-result', ({ from }: { from: number }) =>
    from === 0 ? { text: 'one ', next: 4 } : { text: 'two', next: null },
  );
  await userEvent.click(screen.getByRole('button', { name: 'Show whole result (12,345 characters)' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('one two')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull();
});

it('a whole result is offered only where the model read less of it (audit-A6)', async () => {
  await open();
  expect(screen.queryByRole('button', { name: /^Show whole/ })).toBeNull();
});
