import type { Stores } from '../stores/stores.ts';
import { attentionAfter } from '../stores/attention.ts';

/** Marks sessions whose turn ended while another one was open, until they are looked at. */
export function followUnread({ host, ui }: Pick<Stores, 'host' | 'ui'>): void {
  const follow = (): void => {
    const { sessions, defaults } = host.getState();
    // Before the first snapshot no session is known, which is not the same as none.
    if (defaults === null) return;
    const { attention, openSessionId } = ui.getState();
    const after = attentionAfter(attention, sessions, openSessionId);
    if (after !== attention) ui.setState({ attention: after });
  };
  host.subscribe((state, before) => {
    if (state.sessions !== before.sessions || state.defaults !== before.defaults) follow();
  });
  ui.subscribe((state, before) => {
    if (state.openSessionId !== before.openSessionId) follow();
  });
}
