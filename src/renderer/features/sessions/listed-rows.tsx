import { Fragment } from 'react';
import type { SessionSummary } from '../../../protocol/model.ts';
import { sessions as text } from '../../text.ts';
import { Icon } from '../../components/icon.tsx';
import { useCommands } from '../../commands/commands.ts';
import { runningTurn } from '../../stores/derive.ts';
import { useSession, useUi } from '../../stores/stores.ts';
import { platformOf } from '../../stores/session-groups.ts';
import type { Hit } from './found.ts';
import { whenText, type Heading } from './group-words.ts';
import { draftKey, listHeight, rowsIn, type ListRow, type Span } from './list-rows.ts';
import { markedPieces } from './marked.ts';
import { SessionRow, type RowActions } from './session-row.tsx';
import { useToday } from './use-today.ts';
import styles from './sessions.module.css';

interface ListedRowsProps {
  rows: ListRow[];
  span: Span;
  /** The row that has or had the keyboard. */
  active: string | null;
  selected: readonly string[];
  renaming: string | null;
  rail: boolean;
  /** What is looked for; empty = nothing. */
  query: string;
  act: RowActions;
}

/** The rows that are in view or have the keyboard, one of them in the order of Tab. */
export function ListedRows(props: ListedRowsProps) {
  const { rows, span, active } = props;
  const openId = useUi((ui) => ui.openSessionId);
  const tabStop = [active, openId, rows[0]?.key].find((key) => rows.some((row) => row.key === key)) ?? null;
  return (
    <ul aria-label={text.label} style={{ height: listHeight(rows) }}>
      {rowsIn(rows, span, active).map((row) => (
        <li
          key={row.key}
          style={{ top: row.top }}
          aria-setsize={rows.length}
          aria-posinset={placeOf(rows, row.key)}
        >
          {row.heading && <GroupHeading heading={row.heading} />}
          <Row {...props} row={row} openId={openId} tabbable={row.key === tabStop} />
        </li>
      ))}
    </ul>
  );
}

function GroupHeading({ heading: { icon, label, title } }: { heading: Heading }) {
  return (
    <h2 title={title}>
      {icon && <Icon name={icon} />}
      <span className="cut" dir="auto">
        {label}
      </span>
    </h2>
  );
}

type RowProps = ListedRowsProps & { row: ListRow; openId: string | null; tabbable: boolean };

function Row({ row: { key, content }, openId, selected, renaming, rail, query, act, tabbable }: RowProps) {
  const unread = useUi((ui) => ui.attention.unread);
  const runningSince = useSession((session) => runningTurn(session.state)?.startedAt ?? null);
  const today = useToday();
  switch (content.kind) {
    case 'draft':
      return <DraftRow rail={rail} tabbable={tabbable} />;
    case 'hit':
      return <HitRow rowKey={key} {...content} query={query} tabbable={tabbable} act={act} />;
    case 'more':
      return <MoreRow rowKey={key} {...content} tabbable={tabbable} act={act} />;
    case 'session': {
      const { session, found } = content;
      return (
        <SessionRow
          session={session}
          found={found}
          query={query}
          open={key === openId}
          selected={selected.includes(key)}
          unread={unread.includes(key)}
          renaming={key === renaming}
          tabbable={tabbable}
          rail={rail}
          when={whenText(session, today)}
          runningSince={key === openId ? runningSince : null}
          act={act}
        />
      );
    }
  }
}

interface UnderSession {
  rowKey: string;
  session: SessionSummary;
  tabbable: boolean;
  act: RowActions;
}

/** Who said it, and the words around what was looked for; it opens the session there. */
function HitRow({ rowKey, session, hit, query, tabbable, act }: UnderSession & { hit: Hit; query: string }) {
  const { run } = useCommands();
  const { itemId, snippet } = hit;
  return (
    <div className={`${styles.ses} ${styles.hit}`} data-row={rowKey}>
      <button
        type="button"
        className={styles.open}
        title={snippet}
        tabIndex={tabbable ? 0 : -1}
        onFocus={() => act.focused(rowKey)}
        onClick={() => void run('session/open-at', { sessionId: session.id, itemId })}
      >
        <span className="meta cut" dir="auto">
          {speakerOf(session, hit)}
        </span>
        <span className={styles.snippet} dir="auto">
          {markedPieces(snippet, query).map(({ at, words, found }) =>
            found ? <mark key={at}>{words}</mark> : <Fragment key={at}>{words}</Fragment>,
          )}
        </span>
      </button>
    </div>
  );
}

function speakerOf(session: SessionSummary, { by }: Hit): string {
  if (by === 'model') return text.speakers.model;
  const platform = platformOf(session);
  return session.place?.person ?? (platform === 'desktop' ? text.speakers.you : platform);
}

function MoreRow({ rowKey, session, count, tabbable, act }: UnderSession & { count: number }) {
  return (
    <div className={`${styles.ses} ${styles.hit} ${styles.moreHits}`} data-row={rowKey}>
      <button
        type="button"
        className={styles.open}
        tabIndex={tabbable ? 0 : -1}
        aria-label={text.moreIn(count, session.title)}
        onFocus={() => act.focused(rowKey)}
        onClick={() => act.showMore(session.id)}
      >
        <span />
        <span className="meta">{text.moreHits(count)}</span>
      </button>
    </div>
  );
}

/** The session that its first message will make. */
function DraftRow({ rail, tabbable }: { rail: boolean; tabbable: boolean }) {
  const { run } = useCommands();
  return (
    <div className={`${styles.ses} ${styles.isOn}`} data-row={draftKey}>
      <button
        type="button"
        className={styles.open}
        aria-current="page"
        title={rail ? text.untitled : undefined}
        tabIndex={tabbable ? 0 : -1}
        onClick={() => void run('composer/focus')}
      >
        <Icon name="idle" />
        <span className={rail ? 'sr-only' : 'cut'}>{text.untitled}</span>
        <span className={rail ? 'sr-only' : 'meta'}>{text.marks.draft}</span>
      </button>
    </div>
  );
}

function placeOf(rows: ListRow[], key: string): number {
  return rows.findIndex((row) => row.key === key) + 1;
}
