/** Messages that ask no model for anything: a sender has no buttons (S14). */
import { AndironError } from '../../protocol/errors.ts';
import type { AgentResponse } from '../../protocol/inbox-methods.ts';
import type { Sender } from '../../protocol/model.ts';
import type { SessionManager } from '../sessions/session-manager.ts';

type SenderCommand = 'compact' | 'new';

export type RunCommand = (
  command: SenderCommand,
  sessionId: string,
  sender: Sender,
) => Promise<AgentResponse>;

const commands: ReadonlyMap<string, SenderCommand> = new Map([
  ['/compact', 'compact'],
  ['/session new', 'new'],
]);

/** undefined = the message is for the model. */
export const commandIn = (text: string): SenderCommand | undefined => commands.get(text.trim());

export function createSenderCommands(sessions: Pick<SessionManager, 'get' | 'compact'>): RunCommand {
  return async (command, sessionId, sender) => {
    const done: Omit<AgentResponse, 'content'> = {
      status: 'answered',
      sessionId,
      turnId: null,
      files: [],
      usage: null,
      error: null,
    };
    if (command === 'new') return { ...done, content: 'A new conversation has begun.' };
    try {
      const { turnId } = sessions.compact(sessionId, sender);
      const session = sessions.get(sessionId);
      await session.whenClosed(turnId);
      const end = session.state.items.findLast((item) => item.turnId === turnId);
      if (end?.kind === 'summary') return { ...done, turnId, content: 'The conversation was summarised.' };
      if (end?.kind === 'error') throw new AndironError('not_found', end.message, end.advice);
    } catch (error) {
      // Nothing is to be summarised, or something runs: the sender can do what it says.
      if (!(error instanceof AndironError)) throw error;
      const { code, message, advice } = error;
      return { ...done, content: `${message} ${advice}`, status: 'refused', error: { code, message } };
    }
    throw new AndironError(
      'internal',
      'The conversation could not be summarised.',
      'Send the message again.',
    );
  };
}
