/**
 * Keeps what only templates write out of what a person reads: control marks vanish, and a thought that the engine passed
 * on as text becomes one. Pure and streaming: what may become a mark waits for the rest of it, all else leaves at once. In
 * code a mark is spoken of and stays, unless it is the model's own frame of a thought.
 */
import type { ControlMarks } from '../../prompt/card/marks.ts';
import { createCodeState } from './code-state.ts';
import { createMarkFinder, type AtPlace, type MarkFinder } from './find-mark.ts';

export type Kind = 'thinking' | 'text';

export type Screened =
  | { type: Kind; text: string }
  /** All of the other kind since the last call was this. White space at the ends of a thought is none of it. */
  | { type: 'moved'; to: Kind };

type FoundMark = Extract<AtPlace, { found: 'mark' }>;

/** A mark of a language's own form counts as the end of a thought only where a thought can end. */
const endOfSentence = /(?:^|[\n.!?…:)\]}"'*])[ \t]*$/;

export class ReplyScreen {
  readonly #finder: MarkFinder;
  readonly #code = createCodeState();
  /** What came and is not decided yet, and as what the engine passed it on. */
  #held = '';
  #said: Kind = 'text';
  /** What text of the engine is at this place of the reply. */
  #kind: Kind;
  /** It is taken for a thought because such replies were ones before. */
  #isPresumed: boolean;
  #isLeaked = false;
  /** Nothing of the reply was decided yet. */
  #isBeginning = true;
  /** A thought has ended since the last call. */
  #hasEnded = false;
  /** White space around a frame belongs to the frame. */
  #skipsSpace: boolean;
  #space = '';
  /** Nothing but white space came since the last call or frame. */
  #isBlank = true;
  /** Text as it came since the last call or frame, and before that. */
  #rawNow = '';
  #rawBefore = '';
  #out: Screened[] = [];

  /** @param presumed what text is taken for until the reply shows what it is. */
  constructor(marks: ControlMarks, presumed: Kind = 'text') {
    this.#finder = createMarkFinder(marks);
    this.#kind = presumed;
    this.#isPresumed = presumed === 'thinking';
    this.#skipsSpace = this.#isPresumed;
  }

  /** The answer as it came, marks included, for whoever looks for a call in it. */
  get raw(): string {
    return this.#kind === 'text' ? this.#rawBefore + this.#rawNow : this.#rawBefore;
  }

  /** A thought came as text, with its end but without its beginning. */
  get isLeaked(): boolean {
    return this.#isLeaked;
  }

  push(said: Kind, text: string): Screened[] {
    if (said !== this.#said) this.#change(said);
    this.#held += text;
    this.#decide(false);
    return this.#taken();
  }

  /** A call comes, or the reply is over: nothing is held back any more. */
  flush(): Screened[] {
    this.#decide(true);
    this.#endPresumption();
    this.#write(this.#space);
    this.#rawBefore = this.raw;
    [this.#rawNow, this.#space, this.#hasEnded, this.#isBlank] = ['', '', false, true];
    this.#code.reset();
    return this.#taken();
  }

  #taken(): Screened[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #change(said: Kind): void {
    this.#decide(true);
    // The engine tells thoughts from text by itself.
    if (said === 'thinking') this.#endPresumption();
    this.#said = said;
    this.#code.reset();
  }

  #endPresumption(): void {
    if (!this.#isPresumed) return;
    [this.#isPresumed, this.#skipsSpace] = [false, false];
    this.#kind = 'text';
    if (this.#rawNow !== '') this.#out.push({ type: 'moved', to: 'text' });
  }

  /** @param isWhole nothing follows what is held. */
  #decide(isWhole: boolean): void {
    const text = this.#held;
    let from = 0;
    let at = 0;
    while (at < text.length) {
      const place = this.#look(text, at, isWhole);
      if (place.found === 'beginning') break;
      this.#isBeginning = false;
      if (place.found === 'nothing' || this.#isSpokenOf(place)) {
        this.#code.push(text[at] ?? '');
        at += 1;
        continue;
      }
      this.#pass(text.slice(from, at));
      if (this.#said === 'text') this.#rawNow += text.slice(at, at + place.length);
      this.#meet(place);
      at += place.length;
      from = at;
    }
    this.#pass(text.slice(from, at));
    this.#held = text.slice(at);
  }

  #look(text: string, at: number, isWhole: boolean): AtPlace {
    if (at === 0 && this.#isBeginning) {
      const place = this.#finder.atBeginning(text, isWhole);
      if (place.found !== 'nothing') return place;
    }
    return this.#finder.at(text, at, isWhole);
  }

  #isSpokenOf({ role, isPiped }: FoundMark): boolean {
    const frames = role === 'open' || role === 'close';
    return this.#code.inCode && !(frames && isPiped);
  }

  #meet(mark: FoundMark): void {
    if (this.#said === 'thinking') return;
    const { role } = mark;
    if (role === 'open' && this.#kind === 'text' && (mark.isPiped || this.#code.atLineStart)) {
      this.#rawBefore = this.raw;
      this.#turnTo('thinking');
    } else if (this.#kind === 'thinking') {
      if (role === 'close' || (role === 'end' && !this.#isPresumed)) this.#endThought();
    } else if (role === 'close' && !this.#hasEnded && this.#canEnd(mark)) {
      if (this.#rawNow.trim() !== '') this.#out.push({ type: 'moved', to: 'thinking' });
      this.#isLeaked = true;
      this.#endThought();
    }
  }

  /** In the middle of a sentence such a mark is only named. */
  #canEnd({ isPiped, length }: FoundMark): boolean {
    return isPiped || endOfSentence.test(this.#rawNow.slice(-20 - length, -length));
  }

  #endThought(): void {
    this.#isLeaked ||= this.#isPresumed;
    this.#hasEnded = true;
    this.#turnTo('text');
  }

  #turnTo(kind: Kind): void {
    this.#kind = kind;
    this.#isPresumed = false;
    [this.#rawNow, this.#space, this.#skipsSpace, this.#isBlank] = ['', '', true, true];
    this.#code.reset();
  }

  #pass(text: string): void {
    if (this.#said === 'thinking') {
      this.#emit('thinking', text);
      return;
    }
    this.#rawNow += text;
    const whole = this.#space + (this.#skipsSpace ? text.trimStart() : text);
    // What is blank so far may still stand before a frame; so may the end of a thought.
    const isBlank = this.#isBlank && whole.trim() === '';
    const kept = isBlank ? '' : this.#kind === 'thinking' ? whole.trimEnd() : whole;
    this.#space = whole.slice(kept.length);
    if (kept === '') return;
    [this.#isBlank, this.#skipsSpace] = [false, false];
    this.#emit(this.#kind, kept);
  }

  #write(text: string): void {
    if (this.#kind === 'text') this.#emit('text', text);
  }

  #emit(type: Kind, text: string): void {
    if (text === '') return;
    const last = this.#out.at(-1);
    if (last?.type === type) last.text += text;
    else this.#out.push({ type, text });
  }
}

/** A whole text without its control marks. */
export function withoutMarks(text: string, marks: ControlMarks): string {
  const screen = new ReplyScreen(marks);
  const pieces = [...screen.push('text', text), ...screen.flush()];
  const moved = pieces.findLastIndex(({ type }) => type === 'moved');
  return pieces
    .slice(moved + 1)
    .flatMap((piece) => (piece.type === 'text' ? [piece.text] : []))
    .join('');
}
