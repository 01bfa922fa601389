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
import { stillSending } from '../stores/session-store.ts';
import type { Stores } from '../stores/stores.ts';
import type { HostConnection } from './command.ts';
import type { FirstSession } from './first-session.ts';
import type { MessageBox } from './message-box.ts';

export interface Message {
  text: string;
  attachments?: Attachment[];
  /** The turn that it is another version of. */
  replaces?: string;
}

export interface Sending {
  /** A trimmed text with the files that wait in the box, where it is what stands there. Nothing is sent of nothing. */
  send: (text: string) => Promise<void>;
  /** Shows the message as on its way while `start` asks the host for its turn. */
  begin: (message: Message, start: () => Promise<{ turnId: string }>) => Promise<void>;
}

export function createSending(
  host: HostConnection,
  stores: Stores,
  box: MessageBox,
  first: FirstSession,
  now: () => number,
): Sending {
  const { session, ui } = stores;
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
    box.take(text);
    try {
      await begin({ text: message, attachments }, async () => {
        // Before a session is made for it: a server may not answer.
        const read = await readLater(files, message);
        const sessionId = await first.ensure();
        const ids = [...attachments, ...read].map(({ id }) => id);
        return await host.call('turn/start', {
          sessionId,
          text: message,
          ...(ids.length > 0 && { attachments: ids }),
          ...(origin && { origin }),
        });
      });
    } catch (error) {
      box.restore(text, files, origin);
      first.forgetRefusedFolder(error);
      throw error;
    }
  };

  /** What the host reads for this message: resources as they are now, and of collections what fits its words. */
  const readLater = async (files: readonly DraftFile[], query: string): Promise<Attachment[]> => {
    const asked = [
      ...resourcesOf(files).map((resource) => host.call('mcp/attach-resource', resource)),
      ...collectionsOf(files).map((collectionId) => host.call('collection/attach', { collectionId, query })),
    ];
    return (await Promise.all(asked)).map(({ attachment }) => attachment);
  };

  /** Shown as on its way from the first moment, so that Stop is there before the host has answered. */
  const begin = async (message: Message, start: () => Promise<{ turnId: string }>): Promise<void> => {
    session.setState({ sending: { ...message, since: now(), turnId: null, stopRequested: false } });
    try {
      const { turnId } = await start();
      const sessionId = ui.getState().openSessionId;
      if (sessionId !== null && session.getState().sending?.stopRequested) {
        await host.call('turn/stop', { sessionId, turnId });
      }
      session.setState(({ sending, state }) => {
        const sent = sending && { ...sending, turnId };
        return { sending: state ? stillSending(sent, state) : sent };
      });
    } catch (error) {
      session.setState({ sending: null });
      throw error;
    }
  };

  return { send, begin };
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
