/** Collections: from files in a folder to passages that a person finds, a message brings and a model searches. */
import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EMBEDDING_MODEL, reply, rule, script } from '../../src/sim/index.ts';
import type { Collection, Passage } from '../../src/protocol/collection-methods.ts';
import { World, type WorldOptions } from '../helpers/host-world.ts';
import { openSandboxForTests } from '../helpers/mcp/mcp-world.ts';

const chat = { name: 'qwen3.5:9b', family: 'qwen3.5' } as const;

const searching = script([
  rule(
    { user: /look it up/i, resultCount: 0 },
    reply().toolCall('search_collections', { query: 'how is the pump primed' }),
  ),
  rule(
    { user: /in Recipes/i, resultCount: 0 },
    reply().toolCall('search_collections', { query: 'pump', collection: 'Recipes' }),
  ),
  rule({}, reply().text('Done [1].')),
]);

let world: World;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-collection-'));
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

const start = async (options: WorldOptions = {}): Promise<void> => {
  world = await World.start({
    ...options,
    sim: { script: searching, models: [chat, EMBEDDING_MODEL], ...options.sim },
  });
};

const dataDir = (): string => join(world.dir, 'data');
const rpc = () => world.openWindow().rpc;
const list = async (): Promise<Collection[]> => (await rpc().call('collection/list', {})).collections;
async function add(name = 'Manuals'): Promise<Collection> {
  const place = { folder, files: [] };
  return (await rpc().call('collection/add', { name, place })).collection;
}
async function read(): Promise<Collection> {
  await expect.poll(async () => (await list())[0]?.state).toBe('ready');
  const [collection] = await list();
  if (!collection) throw new Error('There is no collection.');
  return collection;
}
async function search({ id }: Collection, query: string): Promise<Passage[]> {
  return (await rpc().call('collection/search', { collectionId: id, query })).passages;
}
const indexBytes = (): string =>
  readdirSync(dataDir())
    .filter((name) => name.startsWith('andiron.passages.db'))
    .map((name) => readFileSync(join(dataDir(), name), 'latin1'))
    .join('');

it('a passage is found with its file and its place', async () => {
  await start();
  write(
    'pumps/p7.md',
    '# Priming\n\nOpen valve B, then fill the housing with water until none of it hisses.\n',
  );
  write('notes.txt', 'Nothing of interest.');
  await add();
  const collection = await read();
  expect(collection).toMatchObject({ files: 2, read: 2, passages: 2, unreadCount: 0 });
  const [best] = await search(collection, 'valve housing');
  expect(best).toMatchObject({ collection: 'Manuals', path: 'pumps/p7.md', place: 'line 3' });
  expect(best?.text).toContain('Open valve B');
});

it('a message brings the passages that fit it, with where each stands', async () => {
  await start();
  write('pumps/p7.md', '# Priming\n\nOpen valve B, then fill the housing.\n');
  const { id } = await add();
  await read();
  const { attachment } = await rpc().call('collection/attach', { collectionId: id, query: 'Which valve?' });
  expect(attachment.from).toEqual({ server: 'Manuals', uri: '', kind: 'collection' });
  const session = await world.openSession('developer');
  const { sessionId } = session;
  const text = 'Which valve?';
  const { turnId } = await session.rpc.call('turn/start', { sessionId, text, attachments: [attachment.id] });
  await session.closed(turnId);
  const sent = JSON.stringify(world.sim.truth.last()?.body);
  expect(sent).toContain('from the collection Manuals');
  expect(sent).toContain('Manuals/pumps/p7.md, line 3:\\nPriming: Open valve B');
});

it('a model searches the collections where its profile has the tool, and cites what it found', async () => {
  await start();
  write('pumps/p7.md', 'The pump is primed with water.');
  await rpc().call('profile/update', {
    profileId: 'developer',
    changes: { tools: ['read_file', 'search_collections'] },
  });
  const heads = () => JSON.stringify(world.sim.truth.last()?.body).includes('search_collections');
  const before = await world.openSession('developer');
  await before.ask('Hello.');
  expect(heads()).toBe(false);
  await add();
  await read();
  const session = await world.openSession('developer');
  await session.ask('Please look it up.');
  expect(heads()).toBe(true);
  const [call] = session.items('tool');
  expect(call?.result).toContain('[1] Manuals/pumps/p7.md, line 1\nThe pump is primed with water.');
  expect(call?.display).toEqual({
    kind: 'sources',
    sources: [
      { number: 1, title: 'Manuals/pumps/p7.md, line 1', url: '', passage: 'The pump is primed with water.' },
    ],
  });
  await session.ask('Search in Recipes.');
  const refused = session.items('tool').at(-1);
  expect(refused?.result).toContain('There is no collection Recipes');
  expect(refused?.result).toContain('The collections are: Manuals.');
});

it('what changes in the folder is found at the next search, and what goes is gone', async () => {
  await start();
  write('one.md', 'The first gasket is red.');
  write('two.md', 'The second gasket is blue.');
  const collection = await add();
  await read();
  write('one.md', 'The first gasket is green.');
  rmSync(join(folder, 'two.md'));
  write('three.md', 'A third gasket is yellow.');
  const texts = (await search(collection, 'gasket')).map(({ text }) => text);
  expect(texts.toSorted()).toEqual(['A third gasket is yellow.', 'The first gasket is green.']);
});

it('a folder that is away keeps its index, and nothing of it is found meanwhile', async () => {
  await start();
  write('one.md', 'The gasket is red.');
  const collection = await add();
  await read();
  const away = `${folder}-away`;
  renameSync(folder, away);
  expect(await search(collection, 'gasket')).toEqual([]);
  expect((await list())[0]).toMatchObject({ state: 'gone', passages: 1 });
  renameSync(away, folder);
  expect(await search(collection, 'gasket')).toHaveLength(1);
});

it('a folder that is empty of a sudden keeps its index, as one whose drive is not connected', async () => {
  await start();
  write('one.md', 'The gasket is red.');
  const collection = await add();
  await read();
  const away = `${folder}-away`;
  renameSync(folder, away);
  mkdirSync(folder);
  expect(await search(collection, 'gasket')).toEqual([]);
  expect((await list())[0]).toMatchObject({ state: 'empty', files: 1, passages: 1 });
  rmSync(folder, { recursive: true });
  renameSync(away, folder);
  expect(await search(collection, 'gasket')).toHaveLength(1);
});

it('a collection that is removed leaves no word of its files behind', async () => {
  await start();
  write('one.md', 'The gasket is xylophonic.');
  const { id } = await add();
  await read();
  expect(indexBytes()).toContain('xylophonic');
  await rpc().call('collection/remove', { collectionId: id });
  expect(indexBytes()).not.toMatch(/xylophon/);
  expect(await list()).toEqual([]);
  expect(readFileSync(join(folder, 'one.md'), 'utf8')).toContain('xylophonic');
});

it('files that are no text are counted and said, and the others are found', async () => {
  await start();
  write('good.txt', 'The gasket is red.');
  writeFileSync(join(folder, 'film.bin'), Buffer.from([1, 0, 2, 0]));
  writeFileSync(join(folder, 'broken.pdf'), '%PDF-1.7 nothing of it');
  write('.hidden/secret.txt', 'The gasket is secret.');
  await add();
  const collection = await read();
  expect(collection).toMatchObject({ files: 3, read: 3, unreadCount: 2 });
  expect(collection.unread).toEqual([
    { path: 'broken.pdf', reason: 'It is damaged, so it cannot be read.' },
    { path: 'film.bin', reason: 'There is no text in it.' },
  ]);
  expect(await search(collection, 'gasket')).toHaveLength(1);
});

it('a collection is read while no turn runs, and found by words alone without an embedding model', async () => {
  await start({ sim: { models: [chat] } });
  write('one.md', 'The gasket is red.');
  const { id } = await add();
  const collection = await read();
  const found = await rpc().call('collection/search', { collectionId: id, query: 'gasket' });
  expect(found).toMatchObject({ byMeaning: false, passages: [{ by: 'words' }] });
  expect(collection.withMeaning).toBe(0);
});

it('passages get vectors once nobody waits, and a search says that meaning found them', async () => {
  await start();
  write('one.md', 'The preferred editor is Helix.');
  write('two.md', 'Soup is made of leeks.');
  const { id } = await add();
  await expect.poll(async () => (await list())[0]?.withMeaning).toBe(2);
  const query = 'Which one do I favour for editing?';
  const found = await rpc().call('collection/search', { collectionId: id, query });
  expect(found.byMeaning).toBe(true);
  expect(found.passages[0]).toMatchObject({ path: 'one.md' });
});

it('a collection outlives a restart, and an index that is damaged is made again', async () => {
  await start();
  write('one.md', 'The gasket is red.');
  await add();
  await read();
  await world.restartHost({}, () => {
    for (const name of readdirSync(dataDir()).filter((each) => each.startsWith('andiron.passages.db')))
      writeFileSync(join(dataDir(), name), 'no database at all, and long enough to be taken for one');
  });
  const collection = await read();
  expect(await search(collection, 'gasket')).toHaveLength(1);
});

it.each([
  ['a relative path', { folder: 'docs', files: [] }],
  ['nothing', { folder: null, files: [] }],
  ['a folder that is not there', { folder: '/nowhere/at/all', files: [] }],
  ['a file in place of a folder', { folder: import.meta.filename, files: [] }],
  ['a folder in place of a file', { folder: null, files: [import.meta.dirname] }],
])('%s is no place of a collection', async (_name, place) => {
  await start();
  await expect(rpc().call('collection/add', { name: 'x', place })).rejects.toMatchObject({
    code: 'invalid_params',
  });
});

it("neither Andiron's own data nor a place of keys becomes a collection", async () => {
  await start();
  mkdirSync(join(folder, '.ssh'));
  for (const path of [dataDir(), join(folder, '.ssh')]) {
    const place = { folder: path, files: [] };
    await expect(rpc().call('collection/price', place)).rejects.toMatchObject({ code: 'invalid_params' });
  }
});

it('two collections of one person never have the same name', async () => {
  await start();
  await add('Manuals');
  await expect(add('manuals')).rejects.toMatchObject({ code: 'invalid_params' });
});

it('a price says what a collection takes before anything of it is kept', async () => {
  await start();
  write('one.md', 'The gasket is red.\n'.repeat(500));
  const price = await rpc().call('collection/price', { folder, files: [] });
  expect(price).toMatchObject({ files: 1, bytes: 9_500, leftOut: 0 });
  expect(await list()).toEqual([]);
  await add();
  const { passages } = await read();
  expect(price.passages / passages).toBeGreaterThan(0.5);
  expect(price.passages / passages).toBeLessThan(2);
});

it('a folder elsewhere is listed within the sandbox, which lets nothing of it be changed', async () => {
  await start({ sandbox: openSandboxForTests });
  write('one.md', 'The gasket is red.');
  write('broken.docx', 'no archive');
  await add();
  expect(await search(await read(), 'gasket')).toHaveLength(1);
});

it('an index that was lost while Andiron runs is made again after the next search', async () => {
  await start();
  for (let at = 0; at < 30; at += 1) write(`${String(at)}.md`, `The gasket number ${String(at)} is red.`);
  await add();
  const collection = await read();
  await world.restartHost({}, () => {
    for (const name of readdirSync(dataDir()).filter((each) => each.startsWith('andiron.passages.db')))
      rmSync(join(dataDir(), name));
  });
  await search(collection, 'gasket');
  await expect.poll(async () => (await list())[0]?.passages).toBe(30);
});

it('a key that lies among the files is in no collection', async () => {
  await start();
  write('one.md', 'The gasket is red.');
  write('id_rsa', 'The gasket is secret.');
  await add();
  const collection = await read();
  expect(collection).toMatchObject({ files: 1, unreadCount: 0 });
  expect(await search(collection, 'gasket')).toHaveLength(1);
});

it("a link among the files leads no search out of the collection's folder", async () => {
  await start();
  const secret = join(world.dir, 'secret.txt');
  writeFileSync(secret, 'The gasket is secret.');
  write('one.md', 'The gasket is red.');
  symlinkSync(secret, join(folder, 'two.txt'));
  symlinkSync(world.dir, join(folder, 'three'));
  await add();
  const found = await search(await read(), 'gasket');
  expect(found.map(({ text }) => text)).toEqual(['The gasket is red.']);
});
