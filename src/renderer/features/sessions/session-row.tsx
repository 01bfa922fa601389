import { memo, useEffect, useRef, useState } from 'react';
import type { SessionSummary } from '../../../protocol/model.ts';
import { clock } from '../../../text/format.ts';
import { sessions as text } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx';
import { Mark, sessionLook } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { useCommands } from '../../commands/commands.ts';

interface SessionRowProps {
  /** Of the group that begins with this row. */
  heading: string | null;
  session: SessionSummary;
  open: boolean;
  /** Only the mark: the narrow rail. */
  rail: boolean;
  when: string;
  /** Start of the running turn where it is known (the open session), else null. */
  runningSince: number | null;
  onDelete: (session: SessionSummary) => void;
}

export const SessionRow = memo((props: SessionRowProps) => {
  const { heading, session, open, rail, onDelete } = props;
  const { run } = useCommands();
  const [renaming, setRenaming] = useState(false);
  const { id: sessionId, pinned, title, status } = session;
  const live = status === 'running' || status === 'asking' || status === 'queued';
  const togglePin = (): void => void run('session/pin', { sessionId, pinned: !pinned });
  const classes = ['ses', open && 'is-on', live && 'live'].filter(Boolean).join(' ');

  return (
    <li>
      {heading !== null && <h2>{heading}</h2>}
      <div className={classes}>
        {renaming ? (
          <RenameField session={session} onDone={() => setRenaming(false)} />
        ) : (
          <button
            type="button"
            className="open"
            aria-current={open ? 'page' : undefined}
            title={title}
            onClick={() => void run('session/open', { sessionId })}
            onDoubleClick={() => setRenaming(true)}
            onKeyDown={(event) => {
              if (event.key === 'F2') setRenaming(true);
              else if (event.key === 'Delete') onDelete(session);
              else if (event.key === 'p' && !event.ctrlKey && !event.metaKey && !event.altKey) togglePin();
              else return;
              event.preventDefault();
            }}
          >
            <SessionMark session={session} rail={rail} />
            <span className={rail ? 'sr-only' : 'cut'}>{title}</span>
            <span className={rail ? 'sr-only' : metaClass(status)}>
              <StatusWord {...props} />
            </span>
          </button>
        )}
        {!rail && !renaming && (
          <Menu
            trigger={<Button kind="quiet" small icon="more" className="more" label={text.actions(title)} />}
          >
            <MenuItem icon="pin" keys={['P']} onClick={togglePin}>
              {pinned ? text.unpin : text.pin}
            </MenuItem>
            <MenuItem icon="edit" keys={['F2']} onClick={() => setRenaming(true)}>
              {text.rename}
            </MenuItem>
            <MenuItem icon="agent" onClick={() => void run('session/fork', { sessionId })}>
              {text.fork}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon="fold" disabled={live} onClick={() => void run('session/compact', { sessionId })}>
              {text.compact}
            </MenuItem>
            <MenuItem icon="undo" disabled={live} onClick={() => void run('session/reset', { sessionId })}>
              {text.reset}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon="get" onClick={() => void run('session/export', { sessionId })}>
              {text.export}
            </MenuItem>
            <MenuItem icon="file" onClick={() => void run('session/export-markdown', { sessionId })}>
              {text.exportMarkdown}
            </MenuItem>
            <MenuItem icon="open" onClick={() => void run('session/import')}>
              {text.import}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon="trash" keys={['Del']} danger onClick={() => onDelete(session)}>
              {text.remove}
            </MenuItem>
          </Menu>
        )}
      </div>
    </li>
  );
});
SessionRow.displayName = 'SessionRow';

function metaClass(status: SessionSummary['status']): string {
  if (status === 'asking') return 'meta wait';
  return status === 'failed' ? 'meta fail' : 'meta';
}

function SessionMark({ session, rail }: { session: SessionSummary; rail: boolean }) {
  const look = sessionLook(session.status);
  if (look) return <Mark {...look} />;
  if (session.pinned) return <Icon name="pin" />;
  return rail ? <Icon name="idle" /> : <span />;
}

function StatusWord({ session, when, runningSince }: SessionRowProps) {
  const elapsed = useElapsed(session.status === 'running' ? runningSince : null);
  switch (session.status) {
    case 'running':
      return runningSince === null ? text.marks.running : clock(elapsed);
    case 'asking':
      return text.marks.asking;
    case 'queued':
      return text.marks.queued;
    case 'failed':
      return text.marks.failed;
    case 'idle':
      return when;
  }
}

/** Enter keeps, Escape leaves, losing the focus keeps. */
function RenameField({ session, onDone }: { session: SessionSummary; onDone: () => void }) {
  const { run } = useCommands();
  const [title, setTitle] = useState(session.title);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const keep = (): void => {
    if (title.trim() !== '' && title !== session.title) {
      void run('session/rename', { sessionId: session.id, title });
    }
    onDone();
  };
  return (
    <input
      ref={field}
      className="rename"
      aria-label={text.renameLabel}
      value={title}
      maxLength={200}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        else if (event.key === 'Escape') onDone();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
