/**
 * Messages of bridges, each answered once: what is done for one is stored before it is done, so that a host that was killed
 * goes on where it was, and a message that comes again finds what became of the first.
 */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Delivery, PlatformMessage, WaitingMessage } from '../../protocol/bridge-methods.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { AgentResponse, IncomingMessage } from '../../protocol/inbox-methods.ts';
import type { LeftRun, RunResult } from '../sessions/run-to-text.ts';
import type { StoredMessage } from '../store/incoming-store.ts';
import type { Store } from '../store/store.ts';
import { early, toResponse } from './agent-response.ts';
import { toFailure, type InboxDeps } from './receive.ts';

export interface IncomingMessagesDeps {
  store: Pick<
    Store,
    | 'incoming'
    | 'addIncoming'
    | 'undeliveredMessages'
    | 'incomingAttempt'
    | 'incomingAnswered'
    | 'incomingPiece'
    | 'incomingDelivered'
    | 'forgetDelivered'
  >;
  clock: Pick<Clock, 'now'>;
  newId: NewId;
  log: Log;
  /** The nine steps, of which the eighth is the given one. Never rejects. */
  receive: (message: IncomingMessage, run: RunMessage) => Promise<AgentResponse>;
  run: (...message: [...Parameters<RunMessage>, turnId: string]) => Promise<RunResult>;
  /** null = the session never had this turn. */
  rejoin: (sessionId: string, turnId: string) => Promise<LeftRun | null>;
  /** Turns that come before it; 0 where none does. */
  ahead: (sessionId: string, turnId: string) => number;
  /** A call of this tool may be made once more where nobody knows what became of the first. */
  isRepeatable: (tool: string) => boolean;
}

type RunMessage = InboxDeps['run'];

export type IncomingMessages = ReturnType<typeof createIncomingMessages>;

/** A message that ends Andiron each time must not do so for ever. */
const maxAttempts = 3;
/** Platforms send a message again within a day. */
const keptDeliveredMs = 30 * 24 * 60 * 60 * 1000;

const isInterrupted =
  'Andiron was restarted while it worked on this, after some steps had already run. Send your message again to continue.';

export function createIncomingMessages(deps: IncomingMessagesDeps) {
  const { store, clock, newId, log } = deps;
  const working = new Map<string, Promise<AgentResponse>>();
  let isClosed = false;

  const find = (platform: string, id: string): StoredMessage => {
    const found = store.incoming(id);
    if (found?.message.platform === platform) return found;
    throw new AndironError('not_found', 'This message is not known here.', 'Hand it in first.');
  };

  const attempt = ({ id, message }: StoredMessage): Promise<AgentResponse> =>
    deps.receive(message, (sessionId, ...text) => {
      const turnId = newId('turn_');
      store.incomingAttempt(id, sessionId, turnId);
      return deps.run(sessionId, ...text, turnId);
    });

  const respond = async (stored: StoredMessage): Promise<AgentResponse> => {
    const { sessionId, turnId, attempts } = stored;
    if (sessionId === null || turnId === null) return attempt(stored);
    const left = await deps.rejoin(sessionId, turnId);
    if (left?.isInterrupted === false) return toResponse(sessionId, left.result);
    const mayRepeat = left === null || left.tools.every((tool) => deps.isRepeatable(tool));
    if (mayRepeat && attempts < maxAttempts) return attempt(stored);
    const response = early(isInterrupted, 'failed', { code: 'interrupted', message: isInterrupted });
    return { ...response, sessionId, turnId };
  };

  const work = async (stored: StoredMessage): Promise<AgentResponse> => {
    const { platform } = stored.message;
    const response = await respond(stored).catch((error: unknown) => toFailure(error, platform, log));
    // A turn that ends with its host is no answer: the next host goes on with it.
    if (isClosed) throw new AndironError('disconnected', 'Andiron was closed.');
    store.incomingAnswered(stored.id, response);
    return response;
  };

  /** The running work on it, or its beginning. */
  const begin = (stored: StoredMessage): Promise<AgentResponse> => {
    if (stored.response) return Promise.resolve(stored.response);
    const known = working.get(stored.id);
    if (known) return known;
    const begun = work(stored).finally(() => working.delete(stored.id));
    working.set(stored.id, begun);
    // Whoever asks for the answer hears of it; until then nobody does.
    begun.catch((error: unknown) => log.warn('A message waits for the next start', { error: String(error) }));
    return begun;
  };

  return {
    /** Goes on with everything that an earlier host or bridge of this platform left. */
    open(platform: string): WaitingMessage[] {
      store.forgetDelivered(clock.now() - keptDeliveredMs);
      const waiting = store.undeliveredMessages(platform);
      for (const stored of waiting) void begin(stored).catch(() => undefined);
      return waiting.map(({ id, messageId, message: { server, channel, thread } }) => ({
        id,
        messageId,
        server,
        channel,
        thread,
      }));
    },
    /** It is stored when this returns. */
    receive(platform: string, { messageId, ...message }: PlatformMessage): string {
      const id = store.addIncoming(newId('msg_'), messageId, { ...message, platform }, clock.now());
      void begin(find(platform, id)).catch(() => undefined);
      return id;
    },
    async answer(platform: string, id: string): Promise<Delivery> {
      const response = await begin(find(platform, id));
      const { sentPieces, begunPieces, deliveredAt } = find(platform, id);
      return {
        response,
        sentPieces,
        isUncertain: begunPieces > sentPieces,
        isDelivered: deliveredAt !== null,
      };
    },
    ahead(platform: string, id: string): number {
      const { sessionId, turnId } = find(platform, id);
      return sessionId === null || turnId === null ? 0 : deps.ahead(sessionId, turnId);
    },
    piece(platform: string, id: string, piece: number, state: 'begun' | 'sent'): void {
      store.incomingPiece(find(platform, id).id, piece + 1, state);
    },
    delivered(platform: string, id: string): void {
      store.incomingDelivered(find(platform, id).id, clock.now());
    },
    /** The session whose answer has this file; throws `not_found` where none has. */
    sessionOfFile(platform: string, id: string, fileId: string): string {
      const { response } = find(platform, id);
      if (response?.sessionId != null && response.files.some((file) => file.id === fileId))
        return response.sessionId;
      throw new AndironError('not_found', 'The answer has no such file.');
    },
    /** From now on no turn that ends is taken for an answer. */
    close(): void {
      isClosed = true;
    },
  };
}
