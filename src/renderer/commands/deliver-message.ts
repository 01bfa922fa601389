/** A message on its way to the host, which has it once the host has said so: sent again where that was lost, or given back. */
import type { Attachment } from '../../protocol/attachments.ts';
import { attachmentsOf } from '../stores/draft-files.ts';
import { maxResendMs, type Unsent } from '../stores/outbox.ts';
import { addSending, changeSending, findSending } from '../stores/session-store.ts';
import { draftKey } from '../stores/ui-store.ts';
import { composer } from '../text.ts';
import type { ConnectionState } from '../connection/connection.ts';
import type { HostConnection, Services } from './command.ts';
import { isDisconnect } from './error-words.ts';
import type { MessageBox } from './message-box.ts';

export interface Message {
  text: string;
  attachments?: Attachment[];
  /** The turn that it is another version of. */
  replaces?: string;
}

export type SendingServices = Pick<Services, 'host' | 'stores' | 'outbox' | 'newTurnId' | 'now'>;

type Begin = ReturnType<typeof createBeginning>;

/** Shows a message as on its way from the first moment, so that Stop is there before the host has answered. */
export function createBeginning({
  host,
  stores: { session, ui },
  now,
}: Pick<SendingServices, 'host' | 'stores' | 'now'>) {
  return async (
    message: Message & { id: string; sessionId: string | null },
    start: () => Promise<{ turnId: string }>,
  ): Promise<void> => {
    const { id } = message;
    const isOpen = message.sessionId === ui.getState().openSessionId;
    addSending(session, { ...message, since: now(), turnId: null, stopRequested: false }, isOpen);
    try {
      const { turnId } = await start();
      const sending = findSending(session, id);
      if (sending?.stopRequested && sending.sessionId !== null) {
        await host.call('turn/stop', { sessionId: sending.sessionId, turnId });
      }
      // Elsewhere its turn is there when that session is opened.
      changeSending(session, id, session.getState().sending?.id === id ? { turnId } : null);
    } catch (error) {
      changeSending(session, id, null);
      throw error;
    }
  };
}

export function createDelivery(services: Omit<SendingServices, 'newTurnId'>, begin: Begin, box: MessageBox) {
  const { host, outbox, now } = services;

  /**
   * Asked again with the same id where the answer was lost, so that the host begins it once.
   * @param wasAsked the host may have it already: without a connection it cannot be given back.
   */
  const deliver = async (unsent: Unsent, wasAsked = false): Promise<{ turnId: string }> => {
    for (let mayBeThere = wasAsked; ;) {
      mayBeThere ||= host.state === 'live';
      try {
        return await ask(unsent);
      } catch (error) {
        if (!mayBeThere || !isDisconnect(error)) throw error;
        await untilLiveAgain(host);
      }
    }
  };

  const ask = async ({
    id,
    sessionId,
    text,
    attachments,
    origin,
    since,
  }: Unsent): Promise<{ turnId: string }> => {
    const place = { sessionId: sessionId ?? '', turnId: id };
    if (now() - since <= maxResendMs) {
      return await host.call('turn/start', {
        ...place,
        text: text.trim(),
        ...(attachments && attachments.length > 0 && { attachments }),
        ...(origin && { origin }),
      });
    }
    const { isKnown } = await host.call('turn/known', place);
    if (isKnown) return { turnId: id };
    throw Object.assign(new Error(composer.unsent.notSent), { advice: composer.unsent.isBack });
  };

  const giveBack = ({ id, sessionId, text, files, origin }: Unsent): void => {
    box.restore(text, files, { origin, key: draftKey(sessionId) });
    outbox.remove(id);
  };

  const sendAgain = async (unsent: Unsent): Promise<void> => {
    const { id, sessionId, text, files } = unsent;
    try {
      await begin({ id, sessionId, text: text.trim(), attachments: attachmentsOf(files) }, async () => {
        await untilLive(host);
        return await deliver(unsent, true);
      });
      outbox.remove(id);
    } catch (error) {
      giveBack(unsent);
      throw error;
    }
  };

  const resume = async (): Promise<void> => {
    const left = outbox.left(now());
    // Of these the host was not asked yet, so they are drafts again.
    for (const unsent of left) if (unsent.attachments === null) giveBack(unsent);
    const asked = left.filter(({ attachments }) => attachments !== null);
    const results = await Promise.allSettled(asked.map(sendAgain));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  };

  return { deliver, giveBack, resume };
}

/** A call hears of the end of its connection a moment before the connection does, which counts as live until then. */
async function untilLiveAgain(host: HostConnection): Promise<void> {
  await untilState(host, (state) => state !== 'live');
  await untilLive(host);
}

const untilLive = (host: HostConnection): Promise<void> => untilState(host, (state) => state === 'live');

function untilState(host: HostConnection, isWanted: (state: ConnectionState) => boolean): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const unsubscribe = host.onState((state) => {
    if (isWanted(state)) reached.resolve();
  });
  return reached.promise.finally(unsubscribe);
}
