import { count, plural } from './figures.ts';

interface Covered {
  files: number;
  notKept: number;
  uncovered: readonly string[];
  moreUncovered: number;
}

const joined = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

const files = (number: number): string => plural(number, 'file', 'files');

/** Files that the agent changed: their list, the large diff, and the way back. */
export const changedFiles = {
  title: 'Files changed',
  count: files,
  open: (path: string): string => `${path}\nShow the whole change`,
  show: (path: string): string => `${path}\nShow its newest change`,
  undone: 'undone',
  commands: 'Commands also changed what undo does not cover. Their rows say what.',
  more: (number: number): string => `and ${files(number)} more`,
  gone: 'removed',
  actions: 'Undo file changes',
  undoTurn: (number: number): string => `Undo the newest turn’s changes (${files(number)})`,
  undoAll: (number: number): string => `Undo all changes of this session (${files(number)})`,
  redoAll: (number: number): string => `Redo the undone changes (${files(number)})`,
  nothingToReview: 'No turn of this session has changed files.',
  whileRunning: 'Stop the turn to undo its changes.',
  /** An earlier turn is undone when the running one has ended. */
  later: {
    offer: 'A turn is running. Undo waits until it ends.',
    waiting: 'Undo waits until the running turn ends.',
    cancel: 'Cancel undo',
  },

  undid: (number: number): string => `Undid changes to ${files(number)}.`,
  redid: (number: number): string => `Redid changes to ${files(number)}.`,
  redo: 'Redo',
  left: (number: number): string => `${files(number)} left as they are`,
  refused: {
    changed: (path: string, by: string): string =>
      by === ''
        ? `${path} was left as it is: it was changed outside since.`
        : `${path} was left as it is: the session “${by}” changed it since.`,
    gone: (path: string): string => `${path} was left as it is: it was removed since.`,
    unreachable: (path: string, why: string): string => `${path} was left as it is: ${why}`,
    not_kept: (path: string): string => `${path} was left as it is: its earlier version was not kept.`,
    too_large: (path: string): string => `${path} was left as it is: it is too large by now.`,
    later: (path: string): string =>
      `${path} was left as it is: a later turn changed it too. Undo that one first.`,
    nothing: (path: string): string => `${path} was left as it is: there is nothing to undo.`,
    undone: (path: string): string => `${path} was left as it is: these changes are undone already.`,
    unrecorded: (path: string): string =>
      `${path} was left as it is: this session has no record of what it was before.`,
    failed: (path: string, why: string): string => `${path} was left as it is: ${why}`,
  },
  look: 'Click the file to see its whole change.',

  /** In the place of the turn that changed them. */
  turn: {
    title: (number: number): string => `Changed ${files(number)}`,
    undone: 'undone',
    unrecorded: 'no way back kept',
    asking: 'Looking at the files…',
    show: (path: string): string => `${path}\nShow this turn’s change`,
    review: 'Review changes',
    undo: (number: number): string => `Undo ${plural(number, 'file change', 'file changes')}`,
    redo: (number: number): string => `Redo ${plural(number, 'file change', 'file changes')}`,
    /** What stands there now, next to the name of the file. */
    standing: {
      ready: 'unchanged since',
      changed: (by: string): string =>
        by === '' ? 'changed outside since' : `changed since by the session “${by}”`,
      gone: () => 'removed since',
      unreachable: (why: string): string => why,
      not_kept: () => 'its earlier version was not kept',
      too_large: () => 'too large by now',
      later: () => 'a later turn changed it too: undo that one first',
      nothing: () => 'nothing to undo',
      undone: () => 'undone',
      unrecorded: () => 'not on record here',
      failed: (why: string): string => why,
    },
    noRecord: 'These files can’t be undone here. This session has no record of their earlier versions.',
  },

  /** Of one command, in its row. */
  command: {
    title: (number: number): string => `Changed ${files(number)}`,
    what: { new: 'new', changed: '', removed: 'removed', mode: 'permissions' },
    uncovered: (path: string, changed: number | null): string =>
      changed === null
        ? `${path}: not looked into, not covered by undo`
        : `${path}: ${plural(changed, 'entry', 'entries')} changed, not covered by undo`,
    unknown: 'Andiron could not tell what it changed, so undo does not cover it.',
  },

  /** On the card of a command that asks. */
  covered: ({ files: number, notKept, uncovered, moreUncovered }: Covered, isKept: boolean): string => {
    const named = uncovered.slice(0, 3);
    const others = uncovered.length - named.length + moreUncovered;
    const left = [
      ...named,
      ...(others > 0 ? [`${count(others)} more`] : []),
      ...(notKept > 0 ? [plural(notKept, 'large file', 'large files')] : []),
    ];
    return [
      number === 0 ? 'Undo covers this folder' : `Undo covers ${files(number)} in this folder`,
      left.length > 0 ? `, except ${joined(left)}` : '',
      isKept ? '' : ', and nothing outside it',
      '.',
    ].join('');
  },

  notCovered: {
    too_many: 'Undo is not available: the folder has more than 20,000 files that Git does not ignore.',
    too_slow: 'Undo is not available: looking through the folder takes too long.',
    unreadable:
      'Undo is not available: the folder cannot be read, or the disk of the data folder has no room.',
  },

  dialog: {
    loading: 'Reading the file…',
    standing: {
      written: 'As Andiron left it.',
      undone: 'As it was before this session.',
      changed: 'Changed outside Andiron since, so it can’t be undone.',
      gone: 'Removed outside since.',
      unreachable: 'It was replaced, or it can’t be read.',
    },
    bySession: (title: string): string =>
      `The session “${title}” has changed it since, so it can’t be undone.`,
    tooOld: 'Its earlier version was not kept, so it can’t be undone.',
    same: 'The file is the same now.',
    binary: 'This is not a text file, so it has no diff.',
    tooLarge: 'Too large to be shown (more than 5 MB).',
    notKept: 'Its earlier version was not kept.',
    modes: (before: number, now: number): string =>
      `Permissions: ${before.toString(8)} before, ${now.toString(8)} now.`,
    unreadable: 'It cannot be read now.',
    changes: (at: number, of: number): string => `${count(at)} of ${plural(of, 'change', 'changes')}`,
    previous: 'Previous change',
    next: 'Next change',
    files: (at: number, of: number): string => `${count(at)} of ${files(of)}`,
    previousFile: 'Previous file',
    nextFile: 'Next file',
    keep: 'Keep',
    keepLast: 'Keep and close',
    keepKey: 'K',
    undoOne: 'Undo this change',
    undoOneKey: 'U',
    redoOne: 'Redo that change',
    close: 'Close',
    diff: (path: string): string => `Whole change of ${path}`,
    inTranscript: 'Show in transcript',
    undo: 'Undo all changes',
    remove: 'Undo: remove the file',
    redo: 'Redo',
  },
} as const;
