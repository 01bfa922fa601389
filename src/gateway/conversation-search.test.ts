import { expect, test } from 'vitest';
import type { HostRpc } from '../cli/host-rpc.ts';
import type { AgentAnswer } from './agent-turn.ts';
import { createConversationIndex } from './conversation-index.ts';
import { createConversations } from './conversation-search.ts';

const usage = { inputTokens: null, cachedTokens: null, outputTokens: null };
const answer: AgentAnswer = { turnId: 'turn_2', text: '', isCut: false, usage };

/** A host with one session, whose newest turn is `turn_1` while `isNewest` says so. */
function openTalk(isNewest: () => boolean) {
  const results: Record<string, () => object> = {
    'program/find-turn': () => ({ sessionId: 'ses_1', profileId: 'p', isNewest: isNewest() }),
    'program/open-session': () => ({ sessionId: 'ses_new' }),
    'item/page': () => ({ items: [], turns: [], hasOlder: false }),
  };
  const rpc = { call: (name: string) => Promise.resolve(results[name]?.()) } as unknown as HostRpc;
  return {
    rpc,
    token: 'and_a',
    model: 'p',
    history: [],
    message: { role: 'user', content: 'More.' } as const,
  };
}

test('a session is not gone on with by two requests that both found its turn to be the newest (Y15)', async () => {
  const talk = openTalk(() => true);
  const conversations = createConversations(createConversationIndex());
  const asked: string[] = [];
  const release = Promise.withResolvers<void>();
  const both = [1, 2].map(() =>
    conversations.continueAfterTurn('turn_1', talk, async (sessionId) => {
      asked.push(sessionId);
      if (asked.length === 2) release.resolve();
      await release.promise;
      return answer;
    }),
  );
  await Promise.all(both);
  expect(asked.toSorted()).toEqual(['ses_1', 'ses_new']);
});

test('a session that went on between finding and holding it is left alone (Y15)', async () => {
  const answers = [true, false];
  const talk = openTalk(() => answers.shift() ?? false);
  const conversations = createConversations(createConversationIndex());
  const asked: string[] = [];
  await conversations.continueAfterTurn('turn_1', talk, (sessionId) => {
    asked.push(sessionId);
    return Promise.resolve(answer);
  });
  expect(asked).toEqual(['ses_new']);
});
