import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { FileView } from '../../../protocol/model.ts';
import { changedFiles } from '../../text.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { WrapButton } from '../../components/code/code-block.tsx';
import { DiffCount, DiffView } from '../../components/diff-view.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useCommands } from '../../commands/commands.ts';
import { useAnswer, type Answer } from '../../commands/use-answer.ts';
import { newestEdit } from '../../stores/changed-files.ts';
import { useSession, useUi } from '../../stores/stores.ts';

const text = changedFiles.dialog;

interface FileDialogProps {
  path: string;
  open: boolean;
  onClose: () => void;
}

/** The whole change of one file, as large as the window allows, with the way back. */
export function FileDialog({ path, open, onClose }: FileDialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  /** The diff takes the keyboard itself when it comes later. */
  const initialFocus = () => popup.current?.querySelector<HTMLElement>('.diff') ?? true;
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup ref={popup} className="dialog large" initialFocus={initialFocus}>
          <Body path={path} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Asked again when the record of the file changes, and after each try to change it. */
function useFileView(path: string): { answer: Answer<FileView>; again: () => void } {
  const sessionId = useSession((session) => session.sessionId);
  const record = useSession((session) => session.state?.files?.find((file) => file.path === path));
  const [tries, setTries] = useState(0);
  const key = sessionId === null ? null : JSON.stringify([sessionId, record, tries]);
  const answer = useAnswer(key, (questions) => questions.changedFile(sessionId ?? '', path));
  return { answer, again: () => setTries(tries + 1) };
}

function Body({ path, onClose }: Omit<FileDialogProps, 'open'>) {
  const { answer, again } = useFileView(path);
  const [wrapped, setWrapped] = useState(useUi((ui) => ui.wrapCode));
  const body = useRef<HTMLDivElement>(null);
  const view = answer.value;
  const diff = view?.whole.kind === 'diff' && view.whole.diff.hunks.length > 0 ? view.whole.diff : null;
  const changes = useChanges(body, diff !== null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.altKey ? ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    changes.go(step);
  };
  return (
    <div className="file-view" onKeyDown={onKeyDown} role="presentation">
      <header>
        <Dialog.Title className="cut path">
          <bdi>
            <VisibleText text={path} oneLine />
          </bdi>
        </Dialog.Title>
        {diff && <DiffCount added={diff.added} removed={diff.removed} />}
        <span className="grow" />
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
              icon="down"
              label={text.next}
              aria-keyshortcuts="Alt+ArrowDown"
              onClick={() => changes.go(1)}
            />
            <WrapButton wrapped={wrapped} onToggle={() => setWrapped(!wrapped)} />
          </>
        )}
        <IconButton icon="x" label={text.close} onClick={onClose} />
      </header>
      <Dialog.Description render={<output className="standing t2" />}>
        {answer.failure ? answer.failure.message : view ? standingWords(view) : text.loading}
      </Dialog.Description>
      <div className="whole" ref={body}>
        {diff ? (
          <DiffView diff={diff} label={text.diff(path)} wrapped={wrapped} />
        ) : (
          view && <p className="t3">{emptyWords(view)}</p>
        )}
      </div>
      {view && <Actions view={view} onTried={again} onClose={onClose} />}
    </div>
  );
}

/** From one run of changed lines to the next, in what is drawn; it begins at the first, with the keyboard on the diff. */
function useChanges(body: RefObject<HTMLElement | null>, isDrawn: boolean) {
  const [place, setPlace] = useState({ at: 0, of: 0 });
  const go = (at: (of: number) => number): void => {
    const all = body.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [];
    const here = all.length === 0 ? 0 : (at(all.length) + all.length) % all.length;
    for (const [index, line] of all.entries()) line.toggleAttribute('data-here', index === here);
    all[here]?.scrollIntoView({ block: 'center' });
    setPlace({ at: here, of: all.length });
  };
  const begin = useRef(go);
  useEffect(() => {
    if (!isDrawn) return;
    body.current?.querySelector<HTMLElement>('.diff')?.focus();
    begin.current(() => 0);
  }, [body, isDrawn]);
  return { ...place, go: (step: 1 | -1) => go(() => place.at + step) };
}

function Actions({ view, onTried, onClose }: { view: FileView; onTried: () => void; onClose: () => void }) {
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
    await run(id, { paths: [path] });
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

function standingWords({ standing, by, commandsRan, canUndo, file }: FileView): string {
  if (standing !== 'changed') {
    const isTooOld = standing === 'written' && !canUndo && file.turns.length > 0;
    return isTooOld ? `${text.standing.written} ${text.tooOld}` : text.standing[standing];
  }
  if (by !== null) return text.bySession(by);
  return commandsRan ? text.byCommand : text.standing.changed;
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
