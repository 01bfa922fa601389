import { historyOf, newerBefore, olderBefore, pageSize } from '../stores/pages.ts';
import { addPage, type PagePlace } from '../stores/session-store.ts';
import { requestFocus, requestTravel } from '../stores/ui-store.ts';
import type { Stores } from '../stores/stores.ts';
import { command, type HostConnection } from './command.ts';
import { commands as text } from '../text.ts';

/** Moving through what was said, however long it is: pages come and go with what is read. */
export function createTranscriptCommands(host: HostConnection, { session, ui }: Stores) {
  const isOpen = (): boolean => ui.getState().view === 'session' && session.getState().state !== null;

  /** Of a session that is no longer open it is dropped. */
  const turnTo = async (place: PagePlace, beforeIndex: number): Promise<void> => {
    const { sessionId, paging } = session.getState();
    // Reading on turns one page at a time; going elsewhere waits for none.
    if (sessionId === null || (paging && place !== 'elsewhere')) return;
    const current = (): boolean => session.getState().sessionId === sessionId;
    session.setState({ paging: true });
    try {
      const page = await host.call('item/page', { sessionId, beforeIndex, limit: pageSize });
      if (current()) addPage(session, place, page, beforeIndex);
    } finally {
      if (current()) session.setState({ paging: false });
    }
  };

  const olderEnd = (): number | null => {
    const { state, past } = session.getState();
    return state && olderBefore(historyOf(state, past));
  };

  return {
    'transcript/older': command({
      enabled: () => olderEnd() !== null && !session.getState().paging,
      run: async () => {
        const before = olderEnd();
        if (before !== null) await turnTo('older', before);
      },
    }),
    'transcript/newer': command({
      run: async () => {
        const { state, past } = session.getState();
        const before = state && newerBefore(state, past);
        if (before !== null) await turnTo('newer', before);
      },
    }),
    'transcript/begin': command({
      keys: 'Alt+Home',
      enabled: isOpen,
      run: async () => {
        // The oldest items have the smallest places, whatever lies between.
        if (olderEnd() !== null) await turnTo('elsewhere', pageSize);
        requestTravel(ui, 'begin');
      },
    }),
    'transcript/end': command({
      keys: 'Alt+End',
      enabled: isOpen,
      run: () => {
        session.setState(({ past }) => (past?.hasNewer ? { past: null } : {}));
        requestTravel(ui, 'end');
      },
    }),
    'transcript/message-before': command({
      keys: 'Alt+PageUp',
      enabled: isOpen,
      run: () => requestTravel(ui, 'before'),
    }),
    'transcript/message-after': command({
      keys: 'Alt+PageDown',
      enabled: isOpen,
      run: () => requestTravel(ui, 'after'),
    }),
    /** The page around an item, wherever it is; nothing where the session does not have it. */
    'transcript/page-of': command<{ itemId: string }>({
      run: async ({ itemId }) => {
        const { sessionId, state } = session.getState();
        if (sessionId === null) return;
        if (state?.items.some(({ id }) => id === itemId)) {
          session.setState({ past: null });
          return;
        }
        const { index } = await host.call('item/place', { sessionId, itemId });
        if (index !== null) await turnTo('elsewhere', index + pageSize / 2);
      },
    }),
  };
}

const maxQueryLength = 200;

/** Finds words in the open session, however much of it is here: the host looks, the transcript goes there. */
export function createFindCommands(host: HostConnection, { ui, session }: Stores) {
  const isOpen = (): boolean => ui.getState().view === 'session' && session.getState().state !== null;

  const show = (at: number): void =>
    ui.setState(({ finding }) => {
      const itemId = finding?.hits?.[at];
      if (!finding || itemId === undefined) return {};
      const jump = { sessionId: finding.sessionId, itemId, words: finding.query };
      return { finding: { ...finding, at }, jump, sought: null };
    });

  return {
    /** Of what is in view: the session, or the settings, which have a search of their own. */
    'view/find': command({
      keys: 'Mod+F',
      enabled: () => ui.getState().view === 'settings' || isOpen(),
      why: () => text.why.notHere,
      run: () => {
        const { sessionId } = session.getState();
        if (ui.getState().view === 'settings') requestFocus(ui, 'settings-search');
        else if (sessionId !== null) {
          ui.setState(({ finding }) => ({
            finding:
              finding?.sessionId === sessionId
                ? finding
                : { sessionId, query: '', hits: null, complete: true, at: 0 },
          }));
          requestFocus(ui, 'find');
        }
      },
    }),
    /** Goes to the newest place at once; an answer that comes after the next question is dropped. */
    'transcript/find-words': command<{ query: string }>({
      run: async ({ query }) => {
        const { finding } = ui.getState();
        if (!finding) return;
        const asked = {
          ...finding,
          query: query.slice(0, maxQueryLength),
          hits: null,
          complete: true,
          at: 0,
        };
        ui.setState({ finding: asked, sought: null });
        if (asked.query.trim() === '') return;
        const { sessionId } = asked;
        const found = await host.call('session/search', { query: asked.query, sessionId });
        if (ui.getState().finding !== asked) return;
        const hits = found.hits.flatMap(({ itemId }) => itemId ?? []);
        ui.setState({ finding: { ...asked, hits, complete: found.complete } });
        show(hits.length - 1);
      },
    }),
    /** To the one before or after; from an end to the other. */
    'transcript/find-step': command<{ by: 1 | -1 }>({
      run: ({ by }) => {
        const { finding } = ui.getState();
        const of = finding?.hits?.length ?? 0;
        if (finding && of > 0) show((finding.at + by + of) % of);
      },
    }),
    'transcript/find-end': command({
      run: () => {
        ui.setState({ finding: null, sought: null });
        requestFocus(ui, 'transcript');
      },
    }),
  };
}
