import type { NewSessionChoice } from '../stores/drafts-slice.ts';
import { addNews, draftKey, openSession, removeNotice, requestFocus, setDraft } from '../stores/ui-store.ts';
import { commands as text, sessions, transcript } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { groupSessions, isArchived, type Grouping } from '../stores/session-groups.ts';
import { command, type HostConnection } from './command.ts';
import type { FolderPicker } from './page-files.ts';
import type { ApprovalMode } from '../../protocol/model.ts';
import { approvalsAfter, offeredApprovals } from '../stores/approval-modes.ts';
import { currentTarget } from '../stores/derive.ts';
import { titleOf } from '../stores/host-store.ts';
import { withSuggestion } from '../stores/suggested-draft.ts';

interface Given {
  desktop: FolderPicker | null;
  now: () => number;
}

/** Sessions: make, open, name, pin, and what they run with. */
export function createSessionCommands(host: HostConnection, stores: Stores, { desktop, now }: Given) {
  const { ui } = stores;
  /** Sessions in the order of the list, as far as it shows them. */
  const ordered = (): string[] => {
    const shown = stores.host
      .getState()
      .sessions.filter(
        (session) =>
          isArchived(session) === ui.getState().showsArchived &&
          [null, session.workspace].includes(ui.getState().folder),
      );
    const groups = groupSessions(shown, { by: ui.getState().grouping, now: now() });
    return groups.flatMap(({ sessions }) => sessions.map(({ id }) => id));
  };

  const step = (by: 1 | -1): void => {
    const ids = ordered();
    const at = ids.indexOf(ui.getState().openSessionId ?? '');
    const next = at === -1 ? ids[0] : ids[at + by];
    if (next !== undefined) openSession(ui, next);
  };

  /** Changes the open session, or the choices for the one that its first message will make. */
  const change = async (
    choice: NewSessionChoice,
    apply: (sessionId: string) => Promise<unknown>,
  ): Promise<void> => {
    const sessionId = ui.getState().openSessionId;
    if (sessionId === null) ui.setState(({ newSession }) => ({ newSession: { ...newSession, ...choice } }));
    else await apply(sessionId);
  };

  return {
    'session/new': command({
      keys: { desktop: 'Mod+N', web: 'Alt+N' },
      run: () => {
        const { folder } = ui.getState();
        // Who looks at one folder means that one.
        ui.setState({ newSession: folder === null ? {} : { workspace: folder } });
        openSession(ui, null);
      },
    }),
    'session/new-in': command<{ workspace: string }>({
      run: ({ workspace }) => {
        ui.setState({ newSession: { workspace } });
        openSession(ui, null);
      },
    }),
    'session/open': command<{ sessionId: string }>({ run: ({ sessionId }) => openSession(ui, sessionId) }),
    'session/next': command({ keys: 'Alt+ArrowDown', run: () => step(1) }),
    'session/previous': command({ keys: 'Alt+ArrowUp', run: () => step(-1) }),
    'session/search': command({
      keys: 'Mod+Shift+F',
      run: () => {
        ui.setState(({ room, leftOpen }) =>
          room === 'narrow' || !leftOpen ? { sheet: 'left', view: 'session' } : { view: 'session' },
        );
        requestFocus(ui, 'search');
      },
    }),
    'session/rename': command<{ sessionId: string; title: string }>({
      run: async ({ sessionId, title }) => {
        if (title.trim() !== '') await host.call('session/update', { sessionId, title });
      },
    }),
    'session/pin': command<{ sessionId: string; pinned: boolean }>({
      run: (params) => host.call('session/update', params),
    }),
    'session/set-profile': command<{ profileId: string }>({
      run: ({ profileId }) =>
        change({ profileId }, (sessionId) => host.call('session/set-profile', { sessionId, profileId })),
    }),
    'session/set-model': command<{ model: string | null }>({
      run: ({ model }) => change({ model }, (sessionId) => host.call('session/update', { sessionId, model })),
    }),
    'session/set-workspace': command<{ workspace: string }>({
      run: ({ workspace }) =>
        change({ workspace }, (sessionId) => host.call('session/update', { sessionId, workspace })),
    }),
    /** The desktop's folder picker; a browser has none, so the window asks for the path. */
    'session/choose-workspace': command({
      enabled: () => desktop !== null,
      why: () => text.why.noFolderPicker,
      run: async () => {
        const workspace = await desktop?.chooseFolder();
        if (!workspace) return;
        await change({ workspace }, (sessionId) => host.call('session/update', { sessionId, workspace }));
      },
    }),
    /** By the desktop's picker; without it, or when it is left, nothing is chosen. */
    'folder/choose': command<{ onChosen: (path: string) => void }>({
      enabled: () => desktop !== null,
      run: async ({ onChosen }) => {
        const path = await desktop?.chooseFolder();
        if (path) onChosen(path);
      },
    }),
    /** Into the message box, with what is written there. */
    'session/suggest': command<{ text: string }>({
      run: ({ text }) => {
        const key = draftKey(ui.getState().openSessionId);
        const written = ui.getState().drafts[key] ?? '';
        setDraft(ui, key, withSuggestion(written, text, transcript.first.suggest));
        requestFocus(ui, 'composer');
      },
    }),
  };
}

/** What the open session, or the one about to be made, may do without asking. */
export function createApprovalModeCommands(host: HostConnection, { ui, session, host: known }: Stores) {
  const choose = async (approvals: ApprovalMode | null): Promise<void> => {
    const sessionId = ui.getState().openSessionId;
    if (sessionId !== null) await host.call('session/update', { sessionId, approvals });
    else ui.setState(({ newSession }) => ({ newSession: { ...newSession, approvals } }));
  };

  return {
    /** null = as its profile has it. */
    'session/set-approvals': command<{ approvals: ApprovalMode | null }>({
      run: ({ approvals }) => choose(approvals),
    }),
    /** The next one of them, and from the last one back to the first. */
    'session/next-approvals': command({
      keys: 'Alt+P',
      run: async () => {
        const { profile, chosenApprovals } = currentTarget(
          known.getState(),
          ui.getState(),
          session.getState().state?.session,
        );
        if (!profile) return;
        const offered = offeredApprovals(known.getState().defaults?.isSandboxed ?? false);
        const next = approvalsAfter(chosenApprovals ?? profile.approvals, offered);
        await choose(next).catch(async (error: unknown) => {
          // Where it may not work alone, the round goes on with what asks most.
          if (next === 'autonomous') await choose('ask');
          throw error;
        });
      },
    }),
  };
}

const archiveText = sessions.archive;

/** What the list shows and how; sessions that are put away, and had back. */
export function createListingCommands(
  host: HostConnection,
  { host: known, ui }: Pick<Stores, 'host' | 'ui'>,
) {
  /** One that cannot be put away keeps none of the others. */
  const set = async (sessionIds: readonly string[], archived: boolean): Promise<void> => {
    const results = await Promise.allSettled(
      sessionIds.map((sessionId) => host.call('session/update', { sessionId, archived })),
    );
    const done = sessionIds.filter((_, at) => results[at]?.status === 'fulfilled');
    const [first, ...others] = done;
    if (first !== undefined) {
      const [one, many] = archived
        ? [archiveText.done, archiveText.doneMany]
        : [archiveText.back, archiveText.backMany];
      const message =
        others.length === 0 ? one(titleOf(known, first) ?? sessions.untitled) : many(done.length);
      if (archived && done.includes(ui.getState().openSessionId ?? '')) openSession(ui, null);
      addNews(ui, message, archived ? { unarchives: done } : {});
    }
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  };
  const open = () => known.getState().sessions.find(({ id }) => id === ui.getState().openSessionId);

  return {
    'session/archive': command<{ sessionIds: readonly string[]; archived: boolean; noticeId?: number }>({
      run: async ({ sessionIds, archived, noticeId }) => {
        if (noticeId !== undefined) removeNotice(ui, noticeId);
        await set(sessionIds, archived);
      },
    }),
    /** null = all. */
    'session/show-folder': command<{ folder: string | null }>({
      run: ({ folder }) => ui.setState({ folder, showsArchived: false }),
    }),
    'session/group': command<{ by: Grouping }>({ run: ({ by }) => ui.setState({ grouping: by }) }),
    'session/show-archived': command({ run: () => ui.setState({ showsArchived: true, folder: null }) }),
    'current/archive': command({
      enabled: () => open() !== undefined,
      why: () => text.why.noSession,
      run: async () => {
        const session = open();
        if (session) await set([session.id], session.archivedAt == null);
      },
    }),
  };
}
