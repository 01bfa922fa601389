import type { ShownChange, UndoOutcome } from '../../protocol/changed-files.ts';
import { changedFiles as text } from '../text.ts';
import { latestChange } from '../stores/changed-files.ts';
import type { Review, WaitingUndo } from '../stores/layout-slice.ts';
import { addNews, addNotice, removeNotice } from '../stores/ui-store.ts';
import type { Stores } from '../stores/stores.ts';
import { command, type HostConnection } from './command.ts';

interface WrittenFiles {
  /** Left out = all. */
  paths?: string[];
  turnId?: string;
  /** Only one change that was taken back by itself. */
  step?: number;
}

/** The way back from what the agent did to files. */
export function createFileCommands(host: HostConnection, { session, ui }: Stores) {
  const newest = () => latestChange(session.getState().state);

  /** What was left as it is is told, each with its reason, as long as there are few. */
  const reportRefused = (outcomes: readonly UndoOutcome[]): void => {
    const refused = outcomes.filter((outcome) => outcome.refused !== null);
    if (refused.length > 2) {
      addNotice(ui, text.left(refused.length), refused.map((outcome) => inWords(outcome)).join('\n'));
    } else {
      for (const outcome of refused) addNotice(ui, inWords(outcome), text.look);
    }
  };

  /** `minFiles`: fewer are not reported, where what was pressed shows them itself. */
  const reportUndone = (sessionId: string, outcomes: readonly UndoOutcome[], minFiles = 2): void => {
    const paths = donePaths(outcomes);
    if (paths.length >= minFiles) addNews(ui, text.undid(paths.length), { redoes: { sessionId, paths } });
    reportRefused(outcomes);
  };

  const undo = async (files: WrittenFiles, minFiles?: number): Promise<void> => {
    const { sessionId } = session.getState();
    if (sessionId === null) return;
    const { outcomes } = await host.call('file/undo', { sessionId, ...files });
    reportUndone(sessionId, outcomes, minFiles);
  };

  const redo = async (sessionId: string, files: WrittenFiles): Promise<void> => {
    const { outcomes } = await host.call('file/redo', { sessionId, ...files });
    const { length } = donePaths(outcomes);
    if (length > 1) addNews(ui, text.redid(length));
    reportRefused(outcomes);
  };

  const waits = new Map<string, AbortController>();

  /** Goes on when the running turn has ended, also where another session is open by then. */
  const undoLater = async (wanted: WaitingUndo): Promise<void> => {
    const key = keyOf(wanted);
    if (waits.has(key)) return;
    const controller = new AbortController();
    waits.set(key, controller);
    ui.setState(({ waitingUndos }) => ({ waitingUndos: [...waitingUndos, wanted] }));
    try {
      const { outcomes } = await host.call('file/undo', { ...wanted, wait: true }, controller.signal);
      reportUndone(wanted.sessionId, outcomes);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      waits.delete(key);
      ui.setState(({ waitingUndos }) => ({ waitingUndos: waitingUndos.filter((each) => each !== wanted) }));
    }
  };

  return {
    /** At once, or as soon as the running turn has ended. */
    'files/undo-later': command<{ turnId: string }>({
      run: async ({ turnId }) => {
        const { sessionId } = session.getState();
        if (sessionId !== null) await undoLater({ sessionId, turnId });
      },
    }),
    'files/cancel-undo': command<{ turnId: string }>({
      run: ({ turnId }) => {
        const { sessionId } = session.getState();
        if (sessionId !== null) waits.get(keyOf({ sessionId, turnId }))?.abort();
      },
    }),
    /** With `turnId` to before that turn, else to before the session. */
    'files/undo': command<WrittenFiles>({ run: (files) => undo(files) }),
    'files/redo': command<WrittenFiles>({
      run: async (files) => {
        const { sessionId } = session.getState();
        if (sessionId !== null) await redo(sessionId, files);
      },
    }),
    /** From the notice of an undo, whichever session is open by now. */
    'files/redo-undone': command<{ sessionId: string; paths: string[]; noticeId: number }>({
      run: async ({ sessionId, paths, noticeId }) => {
        await redo(sessionId, { paths });
        removeNotice(ui, noticeId);
      },
    }),
    /** One change of those that are shown; `onDone` hears the step by which it can be had again. */
    'files/restore-change': command<{ path: string; shown: ShownChange; onDone: (step: number) => void }>({
      run: async ({ path, shown, onDone }) => {
        const { sessionId } = session.getState();
        if (sessionId === null) return;
        const outcome = await host.call('file/restore-change', { sessionId, path, ...shown });
        reportRefused([outcome]);
        if (outcome.step !== null) onDone(outcome.step);
      },
    }),
    /** Of a turn, or of the newest one that changed files. */
    'files/review': command({
      keys: 'Alt+R',
      enabled: () => newest() !== null,
      why: () => text.nothingToReview,
      run: () => {
        const change = newest();
        if (change !== null) ui.setState({ review: change });
      },
    }),
    'files/review-turn': command<Review>({ run: (review) => ui.setState({ review }) }),
    'files/undo-turn': command({
      enabled: () => newest() !== null && session.getState().state?.session.status !== 'running',
      why: () => text.whileRunning,
      run: async () => {
        const change = newest();
        if (change !== null) await undo({ turnId: change.turnId }, 1);
      },
    }),
  };
}

const keyOf = ({ sessionId, turnId }: WaitingUndo): string => `${sessionId} ${turnId}`;
const donePaths = (outcomes: readonly UndoOutcome[]): string[] =>
  outcomes.flatMap(({ path, refused }) => (refused === null ? [path] : []));

function inWords({ path, refused, detail }: UndoOutcome): string {
  return refused === null ? '' : text.refused[refused](path, detail);
}
