/** Turns reply events into items that a person sees, and keeps what the log needs of them. */
import type { ToolItem, TurnPhase } from '../../protocol/model.ts';
import type { ModelCall, ReplyCounters, ReplyEvent } from '../providers/provider.ts';
import { missingTokens } from '../prompt/lost-call.ts';
import { emitNote } from './note-item.ts';
import { itemBase, type Teller } from './run.ts';

export interface WrittenCall {
  call: ModelCall;
  item: ToolItem;
}

type OpenProse = { kind: 'thinking' | 'text'; itemId: string };

export class ReplyWriter {
  thinking = '';
  text = '';
  readonly calls: WrittenCall[] = [];
  readonly #teller: Teller;
  #open: OpenProse | null = null;

  constructor(teller: Teller) {
    this.#teller = teller;
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
        this.#call(event);
        break;
    }
  }

  /** The reply is complete: prose is closed, calls wait for their turn. */
  finish(): void {
    this.#closeProse(false);
  }

  /** Tells when the engine wrote more than it passed on: its parser lost a call (design 4). */
  noteMissing(counters: ReplyCounters): void {
    const reply = { thinking: this.thinking, text: this.text, calls: this.calls.length };
    const missing = missingTokens(reply, counters);
    if (missing === null) return;
    const text = `The model wrote about ${missing} tokens that Ollama did not pass on: most likely a tool call that it could not read.`;
    emitNote('lost_call', text, this.#teller);
  }

  /** The reply was cut: nothing of it will run (design 4: no tool runs before `done`). */
  cut(by: 'stopped' | 'interrupted'): void {
    this.#closeProse(true);
    for (const { item } of this.calls) {
      this.#teller.emit({
        type: 'tool/finished',
        itemId: item.id,
        state: by,
        result: 'The reply was cut before this call could run.',
        display: null,
        runMs: null,
      });
    }
    this.calls.length = 0;
  }

  #prose(kind: OpenProse['kind'], text: string): void {
    if (this.#open?.kind !== kind) {
      this.#closeProse(false);
      this.#phase(kind);
      const item = { ...itemBase(this.#teller, false), kind, text: '' };
      this.#open = { kind, itemId: item.id };
      this.#teller.emit({ type: 'item/started', item });
    }
    this.#teller.emit({ type: 'item/delta', itemId: this.#open.itemId, text });
  }

  #closeProse(cut: boolean): void {
    if (this.#open) this.#teller.emit({ type: 'item/completed', itemId: this.#open.itemId, cut });
    this.#open = null;
  }

  #call(event: Extract<ReplyEvent, { type: 'call' }>): void {
    const { name, args } = event;
    const call: ModelCall = { id: this.#uniqueId(event.id), name, args };
    const parsed = this.#teller.deps.tools.get(name)?.parse(args);
    const item: ToolItem = {
      ...itemBase(this.#teller, false),
      kind: 'tool',
      callId: call.id,
      tool: name,
      args,
      subject: parsed?.ok ? parsed.call.subject : '',
      repairs: parsed?.ok ? parsed.call.repairs : [],
      state: 'streaming',
      output: '',
      result: '',
      display: null,
      sandboxed: null,
      approval: null,
      decision: null,
      runMs: null,
    };
    this.calls.push({ call, item });
    this.#phase('call');
    this.#teller.emit({ type: 'item/started', item });
  }

  /** The model's own id where it is usable and new in this session, else one of ours (P14). */
  #uniqueId(own: string | undefined): string {
    const taken = (id: string): boolean =>
      this.calls.some((written) => written.call.id === id) ||
      this.#teller.deps.log.messages().some((message) => message.role === 'tool' && message.callId === id);
    return own !== undefined && own !== '' && !taken(own) ? own : this.#teller.deps.newId('tool_');
  }

  #phase(phase: TurnPhase): void {
    this.#teller.emit({ type: 'turn/phase', phase });
  }
}
