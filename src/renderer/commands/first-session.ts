/** The session that a first message makes, with what was chosen for it, and the folder that it cannot do without. */
import { AndironError } from '../../protocol/errors.ts';
import { newSessionKey, type NewSessionChoice } from '../stores/drafts-slice.ts';
import type { Stores } from '../stores/stores.ts';
import { requestFocus, setDraft, setDraftFiles } from '../stores/ui-store.ts';
import type { HostConnection } from './command.ts';
import type { FolderPicker } from './page-files.ts';

export type FirstSession = ReturnType<typeof createFirstSession>;

/** Where a first message was sent. */
export interface NewSessionPage {
  chosen: NewSessionChoice;
  /** Counts sessions that were opened: whoever was in one writes something else on the page after it. */
  number: number;
}

export function createFirstSession(host: HostConnection, stores: Stores, desktop: FolderPicker | null) {
  const { ui } = stores;
  let opened = 0;
  ui.subscribe(({ openSessionId }, before) => {
    if (openSessionId !== null && openSessionId !== before.openSessionId) opened += 1;
  });

  /** As it is now. */
  const page = (): NewSessionPage => ({ chosen: ui.getState().newSession, number: opened });

  /**
   * Returns its id. `onMade` hears of it before it is opened, which it is where the person did not go to another session
   * since the message was sent from that page.
   */
  const make = async (sentFrom: NewSessionPage, onMade: (sessionId: string) => void): Promise<string> => {
    const { model, approvals, ...choice } = sentFrom.chosen;
    const created = await host.call('session/create', choice);
    const sessionId = created.session.id;
    if (model) await host.call('session/update', { sessionId, model });
    const { openSessionId, drafts, draftFiles } = ui.getState();
    const isShown = openSessionId === null && sentFrom.number === opened;
    if (isShown) {
      // What was written while the session was made goes on in it.
      setDraft(ui, sessionId, drafts[newSessionKey] ?? '');
      setDraft(ui, newSessionKey, '');
      setDraftFiles(ui, sessionId, draftFiles[newSessionKey] ?? []);
      setDraftFiles(ui, newSessionKey, []);
    }
    onMade(sessionId);
    if (isShown) ui.setState({ openSessionId: sessionId, newSession: {} });
    // Last: where it is refused, the session and the message are there, and it asks as its profile does.
    if (approvals) await host.call('session/update', { sessionId, approvals });
    return sessionId;
  };

  /** Nobody has chosen where a first message shall work. Before the host has answered that is not known: it refuses. */
  const needsFolder = (): boolean => {
    const { defaults } = stores.host.getState();
    const { openSessionId, newSession } = ui.getState();
    return (
      openSessionId === null && defaults !== null && (newSession.workspace ?? defaults.workspace) === null
    );
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
    if (
      ui.getState().openSessionId !== null ||
      !(error instanceof AndironError) ||
      error.code !== 'workspace_invalid'
    )
      return;
    ui.setState(({ newSession: { workspace: _refused, ...rest } }) => ({ newSession: rest }));
    if (needsFolder() && !desktop) requestFocus(ui, 'message-folder');
  };

  return { page, make, needsFolder, askForFolder, forgetRefusedFolder };
}
