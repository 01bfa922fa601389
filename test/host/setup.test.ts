/** Setting up Ollama from end to end: the real engine, real files and processes, a stand-in of the release server. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEngine, createOllamaApi, nodeFiles, nodeSetupEdges } from '../../src/engine/index.ts';
import type { SetupEdges } from '../../src/engine/setup/edges.ts';
import { releaseFor } from '../../src/engine/setup/release.ts';
import { compress, fakeRelease, packTar, type Tree } from '../../src/engine/setup/testing/archives.ts';
import { startReleaseServer, type ReleaseServer } from '../../src/engine/setup/testing/release-server.ts';
import { failureOf, fakeMachine, fakeProcesses } from '../../src/engine/testing/fakes.ts';
import { randomId, systemClock } from '../../src/platform/clock.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { EngineMethods } from '../../src/protocol/engine-methods.ts';
import type { Setup } from '../../src/protocol/engine-room.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import type { EngineState } from '../../src/protocol/model.ts';
import { createRpcClient } from '../../src/protocol/rpc-client.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';

const usual = 'http://127.0.0.1:11434';
const version = '0.40.2';
const place = { platform: process.platform, arch: process.arch };
const release = releaseFor(place, '');
if (!release) throw new Error('There is no release for this machine.');
const { asset, format } = release;
// On Windows a release is a zip, which no tool that is everywhere can put together.
const onPosix = test.skipIf(process.platform === 'win32');

let server: ReleaseServer;
let folder: string;
const cleanUps: (() => unknown)[] = [];

beforeEach(async () => {
  server = await startReleaseServer();
  folder = await mkdtemp(join(tmpdir(), 'andiron-setup-'));
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  await server.close();
  await rm(folder, { recursive: true });
});

const pack = (tree: Tree) => compress(packTar(tree), format);
const publish = (tree: Tree = fakeRelease({ version })) => server.publish(`v${version}`, asset, pack(tree));

interface World {
  /** Replaces parts of what setting up is done with. */
  files?: Partial<SetupEdges['files']>;
  processes?: Partial<SetupEdges['processes']>;
}

function open({ files, processes }: World = {}) {
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
    machine: fakeMachine({ ...place, env: { PATH: process.env['PATH'] }, homeDir: join(folder, 'ada') }),
    dataFile: join(folder, 'engine.json'),
    simulated: false,
    url: null,
    setup: {
      releasesUrl: server.url,
      fetch: nodeSetupEdges.fetch,
      files: { ...nodeSetupEdges.files, ...files },
      processes: { ...nodeSetupEdges.processes, ...processes },
    },
  });
  const stop = () => engine.stop();
  cleanUps.push(stop);
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
  return { engine, until, phase, runsOwn, begin, cancel, remove, setUp, stop, client };
}

const at = (...names: string[]) => join(folder, 'ollama', ...names);
const namesIn = (path: string) => readdir(path).catch(() => []);
const asksFor = (name: string) => server.asked.filter(({ path }) => path.endsWith(name)).length;
const urlOf = ({ status }: EngineState): string => (status.kind === 'running' ? status.url : '');
const pidOf = async (): Promise<number> => {
  const kept = JSON.parse(await readFile(join(folder, 'engine.json'), 'utf8')) as {
    own: { child: { pid: number } };
  };
  return kept.own.child.pid;
};

onPosix('never unasked: it is offered, and nobody is asked for anything', async () => {
  publish();
  const { until } = open();
  const { setup, hosts } = await until(({ status }) => status.kind === 'absent');
  expect(setup).toMatchObject({
    offer: { version, url: `${server.url}/v${version}/${asset}`, folder: at(), downloadBytes: null },
    installed: null,
    job: null,
  });
  expect(hosts).toEqual([{ url: usual, origin: 'default', standing: 'silent', version: null }]);
  expect(server.asked).toEqual([]);
});

onPosix('set up: downloaded, checked, unpacked, started, and used', async () => {
  publish();
  const { setUp, engine } = open();
  await setUp();
  const { setup, status, hosts } = engine.state();
  expect(setup).toMatchObject({ installed: { version, folder: at('versions', version) }, job: null });
  expect(setup.installed?.sizeBytes).toBeGreaterThan(100);
  expect(status).toMatchObject({ kind: 'running', own: true, version, exposed: null });
  expect(hosts[0]).toMatchObject({ origin: 'own', standing: 'in_use', version });
  expect(await namesIn(at('versions'))).toEqual([version]);
  expect(await namesIn(at('downloads'))).toEqual([]);
  expect(await readFile(join(folder, 'logs', 'ollama.log'), 'utf8')).toContain('Listening on 127.0.0.1:');
});

onPosix('the child sees its own home and models, and nothing of ours', async () => {
  publish();
  const { setUp, engine } = open();
  await setUp();
  const env = (await (await fetch(`${urlOf(engine.state())}/env`)).json()) as Record<string, string>;
  expect(env).toMatchObject({ HOME: at('home'), OLLAMA_MODELS: at('models'), OLLAMA_NO_CLOUD: '1' });
  expect(Object.keys(env).filter((name) => name.startsWith('VITEST'))).toEqual([]);
  expect(engine.state().setup.models).toEqual({ folder: at('models'), own: true });
});

onPosix('models that the person has already are used, said, and never removed', async () => {
  publish();
  const persons = join(folder, 'ada', '.ollama', 'models');
  await mkdir(join(persons, 'manifests'), { recursive: true });
  const { setUp, engine, remove } = open();
  await setUp();
  expect(engine.state().setup.models).toEqual({ folder: persons, own: false });
  await remove(true);
  expect(await namesIn(persons)).toEqual(['manifests']);
});

onPosix('stopped with Andiron, and started with it again at the same port', async () => {
  publish();
  const first = open();
  await first.setUp();
  const url = urlOf(first.engine.state());
  await first.stop();
  await expect(fetch(url)).rejects.toThrow();
  const asked = server.asked.length;
  expect(urlOf(await open().runsOwn())).toBe(url);
  expect(server.asked).toHaveLength(asked);
});

onPosix('a child that ignores the polite signal is made to end', async () => {
  publish(fakeRelease({ version, stubborn: true }));
  const ended: boolean[] = [];
  const { setUp, stop, engine } = open({
    processes: {
      end(pid, force) {
        ended.push(force);
        // Ten seconds of patience are for a model that unloads; this one has none.
        nodeSetupEdges.processes.end(pid, force);
        if (!force) nodeSetupEdges.processes.end(pid, true);
      },
    },
  });
  await setUp();
  const url = urlOf(engine.state());
  await stop();
  expect(ended[0]).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
});

onPosix('a child that dies is started again', async () => {
  publish();
  const { setUp, until, runsOwn } = open();
  await setUp();
  process.kill(await pidOf(), 'SIGKILL');
  await until(({ status }) => status.kind !== 'running');
  expect(urlOf(await runsOwn())).not.toBe('');
});

onPosix('a child that outlived a crash of Andiron is used on', async () => {
  publish();
  // A crash: nobody says goodbye to the child.
  const crashed = open({ processes: { end: () => undefined } });
  await crashed.setUp();
  const url = urlOf(crashed.engine.state());
  const pid = await pidOf();
  cleanUps.push(() => nodeSetupEdges.processes.end(pid, true));
  const second = open({
    processes: { serve: () => Promise.reject(new Error('a second child was started')) },
  });
  expect(urlOf(await second.runsOwn())).toBe(url);
  expect(await pidOf()).toBe(pid);
});

onPosix(
  "a port that somebody else took is left to them, and so is whoever has the child's old number",
  async () => {
    publish();
    const first = open();
    await first.setUp();
    const url = urlOf(first.engine.state());
    await first.stop();
    const kept = JSON.parse(await readFile(join(folder, 'engine.json'), 'utf8')) as { own: object };
    // This process has the old child's number now, and began at another time.
    const own = { ...kept.own, child: { pid: process.pid, identity: 'long ago' } };
    await writeFile(join(folder, 'engine.json'), JSON.stringify({ ...kept, own }));
    const stranger = (await import('node:http')).createServer((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ version }));
    });
    await new Promise<void>((resolve) => {
      stranger.listen(Number(new URL(url).port), '127.0.0.1', resolve);
    });
    cleanUps.push(() => stranger.close());
    const state = await open().runsOwn();
    expect(urlOf(state)).not.toBe(url);
  },
);

onPosix('a program that cannot start says why, and keeps what was set up', async () => {
  publish(fakeRelease({ version, dies: 'error while loading shared libraries: libcuda.so.1' }));
  const { begin, phase, engine, until } = open();
  await begin();
  const { job, installed } = await phase('failed');
  expect(job?.problem).toMatchObject({
    message: expect.stringContaining('libcuda.so.1'),
    advice: expect.stringContaining('ollama.log'),
  });
  expect(installed?.version).toBe(version);
  await until(({ status }) => status.kind === 'stopped');
  expect(engine.state().status).toMatchObject({ canStart: true, program: at('versions', version) });
});

onPosix('a wrong checksum: nothing is unpacked, and the archive is deleted', async () => {
  server.publish(`v${version}`, asset, pack(fakeRelease({ version })), 'f'.repeat(64));
  const { begin, phase } = open();
  await begin();
  const { job, installed } = await phase('failed');
  expect(job?.problem).toMatchObject({ code: 'checksum_wrong', message: expect.stringContaining('deleted') });
  expect(installed).toBeNull();
  expect(await namesIn(at('versions'))).toEqual([]);
  expect(await namesIn(at('downloads'))).toEqual([]);
});

onPosix('without a published checksum nothing is even downloaded', async () => {
  publish();
  server.files.delete(`/v${version}/sha256sum.txt`);
  const { begin, phase } = open();
  await begin();
  expect((await phase('failed')).job?.problem?.code).toBe('no_checksum');
  expect(asksFor(asset)).toBe(0);
});

onPosix('an archive that is not published is said at once', async () => {
  publish();
  server.files.delete(`/v${version}/${asset}`);
  const { begin, phase } = open();
  await begin();
  expect((await phase('failed')).job?.problem?.code).toBe('not_published');
});

onPosix('a release server that is not there is said with what to do', async () => {
  const { begin, phase } = open();
  await server.close();
  await begin();
  const { job } = await phase('failed');
  expect(job?.problem).toMatchObject({ code: 'offline', advice: expect.stringContaining('network') });
  server = await startReleaseServer();
});

onPosix('a broken archive is refused, whatever its checksum says', async () => {
  const whole = pack(fakeRelease({ version }, { 'lib/ollama/noise': noise(50_000) }));
  server.publish(`v${version}`, asset, whole.subarray(0, whole.length / 2));
  const { begin, phase } = open();
  await begin();
  expect((await phase('failed')).job?.problem?.code).toBe('archive_broken');
  expect(await namesIn(at('versions'))).toEqual([]);
});

onPosix('an archive without a program is refused', async () => {
  publish({ 'README.md': 'nothing to see here' });
  const { begin, phase } = open();
  await begin();
  expect((await phase('failed')).job?.problem?.code).toBe('archive_broken');
  expect(await namesIn(at('versions'))).toEqual([]);
});

onPosix.each([
  ['a path that leads out', () => packTar({ 'a/b': 'x' }, ['-P', '-s', ',a/b,../../evil,'], ['a/b'])],
  ['a link that leads out', () => packTar({ 'lib/x': { link: '../../../evil' } })],
] as const)('%s is refused before anything is written', async (_, makeBsd) => {
  const isGnu = process.platform === 'linux';
  const tar =
    isGnu && _.startsWith('a path')
      ? packTar({ 'a/b': 'x' }, ['-P', '--transform=s,a/b,../../evil,'], ['a/b'])
      : makeBsd();
  server.publish(`v${version}`, asset, compress(tar, format));
  const { begin, phase } = open();
  await begin();
  expect((await phase('failed')).job?.problem?.code).toBe('archive_unsafe');
  expect(await namesIn(at('versions'))).toEqual([]);
  expect(await namesIn(folder)).not.toContain('evil');
});

onPosix('a connection that is cut in the middle is taken up again', async () => {
  publish(fakeRelease({ version }, { 'lib/ollama/noise': noise(400_000) }));
  server.cuts = [100_000];
  const { setUp, engine } = open();
  const unlisten = engine.onChange(({ setup }) => server.seen(setup.job?.receivedBytes ?? 0));
  // What the window is told comes at its own pace; the sink sees every byte.
  await Promise.all([setUp(), untilSeen()]);
  unlisten();
  expect(asksFor(asset)).toBe(2);
});

onPosix('a disk that is too full is said before a byte is downloaded', async () => {
  publish();
  const { begin, phase } = open({ files: { freeBytes: () => Promise.resolve(100) } });
  await begin();
  const { job } = await phase('failed');
  expect(job?.problem).toMatchObject({ code: 'disk_full', message: expect.stringContaining('are free') });
  expect(await namesIn(at('downloads'))).toEqual([]);
});

onPosix(
  'cancelled while it downloads, it is paused, and goes on later, also in another Andiron',
  async () => {
    publish(fakeRelease({ version }, { 'lib/ollama/noise': noise(400_000) }));
    const release = holdArchive();
    const first = open();
    await first.begin();
    await first.until(({ setup }) => (setup.job?.receivedBytes ?? 0) > 0);
    await first.cancel();
    expect(first.engine.state().setup.job).toMatchObject({ kind: 'install', phase: 'paused' });
    release();
    await first.stop();
    const second = open();
    const { job } = await second.phase('paused');
    expect(job?.receivedBytes).toBeGreaterThan(0);
    expect(job?.totalBytes).toBeGreaterThan(job?.receivedBytes ?? 0);
    await second.setUp();
    expect(server.asked.at(-1)?.range).toMatch(/^bytes=[1-9]/);
  },
);

onPosix.each(['verifying', 'unpacking', 'starting'] as const)(
  'cancelled while it is %s, nothing half is left, and it goes on later without another download',
  async (phase) => {
    publish();
    const { begin, cancel, engine, setUp } = open();
    const cancelled = new Promise<void>((resolve) => {
      const unlisten = engine.onChange(({ setup }) => {
        if (setup.job?.phase !== phase) return;
        unlisten();
        resolve(cancel().then(() => undefined));
      });
    });
    await begin();
    await cancelled;
    expect(engine.state().setup.job).toMatchObject({ phase: 'paused' });
    expect((await namesIn(at('versions'))).filter((name) => name.startsWith('.'))).toEqual([]);
    await setUp();
    expect(asksFor(asset)).toBe(1);
  },
);

onPosix('what a crash left half done is cleaned away at the next start', async () => {
  await mkdir(at('versions', `.new-${version}`, 'lib'), { recursive: true });
  await mkdir(at('.removed', '0.1.0'), { recursive: true });
  await mkdir(at('downloads'), { recursive: true });
  await writeFile(at('downloads', 'ollama-of-old.tgz.part'), 'half');
  const { until } = open();
  await until(({ setup }) => setup.models !== undefined);
  await until(({ status }) => status.kind === 'absent');
  expect(await namesIn(at('versions'))).toEqual([]);
  expect(await namesIn(at('downloads'))).toEqual([]);
  expect(await namesIn(at())).not.toContain('.removed');
});

/** An older version, set up by an older Andiron. */
async function withOld(behaviour = { version: '0.39.0' }): Promise<void> {
  const tar = packTar(fakeRelease(behaviour, { 'lib/ollama/old.so': 'old' }));
  const path = at('versions', '0.39.0');
  await mkdir(path, { recursive: true });
  const { execFileSync } = await import('node:child_process');
  execFileSync('tar', ['-x', '-C', path, '-f', '-'], { input: tar });
  const own = { version: '0.39.0', previous: null, port: null, modelsFolder: at('models'), child: null };
  const kept = { version: 1, keepAlive: 'while_open', models: {}, own };
  await writeFile(join(folder, 'engine.json'), JSON.stringify(kept));
}

onPosix(
  'an update takes the place of the old version once it answers; nothing of the old one is left',
  async () => {
    await withOld();
    publish();
    const { runsOwn, begin, until } = open();
    expect((await runsOwn()).status).toMatchObject({ version: '0.39.0', outdated: true });
    await begin();
    const state = await until(
      ({ status, setup }) => status.kind === 'running' && status.version === version && !setup.job,
    );
    expect(state.setup.installed).toMatchObject({ version });
    expect(await namesIn(at('versions'))).toEqual([version]);
    expect(await namesIn(at('versions', version, 'lib', 'ollama'))).not.toContain('old.so');
  },
);

onPosix('an update that does not start gives way to the old version', async () => {
  await withOld();
  publish(fakeRelease({ version, dies: 'no' }));
  const { runsOwn, begin, phase } = open();
  await runsOwn();
  await begin();
  const { job, installed } = await phase('failed');
  expect(job).toMatchObject({ kind: 'update', problem: { code: 'engine_unavailable' } });
  expect(installed?.version).toBe('0.39.0');
  expect((await runsOwn()).status).toMatchObject({ version: '0.39.0' });
  expect(await namesIn(at('versions'))).toEqual(['0.39.0']);
});

onPosix('removed while it runs: the child is ended, models are kept, everything else is gone', async () => {
  publish();
  const { setUp, remove, engine, until } = open();
  await setUp();
  const url = urlOf(engine.state());
  await writeFile(at('models', 'a model'), 'x');
  await remove();
  await expect(fetch(url)).rejects.toThrow();
  expect(engine.state().setup).toMatchObject({ installed: null, job: null });
  expect(await namesIn(at())).toEqual(['models']);
  const { hosts } = await until(({ status }) => status.kind === 'absent');
  expect(hosts.map(({ origin }) => origin)).toEqual(['default']);
});

onPosix('removed with its models, nothing is left', async () => {
  publish();
  const { setUp, remove } = open();
  await setUp();
  await writeFile(at('models', 'a model'), 'x');
  await remove(true);
  expect(await namesIn(folder)).not.toContain('ollama');
});

onPosix('removing while it downloads ends the download and deletes what came', async () => {
  publish();
  const release = holdArchive();
  const { begin, remove, engine, until } = open();
  await begin();
  await until(({ setup }) => (setup.job?.receivedBytes ?? 0) > 0);
  await remove();
  release();
  expect(engine.state().setup).toMatchObject({ installed: null, job: null });
  expect(await namesIn(at('downloads'))).toEqual([]);
});

onPosix(
  'what is set up is an Ollama like any other: the simulated one, from the archive to its models',
  async () => {
    const sim = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'sim', 'index.ts')).href;
    publish({
      ...fakeRelease({ version }),
      'lib/ollama/serve.mjs': `
      import { startSim } from ${JSON.stringify(sim)};
      await startSim({ port: Number(process.env.OLLAMA_HOST.split(':')[1]), version: ${JSON.stringify(version)} });
    `,
    });
    const { setUp, until } = open();
    await setUp();
    const { models } = await until((state) => state.modelsReadAt !== null && state.models.length > 0);
    expect(models.map(({ name }) => name)).toContain('qwen3.5:9b');
  },
);

onPosix('a list of hosts is kept, told in order, and refused where it makes no sense', async () => {
  const first = open();
  const refused = failureOf(
    first.client.call('engine/set-hosts', { hosts: ['gpu.invalid', 'no such thing'] }),
  );
  expect(await refused).toMatchObject({
    code: 'invalid_params',
    message: expect.stringContaining('no such thing'),
  });
  await first.client.call('engine/set-hosts', { hosts: ['127.0.0.1:9', '127.0.0.1:9'] });
  const told = [
    { url: 'http://127.0.0.1:9', origin: 'list', standing: 'silent', version: null },
    { url: usual, origin: 'default', standing: 'silent', version: null },
  ];
  expect(first.engine.state().hosts).toEqual(told);
  await first.stop();
  const second = open();
  const { hosts } = await second.until((state) =>
    state.hosts.every(({ standing }) => standing !== 'untried'),
  );
  expect(hosts).toEqual(told);
});

/** Text that does not get smaller. */
function noise(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(33 + (seed % 90));
  }).join('');
}

/** The server holds the archive in its middle until the returned function is called. */
function holdArchive(): () => void {
  const held = Promise.withResolvers<void>();
  server.hold = held.promise;
  return () => {
    server.hold = null;
    held.resolve();
  };
}

/** Resolves when the part that is to be cut has been written. */
async function untilSeen(): Promise<void> {
  const part = at('downloads', `${asset}.part`);
  for (;;) {
    const size = await stat(part).then(
      (found) => found.size,
      () => 0,
    );
    server.seen(size);
    if (size >= 100_000) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
