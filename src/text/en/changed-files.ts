import { count, plural } from '../format.ts';

const files = (number: number): string => plural(number, 'file', 'files');

/** Files that the agent changed: the list in the right column, the large diff, and the way back. */
export const changedFiles = {
  title: 'Files changed',
  count: files,
  open: (path: string): string => `${path}\nShow the whole change`,
  show: (path: string): string => `${path}\nShow its newest change`,
  undone: 'undone',
  commands: 'Commands ran: what they changed is not listed.',
  actions: 'Undo file changes',
  undoTurn: (number: number): string => `Undo the newest turn’s changes (${files(number)})`,
  undoAll: (number: number): string => `Undo all changes of this session (${files(number)})`,
  redoAll: (number: number): string => `Bring back what was undone (${files(number)})`,
  whileRunning: 'Undo waits for the turn: stop it first, or let it end.',

  undid: (number: number): string => `Undid the changes of ${files(number)}.`,
  redid: (number: number): string => `Brought the changes of ${files(number)} back.`,
  left: (number: number): string => `${files(number)} left as they are`,
  refused: {
    changed: (path: string, by: string): string =>
      by === ''
        ? `${path} was left as it is: it was changed outside since.`
        : `${path} was left as it is: the session “${by}” changed it since.`,
    gone: (path: string): string => `${path} was left as it is: it was removed since.`,
    unreachable: (path: string, why: string): string => `${path} was left as it is: ${why}`,
    not_kept: (path: string): string => `${path} was left as it is: what it was before was not kept.`,
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
    undo: (number: number): string => `Undo ${plural(number, 'file change', 'file changes')}`,
    redo: (number: number): string => `Bring back ${plural(number, 'file change', 'file changes')}`,
    /** What stands there now, next to the name of the file. */
    standing: {
      ready: 'as this turn left it',
      changed: (by: string): string =>
        by === '' ? 'changed outside since' : `changed since by the session “${by}”`,
      gone: () => 'removed since',
      unreachable: (why: string): string => why,
      not_kept: () => 'what it was before was not kept',
      too_large: () => 'too large by now',
      later: () => 'a later turn changed it too: undo that one first',
      nothing: () => 'nothing to undo',
      undone: () => 'undone',
      unrecorded: () => 'not on record here',
      failed: (why: string): string => why,
    },
    noRecord:
      'This session has no record of what these files were before: the turn came with a fork or an import, or is older than the record. They cannot be undone here.',
  },

  dialog: {
    loading: 'Reading the file…',
    standing: {
      written: 'As Andiron left it.',
      undone: 'As it was before this session.',
      changed: 'Changed outside since: undo would overwrite that, so it is closed.',
      gone: 'Removed outside since.',
      unreachable: 'Something else stands in its place now, or it cannot be read.',
    },
    byCommand:
      'Changed since by a command of this session or outside: undo would overwrite that, so it is closed.',
    bySession: (title: string): string =>
      `Changed since by the session “${title}”: undo would overwrite that, so it is closed.`,
    tooOld: 'What it was before was not kept, so it cannot be undone.',
    same: 'There is no difference now.',
    binary: 'Not text: there is no diff of it.',
    tooLarge: 'Too large to be shown or undone (more than 5 MB).',
    notKept: 'What it was before was not kept: a session keeps 64 MB.',
    unreadable: 'It cannot be read now.',
    changes: (at: number, of: number): string => `${count(at)} of ${plural(of, 'change', 'changes')}`,
    previous: 'Previous change',
    next: 'Next change',
    close: 'Close',
    diff: (path: string): string => `Whole change of ${path}`,
    inTranscript: 'Show in transcript',
    undo: 'Undo all changes',
    remove: 'Undo: remove the file',
    redo: 'Bring back',
  },
} as const;
