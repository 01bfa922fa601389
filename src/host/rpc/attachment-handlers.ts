/** Attached files and mentions, as windows ask for them. */
import type { attachmentMethods } from '../../protocol/attachments.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Attachments } from '../attachments/attachments.ts';
import type { WorkspaceFiles } from '../attachments/workspace-files.ts';

export interface AttachmentHandlerDeps {
  attachments: Pick<Attachments, 'add' | 'read' | 'remove'>;
  workspaceFiles: Pick<WorkspaceFiles, 'find'>;
}

export function attachmentHandlers({
  attachments,
  workspaceFiles,
}: AttachmentHandlerDeps): Handlers<typeof attachmentMethods> {
  return {
    'attachment/add': async ({ name, data }) => ({ attachment: await attachments.add(name, data) }),
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
