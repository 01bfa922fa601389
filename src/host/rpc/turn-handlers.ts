/** What a person does to the turns of a session and to what runs in them, and what is read of their items. */
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import { overBudgetText } from '../../rules/budget.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { People } from '../people/people.ts';
import type { SessionManager } from '../sessions/session-manager.ts';

type Method =
  `turn/${string}` | `item/${string}` | 'agent/stop' | 'call/stop' | 'approval/answer' | 'todo/update';
type TurnMethods = Pick<HostMethods, Extract<keyof HostMethods, Method>>;

export function turnHandlers(
  sessions: SessionManager,
  people: Pick<People, 'mayUseTokens'>,
): Handlers<TurnMethods> {
  const checkBudget = (userId: string): void => {
    if (!people.mayUseTokens(userId)) throw new AndironError('over_budget', overBudgetText);
  };
  return {
    'item/page': ({ sessionId, beforeIndex, limit }) => sessions.page(sessionId, beforeIndex, limit),
    'item/whole-result': ({ sessionId, itemId, from }) => sessions.wholeResult(sessionId, itemId, from),
    'item/place': ({ sessionId, itemId }) => ({ index: sessions.place(sessionId, itemId) }),
    'turn/start': ({ sessionId, queue, ...message }, { principal }) => {
      // Before the budget: what has begun is not refused afterwards.
      const known = sessions.sentBefore(sessionId, message.turnId);
      if (known) return known;
      checkBudget(principal.userId);
      return sessions.start(sessionId, message, queue);
    },
    'turn/known': ({ sessionId, turnId }) => ({ isKnown: sessions.knows(sessionId, turnId) }),
    'turn/run': ({ sessionId, text }, { principal }) => {
      checkBudget(principal.userId);
      return sessions.run(sessionId, text);
    },
    'turn/edit-queued': ({ sessionId, turnId, text }) => {
      sessions.editQueued(sessionId, turnId, text);
      return {};
    },
    'turn/move': ({ sessionId, turnId, before }) => {
      sessions.moveQueued(sessionId, turnId, before);
      return {};
    },
    'turn/resume': ({ sessionId, turnId }) => {
      sessions.resumeQueued(sessionId, turnId);
      return {};
    },
    'turn/edit': ({ sessionId, turnId, ...message }) => sessions.replaceTurn(sessionId, turnId, message),
    'turn/regenerate': ({ sessionId, turnId, allow }) =>
      sessions.replaceTurn(sessionId, turnId, { text: null, allow }),
    'turn/choose-version': ({ sessionId, turnId }) => {
      sessions.chooseVersion(sessionId, turnId);
      return {};
    },
    'turn/price-version': ({ sessionId, turnId, text }) => ({
      price: sessions.priceVersion(sessionId, turnId, text),
    }),
    'turn/stop': ({ sessionId, turnId }) => {
      sessions.get(sessionId).stop(turnId);
      return {};
    },
    'agent/stop': ({ sessionId, callId }) => {
      sessions.get(sessionId).stopAgent(callId);
      return {};
    },
    'call/stop': ({ sessionId, callId }) => {
      sessions.get(sessionId).stopCall(callId);
      return {};
    },
    'approval/answer': async ({ sessionId, approvalId, ...answer }) => {
      await sessions.get(sessionId).answer(approvalId, answer);
      return {};
    },
    'todo/update': ({ sessionId, todo }) => {
      sessions.updateTodo(sessionId, todo);
      return {};
    },
  };
}
