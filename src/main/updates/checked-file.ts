/** Is a file on the disk still the one that was signed? Between its download and its use lie hours. */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { UpdateFailure } from './failure.ts';

export interface CheckedFile {
  path: string;
  size: number;
  /** base64 */
  sha512: string;
}

const pieceBytes = 1024 * 1024;

/** Reads all of it, at once: while an app ends nothing can be waited for. Throws UpdateFailure. */
export function assertUnchanged({ path, size, sha512 }: CheckedFile): void {
  const hash = createHash('sha512');
  let isWhole: boolean;
  try {
    const file = openSync(path, 'r');
    try {
      isWhole = fstatSync(file).size === size;
      const piece = Buffer.allocUnsafe(pieceBytes);
      for (let left = isWhole ? size : 0; left > 0;) {
        const read = readSync(file, piece, 0, Math.min(left, pieceBytes), null);
        if (read === 0) break;
        hash.update(piece.subarray(0, read));
        left -= read;
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new UpdateFailure('wrong-hash', { cause: error });
  }
  if (!isWhole || hash.digest('base64') !== sha512) throw new UpdateFailure('wrong-hash');
}
