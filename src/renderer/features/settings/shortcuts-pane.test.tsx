import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ShortcutsPane } from './shortcuts-pane.tsx';
import styles from './shortcuts.module.css';

async function openPane() {
  const window = await openTestWindow();
  renderIn(window, <ShortcutsPane />);
  return { ...window, user: userEvent.setup(), of: window.commands.shortcuts.of };
}

const row = (name: RegExp): HTMLElement => screen.getByRole('button', { name });
const sessions = (): HTMLElement => row(/^Show or hide the sessions/);

async function startsPressing() {
  const pane = await openPane();
  sessions().focus();
  await pane.user.keyboard('{Enter}');
  return pane;
}

describe('a shortcut', () => {
  it('is changed with Enter and the new keys, and shown at once', async () => {
    const { user, of } = await startsPressing();
    await user.keyboard('{Alt>}l{/Alt}');
    expect(of('view/left')).toBe('Alt+L');
    expect(document.activeElement).toBe(row(/^Show or hide the sessions ?Alt L/));
  });

  it('runs nothing while its keys are pressed, and Escape leaves it as it was', async () => {
    const { user, of, stores } = await startsPressing();
    stores.ui.setState({ view: 'settings' });
    await user.keyboard('{Escape}');
    expect([of('view/left'), stores.ui.getState().view]).toEqual(['Mod+B', 'settings']);
    await user.keyboard('{Enter}{Control>}/{/Control}');
    expect(stores.ui.getState().overlay).toBeNull();
  });

  it('is not given keys that something else needs, and says why', async () => {
    const { user, of } = await startsPressing();
    await user.keyboard('q');
    expect(screen.getByRole('alert').textContent).toContain('typed as text');
    await user.keyboard('{Control>}t{/Control}');
    expect(screen.getByRole('alert').textContent).toBe('Ctrl T: The browser reserves these keys.');
    await user.keyboard('{Alt>}l{/Alt}');
    expect(of('view/left')).toBe('Alt+L');
  });

  it('is taken away with Delete, and given back with Reset', async () => {
    const { user, of } = await openPane();
    sessions().focus();
    await user.keyboard('{Delete}');
    expect(of('view/left')).toBeNull();
    expect(row(/^Show or hide the sessions ?no keys/)).toBe(document.activeElement);
    await user.tab();
    await user.keyboard('{Enter}');
    expect(of('view/left')).toBe('Mod+B');
  });
});

const asks = async () => {
  const pane = await startsPressing();
  await pane.user.keyboard('{Control>}j{/Control}');
  return {
    ...pane,
    question: screen.getByRole('group', { name: /Ctrl J runs “Show or hide the files changed”/ }),
  };
};

describe('keys that another command has', () => {
  it('are swapped when the person says so', async () => {
    const { user, of, question } = await asks();
    expect(question.getAttribute('aria-label')).toContain('“Show or hide the sessions”');
    expect(document.activeElement?.textContent).toBe('Swap: “Show or hide the files changed” gets Ctrl B');
    await user.keyboard('{Enter}');
    expect([of('view/left'), of('view/right')]).toEqual(['Mod+J', 'Mod+B']);
    expect(document.activeElement).toBe(sessions());
  });

  it('are taken from it when the person says so', async () => {
    const { user, of, question } = await asks();
    await user.click(within(question).getByRole('button', { name: /^Use here/ }));
    expect([of('view/left'), of('view/right')]).toEqual(['Mod+J', null]);
  });

  it('stay where they are with Keep, and with Escape', async () => {
    const { user, of, question, stores } = await asks();
    stores.ui.setState({ view: 'settings' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await user.keyboard('{Enter}{Control>}j{/Control}{Escape}');
    expect([of('view/left'), of('view/right'), stores.ui.getState().view]).toEqual([
      'Mod+B',
      'Mod+J',
      'settings',
    ]);
    expect(document.activeElement).toBe(sessions());
  });

  it('are asked about also when a reset would take them', async () => {
    const { user, of, commands } = await openPane();
    await commands.run('shortcut/change', { changes: { 'view/left': 'Alt+L', 'view/right': 'Mod+B' } });
    await screen.findByRole('button', { name: /^Show or hide the sessions ?Alt L/ });
    sessions().focus();
    await user.click(screen.getByRole('button', { name: 'Reset to Ctrl B' }));
    expect(screen.getByRole('group', { name: /^Ctrl B runs/ })).toBeDefined();
    expect(of('view/left')).toBe('Alt+L');
  });
});

describe('the list', () => {
  it('is one tab stop, gone through with arrows, Home and End', async () => {
    const { user } = await openPane();
    for (const _ of ['field', 'press keys', 'list']) await user.tab();
    const first = document.activeElement;
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{Home}');
    expect(document.activeElement).toBe(first);
    await user.keyboard('{End}');
    expect(document.activeElement).not.toBe(first);
  });

  it('keeps what came without keys behind one row, and in its place once it has some', async () => {
    const { user, of } = await openPane();
    expect(screen.queryByRole('button', { name: /^Fork the session/ })).toBeNull();
    await user.click(row(/more commands/));
    row(/^Fork the session/).focus();
    await user.keyboard('{Enter}{Alt>}l{/Alt}');
    expect(of('current/fork')).toBe('Alt+L');
    expect(document.activeElement).toBe(row(/^Fork the session ?Alt L/));
    expect(row(/more commands/).compareDocumentPosition(row(/^Fork the session/))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
    await user.click(row(/more commands/));
    expect(screen.queryByRole('button', { name: /^Fork the session/ })).toBeNull();
  });

  it('shows what Escape does without offering to change it', async () => {
    await openPane();
    expect(screen.getByText('Stop the turn')).toBeDefined();
    expect(screen.queryByRole('button', { name: /^Stop the turn/ })).toBeNull();
  });

  it('is reset as a whole after a question', async () => {
    const { user, of, commands, stores } = await openPane();
    await commands.run('shortcut/change', { changes: { 'view/left': 'Alt+L', 'view/right': null } });
    await user.click(await screen.findByRole('button', { name: 'Reset all' }));
    expect(screen.getByText('2 commands get their default keys back.')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Reset all shortcuts' }));
    expect([of('view/left'), of('view/right'), stores.keys.getState().rebound]).toEqual([
      'Mod+B',
      'Mod+J',
      {},
    ]);
    expect(screen.queryByRole('button', { name: 'Reset all' })).toBeNull();
  });

  it('does not take a repeated key for a second answer', async () => {
    const { of } = await startsPressing();
    fireEvent.keyDown(sessions(), { key: 'l', altKey: true, repeat: true });
    expect(of('view/left')).toBe('Mod+B');
  });
});

const field = (): HTMLElement => screen.getByRole('textbox', { name: 'Find by name or keys' });
const names = (): string[] =>
  [...document.querySelectorAll(`.${styles.keyRow} .cut`)].map((name) => name.textContent);

describe('finding', () => {
  it('goes by the name and by keys as they are written', async () => {
    const { user } = await openPane();
    await user.type(field(), 'fork');
    expect(names()).toEqual(['Fork the session']);
    await user.clear(field());
    await user.type(field(), 'show sessions');
    expect(names()).toContain('Show or hide the sessions');
    await user.clear(field());
    await user.type(field(), 'ctrl+b');
    expect(names()).toEqual(['Show or hide the sessions']);
    await user.type(field(), 'zzz');
    expect(screen.getByText('No command has “ctrl+bzzz” in its name or keys.')).toBeDefined();
  });

  it('takes keys that are pressed, and runs nothing with them', async () => {
    const { user, stores } = await openPane();
    const before = stores.ui.getState().leftOpen;
    await user.click(screen.getByRole('button', { name: 'Press keys to find' }));
    expect(document.activeElement).toBe(field());
    await user.keyboard('{Control>}b{/Control}');
    expect(names()).toEqual(['Show or hide the sessions']);
    expect(stores.ui.getState().leftOpen).toBe(before);
    await user.keyboard('{Escape}');
    expect(names().length).toBeGreaterThan(10);
  });

  it('shows only those that were changed, and which of them are in each other’s way', async () => {
    const { user, commands } = await openPane();
    await commands.run('shortcut/change', { changes: { 'view/left': 'Mod+J' } });
    await user.click(await screen.findByRole('button', { name: '1 changed: show no others' }));
    expect(names()).toEqual(['Show or hide the sessions']);
    expect(screen.getByText('also “Show or hide the files changed”')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    expect(screen.getByText('also “Show or hide the sessions”')).toBeDefined();
  });
});
