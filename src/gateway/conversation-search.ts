/**
 * Which session goes on when a program sends all that was said. What this gateway has said is found by its hash; for the
 * rest, as after a restart, the host is asked which sessions end that way.
 */
import type { HostRpc } from '../cli/host-rpc.ts';
import { AndironError } from '../protocol/errors.ts';
import type { AgentAnswer } from './agent-turn.ts';
import { instructionsIn, instructionsMark, openingText, type ChatMessage } from './chat-request.ts';
import { historyKey, type ConversationIndex } from './conversation-index.ts';
import { readHistory, saidTurns, type SaidTurn } from './session-history.ts';

interface Talk {
  rpc: HostRpc;
  token: string;
  /** A profile. */
  model: string;
  history: readonly ChatMessage[];
  message: ChatMessage;
}

/** Sends the text to the session. */
type Ask = (sessionId: string, text: string) => Promise<AgentAnswer>;

export interface Conversations {
  /** In the session that has just this history, else in a new one, which reads it in its first message. */
  continueByHistory(talk: Talk, ask: Ask): Promise<AgentAnswer>;
  /**
   * In the session of that turn where nothing came after it, else in a new one, which reads what was said until then.
   * null = the program has no such turn.
   */
  continueAfterTurn(turnId: string, talk: Talk, ask: Ask): Promise<AgentAnswer | null>;
}

export function createConversations(index: ConversationIndex): Conversations {
  /** Two requests never share one. */
  const inUse = new Set<string>();

  /** Keeps it from other requests while `use` is at it; null = another one has it. */
  const hold = async <T>(sessionId: string, use: () => Promise<T>): Promise<T | null> => {
    if (inUse.has(sessionId)) return null;
    inUse.add(sessionId);
    try {
      return await use();
    } finally {
      inUse.delete(sessionId);
    }
  };

  const continueIn = async (talk: Talk, ask: Ask): Promise<AgentAnswer | null> => {
    const { rpc, token, model, history, message } = talk;
    if (history.at(-1)?.role !== 'assistant') return null;
    const turnId = index.take(historyKey(token, model, history));
    const known = turnId === null ? null : await findTurn(rpc, turnId);
    if (turnId !== null && known) {
      const answer = await hold(known.sessionId, async () =>
        (await isNewest(talk, turnId)) ? ask(known.sessionId, message.content) : null,
      );
      if (answer) return answer;
    }
    const newestTexts = newestTextsOf(history);
    const { sessionIds } = await rpc.call('program/find-sessions', { profileId: model, newestTexts });
    for (const sessionId of sessionIds) {
      const answer = await hold(sessionId, async () => {
        // One turn more than there can be tells it from a longer one.
        const part = await readHistory(rpc, sessionId, history.length);
        return !part.hasOlder && isSaid(saidTurns(part), history) ? ask(sessionId, message.content) : null;
      });
      if (answer) return answer;
    }
    return null;
  };

  return {
    async continueByHistory(talk, ask) {
      const { token, model, history, message } = talk;
      const answer = (await continueIn(talk, ask)) ?? (await begin(talk, history, ask));
      const said = [...history, message, { role: 'assistant' as const, content: answer.text }];
      index.put(historyKey(token, model, said), answer.turnId);
      return answer;
    },
    async continueAfterTurn(turnId, talk, ask) {
      const { rpc, history, message } = talk;
      const turn = await findTurn(rpc, turnId);
      if (!turn) return null;
      const answer = await hold(turn.sessionId, async () => {
        if (!(await isNewest(talk, turnId))) return null;
        const said = saidTurns(await readHistory(rpc, turn.sessionId));
        return ask(turn.sessionId, openingText(withoutRepeats(history, said), message));
      });
      if (answer) return answer;
      const turns = saidTurns(await readHistory(rpc, turn.sessionId));
      const until = turns.slice(0, turns.findIndex(({ id }) => id === turnId) + 1);
      return begin(talk, [...until.flatMap(messagesOf), ...history], ask);
    },
  };
}

async function begin(talk: Talk, history: readonly ChatMessage[], ask: Ask): Promise<AgentAnswer> {
  const { sessionId } = await talk.rpc.call('program/open-session', { profileId: talk.model });
  return ask(sessionId, openingText(history, talk.message));
}

const messagesOf = ({ message, answer }: SaidTurn): ChatMessage[] => [
  { role: 'user', content: message },
  { role: 'assistant', content: answer },
];

/** The message of a session that has this history: as it was sent, or behind what a new session is sent before it. */
function newestTextsOf(history: readonly ChatMessage[]): string[] {
  const message = history.at(-2);
  return message ? [message.content.trim(), openingText(history.slice(0, -2), message).trim()] : [];
}

/** Whether a session with these turns has said just that: the first message may have had more of it before it. */
function isSaid(turns: readonly SaidTurn[], history: readonly ChatMessage[]): boolean {
  const before = history.length - 2 * turns.length;
  const opening = history[before];
  if (turns.length === 0 || before < 0 || !opening) return false;
  return turns.every(({ message, answer }, at) => {
    const [asked, answered] = history.slice(before + 2 * at, before + 2 * at + 2);
    if (asked?.role !== 'user' || answered?.role !== 'assistant') return false;
    const sent = at === 0 ? openingText(history.slice(0, before), opening) : asked.content;
    return message === sent.trim() && answer === answered.content;
  });
}

/** Instructions come with every request; a session reads them again only where they are others. */
function withoutRepeats(history: readonly ChatMessage[], turns: readonly SaidTurn[]): readonly ChatMessage[] {
  const instructions = instructionsIn(history);
  const last = turns.findLast(({ message }) => message.startsWith(instructionsMark));
  const isRepeated = instructions !== '' && last?.message.startsWith(`${instructions}\n\n`) === true;
  return isRepeated ? history.filter(({ role }) => role !== 'system') : history;
}

/** Asked while the session is held: another request may have gone on in it. */
async function isNewest({ rpc, model }: Talk, turnId: string): Promise<boolean> {
  const turn = await findTurn(rpc, turnId);
  return turn?.isNewest === true && turn.profileId === model;
}

async function findTurn(rpc: HostRpc, turnId: string) {
  try {
    return await rpc.call('program/find-turn', { turnId });
  } catch (error) {
    if (error instanceof AndironError && error.code === 'not_found') return null;
    throw error;
  }
}
