import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { applySessionSnapshot } from '../../stores/session-store.ts';
import { aModel, anEngine, aProfile, aSession, aSnapshot, aTurn, aUsage } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn, type TestWindow } from '../../testing/window-kit.tsx';
import { Palette } from './palette.tsx';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';

async function openWindow() {
  const window = await openTestWindow();
  window.stores.host.setState({
    sessions: [
      aSession(),
      aSession({ id: 's2', title: 'Retry policy', workspace: '/home/ada/oven', updatedAt: 1 }),
    ],
    profiles: [aProfile(), aProfile({ id: 'writer', name: 'Writer', systemPrompt: 'You explain.' })],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.engine.setState({ engine: anEngine({ models: [aModel(), aModel({ name: 'gemma3:4b' })] }) });
  window.stores.ui.setState({ openSessionId: 's1' });
  applySessionSnapshot(
    window.stores.session,
    aSnapshot({ turns: [aTurn({ status: 'finished', usage: [aUsage()] })] }),
  );
  renderIn(
    window,
    <>
      <textarea aria-label="Message" />
      <Palette />
      <ShortcutsSheet />
    </>,
  );
  const user = userEvent.setup();
  const message = screen.getByRole('textbox', { name: 'Message' });
  act(() => message.focus());
  return { ...window, user, message };
}

const field = (): HTMLElement => screen.getByRole('combobox');
const shown = (): string[] => screen.getAllByRole('option').map((option) => option.textContent);
const option = (name: RegExp): HTMLElement => {
  const found = screen.getAllByRole('option').find((each) => name.test(each.textContent));
  if (!found) throw new Error(`no option ${String(name)} in: ${shown().join(' | ')}`);
  return found;
};
const active = (): string => screen.getByRole('option', { selected: true }).textContent;

const groups = () => screen.getAllByRole('group').map((group) => group.firstElementChild?.textContent);
const commandsShown = (): string[] =>
  within(screen.getByRole('group', { name: 'Commands' }))
    .getAllByRole('option')
    .map((each) => each.querySelector('.name')?.textContent ?? '');

async function openPalette() {
  const window = await openWindow();
  await window.user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(document.activeElement).toBe(field()));
  return window;
}

describe('the palette', () => {
  it('finds a command and a page of the settings by what else they are called', async () => {
    const { user } = await openPalette();
    await user.keyboard('preferences');
    expect(active()).toContain('Settings');
    await user.clear(field());
    await user.keyboard('favourite');
    expect(shown().some((name) => name.startsWith('Pin or unpin'))).toBe(true);
    await user.clear(field());
    await user.keyboard('creativity');
    expect(shown()).toEqual([expect.stringContaining('Settings: Profiles')]);
  });

  it('lists what was run last, then sessions, profiles and models, then the commands of this place (audit-U18)', async () => {
    const { user, stores } = await openPalette();
    expect(groups()).toEqual(['Sessions', 'Profiles', 'Models', 'Commands']);
    expect(commandsShown()).toContain('Fork the session');
    expect(commandsShown()).not.toContain('Larger text');
    await user.keyboard('dark{Enter}');
    act(() => stores.ui.setState({ theme: 'light', view: 'settings' }));
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('group', { name: 'Last used' });
    expect(groups()).toEqual(['Last used', 'Sessions', 'Profiles', 'Models', 'Commands', 'Settings']);
    expect(commandsShown()).not.toContain('Fork the session');
  });

  it('lists few commands before anything is typed, and all of them behind the sign for that (audit-U18)', async () => {
    const { user } = await openPalette();
    expect(commandsShown().length).toBeLessThan(14);
    await user.keyboard('>');
    expect(commandsShown().length).toBeGreaterThan(30);
    await user.keyboard('larger');
    expect(active()).toContain('Larger text');
  });

  it('opens with Ctrl K, closes with Escape and with Ctrl K, and the keyboard is where it was', async () => {
    const { user, message, stores } = await openPalette();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(message));
    await user.keyboard('{Control>}k{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.keyboard('{Control>}k{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(message));
    expect(stores.ui.getState().overlay).toBeNull();
  });

  it('runs what was chosen, and lists it first the next time', async () => {
    const { user, stores } = await openPalette();
    await user.keyboard('dark{Enter}');
    expect(stores.ui.getState().theme).toBe('dark');
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
    await user.keyboard('{Control>}k{/Control}');
    expect(stores.keys.getState().recent).toEqual(['view/theme-dark']);
    // It is so already, so it is not offered again.
    await user.keyboard('{Escape}');
    act(() => stores.ui.setState({ theme: 'light' }));
    await user.keyboard('{Control>}k{/Control}');
    const [first] = await screen.findAllByRole('group');
    expect(first && within(first).getByRole('option').textContent).toBe('Dark theme');
  });

  it('is gone through with arrows, Home and End, and tells what is active', async () => {
    const { user } = await openPalette();
    const all = shown();
    expect(active()).toBe(all[0]);
    await user.keyboard('{ArrowUp}');
    expect(active()).toBe(all.at(-1));
    await user.keyboard('{Home}{ArrowDown}');
    expect(active()).toBe(all[1]);
    await user.keyboard('{End}');
    expect(active()).toBe(all.at(-1));
    expect(field().getAttribute('aria-activedescendant')).toBe(
      screen.getByRole('option', { selected: true }).id,
    );
  });

  it('jumps to a session, found by its folder too, and the message box gets the keyboard', async () => {
    const { user, stores } = await openPalette();
    await user.keyboard('oven');
    expect(shown()).toEqual([expect.stringContaining('Retry policy')]);
    const asked = stores.ui.getState().focus.count;
    await user.keyboard('{Enter}');
    expect(stores.ui.getState()).toMatchObject({ openSessionId: 's2', focus: { target: 'composer' } });
    expect(stores.ui.getState().focus.count).toBe(asked + 1);
  });

  it('switches profile and model, each with its price', async () => {
    const { user, host } = await openPalette();
    host.answer('session/set-profile', () => ({ session: aSession() }));
    await user.keyboard('writer');
    expect(shown()[0]).toContain('Profile: Writerre-reads about 3,210 tokens');
    await user.keyboard('{Enter}');
    await host.asked('session/set-profile');
    expect(host.last('session/set-profile')).toEqual({ sessionId: 's1', profileId: 'writer' });
    await user.keyboard('{Control>}k{/Control}gemma');
    expect(await screen.findByText(/^loads \d/)).toBeDefined();
  });

  it('says of a model how it comes to its tools where it has no calls of its own', async () => {
    const { user, stores } = await openPalette();
    const talker = aModel({ name: 'gemma3:4b', capabilities: ['completion'] });
    act(() => stores.engine.setState({ engine: anEngine({ models: [talker] }) }));
    await user.keyboard('gemma');
    expect(await screen.findByText(/^constrained tool calls, loads \d/)).toBeDefined();
    act(() => stores.host.setState({ profiles: [aProfile({ calls: 'native' })] }));
    expect(screen.getByText(/^no tools, loads \d/)).toBeDefined();
  });

  it('leads to a section of the settings', async () => {
    const { user, stores } = await openPalette();
    await user.keyboard('settings: engine{Enter}');
    expect(stores.ui.getState()).toMatchObject({ view: 'settings', settingsSection: 'engine' });
  });

  it('names what cannot be done now only when it is asked for, with why, and does not do it', async () => {
    const { user, stores, engine } = await openPalette();
    expect(shown().join()).not.toContain('Free the GPU');
    await user.keyboard('free the');
    const lend = option(/^Free the GPU/);
    expect(lend.textContent).toContain('No model is loaded');
    expect(lend.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Enter}');
    expect([stores.ui.getState().overlay, engine.count('engine/lend')]).toEqual(['palette', 0]);
  });

  it('shows the keys that the person has chosen', async () => {
    const window = await openWindow();
    await window.commands.run('shortcut/change', { changes: { 'view/left': 'Alt+L' } });
    await window.user.keyboard('{Control>}k{/Control}hide the sess');
    expect(option(/^Show or hide the sessions/).textContent).toContain('Alt L');
  });

  it('says once that nothing matches', async () => {
    const { user } = await openPalette();
    await user.keyboard('xqzw');
    expect(screen.getByText('Nothing matches “xqzw”')).toBeDefined();
    expect(field().getAttribute('aria-expanded')).toBe('false');
  });
});

const openSheet = async (window: TestWindow & { user: ReturnType<typeof userEvent.setup> }) => {
  await window.user.keyboard('{Control>}/{/Control}');
  return screen.findByRole('dialog', { name: 'Shortcuts' });
};

describe('the sheet of shortcuts', () => {
  it('shows what the person has, opens with ? where nothing is written, and closes with Escape', async () => {
    const window = await openWindow();
    await window.commands.run('shortcut/change', { changes: { 'view/left': 'Alt+L', 'view/right': null } });
    const sheet = await openSheet(window);
    expect(sheet.textContent).toContain('Show or hide the sessionsAlt L');
    expect(sheet.textContent).not.toContain('Show or hide the files changed');
    await window.user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(window.message));
    await window.user.keyboard('?');
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => window.message.blur());
    await window.user.keyboard('?');
    expect(await screen.findByRole('dialog', { name: 'Shortcuts' })).toBeDefined();
  });

  it('leads to where they are changed', async () => {
    const window = await openWindow();
    await openSheet(window);
    await window.user.click(screen.getByRole('button', { name: 'Change shortcuts' }));
    expect(window.stores.ui.getState()).toMatchObject({
      view: 'settings',
      settingsSection: 'shortcuts',
      overlay: null,
    });
  });
});
