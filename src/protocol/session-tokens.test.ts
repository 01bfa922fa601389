import { expect, test } from 'vitest';
import type { SessionTokens } from './session-tokens-schema.ts';
import { addRequest, countTurns, withContext } from './session-tokens.ts';

const request = (
  promptTokens: number | null,
  outputTokens: number | null,
  iteration = 1,
  parentCallId?: string,
) => ({
  iteration,
  promptTokens,
  outputTokens,
  ...(parentCallId !== undefined && { parentCallId }),
});

test('a session total that no reply has counted is unknown and not 0 (audit-A11, I5)', () => {
  expect(addRequest(undefined, request(null, null))).toEqual<SessionTokens>({
    promptTokens: null,
    outputTokens: null,
    uncounted: 1,
    lastPromptTokens: null,
    lastOutputTokens: null,
    contextTokens: null,
  });
});

test('a session total sums what is counted and says how many replies are missing (audit-A11, I5)', () => {
  const replies = [request(100, 10), request(null, 5), request(0, 0)];
  const totals = countTurns([{ usage: replies.slice(0, 2) }, { usage: replies.slice(2) }], 4096);
  expect(totals).toEqual<SessionTokens>({
    promptTokens: 100,
    outputTokens: 15,
    uncounted: 1,
    lastPromptTokens: 0,
    lastOutputTokens: 0,
    contextTokens: 4096,
  });
});

test('side requests and subagents count in the totals and are not the last request (audit-A11, I5)', () => {
  const main = addRequest(undefined, request(100, 10));
  const side = addRequest(addRequest(main, request(40, 4, 0)), request(30, 3, 1, 'call'));
  expect(side).toMatchObject({
    promptTokens: 170,
    outputTokens: 17,
    lastPromptTokens: 100,
    lastOutputTokens: 10,
  });
  // The newest reply without counts leaves nothing of the one before.
  expect(addRequest(side, request(null, null))).toMatchObject({
    lastPromptTokens: null,
    lastOutputTokens: null,
  });
});

test('a session of which nothing was counted has no totals, and one whose context is known has that', () => {
  expect(countTurns([], null)).toBeUndefined();
  expect(withContext(undefined, 4096)).toMatchObject({ contextTokens: 4096, promptTokens: null });
});
