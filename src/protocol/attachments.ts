/** Files that a person gives with a message (C1, C2): their bytes stay with the host, a window asks for what it draws. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { maxAttachmentBytes, maxAttachments } from './attachment-limits.ts';
import { maxPieceBytes } from './limits.ts';

export { maxAttachmentBytes, maxAttachments };

/** Where something came from that no person wrote. */
const serverOriginSchema = z.object({
  /** A server of tools, as it is named in `mcp.json`, or a collection by its name. */
  server: z.string(),
  /** Of its resource; '' = a result of one of its tools, or passages of a collection. */
  uri: z.string(),
  /** Absent = a server. */
  kind: z.literal('collection').optional(),
});
export type ServerOrigin = z.infer<typeof serverOriginSchema>;

export const attachmentSchema = z.object({
  id: z.string(),
  /** As the person's file is called; never a path. */
  name: z.string().min(1).max(255),
  /** Told by its bytes, not by its name: an image goes to models that see, text and the rest to tools. */
  kind: z.enum(['image', 'text', 'other']),
  mime: z.string(),
  bytes: z.number().int().nonnegative(),
  /** Absent = from the person. */
  from: serverOriginSchema.optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

const none = z.object({});
const attachmentId = z.string().min(1);
const fileName = z.string().trim().min(1).max(255);

export const attachmentMethods = {
  /** Kept until its session is deleted, or for a day when no message takes it. Refused: empty, too large, disk full. */
  'attachment/add': {
    params: lazyObject(() => ({
      name: fileName,
      /** Base64. A larger file comes as an upload. */
      data: z.string().max(Math.ceil(maxPieceBytes / 3) * 4),
    })),
    result: lazyObject(() => ({ attachment: attachmentSchema })),
  },
  'attachment/add-upload': {
    params: lazyObject(() => ({ name: fileName, uploadId: z.string().min(1) })),
    result: lazyObject(() => ({ attachment: attachmentSchema })),
  },
  /** For a picture in the transcript; `not_found` when it is gone. */
  'attachment/read': {
    params: lazyObject(() => ({ attachmentId })),
    result: lazyObject(() => ({ mime: z.string(), data: z.string() })),
  },
  /** Of a draft: one that a message has taken stays. */
  'attachment/remove': { params: lazyObject(() => ({ attachmentId })), result: none },
  /** For mentions: files of a workspace by parts of their path, the best first, ignored ones left out; at most 50. */
  'workspace/files': {
    params: lazyObject(() => ({ workspace: z.string(), query: z.string().max(200) })),
    /** Relative to the workspace, with `/`. `complete` = there are no more. */
    result: lazyObject(() => ({ files: z.array(z.string()), complete: z.boolean() })),
  },
} as const;
