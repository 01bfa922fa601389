/** What is downloaded to set up Ollama: checked before anything of it is used, paused, and taken up again. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeSetupEdges } from '../../src/engine/index.ts';
import { compress, fakeRelease, packTar } from '../../src/engine/setup/testing/archives.ts';
import { asset, format, namesIn, noise, packRelease, SetupWorld, version } from '../helpers/setup-world.ts';

let world: SetupWorld;

beforeEach(async () => {
  world = await SetupWorld.create();
});

afterEach(() => world.close());

// On Windows a release is a zip, which no tool that is everywhere can put together.
// Each starts real processes, which a busy machine takes its time for.
describe.skipIf(process.platform === 'win32')('the download of Ollama', () => {
  test('a wrong checksum: nothing is unpacked, and the archive is deleted', async () => {
    world.server.publish(`v${version}`, asset, packRelease(fakeRelease({ version })), 'f'.repeat(64));
    const { begin, phase } = world.open();
    await begin();
    const { job, installed } = await phase('failed');
    expect(job?.problem).toMatchObject({
      code: 'checksum_wrong',
      message: expect.stringContaining('deleted'),
    });
    expect(installed).toBeNull();
    expect(await namesIn(world.at('versions'))).toEqual([]);
    expect(await namesIn(world.at('downloads'))).toEqual([]);
  });

  test('an archive that its server changed together with its checksum is refused (audit-S20)', async () => {
    const genuine = createHash('sha256').update(packRelease(fakeRelease({ version })));
    const changed = packRelease(fakeRelease({ version }, { 'lib/ollama/evil.so': 'evil' }));
    world.server.publish(`v${version}`, asset, changed, genuine.digest('hex'));
    const list = `${createHash('sha256').update(changed).digest('hex')}  ./${asset}\n`;
    world.server.files.set(`/v${version}/sha256sum.txt`, Buffer.from(list));
    const { begin, phase } = world.open();
    await begin();
    expect((await phase('failed')).job?.problem?.code).toBe('checksum_wrong');
    expect(world.asksFor('sha256sum.txt')).toBe(0);
    expect(await namesIn(world.at('versions'))).toEqual([]);
  });

  test('an archive whose checksum is not in the source is not offered (audit-S20)', async () => {
    world.publish();
    delete world.server.checksums[asset];
    const { begin, engine } = world.open();
    await expect(begin()).rejects.toMatchObject({ code: 'not_found' });
    expect(engine.state().setup.offer).toBeNull();
    expect(world.server.asked).toEqual([]);
  });

  test('a release server that is not there is said with what to do', async () => {
    const { begin, phase } = world.open();
    await world.server.close();
    await begin();
    const { job } = await phase('failed');
    expect(job?.problem).toMatchObject({ code: 'offline', advice: expect.stringContaining('network') });
  });

  test('a broken archive is refused, whatever its checksum says', async () => {
    const whole = packRelease(fakeRelease({ version }, { 'lib/ollama/noise': noise(50_000) }));
    world.server.publish(`v${version}`, asset, whole.subarray(0, whole.length / 2));
    const { begin, phase } = world.open();
    await begin();
    expect((await phase('failed')).job?.problem?.code).toBe('archive_broken');
    expect(await namesIn(world.at('versions'))).toEqual([]);
  });

  test('unpacking that fails in its middle leaves nothing half', async () => {
    world.publish();
    const { begin, phase } = world.open({
      processes: {
        async run(request) {
          const said = await nodeSetupEdges.processes.run(request);
          if (request.args.includes('-x')) throw new Error('the disk went away');
          return said;
        },
      },
    });
    await begin();
    expect((await phase('failed')).job?.problem?.message).toContain('the disk went away');
    expect(await namesIn(world.at('versions'))).toEqual([]);
  });

  test('an archive without a program is refused', async () => {
    world.publish({ 'README.md': 'nothing to see here' });
    const { begin, phase } = world.open();
    await begin();
    expect((await phase('failed')).job?.problem?.code).toBe('archive_broken');
    expect(await namesIn(world.at('versions'))).toEqual([]);
  });

  test.each([
    [
      'a path that leads out',
      () => packTar({ 'a/b': 'x' }, ['-P', ...renamed('a/b', '../../evil')], ['a/b']),
    ],
    ['a link that leads out', () => packTar({ 'lib/x': { link: '../../../evil' } })],
  ] as const)('%s is refused before anything is written', async (_, makeTar) => {
    world.server.publish(`v${version}`, asset, compress(makeTar(), format));
    const { begin, phase } = world.open();
    await begin();
    expect((await phase('failed')).job?.problem?.code).toBe('archive_unsafe');
    expect(await namesIn(world.at('versions'))).toEqual([]);
    expect(await namesIn(world.folder)).not.toContain('evil');
  });

  test('a connection that is cut in the middle is taken up again', async () => {
    world.publish(fakeRelease({ version }, { 'lib/ollama/noise': noise(400_000) }));
    world.server.cuts = [100_000];
    const { setUp } = world.open();
    await Promise.all([setUp(), world.untilSeen(100_000)]);
    expect(world.asksFor(asset)).toBe(2);
  });

  test('a disk that is too full is said before a byte is downloaded', async () => {
    world.publish();
    const { begin, phase } = world.open({ files: { freeBytes: () => Promise.resolve(100) } });
    await begin();
    const { job } = await phase('failed');
    expect(job?.problem).toMatchObject({ code: 'disk_full', message: expect.stringContaining('are free') });
    expect(await namesIn(world.at('downloads'))).toEqual([]);
  });

  test('cancelled while it downloads, it is paused, and goes on later, also in another Andiron', async () => {
    world.publish(fakeRelease({ version }, { 'lib/ollama/noise': noise(400_000) }));
    const letGo = world.holdArchive();
    const first = world.open();
    await first.begin();
    await first.until(({ setup }) => (setup.job?.receivedBytes ?? 0) > 0);
    await first.cancel();
    expect(first.engine.state().setup.job).toMatchObject({ kind: 'install', phase: 'paused' });
    letGo();
    await first.stop();
    const second = world.open();
    const { job } = await second.phase('paused');
    expect(job?.receivedBytes).toBeGreaterThan(0);
    expect(job?.totalBytes).toBeGreaterThan(job?.receivedBytes ?? 0);
    await second.setUp();
    expect(world.server.asked.at(-1)?.range).toMatch(/^bytes=[1-9]/);
  });

  test.each(['verifying', 'unpacking', 'starting'] as const)(
    'cancelled while it is %s, nothing half is left, and it goes on later without another download',
    async (phase) => {
      world.publish();
      const { begin, cancel, engine, setUp } = world.open();
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
      expect((await namesIn(world.at('versions'))).filter((name) => name.startsWith('.'))).toEqual([]);
      await setUp();
      expect(world.asksFor(asset)).toBe(1);
    },
  );
});
/** How each of the two kinds of `tar` puts a file in under another name. */
function renamed(from: string, to: string): string[] {
  return process.platform === 'linux' ? [`--transform=s,${from},${to},`] : ['-s', `,${from},${to},`];
}
