/**
 * electron-updater, held to the signed feed. It compares versions, keeps the download and starts the installer; what it
 * reads from the network goes through here. Its own downloader has no limits, follows every redirect and sends an id.
 */
import { dirname } from 'node:path';
import type { AppUpdater, ResolvedUpdateFileInfo, UpdateInfo } from 'electron-updater';
import type {
  parseUpdateInfo,
  Provider,
  ProviderRuntimeOptions,
} from 'electron-updater/out/providers/Provider.js';
import { UpdateFailure } from './failure.ts';
import { feedFileName, maxFeedBytes, maxSignatureBytes, readFeed, verifyFeed, type Feed } from './feed.ts';
import type { UpdateMemory } from './update-record.ts';
import { downloadFile, readSmall, type UpdateWeb } from './fetch-update.ts';

interface FeedSource {
  /** The folder of feeds and files, an absolute address. */
  url: string;
  channel: string;
  /** base64 of an Ed25519 key (SPKI, DER). */
  publicKey: string;
  platform: NodeJS.Platform;
  arch: string;
}

export interface CheckedUpdaterDeps {
  source: FeedSource;
  web: UpdateWeb;
  memory: UpdateMemory;
  /** Bytes that may be used in the file system of a folder; null = the system does not say. */
  freeBytes: (folder: string) => Promise<number | null>;
}

/** Loaded by whoever calls: not before the first check. */
interface Library {
  Provider: typeof Provider;
  parseUpdateInfo: typeof parseUpdateInfo;
}

/** Nobody is counted: without it electron-updater makes an id and keeps it in a file. */
const noStagingId = { value: Promise.resolve('') };

/**
 * Prepares an updater of electron-updater. Only `checkForUpdates` and its download are changed.
 * @param version that runs now
 */
export function holdToFeed(
  updater: AppUpdater,
  library: Library,
  version: string,
  deps: CheckedUpdaterDeps,
): void {
  const base = new URL(deps.source.url.endsWith('/') ? deps.source.url : `${deps.source.url}/`);
  const expected = new Map<string, Feed['files'][number]>();

  class SignedProvider extends library.Provider<UpdateInfo> {
    constructor(_configuration: unknown, _updater: unknown, options: ProviderRuntimeOptions) {
      super(options);
    }
    async getLatestVersion(): Promise<UpdateInfo> {
      const feed = await latestFeed(base, library, version, deps);
      expected.clear();
      for (const file of feed.files) expected.set(new URL(file.url, base).href, file);
      const [{ url: path, sha512 }] = feed.files as [Feed['files'][number]];
      return { ...feed, path, sha512, releaseDate: '' };
    }
    resolveFiles(info: UpdateInfo): ResolvedUpdateFileInfo[] {
      return info.files.map((file) => ({ url: new URL(file.url, base), info: file }));
    }
  }

  const download = async (url: URL, destination: string): Promise<string> => {
    const file = expected.get(url.href);
    if (!file) throw new UpdateFailure('unreadable');
    // The installer unpacks about twice its size.
    const free = await deps.freeBytes(dirname(destination));
    if (free !== null && free < file.size * 3) throw new UpdateFailure('disk-full');
    await downloadFile(deps.web, url, destination, file);
    return destination;
  };
  // Block maps are not in the signed feed, and reading them has no bound; whole files are checked while they come.
  updater.disableDifferentialDownload = true;
  updater.disableWebInstaller = true;
  updater.allowDowngrade = false;
  updater.setFeedURL({ provider: 'custom', updateProvider: SignedProvider });
  Object.assign(updater, { httpExecutor: { download }, stagingUserIdPromise: noStagingId });
}

async function latestFeed(
  base: URL,
  { parseUpdateInfo }: Library,
  version: string,
  { source, web, memory }: CheckedUpdaterDeps,
): Promise<Feed> {
  const file = feedFileName(source.channel, source.platform, source.arch);
  const url = new URL(file, base);
  const feed = await readSmall(web, url, maxFeedBytes);
  if (!feed) throw new UpdateFailure('no-feed');
  const signature = await readSmall(web, new URL(`${file}.sig`, base), maxSignatureBytes);
  if (!signature) throw new UpdateFailure('unsigned');
  const issuedAt = verifyFeed({ feed, signature }, file, source.publicKey);
  const content = readFeed(parsed(() => parseUpdateInfo(Buffer.from(feed).toString('utf8'), file, url)));
  await memory.accept(file, issuedAt);
  if (isOlder(content.version, version)) throw new UpdateFailure('older');
  return content;
}

function parsed(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw new UpdateFailure('unreadable', { cause: error });
  }
}

/** Of two versions with the same numbers the one with a pre-release part is older; electron-updater decides the rest. */
function isOlder(offered: string, running: string): boolean {
  const [a, b] = [offered, running].map((each) => {
    const [numbers = '', pre] = each.split(/-(.*)/s);
    return [...numbers.split('.').map(Number), pre === undefined ? 1 : 0];
  }) as [number[], number[]];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
