import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '../../protocol/model.ts';
import type { TemplateCard } from './card/card.ts';
import { noMarks } from './card/marks.ts';
import { historyPolicy, policyOf, toRawPrompt } from './template-policy.ts';

const kept = { inLoop: true, firstInLoop: true, afterNextUser: true };
const neverShown = { inLoop: false, firstInLoop: false, afterNextUser: false };

/** A template that shows everything as it was written. */
const faithful: TemplateCard = {
  version: 2,
  conversation: 'any',
  order: ['system', 'tools', 'user'],
  tools: { place: 'head', inLoop: true },
  systemInLoop: true,
  thinking: {
    supported: true,
    byDefault: kept,
    off: kept,
    defaultIsOn: true,
    defaultIsOff: false,
    switchAtUser: 'end',
    switchInLoop: 'end',
  },
  textBesideCall: { place: 'before call', callWithText: true, callAlone: true },
  twoCalls: 'kept',
  resultsShown: true,
  withoutTools: { calls: true, results: true },
  secondSystem: 'in place',
  userAfterUserRefused: false,
  userAfterResultRefused: false,
  ids: { noCallId: 'same', noToolName: 'same', neither: 'same' },
  arguments: { order: 'as sent', html: 'raw', newline: 'raw', million: '1000000', hugeInteger: 'rounded' },
  date: 'never',
  bos: '',
  marks: noMarks,
  refusals: [],
};
const withThinking = (changed: Partial<TemplateCard['thinking']>) =>
  policyOf({ ...faithful, thinking: { ...faithful.thinking, ...changed } });

const model: ModelInfo = {
  name: 'm:latest',
  sizeBytes: 1,
  digest: 'd',
  family: 'gemma4',
  parameterSize: '1B',
  quantization: 'Q4',
  capabilities: ['tools'],
  trainedContext: 8192,
  thinkingValues: null,
  modifiedAt: '',
};

describe('the policy of a template card', () => {
  it('sends everything as it is to a template that shows everything', () => {
    expect(policyOf(faithful)).toEqual({
      echoThinking: true,
      textBesideCall: true,
      oneCallPerMessage: false,
      toolsInSystem: false,
      callsAsText: false,
      systemInFirstUser: false,
      thinkSwitch: 'any time',
      thinkOffKeepsHead: true,
      rolesAlternate: false,
      beginOfText: '',
      marks: noMarks,
    });
  });

  it('wins over the family, which decides until there is a card', () => {
    expect(historyPolicy(model).textBesideCall).toBe(false);
    expect(historyPolicy(model, faithful).textBesideCall).toBe(true);
  });

  it.each([
    ['dropped', true],
    ['after result', true],
    ['after call', true],
    ['before call', false],
  ] as const)('leaves out a text that is %s (call shown with it: %s)', (place, callWithText) => {
    const card = { ...faithful, textBesideCall: { place, callWithText, callAlone: true } };
    expect(policyOf(card).textBesideCall).toBe(false);
  });

  it('echoes thinking wherever it is shown, and only there', () => {
    const newest = { ...neverShown, inLoop: true };
    expect(withThinking({ byDefault: neverShown, off: neverShown }).echoThinking).toBe(false);
    expect(withThinking({ byDefault: newest, off: neverShown }).echoThinking).toBe(true);
    expect(withThinking({ byDefault: neverShown, off: newest }).echoThinking).toBe(true);
  });

  it.each(['refused', 'one lost'] as const)('sends one call per message where two are %s', (twoCalls) => {
    expect(policyOf({ ...faithful, twoCalls }).oneCallPerMessage).toBe(true);
  });

  it('writes the tools into the system text where they vanish after a result, and the calls as they were written', () => {
    const card: TemplateCard = { ...faithful, tools: { place: 'last user message', inLoop: false } };
    expect(policyOf(card)).toMatchObject({ toolsInSystem: true, callsAsText: true });
    expect(policyOf({ ...faithful, conversation: 'no tools' })).toMatchObject({
      toolsInSystem: true,
      callsAsText: true,
    });
  });

  it('takes a model that says it has no tools for one whose template shows none, until it is probed', () => {
    const talker = { ...model, family: 'gemma3', capabilities: ['completion'] };
    expect(historyPolicy(talker)).toMatchObject({ toolsInSystem: true, callsAsText: true });
    expect(historyPolicy({ ...talker, capabilities: null })).toMatchObject({ toolsInSystem: false });
  });

  it('writes calls as text where the template shows none', () => {
    const hidden = { ...faithful.textBesideCall, callAlone: false };
    expect(policyOf({ ...faithful, textBesideCall: hidden }).callsAsText).toBe(true);
    expect(policyOf({ ...faithful, resultsShown: false }).callsAsText).toBe(true);
  });

  it('moves the system text into the first user message where it vanishes after a result', () => {
    expect(policyOf({ ...faithful, systemInLoop: false }).systemInFirstUser).toBe(true);
  });

  it('lets thinking be switched only where nothing earlier is read again', () => {
    expect(withThinking({ switchInLoop: 'log' })).toMatchObject({
      thinkSwitch: 'between turns',
      thinkOffKeepsHead: true,
    });
    expect(withThinking({ switchAtUser: 'head', switchInLoop: 'head' })).toMatchObject({
      thinkSwitch: 'never',
      thinkOffKeepsHead: false,
    });
    expect(withThinking({ off: neverShown }).thinkSwitch).toBe('never');
    expect(withThinking({ switchAtUser: null, switchInLoop: null }).thinkSwitch).toBe('never');
  });

  it('takes roles for strict until both breaks of their order were rendered', () => {
    expect(policyOf({ ...faithful, userAfterUserRefused: null }).rolesAlternate).toBe(true);
    expect(policyOf({ ...faithful, userAfterResultRefused: true }).rolesAlternate).toBe(true);
  });
});

describe('a raw prompt', () => {
  it('loses the written begin-of-text mark exactly where the tokenizer adds one', () => {
    expect(toRawPrompt('<s>Hello', '<s>', true)).toBe('Hello');
    expect(toRawPrompt('<s>Hello', '<s>', false)).toBe('<s>Hello');
    expect(toRawPrompt('Hello', '', true)).toBe('Hello');
  });
});
