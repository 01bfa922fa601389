/**
 * How other programs of the same person reach the agent host: a socket in its data folder, and no port. On Linux and macOS
 * the permissions of folder and socket are the proof of who connects; Node says nothing else about a peer. A pipe of
 * Windows can be opened by others, so there a secret is asked for, which lies in a private file.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemClock, type Clock } from './clock.ts';
import { hasCode } from './file-errors.ts';
import { pipeFromSocket } from './line-pipe.ts';
import type { Pipe } from './pipe.ts';
import { privateFileMode } from './private-data.ts';

export const socketFileName = 'host.sock';
/** Names the socket where it is not in the data folder, with the secret that it asks for. */
export const socketRecordName = 'host-socket.json';

/** Of a path in the system's structure for sockets, without the zero at its end. */
const maxPathBytes = { darwin: 103, linux: 107 };
const folderPrefix = 'andiron-socket-';

/** What may enter, in bytes and milliseconds; this room knows no protocol. */
interface SocketLimits {
  frameBytes: number;
  /** Before the secret was said. */
  signInBytes: number;
  signInMs: number;
  connections: number;
}

export interface ListenOptions {
  dataDir: string;
  limits: SocketLimits;
  platform?: NodeJS.Platform;
  clock?: Pick<Clock, 'after'>;
  /** Only tests choose for themselves: a place of another system. */
  choose?: typeof choosePlace;
  /** Somebody is let in. */
  onConnection: (pipe: Pipe) => void;
  /** How many are let in and have not gone, after each change. */
  onCount?: (connections: number) => void;
}

export interface LocalSocket {
  path: string;
  /** Ends all connections. Idempotent; never rejects. */
  close(): Promise<void>;
}

interface SocketRecord {
  path: string;
  /** null = the permissions are enough. */
  secret: string | null;
}

/** What may wait for a client that does not read. */
const maxBacklogBytes = 32 * 1024 * 1024;

/**
 * To be called by the holder of the data folder alone. A socket that a dead host left is replaced. Rejects where it cannot
 * listen, and where somebody else answers on the socket.
 */
export async function listenLocally(options: ListenOptions): Promise<LocalSocket> {
  const { dataDir, limits, platform = process.platform, clock = systemClock } = options;
  const { choose = choosePlace, onConnection, onCount = () => undefined } = options;
  removeLeftRecord(dataDir);
  const place = choose(dataDir, platform);
  const sockets = new Set<Socket>();
  let admitted = 0;

  const admit = (pipe: Pipe): void => {
    onCount((admitted += 1));
    pipe.onClose(() => onCount((admitted -= 1)));
    onConnection(pipe);
  };

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    let isSignedIn = place.secret === null;
    const pipe = pipeFromSocket(socket, {
      maxLineBytes: () => (isSignedIn ? limits.frameBytes : limits.signInBytes),
      maxBacklogBytes,
      readsOnlyWhenRead: true,
    });
    if (place.secret === null) {
      admit(pipe);
      return;
    }
    const { secret } = place;
    const late = clock.after(limits.signInMs, () => socket.destroy());
    pipe.onClose(() => late.cancel());
    pipe.onFrame((frame) => {
      late.cancel();
      isSignedIn = saysSecret(frame, secret);
      if (isSignedIn) admit(pipe);
      else socket.destroy();
    });
  });
  server.maxConnections = limits.connections;

  try {
    await listen(server, place.path);
    if (platform !== 'win32') chmodSync(place.path, privateFileMode);
    if (place.path !== join(dataDir, socketFileName)) writeRecord(dataDir, place);
  } catch (error) {
    server.close();
    if (dirname(place.path) !== dataDir) removeFolderOf(place.path);
    throw error;
  }
  // What goes wrong while it runs is no reason to end the host.
  server.on('error', () => undefined);
  return {
    path: place.path,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroySoon();
      removeLeftRecord(dataDir);
      await closed;
    },
  };
}

/**
 * Resolves with a pipe to the host of this data folder; null = none listens there.
 * @param maxFrameBytes of one answer
 */
export async function connectLocally(dataDir: string, maxFrameBytes: number): Promise<Pipe | null> {
  const { path, secret } = readRecord(dataDir) ?? { path: join(dataDir, socketFileName), secret: null };
  // Whoever may write into a shared data folder could answer in the host's place.
  if (secret === null && !isOwnSocket(path)) return null;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    if (isNobody(error)) return null;
    throw error;
  }
  const pipe = pipeFromSocket(socket, {
    maxLineBytes: () => maxFrameBytes,
    maxBacklogBytes: Infinity,
    readsOnlyWhenRead: false,
  });
  if (secret !== null) pipe.send({ type: 'sign-in', secret });
  return pipe;
}

function choosePlace(dataDir: string, platform: NodeJS.Platform): SocketRecord {
  if (platform === 'win32') {
    const name = `\\\\.\\pipe\\andiron-${randomBytes(16).toString('hex')}`;
    return { path: name, secret: randomBytes(32).toString('base64url') };
  }
  const max = platform === 'linux' ? maxPathBytes.linux : maxPathBytes.darwin;
  const isShort = (path: string): boolean => Buffer.byteLength(path) <= max;
  const own = join(dataDir, socketFileName);
  if (isShort(own)) return { path: own, secret: null };
  const parent = [tmpdir(), '/tmp'].find((each) =>
    isShort(join(each, `${folderPrefix}XXXXXX`, socketFileName)),
  );
  if (parent === undefined) throw new Error('no folder has a path that is short enough for a socket');
  return { path: join(mkdtempSync(join(parent, folderPrefix)), socketFileName), secret: null };
}

async function listen(server: Server, path: string): Promise<void> {
  try {
    await begin(server, path);
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    if (!isSocket(path)) throw error;
    if (await answers(path)) throw new Error(`another program answers on ${path}`, { cause: error });
    rmSync(path);
    await begin(server, path);
  }
}

async function begin(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  server.listen(path);
  await listening;
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch (error) {
    // What cannot be told counts as somebody: a living socket is never replaced.
    return !isNobody(error);
  } finally {
    socket.destroy();
  }
}

const isNobody = (error: unknown): boolean => hasCode(error, 'ECONNREFUSED') || hasCode(error, 'ENOENT');

const isSocket = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;

function isOwnSocket(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === process.getuid?.();
}

function saysSecret(frame: unknown, secret: string): boolean {
  if (typeof frame !== 'object' || frame === null || !('secret' in frame)) return false;
  if (typeof frame.secret !== 'string') return false;
  const [said, expected] = [Buffer.from(frame.secret), Buffer.from(secret)];
  return said.length === expected.length && timingSafeEqual(said, expected);
}

function writeRecord(dataDir: string, record: SocketRecord): void {
  const path = join(dataDir, socketRecordName);
  writeFileSync(path, JSON.stringify(record), { flag: 'wx', mode: privateFileMode });
}

/** null = there is none, or it cannot be read. */
function readRecord(dataDir: string): SocketRecord | null {
  try {
    const { path, secret } = JSON.parse(
      readFileSync(join(dataDir, socketRecordName), 'utf8'),
    ) as Partial<SocketRecord>;
    return typeof path === 'string' ? { path, secret: typeof secret === 'string' ? secret : null } : null;
  } catch {
    return null;
  }
}

function removeLeftRecord(dataDir: string): void {
  const left = readRecord(dataDir);
  if (left) removeFolderOf(left.path);
  rmSync(join(dataDir, socketRecordName), { force: true });
}

/** Nothing but a socket in a folder of our own making, which must be empty without it. */
function removeFolderOf(path: string): void {
  const folder = dirname(path);
  if (basename(path) !== socketFileName || !basename(folder).startsWith(folderPrefix)) return;
  if (folder === path || !isPrivateFolder(folder)) return;
  try {
    if (isSocket(path)) rmSync(path);
    rmdirSync(folder);
  } catch {
    // It is no trouble where it stays.
  }
}

function isPrivateFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
}
