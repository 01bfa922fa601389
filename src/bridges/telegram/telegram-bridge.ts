/** Telegram by long polling: no port is open, and no address of this machine is known to anybody. */
import { Api, GrammyError, InputFile } from 'grammy';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import {
  UndeliverableError,
  type FilePiece,
  type Piece,
  type Place,
  type PlatformBridge,
  type Sending,
} from '../platform-bridge.ts';
import { retryAfter, withoutToken } from './telegram-failures.ts';
import { poll, requestSeconds, signIn, type PollingDeps } from './telegram-polling.ts';
import { escaped, maxMessageUnits, telegramPieces, withoutMarks } from './telegram-text.ts';

export interface TelegramOptions {
  token: string;
  /** Telegram's own unless given. */
  apiRoot?: string;
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** Telegram refuses for good, after it had accepted the token. */
  onFailed: (error: unknown) => void;
}

/** Telegram shows it for five seconds. */
const typingMs = 4_500;
const repeatMark = '<i>Sent again after a restart:</i>\n\n';

export function createTelegramBridge(options: TelegramOptions): PlatformBridge {
  const { token, apiRoot = 'https://api.telegram.org', clock, log, onFailed } = options;
  const api = new Api(token, { apiRoot, timeoutSeconds: requestSeconds });
  const stopped = new AbortController();
  const { signal } = stopped;
  const wait = (ms: number): Promise<void> => waitFor(clock, ms, signal);
  const deps: PollingDeps = { api, apiRoot, token, log, signal, wait };
  let polling: Promise<void> | undefined;
  return {
    async start(receiver) {
      const me = await signIn(deps);
      polling = poll(deps, me, receiver).catch((error: unknown) => {
        if (!signal.aborted) onFailed(error);
      });
      return `@${me.username}`;
    },
    pieces: ({ content, files }): Piece[] => [
      ...telegramPieces(content).map((text) => ({ text })),
      ...files.map((file) => ({ file })),
    ],
    send: (place, piece, sending) =>
      ('text' in piece
        ? sendText(api, place, piece.text, sending.isRepeat)
        : sendFile({ api, log }, place, piece, sending)
      ).catch(async (error: unknown) => {
        await wait(retryAfter(error) ?? 0);
        const code = error instanceof GrammyError ? error.error_code : null;
        const reason = withoutToken(error, token);
        // Without a cause: that has the token in it.
        throw code === 400 || code === 403 ? new UndeliverableError(reason) : new Error(reason);
      }),
    showWorking({ channel, thread }) {
      const shown = new AbortController();
      const isShown = AbortSignal.any([shown.signal, signal]);
      const show = async (): Promise<void> => {
        while (!isShown.aborted) {
          // Nobody misses it where it fails.
          await api.sendChatAction(channel, 'typing', inThread(thread)).catch(() => undefined);
          await waitFor(clock, typingMs, isShown);
        }
      };
      void show();
      return () => shown.abort();
    },
    async sayPlace(place, ahead) {
      const text = `You are in line: ${ahead === 1 ? 'one answer comes' : `${String(ahead)} answers come`} before yours.`;
      const options = { ...replyTo(place), disable_notification: true };
      await api.sendMessage(place.channel, text, options).catch((error: unknown) => {
        throw new Error(withoutToken(error, token));
      });
    },
    async stop() {
      stopped.abort(new AndironError('cancelled', 'The bridge has ended.'));
      await polling;
    },
  };
}

const inThread = (thread: string) => (thread === '' ? {} : { message_thread_id: Number(thread) });

/** The message may be gone, which is no reason not to answer. */
const replyTo = ({ thread, messageId }: Place) => ({
  ...inThread(thread),
  reply_parameters: { message_id: Number(messageId), allow_sending_without_reply: true },
});

/** Where Telegram cannot read the marks, the text goes without them. */
async function sendText(api: Api, place: Place, html: string, isRepeat: boolean): Promise<void> {
  const isMarked = isRepeat && html.length + repeatMark.length <= maxMessageUnits;
  const text = isMarked ? repeatMark + html : html;
  const options = { ...replyTo(place), link_preview_options: { is_disabled: true } };
  try {
    await api.sendMessage(place.channel, text, { ...options, parse_mode: 'HTML' });
  } catch (error) {
    if (!(error instanceof GrammyError) || !/can't parse entities/i.test(error.description)) throw error;
    await api.sendMessage(place.channel, withoutMarks(text), options);
  }
}

/** A file that cannot be sent is named, and does not keep back what comes behind it. */
async function sendFile(
  { api, log }: Pick<PollingDeps, 'api' | 'log'>,
  place: Place,
  { file }: FilePiece,
  { id, readFile }: Sending,
): Promise<void> {
  const say = (text: string): Promise<void> => sendText(api, place, escaped(text), false);
  const bytes = await readFile(file);
  if (!bytes) return say(`The file ${file.name} cannot be read any more.`);
  // Telegram takes none of them.
  if (bytes.length === 0) return say(`The file ${file.name} is empty.`);
  try {
    await api.sendDocument(place.channel, new InputFile(bytes, file.name), replyTo(place));
  } catch (error) {
    // The chat itself may be gone, which this text then comes to know.
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
    log.warn('A file of an answer was refused', { id, error: error.description });
    await say(`Telegram does not take the file ${file.name}.`);
  }
}

/** Resolves also when the signal fires. */
const waitFor = (clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (ms === 0 || signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(ms, end);
    signal.addEventListener('abort', end);
  });
