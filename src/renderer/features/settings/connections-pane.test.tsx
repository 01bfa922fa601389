import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { McpServer, McpTool, ServerChanges } from '../../../protocol/mcp-methods.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ConnectionsPane } from './connections-pane.tsx';

const tool = (name: string, more: Partial<McpTool> = {}): McpTool => ({
  name,
  description: `Does ${name}`,
  params: '{"type":"object"}',
  hash: 'a'.repeat(64),
  isOn: true,
  change: null,
  before: null,
  tokens: 40,
  level: 'owner',
  mutates: true,
  retrySafe: false,
  timeoutMs: 60_000,
  ...more,
});
const server = (name: string, more: Partial<McpServer> = {}): McpServer => ({
  name,
  description: '',
  isOn: true,
  connection: {
    kind: 'command',
    command: 'node',
    args: ['server.js'],
    variables: ['TOKEN'],
    folders: [],
    hosts: [],
    isUnsandboxed: false,
  },
  state: { state: 'ready', server: 'fake 1', protocol: '2026-07-28' },
  signIn: null,
  tools: [],
  leftOut: 0,
  ...more,
});

const methods = ['mcp/add', 'mcp/refresh', 'mcp/remove', 'mcp/change', 'mcp/confirm'];

/** A host that keeps what it is asked. */
async function open(servers: McpServer[], problem: string | null = null) {
  const window = await openTestWindow();
  const asked: unknown[] = [];
  const answer = () => ({ servers, problem, headTokens: 162 });
  window.host.answer('mcp/list', answer);
  for (const method of [...methods, 'mcp/sign-out', 'mcp/cancel-sign-in'])
    window.host.answer(method, (params: ServerChanges) => {
      asked.push([method, params]);
      return answer();
    });
  renderIn(window, <ConnectionsPane />);
  await act(() => settled());
  const user = userEvent.setup();
  const details = async (name: string) => {
    await user.click(screen.getByRole('button', { name: `Details of ${name}` }));
    return within(screen.getByRole('region', { name: `Details of ${name}` }));
  };
  return { ...window, asked, user, details };
}

it('Connections says what a server is before there is one', async () => {
  await open([]);
  expect(screen.getByText('No servers yet')).toBeDefined();
});

it('What of mcp.json cannot be used is said', async () => {
  await open([], 'a: command is missing');
  expect(screen.getByRole('alert').textContent).toContain('a: command is missing');
});

it.each<[string, Partial<McpServer>, string]>([
  ['running in the sandbox', {}, 'Running, sandboxed'],
  ['off', { isOn: false, state: { state: 'off' } }, 'Off'],
  ['not wanted yet', { state: { state: 'idle' } }, 'Starts when needed'],
  ['failed for good', { state: { state: 'failed', message: 'x', advice: '', isFinal: true } }, 'Failed'],
  [
    'failed and tried again',
    { state: { state: 'failed', message: 'x', advice: '', isFinal: false } },
    'Failed, trying again',
  ],
  ['at an address', { connection: { kind: 'address', url: 'https://a', headers: [] } }, 'Connected'],
])('A server that is %s says so', async (_, more, words) => {
  await open([server('web', more)]);
  expect(screen.getByText(words)).toBeDefined();
});

it('A server shows how many of its tools can be called, and what their definitions cost', async () => {
  await open([
    server('web', { tools: [tool('a'), tool('b', { isOn: false }), tool('c', { change: 'added' })] }),
  ]);
  expect(screen.getByText('1 of 3')).toBeDefined();
  expect(screen.getByText('40 tokens', { selector: 'li > *' })).toBeDefined();
  expect(screen.getByText(/costs 162 tokens in each session/)).toBeDefined();
});

it('A tool is turned off with its switch, and a server with its own', async () => {
  const { asked, user, details } = await open([server('web', { tools: [tool('a')] })]);
  const web = await details('web');
  await user.click(web.getByRole('switch', { name: 'a' }));
  await user.click(web.getByRole('switch', { name: 'Use this server' }));
  expect(asked).toEqual([
    ['mcp/change', { name: 'web', tools: { a: false } }],
    ['mcp/change', { name: 'web', isOn: false }],
  ]);
});

it('What changed since it was allowed is shown on both sides, and allowed by its hash (X8)', async () => {
  const changed = tool('a', {
    description: 'Does more',
    change: 'changed',
    hash: 'b'.repeat(64),
    before: { description: 'Does a', params: '{"type":"object"}' },
  });
  const { asked, user } = await open([server('web', { tools: [changed, tool('b')] })]);
  const notice = within(screen.getByRole('region', { name: 'What changed in web' }));
  expect(notice.getByText('web changed a tool since you allowed it')).toBeDefined();
  expect(notice.getByText('a: Does a')).toBeDefined();
  expect(notice.getByText('a: Does more')).toBeDefined();
  await user.click(notice.getByRole('button', { name: 'Allow changes' }));
  expect(asked).toEqual([['mcp/confirm', { name: 'web', tools: [{ name: 'a', hash: 'b'.repeat(64) }] }]]);
});

it('Signs that hide in a changed description are drawn as marks', async () => {
  const changed = tool('a', { description: 'Does\u200b more', change: 'added' });
  await open([server('web', { tools: [changed] })]);
  expect(screen.getByText('U+200B')).toBeDefined();
});

it('A server is removed only after a second word', async () => {
  const { asked, user, details } = await open([server('web')]);
  await user.click((await details('web')).getByRole('button', { name: 'Remove server' }));
  expect(asked).toEqual([]);
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove server' }));
  expect(asked).toEqual([['mcp/remove', { name: 'web' }]]);
});

it('One server is refreshed, or all of them (X8)', async () => {
  const { asked, user, details } = await open([server('web')]);
  await user.click(screen.getByRole('button', { name: 'Refresh' }));
  await user.click((await details('web')).getByRole('button', { name: 'Refresh' }));
  expect(asked).toEqual([
    ['mcp/refresh', {}],
    ['mcp/refresh', { name: 'web' }],
  ]);
});

it('Variables of a server are shown by their names alone', async () => {
  const { details } = await open([server('web')]);
  expect((await details('web')).getByText('TOKEN (values hidden)')).toBeDefined();
});

it('Running without a sandbox is offered where a server may not start without that', async () => {
  const failed = { state: 'failed', message: 'There is no sandbox.', advice: '', isFinal: true } as const;
  const { asked, user, details } = await open([server('web', { state: failed }), server('fine')]);
  await user.click((await details('web')).getByRole('switch', { name: 'Run without a sandbox' }));
  expect(asked).toEqual([['mcp/change', { name: 'web', isUnsandboxed: true }]]);
  expect((await details('fine')).queryByRole('switch', { name: 'Run without a sandbox' })).toBeNull();
});

it('A command is added with its arguments and variables, one per line', async () => {
  const { asked, user } = await open([]);
  await user.click(screen.getByRole('button', { name: 'Add server' }));
  const form = within(screen.getByRole('dialog'));
  await user.click(form.getByRole('button', { name: 'Add' }));
  expect(form.getByRole('alert').textContent).toContain('Give it a name');
  await user.type(form.getByLabelText('Name'), 'files');
  await user.type(form.getByLabelText('Command line'), 'npx{Enter}-y{Enter}my server');
  await user.type(form.getByLabelText('Variables'), 'TOKEN=a=b');
  await user.click(form.getByRole('button', { name: 'Add' }));
  const entry = { command: 'npx', args: ['-y', 'my server'], env: { TOKEN: 'a=b' } };
  expect(asked).toEqual([['mcp/add', { text: JSON.stringify({ mcpServers: { files: entry } }) }]]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('An address is added with its headers, and refused in words where it is none', async () => {
  const { asked, user } = await open([]);
  await user.click(screen.getByRole('button', { name: 'Add server' }));
  const form = within(screen.getByRole('dialog'));
  await user.click(form.getByRole('radio', { name: 'Address' }));
  await user.type(form.getByLabelText('Name'), 'web');
  await user.type(form.getByLabelText('URL'), 'example.com');
  await user.click(form.getByRole('button', { name: 'Add' }));
  expect(form.getByRole('alert').textContent).toContain('begins with http');
  await user.clear(form.getByLabelText('URL'));
  await user.type(form.getByLabelText('URL'), 'https://example.com/mcp');
  await user.type(form.getByLabelText('Headers'), 'Authorization: Bearer x:y');
  await user.click(form.getByRole('button', { name: 'Add' }));
  const entry = { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x:y' } };
  expect(asked).toEqual([['mcp/add', { text: JSON.stringify({ mcpServers: { web: entry } }) }]]);
});

it('The file of another app is added as it was pasted', async () => {
  const { asked, user } = await open([]);
  await user.click(screen.getByRole('button', { name: 'Add server' }));
  const form = within(screen.getByRole('dialog'));
  await user.click(form.getByRole('radio', { name: 'Paste' }));
  await user.click(form.getByLabelText('Configuration'));
  const text = '{"mcpServers": {"a": {"command": "b"}}}';
  await user.paste(text);
  await user.click(form.getByRole('button', { name: 'Add' }));
  expect(asked).toEqual([['mcp/add', { text }]]);
});

const atAddress = (signIn: McpServer['signIn']): McpServer =>
  server('tickets', {
    connection: { kind: 'address', url: 'https://tickets.example.com/mcp', headers: [] },
    state: { state: 'failed', message: 'The server wants you to sign in.', advice: '', isFinal: true },
    signIn,
  });
const press = async (user: Awaited<ReturnType<typeof open>>['user'], name: string) => {
  await user.click(screen.getByRole('button', { name }));
  await act(() => settled());
};

it('A server that wants a sign-in offers it, and its page is shown with its whole address and opened by a click', async () => {
  const known = [atAddress({ state: 'needed', problem: null })];
  const { host, stores, user, details } = await open(known);
  const url = 'https://accounts.example.com/authorize?client_id=andiron&state=4f7a19';
  host.answer('mcp/sign-in', () => {
    known[0] = atAddress({ state: 'waiting', problem: null });
    return { url };
  });
  expect(screen.getByText('Wants you to sign in')).toBeDefined();
  const row = await details('tickets');
  await press(user, 'Sign in');
  expect(host.last('mcp/sign-in')).toEqual({ name: 'tickets' });
  await act(async () => {
    stores.host.setState({ mcpChanges: 1 });
    await settled();
  });
  expect(row.getByText(url)).toBeDefined();
  expect(row.getByRole('link', { name: 'Open sign-in page' }).getAttribute('href')).toBe(url);
});

it('A sign-in that waits for the browser can be cancelled', async () => {
  const { asked, user, details } = await open([atAddress({ state: 'waiting', problem: null })]);
  await details('tickets');
  await press(user, 'Cancel');
  expect(asked).toEqual([['mcp/cancel-sign-in', {}]]);
});

it('A person who is signed in can sign out', async () => {
  const { asked, user, details } = await open([atAddress({ state: 'signed_in', problem: null })]);
  const row = await details('tickets');
  expect(row.getByText('Signed in')).toBeDefined();
  await press(user, 'Sign out');
  expect(asked).toEqual([['mcp/sign-out', { name: 'tickets' }]]);
});

it('Why a sign-in failed is said beside the way to try again', async () => {
  const { details } = await open([
    atAddress({ state: 'needed', problem: 'You could not be signed in: no.' }),
  ]);
  const row = await details('tickets');
  expect(row.getByText(/You could not be signed in: no\./)).toBeDefined();
  expect(row.getByRole('button', { name: 'Sign in' })).toBeDefined();
});
