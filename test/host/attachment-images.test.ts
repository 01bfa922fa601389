/** Images of a message: on the wire to a model that sees, by their names to one that does not. */
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Attachment } from '../../src/protocol/attachments.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import {
  attach,
  blind,
  chats,
  choose,
  png,
  seeing,
  sendWith,
  withEyes,
} from '../helpers/attachment-world.ts';
import type { SessionView, World } from '../helpers/host-world.ts';
import { assertValidLogs, speakingWorld, storedLog } from '../helpers/session-world.ts';

let world: World;
let session: SessionView;
let sessionId: string;
let image: Attachment;
beforeEach(async () => {
  world = await speakingWorld({ sim: withEyes });
  session = await world.openSession();
  sessionId = session.sessionId;
  image = await attach(session, 'dot.png', png);
});
const path = (): string => join(world.dir, 'data', 'attachments', `${image.id}.png`);
afterEach(async () => {
  assertValidLogs(world);
  await world.close();
});

it('an image goes on the wire to a model that sees, with its message and again with every later one', async () => {
  await choose(session, seeing);
  await session.closed(await sendWith(session, 'What is this?', image));
  await session.ask('And now?');
  const [first = [], second = []] = chats(world.sim);
  expect(first[1]).toMatchObject({ images: [png] });
  expect(first[1]?.content).toContain('The images are part of this message.');
  expect(second.slice(0, first.length)).toEqual(first);
});

it('an image that is sent twice with one id, while it is asked who may see it, is one turn', async () => {
  await choose(session, seeing);
  const turnId = `turn_${'0'.repeat(32)}`;
  const message = { sessionId, turnId, text: 'What is this?', attachments: [image.id] };
  const sent = () => session.rpc.call('turn/start', message);
  const both = await Promise.all([sent(), sent()]);
  await session.closed(turnId);
  expect(both.map((each) => each.turnId)).toEqual([turnId, turnId]);
  expect([session.state.turns.length, session.items('user').length]).toEqual([1, 1]);
});

it('is sent in the very same bytes after a restart', async () => {
  await choose(session, seeing);
  await session.closed(await sendWith(session, 'What is this?', image));
  const [before = []] = chats(world.sim);
  await world.restartHost();
  const view = await world.openWindow().follow(sessionId);
  await view.ask('And now?');
  expect(JSON.stringify(chats(world.sim).at(-1)?.slice(0, before.length))).toBe(JSON.stringify(before));
});

it('is refused by a model that does not see before anything is sent, and stays with the person', async () => {
  await choose(session, blind);
  await session.ask('#1');
  const before = { log: storedLog(world, sessionId), state: session.state, sent: chats(world.sim).length };
  const refusal = {
    code: 'model_without_vision',
    message: `${blind} cannot see images, so the message was not sent.`,
    advice: 'Choose a model with vision and send it again, or take the images out of it.',
  };
  await expect(sendWith(session, 'What is this?', image)).rejects.toMatchObject(refusal);
  const [{ id: turnId } = { id: '' }] = session.state.turns;
  const edit = { sessionId, turnId, text: 'What is this?', attachments: [image.id] };
  await expect(session.rpc.call('turn/edit', edit)).rejects.toMatchObject(refusal);
  expect({ log: storedLog(world, sessionId), state: session.state, sent: chats(world.sim).length }).toEqual(
    before,
  );
  await choose(session, seeing);
  await session.closed(await sendWith(session, 'What is this?', image));
  expect(
    chats(world.sim)
      .at(-1)
      ?.findLast(({ role }) => role === 'user'),
  ).toMatchObject({ images: [png] });
});

it('that waited for its turn meets a model that does not see: the turn says so, and nothing of it is in the log', async () => {
  await choose(session, seeing);
  const running = await session.send('hang');
  const turnId = await sendWith(session, 'What is this?', image);
  await choose(session, blind);
  await session.rpc.call('turn/stop', { sessionId, turnId: running });
  await session.rpc.call('turn/resume', { sessionId });
  expect((await session.closed(turnId)).status).toBe('failed');
  expect(session.items('error').at(-1)).toMatchObject({ code: 'model_without_vision' });
  expect(session.items('user').at(-1)).toMatchObject({ text: 'What is this?', attachments: [image] });
  expect(JSON.stringify(storedLog(world, sessionId))).not.toContain('What is this?');
  await choose(session, seeing);
  const { turnId: again } = await session.rpc.call('turn/regenerate', { sessionId, turnId });
  expect((await session.closed(again)).status).toBe('finished');
  expect(
    chats(world.sim)
      .at(-1)
      ?.findLast(({ role }) => role === 'user'),
  ).toMatchObject({ images: [png] });
});

it('of an earlier message is told by its name to a model that does not see', async () => {
  await choose(session, seeing);
  await session.closed(await sendWith(session, 'What is this?', image));
  await choose(session, blind);
  expect((await session.ask('And now?')).status).toBe('finished');
  const [, first] = chats(world.sim).at(-1) ?? [];
  expect(first).not.toHaveProperty('images');
  expect(first?.content).toContain('\n\n[image: dot.png]');
  await choose(session, seeing);
  await session.ask('Look again');
  expect(chats(world.sim).at(-1)?.[1]).toMatchObject({ images: [png] });
});

it('that has left the disk later is told by its name, and the session goes on', async () => {
  await choose(session, seeing);
  await session.closed(await sendWith(session, 'What is this?', image));
  await chmod(path(), 0o600);
  await rm(path());
  expect((await session.ask('And now?')).status).toBe('finished');
  expect(chats(world.sim).at(-1)?.[1]?.content).toContain('[image: dot.png]');
});

it('goes by its name and place into a summary by rules', async () => {
  await choose(session, seeing);
  await session.closed(await sendWith(session, 'What is this?', image));
  await session.ask('#2');
  world.sim.setScript(
    script([
      rule({ user: 'Write a summary of this conversation' }, reply().text('')),
      rule({}, reply().text('Yes')),
    ]),
  );
  const { turnId } = await session.rpc.call('session/compact', { sessionId });
  await session.closed(turnId);
  const [summary] = session.items('summary');
  expect(summary).toMatchObject({
    by: 'rules',
    text: expect.stringContaining('What is this? [image: dot.png]') as string,
  });
  expect(storedLog(world, sessionId).some((message) => 'files' in message && message.files)).toBe(false);
});

it('that the engine cannot read is named as what is wrong, with what to do', async () => {
  await choose(session, seeing);
  world.sim.setScript(script([rule({}, reply().error(400, 'Failed to load image or audio file'))]));
  await session.closed(await sendWith(session, 'What is this?', image));
  expect(session.items('error').at(-1)).toMatchObject({
    code: 'attachment_invalid',
    advice: 'Edit the message that has it, take the image out and send again.',
  });
});

it('has its place in the window as long as nobody counted it: many of them are not sent where they cannot fit', async () => {
  const small = await session.rpc.call('profile/update', {
    profileId: 'developer',
    changes: { contextTokens: 4096 },
  });
  const view = await world.openSession(small.profile.id);
  await choose(view, seeing);
  const files = await Promise.all(Array.from({ length: 6 }, (_, n) => attach(view, `${String(n)}.png`, png)));
  await view.closed(await sendWith(view, 'What are these?', ...files));
  expect(view.items('error').at(-1)).toMatchObject({ code: 'context_overflow' });
  expect(chats(world.sim)).toEqual([]);
});
