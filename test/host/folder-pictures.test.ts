/** Pictures that an answer names, as a window asks the whole app for them. */
import { execFile } from 'node:child_process';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply, rule, script } from '../../src/sim/index.ts';
import { png } from '../helpers/attachment-world.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

const picture = Buffer.from(png, 'base64');
let world: World;
let session: SessionView;
beforeAll(async () => {
  const source = script([rule({}, reply().text('Here it is.'))]);
  world = await World.start({
    files: { 'notes.txt': 'no picture' },
    sim: { models: [{ name: 'main:9b', family: 'template-qwen2.5' as const }], script: source },
  });
  session = await world.openSession('developer');
  await mkdir(join(world.workspace, 'out'));
  await writeFile(join(world.workspace, 'out', 'my chart.png'), picture);
});
afterAll(() => world.close());

const read = (path: string) => session.rpc.call('file/read-picture', { sessionId: session.sessionId, path });
const at = (...parts: string[]): string => join(world.workspace, ...parts);

describe('a picture in the folder of a session', () => {
  it.each(['out/my chart.png', './out/../out/my chart.png'])('is read as %s', async (path) => {
    expect(await read(path)).toEqual({ name: 'my chart.png', mime: 'image/png', data: png });
  });

  it('is read by its whole path', async () => {
    expect((await read(at('out', 'my chart.png'))).mime).toBe('image/png');
  });

  it('is told by its bytes, whatever it is called', async () => {
    await writeFile(at('really-a-picture.txt'), picture);
    await writeFile(at('no-picture.png'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(at('half.png'), picture.subarray(0, 20));
    expect((await read('really-a-picture.txt')).mime).toBe('image/png');
    await expect(read('no-picture.png')).rejects.toMatchObject({ code: 'invalid_params' });
    await expect(read('half.png')).rejects.toMatchObject({ code: 'invalid_params' });
    await expect(read('notes.txt')).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('with more pixels or bytes than a window has room for is not read', async () => {
    const huge = Buffer.from(picture);
    huge.writeUInt32BE(30_000, 16);
    huge.writeUInt32BE(30_000, 20);
    await writeFile(at('huge.png'), huge);
    await writeFile(at('heavy.png'), Buffer.concat([picture, Buffer.alloc(11 * 1024 * 1024)]));
    await expect(read('huge.png')).rejects.toMatchObject({
      message: 'huge.png has too many pixels to be shown.',
    });
    await expect(read('heavy.png')).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('that is not there says so', async () => {
    await expect(read('gone.png')).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no gone.png in this folder.',
    });
  });
});

describe('what lies elsewhere', () => {
  it.each([
    '../outside.png',
    '/etc/passwd',
    '..',
    '.',
    'out',
    'out/../../outside.png',
    '\\\\server\\share\\x.png',
  ])('is not read as %s', async (path) => {
    await writeFile(join(world.dir, 'outside.png'), picture);
    await expect(read(path)).rejects.toMatchObject({
      code: expect.stringMatching(/invalid_params|not_found/),
    });
  });

  it('is not read through a link, of a file or of a folder', async () => {
    await writeFile(join(world.dir, 'outside.png'), picture);
    await symlink(join(world.dir, 'outside.png'), at('link.png'));
    await mkdir(join(world.dir, 'elsewhere'));
    await writeFile(join(world.dir, 'elsewhere', 'x.png'), picture);
    await symlink(join(world.dir, 'elsewhere'), at('linked'));
    await expect(read('link.png')).rejects.toMatchObject({ message: 'link.png is a link.' });
    await expect(read('linked/x.png')).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('is not waited for where it is a pipe', async () => {
    await promisify(execFile)('mkfifo', [at('pipe.png')]);
    await expect(read('pipe.png')).rejects.toMatchObject({ message: 'pipe.png is no picture.' });
  });

  it('is not read where the folder itself was put in its place', async () => {
    await mkdir(at('moved'));
    await writeFile(at('moved', 'x.png'), picture);
    await rename(at('moved'), join(world.dir, 'moved'));
    await symlink(join(world.dir, 'moved'), at('moved'));
    await expect(read('moved/x.png')).rejects.toMatchObject({ code: 'invalid_params' });
  });
});
