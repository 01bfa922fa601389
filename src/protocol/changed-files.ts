/** Files that a session changed, by its tools and its commands: how they stand, the whole change of each, and the way back. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { diffDisplaySchema } from './diff.ts';

/** What the host has recorded. */
export const changedFileSchema = lazyObject(() => ({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  /** Lines of the whole change: before the session's first one against what was written last. */
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  /** It did not exist before the session. */
  created: z.boolean(),
  /** The session removed it. */
  isGone: z.boolean().optional(),
  kind: z.enum(['file', 'folder', 'link']).optional(),
  /** Turns whose changes are in force, oldest first. */
  turns: z.array(z.string()),
  /** The newest step took changes back, and they can be brought back. */
  undone: z.boolean(),
}));
export type ChangedFile = z.infer<typeof changedFileSchema>;

/**
 * `written`: is what was written last; `undone`: the same, by an undo of everything; `changed`: somebody else changed it
 * since, or in between; `gone`: somebody else removed it; `unreachable`: a link or a file is on the way, or it cannot be read.
 */
const fileStandingSchema = z.enum(['written', 'undone', 'changed', 'gone', 'unreachable']);
export type FileStanding = z.infer<typeof fileStandingSchema>;

/** `not_kept`: what it was is not there any more, or was too much to be kept. */
const wholeChangeSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('diff'), diff: diffDisplaySchema }),
    z.object({ kind: z.literal('binary') }),
    z.object({ kind: z.literal('too_large') }),
    z.object({ kind: z.literal('not_kept') }),
  ]),
);

/** Fingerprints of both sides, which prove that nobody changed what is shown; null = nothing stood, or stands, there. */
const comparedSchema = z.object({ before: z.string().nullable(), now: z.string().nullable() });

const fileViewSchema = lazyObject(() => ({
  file: changedFileSchema,
  standing: fileStandingSchema,
  /** Title of another session that wrote what stands there now; null = none is known to have. */
  by: z.string().nullable(),
  /** Before the session's first change, or the turn's that was asked for, against now. */
  whole: wholeChangeSchema,
  /** What was compared. */
  between: comparedSchema,
  /** Permission bits before the session's first change and now; null = the same. */
  modes: z.object({ before: z.number(), now: z.number() }).nullable(),
  canUndo: z.boolean(),
  canRedo: z.boolean(),
}));
export type FileView = z.infer<typeof fileViewSchema>;

/**
 * Why a file was left as it is; `later` = another turn changed it since, which has to be undone first; `undone` = that
 * turn's changes were taken back already; `unrecorded` = this session never wrote them down: they came with a fork or an
 * import, or are older than the record.
 */
const undoRefusalSchema = z.enum([
  'changed',
  'gone',
  'unreachable',
  'not_kept',
  'too_large',
  'later',
  'nothing',
  'undone',
  'unrecorded',
  'failed',
]);
export type UndoRefusal = z.infer<typeof undoRefusalSchema>;

const undoOutcomeSchema = z.object({
  path: z.string(),
  /** null = it was done. */
  refused: undoRefusalSchema.nullable(),
  /** Of the other session, or what the disk said; empty = nothing to add. */
  detail: z.string(),
});
export type UndoOutcome = z.infer<typeof undoOutcomeSchema>;

/** What an undo of one turn would say of a file now, and whether that turn's changes can be brought back instead. */
const turnFileSchema = undoOutcomeSchema.extend({
  canRedo: z.boolean(),
});
export type TurnFile = z.infer<typeof turnFileSchema>;

/** What undo would cover of a folder, before a command runs in it. */
export const undoCoverageSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('covered'),
    files: z.number().int().nonnegative(),
    /** Of these: too large or too much to be kept. */
    notKept: z.number().int().nonnegative(),
    /** Places whose changes are only counted: what Git ignores, its own folder, installed packages. */
    uncovered: z.array(z.string()),
    /** Places beyond those that are named. */
    moreUncovered: z.number().int().nonnegative(),
  }),
  z.object({ kind: z.literal('none'), problem: z.enum(['too_many', 'too_slow', 'unreadable']) }),
]);
export type UndoCoverage = z.infer<typeof undoCoverageSchema>;

/** What a command changed in its folder. */
export const commandChangesSchema = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      added: z.number().int().nonnegative(),
      removed: z.number().int().nonnegative(),
      what: z.enum(['new', 'changed', 'removed', 'mode']),
    }),
  ),
  /** More than are listed in `files`, where that is cut. */
  total: z.number().int().nonnegative(),
  /** Places that undo does not cover, with how many entries in them are others now; null = that cannot be told. */
  uncovered: z.array(z.object({ path: z.string(), changed: z.number().int().nullable() })),
});
export type CommandChanges = z.infer<typeof commandChangesSchema>;

/** A change of a `file/view`, by its place among all of them. */
const shownChangeSchema = z.object({
  turnId: z.string().optional(),
  between: comparedSchema,
  change: z.object({ at: z.number().int().nonnegative(), of: z.number().int().positive() }),
});
export type ShownChange = z.infer<typeof shownChangeSchema>;

/** `step`: names it for `file/undo`; null = it was refused. */
const restoredChangeSchema = undoOutcomeSchema.extend({ step: z.number().int().nullable() });
export type RestoredChange = z.infer<typeof restoredChangeSchema>;

const sessionId = z.string().min(1);
const path = z.string().min(1);
const paths = z.array(path).min(1).max(1_000);
const outcomes = z.object({ outcomes: z.array(undoOutcomeSchema) });

/** Undo and redo are refused with `busy` while a turn of the session runs. Each file is done whole or left as it is. */
export const changedFileMethods = {
  /** With `turnId`: as that turn found it, against now. */
  'file/view': {
    params: lazyObject(() => ({ sessionId, path, turnId: z.string().optional() })),
    result: fileViewSchema,
  },
  /** What can be taken back of a turn now, file by file: nothing is changed by asking. */
  'file/turn': {
    params: lazyObject(() => ({ sessionId, paths, turnId: z.string() })),
    result: lazyObject(() => ({ files: z.array(turnFileSchema) })),
  },
  /**
   * Back to before the session; with `turnId`, to before that turn; with `step`, to before that one change was taken back, as long as it is
   * the newest change of its file. Without paths all of its files.
   */
  'file/undo': {
    params: lazyObject(() => ({
      sessionId,
      paths: paths.optional(),
      turnId: z.string().optional(),
      step: z.number().int().optional(),
      /** Until the turn that runs has ended, where it would be `busy`. Cancelling the call ends the wait. */
      wait: z.boolean().optional(),
    })),
    result: outcomes,
  },
  /** Its lines as they were, and nothing else. */
  'file/restore-change': {
    params: lazyObject(() => ({ sessionId, path, ...shownChangeSchema.shape })),
    result: restoredChangeSchema,
  },
  /** Takes the newest undo of each file back; with `turnId`, only where it took back that turn alone. */
  'file/redo': {
    params: lazyObject(() => ({ sessionId, paths: paths.optional(), turnId: z.string().optional() })),
    result: outcomes,
  },
} as const;
