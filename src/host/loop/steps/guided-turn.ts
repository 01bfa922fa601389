/** A turn that its model opened: what its next reply may be, and what came of the replies before. */
import type { ToolDisplay } from '../../../protocol/model.ts';
import type { PersonMessage } from '../../prompt/person-message.ts';
import type { OfferedTool } from '../calls/offered-tool.ts';
import type { CallRecord, MadeCall } from '../calls/discipline.ts';
import type { AnswerForm, ReplyOptions } from '../calls/constrained.ts';
import type { Act, ScopeStep } from '../opening/turn-acts.ts';
import type { ToolPort, Workspace } from '../ports.ts';
import { wholeFile } from '../../tools/tool.ts';
import type { Correction } from './correct-answer.ts';
import { brokenJson } from './broken-json.ts';
import { doublesLine } from './edit-places.ts';
import { contentsOf, inventedIn, unreadOf } from './known-paths.ts';
import { offerOf } from './offer.ts';
import { countFact } from './count-fact.ts';
import { mentioned } from './named-in-text.ts';
import { inventsFigures } from './invented-figures.ts';
import { lineFacts } from './line-facts.ts';
import { repeats } from './repeats.ts';
import { factBefore, stepLine } from './step-line.ts';
import {
  conclusive,
  firstLine,
  toolSearch,
  workOf,
  type EndedCall,
  type Steps,
  type WorkTool,
} from './steps.ts';
import { onlyNumber, sumFacts, tableFacts } from './table-facts.ts';

/** The words alone, whatever stands between them. */
const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, ' ');

/** A program that nobody has, as a rule: asked for what it was to tell, a small model says the task over. */
const couldNotRun = ({ name, ok, content }: CallRecord): boolean =>
  name === 'run_command' && !ok && !/^stdout:$/m.test(content);

const notAsked = { change: 'no change', run: 'no command', use: 'no tool of another program' } as const;

export class GuidedTurn {
  readonly steps: Steps;
  readonly #message: PersonMessage;
  readonly #picks: boolean;
  /** The newest call was made before, and not again. */
  #isRepeated = false;
  /** Files that the step names itself and that were not read, before the newest call. */
  #unread: readonly string[] = [];
  /** What it names and nobody else does. */
  #invented: readonly string[] = [];
  /** Files that were to be written with the words that they hold, and such edits. */
  readonly #copied = new Set<string>();
  /** What was said to the model of steps that began: no words of its own. */
  readonly #lines = new Set<string>();
  /** Of files that hold nothing else, by their paths: one may be read again once it was changed. */
  readonly #numbers = new Map<string, number>();

  /** @param picks the model answers better behind its own words for what was asked. */
  constructor(steps: Steps, message: PersonMessage, picks = false) {
    this.steps = steps;
    this.#message = message;
    this.#picks = picks;
  }

  /** No answer is right yet. */
  get mustCall(): boolean {
    return !this.steps.acts.includes('answer');
  }

  /** Null = the turn's scope has it. Else the result of a call that is not run (2.2: reads never become edits). */
  whyNotInScope(tool: WorkTool): string | null {
    const work = workOf(tool);
    if (work === 'look' || this.steps.isNamed(work)) return null;
    return `Error: ${tool.name} was not run: this message asks for ${notAsked[work]}.`;
  }

  /**
   * Null = it may be written. Else the result of a call that is not run: a small model that is to write a file anew copies
   * what it has just read, and one that is to add a line the one above it. Who means it, to join its lines for one, makes the
   * same call again; who changes nothing does not.
   * Nor is a file edited that would be no JSON any more.
   */
  whyNotWritten({ name, args }: MadeCall, calls: readonly CallRecord[]): string | null {
    const broken = brokenJson({ name, args }, calls);
    if (broken !== null)
      return factBefore(this.#message, `Error: ${broken} would not be JSON any more. Nothing was changed.`);
    const { path, content } = (args ?? {}) as { path?: unknown; content?: unknown };
    const written = JSON.stringify(args);
    if (name === 'edit_file' && doublesLine(args) && !this.#copied.has(written)) {
      this.#copied.add(written);
      return factBefore(this.#message, `Error: ${String(path)} has this line already. Nothing was changed.`);
    }
    if (name !== 'write_file' || typeof path !== 'string' || typeof content !== 'string') return null;
    const held = contentsOf([path], calls).map((read) => read.slice(read.indexOf('\n') + 1));
    if (!held.some((text) => inOneLine(text) === inOneLine(content))) return null;
    if (this.#copied.has(path) && !held.some((text) => text.trim() === content.trim())) return null;
    this.#copied.add(path);
    return factBefore(this.#message, `Error: ${path} has these words already. Nothing was changed.`);
  }

  /** A call was made once more, with the same outcome ahead of it. */
  repeated(hadSucceeded: boolean): void {
    this.#isRepeated = true;
    this.steps.repeated(hadSucceeded);
  }

  /**
   * After each call. Returns the line of the step that begins now, for the newest result, or of a change that had to read its
   * file first; null = neither.
   */
  ended(tool: WorkTool, call: EndedCall): string | null {
    const isMoreToRead = tool.name === 'read_file' && this.#unread.length > 1;
    const isInvented = mentioned([call.content], this.#invented).length > 0;
    const isNext = this.#isRepeated || this.steps.ended(tool, { ...call, isMoreToRead, isInvented });
    this.#isRepeated = false;
    const { now, missed, scope } = this.steps;
    const isReadFirst = !isNext && call.ok && now.act === 'change' && workOf(tool) === 'look';
    // What stands between the message and the call is all about the tools.
    if (!isNext && call.ok && tool.name === toolSearch)
      return factBefore(this.#message, '') || this.#lineOf(now);
    if (!isNext && !isReadFirst) return null;
    const isOnlyChange = scope.steps.filter(({ act }) => act === 'change').length === 1;
    const justRead = tool.name === 'read_file' && call.ok && isOnlyChange ? call.subject : undefined;
    const line = this.#lineOf(now, justRead);
    // What was not found is said again where names of other files stand below it: one of them would be the answer.
    const isHidden = now.act === 'answer' && missed !== null && missed !== firstLine(call.content);
    return isHidden ? [missed, line].filter((each) => each !== null).join('\n\n') : line;
  }

  #lineOf(step: ScopeStep, justRead?: string): string | null {
    const line = stepLine(step, this.#message, justRead);
    // The person's message has a check of its own.
    if (line !== null && line !== stepLine({ act: 'answer', what: '' }, this.#message)) this.#lines.add(line);
    return line;
  }

  /** How long a list is; of a file that was read as a whole: figures of a table, lines that the message numbers, and sums. */
  factsOf(
    { tool, subject }: { tool: string; subject: string },
    { state, content, display }: { state: string; content: string; display: ToolDisplay | null },
  ): string | null {
    const count = this.steps.scope.change ? null : countFact(display);
    if (count !== null) return count;
    if (tool !== 'read_file' || state !== 'done' || !wholeFile.test(content)) return null;
    const text = content.slice(content.indexOf('\n') + 1);
    // Beside a change they would be taken for what is to be written.
    const lines = this.steps.scope.change ? null : lineFacts(this.#message, text);
    const only = onlyNumber(text);
    if (only !== null) this.#numbers.set(subject, only);
    return lines ?? tableFacts(text) ?? (only === null ? null : sumFacts([...this.#numbers.values()]));
  }

  /** @param tools with those that a search of this turn has brought. @param calls of this turn, in order. */
  async replyOptions(
    tools: readonly OfferedTool[],
    calls: readonly CallRecord[],
    { workspace, attached }: { workspace: Pick<Workspace, 'entries'> } & Pick<ToolPort, 'attached'>,
  ): Promise<ReplyOptions> {
    const entries = await workspace.entries();
    const { acts, now, hasTools } = this.steps;
    const named = { step: now.what, message: this.#message, others: this.steps.others };
    const situation = { tools, acts, named, entries, attached: attached?.paths() ?? [], calls, hasTools };
    this.#unread = unreadOf(situation);
    this.#invented = inventedIn(named, entries);
    return { ...offerOf(situation), answer: this.#answerAfter(calls.at(-1)) };
  }

  /**
   * Behind its own words for what was asked, one small model answers that, where it else says over what stands nearest; another
   * says over the words. Behind a change they ask nothing, and behind a search they are "the file" as often as not: those of
   * an example.
   */
  #answerAfter(newest: CallRecord | undefined): AnswerForm | undefined {
    const { scope, missed, promised } = this.steps;
    if (this.steps.lacksTool) return { tells: 'toolless' };
    if (missed !== null || this.steps.isEmptyPromise) return { tells: 'missed' };
    if (newest === undefined || scope.change || !this.#picks || couldNotRun(newest)) return undefined;
    if (newest.name === conclusive) return { tells: 'match' };
    if (promised === '') return undefined;
    // A command that printed nothing did something: there is nothing to find in what it says.
    const isFound = newest.name !== 'run_command' || newest.content.includes('\n');
    return { tells: isFound ? 'found' : 'done', words: promised };
  }

  /** What was not found, where the answer has figures all the same that stand nowhere; null = it may stand. */
  missedBehind(answer: string, messages: readonly { content: string }[]): string | null {
    const { missed, lacksTool } = this.steps;
    if (missed === null || lacksTool) return null;
    const seen = messages.map(({ content }) => content);
    return inventsFigures(answer, seen) ? missed : null;
  }

  /** What an answer that says nothing is asked for once more. */
  get asksAgainFor(): Correction['asks'] {
    if (this.steps.lacksTool) return 'answer';
    if (this.steps.missed !== null || this.steps.isEmptyPromise) return 'missed';
    return this.steps.cameTrue === true ? 'done' : 'answer';
  }

  /** The answer says nothing but what it was to be about, or what a step was. */
  isEcho(answer: string): boolean {
    if (this.steps.isEcho(answer) || this.#lines.has(answer.trim())) return true;
    // A greeting is answered with a greeting.
    const { scope, missed } = this.steps;
    return scope.steps.length > 1 && repeats(answer, this.#message, missed !== null);
  }

  /** A small model that does not end goes round in circles: what it writes has no bounds but these. */
  get maxOutputTokens(): number | undefined {
    const acts: readonly Act[] = this.steps.acts;
    if (acts.includes('answer') && this.steps.hasWorked) return 600;
    if (acts.includes('change')) return 2_000;
    if (acts.includes('use')) return 800;
    return acts.includes('answer') ? undefined : 400;
  }
}
