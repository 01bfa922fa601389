/** Sends a file to the host as a window does. */
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { maxPieceBytes } from '../../src/protocol/limits.ts';
import type { RpcClient } from '../../src/protocol/rpc-client.ts';

type Rpc = Pick<RpcClient<HostMethods>, 'call'>;

export async function upload(rpc: Rpc, content: Uint8Array | string): Promise<string> {
  const bytes = Buffer.from(content);
  const { uploadId } = await rpc.call('upload/begin', {});
  for (let at = 0; at < bytes.length; at += maxPieceBytes) {
    const data = bytes.subarray(at, at + maxPieceBytes).toString('base64');
    await rpc.call('upload/add', { uploadId, at, data });
  }
  return uploadId;
}

export async function importFile(rpc: Rpc, content: Uint8Array | string) {
  return rpc.call('session/import-upload', { uploadId: await upload(rpc, content) });
}
