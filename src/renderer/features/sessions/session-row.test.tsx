import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { SessionSummary } from '../../../protocol/model.ts';
import { aSession } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Sessions } from './sessions.tsx';
import styles from './sessions.module.css';

async function openRow(place: SessionSummary['place'], title = 'Dinner'): Promise<HTMLElement> {
  const window = await openTestWindow();
  window.stores.host.setState({
    defaults: { profileId: 'developer', workspace: '/w' },
    sessions: [aSession({ id: 'a', title, ...(place && { place }) })],
  });
  renderIn(window, <Sessions rail={false} />);
  return screen.getByRole('button', { name: /^Dinner/ });
}

it('A session of another platform says whose it is and where it is talked (X5)', async () => {
  const row = await openRow({ platform: 'telegram', channel: '42', thread: '', person: 'Ann' });
  expect(within(row).getByText('Ann on telegram')).toBeDefined();
  expect(row.title).toContain('Ann on telegram');
});

it('A session of several people says where it is talked alone (X5)', async () => {
  const row = await openRow({ platform: 'telegram', channel: 'c', thread: '' });
  expect(within(row).getByText('From telegram')).toBeDefined();
});

it('A session of the window is not marked', async () => {
  const row = await openRow(undefined);
  expect(row.querySelector(`.${styles.from}`)).toBeNull();
  expect(row.title).not.toContain('From');
});

it('The number of a copy stands beside the part of its title that is cut (audit-U7)', async () => {
  const row = await openRow(undefined, 'Dinner for everybody who comes along (2)');
  const number = within(row).getByText('(2)');
  expect(number.closest('.cut')).toBeNull();
  expect(row.querySelector('.cut')?.textContent).toBe('Dinner for everybody who comes along');
  expect(row.textContent).toContain('along (2)');
});
