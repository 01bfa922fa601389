import { Dialog } from '@base-ui/react/dialog';
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import type { FileView } from '../../../protocol/model.ts';
import { changedFiles } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { WrapButton } from '../../components/code/code-block.tsx';
import { DiffCount, DiffView } from '../../components/diff-view.tsx';
import { useLineWay, useArrowStep } from '../../components/line-way.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useAnswer, type Answer } from '../../commands/use-answer.ts';
import { newestEdit } from '../../stores/changed-files.ts';
import { useSession, useUi } from '../../stores/stores.ts';
import { ChangeActions } from './change-actions.tsx';
import { Modal } from '../../components/modal.tsx';
import styles from './changes.module.css';
import diffStyles from '../../components/diff.module.css';

const text = changedFiles.dialog;

interface FileDialogProps {
  path: string;
  open: boolean;
  onClose: () => void;
}

/** The whole change of one file, as large as the window allows, with the way back. */
export function FileDialog({ path, open, onClose }: FileDialogProps) {
  return (
    <LargeDialog open={open} onClose={onClose}>
      <FileBody path={path} onClose={onClose} />
    </LargeDialog>
  );
}

interface LargeDialogProps extends Omit<FileDialogProps, 'path'> {
  children: ReactNode;
}

export function LargeDialog({ open, onClose, children }: LargeDialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  /** The diff takes the keyboard itself when it comes later. */
  const initialFocus = () => popup.current?.querySelector<HTMLElement>('.diff') ?? true;
  return (
    <Modal ref={popup} className={styles.large} {...{ open, onClose, initialFocus }}>
      {children}
    </Modal>
  );
}

/** Asked again when the record of the file changes, and after each try to change it. */
function useFileView(path: string, turnId?: string): { answer: Answer<FileView>; again: () => void } {
  const sessionId = useSession((session) => session.sessionId);
  const record = useSession((session) => session.state?.files?.find((file) => file.path === path));
  const [tries, setTries] = useState(0);
  const key = sessionId === null ? null : JSON.stringify([sessionId, path, turnId, record, tries]);
  const answer = useAnswer(key, (questions) => questions.changedFile(sessionId ?? '', path, turnId));
  return { answer, again: () => setTries(tries + 1) };
}

/** The files of a review, of which this is one. */
interface ReviewedFiles {
  turnId: string;
  at: number;
  of: number;
  go: (step: 1 | -1) => void;
}

interface FileBodyProps extends Omit<FileDialogProps, 'open'> {
  /** undefined = the file alone, and all that the session changed in it. */
  review?: ReviewedFiles | undefined;
}

export function FileBody({ path, review, onClose }: FileBodyProps) {
  const { answer, again } = useFileView(path, review?.turnId);
  const [wrapped, setWrapped] = useState(useUi((ui) => ui.wrapCode));
  const body = useRef<HTMLDivElement>(null);
  const view = answer.value;
  const diff = view?.whole.kind === 'diff' && view.whole.diff.hunks.length > 0 ? view.whole.diff : null;
  const changes = useChanges(body, diff);
  const actions = useRef<HTMLDivElement>(null);
  const arrowStep = useArrowStep();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey) return;
    if (!event.altKey) {
      // What has a letter of its own is pressed by it, wherever the keyboard is in the dialog.
      const pressed = actions.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(event.key)}"]`);
      if (pressed) event.preventDefault();
      // Held, it would go on to changes that nobody has looked at.
      if (!event.repeat) pressed?.click();
      return;
    }
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
    const file = arrowStep(event.key);
    if (step === undefined && (file === undefined || !review)) return;
    event.preventDefault();
    if (step !== undefined) changes.go(step);
    if (file !== undefined) review?.go(file);
  };
  const isLast = changes.at + 1 >= changes.of;
  const onKept = review && (() => (isLast ? goOn(review, onClose) : changes.go(1)));
  return (
    <div className={styles.fileView} onKeyDown={onKeyDown} role="presentation">
      <header>
        <Dialog.Title className="cut path">
          <bdi>
            <VisibleText text={path} oneLine />
          </bdi>
        </Dialog.Title>
        {diff && <DiffCount added={diff.added} removed={diff.removed} />}
        <span className="grow" />
        {review && review.of > 1 && <FileSteps {...review} />}
        {diff && (
          <>
            {changes.of > 0 && <span className="meta">{text.changes(changes.at + 1, changes.of)}</span>}
            <IconButton
              icon="up"
              label={text.previous}
              aria-keyshortcuts="Alt+ArrowUp"
              onClick={() => changes.go(-1)}
            />
            <IconButton
              icon="below"
              label={text.next}
              aria-keyshortcuts="Alt+ArrowDown"
              onClick={() => changes.go(1)}
            />
            <WrapButton wrapped={wrapped} onToggle={() => setWrapped(!wrapped)} />
          </>
        )}
        <IconButton icon="x" label={text.close} onClick={onClose} />
      </header>
      <Dialog.Description render={<output className={`${styles.standing} t2`} />}>
        {answer.failure ? answer.failure.message : view ? standingWords(view) : text.loading}
      </Dialog.Description>
      <div className={styles.whole} ref={body}>
        {diff ? (
          <DiffView diff={diff} label={text.diff(path)} wrapped={wrapped} />
        ) : (
          view && <p className="t3">{emptyWords(view)}</p>
        )}
      </div>
      {view && (
        <div ref={actions}>
          {diff && (
            <ChangeActions
              key={path}
              view={view}
              diff={diff}
              turnId={review?.turnId}
              at={changes.at}
              isEnd={review !== undefined && isLast && review.at + 1 === review.of}
              onKept={onKept}
              onTried={again}
            />
          )}
          <Actions view={view} turnId={review?.turnId} onTried={again} onClose={onClose} />
        </div>
      )}
    </div>
  );
}

/** To the next file; behind the last one the review is over. */
function goOn({ at, of, go }: ReviewedFiles, onClose: () => void): void {
  if (at + 1 < of) go(1);
  else onClose();
}

function FileSteps({ at, of, go }: ReviewedFiles) {
  const [on, back] = useLineWay() === 1 ? ['Right', 'Left'] : ['Left', 'Right'];
  return (
    <>
      <span className="meta">{text.files(at + 1, of)}</span>
      <IconButton
        icon="previous"
        label={text.previousFile}
        aria-keyshortcuts={`Alt+Arrow${back}`}
        disabled={at === 0}
        onClick={() => go(-1)}
      />
      <IconButton
        icon="right"
        label={text.nextFile}
        aria-keyshortcuts={`Alt+Arrow${on}`}
        disabled={at + 1 === of}
        onClick={() => go(1)}
      />
    </>
  );
}

/** All lines of a run, from its first on. */
function markRun(first: Element | undefined): void {
  let line: Element | null = first ?? null;
  while (
    line &&
    (line === first ||
      (line.matches(`.${diffStyles.added}, .${diffStyles.removed}`) && !line.hasAttribute('data-change')))
  ) {
    line.toggleAttribute('data-here', true);
    line = line.nextElementSibling;
  }
}

/** From one run of changed lines to the next, in what is drawn; it begins at the first, with the keyboard on the diff. */
function useChanges(body: RefObject<HTMLElement | null>, diff: object | null) {
  const [place, setPlace] = useState({ at: 0, of: 0 });
  const go = (at: (of: number) => number): void => {
    const all = body.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [];
    const here = all.length === 0 ? 0 : (at(all.length) + all.length) % all.length;
    for (const line of body.current?.querySelectorAll('[data-here]') ?? []) line.removeAttribute('data-here');
    markRun(all[here]);
    all[here]?.scrollIntoView({ block: 'center' });
    setPlace({ at: here, of: all.length });
  };
  const begin = useEffectEvent((isFirst: boolean) => {
    if (isFirst) body.current?.querySelector<HTMLElement>('.diff')?.focus();
    // One that was taken back leaves its place to the next.
    go((of) => (isFirst ? 0 : Math.min(place.at, of - 1)));
  });
  const isBegun = useRef(false);
  useEffect(() => {
    if (diff === null) return;
    begin(!isBegun.current);
    isBegun.current = true;
  }, [diff]);
  return { ...place, go: (step: 1 | -1) => go(() => place.at + step) };
}

interface ActionsProps {
  view: FileView;
  turnId: string | undefined;
  onTried: () => void;
  onClose: () => void;
}

function Actions({ view, turnId, onTried, onClose }: ActionsProps) {
  const { run } = useCommands();
  const { path } = view.file;
  const itemId = useSession((session) => newestEdit(session.state?.items ?? [], path));
  const running = useSession((session) => session.state?.session.status === 'running');
  const offered = [
    view.canRedo && ({ id: 'files/redo', icon: 'redo', words: text.redo } as const),
    view.canUndo &&
      ({ id: 'files/undo', icon: 'undo', words: view.file.created ? text.remove : text.undo } as const),
  ].filter((each) => each !== false);
  const change = async (id: 'files/undo' | 'files/redo'): Promise<void> => {
    await run(id, { paths: [path], ...(turnId !== undefined && { turnId }) });
    onTried();
  };
  return (
    <footer>
      {itemId !== null && (
        <Button
          kind="quiet"
          onClick={() => {
            onClose();
            void run('transcript/show-item', { itemId });
          }}
        >
          {text.inTranscript}
        </Button>
      )}
      <span className="grow t3">{running && offered.length > 0 && changedFiles.whileRunning}</span>
      {/* The last one stays the same button: pressed, it becomes the other and keeps the keyboard. */}
      {offered.map(({ id, icon, words }, at) => (
        <Button
          key={at === offered.length - 1 ? 'last' : id}
          icon={icon}
          disabled={running}
          onClick={() => void change(id)}
        >
          {words}
        </Button>
      ))}
    </footer>
  );
}

function standingWords({ modes, ...view }: FileView): string {
  const words = standingOnly(view);
  return modes ? `${words} ${text.modes(modes.before, modes.now)}` : words;
}

function standingOnly({ standing, by, canUndo, file }: Omit<FileView, 'modes'>): string {
  if (standing !== 'changed') {
    const isTooOld = standing === 'written' && !canUndo && file.turns.length > 0;
    return isTooOld ? `${text.standing.written} ${text.tooOld}` : text.standing[standing];
  }
  return by === null ? text.standing.changed : text.bySession(by);
}

function emptyWords({ whole, standing }: FileView): string {
  if (standing === 'unreachable') return text.unreadable;
  switch (whole.kind) {
    case 'diff':
      return text.same;
    case 'binary':
      return text.binary;
    case 'too_large':
      return text.tooLarge;
    case 'not_kept':
      return text.notKept;
  }
}
