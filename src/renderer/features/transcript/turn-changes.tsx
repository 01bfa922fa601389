/** What a turn did to files, in its own place: how each stands now, and the way back as far as nobody wrote over it. */
import { useMemo, useState } from 'react';
import type { Item, TurnFile } from '../../../protocol/model.ts';
import { visibleName } from '../../../rules/visible-text/visible-text.ts';
import { changedFiles } from '../../text.ts';
import { Button } from '../../components/button.tsx';
import { DiffCount } from '../../components/diff-view.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useAnswer } from '../../commands/use-answer.ts';
import { newestEdit, turnChange, type FileRow } from '../../stores/changed-files.ts';
import { isBusy } from '../../stores/derive.ts';
import { useSession, useUi } from '../../stores/stores.ts';
import styles from './card.module.css';

const text = changedFiles.turn;
const { later } = changedFiles;

interface TurnChangesProps {
  turnId: string;
  edits: Item[];
  /** The card of the turn's stop, a few lines above, has the way back: here is only how each file stands. */
  offered?: boolean;
}

/** Below the foot of its turn, where it was opened. */
export function TurnChanges({ turnId, edits, offered = false }: TurnChangesProps) {
  const files = useSession((session) => session.state?.files);
  const { rows, standing } = useMemo(() => turnChange(edits, files, turnId), [edits, files, turnId]);
  return (
    <section className={styles.card} aria-label={text.title(rows.length)}>
      <div className={`${styles.body} ${styles.turnFiles}`}>
        {standing === 'unrecorded' ? (
          <>
            <ul>
              {rows.slice(0, maxRows).map((row) => (
                <FileStanding key={row.path} row={row} file={null} itemId={newestEdit(edits, row.path)} />
              ))}
            </ul>
            <p className="t2">{text.noRecord}</p>
          </>
        ) : (
          <WayBack turnId={turnId} rows={rows} edits={edits} elsewhere={offered} />
        )}
      </div>
    </section>
  );
}

interface WayBackProps {
  turnId: string;
  rows: FileRow[];
  edits: Item[];
  /** Offered elsewhere. */
  elsewhere: boolean;
}

/** A command may change thousands. */
const maxRows = 200;

/** Asked of the host when it is opened, when the record of the files changes, and after each try. */
function WayBack({ turnId, rows, edits, elsewhere }: WayBackProps) {
  const { run } = useCommands();
  const sessionId = useSession((session) => session.sessionId);
  // Also while it asks, or waits for the GPU.
  const running = useSession(isBusy);
  const waiting = useUi(({ waitingUndos }) =>
    waitingUndos.some((each) => each.sessionId === sessionId && each.turnId === turnId),
  );
  const [tries, setTries] = useState(0);
  const shown = rows.slice(0, maxRows);
  const more = rows.length - shown.length;
  const key = sessionId === null ? null : JSON.stringify([sessionId, turnId, rows, tries]);
  const { value, failure } = useAnswer(key, (questions) =>
    questions.turnFiles(
      sessionId ?? '',
      turnId,
      shown.map(({ path }) => path),
    ),
  );
  const undo = pathsOf(value, ({ refused }) => refused === null);
  // Where nothing of it is in force there is nothing to look at.
  const reviewed = rows.flatMap(({ path, record }) => (record?.turns.includes(turnId) ? [path] : []));
  const redo = pathsOf(value, ({ canRedo }) => canRedo);
  const change = async (id: 'files/undo' | 'files/undo-later' | 'files/redo'): Promise<void> => {
    await run(id, { turnId });
    setTries((before) => before + 1);
  };
  const offered = [
    redo.length > 0 && ({ id: 'files/redo', icon: 'redo', paths: redo, words: text.redo } as const),
    undo.length > 0 && ({ id: 'files/undo', icon: 'undo', paths: undo, words: text.undo } as const),
  ].filter((each) => each !== false);
  return (
    <>
      <ul>
        {shown.map((row) => (
          <FileStanding
            key={row.path}
            row={row}
            file={value?.find(({ path }) => path === row.path)}
            itemId={newestEdit(edits, row.path)}
          />
        ))}
      </ul>
      {more > 0 && <p className="meta">{changedFiles.more(more)}</p>}
      {failure && <p className="fail">{`${failure.message} ${failure.advice}`.trim()}</p>}
      {(reviewed.length > 0 || (!elsewhere && offered.length > 0)) && (
        <div className="acts">
          {reviewed.length > 0 && (
            <Button
              small
              icon="file"
              aria-haspopup="dialog"
              onClick={() => void run('files/review-turn', { turnId, paths: reviewed })}
            >
              {text.review}
            </Button>
          )}
          {waiting && !elsewhere && (
            <Button small icon="x" onClick={() => void run('files/cancel-undo', { turnId })}>
              {later.cancel}
            </Button>
          )}
          {/* The last one stays the same button: pressed, it becomes the other and keeps the keyboard. */}
          {(elsewhere || waiting ? [] : offered).map(({ id, icon, paths, words }, at) => (
            <Button
              key={at === offered.length - 1 ? 'last' : id}
              small
              icon={icon}
              disabled={running && id === 'files/redo'}
              onClick={() => void change(running && id === 'files/undo' ? 'files/undo-later' : id)}
            >
              {words(paths.length + more)}
            </Button>
          ))}
          {running && !elsewhere && offered.length > 0 && (
            <output className="meta">
              {waiting ? later.waiting : undo.length > 0 ? later.offer : changedFiles.whileRunning}
            </output>
          )}
        </div>
      )}
    </>
  );
}

function pathsOf(files: readonly TurnFile[] | null, want: (file: TurnFile) => boolean): string[] {
  return files?.filter(want).map(({ path }) => path) ?? [];
}

interface FileStandingProps {
  row: FileRow;
  /** undefined = not known yet; null = nothing is asked, since no earlier version is kept. */
  file: TurnFile | null | undefined;
  itemId: string | null;
}

function FileStanding({ row, file, itemId }: FileStandingProps) {
  const { run } = useCommands();
  const words = file === null ? '' : file ? standingWords(file) : text.asking;
  return (
    <li>
      <button
        type="button"
        className="link cut path"
        title={visibleName(text.show(row.path))}
        onClick={() => itemId !== null && void run('transcript/show-item', { itemId })}
      >
        <bdi>
          <VisibleText text={row.path} oneLine />
        </bdi>
      </button>
      <span className="meta num">
        <DiffCount {...row} />
      </span>
      <span className="meta" dir="auto">
        {words}
      </span>
    </li>
  );
}

function standingWords({ refused, detail }: TurnFile): string {
  return refused === null ? text.standing.ready : text.standing[refused](detail);
}
