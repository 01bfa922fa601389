import { memo, useRef, type MouseEvent } from 'react';
import type { SessionSummary } from '../../../protocol/model.ts';
import { clock } from '../../../text/format.ts';
import { sessions as text, transcript as transcriptText } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { RenameField } from '../../components/rename-field.tsx';
import { Mark, sessionLook } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { isWorking } from '../../stores/attention.ts';
import { RowMenu } from './row-menu.tsx';
import { SessionTitle } from './session-title.tsx';

/** What a row can ask of its list; the same object for as long as the list stands. */
export interface RowActions {
  /** Opens it, or adds it to what is selected. */
  press: (sessionId: string, keys: { toggle: boolean; stretch: boolean }) => void;
  focused: (sessionId: string) => void;
  remove: (sessionId: string) => void;
  rename: (sessionId: string) => void;
  forkInto: (sessionId: string) => void;
  /** null = it stays as it was. */
  renamed: (sessionId: string, title: string | null, byKey: boolean) => void;
}

interface SessionRowProps {
  session: SessionSummary;
  open: boolean;
  selected: boolean;
  unread: boolean;
  renaming: boolean;
  /** The one row that Tab leads to. */
  tabbable: boolean;
  /** Only the mark: the narrow rail. */
  rail: boolean;
  when: string;
  /** Start of the running turn where it is known (the open session), else null. */
  runningSince: number | null;
  act: RowActions;
}

export const SessionRow = memo((props: SessionRowProps) => {
  const { session, open, selected, unread, renaming, tabbable, rail, act } = props;
  const more = useRef<HTMLSpanElement>(null);
  const { id, title, workspace } = session;
  const from = fromElsewhere(session);
  const classes = [
    'ses',
    open && 'is-on',
    selected && 'chosen',
    (unread || isWorking(session)) && 'live',
    unread && 'unread',
  ];
  const openMenu = (event: MouseEvent): void => {
    event.preventDefault();
    more.current?.querySelector('button')?.click();
  };
  if (renaming && !rail) {
    return (
      <div className="ses" data-row={id}>
        <RenameField
          title={title}
          label={text.renameLabel}
          className="rename"
          onDone={(words, byKey) => act.renamed(id, words, byKey)}
        />
      </div>
    );
  }
  return (
    <div className={classes.filter(Boolean).join(' ')} data-row={id}>
      <button
        type="button"
        className="open"
        aria-current={open ? 'page' : undefined}
        tabIndex={tabbable ? 0 : -1}
        title={[title, ...(from === null ? [] : [from.whole]), workspace].join('\n')}
        onFocus={() => act.focused(id)}
        onClick={({ ctrlKey, metaKey, shiftKey }) =>
          act.press(id, { toggle: ctrlKey || metaKey, stretch: shiftKey })
        }
        onDoubleClick={() => act.rename(id)}
        onContextMenu={openMenu}
      >
        <SessionMark session={session} rail={rail} unread={unread} selected={selected} />
        {rail ? <span className="sr-only">{title}</span> : <SessionTitle title={title} />}
        {from && (
          <span className={rail ? 'sr-only' : 'meta from cut'} dir="auto">
            <span aria-hidden="true">{from.short}</span>
            <span className="sr-only">{from.whole}</span>
          </span>
        )}
        <span className={rail ? 'sr-only' : metaClass(session, unread)}>
          <StatusWord {...props} />
        </span>
        {selected && <span className="sr-only">{text.isSelected}</span>}
      </button>
      <RowMenu
        session={session}
        tabbable={tabbable && !rail}
        more={more}
        onRename={() => act.rename(id)}
        onForkInto={() => act.forkInto(id)}
        onDelete={() => act.remove(id)}
      />
    </div>
  );
});
SessionRow.displayName = 'SessionRow';

/** Of a session of another platform: whose, in the row and in full. */
function fromElsewhere({ place }: SessionSummary): { short: string; whole: string } | null {
  if (!place) return null;
  const { platform, person = '' } = place;
  return { short: person || platform, whole: transcriptText.sender(person, platform) };
}

function metaClass({ status }: SessionSummary, unread: boolean): string {
  if (status === 'asking') return 'meta wait';
  if (status === 'failed') return 'meta fail';
  return unread ? 'meta fresh' : 'meta';
}

interface SessionMarkProps {
  session: SessionSummary;
  rail: boolean;
  unread: boolean;
  selected: boolean;
}

function SessionMark({ session, rail, unread, selected }: SessionMarkProps) {
  if (selected) return <Icon name="check" />;
  const look = sessionLook(session.status);
  if (look) return <Mark {...look} />;
  if (unread) return <Icon name="hot" className="lit" />;
  if (session.pinned) return <Icon name="pin" />;
  if (session.place) return <Icon name="people" />;
  return rail ? <Icon name="idle" /> : <span />;
}

function StatusWord({ session, when, runningSince, unread }: SessionRowProps) {
  const elapsed = useElapsed(session.status === 'running' ? runningSince : null);
  switch (session.status) {
    case 'running':
      return runningSince === null ? (
        text.marks.running
      ) : (
        <>
          <span className="sr-only">{text.marks.running}</span>
          <span aria-hidden="true">{clock(elapsed)}</span>
        </>
      );
    case 'asking':
      return text.marks.asking;
    case 'queued':
      return text.marks.queued;
    case 'failed':
      return text.marks.failed;
    case 'idle':
      return unread ? text.marks.unread : when;
  }
}
