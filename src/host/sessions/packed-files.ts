/** The files of a session on their way to another machine: in its export, as far as there is room (L2, C1). */
import { z } from 'zod';
import type { Pace } from '../../platform/event-loop.ts';
import { attachmentSchema, mostAttachmentBytes, type Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Attachments } from '../attachments/attachments.ts';
import type { OwnedMessage } from '../store/context.ts';

/** Base64 characters of all of them together: the rest of an export has to fit beside them. */
const mostPacked = 30_000_000;

export const packedFileSchema = attachmentSchema.extend({
  /** It names a file on the disk. */
  id: z.string().regex(/^att_[0-9a-f]{12,32}$/),
  data: z.string().max(Math.ceil(mostAttachmentBytes / 3) * 4),
});
export type PackedFile = z.infer<typeof packedFileSchema>;

interface Session {
  turns: readonly { attachments?: Attachment[] | undefined }[];
}

/** Each once, in the order of the messages. */
export function filesOf({ turns }: Session): Attachment[] {
  const files = turns.flatMap(({ attachments = [] }) => attachments);
  return [...new Map(files.map((file) => [file.id, file])).values()];
}

/** What is gone or has no room is left out: the import says so. */
export async function packFiles(
  session: Session,
  { read }: Pick<Attachments, 'read'>,
  pace: Pace,
): Promise<PackedFile[]> {
  const packed: PackedFile[] = [];
  let room = mostPacked;
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

/** Kept under the ids that they had. Throws `storage`; what was kept by then goes like any draft. */
export async function unpackFiles(
  packed: readonly PackedFile[],
  { restore }: Pick<Attachments, 'restore'>,
): Promise<void> {
  for (const { data, ...attachment } of packed) {
    try {
      await restore(attachment, data);
    } catch (error) {
      // One that is no file any more is told as missing; a full disk ends the import.
      if (!(error instanceof AndironError) || error.code !== 'attachment_invalid') throw error;
    }
  }
}

/** Models were told where files lie: here they lie elsewhere. What they are is told by the bytes that came. */
export function withPlacesHere(
  owned: OwnedMessage,
  here: ReadonlyMap<string, Attachment>,
  pathOf: Attachments['pathOf'],
): OwnedMessage {
  const { message } = owned;
  if (message.role !== 'user' || !message.files) return owned;
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
