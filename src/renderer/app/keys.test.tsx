import { act } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';

it.each([
  ['keeps the keys for itself while it is open', undefined, 'right'],
  ['has no key any more while it fades out', '', null],
])('a menu %s', async (_, closed, left) => {
  const window = await openTestWindow();
  const { ui } = window.stores;
  renderIn(window, <div role="menu" data-closed={closed} />);
  act(() => ui.setState({ sheet: 'right' }));
  await userEvent.keyboard('{Escape}');
  expect(ui.getState().sheet).toBe(left);
});
