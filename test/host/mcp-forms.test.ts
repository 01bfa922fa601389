/** What servers of tools want to know from the person: filled in on the card of the call, or not at all. */
import { afterEach, expect, test } from 'vitest';
import type { HostEvent } from '../../src/protocol/events.ts';
import type { FormQuestion } from '../../src/protocol/form-question.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { initialInputs, valuesOf } from '../../src/rules/form-values.ts';
import { figures } from '../../src/text/en/figures.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import type { SessionView } from '../helpers/host-world.ts';
import {
  everythingPath,
  hostile,
  McpWorld,
  obedient,
  openSandboxForTests,
  sandboxHere,
  toolCall,
  wanting,
} from '../helpers/mcp/mcp-world.ts';

const sandbox = await sandboxHere();
const everything = { command: 'node', args: [everythingPath, 'stdio'] };

let world: McpWorld;
afterEach(() => world.close());

const call = (session: SessionView) => session.items('tool')[0];
const question = (session: SessionView): FormQuestion | undefined => call(session)?.approval?.form;

/** A call that its person has allowed, and whose server asks them now. */
async function asked(server: object, name: string, args: Parameters<typeof toolCall>[1] = {}, clock?: Clock) {
  world = await McpWorld.start(server === everything ? sandbox : openSandboxForTests, obedient, clock);
  await world.add({ server });
  const session = await world.session();
  const turnId = await session.send(wanting(toolCall(`server.${name}`, args)));
  await session.answer('allow');
  await session.until(() => question(session) !== undefined);
  const { sessionId, rpc } = session;
  const answer = (given: object) =>
    rpc.call('approval/answer', {
      sessionId,
      approvalId: call(session)?.approval?.id ?? '',
      decision: 'allow',
      ...given,
    });
  return { session, turnId, answer };
}
const colour = (clock?: Clock) => asked(hostile('asks-person'), 'say', { words: '' }, clock);

test.runIf(sandbox.status.kind !== 'none')(
  'The form of server-everything is filled in with what it begins with, and its tool gets that (X8)',
  async () => {
    const { session, turnId, answer } = await asked(everything, 'trigger-elicitation-request');
    const form = question(session);
    const fields = form?.wanted.kind === 'fields' ? form.wanted.fields : [];
    expect(form).toMatchObject({
      server: 'server',
      message: 'Please provide inputs for the following fields:',
    });
    expect(new Set(fields.map(({ kind }) => kind))).toEqual(new Set(['text', 'boolean', 'number', 'choice']));
    await answer({ values: { ...valuesOf(fields, initialInputs(fields, figures), figures), name: 'Ada' } });
    await session.closed(turnId);
    expect(call(session)).toMatchObject({ state: 'done' });
    expect(call(session)?.result).toContain('- Name: Ada');
    expect(call(session)?.result).toContain('It was a dark and stormy night.');
  },
);

test.runIf(sandbox.status.kind !== 'none')(
  'The address that server-everything wants to have opened is shown as a whole, and a yes is all that goes back',
  async () => {
    const url = `https://example.com/consent?state=${'x'.repeat(300)}`;
    const { session, turnId, answer } = await asked(everything, 'trigger-url-elicitation', { url });
    expect(question(session)?.wanted).toEqual({ kind: 'address', url });
    await answer({});
    await session.closed(turnId);
    expect(call(session)?.result).toContain('completed the URL');
  },
);

test.runIf(sandbox.status.kind !== 'none')(
  'A tool that names an address instead of an answer is called once more after the person has opened it',
  async () => {
    const args = { url: 'https://example.com/consent', errorPath: true, elicitationId: 'once' };
    const { session, turnId, answer } = await asked(everything, 'trigger-url-elicitation', args);
    const first = call(session)?.approval?.id;
    await answer({});
    await session.until(
      () => call(session)?.approval?.id !== first && call(session)?.state === 'awaiting_approval',
    );
    await answer({});
    await session.closed(turnId);
    expect(call(session)).toMatchObject({ state: 'done' });
  },
);

test('Values that do not fit are refused by the host too, and the question stays open', async () => {
  const { session, turnId, answer } = await colour();
  await expect(answer({ values: { colour: 'green' } })).rejects.toThrow('does not fit the form: colour');
  await expect(answer({})).rejects.toThrow('does not fit the form: colour');
  expect(call(session)?.state).toBe('awaiting_approval');
  await answer({ values: { colour: 'blue' } });
  await session.closed(turnId);
  expect(call(session)?.result).toBe('{"action":"accept","content":{"colour":"blue"}}');
});

test.each([
  ['decline', {}],
  ['cancel', { isCancelled: true }],
])('A person can %s what a server asks, and the call goes on', async (action, given) => {
  const { session, turnId, answer } = await colour();
  await answer({ decision: 'deny', ...given });
  await session.closed(turnId);
  expect(call(session)).toMatchObject({ state: 'done', result: JSON.stringify({ action }) });
});

test('Stop ends a call whose server waits for the person', async () => {
  const { session, turnId } = await colour();
  await session.rpc.call('turn/stop', { sessionId: session.sessionId });
  expect((await session.closed(turnId)).status).toBe('stopped');
  expect(call(session)?.state).toBe('stopped');
});

test('What nobody answers in ten minutes is cancelled, and the time of the call does not run meanwhile', async () => {
  const clock = skippableClock();
  const { session, turnId } = await colour(clock);
  clock.skip(599_000);
  expect(call(session)?.state).toBe('awaiting_approval');
  clock.skip(1_000);
  await session.closed(turnId);
  expect(call(session)).toMatchObject({ state: 'done', result: '{"action":"cancel"}' });
});

test('A job of the schedule has nobody in front of it, so its server is declined at once', async () => {
  world = await McpWorld.start(openSandboxForTests, obedient);
  await world.add({ server: hostile('asks-person') });
  const window = world.world.openWindow();
  const { job } = await window.rpc.call('schedule/add', {
    job: {
      name: 'Ask',
      task: wanting(toolCall('server.say', { words: '' })),
      when: { kind: 'once', at: Date.now() + 3_600_000 },
      profileId: 'plugs',
      workspace: null,
      afterMissed: 'skip',
    },
  });
  const asking = Promise.withResolvers<string>();
  window.rpc.onEvent((_topic, _seq, event) => {
    const told = event as HostEvent;
    if (told.type === 'session/upserted' && told.session.status === 'asking') asking.resolve(told.session.id);
  });
  await window.rpc.call('host/subscribe', {});
  await window.rpc.call('schedule/run-now', { jobId: job.id });
  const session = await window.follow(await asking.promise);
  await session.answer('allow');
  await session.until(({ turns }) => turns[0]?.closed ?? false);
  expect(call(session)).toMatchObject({ state: 'done', result: '{"action":"decline"}' });
});
