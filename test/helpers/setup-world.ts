/** An engine room that may set up Ollama, in a folder of its own, with a stand-in of the release server. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEngine, createOllamaApi, nodeFiles, nodeSetupEdges } from '../../src/engine/index.ts';
import type { SetupEdges } from '../../src/engine/setup/edges.ts';
import { releaseFor } from '../../src/engine/setup/release.ts';
import { compress, fakeRelease, packTar, type Tree } from '../../src/engine/setup/testing/archives.ts';
import { startReleaseServer, type ReleaseServer } from '../../src/engine/setup/testing/release-server.ts';
import { fakeMachine, fakeProcesses } from '../../src/engine/testing/fakes.ts';
import { randomId, systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import type { Setup } from '../../src/protocol/engine-room.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import type { EngineState } from '../../src/protocol/model.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';

export const usual = 'http://127.0.0.1:11434';
export const version = '0.40.2';
const place = { platform: process.platform, arch: process.arch };
const release = releaseFor(place, '');
export const asset = release?.asset ?? '';
export const format = release?.format ?? 'tgz';

/** What setting up is done with, in parts. */
export interface Replaced {
  files?: Partial<SetupEdges['files']>;
  processes?: Partial<SetupEdges['processes']>;
}

export class SetupWorld {
  readonly server: ReleaseServer;
  readonly folder: string;
  /** Done in reverse order at the end. */
  readonly cleanUps: (() => unknown)[] = [];

  private constructor(server: ReleaseServer, folder: string) {
    this.server = server;
    this.folder = folder;
  }

  static async create(): Promise<SetupWorld> {
    const server = await startReleaseServer();
    server.checksums[asset] = 'f'.repeat(64);
    return new SetupWorld(server, await mkdtemp(join(tmpdir(), 'andiron-setup-')));
  }

  async close(): Promise<void> {
    for (const cleanUp of this.cleanUps.splice(0).toReversed()) await cleanUp();
    await this.server.close();
    await rm(this.folder, { recursive: true });
  }

  at(...names: string[]): string {
    return join(this.folder, 'ollama', ...names);
  }

  publish(tree: Tree = fakeRelease({ version })): void {
    this.server.publish(`v${version}`, asset, packRelease(tree));
  }

  asksFor(name: string): number {
    return this.server.asked.filter(({ path }) => path.endsWith(name)).length;
  }

  /** What `engine.json` holds of our own Ollama. */
  async kept(): Promise<{ own: { child: { pid: number } } }> {
    return JSON.parse(await readFile(join(this.folder, 'engine.json'), 'utf8')) as {
      own: { child: { pid: number } };
    };
  }

  async pidOf(): Promise<number> {
    return (await this.kept()).own.child.pid;
  }

  /** The server holds the archive in its middle until the returned function is called. */
  holdArchive(): () => void {
    const held = Promise.withResolvers<void>();
    this.server.hold = held.promise;
    return () => {
      this.server.hold = null;
      held.resolve();
    };
  }

  /** Tells the server what has been written, so that it cuts what is to be cut, until there are `bytes`. */
  async untilSeen(bytes: number): Promise<void> {
    const part = this.at('downloads', `${asset}.part`);
    for (let size = 0; size < bytes; await new Promise((resolve) => setImmediate(resolve))) {
      size = await stat(part).then(
        (found) => found.size,
        () => 0,
      );
      this.server.seen(size);
    }
  }

  /** An older version, as an older Andiron set it up. */
  async withOld(tree = fakeRelease({ version: '0.39.0' }, { 'lib/ollama/old.so': 'old' })): Promise<void> {
    const folder = this.at('versions', '0.39.0');
    await mkdir(folder, { recursive: true });
    execFileSync('tar', ['-x', '-C', folder, '-f', '-'], { input: packTar(tree) });
    const own = {
      version: '0.39.0',
      previous: null,
      port: null,
      modelsFolder: this.at('models'),
      child: null,
    };
    const kept = { version: 1, keepAlive: 'while_open', models: {}, own };
    await writeFile(join(this.folder, 'engine.json'), JSON.stringify(kept));
  }

  open({ files, processes }: Replaced = {}) {
    const api = createOllamaApi(systemClock);
    const engine = createEngine({
      clock: systemClock,
      log: silentLog,
      newId: randomId,
      // Whatever this machine has at the usual address is not looked at.
      ollama: {
        ...api,
        version: (url, signal) =>
          url === usual
            ? Promise.reject(new AndironError('engine_unavailable', 'Nobody is there.'))
            : api.version(url, signal),
      },
      processes: fakeProcesses(),
      files: nodeFiles,
      machine: fakeMachine({
        ...place,
        env: { PATH: process.env['PATH'] },
        homeDir: join(this.folder, 'ada'),
      }),
      dataFile: join(this.folder, 'engine.json'),
      simulated: false,
      url: null,
      setup: {
        releasesUrl: this.server.url,
        checksums: this.server.checksums,
        fetch: nodeSetupEdges.fetch,
        files: { ...nodeSetupEdges.files, ...files },
        processes: { ...nodeSetupEdges.processes, ...processes },
      },
    });
    const stop = () => engine.stop();
    this.cleanUps.push(stop);
    const [here, there] = createTransportPair();
    engine.connect(there);
    const client = createRpcClient<EngineMethods>(here);
    const until = (ready: (state: EngineState) => boolean): Promise<EngineState> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!ready(engine.state())) return;
          unlisten();
          resolve(engine.state());
        };
        const unlisten = engine.onChange(look);
        look();
      });
    const phase = (wanted: NonNullable<Setup['job']>['phase']) =>
      until(({ setup }) => setup.job?.phase === wanted).then(({ setup }) => setup);
    const runsOwn = () => until(({ status }) => status.kind === 'running' && status.own === true);
    const begin = () => client.call('setup/begin', {});
    const cancel = () => client.call('setup/cancel', {});
    const remove = (models = false) => client.call('setup/remove', { models });
    const setUp = async () => {
      await begin();
      await until(({ setup }) => setup.job === null || setup.job.phase === 'failed');
      await runsOwn();
    };
    /** Waits for the model, leases it, and returns how it is given back. */
    const lease = async (model: string): Promise<() => Promise<unknown>> => {
      await until(({ models }) => models.some(({ name }) => name === model));
      const wish = { model, contextTokens: 8_192, purpose: 'turn', label: 'a turn' } as const;
      const { leaseId } = await client.call('lease/acquire', wish);
      return () => client.call('lease/release', { leaseId });
    };
    return { engine, until, phase, runsOwn, begin, cancel, remove, setUp, stop, lease };
  }
}

export const packRelease = (tree: Tree): Buffer => compress(packTar(tree), format);

export const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => []);

export const urlOf = ({ status }: EngineState): string => (status.kind === 'running' ? status.url : '');

/** A release whose program is the simulated Ollama. */
export function simRelease(version: string): Tree {
  const sim = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'sim', 'index.ts')).href;
  const serve = `
    import { startSim } from ${JSON.stringify(sim)};
    const port = Number(process.env.OLLAMA_HOST.split(':')[1]);
    await startSim({ port, version: ${JSON.stringify(version)}, speed: 1_000 });
  `;
  return { ...fakeRelease({ version }), 'lib/ollama/serve.mjs': serve };
}

/** Text that does not get smaller. */
export function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (seed % 90));
  }).join('');
}
