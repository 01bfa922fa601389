/** Files that tools bring out, in the whole app: with the answer, for programs, by id, and never from elsewhere. */
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

const models = [{ name: 'main:9b', family: 'template-qwen2.5' as const }];
const tools = ['read_file', 'write_file', 'edit_file', 'create_document', 'search', 'spawn_agent'];

async function open(source: Script): Promise<{ world: World; session: SessionView }> {
  const files = { 'notes.txt': 'python tutorials: the official one, and Think Python' };
  const world = await World.start({ files, sim: { models, script: source } });
  worlds.push(world);
  await world.openWindow().rpc.call('profile/update', {
    profileId: 'developer',
    changes: { models: ['main:9b'], tools },
  });
  return { world, session: await world.openSession('developer') };
}

const document = { title: 'Python tutorials', content: '1. The official one\n2. Think Python' };
/** Looks something up, writes it down, and says so. */
const tutorials = script([
  rule({ resultCount: 0 }, reply().toolCall('search', { pattern: 'tutorials' })),
  rule({ resultCount: 1 }, reply().toolCall('create_document', document)),
  rule({}, reply().text('I wrote python_tutorials.md.')),
]);

/** Runs a turn and says yes to whatever it asks. */
async function run(session: SessionView, text: string) {
  const ran = session.rpc.call('turn/run', { sessionId: session.sessionId, text });
  await session.answer('allow', 'session');
  return ran;
}

const read = ({ rpc, sessionId }: SessionView, fileId: string) =>
  rpc.call('file/read-result', { sessionId, fileId });

describe('a file that a tool brought out', () => {
  it('comes with the answer of a run of 3 steps, 2 tools and 1 file (C4, O3)', async () => {
    const { world, session } = await open(tutorials);
    const { turnId, status, text, files } = await run(session, 'Collect Python tutorials');
    expect([status, text]).toEqual(['finished', 'I wrote python_tutorials.md.']);
    expect(files).toMatchObject([
      { name: 'python_tutorials.md', path: 'python_tutorials.md', tool: 'create_document', turnId },
    ]);
    expect(files[0]?.url).toMatch(/^file:.*\/python_tutorials\.md$/);
    expect(session.turn(turnId)?.iterations).toBe(3);
    expect(session.items('tool').map(({ tool }) => tool)).toEqual(['search', 'create_document']);
    const written = await readFile(join(world.workspace, 'python_tutorials.md'), 'utf8');
    expect(written).toBe('# Python tutorials\n\n1. The official one\n2. Think Python\n');
  });

  it('is read by its id as it stands now, also after a restart (C3)', async () => {
    const { world, session } = await open(tutorials);
    const { files } = await run(session, 'Collect Python tutorials');
    await writeFile(join(world.workspace, 'python_tutorials.md'), 'changed since');
    await world.restartHost();
    const again = await world.openWindow().follow(session.sessionId);
    expect(again.state.turns.at(-1)?.files).toEqual(files);
    const { name, mime, data } = await read(again, files[0]?.id ?? '');
    expect([name, mime]).toEqual(['python_tutorials.md', 'text/markdown']);
    expect(Buffer.from(data, 'base64').toString()).toBe('changed since');
  });

  it('stands once in its turn, however often it was written (C3)', async () => {
    const { session } = await open(
      script([
        rule({ resultCount: 0 }, reply().toolCall('write_file', { path: 'a.md', content: 'one' })),
        rule({ resultCount: 1 }, reply().toolCall('write_file', { path: 'a.md', content: 'three' })),
        rule({}, reply().text('Done.')),
      ]),
    );
    const { files } = await run(session, 'Write a.md');
    expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([['a.md', 5]]);
    expect(files[0]?.itemId).toBe(session.items('tool').at(-1)?.id);
  });

  it('of a subagent comes with the answer of the turn that spawned it (C4)', async () => {
    const { session } = await open(
      script([
        rule(
          { user: 'You are a subagent', resultCount: 0 },
          reply().toolCall('write_file', { path: 'b.txt', content: 'milk' }),
        ),
        rule({ user: 'You are a subagent' }, reply().text('Done.')),
        rule({ resultCount: 0 }, reply().toolCall('spawn_agent', { task: 'Write b.txt', briefing: '' })),
        rule({}, reply().text('It is done.')),
      ]),
    );
    const { turnId, files } = await run(session, 'Have it written');
    expect(files).toMatchObject([{ path: 'b.txt', tool: 'write_file', turnId }]);
  });

  it('that is gone is said to be gone (X7)', async () => {
    const { world, session } = await open(tutorials);
    const { files } = await run(session, 'Collect Python tutorials');
    await rm(join(world.workspace, 'python_tutorials.md'));
    await expect(read(session, files[0]?.id ?? '')).rejects.toMatchObject({ code: 'not_found' });
    await expect(read(session, 'file_other')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not read through a link that stands in its place or above it (X7)', async () => {
    const { world, session } = await open(
      script([
        rule({ resultCount: 0 }, reply().toolCall('write_file', { path: 'docs/a.md', content: 'mine' })),
        rule({}, reply().text('Done.')),
      ]),
    );
    const { files } = await run(session, 'Write it');
    const id = files[0]?.id ?? '';
    const elsewhere = join(world.dir, 'secret');
    await writeFile(elsewhere, 'secret');
    const docs = join(world.workspace, 'docs');
    await rm(join(docs, 'a.md'));
    await symlink(elsewhere, join(docs, 'a.md'));
    await expect(read(session, id)).rejects.toMatchObject({ code: 'invalid_params' });
    await rm(join(docs, 'a.md'));
    await writeFile(join(docs, 'a.md'), 'theirs');
    await rename(docs, join(world.dir, 'docs'));
    await symlink(join(world.dir, 'docs'), docs);
    await expect(read(session, id)).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('is no file of a session that was copied from it (X7)', async () => {
    const { session } = await open(tutorials);
    const { files } = await run(session, 'Collect Python tutorials');
    const { session: copy } = await session.rpc.call('session/fork', { sessionId: session.sessionId });
    const fileId = files[0]?.id ?? '';
    await expect(session.rpc.call('file/read-result', { sessionId: copy.id, fileId })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
