/** Files on their way to the host. */
import { maxPieceBytes } from '../../protocol/limits.ts';
import { composer as text } from '../text.ts';
import type { HostConnection } from './command.ts';

/** What of a file is used: a page reads no more of it at a time than one piece. */
export type UploadSource = Pick<Blob, 'size' | 'slice'>;

/** Sends a file that is too large for one request. Returns the upload's id; rejects when the host refuses a piece. */
export async function upload(host: HostConnection, source: UploadSource): Promise<string> {
  const { uploadId } = await host.call('upload/begin', {});
  try {
    for (let at = 0; at < source.size; at += maxPieceBytes) {
      const data = await base64Of(source.slice(at, at + maxPieceBytes));
      await host.call('upload/add', { uploadId, at, data });
    }
    return uploadId;
  } catch (error) {
    // A lost connection has ended it.
    await host.call('upload/cancel', { uploadId }).catch(() => undefined);
    throw error;
  }
}

export function base64Of(source: Blob): Promise<string> {
  const reader = new FileReader();
  return new Promise((resolve, reject) => {
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve(address.slice(address.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(new Error(text.files.words.unreadable)));
    reader.readAsDataURL(source);
  });
}
