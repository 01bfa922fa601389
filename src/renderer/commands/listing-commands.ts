import { titleOf } from '../stores/host-store.ts';
import type { Stores } from '../stores/stores.ts';
import type { Grouping } from '../stores/session-groups.ts';
import { addNews, openSession, removeNotice } from '../stores/ui-store.ts';
import { commands as names, sessions } from '../text.ts';
import { command, type HostConnection } from './command.ts';

const text = sessions.archive;

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
      const [one, many] = archived ? [text.done, text.doneMany] : [text.back, text.backMany];
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
      why: () => names.why.noSession,
      run: async () => {
        const session = open();
        if (session) await set([session.id], session.archivedAt == null);
      },
    }),
  };
}
