import type { Connection } from '../connection/connection.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import { placeOf, type BroughtPlace } from './brought-file.ts';

/** What is kept of them, in characters: a few of the largest or hundreds of screenshots. */
const kept = 64 * 1024 * 1024;

/** Reads attached files, each once for as long as there is room: a transcript draws them again as it scrolls. */
export function createAttachedFiles(
  host: Connection<HostMethods>,
): (attachmentId: string) => Promise<string> {
  const addresses = new Map<string, string>();
  const read = async (attachmentId: string): Promise<string> => {
    const { mime, data } = await readFrom(host, attachmentId, placeOf(attachmentId));
    // The page's policy lets in no picture of another kind of address.
    return `data:${mime};base64,${data}`;
  };
  const makeRoom = (): void => {
    let size = [...addresses.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [id, { length }] of addresses) {
      if (size <= kept || addresses.size === 1) return;
      addresses.delete(id);
      size -= length;
    }
  };
  return async (attachmentId) => {
    const known = addresses.get(attachmentId);
    if (known !== undefined) return known;
    const address = await read(attachmentId);
    // It may be written again at any time.
    if (placeOf(attachmentId)) return address;
    addresses.set(attachmentId, address);
    makeRoom();
    return address;
  };
}

function readFrom(
  host: Connection<HostMethods>,
  attachmentId: string,
  place: BroughtPlace | null,
): Promise<{ mime: string; data: string }> {
  if (place === null) return host.call('attachment/read', { attachmentId });
  const { sessionId } = place;
  return place.kind === 'result'
    ? host.call('file/read-result', { sessionId, fileId: place.fileId })
    : host.call('file/read-picture', { sessionId, path: place.path });
}

/** What such an address holds. */
export function bytesOf(address: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));
}
