/** The model was told its folder in the first message: in another folder that would be wrong. */
import { opening, openingFacts, type WorkspaceFacts } from '../prompt/opening.ts';
import { folderInstructions } from '../prompt/skill-text.ts';
import type { ContextStore, OwnedMessage } from '../store/context.ts';
import type { SessionLog } from './context-log.ts';

/**
 * Whatever folder a message names: a file from elsewhere may tell its reader one and the model another. What another folder
 * said to agents goes with it.
 */
export function inFolder(owned: OwnedMessage, here: WorkspaceFacts): OwnedMessage {
  const { message } = owned;
  if (message.role !== 'user') return owned;
  const before = openingFacts.exec(message.content)?.[0] ?? '';
  const facts = opening(here);
  if (before === '' || before === facts) return owned;
  const rest = message.content.slice(before.length).replace(folderInstructions, '');
  const content = facts + rest;
  const grown = content.length - message.content.length;
  const length = message.opening === undefined ? undefined : Math.max(0, message.opening + grown);
  return { ...owned, message: { ...message, content, ...(length !== undefined && { opening: length }) } };
}

/** In the transaction that moves the session. The prompt changes from its first message on, as the person chose with the folder. */
export function reportFolder(
  store: Pick<ContextStore, 'beginGeneration'>,
  sessionId: string,
  log: SessionLog,
  here: WorkspaceFacts,
): void {
  const moved = log.owned().map((owned) => inFolder(owned, here));
  store.beginGeneration(sessionId, moved);
  log.reload();
}
