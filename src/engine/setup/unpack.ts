/** Unpacks a checked archive with the platform's own `tar`; what it holds is listed and judged first. */
import { win32 } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { hasCode } from '../../platform/files.ts';
import type { Machine } from '../base/engine-deps.ts';
import type { SetupEdges } from './edges.ts';
import { SetupFailure } from './setup-failure.ts';
import { checkMembers, readMembers, unsafe, type TarFlavour } from './members.ts';
import type { ArchiveFormat } from './release.ts';

interface UnpackRequest {
  archive: string;
  format: ArchiveFormat;
  /** An empty folder of its own. */
  into: string;
  signal: AbortSignal;
  /** Told before anything is written; throws where there is no room. */
  makeRoom: (bytes: number) => Promise<void>;
}

export type Unpack = (request: UnpackRequest) => Promise<void>;

export function createUnpack(
  machine: Pick<Machine, 'platform' | 'env'>,
  { files, processes }: Pick<SetupEdges, 'files' | 'processes'>,
): Unpack {
  const tool = tarTool(machine);

  const tar = async (
    { archive, format, signal }: UnpackRequest,
    args: readonly string[],
  ): Promise<string> => {
    const source = format === 'zip' ? archive : '-';
    try {
      return await processes.run({
        command: tool.command,
        args: [...args, '-f', source],
        env: tool.env,
        input: format === 'zip' ? null : decompressed(files.readChunks(archive), format),
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof SetupFailure ? error : broken(error);
    }
  };

  return async (request) => {
    const listing = await tar(request, ['-t', '-v', ...tool.listing]);
    await request.makeRoom(checkMembers(readMembers(listing, tool.flavour)));
    await files.makeFolder(request.into);
    await tar(request, ['-x', '-C', request.into, '--no-same-owner', '--no-same-permissions']);
    await checkTree(files, request.into);
  };
}

interface TarTool {
  command: string;
  flavour: TarFlavour;
  /** Options that make its listing readable without doubt. */
  listing: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** By full path where the platform ships it: a GNU `tar` that comes first on a Windows PATH cannot read zip. */
export function tarTool({ platform, env }: Pick<Machine, 'platform' | 'env'>): TarTool {
  const plain = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC' };
  if (platform === 'linux') {
    const listing = ['--quoting-style=c', '--numeric-owner', '--full-time'];
    return {
      command: 'tar',
      flavour: 'gnu',
      listing,
      env: { ...plain, PATH: env['PATH'] ?? '/usr/bin:/bin' },
    };
  }
  if (platform !== 'win32') return { command: '/usr/bin/tar', flavour: 'bsd', listing: [], env: plain };
  const root = env['SystemRoot'] ?? env['SYSTEMROOT'] ?? String.raw`C:\Windows`;
  return {
    command: win32.join(root, 'System32', 'tar.exe'),
    flavour: 'bsd',
    listing: [],
    env: { ...plain, SystemRoot: root },
  };
}

function decompressed(
  packed: AsyncIterable<Uint8Array>,
  format: 'tar.zst' | 'tgz',
): AsyncIterable<Uint8Array> {
  const unpacker = format === 'tgz' ? createGunzip() : createZstdDecompress();
  // A failure destroys the unpacker with its error, and whoever reads it gets that.
  return pipeline(Readable.from(packed), unpacker, () => undefined);
}

/** Once more over what really lies there: nothing but files, folders and links that stay inside. */
async function checkTree(files: SetupEdges['files'], folder: string): Promise<void> {
  for await (const { path, kind, staysInside } of files.walk(folder)) {
    if (kind === 'other') throw unsafe(`${path} is neither file, folder nor link`);
    if (!staysInside) throw unsafe(`the link ${path} leads out of the folder`);
  }
}

function broken(error: unknown): SetupFailure {
  if (hasCode(error, 'ENOENT')) {
    return new SetupFailure(
      'no_tar',
      'The program tar, which unpacks the archive, is not there.',
      'Install tar, then try again.',
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new SetupFailure(
    'archive_broken',
    `The archive could not be unpacked: ${reason}`,
    'Try again; if it stays so, install Ollama from https://ollama.com/download.',
    { cause: error },
  );
}
