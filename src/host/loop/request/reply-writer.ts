/** Turns reply events into items that a person sees, and keeps what the log needs of them. */
import type { ToolItem, TurnPhase } from '../../../protocol/model.ts';
import type { ExtraFields, ModelCall, ReplyCounters, ReplyEvent } from '../../providers/provider.ts';
import { missingTokens } from '../../prompt/lost-call.ts';
import type { Tool } from '../../tools/tool.ts';
import { maxCallCharacters, maxKeptCalls, maxToolName } from '../../../protocol/limits.ts';
import { isTooLarge } from '../calls/call-size.ts';
import { argsWithoutNote, noNote, noteLeftOut, type NoteBehind } from '../calls/copied-notes.ts';
import type { TextCall } from '../calls/text-calls.ts';
import { readCall, type ReadCall } from '../offered.ts';
import type { Output } from '../output.ts';
import { circleAtEnd, circleOfCalls, runAtEnd, type Circle, type Written } from '../repetition.ts';
import type { RequestScope } from '../ports.ts';
import { withoutMarks, type Kind, type Screened } from '../screen/reply-screen.ts';
import { workOf } from '../steps/steps.ts';
import { screenFor, type RunScreen } from '../screen/screen-for-run.ts';

export interface WrittenCall extends ReadCall {
  /** As the model made it, without notes of Andiron's that it copied; the log keeps it so. */
  call: ModelCall;
  item: ToolItem;
}

const repeatedCall = 'The model repeated this call without end, so its reply was cut and this was not run.';

type CallEvent = Extract<ReplyEvent, { type: 'call' }>;
type OpenProse = { kind: Kind; itemId: string };
type Segment = Record<Kind, { text: string; items: string[] }>;

const roundsAtEnd = (text: string, isHeld: boolean): Circle | null =>
  circleAtEnd(text) ?? runAtEnd(text, isHeld);

const emptySegment = (): Segment => ({ text: { text: '', items: [] }, thinking: { text: '', items: [] } });

export class ReplyWriter {
  thinking = '';
  text = '';
  /** Fields that the provider wants back with this reply (Q22). */
  extra: ExtraFields | undefined;
  readonly calls: WrittenCall[] = [];
  /** Calls that came after as many as are kept: nothing else is known of them. */
  dropped = 0;
  readonly #scope: RequestScope;
  readonly #out: Output;
  readonly #offered: readonly Tool[];
  readonly #noteBehind: NoteBehind;
  /** Ids of calls that this session's log and this reply have. */
  #takenIds: Set<string> | undefined;
  #phaseNow: TurnPhase | undefined;
  readonly #screen: RunScreen;
  /** Of this reply, in order. */
  #texts: string[] = [];
  /** Since the last call. */
  #segment: Segment = emptySegment();
  #open: OpenProse | null = null;
  /** The answer as it came up to the first round of its circle; undefined = it ran in none. */
  #rawBefore: string | undefined;

  /**
   * @param mayLeak false = it comes under a grammar, or was screened before
   * @param noteBehind what Andiron put behind the newest result, which may be left out of a call
   */
  constructor(scope: RequestScope, offered: readonly Tool[], mayLeak: boolean, noteBehind = noNote) {
    this.#scope = scope;
    this.#out = scope.out;
    this.#offered = offered;
    this.#noteBehind = noteBehind;
    const last = scope.history.log.messages().at(-1)?.role;
    const place = mayLeak ? (last === 'tool' ? 'tool' : 'user') : null;
    this.#screen = screenFor(place, scope.setting, scope.model.models);
  }

  /** Of control marks nothing is written, of thoughts that came as text nothing as text. */
  write(event: Exclude<ReplyEvent, { type: 'opened' | 'done' }>): void {
    if (event.type === 'call') {
      this.#endSegment();
      this.#closeProse(false);
      this.#call(event, []);
    } else this.#writeAll(this.#screen.screen.push(event.type, event.text));
  }

  /** What a call of this tool says. */
  writtenIn(tool: string): Written {
    const offered = this.#offered.find(({ name }) => name === tool);
    const work = offered && workOf(offered);
    return work === 'look' ? 'aim' : work === 'run' ? 'command' : 'content';
  }

  /** The answer with the marks that came in it: a call may be written with them. */
  get raw(): string {
    return this.#rawBefore ?? this.#screen.screen.raw;
  }

  /** Nothing but thinking has come. */
  get isSilent(): boolean {
    return this.text === '' && this.calls.length === 0;
  }

  /** The reply has ended: prose is closed, calls wait for their turn. `cut`: by its output limit. */
  finish(cut: boolean): void {
    this.#endSegment();
    this.#closeProse(cut);
    this.#screen.learn();
  }

  /** Tokens that the engine wrote and did not pass on: its parser lost a call. null = none. */
  missingTokens(counters: ReplyCounters): number | null {
    return missingTokens({ thinking: this.thinking, text: this.text, calls: this.calls.length }, counters);
  }

  /** Calls that stood in the text become cards; the text keeps what was said beside them. */
  takeFromText(calls: readonly TextCall[], prose: string, dropped: number): void {
    this.dropped = dropped;
    this.#rewrite(withoutMarks(prose, this.#scope.setting.policy.marks));
    for (const { name, args, repairs } of calls) this.#call({ name, args, id: undefined }, repairs);
  }

  /** On the card of every call that can run: what it took until it could. */
  addReceipts(receipts: readonly string[]): void {
    if (receipts.length === 0) return;
    for (const written of this.calls) {
      written.repairs.push(...receipts);
      this.#out.emit({ type: 'tool/repaired', itemId: written.item.id, repairs: written.repairs });
    }
  }

  /** The reply was cut, and nothing of it will run: no tool runs before `done`. */
  cut(by: 'stopped' | 'interrupted'): void {
    this.#endSegment();
    this.#closeProse(true);
    this.#refuse(this.calls, by, 'The reply was cut before this call could run.');
    this.calls.length = 0;
    this.dropped = 0;
  }

  #writeAll(pieces: readonly Screened[]): void {
    for (const piece of pieces) {
      if (piece.type === 'moved') this.#move(piece.to);
      else {
        this[piece.type] += piece.text;
        this.#segment[piece.type].text += piece.text;
        this.#prose(piece.type, piece.text);
      }
    }
  }

  #endSegment(): void {
    this.#writeAll(this.#screen.screen.flush());
    this.#segment = emptySegment();
  }

  /** What came as one kind since the last call was the other: its items are emptied, and one of that kind has it all. */
  #move(to: Kind): void {
    const from = this.#segment[to === 'text' ? 'thinking' : 'text'];
    const text = to === 'thinking' ? from.text.trim() : from.text;
    this.#closeProse(false);
    for (const itemId of from.items) this.#out.emit({ type: 'item/rewritten', itemId, text: '' });
    const kind = to === 'text' ? 'thinking' : 'text';
    this[kind] = this[kind].slice(0, this[kind].length - from.text.length);
    this.#segment[kind] = { text: '', items: [] };
    this.#texts = this.#texts.filter((itemId) => !from.items.includes(itemId));
    if (text === '') return;
    const before = this[to];
    this[to] += to === 'thinking' && before !== '' ? `\n${text}` : text;
    this.#segment[to].text += text;
    this.#prose(to, text);
  }

  /**
   * The reply ran in circles: the first round stays with what stood before it, and the calls that only repeat it go. False =
   * nothing stood before, so the text is that round alone.
   * @param isHeld it came under a grammar
   */
  keepBeforeCircle(isHeld: boolean): boolean {
    this.#endSegment();
    const raw = this.raw;
    this.#rawBefore = raw.slice(0, roundsAtEnd(raw, isHeld)?.keep);
    const said = roundsAtEnd(this.text, isHeld);
    const stoodBefore = said === null || this.text.slice(0, said.from).trim() !== '';
    if (said) this.#rewrite(this.text.slice(0, said.keep).trimEnd());
    const thought = roundsAtEnd(this.thinking, isHeld);
    if (thought) this.thinking = this.thinking.slice(0, thought.keep).trimEnd();
    this.#closeProse(true);
    // The arguments as the model wrote them, also where they could not be read.
    const called = circleOfCalls(this.calls.map(({ call, item }) => JSON.stringify([call.name, item.args])));
    if (called) this.#refuse(this.calls.splice(called.keep), 'interrupted', repeatedCall);
    return stoodBefore;
  }

  /** What it says is put otherwise, or said at all, after it had ended. */
  replaceText(text: string): void {
    this.#rewrite(withoutMarks(text, this.#scope.setting.policy.marks));
  }

  #rewrite(text: string): void {
    this.text = text;
    if (this.#texts.length === 0 && text !== '') {
      this.#prose('text', text);
      this.#closeProse(false);
      return;
    }
    for (const [index, itemId] of this.#texts.entries()) {
      this.#out.emit({ type: 'item/rewritten', itemId, text: index === 0 ? text : '' });
    }
  }

  #refuse(calls: readonly WrittenCall[], state: 'stopped' | 'interrupted', result: string): void {
    for (const { item } of calls) {
      this.#out.emit({ type: 'tool/finished', itemId: item.id, state, result, display: null, runMs: null });
    }
  }

  #prose(kind: Kind, text: string): void {
    if (this.#open?.kind !== kind) {
      this.#closeProse(false);
      this.#phase(kind);
      const item = { ...this.#out.itemBase(false), kind, text: '' };
      this.#open = { kind, itemId: item.id };
      if (kind === 'text') this.#texts.push(item.id);
      this.#segment[kind].items.push(item.id);
      this.#out.emit({ type: 'item/started', item });
    }
    this.#out.emit({ type: 'item/delta', itemId: this.#open.itemId, text });
  }

  #closeProse(cut: boolean): void {
    if (this.#open) this.#out.emit({ type: 'item/completed', itemId: this.#open.itemId, cut });
    this.#open = null;
  }

  #call(event: Pick<CallEvent, 'name' | 'args' | 'id' | 'unread'>, receipts: readonly string[]): void {
    if (this.calls.length >= maxKeptCalls) {
      this.dropped += 1;
      return;
    }
    const tooLarge = isTooLarge(event.args);
    const name = event.name.slice(0, maxToolName);
    // Kept, a flood would be read again with every later request.
    const given = tooLarge ? {} : event.args;
    const args = argsWithoutNote(given, this.#noteBehind);
    const call: ModelCall = { id: this.#uniqueId(event.id), name, args };
    const fault = tooLarge ? 'too_large' : event.unread === undefined ? undefined : 'unread';
    const read = readCall(name, args, fault, this.#offered);
    const repairs = [...receipts, ...(args === given ? [] : [noteLeftOut]), ...read.repairs];
    const item: ToolItem = {
      ...this.#out.itemBase(false),
      kind: 'tool',
      callId: call.id,
      tool: read.tool?.name ?? name,
      args: event.unread?.slice(0, maxCallCharacters) ?? args,
      subject: read.parsed.ok ? read.parsed.call.subject : '',
      repairs: [...repairs],
      state: 'streaming',
      output: '',
      result: '',
      display: null,
      sandboxed: null,
      approval: null,
      decision: null,
      runMs: null,
    };
    this.calls.push({ ...read, repairs, call, item });
    this.#phase('call');
    this.#out.emit({ type: 'item/started', item });
  }

  /** The model's own id where it is usable and new in this session, else one of ours (P14). */
  #uniqueId(own: string | undefined): string {
    this.#takenIds ??= new Set(
      this.#scope.history.log
        .messages()
        .flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
    );
    const isFree = own !== undefined && own !== '' && !this.#takenIds.has(own);
    const id = isFree ? own : this.#out.newId('tool_');
    this.#takenIds.add(id);
    return id;
  }

  #phase(phase: TurnPhase): void {
    if (phase === this.#phaseNow) return;
    this.#phaseNow = phase;
    this.#out.emit({ type: 'turn/phase', phase });
  }
}
