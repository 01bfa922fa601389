/** Turns reply events into items that a person sees, and keeps what the log needs of them. */
import type { ToolItem, TurnPhase } from '../../protocol/model.ts';
import type { ExtraFields, ModelCall, ReplyCounters, ReplyEvent } from '../providers/provider.ts';
import { missingTokens } from '../prompt/lost-call.ts';
import { maxKeptCalls } from '../../protocol/limits.ts';
import type { TextCall } from './calls/text-calls.ts';
import { readCall, type ReadCall } from './offered.ts';
import { itemBase, type Run } from './run.ts';

export interface WrittenCall extends ReadCall {
  /** As the model made it; the log keeps it so. */
  call: ModelCall;
  item: ToolItem;
}

type CallEvent = Extract<ReplyEvent, { type: 'call' }>;
type OpenProse = { kind: 'thinking' | 'text'; itemId: string };

export class ReplyWriter {
  thinking = '';
  text = '';
  /** Fields that the provider wants back with this reply (Q22). */
  extra: ExtraFields | undefined;
  readonly calls: WrittenCall[] = [];
  /** Calls that came after as many as are kept: nothing else is known of them. */
  dropped = 0;
  readonly #run: Run;
  /** Ids of calls that this session's log and this reply have. */
  #takenIds: Set<string> | undefined;
  #phaseNow: TurnPhase | undefined;
  /** Of this reply, in order. */
  readonly #texts: string[] = [];
  #open: OpenProse | null = null;

  constructor(run: Run) {
    this.#run = run;
  }

  write(event: Exclude<ReplyEvent, { type: 'opened' | 'done' }>): void {
    switch (event.type) {
      case 'thinking':
        this.thinking += event.text;
        this.#prose('thinking', event.text);
        break;
      case 'text':
        this.text += event.text;
        this.#prose('text', event.text);
        break;
      case 'call':
        this.#closeProse(false);
        this.#call(event, []);
        break;
    }
  }

  /** Nothing but thinking has come. */
  get isSilent(): boolean {
    return this.text === '' && this.calls.length === 0;
  }

  /** The reply has ended: prose is closed, calls wait for their turn. `cut`: by its output limit. */
  finish(cut: boolean): void {
    this.#closeProse(cut);
  }

  /** Tokens that the engine wrote and did not pass on: its parser lost a call (design 4). null = none. */
  missingTokens(counters: ReplyCounters): number | null {
    return missingTokens({ thinking: this.thinking, text: this.text, calls: this.calls.length }, counters);
  }

  /** Calls that stood in the text become cards; the text keeps what was said beside them. */
  takeFromText(calls: readonly TextCall[], prose: string, dropped: number): void {
    this.text = prose;
    this.dropped = dropped;
    for (const [index, itemId] of this.#texts.entries()) {
      this.#run.emit({ type: 'item/rewritten', itemId, text: index === 0 ? prose : '' });
    }
    for (const { name, args, repairs } of calls) this.#call({ name, args, id: undefined }, repairs);
  }

  /** On the card of every call that can run: what it took until it could. */
  addReceipts(receipts: readonly string[]): void {
    if (receipts.length === 0) return;
    for (const written of this.calls) {
      written.repairs.push(...receipts);
      this.#run.emit({ type: 'tool/repaired', itemId: written.item.id, repairs: written.repairs });
    }
  }

  /** The reply was cut: nothing of it will run (design 4: no tool runs before `done`). */
  cut(by: 'stopped' | 'interrupted'): void {
    this.#closeProse(true);
    for (const { item } of this.calls) {
      this.#run.emit({
        type: 'tool/finished',
        itemId: item.id,
        state: by,
        result: 'The reply was cut before this call could run.',
        display: null,
        runMs: null,
      });
    }
    this.calls.length = 0;
    this.dropped = 0;
  }

  #prose(kind: OpenProse['kind'], text: string): void {
    if (this.#open?.kind !== kind) {
      this.#closeProse(false);
      this.#phase(kind);
      const item = { ...itemBase(this.#run, false), kind, text: '' };
      this.#open = { kind, itemId: item.id };
      if (kind === 'text') this.#texts.push(item.id);
      this.#run.emit({ type: 'item/started', item });
    }
    this.#run.emit({ type: 'item/delta', itemId: this.#open.itemId, text });
  }

  #closeProse(cut: boolean): void {
    if (this.#open) this.#run.emit({ type: 'item/completed', itemId: this.#open.itemId, cut });
    this.#open = null;
  }

  #call(event: Pick<CallEvent, 'name' | 'args' | 'id' | 'unread'>, receipts: readonly string[]): void {
    if (this.calls.length >= maxKeptCalls) {
      this.dropped += 1;
      return;
    }
    const { name, args } = event;
    const call: ModelCall = { id: this.#uniqueId(event.id), name, args };
    const read = readCall(name, args, event.unread, this.#run);
    const repairs = [...receipts, ...read.repairs];
    const item: ToolItem = {
      ...itemBase(this.#run, false),
      kind: 'tool',
      callId: call.id,
      tool: read.tool?.name ?? name,
      args: event.unread ?? args,
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
    this.#run.emit({ type: 'item/started', item });
  }

  /** The model's own id where it is usable and new in this session, else one of ours (P14). */
  #uniqueId(own: string | undefined): string {
    this.#takenIds ??= new Set(
      this.#run.deps.log.messages().flatMap((message) => (message.role === 'tool' ? [message.callId] : [])),
    );
    const isFree = own !== undefined && own !== '' && !this.#takenIds.has(own);
    const id = isFree ? own : this.#run.deps.newId('tool_');
    this.#takenIds.add(id);
    return id;
  }

  #phase(phase: TurnPhase): void {
    if (phase === this.#phaseNow) return;
    this.#phaseNow = phase;
    this.#run.emit({ type: 'turn/phase', phase });
  }
}
