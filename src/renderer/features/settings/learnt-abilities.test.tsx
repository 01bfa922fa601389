import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Ability, AbilityRow } from '../../../protocol/abilities.ts';
import { AndironError } from '../../../protocol/errors.ts';
import { timeAndDay } from '../../components/time-of-day.ts';
import { settled } from '../../testing/fake-server.ts';
import { aProfile, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { LearntAbilities } from './learnt-abilities.tsx';

const row = (ability: Ability, over: Partial<AbilityRow> = {}): AbilityRow => ({
  ability,
  good: 0,
  bad: 0,
  score: 0.5,
  holds: false,
  at: null,
  ...over,
});
const seen = [
  row('opens', { good: 4.2, bad: 0.8, holds: true, at: noon }),
  row('native', { holds: true }),
  row('text'),
  row('grammar', { good: 0.3, bad: 0.1, at: noon }),
  row('pattern', { good: 3, at: noon }),
  row('values', { good: 3, at: noon }),
  row('settles', { good: 0.1, bad: 0.3, at: noon }),
  row('restraint'),
  row('planning', { good: 20, holds: true }),
  row('notes'),
];

async function show(abilities: AbilityRow[] | Error = seen) {
  const window = await openTestWindow();
  window.stores.host.setState({
    profiles: [aProfile()],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.host
    .answer('model/abilities', () => (abilities instanceof Error ? abilities : { abilities }))
    .answer('model/forget-abilities', () => ({}))
    .answer('exam/price', () => ({ questions: 28, expectedMs: null, limitMs: 180_000 }))
    .answer('exam/begin', () => ({}));
  renderIn(window, <LearntAbilities model={{ name: 'qwen3:8b', digest: 'd1' }} />);
  await act(() => settled());
  return { ...window, user: userEvent.setup() };
}

const button = (name: string) => screen.getByRole('button', { name });
const cells = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

describe('the abilities of a model', () => {
  it('abilities are told in words, with how often each was seen, was good, and is relied on', async () => {
    const { host } = await show();
    expect(host.last('model/abilities')).toEqual({ model: 'qwen3:8b' });
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'Says what it is about to do',
      'Calls tools natively',
      'Writes calls as text',
      'Keeps to a grammar',
      'Ends its turn',
      'Leaves things alone',
      'Plans well',
      'Follows notes',
    ]);
    expect(cells('Says what')).toEqual(['5', '4', timeAndDay(noon), 'yes']);
    expect(cells('Writes calls')).toEqual(['not yet', '', '', 'no']);
  });

  it('an ability that is only expected is never counted as seen', async () => {
    await show();
    for (const name of ['Calls tools', 'Plans well']) expect(cells(name)).toEqual(['not yet', '', '', 'yes']);
  });

  it('an ability that was seen once counts one, however much of it has faded', async () => {
    await show();
    expect(cells('Keeps to')).toEqual(['1', '1', timeAndDay(noon), 'no']);
    expect(cells('Ends its')).toEqual(['1', '0', timeAndDay(noon), 'no']);
  });

  it('abilities are asked for again when they have changed', async () => {
    const { host, stores } = await show();
    host.answer('model/abilities', () => ({ abilities: [row('notes', { good: 7, at: noon })] }));
    act(() => stores.host.setState({ abilityChanges: 1 }));
    await act(() => settled());
    expect(cells('Follows notes').slice(0, 2)).toEqual(['7', '7']);
  });

  it('abilities that cannot be read say why, and are asked for again by a button', async () => {
    const { host, user } = await show(new Error('qwen3:8b is not installed.'));
    expect(screen.getByRole('alert').textContent).toContain('qwen3:8b is not installed.');
    host.answer('model/abilities', () => ({ abilities: seen }));
    await user.click(within(screen.getByRole('alert')).getByRole('button'));
    await act(() => settled());
    expect(screen.getByRole('table')).toBeTruthy();
  });

  it('abilities are asked again by themselves when the host was not there yet, and once', async () => {
    const { host, stores } = await show(new AndironError('disconnected', 'There is no connection.'));
    expect(screen.queryByRole('table')).toBeNull();
    host.answer('model/abilities', () => ({ abilities: seen }));
    act(() => stores.host.setState({ connection: 'lost' }));
    act(() => stores.host.setState({ connection: 'live' }));
    expect(await screen.findByRole('table')).toBeTruthy();
    const asked = host.count('model/abilities');
    act(() => stores.host.setState({ connection: 'lost' }));
    act(() => stores.host.setState({ connection: 'live' }));
    await act(() => settled());
    expect(host.count('model/abilities')).toBe(asked);
  });

  it('abilities whose answer is on its way are not asked for again as another part connects', async () => {
    const { host, stores } = await show(new AndironError('disconnected', 'There is no connection.'));
    const asked = host.count('model/abilities');
    host.answer('model/abilities', () => undefined);
    act(() => stores.host.setState({ connection: 'lost' }));
    await act(() => settled());
    expect(host.count('model/abilities')).toBe(asked + 1);
    act(() => stores.engine.setState({ connection: 'live' }));
    await act(() => settled());
    expect(host.count('model/abilities')).toBe(asked + 1);
  });

  it('“Test again” begins the exam, and not while another one runs', async () => {
    const { host, user, stores } = await show();
    await user.click(button('Test again'));
    await host.asked('exam/begin');
    expect(host.last('exam/begin')).toMatchObject({ model: 'qwen3:8b' });
    act(() =>
      stores.host.setState({
        exam: { model: 'other', phase: 'calling', asked: 1, total: 28, since: noon, problem: null },
      }),
    );
    expect(button('Test again').getAttribute('aria-disabled')).toBe('true');
    await user.click(button('Test again'));
    expect(host.count('exam/begin')).toBe(1);
  });

  it('abilities are forgotten only after a yes, all of it by keyboard', async () => {
    const { host, user } = await show();
    await user.tab();
    await user.tab();
    expect(document.activeElement).toBe(button('Forget'));
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('alertdialog', { name: 'Forget what qwen3:8b can do?' });
    await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
    // The safe answer comes first.
    expect(document.activeElement?.textContent).toBe('Keep abilities');
    await user.keyboard('{Enter}');
    expect(host.count('model/forget-abilities')).toBe(0);
    await waitFor(() => expect(document.activeElement).toBe(button('Forget')));
    await user.keyboard('{Enter}');
    const again = await screen.findByRole('alertdialog');
    await waitFor(() => expect(again.contains(document.activeElement)).toBe(true));
    await user.tab();
    await user.keyboard('{Enter}');
    await host.asked('model/forget-abilities');
    expect(host.last('model/forget-abilities')).toEqual({ model: 'qwen3:8b' });
  });

  it('the page says beside “Forget” why it failed', async () => {
    const { host, user } = await show();
    host.answer('model/forget-abilities', () => new Error('The disk is full.'));
    await user.click(button('Forget'));
    await user.click(screen.getByRole('button', { name: 'Forget abilities' }));
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
  });

  it('a model that never did anything can be tested, and has nothing to forget', async () => {
    const { user } = await show(seen.map(({ ability }) => row(ability)));
    expect(button('Test this model')).toBeTruthy();
    await user.click(button('Forget'));
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});
