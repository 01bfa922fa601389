/** Which control mark stands at a place of a text that is still being written. */
import type { ControlMarks } from '../../prompt/card/marks.ts';

/** `open` and `close` frame a thought; `end` ends one, and stands elsewhere too. */
type MarkRole = 'token' | 'open' | 'close' | 'end';

export type AtPlace =
  | { found: 'mark'; length: number; role: MarkRole; isPiped: boolean }
  /** What is there may become one. */
  | { found: 'beginning' }
  | { found: 'nothing' };

export type MarkFinder = ReturnType<typeof createMarkFinder>;

/** Forms that hardly anybody but a template writes: no word of a language, and a bar in the bracket. */
const general =
  /<\|\/?[A-Za-z][\w/.-]{1,40}\|?>|<\/?[a-z][a-z_]{1,40}\|>|<｜[\w▁]{2,40}｜>|<\/?think(?:ing)?>/y;
const generalBeginning = /<(?:\|(?:\/?[A-Za-z][\w/.-]{0,40}\|?)?|\/?[a-z_]{0,41}\|?|｜[\w▁]{0,40}｜?)?$/y;
const generalOpen = /^<think(?:ing)?>$|^<[|｜].*(?:start|begin).*think/i;
const generalClose = /^<\/think(?:ing)?>$|^<[|｜].*end.*think/i;

export function createMarkFinder({ tokens, opens, closes, ends }: ControlMarks) {
  const roles = new Map<string, MarkRole>([
    ...tokens.map((mark) => [mark, 'token'] as const),
    ...ends.map((mark) => [mark, 'end'] as const),
    ...opens.map((mark) => [mark, 'open'] as const),
    ...closes.map((mark) => [mark, 'close'] as const),
  ]);
  const sorted = [...roles].toSorted(([a], [b]) => b.length - a.length);
  const bracketed = Map.groupBy(
    sorted.filter(([mark]) => !mark.startsWith(' ')),
    ([mark]) => mark[0] ?? '',
  );
  const headless = sorted.filter(([mark]) => mark.startsWith(' '));
  const none: AtPlace = { found: 'nothing' };

  function known(
    marks: readonly (readonly [string, MarkRole])[],
    text: string,
    place: number,
    isWhole: boolean,
  ): AtPlace {
    for (const [mark, role] of marks) {
      if (text.startsWith(mark, place)) {
        return { found: 'mark', length: mark.length, role, isPiped: isPiped(mark) };
      }
      // The longest first: a shorter one is not taken while a longer one may still come.
      if (!isWhole && mark.length > text.length - place && mark.startsWith(text.slice(place)))
        return { found: 'beginning' };
    }
    return none;
  }

  return {
    /** @param isWhole nothing follows. */
    at(text: string, place: number, isWhole: boolean): AtPlace {
      const found = known(bracketed.get(text[place] ?? '') ?? [], text, place, isWhole);
      if (found.found !== 'nothing' || text[place] !== '<') return found;
      general.lastIndex = place;
      const mark = general.exec(text)?.[0];
      if (mark !== undefined) {
        const role = generalOpen.test(mark) ? 'open' : generalClose.test(mark) ? 'close' : 'token';
        return { found: 'mark', length: mark.length, role, isPiped: isPiped(mark) };
      }
      generalBeginning.lastIndex = place;
      return !isWhole && generalBeginning.test(text) ? { found: 'beginning' } : none;
    },
    /** What a reply may begin with where its prompt has ended in the middle of a mark and its role. */
    atBeginning: (text: string, isWhole: boolean): AtPlace => known(headless, text, 0, isWhole),
  };
}

const isPiped = (mark: string): boolean => /[|｜]/.test(mark);
