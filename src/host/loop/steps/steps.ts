/**
 * The steps of a turn that its model listed as it opened: each is one call, forced by a grammar and ended by what was seen.
 * The turn answers when they are done; before that the model may add a few of the kinds that it had named.
 */
import type { TurnPermission, TurnScope } from '../../../protocol/model.ts';
import type { CallRecord } from '../calls/discipline.ts';
import { noToolFits } from '../../tools/tool.ts';
import { isReachTool } from '../calls/toolsets.ts';
import { reportWords, type Act, type ScopeStep } from '../opening/turn-acts.ts';
import { replacesFile } from './replaced-file.ts';

/** Steps that are added to those that were listed. */
const maxAdded = 2;
/** Of a turn that is to do what the person allowed, and has not yet. */
const maxOwed = 4;
/** Calls of a turn whose model did not say what it is about to do. */
const maxUnsaid = 6;
/** Calls that may fail in one step before the model says what is in the way. */
const maxFailed = 3;
/** Calls of one step that looks. */
const maxLooks = 3;
/** Calls of any step: a change may have several files to read first. */
const maxCalls = 6;
/** What is missed where no call could be made. */
const noCall = 'Nothing was looked at.';
/** A search that found nothing has not found it yet. */
const foundNothing = /^(?:Nothing in|No file matches)\b/;

/** Looks for text and for names alike, so what it does not find is nowhere. */
export const conclusive = 'search';

/** It only brings the tools that a step uses. */
export const toolSearch = 'tool_search';

/** It ran, and there was nothing. */
export const isEmptySearch = ({ ok, content }: Pick<CallRecord, 'ok' | 'content'>): boolean =>
  ok && foundNothing.test(content);

type Work = Exclude<Act, 'answer'>;
const work: readonly Work[] = ['look', 'change', 'run', 'use'];

/** Of a turn whose model did not say what it is about to do. */
export const unsaidScope: TurnScope = { change: true, run: true, steps: [] };

/** What was to be done in a turn and was not. */
export type Undone = 'work' | TurnPermission | 'failed';

export interface WorkTool {
  name: string;
  mutates: boolean;
}

export interface EndedCall extends Pick<CallRecord, 'ok' | 'content'> {
  isDeclined?: boolean;
  /** What it was about: of a read, its file. */
  subject?: string;
  /** It never began: it was called wrongly, refused or declined. */
  isUnrun?: boolean;
  /** The step names more files than were read until now. */
  isMoreToRead?: boolean;
  /** What it tells of is a name that only the model knows. */
  isInvented?: boolean;
  /** It was not run: none of the tools that were found is for this. */
  isUnmeant?: boolean;
}

const reading = 'read_file';
const delegating = 'spawn_agent';

/** They tell the names of files. */
const listing: ReadonlySet<string> = new Set(['list_files', 'glob']);

export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** What a tool is for. */
export function workOf({ name, mutates }: WorkTool): Work {
  if (name === 'run_command') return 'run';
  if (isReachTool(name)) return 'use';
  return mutates ? 'change' : 'look';
}

export class Steps {
  readonly scope: TurnScope;
  #at = 0;
  #added = 0;
  /** Calls of the step that is on its way. */
  #failed = 0;
  #looked = 0;
  #calls = 0;
  /** The step that is on its way has found tools for what it uses. */
  #hasTools = false;
  /** Calls in a row that were made before. */
  #repeats = 0;
  #missed: string | null = null;
  /** All that is missed is a tool. */
  #missesTool = false;
  /** A file is missed, and none was read since. */
  #missesFile = false;
  /** The person said no, or a command failed: a program that nobody has, as a rule. */
  #hasGoneWrong = false;
  /** Something was changed or used, or a command ended well. */
  #hasSucceeded = false;
  readonly #done = new Set<Act>();
  readonly #allowed: readonly TurnPermission[];

  /** @param allowed what the person wants done whatever the model had named; any of it will do. */
  constructor(scope: TurnScope, allowed: readonly TurnPermission[] = []) {
    this.scope = scope;
    this.#allowed = allowed;
  }

  /** The step that is on its way. */
  get now(): ScopeStep {
    return this.scope.steps[this.#at] ?? { act: 'answer', what: '' };
  }

  /** What was listed besides. */
  get others(): { work: string[]; answer: string } {
    const work = this.scope.steps.filter((step) => step.act !== 'answer' && step !== this.now);
    return { work: work.map(({ what }) => what), answer: this.promised };
  }

  /** What the next reply may be. */
  get acts(): readonly Act[] {
    const { act } = this.now;
    if (act !== 'answer') return [act];
    if (this.#isUnsaid) return this.#unsaidActs;
    const owed = this.#owed;
    if (owed.length > 0 && this.#added < maxOwed) return this.#added < maxAdded ? ['look', ...owed] : owed;
    // A turn that was to be answered at once is.
    if (this.#at === 0 || this.#added >= maxAdded) return ['answer'];
    return ['answer', ...work.filter((act) => act === 'look' || this.isNamed(act))];
  }

  /** Nobody said what is to be done: anything may be, but an answer without a call would be made up. */
  get #isUnsaid(): boolean {
    return this.scope.steps.length === 0;
  }

  get #unsaidActs(): readonly Act[] {
    if (this.#added >= maxUnsaid) return ['answer'];
    return this.#added === 0 ? work : ['answer', ...work];
  }

  /** The turn was opened for it. */
  isNamed(act: Exclude<Work, 'look'>): boolean {
    if (act !== 'use') return this.scope[act];
    return this.#isUnsaid || this.scope.steps.some((step) => step.act === act);
  }

  /** What the tools are that this step uses is known: they were searched for. */
  get hasTools(): boolean {
    return this.#hasTools;
  }

  /** What was looked for and not found, in the words of its result; null = nothing, or it was found elsewhere since. */
  get missed(): string | null {
    return this.#missed;
  }

  /** All that it misses is a tool, for something that was to be told and not done: the model may still tell it by itself. */
  get lacksTool(): boolean {
    const { change, run } = this.scope;
    const hasFound = this.#done.has('use') || this.#done.has('look');
    return this.#missesTool && !hasFound && !change && !run && this.promised !== reportWords;
  }

  /** Something was to be changed or run, and no call did it. */
  get isUnproven(): boolean {
    const isMissing = (act: Act): boolean => (act === 'change' || act === 'run') && !this.#done.has(act);
    return this.#owed.length > 0 || this.scope.steps.some(({ act }) => isMissing(act));
  }

  /** Which of it: all, the run although something was changed, or the change although something ran; null = nothing. */
  get undone(): Undone | null {
    if (!this.isUnproven) return null;
    if (!this.hasWorked) return 'work';
    return this.#done.has('change') ? 'run' : 'change';
  }

  /** What was to be done is not known: nothing was changed or run, or only by commands that failed; null = something was. */
  get unsaidUndone(): Extract<Undone, 'work' | 'failed'> | null {
    if (!this.#isUnsaid || this.#hasSucceeded) return null;
    return this.#done.has('run') ? 'failed' : 'work';
  }

  /** What the model had said that it will answer; '' = it did not. */
  get promised(): string {
    return this.scope.steps.at(-1)?.what ?? '';
  }

  /** It is to say that something is done, and nothing was to be done: it was taken from an example. */
  get isEmptyPromise(): boolean {
    return this.scope.steps.length === 1 && this.#allowed.length === 0 && this.promised === reportWords;
  }

  /** The answer is nothing but that. */
  isEcho(answer: string): boolean {
    return this.promised !== '' && answer.trim() === this.promised;
  }

  /** What was to be changed and run was, and nobody stopped it; null = nothing was to be, so nothing can be told. */
  get cameTrue(): boolean | null {
    const { change, run } = this.scope;
    return change || run ? !this.isUnproven && !this.#hasGoneWrong : null;
  }

  /** Something was changed or run: what is left is to say so. */
  get hasWorked(): boolean {
    return this.#done.has('change') || this.#done.has('run');
  }

  /** What the person allowed, as long as nothing of it was done. */
  get #owed(): readonly TurnPermission[] {
    return this.#allowed.some((act) => this.#done.has(act)) ? [] : this.#allowed;
  }

  /** After each call. Returns whether another step is on its way now. */
  ended(tool: WorkTool, call: EndedCall): boolean {
    const { ok, content, isDeclined = false, isMoreToRead = false, isUnmeant = false } = call;
    const done = workOf(tool);
    const hasRun = done === 'run' && call.isUnrun !== true;
    const { act } = this.now;
    this.#repeats = 0;
    this.#noteMiss(done, tool, call);
    this.#hasGoneWrong ||= isDeclined || (hasRun && !ok);
    // A command that failed ran all the same.
    if (tool.name === toolSearch) this.#hasTools = ok;
    else if (ok || hasRun) this.#done.add(done);
    this.#hasSucceeded ||= ok && tool.name !== toolSearch && (done !== 'look' || tool.name === delegating);
    // What a subagent did of it is told in its answer.
    if (ok && tool.name === delegating) this.#done.add('run');
    // The person said no: whatever else was to be done, they are told so.
    if (isDeclined || (isUnmeant && !this.#looksAhead)) return this.#end();
    if (act === 'answer') {
      this.#added += 1;
      return true;
    }
    // What was to be replaced is not there.
    if (act === 'change' && !ok && tool.name === reading && replacesFile(this.now.what)) return this.#end();
    if (!ok) this.#failed += 1;
    if (done === 'look' && act === 'look') this.#looked += 1;
    this.#calls += 1;
    const hasFound = !isEmptySearch({ ok, content }) && !isMoreToRead;
    const isOver =
      done === act && tool.name !== toolSearch && (hasRun || (ok && (act === 'change' || hasFound)));
    const isAtLimit = this.#looked >= maxLooks || this.#calls >= maxCalls;
    // Whatever lies there besides would only be taken for it; a tool that nobody has is in no other place.
    const isNowhere = act === 'look' && tool.name === conclusive && isEmptySearch({ ok, content });
    if (isNowhere || isUnmeant || (act === 'use' && tool.name === toolSearch && !ok)) {
      if (!this.#looksAhead) return this.#end();
      this.#goTo(this.#at + 1);
      return true;
    }
    if (isOver || isAtLimit) {
      // A change of what was not found would make something else.
      if (this.#missed !== null && this.#hasWorkAhead) return this.#end();
      this.#goTo(this.#at + 1);
    } else if (this.#failed >= maxFailed) this.#goTo(act === 'run' ? this.#at + 1 : this.scope.steps.length);
    else return false;
    return true;
  }

  /**
   * A call was made once more. Where it had succeeded, its step has nothing more to find; where it had failed, the model
   * knows no other way.
   */
  repeated(hadSucceeded: boolean): void {
    this.#repeats += 1;
    // One alone may be a slip, and nobody knows what is left to do.
    if (this.#isUnsaid && this.#repeats < 2) return;
    if (!hadSucceeded || this.#isUnsaid) {
      this.#end();
      return;
    }
    this.#added = Math.max(maxAdded, this.#added + 1);
    this.#goTo(this.#at + 1);
  }

  /** No call of the step came to an end: what is left is to answer, and what it was to find was not found. */
  giveUp(): void {
    if (this.now.act === 'look' || this.now.act === 'use') this.#missed ??= noCall;
    this.#end();
  }

  /** Only an answer is left. */
  #end(): true {
    this.#added = Number.POSITIVE_INFINITY;
    this.#goTo(this.scope.steps.length);
    return true;
  }

  /** Names of files alone tell nothing of what was looked for, and what a search finds is not the file that is not there. */
  #noteMiss(done: Work, { name }: WorkTool, call: EndedCall): void {
    if (done !== 'look' && done !== 'use') return;
    if (!call.ok || isEmptySearch(call)) {
      // Only Andiron's own search says so: a server may fail in the same words.
      const isTool = call.isUnmeant === true || (name === toolSearch && call.content.includes(noToolFits));
      this.#missesTool = isTool && (this.#missed === null || this.#missesTool);
      this.#missed = firstLine(call.content);
      this.#missesFile ||= !call.ok && name === reading && call.isInvented !== true;
    } else if (this.#missesFile ? name === reading : !listing.has(name)) {
      this.#missed = null;
      this.#missesTool = false;
      this.#missesFile = false;
    }
  }

  get #looksAhead(): boolean {
    return this.scope.steps.slice(this.#at + 1).some(({ act }) => act === 'look' || act === 'use');
  }

  get #hasWorkAhead(): boolean {
    return (
      this.now.act === 'look' && this.scope.steps.slice(this.#at + 1).some(({ act }) => act !== 'answer')
    );
  }

  #goTo(at: number): void {
    this.#at = Math.min(at, Math.max(0, this.scope.steps.length - 1));
    this.#failed = 0;
    this.#looked = 0;
    this.#calls = 0;
    this.#hasTools = false;
  }
}
