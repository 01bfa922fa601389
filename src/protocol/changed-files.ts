/** Files that the tools of a session wrote: how they stand, the whole change of each, and the way back. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { diffDisplaySchema } from './diff.ts';

/** What the host has recorded. What commands changed is not among it. */
export const changedFileSchema = lazyObject(() => ({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  /** Lines of the whole change: before the session's first one against what was written last. */
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  /** It did not exist before the session. */
  created: z.boolean(),
  /** Turns whose changes are in force, oldest first. */
  turns: z.array(z.string()),
  /** The newest step took changes back, and they can be brought back. */
  undone: z.boolean(),
}));
export type ChangedFile = z.infer<typeof changedFileSchema>;

/**
 * `written`: is what was written last; `undone`: the same, by an undo of everything; `changed`: somebody else changed it
 * since; `gone`: somebody else removed it; `unreachable`: a link or a folder stands there now, or it cannot be read.
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

const fileViewSchema = lazyObject(() => ({
  file: changedFileSchema,
  standing: fileStandingSchema,
  /** Title of another session that wrote what stands there now; null = none is known to have. */
  by: z.string().nullable(),
  /** Before the session's first change against now. */
  whole: wholeChangeSchema,
  /** Commands ran in this session: what they changed is not known. */
  commandsRan: z.boolean(),
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

const sessionId = z.string().min(1);
const path = z.string().min(1);
const paths = z.array(path).min(1).max(1_000);
const outcomes = z.object({ outcomes: z.array(undoOutcomeSchema) });

/** Undo and redo are refused with `busy` while a turn of the session runs. Each file is done whole or left as it is. */
export const changedFileMethods = {
  'file/view': { params: lazyObject(() => ({ sessionId, path })), result: fileViewSchema },
  /** What can be taken back of a turn now, file by file: nothing is changed by asking. */
  'file/turn': {
    params: lazyObject(() => ({ sessionId, paths, turnId: z.string() })),
    result: lazyObject(() => ({ files: z.array(turnFileSchema) })),
  },
  /** Back to before the session; with `turnId`, to before that turn. */
  'file/undo': {
    params: lazyObject(() => ({ sessionId, paths, turnId: z.string().optional() })),
    result: outcomes,
  },
  /** Takes the newest undo of each file back; with `turnId`, only where it took back that turn alone. */
  'file/redo': {
    params: lazyObject(() => ({ sessionId, paths, turnId: z.string().optional() })),
    result: outcomes,
  },
} as const;
