/** A stand-in of the release server on loopback, with everything that may go wrong on the way. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { once } from 'node:events';

export interface ReleaseServer {
  /** Under which the releases are. */
  url: string;
  /** By path below `url`; what is not here is 404. */
  files: Map<string, Buffer>;
  /** What was asked for, in order. */
  asked: { path: string; range: string | undefined }[];
  /** False = `Range` is ignored, as a simple server does. */
  ranges: boolean;
  /** False = no ETag and no date, so that nobody can tell one file from another. */
  validators: boolean;
  /** False = the length is not said. */
  lengths: boolean;
  /** Each archive reply takes the next: it says so many bytes and is cut once the client is known to have them. */
  cuts: number[];
  /** The client tells what it has of the file. */
  seen(bytes: number): void;
  /** Paths that are answered with a redirect. */
  redirects: Map<string, string>;
  /** Paths that are answered with a status alone. */
  refusals: Map<string, number>;
  /** While set, an archive reply says no more after its first half, until it resolves. */
  hold: Promise<void> | null;
  /** Calls back whenever an archive reply holds. */
  onHold: () => void;
  /** What Andiron expects of the archives, by file name. */
  checksums: Record<string, string>;
  /** Puts a release there; `checksum` is what Andiron expects of it. */
  publish(tag: string, asset: string, archive: Buffer, checksum?: string): void;
  /** Idempotent. */
  close(): Promise<void>;
}

export async function startReleaseServer(): Promise<ReleaseServer> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : 0)}`;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const { range } = request.headers;
    release.asked.push({ path, range });
    const location = release.redirects.get(path);
    if (location !== undefined) response.writeHead(302, { Location: location }).end();
    const file = release.files.get(path);
    const refusal = file ? release.refusals.get(path) : 404;
    if (location === undefined && refusal !== undefined) response.writeHead(refusal).end('no');
    if (response.writableEnded || !file) return;
    const from = startOf(request, file);
    const body = file.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      ...(release.validators && { ETag: etagOf(file) }),
      ...(release.lengths && { 'Content-Length': body.length }),
      ...(from > 0 && {
        'Content-Range': `bytes ${String(from)}-${String(file.length - 1)}/${String(file.length)}`,
      }),
    });
    await send(response, body, from);
  };

  const startOf = ({ headers }: IncomingMessage, file: Buffer): number => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const isSame = headers['if-range'] === undefined || headers['if-range'] === etagOf(file);
    return release.ranges && isSame && from < file.length ? from : 0;
  };

  /** What waits to be cut, and from how many bytes on. */
  let waiting: { response: ServerResponse; at: number } | undefined;

  const send = async (response: ServerResponse, body: Buffer, from: number): Promise<void> => {
    const cut = release.cuts.shift();
    if (cut !== undefined) {
      waiting = { response, at: from + cut };
      response.write(body.subarray(0, cut));
      return;
    }
    if (release.hold) {
      response.write(body.subarray(0, body.length / 2), () => release.onHold());
      await release.hold;
      response.end(body.subarray(body.length / 2));
    } else response.end(body);
  };

  const release: ReleaseServer = {
    url,
    files: new Map(),
    checksums: {},
    asked: [],
    ranges: true,
    validators: true,
    lengths: true,
    cuts: [],
    seen(bytes) {
      if (!waiting || bytes < waiting.at) return;
      waiting.response.destroy();
      waiting = undefined;
    },
    redirects: new Map(),
    refusals: new Map(),
    hold: null,
    onHold: () => undefined,
    publish(tag, asset, archive, checksum = sha256(archive)) {
      release.files.set(`/${tag}/${asset}`, archive);
      release.checksums[asset] = checksum;
    },
    async close() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return release;
}

function sha256(file: Buffer): string {
  return createHash('sha256').update(file).digest('hex');
}

function etagOf(file: Buffer): string {
  return `"${sha256(file).slice(0, 16)}"`;
}
