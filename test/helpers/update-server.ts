/** A server of updates on 127.0.0.1 that can be told to misbehave, and a copy of Andiron that asks it. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppImageUpdater, Provider } from 'electron-updater';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { makeKeyPair, readPrivateKey, signFeed } from '../../scripts/feed-signing.ts';
import { holdToFeed } from '../../src/main/updates/checked-updater.ts';
import { UpdateFailure } from '../../src/main/updates/failure.ts';
import { openUpdateMemory } from '../../src/main/updates/update-record.ts';
import type { OpenWeb, WebLimits } from '../../src/main/updates/fetch-update.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface UpdateServer {
  origin: string;
  /** By path; what is not here is answered with 404. A text or bytes are answered whole. */
  answers: Map<string, Answer | string | Uint8Array>;
  close(): Promise<void>;
}

export async function startUpdateServer(): Promise<UpdateServer> {
  const answers = new Map<string, Answer | string | Uint8Array>();
  const server = createServer((request, response) => {
    const answer = answers.get((request.url ?? '').split('?')[0] ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'function') answer(request, response);
    else response.end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    answers,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** As main opens an address in Electron, here by Node's own means. */
export const openByFetch: OpenWeb = async (url, { signal, mayFollow }) => {
  for (let at = url, hops = 0; hops < 6; hops++) {
    const reply = await fetch(at, { redirect: 'manual', signal });
    const location = reply.headers.get('location');
    if (reply.status < 300 || reply.status >= 400 || location === null) {
      return { status: reply.status, body: reply.body ?? [] } as Awaited<ReturnType<OpenWeb>>;
    }
    at = new URL(location, at);
    if (!mayFollow(at)) throw new UpdateFailure('redirected');
  }
  throw new UpdateFailure('redirected');
};

/** An AppImage of a version: it runs, says its version, and has some weight. */
export const program = (version: string): Buffer =>
  Buffer.concat([Buffer.from(`#!/bin/sh\necho ${version}\nexit\n`), Buffer.alloc(300_000, version)]);

export interface FeedFile {
  url?: string;
  sha512?: string;
  size?: number;
}

/** As electron-builder writes it. */
export function feedText(version: string, content: Uint8Array, file: FeedFile = {}): string {
  const sha512 = file.sha512 ?? createHash('sha512').update(content).digest('base64');
  const url = file.url ?? `Andiron-${version}.AppImage`;
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${url}`,
    `    sha512: ${sha512}`,
    `    size: ${String(file.size ?? content.length)}`,
    `    blockMapSize: 1234`,
    `path: ${url}`,
    `sha512: ${sha512}`,
    `releaseDate: '2026-11-23T10:00:00.000Z'`,
    '',
  ].join('\n');
}

const keys = makeKeyPair();
export const publicKey = keys.publicKey;
export const privateKey = readPrivateKey(keys.privateKey);
export const feedName = process.arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${process.arch}.yml`;
export const signedAt = new Date('2026-11-23T10:00:00Z');

/** Puts a feed and its signature on the server. */
export function publish(
  server: UpdateServer,
  feed: string,
  { name = feedName, key = privateKey, at = signedAt } = {},
): void {
  server.answers.set(`/${name}`, feed);
  server.answers.set(`/${name}.sig`, signFeed(name, Buffer.from(feed), key, at));
}

/** An honest server with one new version. */
export function publishVersion(server: UpdateServer, version = '0.2.0', at = signedAt): void {
  const content = program(version);
  publish(server, feedText(version, content), { at });
  server.answers.set(`/Andiron-${version}.AppImage`, content);
}

export interface InstalledCopy {
  folder: string;
  appImage: string;
  updater: AppImageUpdater;
  /** What the AppImage says when it is started. */
  startedVersion(): string;
  /** A digest of everything in the data folder but the updates' own file. */
  dataDigest(): string;
  /** Of the download, in the cache. */
  downloads(): string[];
  remove(): void;
}

export interface CopyOptions {
  origin: string;
  folder?: string;
  channel?: string;
  limits?: Partial<WebLimits>;
  isTrusted?: (url: URL) => boolean;
  freeBytes?: number | null;
  /** Of another process that signs. */
  publicKey?: string;
}

/** A copy of version 0.1.0, with the real electron-updater. APPIMAGE must be set to its file. */
export function installCopy(options: CopyOptions): InstalledCopy {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'andiron-update-'));
  const appImage = join(folder, 'Andiron.AppImage');
  const data = join(folder, 'data');
  if (!existsSync(appImage)) {
    mkdirSync(join(data, 'desktop'), { recursive: true });
    writeFileSync(appImage, program('0.1.0'));
    chmodSync(appImage, 0o755);
    writeFileSync(join(data, 'andiron.db'), 'everything the person has');
    writeFileSync(join(folder, 'app-update.yml'), 'updaterCacheDirName: andiron-updater\n');
  }
  const updater = new AppImageUpdater(null, {
    version: '0.1.0',
    name: 'andiron',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: join(data, 'desktop'),
    baseCachePath: join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  });
  updater.logger = null;
  const { origin, channel = 'latest', limits, freeBytes = null } = options;
  const { port } = new URL(origin);
  holdToFeed(updater, { Provider, parseUpdateInfo }, '0.1.0', {
    source: {
      url: origin,
      channel,
      publicKey: options.publicKey ?? publicKey,
      platform: 'linux',
      arch: process.arch,
    },
    web: {
      open: openByFetch,
      limits: { smallMs: 20_000, idleMs: 20_000, wholeMs: 20_000, ...limits },
      isTrusted: options.isTrusted ?? ((url) => url.hostname === '127.0.0.1' && url.port === port),
    },
    memory: openUpdateMemory(join(data, 'desktop', 'updates.json')),
    freeBytes: () => Promise.resolve(freeBytes),
  });
  return {
    folder,
    appImage,
    updater,
    startedVersion: () => execFileSync(appImage, { encoding: 'utf8' }).trim(),
    dataDigest() {
      const hash = createHash('sha256');
      for (const name of readdirSync(data, { recursive: true }).map(String).toSorted()) {
        if (name.endsWith('updates.json')) continue;
        hash.update(`${name}\n`);
        if (name.includes('.')) hash.update(readFileSync(join(data, name)));
      }
      return hash.digest('hex');
    },
    downloads() {
      const pending = join(folder, 'cache', 'andiron-updater', 'pending');
      return existsSync(pending) ? readdirSync(pending) : [];
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
