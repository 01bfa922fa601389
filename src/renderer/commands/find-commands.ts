import { requestFocus } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, type HostConnection } from './command.ts';

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
