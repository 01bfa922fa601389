import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Attachment } from '../../../protocol/attachments.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { MessageBody } from '../transcript/user-message.tsx';
import { FileViewer } from './file-viewer.tsx';

const files: Attachment[] = [
  { id: 'att_1', name: 'image.png', kind: 'image', mime: 'image/png', bytes: 2048 },
  { id: 'att_2', name: 'notes.md', kind: 'text', mime: 'text/markdown', bytes: 12 },
  { id: 'att_3', name: 'gone.txt', kind: 'text', mime: 'text/plain', bytes: 12 },
  { id: 'att_4', name: 'incident.pdf', kind: 'other', mime: 'application/pdf', bytes: 2048 },
];

const base64 = (text: string | Uint8Array): string => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

/** A message with `attachments`, whose texts are `words`. */
async function open(attachments = files, words: string | Uint8Array = '# Leases → now') {
  const window = await openTestWindow();
  window.host.answer('attachment/read', ({ attachmentId }: { attachmentId: string }) => {
    if (attachmentId === 'att_1') return { mime: 'image/png', data: 'AAAA' };
    return attachmentId === 'att_2'
      ? { mime: 'text/markdown', data: base64(words) }
      : new Error('gone.txt is no longer there.');
  });
  window.stores.host.setState({ connection: 'live' });
  renderIn(
    window,
    <>
      <MessageBody text="" attachments={attachments} />
      <FileViewer />
    </>,
  );
  const user = userEvent.setup();
  const look = (name: string): Promise<void> =>
    user.click(screen.getByRole('button', { name: new RegExp(`^Look at ${name}`) }));
  return { ...window, user, look };
}

const viewer = (name: string): Promise<HTMLElement> => screen.findByRole('dialog', { name });

/** As if it were loaded and laid out at this share of its size. */
async function shownAt(scale: number): Promise<HTMLElement> {
  const whole = within(await viewer('image.png'));
  const picture = await whole.findByRole<HTMLImageElement>('img', { name: 'image.png' });
  Object.defineProperties(picture, { naturalWidth: { value: 1568 }, naturalHeight: { value: 1045 } });
  picture.getBoundingClientRect = () => new DOMRect(0, 0, 1568 * scale, 1045 * scale);
  fireEvent.load(picture);
  return whole.getByRole('group', { name: /^Picture/ });
}

describe('a file that is looked at', () => {
  it('is a picture shown whole with what it is, until Escape', async () => {
    const { user, look } = await open();
    await look('image.png');
    const whole = within(await viewer('image.png'));
    const picture = await whole.findByRole<HTMLImageElement>('img', { name: 'image.png' });
    expect(picture.src).toBe('data:image/png;base64,AAAA');
    Object.defineProperties(picture, { naturalWidth: { value: 1568 }, naturalHeight: { value: 1045 } });
    fireEvent.load(picture);
    expect(whole.getByText('PNG, 2 kB, 1,568 × 1,045')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Look at image.png' })),
    );
  });

  it('is a picture that is made larger and smaller by keys and buttons, each time told, and fits again', async () => {
    const { user, look } = await open();
    await look('image.png');
    const whole = within(await viewer('image.png'));
    await shownAt(0.4);
    expect(whole.getByRole('status').textContent).toBe('Fitted');
    await user.keyboard('+');
    expect(whole.getByRole('status').textContent).toBe('50 %');
    await user.keyboard('1');
    expect(whole.getByRole('status').textContent).toBe('100 %');
    expect(whole.getByRole('img').style.width).toBe('1568px');
    await user.click(whole.getByRole('button', { name: 'Fit' }));
    expect(whole.getByRole('status').textContent).toBe('Fitted');
    await user.click(whole.getByRole('button', { name: 'Zoom out' }));
    expect(whole.getByRole('status').textContent).toBe('25 %');
    await user.keyboard('0');
    expect(whole.getByRole('status').textContent).toBe('Fitted');
  });

  it('is a picture that arrow keys move where it has more to show, and else leave', async () => {
    const { user, look } = await open();
    await look('image.png');
    const stage = await shownAt(1);
    const moved = vi.fn<(x: number, y: number) => void>();
    Object.defineProperties(stage, {
      scrollWidth: { value: 2000, configurable: true },
      clientWidth: { value: 900 },
      scrollBy: { value: moved },
    });
    await user.keyboard('{ArrowRight}{ArrowLeft}');
    expect(moved.mock.calls).toEqual([
      [64, 0],
      [-64, 0],
    ]);
    expect(screen.getByText('1 of 4')).toBeTruthy();
    Object.defineProperty(stage, 'scrollWidth', { value: 900 });
    await user.keyboard('{ArrowRight}');
    await viewer('notes.md');
  });

  it('gives way to the next one and the one before by arrow keys, and stays at the ends', async () => {
    const { user, look } = await open();
    await look('image.png');
    await viewer('image.png');
    expect(screen.getByText('1 of 4')).toBeTruthy();
    await user.keyboard('{ArrowLeft}{ArrowRight}');
    expect((await viewer('notes.md')).textContent).toContain('2 of 4');
    expect(await screen.findByText('# Leases → now')).toBeTruthy();
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
    await viewer('incident.pdf');
    await user.click(screen.getByRole('button', { name: 'Previous file' }));
    await viewer('gone.txt');
  });

  it('outlives the row that it was opened from', async () => {
    const { look, stores } = await open();
    await look('notes.md');
    await viewer('notes.md');
    act(() => stores.ui.setState({ openSessionId: 'another' }));
    expect(screen.getByRole('dialog', { name: 'notes.md' })).toBeTruthy();
  });

  it('is saved as it is', async () => {
    const { user, look, ...window } = await open();
    await look('notes.md');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(window.files.saved).toEqual([
        { name: 'notes.md', content: '# Leases → now', type: 'text/markdown' },
      ]),
    );
  });

  it('is a text also where it is not UTF-8', async () => {
    const { look } = await open(files, Uint8Array.from([0x47, 0x72, 0xfc, 0xdf, 0x65]));
    await look('notes.md');
    expect(await screen.findByText('Grüße')).toBeTruthy();
  });

  it('is a text that can be copied, and of a long one only its beginning is drawn', async () => {
    const { user, look } = await open(files, `${'x'.repeat(200_000)}the end`);
    await look('notes.md');
    expect(
      await screen.findByText('The first 200,000 of 200,007 characters. Save the file to read all of it.'),
    ).toBeTruthy();
    expect(screen.queryByText(/the end/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Copy' }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toMatch(/the end$/));
  });

  it('says why there is nothing to see: gone, damaged, or of a kind for another program', async () => {
    const { user, look, host } = await open();
    await look('gone.txt');
    await screen.findByText('gone.txt is no longer there.');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
    const read = host.count('attachment/read');
    await user.keyboard('{ArrowRight}');
    await screen.findByText(/^Andiron can’t show this kind of file/);
    expect(host.count('attachment/read')).toBe(read);
    await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
    const whole = within(await viewer('image.png'));
    fireEvent.error(await whole.findByRole('img'));
    expect(whole.getByText('image.png is damaged and can’t be shown.')).toBeTruthy();
  });
});
