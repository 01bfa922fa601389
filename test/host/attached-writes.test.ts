/** What a person attached is there to be read: no tool changes it, wherever the session works. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { reply, script, rule } from '../../src/sim/index.ts';
import { attach, base64, sendWith, withEyes } from '../helpers/attachment-world.ts';
import { World } from '../helpers/host-world.ts';

let world: World;
afterEach(() => world.close());

it.each(['write_file', 'edit_file'])(
  '%s is refused on attached files in a workspace that holds the data folder (audit-S15)',
  async (tool) => {
    world = await World.start({ sim: withEyes });
    const window = world.openWindow();
    const made = await window.rpc.call('session/create', { workspace: world.dir });
    const session = await window.follow(made.session.id);
    const files = [
      await attach(session, 'a.txt', base64('first')),
      await attach(session, 'b.txt', base64('second')),
    ];
    const paths = files.map(({ id }) => join(world.dir, 'data', 'attachments', `${id}.txt`));
    const change = (path = ''): Record<string, string> =>
      tool === 'write_file' ? { path, content: 'changed' } : { path, old_text: 's', new_text: 'changed' };
    world.sim.setScript(
      script([
        rule(
          { resultCount: 0 },
          reply()
            .toolCall('read_file', { path: paths[0] ?? '' })
            .toolCall('read_file', { path: paths[1] ?? '' }),
        ),
        rule({ resultCount: 2 }, reply().toolCall(tool, change(paths[0]))),
        rule({ resultCount: 3 }, reply().toolCall(tool, change(paths[1]))),
        rule({}, reply().text('That is all.')),
      ]),
    );
    const turn = await session.closed(await sendWith(session, 'Change them', ...files));
    expect(turn.status).toBe('finished');
    const items = session.items('tool');
    expect(items.map(({ state, approval }) => [state, approval])).toEqual([
      ['done', null],
      ['done', null],
      ['failed', null],
      ['failed', null],
    ]);
    expect(items.at(-1)?.result).toContain('belongs to Andiron itself');
    expect(await Promise.all(paths.map((path) => readFile(path, 'utf8')))).toEqual(['first', 'second']);
  },
);
