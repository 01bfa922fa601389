/** For programs: a message goes in, the final text comes out (A1). */
import type { Attachment } from '../../protocol/attachments.ts';
import type { ContextUsage, Turn, TurnStatus } from '../../protocol/model.ts';
import type { ResultFile } from '../../protocol/result-files.ts';
import type { TokenSums } from '../../protocol/usage-methods.ts';
import { answerMark } from '../../rules/answer-mark.ts';
import { sumTokens } from '../../rules/sum-tokens.ts';
import { cancelledResult } from '../tools/tool.ts';
import type { Session, StartOptions } from './session.ts';

export interface RunResult {
  turnId: string;
  status: TurnStatus;
  /** The answer and what marks it; what there was of it at the step limit; else what happened. */
  text: string;
  /** Why it failed; null = it did not. */
  code: string | null;
  /** The output limit ended the answer: `text` is all there was of it. */
  cut: boolean;
  /** Something that it wanted to do was declined because the owner did not answer in time. */
  timedOut: boolean;
  /** What its tools brought out, whatever became of the turn. */
  files: ResultFile[];
  usage: TokenSums;
  /** Where it did not fit: what it would have been. */
  overflow?: Pick<ContextUsage, 'usedTokens' | 'windowTokens'>;
}

export type RunOptions = Pick<StartOptions, 'sender' | 'turnId'> & {
  /** Stops the turn. */
  signal?: AbortSignal | undefined;
};

/** A turn that an earlier host began or queued. */
export interface LeftRun {
  result: RunResult;
  /** Andiron ended in the middle of it, so it has no answer. */
  isInterrupted: boolean;
  /** Tools that it called. */
  tools: string[];
}

/** Without a plan, queued behind what runs (X12 o). Resolves when the turn is closed; the signal stops it. */
export async function runToText(
  session: Session,
  text: string,
  attachments: readonly Attachment[] = [],
  { signal, ...options }: RunOptions = {},
): Promise<RunResult> {
  const { turnId } = session.start(text, true, { ...options, mayPlan: false, attachments });
  const stop = (): void => session.stop(turnId);
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  const result = await whenRun(session, turnId);
  signal?.removeEventListener('abort', stop);
  return result;
}

/** Resolves when the turn is closed. */
export async function rejoinRun(session: Session, turnId: string): Promise<LeftRun> {
  const result = await whenRun(session, turnId);
  const own = session.state.items.filter((item) => item.turnId === turnId);
  const isInterrupted =
    result.status === 'interrupted' || own.some((item) => item.kind === 'stopped' && item.appClosed === true);
  return { result, isInterrupted, tools: own.flatMap((item) => (item.kind === 'tool' ? [item.tool] : [])) };
}

/** Resolves when the turn is closed. */
async function whenRun(session: Session, turnId: string): Promise<RunResult> {
  const turn = await session.whenClosed(turnId);
  if (turn) return resultOf(turn, session);
  return { ...stopped, turnId, cut: false, timedOut: false, files: [], usage: sumTokens([]) };
}

export function resultOf(turn: Turn, session: Pick<Session, 'state'>): RunResult {
  const { id: turnId, status, files = [] } = turn;
  const all = session.state.items.filter((item) => item.turnId === turnId);
  const timedOut = all.some((item) => item.kind === 'tool' && item.timedOut === true);
  const common = { turnId, cut: turn.cut === true, timedOut, files, usage: sumTokens(turn.usage) };
  if (status === 'stopped') return { ...common, ...stopped };
  const own = all.filter((item) => item.parentCallId === undefined);
  if (status === 'finished' || status === 'max_iterations') {
    const answer = own.findLast((item) => item.kind === 'text' && item.text.trim() !== '');
    const said = answer?.kind === 'text' ? [answer.text] : [];
    return {
      ...common,
      status,
      text: [...said, ...own.flatMap((item) => answerMark(item) ?? [])].join('\n\n'),
      code: null,
    };
  }
  const error = own.findLast((item) => item.kind === 'error');
  const { code, message, advice } = error?.kind === 'error' ? error : unknownFailure;
  const { context } = session.state;
  return {
    ...common,
    status,
    text: advice === '' ? message : `${message} ${advice}`,
    code,
    ...(code === 'context_overflow' && context && { overflow: context }),
  };
}

const stopped = { status: 'stopped', text: cancelledResult, code: null } as const;
const unknownFailure = { code: 'internal', message: 'The turn failed.', advice: 'The log has the details.' };
