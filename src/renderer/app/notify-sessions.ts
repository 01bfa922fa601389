/** Desktop notifications of sessions that nobody looks at: they need an answer, ended or failed. */
import type { SessionSummary } from '../../protocol/model.ts';
import type { Services } from '../commands/command.ts';
import type { RunCommand } from '../commands/commands.ts';
import { isWorking } from '../stores/attention.ts';
import type { NoteKind } from '../stores/note-kinds.ts';
import { isQuiet } from '../stores/quiet-hours.ts';
import { platformOf } from '../stores/session-groups.ts';
import { addNews, type UiStore } from '../stores/ui-store.ts';
import { notifications as text } from '../text.ts';

/** Until the page goes. */
export function notifySessions(
  page: Window,
  { stores, notifier, now }: Pick<Services, 'stores' | 'notifier' | 'now'>,
  run: RunCommand,
): void {
  if (notifier === null) return;
  const { host, ui } = stores;
  ui.setState({ mayNotify: notifier.permission() });
  const isSeen = (id: string): boolean => {
    const { view, openSessionId } = ui.getState();
    return page.document.hasFocus() && view === 'session' && openSessionId === id;
  };
  const isWanted = (kind: NoteKind): boolean => {
    const { notifies, mutedNotes, quietHours } = ui.getState();
    return notifies && !mutedNotes.includes(kind) && !isQuiet(quietHours, now());
  };
  host.subscribe(({ sessions, defaults }, before) => {
    // What was so before this window heard of any session is no news.
    if (sessions === before.sessions || defaults === null || before.defaults === null) return;
    for (const session of sessions) {
      const { id, title } = session;
      const note = noteOf(
        before.sessions.find((each) => each.id === id),
        session,
      );
      if (note === null || isSeen(id) || !isWanted(note)) continue;
      const permission = notifier.permission();
      if (permission === 'default') offer(ui, title);
      if (permission !== 'granted') continue;
      const onClick = (): void => void run('session/open', { sessionId: id });
      notifier.show({ title, body: text.notes[note], tag: id, onClick });
    }
  });
}

/** When the first one would have been shown the person sees what it is good for. It is offered once. */
function offer(ui: UiStore, title: string): void {
  if (ui.getState().notesOffered) return;
  ui.setState({ notesOffered: true });
  const { message, advice } = text.offer;
  addNews(ui, message(title), { advice, offersNotes: true });
}

/** Null = nothing to say. Conversations of other people are answered without the owner, but for their questions. */
function noteOf(before: SessionSummary | undefined, session: SessionSummary): NoteKind | null {
  const { status } = session;
  if (status === 'asking') return before?.status === 'asking' ? null : 'asking';
  if (platformOf(session) !== 'desktop' || !before || !isWorking(before)) return null;
  if (status === 'failed') return 'failed';
  return status === 'idle' ? 'ended' : null;
}
