/** What a tool brought is kept whole for the person, also where the model reads only a part of it. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { reply, sequence } from '../../src/sim/index.ts';
import { World, type SessionView } from '../helpers/host-world.ts';
import { storedLog } from '../helpers/session-world.ts';

const names = Array.from(
  { length: 900 },
  (_, n) => `file-${String(n).padStart(4, '0')}-${'x'.repeat(30)}.txt`,
);

let world: World;
let session: SessionView;
beforeEach(async () => {
  const listing = [reply().toolCall('list_files'), reply().text('Many.')];
  world = await World.start({
    files: Object.fromEntries(names.map((name) => [name, ''])),
    sim: { script: sequence(...listing, ...listing) },
  });
  session = await world.openSession();
  await session.ask('List them');
});
afterEach(() => world.close());

async function whole(view: SessionView): Promise<string> {
  const [item] = view.items('tool');
  let text = '';
  for (let from: number | null = 0; from !== null;) {
    const piece: { text: string; next: number | null } = await view.rpc.call('item/whole-result', {
      sessionId: view.sessionId,
      itemId: item?.id ?? '',
      from,
    });
    text += piece.text;
    from = piece.next;
  }
  return text;
}

it('a person can have all of a result of which the model read a part, after a restart too (audit-A6, G9)', async () => {
  const [item] = session.items('tool');
  expect(item?.result).toMatch(/\.\.\. and \d+ more/);
  expect(item?.result.length).toBeLessThanOrEqual(8_000);
  expect(item?.wholeLength).toBe(names.join('\n').length);
  const read = storedLog(world, session.sessionId).find(({ role }) => role === 'tool')?.content;
  expect(read).toBe(item?.result);
  expect(await whole(session)).toBe(names.join('\n'));
  await world.restartHost();
  session = await world.openWindow().follow(session.sessionId);
  expect(await whole(session)).toBe(names.join('\n'));
});

it('a fork and an import of an export have the whole results of their session (audit-A6, G9)', async () => {
  const { sessionId, rpc } = session;
  const fork = await rpc.call('session/fork', { sessionId });
  expect(await whole(await world.openWindow().follow(fork.session.id))).toBe(names.join('\n'));
  const { snapshot } = await rpc.call('session/export', { sessionId });
  const { session: imported } = await rpc.call('session/import', { snapshot });
  expect(await whole(await world.openWindow().follow(imported.id))).toBe(names.join('\n'));
  // Without it in the file, the copy offers nothing that it does not have.
  const { results: _gone, ...without } = snapshot as { results?: unknown };
  const bare = await rpc.call('session/import', { snapshot: without });
  const view = await world.openWindow().follow(bare.session.id);
  expect(view.items('tool')[0]).not.toHaveProperty('wholeLength');
  await expect(whole(view)).rejects.toMatchObject({ code: 'not_found' });
});
