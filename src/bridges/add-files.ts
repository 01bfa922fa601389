/** Files of a message on their way to the host. */
import { AndironError } from '../protocol/errors.ts';
import { maxPieceBytes } from '../protocol/limits.ts';
import type { BridgeRpc } from './host-requests.ts';
import type { IncomingFile } from './platform-bridge.ts';

export interface AddedFiles {
  attachments: string[];
  /** Names of those that the platform did not give, or the host did not take. */
  lost: string[];
}

/** Rejects where the host is gone. */
export async function addFiles(rpc: BridgeRpc, files: readonly IncomingFile[]): Promise<AddedFiles> {
  const added: AddedFiles = { attachments: [], lost: [] };
  for (const { name, bytes } of files) {
    try {
      if (bytes === null) added.lost.push(name);
      else added.attachments.push(await addFile(rpc, name, bytes));
    } catch (error) {
      if (!(error instanceof AndironError) || error.code === 'disconnected') throw error;
      added.lost.push(name);
    }
  }
  return added;
}

/** Resolves with the id of the attachment. */
async function addFile(rpc: BridgeRpc, name: string, bytes: Buffer): Promise<string> {
  if (bytes.length <= maxPieceBytes) {
    const { attachment } = await rpc.call('attachment/add', { name, data: bytes.toString('base64') });
    return attachment.id;
  }
  const { uploadId } = await rpc.call('upload/begin', {});
  for (let at = 0; at < bytes.length; at += maxPieceBytes) {
    const data = bytes.subarray(at, at + maxPieceBytes).toString('base64');
    await rpc.call('upload/add', { uploadId, at, data });
  }
  const { attachment } = await rpc.call('attachment/add-upload', { name, uploadId });
  return attachment.id;
}
