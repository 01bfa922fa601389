import { titleOf } from '../stores/host-store.ts';
import type { Search } from '../stores/shown-slice.ts';
import type { Stores } from '../stores/stores.ts';
import { addNews, openSession, requestFocus } from '../stores/ui-store.ts';
import { sessions as text } from '../text.ts';
import { command, inOpenSession, type HostConnection } from './command.ts';

/** What was said as a thing of its own: found, deleted and had back, branched, summarised. */
export function createHistoryCommands(host: HostConnection, { host: known, ui }: Stores) {
  /** One that cannot be deleted keeps none of the others; what is gone can be had back. */
  const remove = async (sessionIds: string[]): Promise<void> => {
    const titles = new Map(sessionIds.map((id) => [id, titleOf(known, id) ?? text.untitled]));
    const results = await Promise.allSettled(
      sessionIds.map((sessionId) => host.call('session/delete', { sessionId })),
    );
    const [first, ...others] = sessionIds.filter((_, at) => results[at]?.status === 'fulfilled');
    if (first !== undefined) {
      const gone = [first, ...others];
      // The draft stays: what is restored is as it was.
      if (gone.includes(ui.getState().openSessionId ?? '')) {
        ui.setState({ openSessionId: null, newSession: {} });
        // Under a list that lies over the transcript the box would have the keyboard unseen.
        if (ui.getState().sheet === null) requestFocus(ui, 'composer');
      }
      const restores = [...joined(), ...gone];
      const isOne = restores.length === 1;
      const message = isOne ? text.removed(titles.get(first) ?? '') : text.removedMany(restores.length);
      addNews(ui, message, { restores });
    }
    throwFirst(results);
  };

  /** What was deleted a moment ago, where there are so many notices of it that one would push another out. */
  const joined = (): string[] => {
    const pending = ui.getState().notices.filter(({ restores }) => restores !== undefined);
    if (pending.length < maxWaysBack) return [];
    ui.setState(({ notices }) => ({ notices: notices.filter((notice) => !pending.includes(notice)) }));
    return pending.flatMap(({ restores = [] }) => restores);
  };

  /** Takes a restored session out of what the notice offers; without any it leaves. */
  const isBack = (noticeId: number, sessionId: string): void =>
    ui.setState(({ notices }) => ({
      notices: notices.flatMap((notice) => {
        if (notice.id !== noticeId || !notice.restores) return [notice];
        const restores = notice.restores.filter((id) => id !== sessionId);
        return restores.length === 0 ? [] : [{ ...notice, restores }];
      }),
    }));

  return {
    /** Gone from the list, and one press away from being back. */
    'session/delete': command<{ sessionId: string }>({ run: ({ sessionId }) => remove([sessionId]) }),
    'session/delete-all': command<{ sessionIds: string[] }>({ run: ({ sessionIds }) => remove(sessionIds) }),
    /** One is opened again; several come back to the list. */
    'session/restore': command<{ sessionIds: string[]; noticeId: number }>({
      run: async ({ sessionIds, noticeId }) => {
        const results = await Promise.allSettled(
          sessionIds.map(async (sessionId) => {
            await host.call('session/restore', { sessionId });
            isBack(noticeId, sessionId);
          }),
        );
        throwFirst(results);
        const [only, ...others] = sessionIds;
        if (only !== undefined && others.length === 0) openSession(ui, only);
      },
    }),
    /** Everything up to and including a turn, or up to now, as a session of its own. */
    'session/fork': command<{ sessionId: string; turnId?: string; workspace?: string }>({
      run: async (params) => {
        const { session } = await host.call('session/fork', params);
        openSession(ui, session.id);
      },
    }),
    'session/reset': command<{ sessionId: string }>({
      run: async (params) => {
        await host.call('session/reset', params);
        addNews(ui, text.resetDone(titleOf(known, params.sessionId) ?? text.untitled));
      },
    }),
    'session/compact': command<{ sessionId: string }>({
      run: (params) => host.call('session/compact', params),
    }),
    'compaction/undo': command<{ itemId: string }>({
      run: inOpenSession({ ui }, (sessionId, { itemId }) =>
        host.call('session/undo-compaction', { sessionId, itemId }),
      ),
    }),
    /** Looks through what was said; a reply that comes after the next question is dropped. */
    'session/find': command<{ query: string }>({
      run: async ({ query }) => {
        const answer = (found: Search['found']): void =>
          ui.setState((state) => (state.search.query === query ? { search: { query, found } } : state));
        ui.setState({ search: { query, found: null } });
        const wanted = query.trim().slice(0, maxQueryLength);
        if (wanted === '') return;
        try {
          answer(await host.call('session/search', { query: wanted }));
        } catch (error) {
          // The titles were looked through, and nothing else.
          answer({ hits: [], complete: false });
          throw error;
        }
      },
    }),
    /** Opens the session where that was said. */
    'session/open-at': command<{ sessionId: string; itemId: string }>({
      run: ({ sessionId, itemId }) => {
        openSession(ui, sessionId);
        ui.setState({ jump: { sessionId, itemId }, sought: null });
      },
    }),
  };
}

function throwFirst(results: readonly PromiseSettledResult<unknown>[]): void {
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Each with a notice of its own; one more joins them in one. */
const maxWaysBack = 2;
/** What the host takes. */
const maxQueryLength = 200;
