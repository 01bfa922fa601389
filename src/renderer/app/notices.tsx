import { useEffect, useRef, useState } from 'react';
import { changedFiles, notifications, schedulePane, sessions, shell as text } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { Button, IconButton } from '../components/button.tsx';
import { Mark } from '../components/state-mark.tsx';
import { useUi } from '../stores/stores.ts';
import type { Notice } from '../stores/notices-slice.ts';
import { UpdateNote } from './update-note.tsx';
import styles from './frame.module.css';

/** What happened outside the transcript. While the pointer or the keyboard is on them, none leaves. */
export function Notices() {
  const { run } = useCommands();
  const notices = useUi((ui) => ui.notices);
  const wanted = useUi((ui) => ui.focus);
  const count = notices.length;
  const region = useRef<HTMLElement>(null);
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const keyboard = useRef(false);
  useEffect(() => {
    if (wanted.target === 'notices') region.current?.querySelector('button')?.focus();
  }, [wanted]);
  // The keyboard was on one that has left: it goes to the next, or back to the message box.
  useEffect(() => {
    if (!keyboard.current || region.current?.contains(document.activeElement)) return;
    keyboard.current = count > 0;
    if (count > 0) region.current?.querySelector('button')?.focus();
    else if (document.activeElement === document.body) void run('composer/focus');
  }, [count, run]);
  if (focused && count === 0) setFocused(false);
  const focus = (here: boolean): void => {
    keyboard.current = here;
    setFocused(here);
  };
  const hand = {
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => focus(true),
    onBlur: () => focus(false),
  };
  return (
    <section ref={region} className={styles.notices} aria-label={text.notices} {...hand}>
      {/* One region that stays: a screen reader hears only what is added to one that it knows. */}
      <div className={styles.toasts} aria-live="polite">
        {notices.map((notice) => (
          <Toast key={notice.id} notice={notice} held={pointed || focused} />
        ))}
        <UpdateNote />
      </div>
    </section>
  );
}

/** Long enough to read it and to reach Undo. */
const newsMs = 12_000;

/** What went wrong stays until it was read; news leaves by itself. */
function Toast({ notice, held }: { notice: Notice; held: boolean }) {
  const { id, message, advice, news, offersNotes, restores, unarchives, redoes, opens } = notice;
  const { run } = useCommands();
  useEffect(() => {
    if (!news || held || offersNotes) return;
    const timer = setTimeout(() => void run('notice/dismiss', { id }), newsMs);
    return () => clearTimeout(timer);
  }, [news, held, offersNotes, id, run]);
  return (
    <div className={styles.toast} {...(!news && { role: 'alert' })}>
      {news ? <Mark icon="done" tone="done" /> : <Mark icon="failed" tone="fail" />}
      <span className="grow">
        {message}
        {advice !== '' && <span className="meta block">{advice}</span>}
      </span>
      {offersNotes && (
        <Button
          small
          onClick={() => {
            // The question of the browser answers a click alone.
            void run('view/set-notifications', { on: true });
            void run('notice/dismiss', { id });
          }}
        >
          {notifications.offer.accept}
        </Button>
      )}
      {restores !== undefined && (
        <Button
          small
          icon="undo"
          onClick={() => void run('session/restore', { sessionIds: restores, noticeId: id })}
        >
          {sessions.undo}
        </Button>
      )}
      {unarchives !== undefined && (
        <Button
          small
          icon="undo"
          onClick={() =>
            void run('session/archive', { sessionIds: unarchives, archived: false, noticeId: id })
          }
        >
          {sessions.undo}
        </Button>
      )}
      {redoes !== undefined && (
        <Button small icon="redo" onClick={() => void run('files/redo-undone', { ...redoes, noticeId: id })}>
          {changedFiles.redo}
        </Button>
      )}
      {opens !== undefined && (
        <Button
          small
          onClick={() => {
            void run('session/open', { sessionId: opens });
            void run('notice/dismiss', { id });
          }}
        >
          {schedulePane.open}
        </Button>
      )}
      <IconButton icon="x" label={text.dismiss} onClick={() => void run('notice/dismiss', { id })} />
    </div>
  );
}
