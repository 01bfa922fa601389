/** Why setting up did not work: told in the state as it is, so every message says what happened and what to do next. */
import type { RoomProblem } from '../../protocol/engine-room.ts';
import { hasCode } from '../../platform/files.ts';
import { AndironError } from '../../protocol/errors.ts';

export class SetupFailure extends Error {
  readonly code: string;
  readonly advice: string;

  constructor(code: string, message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SetupFailure';
    this.code = code;
    this.advice = advice;
  }
}

/** Anything thrown → what is shown. */
export function toProblem(error: unknown): RoomProblem {
  const isMeant = error instanceof SetupFailure || error instanceof AndironError;
  const failure = isMeant ? error : describe(error);
  return { code: failure.code, message: failure.message, advice: failure.advice };
}

function describe(error: unknown): SetupFailure {
  const reason = error instanceof Error ? error.message : String(error);
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')) return diskFull('The disk is full.');
  if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM') || hasCode(error, 'EROFS')) {
    const message = `A file of Andiron could not be written: ${reason}`;
    return new SetupFailure(
      'not_writable',
      message,
      'Check who may write in its data folder, then try again.',
    );
  }
  return new SetupFailure(
    'setup_failed',
    `Setting up Ollama failed: ${reason}`,
    'Try again; the log has more.',
  );
}

export function diskFull(message: string): SetupFailure {
  return new SetupFailure('disk_full', message, 'Free some space, then continue; what came so far is kept.');
}
