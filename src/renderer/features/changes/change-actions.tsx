/** What is done with the change that is looked at: it stays, or its lines are put back as they were. */
import { useState } from 'react';
import type { FileView } from '../../../protocol/model.ts';
import { diffChanges } from '../../../rules/diff-changes.ts';
import { changedFiles } from '../../text.ts';
import { useCommands } from '../../commands/commands.ts';
import { Button } from '../../components/button.tsx';
import type { Diff } from '../../components/diff-lines.ts';
import { useSession } from '../../stores/stores.ts';
import styles from './changes.module.css';

const text = changedFiles.dialog;

interface ChangeActionsProps {
  view: FileView;
  diff: Diff;
  turnId: string | undefined;
  /** Which of its changes. */
  at: number;
  /** Nothing is left to look at behind it. */
  isEnd: boolean;
  /** Goes on to the next; undefined = nothing is reviewed. */
  onKept: (() => void) | undefined;
  onTried: () => void;
}

export function ChangeActions({ view, diff, turnId, at, isEnd, onKept, onTried }: ChangeActionsProps) {
  const { run } = useCommands();
  const running = useSession((session) => session.state?.session.status === 'running');
  const { path } = view.file;
  /** The newest that was taken back here. */
  const [step, setStep] = useState<number | null>(null);
  /** What was shown when a change was last tried: its places say nothing any more until the file is read again. */
  const [tried, setTried] = useState<FileView | null>(null);
  const isUnderWay = tried === view;
  const of = diffChanges(diff.hunks).length;
  const restore = async (): Promise<void> => {
    if (isUnderWay) return;
    setTried(view);
    const shown = { between: view.between, change: { at, of }, ...(turnId !== undefined && { turnId }) };
    await run('files/restore-change', { path, shown, onDone: setStep });
    onTried();
  };
  const bringBack = async (): Promise<void> => {
    if (step === null) return;
    await run('files/undo', { paths: [path], step });
    setStep(null);
    onTried();
  };
  return (
    <div className={styles.changeActs}>
      {onKept && (
        <Button data-key="k" keys={[text.keepKey]} onClick={onKept}>
          {isEnd ? text.keepLast : text.keep}
        </Button>
      )}
      {isRestorable(view) && (
        <Button
          data-key="u"
          keys={[text.undoOneKey]}
          icon="undo"
          disabled={running}
          aria-disabled={isUnderWay}
          onClick={() => void restore()}
        >
          {text.undoOne}
        </Button>
      )}
      {step !== null && (
        <Button kind="quiet" icon="redo" disabled={running} onClick={() => void bringBack()}>
          {text.redoOne}
        </Button>
      )}
    </div>
  );
}

/** What was made or removed goes back as a whole, and nothing that somebody else changed. */
const isRestorable = ({ standing, between, file }: FileView): boolean =>
  standing === 'written' && file.kind !== 'link' && between.before !== null && between.now !== null;
