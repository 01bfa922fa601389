import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ListedBinding, ListedPersona } from '../../../protocol/inbox-methods.ts';
import { aModel, anEngine, aProfile } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { BindingsPane } from './bindings-pane.tsx';

const binding = (id: string, more: Partial<ListedBinding> = {}): ListedBinding => ({
  id,
  platform: 'telegram',
  server: '',
  profileId: 'developer',
  personaId: null,
  model: null,
  maxOutputTokens: null,
  modules: null,
  hasBadModules: false,
  isPerPerson: false,
  pauseMs: null,
  ...more,
});
const ada: ListedPersona = { id: 'p1', name: 'Ada', text: 'You are Ada.' };

/** A host that keeps what it is told. */
async function open(known: ListedBinding[], personas: ListedPersona[] = []) {
  const window = await openTestWindow();
  let [bindings, people] = [known, personas];
  const put: Partial<ListedBinding>[] = [];
  const changed = (): object => {
    window.stores.host.setState(({ bindingChanges = 0 }) => ({ bindingChanges: bindingChanges + 1 }));
    return {};
  };
  const at = (platform: string, server: string) =>
    bindings.find((each) => each.platform === platform && each.server === server);
  window.stores.host.setState({
    profiles: [aProfile(), aProfile({ id: 'talk', name: 'Talk', models: ['small:1b'] })],
    defaults: { profileId: 'developer', workspace: '/w', isSandboxed: false },
  });
  window.stores.engine.setState({
    engine: anEngine({
      models: [aModel({ name: 'main:9b' }), aModel({ name: 'small:1b' })],
      modelsReadAt: 1,
    }),
  });
  window.host
    .answer('binding/list', () => ({ bindings }))
    .answer('persona/list', () => ({ personas: people }))
    .answer('binding/test', ({ platform, server }: ListedBinding) => {
      const found = at(platform, server) ?? at(platform, '') ?? null;
      return { binding: found, profileId: found?.profileId ?? 'developer' };
    })
    .answer('binding/put', ({ binding: next }: { binding: ListedBinding }) => {
      put.push(next);
      const id = at(next.platform, next.server)?.id ?? 'new';
      bindings = [...bindings.filter((each) => each.id !== id), { ...next, id, hasBadModules: false }];
      return changed();
    })
    .answer('binding/remove', ({ bindingId }: { bindingId: string }) => {
      bindings = bindings.filter(({ id }) => id !== bindingId);
      return changed();
    })
    .answer('persona/put', ({ persona }: { persona: ListedPersona & { id: string | null } }) => {
      const next = { ...persona, id: persona.id ?? 'p_new' };
      people = [...people.filter(({ id }) => id !== next.id), next];
      changed();
      return { persona: next };
    })
    .answer('persona/remove', ({ personaId }: { personaId: string }) => {
      people = people.filter(({ id }) => id !== personaId);
      return changed();
    });
  renderIn(window, <BindingsPane />);
  await act(() => settled());
  const user = userEvent.setup();
  const openRow = async (place: string) => {
    const button = screen.getByRole('button', { name: `Settings of ${place}` });
    button.focus();
    await user.keyboard('{Enter}');
    return within(screen.getByRole('group', { name: `Settings of ${place}` }));
  };
  return { ...window, put, user, openRow };
}

const answer = () => screen.getByRole('status').textContent;

it('Bindings says what answers everywhere before there is one (X4)', async () => {
  await open([]);
  expect(screen.getByText('No bindings yet')).toBeDefined();
  expect(screen.getByText(/Developer answers wherever/)).toBeDefined();
  expect(answer()).toMatch(/^Developer on main:9b.*No binding applies/);
});

it('A place that is typed shows at once what would answer there (X4, B7)', async () => {
  const kitchen = { server: 'Kitchen', profileId: 'talk', personaId: 'p1', maxOutputTokens: 400 };
  const { user } = await open([binding('b1'), binding('b2', kitchen)], [ada]);
  await user.type(screen.getByRole('textbox', { name: 'Platform of the message' }), 'telegram');
  await act(() => settled());
  expect(answer()).toMatch(/^Developer on main:9b.*From the binding “telegram”/);
  await user.type(screen.getByRole('textbox', { name: 'Server of the message' }), 'Kitchen');
  await act(() => settled());
  expect(answer()).toMatch(/^Talk on small:1b as Ada.*“telegram, Kitchen”\. Up to 400 tokens a reply/);
});

it('A binding is added by keyboard, and its settings are open then (X4)', async () => {
  const { put, user } = await open([binding('b1')]);
  screen.getByRole('button', { name: 'Add binding' }).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Platform' }));
  await user.keyboard('{Tab}Kitchen{Enter}');
  expect(screen.getByRole('alert').textContent).toBe('Name the platform too.');
  await user.keyboard('{Shift>}{Tab}{/Shift}telegram{Enter}');
  expect(put).toMatchObject([{ platform: 'telegram', server: 'Kitchen', profileId: 'developer' }]);
  expect(await screen.findByRole('group', { name: 'Settings of telegram, Kitchen' })).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add binding' }));
});

it('A place is bound once, and Escape leaves the form without closing the settings (X4)', async () => {
  const { put, user } = await open([binding('b1')]);
  await user.click(screen.getByRole('button', { name: 'Add binding' }));
  await user.keyboard('telegram{Enter}');
  expect(screen.getByRole('alert').textContent).toBe('This place has a binding already.');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('textbox', { name: 'Platform' })).toBeNull();
  expect(put).toEqual([]);
});

it('Profile, persona, model and the longest reply of a place are chosen, each by itself (B8)', async () => {
  const { put, user, openRow } = await open([binding('b1')], [ada]);
  const row = await openRow('telegram');
  await user.selectOptions(row.getByRole('combobox', { name: 'Profile' }), 'Talk');
  await user.selectOptions(row.getByRole('combobox', { name: 'Persona' }), 'Ada');
  await user.type(row.getByRole('textbox', { name: 'Model' }), 'main:9b{Enter}');
  await user.type(row.getByRole('textbox', { name: 'Longest reply' }), '0{Enter}');
  expect(row.getByText(/whole number from 1/)).toBeDefined();
  await user.clear(row.getByRole('textbox', { name: 'Longest reply' }));
  await user.keyboard('400{Enter}');
  expect(put.at(-1)).toMatchObject({
    platform: 'telegram',
    profileId: 'talk',
    personaId: 'p1',
    model: 'main:9b',
    maxOutputTokens: 400,
  });
  expect(put).toHaveLength(4);
});

it('The longest reply of a place may have groups, as its limit has (B8)', async () => {
  const { put, user, openRow } = await open([binding('b1')]);
  const row = await openRow('telegram');
  await user.type(row.getByRole('textbox', { name: 'Longest reply' }), '1,000,000{Enter}');
  expect(put.at(-1)?.maxOutputTokens).toBe(1_000_000);
});

it('Tools are the default ones until some are chosen, and conversations end after a pause (B11, P19)', async () => {
  const { put, user, openRow } = await open([binding('b1')]);
  const row = await openRow('telegram');
  expect(row.queryByRole('checkbox')).toBeNull();
  await user.click(row.getByRole('radio', { name: 'Chosen' }));
  await user.click(await row.findByRole('checkbox', { name: 'Files' }));
  expect(put.at(-1)?.modules).toEqual(['files', 'work', 'memory']);
  await user.click(row.getByRole('radio', { name: 'Default' }));
  expect(put.at(-1)?.modules).toBeNull();
  await user.click(row.getByRole('switch', { name: 'One conversation per person' }));
  await user.type(row.getByRole('textbox', { name: 'New conversation after' }), '30{Enter}');
  expect(put.at(-1)).toMatchObject({ isPerPerson: true, pauseMs: 1_800_000 });
});

it('A tap on the next control keeps what was typed before it, which the host has not told yet (B8)', async () => {
  const { host, user, openRow } = await open([binding('b1')]);
  host.answer('binding/put', () => ({}));
  const row = await openRow('telegram');
  await user.type(row.getByRole('textbox', { name: 'Model' }), 'main:9b');
  await user.click(row.getByRole('switch', { name: 'One conversation per person' }));
  expect(host.last('binding/put')).toMatchObject({ binding: { model: 'main:9b', isPerPerson: true } });
});

it('Two tools that are chosen one right after the other are both kept (B11)', async () => {
  const { host, user, openRow } = await open([binding('b1', { modules: [] })]);
  host.answer('binding/put', () => undefined);
  const row = await openRow('telegram');
  await user.click(row.getByRole('checkbox', { name: 'Files' }));
  await user.click(row.getByRole('checkbox', { name: 'Memory' }));
  expect(host.last('binding/put')).toMatchObject({ binding: { modules: ['files', 'memory'] } });
});

it('A click on Remove takes what was typed just before it as well, and removes the binding (X4)', async () => {
  const { host, user, openRow } = await open([binding('b1')]);
  host.answer('binding/put', () => undefined);
  const row = await openRow('telegram');
  await user.type(row.getByRole('textbox', { name: 'Model' }), 'main:9b');
  await user.click(row.getByRole('button', { name: 'Remove' }));
  expect(host.last('binding/remove')).toEqual({ bindingId: 'b1' });
});

it('A model that is not installed, a profile that is gone and a bad list of tools are said (X4, Q8)', async () => {
  await open([
    binding('b1', { model: 'gone:70b' }),
    binding('b2', { platform: 'matrix', profileId: 'gone', hasBadModules: true }),
  ]);
  expect(screen.getByText('gone:70b is not installed, so the profile’s models answer.')).toBeDefined();
  expect(screen.getByText('Its profile was deleted, so Developer answers.')).toBeDefined();
  expect(screen.getByText(/Its list of tools could not be read/)).toBeDefined();
});

it('A binding is removed by keyboard, and the keyboard stays in the list (X4)', async () => {
  const { user, openRow } = await open([binding('b1')]);
  const row = await openRow('telegram');
  row.getByRole('button', { name: 'Remove' }).focus();
  await user.keyboard('{Enter}');
  await act(() => settled());
  expect(screen.getByText('No bindings yet')).toBeDefined();
  expect(document.activeElement?.contains(screen.getByText('No bindings yet'))).toBe(true);
});

it('A persona is written with its price, changed and removed (P24)', async () => {
  const { user } = await open([]);
  await user.click(screen.getByRole('button', { name: 'Add persona' }));
  await user.keyboard('Ada{Tab}You are Ada, who answers in one sentence.');
  expect(screen.getByText(/^About 11 tokens in each conversation/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await act(() => settled());
  expect(screen.getByText('You are Ada, who answers in one sentence.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Edit Ada' }));
  await user.keyboard('{Control>}a{/Control}Bob');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await act(() => settled());
  await user.click(screen.getByRole('button', { name: 'Edit Bob' }));
  await user.click(screen.getByRole('button', { name: 'Remove persona' }));
  await act(() => settled());
  expect(screen.getByText('No personas yet')).toBeDefined();
});
