/** A store in which much was said, in several scripts: the same for the same seed. */
import { openStore } from '../../../src/host/store/store.ts';
import { summary, textItem, turn } from '../../../src/host/store/testing.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { seededRandom, type Random } from '../../../src/sim/time/index.ts';

const itemsOfSession = 200;

export class Draw {
  /** From 0 up to, not including, 1. */
  readonly share: Random;

  constructor(seed: number) {
    this.share = seededRandom(seed);
  }

  /** A whole number, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.share() * (max - min + 1));
  }
}

const scripts: { letters: string; between: string; lengths: [number, number] }[] = [
  { letters: 'etaoinshrdlucmfwypvbgkqjxz', between: ' ', lengths: [2, 9] },
  { letters: 'eaäoöuüinsrtdhßlgmbwk', between: ' ', lengths: [3, 12] },
  { letters: 'оеаинтсрвлкмдпуяыьгзбчй', between: ' ', lengths: [2, 10] },
  { letters: '的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年', between: '', lengths: [1, 3] },
  { letters: 'のにはをたがでてとしれさあいうえ日本人大学生時間今行見東京都', between: '', lengths: [2, 4] },
];

/** Words of one script, the first ones much more often than the last ones, as people use them. */
class Language {
  readonly #words: string[];
  readonly #between: string;
  readonly #draw: Draw;

  constructor(draw: Draw, { letters, between, lengths: [min, max] }: (typeof scripts)[number]) {
    this.#draw = draw;
    this.#between = between;
    const all = Array.from(letters);
    const letter = (): string => all[Math.floor(all.length * draw.share() ** 2)] ?? '';
    this.#words = Array.from({ length: 8_000 }, () =>
      Array.from({ length: draw.between(min, max) }, letter).join(''),
    );
  }

  text(words: number): string {
    const word = (): string => this.#words[Math.floor(this.#words.length ** this.#draw.share()) - 1] ?? '';
    return Array.from({ length: words }, word).join(this.#between);
  }
}

/** Returns some of what was said, from all over it. */
export function fillStore(dataDir: string, items: number, draw: Draw): string[] {
  let ids = 0;
  const store = openStore({ dataDir, log: silentLog, newId: (prefix) => `${prefix}${ids++}` });
  const languages = scripts.map((script) => new Language(draw, script));
  const some: string[] = [];
  for (let number = 0; number * itemsOfSession < items; number += 1) {
    const id = `s${number}`;
    const turnId = `t${number}`;
    // Half of it in the first script, which is English.
    const language = languages[Math.max(0, (number % 10) - 5)];
    store.transaction(() => {
      const title = language?.text(4) ?? '';
      store.createSession({
        summary: summary({ id, title, status: 'idle', updatedAt: number }),
        workspaceReal: dataDir,
        contextUsage: null,
      });
      store.saveTurn(id, turn({ id: turnId, status: 'finished', closed: true }));
      for (let index = 0; index < itemsOfSession; index += 1) {
        const text = language?.text(index % 2 === 0 ? draw.between(5, 40) : draw.between(20, 140)) ?? '';
        const kind = index % 2 === 0 ? 'user' : 'text';
        store.saveItem(id, textItem(index, { id: `${id}-${index}`, turnId, kind, text }));
        if (index % 97 === 0) some.push(text);
      }
    });
  }
  store.close();
  return some;
}
