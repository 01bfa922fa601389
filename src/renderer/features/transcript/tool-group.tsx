import type { ToolItem } from '../../../protocol/model.ts';
import { visibleText } from '../../../rules/visible-text/visible-text.ts';
import { tenths } from '../../formats.ts';
import { transcript as text } from '../../text.ts';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { useFileMenu } from '../../components/file-menu.tsx';
import { Icon } from '../../components/icon.tsx';
import { Mark, toolLook } from '../../components/state-mark.tsx';
import { toolObject, toolVerb } from '../../components/tool-verb.ts';
import { useElapsed } from '../../components/use-elapsed.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { attachedName } from '../../stores/attached-name.ts';
import { useSession } from '../../stores/stores.ts';
import type { GroupEntry } from './rows.ts';
import { NoteRow } from './notes.tsx';
import { StopOne } from './stop-one.tsx';
import { ThinkingRow } from './thinking.tsx';
import { ToolBody } from './tool-body.tsx';
import { stateWords, ToolFacts } from './tool-facts.tsx';
import { Unshown } from './unshown.tsx';
import { useExpanded } from './use-expanded.ts';
import styles from './card.module.css';

/** A run of calls is one bordered list, not a pile of cards; inside a subagent's card it has no border of its own. */
export function ToolGroup({ entries, nested = false }: { entries: GroupEntry[]; nested?: boolean }) {
  return (
    <div className={nested ? styles.nested : styles.card}>
      {entries.map((entry) => (
        <ErrorBoundary
          key={entry.id}
          subject={entry}
          renderFailure={(reason) => <Unshown item={entry} reason={reason} />}
        >
          <EntryRow entry={entry} />
        </ErrorBoundary>
      ))}
    </div>
  );
}

function EntryRow({ entry }: { entry: GroupEntry }) {
  if (entry.kind === 'tool') return <ToolRow item={entry} />;
  if (entry.kind === 'thinking') return <ThinkingRow item={entry} />;
  return <NoteRow item={entry} />;
}

/** Short diffs and pictures show themselves, and so does a command while it runs; the rest opens on demand. */
const shortDiff = 16;

function openByDefault(item: ToolItem): boolean {
  if (item.state === 'running') return item.output !== '';
  if (item.attachments) return true;
  if (item.display?.kind !== 'diff' || item.state !== 'done') return false;
  const lines = item.display.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return lines > 0 && lines <= shortDiff;
}

/** Calls whose subject is a path. */
const filesOf = new Set(['read_file', 'write_file', 'edit_file', 'list_files']);

function ToolRow({ item }: { item: ToolItem }) {
  const [open, toggle] = useExpanded(item.id, openByDefault(item));
  const object = toolObject(item.tool, item.subject);
  // Where its bytes lie says nothing to the person who gave it.
  const attached = useSession((session) =>
    item.tool === 'read_file' ? attachedName(session, item.subject) : null,
  );
  const look = toolLook(item.state);
  const stoppable = item.state === 'running' && item.tool === 'run_command';
  const classes = [
    styles.row,
    item.state === 'failed' && open && styles.failed,
    stoppable && styles.stoppable,
  ];
  const file = useFileMenu(filesOf.has(item.tool) && item.subject !== '' ? item.subject : null);
  const showSandbox = item.sandboxed === false && item.state !== 'declined';
  return (
    <>
      <button
        type="button"
        className={classes.filter(Boolean).join(' ')}
        aria-expanded={open}
        onClick={toggle}
        onContextMenu={file.onContextMenu}
      >
        <Mark {...look} />
        <span className={styles.verb}>{toolVerb(item.tool)}</span>
        <span className="mono cut" title={visibleText(object)}>
          <VisibleText text={attached ?? object} oneLine />
        </span>
        <span className={`${styles.figure} ${styles.factsOf}`}>
          {showSandbox && (
            <span className="st warn">
              <Icon name="bare" />
              {text.notSandboxed}
            </span>
          )}
          {item.edited && <span className="tag">{text.edited.tag}</span>}
          <Repairs repairs={item.repairs} />
          <span className="cut" title={item.reply && visibleText(item.reply)}>
            <ToolFacts item={item} />
            {item.reply !== undefined && <VisibleText text={` ${text.approval.said(item.reply)}`} oneLine />}
          </span>
        </span>
        <span className={styles.figure}>
          <Duration item={item} />
        </span>
        <span className="sr-only">{stateWords(item)}</span>
      </button>
      {file.menu}
      {stoppable && (
        <div className={styles.rowAct}>
          <StopOne
            command="call/stop"
            callId={item.callId}
            words={text.stopCommand}
            asked={text.stoppingCommand}
          />
        </div>
      )}
      {open && (
        <div className={styles.body}>
          <ToolBody item={item} />
        </div>
      )}
    </>
  );
}

/** The receipt of what was mended in the call before it ran. */
function Repairs({ repairs }: { repairs: string[] }) {
  if (repairs.length === 0) return null;
  return (
    <span className="tag" title={repairs.join('\n')}>
      {text.repaired}
    </span>
  );
}

function Duration({ item }: { item: ToolItem }) {
  const elapsed = useElapsed(item.state === 'running' ? item.startedAt : null);
  if (item.state === 'running') return elapsed < 1000 ? null : tenths(Math.floor(elapsed / 1000) * 1000);
  return item.runMs === null ? null : tenths(item.runMs);
}
