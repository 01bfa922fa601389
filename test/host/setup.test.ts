/** Setting up Ollama from end to end: the real engine, real files and processes, a stand-in of the release server. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeSetupEdges } from '../../src/engine/index.ts';
import { fakeRelease } from '../../src/engine/setup/testing/archives.ts';
import { failureOf } from '../../src/engine/testing/fakes.ts';
import { asset, namesIn, simRelease, SetupWorld, urlOf, usual, version } from '../helpers/setup-world.ts';

let world: SetupWorld;

beforeEach(async () => {
  world = await SetupWorld.create();
});

afterEach(() => world.close());

// On Windows a release is a zip, which no tool that is everywhere can put together.
// Each starts real processes, which a busy machine takes its time for.
describe.skipIf(process.platform === 'win32')('setting up Ollama', () => {
  test('never unasked: it is offered, and nobody is asked for anything', async () => {
    world.publish();
    const { until } = world.open();
    const { setup, hosts } = await until(({ status }) => status.kind === 'absent');
    expect(setup).toMatchObject({
      offer: {
        version,
        url: `${world.server.url}/v${version}/${asset}`,
        folder: world.at(),
        downloadBytes: null,
      },
      installed: null,
      job: null,
    });
    expect(hosts).toEqual([{ url: usual, origin: 'default', standing: 'silent', version: null }]);
    expect(world.server.asked).toEqual([]);
  });

  test('set up: downloaded, checked, unpacked, started, and used', async () => {
    world.publish();
    const { setUp, engine } = world.open();
    await setUp();
    const { setup, status, hosts } = engine.state();
    expect(setup).toMatchObject({ installed: { version, folder: world.at('versions', version) }, job: null });
    expect(setup.installed?.sizeBytes).toBeGreaterThan(100);
    expect(status).toMatchObject({ kind: 'running', own: true, version, exposed: null });
    expect(hosts[0]).toMatchObject({ origin: 'own', standing: 'in_use', version });
    expect(await namesIn(world.at('versions'))).toEqual([version]);
    expect(await namesIn(world.at('downloads'))).toEqual([]);
    expect(await readFile(join(world.folder, 'logs', 'ollama.log'), 'utf8')).toContain(
      'Listening on 127.0.0.1:',
    );
  });

  test('the child sees its own home and models, and nothing of ours', async () => {
    world.publish();
    const { setUp, engine } = world.open();
    await setUp();
    const env = (await (await fetch(`${urlOf(engine.state())}/env`)).json()) as Record<string, string>;
    expect(env).toMatchObject({
      HOME: world.at('home'),
      OLLAMA_MODELS: world.at('models'),
      OLLAMA_NO_CLOUD: '1',
    });
    expect(Object.keys(env).filter((name) => name.startsWith('VITEST'))).toEqual([]);
    expect(engine.state().setup.models).toEqual({ folder: world.at('models'), own: true });
  });

  test('models that the person has already are used, said, and never removed', async () => {
    world.publish();
    const persons = join(world.folder, 'ada', '.ollama', 'models');
    await mkdir(join(persons, 'manifests'), { recursive: true });
    const { setUp, engine, remove } = world.open();
    await setUp();
    expect(engine.state().setup.models).toEqual({ folder: persons, own: false });
    await remove(true);
    expect(await namesIn(persons)).toEqual(['manifests']);
  });

  test('stopped with Andiron, and started with it again at the same port', async () => {
    world.publish();
    const first = world.open();
    await first.setUp();
    const url = urlOf(first.engine.state());
    await first.stop();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    const asked = world.server.asked.length;
    expect(urlOf(await world.open().runsOwn())).toBe(url);
    expect(world.server.asked).toHaveLength(asked);
  });

  test('a child that dies is started again', async () => {
    world.publish();
    const { setUp, until, runsOwn } = world.open();
    await setUp();
    process.kill(await world.pidOf(), 'SIGKILL');
    await until(({ status }) => status.kind !== 'running');
    expect(urlOf(await runsOwn())).not.toBe('');
  });

  test('a child that outlived a crash of Andiron is used on', async () => {
    world.publish();
    // A crash: nobody says goodbye to the child.
    const crashed = world.open({ processes: { end: () => undefined } });
    await crashed.setUp();
    const url = urlOf(crashed.engine.state());
    const pid = await world.pidOf();
    world.cleanUps.push(() => nodeSetupEdges.processes.end(pid, true));
    const second = world.open({
      processes: { serve: () => Promise.reject(new Error('a second child was started')) },
    });
    expect(urlOf(await second.runsOwn())).toBe(url);
    expect(await world.pidOf()).toBe(pid);
  });

  test("a port that somebody else took is left to them, and so is whoever has the child's old number", async () => {
    world.publish();
    const first = world.open();
    await first.setUp();
    const url = urlOf(first.engine.state());
    await first.stop();
    const kept = await world.kept();
    // This process has the old child's number now, and began at another time.
    const own = { ...kept.own, child: { pid: process.pid, identity: 'long ago' } };
    await writeFile(join(world.folder, 'engine.json'), JSON.stringify({ ...kept, own }));
    const stranger = createServer((_, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ version }));
    });
    await new Promise<void>((resolve) => {
      stranger.listen(Number(new URL(url).port), '127.0.0.1', resolve);
    });
    world.cleanUps.push(() => stranger.close());
    const state = await world.open().runsOwn();
    expect(urlOf(state)).not.toBe(url);
  });

  test('a program that cannot start says why, and keeps what was set up', async () => {
    world.publish(fakeRelease({ version, dies: 'error while loading shared libraries: libcuda.so.1' }));
    const { begin, phase, engine, until } = world.open();
    await begin();
    const { job, installed } = await phase('failed');
    expect(job?.problem).toMatchObject({
      message: expect.stringContaining('libcuda.so.1'),
      advice: expect.stringContaining('ollama.log'),
    });
    expect(installed?.version).toBe(version);
    await until(({ status }) => status.kind === 'stopped');
    expect(engine.state().status).toMatchObject({ canStart: true, program: world.at('versions', version) });
  });

  test('what a crash left half done is cleaned away at the next start', async () => {
    await mkdir(world.at('versions', `.new-${version}`, 'lib'), { recursive: true });
    await mkdir(world.at('.removed', '0.1.0'), { recursive: true });
    await mkdir(world.at('downloads'), { recursive: true });
    await writeFile(world.at('downloads', 'ollama-of-old.tgz.part'), 'half');
    const { until } = world.open();
    await until(({ setup }) => setup.models !== undefined);
    await until(({ status }) => status.kind === 'absent');
    expect(await namesIn(world.at('versions'))).toEqual([]);
    expect(await namesIn(world.at('downloads'))).toEqual([]);
    expect(await namesIn(world.at())).not.toContain('.removed');
  });

  test('an update takes the place of the old version once it answers; nothing of the old one is left', async () => {
    await world.withOld();
    world.publish();
    const { runsOwn, begin, until } = world.open();
    expect((await runsOwn()).status).toMatchObject({ version: '0.39.0', outdated: true });
    await begin();
    const state = await until(
      ({ status, setup }) => status.kind === 'running' && status.version === version && !setup.job,
    );
    expect(state.setup.installed).toMatchObject({ version });
    expect(await namesIn(world.at('versions'))).toEqual([version]);
    expect(await namesIn(world.at('versions', version, 'lib', 'ollama'))).not.toContain('old.so');
  });

  test('an update that does not start gives way to the old version', async () => {
    await world.withOld();
    world.publish(fakeRelease({ version, dies: 'no' }));
    const { runsOwn, begin, phase } = world.open();
    await runsOwn();
    await begin();
    const { job, installed } = await phase('failed');
    expect(job).toMatchObject({ kind: 'update', problem: { code: 'engine_unavailable' } });
    expect(installed?.version).toBe('0.39.0');
    expect((await runsOwn()).status).toMatchObject({ version: '0.39.0' });
    expect(await namesIn(world.at('versions'))).toEqual(['0.39.0']);
  });

  test('an update that Andiron ended before is whole, and not downloaded again', async () => {
    await world.withOld(simRelease('0.39.0'));
    world.publish();
    const first = world.open();
    await first.lease('qwen3.5:9b');
    await first.begin();
    await first.phase('starting');
    await first.stop();
    const { runsOwn, begin, until } = world.open();
    const { setup } = await runsOwn();
    expect(setup).toMatchObject({
      installed: { version: '0.39.0' },
      offer: { version, downloadBytes: 0 },
      job: null,
    });
    await begin();
    await until(({ status }) => status.kind === 'running' && status.version === version);
    expect(world.asksFor(asset)).toBe(1);
  });

  test('an update that is cancelled while it starts goes back to the old version, and is not thrown away', async () => {
    await world.withOld();
    const waits = "process.on('SIGTERM', () => process.exit(0));\nsetInterval(() => undefined, 60_000);\n";
    world.publish(fakeRelease({ version }, { 'lib/ollama/serve.mjs': waits }));
    const served = Promise.withResolvers<void>();
    const { runsOwn, begin, cancel, engine } = world.open({
      processes: {
        async serve(request) {
          const child = await nodeSetupEdges.processes.serve(request);
          if (request.command.includes(version)) served.resolve();
          return child;
        },
      },
    });
    await runsOwn();
    await begin();
    await served.promise;
    await cancel();
    expect(engine.state().setup).toMatchObject({
      installed: { version: '0.39.0' },
      offer: { downloadBytes: 0 },
      job: { kind: 'update', phase: 'paused' },
    });
    expect((await namesIn(world.at('versions'))).toSorted()).toEqual(['0.39.0', version]);
    expect((await runsOwn()).status).toMatchObject({ version: '0.39.0' });
  });

  test('a version that gives way leaves its place before it is deleted, which a crash may cut short', async () => {
    await world.withOld();
    world.publish(fakeRelease({ version, dies: 'no' }));
    const doomed: string[] = [];
    const { runsOwn, begin, phase } = world.open({
      files: {
        async remove(path) {
          if (path === world.at('.removed')) doomed.push(...(await namesIn(path)));
          await nodeSetupEdges.files.remove(path);
        },
      },
    });
    await runsOwn();
    await begin();
    await phase('failed');
    expect(doomed).toContain('bin');
  });

  test('removed while it runs: the child is ended, models are kept, everything else is gone', async () => {
    world.publish();
    const { setUp, remove, engine, until } = world.open();
    await setUp();
    const url = urlOf(engine.state());
    await writeFile(world.at('models', 'a model'), 'x');
    await remove();
    await expect(fetch(url)).rejects.toThrow('fetch failed');
    expect(engine.state().setup).toMatchObject({ installed: null, job: null });
    expect(await namesIn(world.at())).toEqual(['models']);
    const { hosts } = await until(({ status }) => status.kind === 'absent');
    expect(hosts.map(({ origin }) => origin)).toEqual(['default']);
  });

  test('removed with its models, nothing is left', async () => {
    world.publish();
    const { setUp, remove } = world.open();
    await setUp();
    await writeFile(world.at('models', 'a model'), 'x');
    await remove(true);
    expect(await namesIn(world.folder)).not.toContain('ollama');
  });

  test('removing while it downloads ends the download and deletes what came', async () => {
    world.publish();
    const letGo = world.holdArchive();
    const { begin, remove, engine, until } = world.open();
    await begin();
    await until(({ setup }) => (setup.job?.receivedBytes ?? 0) > 0);
    await remove();
    letGo();
    expect(engine.state().setup).toMatchObject({ installed: null, job: null });
    expect(await namesIn(world.at('downloads'))).toEqual([]);
  });

  test('what is set up is an Ollama like any other, and not removed while a turn uses it', async () => {
    world.publish(simRelease(version));
    const { setUp, until, lease, remove } = world.open();
    await setUp();
    const giveBack = await lease('qwen3.5:9b');
    expect(await failureOf(remove())).toMatchObject({ code: 'busy' });
    await giveBack();
    await until((state) => state.lease === null);
    await remove();
    expect(await namesIn(world.at('versions'))).toEqual([]);
  });

  test('an update waits until no turn uses the old version', async () => {
    await world.withOld(simRelease('0.39.0'));
    world.publish();
    const order: string[] = [];
    const { begin, engine, lease, phase, until } = world.open({
      processes: {
        end(pid, force) {
          order.push('ended');
          nodeSetupEdges.processes.end(pid, force);
        },
      },
    });
    const giveBack = await lease('qwen3.5:9b');
    await begin();
    await phase('starting');
    const url = urlOf(engine.state());
    for (let asked = 0; asked < 20; asked += 1) expect((await fetch(`${url}/api/version`)).ok).toBe(true);
    order.push('given back');
    await giveBack();
    await until(({ status }) => status.kind === 'running' && status.version === version);
    expect(order).toEqual(['given back', 'ended']);
  });

  test('what was set up is found again when engine.json is lost', async () => {
    world.publish();
    const first = world.open();
    await first.setUp();
    await first.stop();
    await rm(join(world.folder, 'engine.json'));
    expect((await world.open().runsOwn()).setup.installed).toMatchObject({ version });
  });

  test('a program that somebody deleted is not there any more, and can be set up again', async () => {
    world.publish();
    const first = world.open();
    await first.setUp();
    await first.stop();
    await rm(world.at('versions'), { recursive: true });
    const second = world.open();
    await second.until(({ status }) => status.kind === 'absent');
    expect(second.engine.state().setup.installed).toBeNull();
    await second.setUp();
  });
});
