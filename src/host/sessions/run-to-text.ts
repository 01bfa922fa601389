/** For programs: a message goes in, the final text comes out (A1). */
import type { Attachment } from '../../protocol/attachments.ts';
import type { Sender, Turn, TurnStatus } from '../../protocol/model.ts';
import type { ResultFile } from '../../protocol/result-files.ts';
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
}

/** Without a plan, queued behind what runs (X12 o). Resolves when the turn is closed. */
export async function runToText(
  session: Session,
  text: string,
  attachments: readonly Attachment[] = [],
  sender?: Sender,
): Promise<RunResult> {
  const { turnId } = session.start(text, true, { mayPlan: false, attachments, sender });
  const turn = await session.whenClosed(turnId);
  return turn
    ? resultOf(turn, session)
    : { turnId, status: 'stopped', text: cancelledResult, code: null, cut: false, files: [] };
}

function resultOf(turn: Turn, session: Session): RunResult {
  const { id: turnId, status, files = [] } = turn;
  const cut = turn.cut === true;
  if (status === 'stopped') return { turnId, status, text: cancelledResult, code: null, cut, files };
  const own = session.state.items.filter((item) => item.turnId === turnId && item.parentCallId === undefined);
  if (status === 'finished' || status === 'max_iterations') {
    const answer = own.findLast((item) => item.kind === 'text' && item.text.trim() !== '');
    return { turnId, status, text: answer?.kind === 'text' ? answer.text : '', code: null, cut, files };
  }
  const error = own.findLast((item) => item.kind === 'error');
  const { code, message, advice } = error?.kind === 'error' ? error : unknownFailure;
  return { turnId, status, text: advice === '' ? message : `${message} ${advice}`, code, cut, files };
}

const unknownFailure = { code: 'internal', message: 'The turn failed.', advice: 'The log has the details.' };
