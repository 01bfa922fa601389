/** Carries messages from a bridge to the host and answers back, whenever host and bridge may end. */
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Delivery, WaitingMessage } from '../protocol/bridge-methods.ts';
import type { ResultFile } from '../protocol/result-files.ts';
import type { Transport } from '../protocol/transport.ts';
import { addFiles } from './add-files.ts';
import { createHostRequests, type HostRequests } from './host-requests.ts';
import { UndeliverableError, type PlatformBridge, type Receiver, type Sending } from './platform-bridge.ts';

export interface CarrierDeps {
  bridge: PlatformBridge;
  clock: Pick<Clock, 'after'>;
  log: Log;
}

/** An answer that is there by then needs no word before it. */
const sayPlaceMs = 5_000;
const firstRetryMs = 1_000;
const maxRetryMs = 60_000;

export function createCarrier(deps: CarrierDeps) {
  const { bridge, clock, log } = deps;
  const requests = createHostRequests(clock);
  const sender = createSender(requests, deps);
  const delivering = new Set<string>();

  /** Once for each message, however often it is asked for. */
  const deliver = async (message: WaitingMessage): Promise<void> => {
    const { id } = message;
    if (delivering.has(id)) return;
    delivering.add(id);
    const hideWorking = bridge.showWorking?.(message);
    const waiting = clock.after(sayPlaceMs, () => void sayPlace(message));
    try {
      const delivery = await requests.call('bridge/answer', { id });
      waiting.cancel();
      hideWorking?.();
      if (!delivery.isDelivered) await sender.send(message, delivery);
    } catch (error) {
      if (!requests.isStopped()) log.error('A message was not answered', error, { id });
    } finally {
      waiting.cancel();
      hideWorking?.();
      delivering.delete(id);
    }
  };

  /** Once: whoever reads it knows that the answer comes. */
  const sayPlace = async (message: WaitingMessage): Promise<void> => {
    try {
      const { ahead } = await requests.call('bridge/line', { id: message.id });
      if (ahead > 0) await bridge.sayPlace?.(message, ahead);
    } catch (error) {
      if (!requests.isStopped()) log.warn('Nobody was told how long they wait', { error: reasonOf(error) });
    }
  };

  const receiver: Receiver = {
    async receive({ files, ...message }) {
      // Uploads belong to a connection, so files and message go over the same one.
      const { id } = await requests.withHost(async (rpc) => {
        const { attachments, lost } = await addFiles(rpc, files);
        const note = lost.length === 0 ? '' : `\n\n(Could not be read: ${lost.join(', ')})`;
        return rpc.call('bridge/receive', { ...message, text: message.text + note, attachments });
      });
      void deliver({ ...message, id });
      return id;
    },
    answer: async (id) => (await requests.call('bridge/answer', { id })).response,
  };

  return {
    start: (): Promise<string> => bridge.start(receiver),
    /** A host is there, in the place of an earlier one. What that left is delivered. */
    connect(transport: Transport): void {
      requests
        .connect(transport)
        .call('bridge/open', {})
        .then(
          ({ waiting }) => waiting.forEach((message) => void deliver(message)),
          (error: unknown) => log.warn('The host did not say what waits', { error: reasonOf(error) }),
        );
    },
    async stop(): Promise<void> {
      requests.stop();
      await bridge.stop();
    },
  };
}

function createSender(requests: HostRequests, { bridge, log }: CarrierDeps) {
  /** By channel: the pieces of two answers never mix. */
  const lastSent = new Map<string, Promise<void>>();

  const readFile = async (id: string, { id: fileId }: ResultFile): Promise<Buffer | null> => {
    try {
      const { data } = await requests.call('bridge/read-file', { id, fileId });
      return Buffer.from(data, 'base64');
    } catch (error) {
      if (requests.isStopped()) throw error;
      log.warn('A file of an answer cannot be read', { id, error: reasonOf(error) });
      return null;
    }
  };

  const sendPiece = async (message: WaitingMessage, piece: number, sending: Sending): Promise<void> => {
    const { id } = message;
    const part = bridge.pieces(sending.answer)[piece];
    if (!part) return;
    await requests.call('bridge/piece', { id, piece, state: 'begun' });
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, maxRetryMs)) {
      try {
        await bridge.send(message, part, sending);
        break;
      } catch (error) {
        if (error instanceof UndeliverableError || requests.isStopped()) throw error;
        log.warn('An answer could not be delivered yet', { id, retryMs, error: reasonOf(error) });
        await requests.wait(retryMs);
      }
    }
    await requests.call('bridge/piece', { id, piece, state: 'sent' });
  };

  const sendAll = async (message: WaitingMessage, delivery: Delivery): Promise<void> => {
    const { id } = message;
    const { response: answer, sentPieces, isUncertain } = delivery;
    const { length } = bridge.pieces(answer);
    try {
      for (let piece = sentPieces; piece < length; piece += 1)
        await sendPiece(message, piece, {
          answer,
          id,
          isRepeat: isUncertain && piece === sentPieces,
          readFile: (file) => readFile(id, file),
        });
    } catch (error) {
      if (!(error instanceof UndeliverableError)) throw error;
      log.warn('An answer cannot be delivered', { id, error: error.message });
    }
    await requests.call('bridge/delivered', { id });
  };

  return {
    async send(message: WaitingMessage, delivery: Delivery): Promise<void> {
      const place = JSON.stringify([message.server, message.channel]);
      const before = lastSent.get(place) ?? Promise.resolve();
      const sent = before.catch(() => undefined).then(() => sendAll(message, delivery));
      lastSent.set(place, sent);
      try {
        await sent;
      } finally {
        if (lastSent.get(place) === sent) lastSent.delete(place);
      }
    },
  };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
