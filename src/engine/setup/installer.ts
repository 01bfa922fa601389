/**
 * Puts a release into its folder: downloaded, checked against the checksum in the source before anything is unpacked,
 * unpacked beside its place and renamed into it. Whenever this is cut short, what lies there is whole or is cleaned away.
 */
import { createHash } from 'node:crypto';
import type { EngineDeps } from '../base/engine-deps.ts';
import { createDownloader } from './downloader.ts';
import type { SetupEdges } from './edges.ts';
import { diskFull, SetupFailure } from './setup-failure.ts';
import type { SetupFolders } from './setup-folders.ts';
import type { Release } from './release.ts';
import { createUnpack } from './unpack.ts';

export interface InstallReport {
  phase(phase: 'downloading' | 'verifying' | 'unpacking'): void;
  progress(receivedBytes: number, totalBytes: number | null): void;
}

export interface Installer {
  /** Resolves when the release's program is in its place; at once where it is already. */
  place(release: Release, report: InstallReport, signal: AbortSignal): Promise<void>;
  /** Absolute path; null = that version is not there as a whole. */
  programOf(version: string): Promise<string | null>;
  /** What an earlier download of this release left. */
  left(release: Release): Promise<{ receivedBytes: number; totalBytes: number | null } | null>;
  /** Away with drafts, half removed things, downloads of other releases and versions that are not named. */
  cleanUp(versions: readonly string[], release: Release | null): Promise<void>;
}

/** A release of Ollama grows about so much when it is unpacked. An estimate: the archive's own list says exactly. */
const growth = 2.5;

export function createInstaller(
  deps: Pick<EngineDeps, 'clock' | 'files' | 'machine'>,
  edges: SetupEdges,
  folders: SetupFolders,
): Installer {
  const { files } = edges;
  const downloader = createDownloader(deps.clock, edges, deps.files);
  const unpack = createUnpack(deps.machine, edges);
  const windows = deps.machine.platform === 'win32';

  const makeRoom = async (bytes: number): Promise<void> => {
    const free = await files.freeBytes(folders.root);
    if (free === null || free >= bytes) return;
    throw diskFull(`Ollama needs ${inGb(bytes)} in ${folders.root}, and ${inGb(free)} are free.`);
  };

  const programOf = async (version: string): Promise<string | null> => {
    const names = windows ? ['ollama.exe', 'bin/ollama.exe'] : ['bin/ollama', 'ollama'];
    for (const name of names) {
      const path = folders.file(version, name);
      if ((await files.size(path)) !== null) return path;
    }
    return null;
  };

  const left: Installer['left'] = async (release) => {
    const found = await downloader.partials.find(release.url, folders.download(release.asset));
    return found && { receivedBytes: found.receivedBytes, totalBytes: found.totalBytes };
  };

  const verify = async (archive: string, expected: string, signal: AbortSignal): Promise<void> => {
    const hash = createHash('sha256');
    for await (const chunk of files.readChunks(archive)) {
      signal.throwIfAborted();
      hash.update(chunk);
    }
    if (hash.digest('hex') === expected) return;
    await downloader.partials.forget(archive);
    throw new SetupFailure(
      'checksum_wrong',
      'The downloaded archive is not the one that Andiron expects: its checksum differs. It was deleted unopened.',
      'Try again. If it happens again, install Ollama from https://ollama.com/download.',
    );
  };

  const unpackInto = async (release: Release, archive: string, signal: AbortSignal): Promise<void> => {
    const draft = folders.draft(release.version);
    await files.remove(draft);
    try {
      await unpack({ archive, format: release.format, into: draft, signal, makeRoom });
      // A folder without its program is what a crash or a person left of it.
      await files.remove(folders.version(release.version));
      await files.rename(draft, folders.version(release.version));
    } catch (error) {
      await files.remove(draft);
      throw error;
    }
    if ((await programOf(release.version)) !== null) return;
    await files.remove(folders.version(release.version));
    throw new SetupFailure(
      'archive_broken',
      'The archive holds no program.',
      'Install Ollama from https://ollama.com/download.',
    );
  };

  return {
    programOf,
    left,
    async place(release, report, signal) {
      if ((await programOf(release.version)) !== null) return;
      const archive = folders.download(release.asset);
      const checksum = checksumOf(release.asset, edges.checksums);
      report.phase('downloading');
      await downloader.download({
        url: release.url,
        part: archive,
        signal,
        makeRoom: (total, received) => makeRoom(total === null ? 0 : total - received + total * growth),
        onProgress: (received, total) => report.progress(received, total),
      });
      report.phase('verifying');
      await verify(archive, checksum, signal);
      report.phase('unpacking');
      await unpackInto(release, archive, signal);
      await downloader.partials.forget(archive);
    },
    async cleanUp(versions, release) {
      await files.remove(folders.doomed);
      for (const name of await deps.files.list(folders.versions)) {
        if (!versions.includes(name)) await files.remove(folders.version(name));
      }
      const part = release && (await left(release)) ? `${release.asset}.part` : null;
      for (const name of await deps.files.list(folders.downloads)) {
        if (part === null || !name.startsWith(part)) await files.remove(folders.inDownloads(name));
      }
    },
  };
}

function inGb(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function checksumOf(asset: string, checksums: SetupEdges['checksums']): string {
  const checksum = Object.hasOwn(checksums, asset) ? checksums[asset] : undefined;
  if (checksum !== undefined) return checksum;
  throw new SetupFailure(
    'no_checksum',
    `Andiron does not know the checksum of ${asset}, so it does not download it.`,
    'Install Ollama from https://ollama.com/download.',
  );
}
