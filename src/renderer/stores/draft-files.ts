/** Files that wait in the message box for the message that takes them. */
import { mostAttachmentBytes, mostAttachments } from '../../protocol/attachment-limits.ts';
import type { Attachment } from '../../protocol/attachments.ts';

interface Named {
  /** Of this window; the same from the first moment to the last. */
  key: string;
  name: string;
  bytes: number;
}

/** `source`: what it was made of; gone after a reload, when the host alone has its bytes. */
export type DraftFile =
  | (Named & { state: 'uploading'; source: File })
  | (Named & { state: 'failed'; source: File; message: string; advice: string })
  | (Named & { state: 'ready'; attachment: Attachment; source?: File });

/** By draft. */
export type DraftFiles = Readonly<Record<string, DraftFile[]>>;

export function readyFile(attachment: Attachment, source?: File): DraftFile {
  const { id, name, bytes } = attachment;
  return { key: id, name, bytes, state: 'ready', attachment, ...(source && { source }) };
}

export function attachmentsOf(files: readonly DraftFile[]): Attachment[] {
  return files.flatMap((file) => (file.state === 'ready' ? [file.attachment] : []));
}

/** Why a file cannot go with the message; told before a byte of it is sent. */
export type Refusal = 'empty' | 'too_large' | 'too_many';

/** What of `files` finds room beside those that are there, and why the others do not. */
export function fitting<F extends Pick<File, 'size'>>(
  files: readonly F[],
  there: number,
): { taken: F[]; refused: { file: F; why: Refusal }[] } {
  const taken: F[] = [];
  const refused: { file: F; why: Refusal }[] = [];
  for (const file of files) {
    const why = refusal(file.size, there + taken.length);
    if (why === null) taken.push(file);
    else refused.push({ file, why });
  }
  return { taken, refused };
}

function refusal(size: number, before: number): Refusal | null {
  if (size === 0) return 'empty';
  if (size > mostAttachmentBytes) return 'too_large';
  return before >= mostAttachments ? 'too_many' : null;
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

/** What outlives the page: what the host has. */
export function storedFiles(all: DraftFiles): Record<string, Attachment[]> {
  const entries = Object.entries(all).map(([key, files]) => [key, attachmentsOf(files)] as const);
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
      list.filter(isAttachment).map((attachment) => readyFile(attachment)),
    );
  }
  return files;
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, kind, mime, bytes } = value as Partial<Record<keyof Attachment, unknown>>;
  const texts = [id, name, mime].every((text) => typeof text === 'string');
  return texts && typeof bytes === 'number' && (kind === 'image' || kind === 'text' || kind === 'other');
}
