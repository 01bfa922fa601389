import { useEffect } from 'react';
import { sessions, shell as text } from '../text.ts';
import { useCommands } from '../commands/commands.ts';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/state-mark.tsx';
import { useUi } from '../stores/stores.ts';
import type { Notice } from '../stores/ui-store.ts';

/** What happened outside the transcript. */
export function Notices() {
  const notices = useUi((ui) => ui.notices);
  return (
    <div className="notices" role="alert" aria-label={text.notices}>
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

/** Long enough to read it and to reach Undo. */
const newsMs = 12_000;

/** What went wrong stays until it was read; news leaves by itself. */
function Toast({ notice: { id, message, advice, news, restores } }: { notice: Notice }) {
  const { run } = useCommands();
  useEffect(() => {
    if (!news) return;
    const timer = setTimeout(() => void run('notice/dismiss', { id }), newsMs);
    return () => clearTimeout(timer);
  }, [news, id, run]);
  return (
    <div className="toast">
      {news ? <Mark icon="done" tone="done" /> : <Mark icon="failed" tone="fail" />}
      <span className="grow">
        {message}
        {advice !== '' && <span className="meta block">{advice}</span>}
      </span>
      {restores !== undefined && (
        <Button
          small
          icon="undo"
          onClick={() => void run('session/restore', { sessionId: restores, noticeId: id })}
        >
          {sessions.undo}
        </Button>
      )}
      <Button
        kind="quiet"
        small
        icon="x"
        label={text.dismiss}
        onClick={() => void run('notice/dismiss', { id })}
      />
    </div>
  );
}
