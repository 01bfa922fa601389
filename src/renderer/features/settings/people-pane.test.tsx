import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Person, PersonChanges } from '../../../protocol/people-methods.ts';
import { noon } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { PeoplePane } from './people-pane.tsx';

const person = (id: string, more: Partial<Person>): Person => ({
  id,
  name: '',
  level: 'guest',
  budget: 5_000,
  used: 0,
  resetAt: noon,
  blockedAt: null,
  createdAt: noon,
  accounts: [{ platform: 'Telegram', platformUserId: '42', name: 'ann_h' }],
  ...more,
});
const owner = person('owner', { level: 'owner', budget: null, used: 12_000, accounts: [] });

/** A host that keeps what it is told. */
async function open(others: Person[]) {
  const window = await openTestWindow();
  let people = [owner, ...others];
  const asked: unknown[] = [];
  window.host.answer('people/list', () => ({ people }));
  const change = (userId: string, changed: Partial<Person>): { person: Person } => {
    people = people.map((each) => (each.id === userId ? { ...each, ...changed } : each));
    window.stores.host.setState(({ peopleChanges = 0 }) => ({ peopleChanges: peopleChanges + 1 }));
    return { person: people.find(({ id }) => id === userId) ?? owner };
  };
  window.host.answer(
    'people/update',
    ({ userId, isBlocked, ...more }: PersonChanges & { userId: string }) => {
      asked.push({ userId, ...more, ...(isBlocked !== undefined && { isBlocked }) });
      return change(userId, { ...(more as Partial<Person>), ...(isBlocked && { blockedAt: noon }) });
    },
  );
  window.host.answer('people/reset-budget', ({ userId }: { userId: string }) => {
    asked.push({ reset: userId });
    return change(userId, { used: 0 });
  });
  let rules = { guestTokens: 5_000 as number | null, isCacheFree: false };
  window.host
    .answer('people/budget-rules', () => ({ rules }))
    .answer('people/set-budget-rules', ({ rules: next }: { rules: typeof rules }) => {
      asked.push(next);
      rules = next;
      window.stores.host.setState(({ peopleChanges = 0 }) => ({ peopleChanges: peopleChanges + 1 }));
      return {};
    });
  renderIn(window, <PeoplePane />);
  await act(() => settled());
  const user = userEvent.setup();
  const openRow = async (name: string) => {
    await user.click(screen.getByRole('button', { name: `Settings of ${name}` }));
    return within(screen.getByRole('group', { name: `Settings of ${name}` }));
  };
  return { ...window, asked, user, openRow };
}

it('People shows the owner alone, and who would become a guest, before anybody has written (X1)', async () => {
  await open([]);
  expect(screen.getByText('12,000 tokens, no limit')).toBeDefined();
  expect(screen.getByText('Nobody else has written yet')).toBeDefined();
  expect(screen.getByText(/guests with 5,000 tokens in 30 days/)).toBeDefined();
});

it('A person without a name is shown by their account, with what they have used (X3)', async () => {
  await open([person('user_1', { used: 4_321 })]);
  const row = within(screen.getByText('ann_h').closest('li') ?? document.body);
  expect(row.getByText('ann_h on Telegram')).toBeDefined();
  expect(row.getByText(/4,321 of 5,000 tokens/)).toBeDefined();
  expect(row.getByText('Guest')).toBeDefined();
});

it('A level is given by a click, and what it allows is said (X2)', async () => {
  const { asked, user, openRow } = await open([person('user_1', { name: 'Ann' })]);
  const row = await openRow('Ann');
  await user.click(row.getByRole('radio', { name: 'Administrator' }));
  expect(asked).toEqual([{ userId: 'user_1', level: 'admin' }]);
  expect(await row.findByText(/May also write files/)).toBeDefined();
  expect(row.queryByRole('radio', { name: 'Owner' })).toBeNull();
});

it('A budget is a number or none, and nothing else is sent (X3, B3)', async () => {
  const { asked, user, openRow } = await open([person('user_1', { name: 'Ann' })]);
  const row = await openRow('Ann');
  const field = row.getByRole('textbox', { name: 'Tokens in 30 days' });
  await user.clear(field);
  await user.type(field, 'many{Enter}');
  expect(row.getByRole('alert').textContent).toContain('whole number');
  await user.clear(field);
  await user.type(field, '20000{Enter}');
  await user.clear(field);
  await user.type(field, '{Enter}');
  expect(asked).toEqual([
    { userId: 'user_1', budget: 20_000 },
    { userId: 'user_1', budget: null },
  ]);
});

it('A budget may have the groups that tokens are shown with (X3)', async () => {
  const { asked, user, openRow } = await open([person('user_1', { name: 'Ann' })]);
  const row = await openRow('Ann');
  const field = row.getByRole('textbox', { name: 'Tokens in 30 days' });
  await user.clear(field);
  await user.type(field, '20,000{Enter}');
  expect(asked).toEqual([{ userId: 'user_1', budget: 20_000 }]);
});

it('Thirty days begin again, and a person is blocked and let in again, each by a click (X1, X3)', async () => {
  const { asked, user, openRow } = await open([person('user_1', { name: 'Ann', used: 5_000 })]);
  const row = await openRow('Ann');
  await user.click(row.getByRole('button', { name: 'Reset' }));
  await user.click(row.getByRole('button', { name: 'Block' }));
  expect(await screen.findByText('Blocked')).toBeDefined();
  await user.click(row.getByRole('button', { name: 'Unblock' }));
  expect(asked).toEqual([
    { reset: 'user_1' },
    { userId: 'user_1', isBlocked: true },
    { userId: 'user_1', isBlocked: false },
  ]);
});

it('A click on Reset takes what was typed just before it as well, and loses neither (X3)', async () => {
  const { asked, user, openRow } = await open([person('user_1', { name: 'Ann', used: 900 })]);
  const row = await openRow('Ann');
  const field = row.getByRole('textbox', { name: 'Tokens in 30 days' });
  await user.clear(field);
  await user.type(field, '7000');
  await user.click(row.getByRole('button', { name: 'Reset' }));
  expect(asked).toEqual([{ userId: 'user_1', budget: 7_000 }, { reset: 'user_1' }]);
});

it('The tokens of new guests and what cached ones cost are set by keyboard, for whoever comes next (X3, B2)', async () => {
  const { asked, user } = await open([]);
  const field = screen.getByRole('textbox', { name: 'Tokens of a new guest' });
  field.focus();
  await user.keyboard('{Control>}a{/Control}20000{Enter}');
  expect(asked).toEqual([{ guestTokens: 20_000, isCacheFree: false }]);
  expect(await screen.findByText(/guests with 20,000 tokens/)).toBeDefined();
  screen.getByRole('switch', { name: 'Cached tokens are free' }).focus();
  await user.keyboard(' ');
  expect(asked.at(-1)).toEqual({ guestTokens: 20_000, isCacheFree: true });
  await user.clear(field);
  await user.keyboard('{Enter}');
  expect(asked.at(-1)).toEqual({ guestTokens: null, isCacheFree: true });
  expect(await screen.findByText(/guests without a token limit/)).toBeDefined();
});

it('A tap on the switch keeps the tokens that were typed before it, which the host has not told yet (X3, B2)', async () => {
  const { host, user } = await open([]);
  host.answer('people/set-budget-rules', () => ({}));
  const field = screen.getByRole('textbox', { name: 'Tokens of a new guest' });
  await user.clear(field);
  await user.type(field, '20000');
  const cacheFree = screen.getByRole('switch', { name: 'Cached tokens are free' });
  await user.click(cacheFree);
  expect(host.last('people/set-budget-rules')).toEqual({ rules: { guestTokens: 20_000, isCacheFree: true } });
  expect(field).toHaveProperty('value', '20000');
  expect(cacheFree.getAttribute('aria-checked')).toBe('true');
});

it('What the host refused of the budgets is shown as it was, and is not sent with the next change (X3)', async () => {
  const { host, user } = await open([]);
  host.answer('people/set-budget-rules', () => new Error('The disk is full.'));
  const field = screen.getByRole('textbox', { name: 'Tokens of a new guest' });
  await user.clear(field);
  await user.type(field, '20000{Enter}');
  expect(screen.getByRole('alert').textContent).toContain('The disk is full.');
  expect(field).toHaveProperty('value', '5000');
  await user.click(screen.getByRole('switch', { name: 'Cached tokens are free' }));
  expect(host.last('people/set-budget-rules')).toEqual({ rules: { guestTokens: 5_000, isCacheFree: true } });
});

it('Budgets that the host tells anew replace what was sent before (X3)', async () => {
  const { asked, host, stores, user } = await open([]);
  await user.click(screen.getByRole('switch', { name: 'Cached tokens are free' }));
  host.answer('people/budget-rules', () => ({ rules: { guestTokens: 9_000, isCacheFree: false } }));
  act(() => stores.host.setState(({ peopleChanges = 0 }) => ({ peopleChanges: peopleChanges + 1 })));
  await act(() => settled());
  const field = screen.getByRole('textbox', { name: 'Tokens of a new guest' });
  expect(field).toHaveProperty('value', '9000');
  await user.clear(field);
  await user.keyboard('{Enter}');
  expect(asked.at(-1)).toEqual({ guestTokens: null, isCacheFree: false });
});
