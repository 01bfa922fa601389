/** What a made task draws from: a language, its words for files, and a layout of folders. */
import type { Draw } from './draw.ts';
import type { FrameId, Language } from './languages/language.ts';
import { phrase } from './phrase.ts';
import { lines } from './task.ts';

export interface Field {
  label: string;
  value: string;
}

export interface Priced {
  item: string;
  price: number;
}

export class Scene {
  readonly draw: Draw;
  readonly language: Language;

  constructor(draw: Draw, language: Language) {
    this.draw = draw;
    this.language = language;
  }

  /** What the person writes. */
  say(frame: FrameId, slots: Readonly<Record<string, string | number>>): string {
    return phrase(this.language.frames[frame], slots, this.language, this.draw);
  }

  /** A thing in the language. */
  noun(): string {
    return this.draw.fresh(this.language.nouns);
  }

  /** A name for a file or folder: in English or the language, at times of two words. */
  stem(): string {
    const one = this.draw.oneIn(2) ? this.draw.noun() : this.noun();
    return this.draw.oneIn(6) ? `${one}${this.draw.pick(['-', '_', ' '])}${this.draw.number(10, 99)}` : one;
  }

  folder(): string {
    return this.draw.oneIn(4) ? `${this.stem()}/${this.stem()}` : this.stem();
  }

  /** @param among extensions without their dot */
  path(among: readonly string[] = ['txt', 'md']): string {
    const name = `${this.stem()}.${this.draw.pick(among)}`;
    return this.draw.oneIn(2) ? name : `${this.folder()}/${name}`;
  }

  /** Such as a shell takes without quotes. */
  scriptPath(): string {
    const name = `${this.draw.noun()}.${this.draw.pick(['js', 'mjs'])}`;
    return this.draw.oneIn(2) ? name : `${this.draw.pick(['tools', 'scripts', 'bin'])}/${name}`;
  }

  /** Labelled numbers, as letters hold them. */
  fields(): Field[] {
    const labels = this.draw.shuffled(this.language.labels).slice(0, 3 + this.draw.below(3));
    return labels.map((label) => ({ label, value: this.draw.code() }));
  }

  letter(fields: readonly Field[]): string {
    const written = fields.map(({ label, value }) => `${label}: ${value}`);
    return lines(this.title(), '', ...written);
  }

  title(): string {
    return `# ${this.draw.pick(this.language.nouns)} ${1 + this.draw.below(9)}`;
  }

  /** No two of a price; all of a length, so that the first figure tells nothing. */
  prices(count: number): Priced[] {
    return Array.from({ length: count }, () => ({ item: this.noun(), price: this.draw.number(11, 99) }));
  }

  table(rows: readonly Priced[]): string {
    return lines(this.language.columns.join(','), ...rows.map(({ item, price }) => `${item},${price}`));
  }

  #clutterPath(): string {
    const { draw, language } = this;
    const name = (): string => `${draw.pick(language.nouns)}-${draw.number(100, 1000)}`;
    return draw.oneIn(2) ? `${name()}.log` : `${name()}/${name()}.log`;
  }

  /** Files with which the task has nothing to do. */
  clutter(): Record<string, string> {
    const count = this.draw.below(4);
    return Object.fromEntries(
      Array.from({ length: count }, () => [
        this.#clutterPath(),
        lines(this.title(), ...Array.from({ length: 1 + this.draw.below(5) }, () => this.draw.code())),
      ]),
    );
  }
}
