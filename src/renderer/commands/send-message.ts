/** The way of a message out of the box: into a session that may have to be made first, and back where it is not taken. */
import type { Attachment } from '../../protocol/attachments.ts';
import {
  attachmentsOf,
  collectionsOf,
  lacksQuery,
  resourcesOf,
  type DraftFile,
} from '../stores/draft-files.ts';
import type { HostStore } from '../stores/host-store.ts';
import type { Unsent } from '../stores/outbox.ts';
import { changeSending, findSending, type OpenSessionStore } from '../stores/session-store.ts';
import { createBeginning, createDelivery, type Message, type SendingServices } from './deliver-message.ts';
import type { FirstSession } from './first-session.ts';
import type { MessageBox } from './message-box.ts';

export interface Sending {
  /** A trimmed text with the files that wait in the box, where it is what stands there. Nothing is sent of nothing. */
  send: (text: string) => Promise<void>;
  /** Shows the message as on its way while `start` asks the host for its turn. */
  begin: (message: Message, start: () => Promise<{ turnId: string }>) => Promise<void>;
  /** Goes on with what the window had on its way when it was loaded again: sent once, or back in its box. */
  resume: () => Promise<void>;
}

export function createSending(services: SendingServices, box: MessageBox, first: FirstSession): Sending {
  const { host, stores, outbox, newTurnId, now } = services;
  const { session, ui } = stores;
  const begin = createBeginning(services);
  const { deliver, giveBack, resume } = createDelivery(services, begin, box);
  /** For the host that still starts, or for the desktop's folder picker: a second press of Enter sends nothing twice. */
  let waiting = false;

  const send = async (text: string): Promise<void> => {
    const message = text.trim();
    if (isNothing(message, box.filesFor(text))) return;
    if (waiting) return;
    if (isHostStarting(stores.host)) {
      const wasDraft = box.isDraft(text);
      waiting = true;
      await untilHostAnswers(stores.host).finally(() => (waiting = false));
      // It stayed in its box meanwhile, and whoever changed it there has not sent that.
      if (wasDraft && !box.isDraft(text)) return;
    }
    if (first.needsFolder()) {
      waiting = true;
      const chosen = await first.askForFolder().finally(() => (waiting = false));
      if (!chosen) return;
    }
    const files = box.filesFor(text);
    const attachments = attachmentsOf(files);
    const later = resourcesOf(files).length + collectionsOf(files).length;
    if (isNothing(message, files)) return;
    // None is left behind without a word: one that is on its way, or did not arrive, is first.
    if (session.getState().sending || attachments.length + later < files.length) return;
    const origin = box.originOf(text);
    // The person may go to another session while something is read for this one.
    const { openSessionId } = ui.getState();
    const page = first.page();
    const id = newTurnId();
    let unsent: Unsent = {
      id,
      sessionId: openSessionId,
      text,
      files,
      origin,
      attachments: null,
      since: now(),
    };
    box.take(text);
    outbox.put(unsent);
    const reading = new AbortController();
    try {
      await begin({ id, sessionId: openSessionId, text: message, attachments }, async () => {
        // Before a session is made for it: a server may not answer.
        const read = await abortedByStop(reading, session, id, readLater(files, message, reading.signal));
        const onMade = (made: string): void => {
          unsent = { ...unsent, sessionId: made };
          outbox.put(unsent);
          changeSending(session, id, { sessionId: made });
        };
        const sessionId = openSessionId ?? (await first.make(page, onMade));
        unsent = { ...unsent, sessionId, attachments: [...attachments, ...read].map((file) => file.id) };
        outbox.put(unsent);
        return await deliver(unsent);
      });
      outbox.remove(id);
    } catch (error) {
      giveBack(unsent);
      // That it is in its box again is what the person sees of their Stop.
      if (reading.signal.aborted) return;
      first.forgetRefusedFolder(error);
      throw error;
    }
  };

  /** What the host reads for this message: resources as they are now, and of collections what fits its words. */
  const readLater = async (
    files: readonly DraftFile[],
    query: string,
    signal: AbortSignal,
  ): Promise<Attachment[]> => {
    const asked = [
      ...resourcesOf(files).map((resource) => host.call('mcp/attach-resource', resource, signal)),
      ...collectionsOf(files).map((collectionId) =>
        host.call('collection/attach', { collectionId, query }, signal),
      ),
    ];
    return (await Promise.all(asked)).map(({ attachment }) => attachment);
  };

  return {
    send,
    begin: (message, start) => {
      const { openSessionId } = ui.getState();
      return begin({ ...message, id: newTurnId(), sessionId: openSessionId }, start);
    },
    resume,
  };
}

/** Until `work` is done a Stop of this message ends it. */
function abortedByStop<T>(
  controller: AbortController,
  session: OpenSessionStore,
  id: string,
  work: Promise<T>,
): Promise<T> {
  const unsubscribe = session.subscribe(() => {
    if (findSending(session, id)?.stopRequested) controller.abort();
  });
  return work.finally(unsubscribe);
}

/** Files are a message, too; a collection alone asks nothing. */
function isNothing(message: string, files: readonly DraftFile[]): boolean {
  return lacksQuery(message, files) || (message === '' && files.length === 0);
}

/**
 * A window opens while its host still starts, and the first list of sessions would forget one that is made before it. A
 * connection that is lost is none to wait for: the window says so.
 */
function isHostStarting(host: HostStore): boolean {
  const { connection, defaults } = host.getState();
  return connection === 'connecting' || (connection === 'live' && defaults === null);
}

function untilHostAnswers(host: HostStore): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = host.subscribe(() => {
      if (isHostStarting(host)) return;
      unsubscribe();
      resolve();
    });
  });
}
