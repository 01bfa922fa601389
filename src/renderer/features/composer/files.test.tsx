import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { maxAttachmentBytes, maxAttachments } from '../../../protocol/attachment-limits.ts';
import type { Attachment } from '../../../protocol/attachments.ts';
import { readyFile } from '../../stores/draft-files.ts';
import { setDraftFiles } from '../../stores/ui-store.ts';
import { openComposer } from '../../testing/composer-kit.tsx';
import { settled } from '../../testing/fake-server.ts';
import { aModel, anEngine, aTurn } from '../../testing/fixtures.ts';

type Box = Awaited<ReturnType<typeof openComposer>>;

const image: Attachment = { id: 'att_1', name: 'image.png', kind: 'image', mime: 'image/png', bytes: 3 };

/** A host that keeps what it is given: the first is `att_1`. */
function keep({ host }: Box): void {
  let given = 0;
  host
    .answer('attachment/add', ({ name, data }: { name: string; data: string }) => {
      given += 1;
      const kind = name.endsWith('.png') ? 'image' : 'text';
      const mime = kind === 'image' ? 'image/png' : 'text/plain';
      return { attachment: { id: `att_${given}`, name, kind, mime, bytes: atob(data).length } };
    })
    .answer('attachment/read', () => ({ mime: 'image/png', data: 'AAAA' }))
    .answer('attachment/remove', () => ({}))
    .answer('turn/start', () => ({ turnId: 't9', queued: false }));
}

const paste = (box: Box, files: File[], text = ''): void => {
  const clipboardData = { files, types: ['Files'], items: [], getData: () => text };
  act(() => void fireEvent.paste(box.box, { clipboardData }));
};
const attach = (box: Box, files: File[]): Promise<boolean> =>
  box.commands.run('composer/add-files', { files });
const names = (): string[] =>
  screen
    .queryAllByRole('button', { name: /^Remove / })
    .map((button) => button.getAttribute('aria-label') ?? '');
const notices = (box: Box): string[] => box.stores.ui.getState().notices.map(({ message }) => message);

describe('files that go with a message', () => {
  it('are pasted, shown with name, kind, size and picture, and sent with it', async () => {
    const window = await openComposer();
    keep(window);
    paste(window, [new File(['abc'], 'image.png', { type: 'image/png' })]);
    await screen.findByRole('button', { name: 'Remove image.png' });
    const chip = screen.getByRole('list', { name: 'Attachments' });
    expect(chip.textContent).toContain('PNG, 3 bytes');
    await waitFor(() => expect(chip.querySelector('img')?.src).toBe('data:image/png;base64,AAAA'));
    await window.user.type(window.box, 'What is this?{Enter}');
    await window.host.asked('turn/start');
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'What is this?',
      attachments: ['att_1'],
    });
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
  });

  it('are a message without words too', async () => {
    const window = await openComposer();
    keep(window);
    await act(() => attach(window, [new File(['abc'], 'notes.md')]));
    await window.user.click(screen.getByRole('button', { name: 'Send' }));
    await window.host.asked('turn/start');
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: '',
      attachments: ['att_1'],
    });
  });

  it('come back into the box when the message could not be sent', async () => {
    const window = await openComposer();
    keep(window);
    window.host.answer('turn/start', () => new Error('No.'));
    await act(() => attach(window, [new File(['abc'], 'notes.md')]));
    await window.user.type(window.box, 'Read it{Enter}');
    await window.host.asked('turn/start');
    await act(() => settled());
    expect(window.box.value).toBe('Read it');
    expect(names()).toEqual(['Remove notes.md']);
  });

  it('are chosen with the paper clip, several at once', async () => {
    const window = await openComposer();
    keep(window);
    window.files.chosenFiles = [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')];
    await window.user.click(screen.getByRole('button', { name: 'Attach files' }));
    await waitFor(() => expect(names()).toEqual(['Remove a.txt', 'Remove b.txt']));
    expect(document.activeElement).toBe(window.box);
  });

  it('are called an image when the clipboard has no name for it', async () => {
    const window = await openComposer();
    keep(window);
    paste(window, [new File(['abc'], '', { type: 'image/png' })]);
    expect(await screen.findByRole('button', { name: 'Remove image.png' })).toBeTruthy();
  });

  it('are not pasted where a program copied text and a picture of it', async () => {
    const window = await openComposer();
    keep(window);
    paste(window, [new File(['abc'], 'image.png', { type: 'image/png' })], 'a cell of a table');
    await settled();
    expect(window.host.count('attachment/add')).toBe(0);
    paste(window, [new File(['abc'], 'report.txt')], '/home/ada/report.txt');
    await window.host.asked('attachment/add');
  });

  it('are told by their kind where they are pictures that cannot be read, with what that means', async () => {
    const window = await openComposer();
    keep(window);
    await act(() => attach(window, [new File(['abc'], 'cut-off.png', { type: 'image/png' })]));
    const chip = screen.getByRole('list', { name: 'Attachments' });
    const picture = await waitFor(() => chip.querySelector('img') ?? Promise.reject(new Error('no picture')));
    expect(chip.textContent).not.toContain('cannot be read');
    fireEvent.error(picture);
    expect(chip.querySelector('img')).toBeNull();
    expect(screen.getByRole('button', { name: /^Look at cut-off\.png/ }).textContent).toContain(
      'PNG, 3 bytes. Andiron can’t read it and sends it as it is. The model may not read it either.',
    );
  });

  it('stay with the draft of their session', async () => {
    const window = await openComposer();
    keep(window);
    await act(() => attach(window, [new File(['abc'], 'notes.md')]));
    act(() => window.stores.ui.setState({ openSessionId: 's2' }));
    expect(names()).toEqual([]);
    act(() => window.stores.ui.setState({ openSessionId: 's1' }));
    expect(names()).toEqual(['Remove notes.md']);
  });

  it('go with the first message into the session that it makes', async () => {
    const window = await openComposer();
    keep(window);
    window.host.answer('session/create', () => ({ session: { id: 's7' } }));
    act(() => window.stores.ui.setState({ openSessionId: null }));
    await act(() => attach(window, [new File(['abc'], 'notes.md')]));
    await window.user.type(window.box, 'Read it{Enter}');
    await window.host.asked('turn/start');
    expect(window.host.last('turn/start')).toMatchObject({ sessionId: 's7', attachments: ['att_1'] });
    expect(window.stores.ui.getState().draftFiles).toEqual({});
  });

  it('are looked at before they are sent', async () => {
    const window = await openComposer();
    keep(window);
    await act(() => attach(window, [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')]));
    await window.user.click(screen.getByRole('button', { name: /^Look at b.txt/ }));
    const { looking } = window.stores.ui.getState();
    expect(looking?.files.map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
    expect(looking?.at).toBe(1);
  });

  it('are removed, and given back to the host', async () => {
    const window = await openComposer();
    keep(window);
    await act(() => attach(window, [new File(['abc'], 'notes.md')]));
    await window.user.click(screen.getByRole('button', { name: 'Remove notes.md' }));
    await window.host.asked('attachment/remove');
    expect(window.host.last('attachment/remove')).toEqual({ attachmentId: 'att_1' });
    expect(names()).toEqual([]);
  });

  it('do not leave with other words that are sent', async () => {
    const window = await openComposer();
    keep(window);
    await act(() => attach(window, [new File(['abc'], 'notes.md')]));
    await window.user.type(window.box, 'half a thought');
    await act(() => window.commands.run('turn/send', { text: 'Continue' }));
    expect(window.host.last('turn/start')).toEqual({
      sessionId: 's1',
      turnId: expect.any(String),
      text: 'Continue',
    });
    expect(window.box.value).toBe('half a thought');
    expect(names()).toEqual(['Remove notes.md']);
  });
});

describe('a file on its way', () => {
  it('holds the message back, and can be cancelled', async () => {
    const window = await openComposer();
    act(() => void attach(window, [new File(['abc'], 'trace.json')]));
    await window.host.asked('attachment/add');
    expect(screen.getByText('attaching, 3 bytes')).toBeTruthy();
    await window.user.type(window.box, 'Read it{Enter}');
    expect(window.host.count('turn/start')).toBe(0);
    const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });
    expect(send.disabled).toBe(true);
    expect(send.title).toBe('You can send once the files are attached.');
    await window.user.click(screen.getByRole('button', { name: 'Cancel attaching trace.json' }));
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
  });

  it('that arrives after it was cancelled is given back', async () => {
    const window = await openComposer();
    keep(window);
    window.host.answer('attachment/add', () => {
      void window.commands.run('composer/remove-file', { key: 'file-1' });
      return { attachment: image };
    });
    await act(() => attach(window, [new File(['abc'], 'image.png')]));
    expect(window.host.last('attachment/remove')).toEqual({ attachmentId: 'att_1' });
    expect(screen.queryByRole('list', { name: 'Attachments' })).toBeNull();
  });

  it('that did not arrive says why, and is tried again', async () => {
    const window = await openComposer();
    window.host.answer('attachment/add', () => new Error('The disk is full.'));
    await act(() => attach(window, [new File(['abc'], 'trace.json')]));
    expect(screen.getByText('The disk is full.')).toBeTruthy();
    await window.user.type(window.box, 'Read it{Enter}');
    expect(window.host.count('turn/start')).toBe(0);
    keep(window);
    await window.user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(document.activeElement).toBe(window.box);
    await screen.findByText('Text, 3 bytes');
    await window.user.keyboard('{Enter}');
    await window.host.asked('turn/start');
  });

  it('that is too large, empty or one too many is told before it is sent anywhere', async () => {
    const window = await openComposer();
    keep(window);
    const large = new File(['x'], 'film.mov');
    Object.defineProperty(large, 'size', { value: maxAttachmentBytes + 1 });
    await act(() => attach(window, [large, new File([], 'nothing.txt')]));
    expect(notices(window)).toEqual([
      'film.mov is 10 MB; an attached file may be 10 MB.',
      'nothing.txt is empty.',
    ]);
    const crowd = Array.from({ length: maxAttachments + 2 }, (_, at) => new File(['x'], `${at}.txt`));
    await act(() => attach(window, crowd));
    expect(window.host.count('attachment/add')).toBe(maxAttachments);
    expect(notices(window).at(-1)).toBe('A message takes 10 files; 2 files were left out.');
  });
});

const photo = (bytes: number): File => {
  const file = new File(['whole'], 'IMG_2041.jpg', { type: 'image/jpeg' });
  Object.defineProperty(file, 'size', { value: bytes });
  return file;
};

describe('a picture with more pixels than a model looks at', () => {
  it('is made smaller before it is sent anywhere, and says so', async () => {
    const window = await openComposer();
    keep(window);
    const asked: number[] = [];
    window.files.reduce = async ({ name }, longest) => {
      asked.push(longest);
      return { file: new File(['small'], name, { type: 'image/jpeg' }), width: 1568, height: 1045 };
    };
    // More than a message takes, as it is.
    await act(() => attach(window, [photo(maxAttachmentBytes + 1)]));
    expect(asked).toEqual([1568]);
    expect(window.host.last('attachment/add')).toEqual({ name: 'IMG_2041.jpg', data: btoa('small') });
    expect(screen.getByText('10 MB, made smaller: 1,568 × 1,045')).toBeTruthy();
  });

  it('goes as it is where the page cannot read it, as far as it is not too large', async () => {
    const window = await openComposer();
    keep(window);
    window.files.reduce = async () => null;
    await act(() => attach(window, [photo(maxAttachmentBytes + 1), photo(5)]));
    expect(notices(window)).toEqual(['IMG_2041.jpg is 10 MB; an attached file may be 10 MB.']);
    expect(window.host.count('attachment/add')).toBe(1);
    expect(window.host.last('attachment/add')).toEqual({ name: 'IMG_2041.jpg', data: btoa('whole') });
    expect(names()).toEqual(['Remove IMG_2041.jpg']);
  });
});

const held = (files: File[]) => ({
  dataTransfer: { types: ['Files'], files, items: [], dropEffect: 'none' },
});

describe('files held over the conversation', () => {
  it('are taken where they are dropped, and the window says so before', async () => {
    const window = await openComposer();
    keep(window);
    const zone = screen.getByText('Drop to attach').closest('div');
    expect(zone?.hasAttribute('hidden')).toBe(true);
    act(() => void fireEvent.dragOver(window.column, held([])));
    expect(zone?.hasAttribute('hidden')).toBe(false);
    act(() => void fireEvent.drop(window.column, held([new File(['abc'], 'notes.md')])));
    await screen.findByRole('button', { name: 'Remove notes.md' });
    expect(zone?.hasAttribute('hidden')).toBe(true);
  });

  it('open nothing when they are dropped beside it', async () => {
    await openComposer();
    const drop = new Event('drop', { bubbles: true, cancelable: true });
    Object.assign(drop, held([new File(['abc'], 'notes.md')]));
    document.body.dispatchEvent(drop);
    expect(drop.defaultPrevented).toBe(true);
  });
});

describe('an image for a model that does not see', () => {
  it('is told before it is sent, with the way to one that does', async () => {
    const window = await openComposer();
    keep(window);
    const seer = aModel({ name: 'gemma3:12b', capabilities: ['completion', 'vision'] });
    act(() => {
      window.stores.engine.setState({ engine: anEngine({ models: [aModel(), seer] }) });
      setDraftFiles(window.stores.ui, 's1', [readyFile(image)]);
    });
    expect(screen.getByText(/^qwen3:8b can’t see images/)).toBeTruthy();
    await window.user.click(screen.getByRole('button', { name: 'Switch to gemma3:12b, loads 5.0 GB' }));
    await window.host.asked('session/update');
    expect(window.host.last('session/update')).toEqual({ sessionId: 's1', model: 'gemma3:12b' });
  });

  it('is not told of a model that sees, or of which nobody knows', async () => {
    const window = await openComposer();
    keep(window);
    act(() => {
      window.stores.engine.setState({ engine: anEngine({ models: [aModel({ capabilities: null })] }) });
      setDraftFiles(window.stores.ui, 's1', [readyFile(image)]);
    });
    expect(screen.queryByText(/can’t see images/)).toBeNull();
  });
});

describe('a long text that is pasted', () => {
  const long = Array.from({ length: 140 }, (_, line) => `line ${line}`).join('\n');

  it('stays text, and becomes a file only when the person says so', async () => {
    const window = await openComposer();
    keep(window);
    await window.user.type(window.box, 'Look: ');
    await window.user.paste(long);
    expect(window.box.value).toBe(`Look: ${long}`);
    await window.user.click(screen.getByRole('button', { name: 'Attach as file' }));
    await screen.findByRole('button', { name: 'Remove pasted.txt' });
    await waitFor(() => expect(window.box.value).toBe('Look:'));
    const { data } = window.host.last('attachment/add') as { data: string };
    expect(atob(data)).toBe(long);
  });

  it('stays in the box where its file is refused', async () => {
    const window = await openComposer();
    const ready = Array.from({ length: maxAttachments }, (_, at) => readyFile({ ...image, id: `att_${at}` }));
    act(() => setDraftFiles(window.stores.ui, 's1', ready));
    await window.user.click(window.box);
    await window.user.paste(long);
    await window.user.click(screen.getByRole('button', { name: 'Attach as file' }));
    expect(window.stores.ui.getState().notices).toHaveLength(1);
    expect(window.box.value).toBe(long);
  });

  it('stays in the box while its file has failed, and leaves it once a retry brought it to the host', async () => {
    const window = await openComposer();
    window.host.answer('attachment/add', () => new Error('Away'));
    await window.user.click(window.box);
    await window.user.paste(long);
    await window.user.click(screen.getByRole('button', { name: 'Attach as file' }));
    const [file] = window.stores.ui.getState().draftFiles['s1'] ?? [];
    await waitFor(() => expect(window.stores.ui.getState().draftFiles['s1']?.[0]?.state).toBe('failed'));
    expect(window.box.value).toBe(long);
    keep(window);
    await act(async () => window.commands.run('composer/retry-file', { key: file?.key ?? '' }));
    await waitFor(() => expect(window.box.value).toBe(''));
    expect(window.stores.ui.getState().draftFiles['s1']?.[0]?.state).toBe('ready');
  });

  it('is not asked about when it is short', async () => {
    const window = await openComposer();
    await window.user.click(window.box);
    await window.user.paste('a few words');
    expect(screen.queryByRole('button', { name: 'Attach as file' })).toBeNull();
  });
});

it('a queued message says how many files go with it', async () => {
  const window = await openComposer();
  window.say([aTurn(), aTurn({ id: 't2', status: 'queued', text: 'Then this', attachments: [image] })]);
  expect(screen.getByRole('list', { name: 'Queued messages' }).textContent).toContain('1 file');
});

it('a picture of a draft waits for a host that is not there yet', async () => {
  const window = await openComposer();
  keep(window);
  act(() => {
    window.stores.host.setState({ connection: 'connecting' });
    setDraftFiles(window.stores.ui, 's1', [readyFile(image)]);
  });
  expect(window.host.count('attachment/read')).toBe(0);
  act(() => window.stores.host.setState({ connection: 'live' }));
  await window.host.asked('attachment/read');
  expect(window.host.last('attachment/read')).toEqual({ attachmentId: 'att_1' });
});
