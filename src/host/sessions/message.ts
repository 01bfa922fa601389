/** A message before it runs: what it is called in the list, and whose its files are. */
import type { Clock } from '../../platform/clock.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { PromptOrigin } from '../../protocol/mcp-offers.ts';
import type { Sender, Turn } from '../../protocol/model.ts';
import { visibleName } from '../../rules/visible-text/visible-text.ts';
import { refuseBlind } from '../loop/begin-turn.ts';
import type { WaitingRun } from '../loop/ports.ts';
import { approvedSteps } from '../planning/instructions.ts';
import { fromPlan, renderTodo } from '../planning/todo-list.ts';
import type { AttachmentStore } from '../store/attachment-store.ts';
import type { TranscriptStore } from '../store/transcript.ts';

/** A message longer than this is cut for the list. */
const titleLength = 60;
/** A model is mostly chosen at once. */
const choosingMs = 1_000;

/** Until its first message. */
export const untitled = 'New session';

/** The first line of the first message names the session, cut at a word, or its first file, until a model has named it. */
export function titleFrom({ text, attachments: [file] = [] }: Pick<Turn, 'text' | 'attachments'>): string {
  const line = text.trim().split('\n', 1)[0]?.trim() || (file?.name ?? '');
  if (line.length <= titleLength) return line;
  const cut = line.slice(0, titleLength);
  const lastSpace = cut.lastIndexOf(' ');
  // One endless word is cut where it has to be.
  return `${cut.slice(0, lastSpace > titleLength / 2 ? lastSpace : titleLength - 1).trimEnd()}…`;
}

/**
 * What the model reads of it: where many write, with who it is, and where it carries out a plan, with the steps as the
 * person left them.
 */
export function wordsOf({ text, plan, sender }: Turn): string {
  const name = sender?.isOneOfMany ? visibleName(sender.name).replaceAll(':', '') : '';
  const said = name === '' ? text : `${name}: ${text}`;
  return plan ? `${said}\n\n${approvedSteps(renderTodo(fromPlan(plan.steps)))}` : said;
}

/** A message as it is queued: nothing of it has begun. */
export function queuedTurn(
  message: Pick<Turn, 'id' | 'text' | 'profileId' | 'queuedAt'> & {
    attachments: readonly Attachment[];
    sender: Sender | undefined;
    from: PromptOrigin | undefined;
  },
): Turn {
  const { attachments, sender, from, ...given } = message;
  return {
    ...given,
    ...(sender && { sender }),
    ...(from && { from }),
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    status: 'queued',
    model: null,
    phase: null,
    phaseSince: null,
    startedAt: null,
    endedAt: null,
    closed: false,
    iterations: 0,
    usage: [],
  };
}

export const stillWorking = (advice: string): AndironError =>
  new AndironError('busy', 'This session is still working.', advice);

interface Asked {
  readonly running: boolean;
  sideRun(signal: AbortSignal): WaitingRun;
}

/** Its images are looked at by whoever answers next: nobody waits in between. */
export const isSeenNext = ({ running }: Asked, attachments: readonly Attachment[] = []): boolean =>
  !running && attachments.some(({ kind }) => kind === 'image');

/**
 * Before a message leaves the window that wrote it: its images are not for a model that does not see. Where the engine is
 * still looked for, its turn says so.
 */
export async function refuseUnseen(session: Asked, clock: Clock): Promise<void> {
  const late = new AbortController();
  const timer = clock.after(choosingMs, () => late.abort());
  try {
    await refuseBlind(session.sideRun(late.signal).model, late.signal);
  } finally {
    timer.cancel();
  }
}

/** In the transaction that keeps the turn: its files go when the session does. Throws `not_found` when one is gone. */
export function claimFiles(store: AttachmentStore, sessionId: string, turn: Turn): void {
  const ids = idsOf(turn);
  const here = new Set(store.attachments(ids).map(({ id }) => id));
  // Of a session that came without its files, or was copied before one of them went.
  const gone = turn.attachments?.find(({ id }) => !here.has(id));
  if (gone) {
    throw new AndironError(
      'not_found',
      `${gone.name} is no longer there.`,
      'Edit the message: take it out, or attach it again.',
    );
  }
  store.claimAttachments(sessionId, ids);
}

/**
 * In the transaction that removes the turn: what was taken back may be sent again. Its files are those of a draft now,
 * unless another message of the session has them.
 */
export function releaseFiles(
  store: AttachmentStore & Pick<TranscriptStore, 'allTurns'>,
  sessionId: string,
  turn: Turn,
  now: number,
): void {
  if (!turn.attachments) return;
  const held = new Set(store.allTurns(sessionId).flatMap(idsOf));
  const free = idsOf(turn).filter((id) => !held.has(id));
  store.releaseAttachments(sessionId, free, now);
}

const idsOf = ({ attachments = [] }: Turn): string[] => attachments.map(({ id }) => id);
