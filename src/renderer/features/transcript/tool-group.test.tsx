import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../../protocol/attachments.ts';
import type { ToolItem } from '../../../protocol/model.ts';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { anItem, aSnapshot, aTurn } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ToolGroup } from './tool-group.tsx';

async function show(changes: Partial<ToolItem>) {
  const window = await openTestWindow();
  window.stores.ui.setState({ openSessionId: 's1' });
  const { container } = renderIn(
    window,
    <ToolGroup entries={[anItem('tool', { id: 'call', ...changes })]} />,
  );
  return { ...window, container, user: userEvent.setup() };
}

it('a command that runs can be stopped alone', async () => {
  const { host, user } = await show({ state: 'running', completedAt: null, output: 'run 1\n' });
  await user.click(screen.getByRole('button', { name: 'Stop command' }));
  await host.asked('call/stop');
  expect(host.last('call/stop')).toEqual({ sessionId: 's1', callId: 'c1' });
  expect(host.count('turn/stop')).toBe(0);
  expect(screen.getByRole('button', { name: 'Stopping' })).toHaveProperty('disabled', true);
});

it('what a command printed is shown in its colours, and nothing else of a terminal', async () => {
  const { container, user } = await show({
    output: 'ok \u001B[32mgreen\u001B[0m \u001B[2J\u001B]0;title\u0007<b>x</b>\n10%\r90%\n',
    display: { kind: 'command', command: 'npm test', exitCode: 0, signal: null },
  });
  await user.click(screen.getByRole('button', { name: /npm test/ }));
  expect(container.querySelector('.green')?.textContent).toBe('green');
  expect(screen.getByRole('group', { name: 'Output' }).textContent).toBe('ok green <b>x</b>\n90%');
  expect(container.querySelector('b')).toBeNull();
});

it('a search shows its hits under their files, the match marked', async () => {
  const { container, user } = await show({
    tool: 'search',
    subject: 'now',
    display: {
      kind: 'matches',
      files: 2,
      total: 3,
      truncated: false,
      matches: [
        { path: 'a.ts', line: 4, text: '  const now = 1;' },
        { path: 'b.ts', line: 7, text: 'now()' },
        { path: 'a.ts', line: 9, text: 'later' },
      ],
    },
  });
  await user.click(screen.getByRole('button', { name: /now/ }));
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'a.ts 2 hits',
    'b.ts 1 hit',
  ]);
  expect([...container.querySelectorAll('.match')].map(({ textContent }) => textContent)).toEqual([
    'now',
    'now',
  ]);
  expect(container.querySelector('a')).toBeNull();
});

it('a document on a card says what it is, and that its text is shown', async () => {
  const { container, user } = await show({
    tool: 'read_file',
    subject: 'report.pdf',
    display: {
      kind: 'file',
      path: 'report.pdf',
      text: '[page 1]\nTurnover',
      firstLine: 1,
      lastLine: 2,
      totalLines: 90,
      readAs: 'PDF, 40 pages',
    },
  });
  await user.click(screen.getByRole('button', { name: /report\.pdf/ }));
  expect(container.textContent).toContain('PDF, 40 pages, read as text');
  expect(screen.getByRole('group', { name: 'report.pdf' }).textContent).toContain('Turnover');
});

describe('a call that brought a picture', () => {
  const attachments: Attachment[] = [
    { id: 'att_1', name: 'picture-1.png', kind: 'image', mime: 'image/png', bytes: 70 },
  ];
  async function brought() {
    const window = await openTestWindow();
    window.host.answer('attachment/read', () => ({ mime: 'image/png', data: 'AAAA' }));
    window.stores.host.setState({ connection: 'live' });
    const call = { tool: 'tool_call', subject: 'everything.draw', result: 'Here.', attachments };
    renderIn(window, <ToolGroup entries={[anItem('tool', call)]} />);
    return { ...window, user: userEvent.setup() };
  }

  it('A picture of a result is drawn without a press, as the page draws attached files', async () => {
    await brought();
    const list = screen.getByRole('list', { name: 'Pictures of the result' });
    const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'picture-1.png' });
    expect(list.contains(picture)).toBe(true);
    expect(picture.src).toBe('data:image/png;base64,AAAA');
  });

  it('A picture of a result is shown whole after a press', async () => {
    const { user, stores } = await brought();
    await user.click(screen.getByRole('button', { name: 'Look at picture-1.png' }));
    expect(stores.ui.getState().looking).toEqual({ files: attachments, at: 0 });
  });
});

describe('a call that reads an attached file', () => {
  const path = '/home/ada/.local/share/andiron/attachments/att_0a1b2c3d4e5f.md';
  const file = { id: 'att_0a1b2c3d4e5f', name: 'Meeting notes.md', mime: 'text/markdown', bytes: 12 };

  async function read(subject: string, over: Partial<ToolItem> = {}) {
    const window = await show({ tool: 'read_file', subject, args: { path: subject }, ...over });
    const turns = [aTurn({ attachments: [{ ...file, kind: 'text' }] })];
    act(() => {
      resetSession(window.stores.session, 's1');
      applySessionSnapshot(window.stores.session, aSnapshot({ turns }));
    });
    return { ...window, row: () => screen.getAllByRole('button')[0] };
  }

  it('has the name that the person gave the file, and its path for who looks closer (audit-U13)', async () => {
    const { user, row } = await read(path);
    expect(row()?.textContent).toContain('Meeting notes.md');
    expect(row()?.textContent).not.toContain('att_');
    expect(screen.getByTitle(path).textContent).toBe('Meeting notes.md');
    await user.click(screen.getByRole('button', { name: /Meeting notes.md/ }));
    expect(screen.getByRole('group', { name: 'Arguments' }).textContent).toContain(path);
  });

  it.each([
    ['a file that no message came with', path.replace('0a1b', 'ffff')],
    ['a file of the folder that is called alike', 'att_0a1b2c3d4e5f.md'],
  ])('keeps the path of %s (audit-U13)', async (_, subject) => {
    const { row } = await read(subject);
    expect(row()?.textContent).toContain(subject);
  });

  it('keeps the path where the call writes (audit-U13)', async () => {
    const { row } = await read(path, { tool: 'write_file' });
    expect(row()?.textContent).toContain(path);
  });
});

it('any call can be looked at as it was stored, and copied', async () => {
  const { user } = await show({
    tool: 'read_file',
    subject: 'a.ts',
    args: { path: 'a.ts' },
    result: 'const a = 1;',
    display: { kind: 'file', path: 'a.ts', text: 'const a = 1;', firstLine: 1, lastLine: 1, totalLines: 1 },
  });
  await user.click(screen.getByRole('button', { name: /a\.ts/ }));
  await user.click(screen.getByRole('button', { name: 'Details' }));
  expect(screen.getByRole('group', { name: 'Arguments' }).textContent).toBe('{ "path": "a.ts" }');
  expect(screen.getByRole('group', { name: 'Result' }).textContent).toBe('const a = 1;');
  await user.click(screen.getByRole('button', { name: 'Copy call' }));
  expect(JSON.parse(await navigator.clipboard.readText())).toEqual({
    tool: 'read_file',
    arguments: { path: 'a.ts' },
  });
});

it('a tool without a card of its own shows what was asked and what came back', async () => {
  const { user } = await show({ tool: 'query_issue', subject: '', args: { n: 1 }, result: '{"open":true}' });
  await user.click(screen.getByRole('button', { name: /query_issue/ }));
  expect(screen.getByRole('group', { name: 'Result' }).textContent).toBe('{ "open": true }');
  expect(screen.queryByRole('button', { name: 'Details' })).toBeNull();
});
