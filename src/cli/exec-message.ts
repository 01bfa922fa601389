/** Messages of `exec` and `chat`: a session, a turn in it, and what is written of that. */
import { AndironError, toWireError } from '../protocol/errors.ts';
import type { ApprovalMode, SessionSummary } from '../protocol/model.ts';
import { visibleName } from '../rules/visible-text/visible-text.ts';
import { createQuestions, type Questions } from './answer-questions.ts';
import type { CliOutput } from './cli-output.ts';
import type { TurnSettings } from './command-arguments.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-codes.ts';
import { followTurn, type TurnListener, type TurnResult } from './follow-turn.ts';
import type { HostRpc } from './host-rpc.ts';
import type { LineReader } from './line-reader.ts';
import { quoted } from './terminal-text.ts';

export interface MessageDeps {
  rpc: HostRpc;
  output: CliOutput;
  settings: TurnSettings;
  /** Whoever sits at a terminal and can be asked; null = nobody. */
  lines: LineReader | null;
  /** Fires when what runs is to be stopped. */
  signal: AbortSignal;
}

export interface OpenSession {
  id: string;
  /** Puts back what held for this command alone. Never rejects. */
  restore(): Promise<void>;
}

const modes: Record<'reads' | 'none', ApprovalMode> = { reads: 'auto_read', none: 'ask' };

/** A new session, or the one that is named, with the settings of this command. Rejects with AndironError. */
export async function openSession(rpc: HostRpc, settings: TurnSettings): Promise<OpenSession> {
  const { session: sessionId, folder, profile, model, allow } = settings;
  const { session } =
    sessionId === null
      ? await rpc.call('session/create', {
          ...(folder !== null && { workspace: folder }),
          ...(profile !== null && { profileId: profile }),
        })
      : await knownSession(rpc, sessionId);
  const { id } = session;
  if (sessionId !== null && profile !== null)
    await rpc.call('session/set-profile', { sessionId: id, profileId: profile });
  if (model !== null) await rpc.call('session/update', { sessionId: id, model });
  if (allow !== null) await rpc.call('session/update', { sessionId: id, approvals: modes[allow] });
  const before = session.approvals ?? null;
  return {
    id,
    async restore() {
      if (allow === null || sessionId === null) return;
      await rpc.call('session/update', { sessionId: id, approvals: before }).catch(() => undefined);
    },
  };
}

async function knownSession(rpc: HostRpc, sessionId: string): Promise<{ session: SessionSummary }> {
  const { snapshot } = await rpc.call('session/subscribe', { sessionId });
  return { session: snapshot.session };
}

export interface Message {
  sessionId: string;
  text: string;
  /** Ids. */
  attachments: string[];
}

/** Sends one message and writes what comes of it. Rejects where it never began. */
export async function sendMessage(message: Message, deps: MessageDeps): Promise<ExitCode> {
  const { rpc, output, settings, lines, signal } = deps;
  const { sessionId, text, attachments } = message;
  const questions = createQuestions({ rpc, sessionId, output, lines, signal });
  const result = await followTurn({
    rpc,
    sessionId,
    signal,
    listener: listenerFor(deps, questions),
    send: () =>
      rpc.call('turn/start', { sessionId, text, attachments, ...(!settings.mayPlan && { mayPlan: false }) }),
  });
  const { denied } = questions;
  const exitCode = exitCodeOf({ status: result.status, denied });
  if (settings.json) output.json({ type: 'result', sessionId, ...result, denied, exitCode });
  else noteEnd(result, questions, output);
  return exitCode;
}

/** The one object that ends the lines of `--json`, where no turn did. */
export function writeFailure(error: unknown, exitCode: ExitCode, output: CliOutput): void {
  output.json({ type: 'result', status: 'failed', error: toWireError(error), exitCode });
}

function listenerFor({ output, settings }: MessageDeps, questions: Questions): TurnListener {
  const { json } = settings;
  return {
    ...(json && { onEvent: (event) => output.json(event) }),
    onText: (text) => !json && output.answer(text),
    onTextEnd: () => !json && output.endAnswer(),
    onMark: (mark) => !json && output.note(mark),
    onModel: (model) => output.note(`Model: ${visibleName(model)}`),
    onLine: (ahead) =>
      output.note(
        `Waiting for the GPU: ${ahead === 1 ? 'one turn comes' : `${String(ahead)} turns come`} first.`,
      ),
    onTool: ({ tool, subject }) => output.note(`${visibleName(tool)} ${visibleName(subject)}`.trim()),
    onPlan: (steps) =>
      output.note(`Plan:\n${quoted(steps.map((step, at) => `${String(at + 1)}. ${step}`).join('\n'))}`),
    onQuestion: (question) => questions.ask(question),
    onResolved: (itemId) => questions.resolved(itemId),
  };
}

function noteEnd(
  { status, error, cut }: TurnResult,
  { denied, forms }: Pick<Questions, 'denied' | 'forms'>,
  output: CliOutput,
): void {
  output.endAnswer();
  if (error) output.note(inWords(error));
  else if (status === 'stopped') output.note('Stopped.');
  else if (status === 'max_iterations')
    output.note('Stopped at the step limit. Send "continue" in this session to go on.');
  else if (status === 'interrupted') output.note('Andiron ended before the answer was complete.');
  if (cut) output.note('The answer reached its output limit.');
  const asked = denied.length - forms;
  if (asked > 0) output.note(`Denied: ${String(asked)}. Run it in a terminal to be asked.`);
  if (forms > 0) output.note(`Declined: ${String(forms)}. Run it in the window to answer.`);
}

export function inWords(error: unknown): string {
  const { message, advice = '' } = error instanceof AndironError ? error : wordsOf(error);
  return `${message} ${advice}`.trim();
}

function wordsOf(error: unknown): { message: string; advice?: string | undefined } {
  if (typeof error === 'object' && error !== null && 'message' in error) {
    return {
      message: String(error.message),
      ...('advice' in error && typeof error.advice === 'string' && { advice: error.advice }),
    };
  }
  return { message: String(error) };
}

export function stoppedBefore(error: unknown): boolean {
  return error instanceof AndironError && error.code === 'cancelled';
}

export const exitCodeOfError = (error: unknown): ExitCode =>
  stoppedBefore(error) ? exitCodes.stopped : exitCodes.failed;
