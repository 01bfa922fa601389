/**
 * The files that people give with their messages (C1): bytes in the data folder, named by id, and what is known of them in
 * the store. A file is whole before its row is written, and its row is gone before the file is: whatever was acknowledged
 * is there after a crash, and what the store does not know is set aside at the next start (strays.ts).
 */
import { join } from 'node:path';
import type { Clock, NewId, Timer } from '../../platform/clock.ts';
import { hasCode, removeDrafts, type Files } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import { maxAttachmentBytes, type Attachment, type ServerOrigin } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { AttachmentStore } from '../store/attachment-store.ts';
import { isDocumentMime } from '../../rules/document-kind.ts';
import { fileText } from '../../rules/file-text.ts';
import { extensionOf, sniff } from './sniff.ts';
import { straysIn } from './strays.ts';

const draftMs = 24 * 60 * 60 * 1000;
const sweepEveryMs = 60 * 60 * 1000;
/** Nobody changes what a message has said. */
const readOnly = 0o400;

export type Attachments = Awaited<ReturnType<typeof openAttachments>>;

interface NamedFile {
  id: string;
  name: string;
  from?: ServerOrigin | undefined;
}

interface TakenFile extends Attachment {
  path: string;
  text?: string;
}

export interface AttachmentsDeps {
  store: AttachmentStore;
  files: Files;
  dataDir: string;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Reads what is a document, in place of its bytes. */
  documents: { textOf(path: string, name: string): Promise<string> };
}

export async function openAttachments(deps: AttachmentsDeps) {
  const { store, files, clock, newId, log, documents } = deps;
  const folder = await madeFolder(join(deps.dataDir, 'attachments'), files, log);
  const pathOf = (attachment: Pick<Attachment, 'id' | 'name' | 'mime'>): string =>
    join(folder, fileName(attachment));
  const strays = straysAmong(folder, deps);
  let timer: Timer | undefined;

  async function write(attachment: Attachment, bytes: Uint8Array): Promise<void> {
    const path = pathOf(attachment);
    try {
      await files.writeAtomic(path, bytes, { mode: readOnly });
      store.addAttachment(attachment, clock.now());
    } catch (error) {
      await files.remove(path).catch(() => undefined);
      throw error instanceof AndironError ? error : unwritten(attachment.name, error);
    }
  }

  async function read(id: string): Promise<{ attachment: Attachment; bytes: Uint8Array }> {
    const [attachment] = store.attachments([id]);
    if (!attachment) throw gone();
    try {
      return { attachment, bytes: await files.readBytes(pathOf(attachment), maxAttachmentBytes) };
    } catch (error) {
      throw gone(attachment.name, error);
    }
  }

  async function take({ id, name }: Attachment, inlined: boolean): Promise<TakenFile> {
    // A session from elsewhere may say anything of its files, and what is said of one becomes its path.
    const [attachment] = store.attachments([id]);
    if (!attachment) throw gone(name);
    const path = pathOf(attachment);
    // What a server says may be other words tomorrow: it stands in the message as it was sent.
    if ((inlined || attachment.from) && attachment.kind === 'text') {
      const { bytes } = await read(attachment.id);
      return { ...attachment, path, text: fileText(bytes) ?? '' };
    }
    if ((await files.lstat(path))?.kind !== 'file') throw gone(attachment.name);
    return { ...attachment, path, ...(inlined && (await documentText(attachment, path, documents))) };
  }

  async function erase(gone: readonly Attachment[]): Promise<void> {
    for (const attachment of gone) {
      try {
        await files.remove(pathOf(attachment));
      } catch (error) {
        // Without a row it is set aside at the next start, and goes with what lies there.
        log.warn('An attached file could not be removed', { id: attachment.id, error: String(error) });
      }
    }
  }

  async function sweep(): Promise<void> {
    try {
      await erase(store.dropUnclaimed({ before: clock.now() - draftMs }));
      await strays.purge(clock.now());
    } catch (error) {
      log.error('Attached files could not be swept', error, {});
    }
    timer = clock.after(sweepEveryMs, () => void sweep());
  }

  async function addBytes(given: string, bytes: Uint8Array, from?: ServerOrigin): Promise<Attachment> {
    const name = cleanName(given);
    assertFits(name, bytes.length);
    const attachment = attachmentOf({ id: newId('att_'), name, from }, bytes);
    await write(attachment, bytes);
    return attachment;
  }

  return {
    /** @param data base64 */
    add: async (name: string, data: string): Promise<Attachment> =>
      addBytes(name, decode(cleanName(name), data)),
    /** @param from absent = a person gave it */
    addBytes,
    /** Throws `attachment_invalid` where it is larger than an attached file may be. */
    assertFits: (given: string, bytes: number): void => assertFits(cleanName(given), bytes),
    /**
     * From another machine, under the id that it had there; one that has this id here already stays as it is. True = what
     * has the id now are these bytes.
     */
    async restore({ id, name: given, from }: NamedFile, data: string): Promise<boolean> {
      const name = cleanName(given);
      const bytes = decode(name, data);
      if (store.attachments([id]).length > 0) {
        const here = await read(id).catch(() => null);
        return here !== null && Buffer.compare(here.bytes, bytes) === 0;
      }
      await write(attachmentOf({ id, name, from }, bytes), bytes);
      return true;
    },
    /** Throws `not_found` when it is gone. */
    read,
    /** For a message: where they are; `inlined`: texts and documents with what is in them. Throws `not_found` when one is gone. */
    take: (given: readonly Attachment[], inlined: boolean): Promise<TakenFile[]> =>
      Promise.all(given.map((attachment) => take(attachment, inlined))),
    /** Where the files of this session are: real paths. */
    pathsOf: (sessionId: string): string[] => store.attachmentsOf(sessionId).map(pathOf),
    /** Of a draft; one that a message has taken stays. */
    remove: async (id: string): Promise<void> => erase(store.dropUnclaimed({ id })),
    /** Where its bytes lie: a real path. */
    pathOf,
    /**
     * Sets aside what the store does not know, and brings back what it knows again. What lies here of deleted sessions and
     * forgotten drafts goes now, and then from hour to hour.
     */
    async tidy(): Promise<void> {
      try {
        await removeDrafts(files, folder);
        await strays.settle(clock.now());
      } catch (error) {
        log.warn('The folder of attached files could not be tidied', { error: String(error) });
      }
      await sweep();
    },
    close: (): void => timer?.cancel(),
  };
}

/** Folders are somebody else's: a program that syncs makes them everywhere. */
const straysAmong = (folder: string, { store, files, log }: AttachmentsDeps) =>
  straysIn({
    files,
    folder,
    isOurs: ({ kind }) => kind !== 'folder',
    isKnown: (name) => isKnown(store, name),
    remove: (path) => files.remove(path),
    onFailed: (name, error) =>
      log.warn('A file among the attached ones could not be tidied', { name, error: String(error) }),
  });

/** Of a document what is in it, or why that is not told; of any other file nothing. */
async function documentText(
  { mime, name }: Pick<Attachment, 'mime' | 'name'>,
  path: string,
  documents: AttachmentsDeps['documents'],
): Promise<{ text?: string }> {
  return isDocumentMime(mime) ? { text: await documents.textOf(path, name) } : {};
}

const attachmentOf = ({ id, name, from }: NamedFile, bytes: Uint8Array): Attachment => ({
  id,
  name,
  ...sniff(name, bytes),
  bytes: bytes.length,
  ...(from && { from }),
});

/** Its real path, since contents are read by real paths alone; the path as given where it cannot be made. */
async function madeFolder(
  path: string,
  files: Pick<Files, 'makeFolder' | 'realPath'>,
  log: Log,
): Promise<string> {
  try {
    await files.makeFolder(path);
    return (await files.realPath(path)) ?? path;
  } catch (error) {
    // Whoever attaches something is told; everything else works without.
    log.error('The folder of attached files cannot be made', error, {});
    return path;
  }
}

/** True when the store knows the id in this name, and names its file just so. */
function isKnown(store: AttachmentStore, name: string): boolean {
  const [id = ''] = name.split('.', 1);
  const [known] = store.attachments([id]);
  return known !== undefined && fileName(known) === name;
}

/** The end of its name tells programs what it is, as it does for the person. */
function fileName({ id, name, mime }: Pick<Attachment, 'id' | 'name' | 'mime'>): string {
  const [kind, extension = ''] = mime.split('/');
  const isPicture = kind === 'image' && /^(?:png|jpeg|gif|webp)$/.test(extension);
  return `${id}${isPicture ? `.${extension}` : extensionOf(name)}`;
}

/** It is shown to people and models in one line, and never becomes a path. */
function cleanName(given: string): string {
  if (/[/\\\0]/.test(given) || /^\.{1,2}$/.test(given)) {
    throw new AndironError(
      'attachment_invalid',
      `${JSON.stringify(given.slice(0, 80))} is no name of a file.`,
      'Give its name alone, without a folder.',
    );
  }
  const name = given
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
  return name === '' ? 'file' : name;
}

function assertFits(name: string, bytes: number): void {
  if (bytes === 0) {
    throw new AndironError('attachment_invalid', `${name} is empty.`, 'Choose another file.');
  }
  if (bytes > maxAttachmentBytes) {
    throw new AndironError(
      'attachment_invalid',
      `${name} has ${megabytes(bytes)} MB; an attached file may have ${megabytes(maxAttachmentBytes)} MB.`,
      'Put it into the session’s folder and mention it in the message.',
    );
  }
}

function decode(name: string, data: string): Uint8Array {
  const bytes = Buffer.from(data, 'base64');
  assertFits(name, data === '' ? 0 : Math.max(1, bytes.length));
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(data) || data.length !== Math.ceil(bytes.length / 3) * 4) {
    throw new AndironError(
      'attachment_invalid',
      `${name} did not arrive whole, so it was not kept.`,
      'Attach it again.',
    );
  }
  return bytes;
}

const megabytes = (bytes: number): string => String(Math.round(bytes / 1024 / 102.4) / 10);

function unwritten(name: string, cause: unknown): AndironError {
  if (hasCode(cause, 'ENOSPC') || hasCode(cause, 'EDQUOT')) {
    const advice = 'Free some space, then attach it again.';
    return new AndironError('storage', `The disk is full: ${name} could not be kept.`, advice, { cause });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AndironError(
    'storage',
    `${name} could not be kept: ${reason}.`,
    'Check the disk that holds the data folder, then attach it again.',
    { cause },
  );
}

function gone(name = 'This file', cause?: unknown): AndironError {
  return new AndironError('not_found', `${name} is no longer there.`, 'Attach it again.', { cause });
}
