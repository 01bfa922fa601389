import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { FoundInMessages } from './found.tsx';

it('a session is named once over all that was found in it, and each hit opens its own place (audit-U7)', async () => {
  const window = await openTestWindow();
  const hits = ['b i1', 'a i2', 'b i3', 'b i4'].map((both) => {
    const [sessionId = '', itemId = ''] = both.split(' ');
    const title = `Title ${sessionId}`;
    return { sessionId, itemId, title, snippet: `backoff in ${itemId}`, turnId: 't1', at: 1 };
  });
  renderIn(window, <FoundInMessages search={{ query: 'backoff', found: { hits, complete: true } }} />);
  expect(screen.getAllByText(/^Title/).map(({ textContent }) => textContent)).toEqual(['Title b', 'Title a']);
  const ofSession = screen.getByRole('list', { name: 'Title b' });
  expect(within(ofSession).getAllByRole('button')).toHaveLength(3);
  await userEvent.click(within(ofSession).getByRole('button', { name: /in i3/ }));
  expect(window.stores.ui.getState()).toMatchObject({
    openSessionId: 'b',
    jump: { sessionId: 'b', itemId: 'i3' },
  });
});
