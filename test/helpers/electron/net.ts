/** Sessions by name, and requests of main. Each belongs to a session, the page's unless told, and asks its guard. */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { electron, needsReady } from './record.ts';
import { FakeSession } from './session.ts';

const partitions = new Map<string, FakeSession>();

export const session = {
  defaultSession: new FakeSession(),
  /** The same session for the same name; its options count only at the first time. */
  fromPartition(partition: string, _options?: { cache: boolean }): FakeSession {
    needsReady('session.fromPartition');
    if (partition === '') return session.defaultSession;
    const known = partitions.get(partition) ?? new FakeSession();
    partitions.set(partition, known);
    return known;
  },
};

export function forgetSessions(): void {
  partitions.clear();
  session.defaultSession.removeAllListeners();
  session.defaultSession.handlers = {};
}

interface RequestOptions {
  url: string;
  session?: FakeSession;
  partition?: string;
}

/** Electron's docs, api/client-request.md: of the default session unless `session` or `partition` names another. */
class FakeRequest extends EventEmitter {
  readonly #options: RequestOptions;
  #aborted = false;

  constructor(options: RequestOptions) {
    super();
    this.#options = options;
  }
  end(): void {
    queueMicrotask(() => this.#answer());
  }
  setHeader(): void {}
  followRedirect(): void {}
  abort(): void {
    this.#aborted = true;
    this.emit('abort');
  }
  #answer(): void {
    if (this.#aborted) return;
    const { url, partition = '' } = this.#options;
    const owner = this.#options.session ?? session.fromPartition(partition);
    if (!owner.lets(url)) this.emit('error', new Error('net::ERR_BLOCKED_BY_CLIENT'));
    else if (electron.web.size === 0) this.emit('error', new Error('net::ERR_INTERNET_DISCONNECTED'));
    else {
      const content = electron.web.get(url);
      const body = Readable.from(content === undefined ? [] : [Buffer.from(content)]);
      this.emit('response', Object.assign(body, { statusCode: content === undefined ? 404 : 200 }));
    }
  }
}

export const net = {
  request(options: RequestOptions): FakeRequest {
    needsReady('net.request');
    return new FakeRequest(options);
  },
};

/** The system's own; Squirrel on a Mac. */
export const autoUpdater = new EventEmitter();
