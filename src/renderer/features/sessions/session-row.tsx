import { memo, useRef, type MouseEvent } from 'react';
import type { SessionSummary } from '../../../protocol/model.ts';
import { clock } from '../../formats.ts';
import { sessions as text, transcript as transcriptText } from '../../text.ts';
import { Icon, type IconName } from '../../components/icon.tsx';
import { RenameField } from '../../components/rename-field.tsx';
import { Mark, sessionLook } from '../../components/state-mark.tsx';
import { useElapsed } from '../../components/use-elapsed.ts';
import { isWorking } from '../../stores/attention.ts';
import { isArchived } from '../../stores/session-groups.ts';
import { RowMenu } from './row-menu.tsx';
import { SessionTitle } from './session-title.tsx';
import { useLanguage } from '../../components/language.ts';
import styles from './sessions.module.css';

/** What a row can ask of its list; the same object for as long as the list stands. */
export interface RowActions {
  /** Opens it, or adds it to what is selected. */
  press: (sessionId: string, keys: { toggle: boolean; stretch: boolean }) => void;
  focused: (sessionId: string) => void;
  remove: (sessionId: string) => void;
  rename: (sessionId: string) => void;
  forkInto: (sessionId: string) => void;
  showForks: (sessionId: string) => void;
  /** All that was found in it. */
  showMore: (sessionId: string) => void;
  /** null = it stays as it was. */
  renamed: (sessionId: string, title: string | null, byKey: boolean) => void;
}

interface SessionRowProps {
  session: SessionSummary;
  /** How often what is looked for was found in it; null = nothing is looked for. */
  found: number | null;
  query: string;
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
  const { session, found, query, open, selected, unread, renaming, tabbable, rail, act } = props;
  useLanguage();
  const more = useRef<HTMLSpanElement>(null);
  const { id, title, workspace } = session;
  const from = fromElsewhere(session);
  const classes = [
    styles.ses,
    open && styles.isOn,
    selected && styles.chosen,
    (unread || isWorking(session)) && styles.live,
    unread && styles.unread,
    found !== null && styles.isFound,
  ];
  const openMenu = (event: MouseEvent): void => {
    event.preventDefault();
    more.current?.querySelector('button')?.click();
  };
  if (renaming && !rail) {
    return (
      <div className={styles.ses} data-row={id}>
        <RenameField
          title={title}
          label={text.renameLabel}
          className={styles.rename}
          onDone={(words, byKey) => act.renamed(id, words, byKey)}
        />
      </div>
    );
  }
  return (
    <div className={classes.filter(Boolean).join(' ')} data-row={id}>
      <button
        type="button"
        className={styles.open}
        aria-current={open ? 'page' : undefined}
        tabIndex={tabbable ? 0 : -1}
        title={[title, ...aboutOf(props, from), workspace].join('\n')}
        onFocus={() => act.focused(id)}
        onClick={({ ctrlKey, metaKey, shiftKey }) =>
          act.press(id, { toggle: ctrlKey || metaKey, stretch: shiftKey })
        }
        onDoubleClick={() => act.rename(id)}
        onContextMenu={openMenu}
      >
        <SessionMark session={session} rail={rail} unread={unread} selected={selected} />
        {rail ? <span className="sr-only">{title}</span> : <SessionTitle title={title} query={query} />}
        <span className={rail ? 'sr-only' : metaClass(session, unread)} dir="auto">
          <StatusWord {...props} from={from} />
        </span>
        {isArchived(session) && <span className="sr-only">{text.archive.mark}</span>}
        {selected && <span className="sr-only">{text.isSelected}</span>}
      </button>
      <RowMenu
        session={session}
        tabbable={tabbable && !rail}
        more={more}
        onRename={() => act.rename(id)}
        onForkInto={() => act.forkInto(id)}
        onShowForks={() => act.showForks(id)}
        onDelete={() => act.remove(id)}
      />
    </div>
  );
});
SessionRow.displayName = 'SessionRow';

interface From {
  /** In the row, in place of the time. */
  short: string;
  whole: string;
}

/** Of a session of another platform: whose. */
function fromElsewhere({ place }: SessionSummary): From | null {
  if (!place) return null;
  const { platform, person = '' } = place;
  return { short: person || (text.platforms[platform]?.short ?? platform), whole: wholeOf(person, platform) };
}

const wholeOf = (person: string, platform: string): string =>
  person === '' && text.platforms[platform]
    ? text.platforms[platform].whole
    : transcriptText.sender(person, platform);

/** What the marks of the row mean, in words. */
function aboutOf({ session, when }: SessionRowProps, from: From | null): string[] {
  return [
    ...(from === null ? [] : [from.whole, when]),
    ...(session.forkedFrom === undefined ? [] : [text.forks.isFork]),
    ...(isArchived(session) ? [text.archive.mark] : []),
  ];
}

function metaClass({ status }: SessionSummary, unread: boolean): string {
  if (status === 'asking') return 'meta wait';
  if (status === 'failed') return 'meta fail';
  return unread ? `meta ${styles.fresh}` : 'meta';
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
  if (unread) return <Icon name="hot" className={styles.lit} />;
  if (isArchived(session)) return <Icon name="archive" />;
  if (session.pinned) return <Icon name="pin" />;
  if (session.place) return <Icon name={placeIcons[session.place.platform] ?? 'people'} />;
  if (session.forkedFrom !== undefined) return <Icon name="fork" />;
  return rail ? <Icon name="idle" /> : <span />;
}

/** Of the platforms that have one of their own. */
const placeIcons: Partial<Record<string, IconName>> = {
  telegram: 'send',
  webhook: 'hook',
  schedule: 'calendar',
  api: 'plug',
  gateway: 'plug',
  cli: 'run',
};

function StatusWord(props: SessionRowProps & { from: From | null }) {
  const { session, found, when, runningSince, unread, from } = props;
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
      if (unread) return text.marks.unread;
      if (found !== null && found > 0) return <Counted count={found} />;
      return from === null ? when : <Whose from={from} />;
  }
}

function Counted({ count }: { count: number }) {
  return (
    <>
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{text.found(count)}</span>
    </>
  );
}

function Whose({ from: { short, whole } }: { from: From }) {
  return (
    <span className={`${styles.from} cut`}>
      <span aria-hidden="true">{short}</span>
      <span className="sr-only">{whole}</span>
    </span>
  );
}
