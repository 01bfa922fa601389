/** Messages from Telegram, asked for again and again; Telegram forgets one only after it was stored. */
import type { Api } from 'grammy';
import type { Message, UserFromGetMe } from 'grammy/types';
import type { Log } from '../../platform/log.ts';
import type { AndironError } from '../../protocol/errors.ts';
import type { IncomingFile, Receiver } from '../platform-bridge.ts';
import { readUpdate, type TelegramFile } from './read-update.ts';
import { refusalOf, retryAfter, withoutToken } from './telegram-failures.ts';

export interface PollingDeps {
  api: Api;
  apiRoot: string;
  token: string;
  log: Log;
  signal: AbortSignal;
  /** Resolves also when the signal fires. */
  wait: (ms: number) => Promise<void>;
}

type GrammySignal = NonNullable<Parameters<Api['getMe']>[0]>;
/** Its types are those of an older AbortController; what it uses of one is the same. */
const asGrammySignal = (signal: AbortSignal): GrammySignal => signal as unknown as GrammySignal;

const pollSeconds = 30;
/** For a request that waits for messages: longer than Telegram holds it. */
export const requestSeconds = pollSeconds + 20;
const firstRetryMs = 1_000;
const maxRetryMs = 60_000;
/** Telegram gives no larger ones to bots. */
const maxFileBytes = 20 * 1024 * 1024;

/** Resolves with the bot's account; rejects with AndironError where Telegram refuses for good, or the signal fires. */
export async function signIn({ api, token, log, signal, wait }: PollingDeps): Promise<UserFromGetMe> {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, maxRetryMs)) {
    try {
      return await api.getMe(asGrammySignal(signal));
    } catch (error) {
      signal.throwIfAborted();
      const refusal = refusalOf(error);
      if (refusal) throw refusal;
      log.warn('Telegram cannot be reached', { retryMs, error: withoutToken(error, token) });
      await wait(retryAfter(error) ?? retryMs);
    }
  }
}

/** Resolves when the signal fires; rejects with AndironError where Telegram refuses for good. */
export async function poll(deps: PollingDeps, me: UserFromGetMe, receiver: Receiver): Promise<void> {
  const { api, token, log, signal, wait } = deps;
  let offset = 0;
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      const request = { offset, timeout: pollSeconds, allowed_updates: ['message'] as const };
      const updates = await api.getUpdates(request, asGrammySignal(signal));
      retryMs = firstRetryMs;
      for (const { update_id: id, message } of updates) {
        if (message) await bring(message, me, receiver, deps);
        // Telegram forgets what is below it with the next request.
        offset = id + 1;
      }
    } catch (error) {
      if (signal.aborted) return;
      const refusal: AndironError | null = refusalOf(error);
      if (refusal) throw refusal;
      log.warn('Telegram cannot be reached', { retryMs, error: withoutToken(error, token) });
      await wait(retryAfter(error) ?? retryMs);
      retryMs = Math.min(2 * retryMs, maxRetryMs);
    }
  }
}

/** Resolves when it is stored. */
async function bring(message: Message, me: UserFromGetMe, receiver: Receiver, deps: PollingDeps) {
  const read = readUpdate(message, me);
  if (!read) return;
  const files: IncomingFile[] = [];
  for (const file of read.files) {
    const bytes = await download(file, deps).catch((error: unknown) => {
      deps.log.warn('A file of a message cannot be had', { error: withoutToken(error, deps.token) });
      return null;
    });
    files.push({ name: file.name, bytes });
  }
  await receiver.receive({ ...read.message, files });
}

async function download(
  { fileId, bytes }: TelegramFile,
  { api, apiRoot, token, signal }: PollingDeps,
): Promise<Buffer> {
  if (bytes !== undefined && bytes > maxFileBytes) throw tooLarge();
  const { file_path: path } = await api.getFile(fileId);
  if (path === undefined) throw new Error('Telegram does not give this file');
  const response = await fetch(`${apiRoot}/file/bot${token}/${path}`, { redirect: 'error', signal });
  if (!response.ok) throw new Error(`Telegram answered with ${String(response.status)}`);
  const parts: Buffer[] = [];
  let read = 0;
  for await (const part of response.body ?? []) {
    const piece = Buffer.from(part as Uint8Array);
    read += piece.length;
    if (read > maxFileBytes) throw tooLarge();
    parts.push(piece);
  }
  return Buffer.concat(parts);
}

const tooLarge = (): Error => new Error('the file is larger than 20 MB');
