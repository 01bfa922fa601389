import { describe, expect, it } from 'vitest';
import { AndironError } from '../../protocol/errors.ts';
import { isLargerThan } from '../../protocol/frame-size.ts';
import { maxPieceBytes } from '../../protocol/limits.ts';
import { settled } from '../testing/fake-server.ts';
import { aSession } from '../testing/fixtures.ts';
import { takeImports } from '../testing/uploads.ts';
import { openTestWindow } from '../testing/window-kit.tsx';

async function windowWithThree() {
  const window = await openTestWindow();
  window.stores.host.setState({
    sessions: ['a', 'b', 'c'].map((id) => aSession({ id, title: `Session ${id}`, workspace: `/${id}` })),
  });
  window.stores.ui.setState({ openSessionId: 'a' });
  return { ...window, ui: () => window.stores.ui.getState() };
}

describe('deleted sessions', () => {
  it('can be brought back also when another session was opened meanwhile', async () => {
    const { host, commands, ui } = await windowWithThree();
    host.answer('session/delete', () => ({})).answer('session/restore', () => ({ session: aSession() }));
    await commands.run('session/delete', { sessionId: 'a' });
    expect(ui().openSessionId).toBeNull();
    await commands.run('session/open', { sessionId: 'b' });
    const [notice] = ui().notices;
    expect(notice).toMatchObject({ message: '“Session a” deleted', restores: ['a'] });
    await commands.run('session/restore', { sessionIds: ['a'], noticeId: notice?.id ?? 0 });
    expect(host.last('session/restore')).toEqual({ sessionId: 'a' });
    expect(ui()).toMatchObject({ openSessionId: 'a', notices: [] });
  });

  it('come back to the list several at once, and what is open stays open', async () => {
    const { host, commands, ui } = await windowWithThree();
    host.answer('session/delete', () => ({})).answer('session/restore', () => ({ session: aSession() }));
    await commands.run('session/delete-all', { sessionIds: ['b', 'c'] });
    await commands.run('session/restore', { sessionIds: ['b', 'c'], noticeId: ui().notices[0]?.id ?? 0 });
    expect(ui()).toMatchObject({ openSessionId: 'a', notices: [] });
  });

  it('are all offered back, however many are deleted one after another', async () => {
    const { host, commands, ui } = await windowWithThree();
    host.answer('session/delete', () => ({}));
    for (const sessionId of ['a', 'b', 'c']) await commands.run('session/delete', { sessionId });
    expect(ui().notices).toMatchObject([{ message: '3 sessions deleted', restores: ['a', 'b', 'c'] }]);
  });

  it('are offered back in one notice for each of the first two', async () => {
    const { host, commands, ui } = await windowWithThree();
    host.answer('session/delete', () => ({}));
    for (const sessionId of ['a', 'b']) await commands.run('session/delete', { sessionId });
    expect(ui().notices.map(({ restores }) => restores)).toEqual([['a'], ['b']]);
  });

  it('are offered back as far as they are gone where one of several cannot be deleted', async () => {
    const { host, commands, ui } = await windowWithThree();
    host.answer('session/delete', ({ sessionId }: { sessionId: string }) =>
      sessionId === 'b' ? new Error('The disk is full.') : {},
    );
    await commands.run('session/delete-all', { sessionIds: ['c', 'b', 'a'] });
    expect(host.count('session/delete')).toBe(3);
    expect(ui().notices).toMatchObject([
      { message: '2 sessions deleted', restores: ['c', 'a'] },
      { message: 'The disk is full.' },
    ]);
  });

  it('leave the keyboard in a list that lies over the transcript', async () => {
    const { host, commands, stores, ui } = await windowWithThree();
    host.answer('session/delete', () => ({}));
    stores.ui.setState({ sheet: 'left' });
    const before = ui().focus.count;
    await commands.run('session/delete-all', { sessionIds: ['a', 'b'] });
    expect(ui()).toMatchObject({ openSessionId: null, focus: { count: before } });
    stores.ui.setState({ openSessionId: 'c', sheet: null });
    await commands.run('session/delete-all', { sessionIds: ['c'] });
    expect(ui().focus).toEqual({ target: 'composer', count: before + 1 });
  });

  it('go all at once: none waits for the one before', async () => {
    const { host, commands } = await windowWithThree();
    const answers: (() => void)[] = [];
    host.answer('session/delete', () => new Promise((resolve) => answers.push(() => resolve({}))));
    const deleted = commands.run('session/delete-all', { sessionIds: ['a', 'b', 'c'] });
    await settled();
    expect(answers).toHaveLength(3);
    for (const answer of answers) answer();
    await deleted;
  });

  it('stay offered as far as they are not yet back', async () => {
    const { host, commands, ui } = await windowWithThree();
    host
      .answer('session/delete', () => ({}))
      .answer('session/restore', ({ sessionId }: { sessionId: string }) =>
        sessionId === 'c' ? new Error('The disk is full.') : { session: aSession() },
      );
    await commands.run('session/delete-all', { sessionIds: ['b', 'c'] });
    const noticeId = ui().notices[0]?.id ?? 0;
    await commands.run('session/restore', { sessionIds: ['b', 'c'], noticeId });
    expect(ui().notices.find(({ id }) => id === noticeId)?.restores).toEqual(['c']);
  });
});

describe('several sessions', () => {
  it('are exported as one text to be read', async () => {
    const { host, commands, files } = await windowWithThree();
    host.answer('session/export-markdown', ({ sessionId }: { sessionId: string }) => ({
      markdown: `# ${sessionId}\n`,
    }));
    await commands.run('session/export-all', { sessionIds: ['a', 'b'], form: 'markdown' });
    expect(files.saved).toEqual([
      { name: 'andiron-sessions.md', content: '# a\n\n---\n\n# b\n', type: 'text/markdown' },
    ]);
  });

  it('are exported all into one file, which is taken in as one', async () => {
    const { host, commands, files, ui } = await windowWithThree();
    host.answer('session/export', ({ sessionId }: { sessionId: string }) => ({
      snapshot: { of: sessionId },
    }));
    const imported = takeImports(host, () => ({ sessions: ['a', 'b', 'c'] }));
    await commands.run('session/export-everything');
    expect(files.saved.map(({ name }) => name)).toEqual(['andiron-sessions.json']);
    files.chosen = files.saved[0]?.content ?? '';
    await commands.run('session/import');
    expect(imported).toEqual([files.chosen]);
    expect(ui().notices.map(({ message }) => message)).toEqual([
      '3 sessions handed to the browser in one file',
      '3 sessions imported',
    ]);
  });

  it('are exported without those that were deleted meanwhile, and that is told', async () => {
    const { host, commands, files, ui } = await windowWithThree();
    const gone = new Set(['b']);
    host.answer('session/export', ({ sessionId }: { sessionId: string }) =>
      gone.has(sessionId) ? new AndironError('not_found', 'Gone.') : { snapshot: { of: sessionId } },
    );
    await commands.run('session/export-all', { sessionIds: ['a', 'b', 'c'], form: 'json' });
    expect(files.saved.map(({ content }) => JSON.parse(content) as unknown)).toEqual([
      [{ of: 'a' }, { of: 'c' }],
    ]);
    expect(ui().notices).toMatchObject([
      {
        message: '“Session b” was deleted meanwhile, so it was not exported.',
        advice: 'The other 2 sessions were handed to the browser.',
      },
    ]);
    for (const id of ['a', 'c']) gone.add(id);
    await commands.run('session/export-everything');
    expect(files.saved).toHaveLength(1);
    expect(ui().notices.at(-1)).toMatchObject({
      message: '3 sessions were deleted meanwhile, so they were not exported.',
      advice: 'No file was saved: choose other sessions.',
    });
  });

  it.each([
    ['completed', ['3 sessions exported into one file']],
    ['cancelled', []],
    ['interrupted', ['The file could not be saved.']],
    ['handed-over', ['3 sessions handed to the browser in one file']],
  ] as const)('whose file was %s are told of as that (desk-F1)', async (outcome, told) => {
    const { host, commands, files, ui } = await windowWithThree();
    host.answer('session/export', () => ({ snapshot: {} }));
    files.outcome = outcome;
    await commands.run('session/export-everything');
    expect(ui().notices.map(({ message }) => message)).toEqual(told);
  });

  it.each([
    ['completed', ['The file was saved.']],
    ['cancelled', []],
    ['interrupted', ['The file could not be saved.']],
    ['handed-over', []],
  ] as const)(
    'are exported one by one, and a file that was %s is told of as that (desk-F1)',
    async (outcome, told) => {
      const { host, commands, files, ui } = await windowWithThree();
      host.answer('session/export', () => ({ snapshot: {} }));
      host.answer('session/export-markdown', () => ({ markdown: '' }));
      files.outcome = outcome;
      for (const id of ['session/export', 'session/export-markdown'] as const) {
        ui().notices.length = 0;
        await commands.run(id, { sessionId: 'a' });
        expect(ui().notices.map(({ message }) => message)).toEqual(told);
      }
    },
  );

  it('are not exported by half where the host fails', async () => {
    const { host, commands, files, ui } = await windowWithThree();
    host.answer('session/export', ({ sessionId }: { sessionId: string }) =>
      sessionId === 'b' ? new AndironError('storage', 'The disk fails.') : { snapshot: {} },
    );
    await commands.run('session/export-everything');
    expect(files.saved).toEqual([]);
    expect(ui().notices).toMatchObject([{ message: 'The disk fails.' }]);
  });

  it('are taken in from one file, which opens none of them but says how many there are', async () => {
    const { host, commands, files, ui } = await windowWithThree();
    const imported = takeImports(host, () => ({ sessions: ['x', 'y'] }));
    files.chosen = ' [{"version":1},{"version":1}]';
    await commands.run('session/import');
    expect(imported).toEqual([files.chosen]);
    expect(ui()).toMatchObject({ openSessionId: 'a', notices: [{ message: '2 sessions imported' }] });
  });

  it('A file of which only a part can be imported is told beside what was imported', async () => {
    const { host, commands, ui } = await windowWithThree();
    const failed = {
      message: '1 session was imported, and then: It is damaged.',
      advice: 'Export it again.',
    };
    takeImports(host, () => ({ sessions: ['x'], failed }));
    await commands.run('session/import-files', { files: [file('two.json', '[]')] });
    expect(ui()).toMatchObject({ openSessionId: 'x', importProblems: [{ name: 'two.json', ...failed }] });
  });

  it('A file of exported sessions is sent in pieces of 1 MB, and cancelled when one is refused (audit-S21)', async () => {
    const { host, commands, ui } = await windowWithThree();
    const imported = takeImports(host, () => ({ sessions: ['x'] }));
    const content = `[${'ä"\\'.repeat(900_000)}]`;
    await commands.run('session/import-files', { files: [file('large.json', content)] });
    expect(imported).toEqual([content]);
    const pieces = host.requests.filter(({ method }) => method === 'upload/add');
    expect(pieces).toHaveLength(Math.ceil(new Blob([content]).size / maxPieceBytes));
    for (const { params } of pieces) expect(isLargerThan(params, 1.5 * maxPieceBytes)).toBe(false);

    host.answer('upload/add', () => new AndironError('storage', 'The disk is full.', 'Free some space.'));
    await commands.run('session/import-files', { files: [file('large.json', content)] });
    expect(host.last('upload/cancel')).toEqual({ uploadId: 'upl_1' });
    expect(ui().importProblems).toEqual([
      { name: 'large.json', message: 'The disk is full.', advice: 'Free some space.' },
    ]);
  });
});

const file = (name: string, content: string, size?: number) => {
  const blob = new Blob([content]);
  return { name, size: size ?? blob.size, slice: (from?: number, to?: number) => blob.slice(from, to) };
};

describe('a file that is no session', () => {
  it('is told beside the list until the next import, and keeps none of the others out', async () => {
    const { host, commands, ui } = await windowWithThree();
    takeImports(host, (content) =>
      content === 'good' ? { sessions: ['new'] } : new Error('Not a session.'),
    );
    const files = [file('a.json', '[not json'), file('b.json', 'good'), file('c.json', 'good', 1e9)];
    await commands.run('session/import-files', { files });
    expect(ui()).toMatchObject({
      openSessionId: 'new',
      importProblems: [
        { name: 'a.json', message: 'Not a session.' },
        { name: 'c.json', message: expect.stringContaining('256 MB') },
      ],
    });
    await commands.run('session/import-files', { files: [file('b.json', 'good')] });
    expect(ui().importProblems).toEqual([]);
  });

  it('is told in a notice where the list has no room for words', async () => {
    const { host, stores, commands, ui } = await windowWithThree();
    takeImports(host, () => new Error('Not a session.'));
    stores.ui.setState({ room: 'narrow' });
    await commands.run('session/import-files', { files: [file('a.json', '{}')] });
    expect(ui()).toMatchObject({
      importProblems: [],
      notices: [{ message: 'a.json could not be imported: Not a session.' }],
    });
  });
});

it('a new session begins in the folder that is shown, or in that of another session', async () => {
  const { commands, ui } = await windowWithThree();
  await commands.run('session/new-in', { workspace: '/c' });
  expect(ui()).toMatchObject({ openSessionId: null, newSession: { workspace: '/c' } });
  await commands.run('session/show-folder', { folder: '/b' });
  await commands.run('session/next');
  expect(ui().openSessionId).toBe('b');
  await commands.run('session/new');
  expect(ui().newSession).toEqual({ workspace: '/b' });
});
