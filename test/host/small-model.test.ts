/** A turn with a model of 0.5B: called by a grammar from its first reply on, and led by what it says that it will do. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openingExamples } from '../../src/host/loop/opening/examples.ts';
import { opening as openingOf } from '../../src/host/prompt/opening.ts';
import { defineTool } from '../../src/host/tools/define-tool.ts';
import { AndironError } from '../../src/protocol/errors.ts';
import { provenAbilities, withoutOpening } from '../helpers/proven-models.ts';
import {
  answers,
  looks,
  opening,
  reply,
  small,
  smallSize,
  touches,
  type Replies,
} from '../helpers/small-models.ts';
import { assertValidHistory, call, done, profile, text, TurnWorld } from '../helpers/turn-world.ts';

/** It cannot say what it is about to do. */
function unled(...replies: Replies): TurnWorld {
  const world = small(...replies);
  world.abilities = withoutOpening(provenAbilities(smallSize));
  return world;
}

/** Nor does it plan. */
function led(...replies: Replies): TurnWorld {
  const world = unled(...replies);
  world.abilities = new Set([...(world.abilities ?? [])].filter((each) => each !== 'planning'));
  return world;
}

const formats = (world: TurnWorld): string[] =>
  world.requests.map(({ format }) => JSON.stringify(format ?? null));
const newest = (world: TurnWorld): string => JSON.stringify(world.requests.at(-1)?.messages.at(-1));
const saidAt = (world: TurnWorld): string | undefined => world.messages.at(-1)?.content;
const notes = (world: TurnWorld): string[] =>
  world.items().flatMap((item) => (item.kind === 'note' ? item.text : []));

describe('A model that cannot say what it is about to do', () => {
  test('has a grammar from its first request on, without an answer before its first call', async () => {
    const world = unled(reply({ call: 'echo', with: { value: 'a.txt' } }), answers('It says hello.'));
    await world.run('what does a.txt say?');
    expect(formats(world)[0]).toContain('"call"');
    expect(formats(world)[0]).not.toContain('"answer"');
    expect(formats(world)[1]).toContain('"answer"');
    expect(world.ending()).toBe('turn/finished');
    assertValidHistory(world.messages);
  });

  test('is offered each tool at once, and sent no examples', async () => {
    const world = unled(looks, answers('Hello.'));
    await world.run('Good morning');
    expect(formats(world)[0]).toContain('"echo"');
    expect(formats(world)[0]).toContain('"touch"');
    expect(JSON.stringify(world.requests)).not.toContain(openingExamples[0]?.content);
  });
});

describe('A model that can neither say what it is about to do nor plan', () => {
  test('greets with the words of a greeting', async () => {
    const world = led(looks, answers('Good morning'));
    await world.run('Good morning');
    expect(world.requests).toHaveLength(2);
  });

  test('makes a call, is sent what was asked behind its result, and is marked where nothing was done', async () => {
    const world = led(looks, answers('Hello.'));
    await world.run('Good morning');
    expect(formats(world)[0]).not.toContain('"answer"');
    expect(newest(world)).toContain('Good morning');
    expect(formats(world)[1]).toContain('"answer"');
    expect(notes(world)).toEqual(['Nothing was changed or run.']);
  });
});

async function unannounced(world: TurnWorld): Promise<boolean[]> {
  await world.run('make it new');
  return world.asked.map(({ isUnannounced }) => isUnannounced);
}

describe('Whether a change asks whatever was allowed before', () => {
  test('A model under a grammar that cannot say what it is about to do asks for each change', async () => {
    expect(await unannounced(unled(touches, answers('Done.')))).toEqual([true]);
  });

  test('A model that has opened its turn does not ask again for what is allowed', async () => {
    expect(await unannounced(small(opening('change'), touches, answers('Done.')))).toEqual([false]);
  });

  test('A model whose opening was refused with its grammar asks for each change', async () => {
    const refused = [new AndironError('grammar_refused', 'No grammar.')];
    expect(await unannounced(small(refused, touches, answers('Done.')))).toEqual([true]);
  });

  test('A model that makes its own calls does not ask again for what is allowed', async () => {
    const world = new TurnWorld([call('touch'), done()], [text('Done.'), done()]);
    expect(await unannounced(world)).toEqual([false]);
  });
});

describe('A model that opens its turns', () => {
  test('answers at once where its opening is only an answer', async () => {
    const world = small(opening('answer'), answers('Hello.'));
    await world.run('Good morning');
    expect(formats(world)).toHaveLength(2);
    expect(formats(world)[1]).toContain('"answer"');
    expect(formats(world)[1]).not.toContain('"call"');
    expect(world.ending()).toBe('turn/finished');
  });

  test.each([
    ['look', 'echo', 'touch'],
    ['change', 'touch', 'echo'],
  ] as const)('may only call a tool of the act where its first step is to %s', async (act, its, other) => {
    const world = small(opening(act, 'answer'), reply({ call: its, with: {} }), answers('Done.'));
    await world.run('what does it say?');
    const [, first, second] = formats(world);
    expect(first).toContain(`"${its}"`);
    expect(first).not.toContain(`"${other}"`);
    expect(first).not.toMatch(/"answer(?:_about)?"/);
    expect(second).toMatch(/"answer(?:_about)?"/);
    expect(world.executed).toEqual([its]);
    assertValidHistory(world.messages);
  });

  test('is offered no tool that changes anything where its opening named no change (audit-E6)', async () => {
    const world = small(
      opening('look', 'answer'),
      looks,
      reply({ call: 'echo', with: {} }),
      answers('Done.'),
    );
    await world.run('what does it say?');
    expect(formats(world).length).toBeGreaterThan(2);
    for (const format of formats(world)) expect(format).not.toContain('"touch"');
  });

  test('takes its steps in their order, and answers behind the last', async () => {
    const change = reply({ call: 'touch', with: {} });
    const world = small(opening('look', 'change', 'answer'), looks, change, answers('Changed.'));
    await world.run('put it in order');
    expect(world.executed).toEqual(['echo', 'touch']);
    expect(formats(world).map((format) => format.includes('"answer"'))).toEqual([true, false, false, true]);
    expect(world.observed).toContainEqual(['opens', true]);
  });

  test('reads the examples in front of every request, in the same bytes', async () => {
    const turn: Replies = [opening('look', 'answer'), looks, answers('Done.')];
    const world = small(...turn, ...turn);
    await world.run('what does it say?');
    await world.run('and now?');
    expect(world.requests).toHaveLength(6);
    const front = world.requests.map(({ messages }) =>
      JSON.stringify(messages.slice(0, openingExamples.length)),
    );
    expect(new Set(front)).toEqual(new Set([JSON.stringify(openingExamples)]));
    // Each prompt of a turn only grows at its end.
    const [first, second] = world.requests;
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
  });

  test('has neither the examples nor its opening in the log', async () => {
    const world = small(opening('look', 'answer'), looks, answers('Done.'));
    await world.run('what does it say?');
    expect(world.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    const log = JSON.stringify(world.messages);
    for (const { content } of openingExamples)
      expect(log).not.toContain(JSON.stringify(content).slice(1, -1));
    expect(log).not.toContain('"act');
    expect(log).not.toContain('look at it');
  });

  test('only looks and answers where no opening of four is in form, each of which counts against it', async () => {
    const sure = [text('Sure!'), done()];
    const world = small(sure, sure, sure, sure, looks, answers('Done.'));
    await world.run('what does it say?');
    expect(formats(world)[4]).toContain('"echo"');
    expect(formats(world)[4]).not.toContain('"answer"');
    for (const format of formats(world)) expect(format).not.toContain('"touch"');
    expect(world.observed.filter(([ability]) => ability === 'opens')).toHaveLength(4);
    expect(world.ending()).toBe('turn/finished');
  });

  test('is asked once more, with other dice, where its opening is not in form', async () => {
    const world = small([text('{"steps":[{"act":"ch'), done()], opening('change'), touches, answers('Done.'));
    await world.run('make it new');
    const [first, second] = world.requests;
    expect(second?.messages).toEqual(first?.messages);
    expect([first?.sampling, second?.sampling]).toMatchObject([
      { temperature: 0 },
      { temperature: 0.4, seed: 1 },
    ]);
    expect(world.asked).toHaveLength(1);
    expect(world.observed.filter(([ability]) => ability === 'opens')).toEqual([
      ['opens', false],
      ['opens', true],
    ]);
  });

  test('is asked to open again where the connection broke', async () => {
    const broken = new AndironError('stream_cut', 'The connection broke.');
    const world = small([text('{"steps"'), broken], opening('change'), touches, answers('Done.'));
    await world.run('make it new');
    expect(world.ending()).toBe('turn/finished');
    expect(world.asked).toHaveLength(1);
  });

  test('fails like any other where the connection breaks each time it opens', async () => {
    const broken = new AndironError('stream_cut', 'The connection broke.');
    const world = small(...Array.from({ length: 8 }, () => [text('{"steps"'), broken]));
    await world.run('make it new');
    expect(world.ending()).toBe('turn/failed');
    expect(world.requests).toHaveLength(6);
  });

  test('is told to have changed nothing where it said it would, and no call did', async () => {
    const failing = reply({ call: 'touch', with: {} });
    const said = answers('I changed it.');
    const world = small(opening('change', 'answer'), failing, failing, failing, said, said);
    world.onExecute = () => Promise.reject(new Error('The file is locked.'));
    await world.run('change it');
    expect(world.ending()).toBe('turn/finished');
    expect(saidAt(world)).toBe('I changed it.');
    expect(notes(world)).toContain('Nothing was changed or run.');
    expect(world.observed).toContainEqual(['opens', false]);
  });

  test('is asked for its answer once more where it did nothing of what it said, with that in front', async () => {
    const failing = reply({ call: 'touch', with: {} });
    const again = answers('The file is locked.');
    const world = small(opening('change', 'answer'), failing, failing, failing, answers('Done.'), again);
    world.onExecute = () => Promise.reject(new Error('The file is locked.'));
    await world.run('change it');
    expect(saidAt(world)).toBe('The file is locked.');
    expect(newest(world)).toContain('Nothing was changed or run.\\n\\nchange it');
    expect(world.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
    expect(notes(world)).toContain('Nothing was changed or run.');
  });

  test.each([
    ['no answer', [text('{"answer": '), done()]],
    ['an empty one', answers(' ')],
    ['words out of form', [text('Sorry.'), done()]],
  ])('keeps its first answer where it has %s when it is asked again', async (_, again) => {
    const failing = reply({ call: 'touch', with: {} });
    const world = small(opening('change', 'answer'), failing, failing, failing, answers('Done.'), again);
    world.onExecute = () => Promise.reject(new Error('The file is locked.'));
    await world.run('change it');
    expect(saidAt(world)).toBe('Done.');
    expect(world.ending()).toBe('turn/finished');
  });

  test('does what the person allowed before it answers, where its opening was only an answer', async () => {
    const change = reply({ call: 'touch', with: {} });
    const world = small(opening('answer'), change, answers('Done.'));
    world.allow = ['change', 'run'];
    await world.run('put it in order');
    expect(formats(world).map((format) => format.includes('"answer"'))).toEqual([true, false, true]);
    expect(world.executed).toEqual(['touch']);
    expect(notes(world)).not.toContain('Nothing was changed or run.');
  });

  test('reads the question once more behind the result that it is answered from', async () => {
    const world = small(opening('look', 'answer'), looks, answers('Hello.'));
    await world.run('what does a.txt say?');
    expect(newest(world)).toContain('what does a.txt say?');
  });

  test('reads what comes next behind the result of the step before', async () => {
    const change = reply({ call: 'touch', with: {} });
    const world = small(opening('look', 'change', 'answer'), looks, change, answers('Done.'));
    await world.run('put it in order');
    expect(JSON.stringify(world.requests[2]?.messages.at(-1))).toContain('Next: change at it');
  });

  test('is sent no notes, and the log has none that it was not sent', async () => {
    const world = small(opening('answer'), answers('Hello.'));
    world.active = profile({ iterationBudgetEnabled: true });
    await world.run('Good morning');
    expect(JSON.stringify(world.requests)).not.toContain('[andiron note]');
    expect(JSON.stringify(world.messages)).not.toContain('[andiron note]');
  });

  test('reads a whole file without the head of the result', async () => {
    const reads = reply({ call: 'read_file', with: { path: 'a.txt' } });
    const world = small(opening('look', 'answer'), reads, answers('Hello.'));
    world.moreTools.push(readTool);
    world.active = profile({ tools: ['read_file'] });
    await world.run('what does a.txt say?');
    expect(newest(world)).toContain('hello');
    expect(newest(world)).not.toContain('lines 1-1');
  });

  test('reads the message without the line about the workspace (audit-A14)', async () => {
    const world = small(opening('answer'), answers('Hello.'));
    world.opening = openingOf({ path: '/work', platform: 'linux' });
    world.active = profile({ iterationBudgetEnabled: false });
    await world.run('Good morning');
    const sent = world.requests.map(({ messages }) => messages[openingExamples.length]?.content.trim());
    expect(sent).toEqual(['Good morning', 'Good morning']);
  });

  test.each([
    ['look', 400],
    ['change', 2_000],
  ] as const)('has a bound for each call, of which one to %s has %i tokens', async (act, bound) => {
    const made = reply({ call: act === 'look' ? 'echo' : 'touch', with: {} });
    const world = small(opening(act, 'answer'), made, answers('Done.'));
    await world.run('go on');
    expect(world.requests[0]?.maxOutputTokens).toBe(400);
    expect(world.requests[1]?.maxOutputTokens).toBe(bound);
  });
});

test('A reply under a grammar is read also where the engine took it for a call of its own', async () => {
  const world = unled(
    [call('touch', { call: 'echo', with: { value: 'a.txt' } }), done()],
    [call('echo', { answer: 'It says echo.' }), done()],
  );
  await world.run('what does a.txt say?');
  expect(world.executed).toEqual(['echo']);
  expect(world.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'It says echo.' });
});

const refusal = (): AndironError =>
  new AndironError('grammar_refused', 'Ollama refused the grammar of the reply: failed to parse grammar');

const toolNamed = (name: string) =>
  defineTool({
    name,
    description: 'Read a file.',
    parameters: z.object({ path: z.string(), start_line: z.number().int().optional() }),
    mutates: false,
    retrySafe: true,
    risk: 'read',
    about: 'outside',
    timeoutMs: 1_000,
    subject: ({ path }) => path,
    need: () => ({ risk: 'read', summary: '', mutates: '', sandboxed: false, scopes: ['once'] }),
    execute: async () => ({ ok: true, content: 'lines 1-1 of 1\nhello', display: null }),
  });
const readTool = toolNamed('read_file');

/** An engine that refuses some grammars, and answers the others with these replies in turn. */
function refusing(world: TurnWorld, refuses: (format: string) => boolean, ...replies: unknown[]): void {
  world.provider = {
    async *stream({ format }) {
      if (format && refuses(JSON.stringify(format))) throw refusal();
      yield { type: 'opened' };
      const next = replies.shift();
      yield text(typeof next === 'string' ? next : JSON.stringify(next));
      yield done();
    },
  };
}

test('A refused grammar is asked for with less and less, and at last as text (audit-E2)', async () => {
  const world = small();
  world.moreTools.push(readTool);
  world.active = profile({ tools: ['echo', 'read_file'] });
  const opens = { steps: [{ act: 'look', what: 'read a.txt' }] };
  refusing(world, (format) => !format.includes('"steps"'), opens, 'It says hello.');
  await world.run('what does a.txt say?');
  const [, ...sent] = formats(world);
  expect(sent[0]).toContain('"enum":["a.txt"]');
  expect(sent[1]).not.toContain('a.txt');
  expect(sent[1]).toContain('"required":["path"]');
  expect(sent[1]).not.toContain('start_line');
  expect(sent[2]).toContain('start_line');
  expect(sent.slice(3)).toEqual(['null']);
  expect(new Set(sent).size).toBe(4);
  expect(world.refusedGrammars).toEqual([1, 2, 3].map(() => `test-model: ${refusal().message}`));
  expect(world.ending()).toBe('turn/finished');
  assertValidHistory(world.messages);
});

test('A turn that was opened to look changes nothing, also where its calls are read from text', async () => {
  const world = small();
  const change = '{"name": "touch", "arguments": {}}';
  const opens = { steps: [{ act: 'look', what: 'look at it' }] };
  refusing(world, (format) => !format.includes('"steps"'), opens, change, 'It is as it was.');
  await world.run('what does a.txt say?');
  expect(world.executed).toEqual([]);
  expect(world.asked).toEqual([]);
  expect(newest(world)).toContain('touch was not run: this message asks for no change.');
  expect(world.observed.filter(([ability]) => ability === 'restraint')).toEqual([['restraint', false]]);
  assertValidHistory(world.messages);
});

test('A turn that was opened to look and changed nothing shows restraint, once it has its answer', async () => {
  const world = small(opening('look', 'answer'), looks, answers('It says hello.'));
  await world.run('what does a.txt say?');
  expect(world.observed.filter(([ability]) => ability === 'restraint')).toEqual([['restraint', true]]);
});

test.each(['change', 'run'] as const)(
  'A turn that was opened to %s says nothing of restraint',
  async (act) => {
    const tool = act === 'run' ? 'run_command' : 'touch';
    const world = small(opening(act, 'answer'), reply({ call: tool, with: { path: '1' } }), answers('Done.'));
    world.moreTools.push(toolNamed('run_command'));
    world.active = profile({ tools: ['echo', 'touch', 'run_command'] });
    await world.run('put it in order');
    expect(world.ending()).toBe('turn/finished');
    expect(world.observed.filter(([ability]) => ability === 'restraint')).toEqual([]);
  },
);

test('A turn whose smallest grammar was refused goes on in text, without asking for one again (audit-E2)', async () => {
  const world = unled();
  const call = '{"name": "echo", "arguments": {"value": "a.txt"}}';
  refusing(world, () => true, call, 'It says hello.');
  await world.run('what does a.txt say?');
  expect(world.executed).toEqual(['echo']);
  expect(formats(world).map((format) => format !== 'null')).toEqual([true, true, false, false]);
});

test('One refusal teaches nothing: the next turn asks under a grammar again (audit-E2)', async () => {
  const world = unled();
  refusing(world, () => true, 'It says hello.', 'It says hello again.');
  await world.run('what does a.txt say?');
  await world.run('and what does a.txt say now?');
  expect(formats(world).map((format) => format !== 'null')).toEqual([true, true, false, true, true, false]);
});

test('The next step of a turn asks for the whole grammar again once a smaller one was taken (audit-E2)', async () => {
  const world = unled();
  let refusals = 1;
  refusing(
    world,
    () => (refusals -= 1) >= 0,
    { call: 'echo', with: { value: 'a.txt' } },
    { answer: 'It says hello.' },
  );
  await world.run('what does a.txt say?');
  expect(world.executed).toEqual(['echo']);
  expect(formats(world)[2]).toContain('"answer"');
  expect(world.refusedGrammars).toHaveLength(1);
});

test('Only a refusal of the grammar narrows it: any other fails the turn at once (audit-E2)', async () => {
  const world = unled([new AndironError('engine_refused', 'The host does not accept the key (401).')]);
  await world.run('what does a.txt say?');
  expect(world.requests).toHaveLength(1);
  expect(world.ending()).toBe('turn/failed');
});
