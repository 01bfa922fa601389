/** What an error of Telegram's means for us. */
import { GrammyError } from 'grammy';
import { AndironError } from '../../protocol/errors.ts';

/** Milliseconds that Telegram asks for; undefined = it does not. */
export function retryAfter(error: unknown): number | undefined {
  const seconds = error instanceof GrammyError ? error.parameters.retry_after : undefined;
  return seconds === undefined ? undefined : seconds * 1000;
}

/** What trying again does not change; null = it may. */
export function refusalOf(error: unknown): AndironError | null {
  if (!(error instanceof GrammyError)) return null;
  if (error.error_code === 401 || error.error_code === 404)
    return new AndironError(
      'not_allowed',
      'Telegram does not know this token.',
      'Copy it again from @BotFather.',
    );
  if (error.error_code === 409)
    return new AndironError(
      'busy',
      'Another program reads the messages of this bot.',
      'End it, or make another bot with @BotFather.',
    );
  return null;
}

/** Addresses of Telegram have the token in them, and errors have addresses. */
export function withoutToken(error: unknown, token: string): string {
  const cause = error instanceof Error && 'error' in error ? `: ${String(error.error)}` : '';
  return `${String(error)}${cause}`.replaceAll(token, '…');
}
