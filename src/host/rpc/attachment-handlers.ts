/** Attached files and mentions, as windows ask for them. */
import type { attachmentMethods } from '../../protocol/attachments.ts';
import { maxAttachmentBytes } from '../../protocol/attachment-limits.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { uploadMethods } from '../../protocol/upload-methods.ts';
import type { Attachments } from '../attachments/attachments.ts';
import type { Uploads } from '../attachments/uploads.ts';
import type { WorkspaceFiles } from '../attachments/workspace-files.ts';

export interface AttachmentHandlerDeps {
  attachments: Pick<Attachments, 'add' | 'addBytes' | 'assertFits' | 'read' | 'remove'>;
  uploads: Uploads;
  workspaceFiles: Pick<WorkspaceFiles, 'find'>;
}

export function attachmentHandlers({
  attachments,
  uploads,
  workspaceFiles,
}: AttachmentHandlerDeps): Handlers<typeof attachmentMethods & typeof uploadMethods> {
  return {
    'attachment/add': async ({ name, data }) => ({ attachment: await attachments.add(name, data) }),
    'attachment/add-upload': ({ name, uploadId }, { connection }) =>
      uploads.take(connection, uploadId, async (file) => {
        attachments.assertFits(name, file.bytes);
        return { attachment: await attachments.addBytes(name, await file.read(maxAttachmentBytes)) };
      }),
    'upload/begin': async (_params, { connection }) => ({ uploadId: await uploads.begin(connection) }),
    'upload/add': async ({ uploadId, ...piece }, { connection }) => {
      await uploads.add(connection, uploadId, piece);
      return {};
    },
    'upload/cancel': async ({ uploadId }, { connection }) => {
      await uploads.cancel(connection, uploadId);
      return {};
    },
    'attachment/read': async ({ attachmentId }) => {
      const { attachment, bytes } = await attachments.read(attachmentId);
      return { mime: attachment.mime, data: Buffer.from(bytes).toString('base64') };
    },
    'attachment/remove': async ({ attachmentId }) => {
      await attachments.remove(attachmentId);
      return {};
    },
    'workspace/files': ({ workspace, query }) => workspaceFiles.find(workspace, query),
  };
}
