/** For programs: a message goes in, the final text comes out (A1). */
import type { Attachment } from '../../protocol/attachments.ts';
import type { ContextUsage, Sender, Turn, TurnStatus } from '../../protocol/model.ts';
import type { ResultFile } from '../../protocol/result-files.ts';
import type { TokenSums } from '../../protocol/usage-methods.ts';
import { sumTokens } from '../../rules/sum-tokens.ts';
import { cancelledResult } from '../tools/tool.ts';
import type { Session } from './session.ts';

export interface RunResult {
  turnId: string;
  status: TurnStatus;
  /** The answer; what there was of it at the step limit; else what happened. */
  text: string;
  /** Why it failed; null = it did not. */
  code: string | null;
  /** The output limit ended the answer: `text` is all there was of it. */
  cut: boolean;
  /** What its tools brought out, whatever became of the turn. */
  files: ResultFile[];
  usage: TokenSums;
  /** Where it did not fit: what it would have been. */
  overflow?: Pick<ContextUsage, 'usedTokens' | 'windowTokens'>;
}

export interface RunOptions {
  /** Absent = whose session it is. */
  sender?: Sender | undefined;
  /** Stops the turn. */
  signal?: AbortSignal | undefined;
}

/** Without a plan, queued behind what runs (X12 o). Resolves when the turn is closed; the signal stops it. */
export async function runToText(
  session: Session,
  text: string,
  attachments: readonly Attachment[] = [],
  { sender, signal }: RunOptions = {},
): Promise<RunResult> {
  const { turnId } = session.start(text, true, { mayPlan: false, attachments, sender });
  const stop = (): void => session.stop(turnId);
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  const turn = await session.whenClosed(turnId);
  signal?.removeEventListener('abort', stop);
  return turn ? resultOf(turn, session) : { ...stopped, turnId, cut: false, files: [], usage: sumTokens([]) };
}

export function resultOf(turn: Turn, session: Pick<Session, 'state'>): RunResult {
  const { id: turnId, status, files = [] } = turn;
  const all = { turnId, cut: turn.cut === true, files, usage: sumTokens(turn.usage) };
  if (status === 'stopped') return { ...all, ...stopped };
  const own = session.state.items.filter((item) => item.turnId === turnId && item.parentCallId === undefined);
  if (status === 'finished' || status === 'max_iterations') {
    const answer = own.findLast((item) => item.kind === 'text' && item.text.trim() !== '');
    return { ...all, status, text: answer?.kind === 'text' ? answer.text : '', code: null };
  }
  const error = own.findLast((item) => item.kind === 'error');
  const { code, message, advice } = error?.kind === 'error' ? error : unknownFailure;
  const { context } = session.state;
  return {
    ...all,
    status,
    text: advice === '' ? message : `${message} ${advice}`,
    code,
    ...(code === 'context_overflow' && context && { overflow: context }),
  };
}

const stopped = { status: 'stopped', text: cancelledResult, code: null } as const;
const unknownFailure = { code: 'internal', message: 'The turn failed.', advice: 'The log has the details.' };
