/** Desktop notifications of sessions that nobody looks at: they need an answer, ended or failed. */
import type { SessionSummary } from '../../protocol/model.ts';
import type { Services } from '../commands/command.ts';
import type { RunCommand } from '../commands/commands.ts';
import { isWorking } from '../stores/attention.ts';
import { sessions as text } from '../text.ts';

type Note = keyof typeof text.notes;

/** Until the page goes. */
export function notifySessions(
  page: Window,
  { stores, notifier }: Pick<Services, 'stores' | 'notifier'>,
  run: RunCommand,
): void {
  if (notifier === null) return;
  const { host, ui } = stores;
  ui.setState({ mayNotify: notifier.permission() });
  const isSeen = (id: string): boolean => {
    const { view, openSessionId } = ui.getState();
    return page.document.hasFocus() && view === 'session' && openSessionId === id;
  };
  host.subscribe(({ sessions, defaults }, before) => {
    // What was so before this window heard of any session is no news.
    if (sessions === before.sessions || defaults === null || before.defaults === null) return;
    if (!ui.getState().notifies || notifier.permission() !== 'granted') return;
    for (const session of sessions) {
      const note = noteOf(
        before.sessions.find(({ id }) => id === session.id),
        session,
      );
      if (note === null || isSeen(session.id)) continue;
      notifier.show({
        title: session.title,
        body: text.notes[note],
        tag: session.id,
        onClick: () => void run('session/open', { sessionId: session.id }),
      });
    }
  });
}

/** Null = nothing to say. Conversations of other people are answered without the owner, but for their questions. */
function noteOf(before: SessionSummary | undefined, { status, place }: SessionSummary): Note | null {
  if (status === 'asking') return before?.status === 'asking' ? null : 'asking';
  const isOwn = (place?.platform ?? 'desktop') === 'desktop';
  if (!isOwn || !before || !isWorking(before)) return null;
  if (status === 'failed') return 'failed';
  return status === 'idle' ? 'ended' : null;
}
