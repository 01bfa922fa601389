/** The plan as a person sees it being written: its lines as they come, then its steps, or why it has none. */
import type { PlanStep } from '../../protocol/plan.ts';
import { itemBase, type Run } from './run.ts';

export interface PlanFacts {
  analysis: string;
  review: string | null;
}

export class PlanWriter {
  readonly #facts: PlanFacts;
  readonly #run: Run;
  #itemId: string | undefined;
  /** What was told of its text: whole lines. */
  #told = '';

  constructor(facts: PlanFacts, run: Run) {
    this.#facts = facts;
    this.#run = run;
  }

  /** Begins with the first whole line: a word in place of a plan is none (X12 e). @param text all of it so far. */
  write(text: string): void {
    if (this.#itemId === undefined && !text.trimStart().includes('\n')) return;
    const itemId = this.#open();
    if (!text.startsWith(this.#told)) this.#rewrite(itemId, '');
    const lines = text.slice(this.#told.length, text.lastIndexOf('\n') + 1);
    if (lines === '') return;
    this.#told += lines;
    this.#run.emit({ type: 'item/delta', itemId, text: lines });
  }

  end(text: string, steps: readonly PlanStep[]): void {
    const itemId = this.#open();
    this.#run.emit({ type: 'item/rewritten', itemId, text, steps: [...steps] });
    this.#run.emit({ type: 'item/completed', itemId, cut: false });
  }

  /** @param text undefined = as far as it came: it broke off. */
  fail(problem: string, text: string | undefined): void {
    const itemId = this.#open();
    this.#run.emit({ type: 'item/rewritten', itemId, text: text ?? this.#told, steps: [], problem });
    this.#run.emit({ type: 'item/completed', itemId, cut: text === undefined });
  }

  /** The person stopped it: nothing of it stays open. */
  stop(): void {
    if (this.#itemId !== undefined)
      this.#run.emit({ type: 'item/completed', itemId: this.#itemId, cut: true });
  }

  get isBegun(): boolean {
    return this.#itemId !== undefined;
  }

  #open(): string {
    if (this.#itemId !== undefined) return this.#itemId;
    const item = {
      ...itemBase(this.#run, false),
      kind: 'plan' as const,
      text: '',
      ...this.#facts,
      steps: [],
    };
    this.#itemId = item.id;
    this.#run.emit({ type: 'item/started', item });
    return item.id;
  }

  #rewrite(itemId: string, text: string): void {
    this.#told = text;
    this.#run.emit({ type: 'item/rewritten', itemId, text });
  }
}
