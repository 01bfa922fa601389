/** Files of a message over a full disk and a host that dies: what was acknowledged is there, and nothing is there by half. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AndironError } from '../../src/protocol/errors.ts';
import { asideFiles, attach, base64, chats, keptFiles, sendWith } from '../helpers/attachment-world.ts';
import type { SessionView } from '../helpers/host-world.ts';
import { MortalHouse } from '../helpers/mortal-house.ts';
import { assertValidLogs, speaking } from '../helpers/session-world.ts';

let house: MortalHouse;
let session: SessionView;
let sessionId: string;
/** Steps of the disk until it fails; null = never. */
let failing: { file?: NodeJS.ErrnoException; write?: AndironError };

beforeEach(async () => {
  failing = {};
  house = await MortalHouse.start({
    sim: { script: speaking },
    faults: {
      file: (what) => {
        if (failing.file && what === 'writeAtomic') throw failing.file;
      },
      write: () => {
        if (failing.write) throw failing.write;
      },
    },
  });
  const { rpc } = house.openWindow();
  const made = await rpc.call('session/create', { workspace: house.workspace });
  sessionId = made.session.id;
  session = await house.openWindow().follow(sessionId);
});
afterEach(async () => {
  failing = {};
  if (!house.alive) await house.birth();
  assertValidLogs(house);
  await house.close();
});

const again = async (): Promise<SessionView> => {
  house.kill();
  await house.birth();
  return house.openWindow().follow(sessionId);
};

it('a full disk is told, and nothing is kept by half', async () => {
  failing.file = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  await expect(attach(session, 'a.txt', base64('x'))).rejects.toMatchObject({
    code: 'storage',
    message: 'The disk is full: a.txt could not be kept.',
    advice: 'Free some space, then attach it again.',
  });
  failing = { write: new AndironError('storage', 'The disk is full.', 'Free some space.') };
  await expect(attach(session, 'a.txt', base64('x'))).rejects.toMatchObject({ code: 'storage' });
  expect(await keptFiles(house)).toEqual([]);
});

it('a file that was added is there after a crash, for the message that it was added for', async () => {
  const file = await attach(session, 'a.txt', base64('x'));
  const view = await again();
  const turn = await view.closed(await sendWith(view, 'Look', file));
  expect(turn).toMatchObject({ status: 'finished', attachments: [file] });
  expect(await view.rpc.call('attachment/read', { attachmentId: file.id })).toMatchObject({
    data: base64('x'),
  });
});

it('what a crash left between a file and its record leaves its place at the next start, whatever else lies there', async () => {
  const { id } = await attach(session, 'a.txt', base64('x'));
  const folder = join(house.dir, 'data', 'attachments');
  await mkdir(join(folder, '.a-folder'));
  for (const name of ['.andiron-000000000000.tmp', 'att_000000000000.txt', `${id}.csv`])
    await writeFile(join(folder, name), 'half');
  await again();
  expect(await keptFiles(house)).toEqual(['.a-folder', '.set-aside', `${id}.txt`]);
  expect(await asideFiles(house)).toEqual([
    expect.stringMatching(/^att_000000000000\.txt~\d+$/),
    expect.stringMatching(`^${id}\\.csv~\\d+$`),
  ]);
});

it('a message that was queued has its files after a crash', async () => {
  const file = await attach(session, 'a.txt', base64('x'));
  await session.send('hang');
  const queued = await sendWith(session, '', file);
  const view = await again();
  expect(view.turn(queued)).toMatchObject({ status: 'queued', attachments: [file] });
  await view.rpc.call('turn/resume', { sessionId });
  expect((await view.closed(queued)).status).toBe('finished');
  expect(
    chats(house.sim)
      .at(-1)
      ?.findLast(({ role }) => role === 'user')?.content,
  ).toContain('- a.txt (file_id');
});

it('a message that only consists of files is shown after a crash under it, as one that was interrupted', async () => {
  const file = await attach(session, 'a.txt', base64('x'));
  await session.closed(await sendWith(session, '#1'));
  house.sim.setScript(() => undefined);
  for (let writes = 0; ; writes += 2) {
    house.doom(writes);
    const sent = await sendWith(session, '', file).catch(() => null);
    if (sent !== null) await Promise.race([session.closed(sent), house.died]);
    if (house.alive) break;
    await house.birth();
    session = await house.openWindow().follow(sessionId);
    // What was acknowledged is there; what began is shown whole.
    expect(sent === null || session.turn(sent) !== undefined).toBe(true);
    const begun = session.state.turns.filter(({ text, status }) => text === '' && status !== 'queued');
    expect(begun.filter(({ attachments }) => attachments?.[0]?.id !== file.id)).toEqual([]);
    const shown = session.items('user').filter(({ text }) => text === '');
    expect(shown.map(({ turnId, attachments }) => [turnId, attachments])).toEqual(
      begun.map(({ id }) => [id, [file]]),
    );
    for (const { id, status } of session.state.turns) {
      if (status === 'queued') await session.rpc.call('turn/stop', { sessionId, turnId: id });
    }
    assertValidLogs(house);
    expect(await keptFiles(house)).toEqual([`${file.id}.txt`]);
  }
  expect(session.state.turns.filter(({ status }) => status === 'interrupted').length).toBeGreaterThan(1);
});
