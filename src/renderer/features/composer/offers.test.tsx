/** Resources and prompts of servers in the message box. */
import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { AndironError } from '../../../protocol/errors.ts';
import type { McpPrompt } from '../../../protocol/mcp-offers.ts';
import { openComposer } from '../../testing/composer-kit.tsx';
import { settled } from '../../testing/fake-server.ts';
import { aTurn } from '../../testing/fixtures.ts';

type Box = Awaited<ReturnType<typeof openComposer>>;

const resources = [
  { server: 'notes', uri: 'note://1', name: 'Plan of today', description: '' },
  { server: 'git', uri: 'git://head', name: 'Newest commit', description: '' },
  { server: 'notes', uri: 'note://2', name: 'Plan of tomorrow', description: '' },
];
const attachment = {
  id: 'att_1',
  name: 'Plan of today',
  kind: 'text',
  mime: 'text/plain',
  bytes: 4,
  from: { server: 'notes', uri: 'note://1' },
} as const;

async function withResources(): Promise<Box> {
  const window = await openComposer();
  window.host
    .answer('workspace/files', () => ({ files: ['src/plan.ts'], complete: true }))
    .answer('mcp/resources', () => ({ resources, complete: true }))
    .answer('mcp/attach-resource', () => ({ attachment }))
    .answer('turn/start', () => ({ turnId: 't1', queued: false }));
  return window;
}

async function write({ user, box }: Box, words: string): Promise<void> {
  await user.type(box, words);
  await act(() => settled());
}
const options = (): (string | null)[] =>
  screen.queryAllByRole('option').map(({ textContent }) => textContent);
const chips = (): (string | null)[] =>
  within(screen.getByRole('list', { name: 'Attachments' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('a resource of a server', () => {
  it('Resources are listed behind the files, under the names of their servers', async () => {
    const window = await withResources();
    await write(window, 'See @plan');
    const group = await screen.findByRole('group', { name: 'notes' });
    expect(within(group).getAllByRole('option')).toHaveLength(2);
    expect(options()[0]).toContain('plan.ts');
    expect(options()).toHaveLength(3);
  });

  it('A resource taken with the keyboard goes with the message, and leaves the text', async () => {
    const window = await withResources();
    await write(window, 'See @plan');
    await screen.findByRole('group', { name: 'notes' });
    await window.user.keyboard('{ArrowDown}{Enter}');
    expect(window.box.value).toBe('See ');
    expect(chips()).toEqual(['Plan of todayFrom notes, read when you send']);
    expect(window.host.count('mcp/attach-resource')).toBe(0);
  });

  it('A resource is taken with the mouse', async () => {
    const window = await withResources();
    await write(window, '@');
    await screen.findByRole('group', { name: 'git' });
    const commit = screen.getByRole('option', { name: /Newest commit/ });
    await window.user.pointer({ keys: '[MouseLeft]', target: commit });
    expect(chips()).toEqual(['Newest commitFrom git, read when you send']);
  });

  it('A resource is there once, and can be taken out', async () => {
    const window = await withResources();
    for (let time = 0; time < 2; time += 1) {
      await write(window, '@today');
      await screen.findByRole('group', { name: 'notes' });
      await window.user.keyboard('{Enter}');
    }
    expect(chips()).toHaveLength(1);
    await window.user.click(screen.getByRole('button', { name: 'Remove Plan of today' }));
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
  });

  it('A resource is read when its message is sent, and goes with it', async () => {
    const window = await withResources();
    await write(window, 'Do @today');
    await screen.findByRole('group', { name: 'notes' });
    await window.user.keyboard('{Enter}it{Enter}');
    await window.host.asked('turn/start');
    expect(window.host.last('mcp/attach-resource')).toEqual({ server: 'notes', uri: 'note://1' });
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'Do it',
      attachments: ['att_1'],
    });
  });

  it('A resource that its server does not give keeps the message in its box, and says why', async () => {
    const window = await withResources();
    const refusal = new AndironError('attachment_invalid', 'notes did not give it: no answer.', 'Try again.');
    window.host.answer('mcp/attach-resource', () => refusal);
    await write(window, 'Do @today');
    await screen.findByRole('group', { name: 'notes' });
    await window.user.keyboard('{Enter}it{Enter}');
    await window.host.asked('mcp/attach-resource');
    await act(settled);
    expect(window.host.count('turn/start')).toBe(0);
    expect(window.box.value).toBe('Do it');
    expect(chips()).toHaveLength(1);
    expect(window.stores.ui.getState().notices.at(-1)).toMatchObject({
      message: refusal.message,
      advice: 'Try again.',
    });
  });
});

const plain: McpPrompt = {
  server: 'notes',
  name: 'review',
  title: 'Review',
  description: 'Looks back',
  fields: [],
};
const city: McpPrompt = {
  server: 'weather',
  name: 'ask',
  title: 'Ask for weather',
  description: '',
  fields: [
    {
      kind: 'text',
      name: 'city',
      title: 'City',
      description: 'Where',
      isRequired: true,
      format: null,
      minLength: 0,
      maxLength: 100,
      initial: '',
    },
  ],
};

async function withPrompts(text = 'What happened today?', leftOut = 0): Promise<Box> {
  const window = await openComposer();
  window.host
    .answer('mcp/prompts', () => ({ prompts: [plain, city] }))
    .answer('mcp/prompt', () => ({ text, leftOut }))
    .answer('turn/start', () => ({ turnId: 't1', queued: false }));
  return window;
}

describe('a prompt of a server', () => {
  it('A prompt becomes a draft, and says where it is from once it is sent', async () => {
    const window = await withPrompts();
    await write(window, '/rev');
    expect(await screen.findByRole('option', { name: /notes:review.*Looks back/ })).toBeTruthy();
    await window.user.keyboard('{Enter}');
    await window.host.asked('mcp/prompt');
    await act(settled);
    expect(window.host.last('mcp/prompt')).toEqual({ server: 'notes', name: 'review', values: {} });
    expect(window.box.value).toBe('What happened today?');
    expect(window.host.count('turn/start')).toBe(0);
    await window.user.type(window.box, ' Briefly.{Enter}');
    await window.host.asked('turn/start');
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'What happened today? Briefly.',
      origin: { server: 'notes', prompt: 'review' },
    });
  });

  it('A prompt is forgotten with its text: what is written in its place is the person’s', async () => {
    const window = await withPrompts();
    await write(window, '/rev{Enter}');
    await window.host.asked('mcp/prompt');
    await act(settled);
    await window.user.clear(window.box);
    await window.user.type(window.box, 'Hello{Enter}');
    await window.host.asked('turn/start');
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'Hello',
    });
  });

  it('A prompt that could not be sent is still from its server when it is', async () => {
    const window = await withPrompts();
    window.host.answer('turn/start', () => new AndironError('storage', 'The disk is full.'));
    await write(window, '/rev{Enter}');
    await window.host.asked('mcp/prompt');
    await act(settled);
    await window.user.type(window.box, '{Enter}');
    await window.host.asked('turn/start');
    await act(settled);
    await window.user.type(window.box, '{Enter}');
    await window.host.asked('turn/start', 2);
    expect(window.host.last('turn/start')).toMatchObject({ origin: { server: 'notes', prompt: 'review' } });
  });

  it('A prompt lends nothing to a recalled message that is sent before it, which keeps its own', async () => {
    const window = await withPrompts();
    const from = { server: 'git', prompt: 'commit' };
    window.say([
      aTurn({ id: 't1', text: 'Mine', status: 'finished', closed: true }),
      aTurn({ id: 't2', text: 'Commit', status: 'finished', closed: true, from }),
    ]);
    await write(window, '/rev{Enter}');
    await window.host.asked('mcp/prompt');
    await act(settled);
    await window.user.type(window.box, '{ArrowUp}{Enter}');
    await window.host.asked('turn/start');
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'Commit',
      origin: from,
    });
    await act(settled);
    act(() => window.stores.session.setState({ sending: null }));
    await window.user.type(window.box, '{ArrowUp}{ArrowUp}{Enter}');
    await window.host.asked('turn/start', 2);
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'Mine',
    });
  });

  it('A prompt asks for its arguments in a form', async () => {
    const window = await withPrompts();
    await write(window, '/weather');
    await screen.findByRole('option', { name: /weather:ask/ });
    await window.user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Ask for weather' });
    expect(within(dialog).getByText(/Your answers go to weather/)).toBeTruthy();
    await window.user.click(within(dialog).getByRole('button', { name: 'Write draft' }));
    expect(within(dialog).getByText('Fill this in.')).toBeTruthy();
    expect(window.host.count('mcp/prompt')).toBe(0);
    await window.user.type(within(dialog).getByRole('textbox', { name: 'City' }), 'Graz{Enter}');
    await window.host.asked('mcp/prompt');
    await act(settled);
    expect(window.host.last('mcp/prompt')).toEqual({
      server: 'weather',
      name: 'ask',
      values: { city: 'Graz' },
    });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(window.box.value).toBe('What happened today?');
  });

  it('A prompt that cannot be had leaves its form open, with what was filled in', async () => {
    const window = await withPrompts();
    window.host.answer('mcp/prompt', () => new AndironError('invalid_params', 'weather did not give it.'));
    await write(window, '/weather');
    await screen.findByRole('option', { name: /weather:ask/ });
    await window.user.keyboard('{Enter}');
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'City' });
    await window.user.type(field, 'Graz{Enter}');
    await window.host.asked('mcp/prompt');
    await act(settled);
    expect(field.value).toBe('Graz');
    expect(field.disabled).toBe(false);
  });

  it('A prompt is put away with Escape, and nothing is asked of its server', async () => {
    const window = await withPrompts();
    await write(window, '/weather');
    await screen.findByRole('option', { name: /weather:ask/ });
    await window.user.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Ask for weather' });
    await window.user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(window.host.count('mcp/prompt')).toBe(0);
  });

  it('A prompt says what of it was left out, and that it is empty', async () => {
    const window = await withPrompts('Look at [a picture: left out]', 1);
    await write(window, '/rev{Enter}');
    await window.host.asked('mcp/prompt');
    await act(settled);
    const notices = () => window.stores.ui.getState().notices.map(({ message }) => message);
    expect(notices().at(-1)).toContain('1 picture or file of the prompt left out.');
    window.host.answer('mcp/prompt', () => ({ text: '', leftOut: 0 }));
    await window.user.clear(window.box);
    await write(window, '/rev{Enter}');
    await window.host.asked('mcp/prompt', 2);
    await act(settled);
    expect(notices().at(-1)).toBe('The prompt review of notes is empty.');
    expect(window.box.value).toBe('');
  });
});
