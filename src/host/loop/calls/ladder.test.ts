import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LadderModel, type LadderReply, type LadderStep, maxReasks, nextAction } from './ladder.ts';

const nothing = { calls: [], attempts: [], prose: '', dropped: 0 };
const native: LadderReply = {
  asked: 'native',
  ended: 'stop',
  text: '',
  thinking: '',
  calls: [],
  inText: nothing,
  broken: null,
  missingTokens: null,
};
const constrained: LadderReply = { ...native, asked: 'constrained' };
const fresh: LadderModel = { mode: 'native', mayConstrain: true, provenNative: false };
const begin: LadderStep = {
  reasks: 0,
  circles: 0,
  sameReply: false,
  wasCorrected: false,
  explained: 0,
  mustCall: false,
  mentionsTool: false,
};
const right = { name: 'read_file', fault: null, repairs: [] };
const wrong = { name: 'read_file', fault: 'Tool error: path is missing', repairs: [] };
const textCall = { name: 'read_file', args: { path: 'a' }, repairs: ['read from a code fence'] };
const attempt = {
  name: null,
  why: 'unreadable',
  words: 'the call is no readable JSON',
  text: '{"name"',
} as const;

const act = (reply: Partial<LadderReply>, model: Partial<LadderModel> = {}, step: Partial<LadderStep> = {}) =>
  nextAction({ ...native, ...reply }, { ...fresh, ...model }, { ...begin, ...step });

test('calls that are right run, without a receipt', () => {
  expect(act({ calls: [right] })).toEqual({ do: 'run', receipts: [], rung: 'none' });
  const mended = { ...right, repairs: ['read start_line as integer'] };
  expect(act({ calls: [mended] })).toMatchObject({ do: 'run', rung: 'arguments' });
});

test('one wrong call among right ones gets its error, the others run', () => {
  expect(act({ calls: [wrong, right] })).toMatchObject({ do: 'run' });
});

test('a wrong call gets its error and schema as its result, once; then the grammar', () => {
  expect(act({ calls: [wrong] })).toEqual({ do: 'explain', rung: 'explained' });
  expect(act({ calls: [wrong] }, {}, { explained: 1 })).toMatchObject({
    do: 'ask_again',
    mode: 'constrained',
    rung: 'grammar_step',
  });
});

test('without a grammar the error is returned again, and not for ever', () => {
  const model = { mayConstrain: false };
  expect(act({ calls: [wrong] }, model, { explained: 3 })).toMatchObject({ do: 'explain' });
  expect(act({ calls: [wrong] }, model, { explained: maxReasks + 1 })).toMatchObject({
    do: 'give_up',
    tried: 'read_file: Tool error: path is missing',
  });
});

test('a call in the text is taken, with its prose', () => {
  const inText = { calls: [textCall], attempts: [], prose: 'I look.', dropped: 0 };
  expect(act({ text: 'x', inText })).toEqual({
    do: 'run_text',
    calls: [textCall],
    prose: 'I look.',
    dropped: 0,
    receipts: [],
    rung: 'text',
  });
});

test('what could not be read as a call is asked for with a grammar', () => {
  expect(act({ text: 'x', inText: { ...nothing, attempts: [attempt] } })).toMatchObject({
    do: 'ask_again',
    mode: 'constrained',
    why: 'The model wrote a call as text that could not be run: the call is no readable JSON. Asked again with a grammar.',
  });
});

test('a call that the engine lost is asked for with a grammar, also when nothing else came', () => {
  for (const text of ['', 'I will look.']) {
    expect(act({ text, missingTokens: 80 })).toMatchObject({ do: 'ask_again', mode: 'constrained' });
  }
});

test('a model that refuses grammars is asked with another seed', () => {
  expect(act({ missingTokens: 80 }, { mayConstrain: false }, { reasks: 2 })).toMatchObject({
    do: 'ask_again',
    by: 'seed',
    mode: 'native',
  });
});

test('an empty reply, or one of thoughts alone, is asked for with another seed, and after two with a grammar', () => {
  for (const thinking of ['', 'Hm.']) {
    expect(act({ thinking })).toMatchObject({ do: 'ask_again', by: 'seed', mode: 'native', rung: 'seed' });
    expect(act({ thinking }, {}, { reasks: 2 })).toMatchObject({ by: 'grammar', mode: 'constrained' });
  }
});

test('answers without looking are doubted only of a model that is not known to make calls', () => {
  for (const told of [{ mustCall: true }, { mentionsTool: true }]) {
    expect(act({ text: 'Yes.' }, {}, told)).toMatchObject({ do: 'ask_again', mode: 'constrained' });
    expect(act({ text: 'Yes.' }, { provenNative: true }, told)).toEqual({ do: 'answer' });
    expect(act({ text: 'Yes.' }, { mayConstrain: false }, told)).toEqual({ do: 'answer' });
  }
  expect(act({ text: 'Hello!' })).toEqual({ do: 'answer' });
});

test('what its output limit cut does not run', () => {
  expect(act({ ended: 'length', calls: [right] })).toEqual({ do: 'cut' });
  expect(act({ ended: 'length', text: 'half' })).toEqual({ do: 'cut' });
  expect(act({ ended: 'length', text: 'x', inText: { ...nothing, calls: [textCall] } })).toMatchObject({
    do: 'ask_again',
  });
});

test('a constrained call says on its card why it was asked so, unless the model always is', () => {
  expect(act({ ...constrained, calls: [right] }, {}, { reasks: 1 })).toEqual({
    do: 'run',
    receipts: ['asked again with a grammar'],
    rung: 'grammar_step',
  });
  expect(act({ ...constrained, calls: [right] }, { mode: 'constrained' })).toMatchObject({ receipts: [] });
  expect(act({ calls: [right] }, {}, { reasks: 1 })).toMatchObject({
    receipts: ['asked again with another seed'],
  });
});

test('a constrained answer is the answer', () => {
  expect(act({ ...constrained, text: 'Four.' }, { mode: 'constrained' })).toEqual({ do: 'answer' });
});

test('broken constrained replies are asked for with another seed', () => {
  for (const broken of ['empty', 'cut', 'too_long'] as const) {
    expect(act({ ...constrained, broken, text: '{"call"' })).toMatchObject({
      do: 'ask_again',
      mode: 'constrained',
      rung: 'seed',
    });
  }
});

test('where the grammar was ignored, a call in the text runs, prose is an answer, and must still holds', () => {
  const ignored = { ...constrained, broken: 'form', text: 'It is four.' } as const;
  expect(act({ ...ignored, inText: { ...nothing, calls: [textCall] } })).toMatchObject({ do: 'run_text' });
  expect(act(ignored)).toEqual({ do: 'answer' });
  expect(act(ignored, {}, { mustCall: true })).toMatchObject({ do: 'ask_again' });
  expect(act({ ...ignored, text: '{"a":1}' })).toMatchObject({ do: 'ask_again' });
});

test('in the end the person sees what was tried', () => {
  expect(act({ text: 'x', inText: { ...nothing, attempts: [attempt] } }, {}, { reasks: maxReasks })).toEqual({
    do: 'give_up',
    message: 'The model did not get its reply right in 4 tries.',
    tried: '{"name"',
    rung: 'person',
  });
  expect(act({}, {}, { reasks: maxReasks })).toMatchObject({ do: 'give_up', tried: '' });
});

test('a model that works under a grammar is asked as text before it is given up', () => {
  const last = { reasks: maxReasks };
  expect(act({ ...constrained, broken: 'cut' }, { mode: 'constrained' }, last)).toMatchObject({
    do: 'ask_again',
    by: 'text',
    mode: 'native',
  });
  expect(act({ ...constrained, broken: 'cut' }, { mode: 'native' }, last).do).toBe('give_up');
  expect(act({}, { mode: 'constrained' }, { reasks: maxReasks + 1 })).toMatchObject({
    do: 'give_up',
    message: 'The model returned an empty response, 5 times over.',
  });
});

test('Of a call that has to be made, and runs in circles twice, an answer takes the place', () => {
  const circling = { ...constrained, broken: 'cut', ended: 'repeated', text: '{"call"' } as const;
  const model = { mode: 'constrained' } as const;
  expect(act(circling, model, { mustCall: true })).toMatchObject({ by: 'seed' });
  expect(act(circling, model, { mustCall: true, reasks: 1 })).toMatchObject({ by: 'seed' });
  expect(act(circling, model, { mustCall: true, reasks: 1, circles: 1 })).toMatchObject({
    by: 'answer',
    mode: 'constrained',
    why: 'The reply ran in circles. Asked for an answer in its place.',
  });
  expect(act(circling, model, { circles: 1 })).toMatchObject({ by: 'seed' });
  const second = { mustCall: true, circles: 1 };
  expect(act({ ...circling, ended: 'length' }, model, second)).toMatchObject({ by: 'seed' });
  expect(act({ ...circling, broken: 'empty', text: '' }, model, second)).toMatchObject({ by: 'seed' });
});

test('The same useless reply twice is asked for in another way (audit-E3)', () => {
  const again = { reasks: 1, sameReply: true };
  expect(act({}, {}, again)).toMatchObject({ by: 'grammar', mode: 'constrained' });
  expect(act({}, { mayConstrain: false }, again)).toMatchObject({ by: 'seed', mode: 'native' });
  const broken = { ...constrained, broken: 'cut', text: '{"call"' } as const;
  expect(act(broken, {}, again)).toMatchObject({
    by: 'next_way',
    why: expect.stringContaining('in another way'),
  });
  expect(act(broken, {}, { reasks: 1 })).toMatchObject({ by: 'seed' });
});

test('The same useless text twice is told what is wrong with it, once, where no grammar can be asked for (audit-E3)', () => {
  const text = { text: 'x', inText: { ...nothing, attempts: [attempt] } };
  const again = { reasks: 1, sameReply: true };
  const model = { mayConstrain: false };
  expect(act(text, model, again)).toMatchObject({ do: 'ask_again', by: 'words', rung: 'explained' });
  expect(act(text, model, { ...again, wasCorrected: true })).toMatchObject({ by: 'seed' });
  expect(act(text, model, { reasks: 1 })).toMatchObject({ by: 'seed' });
  expect(act(text, {}, again)).toMatchObject({ by: 'grammar' });
});

const replies = fc.record<LadderReply>({
  asked: fc.constantFrom('native', 'constrained'),
  ended: fc.constantFrom('stop', 'length'),
  text: fc.constantFrom('', ' ', 'Yes.', '{"a":1}'),
  thinking: fc.constantFrom('', 'Hm.'),
  calls: fc.array(fc.constantFrom(right, wrong), { maxLength: 3 }),
  inText: fc.record({
    calls: fc.constantFrom([], [textCall]),
    attempts: fc.constantFrom([], [attempt]),
    prose: fc.constant(''),
    dropped: fc.constant(0),
  }),
  broken: fc.constantFrom(null, 'empty', 'cut', 'form', 'too_long'),
  missingTokens: fc.constantFrom(null, 80),
});
const models = fc.record<LadderModel>({
  mode: fc.constantFrom('native', 'constrained'),
  mayConstrain: fc.boolean(),
  provenNative: fc.boolean(),
});

test('whatever comes, every step ends: after a bounded number of replies it runs, answers or is shown', () => {
  fc.assert(
    fc.property(
      fc.array(replies, { minLength: 14, maxLength: 14 }),
      models,
      fc.boolean(),
      (all, model, told) => {
        const step = { ...begin, sameReply: told, mustCall: told, mentionsTool: told };
        const actions = all.map((reply) => {
          const action = nextAction(reply, model, step);
          if (action.do === 'ask_again') step.reasks += 1;
          if (action.do === 'explain') step.explained += 1;
          return action;
        });
        expect(actions.some((action) => action.do !== 'ask_again' && action.do !== 'explain')).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('nothing runs of a call that its tool cannot read, and no grammar is asked of a model that refuses it', () => {
  fc.assert(
    fc.property(replies, models, fc.nat(maxReasks), fc.nat(7), (reply, model, reasks, explained) => {
      const action = nextAction(reply, model, { ...begin, reasks, explained });
      const runs = action.do === 'run';
      expect(runs && reply.calls.every(({ fault }) => fault !== null)).toBe(false);
      expect(action.do === 'run_text' && reply.inText.calls.length === 0).toBe(false);
      const asksGrammar =
        action.do === 'ask_again' && action.mode === 'constrained' && reply.asked === 'native';
      expect(asksGrammar && !model.mayConstrain).toBe(false);
    }),
  );
});

test('A reply that is nothing but a circle is asked for again, and then taken as it is (audit-E4)', () => {
  for (const asked of ['native', 'constrained'] as const) {
    const proven = { provenNative: true };
    expect(act({ asked, ended: 'circle', text: 'On and on.' }, proven)).toMatchObject({
      do: 'ask_again',
      by: 'seed',
      why: 'The reply ran in circles. Asked again.',
    });
    expect(act({ asked, ended: 'circle', text: 'On and on.' }, proven, { reasks: 2 })).toEqual({ do: 'cut' });
    expect(act({ asked, ended: 'repeated', text: 'Four. On and on.' }, proven)).toEqual({ do: 'cut' });
  }
});

test('One mended call among calls that were right counts as mended (audit-A14)', () => {
  const mended = { ...right, repairs: ['read start_line as integer'] };
  expect(act({ calls: [right, mended] })).toMatchObject({ do: 'run', rung: 'arguments' });
});

test('A wrong call under a grammar is explained once, and then asked for again (audit-A14)', () => {
  const reply = { ...constrained, calls: [wrong] };
  expect(act(reply)).toMatchObject({ do: 'explain' });
  expect(act(reply, {}, { explained: 1 })).toMatchObject({
    do: 'ask_again',
    mode: 'constrained',
    by: 'seed',
  });
});

test('A call that an answer under a grammar only quotes does not run (audit-A14)', () => {
  const reply = { ...constrained, text: 'Write read_file(path="a").' };
  expect(act({ ...reply, inText: { ...nothing, calls: [textCall] } })).toEqual({ do: 'answer' });
});

test.each<[string, Partial<LadderReply>, Partial<LadderStep>]>([
  ['The reply did not end.', { ...constrained, broken: 'too_long' }, {}],
  ['The reply was cut in the middle.', { ...constrained, broken: 'cut' }, {}],
  ['The answer was empty.', { ...constrained, broken: 'empty' }, {}],
  ['The reply ran in circles.', { ...constrained, broken: 'cut', ended: 'repeated' }, {}],
  ['The model answered without looking.', { text: 'Yes.' }, { mustCall: true }],
])('The person reads why a reply was asked for again: %s (audit-A14)', (words, reply, step) => {
  expect(act(reply, {}, step)).toMatchObject({ why: expect.stringContaining(`${words} Asked again`) });
});
