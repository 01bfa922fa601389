/** Collections in the message box. */
import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Collection } from '../../../protocol/collection-methods.ts';
import { AndironError } from '../../../protocol/errors.ts';
import { openComposer } from '../../testing/composer-kit.tsx';
import { settled } from '../../testing/fake-server.ts';

type Box = Awaited<ReturnType<typeof openComposer>>;

const collection = (id: string, name: string, more: Partial<Collection> = {}): Collection => ({
  id,
  name,
  place: { folder: `/home/ann/${id}`, files: [] },
  state: 'ready',
  files: 20,
  read: 20,
  leftOut: 0,
  problem: null,
  unread: [],
  unreadCount: 0,
  passages: 84,
  withMeaning: 84,
  bytes: 42_000,
  ...more,
});
const collections = [
  collection('c1', 'Manuals'),
  collection('c2', 'My papers'),
  collection('c3', 'Maps', { state: 'gone' }),
];
const resource = { server: 'notes', uri: 'note://1', name: 'My plan', description: '' };
const passages = {
  id: 'att_9',
  name: 'Manuals',
  kind: 'text',
  mime: 'text/plain',
  bytes: 4,
  from: { server: 'Manuals', uri: '', kind: 'collection' },
} as const;

async function withCollections(resources = [resource]): Promise<Box> {
  const window = await openComposer();
  window.host
    .answer('workspace/files', () => ({ files: ['my/manual.md'], complete: true }))
    .answer('mcp/resources', () => ({ resources, complete: true }))
    .answer('collection/list', () => ({ collections, model: null }))
    .answer('collection/attach', () => ({ attachment: passages }))
    .answer('turn/start', () => ({ turnId: 't1', queued: false }));
  return window;
}
async function write({ user, box }: Box, words: string): Promise<void> {
  await user.type(box, words);
  await screen.findByRole('group', { name: 'Collections' });
  await act(() => settled());
}
const options = (): (string | null)[] =>
  screen.queryAllByRole('option').map(({ textContent }) => textContent);
const chips = (): (string | null)[] =>
  within(screen.getByRole('list', { name: 'Attachments' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const notices = ({ stores }: Box): string[] => stores.ui.getState().notices.map(({ message }) => message);

describe('a collection is offered', () => {
  it('Collections are listed between the files and the resources that fit what is written', async () => {
    const window = await withCollections();
    await write(window, 'See @my');
    await screen.findByRole('group', { name: 'notes' });
    expect(options()).toEqual(['manual.mdmy', 'My papers20 files, 84 passages', 'My plannote://1']);
    expect(screen.getByRole('listbox', { name: 'Files, collections and resources' })).toBeDefined();
  });

  it('Collections come first while nothing is written', async () => {
    const window = await withCollections([]);
    await write(window, '@');
    expect(options()).toEqual([
      'Manuals20 files, 84 passages',
      'My papers20 files, 84 passages',
      'MapsThe folder is not there',
      'manual.mdmy',
    ]);
  });

  it('A collection whose folder is gone cannot be taken', async () => {
    const window = await withCollections([]);
    await write(window, '@maps');
    const maps = screen.getByRole('option', { name: /Maps/ });
    expect(maps.getAttribute('aria-disabled')).toBe('true');
    await window.user.pointer({ keys: '[MouseLeft]', target: maps });
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
    expect(window.box.value).toBe('@maps');
  });

  it('Collections are offered before a folder is chosen to work in', async () => {
    const window = await withCollections([]);
    act(() => {
      window.stores.ui.setState({ openSessionId: null });
      window.stores.host.setState({ defaults: { profileId: 'developer', workspace: null } });
    });
    await write(window, '@manu');
    expect(options()).toEqual(['Manuals20 files, 84 passages']);
    expect(window.host.count('workspace/files')).toBe(0);
  });

  it('Nothing is offered before a folder is chosen where no collection fits', async () => {
    const window = await withCollections([]);
    act(() => {
      window.stores.ui.setState({ openSessionId: null });
      window.stores.host.setState({ defaults: { profileId: 'developer', workspace: null } });
    });
    await window.user.type(window.box, '@zzz');
    await window.host.asked('collection/list');
    expect(screen.queryByRole('listbox')).toBeNull();
  });
});

describe('a collection is taken', () => {
  it('A collection taken with the keyboard becomes a chip, and leaves the text', async () => {
    const window = await withCollections([]);
    await write(window, 'What of @manu');
    await window.user.keyboard('{ArrowDown}{Enter}');
    expect(window.box.value).toBe('What of ');
    expect(chips()).toEqual(['ManualsCollection']);
    expect(window.host.count('collection/attach')).toBe(0);
  });

  it('A collection is taken with the mouse, once, and taken out again', async () => {
    const window = await withCollections([]);
    for (let time = 0; time < 2; time += 1) {
      await write(window, '@');
      const manuals = screen.getByRole('option', { name: /^Manuals/ });
      await window.user.pointer({ keys: '[MouseLeft]', target: manuals });
    }
    expect(chips()).toHaveLength(1);
    await window.user.click(screen.getByRole('button', { name: 'Remove Manuals' }));
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
  });
});

const asked = async (window: Box): Promise<void> => {
  await write(window, 'How tight? @manu');
  await window.user.keyboard('{ArrowDown}{Enter}{Enter}');
};

describe('a message with a collection', () => {
  it('Passages for the words of a message are found when it is sent, and go with it', async () => {
    const window = await withCollections([]);
    await asked(window);
    await window.host.asked('turn/start');
    expect(window.host.last('collection/attach')).toEqual({ collectionId: 'c1', query: 'How tight?' });
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'How tight?',
      attachments: ['att_9'],
    });
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
  });

  it('A collection in which nothing is found keeps the message in its box, and says why', async () => {
    const window = await withCollections([]);
    const refusal = new AndironError('attachment_invalid', 'Nothing in Manuals fits.', 'Ask in other words.');
    window.host.answer('collection/attach', () => refusal);
    await asked(window);
    await window.host.asked('collection/attach');
    await act(settled);
    expect(window.host.count('turn/start')).toBe(0);
    expect(window.box.value).toBe('How tight? ');
    expect(chips()).toHaveLength(1);
    expect(notices(window)).toEqual(['Nothing in Manuals fits.']);
  });

  it('A collection without a word is not sent, and the button says why', async () => {
    const window = await withCollections([]);
    await write(window, '@');
    await window.user.keyboard('{Enter} {Enter}');
    expect(chips()).toHaveLength(1);
    const send = screen.getByRole('button', { name: 'Send' });
    expect(send).toHaveProperty('disabled', true);
    expect(send.title).toBe('Write a message: it says what to look for in the collection.');
    await act(() => window.commands.run('turn/send', { text: ' ' }));
    expect(window.host.count('collection/attach') + window.host.count('turn/start')).toBe(0);
  });
});
