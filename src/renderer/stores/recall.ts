/** Going through earlier messages in the message box, as a shell does: what was not sent yet waits at the end. */
import type { SessionState } from '../../protocol/reducer.ts';

export interface EarlierMessage {
  turnId: string;
  text: string;
}

/** Where a draft has gone in the earlier messages. */
export interface Recall {
  /** The message in the box; null = at the end again, among what was not sent. */
  turnId: string | null;
  /** What stood in the box before the first step back. */
  unsent: string;
  /** Earlier messages that were changed in the box, as they stand now. */
  changed: Readonly<Record<string, string>>;
}

/** The person's own messages, oldest first, queued ones too; the same words twice in a row are one. */
export function earlierMessages(state: Pick<SessionState, 'turns'> | null): EarlierMessage[] {
  const messages = state?.turns.filter(({ text }) => text.trim() !== '') ?? [];
  return messages
    .filter(({ text }, index) => text !== messages[index + 1]?.text)
    .map(({ id, text }) => ({ turnId: id, text }));
}

/** One step back (-1) or forth (1) from what the box shows; null = there is nothing there. */
export function recallStep(
  messages: readonly EarlierMessage[],
  recall: Recall | undefined,
  shown: string,
  by: 1 | -1,
): { recall: Recall | null; text: string } | null {
  const from = messages.find(({ turnId }) => turnId === recall?.turnId);
  const at = from ? messages.indexOf(from) : messages.length;
  const next = at + by;
  if (next < 0 || next > messages.length) return null;
  const changed = from ? withChange(recall?.changed ?? {}, from, shown) : (recall?.changed ?? {});
  const unsent = from && recall ? recall.unsent : shown;
  const message = messages[next];
  if (message) {
    const { turnId, text } = message;
    return { recall: { turnId, unsent, changed }, text: changed[turnId] ?? text };
  }
  const kept = Object.keys(changed).length > 0;
  return { recall: kept ? { turnId: null, unsent, changed } : null, text: unsent };
}

function withChange(changed: Recall['changed'], { turnId, text }: EarlierMessage, shown: string) {
  const { [turnId]: _old, ...others } = changed;
  return shown === text ? others : { ...others, [turnId]: shown };
}

/** What the box shows once its text was sent: an earlier message leaves what was not sent where it was. */
export function unsentWords(recall: Recall | undefined): string {
  return recall && recall.turnId !== null ? recall.unsent : '';
}
