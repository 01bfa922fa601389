/** Files that a message takes along: read here, kept by the host. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { AndironError } from '../protocol/errors.ts';
import { maxAttachmentBytes } from '../protocol/attachment-limits.ts';
import { maxPieceBytes } from '../protocol/limits.ts';
import type { HostRpc } from './host-rpc.ts';

/** Resolves with the ids of the attachments, in the order of the paths. Rejects with AndironError. */
export async function sendFiles(rpc: HostRpc, paths: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const path of paths) ids.push(await sendBytes(rpc, basename(path), await readWhole(path)));
  return ids;
}

/** Resolves with the id of the attachment. Rejects with `cancelled` once the signal fires. */
export async function sendBytes(
  rpc: HostRpc,
  name: string,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<string> {
  const { attachment } =
    bytes.length <= maxPieceBytes
      ? await rpc.call('attachment/add', { name, data: bytes.toString('base64') }, signal)
      : await rpc.call('attachment/add-upload', { name, uploadId: await upload(rpc, bytes, signal) }, signal);
  return attachment.id;
}

async function upload(rpc: HostRpc, bytes: Buffer, signal?: AbortSignal): Promise<string> {
  const { uploadId } = await rpc.call('upload/begin', {}, signal);
  for (let at = 0; at < bytes.length; at += maxPieceBytes) {
    const data = bytes.subarray(at, at + maxPieceBytes).toString('base64');
    await rpc.call('upload/add', { uploadId, at, data }, signal);
  }
  return uploadId;
}

/** A device or a pipe could have no end, and a large file is refused before it is read. */
async function readWhole(path: string): Promise<Buffer> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile()) throw invalid(path, 'is not a file');
      if (about.size > maxAttachmentBytes) throw invalid(path, 'is too large');
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof AndironError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AndironError('attachment_invalid', `${path} cannot be read: ${reason}.`, 'Check the path.', {
      cause: error,
    });
  }
}

const invalid = (path: string, why: string): AndironError =>
  new AndironError('attachment_invalid', `${path} ${why}.`, 'Attach another file.');
