import { describe, expect, test } from 'vitest';

import type { Message } from '../render/index.ts';
import { pairingProblems } from './pairing.ts';
import { reply } from './reply.ts';
import { chatScriptRequest, rule, script, sequence } from './script.ts';
import type { ScriptRequest } from './script.ts';

function asked(messages: Message[], rest: Partial<ScriptRequest> = {}): ScriptRequest {
  return {
    ...chatScriptRequest({ model: 'm', messages, tools: [], think: true, format: undefined }),
    nth: 1,
    ...rest,
  };
}

const user = (content: string): Message => ({ role: 'user', content });
const call = (id: string, name = 'look'): Message => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, function: { name, arguments: {} } }],
});
const result = (id: string, content = 'seen'): Message => ({
  role: 'tool',
  content,
  tool_call_id: id,
  tool_name: 'look',
});

describe('scripts', () => {
  test('the first rule that matches answers', () => {
    const [first, second] = [reply().text('first'), reply().text('second')];
    const choose = script([
      rule({ user: 'HELLO', resultCount: 0 }, first),
      rule({ lastResult: /seen/ }, second),
    ]);
    expect(choose(asked([user('hello there')]))).toBe(first);
    expect(choose(asked([user('hello'), call('a'), result('a')]))).toBe(second);
    expect(choose(asked([user('good bye')]))).toBeUndefined();
  });

  test('results are counted from the last user message on', () => {
    const request = asked([user('one'), call('a'), result('a'), user('two'), call('b'), result('b', 'new')]);
    expect(request.lastUser).toBe('two');
    expect(request.results).toEqual(['new']);
  });

  test('a rule may make its reply out of the request, or pass', () => {
    const choose = script([
      rule({}, (request) => (request.lastUser === 'skip' ? undefined : reply().text(request.lastUser))),
      rule({}, reply().text('otherwise')),
    ]);
    expect(choose(asked([user('echo')]))?.steps).toEqual([{ do: 'text', text: 'echo' }]);
    expect(choose(asked([user('skip')]))?.steps).toEqual([{ do: 'text', text: 'otherwise' }]);
  });

  test('a sequence goes on by one for each chat request, not for warm-ups', () => {
    const [one, two] = [reply().text('1'), reply().text('2')];
    const next = sequence(one, two);
    expect(next(asked([user('x')]))).toBe(one);
    expect(next(asked([], { endpoint: 'generate' }))).toBeUndefined();
    expect(next(asked([user('x')]))).toBe(two);
    expect(next(asked([user('x')]))).toBe(two);
  });

  test('a reply is not changed by the words that are added to it', () => {
    const base = reply().text('a');
    base.reset();
    expect(base.steps).toHaveLength(1);
  });
});

describe('pairing of calls and results', () => {
  const both: Message = {
    ...call('a'),
    tool_calls: [...(call('a').tool_calls ?? []), ...(call('b').tool_calls ?? [])],
  };

  test.each<[string, Message[]]>([
    ['no tools at all', [user('x'), { role: 'assistant', content: 'y' }]],
    ['a call and its result', [user('x'), call('a'), result('a')]],
    ['two calls, two results in order', [user('x'), both, result('a'), result('b'), user('y')]],
  ])('valid: %s', (_, messages) => {
    expect(pairingProblems(messages)).toEqual([]);
  });

  test.each<[string, Message[], RegExp]>([
    [
      'a call without a result',
      [user('x'), call('a'), user('y')],
      /call a of look has no result before message 2/,
    ],
    ['a call at the very end', [user('x'), call('a')], /has no result before the end/],
    ['a result without a call', [user('x'), result('a')], /result of a without a call/],
    ['results out of order', [user('x'), both, result('b'), result('a')], /answers b out of order/],
    [
      'a result under another name',
      [user('x'), call('a', 'other'), result('a')],
      /names look, its call was of other/,
    ],
  ])('broken: %s', (_, messages, problem) => {
    expect(pairingProblems(messages).join('\n')).toMatch(problem);
  });
});
