import type { Way, WayId } from '../../../protocol/way-methods.ts';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { SettingsSection } from '../../stores/layout-slice.ts';
import { person } from '../../text.ts';
import { aModel, anEngine, aProfile, aSession, byWordsAlone } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { useUi } from '../../stores/stores.ts';
import { FakeDesktop } from '../../testing/desktop.ts';
import { openTestWindow, renderIn, type TestWindow } from '../../testing/window-kit.tsx';
import { findShown, openPage, widen } from './reveal.ts';
import { findRows, sections, settingsIndex } from './settings-index.ts';
import { Settings } from './settings.tsx';

const storage = {
  dataDir: '/d',
  parts: { database: 1, backups: 1, attachments: 1, engine: 1, models: 1, logs: 1, other: 1 },
  sessions: { count: 1, bytes: 1 },
  deleted: { count: 0, bytes: 0, nextAt: null },
  unusedBytes: 0,
  freeBytes: null,
  at: 0,
};

async function open(
  section: SettingsSection = 'profiles',
): Promise<TestWindow & { user: ReturnType<typeof userEvent.setup> }> {
  // A browser has one section less.
  const window = await openTestWindow(section === 'desktop' ? new FakeDesktop('linux') : null);
  window.stores.host.setState({
    sessions: [aSession()],
    profiles: [aProfile()],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.engine.setState({ engine: anEngine({ models: [aModel()] }) });
  window.stores.ui.setState({ openSessionId: 's1', view: 'settings' });
  window.host
    .answer('memory/list', () => ({ facts: [], summary: null, meaning: byWordsAlone }))
    .answer('approval/grants', () => ({ grants: [] }))
    .answer('approval/rules', () => ({ rules: [] }))
    .answer('storage/measure', () => storage)
    .answer('tool/list', () => ({ tools: [] }))
    .answer('way/list', () => ({ ways: [aWay('gateway'), aWay('webhook'), aWay('telegram')] }));
  renderIn(window, <Settings section={section} />);
  await act(() => settled());
  return { ...window, user: userEvent.setup() };
}

const aWay = (id: WayId): Way => ({
  id,
  isOn: false,
  isOnNetwork: false,
  port: 7474,
  answerUrl: null,
  hasSecret: false,
  certificatePath: null,
  state: { state: 'off' },
});
const found = (query: string): string[] => findRows(query).flatMap(({ rows }) => rows.map(({ id }) => id));
const field = (): HTMLElement => screen.getByRole('combobox', { name: 'Search settings' });

const openSection = (): string | null =>
  screen.getAllByRole('tab', { selected: true })[0]?.textContent ?? null;

describe('the index', () => {
  it.each(sections)('has only rows that the section %s shows', async (section) => {
    await open(section);
    const pane = screen.getByRole('tabpanel', { name: new RegExp(`^${section}`, 'i') });
    act(() => void widen(pane));
    const missing = [];
    for (const row of settingsIndex().filter((each) => each.section === section)) {
      const { page } = row;
      if (page !== undefined) act(() => openPage(pane, page));
      if (!findShown(pane, row.label)) missing.push(row.id);
    }
    expect(missing).toEqual([]);
  });

  it('has every section, one id for each row, and other words only for rows that there are', () => {
    const ids = settingsIndex().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(sections.filter((section) => settingsIndex().every((row) => row.section !== section))).toEqual([]);
    expect(Object.keys(person.search.searchWords).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('finds a row by its name, its help and other words, every word of the query somewhere', () => {
    expect(found('most iterations')[0]).toBe('profiles.maxIterations');
    expect(found('dark')[0]).toBe('appearance.theme');
    expect(found('VACUUM')).toEqual(['storage.compact']);
    expect(found('after 7 days')).toEqual(['storage.purge']);
    expect(found('knowledge base')).toEqual(['collections.collections']);
    expect(found('dark iterations')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });
});

const Placed = () => <Settings section={useUi((ui) => ui.settingsSection)} />;

it('a section that is asked for from elsewhere opens, as often as it is asked for', async () => {
  const window = await openTestWindow();
  window.stores.ui.setState({ view: 'settings' });
  renderIn(window, <Placed />);
  const ask = () => act(() => window.commands.run('view/settings-of', { section: 'appearance' }));
  await ask();
  expect(openSection()).toBe('Appearance');
  await userEvent.click(screen.getByRole('tab', { name: 'Storage' }));
  expect(openSection()).toBe('Storage');
  await ask();
  expect(openSection()).toBe('Appearance');
});

describe('searching', () => {
  it('shows what was found by section with the words marked, and Enter goes to the control', async () => {
    const { user } = await open();
    await user.type(field(), 'text siz');
    const group = screen.getByRole('group', { name: 'Appearance' });
    const option = within(group).getByRole('option', { name: /^Text siz ?e/ });
    expect(option.getAttribute('aria-selected')).toBe('true');
    expect([...option.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Text', 'siz']);
    await user.keyboard('{Enter}');
    expect(screen.getByRole('tab', { name: 'Appearance' }).getAttribute('aria-selected')).toBe('true');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Normal' }));
    expect(document.activeElement?.closest('[data-sought]')?.textContent).toContain('Text size');
    await user.tab();
    expect(document.querySelector('[data-sought]')).toBeNull();
  });

  it('goes to a flag of the profile, from another page of it too', async () => {
    const { user } = await open();
    await user.click(screen.getByRole('tab', { name: 'Tools' }));
    await user.type(field(), 'restate the goal{Enter}');
    expect(document.activeElement?.closest('[data-sought]')?.textContent).toContain('Restate the goal');
  });

  it('goes to a flag that is out of sight because only changed ones are shown', async () => {
    const { user, stores } = await open();
    act(() => stores.host.setState({ profiles: [aProfile({ maxIterations: 8 })] }));
    await user.click(screen.getByRole('button', { name: /changed: show no others$/ }));
    await user.type(field(), 'restate the goal{Enter}');
    await screen.findByRole('switch', { name: 'Restate the goal' });
    expect(document.activeElement?.closest('[data-sought]')?.textContent).toContain('Restate the goal');
  });

  it('goes to a shortcut though others are being looked for', async () => {
    const { user } = await open('shortcuts');
    await user.type(screen.getByRole('textbox', { name: 'Find by name or keys' }), 'palette');
    await user.type(field(), 'hide sessions{Enter}');
    await screen.findByRole('button', { name: /^Show or hide the sessions/ });
    expect(document.activeElement?.textContent).toContain('Show or hide the sessions');
  });

  it('is gone through with arrow keys, and a press goes there too', async () => {
    const { user } = await open();
    await user.type(field(), 'database');
    const options = screen.getAllByRole('option');
    await user.keyboard('{ArrowDown}');
    expect(options[1]?.getAttribute('aria-selected')).toBe('true');
    expect(field().getAttribute('aria-activedescendant')).toBe(options[1]?.id);
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(options.at(-1)?.getAttribute('aria-selected')).toBe('true');
    await user.click(screen.getByRole('option', { name: /^Check the ?database/ }));
    expect(document.activeElement?.textContent).toBe('Check');
  });

  it('says how many there are, and what to do where there is none', async () => {
    const { user } = await open();
    await user.type(field(), 'compact the database');
    expect(screen.getByRole('status').textContent).toBe('1 setting');
    await user.type(field(), ' zzz');
    expect(screen.getByRole('status').textContent).toBe('No setting found');
    expect(screen.getByText('No setting matches “compact the database zzz”')).toBeDefined();
  });

  it('Escape clears first and then closes', async () => {
    const { user, stores } = await open();
    await user.type(field(), 'theme{Escape}');
    expect(field()).toHaveProperty('value', '');
    expect(stores.ui.getState().view).toBe('settings');
    await user.keyboard('{Escape}');
    expect(stores.ui.getState().view).toBe('session');
  });

  it('begins with its shortcut, and only in the settings', async () => {
    const { user, commands, stores } = await open();
    await user.keyboard('{Control>}f{/Control}');
    expect(document.activeElement).toBe(field());
    act(() => stores.ui.setState({ view: 'session' }));
    expect(commands.registry['settings/search'].enabled()).toBe(false);
  });

  it('keeps what is being typed in a pane', async () => {
    const { user } = await open('engine');
    const address = screen.getByRole('textbox', { name: 'Another address' });
    await user.type(address, 'http://one');
    await user.type(field(), 'theme');
    expect(screen.queryByRole('textbox', { name: 'Another address' })).toBeNull();
    await user.keyboard('{Escape}');
    expect(screen.getByRole('textbox', { name: 'Another address' })).toHaveProperty('value', 'http://one');
  });
});
