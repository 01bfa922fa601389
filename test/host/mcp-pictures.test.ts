/** Pictures that tools of servers answer with: what a model is sent of them, what the person sees, and how long they stay. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blind, chats, choose, keptFiles, png, seeing, withEyes } from '../helpers/attachment-world.ts';
import type { SessionView } from '../helpers/host-world.ts';
import {
  everythingPath,
  hostile,
  McpWorld,
  obedient,
  openSandboxForTests,
  toolCall,
  wanting,
} from '../helpers/mcp/mcp-world.ts';
import { assertValidLogs, storedLog } from '../helpers/session-world.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';

let world: McpWorld;
let session: SessionView;
let clock: ReturnType<typeof skippableClock>;
beforeEach(async () => {
  clock = skippableClock();
  world = await McpWorld.start(openSandboxForTests, obedient, clock, withEyes);
  await world.add({
    everything: { command: process.execPath, args: [everythingPath, 'stdio'] },
    moves: hostile('moving-words'),
  });
  session = await world.session();
});
afterEach(async () => {
  assertValidLogs(world.world);
  await world.close();
});

async function showPicture(model: string, tool = 'everything.get-tiny-image'): Promise<void> {
  await choose(session, model);
  const turnId = await session.send(wanting(toolCall(tool, { words: 'a' })));
  await session.answer('allow');
  await session.closed(turnId);
}
async function aWeekLater(): Promise<void> {
  clock.skip(8 * 24 * 60 * 60 * 1000);
  await world.world.restartHost();
}
const results = () =>
  chats(world.world.sim)
    .at(-1)
    ?.filter(({ role }) => role === 'tool') ?? [];
const shown = () => session.items('tool').at(-1)?.attachments ?? [];

test('A picture of a result goes to a model that sees, and the same with every later request', async () => {
  await showPicture(seeing);
  const sent = chats(world.world.sim).at(-1) ?? [];
  expect(sent.at(-1)).toMatchObject({ role: 'tool', images: [expect.any(String)] });
  expect(sent.at(-1)?.content).toContain('[picture-1.png: ');
  await session.ask('And now?');
  expect(chats(world.world.sim).at(-1)?.slice(0, sent.length)).toEqual(sent);
});

test('The card of the call has the picture, read from where attached files are kept', async () => {
  await showPicture(seeing);
  expect(shown()).toMatchObject([{ name: 'picture-1.png', kind: 'image', mime: 'image/png' }]);
  const { data } = await session.rpc.call('attachment/read', { attachmentId: shown()[0]?.id ?? '' });
  expect(results()[0]?.images).toEqual([data]);
});

test('A model that does not see is told that a picture came, and the person sees it all the same', async () => {
  await showPicture(blind);
  expect(results()[0]).not.toHaveProperty('images');
  expect(results()[0]?.content).toContain('[image: picture-1.png]\n(You cannot see it. The person sees it.)');
  expect(shown()).toHaveLength(1);
});

test('A model that sees is shown the picture of a result that another model could only be told of', async () => {
  await showPicture(blind);
  await choose(session, seeing);
  await session.ask('Look again.');
  expect(results()[0]).toMatchObject({ images: [expect.any(String)] });
});

test('After a week and a restart the picture goes out in the very same bytes', async () => {
  await showPicture(seeing);
  const before = chats(world.world.sim).at(-1) ?? [];
  await aWeekLater();
  const view = await world.world.openWindow().follow(session.sessionId);
  await view.ask('And now?');
  const after = chats(world.world.sim).at(-1)?.slice(0, before.length);
  expect(JSON.stringify(after)).toBe(JSON.stringify(before));
});

test('A fork keeps the picture when the session that it came from is gone for good', async () => {
  await showPicture(seeing);
  const { session: fork } = await session.rpc.call('session/fork', { sessionId: session.sessionId });
  await session.rpc.call('session/delete', { sessionId: session.sessionId });
  await aWeekLater();
  const view = await world.world.openWindow().follow(fork.id);
  expect((await view.ask('And now?')).status).toBe('finished');
  expect(results()[0]).toMatchObject({ images: [expect.any(String)] });
});

test('An export carries the picture to where the session is imported', async () => {
  await showPicture(seeing);
  const [picture] = shown();
  const { snapshot } = await session.rpc.call('session/export', { sessionId: session.sessionId });
  const other = await McpWorld.start(openSandboxForTests, obedient, undefined, withEyes);
  try {
    const { session: imported } = await other.rpc.call('session/import', { snapshot });
    const view = await other.world.openWindow().follow(imported.id);
    expect(view.items('tool').at(-1)?.attachments).toEqual([picture]);
    await choose(view, seeing);
    await view.ask('And now?');
    const sent = chats(other.world.sim)
      .at(-1)
      ?.find(({ role }) => role === 'tool');
    expect(sent).toMatchObject({ images: results()[0]?.images });
    const log = storedLog(other.world, imported.id).find(({ role }) => role === 'tool');
    expect(log).toMatchObject({ files: [{ path: expect.stringContaining(other.world.dir) as string }] });
  } finally {
    await other.close();
  }
});

test('An import has the pictures that came with it, and none that is only named in it', async () => {
  await showPicture(seeing);
  const { snapshot } = await session.rpc.call('session/export', { sessionId: session.sessionId });
  const named = { ...(snapshot as object), attachments: [] };
  const { session: imported } = await session.rpc.call('session/import', { snapshot: named });
  const view = await world.world.openWindow().follow(imported.id);
  expect(view.items('tool').at(-1)?.attachments?.[0]?.id).not.toBe(shown()[0]?.id);
  await choose(view, seeing);
  await view.ask('And now?');
  expect(results()[0]).not.toHaveProperty('images');
  expect(results()[0]?.content).toContain('[image: picture-1.png]');
});

test('A picture goes with its session', async () => {
  await showPicture(seeing);
  expect(await keptFiles(world.world)).toHaveLength(1);
  await session.rpc.call('session/delete', { sessionId: session.sessionId });
  await aWeekLater();
  expect(await keptFiles(world.world)).toEqual([]);
});

test('What a result says moves none of its pictures', async () => {
  await showPicture(seeing, 'moves.say');
  expect(results()[0]).toMatchObject({ images: [png] });
  expect(results()[0]?.content).not.toContain('[img');
  expect(storedLog(world.world, session.sessionId).at(-2)).toMatchObject({ role: 'tool' });
});

test('Whatever reaches further asks because of a picture, as it does because of any result', async () => {
  await choose(session, seeing);
  const turnId = await session.send(
    wanting(toolCall('everything.get-tiny-image'), toolCall('everything.echo', { message: 'x' })),
  );
  await session.answer('allow');
  await session.until(() => session.items('tool')[1]?.state === 'awaiting_approval');
  expect(session.items('tool')[1]?.approval?.why).toContain('the result of a tool');
  await session.answer('deny');
  await session.closed(turnId);
});
