/** The files of a session on their way to another machine: in its export, as far as there is room (L2, C1). */
import { z } from 'zod';
import type { NewId } from '../../platform/clock.ts';
import { inSlices, type Pace } from '../../platform/event-loop.ts';
import { attachmentSchema, maxAttachmentBytes, type Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Item, Turn } from '../../protocol/model.ts';
import type { Attachments } from '../attachments/attachments.ts';
import type { OwnedMessage } from '../store/context.ts';

/** Base64 characters of all of them together: the rest of an export has to fit beside them. */
const maxPackedBytes = 30_000_000;

export const packedFileSchema = attachmentSchema.extend({
  /** It names a file on the disk. */
  id: z.string().regex(/^att_[0-9a-f]{12,32}$/),
  data: z.string().max(Math.ceil(maxAttachmentBytes / 3) * 4),
});
export type PackedFile = z.infer<typeof packedFileSchema>;

interface Session {
  turns: readonly { attachments?: Attachment[] | undefined }[];
  items: readonly Item[];
}

interface NamingFiles {
  turns: Turn[];
  items: Item[];
  context: OwnedMessage[];
}

/** Each once: those of the messages in their order, then the pictures of results. */
export function filesOf({ turns, items }: Session): Attachment[] {
  const files = [
    ...turns.flatMap(({ attachments = [] }) => attachments),
    ...items.flatMap((item) => (item.kind === 'tool' ? (item.attachments ?? []) : [])),
  ];
  return [...new Map(files.map((file) => [file.id, file])).values()];
}

/** What is gone or has no room is left out: the import says so. */
export async function packFiles(
  session: Session,
  { read }: Pick<Attachments, 'read'>,
  pace: Pace,
): Promise<PackedFile[]> {
  const packed: PackedFile[] = [];
  let room = maxPackedBytes;
  for (const { id } of filesOf(session)) {
    if (pace.isDue()) await pace.rest();
    const found = await read(id).catch(() => null);
    const data = found ? Buffer.from(found.bytes).toString('base64') : '';
    if (!found || data.length > room) continue;
    room -= data.length;
    packed.push({ ...found.attachment, data });
  }
  return packed;
}

/**
 * Kept under the ids that they had; returns those. What has the id of one here but other bytes is not it. Throws
 * `storage`; what was kept by then goes like any draft.
 */
export async function unpackFiles(
  packed: readonly PackedFile[],
  { restore }: Pick<Attachments, 'restore'>,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>();
  for (const { data, ...attachment } of packed) {
    try {
      if (await restore(attachment, data)) own.add(attachment.id);
    } catch (error) {
      // One that is no file any more is told as missing; a full disk ends the import.
      if (!(error instanceof AndironError) || error.code !== 'attachment_invalid') throw error;
    }
  }
  return own;
}

/**
 * An import has the files that came with it. Whatever else it names may be a file of another session here, so that gets
 * an id that nothing has: it is told as missing.
 */
export async function withFilesOf<T extends NamingFiles>(
  file: T,
  own: ReadonlySet<string>,
  { newId, pace }: { newId: NewId; pace: Pace },
): Promise<T> {
  const others = new Map<string, string>();
  const renamed = <F extends { id: string }>(each: F): F => {
    if (own.has(each.id)) return each;
    const id = others.get(each.id) ?? newId('att_');
    others.set(each.id, id);
    return { ...each, id };
  };
  return {
    ...file,
    turns: await inSlices(file.turns, pace, (turn) =>
      turn.attachments ? { ...turn, attachments: turn.attachments.map(renamed) } : turn,
    ),
    items: await inSlices(file.items, pace, (item) =>
      (item.kind === 'user' || item.kind === 'tool') && item.attachments
        ? { ...item, attachments: item.attachments.map(renamed) }
        : item,
    ),
    context: await inSlices(file.context, pace, (owned) => {
      const { message } = owned;
      return message.role !== 'assistant' && message.files
        ? { ...owned, message: { ...message, files: message.files.map(renamed) } }
        : owned;
    }),
  };
}

/** Models were told where files lie: here they lie elsewhere. What they are is told by the bytes that came. */
export function withPlacesHere(
  owned: OwnedMessage,
  here: ReadonlyMap<string, Attachment>,
  pathOf: Attachments['pathOf'],
): OwnedMessage {
  const { message } = owned;
  if (message.role === 'assistant' || !message.files) return owned;
  let { content } = message;
  const files = message.files.map((file) => {
    const known = here.get(file.id);
    // A file from elsewhere may call anything a path.
    if (!known || !file.path.includes(file.id)) return file;
    const path = pathOf(known);
    content = content.replaceAll(file.path, () => path);
    const { kind, mime } = known;
    return { ...file, kind, mime, path };
  });
  return { ...owned, message: { ...message, content, files } };
}
