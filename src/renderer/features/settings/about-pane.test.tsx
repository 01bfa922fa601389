import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { AboutPane } from './about-pane.tsx';

it('the About section signs every browser out (audit-S28)', async () => {
  const window = await openTestWindow();
  renderIn(window, <AboutPane />);
  await act(() => settled());
  await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  expect(window.signOuts).toHaveLength(1);
});
