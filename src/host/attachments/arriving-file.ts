/** One file on its way from a window: its pieces, in order, into a temporary file. */
import type { Files, FileWriter } from '../../platform/files.ts';
import { AndironError } from '../../protocol/errors.ts';
import { maxImportBytes, maxPieceBytes } from '../../protocol/limits.ts';
import type { Connection } from '../../protocol/rpc-server.ts';

/** The window that sends it: no other one can add to it, use it or cancel it. */
export type Owner = Pick<Connection, 'onClose'>;

export interface UploadedFile {
  bytes: number;
  /** Each is there until the next one is asked for. */
  chunks(): AsyncIterable<Uint8Array>;
  /** All of it; rejects with `too_large` above `limit`. */
  read(limit: number): Promise<Uint8Array>;
}

type UploadFiles = Pick<Files, 'readBytes' | 'readChunks' | 'remove'>;

const chunkBytes = 64 * 1024;

/** It receives pieces until it is used; from then on it takes none. */
export class Upload {
  readonly owner: Owner;
  readonly #files: UploadFiles;
  readonly #path: string;
  #bytes = 0;
  #isUsed = false;
  /** null = it is closed. */
  #writer: FileWriter | null;
  /** Steps on the file, one after the other. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param writer of the file at `path`, which is empty */
  constructor(owner: Owner, files: UploadFiles, path: string, writer: FileWriter) {
    this.owner = owner;
    this.#files = files;
    this.#path = path;
    this.#writer = writer;
  }

  /** Rejects with `invalid_params` for a piece that does not follow the last one, or that makes the file too large. */
  async append(at: number, piece: Uint8Array): Promise<void> {
    const writer = this.#writer;
    if (writer === null || at !== this.#bytes) throw outOfOrder();
    if (piece.length === 0 || piece.length > maxPieceBytes) throw outOfOrder();
    if (this.#bytes + piece.length > maxImportBytes) throw tooLarge();
    this.#bytes += piece.length;
    await this.#inTurn(() => writer.append(piece));
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Once what is being written is there. From the call on it is used. */
  async use(): Promise<UploadedFile> {
    this.#isUsed = true;
    await this.#inTurn(() => this.#finish());
    return {
      bytes: this.#bytes,
      // One buffer for all: those of a large file would be there until they are collected.
      chunks: () => this.#files.readChunks(this.#path, Buffer.alloc(chunkBytes)),
      read: (limit) => this.#files.readBytes(this.#path, limit),
    };
  }

  /** After what is being written. */
  remove(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#finish();
      await this.#files.remove(this.#path);
    });
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const done = this.#last.then(step);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #finish(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    await writer?.close();
  }
}

const again = 'Try again.';

const outOfOrder = (): AndironError =>
  new AndironError('invalid_params', 'A piece of this file did not arrive as it was sent.', again);

const tooLarge = (): AndironError =>
  new AndironError(
    'invalid_params',
    `The file is larger than ${String(maxImportBytes / 1024 / 1024)} MB.`,
    'Choose a smaller file.',
  );
