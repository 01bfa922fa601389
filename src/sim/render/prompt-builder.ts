import type { PieceKind, Prompt, ThinkingState } from './types.ts';

/** Collects the pieces of one prompt in order. */
export class PromptBuilder {
  readonly #pieces: Prompt['pieces'] = [];

  /** Structure of the family: turn marks, tags, separators. */
  markup(text: string): void {
    const last = this.#pieces.at(-1);
    if (last?.kind === 'markup') {
      last.text += text;
    } else {
      this.add('markup', text);
    }
  }

  /** Something from the request, or boilerplate. */
  add(kind: PieceKind, text: string, messageIndex?: number): void {
    if (text === '') {
      return;
    }
    this.#pieces.push(messageIndex === undefined ? { kind, text } : { kind, text, messageIndex });
  }

  finish(thinking: ThinkingState): Prompt {
    const text = this.#pieces.map((piece) => piece.text).join('');
    return { ok: true, pieces: this.#pieces, text, thinking };
  }
}
