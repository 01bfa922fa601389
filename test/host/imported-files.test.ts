/** An imported conversation has the files that came with it, and no file of another session. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Attachment } from '../../src/protocol/attachments.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import {
  attach,
  base64,
  chats,
  choose,
  png,
  seeing,
  sendWith,
  withEyes,
} from '../helpers/attachment-world.ts';
import type { SessionView, World } from '../helpers/host-world.ts';
import { speakingWorld } from '../helpers/session-world.ts';

let world: World;
let secret: Attachment;
let image: Attachment;
beforeEach(async () => {
  world = await speakingWorld({ sim: withEyes });
  const other = await world.openSession();
  secret = await attach(other, 'secret.txt', base64('SECRET OF A'));
  image = await attach(other, 'dot.png', png);
  await choose(other, seeing);
  await other.closed(await sendWith(other, 'Keep these', secret, image));
});
afterEach(() => world.close());

const pathOf = (id: string): string => join(world.dir, 'data', 'attachments', `${id}.txt`);

/** Imports a conversation whose two files say that they are those of the other session. */
async function importForged(
  packed: 'nothing' | 'other bytes',
): Promise<{ view: SessionView; notices: string[] }> {
  const source = await world.openSession();
  const [text, picture] = [await attach(source, 'a.txt', base64('mine')), await attach(source, 'b.png', png)];
  await choose(source, seeing);
  await source.closed(await sendWith(source, 'Look', text, picture));
  const { sessionId, rpc } = source;
  const { snapshot } = await rpc.call('session/export', { sessionId });
  const forged = JSON.parse(
    JSON.stringify(snapshot).replaceAll(text.id, secret.id).replaceAll(picture.id, image.id),
  ) as { attachments?: { data: string }[] };
  if (packed === 'nothing') delete forged.attachments;
  else for (const each of forged.attachments ?? []) each.data = base64('other bytes');
  const { session, notices } = await rpc.call('session/import', { snapshot: forged });
  return { view: await world.openWindow().follow(session.id), notices };
}

describe.each(['nothing', 'other bytes'] as const)(
  'an import that brings %s under the ids of files here',
  (packed) => {
    it('can neither read nor send those files, and says that they are missing (audit-S15)', async () => {
      const { view, notices } = await importForged(packed);
      expect(notices).toContainEqual(expect.stringContaining('2 attached files are not in this export'));
      const before = chats(world.sim).length;
      world.sim.setScript(
        script([
          rule({ resultCount: 0 }, reply().toolCall('read_file', { path: pathOf(secret.id) })),
          rule({}, reply().text('That is all.')),
        ]),
      );
      await choose(view, seeing);
      await view.ask('And now?');
      const item = view.items('tool').at(-1);
      expect(item?.state).toBe('failed');
      const sent = JSON.stringify(chats(world.sim).slice(before));
      expect(sent).not.toContain('SECRET OF A');
      expect(sent).not.toContain(png);
    });

    it('cannot have them by asking its message again (audit-S15)', async () => {
      const { view } = await importForged(packed);
      const turnId = view.state.turns[0]?.id ?? '';
      await expect(
        view.rpc.call('turn/regenerate', { sessionId: view.sessionId, turnId }),
      ).rejects.toMatchObject({ code: 'not_found' });
    });
  },
);

it('an import that brings the very bytes of a file here has that file (audit-S15)', async () => {
  const source = await world.openSession();
  const file = await attach(source, 'a.txt', base64('mine'));
  await source.closed(await sendWith(source, 'Look', file));
  const { snapshot } = await source.rpc.call('session/export', { sessionId: source.sessionId });
  const { session, notices } = await source.rpc.call('session/import', { snapshot });
  expect(notices.filter((notice) => notice.includes('attached'))).toEqual([]);
  const view = await world.openWindow().follow(session.id);
  world.sim.setScript(
    script([
      rule({ resultCount: 0 }, reply().toolCall('read_file', { path: pathOf(file.id) })),
      rule({}, reply().text('That is all.')),
    ]),
  );
  await view.ask('And now?');
  expect(view.items('tool').at(-1)?.result).toContain('mine');
});
