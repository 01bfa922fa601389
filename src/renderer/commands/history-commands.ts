import { addNews, requestFocus, removeNotice } from '../stores/ui-store.ts';
import { sessions as text } from '../text.ts';
import { command, type Services } from './command.ts';

/** What was said as a thing of its own: found, kept, branched, taken out and brought in. */
export function createHistoryCommands({ host, stores, files }: Services) {
  const { ui } = stores;

  const open = (sessionId: string): void => {
    ui.setState({ openSessionId: sessionId, view: 'session', sheet: null });
    requestFocus(ui, 'composer');
  };

  const titleOf = (sessionId: string): string =>
    stores.host.getState().sessions.find(({ id }) => id === sessionId)?.title ?? text.untitled;

  return {
    /** Gone from the list, and one press away from being back. */
    'session/delete': command<{ sessionId: string }>({
      run: async ({ sessionId }) => {
        const title = titleOf(sessionId);
        await host.call('session/delete', { sessionId });
        // The draft stays: what is restored is as it was.
        if (ui.getState().openSessionId === sessionId) {
          ui.setState({ openSessionId: null, newSession: {} });
          requestFocus(ui, 'composer');
        }
        addNews(ui, text.removed(title), { restores: sessionId });
      },
    }),
    'session/restore': command<{ sessionId: string; noticeId: number }>({
      run: async ({ sessionId, noticeId }) => {
        await host.call('session/restore', { sessionId });
        removeNotice(ui, noticeId);
        open(sessionId);
      },
    }),
    /** Everything up to and including a turn, or up to now, as a session of its own. */
    'session/fork': command<{ sessionId: string; turnId?: string }>({
      run: async (params) => {
        const { session } = await host.call('session/fork', params);
        open(session.id);
      },
    }),
    'session/export': command<{ sessionId: string }>({
      run: async ({ sessionId }) => {
        const { snapshot } = await host.call('session/export', { sessionId });
        const content = JSON.stringify(snapshot, null, 2);
        files.save(fileName(titleOf(sessionId), 'json'), content, 'application/json');
      },
    }),
    'session/export-markdown': command<{ sessionId: string }>({
      run: async ({ sessionId }) => {
        const { markdown } = await host.call('session/export-markdown', { sessionId });
        files.save(fileName(titleOf(sessionId), 'md'), markdown, 'text/markdown');
      },
    }),
    /** The host reads the file, whatever is in it. */
    'session/import': command({
      run: async () => {
        const snapshot = await files.pick('.json,application/json');
        if (snapshot === null) return;
        const { session, notices } = await host.call('session/import', { snapshot });
        open(session.id);
        for (const notice of notices) addNews(ui, notice);
      },
    }),
    'session/reset': command<{ sessionId: string }>({
      run: async (params) => {
        await host.call('session/reset', params);
        addNews(ui, text.resetDone(titleOf(params.sessionId)));
      },
    }),
    'session/compact': command<{ sessionId: string }>({
      run: async (params) => {
        await host.call('session/compact', params);
      },
    }),
    'compaction/undo': command<{ itemId: string }>({
      run: async ({ itemId }) => {
        const sessionId = ui.getState().openSessionId;
        if (sessionId !== null) await host.call('session/undo-compaction', { sessionId, itemId });
      },
    }),
    /** Looks through what was said; a reply that comes after the next question is dropped. */
    'session/find': command<{ query: string }>({
      run: async ({ query }) => {
        const wanted = query.trim().slice(0, longestQuery);
        ui.setState({ search: { query: wanted, found: null } });
        if (wanted === '') return;
        const found = await host.call('session/search', { query: wanted });
        ui.setState((state) =>
          state.search.query === wanted ? { search: { query: wanted, found } } : state,
        );
      },
    }),
    /** Opens the session where that was said. */
    'session/open-at': command<{ sessionId: string; itemId: string }>({
      run: ({ sessionId, itemId }) => {
        open(sessionId);
        ui.setState({ jump: { sessionId, itemId }, sought: null });
      },
    }),
  };
}

/** What the host takes. */
const longestQuery = 200;

/** A title as the name of a file: letters, digits and dashes of any language. */
function fileName(title: string, extension: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${name || 'session'}.${extension}`;
}
