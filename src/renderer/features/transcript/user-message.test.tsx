import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Attachment } from '../../../protocol/attachments.ts';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import {
  aModel,
  anEngine,
  anItem,
  aProfile,
  aSession,
  aSnapshot,
  aTurn,
  inOrder,
} from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { MessageBody, UserMessage } from './user-message.tsx';

async function show(editable = true) {
  const window = await openTestWindow();
  window.stores.ui.setState({ openSessionId: 's1' });
  resetSession(window.stores.session, 's1');
  const turn = aTurn({ status: 'finished', phase: null, text: 'Find out why' });
  applySessionSnapshot(window.stores.session, aSnapshot({ turns: [turn], items: inOrder(anItem('user')) }));
  renderIn(window, <UserMessage item={anItem('user')} editable={editable} />);
  return { ...window, user: userEvent.setup() };
}

it('is changed in its place, and sent as a new version', async () => {
  const { user, host } = await show();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const field = screen.getByRole('textbox', { name: 'Another version of the message' });
  expect(document.activeElement).toBe(field);
  await user.type(field, ', really{Enter}');
  await host.asked('turn/edit');
  expect(host.last('turn/edit')).toEqual({ sessionId: 's1', turnId: 't1', text: 'Find out why, really' });
});

it('a changed message says what it makes the model read again, before it is sent (audit-U9)', async () => {
  const { user, host, stores } = await show();
  stores.host.setState({ profiles: [aProfile()] });
  stores.engine.setState({ engine: anEngine({ models: [aModel()] }) });
  host.answer('turn/price-version', ({ text }: { text?: string }) => ({
    price: { model: 'qwen3:8b', rereadTokens: text === undefined ? 0 : 1596, ms: null },
  }));
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(await screen.findByText(/Re-reads nothing\.$/)).toBeTruthy();
  await user.type(screen.getByRole('textbox'), ', really');
  expect(await screen.findByText(/Re-reads about 1,596 tokens\.$/)).toBeTruthy();
  expect(host.count('turn/price-version')).toBe(2);
  expect(host.count('turn/edit')).toBe(0);
});

it('stays as it was with Escape', async () => {
  const { user, host } = await show();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.keyboard('x{Escape}');
  expect(screen.getByText('Find out why')).toBeTruthy();
  expect(host.count('turn/edit')).toBe(0);
});

it('a message that cannot be changed now can still be copied (audit-U8)', async () => {
  const { user } = await show(false);
  expect(screen.getAllByRole('button').map(({ title }) => title)).toEqual(['Copy message']);
  await user.click(screen.getByRole('button', { name: 'Copy message' }));
  await screen.findByRole('button', { name: 'Copied' });
  expect(await navigator.clipboard.readText()).toBe('Find out why');
});

describe('what went with a message', () => {
  const attachments: Attachment[] = [
    { id: 'att_1', name: 'image.png', kind: 'image', mime: 'image/png', bytes: 2048 },
    { id: 'att_2', name: 'notes.md', kind: 'text', mime: 'text/markdown', bytes: 12 },
  ];

  async function sent(words: string) {
    const window = await openTestWindow();
    window.host.answer('attachment/read', ({ attachmentId }: { attachmentId: string }) =>
      attachmentId === 'att_1' ? { mime: 'image/png', data: 'AAAA' } : new Error('Gone.'),
    );
    window.stores.host.setState({ connection: 'live' });
    renderIn(window, <MessageBody text={words} attachments={attachments} />);
    return { ...window, user: userEvent.setup() };
  }

  it('is named, and a picture is seen in one size, whatever its own is', async () => {
    const { host } = await sent('Look at @src/lease.ts');
    expect(screen.getByText('@src/lease.ts').tagName).toBe('CODE');
    expect(screen.getByRole('list', { name: 'Attachments' }).textContent).toContain('notes.mdText, 12 bytes');
    const picture = await screen.findByRole<HTMLImageElement>('img', { name: 'image.png' });
    expect(picture.src).toBe('data:image/png;base64,AAAA');
    Object.defineProperties(picture, {
      naturalWidth: { value: 16 },
      naturalHeight: { value: 16 },
      width: { value: 160 },
      height: { value: 120 },
    });
    fireEvent.load(picture);
    // Not blown up to its place.
    expect(picture.className).toBe('small');
    // Of a file that is not shown nothing is read.
    expect(host.count('attachment/read')).toBe(1);
  });

  it('says so when a picture is damaged', async () => {
    await sent('');
    fireEvent.error(await screen.findByRole('img', { name: 'image.png' }));
    expect(screen.getByText('image.png is damaged and can’t be shown.')).toBeTruthy();
  });

  it('is looked at from any of its files', async () => {
    const { user, stores } = await sent('');
    await user.click(screen.getByRole('button', { name: /^Look at notes.md/ }));
    expect(stores.ui.getState().looking).toEqual({ files: attachments, at: 1 });
  });

  it('Passages of a collection say which one they are of, and are looked at', async () => {
    const window = await openTestWindow();
    const from = { server: 'Manuals', uri: '', kind: 'collection' } as const;
    const passages: Attachment = {
      id: 'a',
      name: 'Passages',
      kind: 'text',
      mime: 'text/plain',
      bytes: 9,
      from,
    };
    renderIn(window, <MessageBody text="How tight?" attachments={[passages]} />);
    expect(screen.getByText('From the collection Manuals')).toBeDefined();
    await userEvent.setup().click(screen.getByRole('button', { name: /^Look at Passages/ }));
    expect(window.stores.ui.getState().looking).toEqual({ files: [passages], at: 0 });
  });

  it('says so when a picture is no longer there', async () => {
    const window = await openTestWindow();
    window.host.answer('attachment/read', () => new Error('image.png is no longer there.'));
    window.stores.host.setState({ connection: 'live' });
    renderIn(window, <MessageBody text="" attachments={attachments.slice(0, 1)} />);
    expect(await screen.findByText('image.png is no longer there.')).toBeTruthy();
  });
});

describe('a message of another platform', () => {
  const place = { platform: 'telegram', channel: 'c', thread: '' };
  const shown = async (name: string) => {
    const window = await openTestWindow();
    resetSession(window.stores.session, 's1');
    const session = aSession({ place });
    applySessionSnapshot(window.stores.session, aSnapshot({ session }));
    renderIn(window, <UserMessage item={anItem('user')} editable={false} sender={{ userId: 'u', name }} />);
  };

  it('says who wrote it and where (X5)', async () => {
    await shown('Ann');
    expect(screen.getByText('Ann on telegram')).toBeDefined();
  });

  it('says where alone, when the platform names nobody (X5)', async () => {
    await shown('');
    expect(screen.getByText('From telegram')).toBeDefined();
  });
});

it('a message that was written here says nothing of a platform', async () => {
  await show();
  expect(screen.queryByText(/^From /)).toBeNull();
});
