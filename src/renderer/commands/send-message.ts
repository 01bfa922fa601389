/** The way of a message out of the box: into a session that may have to be made first, and back where it is not taken. */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import { attachmentsOf, type DraftFile } from '../stores/draft-files.ts';
import { unsentWords } from '../stores/recall.ts';
import { stillSending } from '../stores/session-store.ts';
import { newSessionKey } from '../stores/drafts.ts';
import { draftKey, requestFocus, setDraft, setDraftFiles, setRecall } from '../stores/ui-store.ts';
import type { Services } from './command.ts';

export interface Message {
  text: string;
  attachments?: Attachment[];
}

export interface Sending {
  /** A trimmed text with the files that wait in the box, where it is what stands there. Nothing is sent of nothing. */
  send: (text: string) => Promise<void>;
  /** Shows the message as on its way while `start` asks the host for its turn. */
  begin: (message: Message, start: () => Promise<{ turnId: string }>) => Promise<void>;
  putBack: (text: string, files?: DraftFile[]) => void;
}

export function createSending({
  host,
  stores,
  now,
  desktop,
}: Pick<Services, 'host' | 'stores' | 'now' | 'desktop'>): Sending {
  const { session, ui } = stores;
  const openSessionId = (): string | null => ui.getState().openSessionId;
  /** For the host that still starts, or for the desktop's folder picker: a second press of Enter sends nothing twice. */
  let waiting = false;

  /**
   * A window opens while its host still starts, and the first list of sessions would forget one that is made before it. A
   * connection that is lost is none to wait for: the window says so.
   */
  const isHostStarting = (): boolean => {
    const { connection, defaults } = stores.host.getState();
    return connection === 'connecting' || (connection === 'live' && defaults === null);
  };
  const untilHostAnswers = (): Promise<void> =>
    new Promise((resolve) => {
      const unsubscribe = stores.host.subscribe(() => {
        if (isHostStarting()) return;
        unsubscribe();
        resolve();
      });
    });

  /** The session of the first message is made with what was chosen for it. */
  const ensureSession = async (): Promise<string> => {
    const open = openSessionId();
    if (open !== null) return open;
    const { model, ...choice } = ui.getState().newSession;
    const created = await host.call('session/create', choice);
    const sessionId = created.session.id;
    if (model) await host.call('session/update', { sessionId, model });
    // What was written while the session was made goes on in it.
    const { drafts, draftFiles } = ui.getState();
    setDraft(ui, sessionId, drafts[newSessionKey] ?? '');
    setDraft(ui, newSessionKey, '');
    setDraftFiles(ui, sessionId, draftFiles[newSessionKey] ?? []);
    setDraftFiles(ui, newSessionKey, []);
    ui.setState({ openSessionId: sessionId, newSession: {} });
    return sessionId;
  };

  /** Nobody has chosen where a first message shall work. Before the host has answered that is not known: it refuses. */
  const needsFolder = (): boolean => {
    const { defaults } = stores.host.getState();
    const { openSessionId: open, newSession } = ui.getState();
    return open === null && defaults !== null && (newSession.workspace ?? defaults.workspace) === null;
  };

  /** False = it was not chosen, or is asked for in the window: the message stays in its box. */
  const askForFolder = async (): Promise<boolean> => {
    const workspace = await desktop?.chooseFolder();
    if (workspace) ui.setState((state) => ({ newSession: { ...state.newSession, workspace } }));
    else requestFocus(ui, desktop ? 'composer' : 'message-folder');
    return Boolean(workspace);
  };

  /** The next try asks for another one, whatever page is shown. */
  const forgetRefusedFolder = (error: unknown): void => {
    if (openSessionId() !== null || !(error instanceof AndironError) || error.code !== 'workspace_invalid')
      return;
    ui.setState(({ newSession: { workspace: _refused, ...rest } }) => ({ newSession: rest }));
    if (needsFolder() && !desktop) requestFocus(ui, 'message-folder');
  };

  const send = async (text: string): Promise<void> => {
    const message = text.trim();
    if (message === '' && filesFor(text).length === 0) return;
    if (waiting) return;
    if (isHostStarting()) {
      const wasDraft = isDraft(text);
      waiting = true;
      await untilHostAnswers().finally(() => (waiting = false));
      // It stayed in its box meanwhile, and whoever changed it there has not sent that.
      if (wasDraft && !isDraft(text)) return;
    }
    if (needsFolder()) {
      waiting = true;
      const chosen = await askForFolder().finally(() => (waiting = false));
      if (!chosen) return;
    }
    const files = filesFor(text);
    const attachments = attachmentsOf(files);
    if (message === '' && attachments.length === 0) return;
    // None is left behind without a word: one that is on its way, or did not arrive, is first.
    if (session.getState().sending || attachments.length < files.length) return;
    takeDraft(text);
    try {
      await begin({ text: message, attachments }, async () => {
        const sessionId = await ensureSession();
        const ids = attachments.map(({ id }) => id);
        return await host.call('turn/start', {
          sessionId,
          text: message,
          ...(ids.length > 0 && { attachments: ids }),
        });
      });
    } catch (error) {
      putBack(text, files);
      forgetRefusedFolder(error);
      throw error;
    }
  };

  const isDraft = (text: string): boolean => text === (ui.getState().drafts[draftKey(openSessionId())] ?? '');

  /** Those that wait in the box go with what is written in it, and with nothing else that is sent. */
  const filesFor = (text: string): DraftFile[] =>
    (isDraft(text) ? ui.getState().draftFiles[draftKey(openSessionId())] : undefined) ?? [];

  /** Out of the box, which then shows what was not sent when an earlier message was recalled. */
  const takeDraft = (text: string): void => {
    if (!isDraft(text)) return;
    const key = draftKey(openSessionId());
    setDraft(ui, key, unsentWords(ui.getState().recalls[key]));
    setRecall(ui, key, null);
    setDraftFiles(ui, key, []);
  };

  /** Shown as on its way from the first moment, so that Stop is there before the host has answered. */
  const begin = async (message: Message, start: () => Promise<{ turnId: string }>): Promise<void> => {
    session.setState({ sending: { ...message, since: now(), turnId: null, stopRequested: false } });
    try {
      const { turnId } = await start();
      const sessionId = openSessionId();
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

  /** Nothing is lost: it stands before what was written meanwhile. */
  const putBack = (text: string, files: DraftFile[] = []): void => {
    const key = draftKey(openSessionId());
    const { drafts, draftFiles } = ui.getState();
    const texts = [text, drafts[key] ?? ''];
    setDraft(ui, key, texts.filter((written) => written !== '').join('\n\n'));
    setDraftFiles(ui, key, [...files, ...(draftFiles[key] ?? [])]);
    requestFocus(ui, 'composer');
  };

  return { send, begin, putBack };
}
