/** Files that wait in the message box for the message that takes them. */
import { maxAttachmentBytes, maxAttachments, maxPictureBytes } from '../../protocol/attachment-limits.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { Collection } from '../../protocol/collection-methods.ts';
import type { McpResource } from '../../protocol/mcp-offers.ts';

interface Named {
  /** Of this window; the same from the first moment to the last. */
  key: string;
  name: string;
  bytes: number;
}

/** What a picture was and became when it was made smaller. */
export interface Reduced {
  /** Of the whole one. */
  bytes: number;
  width: number;
  height: number;
}

/** `source`: what it was made of; `words`: what of the draft it takes the place of once the host has it. */
export type DraftFile =
  | (Named & { state: 'uploading'; source: File; words?: string })
  | (Named & { state: 'failed'; source: File; words?: string; message: string; advice: string })
  | (Named & { state: 'ready'; attachment: Attachment; reduced?: Reduced })
  /** Of a server of tools: read when the message is sent. */
  | (Named & { state: 'resource'; resource: ResourcePlace })
  /** Its passages are found in the words of the message when that is sent. */
  | (Named & { state: 'collection'; collectionId: string });

type ResourcePlace = Pick<McpResource, 'server' | 'uri'>;

/** By draft. */
export type DraftFiles = Readonly<Record<string, DraftFile[]>>;

export function readyFile(attachment: Attachment, reduced?: Reduced): DraftFile {
  const { id, name, bytes } = attachment;
  return { key: id, name, bytes, state: 'ready', attachment, ...(reduced && { reduced }) };
}

export function attachmentsOf(files: readonly DraftFile[]): Attachment[] {
  return files.flatMap((file) => (file.state === 'ready' ? [file.attachment] : []));
}

export function resourceFile({ server, uri, name }: Omit<McpResource, 'description'>): DraftFile {
  return { key: `${server} ${uri}`, name, bytes: 0, state: 'resource', resource: { server, uri } };
}

export function resourcesOf(files: readonly DraftFile[]): ResourcePlace[] {
  return files.flatMap((file) => (file.state === 'resource' ? [file.resource] : []));
}

export function collectionFile({ id, name }: Pick<Collection, 'id' | 'name'>): DraftFile {
  return { key: `collection ${id}`, name, bytes: 0, state: 'collection', collectionId: id };
}

export function collectionsOf(files: readonly DraftFile[]): string[] {
  return files.flatMap((file) => (file.state === 'collection' ? [file.collectionId] : []));
}

/** Nothing says what passages to find. */
export function lacksQuery(message: string, files: readonly DraftFile[]): boolean {
  return message.trim() === '' && collectionsOf(files).length > 0;
}

/** Why a file cannot go with the message; told before a byte of it is sent. */
export type Refusal = 'empty' | 'too_large' | 'too_many';

interface Sized {
  size: number;
  type?: string;
}

/** What of `files` finds room beside those that are there, and why the others do not. */
export function fitting<F extends Sized>(
  files: readonly F[],
  there: number,
): { taken: F[]; refused: { file: F; why: Refusal }[] } {
  const taken: F[] = [];
  const refused: { file: F; why: Refusal }[] = [];
  for (const file of files) {
    const why = refusal(file, there + taken.length);
    if (why === null) taken.push(file);
    else refused.push({ file, why });
  }
  return { taken, refused };
}

function refusal({ size, type }: Sized, before: number): Refusal | null {
  if (size === 0) return 'empty';
  if (size > (type?.startsWith('image/') ? maxPictureBytes : maxAttachmentBytes)) return 'too_large';
  return before >= maxAttachments ? 'too_many' : null;
}

/** An empty list is no entry at all. */
export function withFiles(all: DraftFiles, key: string, files: DraftFile[]): DraftFiles {
  const { [key]: _old, ...others } = all;
  return files.length === 0 ? others : { ...others, [key]: files };
}

/** The same file in another state, wherever its draft is now; null = it was taken away meanwhile. */
export function withFile(all: DraftFiles, file: DraftFile): DraftFiles | null {
  const found = Object.entries(all).find(([, files]) => files.some(({ key }) => key === file.key));
  if (!found) return null;
  const [draft, files] = found;
  return { ...all, [draft]: files.map((each) => (each.key === file.key ? file : each)) };
}

type StoredFile =
  (Attachment & { reduced?: Reduced | undefined }) | (ResourcePlace & { name: string }) | StoredCollection;
interface StoredCollection {
  collectionId: string;
  name: string;
}

function stored(file: DraftFile): StoredFile[] {
  if (file.state === 'resource') return [{ ...file.resource, name: file.name }];
  if (file.state === 'collection') return [{ collectionId: file.collectionId, name: file.name }];
  return file.state === 'ready' ? [{ ...file.attachment, reduced: file.reduced }] : [];
}

/** What outlives the page: what the host has. */
export function storedFiles(all: DraftFiles): Record<string, StoredFile[]> {
  const entries = Object.entries(all).map(([key, files]) => [key, files.flatMap(stored)] as const);
  return Object.fromEntries(entries.filter(([, files]) => files.length > 0));
}

/** Anybody may have written it: what does not look like an attachment is left out. */
export function readStoredFiles(raw: unknown): DraftFiles {
  if (typeof raw !== 'object' || raw === null) return {};
  let files: DraftFiles = {};
  for (const [key, stored] of Object.entries(raw)) {
    const list: unknown[] = Array.isArray(stored) ? stored : [];
    files = withFiles(
      files,
      key,
      list.flatMap((value) => {
        if (isResource(value)) return [resourceFile(value)];
        if (isCollection(value)) return [collectionFile({ id: value.collectionId, name: value.name })];
        if (!isAttachment(value)) return [];
        const { reduced, ...attachment } = value;
        return [readyFile(attachment, readReduced(reduced))];
      }),
    );
  }
  return files;
}

function readReduced(value: unknown): Reduced | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { bytes, width, height } = value as Partial<Record<keyof Reduced, unknown>>;
  if (typeof bytes !== 'number' || typeof width !== 'number' || typeof height !== 'number') return undefined;
  return { bytes, width, height };
}

function isResource(value: unknown): value is Omit<McpResource, 'description'> {
  if (typeof value !== 'object' || value === null) return false;
  const { server, uri, name } = value as Partial<Record<keyof McpResource, unknown>>;
  return [server, uri, name].every((text) => typeof text === 'string');
}

function isCollection(value: unknown): value is StoredCollection {
  if (typeof value !== 'object' || value === null) return false;
  const { collectionId, name } = value as Partial<Record<keyof StoredCollection, unknown>>;
  return typeof collectionId === 'string' && typeof name === 'string';
}

function isAttachment(value: unknown): value is Attachment & { reduced?: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, kind, mime, bytes } = value as Partial<Record<keyof Attachment, unknown>>;
  const texts = [id, name, mime].every((text) => typeof text === 'string');
  return texts && typeof bytes === 'number' && (kind === 'image' || kind === 'text' || kind === 'other');
}
