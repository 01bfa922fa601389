/** A reply that runs in circles is closed, and what stood before the circle is used. */
import { expect, test } from 'vitest';
import type { ReplyEvent } from '../../src/host/providers/provider.ts';
import { reply, sequence } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { numbered } from '../helpers/long-text.ts';
import { provenAbilities, withoutOpening } from '../helpers/proven-models.ts';
import { opening, small } from '../helpers/small-models.ts';
import {
  assertValidHistory,
  call,
  done,
  profile,
  text,
  thinking,
  TurnWorld,
  type ScriptedReply,
} from '../helpers/turn-world.ts';

const sentence = 'I will read the file now and tell you what it says. ';
/** So many events that a client which never cuts would take them all. */
const endless = 5_000;

interface Stream {
  /** Events that the client took. */
  taken: number;
  /** By the client, as it closes what it stops. */
  closed: boolean;
}

/** The first reply never ends; the others come as they are. */
function runningOn(
  event: (nth: number) => ReplyEvent,
  ...later: ReplyEvent[][]
): { world: TurnWorld; stream: Stream } {
  const world = new TurnWorld();
  const stream: Stream = { taken: 0, closed: false };
  let asked = 0;
  world.provider = {
    async *stream(_request, signal) {
      asked += 1;
      yield { type: 'opened' };
      if (asked > 1) {
        yield* later[asked - 2] ?? [text('Done.'), done()];
        return;
      }
      try {
        for (; stream.taken < endless; stream.taken += 1) yield event(stream.taken);
        yield done({}, 'length');
      } finally {
        stream.closed = signal.aborted;
      }
    },
  };
  return { world, stream };
}

const notes = (world: TurnWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' ? item.text : []));

test('An answer that repeats itself is cut, closed and kept up to its first round (audit-E4)', async () => {
  const { world, stream } = runningOn((nth) => text(nth === 0 ? 'The total is 42. ' : sentence));
  await world.run();
  expect(stream).toMatchObject({ closed: true });
  expect(stream.taken).toBeLessThan(40);
  expect(world.messages.at(-1)).toMatchObject({ content: `The total is 42. ${sentence}`.trim() });
  expect(world.events).toContainEqual({ type: 'turn/finished', cut: true });
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'item/completed', cut: true }));
  expect(world.events.findLast(({ type }) => type === 'item/rewritten')).toMatchObject({
    text: `The total is 42. ${sentence}`.trim(),
  });
  expect(notes(world)).toContain('The reply ran in circles, so it was cut.');
});

test('An answer that is nothing but a circle is asked for again (audit-E4)', async () => {
  const { world } = runningOn(() => text(sentence), [text('Four.'), done()]);
  await world.run();
  const [first, second] = world.requests;
  expect(second?.sampling).not.toEqual(first?.sampling);
  expect(notes(world)).toContain('The reply ran in circles. Asked again.');
  expect(world.messages.at(-1)).toMatchObject({ content: 'Four.' });
  expect(world.events).toContainEqual({ type: 'turn/finished' });
});

test('The slot of a reply that was cut is proved, and a lost one is cured (audit-E4)', async () => {
  const { world } = runningOn(() => text(sentence));
  const proofs = ['silent', 'answered'] as const;
  let proved = 0;
  world.onProve = async () =>
    proofs[proved++] === 'silent' ? { found: 'silent' } : { found: 'answered', promptTokens: 9 };
  await world.run();
  expect(proved).toBe(2);
  expect(world.slots.suspect('test-model')).toBe(false);
  expect(notes(world)).toContainEqual(expect.stringContaining('was reloaded in 9 s'));
  expect(world.ending()).toBe('turn/finished');
});

test('Calls that repeat themselves are cut, and each of them runs once (audit-E4)', async () => {
  const { world, stream } = runningOn(
    (nth) => call(nth % 2 === 0 ? 'echo' : 'touch', { value: 'a' }),
    [text('Read.'), done()],
  );
  await world.run();
  expect(stream.taken).toBeLessThan(12);
  expect(world.executed).toEqual(['echo', 'touch']);
  expect(world.messages.at(-1)).toMatchObject({ content: 'Read.' });
  const unrun = world.events.filter(
    (event) => event.type === 'tool/finished' && event.state === 'interrupted',
  );
  expect(unrun).toHaveLength(6);
  assertValidHistory(world.messages);
});

test('A call that is written as text without end runs once (audit-E4)', async () => {
  const written = '```json\n{"name": "echo", "arguments": {"value": "notes about the garden"}}\n```\n';
  const { world } = runningOn(() => text(written), [text('Read.'), done()]);
  await world.run();
  expect(world.executed).toEqual(['echo']);
  expect(world.ending()).toBe('turn/finished');
});

test('Thinking that runs in circles is cut, and the step is asked again in another way (audit-E4)', async () => {
  const { world, stream } = runningOn(
    () => thinking('Wait, that is not right, so once more. '),
    [text('Four.'), done()],
  );
  await world.run();
  expect(stream.closed).toBe(true);
  expect(stream.taken).toBeLessThan(60);
  const [first, second] = world.requests;
  expect(second?.sampling).not.toEqual(first?.sampling);
  expect(world.messages.at(-1)).toMatchObject({ content: 'Four.' });
});

test('Arguments that run in circles under a grammar are not run, and are asked for again (audit-E4)', async () => {
  const { world, stream } = runningOn(
    (nth) => text(nth === 0 ? '{"call":"echo","with":{"value":"' : 'and the file says so, '),
    [text('{"answer":"Four."}'), done()],
  );
  world.active = profile({ calls: 'constrained' });
  world.abilities = withoutOpening(provenAbilities());
  await world.run();
  expect(stream.taken).toBeLessThan(80);
  expect(world.executed).toEqual([]);
  expect(notes(world)).toContainEqual(expect.stringContaining('The reply ran in circles. Asked again'));
  expect(world.messages.at(-1)).toMatchObject({ content: 'Four.' });
});

test('A constrained answer that runs in circles is kept up to its first round (audit-E4)', async () => {
  const { world } = runningOn((nth) => text(nth === 0 ? '{"answer":"The total is 42. ' : sentence));
  world.active = profile({ calls: 'constrained' });
  world.abilities = withoutOpening(provenAbilities());
  await world.run();
  expect(world.messages.at(-1)).toMatchObject({ content: `The total is 42. ${sentence}`.trim() });
  expect(world.events).toContainEqual({ type: 'turn/finished', cut: true });
});

test('An answer whose lines are alike but not the same is not cut (audit-E4)', async () => {
  const { world, stream } = runningOn((nth) =>
    nth < 600 ? text(`| ${String(nth)} | open | 0.00 |\n`) : done(),
  );
  await world.run();
  expect(stream.taken).toBeGreaterThanOrEqual(600);
  expect(world.events).toContainEqual({ type: 'turn/finished' });
});

test('A call before thinking that runs in circles runs, and the thinking is kept short (audit-E4)', async () => {
  const { world } = runningOn(
    (nth) => (nth === 0 ? call('echo') : thinking('Wait, that is not right, so once more. ')),
    [text('Four.'), done()],
  );
  await world.run();
  expect(world.executed).toEqual(['echo']);
  const said = world.messages.find(({ role }) => role === 'assistant');
  expect(said).toMatchObject({ thinking: 'Wait, that is not right, so once more.' });
});

test('Over HTTP a cut reply closes its connection, and its slot answers the next message (audit-E4)', async () => {
  const circle = numbered('The lamp is on the shelf. ', 3) + sentence.repeat(2_000);
  const app = await World.start({
    sim: { script: sequence(reply().text(circle), reply().text('Fine.')), speed: 1_000 },
  });
  try {
    const session = await app.openSession();
    const turn = await session.ask('Where is the lamp?');
    expect(turn).toMatchObject({ status: 'finished', cut: true });
    const answer = session.items('text').at(-1)?.text ?? '';
    expect(answer).toMatch(/^The lamp is on the shelf\. \(1\) .*tell you what it says\.$/);
    expect(answer.length).toBeLessThan(250);
    expect((await session.ask('And now?')).status).toBe('finished');
    const chats = app.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat');
    expect(chats.map(({ outcome }) => outcome)).toEqual(['closed', 'done']);
    expect(app.sim.truth.loads).toHaveLength(1);
  } finally {
    await app.close();
  }
});

const endlessly = (call: string): ScriptedReply => [text(call), done({}, 'length')];
const circling = endlessly(`{"call":"echo","with":{"value":"10 weeks ${'in 10 days '.repeat(60)}`);

test('A led model whose call runs in circles twice answers, and a figure that it made up is marked as a guess', async () => {
  const guess: ScriptedReply = [text('{"answer_why_not":"It is port 8080."}'), done()];
  const world = small(opening('look', 'answer'), circling, circling, guess, guess);
  await world.run('Which port?');
  expect(JSON.stringify(world.requests[3]?.format)).not.toContain('"call"');
  expect(world.executed).toEqual([]);
  expect(world.messages.at(-1)).toMatchObject({ content: 'It is port 8080.' });
  expect(world.items().flatMap((item) => (item.kind === 'note' ? item.note : []))).toContain('guessed');
  expect(world.ending()).toBe('turn/finished');
});

test('A led model that was to change something, and whose call runs in circles, is marked as having done nothing', async () => {
  const change = endlessly(`{"call":"touch","with":{"value":"${'one line of it and '.repeat(80)}`);
  const said: ScriptedReply = [text('{"answer":"I could not write it."}'), done()];
  const world = small(opening('change', 'answer'), change, change, said, said);
  await world.run('write it');
  expect(JSON.stringify(world.requests[3]?.format)).not.toContain('"call"');
  expect(world.executed).toEqual([]);
  expect(notes(world)).toContain('Nothing was changed or run.');
});

test('What is to be written may repeat itself where a pattern may not', async () => {
  const written = `{"call":"touch","with":{"value":"${'null, '.repeat(120)}"}}`;
  // As it comes: whoever cuts it gets no whole call.
  const change: ScriptedReply = [...(written.match(/.{1,40}/g) ?? []).map((piece) => text(piece)), done()];
  const world = small(opening('change', 'answer'), change, [text('{"answer":"Written."}'), done()]);
  await world.run('write it');
  expect(world.executed).toEqual(['touch']);
});
