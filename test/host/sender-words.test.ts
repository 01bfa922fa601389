/** What a sender on another platform is told where no answer came, and what they can say about their conversation. */
import { afterEach, describe, expect, it } from 'vitest';
import { reply, rule, script, type Script } from '../../src/sim/index.ts';
import { Messenger } from '../helpers/messenger.ts';

let to: Messenger;
afterEach(() => to.world.close());
const start = async (answers: Script): Promise<void> => {
  to = await Messenger.start({ sim: { script: answers } });
};
const answering = script([rule({}, reply().text('An answer.'))]);

describe('the answer to a message', () => {
  it('that does not fit says how large the context is, and what to do (S14, I1)', async () => {
    await start(answering);
    await to.rpc.call('profile/update', { profileId: 'developer', changes: { contextTokens: 4_096 } });
    const { content, status, error } = await to.send({ text: 'word '.repeat(20_000) });
    const said =
      /^context limit exceeded \((\d+)\/(\d+) estimated tokens\)\. Run `\/compact` or `\/session new` and retry$/;
    expect(content).toMatch(said);
    const [, used = 0, window = 0] = said.exec(content)?.map(Number) ?? [];
    expect(window).toBe(4_096);
    expect(used).toBeGreaterThan(window);
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'context_overflow' });
    expect(to.bodies()).toEqual([]);
  });

  it('at the step limit is what was said until then, and that the limit was reached (S15, P5)', async () => {
    await start(
      script([rule({}, reply().text('I look further.').toolCall('scratchpad', { key: 'a', value: 'b' }))]),
    );
    await to.rpc.call('profile/update', { profileId: 'developer', changes: { maxIterations: 2 } });
    const { content, status } = await to.send();
    expect(content).toBe('I look further.\n\nmax agentic loop iterations reached');
    expect(status).toBe('step_limit');
  });

  it('that stays empty says so (S16, N1)', async () => {
    await start(script([rule({}, reply())]));
    const { content, status, error } = await to.send();
    expect(content).toBe('model returned empty response');
    expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'empty_reply' });
  });
});

describe('a message that is a command', () => {
  it('begins another conversation in its place, and the next message goes on there (S14, P19)', async () => {
    await start(answering);
    const first = await to.send({ channel: 'c' });
    const begun = await to.send({ channel: 'c', text: '/session new' });
    expect(begun).toMatchObject({ status: 'answered', content: 'A new conversation has begun.' });
    expect(begun.sessionId).not.toBe(first.sessionId);
    const asked = to.bodies().length;
    expect((await to.send({ channel: 'c', text: 'Hello again.' })).sessionId).toBe(begun.sessionId);
    expect(to.bodies().length).toBe(asked + 1);
    expect(JSON.stringify(to.lastBody().messages)).not.toContain('An answer.');
  });

  it('summarises the conversation, and the next message reads the summary (S14, I9)', async () => {
    await start(
      script([
        rule({ user: 'summar' }, reply().text('Goal: dinner on Friday.')),
        rule({}, reply().text('An answer.')),
      ]),
    );
    const long = 'We talk about food. '.repeat(60);
    for (const text of [`We cook on Friday. ${long}`, 'What do we need?']) await to.send({ text });
    expect(await to.send({ text: '/compact' })).toMatchObject({
      status: 'answered',
      content: 'The conversation was summarised.',
    });
    await to.send({ text: 'And now?' });
    const sent = JSON.stringify(to.lastBody().messages);
    expect(sent).toContain('Goal: dinner on Friday.');
    expect(sent).not.toContain('We cook on Friday.');
    expect(sent).toContain('What do we need?');
  });

  it('says what is in the way where there is nothing to summarise (S14)', async () => {
    await start(answering);
    expect(await to.send({ text: '/compact' })).toMatchObject({
      status: 'refused',
      content: expect.stringContaining('There is nothing to summarise yet.') as unknown,
      error: { code: 'not_found' },
    });
  });
});
