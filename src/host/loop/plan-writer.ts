/** The plan as a person sees it being written: its lines as they come, then its steps, or why it has none. */
import type { PlanStep } from '../../protocol/plan.ts';
import type { Output } from './output.ts';

export interface PlanFacts {
  analysis: string;
  review: string | null;
  proposed?: true;
}

/** Nothing was said of it before. */
export const plain: PlanFacts = { analysis: '', review: null };

export class PlanWriter {
  readonly #facts: PlanFacts;
  readonly #out: Output;
  #itemId: string | undefined;
  /** What was shown of its text: whole lines. */
  #shown = '';

  constructor(facts: PlanFacts, out: Output) {
    this.#facts = facts;
    this.#out = out;
  }

  /** Begins with the first whole line: a word in place of a plan is none (X12 e). @param text all of it so far. */
  write(text: string): void {
    if (this.#itemId === undefined && !text.trimStart().includes('\n')) return;
    const itemId = this.#open();
    if (!text.startsWith(this.#shown)) this.#rewrite(itemId, '');
    const lines = text.slice(this.#shown.length, text.lastIndexOf('\n') + 1);
    if (lines === '') return;
    this.#shown += lines;
    this.#out.emit({ type: 'item/delta', itemId, text: lines });
  }

  end(text: string, steps: readonly PlanStep[]): void {
    const itemId = this.#open();
    this.#out.emit({ type: 'item/rewritten', itemId, text, steps: [...steps] });
    this.#out.emit({ type: 'item/completed', itemId, cut: false });
  }

  /** @param text undefined = as far as it came: it broke off. */
  fail(problem: string, text: string | undefined): void {
    const itemId = this.#open();
    this.#out.emit({ type: 'item/rewritten', itemId, text: text ?? this.#shown, steps: [], problem });
    this.#out.emit({ type: 'item/completed', itemId, cut: text === undefined });
  }

  /** The person stopped it: nothing of it stays open. */
  stop(): void {
    if (this.#itemId !== undefined)
      this.#out.emit({ type: 'item/completed', itemId: this.#itemId, cut: true });
  }

  get isBegun(): boolean {
    return this.#itemId !== undefined;
  }

  #open(): string {
    if (this.#itemId !== undefined) return this.#itemId;
    const item = { ...this.#out.itemBase(false), kind: 'plan' as const, text: '', ...this.#facts, steps: [] };
    this.#itemId = item.id;
    this.#out.emit({ type: 'item/started', item });
    return item.id;
  }

  #rewrite(itemId: string, text: string): void {
    this.#shown = text;
    this.#out.emit({ type: 'item/rewritten', itemId, text });
  }
}
