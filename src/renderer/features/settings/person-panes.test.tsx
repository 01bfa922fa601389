import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Remembered } from '../../../protocol/person-methods.ts';
import { AndironError } from '../../../protocol/errors.ts';
import { aProfile, aSession, byWordsAlone, noon } from '../../testing/fixtures.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { AppearancePane } from './appearance-pane.tsx';
import { ApprovalsPane } from './approvals-pane.tsx';
import { MemoryPane } from './memory-pane.tsx';
import { StoragePane } from './storage-pane.tsx';

const mib = 1024 ** 2;

async function openWindow() {
  const window = await openTestWindow();
  window.stores.host.setState({
    sessions: [aSession()],
    profiles: [aProfile(), aProfile({ id: 'writer', name: 'Writer', builtIn: false, approvals: 'ask' })],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.ui.setState({ openSessionId: 's1', view: 'settings' });
  window.host.answer('profile/update', () => ({ profile: aProfile() }));
  return { ...window, user: userEvent.setup() };
}

type Opened = Awaited<ReturnType<typeof openWindow>>;

async function show(window: Opened, pane: React.ReactNode): Promise<Opened> {
  renderIn(window, pane);
  await act(() => settled());
  return window;
}

const section = (name: string): HTMLElement => {
  const found = screen.getByRole('heading', { name }).closest('section');
  if (!found) throw new Error(`There is no section ${name}.`);
  return found;
};

const told = (profile: string) =>
  document.getElementById(
    screen.getByRole('radiogroup', { name: `When ${profile} asks` }).getAttribute('aria-describedby') ?? '',
  )?.textContent;

const granted = (): string[] =>
  [...section('Allowed for the rest of a session').querySelectorAll('h3 > [dir], li .mono')].map(
    ({ textContent }) => textContent,
  );

/** Two sessions with what they allow; what is taken back is told. */
async function withGrants() {
  const window = await openWindow();
  window.stores.host.setState({ sessions: [aSession(), aSession({ id: 's2', title: 'Release notes' })] });
  let grants = [
    { sessionId: 's1', tool: 'edit_file', risk: 'write', folder: '/work', shown: 'work/' },
    { sessionId: 's2', tool: 'edit_file', risk: 'write', folder: '/work/src', shown: 'src/' },
    { sessionId: 's2', tool: 'fetch_page', risk: 'network', folder: null, shown: '' },
    { sessionId: 'gone', tool: 'write_file', risk: 'write', folder: '/work', shown: 'work/' },
  ];
  window.host
    .answer('approval/grants', () => ({ grants }))
    .answer('approval/rules', () => ({ rules: [] }))
    .answer('approval/revoke', ({ sessionId, tool }: { sessionId: string; tool: string }) => {
      grants = grants.filter((each) => each.sessionId !== sessionId || each.tool !== tool);
      window.stores.host.setState(({ grantChanges = 0 }) => ({ grantChanges: grantChanges + 1 }));
      return {};
    });
  await show(window, <ApprovalsPane />);
  return window;
}

describe('approvals', () => {
  it('of a profile are chosen in their row, and the session’s profile is marked', async () => {
    const window = await openWindow();
    await show(window, <ApprovalsPane />);
    const writer = screen.getByRole('radiogroup', { name: 'When Writer asks' });
    expect(within(writer).getByRole('radio', { name: 'Ask every time' })).toHaveProperty('checked', true);
    await window.user.click(within(writer).getByRole('radio', { name: 'Ask before changes' }));
    await window.host.asked('profile/update');
    expect(window.host.last('profile/update')).toEqual({
      profileId: 'writer',
      changes: { approvals: 'auto_read' },
    });
    expect(screen.getByText('in use').closest('li')?.textContent).toContain('Developer');
  });

  it('are told tool by tool, as the policy of the profile decides', async () => {
    const window = await openWindow();
    const facts = [
      { name: 'read_file', description: '', risk: 'read', about: 'workspace', tokens: 1 },
      { name: 'edit_file', description: '', risk: 'write', about: 'workspace', tokens: 1 },
      { name: 'switch_profile', description: '', risk: 'write', about: 'agent', tokens: 1 },
      { name: 'run_command', description: '', risk: 'execute', about: 'workspace', tokens: 1 },
    ];
    const tools = [...facts.map(({ name }) => name), 'unknown_here'];
    const careful = aProfile({ id: 'writer', name: 'Writer', approvals: 'ask', tools });
    window.host.answer('tool/list', () => ({ tools: facts }));
    const bold = aProfile({ id: 'bold', name: 'Bold', approvals: 'accept_edits', tools: tools.slice(0, 4) });
    window.stores.host.setState({ profiles: [aProfile({ tools }), careful, bold] });
    await show(window, <ApprovalsPane />);
    expect(told('Developer')).toBe(
      'At once: read_fileAsks: edit_file, switch_profile, unknown_hereAsks each time: run_command',
    );
    expect(told('Bold')).toBe('At once: read_file, edit_fileAsks: switch_profileAsks each time: run_command');
    expect(told('Writer')).toBe(
      'Asks: read_file, edit_file, switch_profile, unknown_hereAsks each time: run_command',
    );
  });

  it('for the rest of a session are listed by session and taken back, and the keyboard stays there', async () => {
    const { user, host, stores } = await withGrants();
    const [first, second] = stores.host.getState().sessions.map(({ title }) => title);
    expect(granted()).toEqual([first, 'edit_file', 'work/', second, 'edit_file', 'src/', 'fetch_page']);
    const [, again] = screen.getAllByRole('button', { name: 'Ask again' });
    expect(again?.getAttribute('aria-description')).toBe(
      'Ask again before edit_file in src/ in “Release notes”',
    );
    again?.focus();
    await user.keyboard('{Enter}');
    await act(() => settled());
    expect(host.last('approval/revoke')).toEqual({ sessionId: 's2', tool: 'edit_file', folder: '/work/src' });
    expect(granted()).toEqual([first, 'edit_file', 'work/', second, 'fetch_page']);
    expect(document.activeElement?.getAttribute('aria-description')).toContain('fetch_page');
  });

  it('for the rest of a session are taken back all at once', async () => {
    const { user, host } = await withGrants();
    await user.click(screen.getByRole('button', { name: 'Ask again in all 3' }));
    await act(() => settled());
    expect(host.count('approval/revoke')).toBe(3);
    expect(granted()).toEqual([]);
    expect(screen.getByText('Nothing allowed yet.')).toBeDefined();
  });
});

it('appearance holds at once', async () => {
  const window = await openWindow();
  await show(window, <AppearancePane />);
  await window.user.click(screen.getByRole('radio', { name: 'Largest' }));
  await window.user.click(screen.getByRole('radio', { name: 'Reduced' }));
  await window.user.click(screen.getByRole('switch', { name: 'Wrap long lines of code' }));
  expect(window.stores.ui.getState()).toMatchObject({
    textSize: 'largest',
    motion: 'reduced',
    wrapCode: true,
  });
});

function remembered(id: string, key: string, value: string, more: Partial<Remembered> = {}): Remembered {
  return {
    id,
    category: 'preference',
    key,
    value,
    sessionId: null,
    origin: 'noticed',
    createdAt: noon,
    updatedAt: noon,
    expiresAt: null,
    ...more,
  };
}

/** A host that remembers, and tells of every change as the real one does. */
async function openMemory(facts: Remembered[], summary: { text: string; byPerson: boolean } | null = null) {
  const window = await openWindow();
  let kept = facts;
  const told = (): object => {
    window.stores.host.setState(({ memoryChanges = 0 }) => ({ memoryChanges: memoryChanges + 1 }));
    return {};
  };
  window.host
    .answer('memory/list', () => ({
      facts: kept,
      summary: summary && { ...summary, updatedAt: noon },
      meaning: byWordsAlone,
    }))
    .answer('memory/forget', ({ factId }: { factId: string }) => {
      kept = kept.filter(({ id }) => id !== factId);
      return told();
    })
    .answer('memory/restore', ({ factId }: { factId: string }) => {
      kept = facts.filter(({ id }) => id === factId || kept.some((each) => each.id === id));
      told();
      return { fact: facts.find(({ id }) => id === factId) };
    })
    .answer('memory/clear', () => {
      const forgotten = kept.length;
      kept = [];
      told();
      return { forgotten };
    });
  await show(window, <MemoryPane />);
  return window;
}

const done = async (window: Opened, method: string, times = 1): Promise<void> => {
  await act(async () => {
    await window.host.asked(method, times);
    await settled();
  });
};

describe('memory', () => {
  it('is empty in words, and then has nothing to forget', async () => {
    await openMemory([]);
    expect(screen.getByText('Nothing yet.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Forget everything' }).getAttribute('aria-disabled')).toBe(
      'true',
    );
    expect(screen.queryByRole('searchbox')).toBeNull();
  });

  it('says where each fact is from, and finds facts by any of their words', async () => {
    const window = await openMemory([
      remembered('f1', 'favourite_editor', 'Vim', { sessionId: 's1' }),
      remembered('f2', 'city', 'Zürich', { sessionId: 'gone', origin: 'saved' }),
      remembered('f3', 'name', 'Noa', { origin: null }),
    ]);
    expect(screen.getByText('favourite editor').closest('li')?.textContent).toContain(
      'from “Flaky lease test”',
    );
    expect(screen.getByText('city').closest('li')?.textContent).toContain('from a deleted session');
    expect(screen.getByText('name').closest('li')?.textContent).toContain('origin unknown');
    await window.user.type(screen.getByRole('searchbox', { name: 'Find in memory' }), 'zurich');
    expect(
      screen
        .getAllByRole('listitem')
        .map((item) => item.textContent)
        .join(),
    ).toContain('city');
    expect(screen.queryByText('favourite editor')).toBeNull();
  });

  it('is forgotten in its place, where Undo has the keyboard and brings it back', async () => {
    const window = await openMemory([remembered('f1', 'city', 'Munich'), remembered('f2', 'name', 'Anna')]);
    await window.user.click(screen.getByRole('button', { name: 'Forget city' }));
    await done(window, 'memory/list', 2);
    expect(screen.getByText('Forgotten: city.')).toBeDefined();
    expect(document.activeElement?.textContent).toBe('Undo');
    await window.user.keyboard('{Enter}');
    await done(window, 'memory/list', 3);
    expect(screen.getByText('Munich')).toBeDefined();
    expect(screen.queryByText('Forgotten: city.')).toBeNull();
  });

  it('is changed in its place; Escape keeps the old words and the settings open', async () => {
    const window = await openMemory([remembered('f1', 'city', 'Munich')]);
    window.host.answer('memory/update', () => new Error('It looks like a key, and nothing was saved.'));
    await window.user.click(screen.getByRole('button', { name: 'Change city' }));
    const field = screen.getByRole('textbox', { name: 'city: new words' });
    expect(document.activeElement).toBe(field);
    await window.user.clear(field);
    await window.user.type(field, 'Berlin{Enter}');
    await done(window, 'memory/update');
    expect(window.host.last('memory/update')).toEqual({ factId: 'f1', value: 'Berlin' });
    expect(screen.getByRole('alert').textContent).toContain('nothing was saved');
    await window.user.type(field, '{Escape}');
    expect(screen.getByText('Munich')).toBeDefined();
    expect(window.stores.ui.getState().view).toBe('settings');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change city' }));
  });

  it('is forgotten whole only after one question, which says how much goes', async () => {
    const window = await openMemory([remembered('f1', 'city', 'Munich')], { text: 'Anna.', byPerson: false });
    await window.user.click(screen.getByRole('button', { name: 'Forget everything' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('This deletes 1 fact and the summary');
    expect(window.host.count('memory/clear')).toBe(0);
    await window.user.click(within(dialog).getByRole('button', { name: 'Forget everything' }));
    await done(window, 'memory/clear');
    expect(screen.getByText('1 fact was forgotten.')).toBeDefined();
  });

  it('has a summary that the person can write', async () => {
    const window = await openMemory([], null);
    window.host.answer('memory/set-summary', () => ({}));
    await window.user.click(screen.getByRole('button', { name: 'Write' }));
    await window.user.type(screen.getByRole('textbox', { name: 'Summary' }), 'I am Anna.');
    await window.user.click(screen.getByRole('button', { name: 'Save' }));
    await done(window, 'memory/set-summary');
    expect(window.host.last('memory/set-summary')).toEqual({ text: 'I am Anna.' });
  });

  it('is switched off for one profile', async () => {
    const window = await openMemory([]);
    await window.user.click(screen.getByRole('switch', { name: 'Writer' }));
    await done(window, 'profile/update');
    expect(window.host.last('profile/update')).toEqual({
      profileId: 'writer',
      changes: { memoryEnabled: false },
    });
  });
});

const sizes = {
  dataDir: '/data/andiron',
  parts: { database: 20 * mib, backups: null, attachments: 0, engine: 0, models: 0, logs: mib, other: 0 },
  sessions: { count: 3, bytes: 12 * mib },
  deleted: { count: 2, bytes: 5 * mib, nextAt: noon },
  unusedBytes: mib,
  freeBytes: null,
  at: noon,
};

async function openStorage() {
  const window = await openWindow();
  window.host.answer('storage/measure', () => sizes);
  return show(window, <StoragePane />);
}

const figure = (name: string): string | null | undefined =>
  screen.getByText(name).parentElement?.querySelector('dd')?.textContent;

describe('storage', () => {
  it('says why nothing could be measured, and measures again when asked', async () => {
    const window = await openWindow();
    window.host.answer('storage/measure', () => new Error('The disk does not answer.'));
    await show(window, <StoragePane />);
    expect(screen.getByRole('alert').textContent).toContain('The disk does not answer.');
    window.host.answer('storage/measure', () => sizes);
    await window.user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Database')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows what was measured, calls unknown what could not be, and adds up no unknown', async () => {
    await openStorage();
    expect(figure('Database')).toBe('20 MB');
    expect(figure('Copies of the database before updates')).toBe('unknown');
    expect(figure('Attached files')).toBe('nothing');
    expect(figure('Total')).toBe('unknown');
    expect(figure('Free on this disk')).toBe('unknown');
    expect(screen.getByText('/data/andiron')).toBeDefined();
  });

  it('removes deleted sessions after one question and measures again', async () => {
    const window = await openStorage();
    window.host.answer('storage/purge', () => ({ removed: 2 }));
    await window.user.click(screen.getByRole('button', { name: 'Remove 2 sessions' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('5 MB');
    await window.user.click(within(dialog).getByRole('button', { name: 'Remove 2 sessions' }));
    await done(window, 'storage/measure', 2);
    expect(window.host.count('storage/purge')).toBe(1);
    expect(screen.getByText(/^2 sessions were removed/)).toBeDefined();
  });

  it('says what a check found, and why compacting was refused', async () => {
    const window = await openStorage();
    window.host.answer('storage/check', () => ({ problems: ['row 7 missing from index'] }));
    window.host.answer('storage/compact', () => new Error('A turn is running.'));
    await window.user.click(screen.getByRole('button', { name: 'Check' }));
    await done(window, 'storage/check');
    expect(screen.getByText('row 7 missing from index')).toBeDefined();
    await window.user.click(screen.getByRole('button', { name: 'Shrink' }));
    await done(window, 'storage/compact');
    expect(screen.getByText(/A turn is running\./)).toBeDefined();
  });

  it('exports every session, what is remembered and the person’s own profiles as one file', async () => {
    const window = await openStorage();
    window.stores.host.setState({ sessions: [aSession(), aSession({ id: 's2' })] });
    window.host
      .answer('session/export', ({ sessionId }: { sessionId: string }) => ({ snapshot: { of: sessionId } }))
      .answer('memory/list', () => ({ facts: [remembered('f1', 'city', 'Munich')], summary: null }));
    await window.user.click(screen.getByRole('button', { name: 'Export' }));
    await done(window, 'memory/list');
    const [file] = window.files.saved;
    expect(JSON.parse(file?.content ?? '')).toMatchObject({
      format: 'andiron-export',
      sessions: [{ of: 's1' }, { of: 's2' }],
      memory: { facts: [{ value: 'Munich' }] },
      profiles: [{ id: 'writer' }],
    });
    expect(file?.name).toMatch(/^andiron-\d{4}-\d\d-\d\d\.json$/);
    expect(screen.getByText(/^Handed to the browser: 2 sessions/)).toBeDefined();
  });

  it.each([
    ['completed', /^Saved: 0 sessions/, null],
    ['cancelled', null, null],
    ['interrupted', null, 'The file could not be saved.'],
  ] as const)('says of an export that was %s only what is true (desk-F1)', async (outcome, told, failure) => {
    const window = await openStorage();
    window.stores.host.setState({ sessions: [] });
    window.files.outcome = outcome;
    window.host.answer('memory/list', () => ({ facts: [], summary: null }));
    await window.user.click(screen.getByRole('button', { name: 'Export' }));
    await done(window, 'memory/list');
    const output = screen
      .getAllByRole('status')
      .map(({ textContent }) => textContent)
      .join('');
    expect(output).toMatch(told ?? /^$/);
    expect(screen.queryByText(failure ?? /could not be saved/) !== null).toBe(failure !== null);
  });

  it('leaves a session out of an export that was deleted meanwhile', async () => {
    const window = await openStorage();
    window.stores.host.setState({ sessions: [aSession(), aSession({ id: 's2' })] });
    window.host
      .answer('session/export', ({ sessionId }: { sessionId: string }) =>
        sessionId === 's1' ? new AndironError('not_found', 'Gone.') : { snapshot: { of: sessionId } },
      )
      .answer('memory/list', () => ({ facts: [], summary: null }));
    await window.user.click(screen.getByRole('button', { name: 'Export' }));
    await done(window, 'memory/list');
    expect(JSON.parse(window.files.saved[0]?.content ?? '')).toMatchObject({ sessions: [{ of: 's2' }] });
    expect(screen.getByText(/^Handed to the browser: 1 session/)).toBeDefined();
  });

  it('stops an export without a file', async () => {
    const window = await openStorage();
    await window.user.click(screen.getByRole('button', { name: 'Export' }));
    await window.host.asked('session/export');
    await window.user.click(screen.getByRole('button', { name: 'Stop' }));
    window.host.drop();
    await act(() => settled());
    expect(window.files.saved).toEqual([]);
    expect(await screen.findByRole('button', { name: 'Export' })).toBeDefined();
  });
});
